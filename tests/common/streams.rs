//! Checks of streams: for any chunks of the input and any output capacities, the results together
//! equal the results for the whole text.

use utflane::{ByteTranscoder, ByteValidator, ErrorKind, Stop};

use super::api::{Api, Codec, Validate};
use super::cesu8_wtf8::{has_surrogates, is_incomplete_pair};
use super::oracle::{self, Fault, decode, decode_for};
use super::pairs::{Pair, Transcode};

/// The expected results of a stream that continues after every error.
struct Expected {
    out: Vec<u8>,
    /// The length of `out` after each character, in bytes.
    ends: Vec<usize>,
    /// Each fault, with its byte offset in the whole stream; and the byte offset after the byte
    /// that reveals the fault.
    faults: Vec<(Fault, usize)>,
    /// The byte offset of the incomplete sequence at the end.
    incomplete: Option<usize>,
}

/// Returns the expected results of the stream `src`. If `to` is `None`, the stream is only
/// validated.
fn expect(from: &Codec, to: Option<&Codec>, src: &[u8]) -> Expected {
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    let (mut faults, mut incomplete) = (Vec::new(), None);
    // The offset at which the last fault is revealed. No fault is reported before the fault that
    // precedes it.
    let mut last_revealed = 0;
    let mut at = 0;
    while at < src.len() {
        let to = to.unwrap_or(from);
        let part = oracle::expect(from.scheme, to.scheme, &src[at..]);
        ends.extend(part.ends[1..].iter().map(|end| out.len() + end.1));
        out.extend(part.out);
        let start = at + part.ends[part.ends.len() - 1].0;
        let Some(Fault { len, kind, .. }) = part.fault else { break };
        let Some(len) = len else {
            incomplete = Some(start);
            break;
        };
        let revealing_len = match kind {
            ErrorKind::Unmappable => Some(len),
            _ => revealing_len(from, to, &src[start..]),
        };
        let Some(revealed) = revealing_len.map(|len| start + len) else {
            incomplete = Some(start);
            break;
        };
        last_revealed = revealed.max(last_revealed);
        faults.push((Fault { at: start, len: Some(len), kind }, last_revealed));
        at = start + len;
    }
    Expected { out, ends, faults, incomplete }
}

/// Returns how many bytes of `src`, which begins with an ill-formed sequence, reveal that the
/// sequence is ill-formed. Returns `None` if only the end of the stream reveals it.
fn revealing_len(from: &Codec, to: &Codec, src: &[u8]) -> Option<usize> {
    let is_revealed = |len: &usize| {
        let start = &src[..*len];
        let fault = decode_for(from.scheme, to.scheme, start).fault;
        fault.is_some_and(|fault| fault.len.is_some()) && !is_incomplete_pair(from.scheme, start)
    };
    (1..=src.len()).find(is_revealed)
}

/// Returns the kind that `fault` has if only the bytes in `arrived` have arrived.
fn reported_kind(from: &Codec, to: &Codec, arrived: &[u8], fault: Fault) -> ErrorKind {
    match fault.kind {
        ErrorKind::Unmappable => ErrorKind::Unmappable,
        _ => {
            let decoded = decode_for(from.scheme, to.scheme, &arrived[fault.at..]);
            decoded.fault.expect("ill-formed").kind
        }
    }
}

/// Returns the byte offsets of the ends of chunks whose lengths in units are `chunk_lens`, used in
/// a cycle. A length of 0 is an empty chunk.
fn chunk_ends(src_len: usize, unit: usize, chunk_lens: &[usize]) -> Vec<usize> {
    let (mut ends, mut at) = (Vec::new(), 0);
    for &chunk_len in chunk_lens.iter().cycle() {
        if at == src_len {
            break;
        }
        at = (at + chunk_len * unit).min(src_len);
        ends.push(at);
    }
    ends
}

