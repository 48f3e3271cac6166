//! Tests for bugs that other libraries with vector code had, on all of our kernels. Most are bugs
//! of simdutf, because its authors report them openly. The number in a test's name is the number of
//! the issue or pull request; each input is built anew from the description of the bug.
//!
//! In most of these bugs, ill-formed input made a conversion write past the end of an output whose
//! capacity the length function had computed. So each input is converted into outputs with that
//! capacity, with exactly the length of the result, and with less, next to inaccessible memory.

use crate::common::api::{Api, codec_named, codecs};
use crate::common::carriers::sample_chars;
use crate::common::checks::{check_count, check_everything, check_into, check_len, check_validate};
use crate::common::oracle::{Fault, encode_all};
use crate::common::pairs::{Pair, pair_named, pairs};
use crate::common::{sampled, sampled_if_slow};
use utflane::ErrorKind::{self, InvalidLeadByte, Surrogate, TooLarge, TooLong, TooShort};
use utflane::Scheme;

/// Calls every function on `src`, and converts `src` between inaccessible pages.
fn replay(from: &str, to: &str, src: &[u8]) {
    let pair = pair_named(from, to);
    check_everything(pair, src);
    check_between_guard_pages(pair, src);
}

/// Converts between inaccessible pages, into outputs with the capacity that `len` returns, with
/// exactly the length of the result, and with less.
#[cfg(unix)]
fn check_between_guard_pages(pair: &Pair, src: &[u8]) {
    use crate::common::guard::{Guarded, check_conversion};
    use crate::common::oracle;

    let expected = oracle::expect(pair.from.scheme, pair.to.scheme, src);
    let exact = expected.out.len();
    let len_result = oracle::len(pair.from.scheme, pair.to.scheme, src);
    let mut input = Guarded::new(src.len());
    let mut output = Guarded::new(exact.max(len_result));
    let unit = pair.to.element_bytes;
    let mut capacities =
        [len_result, len_result.saturating_sub(unit), exact, exact.saturating_sub(unit), 0];
    capacities.sort_unstable();
    for (i, &capacity) in capacities.iter().enumerate() {
        if i == 0 || capacities[i - 1] != capacity {
            check_conversion(pair, src, &expected, (&mut input, &mut output), capacity);
        }
    }
}

/// Does nothing: there are no guard pages here. The other checks find writes outside by canaries.
#[cfg(not(unix))]
fn check_between_guard_pages(_: &Pair, _: &[u8]) {}

/// Asserts that `validate` returns this error on every kernel; `at` is its offset in bytes.
fn assert_error(from: &str, src: &[u8], at: usize, len: impl Into<Option<usize>>, kind: ErrorKind) {
    let codec = codecs().iter().find(|codec| codec.name == from).expect("an encoding");
    let want = Fault { at, len: len.into(), kind };
    for &api in Api::all() {
        let error = (codec.validate)(api, src).expect_err("ill-formed");
        assert_eq!(
            Fault::from_error(error, codec.element_bytes),
            want,
            "{from}, {api:?} of {src:02X?}"
        );
    }
}

/// Target encodings; for each, the conversion from UTF-8 has separate code.
const TARGETS_OF_UTF8: [&str; 5] = ["Utf16", "Utf16Be", "Utf32", "Latin1", "Utf8"];

/// Returns the bytes of UTF-16 units, in native byte order.
fn utf16_bytes(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_ne_bytes()).collect()
}

/// UTF-16 to UTF-8: stores reached past the end of the output, because the margin was computed from
/// eight ASCII units and not from the units before them. Puts one non-ASCII unit at many offsets
/// of texts of each length, always including the first position.
#[test]
fn simdutf_92_utf16_to_utf8_with_too_small_a_margin() {
    replay(
        "Utf16",
        "Utf8",
        &utf16_bytes(&"崀T0dTTsTsdTTTsTTsdTTsTTs".encode_utf16().collect::<Vec<_>>()),
    );
    for len in sampled("lengths", 0..=80) {
        let mut units = vec![0x41; len];
        for at in (0..len).step_by(1 + len / 12) {
            for unit in [0xFF, 0x0641, 0x5D00] {
                units[at] = unit;
                let src = utf16_bytes(&units);
                check_into(pair_named("Utf16", "Utf8"), &src);
                check_between_guard_pages(pair_named("Utf16", "Utf8"), &src);
            }
            units[at] = 0x41;
        }
    }
}

