//! Functions for Modified UTF-8 strings: the encoding of JNI's `GetStringUTFChars`, class files and
//! dex files.
//!
//! All operations accept [`Mutf8`] as an encoding. The functions here convert whole strings, and do
//! not copy text that is the same in UTF-8. Only NUL (`0xC0 0x80`) and supplementary characters
//! (six bytes instead of four) differ.

use alloc::borrow::Cow;

use crate::cesu8_mutf8 as common;
use crate::encoding::types::Mutf8;
use crate::types::error::Error;

/// Returns `text` in MUTF-8. Borrows if the bytes are the same: if `text` has neither NUL nor
/// supplementary characters.
///
/// This is one pass to compare, and one more if the bytes differ.
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
    common::from_str::<Mutf8>(text)
}

/// Returns MUTF-8 text as a string. Borrows if the bytes are the same in UTF-8.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence, as [`validate::<Mutf8>`](crate::validate)
/// does.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::{ErrorKind, mutf8};
///
/// assert!(matches!(mutf8::to_str(b"java/lang/String"), Ok(Cow::Borrowed("java/lang/String"))));
/// assert_eq!(mutf8::to_str(b"\xC0\x80\xED\xA0\xBD\xED\xB8\x80")?, "\0😀");
/// // An unpaired surrogate, which strings of Java may have, and NUL as one byte.
/// assert_eq!(mutf8::to_str(b"ab\xED\xA0\xBDc").unwrap_err().valid_up_to(), 2);
/// assert_eq!(mutf8::to_str(b"ab\0").unwrap_err().kind(), ErrorKind::InvalidLeadByte);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn to_str(src: &[u8]) -> Result<Cow<'_, str>, Error> {
    common::to_str::<Mutf8>(src)
}

/// Like [`to_str`], but replaces each ill-formed sequence by U+FFFD, and never fails. An unpaired
/// high surrogate is one ill-formed sequence, an unpaired low surrogate is three.
///
/// ```
/// use utflane::mutf8;
///
/// assert_eq!(mutf8::to_str_lossy(b"ab\xED\xA0\xBDc"), "ab\u{FFFD}c");
/// assert_eq!(mutf8::to_str_lossy(b"ab\xED\xB8\x80c"), "ab\u{FFFD}\u{FFFD}\u{FFFD}c");
/// ```
#[must_use]
#[inline]
pub fn to_str_lossy(src: &[u8]) -> Cow<'_, str> {
    common::to_str_lossy::<Mutf8>(src)
}
