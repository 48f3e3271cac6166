//! Validates streams.

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

/// Validates a stream of bytes in a [`Scheme`] chosen at run time. [`Validator`] does the same for
/// an encoding that is a type.
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
    /// The carried bytes, with their offset in the stream. In UTF-8, no bytes are carried between
    /// two chunks: the last bytes are in `before`, and the offset is the offset of the next chunk.
    carry: Carry,
    /// The last three bytes of UTF-8, with the last byte in the high bits. Bytes before the start
    /// of the stream are zero. A sequence that is incomplete in these bytes continues in the next
    /// chunk.
    before: u32,
    kernel: Kernel,
    /// The function of the kernel that checks a block of UTF-8.
    block_check: BlockCheck,
    validation: Validation,
    /// The error that [`accepts`](Self::accepts) has found. It accepts no chunks after this error.
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

    /// Creates a validator from its parts. The caller chooses the validation, so that a program
    /// that uses an encoding as a type links only the validation of this encoding.
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
    /// Returns the error of the first ill-formed sequence.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        match self.check_fast(chunk) {
            Ok(()) => {
                self.carry.offset += chunk.len() as u64;
                Ok(())
            }
            Err(valid_len) => self.check(chunk, valid_len),
        }
    }

    /// Validates a chunk on the fast path if the scheme is UTF-8, and otherwise returns `Err(0)`.
    /// The caller adds the length of the chunk to the offset of the stream. `Err` holds an offset
    /// in the chunk. The bytes before it are well-formed, except that the last sequence before this
    /// offset may be incomplete. [`check`](Self::check) continues from this offset.
    #[inline(never)]
    fn check_fast(&mut self, chunk: &[u8]) -> Result<(), usize> {
        if self.validation.scheme != Scheme::Utf8 || chunk.is_empty() || self.failure.is_some() {
            return Err(0);
        }
        check_utf8_chunk(chunk, &mut self.before, self.kernel)
    }

    /// Validates the next chunk, in any scheme. [`check_fast`](Self::check_fast) has found its
    /// first `valid_len` bytes well-formed, except that their last sequence may be incomplete.
    #[inline(never)]
    fn check(&mut self, chunk: &[u8], valid_len: usize) -> Result<(), StreamError> {
        if valid_len == 0 {
            return self.check_carried(chunk);
        }
        // As in `from_utf8::check::locate`: the byte at `valid_len` may fail to continue the
        // sequence before it.
        let start = scalar::utf8::character_start(chunk, valid_len - 1);
        self.carry.offset += start as u64;
        self.before = 0;
        self.check_carried(&chunk[start..]).map_err(|error| error.after_bytes(start))
    }

    /// Validates the next chunk as [`check`](Self::check) does. The error counts units of `size`
    /// bytes.
    #[inline(never)]
    fn check_in_units(
        &mut self,
        chunk: &[u8],
        valid_len: usize,
        size: usize,
    ) -> Result<(), StreamError> {
        self.check(chunk, valid_len).map_err(|error| error.in_units(size))
    }

    /// Validates the next chunk after the carried bytes.
    #[inline(never)]
    fn check_carried(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        if !is_ascii(self.before) {
            self.carry.carry_incomplete_utf8(self.before);
        }
        let result =
            if self.carry.is_empty() && truncated_suffix_len(self.validation.scheme, chunk) == 0 {
                match self.validation.check(self.kernel, chunk) {
                    Ok(()) => {
                        self.carry.offset += chunk.len() as u64;
                        Ok(())
                    }
                    Err(valid_len) => self.locate_error(chunk, valid_len),
                }
            } else {
                self.check_split_ends(chunk)
            };
        if self.validation.scheme == Scheme::Utf8 {
            self.before = self.carry.take_utf8();
        }
        result
    }

    /// Locates the error of a chunk. No bytes are carried. The first `valid_len` bytes are
    /// well-formed, except that the last sequence before this offset may be incomplete.
    #[cold]
    #[inline(never)]
    fn locate_error(&mut self, chunk: &[u8], valid_len: usize) -> Result<(), StreamError> {
        let (read, stop) = match self.validation.locate_in_units(chunk, valid_len, 1) {
            Ok(()) => (chunk.len(), Stop::Done),
            Err(error) => (error.valid_up_to(), Stop::Error(error)),
        };
        to_result(self.carry.finish_step(
            chunk,
            0,
            0,
            LossyReach { read, stop, ..LossyReach::NONE },
        ))
    }

    /// Validates the next chunk. A sequence may be split across its start or its end.
    #[cold]
    #[inline(never)]
    fn check_split_ends(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        to_result(self.carry.push(chunk, &mut |src, _, may_continue| {
            validate_as_reach(validation, kernel, src, may_continue)
        }))
    }

    /// Validates the next chunk. Returns true if the stream is well-formed so far: see
    /// [`Validator::accepts`].
    #[inline]
    pub fn accepts(&mut self, chunk: &[u8]) -> bool {
        match self.check_fast(chunk) {
            Ok(()) => {
                self.carry.offset += chunk.len() as u64;
                true
            }
            Err(valid_len) => self.accepts_checked(chunk, valid_len),
        }
    }

    /// Implements [`accepts`](Self::accepts) with [`check`](Self::check).
    #[inline(never)]
    fn accepts_checked(&mut self, chunk: &[u8], valid_len: usize) -> bool {
        if self.failure.is_none() {
            self.failure = self.check(chunk, valid_len).err();
        }
        self.failure.is_none()
    }

    /// Ends the stream: see [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// Returns the error of an incomplete sequence at the end of the stream, or the error after
    /// which [`accepts`](Self::accepts) returned `false`.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        if self.failure.is_some() || !self.carry.is_empty() || ends_inside_sequence(self.before) {
            return self.finish_incomplete();
        }
        self.before = 0;
        self.carry.offset = 0;
        Ok(())
    }

    /// Ends the stream as [`finish`](Self::finish) does. There was an error, or the stream ends
    /// inside a sequence.
    #[cold]
    #[inline(never)]
    fn finish_incomplete(&mut self) -> Result<(), StreamError> {
        if let Some(error) = self.failure {
            *self = Self::for_validation(self.kernel, self.validation, self.block_check);
            return Err(error);
        }
        if ends_inside_sequence(self.before) {
            self.carry.carry_incomplete_utf8(self.before);
        }
        self.before = 0;
        let Self { kernel, validation, .. } = *self;
        to_result(self.carry.finish(&mut |src, _, may_continue| {
            validate_as_reach(validation, kernel, src, may_continue)
        }))
    }
}

