//! What `cesu8` and `mutf8` have in common: strings that are converted only if that changes anything.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::encoding::pairs::alike;
use crate::{Encoding, Error, Kernel, Repair, Unicode, Utf8, utf8};

/// `text` in `E`.
#[inline]
pub(crate) fn from_str<E: Unicode<Unit = u8, Owned = Vec<u8>>>(text: &str) -> Cow<'_, [u8]> {
    if is_alike::<E>(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    Cow::Owned(crate::from_str::<E>(text))
}

/// `src`, which is in `E`, as a string.
#[inline]
pub(crate) fn to_str<E: Encoding<Unit = u8>>(src: &[u8]) -> Result<Cow<'_, str>, Error> {
    match utf8::from_bytes(src) {
        Ok(text) if is_alike::<E>(text) => Ok(Cow::Borrowed(text)),
        _ => crate::transcode::<E, Utf8>(src).map(Cow::Owned),
    }
}

/// The same, with U+FFFD for what is ill-formed.
#[inline]
pub(crate) fn to_str_lossy<E: Encoding<Unit = u8>>(src: &[u8]) -> Cow<'_, str> {
    match utf8::from_bytes(src) {
        Ok(text) if is_alike::<E>(text) => Cow::Borrowed(text),
        _ => Cow::Owned(lossy::<E>(src)),
    }
}

/// What is ill-formed is repaired.
fn lossy<E: Encoding<Unit = u8>>(src: &[u8]) -> String {
    crate::transcode_lossy::<E, Utf8>(src, Repair::REPLACE).text
}

/// Whether a text has the same bytes in UTF-8 and in `E`.
#[inline]
fn is_alike<E: Encoding>(text: &str) -> bool {
    alike(Kernel::active(), text.as_bytes(), E::SCHEME) == text.len()
}
