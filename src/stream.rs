//! Texts that arrive in chunks cut anywhere: the same results as for the whole text at once.
//!
//! A chunk is handled in place by the one-shot code. Only the sequence that its end cuts, at most three bytes, is
//! carried over; the next chunk completes it byte by byte, which is also what makes an impossible sequence known at the
//! first byte that makes it so.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::encoding::pairs::{self, Conversion};
use crate::encoding::view;
use crate::error::{Error, Flaw, StreamError};
use crate::progress::{Progress, Stop, Units};
use crate::{Encoding, Kernel, Scheme};

/// The beginning of a sequence that a chunk's end has cut, and where in the stream it stands.
#[derive(Clone, Debug)]
struct Carry {
    scheme: Scheme,
    /// Bytes of the stream in front of the carried ones.
    offset: u64,
    bytes: [u8; Self::MOST],
    /// Carried bytes: 0..=3 between pushes.
    len: usize,
}

/// One-shot work on some bytes, after so many bytes of output: a conversion or a validation.
type Step<'a> = &'a mut dyn FnMut(&[u8], usize) -> Progress;

impl Carry {
    /// Bytes of the longest sequence.
    const MOST: usize = 4;

    const fn new(scheme: Scheme) -> Self {
        Self { scheme, offset: 0, bytes: [0; Self::MOST], len: 0 }
    }

    /// Runs `step` over what is carried and `chunk`.
    fn push(&mut self, chunk: &[u8], step: Step<'_>) -> Progress<StreamError> {
        let (mut read, mut written) = (0, 0);
        while self.len > 0 {
            let Some(&byte) = chunk.get(read) else {
                return Progress { read, written, stop: Stop::Done };
            };
            self.bytes[self.len] = byte;
            let joined = self.len + 1;
            let progress = step(&self.bytes[..joined], written);
            match progress.stop {
                Stop::Done => {
                    self.offset += joined as u64;
                    self.len = 0;
                    read += 1;
                    written += progress.written;
                }
                // No progress: what this push has taken into the carry goes back to the chunk.
                Stop::OutputFull => {
                    self.len -= read;
                    return Progress { read: 0, written, stop: Stop::OutputFull };
                }
                Stop::Error(error) if error.is_incomplete() => {
                    self.len = joined;
                    read += 1;
                }
                Stop::Error(error) => {
                    let skip = error.error_len().unwrap_or(joined);
                    let error = self.judge(error, joined, &chunk[read + 1..], step);
                    let at = self.offset;
                    self.offset += skip as u64;
                    // What the error leaves behind it begins something new. It goes back to the chunk, as far as it
                    // came from there: units in memory are never taken in parts.
                    let left = self.len.saturating_sub(skip);
                    let back = left.min(read);
                    self.bytes.copy_within(skip.min(self.len)..self.len, 0);
                    self.len = left - back;
                    read = read - back + usize::from(skip == joined);
                    return stopped(read, written, at, error, self.scheme);
                }
            }
        }
        let progress = step(&chunk[read..], written);
        self.offset += progress.read as u64;
        let (read, written) = (read + progress.read, written + progress.written);
        match progress.stop {
            Stop::Done => Progress { read, written, stop: Stop::Done },
            Stop::OutputFull => Progress { read, written, stop: Stop::OutputFull },
            Stop::Error(error) => match error.error_len() {
                None => {
                    self.len = chunk.len() - read;
                    self.bytes[..self.len].copy_from_slice(&chunk[read..]);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                Some(len) => {
                    let at = self.offset;
                    self.offset += len as u64;
                    stopped(read + len, written, at, error, self.scheme)
                }
            },
        }
    }

    /// `error`, which the first `joined` bytes of the carry show, in the light of what follows in the chunk: its kind may
    /// depend on as many bytes as a sequence has.
    #[cold]
    fn judge(&mut self, error: Error, joined: usize, rest: &[u8], step: Step<'_>) -> Error {
        let more = rest.len().min(Self::MOST - joined);
        let mut bytes = self.bytes;
        bytes[joined..joined + more].copy_from_slice(&rest[..more]);
        match step(&bytes[..joined + more], 0).stop {
            Stop::Error(judged) if judged.valid_up_to() == 0 => judged,
            _ => error,
        }
    }

    /// Ends the stream: what is carried stays incomplete.
    fn finish(&mut self, step: Step<'_>) -> Progress<StreamError> {
        let carried = core::mem::replace(self, Self::new(self.scheme));
        let bytes = &carried.bytes[..carried.len];
        match step(bytes, 0).stop {
            Stop::Error(error) => stopped(0, 0, carried.offset, error, carried.scheme),
            _ => Progress { read: 0, written: 0, stop: Stop::Done },
        }
    }
}

/// Progress up to `error`, which stands at `offset` of the stream.
fn stopped(
    read: usize,
    written: usize,
    offset: u64,
    error: Error,
    scheme: Scheme,
) -> Progress<StreamError> {
    #[expect(clippy::cast_possible_truncation, reason = "at most four bytes")]
    let flaw = Flaw { kind: error.kind(), len: error.error_len().unwrap_or(0) as u8 };
    Progress { read, written, stop: Stop::Error(StreamError::new(scheme, offset, read, flaw)) }
}

/// Progress of a stream, given in bytes, in units of `from` and `to` bytes.
fn in_units(progress: Progress<StreamError>, from: usize, to: usize) -> Progress<StreamError> {
    let stop = match progress.stop {
        Stop::Error(error) => Stop::Error(error.in_units(from)),
        stop => stop,
    };
    Progress { read: progress.read / from, written: progress.written / to, stop }
}

/// Validates a stream of bytes in a [`Scheme`] chosen at run time. [`Validator`] is the same for a type.
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
    validation: pairs::Validation,
}

