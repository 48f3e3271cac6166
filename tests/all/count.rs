//! Counts, summaries and Latin-1 checks: every length at every alignment, inputs that could
//! overflow the lanes of a sum, and characters at block boundaries.

use crate::common::carriers::{CLASS_BOUNDARY_BYTES, sample_chars};
use crate::common::checks::{check_utf8, check_utf16_supplementary};
use crate::common::{sampled, sampled_if_slow, sampling_interval, say};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Kernel, Utf8, Utf16, Utf32};

/// Lengths 0..=600 at alignments 0..=63: random bytes, bytes at the range boundaries of UTF-8, and
/// well-formed texts that are cut at any byte.
#[test]
fn lengths_and_alignments() {
    let mut rng = StdRng::seed_from_u64(1);
    let text =
        |last_char| sample_chars(last_char, 700, 5).into_iter().collect::<String>().into_bytes();
    let sources: [Vec<u8>; 5] = [
        (0..700).map(|_| rng.random()).collect(),
        (0..700)
            .map(|_| CLASS_BOUNDARY_BYTES[rng.random_range(0..CLASS_BOUNDARY_BYTES.len())])
            .collect(),
        text('\u{7F}'),
        text('\u{FF}'),
        text(char::MAX),
    ];
    let mut buffer = vec![0; 64 + 600];
    for source in &sources {
        for len in sampled("lengths", 0..=600) {
            for offset in 0..64 {
                let src = &mut buffer[offset..][..len];
                let start = (offset * 7 + len) % 100;
                src.copy_from_slice(&source[start..start + len]);
                check_utf8(src);
            }
        }
    }
}

/// One byte or one character repeated more often than a byte lane of a vector can count, at several
/// alignments.
#[test]
fn lanes_are_summed_before_they_overflow() {
    let max_len = 3 * 255 * 4 * 32;
    let characters = ["a", "\n", "é", "語", "😀"].map(str::as_bytes);
    for unit in [&b"\x80"[..], b"\xF0", b"\xFF"].into_iter().chain(characters) {
        let text = unit.repeat((max_len + 64) / unit.len() + 1);
        let lens = [max_len / 3 - 1, max_len / 3, max_len / 3 + 129, max_len / 2, max_len];
        let spans = [0, 1, 31, 63].into_iter().flat_map(|offset| lens.map(|len| (offset, len)));
        // Each check reads the text dozens of times, which is slow on an emulated processor.
        for (offset, len) in sampled_if_slow("offsets and lengths", spans) {
            check_utf8(&text[offset..offset + len]);
        }
    }
    // Runs of ASCII between other characters: a validation that also counts does not pass these
    // runs to its counter.
    let text = [&"é".repeat(250)[..], &"a".repeat(1000), &"😀".repeat(300)].concat().repeat(60);
    check_utf8(text.as_bytes());
    check_utf8(&text.as_bytes()[1..]);
}

/// Like `lanes_are_summed_before_they_overflow`, for units of two and four bytes: one character
/// repeated, at lengths around those at which lanes could overflow.
#[test]
fn lanes_of_wide_units_are_summed_before_they_overflow() {
    const MAX_CHARS: usize = 2 * 85 * 512 + 64;
    for (character, utf8_len) in [('a', 1), ('é', 2), ('語', 3), ('😀', 4)] {
        let utf32 = vec![u32::from(character); MAX_CHARS];
        let utf16_len = character.len_utf16();
        let utf16: Vec<u16> =
            character.to_string().encode_utf16().cycle().take(MAX_CHARS * utf16_len).collect();
        for len in [83, 84, 85, 86, 166, 170].into_iter().flat_map(|n| [n * 64, n * 128, n * 512]) {
            for len in [len - 1, len, len + 63] {
                for kernel in Kernel::available() {
                    let (utf32, utf16) = (&utf32[..len], &utf16[..len * utf16_len]);
                    assert_eq!(kernel.len::<Utf32, Utf8>(utf32), len * utf8_len, "{kernel}");
                    assert_eq!(kernel.len::<Utf32, Utf16>(utf32), len * utf16_len, "{kernel}");
                    assert_eq!(kernel.len::<Utf16, Utf8>(utf16), len * utf8_len, "{kernel}");
                    assert_eq!(kernel.count::<Utf16>(utf16), len, "{kernel}");
                    let supplementary = len * (utf16_len - 1);
                    assert_eq!(
                        utf16.len() - kernel.count::<Utf16>(utf16),
                        supplementary,
                        "{kernel}"
                    );
                }
            }
        }
    }
}

