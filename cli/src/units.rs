//! Counts line feeds, code points and UTF-16 units of bytes in an encoding that is chosen at run
//! time. All offsets are in bytes.
//!
//! Counts add up: the count of a text, well-formed or not, is the sum of the counts of its parts if
//! each part ends at a boundary ([`floor_boundary`]). An incomplete code unit is not counted.

use memchr::{memchr_iter, memrchr_iter};
use utflane::{Repair, Scheme, Stop, utf8};

/// The size in bytes of the largest code unit. It is a multiple of the sizes of all code units.
pub(crate) const MAX_UNIT_BYTES: usize = 4;

/// The length in bytes of the longest sequence, well-formed or not: a surrogate pair in CESU-8 or
/// in WTF-8.
pub(crate) const MAX_SEQUENCE_BYTES: usize = 6;

/// Returns the number of code points in `bytes`.
pub(crate) fn code_points(scheme: Scheme, bytes: &[u8]) -> u64 {
    scheme.count(bytes) as u64
}

/// Returns the number of code points in `bytes`, where each ill-formed sequence counts as one code
/// point. The end of `bytes` must be a boundary in the whole text.
pub(crate) fn repaired_code_points(scheme: Scheme, bytes: &[u8]) -> u64 {
    let utf32_len = scheme.measure_lossy(bytes, Scheme::Utf32Le, Repair::REPLACE).len;
    let count = (utf32_len / Scheme::Utf32Le.unit_size()) as u64;
    count + sequences_after_high_surrogate(scheme, bytes)
}

/// Returns the number of ill-formed sequences that follow a high surrogate at the end of `bytes` in
/// CESU-8 or Modified UTF-8: the first one or two bytes of a low surrogate. The end of `bytes` must
/// be a boundary in the whole text.
///
/// A count of `bytes` alone misses these sequences: at the end of a text, an incomplete low
/// surrogate belongs to the sequence of the high surrogate before it.
pub(crate) fn sequences_after_high_surrogate(scheme: Scheme, bytes: &[u8]) -> u64 {
    match (scheme, bytes) {
        (Scheme::Cesu8 | Scheme::Mutf8, [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED]) => 1,
        // Each of the two bytes of the low surrogate is an ill-formed sequence.
        (
            Scheme::Cesu8 | Scheme::Mutf8,
            [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF],
        ) => 2,
        _ => 0,
    }
}

/// Returns the last boundary at or before `at`: a byte offset where a character or an ill-formed
/// sequence begins. `at` must be between two code units, and `bytes` must begin at a boundary.
/// There is one exception: the offset between 0xED and a continuation byte is not returned, even if
/// the continuation byte is a separate sequence.
pub(crate) fn floor_boundary(scheme: Scheme, bytes: &[u8], at: usize) -> usize {
    let is_surrogate = |unit: Option<&[u8]>, high_byte: usize, tag: u8| {
        unit.is_some_and(|unit| unit[high_byte] & 0xFC == tag)
    };
    let is_inside_pair = |high_byte| {
        at >= 2
            && is_surrogate(bytes.get(at..at + 2), high_byte, 0xDC)
            && is_surrogate(bytes.get(at - 2..at), high_byte, 0xD8)
    };
    match scheme {
        Scheme::Utf8 => utf8::floor_boundary(bytes, at),
        Scheme::Utf16Le | Scheme::Wtf16Le if is_inside_pair(1) => at - 2,
        Scheme::Utf16Be | Scheme::Wtf16Be if is_inside_pair(0) => at - 2,
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            // The search begins at the lowest offset, so it finds a sequence that begins with a
            // high surrogate before a sequence that might begin with the low surrogate.
            let covers_offset = |&start: &usize| {
                let len = match bytes[start] {
                    0x80..=0xBF => 0,
                    0xED if is_continuation(bytes.get(start + 1)) => {
                        sequence_len(scheme, &bytes[start..]).max(2)
                    }
                    _ => sequence_len(scheme, &bytes[start..]),
                };
                start + len > at
            };
            (at.saturating_sub(MAX_SEQUENCE_BYTES - 1)..at).find(covers_offset).unwrap_or(at)
        }
        _ => at,
    }
}

fn is_continuation(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte & 0xC0 == 0x80)
}

/// Returns a boundary in the first `len` bytes of `bytes` that stays a boundary if any other bytes
/// follow these.
pub(crate) fn stable_boundary(scheme: Scheme, bytes: &[u8], len: usize) -> usize {
    let limit = len.saturating_sub(MAX_SEQUENCE_BYTES);
    // `floor_boundary` needs an offset between two code units.
    floor_boundary(scheme, bytes, limit - limit % MAX_UNIT_BYTES)
}

/// Returns the length in bytes of the character or ill-formed sequence at the start of `bytes`.
fn sequence_len(scheme: Scheme, bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(MAX_SEQUENCE_BYTES)];
    let progress = scheme.transcode_into(bytes, Scheme::Utf32Le, &mut [0; 4]);
    match progress.stop {
        Stop::Error(error) if progress.read == 0 => error.error_len().unwrap_or(bytes.len()),
        _ => progress.read,
    }
}

/// Returns the number of UTF-16 code units to which `bytes` would be converted.
pub(crate) fn utf16_units(scheme: Scheme, bytes: &[u8]) -> u64 {
    let utf16_len = scheme.len(bytes, Scheme::Utf16Le);
    (utf16_len / Scheme::Utf16Le.unit_size()) as u64
}

/// Returns the number of line feeds in `bytes`, which must begin with a whole code unit.
pub(crate) fn line_feeds(scheme: Scheme, bytes: &[u8]) -> u64 {
    let offsets = memchr_iter(b'\n', bytes);
    let count = match scheme.unit_size() {
        1 => offsets.count(), // faster than any filter
        _ => offsets.filter(|&at| is_line_feed(scheme, bytes, at)).count(),
    };
    count as u64
}