impl ByteValidator {
    /// A validator at the start of a stream, on the active kernel.
    #[must_use]
    pub fn new(scheme: Scheme) -> Self {
        Self::with_kernel(Kernel::active(), scheme)
    }

    /// A validator at the start of a stream, on `kernel`.
    #[must_use]
    #[inline(never)]
    pub fn with_kernel(kernel: Kernel, scheme: Scheme) -> Self {
        Self { carry: Carry::new(scheme), kernel, validation: pairs::validation(scheme) }
    }

    /// Validates the next chunk. See [`Validator::push`].
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        let progress =
            self.carry.push(chunk, &mut |src, _| as_conversion(validation.run(kernel, src), src));
        result(progress)
    }

    /// Ends the stream. See [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// A sequence that the end of the stream cuts.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(self.carry.finish(&mut |src, _| as_conversion(validation.run(kernel, src), src)))
    }
}

/// A validation, seen as a conversion without output.
fn as_conversion(result: Result<(), Error>, src: &[u8]) -> Progress {
    match result {
        Ok(()) => Progress { read: src.len(), written: 0, stop: Stop::Done },
        Err(error) => Progress { read: error.valid_up_to(), written: 0, stop: Stop::Error(error) },
    }
}

/// A conversion without output, seen as a validation.
fn result(progress: Progress<StreamError>) -> Result<(), StreamError> {
    match progress.stop {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}

/// Converts a stream of bytes between two [`Scheme`]s chosen at run time. [`Transcoder`] is the same for types.
///
/// ```
/// use utflane::{ByteTranscoder, Scheme, Stop};
///
/// let mut transcoder = ByteTranscoder::new(Scheme::Utf8, Scheme::Utf16Be);
/// let mut dst = [0; 16];
/// assert_eq!(transcoder.push(b"caf\xC3", &mut dst).written, 6);
/// let progress = transcoder.push(b"\xA9", &mut dst);
/// assert_eq!(&dst[..progress.written], b"\0\xE9");
/// assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done);
/// ```
#[derive(Clone, Debug)]
pub struct ByteTranscoder {
    carry: Carry,
    kernel: Kernel,
    conversion: Conversion,
}

impl ByteTranscoder {
    /// A transcoder at the start of a stream, on the active kernel.
    #[must_use]
    pub fn new(from: Scheme, to: Scheme) -> Self {
        Self::with_kernel(Kernel::active(), from, to)
    }

    /// A transcoder at the start of a stream, on `kernel`.
    #[must_use]
    #[inline(never)]
    pub fn with_kernel(kernel: Kernel, from: Scheme, to: Scheme) -> Self {
        Self { carry: Carry::new(from), kernel, conversion: pairs::transcode(from, to) }
    }

    /// Converts the next chunk. See [`Transcoder::push`].
    pub fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.push_uninit(chunk, dst)
    }

    /// [`push`](Self::push) for an output that need not be initialised. Afterwards `dst[..written]` is.
    pub fn push_uninit(
        &mut self,
        chunk: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress<StreamError> {
        let (kernel, conversion) = (self.kernel, self.conversion);
        self.carry.push(chunk, &mut |src, written| {
            conversion.run(kernel, src, &mut dst[written..], Units::BYTES)
        })
    }

    /// Ends the stream. See [`Transcoder::finish`].
    pub fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        let (kernel, conversion) = (self.kernel, self.conversion);
        self.carry.finish(&mut |src, written| {
            conversion.run(kernel, src, &mut dst[written..], Units::BYTES)
        })
    }
}

