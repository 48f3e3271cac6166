//! Repair of UTF-16, and the check for Latin-1: every length, alignment and offset, compared with
//! the standard library.

use crate::common::api::Api;
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::repair::{check_bytes, check_utf16, repaired};
use crate::common::{sampled, sampled_if_slow};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Units at range boundaries, in the machine's byte order or in the other byte order.
const BOUNDARY_UNITS: [u16; 14] = [
    0x0041, 0x00FF, 0x0100, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0xFFFD,
    0x00D8, 0xD8DC,
];

/// Returns texts of `len` units: random mixtures of boundary units, of surrogates and of
/// well-formed units, and texts of surrogate pairs.
fn sources(len: usize) -> Vec<Vec<u16>> {
    let mut rng = StdRng::seed_from_u64(7);
    let mut random_text = |pool: &[u16]| -> Vec<u16> {
        (0..len).map(|_| pool[rng.random_range(0..pool.len())]).collect()
    };
    let repeat_text = |text: &str| -> Vec<u16> { text.encode_utf16().cycle().take(len).collect() };
    vec![
        random_text(&BOUNDARY_UNITS),
        random_text(&BOUNDARY_UNITS[4..10]),
        random_text(&[0xD800, 0xDC00]),
        random_text(&[0x41, 0xFF, 0x20AC]),
        random_text(&[0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0xD800, 0xDC00]),
        random_text(&[0x41, 0xFF]),
        repeat_text("😀"),
        repeat_text("a😀b😀😀"),
    ]
}

/// Lengths 0..=320 at 32 offsets of a text: all alignments, and blocks that begin at every offset.
#[test]
fn lengths_and_alignments() {
    for source in sources(400) {
        for len in sampled("lengths", 0..=320) {
            for offset in 0..32 {
                check_utf16(&source[offset..offset + len]);
            }
        }
    }
}

/// Texts as bytes in both byte orders: every length, at several alignments, with an incomplete unit
/// at the end and without.
#[test]
fn bytes_in_both_byte_orders() {
    for source in sources(320) {
        for len in sampled("lengths", 0..=320) {
            let src = &source[..len];
            let (want, repairs) = repaired(src);
            for &api in Api::all() {
                for is_big_endian in [false, true] {
                    for offset in [0, 1, 2, 7] {
                        for incomplete_unit in [None, Some(0xD8), Some(0)] {
                            check_bytes(
                                api,
                                src,
                                &want,
                                repairs,
                                (is_big_endian, offset, incomplete_unit),
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Lengths of texts, in units, around the boundaries of vectors and blocks.
const TEXT_LENGTHS: [usize; 17] =
    [1, 3, 7, 8, 9, 15, 16, 17, 31, 40, 63, 64, 65, 127, 130, 200, 258];

/// One replaced unit at every index of texts that are otherwise well-formed.
#[test]
fn one_unit_replaced_everywhere() {
    for len in sampled("lengths", TEXT_LENGTHS.into_iter()) {
        for text in ["a", "é€", "😀", "a😀", "ab€😀😀"] {
            let mut units: Vec<u16> = text.encode_utf16().cycle().take(len).collect();
            for index in sampled_if_slow("offsets", 0..len) {
                let others = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x0100, 0xFFFF];
                for unit in sampled_if_slow("units", others.into_iter()) {
                    let original = std::mem::replace(&mut units[index], unit);
                    check_utf16(&units);
                    units[index] = original;
                }
            }
        }
    }
}

/// All combinations of three boundary units around multiples of 8 units, after other text.
#[test]
fn three_boundary_units() {
    for front_len in
        sampled("offsets", (0..130).filter(|front_len| front_len % 8 < 2 || front_len % 8 > 4))
    {
        let combinations = 0..BOUNDARY_UNITS.len().pow(3);
        for combination in sampled_if_slow("combinations", combinations) {
            let [first, second] = [combination, combination / BOUNDARY_UNITS.len()]
                .map(|i| BOUNDARY_UNITS[i % BOUNDARY_UNITS.len()]);
            let mut units = vec![0x61; front_len];
            units.extend([
                first,
                second,
                BOUNDARY_UNITS[combination / BOUNDARY_UNITS.len() / BOUNDARY_UNITS.len()],
            ]);
            units.resize(units.len() + [0, 1, 64][combination % 3], 0x62);
            check_utf16(&units);
        }
    }
}

/// Returns the bytes of `units`.
#[cfg(unix)]
fn units_bytes_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: units have no padding, and may have any bits.
    unsafe { units.align_to_mut::<u8>() }.1
}

/// Texts that begin or end next to an inaccessible page, repaired in place, and repaired into an
/// output at such an address.
#[cfg(unix)]
#[test]
fn repairs_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(4096));
    for source in sources(400) {
        for len in sampled("lengths", 0..=320) {
            for at_end in [true, false] {
                let part = |memory: &mut Guarded| {
                    let bytes = if at_end { memory.last(2 * len) } else { memory.first(2 * len) };
                    let start = bytes.as_mut_ptr().cast::<u16>();
                    assert!(start.is_aligned());
                    // SAFETY: `start` is aligned, as asserted, and begins `2 * len` bytes. Units
                    // may have any bits. Nothing else refers to this memory.
                    unsafe { std::slice::from_raw_parts_mut(start, len) }
                };
                let (src, dst) = (part(&mut input), part(&mut output));
                src.copy_from_slice(&source[..len]);
                check_utf16(src);
                for &api in Api::all() {
                    src.copy_from_slice(&source[..len]);
                    let (written, repairs) = match api {
                        Api::Free => (
                            utflane::utf16::well_formed_into(src, dst).written,
                            utflane::utf16::make_well_formed(src),
                        ),
                        Api::On(kernel) => (
                            kernel.utf16_well_formed_into(src, dst).written,
                            kernel.utf16_make_well_formed(src),
                        ),
                    };
                    assert_eq!((written, &*src), (len, &*dst), "{api:?}");
                    let changed_units = src.iter().zip(&source).filter(|(a, b)| a != b).count();
                    assert_eq!(repairs, changed_units, "{api:?}");
                    let bytes = units_bytes_mut(dst);
                    for (unit, bytes) in source.iter().zip(bytes.chunks_exact_mut(2)) {
                        bytes.copy_from_slice(&unit.to_be_bytes());
                    }
                    let repairs = match api {
                        Api::Free => utflane::utf16::make_well_formed_be(bytes),
                        Api::On(kernel) => kernel.utf16_make_well_formed_be(bytes),
                    };
                    assert_eq!(repairs, changed_units, "{api:?}");
                    let is_same = src
                        .iter()
                        .zip(bytes.chunks_exact(2))
                        .all(|(unit, bytes)| unit.to_be_bytes() == bytes);
                    assert!(is_same, "{api:?}");
                }
            }
        }
    }
}
