//! Arithmetic on whole code units of an encoding chosen at run time: line feeds, code points, UTF-16 units.
//!
//! All of it adds up: the answer for a text is the sum of the answers for its parts, wherever between two code units
//! they were cut, well-formed or not. A fragment of a unit counts nothing.

use memchr::{memchr_iter, memrchr_iter};
use utflane::{Repair, Scheme, utf8};

/// Every code unit divides this many bytes.
pub(crate) const LARGEST: usize = 4;

/// Code points in `units`.
pub(crate) fn code_points(scheme: Scheme, units: &[u8]) -> u64 {
    scheme.count(units) as u64
}

/// Code points in `units`, where each ill-formed sequence is one. Adds up only where `units` are cut at boundaries.
pub(crate) fn repaired_code_points(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = scheme.len_lossy(units, Scheme::Utf32Le, Repair::REPLACE);
    (bytes / Scheme::Utf32Le.unit_size()) as u64
}

/// The last place that is not behind `at`, a place between two code units, at which a character or an ill-formed sequence
/// begins. `units` begin with one.
pub(crate) fn floor_boundary(scheme: Scheme, units: &[u8], at: usize) -> usize {
    let is_half = |unit: Option<&[u8]>, half: u8| {
        let byte = usize::from(scheme == Scheme::Utf16Le);
        unit.is_some_and(|unit| unit[byte] & 0xFC == half)
    };
    match scheme {
        Scheme::Utf8 => utf8::floor_boundary(units, at),
        Scheme::Utf16Le | Scheme::Utf16Be
            if at >= 2
                && is_half(units.get(at..at + 2), 0xDC)
                && is_half(units.get(at - 2..at), 0xD8) =>
        {
            at - 2
        }
        _ => at,
    }
}

/// UTF-16 code units that `units` becomes.
pub(crate) fn utf16_units(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = scheme.len(units, Scheme::Utf16Le);
    (bytes / Scheme::Utf16Le.unit_size()) as u64
}

/// Line feeds in `units`, whose first byte begins a unit.
pub(crate) fn line_feeds(scheme: Scheme, units: &[u8]) -> u64 {
    let bytes = memchr_iter(b'\n', units);
    let count = match scheme.unit_size() {
        1 => bytes.count(), // faster than any filter
        _ => bytes.filter(|&at| is_line_feed(scheme, units, at)).count(),
    };
    count as u64
}

/// Where in `units` the part behind the last line feed begins, if there is one.
pub(crate) fn behind_last_line_feed(scheme: Scheme, units: &[u8]) -> Option<usize> {
    let size = scheme.unit_size();
    let at = memrchr_iter(b'\n', units).find(|&at| is_line_feed(scheme, units, at))?;
    Some(at - at % size + size)
}

/// Where in `units` the first line feed is, if there is one. A fragment of a unit at the end is none.
pub(crate) fn first_line_feed(scheme: Scheme, units: &[u8]) -> Option<usize> {
    let at = memchr_iter(b'\n', units).find(|&at| is_line_feed(scheme, units, at))?;
    Some(at - at % scheme.unit_size())
}

/// Whether the byte `0A` at `at` is the one of a code unit U+000A, and not a part of another one.
fn is_line_feed(scheme: Scheme, units: &[u8], at: usize) -> bool {
    let size = scheme.unit_size();
    let place = match scheme {
        Scheme::Utf16Be | Scheme::Utf32Be => size - 1,
        _ => 0,
    };
    let start = at - at % size;
    at % size == place
        && units
            .get(start..start + size)
            .is_some_and(|unit| unit.iter().enumerate().all(|(i, &byte)| i == place || byte == 0))
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
            assert_eq!(behind_last_line_feed(scheme, units), last, "{scheme} {units:X?}");
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
        ] {
            let all = repaired_code_points(scheme, units);
            for at in (0..units.len()).step_by(scheme.unit_size()) {
                let cut = floor_boundary(scheme, units, at);
                let parts = [&units[..cut], &units[cut..]];
                let sum: u64 = parts.iter().map(|part| repaired_code_points(scheme, part)).sum();
                assert!(cut <= at && at - cut < 4);
                assert_eq!(sum, all, "{scheme} {units:X?} {at}");
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
