//! The common parts of readers, writers and whole texts.

use std::format;
use std::io;
use std::vec::Vec;

use crate::detect::{Detection, Mixture};
use crate::encoding::scheme::Scheme;
use crate::types::error::{DecodeError, Error};

/// The default size of a buffer, in bytes.
pub(super) const DEFAULT_CAPACITY_BYTES: usize = 64 * 1024;

/// The size in bytes that a buffer begins with, unless its capacity is smaller: clearing 64 KiB
/// takes longer than a short text.
const FIRST_BYTES: usize = 4 * 1024;

/// Makes a buffer that is full, or empty, four times as large, within its capacity.
pub(super) fn grow(buffer: &mut Vec<u8>, capacity: usize) {
    buffer.resize((4 * buffer.len()).max(FIRST_BYTES).min(capacity), 0);
}

/// The least size of a buffer, in bytes: more than any character or replacement.
pub(super) const CAPACITY_MIN_BYTES: usize = 64;

/// The encoding of a text without a byte order mark.
///
/// ```
/// use utflane::Scheme;
/// use utflane::io::{Reader, Unmarked};
///
/// let mut reader = Reader::marked(&b"n\0o\0"[..], Unmarked::Detect);
/// assert_eq!(reader.find_scheme()?, Scheme::Utf16Le);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmarked {
    /// This encoding.
    Scheme(Scheme),
    /// The result of [`detect`](crate::detect::detect()): for a whole text, or for the start that a
    /// [`Reader`](super::Reader)'s buffer holds. ASCII is read as UTF-8, because non-ASCII text may
    /// follow; an encoding that this crate does not have, as the
    /// [closest](crate::detect::Detection::closest).
    ///
    /// Parts in different encodings are an error, whatever repairs the policy has: of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData), with the [mixture](crate::detect::Mixture) in
    /// words. A reader watches all that it reads for them. It returns the text of the first part
    /// (of a legacy encoding only the ASCII at its start), then the error, and again the error.
    Detect,
}

impl From<Scheme> for Unmarked {
    fn from(scheme: Scheme) -> Self {
        Self::Scheme(scheme)
    }
}

/// Returns the scheme to read a detected text in, or its first part, and the length of its mark.
/// ASCII is read as UTF-8, because non-ASCII text may follow. So is a first part in a legacy
/// encoding: only the ASCII at its start can be read.
pub(super) fn taken_for(found: Detection, text: &[u8]) -> (Scheme, usize) {
    match (found.closest(), found.mixture()) {
        (_, Some(Mixture { first: Some(scheme), .. })) => {
            let mark = scheme.byte_order_mark();
            (scheme, if text.starts_with(mark) { mark.len() } else { 0 })
        }
        (Scheme::Ascii, _) | (_, Some(_)) => (Scheme::Utf8, 0),
        (scheme, None) => (scheme, found.mark_len()),
    }
}

/// Returns the error for a text whose parts are in different encodings.
#[cold]
pub(super) fn mixture_error(mixture: Mixture) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("mixed: {mixture}"))
}

/// Returns the kind and length of an error, without its position.
pub(super) fn decode_error(error: Error) -> DecodeError {
    #[expect(clippy::cast_possible_truncation, reason = "at most four bytes")]
    DecodeError { kind: error.kind(), len: error.error_len().unwrap_or(0) as u8 }
}

/// Returns the error for an inner reader or writer that claims more bytes than there were.
#[cold]
pub(super) fn claims_too_much() -> io::Error {
    io::Error::other("the inner reader or writer claims more bytes than there were")
}
