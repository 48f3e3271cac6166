//! The traits of validators for texts in chunks.

use crate::basic::error::Utf8Error;

/// Validates a text in chunks. A chunk may end anywhere, even inside a character.
///
/// Only [`finalize`](Self::finalize) returns the result.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use simdutf8::basic::imp::{Utf8Validator, x86::avx2::Utf8ValidatorImp};
///
/// if is_x86_feature_detected!("avx2") {
///     // SAFETY: the processor has AVX2.
///     let result = unsafe {
///         let mut validator = Utf8ValidatorImp::new();
///         validator.update(b"5 \xE2\x82");
///         validator.update(b"\xAC");
///         validator.finalize()
///     };
///     assert_eq!(result, Ok(()));
/// }
/// # }
/// ```
pub trait Utf8Validator {
    /// Creates a validator at the start of a text.
    ///
    /// # Safety
    ///
    /// The processor must support the instruction set of the implementation's module.
    #[must_use]
    unsafe fn new() -> Self
    where
        Self: Sized;

    /// Validates the next chunk.
    ///
    /// # Safety
    ///
    /// The same as for [`new`](Self::new).
    unsafe fn update(&mut self, input: &[u8]);

    /// Ends the text, and returns the result.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not well-formed UTF-8 or ends inside a sequence.
    ///
    /// # Safety
    ///
    /// The same as for [`new`](Self::new).
    unsafe fn finalize(self) -> Result<(), Utf8Error>;
}

/// Validates a text in chunks whose lengths are multiples of 64 bytes. A chunk may end inside a
/// character.
///
/// Only [`finalize`](Self::finalize) returns the result.
///
/// ```
/// # #[cfg(target_arch = "x86_64")] {
/// use simdutf8::basic::imp::{ChunkedUtf8Validator, x86::sse42::ChunkedUtf8ValidatorImp};
///
/// let text = "5 € ".repeat(30);
/// let (blocks, rest) = text.as_bytes().as_chunks::<64>();
/// if is_x86_feature_detected!("sse4.2") {
///     // SAFETY: the processor has SSE4.2.
///     let result = unsafe {
///         let mut validator = ChunkedUtf8ValidatorImp::new();
///         for block in blocks {
///             validator.update_from_chunks(block);
///         }
///         validator.finalize(Some(rest))
///     };
///     assert_eq!(result, Ok(()));
/// }
/// # }
/// ```
pub trait ChunkedUtf8Validator {
    /// Creates a validator at the start of a text.
    ///
    /// # Safety
    ///
    /// The processor must support the instruction set of the implementation's module.
    #[must_use]
    unsafe fn new() -> Self
    where
        Self: Sized;

    /// Validates the next bytes of the text.
    ///
    /// # Panics
    ///
    /// Panics if the length of `input` is not a multiple of 64.
    ///
    /// # Safety
    ///
    /// The same as for [`new`](Self::new).
    unsafe fn update_from_chunks(&mut self, input: &[u8]);

    /// Validates the last bytes of the text, of any length, ends the text, and returns the result.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not well-formed UTF-8 or ends inside a sequence.
    ///
    /// # Safety
    ///
    /// The same as for [`new`](Self::new).
    unsafe fn finalize(self, remaining_input: Option<&[u8]>) -> Result<(), Utf8Error>;
}
