//! Tests of unpaired surrogates at every offset of UTF-16 texts: on every kernel, compared with
//! the standard library.

use crate::common::checks::{check_capacities, check_into, check_validate};
use crate::common::pairs::{Pair, pairs};
use crate::common::sampled;

/// The kinds of text in which the tests replace one unit: the argument of [`carrier`], and a
/// description.
const CARRIERS: [(char, &str); 6] = [
    ('a', "ASCII"),
    ('é', "narrow"),
    ('€', "wide"),
    ('😀', "pairs"),
    ('o', "pairs at odd offsets"),
    ('x', "mixed"),
];

/// Returns `len` code units of the kind of text that `c` selects: `x` selects mixed characters, `o`
/// selects surrogate pairs at odd offsets, and any other `c` selects copies of `c`.
fn carrier(c: char, len: usize) -> Vec<u16> {
    let mixed = ['a', 'é', '€', '😀', 'b', '\u{7FF}', '\u{800}', '\u{10FFFF}', '\u{E000}'];
    let mut text = String::new();
    while text.encode_utf16().count() < len {
        match c {
            'x' => text.extend(mixed),
            'o' => text.push_str(if text.is_empty() { "é😀" } else { "😀" }),
            c => text.push(c),
        }
    }
    let mut units: Vec<u16> = text.encode_utf16().take(len).collect();
    // The text must not end with the first half of a surrogate pair.
    if let Some(last) = units.last_mut().filter(|unit| **unit & 0xFC00 == 0xD800) {
        *last = 0x61;
    }
    units
}

/// Converts the units to bytes, in the byte order of the source encoding of `pair`.
fn bytes(pair: &Pair, units: &[u16]) -> Vec<u8> {
    let is_big_endian = pair.from.name.ends_with("Be");
    let to_bytes = |unit: &u16| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
    units.iter().flat_map(to_bytes).collect()
}

/// Returns the pairs whose source is UTF-16 as bytes, so that odd addresses are tested too.
fn from_utf16() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Utf16Le", "Utf16Be"].contains(&pair.from.name))
}

/// Puts each of four surrogates at each offset of a text that is longer than the largest block.
#[test]
fn surrogates_at_every_offset() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            let text = carrier(c, 220);
            for at in sampled("offsets", 0..text.len()) {
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

/// Texts of every length that end with an unpaired surrogate or with an incomplete unit, or that
/// begin with an unpaired surrogate. Lengths of 8, 16 and 32 units, which fill a whole vector, are
/// tested in every run, even if only a share of the other lengths is.
#[test]
fn unpaired_surrogates_at_both_ends() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            for len in [8, 16, 32].into_iter().chain(sampled("lengths", 1..150)) {
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

/// Outputs of every capacity, also of one that ends between the two halves of a surrogate pair.
#[test]
fn every_capacity_of_pairs() {
    for pair in from_utf16() {
        for (c, _) in CARRIERS {
            for len in sampled("lengths", [3, 7, 8, 9, 15, 16, 17, 31, 33, 47, 64, 79].into_iter())
            {
                check_capacities(pair, &bytes(pair, &carrier(c, len)));
            }
        }
    }
}

/// The conversion to UTF-32 has a separate function for units without surrogates. It takes over
/// after some blocks without surrogates, and stops at the next surrogate.
#[test]
fn surrogate_pairs_far_apart() {
    let ends = [&[0xD83D, 0xDE00][..], &[0xD83D, 0x20], &[0xDE00], &[0xD83D], &[]];
    for pair in from_utf16().filter(|pair| pair.to.name.starts_with("Utf32")) {
        // The separate function takes over after 512 units without surrogates.
        for gap in sampled("gaps", (0..1100).step_by(9)) {
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