/// Validates a stream in chunks that may be cut anywhere, even inside a character.
///
/// Together the results are those of [`validate`](crate::validate) for the whole text, with offsets counted from its
/// start; ill-formed text is reported by the push that brings the first byte (the first unit, in UTF-16 and UTF-32) which
/// makes it so.
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
    /// A validator at the start of a stream, on the active kernel.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::active())
    }

    /// A validator at the start of a stream, on `kernel`.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        Self { bytes: ByteValidator::with_kernel(kernel, E::SCHEME), encoding: PhantomData }
    }

    /// Validates the next chunk. A sequence that its end cuts is well-formed so far.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed. [`StreamError::read`] says where in this chunk to go on behind it.
    pub fn push(&mut self, chunk: &[E::Unit]) -> Result<(), StreamError> {
        self.bytes.push(view::bytes(chunk)).map_err(|error| error.in_units(size_of::<E::Unit>()))
    }

    /// Ends the stream. Afterwards the validator is at the start of a new one.
    ///
    /// # Errors
    ///
    /// A sequence that the end of the stream cuts.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.bytes.finish().map_err(|error| error.in_units(size_of::<E::Unit>()))
    }
}

impl<E: Encoding> Default for Validator<E> {
    fn default() -> Self {
        Self::new()
    }
}

/// Converts a stream in chunks that may be cut anywhere, even inside a character.
///
/// Together the outputs are what [`transcode_into`](crate::transcode_into) gives for the whole text, with offsets counted
/// from its start.
///
/// ```
/// use utflane::{Stop, Transcoder, Utf16, Utf8};
///
/// let mut transcoder = Transcoder::<Utf8, Utf16>::new();
/// let mut units = Vec::new();
/// let mut dst = [0; 8];
/// for mut chunk in [&b"sm\xC3"[..], b"\xB8r", b"rebr\xC3\xB8d, \xE2", b"\x82\xAC 5"] {
///     loop {
///         let progress = transcoder.push(chunk, &mut dst);
///         units.extend_from_slice(&dst[..progress.written]);
///         chunk = &chunk[progress.read..];
///         match progress.stop {
///             Stop::Done => break,
///             Stop::OutputFull => {} // `dst` has been emptied: again
///             Stop::Error(error) => panic!("{error}"),
///         }
///     }
/// }
/// assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done);
/// assert_eq!(String::from_utf16(&units).unwrap(), "smørrebrød, € 5");
/// ```
#[derive(Clone, Debug)]
pub struct Transcoder<A: Encoding, B: Encoding> {
    bytes: ByteTranscoder,
    encodings: PhantomData<(A, B)>,
}

impl<A: Encoding, B: Encoding> Transcoder<A, B> {
    /// A transcoder at the start of a stream, on the active kernel.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::active())
    }

    /// A transcoder at the start of a stream, on `kernel`.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        let bytes = ByteTranscoder::with_kernel(kernel, A::SCHEME, B::SCHEME);
        Self { bytes, encodings: PhantomData }
    }

    /// Converts as much of the next chunk as fits into `dst`.
    ///
    /// `read` counts units of this chunk. A sequence that the end of the chunk cuts is kept inside and counts as read.
    /// After [`Stop::OutputFull`] push the rest of the chunk again with more room: an output too small for one character
    /// makes no progress and loses nothing. After [`Stop::Error`], `read` points behind the ill-formed or unmappable
    /// sequence, and the next push goes on there.
    pub fn push(&mut self, chunk: &[A::Unit], dst: &mut [B::Unit]) -> Progress<StreamError> {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.push_uninit(chunk, dst)
    }

    /// [`push`](Self::push) for an output that need not be initialised. Afterwards `dst[..written]` is.
    pub fn push_uninit(
        &mut self,
        chunk: &[A::Unit],
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress<StreamError> {
        let progress = self.bytes.push_uninit(view::bytes(chunk), view::bytes_uninit_mut(dst));
        in_units(progress, size_of::<A::Unit>(), size_of::<B::Unit>())
    }

    /// Ends the stream: [`Stop::Done`], or the error of a sequence that its end cuts. Afterwards the transcoder is at the
    /// start of a new stream.
    pub fn finish(&mut self, dst: &mut [B::Unit]) -> Progress<StreamError> {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        let bytes = view::bytes_uninit_mut(dst);
        // SAFETY: every byte of an output of units is initialised, and stays so.
        let bytes = unsafe { &mut *(core::ptr::from_mut(bytes) as *mut [u8]) };
        in_units(self.bytes.finish(bytes), size_of::<A::Unit>(), size_of::<B::Unit>())
    }
}

impl<A: Encoding, B: Encoding> Default for Transcoder<A, B> {
    fn default() -> Self {
        Self::new()
    }
}
