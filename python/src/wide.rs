//! Functions of Python that take a string unchanged. A method of the object is never called: a
//! method of a subclass may answer anything.
//!
//! Strings that are not long are copied by their code points, in a fraction of the time that Python
//! takes for UTF-8.
#![allow(unsafe_code, reason = "Python's functions take a buffer")]

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::slice;

use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::{Utf8, Utf16Le, Utf32, transcode_into_uninit};

/// Code points of a string that is long.
pub(crate) const LONG: usize = 4096;

/// Returns the number of the interpreter that runs.
pub(crate) fn interpreter(_: Python<'_>) -> i64 {
    // SAFETY: the thread is attached to an interpreter.
    let state = unsafe { ffi::PyInterpreterState_Get() };
    // SAFETY: the state belongs to the running interpreter.
    unsafe { ffi::PyInterpreterState_GetID(state) }
}

/// Returns the number of code points of a string.
pub(crate) fn len(text: &Bound<'_, PyString>) -> usize {
    // SAFETY: the object is a string.
    let len = unsafe { ffi::PyUnicode_GetLength(text.as_ptr()) };
    usize::try_from(len).unwrap_or(0)
}

/// Returns the first `len` code points of a string.
pub(crate) fn beginning<'py>(
    text: &Bound<'py, PyString>,
    len: isize,
) -> PyResult<Bound<'py, PyString>> {
    // SAFETY: the object is a string.
    let part = unsafe { ffi::PyUnicode_Substring(text.as_ptr(), 0, len) };
    // SAFETY: the result is a new reference, or null after an error.
    let part = unsafe { Bound::from_owned_ptr_or_err(text.py(), part) }?;
    Ok(part.cast_into::<PyString>()?)
}

/// Returns the bytes of a string in an encoding of Python; `None` if it lacks a character of it.
pub(crate) fn encoded<'py>(
    text: &Bound<'py, PyString>,
    encoding: &CStr,
    errors: &CStr,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (text, py) = (text.as_ptr(), text.py());
    // SAFETY: the object is a string, and the names are C strings.
    let bytes = unsafe { ffi::PyUnicode_AsEncodedString(text, encoding.as_ptr(), errors.as_ptr()) };
    // SAFETY: the result is a new reference, or null after an error.
    match unsafe { Bound::from_owned_ptr_or_err(py, bytes) } {
        Ok(bytes) => Ok(Some(bytes.cast_into::<PyBytes>()?)),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the string of bytes in an encoding of Python.
pub(crate) fn decoded<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &CStr,
) -> PyResult<Bound<'py, PyString>> {
    let (start, len, strict) = (bytes.as_ptr().cast(), bytes.len() as isize, c"strict");
    // SAFETY: there are `len` bytes, and the names are C strings.
    let string = unsafe { ffi::PyUnicode_Decode(start, len, encoding.as_ptr(), strict.as_ptr()) };
    // SAFETY: the result is a new reference, or null after an error.
    let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
    Ok(string.cast_into::<PyString>()?)
}

/// Returns the string of bytes in an encoding of Python; `None` if they are ill-formed.
pub(crate) fn decoded_strictly<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &CStr,
) -> PyResult<Option<Bound<'py, PyString>>> {
    match decoded(py, bytes, encoding) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.is_instance_of::<PyUnicodeDecodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A buffer for the code points of a short string.
pub(crate) struct CodePoints([MaybeUninit<u32>; LONG]);

impl CodePoints {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); LONG])
    }

    /// The code points of a string that is not long.
    pub(crate) fn code_points(&mut self, text: &Bound<'_, PyString>) -> PyResult<&[u32]> {
        let len = len(text);
        let buffer = self.0.as_mut_ptr().cast::<u32>();
        // SAFETY: the object is a string, and the buffer has the stated number of code points.
        let copied = unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), buffer, LONG as isize, 0) };
        // Also if it is long.
        if copied.is_null() {
            return Err(PyErr::fetch(text.py()));
        }
        // SAFETY: all of the string was copied, which has `len` code points: strings don't change,
        // and the interpreter counted them, not the object.
        Ok(unsafe { slice::from_raw_parts(buffer, len) })
    }

    /// The string of a text in UTF-8; `None` if it is long, or on Windows, where wide characters
    /// have 16 bits.
    pub(crate) fn string<'py>(
        &mut self,
        py: Python<'py>,
        text: &str,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        if cfg!(windows) {
            return Ok(None);
        }
        let progress = transcode_into_uninit::<Utf8, Utf32>(text.as_bytes(), &mut self.0);
        if progress.read < text.len() {
            return Ok(None);
        }
        let (units, len) = (self.0.as_ptr(), progress.written as isize);
        // SAFETY: so many units have been written, and wide characters have 32 bits here.
        let string = unsafe { ffi::PyUnicode_FromWideChar(units.cast(), len) };
        // SAFETY: the result is a new reference, or null after an error.
        let string = unsafe { Bound::from_owned_ptr_or_err(py, string) }?;
        Ok(Some(string.cast_into::<PyString>()?))
    }
}

/// A buffer for the UTF-16 of a short string.
pub(crate) struct Units([MaybeUninit<u8>; 2 * LONG]);

impl Units {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); 2 * LONG])
    }
}

/// Code points as UTF-16LE; `None` if there are surrogates among them, or more units than the
/// buffer holds.
pub(crate) fn utf16le<'a>(code_points: &[u32], units: &'a mut Units) -> Option<&'a [u8]> {
    let progress = transcode_into_uninit::<Utf32, Utf16Le>(code_points, &mut units.0);
    if progress.read < code_points.len() {
        return None;
    }
    // SAFETY: so many bytes have been written.
    Some(unsafe { slice::from_raw_parts(units.0.as_ptr().cast(), progress.written) })
}