/// Returns true if the three bytes before a chunk are ASCII.
#[inline]
fn is_ascii(before: u32) -> bool {
    before & 0x80_80_80 == 0
}

/// Runs a validation, and returns its result as the result of a conversion without output.
fn validate_as_reach(
    validation: Validation,
    kernel: Kernel,
    src: &[u8],
    may_continue: bool,
) -> LossyReach {
    let scheme = validation.scheme;
    let complete = wtf8::complete(scheme, src, may_continue);
    let (read, stop) = match validation.run(kernel, complete) {
        Ok(()) if complete.len() < src.len() => {
            (complete.len(), Stop::Error(wtf8::incomplete_end(scheme, complete.len())))
        }
        Ok(()) => (src.len(), Stop::Done),
        // The kind of the error may depend on the bytes after the complete part.
        Err(error) if complete.len() < src.len() => {
            let read = error.valid_up_to();
            (read, scalar::stop(scheme, scheme, src, read))
        }
        Err(error) => (error.valid_up_to(), Stop::Error(error)),
    };
    LossyReach { read, written: 0, repairs: 0, stop }
}

/// Converts the progress of a conversion without output to the result of a validation.
fn to_result(progress: Progress<StreamError>) -> Result<(), StreamError> {
    match progress.stop {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}

/// Validates a stream in chunks, which may end anywhere, even inside a character.
///
/// The result is the result of [`validate`](crate::validate) for the whole text. Offsets count from
/// the start of the whole text. [`push`](Self::push) returns an error as soon as a chunk contains
/// the byte (in UTF-16 and UTF-32, the unit) that makes the text ill-formed. The validator reads
/// the text once, and does not allocate.
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
    /// Returns the error of the first ill-formed sequence. [`StreamError::read`] is the position
    /// after this sequence in the chunk: continue there.
    #[inline]
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), StreamError> {
        if self.accept_short_ascii(chunk) {
            return Ok(());
        }
        let bytes = view::bytes(chunk);
        match self.check_fast(bytes) {
            Ok(()) => Ok(()),
            Err(valid_len) => self.bytes.check_in_units(bytes, valid_len, size_of::<E::Unit>()),
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
        if self.accept_short_ascii(chunk) {
            return true;
        }
        let bytes = view::bytes(chunk);
        match self.check_fast(bytes) {
            Ok(()) => true,
            Err(valid_len) => self.bytes.accepts_checked(bytes, valid_len),
        }
    }

    /// Validates as [`ByteValidator::check_fast`] does, and adds the length of a well-formed chunk
    /// to the offset. The scheme is known at compile time, so UTF-8 is checked without a test of
    /// the scheme.
    #[inline]
    fn check_fast(&mut self, chunk: &[u8]) -> Result<(), usize> {
        let bytes = &mut self.bytes;
        let result = match const { E::SCHEME } {
            Scheme::Utf8 => match chunk.try_into() {
                Ok(block) => bytes.block_check.run(block, &mut bytes.before),
                Err(_) => check_utf8_chunk(chunk, &mut bytes.before, bytes.kernel),
            },
            _ => bytes.check_fast(chunk),
        };
        if result.is_ok() {
            bytes.carry.offset += chunk.len() as u64;
        }
        result
    }

    /// Accepts a short chunk if it is ASCII, and the bytes before it are ASCII too. Returns true if
    /// so: the chunk is then validated, and the offset includes it.
    #[inline]
    fn accept_short_ascii(&mut self, chunk: &[E::Unit]) -> bool {
        let is_ascii = matches!(const { E::SCHEME }, Scheme::Utf8 | Scheme::Ascii)
            && words::is_ascii_64(view::bytes(chunk))
            && is_ascii(self.bytes.before);
        // The last bytes of the previous chunk are tested last, because they matter only if this
        // chunk is ASCII. Then only one branch is hard to predict for new text.
        //
        // This accesses fields directly: a method of `ByteValidator` would be compiled again in the
        // caller's crate. `before` need not change: the chunk is ASCII, like the bytes in `before`.
        if is_ascii {
            self.bytes.carry.offset += chunk.len() as u64;
        }
        is_ascii
    }

    /// Ends the stream. The validator is then at the start of a new stream.
    ///
    /// # Errors
    ///
    /// Returns the error of an incomplete sequence at the end of the stream, or the error after
    /// which [`accepts`](Self::accepts) returned `false`.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.bytes.finish().map_err(|error| error.in_units(size_of::<E::Unit>()))
    }
}

