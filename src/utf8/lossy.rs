//! Converts bytes to strings with U+FFFD for ill-formed sequences. Well-formed text is not copied.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dispatch::kernel::Kernel;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::owned::{self, LossyConversionToVec};
use crate::types::policy::Repair;
use crate::utf8::text::{from_utf8, into_string};

/// The conversion of UTF-8 to UTF-8, which repairs.
const TO_STRING: &LossyConversionToVec =
    &LossyConversionToVec::for_pair(Scheme::Utf8, Scheme::Utf8, 1);

/// Returns `src` as a string, with U+FFFD for each maximal subpart of an ill-formed sequence. The
/// result equals the result of [`String::from_utf8_lossy`].
///
/// Well-formed text is validated and borrowed. Ill-formed text is read once. If every hundredth
/// byte is an error, texts from 4 KiB on are repaired three to six times as fast as by the standard
/// library, and texts of 256 bytes 1.3 times as fast. [`transcode_lossy`](crate::transcode_lossy)
/// also returns the number of repairs, and has other replacements.
///
/// ```
/// use std::borrow::Cow;
/// use utflane::utf8;
///
/// assert!(matches!(utf8::from_utf8_lossy("fine".as_bytes()), Cow::Borrowed("fine")));
/// assert_eq!(utf8::from_utf8_lossy(b"a\xF0\x9F\x98b"), "a\u{FFFD}b");
/// ```
#[must_use]
#[inline]
pub fn from_utf8_lossy(src: &[u8]) -> Cow<'_, str> {
    match from_utf8(src) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => Cow::Owned(repair(None, src, error.valid_up_to())),
    }
}

/// Like [`from_utf8_lossy`], for owned bytes. Keeps the allocation if the bytes are well-formed.
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::into_string_lossy(vec![b'a', 0xFF]), "a\u{FFFD}");
/// ```
#[must_use]
#[inline]
pub fn into_string_lossy(bytes: Vec<u8>) -> String {
    match into_string(bytes) {
        Ok(text) => text,
        Err(error) => repair(None, &error.units, error.error.valid_up_to()),
    }
}

impl Kernel {
    /// Calls [`utf8::from_utf8_lossy`](from_utf8_lossy) on this kernel.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn from_utf8_lossy(self, src: &[u8]) -> Cow<'_, str> {
        match self.validate::<Utf8>(src) {
            // SAFETY: `src` must be well-formed UTF-8, and `validate` has just tested that.
            Ok(()) => Cow::Borrowed(unsafe { core::str::from_utf8_unchecked(src) }),
            Err(error) => Cow::Owned(repair(Some(self), src, error.valid_up_to())),
        }
    }
}

/// Returns `src` as a string with repairs. The first `valid` bytes of `src` are well-formed.
#[cold]
#[inline(never)]
fn repair(kernel: Option<Kernel>, src: &[u8], valid: usize) -> String {
    let spare = TO_STRING.conversion.spare_capacity(src.len() - valid);
    let mut out = Vec::with_capacity(src.len() + spare);
    out.extend_from_slice(&src[..valid]);
    let kernel = kernel.unwrap_or_else(Kernel::active);
    owned::append_repaired(kernel, TO_STRING, Repair::REPLACE, src, valid, &mut out, 0);
    owned::release_spare(&mut out);
    // SAFETY: `out` must be well-formed UTF-8. The well-formed prefix has been copied, and the rest
    // has been converted to UTF-8.
    unsafe { String::from_utf8_unchecked(out) }
}
