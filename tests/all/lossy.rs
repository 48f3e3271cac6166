//! Conversions with repairs: every pair, kernel and policy; short and long texts; whole and in
//! chunks.

use std::borrow::Cow;
use std::mem::MaybeUninit;

use crate::common::api::Api;
use crate::common::carriers::{embedded, last_common_char, sample, sequences, widths};
use crate::common::lossy::{
    check_lossy, check_lossy_stream, check_stream_that_stops_at_one_kind, encode_or_question_mark,
    in_bytes, repairs,
};
use crate::common::oracle::{Fault, decode_for, encode};
use crate::common::pairs::{Pair, pair_named, pairs};
use crate::common::sampled;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    IllFormed, Kernel, Policy, Repair, Unmappable, Utf8, Utf16, transcode_lossy,
    transcode_lossy_into, utf8,
};

/// Sizes of outputs, in bytes, relative to the size of the whole result.
const SIZE_DIFFERENCES: [isize; 7] = [0, 1, 64, -1, -2, -5, -9];

#[test]
fn short_sequences() {
    let cases = pairs()
        .iter()
        .flat_map(|pair| sequences(pair.from.scheme).iter().map(move |sequence| (pair, sequence)));
    for (i, (pair, sequence)) in sampled("sequences", cases.enumerate()) {
        for &repair in repairs().iter().skip(i % 3).step_by(3) {
            check_lossy(pair, sequence, repair, &SIZE_DIFFERENCES);
        }
    }
}

/// A sequence in the middle of other text, at offsets of 0 to 189 characters, so that it is at
/// every offset of a block and of a step.
#[test]
fn embedded_sequences() {
    let repairs = repairs();
    let cases = pairs().iter().flat_map(|pair| {
        let sequences = sequences(pair.from.scheme).iter().step_by(11);
        sequences.map(move |sequence| (pair, sequence))
    });
    for (i, (pair, sequence)) in sampled("sequences", cases.enumerate()) {
        let last_char = last_common_char(pair);
        for width in widths(last_char) {
            let offset = (i * 7 + width) % 190;
            let src = embedded(pair.from.scheme, width, last_char, offset, sequence);
            check_lossy(pair, &src, repairs[(i + width) % repairs.len()], &[0, -40]);
        }
    }
}

/// Returns a text of about `chars` characters, with errors of every kind about `distance` units
/// apart.
fn text_with_errors(pair: &Pair, chars: usize, distance: usize, seed: u64) -> Vec<u8> {
    let unit = pair.from.scheme.unit_size();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut text = sample(pair, chars, seed);
    let sequences = sequences(pair.from.scheme);
    // The text grows in the loop.
    let (mut offset, original_len) = (0, text.len());
    loop {
        offset += rng.random_range(1..=2 * distance) * unit;
        if offset >= original_len {
            return text;
        }
        let sequence = &sequences[rng.random_range(0..sequences.len())];
        if rng.random_bool(0.5) {
            text.splice(offset..offset, sequence.iter().copied());
        } else {
            let end = (offset + sequence.len()).min(text.len());
            text.splice(offset..end, sequence.iter().copied());
        }
    }
}

#[test]
fn long_texts() {
    let cases =
        pairs().iter().flat_map(|pair| [1, 3, 20, 100, 700].map(|distance| (pair, distance)));
    for (i, (pair, distance)) in sampled("texts", cases.enumerate()) {
        let text = text_with_errors(pair, 3000, distance, i as u64);
        for repair in repairs() {
            check_lossy(pair, &text, repair, &[0, -1, -333, -2600, 1000]);
        }
    }
}

/// Texts in which segments without errors are longer than any buffer. These segments are measured
/// by other code than the segments with errors.
#[test]
fn long_segments_without_errors() {
    let cases = pairs().iter().flat_map(|pair| [2500, 9000].map(|distance| (pair, distance)));
    for (i, (pair, distance)) in sampled("texts", cases.enumerate()) {
        let text = text_with_errors(pair, 30_000, distance, i as u64);
        for repair in [Repair::REPLACE, Repair::SKIP] {
            check_lossy(pair, &text, repair, &[]);
        }
    }
}

