//! A writer that encodes: UTF-8 in, bytes of any encoding out.

use std::boxed::Box;
use std::fmt;
use std::io::{self, Write};

#[cfg(feature = "code-pages")]
use crate::code_page::CodePage;
use crate::encoding::scheme::Scheme;
use crate::io::encoder::Encoder;
use crate::io::parts::CAPACITY_MIN_BYTES;
#[cfg(feature = "code-pages")]
use crate::stream::transcoder::ByteTranscoder;
use crate::types::policy::Policy;

/// Encodes its input: takes UTF-8, and writes any encoding to the inner writer.
///
/// It has its own buffer, so the inner writer needs no buffer. A write may end anywhere, even
/// inside a character.
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
/// [`finish`](Self::finish) and [`into_inner`](Self::into_inner) end the text: they write the
/// content of the buffer, and fail if the last character of the text is incomplete. Dropping the
/// writer does the same, as with `BufWriter`, but ignores errors. [`flush`](Write::flush) writes
/// the content of the buffer, and keeps an incomplete character (at most three bytes) for the next
/// write.
///
/// # Errors
///
/// An ill-formed sequence or unmappable character is an error of the kind
/// [`InvalidData`](io::ErrorKind::InvalidData), which holds a [`StreamError`]. Its offset is a
/// number of bytes of UTF-8, counted from the first byte written. The text before the sequence or
/// character has been taken and encoded. The sequence or character itself has been taken and
/// omitted. [`StreamError::read`](crate::StreamError::read) is the number of bytes that this write
/// has taken: continue after these bytes. After [`with_policy`](Self::with_policy) with a policy
/// that repairs, such text is not an error.
///
/// Errors of the inner writer are returned unchanged, and no text is lost: [`Write::write`] has
/// then taken no bytes, and the rest of the buffer is written later. Interrupted writes are
/// repeated at once.
///
/// [`StreamError`]: crate::StreamError
pub struct Writer<W: Write> {
    /// In a box, because errors return the writer by value.
    encoder: Box<Encoder>,
    /// `None` after the inner writer has been moved out.
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

    /// Writes text in a code page. Its [`scheme`](Self::scheme) is [`Scheme::Latin1`], which has a
    /// byte for each character too.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::code_page::CP037;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::encoding(Vec::new(), &CP037);
    /// writer.write_all(b"Hello")?;
    /// assert_eq!(writer.into_inner()?, b"\xC8\x85\x93\x93\x96");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "code-pages")]
    #[must_use]
    pub fn encoding(inner: W, page: &CodePage) -> Self {
        let mut writer = Self::new(inner, Scheme::Latin1);
        writer.encoder.transcoder = ByteTranscoder::encoding(Scheme::Utf8, page);
        writer
    }

