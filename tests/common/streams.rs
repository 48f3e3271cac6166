//! Streams: for any chunks of the input and any output sizes, the results together are the same as
//! for the whole text.

use utflane::{ByteTranscoder, ByteValidator, ErrorKind, Stop};

use super::api::{Api, Codec, Pair, Transcode, Validate};
use super::cesu8_wtf8::{has_surrogates, is_incomplete_pair};
use super::oracle::{self, Fault, decode, decode_for};

/// The expected results of a stream that continues after every error.
struct Expected {
    out: Vec<u8>,
    /// Length of `out` after each character.
    ends: Vec<usize>,
    /// Each fault, at its position in the whole stream, with the position after the byte that
    /// reveals it.
    faults: Vec<(Fault, usize)>,
    /// The position of the incomplete sequence at the end.
    cut: Option<usize>,
}

/// The expected results of the stream `src`; without `to` it is only validated.
fn expect(from: &Codec, to: Option<&Codec>, src: &[u8]) -> Expected {
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    let (mut faults, mut cut) = (Vec::new(), None);
    // A fault after another one is not reported before it.
    let mut last = 0;
    let mut at = 0;
    while at < src.len() {
        let to = to.unwrap_or(from);
        let part = oracle::expect(from.scheme, to.scheme, &src[at..]);
        ends.extend(part.ends[1..].iter().map(|end| out.len() + end.1));
        out.extend(part.out);
        let start = at + part.ends[part.ends.len() - 1].0;
        let Some(Fault { len, kind, .. }) = part.fault else { break };
        let Some(len) = len else {
            cut = Some(start);
            break;
        };
        let revealed = match kind {
            ErrorKind::Unmappable => Some(len),
            _ => revealing(from, to, &src[start..]),
        };
        let Some(revealed) = revealed.map(|seen| start + seen) else {
            cut = Some(start);
            break;
        };
        last = revealed.max(last);
        faults.push((Fault { at: start, len: Some(len), kind }, last));
        at = start + len;
    }
    Expected { out, ends, faults, cut }
}

/// Bytes of an ill-formed sequence up to and including the first that makes it so. `None` if only
/// the end does, which is known when the stream is finished.
fn revealing(from: &Codec, to: &Codec, src: &[u8]) -> Option<usize> {
    let is_known = |seen: &usize| {
        let seen = &src[..*seen];
        let fault = decode_for(from.scheme, to.scheme, seen).fault;
        fault.is_some_and(|fault| fault.len.is_some()) && !is_incomplete_pair(from.scheme, seen)
    };
    (1..=src.len()).find(is_known)
}

/// The kind of an error at `at` in a stream of which `seen` bytes have arrived.
fn kind(from: &Codec, to: &Codec, seen: &[u8], fault: Fault) -> ErrorKind {
    match fault.kind {
        ErrorKind::Unmappable => ErrorKind::Unmappable,
        _ => {
            let seen = decode_for(from.scheme, to.scheme, &seen[fault.at..]);
            seen.fault.expect("it is ill-formed").kind
        }
    }
}

/// The ends of chunks of these sizes, the sizes taken again and again; a size of 0 is an empty
/// chunk.
fn chunk_ends(len: usize, unit: usize, sizes: &[usize]) -> Vec<usize> {
    let (mut ends, mut at) = (Vec::new(), 0);
    for &size in sizes.iter().cycle() {
        if at == len {
            break;
        }
        at = (at + size * unit).min(len);
        ends.push(at);
    }
    ends
}

/// A transcoder on every form of the API, fed in chunks of `cuts` units (again and again) with
/// outputs of `capacities` units.
pub fn check_stream(pair: &Pair, src: &[u8], cuts: &[usize], capacities: &[usize]) {
    let expected = expect(pair.from, Some(pair.to), src);
    for &api in Api::all() {
        let mut typed = (pair.transcoder)(api);
        // A second stream with the same transcoder: `finish` has reset it.
        for _ in 0..2 {
            transcode(pair, api, typed.as_mut(), src, &expected, cuts, capacities);
        }
        if pair.from.unit == 1 && pair.to.unit == 1 {
            let (from, to) = (pair.from.scheme, pair.to.scheme);
            let mut bytes = match api {
                Api::Free => ByteTranscoder::new(from, to),
                Api::On(kernel) => ByteTranscoder::with_kernel(kernel, from, to),
            };
            transcode(pair, api, &mut bytes, src, &expected, cuts, capacities);
        }
    }
}