/// Outputs of every size, from empty to larger than the result, so that an output is full at every
/// offset of blocks and buffers.
#[test]
fn every_capacity() {
    let pairs = [
        ("Utf8", "Utf8"),
        ("Utf8", "Utf16"),
        ("Utf8", "Utf32Be"),
        ("Utf8", "Latin1"),
        ("Utf16", "Utf8"),
        ("Utf16Be", "Utf16"),
        ("Ascii", "Utf8"),
    ];
    let cases =
        pairs.into_iter().flat_map(|pair| repairs().into_iter().map(move |repair| (pair, repair)));
    let sizes: Vec<isize> = (-1500..40).collect();
    let cases = cases.flat_map(|case| sizes.chunks(20).map(move |sizes| (case, sizes)));
    for (((from, to), repair), sizes) in sampled("capacities", cases.step_by(3)) {
        let pair = pair_named(from, to);
        check_lossy(pair, &text_with_errors(pair, 300, 12, 3), repair, sizes);
    }
}

/// Texts with so few errors that each error is repaired separately, and outputs that are full at
/// every offset around the errors.
#[test]
fn every_capacity_around_few_errors() {
    let pairs = [
        ("Utf8", "Utf8"),
        ("Utf8", "Utf16Be"),
        ("Utf8", "Utf32"),
        ("Utf8", "Latin1"),
        ("Utf16", "Utf8"),
        ("Utf16Be", "Utf32"),
        ("Utf32", "Utf8"),
        ("Cesu8", "Utf16"),
        ("Wtf8", "Utf8"),
    ];
    let cases = pairs.into_iter().flat_map(|pair| {
        [Repair::REPLACE, Repair::SKIP, Repair::REPLACE.on_ill_formed(IllFormed::Replace('😀'))]
            .map(move |repair| (pair, repair))
    });
    let sizes: Vec<isize> = (-2400..20).collect();
    let cases = cases.flat_map(|case| sizes.chunks(20).map(move |sizes| (case, sizes)));
    for (i, (((from, to), repair), sizes)) in sampled("capacities", cases.step_by(3).enumerate()) {
        check_lossy(
            pair_named(from, to),
            &text_with_errors(pair_named(from, to), 700, 300, i as u64),
            repair,
            sizes,
        );
    }
}

/// One or two errors in texts of every length below 150 characters. Some of the texts are repaired
/// in one pass, others sequence by sequence.
#[test]
fn one_error_in_a_short_text() {
    let cases = pairs().iter().flat_map(|pair| (1..150).map(move |len| (pair, len)));
    for (i, (pair, len)) in sampled("texts", cases.enumerate()) {
        let unit = pair.from.scheme.unit_size();
        let sequences = sequences(pair.from.scheme);
        let mut text = sample(pair, len, i as u64);
        for k in 0..1 + i % 2 {
            let offset = i * (7 + k) % (text.len() / unit + 1) * unit;
            text.splice(offset..offset, sequences[(i + k) % sequences.len()].iter().copied());
        }
        let repair = if i % 5 == 0 { Repair::SKIP } else { Repair::REPLACE };
        check_lossy(pair, &text, repair, &[0, -1, -4, 3]);
    }
}

