//! One unit that differs from all others, at every offset of texts of a few lengths. These tests
//! find a lane that no code reads, and a vector that is loaded from a wrong address. Their sets are
//! small, and run in full even if only a share of the large sets runs. If less than one input in 61
//! of the large sets runs, which shows that tests are very slow, at most every third offset is
//! tested, and targets are sampled.

use std::cmp::Ordering;

use crate::common::api::{Codec, codecs};
use crate::common::calibration::small_set_interval;
use crate::common::carriers::sample;
use crate::common::checks::{check_into, check_validate};
use crate::common::oracle::{encode, encode_all};
use crate::common::pairs::{pair_named, pairs};
use crate::common::repair::repaired;
use crate::common::{sampled_if_slow, sampling_interval};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Kernel, Scheme};

/// The characters of which texts consist. NULs alone are not enough: a vector of NULs that is
/// loaded a few bytes off still holds NULs.
const CARRIERS: [char; 4] = ['\0', 'a', 'é', '😀'];

/// The characters that replace one character of a text.
const OTHERS: [char; 10] =
    ['\0', 'a', '\u{80}', 'ÿ', '\u{7FF}', '€', '\u{8080}', '\u{D7FF}', '\u{FFFF}', '😀'];

/// The target encodings.
const TARGETS: [&str; 7] = ["Utf8", "Utf16Le", "Utf32", "Latin1", "Ascii", "Cesu8", "Mutf8"];

/// The lengths of texts, in characters: around the lengths of vectors and blocks, and some with
/// several vectors or blocks before the last one.
const TEXT_LENGTHS: [usize; 11] = [3, 7, 8, 9, 16, 31, 40, 65, 100, 130, 200];

/// Returns all members of `all`, or only some if tests are very slow.
fn sampled_small_set<I: Iterator>(all: I) -> impl Iterator<Item = I::Item> {
    all.step_by(small_set_interval(sampling_interval()))
}

/// Returns texts of `len` characters with another character at every index: the first of the
/// characters, the index, and the other character. Short texts have each of [`OTHERS`] at each
/// index. Longer texts have one of them, a different one for each index.
fn texts(scheme: Scheme, len: usize) -> Vec<(char, usize, char)> {
    let in_scheme = |c: &char| encode(scheme, *c, &mut Vec::new());
    let others: Vec<char> = OTHERS.into_iter().filter(in_scheme).collect();
    let mut all = Vec::new();
    for carrier in CARRIERS.into_iter().filter(in_scheme) {
        for index in 0..len {
            let first = index + index / others.len() + len;
            for other in first..first + if len < 10 { others.len() } else { 1 } {
                all.push((carrier, index, others[other % others.len()]));
            }
        }
    }
    all
}

#[test]
fn conversions() {
    for codec in codecs().iter().filter(|codec| codec.name != "Utf16" && codec.name != "Utf32Le") {
        for len in TEXT_LENGTHS {
            for (carrier, index, other) in sampled_small_set(texts(codec.scheme, len).into_iter()) {
                let chars = (0..len).map(|i| if i == index { other } else { carrier });
                let src = encode_all(codec.scheme, chars);
                check_validate(codec, &src);
                for to in sampled_if_slow("targets", TARGETS.into_iter()) {
                    check_into(pair_named(codec.name, to), &src);
                }
            }
        }
    }
}

/// Texts of one character up to some index, and of another character from there on.
#[test]
fn conversions_where_the_character_changes() {
    for codec in codecs().iter().filter(|codec| codec.name != "Utf16" && codec.name != "Utf32Le") {
        let in_scheme = |c: &char| encode(codec.scheme, *c, &mut Vec::new());
        for front_char in CARRIERS.into_iter().filter(in_scheme) {
            for back_char in CARRIERS.into_iter().filter(in_scheme).filter(|&c| c != front_char) {
                for len in [16, 40, 65, 130] {
                    for boundary in sampled_small_set(1..len) {
                        let text =
                            (0..len).map(|i| if i < boundary { front_char } else { back_char });
                        let src = encode_all(codec.scheme, text);
                        for to in sampled_if_slow("targets", TARGETS.into_iter()) {
                            check_into(pair_named(codec.name, to), &src);
                        }
                    }
                }
            }
        }
    }
}

/// Mixtures of all characters that both encodings have: complete, and with one unit or three units
/// missing.
#[test]
fn conversions_of_mixtures() {
    for pair in pairs() {
        let size = pair.from.scheme.unit_size();
        let has_surrogates_in_bytes =
            [pair.from.name, pair.to.name].iter().any(|name| ["Cesu8", "Mutf8"].contains(name));
        for seed in sampled_small_set(0..if has_surrogates_in_bytes { 120 } else { 30 }) {
            let src = sample(pair, 20 + 17 * (seed % 40), seed as u64);
            check_into(pair, &src);
            for missing_units in [1, 3] {
                for part in sampled_if_slow("parts", 0..3) {
                    let units = src.len() / size;
                    let start = (units * part / 3 + 7 * seed) % units;
                    let end = units.min(start + missing_units);
                    check_into(pair, &[&src[..size * start], &src[size * end..]].concat());
                }
            }
        }
    }
}

