//! One unit that differs from all others, at every position of texts of a few lengths. These are
//! small sets that run in full even where only a share of the large ones runs: a lane that no code
//! reads, or a vector loaded from a wrong address, shows here. Only where tests are very slow,
//! which a share of less than one in 61 indicates, every third position or fewer.

use std::cmp::Ordering;

use crate::common::api::{Codec, codecs, named, pairs};
use crate::common::calibration::every;
use crate::common::carriers::sample;
use crate::common::checks::{check_into, check_validate};
use crate::common::oracle::{encode, encode_all};
use crate::common::repair::repaired;
use crate::common::share;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Kernel, Scheme};

/// Characters that texts are made of. A vector of NULs that is loaded a few bytes off still holds
/// NULs.
const CARRIERS: [char; 4] = ['\0', 'a', 'é', '😀'];

/// Characters that stand among them.
const OTHERS: [char; 10] =
    ['\0', 'a', '\u{80}', 'ÿ', '\u{7FF}', '€', '\u{8080}', '\u{D7FF}', '\u{FFFF}', '😀'];

/// The target encodings.
const TARGETS: [&str; 7] = ["Utf8", "Utf16Le", "Utf32", "Latin1", "Ascii", "Cesu8", "Mutf8"];

/// Lengths in characters: about those of vectors and blocks, and some with much before the last of
/// them.
const LENGTHS: [usize; 11] = [3, 7, 8, 9, 16, 31, 40, 65, 100, 130, 200];

/// All positions, or as few of them as a very small share allows.
fn sampled<I: Iterator>(all: I) -> impl Iterator<Item = I::Item> {
    all.step_by(every(share()))
}

/// Texts of `len` characters with a different one at every position: any of them in short texts,
/// else one that walks through all characters of the list.
fn texts(scheme: Scheme, len: usize) -> Vec<Vec<u8>> {
    let in_scheme = |c: &char| encode(scheme, *c, &mut Vec::new());
    let others: Vec<char> = OTHERS.into_iter().filter(in_scheme).collect();
    let mut all = Vec::new();
    for carrier in CARRIERS.into_iter().filter(in_scheme) {
        for at in 0..len {
            let first = at + at / others.len() + len;
            for other in first..first + if len < 10 { others.len() } else { 1 } {
                let other = others[other % others.len()];
                let chars = (0..len).map(|i| if i == at { other } else { carrier });
                all.push(encode_all(scheme, chars));
            }
        }
    }
    all
}

#[test]
fn converted() {
    for codec in codecs().iter().filter(|codec| codec.name != "Utf16" && codec.name != "Utf32Le") {
        for len in LENGTHS {
            for src in sampled(texts(codec.scheme, len).into_iter()) {
                check_validate(codec, &src);
                for to in TARGETS {
                    check_into(named(codec.name, to), &src);
                }
            }
        }
    }
}

/// Texts of one kind of character up to some position, and of another after it.
#[test]
fn converted_where_the_kind_changes() {
    for codec in codecs().iter().filter(|codec| codec.name != "Utf16" && codec.name != "Utf32Le") {
        let in_scheme = |c: &char| encode(codec.scheme, *c, &mut Vec::new());
        for before in CARRIERS.into_iter().filter(in_scheme) {
            for after in CARRIERS.into_iter().filter(in_scheme).filter(|&c| c != before) {
                for len in [16, 40, 65, 130] {
                    for at in sampled(1..len) {
                        let text = (0..len).map(|i| if i < at { before } else { after });
                        let src = encode_all(codec.scheme, text);
                        for to in TARGETS {
                            check_into(named(codec.name, to), &src);
                        }
                    }
                }
            }
        }
    }
}

/// Mixtures of all characters that both sides have: whole, and with one unit or three units missing
/// somewhere.
#[test]
fn mixtures_converted() {
    for pair in pairs() {
        let size = pair.from.scheme.unit_size();
        let surrogates_in_bytes =
            [pair.from.name, pair.to.name].iter().any(|name| ["Cesu8", "Mutf8"].contains(name));
        for seed in sampled(0..if surrogates_in_bytes { 120 } else { 30 }) {
            let src = sample(pair, 20 + 17 * (seed % 40), seed as u64);
            check_into(pair, &src);
            for without in [1, 3] {
                for part in 0..3 {
                    let units = src.len() / size;
                    let at = (units * part / 3 + 7 * seed) % units;
                    let end = units.min(at + without);
                    check_into(pair, &[&src[..size * at], &src[size * end..]].concat());
                }
            }
        }
    }
}

