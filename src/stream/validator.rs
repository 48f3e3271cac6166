//! Validation of a stream.

use core::marker::PhantomData;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::view;
use crate::scalar;
use crate::scalar::wtf8;
use crate::stream::carry::Carry;
use crate::types::error::StreamError;
use crate::types::progress::{LossyReach, Progress, Stop};

/// Validates a stream of bytes in a [`Scheme`] chosen at run time. [`Validator`] is the same for a
/// type.
///
/// ```
/// use utflane::{ByteValidator, Scheme};
///
/// let mut validator = ByteValidator::new(Scheme::Utf16Le);
/// validator.push(b"a\0b")?; // cut inside a code unit
/// validator.push(b"\0c\0")?;
/// validator.finish()?;
/// # Ok::<(), utflane::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByteValidator {
    carry: Carry,
    kernel: Kernel,
    validation: Validation,
}

impl ByteValidator {
    /// Creates a validator on the active kernel, at the start of a stream.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self::with_kernel(Kernel::active(), scheme)
    }

    /// Creates a validator on `kernel`, at the start of a stream.
    #[must_use]
    pub fn with_kernel(kernel: Kernel, scheme: Scheme) -> Self {
        Self::of(kernel, validation(scheme))
    }

    /// Creates a validator from a known validation, so that a program that names a type links no
    /// other.
    #[inline(never)]
    fn of(kernel: Kernel, validation: Validation) -> Self {
        Self { carry: Carry::new(validation.scheme), kernel, validation }
    }

    /// Validates the next chunk: see [`Validator::push`].
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(self.carry.push(chunk, &mut |src, _, may_continue| {
            validated(validation, kernel, src, may_continue)
        }))
    }

    /// Ends the stream: see [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// An incomplete sequence at the end of the stream.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(
            self.carry.finish(&mut |src, _, may_continue| {
                validated(validation, kernel, src, may_continue)
            }),
        )
    }
}

/// Runs a validation as a conversion without output.
fn validated(validation: Validation, kernel: Kernel, src: &[u8], may_continue: bool) -> LossyReach {
    let scheme = validation.scheme;
    let complete = wtf8::complete(scheme, src, may_continue);
    let (read, stop) = match validation.run(kernel, complete) {
        Ok(()) if complete.len() < src.len() => {
            (complete.len(), Stop::Error(wtf8::incomplete_end(scheme, complete.len())))
        }
        Ok(()) => (src.len(), Stop::Done),
        // The error is determined with the bytes after the complete part in view.
        Err(error) if complete.len() < src.len() => {
            let read = error.valid_up_to();
            (read, scalar::stop(scheme, scheme, src, read))
        }
        Err(error) => (error.valid_up_to(), Stop::Error(error)),
    };
    LossyReach { read, written: 0, repairs: 0, stop }
}

/// Returns the result of a conversion without output as that of a validation.
fn result(progress: Progress<StreamError>) -> Result<(), StreamError> {
    match progress.stop {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}

/// Validates a stream in chunks that may be cut anywhere, even inside a character.
///
/// The results are those of [`validate`](crate::validate) for the whole text, with offsets counted
/// from its start. The push that brings the first byte (in UTF-16 and UTF-32, the first unit) that
/// makes the text ill-formed reports the error. One pass, and no allocation.
///
/// ```
/// use utflane::{Utf8, Validator};
///
/// let mut validator = Validator::<Utf8>::new();
/// for chunk in ["né".as_bytes(), b"\xF0\x9F", b"\x98\x80"] {
///     validator.push(chunk)?;
/// }
/// validator.finish()?;
/// # Ok::<(), utflane::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Validator<E: Encoding> {
    bytes: ByteValidator,
    encoding: PhantomData<E>,
}

impl<E: Encoding> Validator<E> {
    /// Creates a validator on the active kernel, at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::active())
    }

    /// Creates a validator on `kernel`, at the start of a stream.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        let validation = const { validation(E::SCHEME) };
        Self { bytes: ByteValidator::of(kernel, validation), encoding: PhantomData }
    }

    /// Validates the next chunk. A sequence that its end cuts counts as well-formed so far.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence. [`StreamError::read`] is the position in this chunk after it:
    /// continue there.
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), StreamError> {
        self.bytes.push(view::bytes(chunk)).map_err(|error| error.in_units(size_of::<E::Unit>()))
    }

    /// Ends the stream. The validator is then at the start of a new one.
    ///
    /// # Errors
    ///
    /// An incomplete sequence at the end of the stream.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.bytes.finish().map_err(|error| error.in_units(size_of::<E::Unit>()))
    }
}

impl<E: Encoding> Default for Validator<E> {
    fn default() -> Self {
        Self::new()
    }
}
