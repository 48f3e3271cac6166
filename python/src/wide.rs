//! Strings that are not long, by their code points. Python copies these in a fraction of the time
//! that it takes for UTF-8.
#![allow(unsafe_code, reason = "Python's functions take a buffer")]

use std::mem::MaybeUninit;
use std::slice;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use utflane::{Utf8, Utf16Le, Utf32, transcode_into_uninit};

/// Code points of a string that is long.
pub(crate) const LONG: usize = 4096;

/// Room for the code points of a string that is not long.
pub(crate) struct Room([MaybeUninit<u32>; LONG]);

impl Room {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); LONG])
    }

    /// The code points of a string that is not long.
    pub(crate) fn code_points(&mut self, text: &Bound<'_, PyString>) -> PyResult<&[u32]> {
        let len = text.len()?;
        let room = self.0.as_mut_ptr().cast::<u32>();
        // SAFETY: the object is a string, and the room has as many code points as is said.
        let copied = unsafe { ffi::PyUnicode_AsUCS4(text.as_ptr(), room, LONG as isize, 0) };
        // Also if it is long.
        if copied.is_null() {
            return Err(PyErr::fetch(text.py()));
        }
        // SAFETY: all of the string was copied, which has `len` code points.
        Ok(unsafe { slice::from_raw_parts(room, len) })
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

/// Room for the UTF-16 of a string that is not long.
pub(crate) struct Units([MaybeUninit<u8>; 2 * LONG]);

impl Units {
    pub(crate) fn new() -> Self {
        Self([MaybeUninit::uninit(); 2 * LONG])
    }
}

/// Code points as UTF-16LE; `None` if there are surrogates among them, or more units than there is
/// room for.
pub(crate) fn utf16le<'a>(code_points: &[u32], units: &'a mut Units) -> Option<&'a [u8]> {
    let progress = transcode_into_uninit::<Utf32, Utf16Le>(code_points, &mut units.0);
    if progress.read < code_points.len() {
        return None;
    }
    // SAFETY: so many bytes have been written.
    Some(unsafe { slice::from_raw_parts(units.0.as_ptr().cast(), progress.written) })
}