/// NEON, UTF-8 to UTF-16: 0xFF among continuation bytes was taken for the lead byte of a four-byte
/// character and written as a surrogate pair, for which the length function had counted no
/// capacity.
#[test]
fn simdutf_456_514_631_ill_formed_bytes_written_as_surrogate_pairs() {
    let patterns: [&[u8]; 6] = [
        b"\xFF\xBF\xBF\xBF ",
        b"\xBF\xFF\xBF\xBF\xBF \xBF\xBF\xBF ",
        b" \x8E\x8E\x8E\xFF",
        b"\xFF",
        b"\xF7\xBF\xBF\xBF\xFF\xFF\x80",
        b"\xFF\xBF\xBF\xBF\xBF",
    ];
    for pattern in patterns {
        for len in sampled("lengths", (0..=150).step_by(3)) {
            // Spaces before the ill-formed bytes shift them to every offset.
            let mut src = vec![b' '; len % 19];
            src.extend(pattern.iter().copied().cycle().take(len));
            for to in TARGETS_OF_UTF8 {
                check_into(pair_named("Utf8", to), &src);
                check_between_guard_pages(pair_named("Utf8", to), &src);
            }
        }
    }
    assert_error("Utf8", b"    \xBF\xFF\xBF\xBF\xBF", 4, 1, TooLong);
    assert_error("Utf8", b"    \xFF\xBF\xBF\xBF", 4, 1, InvalidLeadByte);
}

/// AVX-512, UTF-8 to UTF-32: a run of continuation bytes that contains 0xFF produced more output
/// units than there are lead bytes.
#[test]
fn simdutf_471_a_run_of_continuation_bytes() {
    let src = [&[b' '; 38][..], &[0x86; 48], &[0xFF; 4], &[0x86; 29], b"  \xBB   \xBB  "].concat();
    assert_error("Utf8", &src, 38, 1, TooLong);
    for to in TARGETS_OF_UTF8 {
        replay("Utf8", to, &src);
    }
}

/// AVX-512, UTF-8 to UTF-16BE: sixteen four-byte characters, which fill a block, and after them an
/// unexpected continuation byte.
#[test]
fn simdutf_479_unexpected_continuation_byte_after_a_block() {
    let src = ["\u{61A69}".repeat(16).as_bytes(), b"\xA0"].concat();
    assert_error("Utf8", &src, 64, 1, TooLong);
    for to in TARGETS_OF_UTF8 {
        replay("Utf8", to, &src);
        replay("Utf8", to, &src[4..]);
    }
}

/// An unexpected continuation byte after 64 ASCII bytes, and after any other number of them.
#[test]
fn simdutf_483_unexpected_continuation_byte_after_ascii() {
    assert_error("Utf8", &[&[b' '; 64][..], b"\xA9"].concat(), 64, 1, TooLong);
    for len in sampled("lengths", 0..=130) {
        let src = [&vec![b' '; len][..], b"\xA9"].concat();
        for to in TARGETS_OF_UTF8 {
            check_into(pair_named("Utf8", to), &src);
            check_between_guard_pages(pair_named("Utf8", to), &src);
        }
    }
}

/// Simdutf's kernel "haswell", UTF-8 to UTF-16BE: an ASCII block after ill-formed blocks was stored
/// whole, although the length function had counted only lead bytes.
#[test]
fn simdutf_523_ascii_after_ill_formed_bytes() {
    for ill_formed_len in [1, 2, 3, 15, 16, 63, 64, 65, 127, 128, 200] {
        for byte in [0x80, 0xBF, 0xFF] {
            let src = [&vec![byte; ill_formed_len][..], &[b'a'; 80]].concat();
            let after_ascii = [&[b'a'; 64][..], &src].concat();
            for to in sampled_if_slow("targets", TARGETS_OF_UTF8.into_iter()) {
                for src in [&src[..], &src[..ill_formed_len + 64], &after_ascii] {
                    check_into(pair_named("Utf8", to), src);
                    check_between_guard_pages(pair_named("Utf8", to), src);
                }
            }
        }
    }
}

/// UTF-8 to Latin-1, simdutf's kernels "haswell" and "westmere": whole vectors were stored although
/// most of the source bytes, or a few bytes among much ASCII, are not lead bytes.
#[test]
fn simdutf_539_576_611_latin1_from_ill_formed_text() {
    let mut few_errors = vec![b' '; 400];
    few_errors[0] = 0x93;
    few_errors[6..10].fill(0xFF);
    for at in [118, 148, 153, 255, 256, 320, 391] {
        few_errors[at] = 0x80 | (at % 64) as u8;
    }
    let many_errors: Vec<u8> = (0..400).map(|i| if i % 7 == 3 { 0xBF } else { b'a' }).collect();
    let long_error_run = [&"é".repeat(90).into_bytes()[..], &[0xA9; 120], &[b' '; 64]].concat();
    for src in [few_errors, many_errors, long_error_run] {
        for to in ["Latin1", "Ascii", "Utf16", "Utf8"] {
            for start in [0, 1, 5, 10, 64] {
                replay("Utf8", to, &src[start..]);
            }
        }
    }
}

