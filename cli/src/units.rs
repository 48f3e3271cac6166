//! Counts of line feeds, code points and UTF-16 units in whole code units of an encoding chosen at
//! run time.
//!
//! Counts add up: the count of a text is the sum of the counts of its parts, well-formed or not, if
//! they are cut at boundaries ([`floor_boundary`]). Part of a code unit counts nothing.

use memchr::{memchr_iter, memrchr_iter};
use utflane::{Repair, Scheme, Stop, utf8};

/// The size of the largest code unit, which all others divide.
pub(crate) const MAX_UNIT: usize = 4;

/// Bytes of the longest sequence, well-formed or not: a surrogate pair in CESU-8, and in WTF-8.
pub(crate) const MAX_SEQUENCE: usize = 6;

/// Code points in `units`.
pub(crate) fn code_points(scheme: Scheme, units: &[u8]) -> u64 {
    scheme.count(units) as u64
}

/// Code points in `units`, where each ill-formed sequence counts as one. Another sequence must
/// begin where `units` end.
pub(crate) fn repaired_code_points(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = scheme.len_lossy(units, Scheme::Utf32Le, Repair::REPLACE);
    (bytes / Scheme::Utf32Le.unit_size()) as u64 + sequences_in_cut_pair(scheme, units)
}

/// Ill-formed sequences at the end of `units` that belong to the high surrogate before them if the
/// text ends here as well: the beginning of a low surrogate, in CESU-8 and Modified UTF-8.
pub(crate) fn sequences_in_cut_pair(scheme: Scheme, units: &[u8]) -> u64 {
    match (scheme, units) {
        (Scheme::Cesu8 | Scheme::Mutf8, [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED]) => 1,
        // A low surrogate without a high one is ill-formed from its first byte on.
        (
            Scheme::Cesu8 | Scheme::Mutf8,
            [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF],
        ) => 2,
        _ => 0,
    }
}

/// Returns the last boundary up to `at`: an offset where a character or an ill-formed sequence
/// begins. `at` is between two code units, and `units` begin with a sequence. One exception: `ED`
/// keeps a continuation byte after it, even if that is a separate sequence.
pub(crate) fn floor_boundary(scheme: Scheme, units: &[u8], at: usize) -> usize {
    let is_half = |unit: Option<&[u8]>, byte: usize, half: u8| {
        unit.is_some_and(|unit| unit[byte] & 0xFC == half)
    };
    let in_pair = |byte| {
        at >= 2
            && is_half(units.get(at..at + 2), byte, 0xDC)
            && is_half(units.get(at - 2..at), byte, 0xD8)
    };
    match scheme {
        Scheme::Utf8 => utf8::floor_boundary(units, at),
        Scheme::Utf16Le | Scheme::Wtf16Le if in_pair(1) => at - 2,
        Scheme::Utf16Be | Scheme::Wtf16Be if in_pair(0) => at - 2,
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            // A sequence that begins with a high surrogate comes before one that might begin with a
            // low one.
            let covers = |&start: &usize| {
                let len = match units[start] {
                    0x80..=0xBF => 0,
                    0xED if is_continuation(units.get(start + 1)) => {
                        sequence_len(scheme, &units[start..]).max(2)
                    }
                    _ => sequence_len(scheme, &units[start..]),
                };
                start + len > at
            };
            (at.saturating_sub(MAX_SEQUENCE - 1)..at).find(covers).unwrap_or(at)
        }
        _ => at,
    }
}

fn is_continuation(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte & 0xC0 == 0x80)
}

/// Bytes of `units` up to a boundary that no bytes after the first `given` can change.
pub(crate) fn complete(scheme: Scheme, units: &[u8], given: usize) -> usize {
    // Rounded down to whole code units.
    let at = given.saturating_sub(MAX_SEQUENCE);
    floor_boundary(scheme, units, at - at % MAX_UNIT)
}

/// The length of the character or the ill-formed sequence at the start of `units`.
fn sequence_len(scheme: Scheme, units: &[u8]) -> usize {
    let units = &units[..units.len().min(MAX_SEQUENCE)];
    let progress = scheme.transcode_into(units, Scheme::Utf32Le, &mut [0; 4]);
    match progress.stop {
        Stop::Error(error) if progress.read == 0 => error.error_len().unwrap_or(units.len()),
        _ => progress.read,
    }
}