/// Texts in which much is written differently in CESU-8 or Modified UTF-8 than in UTF-8, up to the
/// end, into outputs of exactly their size; and with a byte or an unpaired surrogate missing
/// somewhere.
#[test]
fn differences_up_to_the_end() {
    let patterns = ["😀é", "😀", "é😀a", "\0é😀", "\0", "\0\0\0\0\0a", "😀ééé\0€"];
    let (utf8_like, cesu8_like) = (["Utf8", "Wtf8"], ["Cesu8", "Mutf8"]);
    let ways = utf8_like.iter().flat_map(|a| cesu8_like.map(|b| (*a, b)));
    for (from, to) in ways.flat_map(|(a, b)| [(a, b), (b, a)]) {
        let pair = named(from, to);
        for pattern in patterns {
            for chars in sampled(20..260) {
                let src = encode_all(pair.from.scheme, pattern.chars().cycle().take(chars));
                check_into(pair, &src);
                let at = chars * 37 % src.len();
                for without in [1, 3] {
                    let end = src.len().min(at + without);
                    check_into(pair, &[&src[..at], &src[end..]].concat());
                }
                let src = [&src[..at], &[0xAF], &src[at..]].concat();
                check_into(pair, &src);
                check_validate(pair.from, &src);
            }
        }
    }
}