/// Conversions into outputs that may be too small: an ASCII byte was written before the code
/// checked whether it fits.
#[test]
fn simdutf_911_912_capacity_is_checked_before_writing() {
    for len in sampled("lengths", 0..=70) {
        let text = "z".repeat(len);
        for (from, to) in
            [("Utf16", "Utf8"), ("Latin1", "Utf8"), ("Utf32", "Utf8"), ("Utf8", "Utf8")]
        {
            let pair = pair_named(from, to);
            let src = encode_all(pair.from.scheme, text.chars());
            check_between_guard_pages(pair, &src);
            #[cfg(unix)]
            {
                use crate::common::guard::{Guarded, check_conversion};
                let expected =
                    crate::common::oracle::expect(pair.from.scheme, pair.to.scheme, &src);
                let (mut input, mut output) = (Guarded::new(src.len()), Guarded::new(len));
                for capacity in 0..=len {
                    let memory = (&mut input, &mut output);
                    check_conversion(pair, &src, &expected, memory, capacity);
                }
            }
        }
    }
    replay("Utf16", "Utf8", &utf16_bytes(&[0x41, 0xE9, 0x41, 0x4E2D, 0x41, 0xD83D, 0xDE00, 0x41]));
}

/// An error among the first bytes: the backward search for the lead byte read before the start of
/// the text.
#[test]
fn simdutf_213_441_448_no_reads_before_the_text() {
    for len in sampled("lengths", 1..=140) {
        for byte in [0x80, 0xBF] {
            let src = vec![byte; len];
            assert_error("Utf8", &src, 0, 1, TooLong);
            for to in TARGETS_OF_UTF8 {
                check_between_guard_pages(pair_named("Utf8", to), &src);
            }
        }
    }
    // A continuation byte at the start of the second block.
    let src = [&[b' '; 64][..], b"\xA1", &[b' '; 8]].concat();
    assert_error("Utf8", &src, 64, 1, TooLong);
    // A two-byte character at the start of the text, and an error in the last byte of the first
    // block.
    let at_end = [b"\xCD\xB8", &[b' '; 61][..], b"\xFF", &[b' '; 64]].concat();
    assert_error("Utf8", &at_end, 63, 1, InvalidLeadByte);
    for to in TARGETS_OF_UTF8 {
        replay("Utf8", to, &src);
        replay("Utf8", to, &at_end);
    }
}

/// The ill-formed sequence begins before the offset at which the code detects the error. The
/// reported offset must be the start of the sequence, and must not become negative.
#[test]
fn simdutf_975_errors_that_began_in_the_previous_block() {
    let incomplete: [&[u8]; 6] =
        [b"\xC3", b"\xE4", b"\xE4\xB8", b"\xF0", b"\xF0\x9F", b"\xF0\x9F\x98"];
    for boundary in [8, 16, 32, 64, 128, 192, 256, 512] {
        for sequence in incomplete {
            for len_after_boundary in 0..sequence.len() {
                let at = boundary - sequence.len() + len_after_boundary;
                let src = [&vec![b'a'; at][..], sequence, &[b'z'; 70]].concat();
                assert_error("Utf8", &src, at, sequence.len(), TooShort);
                for to in TARGETS_OF_UTF8 {
                    check_into(pair_named("Utf8", to), &src);
                }
            }
        }
    }
    // The text begins with the sequence.
    for sequence in incomplete {
        for ascii_len in 0..70 {
            let src = [sequence, &vec![b'z'; ascii_len]].concat();
            let len = if ascii_len == 0 { None } else { Some(sequence.len()) };
            assert_error("Utf8", &src, 0, len, TooShort);
        }
    }
}

