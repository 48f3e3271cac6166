//! A reader that decodes: bytes of any encoding in, UTF-8 out.

#[cfg(feature = "code-pages")]
use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::string::String;
use std::vec::Vec;

#[cfg(feature = "code-pages")]
use crate::code_page::CodePage;
use crate::encoding::scheme::Scheme;
use crate::io::decoder::{Decoder, State};
use crate::io::parts::CAPACITY_MIN_BYTES;
#[cfg(feature = "code-pages")]
use crate::stream::transcoder::ByteTranscoder;
use crate::types::policy::Policy;

/// Decodes its input: returns the text of any reader in UTF-8.
///
/// It has its own buffer, so the inner reader needs no buffer. As [`BufRead`] it returns whole
/// characters of valid UTF-8; [`fill_str`](Self::fill_str) and [`next_str`](Self::next_str) return
/// them as `&str`, without a copy. As [`Read`] it fills any buffer, and may split a character at
/// the end of the buffer.
///
/// ```
/// use std::io::BufRead;
/// use utflane::Scheme;
/// use utflane::io::Reader;
///
/// let file = b"na\xEFve\r\nfa\xE7ade";
/// let reader = Reader::new(&file[..], Scheme::Latin1);
/// let lines = reader.lines().collect::<Result<Vec<String>, _>>()?;
/// assert_eq!(lines, ["naïve", "façade"]);
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// The text before an ill-formed sequence is returned first. The next call returns an error of the
/// kind [`InvalidData`](io::ErrorKind::InvalidData), which holds a [`StreamError`]. The
/// [`read`](crate::StreamError::read) of the [`StreamError`] is 0, because there is no chunk. The
/// call after that continues after the ill-formed sequence. An incomplete sequence at the end of
/// the stream is an error too. The bytes read so far determine the kind of an error: see
/// [`StreamError::kind`](crate::StreamError::kind).
///
/// Methods of [`Read`] and [`BufRead`] that return collected text, such as [`BufRead::lines`], drop
/// the collected text on an error, for instance the start of a line. Methods that append to an
/// argument, such as [`BufRead::read_line`] and [`Read::read_to_string`], keep it. After
/// [`with_policy`](Self::with_policy) with a policy that repairs, ill-formed text is not an error.
///
/// Errors of the inner reader are returned unchanged, and interrupted reads are repeated. At the
/// end of the inner reader, this reader ends too. A further call reads from the inner reader again.
///
/// [`StreamError`]: crate::StreamError
pub struct Reader<R> {
    decoder: Decoder,
    inner: R,
}

impl<R: Read> Reader<R> {
    /// Reads text in `scheme`. A byte order mark is a character of the text, U+FEFF;
    /// [`marked`](Self::marked) removes it.
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
        Self::after_mark(inner, scheme, 0)
    }

    /// Reads text in the scheme of its byte order mark, or in `scheme` if it has none. The mark is
    /// removed.
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
    pub fn marked(inner: R, scheme: Scheme) -> Self {
        Self { decoder: Decoder::new(scheme), inner }
    }

    /// Returns the scheme of the text. Reads only as much as is needed to know the scheme: nothing,
    /// or at most four bytes for a mark.
    ///
    /// # Errors
    ///
    /// Returns the errors of the inner reader. No text is lost: the next call of any method
    /// continues.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::io::Reader;
    ///
    /// let mut reader = Reader::marked(&b"\xFE\xFF\0H\0i"[..], Scheme::Utf8);
    /// assert_eq!(reader.scheme(), None);
    /// assert_eq!(reader.find_scheme()?, Scheme::Utf16Be);
    /// assert_eq!(reader.next_str()?, Some("Hi"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn find_scheme(&mut self) -> io::Result<Scheme> {
        self.decoder.determine_scheme(&mut self.inner)?;
        Ok(self.decoder.scheme)
    }

    /// Returns the ready text and consumes it. Reads more if no text is ready. Returns `None` at
    /// the end.
    ///
    /// The cost is a read from the inner reader and one pass over the bytes, without a copy.
    ///
    /// # Errors
    ///
    /// Returns the errors of every method (see [`Reader`]) and of [`fill_str`](Self::fill_str).
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
        let ready = self.decoder.ready_range()?;
        if ready.is_empty() {
            return Ok(None);
        }
        self.decoder.ready.start = ready.end;
        // SAFETY: ready text is UTF-8, and `ready_range` fails if the start of its first character
        // has been consumed.
        Ok(Some(unsafe { str::from_utf8_unchecked(self.decoder.bytes(ready)) }))
    }

    /// Returns the ready text. Reads more if no text is ready. Returns an empty string at the end.
    /// This is [`BufRead::fill_buf`] for `&str`: [consume](BufRead::consume) the bytes that you
    /// have used.
    ///
    /// # Errors
    ///
    /// Returns the errors of every method: see [`Reader`]. If only the first bytes of a character
    /// have been consumed, its other bytes are not a `&str`. This method then returns an error of
    /// the kind [`InvalidInput`](io::ErrorKind::InvalidInput) until these bytes have been consumed
    /// too.
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
        let ready = self.decoder.ready_range()?;
        // SAFETY: ready text is UTF-8, and `ready_range` fails if the start of its first character
        // has been consumed.
        Ok(unsafe { str::from_utf8_unchecked(self.decoder.bytes(ready)) })
    }
}

