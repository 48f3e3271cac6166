//! Calls of Python's C functions for strings. These functions read the string itself. They call no
//! method of the object, because a method of a subclass may return anything.
//!
//! Short strings are copied as code points. This takes a fraction of the time that Python takes to
//! convert them to UTF-8.
#![allow(unsafe_code, reason = "Python's C functions take pointers")]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::slice;

use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Utf8, Utf16Le, Utf32, transcode_into};

/// A string is long if it has at least this number of code points.
pub(crate) const LONG_CODE_POINTS: usize = 4096;

/// Returns the ID of the running interpreter.
pub(crate) fn interpreter_id(_: Python<'_>) -> i64 {
    // SAFETY: the thread is attached to an interpreter.
    let state = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: the state belongs to the running interpreter.
    unsafe { ffi::PyInterpreterState_GetID(state) }
}

/// Returns the number of code points of a string.
pub(crate) fn count_code_points(text: &Bound<'_, PyString>) -> usize {
    // SAFETY: the object is a string.
    let len = unsafe { ffi::PyUnicode_GetLength(text.as_ptr()) };
    usize::try_from(len).unwrap_or(0)
}

/// Returns the first `len` code points of a string.
pub(crate) fn prefix<'py>(
    text: &Bound<'py, PyString>,
    len: isize,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: the object is a string.
    let prefix = unsafe { ffi::PyUnicode_Substring(text.as_ptr(), 0, len) };
    // SAFETY: Python returned a new reference, or null after an error.
    let prefix = unsafe { Bound::from_owned_ptr_or_err(text.py(), prefix) }?;
    Ok(prefix.cast_into::<PyString>()?)
}

/// Encodes a string with one of Python's encodings. Returns `None` if the string has a character
/// that the encoding lacks.
pub(crate) fn encode<'py>(
    text: &Bound<'py, PyString>,
    encoding: &CStr,
    errors: &CStr,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (text, py) = (text.as_ptr(), text.py());
    // SAFETY: the object is a string, and the names are C strings.
    let bytes = unsafe { ffi::PyUnicode_AsEncodedString(text, encoding.as_ptr(), errors.as_ptr()) };
    // SAFETY: Python returned a new reference, or null after an error.
    match unsafe { Bound::from_owned_ptr_or_err(py, bytes) } {
        Ok(bytes) => Ok(Some(bytes.cast_into::<PyBytes>()?)),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Decodes bytes with one of Python's encodings.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &CStr,
) -> PyResult<Bound<'py, PyString>> {
    let (start, len, strict) = (bytes.as_ptr().cast(), bytes.len() as isize, c"strict");
    // SAFETY: `start` points to `len` bytes, and the names are C strings.
    let string = unsafe { ffi::PyUnicode_Decode(start, len, encoding.as_ptr(), strict.as_ptr()) };
    // SAFETY: Python returned a new reference, or null after an error.
    let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
    Ok(string.cast_into::<PyString>()?)
}

/// Decodes bytes with one of Python's encodings. Returns `None` if they are ill-formed.
pub(crate) fn decode_if_well_formed<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &CStr,
) -> PyResult<Option<Bound<'py, PyString>>> {
    match decode(py, bytes, encoding) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_instance_of::<PyUnicodeDecodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A buffer for the code points of a short string.
pub(crate) struct CodePointBuffer([MaybeUninit<u32>; LONG_CODE_POINTS]);

impl CodePointBuffer {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); LONG_CODE_POINTS])
    }

    /// Copies the code points of a string to the buffer, and returns them. Fails if the string has
    /// more than [`LONG_CODE_POINTS`] code points.
    pub(crate) fn copy_code_points(&mut self, text: &Bound<'_, PyString>) -> PyResult<&[u32]> {
        let len = count_code_points(text);
        let buffer = self.0.as_mut_ptr().cast::<u32>();
        // SAFETY: the object is a string, and the buffer has capacity for `LONG_CODE_POINTS` code
        // points.
        let copied =
            unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), buffer, LONG_CODE_POINTS as isize, 0) };
        // The pointer is null after an error, for example if the string does not fit into the
        // buffer.
        if copied.is_null() {
            return Err(PyErr::fetch(text.py()));
        }
        // SAFETY: the whole string was copied, and it has `len` code points: strings do not change,
        // and the interpreter counted the code points, not a method of the object.
        Ok(unsafe { slice::from_raw_parts(buffer, len) })
    }

    /// Returns the Python string of a text. Returns `None` if the text does not fit into the
    /// buffer, and on Windows, where a wide character has 16 bits.
    pub(crate) fn make_python_string<'py>(
        &mut self,
        py: Python<'py>,
        text: &str,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        if cfg!(windows) {
            return Ok(None);
        }
        let progress = transcode_into::<Utf8, Utf32>(text.as_bytes(), &mut self.0);
        if progress.read < text.len() {
            return Ok(None);
        }
        let (units, len) = (self.0.as_ptr(), progress.written as isize);
        // SAFETY: `len` units have been written, and a wide character has 32 bits on this target.
        let string = unsafe { ffi::PyUnicode_FromWideChar(units.cast(), len) };
        // SAFETY: Python returned a new reference, or null after an error.
        let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
        Ok(Some(string.cast_into::<PyString>()?))
    }
}

/// A buffer for the UTF-16 of a short string.
pub(crate) struct Utf16Buffer([MaybeUninit<u8>; 2 * LONG_CODE_POINTS]);

impl Utf16Buffer {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); 2 * LONG_CODE_POINTS])
    }
}

/// Converts code points to UTF-16LE. Returns `None` if there is a surrogate, or if the result does
/// not fit into the buffer.
pub(crate) fn to_utf16le<'a>(code_points: &[u32], buffer: &'a mut Utf16Buffer) -> Option<&'a [u8]> {
    let progress = transcode_into::<Utf32, Utf16Le>(code_points, &mut buffer.0);
    if progress.read < code_points.len() {
        return None;
    }
    // SAFETY: `transcode_into` has written this number of bytes.
    Some(unsafe { slice::from_raw_parts(buffer.0.as_ptr().cast(), progress.written) })
}
