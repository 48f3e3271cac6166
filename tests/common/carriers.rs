//! Texts to hide a sequence in, and sequences to hide.
//!
//! A carrier has [`CARRIER`] code units: three blocks of 64. Its characters all have the same
//! number of UTF-8 bytes, and all differ from their neighbours, so a lost, doubled or moved
//! unit shows. Where no whole number of characters reaches the position of a sequence, ASCII fills
//! the rest.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;

use super::api::Pair;
use super::oracle::{encode, encode_all};

/// Code units of a carrier.
pub const CARRIER: usize = 192;

/// Characters of 1, 2, 3 and 4 UTF-8 bytes, each kind with those beside the boundaries of its
/// range.
const WIDTHS: [&[(u32, u32)]; 4] = [
    &[(0x20, 0x7F)],
    &[(0x80, 0xFF), (0x100, 0x7FF)],
    &[(0x800, 0xFFF), (0x1000, 0x1FFF), (0xD000, 0xD7FF), (0xE000, 0xFFFF)],
    &[(0x1_0000, 0x1_FFFF), (0x8_0000, 0x8_FFFF), (0x10_0000, 0x10_FFFF)],
];

/// The last character that a scheme has.
fn last_of(scheme: Scheme) -> u32 {
    match scheme {
        Scheme::Ascii => 0x7F,
        Scheme::Latin1 => 0xFF,
        _ => 0x10_FFFF,
    }
}

/// The last character that both encodings of a pair have.
pub fn last_common(pair: &Pair) -> char {
    let last = last_of(pair.from.scheme).min(last_of(pair.to.scheme));
    char::from_u32(last).expect("a scalar value")
}

/// The kinds of character up to `last`, as numbers of UTF-8 bytes.
pub fn widths(last: char) -> std::ops::RangeInclusive<usize> {
    1..=last.len_utf8()
}

/// Character number `i` of those with `width` UTF-8 bytes up to `last`. Neighbours differ in every
/// payload bit group.
fn character(width: usize, i: usize, last: char) -> char {
    let ranges = WIDTHS[width - 1];
    let (from, to) = ranges[i % ranges.len()];
    let (from, to) = if to > u32::from(last) { ranges[0] } else { (from, to) };
    let (from, to) = (from, to.min(last.into()));
    let spread = u32::try_from(i * 0x4B5).unwrap_or(0) % (to - from + 1);
    // Sometimes the boundaries themselves.
    let code = match i % 11 {
        3 => from,
        7 => to,
        _ => from + spread,
    };
    char::from_u32(code).expect("no range has surrogates")
}

/// Exactly `units` code units of text: ASCII until the rest is a whole number of characters of
/// `width`.
fn filled(scheme: Scheme, width: usize, units: usize, last: char, out: &mut Vec<u8>) {
    let unit = scheme.unit_size();
    let end = out.len() + units * unit;
    let mut size = Vec::new();
    encode(scheme, character(width, 0, last), &mut size);
    for i in 0..(end - out.len()) % size.len() / unit {
        encode(scheme, character(1, i, last), out);
    }
    let mut i = out.len();
    while out.len() < end {
        encode(scheme, character(width, i, last), out);
        i += 1;
    }
}

/// `sequence` in a carrier, after `at` code units.
pub fn embedded(scheme: Scheme, width: usize, last: char, at: usize, sequence: &[u8]) -> Vec<u8> {
    embedded_in(CARRIER, scheme, width, last, at, sequence)
}

/// The same in a carrier of `units` code units.
pub fn embedded_in(
    units: usize,
    scheme: Scheme,
    width: usize,
    last: char,
    at: usize,
    sequence: &[u8],
) -> Vec<u8> {
    let mut out = Vec::with_capacity(units * scheme.unit_size() + sequence.len());
    filled(scheme, width, at, last, &mut out);
    out.extend_from_slice(sequence);
    filled(scheme, width, units.saturating_sub(at), last, &mut out);
    out
}

