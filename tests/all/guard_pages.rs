//! Inputs and outputs that begin or end next to an inaccessible page, so reading or writing one
//! byte outside is a segmentation fault. This module has the operations of every pair;
//! [`guard_questions`](super::guard_questions) has the functions that only read a text.

use crate::common::api::{Api, codecs};
use crate::common::carriers::{embedded, last_common_char, sample, sequences, widths};
use crate::common::guard::{Guarded, check_conversion};
use crate::common::lossy::repairs;
use crate::common::oracle::{Fault, decode, encode_all, expect};
use crate::common::pairs::{Pair, pairs};
use crate::common::sampled;
use utflane::{Repair, Scheme, Stop};

/// The length of the longest texts, in bytes.
const MAX_BYTES: usize = 320;

/// Returns a share of the numbers 0..=`max`. They begin at a different number for each
/// `pair_index`, so that the pairs have different shares.
fn lengths(max: usize, pair_index: usize) -> impl Iterator<Item = usize> {
    sampled("lengths", (0..=max).map(move |i| (i + 7 * pair_index) % (max + 1)))
}

/// Returns a text of `len` bytes, which may end inside a character. `seed` chooses the text.
fn text(pair: &Pair, len: usize, seed: usize) -> Vec<u8> {
    let last_char = last_common_char(pair);
    let width = 1 + seed % last_char.len_utf8();
    let scheme = pair.from.scheme;
    let mut text = match seed % 3 {
        0 => sample(pair, len, seed as u64),
        // Characters of one width. The last character is complete if `len` is a whole number of
        // units.
        _ => embedded(scheme, width, last_char, len / scheme.unit_size(), &[0]),
    };
    text.truncate(len);
    text
}

/// Conversions of texts of every length, into outputs of exactly the right size, and of a smaller
/// and a larger size.
#[test]
fn conversions_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for (pair_index, pair) in pairs().iter().enumerate() {
        let last_char = last_common_char(pair);
        let unit = pair.from.scheme.unit_size();
        // The texts have up to `MAX_BYTES` bytes, or 200 units if these are longer.
        let max_len = MAX_BYTES.max(200 * unit);
        let mut texts: Vec<_> = widths(last_char)
            .map(|width| embedded(pair.from.scheme, width, last_char, max_len / unit, b""))
            .collect();
        texts.push(sample(pair, max_len / unit, 5));
        for text in texts {
            for len in lengths(max_len / unit, pair_index) {
                let src = &text[..text.len().min(len * unit)];
                let expected = expect(pair.from.scheme, pair.to.scheme, src);
                let exact_len = expected.out.len();
                let smaller_len = exact_len.saturating_sub(1 + len % 9) / pair.to.element_bytes
                    * pair.to.element_bytes;
                for capacity in
                    [exact_len, smaller_len, exact_len + len % 80 * pair.to.element_bytes]
                {
                    let memory = (&mut input, &mut output);
                    check_conversion(pair, src, &expected, memory, capacity);
                }
            }
        }
    }
}

/// Conversions of texts with an error at the end or near it.
#[test]
fn conversions_of_ill_formed_texts_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for pair in pairs() {
        let (scheme, last_char) = (pair.from.scheme, last_common_char(pair));
        let sequences = sequences(scheme);
        for (i, sequence) in sampled("sequences", sequences.iter().enumerate().step_by(3)) {
            let width = 1 + i % last_char.len_utf8();
            let mut src = embedded(scheme, width, last_char, 128 + i % 64, b"");
            src.truncate((128 + i % 64) * scheme.unit_size());
            src.extend_from_slice(sequence);
            let expected = expect(scheme, pair.to.scheme, &src);
            let exact_len = expected.out.len();
            check_conversion(pair, &src, &expected, (&mut input, &mut output), exact_len);
        }
    }
}

/// Operations with owned results, lengths and validation, for texts of every length. The input is
/// next to an inaccessible page, and the results must equal the oracle's. Operations that take a
/// `&str` and methods of `Scheme` are checked too.
#[test]
fn owned_results_and_lengths_stay_inside() {
    let mut memory = Guarded::new(4096);
    for (pair_index, pair) in pairs().iter().enumerate() {
        for len in lengths(MAX_BYTES / pair.from.element_bytes, pair_index)
            .map(|len| len * pair.from.element_bytes)
        {
            let src = text(pair, len, len + pair_index);
            for at_end in [true, false] {
                check_owned(pair, memory.holding(&src, at_end));
            }
        }
    }
}

