//! Latin-1 and ASCII as sources: bytes on either side of 80, C0 and FF at every position of a text,
//! at every alignment and for every size of output: every kernel, against the standard library.

use crate::common::api::{Pair, pairs};
use crate::common::checks::{
    check_capacities, check_into, check_len, check_transcode, check_validate,
};
use crate::common::shared;
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

/// Bytes on either side of every decision.
const BYTES: [u8; 8] = [0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xFE, 0xFF];

/// The pairs that read bytes.
fn from_bytes() -> impl Iterator<Item = &'static Pair> {
    pairs().iter().filter(|pair| ["Latin1", "Ascii"].contains(&pair.from.name))
}

/// A text of which every `distance`-th byte is an accented letter; none with 0.
fn text(len: usize, distance: usize) -> Vec<u8> {
    let byte = |i: usize| match i.checked_rem(distance) {
        Some(0) => [0xE9, 0xA0, 0xBF, 0xC0][i % 4],
        _ => b'a' + (i % 26) as u8,
    };
    (0..len).map(byte).collect()
}

/// One byte in ASCII, in a text longer than two blocks and in the rest after them.
#[test]
fn a_byte_at_every_offset() {
    for pair in from_bytes() {
        for at in shared("offsets", 0..260) {
            for byte in BYTES {
                let mut src = text(260, 0);
                src[at] = byte;
                check_into(pair, &src);
                check_into(pair, &src[at.saturating_sub(40)..]);
                check_into(pair, &src[..(at + 40).min(260)]);
            }
        }
    }
}

/// All lengths at all alignments, from ASCII to nothing but accented letters.
#[test]
fn every_length_and_alignment() {
    for pair in from_bytes() {
        for distance in [0, 1, 2, 7, 31, 70] {
            let src = text(300, distance);
            for len in shared("lengths", 0..230) {
                check_into(pair, &src[len % 67..][..len]);
                check_len(pair, &src[len % 67..][..len]);
            }
        }
    }
}

/// Every two bytes that differ in class, beside each other and on either side of the boundary of a
/// vector.
#[test]
fn pairs_of_bytes_at_boundaries() {
    for pair in from_bytes() {
        for (i, first) in BYTES.into_iter().enumerate() {
            for second in shared("bytes", BYTES.into_iter()) {
                for at in [0, 6, 7, 14, 15, 30, 31, 62, 63, 94, 126, 127] {
                    let mut src = text(130 + i, 0);
                    src[at] = first;
                    src[at + 1] = second;
                    check_into(pair, &src);
                }
            }
        }
    }
}

/// Outputs of every size, for texts of every density: the last character that fits lies anywhere in
/// a vector.
#[test]
fn every_capacity() {
    for pair in from_bytes() {
        for distance in [0, 1, 2, 3, 9] {
            for len in shared("lengths", (0..40).chain([63, 64, 65, 95, 97, 128, 160, 200])) {
                let src = text(len + 3, distance);
                check_capacities(pair, &src[len % 4..][..len]);
            }
        }
    }
}

/// Long texts: the boundaries of growing outputs, and of counters that are emptied at intervals.
#[test]
fn long_texts() {
    for pair in from_bytes() {
        for distance in [0, 1, 5, 100] {
            for len in shared("lengths", [2047, 2049, 4095, 4097, 9000, 40_000].into_iter()) {
                let src = text(len, distance);
                check_transcode(pair, &src);
                check_validate(pair.from, &src);
                check_len(pair, &src[1..]);
            }
        }
    }
}
