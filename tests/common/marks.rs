//! Checks of byte order marks and of labels. Marks are compared with the table of the Unicode
//! Standard.

use utflane::bom::{self, Probe};
use utflane::{Encoding, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

/// The byte order marks of the Unicode Standard (table 2-4), in order of decreasing length.
pub const MARKS: [(&[u8], Scheme); 5] = [
    (&[0xFF, 0xFE, 0, 0], Scheme::Utf32Le),
    (&[0, 0, 0xFE, 0xFF], Scheme::Utf32Be),
    (&[0xEF, 0xBB, 0xBF], Scheme::Utf8),
    (&[0xFF, 0xFE], Scheme::Utf16Le),
    (&[0xFE, 0xFF], Scheme::Utf16Be),
];

/// Returns the encoding of the byte order mark at the start of `src`, by the table.
pub fn marked(src: &[u8]) -> Option<Scheme> {
    MARKS.iter().find(|(mark, _)| src.starts_with(mark)).map(|&(_, scheme)| scheme)
}

/// Checks every function that handles byte order marks.
pub fn check_marks(src: &[u8]) {
    let scheme = marked(src);
    assert_eq!(bom::detect(src), scheme, "{src:02X?}");
    let (found, text) = bom::split(src);
    assert_eq!(found, scheme, "{src:02X?}");
    let mark = found.map_or(&[][..], Scheme::byte_order_mark);
    assert_eq!([mark, text].concat(), src);
    let is_incomplete = |mark: &[u8]| mark.len() > src.len() && mark.starts_with(src);
    let probe = match scheme {
        _ if MARKS.iter().any(|(mark, _)| is_incomplete(mark)) => Probe::More,
        Some(scheme) => Probe::Mark(scheme),
        None => Probe::NoMark,
    };
    assert_eq!(bom::probe(src), probe, "{src:02X?}");
    check_strip::<Utf8>(src);
    check_strip::<Utf16Le>(src);
    check_strip::<Utf16Be>(src);
    check_strip::<Utf32Le>(src);
    check_strip::<Utf32Be>(src);
    check_strip::<Latin1>(src);
}

/// Checks that `strip` removes the mark of this encoding and no other mark.
fn check_strip<E: Encoding<Unit = u8>>(src: &[u8]) {
    let mark = MARKS.iter().find(|(_, scheme)| *scheme == E::SCHEME).map_or(&[][..], |row| row.0);
    let want = src.strip_prefix(mark).unwrap_or(src);
    assert_eq!(bom::strip::<E>(src), want, "{} {src:02X?}", E::SCHEME);
}

/// Checks that `from_label` accepts exactly the listed labels, in upper or lower case and with
/// white space around them.
pub fn check_label(label: &str) {
    let name = label.trim_matches([' ', '\t', '\n', '\x0C', '\r']);
    let mut all = Scheme::ALL.iter().copied();
    let want = all.find(|scheme| scheme.labels().any(|known| known.eq_ignore_ascii_case(name)));
    assert_eq!(Scheme::from_label(label).ok(), want, "{label:?}");
}
