//! A writer that encodes: UTF-8 in, bytes of any encoding out.
//!
//! A transcoder stands in front of a buffer, which is emptied into the inner writer when it is full. The transcoder carries
//! what the end of a write cuts. Only what has been converted is ever taken from the caller, so an error of the inner
//! writer, which can come only when room has to be made, loses nothing.

use std::boxed::Box;
use std::fmt;
use std::io::{self, Write};
use std::vec;
use std::vec::Vec;

use super::{CAPACITY, LEAST_CAPACITY, boasts};
use crate::{ByteTranscoder, Policy, Scheme, Stop, StreamError};

/// Encodes what is written to it: takes UTF-8, and gives any encoding to the inner writer.
///
/// It has a buffer of its own, so the inner writer needs none. What is written may be cut anywhere, even inside a character.
///
/// ```
/// use std::io::Write;
/// use utflane::Scheme;
/// use utflane::io::Writer;
///
/// let mut writer = Writer::new(Vec::new(), Scheme::Latin1);
/// write!(writer, "{} sm\u{F8}rrebr\u{F8}d", 2)?;
/// assert_eq!(writer.into_inner()?, b"2 sm\xF8rrebr\xF8d");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # The end
///
/// [`finish`](Self::finish) and [`into_inner`](Self::into_inner) end the text: they say whether its last character is complete,
/// and empty the buffer. A writer that is dropped does that too, as a `BufWriter` does, but then nobody hears of errors.
/// [`flush`](Write::flush) empties the buffer and keeps the beginning of a character, at most three bytes, to be completed.
///
/// # Errors
///
/// What is ill-formed, or not in the target encoding, is an error of the kind [`InvalidData`](io::ErrorKind::InvalidData), which
/// holds a [`StreamError`]: its offset counts bytes of UTF-8 from the first one written. What stands in front of it has been
/// taken and encoded, and so has the ill-formed sequence itself, or the character, been taken: it is left out.
/// [`StreamError::read`] says how many bytes of what was given that are in all. Writing the bytes behind them goes on there.
/// [`with_policy`](Self::with_policy) makes a writer that repairs instead.
///
/// Errors of the inner writer come through as they are, and nothing is lost: [`Write::write`] has then taken nothing, and what
/// stands in the buffer will be tried again. Interrupted writes are tried again at once.
pub struct Writer<W: Write> {
    /// In a box, since errors hand the writer back.
    encoder: Box<Encoder>,
    /// None once it has been moved out.
    inner: Option<W>,
}

