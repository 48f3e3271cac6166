//! `encode` returns the bytes of a text in an encoding.

use std::ffi::CStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Scheme, utf8, wtf8};
use utflane_charset::{Charset, Sink};

use crate::arrow::{Column, NOT_UTF8, NewRow, Values};
use crate::callback;
use crate::decoding::has_surrogates;
use crate::encoding::{Segments, TextEncoder, UnmappableError};
use crate::errors::{Handler, encode_error};
use crate::input::Text;
use crate::many::{Function, import_column};
use crate::named::{self, python_name};
use crate::repairs::count_code_points;
use crate::through_utf16;
use crate::wide;

/// The arguments of `encode`.
struct Encode {
    encoder: TextEncoder,
    /// True if the result begins with a byte order mark.
    is_marked: bool,
    /// The name of the error handler.
    errors: String,
}

impl Function for Encode {
    type Input = Text;
    type Output = Result<Sink, UnmappableError>;

    /// Encodes a text with Python's own functions or through UTF-16, where this is faster. Returns
    /// `None` where it is not, or if the text has errors.
    fn try_fast<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
        if let Some(name) = self.faster_python_codec() {
            return Ok(wide::encode(text, name, c"strict")?.map(Bound::into_any));
        }
        let Charset::Legacy(encoding) = self.encoder.charset else { return Ok(None) };
        // The attempt ends at the first character that is not ASCII.
        if encoding.is_ascii_compatible()
            && let Some(bytes) = wide::encode(text, c"ascii", c"strict")?
        {
            return Ok(Some(bytes.into_any()));
        }
        through_utf16::encode(encoding, text)
    }

    fn prepare_input(&self, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        Text::from_object(object)
    }

    fn compute(&self, text: &Text) -> Self::Output {
        let bytes = text.bytes();
        let mut sink = self.new_sink(bytes.len());
        match (self.encoder.charset, text) {
            (Charset::Scheme(scheme), Text::WithSurrogates(_)) if has_surrogates(scheme) => {
                let text = join_surrogate_pairs(bytes);
                self.encoder.transcode_scheme(Scheme::Wtf8, scheme, (&text, 0), &mut sink)?;
            }
            _ => self.encoder.encode_from(&mut Segments::from_text(text), 0, &mut sink)?,
        }
        Ok(sink)
    }

    fn make_result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        text: &Text,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let sink = match output {
            Ok(sink) => sink,
            Err(error) => {
                let mut segments = Segments::from_text(text);
                self.handle_unmappable(object.cast::<PyString>()?, &mut segments, error)?
            }
        };
        Ok(PyBytes::new(py, sink.bytes()).into_any())
    }
}

/// Returns the text with each surrogate pair replaced by the character that it encodes.
fn join_surrogate_pairs(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let (mut segments, mut offset) = (Segments::from_bytes(bytes), 0);
    while offset < bytes.len() {
        let segment = segments.segment_at(offset);
        wtf8::append(&mut text, segment.as_bytes());
        offset += segment.len();
        let surrogate = &bytes[offset..bytes.len().min(offset + 3)];
        wtf8::append(&mut text, surrogate);
        offset += surrogate.len();
    }
    text
}

impl Encode {
    /// Returns the name of Python's codec for the encoding, if Python encodes at least as fast as
    /// this package.
    fn faster_python_codec(&self) -> Option<&'static CStr> {
        let name = python_name(self.encoder.charset)?;
        match (self.is_marked, self.encoder.charset) {
            (false, _) => Some(name),
            (_, Charset::Scheme(Scheme::Utf8)) => Some(c"utf-8-sig"),
            (_, Charset::Scheme(Scheme::Utf16Le)) if cfg!(target_endian = "little") => {
                Some(c"utf-16")
            }
            (_, Charset::Scheme(Scheme::Utf32Le)) if cfg!(target_endian = "little") => {
                Some(c"utf-32")
            }
            _ => None,
        }
    }

    /// Returns a sink that begins with the byte order mark, if there is one.
    fn new_sink(&self, capacity: usize) -> Sink {
        let mut sink = Sink::new(capacity);
        if self.is_marked {
            sink.push(self.encoder.charset.mark());
        }
        sink
    }

    /// Encodes a text with unmappable characters, the first of which is `error`. Calls the
    /// registered handler for each unmappable character. If the handler is not a registered one,
    /// fails with the exception for `error`.
    fn handle_unmappable(
        &self,
        object: &Bound<'_, PyString>,
        segments: &mut Segments<'_>,
        error: UnmappableError,
    ) -> PyResult<Sink> {
        if self.encoder.handler == Handler::Registered {
            let mut sink = self.new_sink(segments.bytes().len());
            callback::encode(&self.encoder, object, segments, &self.errors, &mut sink)?;
            return Ok(sink);
        }
        let (start, end) = self.encoder.error_range(segments.bytes(), error.offset);
        let position = count_code_points(&segments.bytes()[..start]);
        let len = count_code_points(&segments.bytes()[start..end]);
        let name = self.encoder.charset.name();
        Err(encode_error(name, object, (position, position + len), error.kind))
    }

    /// Encodes each row of a column.
    fn encode_column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let is_unchanged = self.encoder.charset == Charset::Scheme(Scheme::Utf8) && !self.is_marked;
        let map = |row: &[u8]| {
            let text = utf8::from_utf8(row).map_err(|_| PyValueError::new_err(NOT_UTF8))?;
            if is_unchanged {
                return Ok(NewRow::Unchanged);
            }
            let (mut sink, mut segments) = (self.new_sink(row.len()), Segments::from_utf8(text));
            if let Err(error) = self.encoder.encode_from(&mut segments, 0, &mut sink) {
                sink = Python::attach(|py| {
                    self.handle_unmappable(&PyString::new(py, text), &mut segments, error)
                })?;
            }
            Ok(NewRow::Value(sink.bytes().to_vec()))
        };
        column.map(py, Values::Binary, map, |_, error: PyErr| error)?.into_object(py)
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
    Handler::for_encoding(errors).check_registered(text.py(), errors)?;
    encode_for_codec(text, encoding, errors)
}

/// Encodes like `encode`, for codecs. An unknown error handler is reported only if the text has an
/// error.
#[pyfunction]
pub(crate) fn encode_for_codec<'py>(
    text: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (charset, is_marked) = named::target_from_label(encoding)?;
    let encoder = TextEncoder { charset, handler: Handler::for_encoding(errors) };
    let encode = Encode { encoder, is_marked, errors: errors.into() };
    match import_column(text, false)? {
        Some(column) => encode.encode_column(text.py(), &column),
        None => encode.call(text),
    }
}
