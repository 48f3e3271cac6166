//! CESU-8 as strings: what a database calls "UTF-8" that is from before supplementary characters.
//!
//! All verbs take [`Cesu8`] as an encoding. Here are those for whole strings, which don't copy what is the same in
//! UTF-8: everything but supplementary characters, which have six bytes instead of four.

use alloc::borrow::Cow;

use crate::{Cesu8, Error, relatives};

/// `text` in CESU-8. Borrows if that is the same, which it is without supplementary characters.
///
/// One pass to see that, and one more if it isn't.
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
    relatives::from_str::<Cesu8>(text)
}

/// Text in CESU-8 as a string. Borrows if it is the same in UTF-8.
///
/// # Errors
///
/// The first place that is ill-formed: that of [`validate::<Cesu8>`](crate::validate).
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
    relatives::to_str::<Cesu8>(src)
}

/// [`to_str`] that never fails: with U+FFFD for each ill-formed sequence, of which half a pair of surrogates is one.
///
/// ```
/// assert_eq!(utflane::cesu8::to_str_lossy(b"ab\xED\xA0\xBDc"), "ab\u{FFFD}c");
/// ```
#[must_use]
#[inline]
pub fn to_str_lossy(src: &[u8]) -> Cow<'_, str> {
    relatives::to_str_lossy::<Cesu8>(src)
}
