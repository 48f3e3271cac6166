//! Short sequences, and carriers: texts into which the tests insert a sequence.
//!
//! A carrier has [`CARRIER`] code units: three blocks of 64. Its characters all have the same
//! number of UTF-8 bytes, and all differ from their neighbours, so a test notices a lost, doubled
//! or moved unit. If whole characters do not exactly fill the space before or after the sequence,
//! ASCII characters fill the rest.

use std::collections::HashMap;
use std::sync::LazyLock;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;

use super::oracle::{encode, encode_all};
use super::pairs::Pair;

/// The length of a carrier, in code units.
pub const CARRIER: usize = 192;

/// Ranges of the characters of 1, 2, 3 and 4 UTF-8 bytes. Both ends of a range are included.
const WIDTH_RANGES: [&[(u32, u32)]; 4] = [
    &[(0x20, 0x7F)],
    &[(0x80, 0xFF), (0x100, 0x7FF)],
    &[(0x800, 0xFFF), (0x1000, 0x1FFF), (0xD000, 0xD7FF), (0xE000, 0xFFFF)],
    &[(0x1_0000, 0x1_FFFF), (0x8_0000, 0x8_FFFF), (0x10_0000, 0x10_FFFF)],
];

/// Returns the last character of an encoding.
fn last_character(scheme: Scheme) -> u32 {
    match scheme {
        Scheme::Ascii => 0x7F,
        Scheme::Latin1 => 0xFF,
        _ => 0x10_FFFF,
    }
}

/// Returns the last character that both encodings of a pair have.
pub fn last_common_char(pair: &Pair) -> char {
    let last = last_character(pair.from.scheme).min(last_character(pair.to.scheme));
    char::from_u32(last).expect("a scalar value")
}

/// Returns the possible UTF-8 lengths, in bytes, of the characters up to `last`.
pub fn widths(last: char) -> std::ops::RangeInclusive<usize> {
    1..=last.len_utf8()
}

/// Returns character `i` of a fixed sequence of characters that have `width` UTF-8 bytes and are
/// not above `last`. Neighbours in the sequence differ in the payload bits of each of their bytes.
fn character(width: usize, i: usize, last: char) -> char {
    let ranges = WIDTH_RANGES[width - 1];
    let (first_in_range, last_in_range) = ranges[i % ranges.len()];
    let (first_in_range, last_in_range) =
        if last_in_range > u32::from(last) { ranges[0] } else { (first_in_range, last_in_range) };
    let last_in_range = last_in_range.min(last.into());
    let offset = u32::try_from(i * 0x4B5).unwrap_or(0) % (last_in_range - first_in_range + 1);
    // Some characters are the ends of the range.
    let code = match i % 11 {
        3 => first_in_range,
        7 => last_in_range,
        _ => first_in_range + offset,
    };
    char::from_u32(code).expect("the ranges have no surrogates")
}

/// Appends exactly `units` code units of text to `out`: ASCII characters until whole characters of
/// `width` UTF-8 bytes fill the remaining space, and then these characters.
fn append_filling(scheme: Scheme, width: usize, units: usize, last: char, out: &mut Vec<u8>) {
    let unit = scheme.unit_size();
    let end = out.len() + units * unit;
    let mut encoded = Vec::new();
    encode(scheme, character(width, 0, last), &mut encoded);
    for i in 0..(end - out.len()) % encoded.len() / unit {
        encode(scheme, character(1, i, last), out);
    }
    let mut i = out.len();
    while out.len() < end {
        encode(scheme, character(width, i, last), out);
        i += 1;
    }
}

/// Returns a carrier with `sequence` inserted after `at` code units.
pub fn embedded(scheme: Scheme, width: usize, last: char, at: usize, sequence: &[u8]) -> Vec<u8> {
    embedded_in(CARRIER, scheme, width, last, at, sequence)
}

/// Like [`embedded`], with a carrier of `units` code units.
pub fn embedded_in(
    units: usize,
    scheme: Scheme,
    width: usize,
    last: char,
    at: usize,
    sequence: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(units * scheme.unit_size() + sequence.len());
    append_filling(scheme, width, at, last, &mut out);
    out.extend_from_slice(sequence);
    append_filling(scheme, width, units.saturating_sub(at), last, &mut out);
    out
}

/// Returns a random text of `chars` characters that both encodings of a pair have. It consists of
/// short and long runs of characters with the same UTF-8 length.
pub fn sample(pair: &Pair, chars: usize, seed: u64) -> Vec<u8> {
    encode_all(pair.from.scheme, sample_chars(last_common_char(pair), chars, seed))
}

/// Returns `chars` random characters that are not above `last`, in short and long runs of
/// characters with the same UTF-8 length.
pub fn sample_chars(last: char, chars: usize, seed: u64) -> Vec<char> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut out = Vec::new();
    while out.len() < chars {
        let width = rng.random_range(widths(last));
        let run_len = [1, 2, 5, 40][rng.random_range(0..4)];
        for _ in 0..run_len {
            out.push(character(width, rng.random_range(0..10_000), last));
        }
    }
    out.truncate(chars);
    out
}