/// Random bytes from six sets of bytes, repaired as UTF-8: the results equal the standard
/// library's.
#[test]
fn random_bytes_are_repaired_as_by_std() {
    let mut rng = StdRng::seed_from_u64(5);
    let pools: [&[u8]; 6] = [
        &(0..=255).collect::<Vec<u8>>(),
        &(128..=255).collect::<Vec<u8>>(),
        &[0x41, 0xE4, 0xB8, 0xAD, 0xFF],
        &[0xF0, 0x9F, 0x98, 0x80],
        &[0xC3, 0xA9, 0x41],
        &[0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0xFF],
    ];
    for pool in pools {
        for len in sampled("lengths", (0..400).chain([1000, 1024, 1025, 5000, 40_000])) {
            let src: Vec<u8> = (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect();
            let want = String::from_utf8_lossy(&src);
            let units: Vec<u16> = want.encode_utf16().collect();
            for &api in Api::all() {
                let (text, utf16) = match api {
                    Api::Free => (
                        utf8::from_utf8_lossy(&src),
                        transcode_lossy::<Utf8, Utf16>(&src, Repair::REPLACE),
                    ),
                    Api::On(kernel) => (
                        kernel.from_utf8_lossy(&src),
                        kernel.transcode_lossy::<Utf8, Utf16>(&src, Repair::REPLACE),
                    ),
                };
                assert!(text == want, "{api:?} of {src:02X?}");
                let is_borrowed = matches!(text, Cow::Borrowed(_));
                assert_eq!(is_borrowed, matches!(want, Cow::Borrowed(_)), "{api:?}");
                assert!(utf16.text == units, "{api:?} of {src:02X?}");
                let invalid_chunks =
                    src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
                assert_eq!(utf16.repairs, invalid_chunks, "{api:?}");
            }
            assert_eq!(utf8::into_string_lossy(src.clone()), want);
        }
    }
}

#[test]
fn streams() {
    let chunk_lens: [&[usize]; 5] = [&[1], &[2, 3], &[5, 1, 7], &[64, 3], &[1000]];
    let capacities: [&[usize]; 3] = [&[1000], &[1, 2, 3, 4], &[0, 9]];
    let cases =
        pairs().iter().flat_map(|pair| repairs().into_iter().map(move |repair| (pair, repair)));
    let cases = cases.flat_map(|case| chunk_lens.map(|chunk_lens| (case, chunk_lens)));
    for (i, ((pair, repair), chunk_lens)) in sampled("streams", cases.enumerate()) {
        let text = text_with_errors(pair, 120, 5, i as u64);
        check_lossy_stream(pair, &text, repair, chunk_lens, capacities[i % 3]);
        check_stream_that_stops_at_one_kind(pair, &text, repair, chunk_lens);
    }
}

/// Streams with few errors, in chunks that are long enough to show that the errors are few.
#[test]
fn streams_of_few_errors() {
    let chunk_lens: [&[usize]; 3] = [&[300], &[700, 3], &[64, 1, 500]];
    let capacities: [&[usize]; 3] = [&[5000], &[40, 3], &[300, 0, 9]];
    let cases = pairs().iter().flat_map(|pair| chunk_lens.map(|chunk_lens| (pair, chunk_lens)));
    for (i, (pair, chunk_lens)) in sampled("streams", cases.enumerate()) {
        let text = text_with_errors(pair, 2000, 350, i as u64);
        let repair = if i % 4 == 0 { Repair::SKIP } else { Repair::REPLACE };
        check_lossy_stream(pair, &text, repair, chunk_lens, capacities[i % 3]);
        check_stream_that_stops_at_one_kind(pair, &text, repair, chunk_lens);
    }
}

/// The end of a stream may be two errors: an unpaired surrogate, and the start of a sequence.
#[test]
fn two_errors_at_the_end_of_a_stream() {
    let pair = pair_named("Wtf8", "Utf32");
    for repair in repairs() {
        for chunk_lens in [&[1][..], &[3], &[1000]] {
            check_stream_that_stops_at_one_kind(pair, b"a\xED\xA0\x87\xED", repair, chunk_lens);
        }
    }
}

#[test]
fn short_sequences_in_streams() {
    let repairs = repairs();
    let cases = pairs()
        .iter()
        .flat_map(|pair| sequences(pair.from.scheme).iter().map(move |sequence| (pair, sequence)));
    for (i, (pair, sequence)) in sampled("sequences", cases.enumerate()) {
        let repair = repairs[i % repairs.len()];
        check_lossy_stream(pair, sequence, repair, &[1], &[1, 0, 4]);
        check_lossy_stream(pair, sequence, repair, &[2, 1], &[64]);
    }
}

/// A sequence that looks like a character becomes that character only on request: for example, an
/// overlong slash. The result is always well-formed, even if bytes are deleted between the parts of
/// a character.
#[test]
fn repairs_smuggle_no_characters() {
    let repair = |ill_formed| {
        let repair = Repair::REPLACE.on_ill_formed(ill_formed);
        move |src: &[u8]| transcode_lossy::<Utf8, Utf8>(src, repair).text
    };
    let replace = repair(IllFormed::REPLACE);
    assert_eq!(replace(b"..\xC0\xAF.."), "..\u{FFFD}\u{FFFD}..");
    assert_eq!(replace(b"<scr\xFFipt>"), "<scr\u{FFFD}ipt>");
    // The documentation warns of this case.
    assert_eq!(repair(IllFormed::Skip)(b"<scr\xFFipt>"), "<script>");
    assert_eq!(repair(IllFormed::LookAlikeForTrustedInput)(b"..\xC0\xAF.."), "../..");
    // Deleting bytes cannot join ill-formed parts into a well-formed sequence, because the parts
    // are validated before the deletion.
    assert_eq!(repair(IllFormed::Skip)(b"\xE4\xFF\xB8\xAD"), "");
    assert_eq!(repair(IllFormed::Skip)(b"\xF0\x9F\x98a\x80"), "a");
}

/// One in seven of all characters, in overlong forms and in CESU-8.
#[test]
fn look_alikes() {
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::LookAlikeForTrustedInput);
    let check = |bytes: &[u8], want: &str| {
        let got = transcode_lossy::<Utf8, Utf8>(bytes, repair);
        assert_eq!((got.text.as_str(), got.repairs), (want, 1), "{bytes:02X?}");
    };
    for c in sampled("characters", ('\0'..=char::MAX).step_by(7)) {
        let code = u32::from(c);
        let want = c.to_string();
        for len in c.len_utf8() + 1..=4 {
            check(&in_bytes(code, len), &want);
        }
        if let [high, low] = *c.encode_utf16(&mut [0; 2]) {
            check(&[in_bytes(high.into(), 3), in_bytes(low.into(), 3)].concat(), &want);
        }
    }
}

