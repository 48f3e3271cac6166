//! Latin-1 and ASCII as sources: bytes at the boundaries of ranges, such as 0x7F, 0x80 and 0xFF, at
//! every offset of a text, at every alignment, and with outputs of every size. Every kernel is
//! compared with the standard library.

use crate::common::checks::{
    check_capacities, check_into, check_len, check_transcode, check_validate,
};
use crate::common::pairs::{Pair, pairs};
use crate::common::sampled;
use utflane::{Ascii, Latin1, Utf8, Utf16, transcode};

#[test]
fn literal_cases() {
    let cases: [(&[u8], &str); 5] = [
        (b"", ""),
        (b"plain", "plain"),
        (b"caf\xE9", "café"),
        (b"\x7F\x80\xBF\xC0\xFF", "\u{7F}\u{80}\u{BF}\u{C0}\u{FF}"),
        (b"\xA0\xAD", "\u{A0}\u{AD}"),
    ];
    for (src, text) in cases {
        assert_eq!(transcode::<Latin1, Utf8>(src).as_deref(), Ok(text));
        assert_eq!(transcode::<Utf8, Latin1>(text.as_bytes()).as_deref(), Ok(src));
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(transcode::<Latin1, Utf16>(src).as_deref(), Ok(&*units));
        assert_eq!(utflane::is_valid::<Ascii>(src), text.is_ascii());
    }
    // The first character that the target lacks.
    let unmappable = transcode::<Utf8, Latin1>("é€".as_bytes()).unwrap_err();
    assert_eq!((unmappable.valid_up_to(), unmappable.error_len()), (2, Some(3)));
    let unmappable = transcode::<Latin1, Ascii>(b"caf\xE9").unwrap_err();
    assert_eq!((unmappable.valid_up_to(), unmappable.error_len()), (3, Some(1)));
}

/// Bytes on both sides of every range boundary that a conversion tests.
const BOUNDARY_BYTES: [u8; 8] = [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xFE, 0xFF];

/// Returns the pairs whose source is Latin-1 or ASCII.
fn single_byte_pairs() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Latin1", "Ascii"].contains(&pair.from.name))
}

/// Returns a text in which every `distance`-th byte is beyond ASCII. If `distance` is 0, all bytes
/// are ASCII.
fn make_text(len: usize, distance: usize) -> Vec<u8> {
    let byte = |i: usize| match i.checked_rem(distance) {
        Some(0) => [0xE9, 0xA0, 0xBF, 0xC0][i % 4],
        _ => b'a' + (i % 26) as u8,
    };
    (0..len).map(byte).collect()
}

/// Each boundary byte at every offset of an ASCII text that is longer than four blocks, and near
/// the start or the end of a shorter text.
#[test]
fn a_byte_at_every_offset() {
    for pair in single_byte_pairs() {
        for offset in sampled("offsets", 0..260) {
            for byte in BOUNDARY_BYTES {
                let mut src = make_text(260, 0);
                src[offset] = byte;
                check_into(pair, &src);
                check_into(pair, &src[offset.saturating_sub(40)..]);
                check_into(pair, &src[..(offset + 40).min(260)]);
            }
        }
    }
}

/// Texts of all lengths at all alignments, from ASCII to only bytes beyond ASCII.
#[test]
fn every_length_and_alignment() {
    for pair in single_byte_pairs() {
        for distance in [0, 1, 2, 7, 31, 70] {
            let src = make_text(300, distance);
            for len in sampled("lengths", 0..230) {
                check_into(pair, &src[len % 67..][..len]);
                check_len(pair, &src[len % 67..][..len]);
            }
        }
    }
}

/// Every pair of boundary bytes, next to each other, also across the boundary of a vector.
#[test]
fn pairs_of_bytes_at_boundaries() {
    for pair in single_byte_pairs() {
        for (i, first) in BOUNDARY_BYTES.into_iter().enumerate() {
            for second in sampled("bytes", BOUNDARY_BYTES.into_iter()) {
                for offset in [0, 6, 7, 14, 15, 30, 31, 62, 63, 94, 126, 127] {
                    let mut src = make_text(130 + i, 0);
                    src[offset] = first;
                    src[offset + 1] = second;
                    check_into(pair, &src);
                }
            }
        }
    }
}

/// Outputs of every size, for texts with few and with many bytes beyond ASCII. Over all cases, the
/// last character that fits is at each offset of a vector.
#[test]
fn every_capacity() {
    for pair in single_byte_pairs() {
        for distance in [0, 1, 2, 3, 9] {
            for len in sampled("lengths", (0..40).chain([63, 64, 65, 95, 97, 128, 160, 200])) {
                let src = make_text(len + 3, distance);
                check_capacities(pair, &src[len % 4..][..len]);
            }
        }
    }
}

/// Texts so long that outputs grow, and that counters in 8-bit lanes are added up before the end,
/// because they would overflow.
#[test]
fn long_texts() {
    for pair in single_byte_pairs() {
        for distance in [0, 1, 5, 100] {
            for len in sampled("lengths", [2047, 2049, 4095, 4097, 9000, 40_000].into_iter()) {
                let src = make_text(len, distance);
                check_transcode(pair, &src);
                check_validate(pair.from, &src);
                check_len(pair, &src[1..]);
            }
        }
    }
}
