//! Arithmetic on whole code units of an encoding chosen at run time: line feeds, code points, UTF-16 units.
//!
//! All of it adds up: the answer for a text is the sum of the answers for its parts, wherever between two code units
//! they were cut, well-formed or not. A fragment of a unit counts nothing.

use memchr::{memchr_iter, memrchr_iter};
use utflane::Scheme;

/// Every code unit divides this many bytes.
pub(crate) const LARGEST: usize = 4;

/// Code points in `units`.
pub(crate) fn code_points(scheme: Scheme, units: &[u8]) -> u64 {
    scheme.count(units) as u64
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
    fn every_scheme_is_known() {
        for &scheme in Scheme::ALL {
            assert_eq!(code_points(scheme, &[0x41; 8]), 8 / scheme.unit_size() as u64, "{scheme}");
            assert!(utf16_units(scheme, &[0x41; 8]) > 0, "{scheme}");
        }
    }
}