/// Texts with many characters, up to the end, whose bytes in CESU-8 or Modified UTF-8 differ from
/// UTF-8, converted into outputs of exactly the right size. The texts are complete, or one or three
/// bytes are missing, or one byte is inserted.
#[test]
fn characters_unlike_utf8_up_to_the_end() {
    let patterns = ["😀é", "😀", "é😀a", "\0é😀", "\0", "\0\0\0\0\0a", "😀ééé\0€"];
    let (utf8_like, cesu8_like) = (["Utf8", "Wtf8"], ["Cesu8", "Mutf8"]);
    let encodings = utf8_like.iter().flat_map(|a| cesu8_like.map(|b| (*a, b)));
    for (from, to) in encodings.flat_map(|(a, b)| [(a, b), (b, a)]) {
        let pair = pair_named(from, to);
        for pattern in patterns {
            for chars in sampled_small_set(20..260) {
                let src = encode_all(pair.from.scheme, pattern.chars().cycle().take(chars));
                check_into(pair, &src);
                let offset = chars * 37 % src.len();
                for missing_bytes in sampled_if_slow("missing bytes", [1, 3].into_iter()) {
                    let end = src.len().min(offset + missing_bytes);
                    check_into(pair, &[&src[..offset], &src[end..]].concat());
                }
                let src = [&src[..offset], &[0xAF], &src[offset..]].concat();
                check_into(pair, &src);
                check_validate(pair.from, &src);
            }
        }
    }
}

/// Random mixtures of such characters and others, in longer texts. Bytes are missing, or a
/// continuation byte is inserted.
#[test]
fn random_characters_unlike_utf8() {
    let pools: [&[char]; 4] = [
        &['😀', char::MAX, 'é'],
        &['\0', '😀', 'a'],
        &['\0', 'é', '€'],
        &['😀', '😀', 'é', '\0', '€'],
    ];
    let mut rng = StdRng::seed_from_u64(0xED);
    for (from, to) in [("Utf8", "Cesu8"), ("Utf8", "Mutf8"), ("Cesu8", "Utf8"), ("Mutf8", "Utf8")] {
        let pair = pair_named(from, to);
        for round in sampled_small_set(0..400) {
            let pool = pools[round % pools.len()];
            let len = rng.random_range(60..700);
            let chars: Vec<char> =
                (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect();
            let src = encode_all(pair.from.scheme, chars);
            check_into(pair, &src);
            check_validate(pair.from, &src);
            let offset = rng.random_range(0..src.len() - 3);
            let after =
                [&src[offset + 1..], &src[offset + 3..], &[&[0xAF], &src[offset..]].concat()];
            for after in after {
                let src = [&src[..offset], after].concat();
                check_into(pair, &src);
                check_validate(pair.from, &src);
            }
        }
    }
}

/// Single bytes that are ill-formed in UTF-8, CESU-8, Modified UTF-8 or WTF-8, by themselves or
/// with their neighbours.
#[test]
fn wrong_bytes_are_found() {
    for codec in utf8_like_codecs() {
        for carrier in CARRIERS {
            for len in [9, 17, 33, 40, 64, 65, 100, 130, 200] {
                let mut src = encode_all(codec.scheme, [carrier].repeat(len));
                src.truncate(len);
                for offset in sampled_small_set(0..len) {
                    let wrong_bytes = [0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xFF];
                    for byte in [
                        wrong_bytes[offset % wrong_bytes.len()],
                        wrong_bytes[(offset + offset / 7 + 3) % wrong_bytes.len()],
                    ] {
                        let original = std::mem::replace(&mut src[offset], byte);
                        check_validate(codec, &src);
                        for to in sampled_if_slow("targets", TARGETS.into_iter()) {
                            check_into(pair_named(codec.name, to), &src);
                        }
                        src[offset] = original;
                    }
                }
            }
        }
    }
}

/// Text that is cut at any byte, and much ASCII after it, so that the last character before ASCII
/// may be incomplete.
#[test]
fn incomplete_characters_before_ascii() {
    for codec in utf8_like_codecs() {
        for carrier in ['é', '€', '😀'] {
            let text = encode_all(codec.scheme, [carrier].repeat(400));
            for len in sampled_small_set(0..400) {
                let src = [&text[..len], &[b'a'; 300]].concat();
                check_validate(codec, &src);
                for to in sampled_if_slow("targets", TARGETS.into_iter()) {
                    check_into(pair_named(codec.name, to), &src);
                }
            }
        }
    }
}

/// Returns the encodings that have the syntax of UTF-8.
fn utf8_like_codecs() -> impl Iterator<Item = &'static Codec> {
    let names = ["Utf8", "Cesu8", "Mutf8", "Wtf8"];
    codecs().iter().filter(move |codec| names.contains(&codec.name))
}

