//! A text as runs of what is well-formed and what is not: `<[u8]>::utf8_chunks` with vector code.

use core::fmt;
use core::iter::FusedIterator;

use super::floor_boundary;
use crate::encoding::pairs::{self, Validation};
use crate::kernel::dispatch_long;
use crate::{Kernel, Scheme, generic, scalar};

/// What finds the valid runs.
const VALIDATION: Validation = pairs::validation(Scheme::Utf8);

/// The valid and invalid runs of `src`, as [`utf8_chunks`](slice::utf8_chunks) of the standard library has them.
///
/// Valid runs are found at the speed of [`validate`](crate::validate); ill-formed text costs about what it costs there.
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
    /// `utf8::chunks` on this kernel.
    #[inline]
    pub fn utf8_chunks(self, src: &[u8]) -> Chunks<'_> {
        Chunks { kernel: self, rest: src, dense: false }
    }
}

/// A valid run, and what stops it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    valid: &'a str,
    invalid: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// What is well-formed, perhaps nothing.
    #[must_use]
    #[inline]
    pub fn valid(&self) -> &'a str {
        self.valid
    }

    /// The bytes that make it end, for which a lossy conversion has one U+FFFD: at most three, a maximal subpart. None at the
    /// end of a text that ends well.
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
    /// Whether the run before was so short that the next one may be.
    dense: bool,
}

/// Bytes that are looked at one by one.
const WINDOW: usize = 16;

/// Bytes that are looked at for an error alone. Behind them, what looks at more of them together tells first where there is one.
const PIECE: usize = 1024;

impl Chunks<'_> {
    /// How much of the rest is valid, and how many bytes behind that are not.
    fn measure(&self) -> (usize, usize) {
        let src = self.rest;
        // What can't begin anything comes in runs: the rest of a character of which one byte is wrong.
        if matches!(src, [0x80..=0xC1 | 0xF5..=0xFF, ..]) {
            return (0, 1);
        }
        if self.dense
            && let Some(run) = self.run_in_window()
        {
            return run;
        }
        let end = floor_boundary(src, PIECE.min(src.len()));
        let (valid, invalid) = first_bad(self.kernel, &src[..end]);
        if invalid > 0 || end == src.len() {
            return (valid, invalid);
        }
        let Err(known) = VALIDATION.check(self.kernel, &src[end..]) else { return (src.len(), 0) };
        // The last sequence that is known may be cut short.
        let known = floor_boundary(src, end + known.saturating_sub(1));
        let (valid, invalid) = first_bad(self.kernel, &src[known..]);
        (known + valid, invalid)
    }

    /// The run, if it ends with something invalid that begins in a few bytes.
    fn run_in_window(&self) -> Option<(usize, usize)> {
        // What ends with the window ends at a boundary: it doesn't go on.
        let end = floor_boundary(self.rest, WINDOW);
        let (valid, invalid) = first_bad_by_reference(&self.rest[..end]);
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
        let (valid, behind) = self.rest.split_at(valid);
        let (invalid, rest) = behind.split_at(invalid);
        self.rest = rest;
        if !valid.is_empty() {
            self.dense = valid.len() < WINDOW;
        }
        debug_assert!(core::str::from_utf8(valid).is_ok());
        // SAFETY: it has just been validated, in pieces that begin and end at boundaries.
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
    /// The chunks still to come.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// How much of `src` is valid, and how many bytes behind that are not: none if there is nothing behind.
#[inline(never)]
fn first_bad(kernel: Kernel, src: &[u8]) -> (usize, usize) {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => first_bad_by_reference(src),
        |V, token, src, ()| generic::utf8_sequences::first_bad::<V>(token, src))
}

/// [`first_bad`] by the reference.
fn first_bad_by_reference(src: &[u8]) -> (usize, usize) {
    match scalar::utf8::validate(src) {
        Ok(()) => (src.len(), 0),
        Err(error) => {
            let valid = error.valid_up_to();
            (valid, error.error_len().unwrap_or(src.len() - valid))
        }
    }
}
