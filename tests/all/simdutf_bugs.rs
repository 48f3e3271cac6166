//! Bugs that other libraries with vector code had, replayed on all of our kernels. Most are
//! simdutf's, since it reports them openly. The number is the number of the issue or pull request;
//! each input is built anew from the description of the bug.
//!
//! Most were writes past the end of an output whose size was that of the length function, for
//! ill-formed input. So each input is converted into outputs of that size, of exactly the size of
//! the result, and smaller, at the boundaries of memory.

use crate::common::api::{Api, Pair, codecs, named, pairs};
use crate::common::carriers::sample_chars;
use crate::common::checks::{check_count, check_everything, check_into, check_len, check_validate};
use crate::common::oracle::{Fault, encode_all};
use crate::common::shared;
use utflane::ErrorKind::{self, InvalidLeadByte, Surrogate, TooLarge, TooLong, TooShort};
use utflane::Scheme;

/// Calls every function on `src`, and converts it at the boundaries of memory.
fn replay(from: &str, to: &str, src: &[u8]) {
    let pair = named(from, to);
    check_everything(pair, src);
    at_boundaries(pair, src);
}

/// Converts between inaccessible pages: into outputs of the size that `len` returns, of the right
/// size, and smaller.
#[cfg(unix)]
fn at_boundaries(pair: &Pair, src: &[u8]) {
    use crate::common::guard::{Guarded, check_conversion};
    use crate::common::oracle;

    let expected = oracle::expect(pair.from.scheme, pair.to.scheme, src);
    let exact = expected.out.len();
    let said = oracle::len(pair.from.scheme, pair.to.scheme, src);
    let mut input = Guarded::new(src.len());
    let mut output = Guarded::new(exact.max(said));
    let unit = pair.to.unit;
    let mut sizes = [said, said.saturating_sub(unit), exact, exact.saturating_sub(unit), 0];
    sizes.sort_unstable();
    for (i, &size) in sizes.iter().enumerate() {
        if i == 0 || sizes[i - 1] != size {
            check_conversion(pair, src, &expected, (&mut input, &mut output), size);
        }
    }
}

/// Without such pages, canaries check the boundaries.
#[cfg(not(unix))]
fn at_boundaries(_: &Pair, _: &[u8]) {}

/// Asserts the error that `validate` returns, on every kernel.
fn assert_wrong(from: &str, src: &[u8], at: usize, len: impl Into<Option<usize>>, kind: ErrorKind) {
    let codec = codecs().iter().find(|codec| codec.name == from).expect("an encoding");
    let want = Fault { at, len: len.into(), kind };
    for &api in Api::all() {
        let error = (codec.validate)(api, src).expect_err("it is wrong");
        assert_eq!(Fault::from_error(error, codec.unit), want, "{from}, {api:?} of {src:02X?}");
    }
}

/// The targets that UTF-8 is converted into by separate code.
const FROM_UTF8: [&str; 5] = ["Utf16", "Utf16Be", "Utf32", "Latin1", "Utf8"];

/// UTF-16 in memory, as bytes.
fn wide(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_ne_bytes()).collect()
}

/// UTF-16 to UTF-8: stores were wider than the output, since the margin was computed from eight
/// units of ASCII, not from the units before them. One wide unit at each position of texts of each
/// length, above all at the first.
#[test]
fn simdutf_92_utf16_to_utf8_with_too_small_a_margin() {
    replay("Utf16", "Utf8", &wide(&"崀T0dTTsTsdTTTsTTsdTTsTTs".encode_utf16().collect::<Vec<_>>()));
    for len in shared("lengths", 0..=80) {
        let mut units = vec![0x41; len];
        for at in (0..len).step_by(1 + len / 12) {
            for unit in [0xFF, 0x0641, 0x5D00] {
                units[at] = unit;
                let src = wide(&units);
                check_into(named("Utf16", "Utf8"), &src);
                at_boundaries(named("Utf16", "Utf8"), &src);
            }
            units[at] = 0x41;
        }
    }
}

