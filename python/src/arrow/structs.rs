//! The C structures, and the capsules that they are passed in.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{CStr, c_char};
use std::ptr::{NonNull, null_mut, with_exposed_provenance};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The C structure of a type. Pointers are numbers here, so that it can be moved between threads.
#[repr(C)]
pub(super) struct Schema {
    pub(super) format: usize,
    pub(super) name: usize,
    pub(super) metadata: usize,
    pub(super) flags: i64,
    pub(super) n_children: i64,
    pub(super) children: usize,
    pub(super) dictionary: usize,
    pub(super) release: Option<unsafe extern "C" fn(*mut Schema)>,
    pub(super) private_data: usize,
}

/// The C structure of an array. Pointers are numbers here too.
#[repr(C)]
pub(super) struct Array {
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    pub(super) n_buffers: i64,
    pub(super) n_children: i64,
    pub(super) buffers: usize,
    pub(super) children: usize,
    pub(super) dictionary: usize,
    pub(super) release: Option<unsafe extern "C" fn(*mut Array)>,
    pub(super) private_data: usize,
}

/// The C structure of a stream of arrays.
#[repr(C)]
pub(super) struct Stream {
    pub(super) get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> i32>,
    pub(super) get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> i32>,
    pub(super) get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    pub(super) release: Option<unsafe extern "C" fn(*mut Stream)>,
    pub(super) private_data: usize,
}

/// Declares that a structure is released when it is dropped. A consumer that moved it has cleared
/// `release`.
macro_rules! released {
    ($($structure:ident),*) => {$(
        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure is not yet released.
                    unsafe { release(self) };
                }
            }
        }
    )*};
}

released!(Schema, Array, Stream);

impl Schema {
    /// A released type, as an output.
    pub(super) const fn empty() -> Self {
        Self {
            format: 0,
            name: 0,
            metadata: 0,
            flags: 0,
            n_children: 0,
            children: 0,
            dictionary: 0,
            release: None,
            private_data: 0,
        }
    }

    /// The format of the type.
    pub(super) fn format(&self) -> String {
        if self.release.is_none() || self.format == 0 {
            return String::new();
        }
        // SAFETY: the format is a C string that lives as long as the structure.
        let format = unsafe { CStr::from_ptr(with_exposed_provenance(self.format)) };
        format.to_string_lossy().into_owned()
    }
}

impl Array {
    /// A released array, as an output.
    pub(super) const fn empty() -> Self {
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: 0,
            children: 0,
            dictionary: 0,
            release: None,
            private_data: 0,
        }
    }
}

/// The structure in a capsule, moved out of it.
fn moved<T>(
    capsule: &Bound<'_, PyAny>,
    name: &'static CStr,
    release: impl FnOnce(&mut T) -> bool,
    empty: T,
) -> PyResult<T> {
    let pointer = pointer::<T>(capsule.cast::<PyCapsule>()?, name)?;
    // SAFETY: a capsule of this name points to this structure, as long as the capsule lives.
    let structure = unsafe { &mut *pointer.as_ptr() };
    if !release(structure) {
        return Err(PyValueError::new_err("an Arrow structure that was released"));
    }
    // Its `release` is removed from the original, so nothing else releases it.
    Ok(std::mem::replace(structure, empty))
}

/// The structure in a capsule.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &'static CStr) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    match pointer.is_aligned() {
        true => Ok(pointer),
        false => Err(PyValueError::new_err("an Arrow structure that is not aligned")),
    }
}

/// The type and the array that an object passes.
pub(super) fn array(object: &Bound<'_, PyAny>) -> PyResult<(Schema, Array)> {
    let capsules = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let is_schema = |schema: &mut Schema| schema.release.is_some();
    let is_array = |array: &mut Array| array.release.is_some();
    let schema = moved(&schema, c"arrow_schema", is_schema, Schema::empty())?;
    Ok((schema, moved(&array, c"arrow_array", is_array, Array::empty())?))
}

/// The type and the arrays of the stream that an object passes.
pub(super) fn stream(object: &Bound<'_, PyAny>) -> PyResult<(Schema, Vec<Array>)> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let pointer = pointer::<Stream>(capsule.cast::<PyCapsule>()?, c"arrow_array_stream")?.as_ptr();
    // SAFETY: a capsule of this name points to this structure, as long as the capsule lives.
    let stream = unsafe { &*pointer };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(PyValueError::new_err("an Arrow stream that was released"));
    };
    let get_last_error = stream.get_last_error;
    let failed = |code: i32| {
        // SAFETY: the stream is not released, and its last call failed.
        let message = get_last_error.map_or(null_mut(), |last| unsafe { last(pointer) }.cast_mut());
        let message = match message.is_null() {
            true => format!("error {code}"),
            // SAFETY: the message is a C string that lives until the next call.
            false => unsafe { CStr::from_ptr(message.cast()) }.to_string_lossy().into_owned(),
        };
        PyValueError::new_err(format!("an Arrow stream failed: {message}"))
    };
    let mut schema = Schema::empty();
    // SAFETY: the stream is not released, and the output holds a type.
    match unsafe { get_schema(pointer, &mut schema) } {
        0 => {}
        code => return Err(failed(code)),
    }
    let mut arrays = Vec::new();
    loop {
        let mut array = Array::empty();
        // SAFETY: the stream is not released, and the output holds an array.
        match unsafe { get_next(pointer, &mut array) } {
            0 if array.release.is_none() => return Ok((schema, arrays)),
            0 => arrays.push(array),
            code => return Err(failed(code)),
        }
    }
}
