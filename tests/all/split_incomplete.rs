//! Tests of `split_incomplete`, which splits off an incomplete sequence at the end of a text. For
//! texts that are truncated anywhere, the incomplete suffix must equal the bytes that the standard
//! library reports as incomplete, and the bytes that a stream carries into its next chunk.

use crate::common::api::{Api, Codec, codecs};
use crate::common::carriers::{CLASS_BOUNDARY_BYTES, sample_chars, sequences};
use crate::common::checks::check_split;
use crate::common::oracle::encode_all;
use crate::common::sampled;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Scheme, StreamError, Utf8, split_incomplete};

/// Every text of one to three boundary bytes (the first and the last byte of each class), and
/// random texts of four to six such bytes, in every encoding whose code unit is a byte.
#[test]
fn short_texts_of_boundary_bytes() {
    let boundary_byte = |n: usize, power: u32| {
        CLASS_BOUNDARY_BYTES[n / CLASS_BOUNDARY_BYTES.len().pow(power) % CLASS_BOUNDARY_BYTES.len()]
    };
    let mut rng = StdRng::seed_from_u64(21);
    for codec in codecs().iter().filter(|codec| codec.element_bytes == 1) {
        check_split(codec, &[]);
        for n in 0..CLASS_BOUNDARY_BYTES.len().pow(2) {
            check_split(codec, &[boundary_byte(n, 0)]);
            check_split(codec, &[boundary_byte(n, 0), boundary_byte(n, 1)]);
        }
        for n in sampled("edges", 0..CLASS_BOUNDARY_BYTES.len().pow(3)) {
            check_split(codec, &[0, 1, 2].map(|power| boundary_byte(n, power)));
            let len = rng.random_range(4..7);
            let longer: Vec<u8> = (0..len)
                .map(|_| CLASS_BOUNDARY_BYTES[rng.random_range(0..CLASS_BOUNDARY_BYTES.len())])
                .collect();
            check_split(codec, &longer);
        }
    }
}

/// One sequence of each kind in the encoding, after another sequence. The text is truncated at
/// every offset.
#[test]
fn sequences_truncated_at_every_offset() {
    for codec in codecs() {
        let all = sequences(codec.scheme);
        for (i, sequence) in sampled("sequences", all.iter().enumerate()) {
            let before = &all[i * 7 % all.len()];
            let text = [&before[..], sequence].concat();
            for end in (0..=text.len()).step_by(codec.element_bytes) {
                check_split(codec, &text[..end]);
            }
        }
    }
}

/// If the only error in UTF-8 is an incomplete sequence at the end, the suffix begins where the
/// standard library's error is. For any bytes, the suffix is the last invalid chunk of
/// `utf8_chunks` if that chunk is incomplete.
#[test]
fn utf8_suffix_matches_the_standard_library() {
    let mut rng = StdRng::seed_from_u64(22);
    for _ in sampled("texts", 0..60_000) {
        let mut text: Vec<u8> = (0..rng.random_range(0..12))
            .flat_map(|_| rng.random::<char>().to_string().into_bytes())
            .collect();
        if rng.random_range(0..3) == 0 && !text.is_empty() {
            let at = rng.random_range(0..text.len());
            text[at] = CLASS_BOUNDARY_BYTES[rng.random_range(0..CLASS_BOUNDARY_BYTES.len())];
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
            let is_incomplete =
                std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
            assert_eq!(rest, if is_incomplete { last } else { &[] }, "{src:02X?}");
        }
    }
}

/// Returns all errors of a stream with these chunks, including the error that `finish` returns.
fn stream_errors(codec: &Codec, api: Api, chunks: &[&[u8]]) -> Vec<ErrorSpan> {
    let mut validator = (codec.validator)(api);
    let mut all = Vec::new();
    for mut chunk in chunks.iter().copied() {
        while let Err(error) = validator.push(chunk) {
            chunk = &chunk[error.read() * codec.element_bytes..];
            all.push(error_span(error));
        }
    }
    all.extend(validator.finish().err().map(error_span));
    all
}

/// The offset of an error and its length, in elements of the input slice. The length is `None` if
/// the sequence is incomplete.
type ErrorSpan = (u64, Option<usize>);

fn error_span(error: StreamError) -> ErrorSpan {
    (error.offset(), error.error_len())
}

/// The suffix is what a stream carries into its next chunk. If the stream ends there, `finish`
/// reports an incomplete sequence at the start of the suffix. If the text is split before the
/// suffix, a stream of the two parts has the same errors as a stream of the whole text.
#[test]
fn suffix_matches_what_a_stream_carries() {
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
        for sequence in sampled("sequences", all.iter()) {
            let text = [&text[..], sequence, &text[..codec.scheme.unit_size() * 3]].concat();
            let text = &text[..text.len() / codec.element_bytes * codec.element_bytes];
            for &api in Api::all() {
                let whole = stream_errors(codec, api, &[text]);
                for end in (0..=text.len()).rev().step_by(codec.element_bytes).take(24) {
                    let (first_len, rest_len) = (codec.split_incomplete)(&text[..end]);
                    let context = || format!("{} {api:?} of {:02X?}", codec.name, &text[..end]);
                    let parts =
                        stream_errors(codec, api, &[&text[..first_len], &text[first_len..]]);
                    assert_eq!(parts, whole, "{}", context());
                    // In these encodings a high surrogate is carried too, but it is no error if the
                    // stream ends after it.
                    if !matches!(codec.scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be) {
                        let errors = stream_errors(codec, api, &[&text[..end]]);
                        let carried = errors.last().filter(|(_, len)| len.is_none());
                        let want =
                            (rest_len > 0).then_some((first_len / codec.element_bytes) as u64);
                        assert_eq!(carried.map(|&(at, _)| at), want, "{}", context());
                    }
                }
            }
        }
    }
}
