//! Positions in well-formed and ill-formed texts: every offset of short texts, lengths around the
//! boundaries of blocks, and long texts with indexes of several levels. They are compared with the
//! standard library, and with str_indices. For an offset after the end, str_indices returns the
//! result for the end.

use crate::common::carriers::{CLASS_BOUNDARY_BYTES, sample_chars, sequences};
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::positions::{
    check_chunks, check_compare, check_positions, check_utf16_positions,
};
use crate::common::{sampled, sampled_if_slow, sampling_interval};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::utf8::{self, Lines};
use utflane::{Index, LineEnds, Metric, Scheme, Utf8, Utf16};

#[test]
fn literal_cases() {
    use Metric::{CodePoints, Utf16 as Units};
    let text = "aé€\n😀b";
    // The offset, the index in code points and UTF-16 units, the line, the column in units.
    let cases = [
        (0, 0, 0, 0, 0),
        (1, 1, 1, 0, 1),
        (3, 2, 2, 0, 2),
        (6, 3, 3, 0, 3),
        (7, 4, 4, 1, 0),
        (11, 5, 6, 1, 2),
        (12, 6, 7, 1, 3),
    ];
    for (offset, points, units, line, column) in cases {
        for (metric, index) in [(CodePoints, points), (Units, units)] {
            let src = text.as_bytes();
            assert_eq!(utf8::index_of(src, offset, metric), Some(index), "{offset} {metric:?}");
            assert_eq!(utf8::offset_of(src, index, metric), Some(offset), "{index} {metric:?}");
        }
        let lines = Lines::new(text.as_bytes(), LineEnds::Lf);
        let position = lines.position_of(offset, Units).expect("an offset in the text");
        assert_eq!((position.line, position.column), (line, column), "{offset}");
        assert_eq!(lines.offset_at(position, Units), Some(offset));
    }
    // An offset inside a character counts as the character's start.
    assert_eq!(utf8::index_of(text.as_bytes(), 9, CodePoints), Some(4));
    assert_eq!(utf8::index_of(text.as_bytes(), 13, CodePoints), None);
}

/// Returns texts of `len` bytes: random bytes, bytes at range boundaries of UTF-8, characters up to
/// several limits with line ends of all kinds, and repeated sequences with the largest or the
/// smallest counts.
fn sources(len: usize) -> Vec<Vec<u8>> {
    let mut rng = StdRng::seed_from_u64(3);
    let text = |last_char, rng: &mut StdRng| -> Vec<u8> {
        let mut text = String::new();
        while text.len() < len + 8 {
            let chars = rng.random_range(1..60);
            text.extend(sample_chars(last_char, chars, rng.random()));
            text.push_str(["\n", "\r\n", "\n\n", "\r", ""][rng.random_range(0..5)]);
        }
        text.into_bytes()
    };
    let mut all = vec![
        (0..len).map(|_| rng.random()).collect(),
        (0..len)
            .map(|_| CLASS_BOUNDARY_BYTES[rng.random_range(0..CLASS_BOUNDARY_BYTES.len())])
            .collect(),
        text('\u{7F}', &mut rng),
        text('\u{7FF}', &mut rng),
        text('\u{FFFF}', &mut rng),
        text(char::MAX, &mut rng),
    ];
    for unit in [&b"\n"[..], b"\x80", b"\xFF", b"a", "😀".as_bytes(), b"\xF0\n\x80"] {
        all.push(unit.repeat(len / unit.len() + 1));
    }
    for text in &mut all {
        text.truncate(len);
    }
    all
}

/// Texts of all short lengths, from all sources.
#[test]
fn short_texts() {
    for (i, source) in sources(400).iter().enumerate() {
        for len in sampled("lengths", 0..=200) {
            let start = (len * 7 + i) % 100;
            check_positions(&source[start..start + len]);
        }
    }
}

/// All texts of two bytes, and one in seven of the texts of four bytes at range boundaries of
/// UTF-8.
#[test]
fn all_short_sequences() {
    for pair in sampled("pairs", 0..=u16::MAX) {
        check_positions(&pair.to_be_bytes());
    }
    let text_count = CLASS_BOUNDARY_BYTES.len().pow(4);
    for number in sampled("edges", (0..text_count).step_by(7)) {
        check_positions(
            &[1, 27, 27 * 27, 27 * 27 * 27]
                .map(|power| CLASS_BOUNDARY_BYTES[number / power % CLASS_BOUNDARY_BYTES.len()]),
        );
    }
}

/// Texts of lengths around the boundaries of blocks of every size.
#[test]
fn lengths_around_block_boundaries() {
    let lengths =
        [254, 257, 511, 512, 1000, 1022, 1023, 1024, 1025, 1030, 1087, 1088, 2047, 2049, 3071];
    for source in sources(3100) {
        for len in sampled("lengths", lengths.into_iter()) {
            check_positions(&source[source.len() - len..]);
        }
    }
}