/// Bytes next to every boundary in the syntax of UTF-8.
pub const CLASS_BOUNDARY_BYTES: [u8; 27] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];

/// Returns short sequences in `scheme`, well-formed and ill-formed: one or more of every kind that
/// the syntax of the encoding distinguishes.
pub fn sequences(scheme: Scheme) -> &'static [Vec<u8>] {
    static ALL: LazyLock<HashMap<Scheme, Vec<Vec<u8>>>> = LazyLock::new(|| {
        Scheme::ALL.iter().map(|&scheme| (scheme, make_sequences(scheme))).collect()
    });
    &ALL[&scheme]
}

fn make_sequences(scheme: Scheme) -> Vec<Vec<u8>> {
    match scheme {
        Scheme::Utf8 => utf8_sequences(),
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            [utf8_sequences(), three_byte_surrogates()].concat()
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => utf16_sequences(u16::to_le_bytes),
        Scheme::Utf16Be | Scheme::Wtf16Be => utf16_sequences(u16::to_be_bytes),
        Scheme::Utf32Le => utf32_sequences(u32::to_le_bytes),
        Scheme::Utf32Be => utf32_sequences(u32::to_be_bytes),
        _ => {
            let edges: &[u8] = &[0x00, 0x41, 0x7F, 0x80, 0xA0, 0xFF];
            combinations(&[edges, edges], |byte| [byte])
        }
    }
}

/// Returns all sequences of one unit from the first set, of one unit from each of the first two
/// sets, and so on up to one unit from each set.
fn combinations<U: Copy, const N: usize>(
    sets: &[&[U]],
    to_bytes: fn(U) -> [u8; N],
) -> Vec<Vec<u8>> {
    let (mut all, mut longest) = (Vec::new(), vec![Vec::new()]);
    for set in sets {
        let extend = |start: &Vec<u8>| {
            let start = start.clone();
            set.iter().map(move |&unit| [&start[..], &to_bytes(unit)].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(extend).collect();
        all.extend_from_slice(&longest);
    }
    all
}

fn utf8_sequences() -> Vec<Vec<u8>> {
    let second_bytes = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xFF];
    let later_bytes = [0x41, 0x80, 0xBF, 0xE1];
    let leads_of_three = [0xC2, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF];
    let leads_of_four = [0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8];
    let mut all = combinations(&[&CLASS_BOUNDARY_BYTES, &CLASS_BOUNDARY_BYTES], |byte| [byte]);
    all.extend(combinations(&[&leads_of_three, &second_bytes, &later_bytes], |byte| [byte]));
    let four_sets: [&[u8]; 4] = [&leads_of_four, &second_bytes, &later_bytes, &later_bytes];
    all.extend(combinations(&four_sets, |byte| [byte]));
    // A character and an unexpected continuation byte.
    for c in ["é", "€", "😀"] {
        all.push([c.as_bytes(), &[0x80]].concat());
    }
    all.sort();
    all.dedup();
    all
}

/// Returns sequences of surrogates that are encoded as three bytes each: pairs, unpaired
/// surrogates, pairs with one wrong byte, and incomplete pairs; and the two-byte NUL.
fn three_byte_surrogates() -> Vec<Vec<u8>> {
    let (high, low) = ([0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF]);
    let mut all = vec![b"\xC0\x80".to_vec(), b"\xC0\x80\0".to_vec()];
    for (first, second) in [(high, low), (low, high), (high, high), (low, low)] {
        let pair = [first, second].concat();
        all.extend([[&pair[..], &pair[..]].concat(), [&pair[..], &high[..]].concat()]);
        for len in 3..=6 {
            all.push(pair[..len].to_vec());
            all.push([&pair[..len], b"A"].concat());
        }
        for at in 0..6 {
            for byte in [0x00, 0x41, 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xE1, 0xED, 0xF0] {
                let mut pair = pair.clone();
                pair[at] = byte;
                all.push(pair);
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

fn utf16_sequences(to_bytes: fn(u16) -> [u8; 2]) -> Vec<Vec<u8>> {
    let edges = [
        0x0000, 0x0041, 0x007F, 0x0080, 0x00D8, 0x00FF, 0x0100, 0x07FF, 0x0800, 0xD7FF, 0xD800,
        0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    ];
    let surrogates = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x0041];
    let mut all = combinations(&[&edges, &edges], to_bytes);
    all.extend(combinations(&[&surrogates, &surrogates, &surrogates], to_bytes));
    all.sort();
    all.dedup();
    all
}

fn utf32_sequences(to_bytes: fn(u32) -> [u8; 4]) -> Vec<Vec<u8>> {
    let edges = [
        0,
        0x41,
        0x7F,
        0x80,
        0xFF,
        0x100,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0xE000,
        0xFFFF,
        0x1_0000,
        0x1_D800,
        0x10_FFFF,
        0x11_0000,
        0x41_0000,
        0x0100_0041,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFF,
    ];
    combinations(&[&edges, &edges[5..16]], to_bytes)
}
