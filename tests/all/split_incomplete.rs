//! The start of a sequence that the end of a text leaves incomplete: the bytes that the standard
//! library finds incomplete, and those that a stream carries, for texts truncated anywhere.

use crate::common::api::{Api, Codec, codecs};
use crate::common::carriers::{EDGES, sample_chars, sequences};
use crate::common::checks::check_split;
use crate::common::oracle::encode_all;
use crate::common::shared;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Scheme, StreamError, Utf8, split_incomplete};

/// All texts of up to three bytes that are edges of the syntax, and some of four to six, in every
/// encoding of bytes.
#[test]
fn all_short_sequences() {
    let edge = |n: usize, power: u32| EDGES[n / EDGES.len().pow(power) % EDGES.len()];
    let mut rng = StdRng::seed_from_u64(21);
    for codec in codecs().iter().filter(|codec| codec.unit == 1) {
        check_split(codec, &[]);
        for n in 0..EDGES.len().pow(2) {
            check_split(codec, &[edge(n, 0)]);
            check_split(codec, &[edge(n, 0), edge(n, 1)]);
        }
        for n in shared("edges", 0..EDGES.len().pow(3)) {
            check_split(codec, &[0, 1, 2].map(|power| edge(n, power)));
            let len = rng.random_range(4..7);
            let longer: Vec<u8> =
                (0..len).map(|_| EDGES[rng.random_range(0..EDGES.len())]).collect();
            check_split(codec, &longer);
        }
    }
}

/// Every sequence that the syntax distinguishes, truncated everywhere, by itself and after others.
#[test]
fn sequences_cut_everywhere() {
    for codec in codecs() {
        let all = sequences(codec.scheme);
        for (i, sequence) in shared("sequences", all.iter().enumerate()) {
            let before = &all[i * 7 % all.len()];
            let text = [&before[..], sequence].concat();
            for end in (0..=text.len()).step_by(codec.unit) {
                check_split(codec, &text[..end]);
            }
        }
    }
}

/// In UTF-8, the rest of a well-formed text that is cut is what the standard library finds
/// incomplete. Of any bytes it is the last invalid run, if that is incomplete.
#[test]
fn the_suffix_is_as_in_the_standard_library() {
    let mut rng = StdRng::seed_from_u64(22);
    for _ in shared("texts", 0..60_000) {
        let mut text: Vec<u8> = (0..rng.random_range(0..12))
            .flat_map(|_| rng.random::<char>().to_string().into_bytes())
            .collect();
        if rng.random_range(0..3) == 0 && !text.is_empty() {
            let at = rng.random_range(0..text.len());
            text[at] = EDGES[rng.random_range(0..EDGES.len())];
        }
        for end in 0..=text.len() {
            let src = &text[..end];
            let (first, rest) = split_incomplete::<Utf8>(src);
            assert_eq!([first, rest].concat(), src);
            if let Err(error) = std::str::from_utf8(src)
                && error.error_len().is_none()
            {
                assert_eq!(first.len(), error.valid_up_to(), "{src:02X?}");
            }
            let last = src.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
            let is_cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
            assert_eq!(rest, if is_cut { last } else { &[] }, "{src:02X?}");
        }
    }
}

/// All errors of a stream of these chunks, that of its end included.
fn errors_of(codec: &Codec, api: Api, chunks: &[&[u8]]) -> Vec<StreamErrorAt> {
    let mut validator = (codec.validator)(api);
    let mut all = Vec::new();
    for mut chunk in chunks.iter().copied() {
        while let Err(error) = validator.push(chunk) {
            chunk = &chunk[error.read() * codec.unit..];
            all.push(at(error));
        }
    }
    all.extend(validator.finish().err().map(at));
    all
}

/// The offset and the length of an error.
type StreamErrorAt = (u64, Option<usize>);

fn at(error: StreamError) -> StreamErrorAt {
    (error.offset(), error.error_len())
}

/// The rest is what a stream carries: at its end, the stream has an incomplete sequence of that
/// length. And a stream of the text before it, then of the rest with more text, is that of the
/// whole.
#[test]
fn the_suffix_is_what_a_stream_carries() {
    for (i, codec) in codecs().iter().enumerate() {
        let all = sequences(codec.scheme);
        let last = match codec.scheme {
            Scheme::Ascii => '\u{7F}',
            Scheme::Latin1 => '\u{FF}',
            _ => char::MAX,
        };
        let mut text = encode_all(codec.scheme, sample_chars(last, 40, i as u64));
        for k in 0..4 {
            let at = (5 + 7 * k) * codec.scheme.unit_size();
            text.splice(at..at, all[(i + 13 * k) % all.len()].iter().copied());
        }
        for sequence in shared("sequences", all.iter()) {
            let text = [&text[..], sequence, &text[..codec.scheme.unit_size() * 3]].concat();
            let text = &text[..text.len() / codec.unit * codec.unit];
            for &api in Api::all() {
                let whole = errors_of(codec, api, &[text]);
                for end in (0..=text.len()).rev().step_by(codec.unit).take(24) {
                    let (first, rest) = (codec.split_incomplete)(&text[..end]);
                    let context = || format!("{} {api:?} of {:02X?}", codec.name, &text[..end]);
                    let parts = errors_of(codec, api, &[&text[..first], &text[first..]]);
                    assert_eq!(parts, whole, "{}", context());
                    // An unpaired surrogate is carried, and well-formed where the stream ends.
                    if !matches!(codec.scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be) {
                        let cut = errors_of(codec, api, &[&text[..end]]);
                        let carried = cut.last().filter(|(_, len)| len.is_none());
                        let want = (rest > 0).then_some((first / codec.unit) as u64);
                        assert_eq!(carried.map(|&(at, _)| at), want, "{}", context());
                    }
                }
            }
        }
    }
}
