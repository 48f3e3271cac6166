//! Input from Python: strings, and the bytes of any object with the buffer protocol. Also makes
//! Python strings of results.

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

/// The minimum number of input bytes for which the interpreter's lock is released during the work.
pub(crate) const DETACH_MIN_BYTES: usize = 4096;

/// Bytes that do not change while they are read.
pub(crate) struct Data(PyBackedBytes);

impl Data {
    /// Returns the bytes of any object with the buffer protocol. The bytes of a `bytes` object are
    /// borrowed. The bytes of other objects can change, so they are copied, in the logical order of
    /// the elements. A `bytearray` cannot be resized during the copy, because it is exported.
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
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
        // An array of texts, pointers or records does not contain the bytes of one text.
        let format: String = view.getattr("format")?.extract()?;
        if format.contains(['s', 'p', 'w', 'u', 'O', 'P', 'T', 'X', 'Z', '&']) {
            let message =
                format!("an array of texts or objects (format '{format}') is not one text");
            return Err(PyTypeError::new_err(message + ": pass its tolist()"));
        }
        let bytes = view.call_method0("tobytes")?;
        // Otherwise a `bytearray` would stay exported until the view is garbage-collected.
        view.call_method0("release")?;
        Ok(Self(bytes.cast_into::<PyBytes>()?.into()))
    }

    /// Returns a copy of `bytes`.
    pub(crate) fn copy_from(py: Python<'_>, bytes: &[u8]) -> Self {
        Self(PyBytes::new(py, bytes).into())
    }

    /// Returns the bytes as a Python object.
    pub(crate) fn to_object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
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
    /// A string without surrogates.
    Utf8(PyBackedStr),
    /// A string with surrogates, in UTF-8 with three bytes for each surrogate.
    WithSurrogates(PyBackedBytes),
}

impl Text {
    /// Returns the text of a `str`.
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            let kind = object.get_type();
            return Err(PyTypeError::new_err(format!("a str is required, not {kind}")));
        };
        match PyBackedStr::try_from(text.clone()) {
            Ok(text) => Ok(Self::Utf8(text)),
            Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(object.py()) => {
                match wide::encode(text, c"utf-8", c"surrogatepass")? {
                    Some(bytes) => Ok(Self::WithSurrogates(bytes.into())),
                    None => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the bytes of the text in UTF-8, with three bytes for each surrogate.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Utf8(text) => text.as_bytes(),
            Self::WithSurrogates(bytes) => bytes,
        }
    }
}

/// Does `work` on `len` bytes. If `len` is large enough, the interpreter's lock is released during
/// the work.
pub(crate) fn run_detached<T: Send>(
    py: Python<'_>,
    len: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if len < DETACH_MIN_BYTES { work() } else { py.detach(work) }
}

/// Returns the Python string of `bytes`, which are UTF-8 with three bytes for each surrogate.
pub(crate) fn to_python_string<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyString>> {
    if bytes.len() >= DETACH_MIN_BYTES
        && let Some(text) = long_to_python_string(py, bytes)?
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

/// Returns the Python string of well-formed bytes. If Python lacks the encoding, the bytes must be
/// UTF-8.
pub(crate) fn decode_well_formed<'py>(
    py: Python<'py>,
    charset: Charset,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyString>> {
    match python_name(charset) {
        Some(name) if charset != Charset::Scheme(Scheme::Utf8) => wide::decode(py, bytes, name),
        _ => to_python_string(py, bytes),
    }
}

/// Returns the Python string of a text that is not ASCII, if Python stores its characters in one or
/// two bytes each, and `None` otherwise. Python reads Latin-1 and UTF-16 several times as fast as
/// UTF-8.
fn long_to_python_string<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Option<Bound<'py, PyString>>> {
    let summary: Summary = utf8::summary(bytes);
    let code_points = summary.code_points;
    let (units, encoding) = if summary.error.is_some() || summary.is_ascii {
        return Ok(None);
    } else if summary.fits_latin1 {
        (transcode_to_bytes::<Latin1>(py, bytes, code_points)?, c"latin-1")
    } else if summary.utf16_units == code_points {
        (transcode_to_bytes::<Utf16Le>(py, bytes, 2 * code_points)?, c"utf-16-le")
    } else {
        return Ok(None);
    };
    wide::decode(py, units.as_bytes(), encoding).map(Some)
}

/// Transcodes UTF-8 to another encoding, in which the text has `len` bytes.
fn transcode_to_bytes<'py, E: Encoding<Unit = u8>>(
    py: Python<'py>,
    text: &[u8],
    len: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, len, |buffer| {
        let progress = transcode_into::<Utf8, E>(text, buffer);
        debug_assert!(progress.written == len, "`len` must be the length of the result");
        Ok(())
    })
}