/// Inputs for which kernels gave different results: 0xFF as the last byte of a block, four-byte
/// characters followed by two unexpected continuation bytes, and values above U+10FFFF beside
/// surrogates in one vector of UTF-32.
#[test]
fn simdutf_453_458_462_464_531_kernels_agree() {
    for len in [15, 31, 63, 127, 191, 255, 511] {
        let src = [&vec![b' '; len][..], b"\xFF"].concat();
        assert_error("Utf8", &src, len, 1, InvalidLeadByte);
        let c = "\u{A890B}".as_bytes();
        let src = [&vec![b' '; len - 4][..], c, b"  ", c, b"\xA8\xA4", &[b' '; 90]].concat();
        assert_error("Utf8", &src, len + 6, 1, TooLong);
        for to in TARGETS_OF_UTF8 {
            replay("Utf8", to, &src);
        }
    }
    let units: Vec<u32> = [&[0xDBDB, 0xFF38_0000][..], &[0xFFFF_FFFF; 4], &[0; 20]].concat();
    let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_ne_bytes()).collect();
    assert_error("Utf32", &src, 0, 4, Surrogate);
    assert_error("Utf32", &src[4..], 0, 4, TooLarge);
    for to in ["Utf8", "Utf16", "Utf32", "Utf32Be", "Latin1"] {
        for start in 0..8 {
            replay("Utf32", to, &src[4 * start..]);
        }
    }
}

/// AVX-512, validation of UTF-32: each value near a limit, in each lane, in texts of many lengths.
#[test]
fn simdutf_438_utf32_in_every_lane() {
    let codec = pair_named("Utf32", "Utf32").from;
    let values = [
        (0xD7FF, None),
        (0xD800, Some(Surrogate)),
        (0xDFFF, Some(Surrogate)),
        (0xE000, None),
        (0x10_FFFF, None),
        (0x11_0000, Some(TooLarge)),
        (0x7FFF_FFFF, Some(TooLarge)),
        (0x8000_0000, Some(TooLarge)),
        (0x8000_0041, Some(TooLarge)),
        (0xFFFF_D800, Some(TooLarge)),
        (0xFFFF_FFFF, Some(TooLarge)),
    ];
    for len in sampled("lengths", (1..=140).chain([255, 256, 257, 512])) {
        for (k, &(value, kind)) in values.iter().enumerate() {
            for at in (k % 3..len).step_by(if len < 40 { 1 } else { 5 }) {
                let units = (0..len).map(|i| if i == at { value } else { 0x1_F600u32 });
                let src: Vec<u8> = units.flat_map(u32::to_ne_bytes).collect();
                for &api in Api::all() {
                    let got =
                        (codec.validate)(api, &src).err().map(|error| Fault::from_error(error, 4));
                    let want = kind.map(|kind| Fault { at: 4 * at, len: Some(4), kind });
                    assert_eq!(got, want, "{api:?}, {value:X} at {at} of {len}");
                }
            }
        }
    }
}

/// The end of a block splits a character. If the continuation bytes are missing, the next block is
/// ASCII but the text is ill-formed. Tests the text with the continuation bytes and without them.
#[test]
fn simdutf_111_119_132_character_split_by_the_end_of_a_block() {
    let characters = ["é", "߿", "ࠀ", "中", "\u{FFFF}", "𐀀", "😀", "\u{10FFFF}"];
    for boundary in [8, 16, 32, 48, 64, 128, 256, 512, 1024] {
        for c in characters.map(str::as_bytes) {
            for len_before in 1..c.len() {
                let start = boundary - len_before;
                let ascii = vec![b'a'; start];
                let truncated = [&ascii[..], &c[..len_before], &[b'b'; 140]].concat();
                assert_error("Utf8", &truncated, start, len_before, TooShort);
                let whole = [&ascii[..], c, &[b'b'; 140]].concat();
                for to in sampled_if_slow("targets", TARGETS_OF_UTF8.into_iter()) {
                    check_into(pair_named("Utf8", to), &truncated);
                    check_into(pair_named("Utf8", to), &whole);
                    check_into(pair_named("Utf8", to), &truncated[..boundary]);
                }
                check_validate(codec_named("Utf8"), &whole);
                assert_error("Utf8", &truncated[..boundary], start, None, TooShort);
            }
        }
    }
}