/// NEON, UTF-8 to UTF-16: FF among continuation bytes was taken for the lead byte of a pair, which
/// the length had not counted.
#[test]
fn simdutf_456_514_631_garbage_taken_for_pairs() {
    let patterns: [&[u8]; 6] = [
        b"\xFF\xBF\xBF\xBF ",
        b"\xBF\xFF\xBF\xBF\xBF \xBF\xBF\xBF ",
        b" \x8E\x8E\x8E\xFF",
        b"\xFF",
        b"\xF7\xBF\xBF\xBF\xFF\xFF\x80",
        b"\xFF\xBF\xBF\xBF\xBF",
    ];
    for pattern in patterns {
        for len in shared("lengths", (0..=150).step_by(3)) {
            // Blanks first, so the ill-formed bytes meet every position.
            let mut src = vec![b' '; len % 19];
            src.extend(pattern.iter().copied().cycle().take(len));
            for to in FROM_UTF8 {
                check_into(named("Utf8", to), &src);
                at_boundaries(named("Utf8", to), &src);
            }
        }
    }
    assert_wrong("Utf8", b"    \xBF\xFF\xBF\xBF\xBF", 4, 1, TooLong);
    assert_wrong("Utf8", b"    \xFF\xBF\xBF\xBF", 4, 1, InvalidLeadByte);
}

/// AVX-512, UTF-8 to UTF-32: a run of continuation bytes with FF in it produced more output than
/// there are lead bytes.
#[test]
fn simdutf_471_a_run_of_continuation_bytes() {
    let src = [&[b' '; 38][..], &[0x86; 48], &[0xFF; 4], &[0x86; 29], b"  \xBB   \xBB  "].concat();
    assert_wrong("Utf8", &src, 38, 1, TooLong);
    for to in FROM_UTF8 {
        replay("Utf8", to, &src);
    }
}

/// AVX-512, UTF-8 to UTF-16BE: sixteen four-byte characters, which fill a block, and one
/// continuation byte.
#[test]
fn simdutf_479_a_byte_too_many_after_a_block() {
    let src = ["\u{61A69}".repeat(16).as_bytes(), b"\xA0"].concat();
    assert_wrong("Utf8", &src, 64, 1, TooLong);
    for to in FROM_UTF8 {
        replay("Utf8", to, &src);
        replay("Utf8", to, &src[4..]);
    }
}

/// The same after 64 bytes of ASCII, and after any number of them.
#[test]
fn simdutf_483_a_byte_too_many_after_ascii() {
    assert_wrong("Utf8", &[&[b' '; 64][..], b"\xA9"].concat(), 64, 1, TooLong);
    for len in shared("lengths", 0..=130) {
        let src = [&vec![b' '; len][..], b"\xA9"].concat();
        for to in FROM_UTF8 {
            check_into(named("Utf8", to), &src);
            at_boundaries(named("Utf8", to), &src);
        }
    }
}

/// Haswell, UTF-8 to UTF-16BE: a block of ASCII after ill-formed blocks was stored whole, where the
/// length had counted lead bytes only.
#[test]
fn simdutf_523_ascii_after_uncounted_bytes() {
    for garbage in [1, 2, 3, 15, 16, 63, 64, 65, 127, 128, 200] {
        for byte in [0x80, 0xBF, 0xFF] {
            let src = [&vec![byte; garbage][..], &[b'a'; 80]].concat();
            let after_ascii = [&[b'a'; 64][..], &src].concat();
            for to in FROM_UTF8 {
                for src in [&src[..], &src[..garbage + 64], &after_ascii] {
                    check_into(named("Utf8", to), src);
                    at_boundaries(named("Utf8", to), src);
                }
            }
        }
    }
}

