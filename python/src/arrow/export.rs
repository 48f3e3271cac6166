//! Columns that are passed to Python.
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

/// The schema flag that allows nulls, as the C data interface defines it.
const NULLABLE: i64 = 2;

/// The type of a returned column.
#[derive(Clone, Copy)]
pub(super) enum Format {
    Values(Form),
    /// Booleans.
    Flags,
}

impl Format {
    /// Returns the Arrow format string.
    fn to_c_str(self) -> &'static CStr {
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
    /// The addresses of the buffers, in the order of the C data interface.
    pointers: Vec<usize>,
    /// The number of rows.
    len: usize,
    null_count: usize,
    validity: Vec<u8>,
    _offsets: Vec<u64>,
    values: Vec<u8>,
}

impl Buffers {
    /// Returns the memory of an array of strings or binary values.
    pub(super) fn of_values(valid: &[bool], offsets: Vec<u64>, values: Vec<u8>) -> Self {
        let pointers = [offsets.as_ptr().expose_provenance(), values.as_ptr().expose_provenance()];
        Self::new(valid, &pointers, offsets, values)
    }

    /// Returns the memory of an array of booleans.
    pub(super) fn of_flags(valid: &[bool], set: &[bool]) -> Self {
        let values = pack_bits(set);
        Self::new(valid, &[values.as_ptr().expose_provenance()], Vec::new(), values)
    }

    fn new(valid: &[bool], data_pointers: &[usize], offsets: Vec<u64>, values: Vec<u8>) -> Self {
        let null_count = valid.iter().filter(|&&valid| !valid).count();
        let validity = pack_bits(valid);
        let validity_pointer =
            if null_count == 0 { 0 } else { validity.as_ptr().expose_provenance() };
        Self {
            pointers: [&[validity_pointer], data_pointers].concat(),
            len: valid.len(),
            null_count,
            validity,
            _offsets: offsets,
            values,
        }
    }
}

/// Returns the flags as bits, eight in a byte, the first one in the lowest bit.
fn pack_bits(flags: &[bool]) -> Vec<u8> {
    let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
    flags.chunks(8).map(byte).collect()
}

/// A chunk of a returned column.
#[derive(Clone)]
pub(super) enum OutputChunk {
    /// The chunk of the given column, unchanged, and the number of its null rows.
    Shared(Chunk, usize),
    /// A new array.
    New(Arc<Buffers>),
}

impl OutputChunk {
    pub(super) fn from_buffers(buffers: Buffers) -> Self {
        Self::New(Arc::new(buffers))
    }

    fn len(&self) -> usize {
        match self {
            Self::Shared(chunk, _) => usize::try_from(chunk.0.length).unwrap_or(0),
            Self::New(buffers) => buffers.len,
        }
    }

    /// Returns the row at `index` as a Python object.
    fn row_object<'py>(
        &self,
        py: Python<'py>,
        format: Format,
        index: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let row = match (format, self) {
            (Format::Values(form), _) => {
                let array = Chunk::new(self.to_array());
                let rows = array.rows(form.layout).map_err(PyValueError::new_err)?;
                match (rows.get(index).map_err(PyValueError::new_err)?, form.values) {
                    (Some(row), Values::Text) => PyString::from_bytes(py, row)?.into_any(),
                    (Some(row), Values::Binary) => PyBytes::new(py, row).into_any(),
                    (None, _) => py.None().into_bound(py),
                }
            }
            (Format::Flags, Self::New(buffers)) => {
                let is_set = |bits: &[u8]| bits[index / 8] >> (index % 8) & 1 == 1;
                let flag = is_set(&buffers.validity).then(|| is_set(&buffers.values));
                flag.into_bound_py_any(py)?
            }
            (Format::Flags, Self::Shared(..)) => py.None().into_bound(py),
        };
        Ok(row)
    }

    /// Returns an array that shares the memory of this chunk. The array keeps a clone of this chunk
    /// until the consumer releases the array.
    pub(super) fn to_array(&self) -> Array {
        let (length, null_count, offset, n_buffers, buffers) = match self {
            Self::Shared(Chunk(array), null_count) => {
                // pyarrow rejects an array of views that is empty and has an offset.
                let offset = if array.length == 0 { 0 } else { array.offset };
                (array.length, *null_count as i64, offset, array.n_buffers, array.buffers)
            }
            Self::New(buffers) => {
                let pointers = buffers.pointers.as_ptr().expose_provenance();
                let (len, null_count) = (buffers.len as i64, buffers.null_count as i64);
                (len, null_count, 0, buffers.pointers.len() as i64, pointers)
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

/// Releases an array that [`OutputChunk::to_array`] made.
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the consumer must pass a structure that is not yet released.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `OutputChunk::to_array` made this pointer from a `Box`, which nothing else frees.
    drop(unsafe { Box::from_raw(with_exposed_provenance_mut::<OutputChunk>(array.private_data)) });
}

/// Returns the C structure of a type. The structure owns no memory.
fn to_schema(format: Format) -> Schema {
    Schema {
        format: format.to_c_str().as_ptr().expose_provenance(),
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

/// Releases a type that [`to_schema`] made.
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the consumer must pass a structure that is not yet released.
    unsafe { (*schema).release = None };
}

/// Returns the row of a column at `index`. A negative index counts from the end.
fn row_object<'py>(
    py: Python<'py>,
    format: Format,
    chunks: &[OutputChunk],
    index: isize,
) -> PyResult<Bound<'py, PyAny>> {
    let len: usize = chunks.iter().map(OutputChunk::len).sum();
    let from_start = if index < 0 { index.saturating_add_unsigned(len) } else { index };
    let mut index = usize::try_from(from_start).unwrap_or(usize::MAX);
    for chunk in chunks {
        if index < chunk.len() {
            return chunk.row_object(py, format, index);
        }
        index -= chunk.len();
    }
    Err(PyIndexError::new_err("row after the end of the column"))
}

/// Returns a list of all rows of a column.
fn row_objects<'py>(
    py: Python<'py>,
    format: Format,
    chunks: &[OutputChunk],
) -> PyResult<Bound<'py, PyList>> {
    let indices = chunks.iter().flat_map(|chunk| (0..chunk.len()).map(move |index| (chunk, index)));
    let rows: PyResult<Vec<_>> =
        indices.map(|(chunk, index)| chunk.row_object(py, format, index)).collect();
    PyList::new(py, rows?)
}

