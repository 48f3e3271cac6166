//! The valid and invalid runs of a text: `<[u8]>::utf8_chunks` with vector code.

use core::fmt;
use core::iter::FusedIterator;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::utf8::boundary::floor_boundary;
use crate::{generic, scalar};

/// Finds the valid runs.
const VALIDATION: Validation = validation(Scheme::Utf8);

/// Returns the valid and invalid runs of `src`, as [`utf8_chunks`](slice::utf8_chunks) of the
/// standard library does.
///
/// Valid runs are found at the speed of [`validate`](crate::validate); an error costs about as much
/// as it does there. No allocation.
///
/// ```
/// use utflane::utf8;
///
/// let mut text = String::new();
/// for chunk in utf8::chunks(b"caf\xC3\xA9 \xE2\x82 ok") {
///     text.push_str(chunk.valid());
///     for byte in chunk.invalid() {
///         text.push_str(&format!("<{byte:02X}>"));
///     }
/// }
/// assert_eq!(text, "café <E2><82> ok");
/// ```
#[inline]
pub fn chunks(src: &[u8]) -> Chunks<'_> {
    Kernel::active().utf8_chunks(src)
}

impl Kernel {
    /// Calls `utf8::chunks` on this kernel.
    #[doc(hidden)]
    #[inline]
    pub fn utf8_chunks(self, src: &[u8]) -> Chunks<'_> {
        Chunks { kernel: self, rest: src, dense: false }
    }
}

/// A valid run, and the invalid bytes that end it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// Returns the valid run, which may be empty.
    #[must_use]
    #[inline]
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    /// Returns the bytes that end the valid run: at most three, a maximal subpart, which a lossy
    /// conversion replaces by one U+FFFD. Empty at the end of a complete text.
    #[must_use]
    #[inline]
    pub fn invalid(&self) -> &'a [u8] {
        self.invalid
    }
}

/// The iterator of [`chunks`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Chunks<'a> {
    kernel: Kernel,
    rest: &'a [u8],
    /// True if the previous run was so short that the next one may be short too.
    dense: bool,
}

/// Bytes that are examined one by one.
const EXAMINED_BYTES: usize = 16;

/// Bytes in which the exact error is searched. After them, a check of more bytes at once first
/// finds where one is.
const ERROR_SEARCH_BYTES: usize = 1024;

impl Chunks<'_> {
    /// Returns the bytes of the rest that are valid, and the number of invalid bytes after them.
    fn measure(&self) -> (usize, usize) {
        let src = self.rest;
        // Bytes that begin no character come in runs: the rest of a character with one invalid
        // byte.
        if matches!(src, [0x80..=0xC1 | 0xF5..=0xFF, ..]) {
            return (0, 1);
        }
        if self.dense
            && let Some(run) = self.run_in_window()
        {
            return run;
        }
        let end = floor_boundary(src, ERROR_SEARCH_BYTES.min(src.len()));
        let (valid, invalid) = find_ill_formed(&src[..end], self.kernel);
        if invalid > 0 || end == src.len() {
            return (valid, invalid);
        }
        let Err(known) = VALIDATION.check(self.kernel, &src[end..]) else { return (src.len(), 0) };
        // The last sequence of the valid part may be incomplete.
        let known = floor_boundary(src, end + known.saturating_sub(1));
        let (valid, invalid) = find_ill_formed(&src[known..], self.kernel);
        (known + valid, invalid)
    }

    /// Returns the run, if it ends within [`EXAMINED_BYTES`] bytes and with invalid bytes.
    fn run_in_window(&self) -> Option<(usize, usize)> {
        // The window ends at a boundary, so no sequence in it continues.
        let end = floor_boundary(self.rest, EXAMINED_BYTES);
        let (valid, invalid) = find_ill_formed_by_reference(&self.rest[..end]);
        (invalid > 0).then_some((valid, invalid))
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (valid, invalid) = self.measure();
        let (valid, after) = self.rest.split_at(valid);
        let (invalid, rest) = after.split_at(invalid);
        self.rest = rest;
        if !valid.is_empty() {
            self.dense = valid.len() < EXAMINED_BYTES;
        }
        debug_assert!(core::str::from_utf8(valid).is_ok());
        // SAFETY: these bytes have just been validated, in segments that begin and end at
        // boundaries.
        let valid = unsafe { core::str::from_utf8_unchecked(valid) };
        Some(Chunk { valid, invalid })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.rest.is_empty()), Some(self.rest.len()))
    }
}

impl FusedIterator for Chunks<'_> {}

impl fmt::Debug for Chunks<'_> {
    /// Lists the remaining chunks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// Returns the valid bytes at the start of `src`, and the number of invalid bytes after them; none
/// at the end.
#[inline(never)]
fn find_ill_formed(src: &[u8], kernel: Kernel) -> (usize, usize) {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => find_ill_formed_by_reference(src),
        |V, token, src, ()| generic::repair::sequences::find_ill_formed::<V>(token, src))
}

/// [`find_ill_formed`] in the scalar reference.
fn find_ill_formed_by_reference(src: &[u8]) -> (usize, usize) {
    match scalar::utf8::validate(src) {
        Ok(()) => (src.len(), 0),
        Err(error) => {
            let valid = error.valid_up_to();
            (valid, error.error_len().unwrap_or(src.len() - valid))
        }
    }
}