/// One stream, from its start to `finish`.
fn transcode(
    pair: &Pair,
    api: Api,
    transcoder: &mut dyn Transcode,
    src: &[u8],
    expected: &Expected,
    cuts: &[usize],
    capacities: &[usize],
) {
    let (from, to) = (pair.from, pair.to);
    let context = || {
        format!("stream, {pair}, {api:?}, cuts {cuts:?}, capacities {capacities:?}, of {src:02X?}")
    };
    let (mut out, mut errors, mut start) = (Vec::new(), 0, 0);
    let mut capacities = capacities.iter().copied().cycle();
    let mut storage = vec![0u32; 256];
    // SAFETY: units and bytes may have any bits.
    let storage = unsafe { storage.align_to_mut::<u8>() }.1;
    for end in chunk_ends(src.len(), from.unit, cuts) {
        let (mut at, mut enlarge) = (start, false);
        loop {
            let capacity = if enlarge { 16 } else { capacities.next().expect("endless") * to.unit };
            let dst = &mut storage[..capacity.min(1024)];
            let progress = transcoder.push(&src[at..end], dst);
            let (read, written) = (progress.read * from.unit, progress.written * to.unit);
            assert!(read <= end - at && written <= dst.len(), "{} {progress:?}", context());
            out.extend_from_slice(&dst[..written]);
            assert!(expected.out.starts_with(&out), "{}: {out:02X?} at {at}", context());
            at += read;
            match progress.stop {
                Stop::Done => {
                    assert_eq!(at, end, "{}: done means read", context());
                    break;
                }
                Stop::OutputFull => {
                    // The output must have been full: the next character doesn't fit.
                    let next = expected.ends.iter().find(|&&after| after > out.len());
                    let next = next.unwrap_or_else(|| panic!("{}: nothing is left", context()));
                    assert!(next - out.len() > capacity - written, "{} {progress:?}", context());
                    enlarge = written == 0;
                }
                Stop::Error(error) => {
                    enlarge = false;
                    let got = Fault::from_stream_error(error, from.unit);
                    let Some(&(want, revealed)) = expected.faults.get(errors) else {
                        panic!("{}: {error:?}", context());
                    };
                    errors += 1;
                    assert!(
                        revealed > start && revealed <= end,
                        "{}: not at once {error:?}",
                        context()
                    );
                    let want = Fault { kind: kind(from, to, &src[..end], want), ..want };
                    assert_eq!(got, want, "{}, chunk {start}..{end}", context());
                    assert_eq!(error.read(), progress.read, "{}", context());
                    // After the sequence, or as much of it as this chunk has.
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
        // An unpaired surrogate that might have been continued.
        assert!(has_surrogates(from.scheme) && has_surrogates(to.scheme), "{}", context());
        progress = transcoder.finish(&mut storage[..16]);
        assert!(progress.written > 0, "{}", context());
        out.extend_from_slice(&storage[..progress.written * to.unit]);
    }
    match (progress.stop, expected.cut) {
        (Stop::Done, None) => {}
        (Stop::Error(error), Some(at)) => {
            let want = decode_for(from.scheme, to.scheme, &src[at..]).fault.expect("cut");
            assert_eq!(
                Fault::from_stream_error(error, from.unit),
                Fault { at, ..want },
                "{}",
                context()
            );
            assert_eq!(error.read(), 0, "{}", context());
            // What begins after it is incomplete.
            let rest = &src[at + want.len.unwrap_or(src.len() - at)..];
            if let Some(incomplete) = decode_for(from.scheme, to.scheme, rest).fault {
                let Stop::Error(error) = transcoder.finish(&mut storage[..0]).stop else {
                    panic!("{}: {rest:02X?} is lost", context())
                };
                let at = src.len() - rest.len();
                assert_eq!(
                    Fault::from_stream_error(error, from.unit),
                    Fault { at, ..incomplete },
                    "{}",
                    context()
                );
            }
        }
        (stop, cut) => panic!("{}: finish says {stop:?} where the cut is {cut:?}", context()),
    }
    assert!(out == expected.out, "{}: {out:02X?}", context());
}

/// A validator on every form of the API, fed in chunks of `cuts` units, again and again.
pub fn check_validator(codec: &Codec, src: &[u8], cuts: &[usize]) {
    let expected = expect(codec, None, src);
    for &api in Api::all() {
        let mut typed = (codec.validator)(api);
        for _ in 0..2 {
            validate(codec, api, typed.as_mut(), src, &expected, cuts);
        }
        if codec.unit == 1 {
            let mut bytes = match api {
                Api::Free => ByteValidator::new(codec.scheme),
                Api::On(kernel) => ByteValidator::with_kernel(kernel, codec.scheme),
            };
            validate(codec, api, &mut bytes, src, &expected, cuts);
        }
    }
}

/// One stream, from its start to `finish`.
fn validate(
    codec: &Codec,
    api: Api,
    validator: &mut dyn Validate,
    src: &[u8],
    expected: &Expected,
    cuts: &[usize],
) {
    let context = || format!("validator, {}, {api:?}, cuts {cuts:?}, of {src:02X?}", codec.name);
    let (mut errors, mut start) = (0, 0);
    for end in chunk_ends(src.len(), codec.unit, cuts) {
        let mut at = start;
        while let Err(error) = validator.push(&src[at..end]) {
            let got = Fault::from_stream_error(error, codec.unit);
            let Some(&(want, revealed)) = expected.faults.get(errors) else {
                panic!("{}: {error:?}", context());
            };
            errors += 1;
            assert!(revealed > start && revealed <= end, "{}: not at once {error:?}", context());
            let want = Fault { kind: kind(codec, codec, &src[..end], want), ..want };
            assert_eq!(got, want, "{}, chunk {start}..{end}", context());
            at += error.read() * codec.unit;
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
    let cut = validator.finish().err().map(|error| Fault::from_stream_error(error, codec.unit));
    let want = expected.cut.map(|at| {
        let fault = decode(codec.scheme, &src[at..]).fault.expect("cut");
        Fault { at, ..fault }
    });
    assert_eq!(cut, want, "{}", context());
}
