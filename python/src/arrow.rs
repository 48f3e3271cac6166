//! Columns of texts by the C data interface of Apache Arrow, as Python objects pass it in capsules
//! (`__arrow_c_array__`). Sources: the pages "C data interface" and "PyCapsule interface" of
//! Arrow's documentation.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::CStr;
use std::mem::{align_of, size_of};
use std::ptr::{NonNull, with_exposed_provenance};
use std::slice;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use utflane::utf8;

/// The C structure of a type. Pointers are numbers here, so that it can be moved between threads.
#[repr(C)]
struct Schema {
    format: usize,
    name: usize,
    metadata: usize,
    flags: i64,
    n_children: i64,
    children: usize,
    dictionary: usize,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: usize,
}

/// The C structure of an array. Pointers are numbers here too.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: usize,
    children: usize,
    dictionary: usize,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: usize,
}

/// The flag of a type whose values may be missing.
const NULLABLE: i64 = 2;

/// A column of texts: strings whose offsets have 32 or 64 bits.
#[derive(Clone, Copy)]
pub(crate) struct Column<'a> {
    offsets: Offsets<'a>,
    /// The texts, one after the other.
    text: &'a str,
    /// A bit for each text that is there, after `offset` other bits. `None` if all are.
    validity: Option<&'a [u8]>,
    offset: usize,
}

/// The starts of the texts, and the end of the last one.
#[derive(Clone, Copy)]
enum Offsets<'a> {
    Small(&'a [i32]),
    Large(&'a [i64]),
}

impl Offsets<'_> {
    fn len(self) -> usize {
        match self {
            Self::Small(offsets) => offsets.len(),
            Self::Large(offsets) => offsets.len(),
        }
    }

    /// An offset; a negative one is larger than any text.
    fn get(self, index: usize) -> usize {
        match self {
            Self::Small(offsets) => usize::try_from(offsets[index]).unwrap_or(usize::MAX),
            Self::Large(offsets) => usize::try_from(offsets[index]).unwrap_or(usize::MAX),
        }
    }
}

impl<'a> Column<'a> {
    /// The number of texts, also of those that are missing.
    pub(crate) fn len(self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The bytes of all texts.
    pub(crate) fn bytes(self) -> usize {
        self.text.len()
    }

    /// Whether a text is there.
    fn is_valid(self, index: usize) -> bool {
        let bit = self.offset + index;
        self.validity.is_none_or(|bits| bits[bit / 8] >> (bit % 8) & 1 == 1)
    }

    /// A text; `None` if its offsets don't enclose one.
    fn get(self, index: usize) -> Option<&'a str> {
        let first = self.offsets.get(0);
        let start = self.offsets.get(index).checked_sub(first)?;
        let end = self.offsets.get(index + 1).checked_sub(first)?;
        self.text.get(start..end)
    }

    /// The column with each text mapped; `None` if `map` changes none of them.
    pub(crate) fn map(
        self,
        map: impl Fn(&'a str) -> Option<Vec<u8>>,
    ) -> Result<Option<Mapped>, &'static str> {
        let mut mapped: Option<Mapped> = None;
        for index in 0..self.len() {
            let is_valid = self.is_valid(index);
            let text = self.get(index).ok_or("offsets that enclose no text")?;
            let new = if is_valid { map(text) } else { None };
            if new.is_some() && mapped.is_none() {
                mapped = Some(Mapped::start(self, index));
            }
            if let Some(mapped) = &mut mapped {
                match &new {
                    Some(new) => mapped.text.extend_from_slice(new),
                    None => mapped.text.extend_from_slice(text.as_bytes()),
                }
                mapped.offsets.push(mapped.text.len());
                mapped.valid.push(is_valid);
            }
        }
        Ok(mapped)
    }
}

/// A new column.
pub(crate) struct Mapped {
    offsets: Vec<usize>,
    text: Vec<u8>,
    valid: Vec<bool>,
    is_large: bool,
}

impl Mapped {
    /// The first `len` texts of a column.
    fn start(column: Column<'_>, len: usize) -> Self {
        let first = column.offsets.get(0);
        let offsets: Vec<usize> =
            (0..=len).map(|index| column.offsets.get(index) - first).collect();
        let text = column.text.as_bytes()[..offsets[len]].to_vec();
        let valid = (0..len).map(|index| column.is_valid(index)).collect();
        Self { offsets, text, valid, is_large: matches!(column.offsets, Offsets::Large(_)) }
    }
}

