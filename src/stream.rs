//! Texts that arrive in chunks cut anywhere: the same results as for the whole text at once.
//!
//! A chunk is handled in place by the one-shot code. Only the sequence that its end cuts, a few bytes, is carried over. It
//! is put in front of the first bytes of the next chunk, and the one-shot code handles these few before the others.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::encoding::pairs::{self, Conversion};
use crate::encoding::view;
use crate::error::{Error, Flaw, StreamError};
use crate::lossy::{Outcome, Plan, Route};
use crate::policy::Policy;
use crate::progress::{Progress, Reach, Stop};
use crate::scalar::{self, wtf8};
use crate::{Encoding, Kernel, Scheme};

/// The beginning of a sequence that a chunk's end has cut, and where in the stream it stands.
#[derive(Clone, Debug)]
struct Carry {
    scheme: Scheme,
    /// Bytes of the stream in front of the carried ones.
    offset: u64,
    bytes: [u8; Self::MOST],
    /// Carried bytes.
    len: usize,
    /// Repairs in the stream so far, and in those before.
    repairs: u64,
}

/// One-shot work on some bytes, after so many bytes of output: a conversion or a validation. Without `open` they are the
/// end of the stream. What it leaves because it may go on is an incomplete error.
type Step<'a> = &'a mut dyn FnMut(&[u8], usize, bool) -> Outcome;

impl Carry {
    /// Whole units; and more than the longest sequence that may go on has.
    const MOST: usize = 8;

    const fn new(scheme: Scheme) -> Self {
        Self { scheme, offset: 0, bytes: [0; Self::MOST], len: 0, repairs: 0 }
    }

    /// Runs `step` over what is carried and `chunk`.
    #[inline(never)]
    fn push(&mut self, chunk: &[u8], step: Step<'_>) -> Progress<StreamError> {
        let (mut read, mut written) = (0, 0);
        if self.len > 0 {
            // Together with the first bytes of the chunk: more than what is carried can need.
            let (held, more) = (self.len, chunk.len().min(Self::MOST));
            let mut joined = [0; 2 * Self::MOST];
            joined[..held].copy_from_slice(&self.bytes[..held]);
            joined[held..held + more].copy_from_slice(&chunk[..more]);
            let joined = &joined[..held + more];
            let outcome = self.count(step(joined, 0, true));
            written = outcome.written;
            if outcome.read < held {
                return self.inside(outcome, chunk);
            }
            // What stopped it in the chunk is judged below, in sight of all of that.
            read = outcome.read - held;
            self.len = 0;
        }
        let outcome = self.count(step(&chunk[read..], written, true));
        read += outcome.read;
        written += outcome.written;
        match outcome.stop {
            Stop::Done => Progress { read, written, stop: Stop::Done },
            Stop::OutputFull => Progress { read, written, stop: Stop::OutputFull },
            Stop::Error(error) => match error.error_len() {
                None => {
                    self.keep(&chunk[read..]);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                Some(len) => self.stopped(read + len, written, error),
            },
        }
    }

    /// What stops in the carried bytes, together with the first of `chunk`.
    #[cold]
    #[inline(never)]
    fn inside(&mut self, outcome: Outcome, chunk: &[u8]) -> Progress<StreamError> {
        let Outcome { read: done, written, stop, .. } = outcome;
        let drop = |carry: &mut Self, front: usize| {
            carry.bytes.copy_within(front..carry.len, 0);
            carry.len -= front;
        };
        match stop {
            Stop::Error(error) => match error.error_len() {
                // Still incomplete: so there is no more of the chunk than has been seen.
                None => {
                    drop(self, done);
                    self.keep(chunk);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                // What the error leaves behind it begins something new.
                Some(len) => {
                    let behind = done + len;
                    let read = behind.saturating_sub(self.len);
                    drop(self, behind.min(self.len));
                    self.stopped(read, written, error)
                }
            },
            _ => {
                drop(self, done);
                Progress { read: 0, written, stop: Stop::OutputFull }
            }
        }
    }

    /// Ends the stream: what is carried stays incomplete.
    #[inline(never)]
    fn finish(&mut self, step: Step<'_>) -> Progress<StreamError> {
        let held = self.len;
        let bytes = self.bytes;
        let outcome = self.count(step(&bytes[..held], 0, false));
        let written = outcome.written;
        if let Stop::OutputFull = outcome.stop {
            self.bytes.copy_within(outcome.read..held, 0);
            self.len -= outcome.read;
            return Progress { read: 0, written, stop: Stop::OutputFull };
        }
        let Self { scheme, offset, repairs, .. } = *self;
        *self = Self { repairs, ..Self::new(scheme) };
        match outcome.stop {
            Stop::Error(error) => stopped(0, written, offset, error, scheme),
            _ => Progress { read: 0, written, stop: Stop::Done },
        }
    }

    /// Adds what has been done to what is known of the stream.
    fn count(&mut self, outcome: Outcome) -> Outcome {
        self.offset += outcome.read as u64;
        self.repairs += outcome.repairs as u64;
        outcome
    }

    /// Carries these bytes too.
    fn keep(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Progress up to and with what is wrong at the place that has been reached.
    fn stopped(&mut self, read: usize, written: usize, error: Error) -> Progress<StreamError> {
        let at = self.offset;
        self.offset += error.error_len().unwrap_or(0) as u64;
        stopped(read, written, at, error, self.scheme)
    }
}

/// Progress up to `error`, which stands at `offset` of the stream.
#[cold]
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
    pub fn with_kernel(kernel: Kernel, scheme: Scheme) -> Self {
        Self::of(kernel, pairs::validation(scheme))
    }

    /// The same for a validation that is known, so that a program which names a type links no other.
    #[inline(never)]
    fn of(kernel: Kernel, validation: pairs::Validation) -> Self {
        Self { carry: Carry::new(validation.scheme), kernel, validation }
    }

    /// Validates the next chunk. See [`Validator::push`].
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(self.carry.push(chunk, &mut |src, _, open| validated(validation, kernel, src, open)))
    }

    /// Ends the stream. See [`Validator::finish`].
    ///
    /// # Errors
    ///
    /// A sequence that the end of the stream cuts.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        let Self { kernel, validation, .. } = *self;
        result(self.carry.finish(&mut |src, _, open| validated(validation, kernel, src, open)))
    }
}