    /// Writes a byte order mark at the start, if the scheme has one. Call it before the first
    /// write.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le).with_mark();
    /// writer.write_all(b"Hi")?;
    /// assert_eq!(writer.into_inner()?, b"\xFF\xFEH\0i\0");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_mark(mut self) -> Self {
        self.encoder.mark = true;
        self
    }

    /// Sets the policy for ill-formed sequences and unmappable characters. Without a policy, they
    /// are errors. Call it before the first write.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::io::Writer;
    /// use utflane::{Repair, Scheme, Unmappable};
    ///
    /// let policy = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    /// let mut writer = Writer::new(Vec::new(), Scheme::Latin1).with_policy(policy);
    /// writer.write_all("5 €".as_bytes())?;
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

    /// Sets the size of the buffer in bytes, at least 64, instead of 64 KiB. Call it before the
    /// first write.
    ///
    /// The buffer begins with at most 4 KiB, and grows when it is full.
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf32Le).with_capacity(100);
    /// writer.write_all("x".repeat(30).as_bytes())?;
    /// assert_eq!(writer.get_ref().len(), 100); // the rest is in the buffer
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.encoder.capacity = bytes.max(CAPACITY_MIN_BYTES);
        self
    }

    /// Ends the text: writes the content of the buffer, and flushes the inner writer. A later write
    /// begins a new character.
    ///
    /// # Errors
    ///
    /// Returns the errors of the inner writer; `finish` can then be called again. Returns
    /// [`InvalidData`](io::ErrorKind::InvalidData) if the last character is incomplete; the text
    /// before this character has then been written.
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
        let (encoder, inner) = self.encoder_and_inner();
        encoder.end_text(inner)?;
        inner.flush()?;
        encoder.error.take().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Ends the text as [`finish`](Self::finish) does, and returns the inner writer.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`finish`](Self::finish), together with this writer. `?` converts an
    /// [`IntoInnerError`] to an [`io::Error`].
    ///
    /// ```
    /// use std::io::Write;
    /// use utflane::Scheme;
    /// use utflane::io::Writer;
    ///
    /// let mut writer = Writer::new(Vec::new(), Scheme::Utf32Be);
    /// writer.write_all(b"a\xC3")?;
    /// let error = writer.into_inner().unwrap_err();
    /// assert_eq!(error.error.kind(), std::io::ErrorKind::InvalidData);
    /// assert_eq!(error.writer.into_inner()?, b"\0\0\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> Result<W, IntoInnerError<W>> {
        match self.finish() {
            Ok(()) => Ok(self.inner.take().expect(INNER_IS_PRESENT)),
            Err(error) => Err(IntoInnerError { error, writer: self }),
        }
    }

    /// Returns the scheme that is written.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.encoder.scheme
    }

    /// Returns the number of repairs so far: ill-formed sequences and unmappable characters.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        self.encoder.transcoder.repairs()
    }

    /// Returns the number of bytes of UTF-8 taken so far, even if they have not been written yet.
    /// After an error without a position, such as an error of the inner writer during
    /// [`Write::write_all`], continue from this position.
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

    /// Returns the inner writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        self.inner.as_ref().expect(INNER_IS_PRESENT)
    }

    /// Returns the inner writer. Bytes that are written to it directly precede the content of the
    /// buffer.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect(INNER_IS_PRESENT)
    }

    /// Returns the encoder and the inner writer.
    fn encoder_and_inner(&mut self) -> (&mut Encoder, &mut W) {
        (&mut *self.encoder, self.inner.as_mut().expect(INNER_IS_PRESENT))
    }
}

/// The reason why the inner writer is present.
const INNER_IS_PRESENT: &str = "the inner writer is moved out only when the writer is consumed";

impl<W: Write> Write for Writer<W> {
    /// Takes as many bytes as fit. If there is an error among them, takes only the bytes before the
    /// error.
    fn write(&mut self, src: &[u8]) -> io::Result<usize> {
        let (encoder, inner) = self.encoder_and_inner();
        encoder.write(inner, src)
    }

    /// Takes all bytes. On failure, takes the bytes up to and including the ill-formed sequence or
    /// unmappable character.
    fn write_all(&mut self, src: &[u8]) -> io::Result<()> {
        let (encoder, inner) = self.encoder_and_inner();
        encoder.write_all(inner, src)
    }

    /// Writes the content of the buffer, and flushes the inner writer. Keeps an incomplete
    /// character.
    fn flush(&mut self) -> io::Result<()> {
        let (encoder, inner) = self.encoder_and_inner();
        encoder.write_buffer(inner)?;
        inner.flush()
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        if let Some(inner) = &mut self.inner
            && !self.encoder.writing
        {
            // `drop` cannot report errors.
            let _ = self.encoder.end_text(inner);
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

/// The error of [`Writer::into_inner`], with the writer, so that the call can be repeated.
///
/// ```
/// use std::io::{Cursor, ErrorKind, Write};
/// use utflane::Scheme;
/// use utflane::io::{IntoInnerError, Writer};
///
/// let mut output = [0; 3];
/// let mut writer = Writer::new(Cursor::new(&mut output[..]), Scheme::Utf16Le);
/// writer.write_all(b"Hi")?;
/// let IntoInnerError { error, mut writer, .. } = writer.into_inner().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::WriteZero);
///
/// // With more capacity, the rest is written.
/// let mut more = [0; 3];
/// *writer.get_mut() = Cursor::new(&mut more[..]);
/// writer.into_inner()?;
/// assert_eq!((output, more), (*b"H\0i", *b"\0\0\0"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[non_exhaustive]
pub struct IntoInnerError<W: Write> {
    /// The error.
    pub error: io::Error,
    /// The writer. If the error was an incomplete last character, it is not reported again, so
    /// [`Writer::into_inner`] then succeeds.
    pub writer: Writer<W>,
}

impl<W: Write> From<IntoInnerError<W>> for io::Error {
    fn from(error: IntoInnerError<W>) -> Self {
        error.error
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