/// Reads the column that a Python object passes.
pub(crate) fn read<T>(
    object: &Bound<'_, PyAny>,
    read: impl FnOnce(Column<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let capsules = object.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = capsules.extract()?;
    let (schema, array) = (schema.cast_into::<PyCapsule>()?, array.cast_into::<PyCapsule>()?);
    // SAFETY: a capsule of this name points to this structure, as long as the capsule lives.
    let schema = unsafe { pointer::<Schema>(&schema, c"arrow_schema")?.as_ref() };
    // SAFETY: a capsule of this name points to this structure, as long as the capsule lives.
    let array = unsafe { pointer::<Array>(&array, c"arrow_array")?.as_ref() };
    if schema.release.is_none() || array.release.is_none() {
        return Err(PyValueError::new_err("an Arrow array that was released"));
    }
    // SAFETY: the format is a C string that lives as long as the structure.
    let format = unsafe { CStr::from_ptr(with_exposed_provenance(schema.format)) };
    let is_large = match format.to_bytes() {
        b"u" if schema.dictionary == 0 => false,
        b"U" if schema.dictionary == 0 => true,
        other => {
            let format = String::from_utf8_lossy(other);
            let message =
                format!("an Arrow array of strings is required, not of format '{format}'");
            return Err(PyTypeError::new_err(message));
        }
    };
    read(column(array, is_large).map_err(PyValueError::new_err)?)
}

/// The structure in a capsule.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &'static CStr) -> PyResult<NonNull<T>> {
    let pointer = capsule.pointer_checked(Some(name))?.cast::<T>();
    match pointer.is_aligned() {
        true => Ok(pointer),
        false => Err(PyValueError::new_err("an Arrow structure that is not aligned")),
    }
}

/// The column of an array of strings.
fn column(array: &Array, is_large: bool) -> Result<Column<'_>, &'static str> {
    let size = |n: i64| usize::try_from(n).map_err(|_| "an Arrow array of a negative size");
    let (len, offset) = (size(array.length)?, size(array.offset)?);
    if len == 0 {
        let (offsets, text, validity) = (Offsets::Large(&[0]), "", None);
        return Ok(Column { offsets, text, validity, offset: 0 });
    }
    if array.n_buffers != 3 || array.buffers == 0 {
        return Err("an Arrow array of strings without its three buffers");
    }
    // SAFETY: there are as many pointers, which live as long as the array.
    let buffers =
        unsafe { slice::from_raw_parts(with_exposed_provenance::<usize>(array.buffers), 3) };
    let [validity, starts, text] = [buffers[0], buffers[1], buffers[2]];
    let width = if is_large { size_of::<i64>() } else { size_of::<i32>() };
    let alignment = if is_large { align_of::<i64>() } else { align_of::<i32>() };
    if starts == 0 || starts % alignment != 0 {
        return Err("an Arrow array whose offsets are missing or not aligned");
    }
    let starts = starts + offset * width;
    let offsets = match is_large {
        // SAFETY: an array of strings has an offset for each text, and one more; it is not null.
        false => Offsets::Small(unsafe {
            slice::from_raw_parts(with_exposed_provenance(starts), len + 1)
        }),
        // SAFETY: an array of strings has an offset for each text, and one more; it is not null.
        true => Offsets::Large(unsafe {
            slice::from_raw_parts(with_exposed_provenance(starts), len + 1)
        }),
    };
    let (first, last) = (offsets.get(0), offsets.get(len));
    if first > last || last == usize::MAX || last > first && text == 0 {
        return Err("an Arrow array whose offsets enclose no text");
    }
    let text = match last - first {
        0 => &[][..],
        // SAFETY: the third buffer has the bytes up to the last offset; it is not null.
        bytes => unsafe { slice::from_raw_parts(with_exposed_provenance(text + first), bytes) },
    };
    let validity = (validity != 0).then(|| {
        // SAFETY: the first buffer, if there is one, has a bit for each text.
        unsafe {
            slice::from_raw_parts(with_exposed_provenance(validity), (offset + len).div_ceil(8))
        }
    });
    let text = utf8::from_bytes(text).map_err(|_| "an Arrow array of strings that is no UTF-8")?;
    Ok(Column { offsets, text, validity, offset })
}