/// UTF-8 to Latin-1, haswell and westmere: whole vectors were stored where most of the source bytes
/// are no lead bytes, and where a few bytes among much ASCII are none.
#[test]
fn simdutf_539_576_611_latin1_from_garbage() {
    let mut rare = vec![b' '; 400];
    rare[0] = 0x93;
    rare[6..10].fill(0xFF);
    for at in [118, 148, 153, 255, 256, 320, 391] {
        rare[at] = 0x80 | (at % 64) as u8;
    }
    let strewn: Vec<u8> = (0..400).map(|i| if i % 7 == 3 { 0xBF } else { b'a' }).collect();
    let accents = [&"é".repeat(90).into_bytes()[..], &[0xA9; 120], &[b' '; 64]].concat();
    for src in [rare, strewn, accents] {
        for to in ["Latin1", "Ascii", "Utf16", "Utf8"] {
            for from in [0, 1, 5, 10, 64] {
                replay("Utf8", to, &src[from..]);
            }
        }
    }
}

/// Conversions into outputs that may be too small: an ASCII byte was written before the check that
/// it fits.
#[test]
fn simdutf_911_912_checked_before_written() {
    for len in shared("lengths", 0..=70) {
        let text = "z".repeat(len);
        for (from, to) in
            [("Utf16", "Utf8"), ("Latin1", "Utf8"), ("Utf32", "Utf8"), ("Utf8", "Utf8")]
        {
            let pair = named(from, to);
            let src = encode_all(pair.from.scheme, text.chars());
            at_boundaries(pair, &src);
            #[cfg(unix)]
            {
                use crate::common::guard::{Guarded, check_conversion};
                let expected =
                    crate::common::oracle::expect(pair.from.scheme, pair.to.scheme, &src);
                let (mut input, mut output) = (Guarded::new(src.len()), Guarded::new(len));
                for size in 0..=len {
                    let memory = (&mut input, &mut output);
                    check_conversion(pair, &src, &expected, memory, size);
                }
            }
        }
    }
    replay("Utf16", "Utf8", &wide(&[0x41, 0xE9, 0x41, 0x4E2D, 0x41, 0xD83D, 0xDE00, 0x41]));
}

/// An error among the first bytes: a search back for the lead byte reads before the text.
#[test]
fn simdutf_213_441_448_no_looking_back_before_the_text() {
    for len in shared("lengths", 1..=140) {
        for byte in [0x80, 0xBF] {
            let src = vec![byte; len];
            assert_wrong("Utf8", &src, 0, 1, TooLong);
            for to in FROM_UTF8 {
                at_boundaries(named("Utf8", to), &src);
            }
        }
    }
    // A continuation byte at the start of the second block.
    let src = [&[b' '; 64][..], b"\xA1", &[b' '; 8]].concat();
    assert_wrong("Utf8", &src, 64, 1, TooLong);
    // A character at the start of the text, an error at the end of the first block.
    let at_end = [b"\xCD\xB8", &[b' '; 61][..], b"\xFF", &[b' '; 64]].concat();
    assert_wrong("Utf8", &at_end, 63, 1, InvalidLeadByte);
    for to in FROM_UTF8 {
        replay("Utf8", to, &src);
        replay("Utf8", to, &at_end);
    }
}

/// A sequence that began before the offset at which the error was noticed: the error's position is
/// the start of the sequence, and never negative.
#[test]
fn simdutf_975_errors_that_began_in_the_last_block() {
    let beginnings: [&[u8]; 6] =
        [b"\xC3", b"\xE4", b"\xE4\xB8", b"\xF0", b"\xF0\x9F", b"\xF0\x9F\x98"];
    for boundary in [8, 16, 32, 64, 128, 192, 256, 512] {
        for beginning in beginnings {
            for after in 0..beginning.len() {
                let at = boundary - beginning.len() + after;
                let src = [&vec![b'a'; at][..], beginning, &[b'z'; 70]].concat();
                assert_wrong("Utf8", &src, at, beginning.len(), TooShort);
                for to in FROM_UTF8 {
                    check_into(named("Utf8", to), &src);
                }
            }
        }
    }
    // The text begins with the sequence.
    for beginning in beginnings {
        for rest in 0..70 {
            let src = [beginning, &vec![b'z'; rest]].concat();
            let len = if rest == 0 { None } else { Some(beginning.len()) };
            assert_wrong("Utf8", &src, 0, len, TooShort);
        }
    }
}