/// Replacements around the last character of each target encoding, for an ill-formed sequence, and
/// for a character that the target lacks.
#[test]
fn replacements_around_the_last_character_of_a_target() {
    let replacements = ['\0', '\x7F', '\u{80}', 'ÿ', '\u{100}', '\u{FFFF}', '\u{10000}', char::MAX];
    for pair in pairs() {
        let (from, to) = (pair.from.scheme, pair.to.scheme);
        let is_one_error = |src: &[u8]| {
            let decoded = decode_for(from, to, src);
            let is_whole =
                |fault: Fault| fault.at == 0 && fault.len.is_none_or(|len| len == src.len());
            decoded.fault.is_some_and(is_whole)
        };
        let ill_formed = sequences(from).iter().find(|sequence| is_one_error(sequence));
        let (mut in_source, mut in_target) = (Vec::new(), Vec::new());
        let source_has_last = encode(from, char::MAX, &mut in_source);
        let unmappable =
            (source_has_last && !encode(to, char::MAX, &mut in_target)).then_some(in_source);
        for c in replacements {
            let repair = Repair::REPLACE.on_ill_formed(IllFormed::Replace(c));
            let repair = repair.on_unmappable(Unmappable::Replace(c));
            let want = (encode_or_question_mark(to, c), 1);
            for src in ill_formed.into_iter().chain(&unmappable) {
                for &api in Api::all() {
                    let got = pair.lossy(api, src, repair);
                    assert_eq!(got, want, "{pair}, {api:?}, {repair:?} of {src:02X?}");
                }
            }
        }
    }
}

/// A replacement that the target lacks becomes a question mark, and never a numeric reference.
#[test]
fn replacements_that_the_target_lacks() {
    use utflane::{Ascii, Latin1};

    let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    assert_eq!(transcode_lossy::<Utf8, Latin1>(b"\xFF", repair).text, b"?");
    assert_eq!(transcode_lossy::<Utf8, Ascii>(b"\xFF\xC3\xA9", repair).text, "?&#233;");
    let accents = repair.on_ill_formed(IllFormed::Latin1);
    assert_eq!(transcode_lossy::<Utf8, Latin1>(b"\xE9t\xE9", accents).text, b"\xE9t\xE9");
    assert_eq!(transcode_lossy::<Utf8, Ascii>(b"\xE9t\xE9", accents).text, "?t?");
}

