//! A reader that decodes: bytes of any encoding in, UTF-8 out.
//!
//! What is UTF-8 already is handed out from the buffer that it was read into, once it has been validated; anything else goes
//! through a transcoder into a second buffer. Text is *ready* from where it has been validated or decoded to where it has been
//! handed out. Everything happens when nothing is ready: first an error that stands behind it, then what has been read is
//! decoded, and only then more is read. So nothing can be lost by an error of any of these.

use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::{CAPACITY, LEAST_CAPACITY, Unmarked, boasts, flaw, taken_for};
use crate::bom::{self, Probe};
use crate::detect;
use crate::{ByteTranscoder, Policy, Scheme, Stop, StreamError};

/// Decodes what it reads: gives the text of any reader in UTF-8.
///
/// It has a buffer of its own, so the inner reader needs none. As [`BufRead`] it gives whole characters, which are valid
/// UTF-8; [`fill_str`](Self::fill_str) and [`next_str`](Self::next_str) give them as `&str`, without a copy. As [`Read`] it fills
/// whatever it is given, and may cut a character at its end.
///
/// ```
/// use std::io::BufRead;
/// use utflane::Scheme;
/// use utflane::io::Reader;
///
/// let file = b"na\xEFve\r\nfa\xE7ade";
/// let lines: Vec<String> = Reader::new(&file[..], Scheme::Latin1).lines().collect::<Result<_, _>>()?;
/// assert_eq!(lines, ["naïve", "façade"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Text in front of something ill-formed is given first. Then comes an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData), which holds a [`StreamError`]; its [`read`](StreamError::read) is 0, as there is
/// no chunk to go on with. The next call goes on behind the ill-formed sequence. What the end of the stream cuts is such an
/// error too. Its kind is judged by what has arrived: see [`StreamError::kind`].
///
/// Methods of [`Read`] and [`BufRead`] that return what they have collected, such as [`BufRead::lines`], drop what they have of
/// it on an error, for instance the beginning of a line; those that append, such as [`BufRead::read_line`] and
/// [`Read::read_to_string`], keep it. [`with_policy`](Self::with_policy) makes a reader that repairs instead.
///
/// Errors of the inner reader come through as they are, and interrupted reads are tried again. When the inner reader says that
/// it is at its end, so does this one; it asks again when it is asked again.
pub struct Reader<R> {
    decoder: Decoder,
    inner: R,
}

