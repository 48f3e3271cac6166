//! `encode`: bytes of a text.

use encoding_rs::{EncoderResult, Encoding};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{ByteTranscoder, Scheme, Stop, Utf8, count, validate, wtf8};

use crate::arrow::{Column, NO_UTF8, Row, Values};
use crate::decoding::has_surrogates;
use crate::errors::{Handler, Substitute, encode_error};
use crate::input::Text;
use crate::many::{Function, column};
use crate::named;
use utflane_charset::{Charset, Sink};

/// The reason for the error of a character.
const UNMAPPABLE: &str = "character not in the encoding";

/// The encoding of texts.
struct Encode {
    charset: Charset,
    marked: bool,
    handler: Handler,
}

/// Characters that the encoding doesn't have: the first one, and the reason.
struct Unmappable {
    /// Code points before it.
    position: usize,
    kind: &'static str,
}

impl Function for Encode {
    type Input = Text;
    type Output = Result<Sink, Unmappable>;

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        Text::of(object)
    }

    fn work(&self, text: &Text) -> Self::Output {
        let bytes = text.bytes();
        let mut sink = self.sink(bytes.len());
        match (self.charset, text) {
            (Charset::Scheme(scheme), Text::Surrogates(_)) if has_surrogates(scheme) => {
                let joined = joined(bytes);
                self.scheme(Scheme::Wtf8, scheme, &joined, 0, &mut sink)?;
            }
            (charset, _) => self.pieces(charset, bytes, &mut sink)?,
        }
        Ok(sink)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        _: &Text,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        match output {
            Ok(sink) => Ok(PyBytes::new(object.py(), sink.bytes()).into_any()),
            Err(Unmappable { position, kind }) => {
                Err(encode_error(&self.charset.to_string(), object, position, 1, kind))
            }
        }
    }
}

/// The text without pairs of surrogates: each is a character.
fn joined(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    for (piece, surrogate) in pieces(bytes) {
        wtf8::append(&mut text, piece.as_bytes());
        wtf8::append(&mut text, surrogate);
    }
    text
}

/// The pieces of a text between surrogates, each with the surrogate after it.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let valid =
            validate::<Utf8>(rest).map_or_else(|error| error.valid_up_to(), |()| rest.len());
        let (piece, after) = rest.split_at(valid);
        let (surrogate, after) = after.split_at(after.len().min(3));
        rest = after;
        Some((str::from_utf8(piece).unwrap_or_default(), surrogate))
    })
}

impl Encode {
    /// Room for the bytes of a text, after the mark.
    fn sink(&self, room: usize) -> Sink {
        let mut sink = Sink::new(room);
        if self.marked {
            sink.push(self.charset.mark());
        }
        sink
    }

