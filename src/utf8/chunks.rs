//! A text as runs of what is well-formed and what is not: `<[u8]>::utf8_chunks` with vector code.

use core::fmt;
use core::iter::FusedIterator;

use super::floor_boundary;
use crate::encoding::pairs::{self, Validation};
use crate::{Kernel, Scheme, scalar};

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

/// Bytes of the first piece that is looked at as a whole.
const PIECE: usize = 64;

/// Pieces, each twice as long as the one before; behind them is all the rest.
const PIECES: usize = 4;

impl Chunks<'_> {
    /// How much of the rest is valid, and how many bytes behind that are not.
    fn measure(&self) -> (usize, usize) {
        let src = self.rest;
        // What can't begin anything comes in runs: the rest of a character of which one byte is wrong.
        if matches!(src, [0x80..=0xC1 | 0xF5..=0xFF, ..]) {
            return (0, 1);
        }
        if self.dense
            && let Some(run) = self.run_in_window(0)
        {
            return run;
        }
        // A vector kernel reads hundreds of bytes before it tells of an error, so it is first given few, and then more.
        let (mut valid, mut size) = (0, PIECE);
        for _ in 0..PIECES {
            let end = floor_boundary(src, valid + size);
            if self.is_valid(valid, end) {
                valid = end;
                size *= 2;
            } else {
                break;
            }
        }
        if size == PIECE << PIECES {
            match VALIDATION.check(self.kernel, &src[valid..]) {
                Ok(()) => return (src.len(), 0),
                // The last sequence that is known may be cut short.
                Err(known) => valid = floor_boundary(src, valid + known.saturating_sub(1)),
            }
        }
        // There is an error in so many bytes; in which half?
        while size > WINDOW {
            size /= 2;
            let end = floor_boundary(src, valid + size);
            if self.is_valid(valid, end) {
                valid = end;
            }
        }
        loop {
            if let Some(run) = self.run_in_window(valid) {
                return run;
            }
            valid = floor_boundary(src, valid + WINDOW);
            if valid == src.len() {
                return (valid, 0);
            }
        }
    }

    /// Whether a part of the rest is valid. It begins and ends at boundaries.
    #[inline]
    fn is_valid(&self, from: usize, to: usize) -> bool {
        VALIDATION.check(self.kernel, &self.rest[from..to]).is_ok()
    }

    /// The run, if it ends with something invalid that begins in a few bytes. Everything in front of `from` is valid.
    fn run_in_window(&self, from: usize) -> Option<(usize, usize)> {
        let end = floor_boundary(self.rest, from + WINDOW);
        let error = scalar::utf8::validate(&self.rest[from..end]).err()?;
        // What ends with the window ends at a boundary: it doesn't go on.
        let valid = from + error.valid_up_to();
        Some((valid, error.error_len().unwrap_or(end - valid)))
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