/// Checks transcoders on every kernel. The lengths of chunks and the capacities of outputs are
/// `chunk_lens` and `capacities`, both in units and used in a cycle.
pub fn check_stream(pair: &Pair, src: &[u8], chunk_lens: &[usize], capacities: &[usize]) {
    let expected = expect(pair.from, Some(pair.to), src);
    for &api in Api::all() {
        let mut typed = pair.transcoder(api);
        // `finish` resets the transcoder, so it converts a second stream too.
        for _ in 0..2 {
            transcode(pair, api, typed.as_mut(), src, &expected, chunk_lens, capacities);
        }
        if pair.from.element_bytes == 1 && pair.to.element_bytes == 1 {
            let (from, to) = (pair.from.scheme, pair.to.scheme);
            let mut bytes = match api {
                Api::Free => ByteTranscoder::new(from, to),
                Api::On(kernel) => ByteTranscoder::with_kernel(kernel, from, to),
            };
            transcode(pair, api, &mut bytes, src, &expected, chunk_lens, capacities);
        }
    }
}

/// Checks the transcoding of one stream, from its start to `finish`.
fn transcode(
    pair: &Pair,
    api: Api,
    transcoder: &mut dyn Transcode,
    src: &[u8],
    expected: &Expected,
    chunk_lens: &[usize],
    capacities: &[usize],
) {
    let (from, to) = (pair.from, pair.to);
    let context = || {
        format!(
            "stream, {pair}, {api:?}, chunk_lens {chunk_lens:?}, capacities {capacities:?}, \
             of {src:02X?}"
        )
    };
    let (mut out, mut errors, mut start) = (Vec::new(), 0, 0);
    let mut capacities = capacities.iter().copied().cycle();
    let mut storage = vec![0u32; 256];
    // SAFETY: any bits are valid for `u32` and for `u8`.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    for end in chunk_ends(src.len(), from.element_bytes, chunk_lens) {
        let (mut at, mut enlarge) = (start, false);
        loop {
            let capacity = if enlarge {
                16
            } else {
                capacities.next().expect("the cycle is endless") * to.element_bytes
            };
            let dst = &mut storage[..capacity.min(1024)];
            let progress = transcoder.push(&src[at..end], dst);
            let (read, written) =
                (progress.read * from.element_bytes, progress.written * to.element_bytes);
            assert!(read <= end - at && written <= dst.len(), "{} {progress:?}", context());
            out.extend_from_slice(&dst[..written]);
            assert!(expected.out.starts_with(&out), "{}: {out:02X?} at {at}", context());
            at += read;
            match progress.stop {
                Stop::Done => {
                    assert_eq!(at, end, "{}: done before the end of the chunk", context());
                    break;
                }
                Stop::OutputFull => {
                    // `OutputFull` is right only if the next character does not fit.
                    let next_end = expected.ends.iter().find(|&&end| end > out.len());
                    let next_end =
                        next_end.unwrap_or_else(|| panic!("{}: no more output", context()));
                    assert!(
                        next_end - out.len() > capacity - written,
                        "{} {progress:?}",
                        context()
                    );
                    enlarge = written == 0;
                }
                Stop::Error(error) => {
                    enlarge = false;
                    let got = Fault::from_stream_error(error, from.element_bytes);
                    let Some(&(want, revealed)) = expected.faults.get(errors) else {
                        panic!("{}: {error:?}", context());
                    };
                    errors += 1;
                    assert!(
                        revealed > start && revealed <= end,
                        "{}: reported in another chunk: {error:?}",
                        context()
                    );
                    let kind = reported_kind(from, to, &src[..end], want);
                    let want = Fault { kind, ..want };
                    assert_eq!(got, want, "{}, chunk {start}..{end}", context());
                    assert_eq!(error.read(), progress.read, "{}", context());
                    // The stream continues after the sequence, or at the start of this chunk if the
                    // sequence ended before.
                    assert_eq!(
                        at,
                        (want.at + want.len.expect("known")).max(start),
                        "{} {error:?}",
                        context()
                    );
                }
            }
        }
        start = end;
    }
    assert_eq!(errors, expected.faults.len(), "{}: errors", context());
    let mut progress = transcoder.finish(&mut storage[..0]);
    assert_eq!((progress.read, progress.written), (0, 0), "{}", context());
    if progress.stop == Stop::OutputFull {
        // The transcoder kept an unpaired surrogate that more input could have completed to a pair.
        assert!(has_surrogates(from.scheme) && has_surrogates(to.scheme), "{}", context());
        progress = transcoder.finish(&mut storage[..16]);
        assert!(progress.written > 0, "{}", context());
        out.extend_from_slice(&storage[..progress.written * to.element_bytes]);
    }
    match (progress.stop, expected.incomplete) {
        (Stop::Done, None) => {}
        (Stop::Error(error), Some(at)) => {
            let want = decode_for(from.scheme, to.scheme, &src[at..]).fault.expect("incomplete");
            assert_eq!(
                Fault::from_stream_error(error, from.element_bytes),
                Fault { at, ..want },
                "{}",
                context()
            );
            assert_eq!(error.read(), 0, "{}", context());
            // A sequence after this one is incomplete, too.
            let rest = &src[at + want.len.unwrap_or(src.len() - at)..];
            if let Some(incomplete) = decode_for(from.scheme, to.scheme, rest).fault {
                let Stop::Error(error) = transcoder.finish(&mut storage[..0]).stop else {
                    panic!("{}: the error in {rest:02X?} is not reported", context())
                };
                let at = src.len() - rest.len();
                assert_eq!(
                    Fault::from_stream_error(error, from.element_bytes),
                    Fault { at, ..incomplete },
                    "{}",
                    context()
                );
            }
        }
        (stop, incomplete) => {
            panic!("{}: finish returned {stop:?}, expected {incomplete:?}", context())
        }
    }
    assert!(out == expected.out, "{}: {out:02X?}", context());
}