/// Returns the byte offset after the last line feed in `bytes`, if there is a line feed.
pub(crate) fn after_last_line_feed(scheme: Scheme, bytes: &[u8]) -> Option<usize> {
    let size = scheme.unit_size();
    let at = memrchr_iter(b'\n', bytes).find(|&at| is_line_feed(scheme, bytes, at))?;
    Some(at - at % size + size)
}

/// Returns the byte offset of the first line feed in `bytes`, if there is a line feed. An
/// incomplete code unit is not a line feed.
pub(crate) fn first_line_feed(scheme: Scheme, bytes: &[u8]) -> Option<usize> {
    let at = memchr_iter(b'\n', bytes).find(|&at| is_line_feed(scheme, bytes, at))?;
    Some(at - at % scheme.unit_size())
}

/// Returns true if the byte 0x0A at `at` belongs to the code unit 0x000A, and not to another code
/// unit.
fn is_line_feed(scheme: Scheme, bytes: &[u8], at: usize) -> bool {
    let size = scheme.unit_size();
    let low_byte = match scheme {
        Scheme::Utf16Be | Scheme::Utf32Be | Scheme::Wtf16Be => size - 1,
        _ => 0,
    };
    // The size is a power of two. A division would take longer than the rest of this function.
    let start = at & !(size - 1);
    at - start == low_byte
        && bytes.get(start..start + size).is_some_and(|unit| {
            unit.iter().enumerate().all(|(i, &byte)| i == low_byte || byte == 0)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_is_a_whole_unit() {
        for (scheme, bytes, feeds, last) in [
            (Scheme::Utf8, &b"a\nb\n\nc"[..], 3, Some(5)),
            (Scheme::Utf16Le, b"\n\0\n\n\0\n", 1, Some(2)),
            (Scheme::Utf16Be, b"\0\n\n\n\n\0", 1, Some(2)),
            (Scheme::Utf16Le, b"\n", 0, None),
            (Scheme::Utf32Le, b"\n\0\0\0\n\0\x01\0\0\n\0\0", 1, Some(4)),
            (Scheme::Utf32Be, b"\0\0\n\n\0\0\n\0\0\0\0\n", 1, Some(12)),
        ] {
            assert_eq!(line_feeds(scheme, bytes), feeds, "{scheme} {bytes:X?}");
            assert_eq!(after_last_line_feed(scheme, bytes), last, "{scheme} {bytes:X?}");
            assert_eq!(first_line_feed(scheme, bytes).is_some(), last.is_some());
        }
    }

    #[test]
    fn counts_of_parts_add_up_at_boundaries() {
        for (scheme, bytes) in [
            (Scheme::Utf8, &b"a\xE2\x82\x82\xFF\x80\xF0\x9F\x98\x80\xE2\x82\x41\x80\xC3"[..]),
            (Scheme::Utf16Le, b"\x3D\xD8\x3D\xD8\0\xDE\0\xDEa\0\x3D\xD8"),
            (Scheme::Utf16Be, b"\xD8\x3D\xD8\x3D\xDE\0\xDE\0\0a\xD8\x3D"),
            (Scheme::Utf32Le, b"\0\xD8\0\0a\0\0\0\xFF\xFF\xFF\xFF"),
            (Scheme::Ascii, b"a\xFFb\x80"),
            (
                Scheme::Cesu8,
                b"a\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xED\xA0\xED\xB8\x80\xF0\x9F\x98\x80\xC3",
            ),
            (
                Scheme::Mutf8,
                b"\xC0\x80\0\xED\xA0\xBD\xED\xB8\x80\xED\xB8\x80\x80\xED\xA0\xBD\xED\xB8",
            ),
            (
                Scheme::Wtf8,
                b"\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xF0\x9F\x98\x80\xED\xB8\x80\xED\xA0\xED\xB8",
            ),
            (Scheme::Cesu8, b"\xED\xA0\xBD\xEDa\xED\xA0\xBD\xED\xB8\xE2\x82a"),
            (Scheme::Wtf8, b"\xED\xA0\xBD\xED\xED\xED\xA0\xBD\xED\xB8\xE2\x82a"),
            (Scheme::Wtf16Le, b"\x3D\xD8\x3D\xD8\0\xDE\0\xDEa\0\x3D\xD8"),
            (Scheme::Wtf16Be, b"\xD8\x3D\xD8\x3D\xDE\0\xDE\0\0a\xD8\x3D"),
        ] {
            let want = repaired_code_points(scheme, bytes);
            for at in (0..bytes.len()).step_by(scheme.unit_size()) {
                let boundary = floor_boundary(scheme, bytes, at);
                let parts = [&bytes[..boundary], &bytes[boundary..]];
                let sum: u64 = parts.iter().map(|part| repaired_code_points(scheme, part)).sum();
                assert!(boundary <= at && at - boundary < MAX_SEQUENCE_BYTES);
                assert_eq!(sum, want, "{scheme} {bytes:X?} {at}");
                // Counts without validation add up as well.
                for counted in [code_points, utf16_units, line_feeds] {
                    let sum: u64 = parts.iter().map(|part| counted(scheme, part)).sum();
                    assert_eq!(sum, counted(scheme, bytes), "{scheme} {bytes:X?} {at}");
                }
            }
        }
    }

    #[test]
    fn every_encoding_is_counted() {
        for &scheme in Scheme::ALL {
            assert_eq!(code_points(scheme, &[0x41; 8]), 8 / scheme.unit_size() as u64, "{scheme}");
            assert!(utf16_units(scheme, &[0x41; 8]) > 0, "{scheme}");
        }
    }
}
