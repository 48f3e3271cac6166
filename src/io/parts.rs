//! Code that readers, writers and the functions for whole texts share.

use std::format;
use std::io;
use std::vec::Vec;

use crate::detect::{Detection, Mixture};
use crate::encoding::scheme::Scheme;
use crate::types::error::{DecodeError, Error};

/// The default size of a buffer, in bytes.
pub(super) const DEFAULT_CAPACITY_BYTES: usize = 64 * 1024;

/// The first size of a buffer in bytes, unless its capacity is smaller. Clearing 64 KiB would take
/// longer than the conversion of a short text.
const FIRST_BUFFER_BYTES: usize = 4 * 1024;

/// Makes a full buffer four times as large, up to `capacity` bytes. Gives an empty buffer its first
/// size.
pub(super) fn grow(buffer: &mut Vec<u8>, capacity: usize) {
    buffer.resize((4 * buffer.len()).max(FIRST_BUFFER_BYTES).min(capacity), 0);
}

/// The minimum capacity of a buffer, in bytes. It is larger than any character or replacement.
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
    /// The text has this encoding.
    Scheme(Scheme),
    /// The encoding that [`detect`](crate::detect::detect()) finds in a whole text. A
    /// [`Reader`](super::Reader) detects the encoding from the start of the text, as much as its
    /// buffer holds. ASCII is read as UTF-8, because non-ASCII text may follow. A text in an
    /// encoding that this crate lacks is read in the
    /// [closest](crate::detect::Detection::closest) encoding.
    ///
    /// A text with parts in different encodings is an error with every policy. The error has the
    /// kind [`InvalidData`](io::ErrorKind::InvalidData), and its message describes the
    /// [mixture](crate::detect::Mixture). A reader looks for such parts in everything that it
    /// reads. It returns the text of the first part, and then the error on each further call. If
    /// the first part is in a legacy encoding, the reader returns only the ASCII at the start of
    /// the part.
    Detect,
}

impl From<Scheme> for Unmarked {
    fn from(scheme: Scheme) -> Self {
        Self::Scheme(scheme)
    }
}

/// Returns the scheme in which a detected text, or its first part, is read, and the length of its
/// byte order mark. ASCII is read as UTF-8, because non-ASCII text may follow. A first part in a
/// legacy encoding is read as UTF-8 too: only the ASCII at its start can be read.
pub(super) fn scheme_and_mark_len(found: Detection, text: &[u8]) -> (Scheme, usize) {
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

/// Returns the error for an inner reader or writer that returns a number of bytes larger than its
/// buffer.
#[cold]
pub(super) fn excess_count_error() -> io::Error {
    io::Error::other("the inner reader or writer returned a count larger than its buffer")
}
