//! The encoding of a text up to its first error.

use encoding_rs::EncoderResult;
use utflane::{ByteTranscoder, Scheme, Stop, Utf8, utf8, validate};
use utflane_charset::{Charset, Sink};

use crate::errors::{Handler, Substitute};
use crate::input::Text;

/// The reasons for errors.
const UNMAPPABLE: &str = "character not in the encoding";
const SURROGATE: &str = "surrogates not allowed";

/// A character that the encoding doesn't have, and that the handler doesn't replace.
pub(crate) struct Unmappable {
    /// Its first byte.
    pub(crate) at: usize,
    pub(crate) kind: &'static str,
}

/// A text in UTF-8 in which surrogates have three bytes, by the segments between them. A position
/// is found without looking at the same bytes again.
pub(crate) struct Segments<'a> {
    bytes: &'a [u8],
    /// The segment of the last query, and its first byte.
    segment: &'a str,
    start: usize,
}

impl<'a> Segments<'a> {
    pub(crate) fn of(text: &'a Text) -> Self {
        match text {
            Text::Plain(text) => Self::of_str(text),
            Text::Surrogates(bytes) => Self::of_bytes(bytes),
        }
    }

    pub(crate) fn of_str(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), segment: text, start: 0 }
    }

    pub(crate) fn of_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes, segment: "", start: 0 }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the text from the character at `from` up to the next surrogate.
    pub(crate) fn at(&mut self, from: usize) -> &'a str {
        let known = from.checked_sub(self.start).and_then(|from| self.segment.get(from..));
        if let Some(segment) = known.filter(|segment| !segment.is_empty()) {
            return segment;
        }
        let rest = &self.bytes[from..];
        let len = validate::<Utf8>(rest).map_or_else(|error| error.valid_up_to(), |()| rest.len());
        self.segment = utf8::from_utf8(&rest[..len]).unwrap_or_default();
        self.start = from;
        self.segment
    }
}

/// Returns the character at a byte of such a text, and the byte after it.
fn character(bytes: &[u8], at: usize) -> (u32, usize) {
    let bits = |index: usize| u32::from(bytes.get(at + index).copied().unwrap_or(0) & 0x3F);
    match bytes[at] {
        byte @ ..0xC0 => (byte.into(), at + 1),
        byte @ ..0xE0 => (u32::from(byte & 0x1F) << 6 | bits(1), at + 2),
        byte @ ..0xF0 => (u32::from(byte & 0x0F) << 12 | bits(1) << 6 | bits(2), at + 3),
        byte => (u32::from(byte & 7) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), at + 4),
    }
}

/// An encoding, and the replacement of characters that it lacks.
pub(crate) struct Encoding {
    pub(crate) charset: Charset,
    pub(crate) handler: Handler,
}

impl Encoding {
    /// Encodes the characters from a byte on.
    pub(crate) fn run(
        &self,
        segments: &mut Segments<'_>,
        from: usize,
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let mut at = from;
        while at < segments.bytes.len() {
            let segment = segments.at(at);
            match self.charset {
                Charset::Scheme(scheme) => {
                    self.scheme(Scheme::Utf8, scheme, (segment.as_bytes(), at), sink)?;
                }
                Charset::Legacy(encoding) => self.legacy(encoding, (segment, at), sink)?,
            }
            at += segment.len();
            if at < segments.bytes.len() {
                let (surrogate, after) = character(segments.bytes, at);
                self.substitute(surrogate, Unmappable { at, kind: SURROGATE }, sink)?;
                at = after;
            }
        }
        Ok(())
    }

    /// Returns the start and the end of an error, as Python has them: of a run of characters that
    /// the encoding lacks, or of one of them.
    pub(crate) fn extent(&self, bytes: &[u8], at: usize) -> (usize, usize) {
        let (mut start, mut end) = (at, character(bytes, at).1);
        let is_by_table = match self.charset {
            Charset::Scheme(scheme) if unit(scheme) > 1 => return (start, end),
            Charset::Scheme(_) => false,
            Charset::Legacy(encoding) if !encoding.is_single_byte() => return (start, end),
            Charset::Legacy(_) => true,
        };
        while end < bytes.len() && self.lacks(bytes, end) {
            end = character(bytes, end).1;
        }
        // The other encodings escape the first characters of a run.
        while is_by_table && self.handler == Handler::SurrogateEscape && start > 0 {
            let before = (0..start).rev().find(|&at| bytes[at] & 0xC0 != 0x80).unwrap_or(0);
            if !self.lacks(bytes, before) {
                break;
            }
            start = before;
        }
        (start, end)
    }

