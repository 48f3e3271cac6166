//! Columns that Python takes.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{CStr, c_char};
use std::ptr::with_exposed_provenance_mut;
use std::slice;
use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyIterator, PyList, PyString};

use crate::arrow::column::{Chunk, Form, Layout, Values};
use crate::arrow::structs::{Array, Schema, Stream};

/// The flag of a type whose values may be missing.
const NULLABLE: i64 = 2;

/// The type of a column that is returned.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Values(Form),
    /// Booleans.
    Flags,
}

impl Format {
    fn name(self) -> &'static CStr {
        match self {
            Self::Flags => c"b",
            Self::Values(Form { values: Values::Text, layout }) => match layout {
                Layout::Small => c"u",
                Layout::Large => c"U",
                Layout::Views => c"vu",
            },
            Self::Values(Form { values: Values::Binary, layout }) => match layout {
                Layout::Small => c"z",
                Layout::Large => c"Z",
                Layout::Views => c"vz",
            },
        }
    }
}

/// The memory of a new array, which its consumers share.
pub(super) struct Buffers {
    pointers: Vec<usize>,
    len: usize,
    missing: usize,
    validity: Vec<u8>,
    _offsets: Vec<u64>,
    values: Vec<u8>,
}

impl Buffers {
    /// The memory of strings or binary values.
    pub(super) fn of_values(valid: &[bool], offsets: Vec<u64>, values: Vec<u8>) -> Self {
        let pointers = [offsets.as_ptr().expose_provenance(), values.as_ptr().expose_provenance()];
        Self::new(valid, &pointers, offsets, values)
    }

    /// The memory of booleans.
    pub(super) fn of_flags(valid: &[bool], set: &[bool]) -> Self {
        let values = bits(set);
        Self::new(valid, &[values.as_ptr().expose_provenance()], Vec::new(), values)
    }

    fn new(valid: &[bool], others: &[usize], offsets: Vec<u64>, values: Vec<u8>) -> Self {
        let missing = valid.iter().filter(|&&valid| !valid).count();
        let validity = bits(valid);
        let first = if missing == 0 { 0 } else { validity.as_ptr().expose_provenance() };
        Self {
            pointers: [&[first], others].concat(),
            len: valid.len(),
            missing,
            validity,
            _offsets: offsets,
            values,
        }
    }
}

/// A bit for each.
fn bits(set: &[bool]) -> Vec<u8> {
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    set.chunks(8).map(byte).collect()
}

/// An array of a column that is returned.
#[derive(Clone)]
pub(super) enum Part {
    /// The unchanged given column, and the number of its null rows.
    Shared(Chunk, usize),
    Made(Arc<Buffers>),
}

impl Part {
    pub(super) fn made(buffers: Buffers) -> Self {
        Self::Made(Arc::new(buffers))
    }

    fn len(&self) -> usize {
        match self {
            Self::Shared(chunk, _) => usize::try_from(chunk.0.length).unwrap_or(0),
            Self::Made(buffers) => buffers.len,
        }
    }

    /// Returns a row as a Python object.
    fn row<'py>(
        &self,
        py: Python<'py>,
        format: Format,
        index: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let row = match (format, self) {
            (Format::Values(form), _) => {
                let chunk = Chunk::new(self.array());
                let rows = chunk.rows(form.layout).map_err(PyValueError::new_err)?;
                match (rows.get(index).map_err(PyValueError::new_err)?, form.values) {
                    (Some(row), Values::Text) => PyString::from_bytes(py, row)?.into_any(),
                    (Some(row), Values::Binary) => PyBytes::new(py, row).into_any(),
                    (None, _) => py.None().into_bound(py),
                }
            }
            (Format::Flags, Self::Made(buffers)) => {
                let is_set = |bits: &[u8]| bits[index / 8] >> (index % 8) & 1 == 1;
                let flag = is_set(&buffers.validity).then(|| is_set(&buffers.values));
                flag.into_bound_py_any(py)?
            }
            (Format::Flags, Self::Shared(..)) => py.None().into_bound(py),
        };
        Ok(row)
    }

    /// The array. It shares the memory, and holds this part until it is released.
    pub(super) fn array(&self) -> Array {
        let (length, null_count, offset, n_buffers, buffers) = match self {
            Self::Shared(Chunk(array), missing) => {
                // pyarrow takes no views after the end of an empty array.
                let offset = if array.length == 0 { 0 } else { array.offset };
                (array.length, *missing as i64, offset, array.n_buffers, array.buffers)
            }
            Self::Made(buffers) => {
                let pointers = buffers.pointers.as_ptr().expose_provenance();
                let (len, missing) = (buffers.len as i64, buffers.missing as i64);
                (len, missing, 0, buffers.pointers.len() as i64, pointers)
            }
        };
        Array {
            length,
            null_count,
            offset,
            n_buffers,
            n_children: 0,
            buffers,
            children: 0,
            dictionary: 0,
            release: Some(release_array),
            private_data: Box::into_raw(Box::new(self.clone())).expose_provenance(),
        }
    }
}

/// Releases an array of [`Part::array`].
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the consumer passes a structure that is not yet released.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `Part::array` made this pointer of a box, which nothing else gives back.
    drop(unsafe { Box::from_raw(with_exposed_provenance_mut::<Part>(array.private_data)) });
}

