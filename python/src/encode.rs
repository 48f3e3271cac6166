//! `encode`: bytes of a text.

use std::ffi::CStr;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Scheme, utf8, wtf8};
use utflane_charset::{Charset, Sink};

use crate::arrow::{Column, NO_UTF8, Row, Values};
use crate::callback;
use crate::charmap;
use crate::decoding::has_surrogates;
use crate::encoding::{Encoding, Segments, Unmappable};
use crate::errors::{Handler, encode_error};
use crate::input::Text;
use crate::many::{Function, column};
use crate::named::{self, python_name};
use crate::repairs::code_points;
use crate::wide;

/// The encoding of texts.
struct Encode {
    encoding: Encoding,
    marked: bool,
    /// The name of the handler.
    errors: String,
}

impl Function for Encode {
    type Input = Text;
    type Output = Result<Sink, Unmappable>;

    /// The bytes of a text without errors, in an encoding that Python writes from its own form.
    fn quick<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(text) = object.cast::<PyString>() else { return Ok(None) };
        if let Some(name) = self.python_name() {
            return Ok(wide::encoded(text, name, c"strict")?.map(Bound::into_any));
        }
        let Charset::Legacy(_) = self.encoding.charset else { return Ok(None) };
        // All of these have ASCII as it is. The first character beyond ends the attempt.
        if let Some(bytes) = wide::encoded(text, c"ascii", c"strict")? {
            return Ok(Some(bytes.into_any()));
        }
        match charmap::by_table(self.encoding.charset) {
            Some(encoding) => charmap::encoded(encoding, text),
            None => Ok(None),
        }
    }

    fn input(&self, object: &Bound<'_, PyAny>) -> PyResult<Text> {
        Text::of(object)
    }

    fn work(&self, text: &Text) -> Self::Output {
        let bytes = text.bytes();
        let mut sink = self.sink(bytes.len());
        match (self.encoding.charset, text) {
            (Charset::Scheme(scheme), Text::Surrogates(_)) if has_surrogates(scheme) => {
                self.encoding.scheme(Scheme::Wtf8, scheme, (&joined(bytes), 0), &mut sink)?;
            }
            _ => self.encoding.run(&mut Segments::of(text), 0, &mut sink)?,
        }
        Ok(sink)
    }

    fn result<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        text: &Text,
        output: Self::Output,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let sink = match output {
            Ok(sink) => sink,
            Err(error) => {
                self.repaired(object.cast::<PyString>()?, &mut Segments::of(text), error)?
            }
        };
        Ok(PyBytes::new(py, sink.bytes()).into_any())
    }
}

/// The text without pairs of surrogates: each is a character.
fn joined(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let (mut segments, mut at) = (Segments::of_bytes(bytes), 0);
    while at < bytes.len() {
        let segment = segments.at(at);
        wtf8::append(&mut text, segment.as_bytes());
        at += segment.len();
        let surrogate = &bytes[at..bytes.len().min(at + 3)];
        wtf8::append(&mut text, surrogate);
        at += surrogate.len();
    }
    text
}

impl Encode {
    /// The name of the encoding in Python, if Python encodes it at least as fast.
    fn python_name(&self) -> Option<&'static CStr> {
        let name = python_name(self.encoding.charset)?;
        match (self.marked, self.encoding.charset) {
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

    /// Capacity for the bytes of a text, after the byte order mark.
    fn sink(&self, capacity: usize) -> Sink {
        let mut sink = Sink::new(capacity);
        if self.marked {
            sink.push(self.encoding.charset.mark());
        }
        sink
    }

    /// The bytes of a text that has `error`, with calls of Python for each such, or the exception.
    fn repaired(
        &self,
        object: &Bound<'_, PyString>,
        segments: &mut Segments<'_>,
        error: Unmappable,
    ) -> PyResult<Sink> {
        if self.encoding.handler == Handler::Registered {
            let mut sink = self.sink(segments.bytes().len());
            callback::encode(&self.encoding, object, segments, &self.errors, &mut sink)?;
            return Ok(sink);
        }
        let (start, end) = self.encoding.extent(segments.bytes(), error.at);
        let position = code_points(&segments.bytes()[..start]);
        let len = code_points(&segments.bytes()[start..end]);
        let name = self.encoding.charset.name();
        Err(encode_error(name, object, (position, position + len), error.kind))
    }

    /// The column of the bytes.
    fn column<'py>(&self, py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
        let is_same = self.encoding.charset == Charset::Scheme(Scheme::Utf8) && !self.marked;
        let map = |row: &[u8]| {
            let text = utf8::from_utf8(row).map_err(|_| PyValueError::new_err(NO_UTF8))?;
            if is_same {
                return Ok(Row::Same);
            }
            let (mut sink, mut segments) = (self.sink(row.len()), Segments::of_str(text));
            if let Err(error) = self.encoding.run(&mut segments, 0, &mut sink) {
                sink = Python::attach(|py| {
                    self.repaired(&PyString::new(py, text), &mut segments, error)
                })?;
            }
            Ok(Row::Value(sink.bytes().to_vec()))
        };
        column.map(py, Values::Binary, map, |_, error: PyErr| error)?.object(py)
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
    Handler::of_encoding(errors).checked(text.py(), errors)?;
    encode_lazily(text, encoding, errors)
}

/// Encodes as `encode`, for codecs: the handler need not be there if there is no error.
#[pyfunction]
pub(crate) fn encode_lazily<'py>(
    text: &Bound<'py, PyAny>,
    encoding: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (charset, marked) = named::target(encoding)?;
    let encoding = Encoding { charset, handler: Handler::of_encoding(errors) };
    let encode = Encode { encoding, marked, errors: errors.into() };
    match column(text, false)? {
        Some(column) => encode.column(text.py(), &column),
        None => encode.call(text),
    }
}
