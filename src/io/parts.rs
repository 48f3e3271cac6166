//! Code that readers, writers and the functions for whole texts share.

use std::io;
use std::vec::Vec;

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