/// An unpaired high surrogate as the last unit: no code may read a unit after it to find a low
/// surrogate. An unpaired low surrogate as the last unit is a complete error, not an incomplete
/// one.
#[test]
fn simdutf_445_unpaired_surrogate_at_the_end() {
    for len in sampled("lengths", 0..=130) {
        for (unit, error_len) in
            [(0xD83D, None), (0xDBFF, None), (0xDC00, Some(2)), (0xDFFF, Some(2))]
        {
            let mut units = vec![0x41; len];
            units.push(unit);
            for (name, to_bytes) in [
                ("Utf16", u16::to_ne_bytes as fn(u16) -> [u8; 2]),
                ("Utf16Le", u16::to_le_bytes),
                ("Utf16Be", u16::to_be_bytes),
            ] {
                let src: Vec<u8> = units.iter().copied().flat_map(to_bytes).collect();
                assert_error(name, &src, 2 * len, error_len, Surrogate);
                for to in ["Utf8", "Utf16", "Utf32", "Latin1"] {
                    check_between_guard_pages(pair_named(name, to), &src);
                }
            }
            check_between_guard_pages(pair_named("Wtf16", "Wtf8"), &utf16_bytes(&units));
        }
    }
}

/// AVX-512, UTF-16BE to UTF-8: for the shortest texts, the code computed addresses beyond the end
/// of the address space.
#[test]
fn simdutf_443_the_shortest_texts() {
    for pair in pairs() {
        let text: String = sample_chars('\u{7F}', 9, 1).into_iter().collect();
        let src = encode_all(pair.from.scheme, text.chars());
        for len in sampled_if_slow("lengths", 0..=9) {
            check_between_guard_pages(pair, &src[..len * pair.from.scheme.unit_size()]);
        }
    }
}

/// In simdutf, functions that do not validate had undefined behaviour for ill-formed input. In
/// utflane such functions take a `&str`, which cannot be ill-formed. Their results equal the
/// results of the functions that validate.
#[test]
fn simdutf_229_functions_without_validation_take_a_str() {
    let texts = ["", "a", "é", "中", "😀", "aé中😀", "\u{10FFFF}\0\u{D7FF}\u{E000}\u{FFFE}"];
    for text in texts {
        for times in [1, 2, 9, 33] {
            for to in sampled_if_slow("targets", TARGETS_OF_UTF8.into_iter()) {
                check_everything(pair_named("Utf8", to), text.repeat(times).as_bytes());
            }
        }
    }
}

/// A surrogate pair at every offset, so that the ends of vectors, of half vectors and of steps
/// split it.
#[test]
fn surrogate_pairs_at_every_offset() {
    for at in sampled("offsets", 0..=140) {
        for filling in [0x41, 0xE9, 0x0416, 0x4E2D] {
            let mut units = vec![filling; 150];
            units[at..at + 2].copy_from_slice(&[0xD83D, 0xDE00]);
            for to in ["Utf8", "Utf16", "Utf32", "Wtf8", "Cesu8"] {
                check_into(pair_named("Utf16", to), &utf16_bytes(&units));
            }
            // The high or the low surrogate is replaced, so the other surrogate is unpaired.
            for (replaced, unpaired) in [(at, at + 1), (at + 1, at)] {
                let mut units = units.clone();
                units[replaced] = filling;
                let src = utf16_bytes(&units);
                assert_error("Utf16", &src, 2 * unpaired, 2, Surrogate);
                check_into(pair_named("Utf16", "Utf8"), &src);
                check_into(pair_named("Utf16", "Utf32"), &src);
            }
        }
    }
}

/// Texts of continuation bytes only: their length in UTF-16 and their count are zero, and never
/// negative.
#[test]
fn lengths_of_continuation_bytes_only() {
    for len in sampled("lengths", 0..=300) {
        for byte in [0x80, 0xBF] {
            let src = vec![byte; len];
            check_count(codec_named("Utf8"), &src);
            for pair in pairs().iter().filter(|pair| pair.from.name == "Utf8") {
                check_len(pair, &src);
            }
            for &api in Api::all() {
                assert_eq!((codec_named("Utf8").count)(api, &src), 0);
                assert_eq!(pair_named("Utf8", "Utf16").len(api, &src), 0);
            }
        }
    }
}

/// WebAssembly: loads declared an alignment that nothing guarantees. Encodings of single bytes may
/// begin at any address.
#[test]
fn simdutf8_86_texts_at_every_address() {
    let mut memory = vec![0_u8; 1024];
    let start = memory.as_ptr().align_offset(128);
    for pair in pairs().iter().filter(|pair| pair.from.element_bytes == 1 && pair.to.name == "Utf8")
    {
        let last = if pair.from.scheme == Scheme::Latin1 { '\u{FF}' } else { '\u{7F}' };
        let src = encode_all(pair.from.scheme, sample_chars(last, 60, 2));
        for offset in sampled("addresses", 0..=64) {
            let part = &mut memory[start + offset..][..src.len()];
            part.copy_from_slice(&src);
            check_validate(pair.from, part);
            check_into(pair, part);
            check_len(pair, part);
        }
    }
}