/// A text of `chars` characters that both encodings of a pair have: runs of all kinds, mixed and
/// long.
pub fn sample(pair: &Pair, chars: usize, seed: u64) -> Vec<u8> {
    encode_all(pair.from.scheme, sample_chars(last_common(pair), chars, seed))
}

/// `chars` characters up to `last`: runs of all kinds, mixed and long.
pub fn sample_chars(last: char, chars: usize, seed: u64) -> Vec<char> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut out = Vec::new();
    while out.len() < chars {
        let width = rng.random_range(widths(last));
        let run = [1, 2, 5, 40][rng.random_range(0..4)];
        for _ in 0..run {
            out.push(character(width, rng.random_range(0..10_000), last));
        }
    }
    out.truncate(chars);
    out
}

/// Bytes next to every boundary in the syntax of UTF-8.
pub const EDGES: [u8; 27] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
];

/// Short sequences in `scheme`, ill-formed and well-formed: every sequence that its syntax
/// distinguishes.
pub fn sequences(scheme: Scheme) -> Vec<Vec<u8>> {
    match scheme {
        Scheme::Utf8 => utf8_sequences(),
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            [utf8_sequences(), pairs_in_utf8()].concat()
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => utf16_sequences(u16::to_le_bytes),
        Scheme::Utf16Be | Scheme::Wtf16Be => utf16_sequences(u16::to_be_bytes),
        Scheme::Utf32Le => utf32_sequences(u32::to_le_bytes),
        Scheme::Utf32Be => utf32_sequences(u32::to_be_bytes),
        _ => {
            let edges: &[u8] = &[0x00, 0x41, 0x7F, 0x80, 0xA0, 0xFF];
            strings(&[edges, edges], |byte| [byte])
        }
    }
}

/// All strings of one of each of `sets`, and of their beginnings.
fn strings<U: Copy, const N: usize>(sets: &[&[U]], bytes: fn(U) -> [u8; N]) -> Vec<Vec<u8>> {
    let (mut all, mut last) = (Vec::new(), vec![Vec::new()]);
    for set in sets {
        let longer = |start: &Vec<u8>| {
            let start = start.clone();
            set.iter().map(move |&unit| [&start[..], &bytes(unit)].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend_from_slice(&last);
    }
    all
}

fn utf8_sequences() -> Vec<Vec<u8>> {
    let second = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xFF];
    let later = [0x41, 0x80, 0xBF, 0xE1];
    let three = [0xC2, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF];
    let four = [0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8];
    let mut all = strings(&[&EDGES, &EDGES], |byte| [byte]);
    all.extend(strings(&[&three, &second, &later], |byte| [byte]));
    all.extend(strings(&[&four, &second, &later, &later], |byte| [byte]));
    // A character, and a continuation byte too many.
    for c in ["é", "€", "😀"] {
        all.push([c.as_bytes(), &[0x80]].concat());
    }
    all.sort();
    all.dedup();
    all
}

/// Three-byte surrogates: pairs, halves, with one ill-formed byte, and incomplete.
fn pairs_in_utf8() -> Vec<Vec<u8>> {
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
            for wrong in [0x00, 0x41, 0x80, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xE1, 0xED, 0xF0] {
                let mut pair = pair.clone();
                pair[at] = wrong;
                all.push(pair);
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

fn utf16_sequences(bytes: fn(u16) -> [u8; 2]) -> Vec<Vec<u8>> {
    let edges = [
        0x0000, 0x0041, 0x007F, 0x0080, 0x00D8, 0x00FF, 0x0100, 0x07FF, 0x0800, 0xD7FF, 0xD800,
        0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    ];
    let surrogates = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x0041];
    let mut all = strings(&[&edges, &edges], bytes);
    all.extend(strings(&[&surrogates, &surrogates, &surrogates], bytes));
    all.sort();
    all.dedup();
    all
}

fn utf32_sequences(bytes: fn(u32) -> [u8; 4]) -> Vec<Vec<u8>> {
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
    strings(&[&edges, &edges[5..16]], bytes)
}