impl<R: Read> Reader<R> {
    /// Reads text in `scheme`. A byte order mark is a character of the text, U+FEFF: [`marked`](Self::marked) leaves it out.
    ///
    /// ```
    /// use std::io::Read;
    /// use utflane::Scheme;
    /// use utflane::io::Reader;
    ///
    /// let mut text = String::new();
    /// Reader::new(&b"\xBFQu\xE9?"[..], Scheme::Latin1).read_to_string(&mut text)?;
    /// assert_eq!(text, "¿Qué?");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(inner: R, scheme: Scheme) -> Self {
        Self::behind(inner, scheme, 0)
    }

    /// Reads text in the scheme that its byte order mark names, or in the one that `unmarked` says. The mark is left out.
    ///
    /// Detection looks at as much as the buffer holds: it reads until that is full.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::Reader;
    ///
    /// let mut reader = Reader::marked(&b"\xFF\xFEH\0i\0"[..], Scheme::Utf8);
    /// assert_eq!(reader.next_str()?, Some("Hi"));
    /// assert_eq!((reader.scheme(), reader.has_mark()), (Some(Scheme::Utf16Le), true));
    ///
    /// let mut reader = Reader::marked(&b"Hi"[..], Scheme::Utf8);
    /// assert_eq!(reader.next_str()?, Some("Hi"));
    /// assert_eq!((reader.scheme(), reader.has_mark()), (Some(Scheme::Utf8), false));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn marked(inner: R, unmarked: impl Into<Unmarked>) -> Self {
        Self { decoder: Decoder::new(unmarked.into()), inner }
    }

    /// The scheme of the text. Reads as much as it takes to know it: nothing, at most four bytes for a mark, or a buffer.
    ///
    /// # Errors
    ///
    /// Those of the inner reader. Nothing is lost, and the next call of any method goes on.
    ///
    /// ```
    /// use utflane::io::{Reader, Unmarked};
    /// use utflane::Scheme;
    ///
    /// let mut reader = Reader::marked(&b"caf\xE9"[..], Unmarked::Detect);
    /// assert_eq!(reader.scheme(), None);
    /// assert_eq!(reader.find_scheme()?, Scheme::Latin1);
    /// assert_eq!(reader.next_str()?, Some("café"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find_scheme(&mut self) -> io::Result<Scheme> {
        self.decoder.begin(&mut self.inner)?;
        Ok(self.decoder.scheme)
    }

    /// The next text, as much as is ready; none at the end. What this returns is consumed.
    ///
    /// Costs a read of the inner reader and one pass over what that gave, and no copy.
    ///
    /// # Errors
    ///
    /// As for all methods: see [`Reader`]. And as [`fill_str`](Self::fill_str).
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::{Reader, stream_error};
    ///
    /// let mut reader = Reader::new(&b"good\xFFbetter"[..], Scheme::Utf8);
    /// assert_eq!(reader.next_str()?, Some("good"));
    /// let error = reader.next_str().unwrap_err();
    /// assert_eq!(stream_error(&error).unwrap().offset(), 4);
    /// assert_eq!(reader.next_str()?, Some("better"));
    /// assert_eq!(reader.next_str()?, None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn next_str(&mut self) -> io::Result<Option<&str>> {
        self.decoder.fill(&mut self.inner)?;
        let ready = self.decoder.whole()?;
        if ready.is_empty() {
            return Ok(None);
        }
        self.decoder.ready.start = ready.end;
        // SAFETY: what is ready has been converted to UTF-8, and `whole` refuses it if its first character is cut.
        Ok(Some(unsafe { str::from_utf8_unchecked(self.decoder.bytes(ready)) }))
    }

    /// The text that is ready, or the next one if there is none; empty at the end. [`BufRead::fill_buf`] as `&str`: what is
    /// read of it has to be [consumed](BufRead::consume).
    ///
    /// # Errors
    ///
    /// As for all methods: see [`Reader`]. If a part of a character has been consumed as bytes, the rest is no text, and
    /// this is an error of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) until the rest has been consumed too.
    ///
    /// ```
    /// use std::io::BufRead;
    /// use utflane::Scheme;
    /// use utflane::io::Reader;
    ///
    /// let mut reader = Reader::new(&b"\0#\0\xE9\0t\0\xE9"[..], Scheme::Utf16Be);
    /// assert!(reader.fill_str()?.starts_with('#'));
    /// reader.consume(1);
    /// assert_eq!(reader.fill_str()?, "été");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn fill_str(&mut self) -> io::Result<&str> {
        self.decoder.fill(&mut self.inner)?;
        let ready = self.decoder.whole()?;
        // SAFETY: what is ready has been converted to UTF-8, and `whole` refuses it if its first character is cut.
        Ok(unsafe { str::from_utf8_unchecked(self.decoder.bytes(ready)) })
    }
}

impl<R> Reader<R> {
    /// Reads text in `scheme` that stands behind a mark of so many bytes, which have been read.
    pub(super) fn behind(inner: R, scheme: Scheme, mark: usize) -> Self {
        let mut decoder = Decoder::new(scheme.into());
        decoder.before = mark as u64;
        decoder.begin_with(scheme, 0);
        decoder.has_mark = mark > 0;
        Self { decoder, inner }
    }

    /// The same with a policy for what is ill-formed: without one that is an error. To be said before anything is read.
    ///
    /// ```
    /// use std::io::Read;
    /// use utflane::io::Reader;
    /// use utflane::{Repair, Scheme};
    ///
    /// let mut reader = Reader::new(&b"a\xFFb\xE2\x82"[..], Scheme::Utf8).with_policy(Repair::REPLACE);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), reader.repairs()), ("a\u{FFFD}b\u{FFFD}", 2));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<Policy>) -> Self {
        let decoder = &mut self.decoder;
        decoder.policy = policy.into();
        if let State::Through(transcoder) = &mut decoder.state {
            **transcoder = transcoder.as_ref().clone().with_policy(decoder.policy);
        }
        self
    }

    /// The same with buffers of so many bytes, but at least 64, instead of 64 KiB. To be said before anything is read.
    ///
    /// A text that is in UTF-8, or ASCII, takes one buffer, any other takes two.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::Reader;
    ///
    /// let mut reader = Reader::new(&[b'a'; 1000][..], Scheme::Utf8).with_capacity(100);
    /// assert_eq!(reader.next_str()?.map(str::len), Some(100));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.decoder.capacity = bytes.max(LEAST_CAPACITY);
        self
    }

    /// The scheme of the text, if it is known as yet: [`find_scheme`](Self::find_scheme) finds it.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        (!matches!(self.decoder.state, State::Start(_))).then_some(self.decoder.scheme)
    }

    /// Whether a byte order mark has been found, and left out.
    #[must_use]
    pub fn has_mark(&self) -> bool {
        self.decoder.has_mark
    }

    /// Repairs made so far: ill-formed sequences in what has been decoded, some of which may not have been given out yet.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        match &self.decoder.state {
            State::Through(transcoder) => transcoder.repairs(),
            _ => 0,
        }
    }

    /// The inner reader.
    #[must_use]
    pub const fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The inner reader. What is read from it directly is missing here.
    #[must_use]
    pub const fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The inner reader. What has been read from it and not been given out is lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: fmt::Debug> fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("scheme", &self.scheme())
            .field("policy", &self.decoder.policy)
            .field("ready", &self.decoder.ready.len())
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if dst.is_empty() {
            return Ok(0);
        }
        let ready = self.fill_buf()?;
        let len = ready.len().min(dst.len());
        dst[..len].copy_from_slice(&ready[..len]);
        self.consume(len);
        Ok(len)
    }

    fn read_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        loop {
            let ready = self.fill_buf()?;
            if ready.is_empty() {
                return Ok(out.len() - before);
            }
            out.extend_from_slice(ready);
            let len = ready.len();
            self.consume(len);
        }
    }

    /// Appends all text up to the end, or up to an error.
    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        let before = out.len();
        while let Some(text) = self.next_str()? {
            out.push_str(text);
        }
        Ok(out.len() - before)
    }
}

