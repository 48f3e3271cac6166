//! Converts streams.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

#[cfg(feature = "code-pages")]
use crate::code_page::CodePage;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::output::Output;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Encoding;
use crate::encoding::view;
#[cfg(feature = "code-pages")]
use crate::lossy::page::{DirectedPage, Direction};
#[cfg(feature = "code-pages")]
use crate::lossy::plan::StrictConversion as _;
use crate::lossy::plan::{LossyConversion, LossyRun};
use crate::scalar;
use crate::scalar::boundary::{BoundaryTest, IncompleteSuffix};
use crate::scalar::wtf8;
use crate::stream::carry::{Carry, Joined};
use crate::types::error::StreamError;
use crate::types::policy::Policy;
use crate::types::progress::{LossyReach, Progress, Reach, Stop, Units};

/// Converts a stream of bytes between two [`Scheme`]s chosen at run time. [`Transcoder`] does the
/// same for encodings that are types.
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
    /// The test of the end of a chunk. A chunk that passes ends at a boundary, and the fast path
    /// converts it. If the policy repairs, no chunk passes.
    whole: &'static BoundaryTest,
    /// The sizes of the units in which progress is counted.
    units: Units,
    /// The conversion with repairs, if the policy repairs, or the conversion of a code page. It is
    /// called through a pointer, so that programs without these do not link it.
    steps: Option<Steps>,
}

/// The parts of a chunk, after the carried character has been converted.
struct ChunkParts<'a> {
    /// The number of bytes of the chunk that complete the carried character.
    more: usize,
    /// The complete characters after these bytes.
    whole: &'a [u8],
    /// The number of bytes written for the carried character.
    carried_written: usize,
    /// The incomplete suffix of the chunk, which will be carried.
    tail: IncompleteSuffix,
}

/// The type of [`LossyRun::run`].
type RunFn<R> = fn(&mut R, Kernel, &[u8], &mut [MaybeUninit<u8>], bool) -> LossyReach;

/// A conversion with repairs, or of a code page, and the function that runs it.
#[derive(Clone, Copy, Debug)]
enum Steps {
    Lossy(LossyRun, RunFn<LossyRun>),
    #[cfg(feature = "code-pages")]
    Page(LossyRun<DirectedPage>, RunFn<LossyRun<DirectedPage>>),
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

    /// Creates a transcoder for one conversion. A program that uses encodings as types links only
    /// the conversion between these encodings.
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
        let directed = DirectedPage { page: page.page(), direction };
        // Only the source matters: all steps are of the page.
        let conversion = pairs::transcode(directed.schemes().0, Scheme::Utf8);
        Self {
            steps: Some(Steps::Page(LossyRun::new(directed, Policy::STOP), LossyRun::run)),
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
    /// assert_eq!(&dst[..written], b"a"); // the last sequence may continue
    /// let written = transcoder.push(b"b", &mut dst).written;
    /// assert_eq!(&dst[..written], "\u{FFFD}b".as_bytes());
    /// ```
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        self.set_policy(policy.into())
    }