/// Runs of ill-formed sequences, up to the length of vectors and longer, at random offsets of
/// blocks and groups of blocks, with replacements of every length. The results are compared with
/// the chunks of the standard library.
#[test]
fn runs_of_errors() {
    let mut rng = StdRng::seed_from_u64(9);
    let texts: [&[u8]; 4] =
        [b"plain text ", "русский ".as_bytes(), "漢字".as_bytes(), "😀".as_bytes()];
    let wrong: [&[u8]; 5] = [b"\xFF", b"\x80", b"\xE4\xB8", b"\xF0\x9F\x98", b"\xC3"];
    let replacements = ["", "?", "é", "\u{FFFD}", "😀"];
    for run_len in sampled("runs", (1..72).chain([100, 128, 200, 300])) {
        for (text, wrong) in
            texts.iter().flat_map(|text| wrong.iter().map(move |wrong| (text, wrong)))
        {
            let mut src = text.repeat(rng.random_range(0..40));
            for _ in 0..8 {
                src.extend(wrong.repeat(run_len));
                src.extend(text.repeat(rng.random_range(1..60)));
            }
            for replacement in replacements {
                check_against_chunks(&src, replacement);
            }
        }
    }
}

/// Asserts that on every kernel, repairs of `src` with `replacement` equal the chunks of the
/// standard library with `replacement` for each ill-formed sequence.
fn check_against_chunks(src: &[u8], replacement: &str) {
    let (mut want, mut repairs) = (String::new(), 0);
    for chunk in src.utf8_chunks() {
        want.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            want.push_str(replacement);
            repairs += 1;
        }
    }
    let first_char = replacement.chars().next();
    let repair =
        first_char.map_or(Repair::SKIP, |c| Repair::REPLACE.on_ill_formed(IllFormed::Replace(c)));
    let units: Vec<u16> = want.encode_utf16().collect();
    for kernel in Kernel::available() {
        let text = kernel.transcode_lossy::<Utf8, Utf8>(src, repair);
        assert!(text.text == want, "{kernel:?}, {replacement:?} in {src:02X?}");
        assert_eq!(text.repairs, repairs, "{kernel:?}");
        let utf16 = kernel.transcode_lossy::<Utf8, Utf16>(src, repair);
        assert!(utf16.text == units, "{kernel:?}, {replacement:?} in {src:02X?}");
        assert_eq!(utf16.repairs, repairs, "{kernel:?}");
        check_chunks(kernel, src);
    }
}

/// Asserts that the chunks of `src` equal the standard library's chunks, and that their number is
/// within the size hint.
fn check_chunks(kernel: Kernel, src: &[u8]) {
    let want: Vec<_> = src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid())).collect();
    let mut chunks = kernel.utf8_chunks(src);
    let mut bytes_left = src.len();
    for (i, &want_chunk) in want.iter().enumerate() {
        let (lower_bound, upper_bound) = chunks.size_hint();
        assert_eq!(lower_bound, 1, "{kernel:?}: a chunk is left");
        let upper_bound = upper_bound.expect("the hint has an upper bound");
        assert!(
            (want.len() - i..=bytes_left).contains(&upper_bound),
            "{kernel:?}, {upper_bound} of {src:02X?}"
        );
        let got = chunks.next().map(|chunk| (chunk.valid, chunk.invalid));
        assert_eq!(got, Some(want_chunk), "{kernel:?}, chunk {i} of {src:02X?}");
        bytes_left -= want_chunk.0.len() + want_chunk.1.len();
    }
    assert_eq!(chunks.size_hint(), (0, Some(0)), "{kernel:?}");
    assert_eq!(chunks.next(), None, "{kernel:?}");
}