/// Checks the operations that read the whole of `src` and allocate their result.
fn check_owned(pair: &Pair, src: &[u8]) {
    let (from, to) = (pair.from, pair.to);
    let expected = expect(from.scheme, to.scheme, src);
    let want = expected.fault.map_or(Ok(&expected.out), Err);
    let want_fault = decode(from.scheme, src).fault;
    let want_len = pair.len(Api::Free, src);
    let existing = encode_all(to.scheme, ['a'; 3]);
    for &api in Api::all() {
        let context = || format!("{pair}, {api:?} of {src:02X?}");
        let got =
            pair.transcode(api, src).map_err(|error| Fault::from_error(error, from.element_bytes));
        assert_eq!(got.as_ref().map_err(|&fault| fault), want, "{}", context());
        let mut out = existing.clone();
        let _ = pair.transcode_append(api, src, &mut out);
        assert_eq!(out.strip_prefix(&existing[..]), Some(&expected.out[..]), "{}", context());
        let got = (from.validate)(api, src)
            .err()
            .map(|error| Fault::from_error(error, from.element_bytes));
        assert_eq!(got, want_fault, "{}", context());
        assert_eq!(pair.len(api, src), want_len, "{}", context());
        let _ = (from.count)(api, src);
        if let ("Utf8", Ok(text)) = (from.name, std::str::from_utf8(src)) {
            let mut out = existing.clone();
            let got = (to.from_str_append)(api, text, &mut out).err();
            assert_eq!(got.map(|error| Fault::from_error(error, 1)), want.err(), "{}", context());
            assert_eq!(out.strip_prefix(&existing[..]), Some(&expected.out[..]), "{}", context());
            if let Some(from_str) = to.from_str {
                assert_eq!(from_str(api, text), expected.out, "{}", context());
            }
        }
    }
    if from.element_bytes == 1 {
        let mut out = existing.clone();
        let result = from.scheme.transcode_append(src, to.scheme, &mut out);
        assert_eq!(result.is_ok(), expected.fault.is_none(), "{pair}");
        assert_eq!(from.scheme.validate(src).is_ok(), want_fault.is_none(), "{pair}");
        assert_eq!(from.scheme.len(src, to.scheme), want_len * to.element_bytes, "{pair}");
    }
    let max_len = pair.max_len(src.len() / from.element_bytes).expect("short") * to.element_bytes;
    assert!(max_len >= expected.out.len(), "{pair}");
}

/// The operations that take a `&str`, with the input and the output next to an inaccessible page,
/// into outputs of exactly the right size and smaller.
#[test]
fn conversions_of_str_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for (pair_index, pair) in
        pairs().iter().enumerate().filter(|(_, pair)| pair.from.name == "Utf8")
    {
        for len in lengths(MAX_BYTES, pair_index) {
            let text = text(pair, len, len);
            let valid = text.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
            let expected = expect(Scheme::Utf8, pair.to.scheme, &text[..valid]);
            for missing_bytes in [0, 1 + len % 9] {
                let capacity = expected.out.len().saturating_sub(missing_bytes)
                    / pair.to.element_bytes
                    * pair.to.element_bytes;
                for &api in Api::all() {
                    for combination in 0..4 {
                        let src = input.holding(&text[..valid], combination & 1 == 0);
                        let src = str::from_utf8(src).expect("the valid part is UTF-8");
                        let dst = output.part_of(capacity, combination & 2 == 0);
                        let written =
                            (pair.to.from_str_into)(api, src, dst).written * pair.to.element_bytes;
                        assert_eq!(dst[..written], expected.out[..written], "{pair}, {api:?}");
                        assert_eq!(written, expected.within(capacity).written, "{pair}, {api:?}");
                    }
                }
            }
        }
    }
}

/// Validation and counting of every length up to 700 units.
#[test]
fn validations_stay_inside() {
    let mut memory = Guarded::new(4096);
    for codec in codecs() {
        let pair =
            pairs().iter().find(|pair| pair.from.name == codec.name && pair.to.name == codec.name);
        let pair = pair.expect("each encoding has a pair with itself");
        for seed in 0..4 {
            let text = sample(pair, 700, seed);
            for len in sampled("lengths", 0..=700.min(text.len() / codec.element_bytes)) {
                let src = &text[..len * codec.element_bytes];
                let want = decode(codec.scheme, src).fault;
                for &api in Api::all() {
                    for at_end in [true, false] {
                        let part = memory.holding(src, at_end);
                        let got = (codec.validate)(api, part).err();
                        let got = got.map(|error| Fault::from_error(error, codec.element_bytes));
                        assert_eq!(got, want, "{}, {api:?}", codec.name);
                        let _ = (codec.count)(api, part);
                    }
                }
            }
        }
    }
}