impl<W: Write> Writer<W> {
    /// Writes text in `scheme`, without a byte order mark.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf16Be);
    /// writer.write_all(b"caf\xC3")?;
    /// writer.write_all(b"\xA9")?;
    /// assert_eq!(writer.into_inner()?, b"\0c\0a\0f\0\xE9");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(inner: W, scheme: Scheme) -> Self {
        Self { encoder: Box::new(Encoder::new(scheme)), inner: Some(inner) }
    }

    /// The same with a byte order mark in front, if the scheme has one. To be said before anything is written.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le).with_mark();
    /// writer.write_str("Hi")?;
    /// assert_eq!(writer.into_inner()?, b"\xFF\xFEH\0i\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_mark(mut self) -> Self {
        self.encoder.mark = true;
        self
    }

    /// The same with a policy for what is ill-formed, and for characters that the scheme doesn't have: without one that is
    /// an error. To be said before anything is written.
    ///
    /// ```
    /// use utflane::io::Writer;
    /// use utflane::{Repair, Scheme, Unmappable};
    ///
    /// let policy = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    /// let mut writer = Writer::new(Vec::new(), Scheme::Latin1).with_policy(policy);
    /// writer.write_str("5 €")?;
    /// assert_eq!(writer.repairs(), 1);
    /// assert_eq!(writer.into_inner()?, b"5 &#8364;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<Policy>) -> Self {
        let encoder = &mut self.encoder;
        encoder.transcoder = encoder.transcoder.clone().with_policy(policy.into());
        self
    }

    /// The same with a buffer of so many bytes, but at least 64, instead of 64 KiB. To be said before anything is written.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf32Le).with_capacity(100);
    /// writer.write_str(&"x".repeat(30))?;
    /// assert_eq!(writer.get_ref().len(), 100); // the rest is in the buffer
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.encoder.capacity = bytes.max(LEAST_CAPACITY);
        self
    }

    /// Writes a text.
    ///
    /// # Errors
    ///
    /// As [`Write::write_all`]. Text is never ill-formed, but for what bytes in front of it have left incomplete.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::{Writer, stream_error};
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Latin1);
    /// let text = "10 €, ça suffit";
    /// let error = stream_error(&writer.write_str(text).unwrap_err()).unwrap();
    /// assert_eq!((error.offset(), error.read()), (3, 6));
    /// writer.write_str(&text[error.read()..])?;
    /// assert_eq!(writer.into_inner()?, b"10 , \xE7a suffit");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_str(&mut self, text: &str) -> io::Result<()> {
        self.write_all(text.as_bytes())
    }

    /// Ends the text: empties the buffer, and flushes the inner writer. What is written afterwards begins a new character.
    ///
    /// # Errors
    ///
    /// Those of the inner writer: then `finish` can be called again. [`InvalidData`](io::ErrorKind::InvalidData) if the last
    /// character is incomplete; everything in front of it has then been written.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::{Writer, stream_error};
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf8);
    /// writer.write_all(b"5 \xE2\x82")?;
    /// let error = writer.finish().unwrap_err();
    /// assert_eq!(stream_error(&error).unwrap().offset(), 2);
    /// assert_eq!(writer.get_ref(), b"5 ");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(&mut self) -> io::Result<()> {
        let (encoder, inner) = self.parts();
        encoder.end(inner)?;
        inner.flush()?;
        encoder.error.take().map_or(Ok(()), |error| Err(error.into()))
    }

    /// [Finishes](Self::finish), and gives the inner writer back.
    ///
    /// # Errors
    ///
    /// Those of [`finish`](Self::finish), together with this writer. `?` makes an [`io::Error`] of it.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf32Be);
    /// writer.write_all(b"a\xC3")?;
    /// let error = writer.into_inner().unwrap_err();
    /// assert_eq!(error.error().kind(), std::io::ErrorKind::InvalidData);
    /// assert_eq!(error.into_writer().into_inner()?, b"\0\0\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> Result<W, IntoInnerError<W>> {
        match self.finish() {
            Ok(()) => Ok(self.inner.take().expect(HERE)),
            Err(error) => Err(IntoInnerError { writer: self, error }),
        }
    }

    /// The scheme that is written.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.encoder.scheme
    }

    /// Repairs made so far: ill-formed sequences, and characters that the scheme doesn't have.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.encoder.transcoder.repairs()
    }

    /// Bytes of UTF-8 taken so far, whether they have been written yet or not: where to go on behind an error that doesn't
    /// say, such as one of the inner writer in the middle of [`Write::write_all`].
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le);
    /// writer.write_all(b"caf\xC3")?;
    /// assert_eq!(writer.taken(), 4);
    /// writer.write_all(b"\xA9")?;
    /// assert_eq!(writer.taken(), 5);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub const fn taken(&self) -> u64 {
        self.encoder.taken
    }

    /// The inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        self.inner.as_ref().expect(HERE)
    }

    /// The inner writer. What is written to it directly comes in front of what is still in the buffer.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect(HERE)
    }

    /// What encodes, and the writer that it needs.
    fn parts(&mut self) -> (&mut Encoder, &mut W) {
        (&mut *self.encoder, self.inner.as_mut().expect(HERE))
    }
}

/// Why there is an inner writer.
const HERE: &str = "it is moved out only together with the writer";

impl<W: Write> Write for Writer<W> {
    /// Takes as much as there is room for; up to an error, if there is one further on.
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        let (encoder, inner) = self.parts();
        encoder.write(inner, src)
    }

    /// Takes everything, or everything up to an error and what is wrong there.
    fn write_all(&mut self, src: &[u8]) -> io::Result<()> {
        let (encoder, inner) = self.parts();
        encoder.write_all(inner, src)
    }

    /// Empties the buffer, and flushes the inner writer. The beginning of a character stays.
    fn flush(&mut self) -> io::Result<()> {
        let (encoder, inner) = self.parts();
        encoder.drain(inner)?;
        inner.flush()
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        if let Some(inner) = &mut self.inner
            && !self.encoder.writing
        {
            // Nobody is there to hear of errors.
            let _ = self.encoder.end(inner);
        }
    }
}

impl<W: Write + fmt::Debug> fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("scheme", &self.encoder.scheme)
            .field("waiting", &(self.encoder.filled - self.encoder.sent))
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

/// The error of [`Writer::into_inner`], and the writer, to try again or to give up.
///
/// ```
/// use std::io::{Cursor, ErrorKind};
/// use utflane::Scheme;
/// use utflane::io::Writer;
///
/// let mut room = [0; 3];
/// let mut writer = Writer::new(Cursor::new(&mut room[..]), Scheme::Utf16Le);
/// writer.write_str("Hi")?;
/// let error = writer.into_inner().unwrap_err();
/// assert_eq!(error.error().kind(), ErrorKind::WriteZero);
///
/// // With more room, the rest is written.
/// let mut more = [0; 3];
/// let mut writer = error.into_writer();
/// *writer.get_mut() = Cursor::new(&mut more[..]);
/// writer.into_inner()?;
/// assert_eq!((room, more), (*b"H\0i", *b"\0\0\0"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct IntoInnerError<W: Write> {
    writer: Writer<W>,
    error: io::Error,
}

impl<W: Write> IntoInnerError<W> {
    /// What went wrong.
    #[must_use]
    pub const fn error(&self) -> &io::Error {
        &self.error
    }

    /// What went wrong, by value. The writer is dropped.
    #[must_use]
    pub fn into_error(self) -> io::Error {
        self.error
    }

    /// The writer. If the last character was incomplete, that has been told, and calling [`Writer::into_inner`] again succeeds.
    #[must_use]
    pub fn into_writer(self) -> Writer<W> {
        self.writer
    }
}