/// Single ill-formed bytes in ASCII, near each other and far apart, and rarely other sequences.
#[test]
fn single_errors_in_ascii() {
    let mut rng = StdRng::seed_from_u64(10);
    let other_sequences: [&[u8]; 4] =
        ["é".as_bytes(), "漢".as_bytes(), b"\xFF\xFF", b"\xF0\x9F\x98"];
    let cases = [2, 3, 9, 40, 150].map(|max_gap| (0..600).map(move |i| (max_gap, i)));
    for (max_gap, i) in sampled("texts", cases.into_iter().flatten()) {
        let mut src = Vec::new();
        while src.len() < 300 + i {
            src.resize(src.len() + rng.random_range(1..max_gap), b"abcdefg"[src.len() % 7]);
            if rng.random_range(0..60) == 0 {
                src.extend(other_sequences[rng.random_range(0..other_sequences.len())]);
            } else {
                src.push(rng.random_range(0x80..=0xFF));
            }
        }
        check_against_chunks(&src, ["", "?", "é", "\u{FFFD}", "😀"][i % 5]);
    }
}

/// Sequences around the boundaries of the segments that are inspected together. Some of the
/// sequences continue after a boundary, and others only seem to.
#[test]
fn errors_around_segment_boundaries() {
    let mut rng = StdRng::seed_from_u64(11);
    let items: [&[u8]; 9] = [
        b"",
        b"\xFF",
        b"\x80",
        b"\xC3",
        b"\xE4\xB8",
        b"\xF0\x9F\x98",
        "é".as_bytes(),
        "漢".as_bytes(),
        "😀".as_bytes(),
    ];
    for i in sampled("texts", 0..30_000) {
        let mut src: Vec<u8> = (b'a'..=b'z').cycle().take(rng.random_range(700..1000)).collect();
        src[0] = 0xFF;
        let base = if i % 2 == 0 { 0 } else { rng.random_range(0..61) };
        for k in 1..11 {
            let item = items[rng.random_range(0..items.len())];
            let offset = base + 61 * k + rng.random_range(0..7) - 3;
            src[offset..offset + item.len()].copy_from_slice(item);
        }
        check_against_chunks(&src, ["", "?", "é", "\u{FFFD}", "😀"][i / 2 % 5]);
    }
}

/// Well-formed runs whose lengths are around the number of bytes that the iterator inspects in one
/// step.
#[test]
fn chunks_of_long_runs() {
    let texts = ["plain text ", "русский ", "漢字", "😀"];
    let wrong: [&[u8]; 4] = [b"", b"\xFF", b"\xE4\xB8", b"\xF0\x9F\x98"];
    let lengths = (0..40).chain(1010..1040).chain([2000, 3000, 5000]);
    for (len, text) in lengths.flat_map(|len| texts.map(|text| (len, text))) {
        let mut run = text.repeat(len / text.len() + 1);
        run.truncate((0..=len).rev().find(|&end| run.is_char_boundary(end)).unwrap_or(0));
        for wrong in wrong {
            let src = [run.as_bytes(), wrong, text.as_bytes(), wrong, run.as_bytes()].concat();
            for kernel in Kernel::available() {
                check_chunks(kernel, &src);
            }
        }
    }
}

/// By default, a `Repair` replaces errors, and a `Policy` stops at an error.
#[test]
fn default_repair_and_policy() {
    assert_eq!(Repair::default(), Repair::REPLACE);
    assert_eq!(Policy::default(), Policy::STOP);
}

/// The free function for an uninitialised output gives the same result as the function for an
/// initialised output.
#[test]
fn uninitialised_outputs_are_filled() {
    let src = b"ab\xFF\xE2\x82c";
    for len in 0..8 {
        let (mut slice, mut uninit) = ([7; 8], [MaybeUninit::new(7); 8]);
        let want = transcode_lossy_into::<Utf8, Utf16>(src, Repair::REPLACE, &mut slice[..len]);
        let got = transcode_lossy_into::<Utf8, Utf16>(src, Repair::REPLACE, &mut uninit[..len]);
        assert_eq!(got, want);
        // SAFETY: the array was initialised, and the function writes only initialised units.
        let written = uninit.map(|unit| unsafe { unit.assume_init() });
        assert_eq!(written, slice);
        let text: Vec<u16> = "ab\u{FFFD}\u{FFFD}c".encode_utf16().take(len).collect();
        assert_eq!((got.written, &slice[..got.written]), (text.len(), &text[..]));
    }
}