    /// The column of the bytes.
    fn column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let is_same = self.charset == Charset::Scheme(Scheme::Utf8) && !self.marked;
        let map = |row: &[u8]| {
            validate::<Utf8>(row).map_err(|_| None)?;
            if is_same {
                return Ok(Row::Same);
            }
            let mut sink = self.sink(row.len());
            self.pieces(self.charset, row, &mut sink).map_err(Some)?;
            Ok(Row::Value(sink.bytes().to_vec()))
        };
        let error = |row: &[u8], unmappable: Option<Unmappable>| {
            let text = PyString::from_bytes(py, row);
            match (unmappable, text) {
                (Some(Unmappable { position, kind }), Ok(text)) => {
                    encode_error(&self.charset.to_string(), &text, position, 1, kind)
                }
                _ => PyValueError::new_err(NO_UTF8),
            }
        };
        column.map(py, Values::Binary, map, error)?.object(py)
    }

    /// Encodes the pieces between surrogates, which no charset here has.
    fn pieces(&self, charset: Charset, bytes: &[u8], sink: &mut Sink) -> Result<(), Unmappable> {
        let mut position = 0;
        for (piece, surrogate) in pieces(bytes) {
            match charset {
                Charset::Scheme(scheme) => {
                    self.scheme(Scheme::Utf8, scheme, piece.as_bytes(), position, sink)?;
                }
                Charset::Legacy(encoding) => self.legacy(encoding, piece, position, sink)?,
            }
            if let [first, second, third] = *surrogate {
                position += count::<Utf8>(piece.as_bytes());
                let units = [first & 0x0F, second & 0x3F, third & 0x3F].map(u32::from);
                let code_point = units[0] << 12 | units[1] << 6 | units[2];
                self.substitute(code_point, position, "surrogates not allowed", sink)?;
                position += 1;
            }
        }
        Ok(())
    }

    /// The code points before a character that follows `before`, if they may be asked for.
    fn place(&self, position: usize, before: &[u8]) -> usize {
        match self.handler {
            Handler::Strict | Handler::SurrogateEscape => position + count::<Utf8>(before),
            _ => position,
        }
    }

    /// Writes the substitute of a character.
    fn substitute(
        &self,
        code_point: u32,
        position: usize,
        kind: &'static str,
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        match self.handler.replacement_of(code_point) {
            None => return Err(Unmappable { position, kind }),
            Some(Substitute::Byte(byte)) => sink.push(&[byte]),
            Some(Substitute::Ascii(text)) => match self.charset {
                Charset::Scheme(scheme) => {
                    self.scheme(Scheme::Utf8, scheme, text.as_bytes(), position, sink)?;
                }
                // All of these have ASCII as it is, in the state that follows ASCII.
                Charset::Legacy(_) => sink.push(text.as_bytes()),
            },
        }
        Ok(())
    }

    /// Encodes well-formed `text`; `position` code points are before it.
    fn scheme(
        &self,
        from: Scheme,
        to: Scheme,
        text: &[u8],
        position: usize,
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let mut transcoder = ByteTranscoder::new(from, to);
        let mut read = 0;
        loop {
            let progress = transcoder.push(&text[read..], sink.room());
            sink.advance(progress.written);
            read += progress.read;
            match progress.stop {
                Stop::Done => break,
                Stop::OutputFull => sink.grow(),
                Stop::Error(error) => {
                    let at = usize::try_from(error.offset()).unwrap_or(usize::MAX).min(text.len());
                    let rest = str::from_utf8(&text[at..read]).unwrap_or_default();
                    let code_point = rest.chars().next().map_or(0xFFFD, u32::from);
                    let position = self.place(position, &text[..at]);
                    self.substitute(code_point, position, UNMAPPABLE, sink)?;
                }
            }
        }
        // A surrogate at the end was kept, since it could have become part of a pair.
        while let Stop::OutputFull = {
            let progress = transcoder.finish(sink.room());
            sink.advance(progress.written);
            progress.stop
        } {
            sink.grow();
        }
        Ok(())
    }

    /// Encodes `text` by `encoding`; `position` code points are before it.
    fn legacy(
        &self,
        encoding: &'static Encoding,
        text: &str,
        position: usize,
        sink: &mut Sink,
    ) -> Result<(), Unmappable> {
        let mut encoder = encoding.new_encoder();
        let mut read = 0;
        loop {
            let (result, more, written) =
                encoder.encode_from_utf8_without_replacement(&text[read..], sink.room(), true);
            sink.advance(written);
            read += more;
            match result {
                EncoderResult::InputEmpty => return Ok(()),
                EncoderResult::OutputFull => sink.grow(),
                EncoderResult::Unmappable(c) => {
                    let before = &text.as_bytes()[..read - c.len_utf8()];
                    let position = self.place(position, before);
                    self.substitute(c.into(), position, UNMAPPABLE, sink)?;
                }
            }
        }
    }
}

/// Encodes a text, or each text of a list or of an Arrow column.
#[pyfunction]
#[pyo3(signature = (text, encoding = "utf-8", errors = "strict"))]
pub(crate) fn encode<'py>(
    text: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (charset, marked) = named::target(encoding)?;
    let handler = Handler::of_encoding(errors)?;
    let encode = Encode { charset, marked, handler };
    match column(text, false)? {
        Some(column) => encode.column(text.py(), &column),
        None => encode.call(text),
    }
}
