//! Unpaired surrogates, at every position of a text in UTF-16: every operation, every kernel,
//! against the standard library.

use crate::common::api::{Pair, pairs};
use crate::common::checks::{check_capacities, check_into, check_validate};
use crate::common::shared;

/// The replacements of a unit, in a text of characters `c`.
const CARRIERS: [(char, &str); 6] = [
    ('a', "ASCII"),
    ('é', "narrow"),
    ('€', "wide"),
    ('😀', "pairs"),
    ('o', "pairs at odd offsets"),
    ('x', "mixed"),
];

/// The code units of a text of one kind.
fn carrier(c: char, units: usize) -> Vec<u16> {
    let mixed = ['a', 'é', '€', '😀', 'b', '\u{7FF}', '\u{800}', '\u{10FFFF}', '\u{E000}'];
    let mut text = String::new();
    while text.encode_utf16().count() < units {
        match c {
            'x' => text.extend(mixed),
            'o' => text.push_str(if text.is_empty() { "é😀" } else { "😀" }),
            c => text.push(c),
        }
    }
    let mut units: Vec<u16> = text.encode_utf16().take(units).collect();
    // No half of a pair at the end.
    if let Some(last) = units.last_mut().filter(|unit| **unit & 0xFC00 == 0xD800) {
        *last = 0x61;
    }
    units
}

/// The units in the byte order of a pair's source.
fn bytes(pair: &Pair, units: &[u16]) -> Vec<u8> {
    let big = pair.from.name.ends_with("Be");
    let order = |unit: &u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    units.iter().flat_map(order).collect()
}

/// The pairs that read UTF-16 as bytes, so odd addresses are among those tested.
fn from_utf16() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Utf16Le", "Utf16Be"].contains(&pair.from.name))
}

/// Any surrogate for any unit of a text longer than every block.
#[test]
fn surrogates_at_every_offset() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            let text = carrier(c, 220);
            for at in shared("offsets", 0..text.len()) {
                for surrogate in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] {
                    let mut units = text.clone();
                    units[at] = surrogate;
                    let src = bytes(pair, &units);
                    check_into(pair, &src);
                    if pair.to.name == "Utf8" {
                        check_validate(pair.from, &src);
                    }
                }
            }
        }
    }
}

/// Texts of every length that end with an unpaired surrogate, or an incomplete unit, or begin with
/// an unpaired surrogate. Lengths that fill one of the smaller vectors end there, for every share.
#[test]
fn unpaired_surrogates_at_both_ends() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            for len in [8, 16, 32].into_iter().chain(shared("lengths", 1..150)) {
                let mut units = carrier(c, len);
                units[len - 1] = 0xD83D;
                let src = bytes(pair, &units);
                for end in [src.len(), src.len() - 1] {
                    check_into(pair, &src[..end]);
                    check_validate(pair.from, &src[..end]);
                }
                units[len - 1] = 0x41;
                units[0] = 0xDE00;
                let src = bytes(pair, &units);
                check_into(pair, &src);
                check_validate(pair.from, &src);
            }
        }
    }
}

/// Outputs that end at every position, also between the encodings of the two surrogates of a pair.
#[test]
fn every_capacity_of_pairs() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            for len in shared("lengths", [3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 64, 79].into_iter()) {
                check_capacities(pair, &bytes(pair, &carrier(c, len)));
            }
        }
    }
}

/// Into UTF-32, units without surrogates have a function of their own, which takes over after some
/// blocks of them, and ends at the next surrogate.
#[test]
fn pairs_far_apart() {
    let ends = [&[0xD83D, 0xDE00][..], &[0xD83D, 0x20], &[0xDE00], &[0xD83D], &[]];
    for pair in from_utf16().filter(|pair| pair.to.name.starts_with("Utf32")) {
        // 512 units without surrogates come before the change.
        for gap in shared("gaps", (0..1100).step_by(9)) {
            for end in ends {
                for more in [0, 20, 300] {
                    let mut units = vec![0xD83D, 0xDE00];
                    units.extend(std::iter::repeat_n(0x20AC, gap));
                    units.extend(end);
                    units.extend(carrier('\u{E9}', more));
                    check_into(pair, &bytes(pair, &units));
                }
            }
        }
        let mut units = vec![0xD83D, 0xDE00];
        units.extend([0x20AC; 700]);
        units.extend([0xD83D, 0xDE00, 0x61]);
        check_capacities(pair, &bytes(pair, &units));
    }
}
