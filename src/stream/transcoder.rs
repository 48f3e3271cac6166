//! Conversion of a stream.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

#[cfg(feature = "code-pages")]
use crate::code_page::CodePage;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::view;
#[cfg(feature = "code-pages")]
use crate::lossy::page::{Direction, PageRun};
use crate::lossy::plan::{LossyConversion, LossyRun};
use crate::scalar;
use crate::scalar::boundary::{BoundaryTest, IncompleteSuffix};
use crate::scalar::wtf8;
use crate::stream::carry::{Carry, Joined};
use crate::types::error::StreamError;
use crate::types::policy::Policy;
use crate::types::progress::{LossyReach, Progress, Reach, Stop, Units};

/// Converts a stream of bytes between two [`Scheme`]s chosen at run time. [`Transcoder`] is the
/// same for types.
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
    /// The test for chunks that the fast path converts. With repairs, no chunk passes.
    whole: &'static BoundaryTest,
    /// The units in which progress is counted.
    units: Units,
    /// The conversion with repairs, if the policy repairs, or the conversion of a code page. It is
    /// called through a pointer, so programs without these do not link it.
    steps: Option<Steps>,
}

/// The parts of a chunk, after the carried character has been converted.
struct Ends<'a> {
    /// The bytes of the chunk that belong to that character.
    more: usize,
    /// The whole characters after it.
    whole: &'a [u8],
    /// The bytes written for the carried character.
    before: usize,
    /// The incomplete suffix, which is carried from now on.
    tail: IncompleteSuffix,
}

/// The type of [`LossyRun::run`].
type RunFn<R> = fn(&mut R, Kernel, &[u8], &mut [MaybeUninit<u8>], bool) -> LossyReach;

/// A conversion with repairs, or of a code page, and the function that runs it.
#[derive(Clone, Copy, Debug)]
enum Steps {
    Lossy(LossyRun, RunFn<LossyRun>),
    #[cfg(feature = "code-pages")]
    Page(PageRun, RunFn<PageRun>),
}

impl Steps {
    /// Converts some bytes.
    fn run(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
    ) -> LossyReach {
        match self {
            Self::Lossy(run, run_fn) => run_fn(run, kernel, src, dst, may_continue),
            #[cfg(feature = "code-pages")]
            Self::Page(run, run_fn) => run_fn(run, kernel, src, dst, may_continue),
        }
    }

    /// Ends the text. The next step begins another one.
    fn end_text(&mut self) {
        match self {
            Self::Lossy(run, _) => run.end_text(),
            #[cfg(feature = "code-pages")]
            Self::Page(run, _) => run.end_text(),
        }
    }
}

impl ByteTranscoder {
    /// Creates a transcoder on the active kernel, at the start of a stream.
    #[must_use]
    pub fn new(from: Scheme, to: Scheme) -> Self {
        Self::with_kernel(Kernel::active(), from, to)
    }

    /// Creates a transcoder on `kernel`, at the start of a stream.
    #[must_use]
    pub fn with_kernel(kernel: Kernel, from: Scheme, to: Scheme) -> Self {
        Self::for_conversion(kernel, pairs::transcode(from, to), Units::BYTES)
    }

    /// Creates a transcoder from a known conversion. A program that names types links no other
    /// conversion.
    #[inline(never)]
    fn for_conversion(kernel: Kernel, conversion: Conversion, units: Units) -> Self {
        let carry = Carry::new(conversion.from);
        let whole = BoundaryTest::for_scheme(conversion.from);
        Self { carry, kernel, conversion, whole, units, steps: None }
    }

    /// Creates a transcoder from a code page to a Unicode scheme, at the start of a stream.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1251;
    /// use utflane::{ByteTranscoder, Scheme};
    ///
    /// let mut transcoder = ByteTranscoder::decoding(&WINDOWS_1251, Scheme::Utf8);
    /// let mut dst = [0; 16];
    /// let written = transcoder.push(b"\xC4\xE0", &mut dst).written;
    /// assert_eq!(&dst[..written], "Да".as_bytes());
    /// ```
    ///
    /// # Panics
    ///
    /// If `to` is [`Scheme::Latin1`] or [`Scheme::Ascii`].
    #[cfg(feature = "code-pages")]
    #[must_use]
    pub fn decoding(page: &CodePage, to: Scheme) -> Self {
        Self::of_page(page, Direction::Decode(to), to)
    }