    /// Implements [`with_policy`](Self::with_policy). This function is not generic, so it is
    /// compiled once.
    #[inline(never)]
    fn set_policy(self, policy: Policy) -> Self {
        #[cfg(feature = "code-pages")]
        if let Some(Steps::Page(run, run_fn)) = self.steps {
            let run = LossyRun::new(run.conversion, policy);
            return Self { steps: Some(Steps::Page(run, run_fn)), ..self };
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
    #[inline]
    pub fn push(
        &mut self,
        chunk: &[u8],
        dst: &mut (impl Output<u8> + ?Sized),
    ) -> Progress<StreamError> {
        // SAFETY: `dst` must stay initialised. The kernels write only initialised values.
        self.push_bytes(chunk, unsafe { dst.uninit_mut() })
    }

    /// Implements [`push`](Self::push). This function is not generic, so it is compiled once.
    #[inline(never)]
    fn push_bytes(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
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

    /// Does the same as [`push_bytes`](Self::push_bytes) for less than four bytes, which are
    /// often one character or a part of a character.
    #[inline(never)]
    fn push_short(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let Some(written) = self.push_part(chunk, dst) else {
            return self.push_any(chunk, dst);
        };
        let (read, written) = self.units.of_bytes(chunk.len(), written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts less than four bytes if they are one character or a part of a character, together
    /// with the carried bytes, in UTF-8 or UTF-16. Returns the number of written bytes, or `None`
    /// if nothing has been done.
    #[inline(always)]
    fn push_part(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if chunk.is_empty() || self.steps.is_some() || !self.carry.joins_by_word() {
            return None;
        }
        let (written, tail) = match self.carry.join(chunk) {
            Joined::Incomplete(tail) => (0, tail),
            Joined::Whole { c, more } if more == chunk.len() => {
                (scalar::encode_inlined(self.conversion.to, c, dst)?, IncompleteSuffix::NONE)
            }
            _ => return None,
        };
        self.carry.pass(chunk.len(), tail);
        Some(written)
    }

    /// Converts a chunk on the fast path: the chunk ends at a boundary, and nothing is carried.
    #[inline(always)]
    fn push_whole(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let reach = self.conversion.reach(self.kernel, chunk, dst);
        if reach.read < chunk.len() {
            return self.stop_early(chunk, 0, 0, reach).in_units(self.units);
        }
        self.carry.offset += reach.read as u64;
        let (read, written) = self.units.of_bytes(reach.read, reach.written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts a chunk on the general path: a character may be split across the start or the end
    /// of the chunk, or the policy repairs.
    #[inline(never)]
    fn push_any(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let units = self.units;
        let Some(parts) = self.convert_carried(chunk, dst) else {
            return self.push_carried(chunk, dst).in_units(units);
        };
        let ChunkParts { more, whole, carried_written, tail } = parts;
        let reach = match whole {
            [] => Reach { read: 0, written: 0 },
            _ => self.conversion.reach(self.kernel, whole, &mut dst[carried_written..]),
        };
        if reach.read < whole.len() {
            return self.stop_early(chunk, more, carried_written, reach).in_units(units);
        }
        self.carry.pass(chunk.len(), tail);
        let (read, written) = units.of_bytes(chunk.len(), carried_written + reach.written);
        Progress { read, written, stop: Stop::Done }
    }

    /// Converts the carried character, and finds the incomplete suffix of the chunk. Returns `None`
    /// if the general path must convert the chunk: the policy repairs, the output is full, or a
    /// sequence is ill-formed or depends on more text.
    #[inline(always)]
    fn convert_carried<'a>(
        &mut self,
        chunk: &'a [u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<ChunkParts<'a>> {
        let (mut more, mut carried_written) = (0, 0);
        if self.steps.is_some() {
            return None;
        }
        if !self.carry.is_empty() {
            match self.carry.join(chunk) {
                Joined::Whole { c, more: front_len } => {
                    carried_written = scalar::encode(self.conversion.to, c, dst)?;
                    more = front_len;
                }
                Joined::Incomplete(tail) => {
                    return Some(ChunkParts { more, whole: &[], carried_written, tail });
                }
                Joined::Unknown => return None,
            }
        }
        let rest = chunk.get(more..)?;
        let tail = IncompleteSuffix::find(self.conversion.from, rest)?;
        let (whole, _) = rest.split_at_checked(rest.len().wrapping_sub(tail.len))?;
        Some(ChunkParts { more, whole, carried_written, tail })
    }

    /// Does the same as [`push_bytes`](Self::push_bytes) if the policy repairs, or if
    /// [`convert_carried`](Self::convert_carried) returns `None`.
    #[inline(never)]
    fn push_carried(&mut self, chunk: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress<StreamError> {
        let Self { carry, kernel, conversion, steps, .. } = self;
        carry.push(chunk, &mut |src, written, may_continue| {
            convert(*conversion, steps.as_mut(), src, &mut dst[written..], may_continue, *kernel)
        })
    }

    /// Returns the progress of a chunk whose conversion stopped before the end of the chunk. The
    /// first `more` bytes of the chunk completed the carried character, for which `carried_written`
    /// bytes were written. `reach` is the progress after these bytes.
    #[cold]
    #[inline(never)]
    fn stop_early(
        &mut self,
        chunk: &[u8],
        more: usize,
        carried_written: usize,
        reach: Reach,
    ) -> Progress<StreamError> {
        let Reach { read, written } = reach;
        self.carry.pass(more, IncompleteSuffix::NONE);
        let stop = self.conversion.stop(&chunk[more..], read);
        let reach = LossyReach { read, written, repairs: 0, stop };
        self.carry.finish_step(chunk, more, carried_written, reach)
    }

    /// Returns true if the stream has not begun, or has ended.
    #[cfg(feature = "std")]
    pub(crate) fn is_at_start(&self) -> bool {
        self.carry.is_at_start()
    }

    /// Ends the stream: see [`Transcoder::finish`].
    #[inline(never)]
    pub fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        // SAFETY: `dst` must stay initialised. The kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        let Self { carry, kernel, conversion, steps, .. } = self;
        let progress = carry.finish(&mut |src, _, may_continue| {
            convert(*conversion, steps.as_mut(), src, dst, may_continue, *kernel)
        });
        if let Some(steps) = steps
            && progress.stop != Stop::OutputFull
        {
            steps.end_text();
        }
        progress.in_units(self.units)
    }
}

/// Converts `src`: by `steps` if there are any, else strictly.
fn convert(
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
/// The outputs of all pushes together are the output of [`transcode_into`](crate::transcode_into)
/// for the whole text. Offsets count from the start of the whole text. The transcoder reads the
/// text once, and does not allocate.
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
///             Stop::OutputFull => {} // `dst` is empty again: push the rest
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
    /// The number of output units (bytes for schemes) in which any character fits, and the
    /// replacement of any sequence. With this capacity, every push makes progress. The longest case
    /// is a surrogate pair in WTF-8: [`IllFormed::Latin1`](crate::IllFormed::Latin1) reads its six
    /// bytes as six characters, which are 24 bytes of UTF-32LE or UTF-32BE.
    ///
    /// ```
    /// use utflane::{IllFormed, Repair, Stop, Transcoder, Utf32, Wtf8};
    ///
    /// let repair = Repair::REPLACE.on_ill_formed(IllFormed::Latin1);
    /// let mut transcoder = Transcoder::<Wtf8, Utf32>::new().with_policy(repair);
    /// let mut dst = [0; Transcoder::<Wtf8, Utf32>::ENOUGH_CAPACITY];
    /// let progress = transcoder.push(b"\xED\xA0\xBD\xED\xB8\x80", &mut dst);
    /// assert_eq!((progress.read, progress.stop), (6, Stop::Done));
    /// assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done);
    /// ```
    pub const ENOUGH_CAPACITY: usize = 24;

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

    /// Sets the policy for ill-formed sequences and unmappable characters. Without a policy, both
    /// are errors. Call `with_policy` at the start of a stream. [`Policy`] has an example.
    ///
    /// The repairs are the repairs of [`transcode_lossy`](crate::transcode_lossy) for the whole
    /// text, wherever the chunks end.
    #[must_use]
    pub fn with_policy(self, policy: impl Into<Policy>) -> Self {
        Self { bytes: self.bytes.set_policy(policy.into()), encodings: PhantomData }
    }

    /// Returns the number of ill-formed sequences and unmappable characters that have been repaired
    /// so far, in this stream and the streams before it.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.bytes.repairs()
    }

    /// Converts as much of the next chunk as fits into `dst`.
    ///
    /// `read` counts code units of this chunk (bytes for schemes). An incomplete sequence at the
    /// end of the chunk is kept in the transcoder and counts as read.
    ///
    /// * [`Stop::Done`]: push the next chunk.
    /// * [`Stop::OutputFull`]: push the rest of the chunk again with more capacity. If the output
    ///   is too small for one character, or for the replacement of one sequence, nothing is read
    ///   and nothing is lost. [`ENOUGH_CAPACITY`](Self::ENOUGH_CAPACITY) units are always enough.
    /// * [`Stop::Error`]: `read` is the position after the ill-formed sequence or unmappable
    ///   character. The next push continues there. The text before it has been converted.
    ///
    /// `dst` may be uninitialised: see [`Output`].
    #[inline]
    pub fn push(
        &mut self,
        chunk: &[A::Unit],
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> Progress<StreamError> {
        // SAFETY: `dst` must stay initialised. The kernels write only initialised values.
        let dst = unsafe { dst.uninit_mut() };
        self.bytes.push_bytes(view::bytes(chunk), view::bytes_uninit_mut(dst))
    }

    /// Ends the stream. `stop` is [`Stop::Done`], or the error of an incomplete sequence at the end
    /// of the stream. The transcoder is then at the start of a new stream.
    ///
    /// If the policy repairs, the replacement of the incomplete sequence is written to `dst`. A
    /// conversion between [`Wtf8`](crate::Wtf8) and [`Wtf16`](crate::Wtf16) also writes an unpaired
    /// surrogate at the end of the stream, which it has held back because a second surrogate could
    /// have followed. If the output does not fit into `dst`, `stop` is [`Stop::OutputFull`],
    /// nothing is lost, and `finish` must be called again.
    ///
    /// A stream of WTF-8 may end with two errors: an unpaired surrogate, whose error has a length,
    /// and an incomplete sequence after it. The second call of `finish` returns the second error.
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
