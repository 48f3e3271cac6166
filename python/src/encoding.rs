//! Encodes a text up to its first error.

use utflane::{ByteTranscoder, Scheme, Stop, Utf8, utf8, validate};
use utflane_charset::{Charset, EncodeStop, Legacy, LegacyEncoder, Sink};

use crate::errors::{Handler, Substitute};
use crate::input::Text;

/// The reason for a character that the encoding lacks.
const UNMAPPABLE: &str = "character not in the encoding";
/// The reason for a surrogate and, as in Python, for any result of a handler that a Unicode
/// encoding does not allow.
const NOT_ALLOWED: &str = "surrogates not allowed";

/// A character that the encoding lacks and that the handler does not replace.
pub(crate) struct UnmappableError {
    /// The byte offset of the character.
    pub(crate) offset: usize,
    /// The reason in words.
    pub(crate) kind: &'static str,
}

/// A text in UTF-8 in which surrogates have three bytes, divided into the segments between the
/// surrogates. The last segment is kept, so that its bytes are validated only once.
pub(crate) struct Segments<'a> {
    bytes: &'a [u8],
    /// The last segment that was found.
    segment: &'a str,
    /// The byte offset of `segment`.
    segment_start: usize,
}

impl<'a> Segments<'a> {
    pub(crate) fn from_text(text: &'a Text) -> Self {
        match text {
            Text::Utf8(text) => Self::from_utf8(text),
            Text::WithSurrogates(bytes) => Self::from_bytes(bytes),
        }
    }

    pub(crate) fn from_utf8(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), segment: text, segment_start: 0 }
    }

    pub(crate) fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes, segment: "", segment_start: 0 }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the text from the character at byte `offset` up to the next surrogate.
    pub(crate) fn segment_at(&mut self, offset: usize) -> &'a str {
        let known_segment = offset
            .checked_sub(self.segment_start)
            .and_then(|offset_in_segment| self.segment.get(offset_in_segment..));
        if let Some(segment) = known_segment.filter(|segment| !segment.is_empty()) {
            return segment;
        }
        let rest = &self.bytes[offset..];
        let len = validate::<Utf8>(rest).map_or_else(|error| error.valid_up_to(), |()| rest.len());
        self.segment = utf8::from_utf8(&rest[..len]).unwrap_or_default();
        self.segment_start = offset;
        self.segment
    }
}

/// Returns the code point of the character at byte `offset` of a text in UTF-8 in which surrogates
/// have three bytes, and the byte offset of its end.
fn decode_character(bytes: &[u8], offset: usize) -> (u32, usize) {
    let bits = |index: usize| u32::from(bytes.get(offset + index).copied().unwrap_or(0) & 0x3F);
    match bytes[offset] {
        byte @ ..0xC0 => (byte.into(), offset + 1),
        byte @ ..0xE0 => (u32::from(byte & 0x1F) << 6 | bits(1), offset + 2),
        byte @ ..0xF0 => (u32::from(byte & 0x0F) << 12 | bits(1) << 6 | bits(2), offset + 3),
        byte => (u32::from(byte & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), offset + 4),
    }
}

/// Encodes texts, and replaces the characters that the encoding lacks as `handler` says.
pub(crate) struct TextEncoder {
    pub(crate) charset: Charset,
    pub(crate) handler: Handler,
}

impl TextEncoder {
    /// Encodes the characters from byte offset `start` up to the first error.
    pub(crate) fn encode_from(
        &self,
        segments: &mut Segments<'_>,
        start: usize,
        sink: &mut Sink,
    ) -> Result<(), UnmappableError> {
        let mut offset = start;
        while offset < segments.bytes.len() {
            let segment = segments.segment_at(offset);
            match self.charset {
                Charset::Scheme(scheme) => {
                    let text = (segment.as_bytes(), offset);
                    self.transcode_scheme(Scheme::Utf8, scheme, text, sink)?;
                }
                Charset::Legacy(encoding) => {
                    self.encode_legacy(encoding, (segment, offset), sink)?;
                }
            }
            offset += segment.len();
            if offset < segments.bytes.len() {
                let (surrogate, end) = decode_character(segments.bytes, offset);
                self.write_substitute(
                    surrogate,
                    UnmappableError { offset, kind: NOT_ALLOWED },
                    sink,
                )?;
                offset = end;
            }
        }
        Ok(())
    }

    /// Returns the byte range of the error at byte `offset`, as Python reports it. Depending on the
    /// encoding, this is one character or a run of characters that the encoding lacks.
    pub(crate) fn error_range(&self, bytes: &[u8], offset: usize) -> (usize, usize) {
        let (mut start, mut end) = (offset, decode_character(bytes, offset).1);
        let is_code_page = match self.charset {
            Charset::Scheme(scheme) if unit_size(scheme) > 1 => return (start, end),
            Charset::Scheme(_) => false,
            Charset::Legacy(Legacy::MultiByte(_)) => return (start, end),
            Charset::Legacy(Legacy::Page(_)) => true,
        };
        while end < bytes.len() && self.lacks(bytes, end) {
            end = decode_character(bytes, end).1;
        }
        // `surrogateescape` may have written the first characters of the run. In a code page,
        // Python reports these too; in the other encodings, only the rest of the run.
        while is_code_page && self.handler == Handler::SurrogateEscape && start > 0 {
            let previous =
                (0..start).rev().find(|&offset| bytes[offset] & 0xC0 != 0x80).unwrap_or(0);
            if !self.lacks(bytes, previous) {
                break;
            }
            start = previous;
        }
        (start, end)
    }

