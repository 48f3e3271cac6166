//! Units that are no characters, at every position of a text in UTF-32: every operation, every
//! kernel, against the standard library. And units seen as characters.

use crate::common::api::{Pair, pairs};
use crate::common::checks::{check_capacities, check_count, check_into, check_len, check_validate};
use crate::common::shared;
use crate::common::strings::check_utf32;
use utflane::utf32;

/// Texts in which a unit may be replaced, by their characters: each takes a path of its own through
/// the kernels.
const CARRIERS: [&[char]; 5] = [
    &['a'],
    &['é'],
    &['€'],
    &['😀'],
    &[
        'a',
        'é',
        '€',
        '😀',
        '\u{7F}',
        '\u{80}',
        '\u{7FF}',
        '\u{800}',
        '\u{FFFF}',
        '\u{10FFFF}',
        '\u{E000}',
    ],
];

/// Values that are no characters, also by their upper bits alone.
const WRONG: [u32; 14] = [
    0xD800,
    0xDBFF,
    0xDC00,
    0xDFFF,
    0x11_0000,
    // The nearest such values where surrogates are moved above all other values.
    0x11_D800,
    0x11_DFFF,
    0x0001_D800 | 0x20_0000,
    0x0100_0041,
    0x4000_0041,
    0x7FFF_FFFF,
    0x8000_0041,
    0x8000_D7FF,
    0xFFFF_FFFF,
];

/// The code units of a text of one kind.
fn carrier(chars: &[char], units: usize) -> Vec<u32> {
    chars.iter().cycle().take(units).map(|&c| u32::from(c)).collect()
}

/// The units in the byte order of a pair's source.
fn bytes(pair: &Pair, units: &[u32]) -> Vec<u8> {
    let big = pair.from.name.ends_with("Be");
    let order = |unit: &u32| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    units.iter().flat_map(order).collect()
}

/// The pairs that read UTF-32 as bytes, so odd addresses are among those tested.
fn from_utf32() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Utf32Le", "Utf32Be"].contains(&pair.from.name))
}

/// Each of these units for any unit of a text longer than every block.
#[test]
fn wrong_units_at_every_offset() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            let text = carrier(chars, 150);
            for at in shared("offsets", 0..text.len()) {
                for wrong in WRONG {
                    let mut units = text.clone();
                    units[at] = wrong;
                    let src = bytes(pair, &units);
                    check_into(pair, &src);
                    check_len(pair, &src);
                    if pair.to.name == "Utf8" {
                        check_validate(pair.from, &src);
                        check_count(pair.from, &src);
                    }
                }
            }
        }
    }
}

/// Texts of every length followed by a part of a unit, without an error and with one at the last
/// position.
#[test]
fn fragments_after_every_length() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            for len in shared("lengths", 1..150) {
                let mut units = carrier(chars, len);
                for wrong in [None, Some(0xDFFF), Some(0x8000_0041)] {
                    if let Some(wrong) = wrong {
                        units[len - 1] = wrong;
                    }
                    let src = bytes(pair, &units);
                    for cut in 0..4 {
                        let src = &src[..src.len() - cut];
                        check_into(pair, src);
                        check_len(pair, src);
                        check_validate(pair.from, src);
                    }
                }
            }
        }
    }
}

/// Outputs that end at every position, also inside the encoding of a character.
#[test]
fn every_capacity() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            for len in
                shared("lengths", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 65].into_iter())
            {
                check_capacities(pair, &bytes(pair, &carrier(chars, len)));
            }
        }
    }
}

/// Into UTF-16, characters of one unit have a function of their own, which ends before a step with
/// others, and is tried again 4 KiB later.
#[test]
fn pairs_far_apart() {
    let ends = [&[0x1_F600][..], &[0xDFFF], &[0x11_0000], &[0x8000_0041], &[]];
    for pair in from_utf32().filter(|pair| pair.to.name.starts_with("Utf16")) {
        for first in [0x1_F600, 0x61] {
            for gap in shared("gaps", (0..900).step_by(9)) {
                for end in ends {
                    for more in [0, 20, 300, 1100] {
                        let mut units = vec![first];
                        units.extend(std::iter::repeat_n(0x20AC, gap));
                        units.extend(end);
                        units.extend(carrier(&['é'], more));
                        check_into(pair, &bytes(pair, &units));
                    }
                }
            }
            let mut units = vec![first];
            units.extend([0x20AC; 500]);
            units.extend([0x1_F600, 0x61]);
            check_capacities(pair, &bytes(pair, &units));
        }
    }
}

/// Validation finds errors far into a text in the block that holds them.
#[test]
fn late_errors() {
    for pair in from_utf32().filter(|pair| pair.to.name == "Utf8") {
        for at in shared("offsets", 0..1100) {
            let mut units = carrier(CARRIERS[4], 1100);
            units[at] = WRONG[at % WRONG.len()];
            check_validate(pair.from, &bytes(pair, &units));
        }
    }
}

#[test]
fn units_as_characters() {
    for len in 0..100 {
        let chars: Vec<char> = CARRIERS[4].iter().copied().cycle().take(len).collect();
        let mut units: Vec<u32> = chars.iter().map(|&c| c.into()).collect();
        check_utf32(&units);
        if let Some(last) = units.last_mut() {
            *last = 0xDC00;
            check_utf32(&units);
            let given_back = utf32::into_chars(units.clone()).unwrap_err();
            assert_eq!(given_back.to_string(), given_back.error().to_string());
        }
    }
}
