//! The common part of `cesu8` and `mutf8`: strings that are converted only if they differ from
//! UTF-8.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::exceptions::find_different;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Encoding, Unicode, Utf8};
use crate::types::error::Error;
use crate::types::policy::Repair;
use crate::utf8;

/// Returns `text` in `E`.
#[inline]
pub(crate) fn from_str<E: Unicode<Unit = u8, Owned = Vec<u8>>>(text: &str) -> Cow<'_, [u8]> {
    if has_same_bytes::<E>(text) {
        return Cow::Borrowed(text.as_bytes());
    }
    Cow::Owned(crate::operations::free::from_str::<E>(text))
}

/// Returns `src`, which is in `E`, as a string.
#[inline]
pub(crate) fn to_str<E: Encoding<Unit = u8>>(src: &[u8]) -> Result<Cow<'_, str>, Error> {
    match utf8::from_utf8(src) {
        Ok(text) if has_same_bytes::<E>(text) => Ok(Cow::Borrowed(text)),
        _ => crate::operations::free::transcode::<E, Utf8>(src).map(Cow::Owned),
    }
}

/// Like [`to_str`], but replaces each ill-formed sequence by U+FFFD.
#[inline]
pub(crate) fn to_str_lossy<E: Encoding<Unit = u8>>(src: &[u8]) -> Cow<'_, str> {
    match utf8::from_utf8(src) {
        Ok(text) if has_same_bytes::<E>(text) => Cow::Borrowed(text),
        _ => Cow::Owned(convert_lossy::<E>(src)),
    }
}

/// Converts `src`, and replaces each ill-formed sequence by U+FFFD.
fn convert_lossy<E: Encoding<Unit = u8>>(src: &[u8]) -> String {
    crate::lossy::operations::transcode_lossy::<E, Utf8>(src, Repair::REPLACE).text
}

/// Returns true if `text` has the same bytes in UTF-8 and in `E`: if it has no supplementary
/// characters and, for Modified UTF-8, no NUL.
fn has_same_bytes<E: Encoding>(text: &str) -> bool {
    let is_mutf8 = matches!(E::SCHEME, Scheme::Mutf8);
    find_different(text.as_bytes(), is_mutf8, Kernel::active()) == text.len()
}