/// Kernels that gave different answers: FF as the last byte of a block, four-byte characters with
/// two bytes too many, values above U+10FFFF and surrogates in one vector of UTF-32.
#[test]
fn simdutf_453_458_462_464_531_kernels_agree() {
    for len in [15, 31, 63, 127, 191, 255, 511] {
        let src = [&vec![b' '; len][..], b"\xFF"].concat();
        assert_wrong("Utf8", &src, len, 1, InvalidLeadByte);
        let c = "\u{A890B}".as_bytes();
        let src = [&vec![b' '; len - 4][..], c, b"  ", c, b"\xA8\xA4", &[b' '; 90]].concat();
        assert_wrong("Utf8", &src, len + 6, 1, TooLong);
        for to in FROM_UTF8 {
            replay("Utf8", to, &src);
        }
    }
    let units: Vec<u32> = [&[0xDBDB, 0xFF38_0000][..], &[0xFFFF_FFFF; 4], &[0; 20]].concat();
    let src: Vec<u8> = units.iter().flat_map(|unit| unit.to_ne_bytes()).collect();
    assert_wrong("Utf32", &src, 0, 4, Surrogate);
    assert_wrong("Utf32", &src[4..], 0, 4, TooLarge);
    for to in ["Utf8", "Utf16", "Utf32", "Utf32Be", "Latin1"] {
        for from in 0..8 {
            replay("Utf32", to, &src[4 * from..]);
        }
    }
}