impl<W: Write> From<IntoInnerError<W>> for io::Error {
    fn from(error: IntoInnerError<W>) -> Self {
        error.into_error()
    }
}

impl<W: Write> fmt::Debug for IntoInnerError<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoInnerError").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<W: Write> fmt::Display for IntoInnerError<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<W: Write> std::error::Error for IntoInnerError<W> {}

/// A writer without its inner one, which is handed to those that need it.
struct Encoder {
    transcoder: ByteTranscoder,
    scheme: Scheme,
    /// Whether a mark is to be written in front.
    mark: bool,
    /// Of the buffer, once it is there.
    capacity: usize,
    buffer: Vec<u8>,
    /// Bytes of the buffer that the inner writer has taken, and that there are.
    sent: usize,
    filled: usize,
    /// Bytes taken from callers.
    taken: u64,
    /// What is to be added to offsets that the transcoder tells, modulo 2^64: it may have begun later, and may have seen an
    /// error twice.
    shift: u64,
    /// What the end has cut, until the buffer is empty.
    error: Option<StreamError>,
    /// Whether the inner writer is at work. Still so when this is dropped: it has panicked.
    writing: bool,
}

impl Encoder {
    fn new(scheme: Scheme) -> Self {
        Self {
            transcoder: ByteTranscoder::new(Scheme::Utf8, scheme),
            scheme,
            mark: false,
            capacity: CAPACITY,
            buffer: Vec::new(),
            sent: 0,
            filled: 0,
            taken: 0,
            shift: 0,
            error: None,
            writing: false,
        }
    }

    /// Makes the buffer, with the mark if there is to be one.
    fn begin(&mut self) {
        if self.buffer.is_empty() {
            self.buffer = vec![0; self.capacity];
            let mark = if self.mark { self.scheme.byte_order_mark() } else { &[] };
            self.buffer[..mark.len()].copy_from_slice(mark);
            self.filled = mark.len();
        }
    }

    /// Converts some bytes; at least one of them, or up to an error. How many have been read, with the sequence of the error.
    fn push(
        &mut self,
        inner: &mut dyn Write,
        src: &[u8],
    ) -> io::Result<(usize, Option<StreamError>)> {
        self.begin();
        loop {
            let progress = self.transcoder.push(src, &mut self.buffer[self.filled..]);
            self.filled += progress.written;
            let read = progress.read;
            let error = match progress.stop {
                Stop::Error(error) => Some(self.placed(error, read)),
                Stop::OutputFull if read == 0 => {
                    self.drain(inner)?;
                    continue;
                }
                _ => None,
            };
            self.taken += read as u64;
            return Ok((read, error));
        }
    }

    /// An error of the transcoder, at its place in all that has been written.
    fn placed(&self, error: StreamError, read: usize) -> StreamError {
        error.placed(error.offset().wrapping_add(self.shift), read)
    }

    #[inline(never)]
    fn write(&mut self, inner: &mut dyn Write, src: &[u8]) -> io::Result<usize> {
        if src.is_empty() {
            return Ok(0);
        }
        let (read, error) = self.push(inner, src)?;
        let Some(error) = error else { return Ok(read) };
        let front = read.saturating_sub(error.error_len().unwrap_or(0));
        if front == 0 {
            return Err(error.into());
        }
        // The caller has to be told how much was right, so the rest will come again.
        let again = (read - front) as u64;
        self.taken -= again;
        self.shift = self.shift.wrapping_sub(again);
        Ok(front)
    }

    #[inline(never)]
    fn write_all(&mut self, inner: &mut dyn Write, src: &[u8]) -> io::Result<()> {
        let mut at = 0;
        while at < src.len() {
            let (read, error) = self.push(inner, &src[at..])?;
            at += read;
            if let Some(error) = error {
                return Err(error.placed(error.offset(), at).into());
            }
        }
        Ok(())
    }

    /// Empties the buffer.
    #[inline(never)]
    fn drain(&mut self, inner: &mut dyn Write) -> io::Result<()> {
        while self.sent < self.filled {
            let waiting = &self.buffer[self.sent..self.filled];
            self.writing = true;
            let result = inner.write(waiting);
            self.writing = false;
            match result {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(sent) if sent <= waiting.len() => self.sent += sent,
                Ok(_) => return Err(boasts()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        (self.sent, self.filled) = (0, 0);
        Ok(())
    }

    /// Ends the text and empties the buffer. What the end cuts is put into `error`.
    fn end(&mut self, inner: &mut dyn Write) -> io::Result<()> {
        self.begin();
        loop {
            let progress = self.transcoder.finish(&mut self.buffer[self.filled..]);
            self.filled += progress.written;
            match progress.stop {
                Stop::OutputFull => {
                    self.drain(inner)?;
                    continue;
                }
                Stop::Error(error) => self.error = Some(self.placed(error, 0)),
                Stop::Done => {}
            }
            break;
        }
        // The transcoder is at the start of a new stream.
        self.shift = self.taken;
        self.drain(inner)
    }
}