/// Supplementary code points in UTF-16, among units of all kinds, at every length and alignment.
#[test]
fn supplementary_code_points_of_utf16() {
    let mut rng = StdRng::seed_from_u64(6);
    let pool = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x00DC, 0xDC];
    let units: Vec<u16> = (0..700).map(|_| pool[rng.random_range(0..pool.len())]).collect();
    let text: Vec<u16> =
        sample_chars(char::MAX, 600, 5).into_iter().collect::<String>().encode_utf16().collect();
    for len in sampled("lengths", 0..=600) {
        for offset in 0..32 {
            check_utf16_supplementary(&units[offset..][..len]);
            check_utf16_supplementary(&text[offset..][..len]);
        }
    }
}

/// Like `lanes_of_wide_units_are_summed_before_they_overflow`, for 16-bit lanes, which overflow
/// only after megabytes: the characters with the largest counts, and a character that adds nothing
/// to the sum.
#[test]
fn lanes_of_16_bits_are_summed_before_they_overflow() {
    // Twice the number of units that vectors of 32 bytes add up at a time, and some more.
    const MAX_UNITS: usize = 2 * 0x7000 * 64 + 77;
    // The largest interval that is computed from a limit of time.
    const MAX_COMPUTED_INTERVAL: usize = 1001;
    // With a larger sampling interval, as for an emulated processor, only the longest text of
    // the character with the largest count is counted, and only with vectors.
    let is_slow = sampling_interval() > MAX_COMPUTED_INTERVAL;
    if is_slow {
        say("texts of megabytes: not tested on the scalar kernel, which has no lanes");
    }
    let lens = [MAX_UNITS, MAX_UNITS / 2, MAX_UNITS / 4];
    let lens = &lens[..if is_slow { 1 } else { 3 }];
    let kernels = || Kernel::available().filter(|&kernel| !is_slow || kernel != Kernel::SCALAR);
    for (character, utf8_len) in [('語', 3), ('a', 1)].into_iter().take(if is_slow { 1 } else { 2 })
    {
        let text = vec![character as u16; MAX_UNITS];
        for kernel in kernels() {
            for &len in lens {
                assert_eq!(kernel.len::<Utf16, Utf8>(&text[..len]), len * utf8_len, "{kernel}");
                assert_eq!(kernel.count::<Utf16>(&text[..len]), len, "{kernel}");
            }
        }
    }
    for (character, utf8_len) in [('😀', 4), ('a', 1)].into_iter().take(if is_slow { 1 } else { 2 })
    {
        let text = vec![u32::from(character); MAX_UNITS];
        for kernel in kernels() {
            for &len in lens {
                assert_eq!(kernel.len::<Utf32, Utf8>(&text[..len]), len * utf8_len, "{kernel}");
            }
        }
    }
}

/// UTF-8 of Latin-1 characters with one byte changed, at every offset of texts of many lengths.
#[test]
fn latin1_with_one_byte_changed() {
    let text: String = sample_chars('\u{FF}', 700, 9).into_iter().collect();
    let dense = "éÿÀ¿\u{80}".repeat(70);
    for text in [text.as_bytes(), dense.as_bytes()] {
        for len in sampled("lengths", (0..400).step_by(7)) {
            let mut src = text[..len].to_vec();
            for offset in sampled_if_slow("offsets", 0..len) {
                for byte in [0x00, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xE0, 0xFF] {
                    let original = std::mem::replace(&mut src[offset], byte);
                    check_utf8(&src);
                    src[offset] = original;
                }
            }
        }
    }
}

/// All pairs of bytes, by themselves and in a longer text.
#[test]
fn all_pairs_of_bytes() {
    for pair in sampled("pairs", 0..=u16::MAX) {
        let pair = pair.to_be_bytes();
        check_utf8(&pair);
        let mut src = [b'a'; 100];
        for offset in [0, 30, 64, 98] {
            src[offset..offset + 2].copy_from_slice(&pair);
            check_utf8(&src);
            src[offset..offset + 2].fill(b'a');
        }
    }
}