/// A validation, seen as a conversion without output.
fn validated(validation: pairs::Validation, kernel: Kernel, src: &[u8], open: bool) -> Outcome {
    let scheme = validation.scheme;
    let settled = wtf8::settled(scheme, src, open);
    let (read, stop) = match validation.run(kernel, settled) {
        Ok(()) if settled.len() < src.len() => {
            (settled.len(), Stop::Error(wtf8::unsettled(scheme, settled.len())))
        }
        Ok(()) => (src.len(), Stop::Done),
        // What is not settled says more of what stands in front of it.
        Err(error) if settled.len() < src.len() => {
            let read = error.valid_up_to();
            (read, scalar::stop(scheme, scheme, src, read))
        }
        Err(error) => (error.valid_up_to(), Stop::Error(error)),
    };
    Outcome { read, written: 0, repairs: 0, stop }
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
    /// What repairs, if it is to. Through pointers, so that programs without policies don't link it.
    lossy: Option<Lossy>,
}

/// [`Plan::run`].
type Run = fn(&Plan, Kernel, &[u8], &mut [MaybeUninit<u8>], bool) -> Outcome;

/// A conversion that repairs.
#[derive(Clone, Copy, Debug)]
struct Lossy {
    plan: Plan,
    run: Run,
}

impl ByteTranscoder {
    /// A transcoder at the start of a stream, on the active kernel.
    #[must_use]
    pub fn new(from: Scheme, to: Scheme) -> Self {
        Self::with_kernel(Kernel::active(), from, to)
    }

    /// A transcoder at the start of a stream, on `kernel`.
    #[must_use]
    pub fn with_kernel(kernel: Kernel, from: Scheme, to: Scheme) -> Self {
        Self::of(kernel, pairs::transcode(from, to))
    }

    /// The same for a conversion that is known, so that a program which names types links no other.
    #[inline(never)]
    fn of(kernel: Kernel, conversion: Conversion) -> Self {
        Self { carry: Carry::new(conversion.from), kernel, conversion, lossy: None }
    }