/// Ill-formed units, or halves of a surrogate pair, in texts of up to a few blocks.
#[test]
fn wrong_units_are_found() {
    for codec in codecs().iter().filter(|codec| codec.scheme.unit_size() > 1) {
        let units: &[u32] =
            if codec.scheme.unit_size() == 2 { &[0xD800, 0xDC00] } else { &[0xDFFF, 0x11_0000] };
        for carrier in CARRIERS {
            for len in [8, 40, 65, 130, 500] {
                let size = codec.scheme.unit_size();
                let text = encode_all(codec.scheme, [carrier].repeat(len));
                for (index, unit) in sampled_small_set(0..text.len() / size).flat_map(|index| {
                    sampled_if_slow("wrong units", units.iter()).map(move |u| (index, *u))
                }) {
                    let mut src = text.clone();
                    src[size * index..][..size].copy_from_slice(&unit_bytes(codec.scheme, unit));
                    check_validate(codec, &src);
                    let targets = TARGETS.into_iter().filter(|_| len <= 130);
                    for to in sampled_if_slow("targets", targets) {
                        check_into(pair_named(codec.name, to), &src);
                    }
                }
            }
        }
    }
}

/// Returns the bytes of a unit of 16 or 32 bits, in the byte order of `scheme`.
fn unit_bytes(scheme: Scheme, unit: u32) -> Vec<u8> {
    let size = scheme.unit_size();
    match scheme {
        Scheme::Utf16Be | Scheme::Wtf16Be | Scheme::Utf32Be => {
            unit.to_be_bytes()[4 - size..].into()
        }
        _ => unit.to_le_bytes()[..size].into(),
    }
}

/// Two equal units beyond Latin-1, and two equal units beyond ASCII.
#[test]
fn two_units_beyond_latin1_and_ascii() {
    for len in 1..=40 {
        for first in 0..len {
            for second in first..len {
                let mut units = vec![0x41; len];
                units[first] = 0x100;
                units[second] = 0x100;
                for kernel in Kernel::available() {
                    assert!(!kernel.utf16_fits_latin1(&units), "{kernel} of {units:04X?}");
                }
                units[first] = 0x80;
                units[second] = 0x80;
                for kernel in Kernel::available() {
                    assert!(kernel.utf16_fits_latin1(&units), "{kernel} of {units:04X?}");
                    assert!(!kernel.utf16_fits_ascii(&units), "{kernel} of {units:04X?}");
                }
            }
        }
    }
}

/// Unpaired surrogates, in texts that are long enough for a repair to use each of its algorithms.
#[test]
fn repairs_in_long_texts() {
    for len in [192, 700, 1300] {
        for carrier in ["a", "😀", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa😀"]
        {
            let text: Vec<u16> = carrier.encode_utf16().cycle().take(len).collect();
            for index in sampled_if_slow("units", 0..len) {
                let mut src = text.clone();
                src[index] = [0xD800, 0xDC00][(index + len) % 2];
                // A second unpaired surrogate, after all units that are read because of the first.
                src[(index + 450) % len] = 0xDC00;
                let (want, repairs) = repaired(&src);
                for kernel in Kernel::available() {
                    let context = format!("{kernel}, unit {index} of {len}, {carrier}");
                    let mut dst = vec![0; len];
                    assert_eq!(
                        kernel.utf16_well_formed_into(&src, &mut dst).written,
                        len,
                        "{context}"
                    );
                    assert!(dst == want, "{context}");
                    dst.copy_from_slice(&src);
                    assert_eq!(kernel.utf16_make_well_formed(&mut dst), repairs, "{context}");
                    assert!(dst == want, "{context}");
                }
            }
        }
    }
}

/// Texts that differ in one unit.
#[test]
fn comparisons() {
    for len in [7, 33, 130, 520] {
        for carrier in ['\0', 'a'] {
            let text = vec![carrier as u16; len];
            for index in 0..len {
                for other in ['b' as u16, 0xD800, 0xFFFF] {
                    let mut larger = text.clone();
                    larger[index] = other;
                    for kernel in Kernel::available() {
                        let order = kernel.utf16_compare(&text, &larger);
                        assert_eq!(order, Ordering::Less, "{kernel}, unit {index} of {len}");
                        let order = kernel.utf16_compare(&larger, &text);
                        assert_eq!(order, Ordering::Greater, "{kernel}, unit {index} of {len}");
                    }
                }
            }
        }
    }
}

/// The offsets of all code points in UTF-16 that is longer than the segment that is counted at
/// once.
#[test]
fn code_points_of_long_utf16() {
    for text in ["a", "😀", "ab😀"].map(|text| text.repeat(6000 / text.len())) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut starts: Vec<usize> = text
            .chars()
            .scan(0, |offset, c| Some(std::mem::replace(offset, *offset + c.len_utf16())))
            .collect();
        starts.push(units.len());
        for (n, &start) in starts.iter().enumerate() {
            for kernel in Kernel::available() {
                let got = kernel.utf16_offset_of(&units, n);
                assert_eq!(got, Some(start), "{kernel}, code point {n} of {}", units.len());
            }
        }
        for kernel in Kernel::available() {
            assert_eq!(kernel.utf16_offset_of(&units, starts.len()), None, "{kernel}");
        }
    }
}
