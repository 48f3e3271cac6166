//! Tests of texts that are a few steps long. The steps of a text have characters of different
//! kinds: ASCII, up to two bytes, up to three bytes, or any. A step is what one iteration of a
//! kernel's loop consumes. The last step may overlap the previous step, or may be filled up to a
//! whole step; if its output does not fit, other code writes it.

use crate::common::carriers::{last_common_char, sample_chars};
use crate::common::checks::{check_capacities_up_to, check_transcode};
use crate::common::oracle::encode_all;
use crate::common::pairs::{Pair, pair_named};
use crate::common::sampled;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Pairs of encodings between which the number of code units changes.
const PAIRS: [(&str, &str); 9] = [
    ("Utf8", "Utf16"),
    ("Utf8", "Utf16Be"),
    ("Utf8", "Utf32"),
    ("Utf8", "Latin1"),
    ("Utf16", "Utf8"),
    ("Utf16Be", "Utf8"),
    ("Utf32", "Utf8"),
    ("Utf32", "Utf16"),
    ("Latin1", "Utf8"),
];

/// Returns a text of `chars` characters, in the source encoding of `pair`. It consists of runs that
/// are about a step long, each of characters of one kind.
fn text_of_runs(pair: &Pair, chars: usize, rng: &mut StdRng) -> Vec<u8> {
    let last = last_common_char(pair);
    let largest_chars = ['\x7F', '\x7F', '\u{7FF}', '\u{FFFF}', char::MAX];
    let mut text = Vec::new();
    while text.len() < chars {
        let largest = largest_chars[rng.random_range(0..largest_chars.len())].min(last);
        let run_len = rng.random_range(20..90).min(chars - text.len());
        text.extend(sample_chars(largest, run_len, rng.random()));
    }
    encode_all(pair.from.scheme, text)
}

#[test]
fn steps_of_different_kinds() {
    let mut rng = StdRng::seed_from_u64(12);
    for (from, to) in PAIRS {
        let pair = pair_named(from, to);
        for chars in sampled("lengths", (30..420).flat_map(|chars| [chars; 3])) {
            let src = text_of_runs(pair, chars, &mut rng);
            check_transcode(pair, &src);
            // One byte is replaced in any step, and one near the end.
            let unit = pair.from.element_bytes;
            let last = src.len().saturating_sub(8 * unit);
            for at in [rng.random_range(0..src.len()), rng.random_range(last..src.len())] {
                let mut changed = src.clone();
                changed[at] =
                    [0x80, 0xBF, 0xC3, 0xD8, 0xDC, 0xE2, 0xF1, 0xFF][rng.random_range(0..8)];
                check_transcode(pair, &changed);
            }
            // The text is truncated by one unit, often inside a character.
            check_transcode(pair, &src[..src.len() - unit]);
        }
    }
}

/// Every capacity from 0 to one that lets the kernels write all steps whole.
#[test]
fn steps_into_every_capacity() {
    let mut rng = StdRng::seed_from_u64(13);
    for (from, to) in PAIRS {
        let pair = pair_named(from, to);
        for chars in sampled("lengths", (65..200).step_by(5)) {
            check_capacities_up_to(pair, &text_of_runs(pair, chars, &mut rng), 260);
        }
    }
}

/// A two-byte, three-byte or supplementary character or an unpaired surrogate after ASCII runs of
/// every length, so that it is at every offset of a block.
#[test]
fn utf16_character_after_ascii_runs_of_every_length() {
    let others: [&[u16]; 5] = [&[0xE9], &[0x20AC], &[0xD83D, 0xDE00], &[0xD83D], &[0xDE00]];
    for (name, to_bytes) in
        [("Utf16", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("Utf16Be", u16::to_be_bytes)]
    {
        let pair = pair_named(name, "Utf8");
        for run in sampled("lengths", 0..330_u16) {
            for (k, other) in others.iter().enumerate() {
                let ascii = (0..run).map(|k| 0x20 + k % 0x5F);
                let rest = (0..3 + 37 * run % 130).map(|k| 0x20 + k % 0x5F);
                let units = ascii.chain(other.iter().copied()).chain(rest);
                let src: Vec<u8> = units.flat_map(to_bytes).collect();
                check_transcode(pair, &src);
                if run % 11 == k as u16 {
                    check_capacities_up_to(pair, &src, 260);
                }
            }
        }
    }
}

/// Like `utf16_character_after_ascii_runs_of_every_length`, for UTF-32. The ill-formed units are a
/// surrogate and a value above U+10FFFF.
#[test]
fn utf32_character_after_ascii_runs_of_every_length() {
    for (name, to_bytes) in
        [("Utf32", u32::to_le_bytes as fn(u32) -> [u8; 4]), ("Utf32Be", u32::to_be_bytes)]
    {
        let pair = pair_named(name, "Utf8");
        for run in sampled("lengths", 0..170_u32) {
            for (k, other) in [0xE9, 0x20AC, 0x1_F600, 0xD83D, 0x11_0000].into_iter().enumerate() {
                let ascii = (0..run).map(|k| 0x20 + k % 0x5F);
                let rest = (0..3 + 37 * run % 70).map(|k| 0x20 + k % 0x5F);
                let units = ascii.chain([other]).chain(rest);
                let src: Vec<u8> = units.flat_map(to_bytes).collect();
                check_transcode(pair, &src);
                if run % 11 == k as u32 {
                    check_capacities_up_to(pair, &src, 260);
                }
            }
        }
    }
}