/// Streams of two chunks, each next to an inaccessible page, into outputs with exactly enough
/// capacity for the rest of the expected result.
#[test]
fn streams_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for (pair_index, pair) in pairs().iter().enumerate() {
        let unit = pair.from.element_bytes;
        for len in lengths(MAX_BYTES / unit, pair_index).map(|len| len * unit) {
            let src = text(pair, len, len + pair_index);
            let want = expect(pair.from.scheme, pair.to.scheme, &src);
            let split = (len / 2 + len % 7).min(len) / unit * unit;
            for &api in Api::all() {
                for at_end in [true, false] {
                    let context = || format!("{pair}, {api:?}, split at {split}, of {src:02X?}");
                    let mut transcoder = pair.transcoder(api);
                    let mut validator = (pair.from.validator)(api);
                    let mut out = Vec::new();
                    for chunk in [&src[..split], &src[split..]] {
                        let chunk = input.holding(chunk, at_end);
                        let dst = output.part_of(want.out.len() - out.len(), at_end);
                        let progress = transcoder.push(chunk, dst);
                        out.extend_from_slice(&dst[..progress.written * pair.to.element_bytes]);
                        let _ = validator.push(chunk);
                    }
                    let dst = output.part_of(want.out.len() - out.len(), at_end);
                    let progress = transcoder.finish(dst);
                    out.extend_from_slice(&dst[..progress.written * pair.to.element_bytes]);
                    let _ = validator.finish();
                    let done = progress.stop == Stop::Done;
                    assert_eq!(done, want.fault.is_none(), "{}: {progress:?}", context());
                    assert!(!done || out == want.out, "{}: {out:02X?}", context());
                }
            }
        }
    }
}

/// Conversions with repairs of texts with scattered errors, into outputs of exactly the right size
/// and smaller.
#[test]
fn repairs_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(16384));
    for (pair_index, pair) in pairs().iter().enumerate() {
        let unit = pair.from.scheme.unit_size();
        let mut text = sample(pair, 320, 5);
        let sequences = sequences(pair.from.scheme);
        for (i, sequence) in sequences.iter().step_by(sequences.len() / 40 + 1).enumerate() {
            let offset = (3 + i * 9) * unit;
            if offset < text.len() {
                text.splice(offset..offset, sequence.iter().copied());
            }
        }
        let repairs = repairs();
        for len in lengths(320, pair_index) {
            let src = &text[..text.len().min(len * unit)];
            let repair = repairs[(len + pair_index) % repairs.len()];
            let (want, want_repairs) = pair.lossy(Api::Free, src, repair);
            for capacity in [want.len(), want.len().saturating_sub(1 + len % 9), want.len() / 2] {
                let capacity = capacity / pair.to.element_bytes * pair.to.element_bytes;
                for &api in Api::all() {
                    for at_end in [true, false] {
                        let memory = (&mut input, &mut output);
                        check_repair(pair, api, (src, repair), memory, capacity, at_end);
                    }
                }
            }
            for (i, &api) in Api::all().iter().enumerate() {
                let guarded_src = input.holding(src, (i + len) % 2 == 0);
                let (length, _) = pair.measure_lossy(api, guarded_src, repair);
                assert_eq!(length, want.len(), "{pair}, {api:?} of {src:02X?}");
                let mut out = encode_all(pair.to.scheme, ['a'; 3]);
                let existing_len = out.len();
                let repairs = pair.lossy_append(api, guarded_src, repair, &mut out);
                assert_eq!(
                    (&out[existing_len..], repairs),
                    (&want[..], want_repairs),
                    "{pair}, {api:?}"
                );
            }
        }
    }
}

/// Checks one conversion with repairs, with the input and the output at the same end of their
/// memory.
fn check_repair(
    pair: &Pair,
    api: Api,
    (src, repair): (&[u8], Repair),
    (input, output): (&mut Guarded, &mut Guarded),
    capacity: usize,
    at_end: bool,
) {
    let guarded_src = input.holding(src, at_end);
    let dst = output.part_of(capacity, at_end);
    let progress = pair.lossy_into(api, guarded_src, repair, dst);
    let done = matches!(progress.stop, Stop::Done);
    assert_eq!(progress.read * pair.from.element_bytes == src.len(), done, "{pair}, {api:?}");
}
