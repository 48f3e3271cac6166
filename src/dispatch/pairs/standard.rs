//! The pair table of the seven schemes that are not relatives: a function for each conversion,
//! count and length.

use crate::dispatch::function::{Measure, Transcode};
use crate::dispatch::pairs::{from_latin1, from_utf8, from_utf16, from_utf32, utf32be};
use crate::encoding::scheme::Scheme;

/// The function that converts between two of these schemes.
pub(crate) const fn conversion_fn(from: Scheme, to: Scheme) -> Transcode {
    use Scheme::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    match (from, to) {
        (Utf8, Utf8) => from_utf8::utf8_to_utf8,
        (Utf8, Utf16Le) => from_utf8::utf8_to_utf16le,
        (Utf8, Utf16Be) => from_utf8::utf8_to_utf16be,
        (Utf8, Utf32Le) => from_utf8::utf8_to_utf32le,
        (Utf8, Utf32Be) => utf32be::utf8_to_utf32be,
        (Utf8, Latin1) => from_utf8::utf8_to_latin1,
        (Utf8, Ascii) => from_latin1::utf8_to_ascii,
        (Utf16Le, Utf8) => from_utf16::utf16le_to_utf8,
        (Utf16Le, Utf16Le) => from_utf16::utf16le_to_utf16le,
        (Utf16Le, Utf16Be) => from_utf16::utf16le_to_utf16be,
        (Utf16Le, Utf32Le) => from_utf16::utf16le_to_utf32le,
        (Utf16Le, Utf32Be) => utf32be::utf16le_to_utf32be,
        (Utf16Le, Latin1) => from_utf16::utf16le_to_latin1,
        (Utf16Le, Ascii) => from_utf16::utf16le_to_ascii,
        (Utf16Be, Utf8) => from_utf16::utf16be_to_utf8,
        (Utf16Be, Utf16Le) => from_utf16::utf16be_to_utf16le,
        (Utf16Be, Utf16Be) => from_utf16::utf16be_to_utf16be,
        (Utf16Be, Utf32Le) => from_utf16::utf16be_to_utf32le,
        (Utf16Be, Utf32Be) => utf32be::utf16be_to_utf32be,
        (Utf16Be, Latin1) => from_utf16::utf16be_to_latin1,
        (Utf16Be, Ascii) => from_utf16::utf16be_to_ascii,
        (Utf32Le, Utf8) => from_utf32::utf32le_to_utf8,
        (Utf32Le, Utf16Le) => from_utf32::utf32le_to_utf16le,
        (Utf32Le, Utf16Be) => from_utf32::utf32le_to_utf16be,
        (Utf32Le, Utf32Le) => from_utf32::utf32le_to_utf32le,
        (Utf32Le, Utf32Be) => from_utf32::utf32le_to_utf32be,
        (Utf32Le, Latin1) => from_utf32::utf32le_to_latin1,
        (Utf32Le, Ascii) => from_utf32::utf32le_to_ascii,
        (Utf32Be, Utf8) => utf32be::utf32be_to_utf8,
        (Utf32Be, Utf16Le) => utf32be::utf32be_to_utf16le,
        (Utf32Be, Utf16Be) => utf32be::utf32be_to_utf16be,
        (Utf32Be, Utf32Le) => utf32be::utf32be_to_utf32le,
        (Utf32Be, Utf32Be) => utf32be::utf32be_to_utf32be,
        (Utf32Be, Latin1) => utf32be::utf32be_to_latin1,
        (Utf32Be, Ascii) => utf32be::utf32be_to_ascii,
        (Latin1, Utf8) => from_latin1::latin1_to_utf8,
        (Latin1, Utf16Le) => from_latin1::latin1_to_utf16le,
        (Latin1, Utf16Be) => from_latin1::latin1_to_utf16be,
        (Latin1, Utf32Le) => from_latin1::latin1_to_utf32le,
        (Latin1, Utf32Be) => from_latin1::latin1_to_utf32be,
        (Latin1, Latin1) => from_latin1::latin1_to_latin1,
        (Latin1, Ascii) => from_latin1::latin1_to_ascii,
        (Ascii, Utf8) => from_latin1::ascii_to_utf8,
        (Ascii, Utf16Le) => from_latin1::ascii_to_utf16le,
        (Ascii, Utf16Be) => from_latin1::ascii_to_utf16be,
        (Ascii, Utf32Le) => from_latin1::ascii_to_utf32le,
        (Ascii, Utf32Be) => from_latin1::ascii_to_utf32be,
        (Ascii, Latin1) => from_latin1::ascii_to_latin1,
        (Ascii, Ascii) => from_latin1::ascii_to_ascii,
        _ => unreachable!(),
    }
}

/// The function that converts from text known to be UTF-8, where it differs from the checked one.
pub(crate) const fn str_conversion_fn(to: Scheme) -> Option<Transcode> {
    Some(match to {
        Scheme::Utf8 => from_utf8::str_to_utf8,
        Scheme::Utf16Le => from_utf8::str_to_utf16le,
        Scheme::Utf16Be => from_utf8::str_to_utf16be,
        Scheme::Utf32Le => from_utf8::str_to_utf32le,
        Scheme::Utf32Be => utf32be::str_to_utf32be,
        _ => return None,
    })
}

/// The function that counts code points.
pub(crate) const fn count_fn(scheme: Scheme) -> Measure {
    match scheme {
        Scheme::Utf8 => from_utf8::count_utf8,
        Scheme::Utf16Le => from_utf16::count_utf16le,
        Scheme::Utf16Be => from_utf16::count_utf16be,
        _ => unit_count_fn(scheme),
    }
}

/// The function that returns the number of code units of `to` that a text becomes. For targets with
/// one unit a character, it counts code points.
pub(crate) const fn len_fn(from: Scheme, to: Scheme) -> Measure {
    use Scheme::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    match (from, to) {
        (Utf16Le, Utf8) => from_utf16::utf8_len_of_utf16le,
        (Utf16Be, Utf8) => from_utf16::utf8_len_of_utf16be,
        (Utf32Le, Utf8) => from_utf32::utf8_len_of_utf32le,
        (Utf32Be, Utf8) => utf32be::utf8_len_of_utf32be,
        (Latin1, Utf8) => from_latin1::utf8_len_of_latin1,
        (Utf8, Utf16Le | Utf16Be) => from_utf8::utf16_len_of_utf8,
        (Utf32Le, Utf16Le | Utf16Be) => from_utf32::utf16_len_of_utf32le,
        (Utf32Be, Utf16Le | Utf16Be) => utf32be::utf16_len_of_utf32be,
        (from, Utf8 | Utf16Le | Utf16Be) => unit_count_fn(from),
        (from, _) => count_fn(from),
    }
}

/// The function that counts code units.
pub(crate) const fn unit_count_fn(scheme: Scheme) -> Measure {
    match scheme.unit_size() {
        1 => |src, _| src.len(),
        2 => |src, _| src.len() / 2,
        _ => |src, _| src.len() / 4,
    }
}
