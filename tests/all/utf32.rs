//! Tests of UTF-32: ill-formed units at every offset of a text, on every kernel, compared with
//! the standard library; and the functions that view units as `char`.

use crate::common::checks::{check_capacities, check_count, check_into, check_len, check_validate};
use crate::common::pairs::{Pair, pairs};
use crate::common::sampled;
use crate::common::strings::check_utf32;
use utflane::utf32;

/// The characters of the texts in which the tests replace one unit. For each of these texts the
/// kernels take a different path.
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

/// Ill-formed values: surrogates, values above U+10FFFF, and values that would be characters
/// without their upper bits.
const ILL_FORMED: [u32; 14] = [
    0xD800,
    0xDBFF,
    0xDC00,
    0xDFFF,
    0x11_0000,
    // The kernels map these values to numbers just above the numbers of the scalar values.
    0x11_D800,
    0x11_DFFF,
    // These values are characters without their upper bits.
    0x0001_D800 | 0x20_0000,
    0x0100_0041,
    0x4000_0041,
    0x8000_0041,
    0x8000_D7FF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
];

/// Returns `len` code units: the characters in `chars`, repeated.
fn carrier(chars: &[char], len: usize) -> Vec<u32> {
    chars.iter().cycle().take(len).map(|&c| u32::from(c)).collect()
}

/// Converts the units to bytes, in the byte order of the source encoding of `pair`.
fn bytes(pair: &Pair, units: &[u32]) -> Vec<u8> {
    let is_big_endian = pair.from.name.ends_with("Be");
    let to_bytes = |unit: &u32| if is_big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
    units.iter().flat_map(to_bytes).collect()
}

/// Returns the pairs whose source is UTF-32 as bytes, so that odd addresses are tested too.
fn from_utf32() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Utf32Le", "Utf32Be"].contains(&pair.from.name))
}

/// Puts each ill-formed value at each offset of a text that is longer than the largest block.
#[test]
fn ill_formed_units_at_every_offset() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            // The largest block has 1,024 bytes, which are 256 units.
            let text = carrier(chars, 300);
            for at in sampled("offsets", 0..text.len()) {
                for ill_formed in ILL_FORMED {
                    let mut units = text.clone();
                    units[at] = ill_formed;
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

/// Texts of every length, truncated by up to three bytes. The last unit is well-formed or
/// ill-formed.
#[test]
fn incomplete_units_after_every_length() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            for len in sampled("lengths", 1..150) {
                let mut units = carrier(chars, len);
                for ill_formed in [None, Some(0xDFFF), Some(0x8000_0041)] {
                    if let Some(ill_formed) = ill_formed {
                        units[len - 1] = ill_formed;
                    }
                    let src = bytes(pair, &units);
                    for missing in 0..4 {
                        let src = &src[..src.len() - missing];
                        check_into(pair, src);
                        check_len(pair, src);
                        check_validate(pair.from, src);
                    }
                }
            }
        }
    }
}

/// Outputs of every capacity, some of which end inside a character.
#[test]
fn utf32_into_every_capacity() {
    for pair in from_utf32() {
        for chars in CARRIERS {
            for len in
                sampled("lengths", [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 47, 65].into_iter())
            {
                check_capacities(pair, &bytes(pair, &carrier(chars, len)));
            }
        }
    }
}

/// The conversion to UTF-16 has a separate function for characters that are one UTF-16 unit. It
/// stops before a step that has other characters, and is tried again 4 KiB later.
#[test]
fn supplementary_characters_far_apart() {
    let ends = [&[0x1_F600][..], &[0xDFFF], &[0x11_0000], &[0x8000_0041], &[]];
    for pair in from_utf32().filter(|pair| pair.to.name.starts_with("Utf16")) {
        for first in [0x1_F600, 0x61] {
            for gap in sampled("gaps", (0..900).step_by(9)) {
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

/// One error at every offset of a long text, which validation checks in blocks.
#[test]
fn errors_in_long_utf32_texts() {
    for pair in from_utf32().filter(|pair| pair.to.name == "Utf8") {
        for at in sampled("offsets", 0..1100) {
            let mut units = carrier(CARRIERS[4], 1100);
            units[at] = ILL_FORMED[at % ILL_FORMED.len()];
            check_validate(pair.from, &bytes(pair, &units));
        }
    }
}

#[test]
fn units_viewed_as_characters() {
    for len in 0..100 {
        let chars: Vec<char> = CARRIERS[4].iter().copied().cycle().take(len).collect();
        let mut units: Vec<u32> = chars.iter().map(|&c| c.into()).collect();
        check_utf32(&units);
        if let Some(last) = units.last_mut() {
            *last = 0xDC00;
            check_utf32(&units);
            let error = utf32::into_chars(units.clone()).unwrap_err();
            assert_eq!(error.to_string(), error.error.to_string());
        }
    }
}
