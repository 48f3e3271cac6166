//! Functions for CESU-8 strings. CESU-8 is the "UTF-8" of databases that are older than the
//! supplementary characters.
//!
//! All operations accept [`Cesu8`] as an encoding. The functions in this module convert whole
//! strings, and do not copy text that has the same bytes in UTF-8. Only supplementary characters
//! differ: they have six bytes instead of four.

use alloc::borrow::Cow;

use crate::cesu8_mutf8 as common;
use crate::encoding::types::Cesu8;
use crate::types::error::Error;

/// Returns `text` in CESU-8. Borrows `text` if it has no supplementary characters, because its
/// bytes are then the same.
///
/// Reads the text once to compare it, and once more if its bytes differ.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::cesu8;
///
/// assert!(matches!(cesu8::from_str("plain, even € or 水"), Cow::Borrowed(_)));
/// assert_eq!(&*cesu8::from_str("😀"), b"\xED\xA0\xBD\xED\xB8\x80");
/// ```
#[must_use]
#[inline]
pub fn from_str(text: &str) -> Cow<'_, [u8]> {
    common::from_str::<Cesu8>(text)
}

/// Returns CESU-8 text as a string. Borrows `src` if it has the same bytes in UTF-8.
///
/// # Errors
///
/// The first ill-formed sequence, as [`validate::<Cesu8>`](crate::validate) reports it.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::{ErrorKind, cesu8};
///
/// assert!(matches!(cesu8::to_str("plain".as_bytes()), Ok(Cow::Borrowed("plain"))));
/// assert_eq!(cesu8::to_str(b"\xED\xA0\xBD\xED\xB8\x80")?, "😀");
/// // Half a pair; and four bytes, which are for UTF-8.
/// assert_eq!(cesu8::to_str(b"ab\xED\xA0\xBDc").unwrap_err().valid_up_to(), 2);
/// assert_eq!(cesu8::to_str("ab😀".as_bytes()).unwrap_err().kind(), ErrorKind::InvalidLeadByte);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn to_str(src: &[u8]) -> Result<Cow<'_, str>, Error> {
    common::to_str::<Cesu8>(src)
}

/// Like [`to_str`], but replaces each ill-formed sequence by U+FFFD, and never fails. An unpaired
/// high surrogate is one ill-formed sequence, an unpaired low surrogate is three.
///
/// ```
/// use utflane::cesu8;
///
/// assert_eq!(cesu8::to_str_lossy(b"ab\xED\xA0\xBDc"), "ab\u{FFFD}c");
/// assert_eq!(cesu8::to_str_lossy(b"ab\xED\xB8\x80c"), "ab\u{FFFD}\u{FFFD}\u{FFFD}c");
/// ```
#[must_use]
#[inline]
pub fn to_str_lossy(src: &[u8]) -> Cow<'_, str> {
    common::to_str_lossy::<Cesu8>(src)
}