/// The type of a column. It owns nothing.
fn schema(format: Format) -> Schema {
    Schema {
        format: format.name().as_ptr().expose_provenance(),
        name: c"".as_ptr().expose_provenance(),
        metadata: 0,
        flags: NULLABLE,
        n_children: 0,
        children: 0,
        dictionary: 0,
        release: Some(release_schema),
        private_data: 0,
    }
}

/// Releases a type of [`schema`].
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the consumer passes a structure that is not yet released.
    unsafe { (*schema).release = None };
}

/// Returns the row of a column at an index, which counts from the end if it is negative.
fn row<'py>(
    py: Python<'py>,
    format: Format,
    parts: &[Part],
    index: isize,
) -> PyResult<Bound<'py, PyAny>> {
    let len: usize = parts.iter().map(Part::len).sum();
    let from_start = if index < 0 { index.saturating_add_unsigned(len) } else { index };
    let mut index = usize::try_from(from_start).unwrap_or(usize::MAX);
    for part in parts {
        if index < part.len() {
            return part.row(py, format, index);
        }
        index -= part.len();
    }
    Err(PyIndexError::new_err("row after the end of the column"))
}

/// Returns the list of all rows of a column.
fn rows<'py>(py: Python<'py>, format: Format, parts: &[Part]) -> PyResult<Bound<'py, PyList>> {
    let all = parts.iter().flat_map(|part| (0..part.len()).map(move |index| (part, index)));
    let rows: PyResult<Vec<_>> = all.map(|(part, index)| part.row(py, format, index)).collect();
    PyList::new(py, rows?)
}

/// A column in one array, which `pyarrow.array(column)` or any other consumer of the interface
/// takes.
#[pyclass(frozen, sequence, module = "utflane")]
pub(crate) struct ArrowArray {
    pub(super) format: Format,
    pub(super) part: Part,
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.part.len()
    }

    /// The row at an index: a `str`, `bytes`, a `bool`, or `None`.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        row(py, self.format, slice::from_ref(&self.part), index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        rows(py, self.format, slice::from_ref(&self.part))?.try_iter()
    }

    /// The capsules of the type and of the array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may return its own type, although another one was requested.
        let _ = requested_schema;
        let schema = PyCapsule::new_with_value(py, schema(self.format), c"arrow_schema")?;
        let array = PyCapsule::new_with_value(py, self.part.array(), c"arrow_array")?;
        Ok((schema, array))
    }

    fn __repr__(&self) -> String {
        format!("<ArrowArray of {} rows>", self.part.len())
    }
}

/// A column in chunks, which `pyarrow.chunked_array(column)`, `polars.Series(column)` or any other
/// consumer of the interface takes.
#[pyclass(frozen, sequence, module = "utflane")]
pub(crate) struct ArrowChunkedArray {
    pub(super) format: Format,
    pub(super) parts: Arc<Vec<Part>>,
}

#[pymethods]
impl ArrowChunkedArray {
    fn __len__(&self) -> usize {
        self.parts.iter().map(Part::len).sum()
    }

    /// The row at an index: a `str`, `bytes`, a `bool`, or `None`.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        row(py, self.format, &self.parts, index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        rows(py, self.format, &self.parts)?.try_iter()
    }

    /// The capsule of the stream.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may return its own type, although another one was requested.
        let _ = requested_schema;
        let state = Streamed { format: self.format, parts: Arc::clone(&self.parts), next: 0 };
        let stream = Stream {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(Box::new(state)).expose_provenance(),
        };
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<ArrowChunkedArray of {} rows in {} chunks>", self.__len__(), self.parts.len())
    }
}

/// A stream that is read.
struct Streamed {
    format: Format,
    parts: Arc<Vec<Part>>,
    next: usize,
}

/// The state of a stream of [`ArrowChunkedArray`].
///
/// # Safety
///
/// The stream is not released, and nothing else uses it.
unsafe fn streamed<'a>(stream: *mut Stream) -> &'a mut Streamed {
    // SAFETY: by the contract of this function.
    let state = with_exposed_provenance_mut(unsafe { (*stream).private_data });
    // SAFETY: the pointer is a `Box`'s, until the stream is released.
    unsafe { &mut *state }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> i32 {
    // SAFETY: the consumer passes a stream that is not released.
    let streamed = unsafe { streamed(stream) };
    // SAFETY: the consumer passes an output for a type.
    unsafe { out.write(schema(streamed.format)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> i32 {
    // SAFETY: the consumer passes a stream that is not released.
    let streamed = unsafe { streamed(stream) };
    let next = streamed.parts.get(streamed.next).map_or(Array::empty(), Part::array);
    streamed.next += 1;
    // SAFETY: the consumer passes an output for an array.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    // No call fails.
    std::ptr::null()
}

/// Releases a stream of [`ArrowChunkedArray`].
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the consumer passes a structure that is not yet released.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: the pointer is a `Box`'s, which nothing else frees.
    drop(unsafe { Box::from_raw(with_exposed_provenance_mut::<Streamed>(stream.private_data)) });
}