    /// The same with a policy. See [`Transcoder::with_policy`].
    ///
    /// ```
    /// use utflane::{ByteTranscoder, Repair, Scheme};
    ///
    /// let mut transcoder = ByteTranscoder::new(Scheme::Utf8, Scheme::Utf8).with_policy(Repair::REPLACE);
    /// let mut dst = [0; 16];
    /// let written = transcoder.push(b"a\xE2\x82", &mut dst).written;
    /// assert_eq!(&dst[..written], b"a"); // more may come
    /// let written = transcoder.push(b"b", &mut dst).written;
    /// assert_eq!(&dst[..written], "\u{FFFD}b".as_bytes());
    /// ```
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        self.obeying(policy.into())
    }

    /// [`with_policy`](Self::with_policy), compiled once.
    #[inline(never)]
    fn obeying(self, policy: Policy) -> Self {
        let route = Route::of(self.conversion.from, self.conversion.to);
        let lossy = Lossy { plan: Plan::new(route, policy), run: Plan::run };
        Self { lossy: (policy != Policy::STOP).then_some(lossy), ..self }
    }

    /// Repairs made so far. See [`Transcoder::repairs`].
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.carry.repairs
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
        let Self { carry, kernel, conversion, lossy } = self;
        carry.push(chunk, &mut |src, written, open| {
            step(*kernel, *conversion, lossy.as_ref(), src, &mut dst[written..], open)
        })
    }

    /// Ends the stream. See [`Transcoder::finish`].
    pub fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        let Self { carry, kernel, conversion, lossy } = self;
        carry.finish(&mut |src, _, open| step(*kernel, *conversion, lossy.as_ref(), src, dst, open))
    }
}

/// Converts some bytes, with repairs or without.
fn step(
    kernel: Kernel,
    conversion: Conversion,
    lossy: Option<&Lossy>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    open: bool,
) -> Outcome {
    if let Some(Lossy { plan, run }) = lossy {
        return run(plan, kernel, src, dst, open);
    }
    let settled = wtf8::settled(conversion.from, src, open);
    let Reach { read, written } = match settled {
        [] => Reach { read: 0, written: 0 },
        _ => conversion.reach(kernel, settled, dst),
    };
    let stop = if read == settled.len() && read < src.len() {
        Stop::Error(wtf8::unsettled(conversion.from, read))
    } else {
        conversion.stop(src, read)
    };
    Outcome { read, written, repairs: 0, stop }
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
        let validation = const { pairs::validation(E::SCHEME) };
        Self { bytes: ByteValidator::of(kernel, validation), encoding: PhantomData }
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
        let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
        let bytes = ByteTranscoder::of(kernel, conversion);
        Self { bytes, encodings: PhantomData }
    }

    /// The same with a policy for what is ill-formed or unmappable: [`Policy`] has an example. To be said at the start of a
    /// stream.
    ///
    /// However the text is cut, what comes out is what [`transcode_lossy`](crate::transcode_lossy) makes of the whole text, as
    /// far as the policy repairs.
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        Self { bytes: self.bytes.obeying(policy.into()), encodings: PhantomData }
    }

    /// Repairs made so far, in this stream and in those before it: ill-formed sequences and characters that the target
    /// doesn't have.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.bytes.repairs()
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
    ///
    /// With a policy that repairs, what stands for that sequence is written to `dst`. So is a lone surrogate at the end of a
    /// conversion from [`Wtf8`](crate::Wtf8) or [`Wtf16`](crate::Wtf16) to one of these, which was held back because it could
    /// have become half of a pair. If it doesn't fit, this is [`Stop::OutputFull`], nothing is lost, and `finish` has to be
    /// called again.
    pub fn finish(&mut self, dst: &mut [B::Unit]) -> Progress<StreamError> {
        let bytes = view::bytes_mut(dst);
        in_units(self.bytes.finish(bytes), size_of::<A::Unit>(), size_of::<B::Unit>())
    }
}

impl<A: Encoding, B: Encoding> Default for Transcoder<A, B> {
    fn default() -> Self {
        Self::new()
    }
}
