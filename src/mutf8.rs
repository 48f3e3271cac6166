//! Modified UTF-8 as strings: what JNI's `GetStringUTFChars`, class files and dex files hold.
//!
//! All verbs take [`Mutf8`] as an encoding. Here are those for whole strings, which don't copy what is the same in
//! UTF-8: everything but NUL, which is `C0 80`, and supplementary characters, which have six bytes instead of four.

use alloc::borrow::Cow;

use crate::{Error, Mutf8, relatives};

/// `text` in MUTF-8. Borrows if that is the same, which it is without NUL and supplementary characters.
///
/// One pass to see that, and one more if it isn't.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::mutf8;
///
/// assert!(matches!(mutf8::from_str("java/lang/String"), Cow::Borrowed(_)));
/// assert_eq!(&*mutf8::from_str("\0"), b"\xC0\x80");
/// ```
#[must_use]
#[inline]
pub fn from_str(text: &str) -> Cow<'_, [u8]> {
    relatives::from_str::<Mutf8>(text)
}

/// Text in MUTF-8 as a string. Borrows if it is the same in UTF-8.
///
/// # Errors
///
/// The first place that is ill-formed: that of [`validate::<Mutf8>`](crate::validate).
///
/// ```
/// use std::borrow::Cow;
/// use utflane::{ErrorKind, mutf8};
///
/// assert!(matches!(mutf8::to_str(b"java/lang/String"), Ok(Cow::Borrowed("java/lang/String"))));
/// assert_eq!(mutf8::to_str(b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80")?, "\0😀");
/// // Half a pair, as Java has them too; and NUL as a byte.
/// assert_eq!(mutf8::to_str(b"ab\xED\xA0\xBDc").unwrap_err().valid_up_to(), 2);
/// assert_eq!(mutf8::to_str(b"ab\0").unwrap_err().kind(), ErrorKind::InvalidLeadByte);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn to_str(src: &[u8]) -> Result<Cow<'_, str>, Error> {
    relatives::to_str::<Mutf8>(src)
}

/// [`to_str`] that never fails: with U+FFFD for each ill-formed sequence, of which half a pair of surrogates is one.
///
/// ```
/// assert_eq!(utflane::mutf8::to_str_lossy(b"ab\xED\xA0\xBDc"), "ab\u{FFFD}c");
/// ```
#[must_use]
#[inline]
pub fn to_str_lossy(src: &[u8]) -> Cow<'_, str> {
    relatives::to_str_lossy::<Mutf8>(src)
}
