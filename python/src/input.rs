//! Input: texts, bytes of any object that has them, and Python strings made of the results.

use std::ops::Deref;

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use utflane::utf8::{self, Summary};
use utflane::{Encoding, Latin1, Scheme, Utf8, Utf16Le, transcode_into};
use utflane_charset::Charset;

use crate::named::python_name;
use crate::wide;

/// Bytes from which work is long enough to release the interpreter's lock.
pub(crate) const LONG: usize = 4096;

/// Bytes that nothing changes.
pub(crate) struct Data(PyBackedBytes);

impl Data {
    /// The bytes of any object with the buffer protocol. The bytes of a `bytes` object are
    /// borrowed. Others can change while they are read, so they are copied, in the order of their
    /// elements; a `bytearray` is exported during the copy, and can't be resized.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self(bytes.clone().into()));
        }
        let view = match PyMemoryView::from(object) {
            Ok(view) => view,
            Err(error) if !error.is_instance_of::<PyTypeError>(object.py()) => return Err(error),
            Err(_) => {
                let kind = object.get_type();
                let message = format!("a bytes-like object is required, not {kind}");
                return Err(PyTypeError::new_err(message));
            }
        };
        // Items of texts, pointers and records are no bytes of one text.
        let format: String = view.getattr("format")?.extract()?;
        if format.contains(['s', 'p', 'w', 'u', 'O', 'P', 'T', 'X', 'Z', '&']) {
            let message =
                format!("an array of texts or objects (format '{format}') is not one text");
            return Err(PyTypeError::new_err(message + ": pass its tolist()"));
        }
        let bytes = view.call_method0("tobytes")?;
        // The view would export a bytearray until it is collected.
        view.call_method0("release")?;
        Ok(Self(bytes.cast_into::<PyBytes>()?.into()))
    }

    /// A copy of some bytes.
    pub(crate) fn new(py: Python<'_>, bytes: &[u8]) -> Self {
        Self(PyBytes::new(py, bytes).into())
    }

    /// The bytes as a Python object.
    pub(crate) fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok((&self.0).into_pyobject(py)?)
    }
}

impl Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// A Python string.
pub(crate) enum Text {
    /// One without surrogates.
    Plain(PyBackedStr),
    /// One with surrogates, which have three bytes each.
    Surrogates(PyBackedBytes),
}

impl Text {
    /// The text of a `str`.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            let kind = object.get_type();
            return Err(PyTypeError::new_err(format!("a str is required, not {kind}")));
        };
        match PyBackedStr::try_from(text.clone()) {
            Ok(text) => Ok(Self::Plain(text)),
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(object.py()) => {
                match wide::encoded(text, c"utf-8", c"surrogatepass")? {
                    Some(bytes) => Ok(Self::Surrogates(bytes.into())),
                    None => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Its bytes: UTF-8, with three bytes for a surrogate.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Plain(text) => text.as_bytes(),
            Self::Surrogates(bytes) => bytes,
        }
    }
}

/// Does work on `len` bytes, without the interpreter's lock if it is long.
pub(crate) fn work<T: Send>(py: Python<'_>, len: usize, work: impl FnOnce() -> T + Send) -> T {
    if len < LONG { work() } else { py.detach(work) }
}

/// The string of `bytes`: UTF-8, in which surrogates have three bytes.
pub(crate) fn string<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    if bytes.len() >= LONG
        && let Some(text) = long_string(py, bytes)?
    {
        return Ok(text);
    }
    match PyString::from_bytes(py, bytes) {
        Ok(text) => Ok(text),
        Err(_) => {
            let bytes = PyBytes::new(py, bytes);
            PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogatepass"))
        }
    }
}

/// The string of well-formed bytes in an encoding that Python has too.
pub(crate) fn well_formed<'py>(
    py: Python<'py>,
    charset: Charset,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyString>> {
    match python_name(charset) {
        Some(name) if charset != Charset::Scheme(Scheme::Utf8) => wide::decoded(py, bytes, name),
        _ => string(py, bytes),
    }
}

/// The string of a text that Python holds in bytes or units of 16 bits, but for ASCII. It reads
/// these several times as fast as UTF-8.
fn long_string<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Option<Bound<'py, PyString>>> {
    let summary: Summary = utf8::summary(bytes);
    let points = summary.code_points();
    let (units, encoding) = if summary.error().is_some() || summary.is_ascii() {
        return Ok(None);
    } else if summary.fits_latin1() {
        (converted::<Latin1>(py, bytes, points)?, c"latin-1")
    } else if summary.utf16_units() == points {
        (converted::<Utf16Le>(py, bytes, 2 * points)?, c"utf-16-le")
    } else {
        return Ok(None);
    };
    wide::decoded(py, units.as_bytes(), encoding).map(Some)
}

/// UTF-8 in another encoding, in which it has `len` bytes.
fn converted<'py, E: Encoding<Unit = u8>>(
    py: Python<'py>,
    text: &[u8],
    len: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, len, |buffer| {
        let progress = transcode_into::<Utf8, E>(text, buffer);
        debug_assert!(progress.written == len, "the capacity is the length");
        Ok(())
    })
}