/// Texts with checkpoints of both kinds.
#[test]
fn long_texts() {
    for source in sources(100_000).iter() {
        for len in sampled("lengths", [32_767, 32_768, 33_792, 65_536, 65_537, 99_999].into_iter())
        {
            check_positions(&source[..len]);
        }
    }
}

/// Every kind of sequence of UTF-8, at the boundaries of vectors and blocks.
#[test]
fn sequences_at_boundaries() {
    for sequence in sampled("sequences", sequences(Scheme::Utf8).iter()) {
        for (front_len, back_len) in [(0, 0), (1, 1), (14, 40), (30, 3), (62, 0), (63, 70)] {
            let mut src = vec![b'a'; front_len];
            src.extend_from_slice(sequence);
            src.resize(src.len() + back_len, b'b');
            check_positions(&src);
        }
    }
}

/// Well-formed runs of all lengths between ill-formed sequences. In some of the runs,
/// [`utf8::chunks`] inspects single bytes, and in others it does not.
#[test]
fn runs_of_all_lengths() {
    let text = ["añ語😀 plain text ".repeat(60), "語".repeat(600), " ".repeat(900)].concat();
    for valid in sampled("lengths", (0..700).chain((700..3700).step_by(3))) {
        let valid = &text.as_bytes()[..utf8::floor_boundary(text.as_bytes(), valid)];
        for invalid in [&b"\xFF"[..], b"\xE2\x82", b"\xF0\x9F\x98", b"\x80\x80", b"\xED\xA0\x80"] {
            check_chunks(&[valid, invalid, valid, invalid, b"x", invalid].concat());
            check_chunks(
                &[invalid, invalid, valid, &valid[..valid.len().min(50)], invalid, valid].concat(),
            );
        }
    }
}

/// Units on both sides of every range boundary that a function tests.
const BOUNDARY_UNITS: [u16; 10] =
    [0x41, 0xFF, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF, 0x00DC];