/// Checks validators on every kernel. The lengths of chunks in units are `chunk_lens`, used in a
/// cycle.
pub fn check_validator(codec: &Codec, src: &[u8], chunk_lens: &[usize]) {
    let expected = expect(codec, None, src);
    for &api in Api::all() {
        let mut typed = (codec.validator)(api);
        for _ in 0..2 {
            validate(codec, api, typed.as_mut(), src, &expected, chunk_lens);
        }
        if codec.element_bytes == 1 {
            let mut bytes = match api {
                Api::Free => ByteValidator::new(codec.scheme),
                Api::On(kernel) => ByteValidator::with_kernel(kernel, codec.scheme),
            };
            validate(codec, api, &mut bytes, src, &expected, chunk_lens);
        }
    }
}

/// Checks the validation of one stream, from its start to `finish`.
fn validate(
    codec: &Codec,
    api: Api,
    validator: &mut dyn Validate,
    src: &[u8],
    expected: &Expected,
    chunk_lens: &[usize],
) {
    let context =
        || format!("validator, {}, {api:?}, chunk_lens {chunk_lens:?}, of {src:02X?}", codec.name);
    let (mut errors, mut start) = (0, 0);
    for end in chunk_ends(src.len(), codec.element_bytes, chunk_lens) {
        let mut at = start;
        while let Err(error) = validator.push(&src[at..end]) {
            let got = Fault::from_stream_error(error, codec.element_bytes);
            let Some(&(want, revealed)) = expected.faults.get(errors) else {
                panic!("{}: {error:?}", context());
            };
            errors += 1;
            assert!(
                revealed > start && revealed <= end,
                "{}: reported in another chunk: {error:?}",
                context()
            );
            let kind = reported_kind(codec, codec, &src[..end], want);
            let want = Fault { kind, ..want };
            assert_eq!(got, want, "{}, chunk {start}..{end}", context());
            at += error.read() * codec.element_bytes;
            assert_eq!(
                at,
                (want.at + want.len.expect("known")).max(start),
                "{} {error:?}",
                context()
            );
        }
        start = end;
    }
    assert_eq!(errors, expected.faults.len(), "{}: errors", context());
    let got =
        validator.finish().err().map(|error| Fault::from_stream_error(error, codec.element_bytes));
    let want = expected.incomplete.map(|at| {
        let fault = decode(codec.scheme, &src[at..]).fault.expect("incomplete");
        Fault { at, ..fault }
    });
    assert_eq!(got, want, "{}", context());
}