/// The same for longer texts in which such characters and others are mixed at random; also with a
/// continuation byte too many.
#[test]
fn differences_at_random() {
    let pools: [&[char]; 4] = [
        &['😀', char::MAX, 'é'],
        &['\0', '😀', 'a'],
        &['\0', 'é', '€'],
        &['😀', '😀', 'é', '\0', '€'],
    ];
    let mut rng = StdRng::seed_from_u64(0xED);
    for (from, to) in [("Utf8", "Cesu8"), ("Utf8", "Mutf8"), ("Cesu8", "Utf8"), ("Mutf8", "Utf8")] {
        let pair = named(from, to);
        for round in sampled(0..400) {
            let pool = pools[round % pools.len()];
            let len = rng.random_range(60..700);
            let chars: Vec<char> =
                (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect();
            let src = encode_all(pair.from.scheme, chars);
            check_into(pair, &src);
            check_validate(pair.from, &src);
            let at = rng.random_range(0..src.len() - 3);
            let after = [&src[at + 1..], &src[at + 3..], &[&[0xAF], &src[at..]].concat()];
            for after in after {
                let src = [&src[..at], after].concat();
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
    for codec in utf8_like() {
        for carrier in CARRIERS {
            for len in [9, 17, 33, 40, 64, 65, 100, 130, 200] {
                let mut src = encode_all(codec.scheme, [carrier].repeat(len));
                src.truncate(len);
                for at in sampled(0..len) {
                    let all = [0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xFF];
                    for byte in [all[at % all.len()], all[(at + at / 7 + 3) % all.len()]] {
                        let was = std::mem::replace(&mut src[at], byte);
                        check_validate(codec, &src);
                        for to in TARGETS {
                            check_into(named(codec.name, to), &src);
                        }
                        src[at] = was;
                    }
                }
            }
        }
    }
}

/// Characters that ASCII leaves incomplete: much ASCII after them, and other characters before.
#[test]
fn characters_cut_by_ascii() {
    for codec in utf8_like() {
        for carrier in ['é', '€', '😀'] {
            let text = encode_all(codec.scheme, [carrier].repeat(400));
            for at in sampled(0..400) {
                let src = [&text[..at], &[b'a'; 300]].concat();
                check_validate(codec, &src);
                for to in TARGETS {
                    check_into(named(codec.name, to), &src);
                }
            }
        }
    }
}

/// The encodings that have the syntax of UTF-8.
fn utf8_like() -> impl Iterator<Item = &'static Codec> {
    let names = ["Utf8", "Cesu8", "Mutf8", "Wtf8"];
    codecs().iter().filter(move |codec| names.contains(&codec.name))
}

/// Ill-formed units, or half of a well-formed sequence, in texts of up to some blocks.
#[test]
fn wrong_units_are_found() {
    for codec in codecs().iter().filter(|codec| codec.scheme.unit_size() > 1) {
        let units: &[u32] =
            if codec.scheme.unit_size() == 2 { &[0xD800, 0xDC00] } else { &[0xDFFF, 0x11_0000] };
        for carrier in CARRIERS {
            for len in [8, 40, 65, 130, 500] {
                let size = codec.scheme.unit_size();
                let text = encode_all(codec.scheme, [carrier].repeat(len));
                for (at, unit) in
                    sampled(0..text.len() / size).flat_map(|at| units.iter().map(move |u| (at, *u)))
                {
                    let mut src = text.clone();
                    src[size * at..][..size].copy_from_slice(&bytes_of(codec.scheme, unit));
                    check_validate(codec, &src);
                    for to in TARGETS.into_iter().filter(|_| len <= 130) {
                        check_into(named(codec.name, to), &src);
                    }
                }
            }
        }
    }
}

/// A unit of 16 or 32 bits in a byte order.
fn bytes_of(scheme: Scheme, unit: u32) -> Vec<u8> {
    let size = scheme.unit_size();
    match scheme {
        Scheme::Utf16Be | Scheme::Wtf16Be | Scheme::Utf32Be => {
            unit.to_be_bytes()[4 - size..].into()
        }
        _ => unit.to_le_bytes()[..size].into(),
    }
}

/// Two units beyond Latin-1 that have the same bits, and two beyond ASCII.
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

/// Unpaired surrogates, in texts long enough for all the methods that a repair alternates between.
#[test]
fn repaired_in_long_texts() {
    for len in [192, 700, 1300] {
        for carrier in ["a", "😀", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa😀"]
        {
            let text: Vec<u16> = carrier.encode_utf16().cycle().take(len).collect();
            for at in 0..len {
                let mut src = text.clone();
                src[at] = [0xD800, 0xDC00][(at + len) % 2];
                // And one after everything that is read because of the first.
                src[(at + 450) % len] = 0xDC00;
                let (want, repairs) = repaired(&src);
                for kernel in Kernel::available() {
                    let what = format!("{kernel}, unit {at} of {len}, {carrier}");
                    let mut dst = vec![0; len];
                    assert_eq!(
                        kernel.utf16_well_formed_into(&src, &mut dst).written,
                        len,
                        "{what}"
                    );
                    assert!(dst == want, "{what}");
                    dst.copy_from_slice(&src);
                    assert_eq!(kernel.utf16_make_well_formed(&mut dst), repairs, "{what}");
                    assert!(dst == want, "{what}");
                }
            }
        }
    }
}

/// Texts that differ in one unit.
#[test]
fn compared() {
    for len in [7, 33, 130, 520] {
        for carrier in ['\0', 'a'] {
            let text = vec![carrier as u16; len];
            for at in 0..len {
                for other in ['b' as u16, 0xD800, 0xFFFF] {
                    let mut larger = text.clone();
                    larger[at] = other;
                    for kernel in Kernel::available() {
                        let order = kernel.utf16_compare(&text, &larger);
                        assert_eq!(order, Ordering::Less, "{kernel}, unit {at} of {len}");
                        let order = kernel.utf16_compare(&larger, &text);
                        assert_eq!(order, Ordering::Greater, "{kernel}, unit {at} of {len}");
                    }
                }
            }
        }
    }
}

/// The positions of all code points in a text of UTF-16 that is longer than the segment counted at
/// once.
#[test]
fn code_points_of_long_utf16() {
    for text in ["a", "😀", "ab😀"].map(|text| text.repeat(6000 / text.len())) {
        let units: Vec<u16> = text.encode_utf16().collect();
        let mut starts: Vec<usize> = text
            .chars()
            .scan(0, |at, c| Some(std::mem::replace(at, *at + c.len_utf16())))
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
