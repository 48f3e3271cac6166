//! Validation of a stream.

use core::marker::PhantomData;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::chunk::{BlockCheck, check_utf8_chunk};
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::view;
use crate::scalar;
use crate::scalar::boundary::{ends_inside_sequence, truncated_suffix_len};
use crate::scalar::wtf8;
use crate::stream::carry::Carry;
use crate::swar::words;
use crate::types::error::StreamError;
use crate::types::progress::{LossyReach, Progress, Stop};

/// Validates a stream of bytes in a [`Scheme`] chosen at run time. [`Validator`] is the same for a
/// type.
///
/// ```
/// use utflane::{ByteValidator, Scheme};
///
/// let mut validator = ByteValidator::new(Scheme::Utf16Le);
/// validator.push(b"a\0b")?; // ends inside a code unit
/// validator.push(b"\0c\0")?;
/// validator.finish()?;
/// # Ok::<(), utflane::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByteValidator {
    /// Between two chunks of UTF-8 it carries nothing, and its offset is the next chunk's.
    carry: Carry,
    /// The last three bytes of UTF-8, the last one highest; zeros before the start. A sequence that
    /// they begin, and don't complete, continues in the next chunk.
    before: u32,
    kernel: Kernel,
    /// The check of a block of UTF-8 on the kernel.
    block_check: BlockCheck,
    validation: Validation,
    /// The error after which [`accepts`](Self::accepts) accepts nothing.
    failure: Option<StreamError>,
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
        Self::for_validation(kernel, validation(scheme), BlockCheck::for_kernel(kernel))
    }

    /// Creates a validator from a known validation. A program that names a type links no other
    /// validation.
    #[inline(never)]
    fn for_validation(kernel: Kernel, validation: Validation, block_check: BlockCheck) -> Self {
        Self {
            carry: Carry::new(validation.scheme),
            before: 0,
            kernel,
            block_check,
            validation,
            failure: None,
        }
    }

    /// Validates the next chunk: see [`Validator::push`].
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        match self.passes(chunk) {
            Ok(()) => {
                self.carry.offset += chunk.len() as u64;
                Ok(())
            }
            Err(known) => self.check(chunk, known),
        }
    }

    /// Validates a chunk of UTF-8 of most lengths, which the caller counts. The error is an offset:
    /// the bytes before it are well-formed, except that a sequence may continue there.
    /// [`check`](Self::check) continues from this offset.
    #[inline(never)]
    fn passes(&mut self, chunk: &[u8]) -> Result<(), usize> {
        if self.validation.scheme != Scheme::Utf8 || chunk.is_empty() || self.failure.is_some() {
            return Err(0);
        }
        check_utf8_chunk(chunk, &mut self.before, self.kernel)
    }

    /// Validates the next chunk, of any scheme. Its first `known` bytes are well-formed, by
    /// [`passes`](Self::passes).
    #[inline(never)]
    fn check(&mut self, chunk: &[u8], known: usize) -> Result<(), StreamError> {
        if known == 0 {
            return self.check_carried(chunk);
        }
        // As in `from_utf8::check::locate`: the byte at `known` may fail to continue the sequence
        // before it.
        let start = scalar::utf8::character_start(chunk, known - 1);
        self.carry.offset += start as u64;
        self.before = 0;
        self.check_carried(&chunk[start..]).map_err(|error| error.after_bytes(start))
    }

    /// [`check`](Self::check). The error counts units of `size` bytes.
    #[inline(never)]
    fn check_in_units(
        &mut self,
        chunk: &[u8],
        known: usize,
        size: usize,
    ) -> Result<(), StreamError> {
        self.check(chunk, known).map_err(|error| error.in_units(size))
    }

    /// Validates the next chunk after the carried bytes.
    #[inline(never)]
    fn check_carried(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        if !is_ascii(self.before) {
            self.carry.begun_utf8(self.before);
        }
        let result =
            if self.carry.is_empty() && truncated_suffix_len(self.validation.scheme, chunk) == 0 {
                match self.validation.check(self.kernel, chunk) {
                    Ok(()) => {
                        self.carry.offset += chunk.len() as u64;
                        Ok(())
                    }
                    Err(known) => self.located(chunk, known),
                }
            } else {
                self.examine(chunk)
            };
        if self.validation.scheme == Scheme::Utf8 {
            self.before = self.carry.begin_utf8();
        }
        result
    }

    /// Returns the error of a chunk with nothing carried before it. `known` bytes are well-formed,
    /// except for a sequence that may continue there.
    #[cold]
    #[inline(never)]
    fn located(&mut self, chunk: &[u8], known: usize) -> Result<(), StreamError> {
        let (read, stop) = match self.validation.locate(chunk, known) {
            Ok(()) => (chunk.len(), Stop::Done),
            Err(error) => (error.valid_up_to(), Stop::Error(error)),
        };
        result(self.carry.ended(chunk, 0, 0, LossyReach { read, stop, ..LossyReach::NONE }))
    }

    /// Validates the next chunk if its ends depend on more text.
    #[cold]
    #[inline(never)]
    fn examine(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(self.carry.push(chunk, &mut |src, _, may_continue| {
            validated(validation, kernel, src, may_continue)
        }))
    }

    /// Validates the next chunk. Returns true if the stream is well-formed so far: see
    /// [`Validator::accepts`].
    #[inline]
    pub fn accepts(&mut self, chunk: &[u8]) -> bool {
        match self.passes(chunk) {
            Ok(()) => {
                self.carry.offset += chunk.len() as u64;
                true
            }
            Err(known) => self.accepts_checked(chunk, known),
        }
    }

    /// [`accepts`](Self::accepts) by [`check`](Self::check).
    #[inline(never)]
    fn accepts_checked(&mut self, chunk: &[u8], known: usize) -> bool {
        if self.failure.is_none() {
            self.failure = self.check(chunk, known).err();
        }
        self.failure.is_none()
    }

    /// Ends the stream: see [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// An incomplete sequence at the end of the stream.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        if self.failure.is_some() || !self.carry.is_empty() || ends_inside_sequence(self.before) {
            return self.finish_incomplete();
        }
        self.before = 0;
        self.carry.offset = 0;
        Ok(())
    }

    /// [`finish`](Self::finish) after an error, or inside a sequence.
    #[cold]
    #[inline(never)]
    fn finish_incomplete(&mut self) -> Result<(), StreamError> {
        if let Some(error) = self.failure {
            *self = Self::for_validation(self.kernel, self.validation, self.block_check);
            return Err(error);
        }
        if ends_inside_sequence(self.before) {
            self.carry.begun_utf8(self.before);
        }
        self.before = 0;
        let Self { kernel, validation, .. } = *self;
        result(
            self.carry.finish(&mut |src, _, may_continue| {
                validated(validation, kernel, src, may_continue)
            }),
        )
    }
}

