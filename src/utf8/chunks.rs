//! The valid and invalid runs of a text, as `<[u8]>::utf8_chunks` finds them, with vector code.

use core::fmt;
use core::iter::FusedIterator;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::utf8::boundary::floor_boundary;
use crate::{generic, scalar};

/// The validation that finds the ends of long valid runs.
const VALIDATION: Validation = validation(Scheme::Utf8);

/// Returns the valid and invalid runs of `src`, as [`utf8_chunks`](slice::utf8_chunks) of the
/// standard library does.
///
/// Valid runs are found as fast as by [`validate`](crate::validate), and an error takes about as
/// long to find. The iterator does not allocate.
///
/// ```
/// use utflane::utf8;
///
/// let mut text = String::new();
/// for chunk in utf8::chunks(b"caf\xC3\xA9 \xE2\x82 ok") {
///     text.push_str(chunk.valid);
///     for byte in chunk.invalid {
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
        Chunks { kernel: self, rest: src }
    }
}

/// A valid run and the invalid bytes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The valid run, which may be empty.
    pub valid: &'a str,
    /// The invalid bytes after the valid run. They are a maximal subpart of at most three bytes,
    /// which a lossy conversion replaces by one U+FFFD. The slice is empty if the text ends after
    /// the valid run.
    pub invalid: &'a [u8],
}

/// The iterator of [`chunks`].
#[derive(Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Chunks<'a> {
    kernel: Kernel,
    rest: &'a [u8],
}

/// The number of bytes in which the exact error is searched at once. If there is none, a faster
/// check of the rest of the text finds the approximate position of the next error.
const ERROR_SEARCH_BYTES: usize = 1024;

impl Chunks<'_> {
    /// Returns the lengths in bytes of the next valid run and of the invalid run after it.
    fn next_run_lens(&self) -> (usize, usize) {
        let src = self.rest;
        let end = floor_boundary(src, ERROR_SEARCH_BYTES.min(src.len()));
        let (valid, invalid) = find_ill_formed(&src[..end], self.kernel);
        if invalid > 0 || end == src.len() {
            return (valid, invalid);
        }
        let Err(checked) = VALIDATION.check(self.kernel, &src[end..]) else {
            return (src.len(), 0);
        };
        // The last sequence of the valid part may be incomplete.
        let start = floor_boundary(src, end + checked.saturating_sub(1));
        let (valid, invalid) = find_ill_formed(&src[start..], self.kernel);
        (start + valid, invalid)
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (valid, invalid) = self.next_run_lens();
        let (valid, after) = self.rest.split_at(valid);
        let (invalid, rest) = after.split_at(invalid);
        self.rest = rest;
        debug_assert!(core::str::from_utf8(valid).is_ok());
        // SAFETY: `valid` must be well-formed UTF-8. These bytes have just been validated, in
        // segments that begin and end at boundaries.
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

/// Returns the number of valid bytes at the start of `src`, and the number of invalid bytes after
/// them, which is 0 if all of `src` is valid.
#[inline(never)]
fn find_ill_formed(src: &[u8], kernel: Kernel) -> (usize, usize) {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => match scalar::utf8::validate(src) {
            Ok(()) => (src.len(), 0),
            Err(error) => {
                let valid = error.valid_up_to();
                (valid, error.error_len().unwrap_or(src.len() - valid))
            }
        },
        |V, token, src, ()| generic::repair::sequences::find_ill_formed::<V>(token, src))
}