impl<R: Read> BufRead for Reader<R> {
    /// The text that is ready, or the next one: it ends with a whole character. Empty at the end.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.decoder.fill(&mut self.inner)?;
        Ok(self.decoder.bytes(self.decoder.ready.clone()))
    }

    fn consume(&mut self, amount: usize) {
        let ready = &mut self.decoder.ready;
        ready.start += amount.min(ready.len());
    }
}

/// Where the text comes from.
enum State {
    /// It isn't known yet which scheme it is in.
    Start(Unmarked),
    /// It is UTF-8 as it stands in `raw`.
    InPlace,
    /// It has been decoded.
    Through(Box<ByteTranscoder>),
}

/// A reader without its inner one, which is handed to those that need it.
struct Decoder {
    state: State,
    /// Once the state is not `Start`.
    scheme: Scheme,
    policy: Policy,
    has_mark: bool,
    /// Of either buffer, once it is there.
    capacity: usize,
    /// What has been read.
    raw: Vec<u8>,
    /// Of it, what has not been decoded.
    rest: Range<usize>,
    /// Bytes of the stream in front of `raw`.
    before: u64,
    /// Bytes of the stream in front of the first one that the transcoder has seen.
    base: u64,
    /// What has been decoded, if that is not in place.
    decoded: Vec<u8>,
    /// Of `raw` or `decoded`, what is UTF-8 and has not been given out.
    ready: Range<usize>,
    /// What stands behind that.
    error: Option<StreamError>,
    /// Whether the inner reader has said so, and this one not yet.
    ended: bool,
}

impl Decoder {
    fn new(unmarked: Unmarked) -> Self {
        Self {
            state: State::Start(unmarked),
            scheme: Scheme::Utf8,
            policy: Policy::STOP,
            has_mark: false,
            capacity: CAPACITY,
            raw: Vec::new(),
            rest: 0..0,
            before: 0,
            base: 0,
            decoded: Vec::new(),
            ready: 0..0,
            error: None,
            ended: false,
        }
    }

    /// Some of the buffer that text is given out from.
    fn bytes(&self, range: Range<usize>) -> &[u8] {
        match self.state {
            State::Through(_) => &self.decoded[range],
            _ => &self.raw[range],
        }
    }

