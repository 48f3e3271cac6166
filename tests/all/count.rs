//! Counts, summaries and Latin-1 checks: every length at every alignment, inputs that fill the
//! lanes of a sum, and characters at the boundaries of blocks.

use crate::common::carriers::{EDGES, sample_chars};
use crate::common::checks::{check_utf8, check_utf16_supplementary};
use crate::common::{costly, say, share, shared};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Kernel, Utf8, Utf16, Utf32};

/// Lengths 0..=600 at alignments 0..=63: random bytes, bytes at the boundaries of the syntax, and
/// well-formed texts that are cut.
#[test]
fn lengths_and_alignments() {
    let mut rng = StdRng::seed_from_u64(1);
    let text = |last| sample_chars(last, 700, 5).into_iter().collect::<String>().into_bytes();
    let sources: [Vec<u8>; 5] = [
        (0..700).map(|_| rng.random()).collect(),
        (0..700).map(|_| EDGES[rng.random_range(0..EDGES.len())]).collect(),
        text('\u{7F}'),
        text('\u{FF}'),
        text(char::MAX),
    ];
    let mut buffer = vec![0; 64 + 600];
    for source in &sources {
        for len in shared("lengths", 0..=600) {
            for offset in 0..64 {
                let src = &mut buffer[offset..][..len];
                let from = (offset * 7 + len) % 100;
                src.copy_from_slice(&source[from..from + len]);
                check_utf8(src);
            }
        }
    }
}

/// One byte or one character repeated more often than a byte lane of a vector can count, at several
/// alignments.
#[test]
fn lanes_are_summed_up_before_they_are_full() {
    let last = 3 * 255 * 4 * 32;
    let characters = ["a", "\n", "é", "語", "😀"].map(str::as_bytes);
    for unit in [&b"\x80"[..], b"\xF0", b"\xFF"].into_iter().chain(characters) {
        let text = unit.repeat((last + 64) / unit.len() + 1);
        let lens = [last / 3 - 1, last / 3, last / 3 + 129, last / 2, last];
        let spans = [0, 1, 31, 63].into_iter().flat_map(|offset| lens.map(|len| (offset, len)));
        // Each check reads the text dozens of times, which an emulated processor feels.
        for (offset, len) in costly("offsets and lengths", spans) {
            check_utf8(&text[offset..offset + len]);
        }
    }
    // Runs of ASCII between them, which a validation skips.
    let text = [&"é".repeat(250)[..], &"a".repeat(1000), &"😀".repeat(300)].concat().repeat(60);
    check_utf8(text.as_bytes());
    check_utf8(&text.as_bytes()[1..]);
}

/// The same for units of two and four bytes: one unit repeated, about the lengths at which lanes
/// could be full.
#[test]
fn lanes_of_units_are_summed_up_before_they_are_full() {
    const MOST: usize = 2 * 85 * 512 + 64;
    for (character, utf8) in [('a', 1), ('é', 2), ('語', 3), ('😀', 4)] {
        let wide = vec![u32::from(character); MOST];
        let pairs = character.len_utf16();
        let narrow: Vec<u16> =
            character.to_string().encode_utf16().cycle().take(MOST * pairs).collect();
        for len in [83, 84, 85, 86, 166, 170].into_iter().flat_map(|n| [n * 64, n * 128, n * 512]) {
            for len in [len - 1, len, len + 63] {
                for kernel in Kernel::available() {
                    let (wide, narrow) = (&wide[..len], &narrow[..len * pairs]);
                    assert_eq!(kernel.len::<Utf32, Utf8>(wide), len * utf8, "{kernel}");
                    assert_eq!(kernel.len::<Utf32, Utf16>(wide), len * pairs, "{kernel}");
                    assert_eq!(kernel.len::<Utf16, Utf8>(narrow), len * utf8, "{kernel}");
                    assert_eq!(kernel.count::<Utf16>(narrow), len, "{kernel}");
                    let supplementary = len * (pairs - 1);
                    assert_eq!(kernel.utf16_count_supplementary(narrow), supplementary, "{kernel}");
                }
            }
        }
    }
}

/// Supplementary code points of UTF-16, in units of all kinds, at every length and alignment.
#[test]
fn supplementary_code_points_of_utf16() {
    let mut rng = StdRng::seed_from_u64(6);
    let pool = [0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0x00DC, 0xDC];
    let units: Vec<u16> = (0..700).map(|_| pool[rng.random_range(0..pool.len())]).collect();
    let text: Vec<u16> =
        sample_chars(char::MAX, 600, 5).into_iter().collect::<String>().encode_utf16().collect();
    for len in shared("lengths", 0..=600) {
        for offset in 0..32 {
            check_utf16_supplementary(&units[offset..][..len]);
            check_utf16_supplementary(&text[offset..][..len]);
        }
    }
}

/// The same for 16-bit lanes, which are full after megabytes: the units with the largest counts,
/// and those that a sum omits.
#[test]
fn long_texts_are_summed_up_before_lanes_are_full() {
    // Twice the amount that is added up at a time, by vectors of 32 bytes, and some more.
    const MOST: usize = 2 * 0x7000 * 64 + 77;
    // An emulated machine counts the longest text of the largest counts alone, by vectors.
    let is_slow = share() > 1001;
    if is_slow {
        say("megabytes: the scalar kernel, which has no lanes, is left out");
    }
    let lens = [MOST, MOST / 2, MOST / 4];
    let lens = &lens[..if is_slow { 1 } else { 3 }];
    let kernels = || Kernel::available().filter(|&kernel| !is_slow || kernel != Kernel::SCALAR);
    for (character, utf8) in [('語', 3), ('a', 1)].into_iter().take(if is_slow { 1 } else { 2 }) {
        let text = vec![character as u16; MOST];
        for kernel in kernels() {
            for &len in lens {
                assert_eq!(kernel.len::<Utf16, Utf8>(&text[..len]), len * utf8, "{kernel}");
                assert_eq!(kernel.count::<Utf16>(&text[..len]), len, "{kernel}");
            }
        }
    }
    for (character, utf8) in [('😀', 4), ('a', 1)].into_iter().take(if is_slow { 1 } else { 2 }) {
        let text = vec![u32::from(character); MOST];
        for kernel in kernels() {
            for &len in lens {
                assert_eq!(kernel.len::<Utf32, Utf8>(&text[..len]), len * utf8, "{kernel}");
            }
        }
    }
}

/// Latin-1 in UTF-8 with one byte changed, at every position of texts that end in every phase of a
/// block.
#[test]
fn latin1_with_one_byte_changed() {
    let text: String = sample_chars('\u{FF}', 700, 9).into_iter().collect();
    let dense = "éÿÀ¿\u{80}".repeat(70);
    for text in [text.as_bytes(), dense.as_bytes()] {
        for len in shared("lengths", (0..400).step_by(7)) {
            let mut src = text[..len].to_vec();
            for at in 0..len {
                for byte in [0x00, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xE0, 0xFF] {
                    let was = std::mem::replace(&mut src[at], byte);
                    check_utf8(&src);
                    src[at] = was;
                }
            }
        }
    }
}

/// All pairs of bytes, by themselves and far into a text.
#[test]
fn all_pairs_of_bytes() {
    for pair in shared("pairs", 0..=u16::MAX) {
        let pair = pair.to_be_bytes();
        check_utf8(&pair);
        let mut src = [b'a'; 100];
        for at in [0, 30, 64, 98] {
            src[at..at + 2].copy_from_slice(&pair);
            check_utf8(&src);
            src[at..at + 2].fill(b'a');
        }
    }
}
