//! The configuration of a reader, and its constructors.

use std::io::{self, Read};

use encoding_rs::Encoding;

use crate::decoder::Decoder;
use crate::reader::DecodeReaderBytes;
use crate::source::Source;

/// The size of a buffer that the caller does not choose.
const DEFAULT_BUFFER_BYTES: usize = 8 * 1024;

/// The size of the smallest buffer that is accepted.
const BUFFER_MIN_BYTES: usize = 4;

/// Configures and creates a [`DecodeReaderBytes`].
///
/// | the stream begins with | `encoding` is given | `encoding` is `None` |
/// |---|---|---|
/// | a mark of UTF-8 or UTF-16 | decoded by `encoding`, or with [`bom_override`](Self::bom_override) by the encoding of the mark | decoded by the encoding of the mark |
/// | a mark of UTF-8, with [`utf8_passthru`](Self::utf8_passthru) | decoded by `encoding` | unchanged |
/// | anything else | decoded by `encoding` | unchanged |
///
/// A mark (a byte order mark) counts only in a stream of at least three bytes, and only with
/// [`bom_sniffing`](Self::bom_sniffing), which is set by default. A decoder removes the mark of its
/// own encoding, and writes U+FFFD instead of each ill-formed sequence.
///
/// ```
/// use std::io::Read;
///
/// use encoding_rs_io::DecodeReaderBytesBuilder;
///
/// let src = &b"\xEF\xBB\xBFa\xFFb"[..];
/// let mut text = Vec::new();
/// DecodeReaderBytesBuilder::new().build(src).read_to_end(&mut text)?;
/// assert_eq!(text, "a\u{FFFD}b".as_bytes());
///
/// let mut bytes = Vec::new();
/// let mut builder = DecodeReaderBytesBuilder::new();
/// builder.utf8_passthru(true).strip_bom(true).build(src).read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"a\xFFb");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DecodeReaderBytesBuilder {
    encoding: Option<&'static Encoding>,
    utf8_passthru: bool,
    strip_bom: bool,
    bom_override: bool,
    bom_sniffing: bool,
}

impl Default for DecodeReaderBytesBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl DecodeReaderBytesBuilder {
    /// Creates the default configuration: no encoding, and only `bom_sniffing` is set.
    pub fn new() -> Self {
        Self {
            encoding: None,
            utf8_passthru: false,
            strip_bom: false,
            bom_override: false,
            bom_sniffing: true,
        }
    }

    /// Creates a reader with a buffer of 8 KiB.
    pub fn build<R: Read>(&self, rdr: R) -> DecodeReaderBytes<R, Vec<u8>> {
        self.create(rdr, vec![0; DEFAULT_BUFFER_BYTES])
    }

    /// Creates a reader that holds the bytes of `rdr` in `buffer`.
    ///
    /// # Errors
    ///
    /// If the buffer has fewer than four bytes, an error of the kind
    /// [`Other`](io::ErrorKind::Other).
    pub fn build_with_buffer<R: Read, B: AsMut<[u8]>>(
        &self,
        rdr: R,
        mut buffer: B,
    ) -> io::Result<DecodeReaderBytes<R, B>> {
        let len = buffer.as_mut().len();
        if len < BUFFER_MIN_BYTES {
            return Err(io::Error::other(format!("the buffer has {len} bytes, fewer than four")));
        }
        Ok(self.create(rdr, buffer))
    }

    /// Creates a reader. The buffer is large enough.
    fn create<R: Read, B: AsMut<[u8]>>(&self, rdr: R, buffer: B) -> DecodeReaderBytes<R, B> {
        let source = Source::new(rdr, self.strip_bom);
        let decoder = self.encoding.map(Decoder::new);
        let detects = self.bom_sniffing && (self.bom_override || decoder.is_none());
        DecodeReaderBytes::at_start(source, decoder, detects, self.utf8_passthru, buffer)
    }

    /// Sets the encoding of the stream.
    pub fn encoding(&mut self, encoding: Option<&'static Encoding>) -> &mut Self {
        self.encoding = encoding;
        self
    }

    /// Returns a stream with the mark of UTF-8 unchanged, with its ill-formed sequences and its
    /// mark, instead of decoding it.
    pub fn utf8_passthru(&mut self, yes: bool) -> &mut Self {
        self.utf8_passthru = yes;
        self
    }

    /// Removes a mark of UTF-8 or UTF-16 from every stream, even if its bytes are otherwise
    /// unchanged. A decoder then removes a second mark of its own encoding.
    pub fn strip_bom(&mut self, yes: bool) -> &mut Self {
        self.strip_bom = yes;
        self
    }

    /// Prefers the encoding of the mark to the given encoding.
    pub fn bom_override(&mut self, yes: bool) -> &mut Self {
        self.bom_override = yes;
        self
    }

    /// Looks for a mark, which is the default.
    pub fn bom_sniffing(&mut self, yes: bool) -> &mut Self {
        self.bom_sniffing = yes;
        self
    }
}

impl<R: Read> DecodeReaderBytes<R, Vec<u8>> {
    /// Creates a reader with the default configuration of [`DecodeReaderBytesBuilder`] and a buffer
    /// of 8 KiB.
    pub fn new(rdr: R) -> Self {
        DecodeReaderBytesBuilder::new().build(rdr)
    }
}
