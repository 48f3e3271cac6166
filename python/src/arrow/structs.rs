//! The C structures of Arrow's C data interface, and the capsules in which Python objects pass
//! them.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{CStr, c_char};
use std::ptr::{NonNull, null_mut, with_exposed_provenance};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The C structure of a type. Its pointers are declared as numbers, so that the structure can be
/// moved between threads.
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

/// The C structure of an array. Its pointers are declared as numbers too.
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

/// Implements `Drop` for structures: a structure is released when it is dropped. If a consumer has
/// moved the structure, its `release` is `None`.
macro_rules! release_on_drop {
    ($($structure:ident),*) => {$(
        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the structure is not yet released, because `release` is set.
                    unsafe { release(self) };
                }
            }
        }
    )*};
}

release_on_drop!(Schema, Array, Stream);

impl Schema {
    /// Returns an empty structure (without `release`), which a producer can fill.
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

    /// Returns the format string of the type, or an empty string if the type is released.
    pub(super) fn format(&self) -> String {
        if self.release.is_none() || self.format == 0 {
            return String::new();
        }
        // SAFETY: the producer guarantees that the format is a C string that lives as long as the
        // structure.
        let format = unsafe { CStr::from_ptr(with_exposed_provenance(self.format)) };
        format.to_string_lossy().into_owned()
    }
}

impl Array {
    /// Returns an empty structure (without `release`), which a producer can fill.
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

/// Moves the structure out of a capsule. Fails if the structure is released.
fn move_out<T>(
    capsule: &Bound<'_, PyAny>,
    name: &'static CStr,
    has_release: impl FnOnce(&mut T) -> bool,
    empty: T,
) -> PyResult<T> {
    let pointer = capsule_pointer::<T>(capsule.cast::<PyCapsule>()?, name)?;
    // SAFETY: the producer guarantees that a capsule with this name points to this structure, which
    // lives as long as the capsule.
    let structure = unsafe { &mut *pointer.as_ptr() };
    if !has_release(structure) {
        return Err(PyValueError::new_err("the Arrow structure was already released"));
    }
    // The structure in the capsule is left without `release`, so only the result is released.
    Ok(std::mem::replace(structure, empty))
}

/// Returns a pointer to the structure in a capsule.
fn capsule_pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &'static CStr) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    match pointer.is_aligned() {
        true => Ok(pointer),
        false => Err(PyValueError::new_err("the Arrow structure is not aligned")),
    }
}

/// Returns the type and the array that `__arrow_c_array__` of an object returns.
pub(super) fn import_array(object: &Bound<'_, PyAny>) -> PyResult<(Schema, Array)> {
    let capsules = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let schema_has_release = |schema: &mut Schema| schema.release.is_some();
    let array_has_release = |array: &mut Array| array.release.is_some();
    let schema = move_out(&schema, c"arrow_schema", schema_has_release, Schema::empty())?;
    Ok((schema, move_out(&array, c"arrow_array", array_has_release, Array::empty())?))
}

/// Returns the type and the arrays of the stream that `__arrow_c_stream__` of an object returns.
pub(super) fn import_stream(object: &Bound<'_, PyAny>) -> PyResult<(Schema, Vec<Array>)> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let pointer =
        capsule_pointer::<Stream>(capsule.cast::<PyCapsule>()?, c"arrow_array_stream")?.as_ptr();
    // SAFETY: the producer guarantees that a capsule with this name points to this structure, which
    // lives as long as the capsule.
    let stream = unsafe { &*pointer };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(PyValueError::new_err("the Arrow stream was already released"));
    };
    let get_last_error = stream.get_last_error;
    let to_exception = |code: i32| {
        // SAFETY: the stream is not released, and its last call failed.
        let message = get_last_error.map_or(null_mut(), |get| unsafe { get(pointer) }.cast_mut());
        let message = match message.is_null() {
            true => format!("error {code}"),
            // SAFETY: the producer guarantees that the message is a C string that lives until the
            // next call.
            false => unsafe { CStr::from_ptr(message.cast()) }.to_string_lossy().into_owned(),
        };
        PyValueError::new_err(format!("the Arrow stream failed: {message}"))
    };
    let mut schema = Schema::empty();
    // SAFETY: the stream is not released, and `schema` is memory for a type.
    match unsafe { get_schema(pointer, &mut schema) } {
        0 => {}
        code => return Err(to_exception(code)),
    }
    let mut arrays = Vec::new();
    loop {
        let mut array = Array::empty();
        // SAFETY: the stream is not released, and `array` is memory for an array.
        match unsafe { get_next(pointer, &mut array) } {
            0 if array.release.is_none() => return Ok((schema, arrays)),
            0 => arrays.push(array),
            code => return Err(to_exception(code)),
        }
    }
}