/// AVX-512, validation of UTF-32: each value beside a limit, in each lane of texts of each length.
#[test]
fn simdutf_438_utf32_in_every_lane() {
    let codec = named("Utf32", "Utf32").from;
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
    for len in shared("lengths", (1..=140).chain([255, 256, 257, 512])) {
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

/// A character that the end of a block cuts, with nothing but ASCII after it: a block without
/// continuation bytes need not be ASCII. Two cases: the continuation is missing, and it is there.
#[test]
fn simdutf_111_119_132_cut_at_the_end_of_a_block() {
    let characters = ["é", "߿", "ࠀ", "中", "\u{FFFF}", "𐀀", "😀", "\u{10FFFF}"];
    for boundary in [8, 16, 32, 48, 64, 128, 256, 512, 1024] {
        for c in characters.map(str::as_bytes) {
            for seen in 1..c.len() {
                let front = vec![b'a'; boundary - seen];
                let cut = [&front[..], &c[..seen], &[b'b'; 140]].concat();
                assert_wrong("Utf8", &cut, boundary - seen, seen, TooShort);
                let whole = [&front[..], c, &[b'b'; 140]].concat();
                for to in FROM_UTF8 {
                    check_into(named("Utf8", to), &cut);
                    check_into(named("Utf8", to), &whole);
                    check_into(named("Utf8", to), &cut[..boundary]);
                }
                check_validate(&codecs()[0], &whole);
                assert_wrong("Utf8", &cut[..boundary], boundary - seen, None, TooShort);
            }
        }
    }
}

/// An unpaired high surrogate as the last unit: no code may look for a low surrogate after it. And
/// an unpaired low surrogate, which is an error at once.
#[test]
fn simdutf_445_high_surrogate_at_the_end() {
    for len in shared("lengths", 0..=130) {
        for (unit, error) in [(0xD83D, None), (0xDBFF, None), (0xDC00, Some(2)), (0xDFFF, Some(2))]
        {
            let mut units = vec![0x41; len];
            units.push(unit);
            for (name, order) in [
                ("Utf16", u16::to_ne_bytes as fn(u16) -> [u8; 2]),
                ("Utf16Le", u16::to_le_bytes),
                ("Utf16Be", u16::to_be_bytes),
            ] {
                let src: Vec<u8> = units.iter().copied().flat_map(order).collect();
                assert_wrong(name, &src, 2 * len, error, Surrogate);
                for to in ["Utf8", "Utf16", "Utf32", "Latin1"] {
                    at_boundaries(named(name, to), &src);
                }
            }
            at_boundaries(named("Wtf16", "Wtf8"), &wide(&units));
        }
    }
}

/// AVX-512, UTF-16BE to UTF-8: for the shortest texts, computed addresses lay beyond the end of the
/// address space.
#[test]
fn simdutf_443_the_shortest_texts() {
    for pair in pairs() {
        let text: String = sample_chars('\u{7F}', 9, 1).into_iter().collect();
        let src = encode_all(pair.from.scheme, text.chars());
        for len in 0..=9 {
            at_boundaries(pair, &src[..len * pair.from.scheme.unit_size()]);
        }
    }
}

/// Functions that trust their caller were undefined for ill-formed input. Here they take a `&str`,
/// which can't be ill-formed; they agree with the functions that check.
#[test]
fn simdutf_229_what_trusts_takes_a_str() {
    let texts = ["", "a", "é", "中", "😀", "aé中😀", "\u{10FFFF}\0\u{D7FF}\u{E000}\u{FFFE}"];
    for text in texts {
        for times in [1, 2, 9, 33] {
            for to in FROM_UTF8 {
                check_everything(named("Utf8", to), text.repeat(times).as_bytes());
            }
        }
    }
}

/// A surrogate pair at every position: between two vectors, two steps, two halves of a vector.
#[test]
fn pairs_of_surrogates_between_two_vectors() {
    for at in shared("offsets", 0..=140) {
        for filling in [0x41, 0xE9, 0x0416, 0x4E2D] {
            let mut units = vec![filling; 150];
            units[at..at + 2].copy_from_slice(&[0xD83D, 0xDE00]);
            for to in ["Utf8", "Utf16", "Utf32", "Wtf8", "Cesu8"] {
                check_into(named("Utf16", to), &wide(&units));
            }
            // With one surrogate missing, the high or the low one.
            for broken in [at, at + 1] {
                let mut units = units.clone();
                units[broken] = filling;
                let src = wide(&units);
                assert_wrong(
                    "Utf16",
                    &src,
                    if broken == at { 2 * at + 2 } else { 2 * at },
                    2,
                    Surrogate,
                );
                check_into(named("Utf16", "Utf8"), &src);
                check_into(named("Utf16", "Utf32"), &src);
            }
        }
    }
}

/// Lengths and counts of bytes that begin no character: zero, and never negative.
#[test]
fn lengths_of_continuation_bytes_only() {
    for len in shared("lengths", 0..=300) {
        for byte in [0x80, 0xBF] {
            let src = vec![byte; len];
            check_count(&codecs()[0], &src);
            for pair in pairs().iter().filter(|pair| pair.from.name == "Utf8") {
                check_len(pair, &src);
            }
            for &api in Api::all() {
                assert_eq!((codecs()[0].count)(api, &src), 0);
                assert_eq!((named("Utf8", "Utf16").len)(api, &src), 0);
            }
        }
    }
}

/// Loads that claimed an alignment which nothing guarantees, in WebAssembly: texts in bytes may
/// begin at any address.
#[test]
fn simdutf8_86_texts_at_every_address() {
    let mut memory = vec![0_u8; 1024];
    let start = memory.as_ptr().align_offset(128);
    for pair in pairs().iter().filter(|pair| pair.from.unit == 1 && pair.to.name == "Utf8") {
        let last = if pair.from.scheme == Scheme::Latin1 { '\u{FF}' } else { '\u{7F}' };
        let src = encode_all(pair.from.scheme, sample_chars(last, 60, 2));
        for offset in shared("addresses", 0..=64) {
            let part = &mut memory[start + offset..][..src.len()];
            part.copy_from_slice(&src);
            check_validate(pair.from, part);
            check_into(pair, part);
            check_len(pair, part);
        }
    }
}