impl<R> Reader<R> {
    /// Reads text in `scheme` after a mark of `mark_len` bytes, which have already been read.
    pub(super) fn after_mark(inner: R, scheme: Scheme, mark_len: usize) -> Self {
        let mut decoder = Decoder::new(scheme);
        decoder.raw_offset = mark_len as u64;
        decoder.begin_decoding(scheme, 0);
        decoder.has_mark = mark_len > 0;
        Self { decoder, inner }
    }

    /// Reads text in a code page. Its [`scheme`](Self::scheme) is [`Scheme::Latin1`], which has a
    /// byte for each character too.
    ///
    /// ```
    /// use std::io::Read;
    /// use utflane::code_page::IBM866;
    /// use utflane::io::Reader;
    ///
    /// let mut text = String::new();
    /// Reader::decoding(&b"\x8F\xE0\xA8\xA2\xA5\xE2"[..], &IBM866).read_to_string(&mut text)?;
    /// assert_eq!(text, "Привет");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "code-pages")]
    #[must_use]
    pub fn decoding(inner: R, page: &CodePage) -> Self {
        let mut reader = Self::after_mark(inner, Scheme::Latin1, 0);
        let transcoder = ByteTranscoder::decoding(page, Scheme::Utf8);
        reader.decoder.state = State::Transcoded(Box::new(transcoder));
        reader
    }

    /// Sets the policy for ill-formed sequences. Without a policy, they are errors. Call it before
    /// the first read.
    ///
    /// ```
    /// use std::io::Read;
    /// use utflane::io::Reader;
    /// use utflane::{Repair, Scheme};
    ///
    /// let reader = Reader::new(&b"a\xFFb\xE2\x82"[..], Scheme::Utf8);
    /// let mut reader = reader.with_policy(Repair::REPLACE);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), reader.repairs()), ("a\u{FFFD}b\u{FFFD}", 2));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_policy(mut self, policy: impl Into<Policy>) -> Self {
        let decoder = &mut self.decoder;
        decoder.policy = policy.into();
        if let State::Transcoded(transcoder) = &mut decoder.state {
            **transcoder = transcoder.as_ref().clone().with_policy(decoder.policy);
        }
        self
    }

    /// Sets the size of the buffers in bytes, at least 64, instead of 64 KiB. Call it before the
    /// first read.
    ///
    /// Text in UTF-8 or ASCII takes one buffer, and text in any other encoding takes two. Each
    /// buffer begins with at most 4 KiB, and grows each time that it has been filled.
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
        self.decoder.capacity = bytes.max(CAPACITY_MIN_BYTES);
        self
    }

    /// Returns the scheme of the text, if it is already known. [`find_scheme`](Self::find_scheme)
    /// reads until the scheme is known.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        (!matches!(self.decoder.state, State::Start)).then_some(self.decoder.scheme)
    }

    /// Returns true if a byte order mark has been found and removed.
    #[must_use]
    pub fn has_mark(&self) -> bool {
        self.decoder.has_mark
    }

    /// Returns the number of repairs so far: ill-formed sequences in the decoded text. Some of this
    /// text may not have been returned yet.
    #[must_use]
    pub fn repairs(&self) -> u64 {
        match &self.decoder.state {
            State::Transcoded(transcoder) => transcoder.repairs(),
            _ => 0,
        }
    }

    /// Returns the inner reader.
    #[must_use]
    pub const fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns the inner reader. Text that is read from the inner reader directly is missing from
    /// the text that this reader returns.
    #[must_use]
    pub const fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader. Text that has been read but not returned is lost.
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
        let len = self.fill_buf()?.read(dst)?;
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

    /// Appends the text up to the end, or up to an error.
    fn read_to_string(&mut self, out: &mut String) -> io::Result<usize> {
        let before = out.len();
        while let Some(text) = self.next_str()? {
            out.push_str(text);
        }
        Ok(out.len() - before)
    }
}

impl<R: Read> BufRead for Reader<R> {
    /// Returns the ready text. Reads more if no text is ready. The text ends with a whole
    /// character. It is empty at the end of the stream.
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.decoder.fill(&mut self.inner)?;
        Ok(self.decoder.bytes(self.decoder.ready.clone()))
    }

    fn consume(&mut self, amount: usize) {
        let ready = &mut self.decoder.ready;
        ready.start += amount.min(ready.len());
    }
}
