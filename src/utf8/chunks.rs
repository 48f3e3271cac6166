//! A text as runs of what is well-formed and what is not: `<[u8]>::utf8_chunks` with vector code.

use core::fmt;
use core::iter::FusedIterator;

use crate::{Kernel, Utf8, scalar};

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

/// Bytes that are looked at one by one where runs are short. A vector kernel reads hundreds before it tells of an error.
const WINDOW: usize = 48;

impl<'a> Chunks<'a> {
    /// How much of the rest is valid, and how many bytes behind that are not.
    fn measure(&self) -> (usize, usize) {
        if self.dense {
            let window = &self.rest[..self.rest.len().min(WINDOW)];
            // What the end of the window cuts off is no error yet.
            if let Err(error) = scalar::utf8::validate(window)
                && let Some(len) = error.error_len()
            {
                return (error.valid_up_to(), len);
            }
        }
        match self.kernel.validate::<Utf8>(self.rest) {
            Ok(()) => (self.rest.len(), 0),
            Err(error) => {
                let valid = error.valid_up_to();
                (valid, error.error_len().unwrap_or(self.rest.len() - valid))
            }
        }
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
        self.dense = valid.len() < WINDOW;
        // SAFETY: it has just been validated.
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