    /// Returns true if the encoding lacks the character at a byte.
    fn lacks(&self, bytes: &[u8], at: usize) -> bool {
        let (code_point, _) = character(bytes, at);
        let Some(c) = char::from_u32(code_point) else { return true };
        match self.charset {
            Charset::Scheme(Scheme::Latin1) => code_point > 0xFF,
            Charset::Scheme(Scheme::Ascii) => !c.is_ascii(),
            Charset::Scheme(_) => false,
            Charset::Legacy(encoding) => {
                let (mut text, mut buffer) = ([0; 4], [0; 16]);
                let text = c.encode_utf8(&mut text);
                let mut encoder = encoding.new_encoder();
                let result = encoder.encode_from_utf8_without_replacement(text, &mut buffer, false);
                matches!(result.0, EncoderResult::Unmappable(_))
            }
        }
    }

    /// Writes a text that a handler returned. Fails as Python does: only text of ASCII may stand in
    /// a Unicode encoding, and only what the encoding has in others.
    pub(crate) fn write_text(&self, text: &Text, sink: &mut Sink) -> Result<(), Unmappable> {
        let has_all = match self.charset {
            Charset::Scheme(Scheme::Latin1 | Scheme::Ascii) | Charset::Legacy(_) => true,
            Charset::Scheme(_) => text.bytes().is_ascii(),
        };
        if !has_all {
            return Err(Unmappable { at: 0, kind: SURROGATE });
        }
        let strict = Self { charset: self.charset, handler: Handler::Strict };
        strict.run(&mut Segments::of(text), 0, sink)
    }

    /// Writes bytes that a handler returned: whole units.
    pub(crate) fn write_bytes(&self, bytes: &[u8], sink: &mut Sink) -> Result<(), Unmappable> {
        if !bytes.len().is_multiple_of(self.charset.scheme().map_or(1, unit)) {
            return Err(Unmappable { at: 0, kind: SURROGATE });
        }
        sink.push(bytes);
        Ok(())
    }

    /// Writes the substitute of a character; fails with `error` if there is none.
    fn substitute(
        &self,
        code_point: u32,
        error: Unmappable,
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let written = match self.handler.replacement_of(code_point) {
            None => return Err(error),
            Some(Substitute::Byte(byte)) => self.write_bytes(&[byte], sink),
            Some(Substitute::Ascii(text)) => match self.charset {
                Charset::Scheme(scheme) => {
                    self.scheme(Scheme::Utf8, scheme, (text.as_bytes(), 0), sink)
                }
                // All of these have ASCII as it is, in the state that follows ASCII.
                Charset::Legacy(_) => self.write_bytes(text.as_bytes(), sink),
            },
        };
        written.map_err(|_| error)
    }

    /// Encodes well-formed text, which begins at byte `start` of the whole.
    pub(crate) fn scheme(
        &self,
        from: Scheme,
        to: Scheme,
        (text, start): (&[u8], usize),
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let mut transcoder = ByteTranscoder::new(from, to);
        let mut read = 0;
        loop {
            let progress = transcoder.push(&text[read..], sink.spare());
            sink.advance(progress.written);
            read += progress.read;
            match progress.stop {
                Stop::Done => break,
                Stop::OutputFull => sink.grow(),
                Stop::Error(error) => {
                    let at = usize::try_from(error.offset()).unwrap_or(usize::MAX).min(text.len());
                    let (code_point, _) = character(text, at);
                    let error = Unmappable { at: start + at, kind: UNMAPPABLE };
                    self.substitute(code_point, error, sink)?;
                }
            }
        }
        // A surrogate at the end was kept, since it could have become part of a pair.
        while let Stop::OutputFull = {
            let progress = transcoder.finish(sink.spare());
            sink.advance(progress.written);
            progress.stop
        } {
            sink.grow();
        }
        Ok(())
    }

    /// Encodes text, which begins at byte `start` of the whole.
    fn legacy(
        &self,
        encoding: &'static encoding_rs::Encoding,
        (text, start): (&str, usize),
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let mut encoder = encoding.new_encoder();
        let mut read = 0;
        loop {
            let (result, more, written) =
                encoder.encode_from_utf8_without_replacement(&text[read..], sink.spare(), true);
            sink.advance(written);
            read += more;
            match result {
                EncoderResult::InputEmpty => return Ok(()),
                EncoderResult::OutputFull => sink.grow(),
                EncoderResult::Unmappable(c) => {
                    let at = start + read - c.len_utf8();
                    self.substitute(c.into(), Unmappable { at, kind: UNMAPPABLE }, sink)?;
                }
            }
        }
    }
}

/// Bytes of a code unit.
fn unit(scheme: Scheme) -> usize {
    match scheme {
        Scheme::Utf16Le | Scheme::Utf16Be | Scheme::Wtf16Le | Scheme::Wtf16Be => 2,
        Scheme::Utf32Le | Scheme::Utf32Be => 4,
        _ => 1,
    }
}
