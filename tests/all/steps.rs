//! Texts of a few steps of vectors, in which each step may be of another kind: ASCII, characters of
//! two or three bytes, and any. The last step ends anywhere, overlaps the one before, or
//! is filled up; it is written whole if it fits, and otherwise by other code.

use crate::common::api::{Pair, named};
use crate::common::carriers::{last_common, sample_chars};
use crate::common::checks::{check_more_capacities, check_transcode};
use crate::common::oracle::encode_all;
use crate::common::shared;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The pairs that change the number of units.
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

/// About `chars` characters in runs of a step or so, each of one kind.
fn text(pair: &Pair, chars: usize, rng: &mut StdRng) -> Vec<u8> {
    let last = last_common(pair);
    let kinds = ['\x7F', '\x7F', '\u{7FF}', '\u{FFFF}', char::MAX];
    let mut text = Vec::new();
    while text.len() < chars {
        let most = kinds[rng.random_range(0..kinds.len())].min(last);
        let run = rng.random_range(20..90).min(chars - text.len());
        text.extend(sample_chars(most, run, rng.random()));
    }
    encode_all(pair.from.scheme, text)
}

#[test]
fn of_changing_kinds() {
    let mut rng = StdRng::seed_from_u64(12);
    for (from, to) in PAIRS {
        let pair = named(from, to);
        for chars in shared("lengths", (30..420).flat_map(|chars| [chars; 3])) {
            let src = text(pair, chars, &mut rng);
            check_transcode(pair, &src);
            // An error in any step, or in the last one.
            let unit = pair.from.unit;
            let last = src.len().saturating_sub(8 * unit);
            for at in [rng.random_range(0..src.len()), rng.random_range(last..src.len())] {
                let mut wrong = src.clone();
                wrong[at] =
                    [0x80, 0xBF, 0xC3, 0xD8, 0xDC, 0xE2, 0xF1, 0xFF][rng.random_range(0..8)];
                check_transcode(pair, &wrong);
            }
            // Cut off, often inside a character.
            check_transcode(pair, &src[..src.len() - unit]);
        }
    }
}

/// Every capacity from none to one that is enough for whole steps.
#[test]
fn into_every_capacity() {
    let mut rng = StdRng::seed_from_u64(13);
    for (from, to) in PAIRS {
        let pair = named(from, to);
        for chars in shared("lengths", (65..200).step_by(5)) {
            check_more_capacities(pair, &text(pair, chars, &mut rng), 260);
        }
    }
}

/// A run of ASCII before a character of each size, or an unpaired surrogate, at every offset of a
/// block.
#[test]
fn after_every_run_of_ascii() {
    let others: [&[u16]; 5] = [&[0xE9], &[0x20AC], &[0xD83D, 0xDE00], &[0xD83D], &[0xDE00]];
    for (name, to_bytes) in
        [("Utf16", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("Utf16Be", u16::to_be_bytes)]
    {
        let pair = named(name, "Utf8");
        for run in shared("lengths", 0..330_u16) {
            for (k, other) in others.iter().enumerate() {
                let ascii = (0..run).map(|k| 0x20 + k % 0x5F);
                let rest = (0..3 + 37 * run % 130).map(|k| 0x20 + k % 0x5F);
                let units = ascii.chain(other.iter().copied()).chain(rest);
                let src: Vec<u8> = units.flat_map(to_bytes).collect();
                check_transcode(pair, &src);
                if run % 11 == k as u16 {
                    check_more_capacities(pair, &src, 260);
                }
            }
        }
    }
}

/// The same for UTF-32, with units that are no characters instead of unpaired surrogates.
#[test]
fn after_every_run_of_ascii_in_utf32() {
    for (name, to_bytes) in
        [("Utf32", u32::to_le_bytes as fn(u32) -> [u8; 4]), ("Utf32Be", u32::to_be_bytes)]
    {
        let pair = named(name, "Utf8");
        for run in shared("lengths", 0..170_u32) {
            for (k, other) in [0xE9, 0x20AC, 0x1_F600, 0xD83D, 0x11_0000].into_iter().enumerate() {
                let ascii = (0..run).map(|k| 0x20 + k % 0x5F);
                let rest = (0..3 + 37 * run % 70).map(|k| 0x20 + k % 0x5F);
                let units = ascii.chain([other]).chain(rest);
                let src: Vec<u8> = units.flat_map(to_bytes).collect();
                check_transcode(pair, &src);
                if run % 11 == k as u32 {
                    check_more_capacities(pair, &src, 260);
                }
            }
        }
    }
}