/// A column in one array. `pyarrow.array(column)` and every other consumer of the Arrow PyCapsule
/// interface accepts it.
#[pyclass(frozen, sequence, module = "utflane")]
pub(crate) struct ArrowArray {
    pub(super) format: Format,
    pub(super) chunk: OutputChunk,
}

#[pymethods]
impl ArrowArray {
    fn __len__(&self) -> usize {
        self.chunk.len()
    }

    /// Returns the row at `index`: a `str`, `bytes`, a `bool`, or `None`. A negative index counts
    /// from the end.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        row_object(py, self.format, slice::from_ref(&self.chunk), index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        row_objects(py, self.format, slice::from_ref(&self.chunk))?.try_iter()
    }

    /// Returns two capsules: of the type, and of the array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface allows a producer to ignore the requested type.
        let _ = requested_schema;
        let schema = PyCapsule::new_with_value(py, to_schema(self.format), c"arrow_schema")?;
        let array = PyCapsule::new_with_value(py, self.chunk.to_array(), c"arrow_array")?;
        Ok((schema, array))
    }

    fn __repr__(&self) -> String {
        format!("<ArrowArray of {} rows>", self.chunk.len())
    }
}

/// A column in chunks. `pyarrow.chunked_array(column)`, `polars.Series(column)` and every other
/// consumer of the Arrow PyCapsule interface accepts it.
#[pyclass(frozen, sequence, module = "utflane")]
pub(crate) struct ArrowChunkedArray {
    pub(super) format: Format,
    pub(super) chunks: Arc<Vec<OutputChunk>>,
}

#[pymethods]
impl ArrowChunkedArray {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(OutputChunk::len).sum()
    }

    /// Returns the row at `index`: a `str`, `bytes`, a `bool`, or `None`. A negative index counts
    /// from the end.
    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        row_object(py, self.format, &self.chunks, index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        row_objects(py, self.format, &self.chunks)?.try_iter()
    }

    /// Returns a capsule of a stream of arrays.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows a producer to ignore the requested type.
        let _ = requested_schema;
        let state =
            StreamState { format: self.format, chunks: Arc::clone(&self.chunks), next_index: 0 };
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
        format!("<ArrowChunkedArray of {} rows in {} chunks>", self.__len__(), self.chunks.len())
    }
}

/// What a stream returns next.
struct StreamState {
    format: Format,
    chunks: Arc<Vec<OutputChunk>>,
    /// The index of the next chunk to return.
    next_index: usize,
}

/// Returns the state of a stream that [`ArrowChunkedArray`] made.
///
/// # Safety
///
/// The stream must not be released, and nothing else may use it.
unsafe fn stream_state<'a>(stream: *mut Stream) -> &'a mut StreamState {
    // SAFETY: the caller guarantees that the stream is not released.
    let state = with_exposed_provenance_mut(unsafe { (*stream).private_data });
    // SAFETY: `__arrow_c_stream__` made this pointer from a `Box`, which lives until the stream is
    // released. The caller guarantees that nothing else uses the stream.
    unsafe { &mut *state }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> i32 {
    // SAFETY: the consumer must pass a stream that is not released, and not use it in two threads
    // at once.
    let state = unsafe { stream_state(stream) };
    // SAFETY: the consumer must pass a pointer to memory for a type.
    unsafe { out.write(to_schema(state.format)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> i32 {
    // SAFETY: the consumer must pass a stream that is not released, and not use it in two threads
    // at once.
    let state = unsafe { stream_state(stream) };
    let array = state.chunks.get(state.next_index).map_or(Array::empty(), OutputChunk::to_array);
    state.next_index += 1;
    // SAFETY: the consumer must pass a pointer to memory for an array.
    unsafe { out.write(array) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    // No call of this stream fails.
    std::ptr::null()
}

/// Releases a stream that [`ArrowChunkedArray`] made.
unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the consumer must pass a structure that is not yet released.
    let stream = unsafe { &mut *stream };
    stream.release = None;
    // SAFETY: `__arrow_c_stream__` made this pointer from a `Box`, which nothing else frees.
    drop(unsafe { Box::from_raw(with_exposed_provenance_mut::<StreamState>(stream.private_data)) });
}