/// The number of UTF-16 code units that `units` convert to.
pub(crate) fn utf16_units(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = scheme.len(units, Scheme::Utf16Le);
    (bytes / Scheme::Utf16Le.unit_size()) as u64
}

/// Line feeds in `units`, which begin with a whole code unit.
pub(crate) fn line_feeds(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = memchr_iter(b'\n', units);
    let count = match scheme.unit_size() {
        1 => bytes.count(), // faster than any filter
        _ => bytes.filter(|&at| is_line_feed(scheme, units, at)).count(),
    };
    count as u64
}

/// The offset after the last line feed in `units`, if there is one.
pub(crate) fn after_last_line_feed(scheme: Scheme, units: &[u8]) -> Option<usize> {
    let size = scheme.unit_size();
    let at = memrchr_iter(b'\n', units).find(|&at| is_line_feed(scheme, units, at))?;
    Some(at - at % size + size)
}

/// The offset of the first line feed in `units`, if there is one. A part of a code unit does not
/// count.
pub(crate) fn first_line_feed(scheme: Scheme, units: &[u8]) -> Option<usize> {
    let at = memchr_iter(b'\n', units).find(|&at| is_line_feed(scheme, units, at))?;
    Some(at - at % scheme.unit_size())
}

/// Returns true if the byte `0A` at `at` belongs to a code unit U+000A, and not to another one.
fn is_line_feed(scheme: Scheme, units: &[u8], at: usize) -> bool {
    let size = scheme.unit_size();
    let position = match scheme {
        Scheme::Utf16Be | Scheme::Utf32Be | Scheme::Wtf16Be => size - 1,
        _ => 0,
    };
    // The size is a power of two, and a division would take longer than all of the rest.
    let start = at & !(size - 1);
    at - start == position
        && units.get(start..start + size).is_some_and(|unit| {
            unit.iter().enumerate().all(|(i, &byte)| i == position || byte == 0)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_is_a_whole_unit() {
        for (scheme, units, feeds, last) in [
            (Scheme::Utf8, &b"a\nb\n\nc"[..], 3, Some(5)),
            (Scheme::Utf16Le, b"\n\0\n\n\0\n", 1, Some(2)),
            (Scheme::Utf16Be, b"\0\n\n\n\n\0", 1, Some(2)),
            (Scheme::Utf16Le, b"\n", 0, None),
            (Scheme::Utf32Le, b"\n\0\0\0\n\0\x01\0\0\n\0\0", 1, Some(4)),
            (Scheme::Utf32Be, b"\0\0\n\n\0\0\n\0\0\0\0\n", 1, Some(12)),
        ] {
            assert_eq!(line_feeds(scheme, units), feeds, "{scheme} {units:X?}");
            assert_eq!(after_last_line_feed(scheme, units), last, "{scheme} {units:X?}");
            assert_eq!(first_line_feed(scheme, units).is_some(), last.is_some());
        }
    }

    #[test]
    fn repaired_text_is_cut_between_sequences() {
        for (scheme, units) in [
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
            let all = repaired_code_points(scheme, units);
            for at in (0..units.len()).step_by(scheme.unit_size()) {
                let cut = floor_boundary(scheme, units, at);
                let parts = [&units[..cut], &units[cut..]];
                let sum: u64 = parts.iter().map(|part| repaired_code_points(scheme, part)).sum();
                assert!(cut <= at && at - cut < MAX_SEQUENCE);
                assert_eq!(sum, all, "{scheme} {units:X?} {at}");
                // Counts without validation add up as well.
                for counted in [code_points, utf16_units, line_feeds] {
                    let sum: u64 = parts.iter().map(|part| counted(scheme, part)).sum();
                    assert_eq!(sum, counted(scheme, units), "{scheme} {units:X?} {at}");
                }
            }
        }
    }

    #[test]
    fn every_scheme_is_known() {
        for &scheme in Scheme::ALL {
            assert_eq!(code_points(scheme, &[0x41; 8]), 8 / scheme.unit_size() as u64, "{scheme}");
            assert!(utf16_units(scheme, &[0x41; 8]) > 0, "{scheme}");
        }
    }
}