/// Returns texts of `len` units of UTF-16.
fn utf16_sources(len: usize) -> Vec<Vec<u16>> {
    let mut rng = StdRng::seed_from_u64(11);
    let pools: [&[u16]; 4] =
        [&BOUNDARY_UNITS, &BOUNDARY_UNITS[3..7], &[0x41], &[0x41, 0x41, 0x41, 0xD800, 0xDC00]];
    let mut all: Vec<Vec<u16>> = pools
        .iter()
        .map(|pool| (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect())
        .collect();
    all.push("😀".encode_utf16().cycle().take(len).collect());
    all.push("a😀é".encode_utf16().cycle().take(len).collect());
    all
}

#[test]
fn positions_in_utf16() {
    for source in utf16_sources(5000) {
        for len in sampled("lengths", (0..=150).chain([1023, 1024, 1025, 1100, 2048, 4999])) {
            check_utf16_positions(&source[source.len() - len..]);
        }
    }
}

/// Pairs of texts that differ in one unit, at every index, and pairs of texts of different lengths.
#[test]
fn order_of_code_points() {
    let mut rng = StdRng::seed_from_u64(12);
    for source in utf16_sources(120) {
        for len in sampled("lengths", 0..=100) {
            let first = &source[..len];
            check_compare(first, first);
            check_compare(first, &source[..len + 1 + len % 3]);
            for index in 0..len {
                let mut second = first.to_vec();
                second[index] = BOUNDARY_UNITS[rng.random_range(0..BOUNDARY_UNITS.len())];
                check_compare(first, &second);
                second.truncate(index + 1);
                check_compare(first, &second);
            }
        }
    }
    // Short texts of units from 0xD7FF on.
    for first_number in 0..7_usize.pow(4) {
        let make_text = |number: usize| -> Vec<u16> {
            (0..number % 7 % 4)
                .map(|i| BOUNDARY_UNITS[2 + number / 7_usize.pow(i as u32) % 7])
                .collect()
        };
        for second_number in sampled("texts", (0..7_usize.pow(4)).step_by(13)) {
            check_compare(&make_text(first_number), &make_text(second_number));
        }
    }
}

/// The bytes of UTF-8 sort in the order of code points. Each scalar value sorts after the previous
/// one, and does not begin with the bytes of the previous one, so the bytes after them do not
/// matter. The same holds for UTF-16 that is compared by code points.
#[test]
fn bytes_of_utf8_are_in_the_order_of_code_points() {
    let all = '\0'..=char::MAX;
    for (a, b) in sampled_if_slow("neighbours", all.clone().zip(all.skip(1))) {
        let ([mut first, mut second], [mut third, mut fourth]) = ([[0; 4]; 2], [[0; 2]; 2]);
        let (a8, b8) =
            (a.encode_utf8(&mut first).as_bytes(), b.encode_utf8(&mut second).as_bytes());
        assert!(a8 < b8 && !b8.starts_with(a8), "{a:?} {b:?}");
        let (a16, b16) = (&*a.encode_utf16(&mut third), &*b.encode_utf16(&mut fourth));
        assert!(utflane::utf16::compare(a16, b16).is_lt() && !b16.starts_with(a16), "{a:?} {b:?}");
    }
}

/// Texts that begin or end next to an inaccessible page.
#[cfg(unix)]
#[test]
fn positions_stay_inside() {
    let mut memory = Guarded::new(8192);
    for source in sources(1400) {
        for len in sampled("lengths", (0..=130).chain([1023, 1024, 1025, 1300])) {
            for at_end in [true, false] {
                let part = if at_end { memory.last(len) } else { memory.first(len) };
                part.copy_from_slice(&source[..len]);
                check_positions(part);
            }
        }
    }
    let mut other = Guarded::new(8192);
    for source in utf16_sources(300) {
        for len in sampled("lengths", 0..=290) {
            let part = |memory: &mut Guarded| {
                let bytes = if len % 2 == 0 { memory.last(2 * len) } else { memory.first(2 * len) };
                let start = bytes.as_mut_ptr().cast::<u16>();
                assert!(start.is_aligned());
                // SAFETY: `start` is aligned, as asserted, and begins `2 * len` bytes. Units may
                // have any bits. Nothing else refers to this memory.
                unsafe { std::slice::from_raw_parts_mut(start, len) }
            };
            let (text, copy) = (part(&mut memory), part(&mut other));
            text.copy_from_slice(&source[..len]);
            copy.copy_from_slice(text);
            check_utf16_positions(text);
            check_compare(text, copy);
        }
    }
}

/// Compares with the functions of str_indices, at every index of a text, also inside characters and
/// after the end.
fn check_str_indices(text: &str) {
    use str_indices::{chars, lines_lf, utf16};
    let src = text.as_bytes();
    let (index, lines) = (Index::new(src), Lines::new(src, LineEnds::Lf));
    assert_eq!(utf8::count_supplementary(src), utf16::count_surrogates(text));
    assert_eq!(lines.count(), lines_lf::count_breaks(text) + 1);
    assert_eq!(utflane::count::<Utf8>(src), chars::count(text));
    assert_eq!(utflane::len::<Utf8, Utf16>(src), utf16::count(text));
    for i in (0..src.len() + 3).chain([usize::MAX]) {
        let inside = i.min(src.len());
        let (code_points, utf16_units) =
            (chars::from_byte_idx(text, i), utf16::from_byte_idx(text, i));
        assert_eq!(utf8::index_of(src, inside, Metric::CodePoints), Some(code_points), "{i}");
        assert_eq!(utf8::index_of(src, inside, Metric::Utf16), Some(utf16_units), "{i}");
        let (code_points, utf16_units) = (chars::to_byte_idx(text, i), utf16::to_byte_idx(text, i));
        let offset = |metric| utf8::offset_of(src, i, metric).unwrap_or(src.len());
        assert_eq!(
            (offset(Metric::CodePoints), offset(Metric::Utf16)),
            (code_points, utf16_units),
            "{i}"
        );
        let (line, start) = (lines_lf::from_byte_idx(text, i), lines_lf::to_byte_idx(text, i));
        assert_eq!(lines.line_of(inside), Some(line), "{i}");
        assert_eq!(lines.line_start(i).unwrap_or(src.len()), start, "{i}");
        assert_eq!(
            (index.line_of(inside), index.line_start(i).unwrap_or(src.len())),
            (Some(line), start)
        );
    }
}

#[test]
fn positions_equal_those_of_str_indices() {
    let mut rng = StdRng::seed_from_u64(14);
    for last_char in ['\u{7F}', '\u{7FF}', '\u{FFFF}', char::MAX] {
        for len in sampled("lengths", 0..=300) {
            let mut text: String = sample_chars(last_char, len, len as u64).into_iter().collect();
            while rng.random_range(0..4) > 0 {
                text.push_str(["\n", "\r\n", "\r", "x\n"][rng.random_range(0..4)]);
                text.extend(sample_chars(last_char, rng.random_range(0..20), rng.random()));
            }
            check_str_indices(&text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases((2000 / sampling_interval() as u32).max(16))
    })]

    #[test]
    fn any_bytes(src in vec(any::<u8>(), 0..300)) {
        check_positions(&src);
    }

    #[test]
    fn any_text(text in "(\\PC{0,20}\\r?\\n){0,12}\\PC{0,9}", cut_len in 0..4_usize) {
        let bytes = text.as_bytes();
        check_positions(&bytes[cut_len.min(bytes.len())..]);
        check_positions(&bytes[..bytes.len().saturating_sub(cut_len)]);
        check_utf16_positions(&text.encode_utf16().collect::<Vec<_>>());
    }

    #[test]
    fn any_order(a in "\\PC{0,40}", b in "\\PC{0,40}") {
        let [first, second] = [&a, &b].map(|text| text.encode_utf16().collect::<Vec<_>>());
        check_compare(&first, &second);
        prop_assert_eq!(utflane::utf16::compare(&first, &second), a.cmp(&b));
    }
}