    /// What is ready: UTF-8, unless a part of a character has been consumed of its front.
    fn whole(&self) -> io::Result<Range<usize>> {
        let ready = self.ready.clone();
        if self.bytes(ready.clone()).first().is_some_and(|byte| (0x80..0xC0).contains(byte)) {
            let message = "a part of a character has been consumed as bytes";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(ready)
    }

    /// Makes text ready, if there is none. There is none afterwards only at the end.
    fn fill(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        if self.ready.is_empty() { self.refill(inner) } else { Ok(()) }
    }

    /// The same where there is none.
    #[inline(never)]
    fn refill(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        self.begin(inner)?;
        loop {
            if !self.ready.is_empty() {
                return Ok(());
            }
            if let Some(error) = self.error.take() {
                return Err(error.into());
            }
            if self.decode() {
                continue;
            }
            if self.ended {
                self.ended = false;
                return Ok(());
            }
            self.fetch(inner)?;
        }
    }

    /// Reads until the scheme is known.
    fn begin(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        while let State::Start(unmarked) = self.state {
            let src = &self.raw[self.rest.clone()];
            let full = !src.is_empty() && src.len() == self.raw.len();
            let (scheme, mark) = match (bom::probe(src), unmarked) {
                // One mark could be another one with U+0000 behind it, which detection tells apart.
                (Probe::Mark(scheme), _)
                    if (scheme, unmarked) != (Scheme::Utf32Le, Unmarked::Detect) =>
                {
                    (scheme, scheme.byte_order_mark().len())
                }
                (Probe::NoMark, Unmarked::Scheme(scheme)) => (scheme, 0),
                (_, Unmarked::Detect) if self.ended => taken_for(detect::detect(src)),
                (_, Unmarked::Detect) if full => taken_for(detect::detect_prefix(src)),
                (_, Unmarked::Scheme(scheme)) if self.ended => {
                    let marked = bom::detect(src);
                    (
                        marked.unwrap_or(scheme),
                        marked.map_or(0, |scheme| scheme.byte_order_mark().len()),
                    )
                }
                _ => {
                    self.fetch(inner)?;
                    continue;
                }
            };
            self.begin_with(scheme, mark);
        }
        Ok(())
    }

    /// Begins to decode, behind a mark of so many bytes.
    fn begin_with(&mut self, scheme: Scheme, mark: usize) {
        self.scheme = scheme;
        self.has_mark = mark > 0;
        self.rest.start += mark;
        self.state = State::InPlace;
        if !matches!(scheme, Scheme::Utf8 | Scheme::Ascii) {
            self.go_through();
        }
    }

    /// From here on, text is decoded into the other buffer.
    fn go_through(&mut self) {
        let transcoder = ByteTranscoder::new(self.scheme, Scheme::Utf8).with_policy(self.policy);
        self.base = self.before + self.rest.start as u64;
        self.state = State::Through(Box::new(transcoder));
        self.ready = 0..0;
    }

    /// Reads more behind what has not been decoded, which is less than the buffer.
    fn fetch(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        if self.raw.is_empty() {
            self.raw = vec![0; self.capacity];
        }
        if self.rest.start > 0 {
            self.before += self.rest.start as u64;
            self.raw.copy_within(self.rest.clone(), 0);
            self.rest = 0..self.rest.len();
        }
        let room = &mut self.raw[self.rest.end..];
        loop {
            match inner.read(room) {
                Ok(0) => self.ended = true,
                Ok(read) if read <= room.len() => self.rest.end += read,
                Ok(_) => return Err(boasts()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            }
            return Ok(());
        }
    }

    /// Makes text ready from what has been read, or finds an error. False if that takes more to be read.
    fn decode(&mut self) -> bool {
        match self.state {
            State::Through(_) => self.decode_through(),
            _ => self.decode_in_place(),
        }
    }

    /// The same for what is UTF-8 already.
    fn decode_in_place(&mut self) -> bool {
        let src = &self.raw[self.rest.clone()];
        let result = self.scheme.validate(src);
        let valid = result.map_or_else(|error| error.valid_up_to(), |()| src.len());
        let Err(error) = result else {
            self.take_ready(valid);
            return valid > 0;
        };
        if valid > 0 {
            // The error will be found again.
            self.take_ready(valid);
            return true;
        }
        if error.is_incomplete() && !self.ended {
            return false;
        }
        if self.policy.ill_formed.is_some() {
            self.go_through();
            return true;
        }
        let offset = self.before + self.rest.start as u64;
        self.error = Some(StreamError::new(self.scheme, offset, 0, flaw(error)));
        self.rest.start += error.error_len().unwrap_or(src.len());
        true
    }

    /// So many bytes are valid.
    fn take_ready(&mut self, len: usize) {
        self.ready = self.rest.start..self.rest.start + len;
        self.rest.start += len;
    }

    /// The same for all else.
    fn decode_through(&mut self) -> bool {
        let State::Through(transcoder) = &mut self.state else { return false };
        if self.decoded.is_empty() {
            self.decoded = vec![0; self.capacity];
        }
        let base = self.base;
        let src = &self.raw[self.rest.clone()];
        let progress = if !src.is_empty() {
            transcoder.push(src, &mut self.decoded)
        } else if self.ended {
            let progress = transcoder.finish(&mut self.decoded);
            if progress.stop != Stop::OutputFull {
                // It is at the start of a new stream.
                self.base = self.before + self.rest.start as u64;
            }
            progress
        } else {
            return false;
        };
        self.rest.start += progress.read;
        self.ready = 0..progress.written;
        if let Stop::Error(error) = progress.stop {
            self.error = Some(error.placed(base + error.offset(), 0));
        }
        let progressed = progress.read + progress.written > 0 || self.error.is_some();
        debug_assert!(progressed || self.rest.is_empty(), "there is room for any character");
        progressed
    }
}