    /// Returns true if the encoding lacks the character at byte `offset`.
    fn lacks(&self, bytes: &[u8], offset: usize) -> bool {
        let (code_point, _) = decode_character(bytes, offset);
        let Some(c) = char::from_u32(code_point) else { return true };
        match self.charset {
            Charset::Scheme(Scheme::Latin1) => code_point > 0xFF,
            Charset::Scheme(Scheme::Ascii) => !c.is_ascii(),
            Charset::Scheme(_) => false,
            Charset::Legacy(encoding) => !encoding.has(c),
        }
    }

    /// Writes a text that a handler returned. As in Python, in a Unicode encoding only ASCII is
    /// allowed. In other encodings, a character that the encoding lacks is an error.
    pub(crate) fn write_text(&self, text: &Text, sink: &mut Sink) -> Result<(), UnmappableError> {
        let is_allowed = match self.charset {
            Charset::Scheme(Scheme::Latin1 | Scheme::Ascii) | Charset::Legacy(_) => true,
            Charset::Scheme(_) => text.bytes().is_ascii(),
        };
        if !is_allowed {
            return Err(UnmappableError { offset: 0, kind: NOT_ALLOWED });
        }
        let strict = Self { charset: self.charset, handler: Handler::Strict };
        strict.encode_from(&mut Segments::from_text(text), 0, sink)
    }

    /// Writes bytes that a handler returned. Fails if they are not a whole number of code units.
    pub(crate) fn write_bytes(&self, bytes: &[u8], sink: &mut Sink) -> Result<(), UnmappableError> {
        if !bytes.len().is_multiple_of(self.charset.scheme().map_or(1, unit_size)) {
            return Err(UnmappableError { offset: 0, kind: NOT_ALLOWED });
        }
        sink.push(bytes);
        Ok(())
    }

    /// Writes what the handler substitutes for a character. Fails with `error` if it substitutes
    /// nothing.
    fn write_substitute(
        &self,
        code_point: u32,
        error: UnmappableError,
        sink: &mut Sink,
    ) -> Result<(), UnmappableError> {
        let written = match self.handler.substitute_for(code_point) {
            None => return Err(error),
            Some(Substitute::Byte(byte)) => self.write_bytes(&[byte], sink),
            Some(Substitute::Ascii(text)) => match self.charset {
                Charset::Scheme(scheme) => {
                    self.transcode_scheme(Scheme::Utf8, scheme, (text.as_bytes(), 0), sink)
                }
                Charset::Legacy(Legacy::Page(page)) => {
                    let encoded = page.encode_str(&text);
                    let encoded =
                        encoded.map_err(|_| UnmappableError { offset: 0, kind: UNMAPPABLE });
                    encoded.and_then(|bytes| self.write_bytes(&bytes, sink))
                }
                // ASCII has the same bytes in these encodings. The encoder of ISO-2022-JP is in its
                // ASCII state here, after an unmappable character or at the end of a segment.
                Charset::Legacy(Legacy::MultiByte(_)) => self.write_bytes(text.as_bytes(), sink),
            },
        };
        written.map_err(|_| error)
    }

    /// Transcodes `text`, which is well-formed in `source` and begins at byte offset `start` of the
    /// whole text.
    pub(crate) fn transcode_scheme(
        &self,
        source: Scheme,
        target: Scheme,
        (text, start): (&[u8], usize),
        sink: &mut Sink,
    ) -> Result<(), UnmappableError> {
        let mut transcoder = ByteTranscoder::new(source, target);
        let mut read = 0;
        loop {
            let progress = transcoder.push(&text[read..], sink.spare());
            sink.advance(progress.written);
            read += progress.read;
            match progress.stop {
                Stop::Done => break,
                Stop::OutputFull => sink.grow(),
                Stop::Error(error) => {
                    let offset =
                        usize::try_from(error.offset()).unwrap_or(usize::MAX).min(text.len());
                    let (code_point, _) = decode_character(text, offset);
                    let error = UnmappableError { offset: start + offset, kind: UNMAPPABLE };
                    self.write_substitute(code_point, error, sink)?;
                }
            }
        }
        // If `source` is WTF-8, the transcoder keeps a surrogate at the end of the text, because a
        // second surrogate could follow. `finish` writes it.
        while let Stop::OutputFull = {
            let progress = transcoder.finish(sink.spare());
            sink.advance(progress.written);
            progress.stop
        } {
            sink.grow();
        }
        Ok(())
    }

    /// Encodes `text`, which begins at byte offset `start` of the whole text.
    fn encode_legacy(
        &self,
        encoding: Legacy,
        (text, start): (&str, usize),
        sink: &mut Sink,
    ) -> Result<(), UnmappableError> {
        let mut encoder = LegacyEncoder::new(encoding);
        let mut read = 0;
        loop {
            let progress = encoder.push(&text[read..], sink.spare(), true);
            sink.advance(progress.written);
            read += progress.read;
            match progress.stop {
                EncodeStop::Done => return Ok(()),
                EncodeStop::OutputFull => sink.grow(),
                EncodeStop::Unmappable(c) => {
                    let offset = start + read - c.len_utf8();
                    self.write_substitute(
                        c.into(),
                        UnmappableError { offset, kind: UNMAPPABLE },
                        sink,
                    )?;
                }
            }
        }
    }
}

/// Returns the size of a code unit in bytes.
fn unit_size(scheme: Scheme) -> usize {
    match scheme {
        Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => 2,
        Scheme::Utf32Le | Scheme::Utf32Be => 4,
        _ => 1,
    }
}