/// Returns true if the three bytes before a chunk are ASCII.
#[inline]
fn is_ascii(before: u32) -> bool {
    before & 0x80_80_80 == 0
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
        // The error is determined with the bytes after the complete part.
        Err(error) if complete.len() < src.len() => {
            let read = error.valid_up_to();
            (read, scalar::stop(scheme, scheme, src, read))
        }
        Err(error) => (error.valid_up_to(), Stop::Error(error)),
    };
    LossyReach { read, written: 0, repairs: 0, stop }
}

/// Returns the result of a conversion without output as the result of a validation.
fn result(progress: Progress<StreamError>) -> Result<(), StreamError> {
    match progress.stop {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}

/// Validates a stream in chunks, which may end anywhere, even inside a character.
///
/// The result is the result of [`validate`](crate::validate) for the whole text. Offsets count from
/// its start. The error is reported by the push with the byte (in UTF-16 and UTF-32, the unit) that
/// makes the text ill-formed. It is one pass, without allocation.
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
        let block_check = match const { E::SCHEME } {
            Scheme::Utf8 => BlockCheck::for_kernel(kernel),
            _ => BlockCheck::NONE,
        };
        Self {
            bytes: ByteValidator::for_validation(kernel, validation, block_check),
            encoding: PhantomData,
        }
    }

    /// Validates the next chunk. An incomplete sequence at its end counts as well-formed so far.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence. [`StreamError::read`] is the position in this chunk after it:
    /// continue there.
    #[inline]
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), StreamError> {
        if self.is_ascii(chunk) {
            return Ok(());
        }
        let bytes = view::bytes(chunk);
        match self.passes(bytes) {
            Ok(()) => Ok(()),
            Err(known) => self.bytes.check_in_units(bytes, known, size_of::<E::Unit>()),
        }
    }

    /// Validates the next chunk. Returns true if the stream is well-formed so far.
    ///
    /// After the first error it returns `false` for every chunk, without reading it.
    /// [`finish`](Self::finish) then returns that error.
    ///
    /// ```
    /// use utflane::{Utf8, Validator};
    ///
    /// let mut validator = Validator::<Utf8>::new();
    /// let chunks: [&[u8]; 3] = [b"caf\xC3", b"\xA9, na\xEFve", b"..."];
    /// assert!(!chunks.iter().all(|chunk| validator.accepts(chunk)));
    /// assert_eq!(validator.finish().unwrap_err().offset(), 9);
    /// ```
    #[inline]
    pub fn accepts(&mut self, chunk: &[E::Unit]) -> bool {
        if self.bytes.failure.is_some() {
            return false;
        }
        if self.is_ascii(chunk) {
            return true;
        }
        let bytes = view::bytes(chunk);
        match self.passes(bytes) {
            Ok(()) => true,
            Err(known) => self.bytes.accepts_checked(bytes, known),
        }
    }

    /// [`ByteValidator::passes`], and counts the chunk if it does. The scheme is known here, so
    /// UTF-8 goes to its check at once.
    #[inline]
    fn passes(&mut self, chunk: &[u8]) -> Result<(), usize> {
        let bytes = &mut self.bytes;
        let passes = match const { E::SCHEME } {
            Scheme::Utf8 => match chunk.try_into() {
                Ok(block) => bytes.block_check.run(block, &mut bytes.before),
                Err(_) => check_utf8_chunk(chunk, &mut bytes.before, bytes.kernel),
            },
            _ => bytes.passes(chunk),
        };
        if passes.is_ok() {
            bytes.carry.offset += chunk.len() as u64;
        }
        passes
    }

    /// Returns true if a short chunk is ASCII, and no sequence from before continues in it. It has
    /// then been validated.
    #[inline]
    fn is_ascii(&mut self, chunk: &[E::Unit]) -> bool {
        let is_ascii = matches!(const { E::SCHEME }, Scheme::Utf8 | Scheme::Ascii)
            && words::is_ascii_64(view::bytes(chunk))
            && is_ascii(self.bytes.before);
        // The bytes before matter only if the chunk is ASCII, so they are tested last: new text
        // then has one branch that is hard to predict instead of two.
        //
        // Fields, because no internal function should be compiled in the caller's crate. The bytes
        // before the next chunk remain ASCII.
        if is_ascii {
            self.bytes.carry.offset += chunk.len() as u64;
        }
        is_ascii
    }

    /// Ends the stream. The validator is then at the start of a new one.
    ///
    /// # Errors
    ///
    /// An incomplete sequence at the end of the stream, or the error after which
    /// [`accepts`](Self::accepts) returned `false`.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.bytes.finish().map_err(|error| error.in_units(size_of::<E::Unit>()))
    }
}

impl<E: Encoding> Default for Validator<E> {
    fn default() -> Self {
        Self::new()
    }
}
