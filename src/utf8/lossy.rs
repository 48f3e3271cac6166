//! Bytes as a string, whatever they are: without a copy if nothing is wrong.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::owned::{Append, LossyJob};
use crate::{Kernel, Repair, Scheme, Utf8};

/// From UTF-8 to UTF-8.
const JOB: &LossyJob = &LossyJob::of(Scheme::Utf8, Scheme::Utf8, 1);

/// `src` as a string, with U+FFFD for each maximal subpart that is ill-formed: [`String::from_utf8_lossy`], byte for byte.
///
/// Borrows if nothing is wrong, and costs a validation then. Where something is, one pass: text with an error in every hundredth
/// byte is repaired three to five times as fast as by the standard library. To know how many repairs there were, or to choose
/// another way, take [`transcode_lossy`](crate::transcode_lossy).
///
/// ```
/// use std::borrow::Cow;
/// use utflane::utf8;
///
/// assert!(matches!(utf8::lossy("fine".as_bytes()), Cow::Borrowed("fine")));
/// assert_eq!(utf8::lossy(b"a\xF0\x9F\x98b"), "a\u{FFFD}b");
/// ```
#[must_use]
#[inline]
pub fn lossy(src: &[u8]) -> Cow<'_, str> {
    match super::from_bytes(src) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => Cow::Owned(repaired(None, src, error.valid_up_to())),
    }
}

/// The same for bytes that are owned: the memory is kept if nothing is wrong.
///
/// ```
/// use utflane::utf8;
///
/// assert_eq!(utf8::into_string_lossy(vec![b'a', 0xFF]), "a\u{FFFD}");
/// ```
#[must_use]
#[inline]
pub fn into_string_lossy(bytes: Vec<u8>) -> String {
    match super::into_string(bytes) {
        Ok(text) => text,
        Err(error) => repaired(None, error.as_bytes(), error.error().valid_up_to()),
    }
}

impl Kernel {
    /// [`utf8::lossy`](lossy) on this kernel.
    #[must_use]
    #[inline]
    pub fn utf8_lossy(self, src: &[u8]) -> Cow<'_, str> {
        match self.validate::<Utf8>(src) {
            // SAFETY: it has just been validated.
            Ok(()) => Cow::Borrowed(unsafe { core::str::from_utf8_unchecked(src) }),
            Err(error) => Cow::Owned(repaired(Some(self), src, error.valid_up_to())),
        }
    }
}

/// `src`, of which the first `valid` bytes are well-formed, repaired.
#[cold]
#[inline(never)]
fn repaired(kernel: Option<Kernel>, src: &[u8], valid: usize) -> String {
    // Mostly a little longer.
    let mut out = Vec::with_capacity(src.len() + src.len() / 16 + 64);
    let (valid, rest) = src.split_at(valid);
    out.extend_from_slice(valid);
    u8::append_lossy(kernel, JOB, Repair::REPLACE, rest, &mut out);
    // SAFETY: what is well-formed has been copied, and what has been converted to UTF-8 is UTF-8.
    unsafe { String::from_utf8_unchecked(out) }
}