    /// Creates a transcoder from a Unicode scheme to a code page, at the start of a stream.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1251;
    /// use utflane::{ByteTranscoder, Scheme};
    ///
    /// let mut transcoder = ByteTranscoder::encoding(Scheme::Utf8, &WINDOWS_1251);
    /// let mut dst = [0; 16];
    /// assert_eq!(transcoder.push(b"\xD0", &mut dst).written, 0);
    /// let written = transcoder.push(b"\x94\xD0\xB0", &mut dst).written;
    /// assert_eq!(&dst[..written], b"\xC4\xE0");
    /// ```
    ///
    /// # Panics
    ///
    /// If `from` is [`Scheme::Latin1`] or [`Scheme::Ascii`].
    #[cfg(feature = "code-pages")]
    #[must_use]
    pub fn encoding(from: Scheme, page: &CodePage) -> Self {
        Self::of_page(page, Direction::Encode(from), from)
    }

    /// Creates a transcoder between a code page and `scheme`.
    #[cfg(feature = "code-pages")]
    fn of_page(page: &CodePage, direction: Direction, scheme: Scheme) -> Self {
        let is_unicode = !matches!(scheme, Scheme::Latin1 | Scheme::Ascii);
        assert!(is_unicode, "a code page is converted from and to Unicode encodings only");
        let run = PageRun::new(page.page(), direction, Policy::STOP);
        // Only the source matters: all steps are of the page.
        let conversion = pairs::transcode(run.source(), Scheme::Utf8);
        Self {
            steps: Some(Steps::Page(run, PageRun::run)),
            whole: BoundaryTest::NEVER,
            ..Self::for_conversion(page.kernel(), conversion, Units::BYTES)
        }
    }