impl<E: Encoding> Default for Validator<E> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use alloc::string::String;
    use core::str;

    use super::*;
    use crate::arch::window::STEP;

    /// Returns the last three bytes of `text`, with the last byte in bits 16 to 23. Missing bytes
    /// are zero.
    fn last_three_bytes(text: &[u8]) -> u32 {
        text.iter().fold(0, |word, &byte| word >> 8 | u32::from(byte) << 16)
    }

    /// Asserts that the check of a chunk of at most [`STEP`] bytes accepts exactly what the
    /// standard library accepts, for chunks at many offsets of `text`. If the check fails, a
    /// validator calls another function, so no other test notices a well-formed chunk that fails.
    fn assert_exact_checks(text: &[u8]) {
        for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
            for start in 0..5 {
                let before = last_three_bytes(&text[..start]);
                for len in (1..=STEP).filter(|len| start + len <= text.len()) {
                    let text_so_far = &text[..start + len];
                    // The chunk may end inside a sequence.
                    let is_well_formed = str::from_utf8(text_so_far)
                        .map_or_else(|e| e.error_len().is_none(), |_| true);
                    let mut validator = ByteValidator::with_kernel(kernel, Scheme::Utf8);
                    validator.before = before;
                    let result = validator.check_fast(&text_so_far[start..]);
                    assert_eq!(
                        result.is_ok(),
                        is_well_formed,
                        "{kernel}: {start}, {len} of {text:x?}"
                    );
                    let expected =
                        if is_well_formed { last_three_bytes(text_so_far) } else { before };
                    assert_eq!(validator.before, expected, "{kernel}: {start}, {len} of {text:x?}");
                }
            }
        }
    }

    #[test]
    fn short_chunks_are_checked_exactly() {
        for text in ["a\u{E9}", "\u{4E2D}", "\u{1F600}", "\u{1F600}b\u{E9}\u{4E2D}"] {
            for prefix_len in 0..4 {
                let mut text = String::from(&"x".repeat(prefix_len)) + &text.repeat(40);
                text.truncate((0..=72).rfind(|&end| text.is_char_boundary(end)).unwrap_or(0));
                let mut text = text.into_bytes();
                assert_exact_checks(&text);
                // Write one wrong byte after the start of every chunk.
                for offset in 5..text.len() {
                    for wrong in [0xFF, 0xC1, 0x80, b'a', 0xE4] {
                        let original = core::mem::replace(&mut text[offset], wrong);
                        assert_exact_checks(&text);
                        text[offset] = original;
                    }
                }
            }
        }
    }
}
