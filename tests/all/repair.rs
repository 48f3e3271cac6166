//! Repair of UTF-16, and the Latin-1 check: every length, alignment and position, against the
//! standard library.

use crate::common::api::Api;
#[cfg(unix)]
use crate::common::guard::Guarded;
use crate::common::repair::{check_bytes, check_utf16, repaired};
use crate::common::shared;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Units at which decisions change, in the machine's byte order or the other.
const EDGES: [u16; 14] = [
    0x0041, 0x00FF, 0x0100, 0xD7FF, 0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDE00, 0xDFFF, 0xE000, 0xFFFD,
    0x00D8, 0xD8DC,
];

/// Texts of `units` units: random mixtures of edges, of surrogates and of well-formed units, and
/// texts of pairs.
fn sources(units: usize) -> Vec<Vec<u16>> {
    let mut rng = StdRng::seed_from_u64(7);
    let mut anything = |pool: &[u16]| -> Vec<u16> {
        (0..units).map(|_| pool[rng.random_range(0..pool.len())]).collect()
    };
    let pairs = |text: &str| -> Vec<u16> { text.encode_utf16().cycle().take(units).collect() };
    vec![
        anything(&EDGES),
        anything(&EDGES[4..10]),
        anything(&[0xD800, 0xDC00]),
        anything(&[0x41, 0xFF, 0x20AC]),
        anything(&[0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0x41, 0xD800, 0xDC00]),
        anything(&[0x41, 0xFF]),
        pairs("😀"),
        pairs("a😀b😀😀"),
    ]
}

/// Lengths 0..=320 at 32 positions of a text: all alignments, and blocks that begin at every
/// offset.
#[test]
fn lengths_and_alignments() {
    for source in sources(400) {
        for len in shared("lengths", 0..=320) {
            for offset in 0..32 {
                check_utf16(&source[offset..offset + len]);
            }
        }
    }
}

/// Both byte orders as bytes: every length, at several alignments, with an incomplete unit at the
/// end or without.
#[test]
fn bytes_of_either_order() {
    for source in sources(320) {
        for len in shared("lengths", 0..=320) {
            let src = &source[..len];
            let (want, repairs) = repaired(src);
            for &api in Api::all() {
                for big in [false, true] {
                    for offset in [0, 1, 2, 7] {
                        for half in [None, Some(0xD8), Some(0)] {
                            check_bytes(api, src, &want, repairs, (big, offset, half));
                        }
                    }
                }
            }
        }
    }
}

/// Lengths about the boundaries of vectors and blocks.
const LENGTHS: [usize; 17] = [1, 3, 7, 8, 9, 15, 16, 17, 31, 40, 63, 64, 65, 127, 130, 200, 258];

/// Any unit at any position of texts that are otherwise well-formed.
#[test]
fn one_unit_replaced_everywhere() {
    for len in shared("lengths", LENGTHS.into_iter()) {
        for text in ["a", "é€", "😀", "a😀", "ab€😀😀"] {
            let mut units: Vec<u16> = text.encode_utf16().cycle().take(len).collect();
            for at in 0..len {
                for unit in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x0100, 0xFFFF] {
                    let was = std::mem::replace(&mut units[at], unit);
                    check_utf16(&units);
                    units[at] = was;
                }
            }
        }
    }
}

/// Three edges at every boundary of a block, after other text.
#[test]
fn three_byte_sequences_at_boundaries() {
    for at in shared("offsets", (0..130).filter(|at| at % 8 < 2 || at % 8 > 4)) {
        for edges in 0..EDGES.len().pow(3) {
            let [first, second] = [edges, edges / EDGES.len()].map(|i| EDGES[i % EDGES.len()]);
            let mut units = vec![0x61; at];
            units.extend([first, second, EDGES[edges / EDGES.len() / EDGES.len()]]);
            units.resize(units.len() + [0, 1, 64][edges % 3], 0x62);
            check_utf16(&units);
        }
    }
}

/// The bytes of `units`.
#[cfg(unix)]
fn units_bytes_mut(units: &mut [u16]) -> &mut [u8] {
    // SAFETY: units have no padding, and may have any bits.
    unsafe { units.align_to_mut::<u8>() }.1
}

/// Texts that begin and end at the boundaries of memory: in place, and from one such address to
/// another.
#[cfg(unix)]
#[test]
fn repairs_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(4096));
    for source in sources(400) {
        for len in shared("lengths", 0..=320) {
            for at_end in [true, false] {
                let part = |memory: &mut Guarded| {
                    let bytes = if at_end { memory.last(2 * len) } else { memory.first(2 * len) };
                    let start = bytes.as_mut_ptr().cast::<u16>();
                    assert!(start.is_aligned());
                    // SAFETY: pages are aligned, and units may have any bits; nothing else has this
                    // memory.
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
                    let changed = src.iter().zip(&source).filter(|(a, b)| a != b).count();
                    assert_eq!(repairs, changed, "{api:?}");
                    let bytes = units_bytes_mut(dst);
                    for (unit, bytes) in source.iter().zip(bytes.chunks_exact_mut(2)) {
                        bytes.copy_from_slice(&unit.to_be_bytes());
                    }
                    let repairs = match api {
                        Api::Free => utflane::utf16::make_well_formed_be(bytes),
                        Api::On(kernel) => kernel.utf16_make_well_formed_be(bytes),
                    };
                    assert_eq!(repairs, changed, "{api:?}");
                    let same = src
                        .iter()
                        .zip(bytes.chunks_exact(2))
                        .all(|(unit, bytes)| unit.to_be_bytes() == bytes);
                    assert!(same, "{api:?}");
                }
            }
        }
    }
}