    /// Sets the policy: see [`Transcoder::with_policy`].
    ///
    /// ```
    /// use utflane::{ByteTranscoder, Repair, Scheme};
    ///
    /// let transcoder = ByteTranscoder::new(Scheme::Utf8, Scheme::Utf8);
    /// let mut transcoder = transcoder.with_policy(Repair::REPLACE);
    /// let mut dst = [0; 16];
    /// let written = transcoder.push(b"a\xE2\x82", &mut dst).written;
    /// assert_eq!(&dst[..written], b"a"); // more may come
    /// let written = transcoder.push(b"b", &mut dst).written;
    /// assert_eq!(&dst[..written], "\u{FFFD}b".as_bytes());
    /// ```
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        self.policy_set(policy.into())
    }

    /// [`with_policy`](Self::with_policy), compiled once.
    #[inline(never)]
    fn policy_set(self, policy: Policy) -> Self {
        #[cfg(feature = "code-pages")]
        if let Some(Steps::Page(run, run_fn)) = self.steps {
            return Self { steps: Some(Steps::Page(run.with_policy(policy), run_fn)), ..self };
        }
        if policy == Policy::STOP {
            let whole = BoundaryTest::for_scheme(self.conversion.from);
            return Self { steps: None, whole, ..self };
        }
        let conversion = LossyConversion::for_pair(self.conversion.from, self.conversion.to);
        let steps = Steps::Lossy(LossyRun::new(conversion, policy), LossyRun::run);
        Self { steps: Some(steps), whole: BoundaryTest::NEVER, ..self }
    }

    /// Returns the number of repairs so far: see [`Transcoder::repairs`].
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.carry.repairs
    }

    /// Converts the next chunk: see [`Transcoder::push`].
    pub fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.push_uninit(chunk, dst)
    }

    /// Like [`push`](Self::push), for an uninitialised output. On return, `dst[..written]` is
    /// initialised.
    #[inline(never)]
    pub fn push_uninit(
        &mut self,
        chunk: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress<StreamError> {
        match chunk.last_chunk() {
            Some(&last) if self.carry.is_empty() => {
                if self.whole.passes(last, chunk.len()) {
                    return self.push_whole(chunk, dst);
                }
            }
            Some(_) => {}
            None => return self.push_short(chunk, dst),
        }
        self.push_any(chunk, dst)
    }

    /// [`push_uninit`](Self::push_uninit) for less than four bytes: often a character, or a part of
    /// one.
    #[inline(never)]
    fn push_short(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let Some(written) = self.push_part(chunk, dst) else {
            return self.push_any(chunk, dst);
        };
        let (read, written) = self.units.of_bytes(chunk.len(), written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts less than four bytes if they are a character, or a part of one, and the encoding is
    /// one whose sequences fit into a word. Returns the number of written bytes, or `None` if
    /// nothing has been done.
    #[inline(always)]
    fn push_part(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if chunk.is_empty() || self.steps.is_some() || !self.carry.joins_by_word() {
            return None;
        }
        let (written, tail) = match self.carry.join(chunk) {
            Joined::Begun(tail) => (0, tail),
            Joined::Whole { c, more } if more == chunk.len() => {
                (scalar::encode_inlined(self.conversion.to, c, dst)?, IncompleteSuffix::NONE)
            }
            _ => return None,
        };
        self.carry.pass(chunk.len(), tail);
        Some(written)
    }

    /// Converts a chunk on the fast path: it has whole characters, and nothing is carried.
    #[inline(always)]
    fn push_whole(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let reach = self.conversion.reach(self.kernel, chunk, dst);
        if reach.read < chunk.len() {
            return self.stopped(chunk, 0, 0, reach).in_units(self.units);
        }
        self.carry.offset += reach.read as u64;
        let (read, written) = self.units.of_bytes(reach.read, reach.written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts a chunk on the general path: a character may be split across its start or end, or
    /// there are repairs.
    #[inline(never)]
    fn push_any(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let units = self.units;
        let Some(Ends { more, whole, before, tail }) = self.convert_carried(chunk, dst) else {
            return self.push_carried(chunk, dst).in_units(units);
        };
        let reach = match whole {
            [] => Reach { read: 0, written: 0 },
            _ => self.conversion.reach(self.kernel, whole, &mut dst[before..]),
        };
        if reach.read < whole.len() {
            return self.stopped(chunk, more, before, reach).in_units(units);
        }
        self.carry.pass(chunk.len(), tail);
        let (read, written) = units.of_bytes(chunk.len(), before + reach.written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts the carried character, and finds the incomplete suffix of the chunk. Returns `None`
    /// if nothing has been done, because either depends on more text.
    #[inline(always)]
    fn convert_carried<'a>(
        &mut self,
        chunk: &'a [u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<Ends<'a>> {
        let (mut more, mut before) = (0, 0);
        if self.steps.is_some() {
            return None;
        }
        if !self.carry.is_empty() {
            match self.carry.join(chunk) {
                Joined::Whole { c, more: front } => {
                    before = scalar::encode(self.conversion.to, c, dst)?;
                    more = front;
                }
                Joined::Begun(tail) => {
                    return Some(Ends { more, whole: &[], before, tail });
                }
                Joined::Unknown => return None,
            }
        }
        let rest = chunk.get(more..)?;
        let tail = IncompleteSuffix::find(self.conversion.from, rest)?;
        let (whole, _) = rest.split_at_checked(rest.len().wrapping_sub(tail.len))?;
        Some(Ends { more, whole, before, tail })
    }

    /// [`push_uninit`](Self::push_uninit) with repairs, or if the ends of the chunk depend on more
    /// text.
    #[inline(never)]
    fn push_carried(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let Self { carry, kernel, conversion, steps, .. } = self;
        carry.push(chunk, &mut |src, written, may_continue| {
            step(*conversion, steps.as_mut(), src, &mut dst[written..], may_continue, *kernel)
        })
    }

    /// Returns the progress of a chunk whose conversion stopped before its end. Its first bytes,
    /// `more`, completed the carried character, for which `before` bytes were written; `reach`
    /// counts from there.
    #[cold]
    #[inline(never)]
    fn stopped(
        &mut self,
        chunk: &[u8],
        more: usize,
        before: usize,
        reach: Reach,
    ) -> Progress<StreamError> {
        let Reach { read, written } = reach;
        self.carry.pass(more, IncompleteSuffix::NONE);
        let stop = self.conversion.stop(&chunk[more..], read);
        let reach = LossyReach { read, written, repairs: 0, stop };
        self.carry.ended(chunk, more, before, reach)
    }

    /// Returns true if the stream has not begun, or has ended.
    #[cfg(feature = "std")]
    pub(crate) fn is_at_start(&self) -> bool {
        self.carry.is_at_start()
    }

    /// Ends the stream: see [`Transcoder::finish`].
    #[inline(never)]
    pub fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        let Self { carry, kernel, conversion, steps, .. } = self;
        let progress = carry.finish(&mut |src, _, may_continue| {
            step(*conversion, steps.as_mut(), src, dst, may_continue, *kernel)
        });
        if let Some(steps) = steps
            && progress.stop != Stop::OutputFull
        {
            steps.end_text();
        }
        progress.in_units(self.units)
    }
}

/// Converts some bytes, with or without repairs.
fn step(
    conversion: Conversion,
    steps: Option<&mut Steps>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    may_continue: bool,
    kernel: Kernel,
) -> LossyReach {
    if let Some(steps) = steps {
        return steps.run(kernel, src, dst, may_continue);
    }
    let complete = wtf8::complete(conversion.from, src, may_continue);
    let Reach { read, written } = match complete {
        [] => Reach { read: 0, written: 0 },
        _ => conversion.reach(kernel, complete, dst),
    };
    let stop = if read == complete.len() && read < src.len() {
        Stop::Error(wtf8::incomplete_end(conversion.from, read))
    } else {
        conversion.stop(src, read)
    };
    LossyReach { read, written, repairs: 0, stop }
}

/// Converts a stream in chunks, which may end anywhere, even inside a character.
///
/// The outputs together are the output of [`transcode_into`](crate::transcode_into) for the whole
/// text. Offsets count from its start. It is one pass, without allocation.
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
    /// Units of output (bytes for schemes) that hold any character, and the replacement of any
    /// sequence: with this capacity, a push makes progress. The most are the six bytes of a
    /// surrogate pair in WTF-8 that [`IllFormed::Latin1`](crate::IllFormed::Latin1) reads as six
    /// characters, in UTF-32LE or UTF-32BE.
    ///
    /// ```
    /// use utflane::{IllFormed, Repair, Stop, Transcoder, Utf32, Wtf8};
    ///
    /// let repair = Repair::REPLACE.on_ill_formed(IllFormed::Latin1);
    /// let mut transcoder = Transcoder::<Wtf8, Utf32>::new().with_policy(repair);
    /// let mut dst = [0; Transcoder::<Wtf8, Utf32>::ENOUGH_ROOM];
    /// let progress = transcoder.push(b"\xED\xA0\xBD\xED\xB8\x80", &mut dst);
    /// assert_eq!((progress.read, progress.stop), (6, Stop::Done));
    /// assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done);
    /// ```
    pub const ENOUGH_ROOM: usize = 24;

    /// Creates a transcoder on the active kernel, at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::with_kernel(Kernel::active())
    }

    /// Creates a transcoder on `kernel`, at the start of a stream.
    #[must_use]
    pub fn with_kernel(kernel: Kernel) -> Self {
        let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
        let units = const { Units::for_types::<A::Unit, B::Unit>() };
        let bytes = ByteTranscoder::for_conversion(kernel, conversion, units);
        Self { bytes, encodings: PhantomData }
    }

    /// Sets the policy for ill-formed sequences and unmappable characters; without it, both are
    /// errors. Call it at the start of a stream. [`Policy`] has an example.
    ///
    /// Wherever the chunks end, the output is the output of
    /// [`transcode_lossy`](crate::transcode_lossy) for the whole text, as far as the policy
    /// repairs.
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        Self { bytes: self.bytes.policy_set(policy.into()), encodings: PhantomData }
    }

    /// Returns the number of repairs so far, in this stream and the streams before it: ill-formed
    /// sequences and unmappable characters.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.bytes.repairs()
    }

    /// Converts as much of the next chunk as fits into `dst`.
    ///
    /// `read` counts code units of this chunk (bytes for schemes). An incomplete sequence at the
    /// end of the chunk is kept inside and counts as read.
    ///
    /// * [`Stop::Done`]: push the next chunk.
    /// * [`Stop::OutputFull`]: push the rest of the chunk again with more capacity. An output too
    ///   small for one character, or for the replacement of one sequence, makes no progress and
    ///   loses nothing. [`ENOUGH_ROOM`](Self::ENOUGH_ROOM) units are enough for any.
    /// * [`Stop::Error`]: `read` is the position after the ill-formed sequence or unmappable
    ///   character. The next push continues there. The text before it has been converted.
    pub fn push(&mut self, chunk: &[A::Unit], dst: &mut [B::Unit]) -> Progress<StreamError> {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.push_uninit(chunk, dst)
    }

    /// Like [`push`](Self::push), for an uninitialised output. On return, `dst[..written]` is
    /// initialised.
    pub fn push_uninit(
        &mut self,
        chunk: &[A::Unit],
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress<StreamError> {
        self.bytes.push_uninit(view::bytes(chunk), view::bytes_uninit_mut(dst))
    }

    /// Ends the stream: [`Stop::Done`], or the error of an incomplete sequence at its end. The
    /// transcoder is then at the start of a new stream.
    ///
    /// With a policy that repairs, the replacement of that sequence is written to `dst`. So is an
    /// unpaired surrogate at the end of a conversion between [`Wtf8`](crate::Wtf8) and
    /// [`Wtf16`](crate::Wtf16), which was held back because it could have become part of a pair. If
    /// it does not fit, the result is [`Stop::OutputFull`], nothing is lost, and `finish` must be
    /// called again.
    ///
    /// Of WTF-8, a stream may end with two errors: an unpaired surrogate, which has a length, and
    /// the incomplete sequence after it, which the next `finish` returns.
    ///
    /// ```
    /// use utflane::{Stop, Transcoder, Utf8, Utf16};
    ///
    /// let mut transcoder = Transcoder::<Utf8, Utf16>::new();
    /// let mut dst = [0; 8];
    /// assert_eq!(transcoder.push(b"5 \xE2\x82", &mut dst).written, 2);
    /// let Stop::Error(error) = transcoder.finish(&mut dst).stop else { panic!() };
    /// assert!(error.is_incomplete());
    /// assert_eq!(error.offset(), 2);
    /// ```
    pub fn finish(&mut self, dst: &mut [B::Unit]) -> Progress<StreamError> {
        self.bytes.finish(view::bytes_mut(dst))
    }
}

impl<A: Encoding, B: Encoding> Default for Transcoder<A, B> {
    fn default() -> Self {
        Self::new()
    }
}