/// A column of texts, which `pyarrow.array(column)` or any other consumer of the interface takes.
#[pyclass(frozen, module = "utflane")]
pub(crate) struct StringArray {
    buffers: Arc<Buffers>,
    len: usize,
    missing: usize,
    is_large: bool,
}

impl StringArray {
    /// The column of mapped texts.
    pub(crate) fn new(mapped: Mapped) -> Result<Self, &'static str> {
        let (len, is_large) = (mapped.valid.len(), mapped.is_large);
        let missing = mapped.valid.iter().filter(|&&valid| !valid).count();
        Ok(Self { buffers: Arc::new(Buffers::new(mapped, missing)?), len, missing, is_large })
    }
}

#[pymethods]
impl StringArray {
    fn __len__(&self) -> usize {
        self.len
    }

    /// The capsules of the type and of the array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may return its own type where another one was asked for.
        let _ = requested_schema;
        let schema = PyCapsule::new_with_value(py, Schema::of(self.is_large), c"arrow_schema")?;
        let array = PyCapsule::new_with_value(py, Array::of(self), c"arrow_array")?;
        Ok((schema, array))
    }

    fn __repr__(&self) -> String {
        format!("<StringArray of {} texts>", self.len)
    }
}

impl Schema {
    /// The type of strings. It owns nothing.
    fn of(is_large: bool) -> Self {
        let format = if is_large { c"U" } else { c"u" };
        Self {
            format: format.as_ptr().expose_provenance(),
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
}

/// Releases a type of [`Schema::of`].
unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the consumer passes a structure that is not yet released.
    unsafe { (*schema).release = None };
}

/// The memory of an exported array, which its consumers share.
struct Buffers {
    pointers: [usize; 3],
    _validity: Vec<u8>,
    _offsets: Vec<u64>,
    _text: Vec<u8>,
}

impl Buffers {
    /// The memory of a column, of whose texts some are missing.
    fn new(mapped: Mapped, missing: usize) -> Result<Self, &'static str> {
        let mut validity = vec![0_u8; mapped.valid.len().div_ceil(8)];
        for (index, _) in mapped.valid.iter().enumerate().filter(|(_, valid)| **valid) {
            validity[index / 8] |= 1 << (index % 8);
        }
        // In words, so that offsets of both sizes are aligned.
        let offsets = match mapped.is_large {
            true => mapped.offsets.iter().map(|&offset| offset as u64).collect(),
            false => small_offsets(&mapped.offsets)?,
        };
        let text = mapped.text;
        let pointers = [
            if missing == 0 { 0 } else { validity.as_ptr().expose_provenance() },
            offsets.as_ptr().expose_provenance(),
            text.as_ptr().expose_provenance(),
        ];
        Ok(Self { pointers, _validity: validity, _offsets: offsets, _text: text })
    }
}

/// Offsets of 32 bits, two in a word.
fn small_offsets(offsets: &[usize]) -> Result<Vec<u64>, &'static str> {
    if i32::try_from(offsets.last().copied().unwrap_or(0)).is_err() {
        return Err("more than 2 GiB of text for 32-bit offsets");
    }
    let words = offsets.chunks(2).map(|pair| {
        let [a, b, c, d] = (pair[0] as u32).to_ne_bytes();
        let [e, f, g, h] = (pair.get(1).copied().unwrap_or(0) as u32).to_ne_bytes();
        u64::from_ne_bytes([a, b, c, d, e, f, g, h])
    });
    Ok(words.collect())
}

impl Array {
    /// The array of a column. It shares its memory.
    fn of(column: &StringArray) -> Self {
        let buffers = Arc::clone(&column.buffers);
        let list = buffers.pointers.as_ptr().expose_provenance();
        Self {
            length: column.len as i64,
            null_count: column.missing as i64,
            offset: 0,
            n_buffers: 3,
            n_children: 0,
            buffers: list,
            children: 0,
            dictionary: 0,
            release: Some(release_array),
            private_data: Arc::into_raw(buffers).expose_provenance(),
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // A consumer that moved the structure has cleared this.
        if let Some(release) = self.release {
            // SAFETY: the structure is not yet released.
            unsafe { release(self) };
        }
    }
}

/// Releases an array of [`Array::of`].
unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the consumer passes a structure that is not yet released.
    let array = unsafe { &mut *array };
    array.release = None;
    // SAFETY: `Array::of` made this pointer of a share, which nothing else gives back.
    drop(unsafe { Arc::from_raw(with_exposed_provenance::<Buffers>(array.private_data)) });
}
