//! Access to the rows of an array of strings or binary values.
#![allow(unsafe_code, reason = "the interface consists of pointers")]

use std::mem::size_of;
use std::ptr::with_exposed_provenance;
use std::slice;
use std::sync::Arc;

use crate::arrow::structs::{Array, Schema};

/// The type of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    Text,
    Binary,
}

/// How an array describes where the value of each row is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    /// By offsets of 32 bits.
    Small,
    /// By offsets of 64 bits.
    Large,
    /// By views of 16 bytes.
    Views,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) values: Values,
    pub(super) layout: Layout,
}

impl Form {
    /// Returns the type of a column. If it is not a type of strings or binary values, returns its
    /// format string as the error.
    pub(super) fn of(schema: &Schema) -> Result<Self, String> {
        let format = schema.format();
        let (values, layout) = match &*format {
            "u" => (Values::Text, Layout::Small),
            "U" => (Values::Text, Layout::Large),
            "vu" => (Values::Text, Layout::Views),
            "z" => (Values::Binary, Layout::Small),
            "Z" => (Values::Binary, Layout::Large),
            "vz" => (Values::Binary, Layout::Views),
            _ => return Err(format),
        };
        if schema.dictionary == 0 { Ok(Self { values, layout }) } else { Err("dictionary".into()) }
    }
}

/// An array, which is one chunk of a column, and owns its memory.
#[derive(Clone)]
pub(super) struct Chunk(pub(super) Arc<Array>);

/// The rows of an array.
pub(super) struct Rows<'a> {
    storage: Storage<'a>,
    frame: Frame<'a>,
}

/// The buffers that contain the values of an array.
enum Storage<'a> {
    /// The array has no rows.
    Empty,
    /// The offsets of the rows, and the values from the offset of the first row on.
    Small(&'a [i32], &'a [u8]),
    /// Like `Small`, with offsets of 64 bits.
    Large(&'a [i64], &'a [u8]),
    /// The views, and the buffers that contain the values longer than twelve bytes.
    Views(&'a [[u8; 16]], Vec<&'a [u8]>),
}

/// The message of an error in an array.
pub(super) type InvalidArray = &'static str;
pub(super) const IMPOSSIBLE_SIZE: InvalidArray = "the Arrow array has an impossible size";
pub(super) const INVALID_OFFSETS: InvalidArray = "the Arrow array has invalid offsets or views";

/// Returns the `len` items at an address. Checks that the address is aligned and not zero, and that
/// the size is possible, but cannot check that the items exist.
///
/// # Safety
///
/// If the address is not zero, it points to `len` items, which live as long as the result.
pub(super) unsafe fn items<'a, T>(address: usize, len: usize) -> Result<&'a [T], InvalidArray> {
    if len == 0 {
        return Ok(&[]);
    }
    if address == 0 || !address.is_multiple_of(align_of::<T>()) {
        return Err("a buffer of the Arrow array is missing or not aligned");
    }
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
    if bytes.and_then(|bytes| address.checked_add(bytes)).is_none() {
        return Err(IMPOSSIBLE_SIZE);
    }
    // SAFETY: the caller guarantees that the items exist. The address is aligned and not zero.
    Ok(unsafe { slice::from_raw_parts(with_exposed_provenance::<T>(address), len) })
}

impl Chunk {
    pub(super) fn new(array: Array) -> Self {
        Self(Arc::new(array))
    }

    /// Returns the rows, or an error if the sizes or the offsets of the array are invalid.
    pub(super) fn rows(&self, layout: Layout) -> Result<Rows<'_>, InvalidArray> {
        rows(&self.0, layout)
    }
}

/// The parts that all arrays have: sizes, buffers, and the validity bitmap.
pub(super) struct Frame<'a> {
    /// The number of rows.
    pub(super) len: usize,
    /// The index of the first row in the buffers.
    pub(super) offset: usize,
    /// The addresses of the buffers.
    pub(super) buffers: &'a [usize],
    /// A set bit for each row that is not null; `None` if no row is null.
    validity: Option<&'a [u8]>,
}

/// Converts a size of a C structure.
pub(super) fn to_usize(size: i64) -> Result<usize, InvalidArray> {
    usize::try_from(size).map_err(|_| "the Arrow array has a negative size")
}

impl<'a> Frame<'a> {
    /// Returns the frame of an array, which must have at least `min_buffers` buffers.
    pub(super) fn of(array: &'a Array, min_buffers: usize) -> Result<Self, InvalidArray> {
        let (len, offset) = (to_usize(array.length)?, to_usize(array.offset)?);
        if len == 0 {
            return Ok(Self { len, offset, buffers: &[], validity: None });
        }
        let n_buffers = to_usize(array.n_buffers)?;
        if array.buffers == 0 || n_buffers < min_buffers {
            return Err("the Arrow array lacks buffers");
        }
        let end = offset.checked_add(len).filter(|&end| end < usize::MAX).ok_or(IMPOSSIBLE_SIZE)?;
        // SAFETY: the array has `n_buffers` pointers, which live as long as the array.
        let buffers = unsafe { items::<usize>(array.buffers, n_buffers) }?;
        let validity = match buffers[0] {
            0 if array.null_count > 0 => {
                return Err("the Arrow array has nulls, but no validity bitmap");
            }
            0 => None,
            // SAFETY: a validity bitmap has a bit for each row.
            bits => Some(unsafe { items::<u8>(bits, end.div_ceil(8)) }?),
        };
        Ok(Self { len, offset, buffers, validity })
    }

    /// Returns true if a row is not null.
    pub(super) fn is_valid(&self, index: usize) -> bool {
        let bit = self.offset + index;
        self.validity.is_none_or(|bits| bits[bit / 8] >> (bit % 8) & 1 == 1)
    }
}

/// Returns the rows of an array of strings or binary values.
pub(super) fn rows(array: &Array, layout: Layout) -> Result<Rows<'_>, InvalidArray> {
    let frame = Frame::of(array, 3)?;
    let Frame { len, offset, buffers, .. } = frame;
    if len == 0 {
        return Ok(Rows { storage: Storage::Empty, frame });
    }
    if layout != Layout::Views && buffers.len() != 3 {
        return Err("the Arrow array of strings lacks one of its three buffers");
    }
    // Returns the address of the offset or view of the first row, given the size of an item.
    let start = |item_bytes: usize| match buffers[1] {
        0 => Err("a buffer of the Arrow array is missing or not aligned"),
        start => {
            let skipped = offset.checked_mul(item_bytes).ok_or(IMPOSSIBLE_SIZE)?;
            start.checked_add(skipped).ok_or(IMPOSSIBLE_SIZE)
        }
    };
    let storage = match layout {
        Layout::Small => {
            // SAFETY: an array with offsets has an offset for each row, and one for the end.
            let offsets = unsafe { items::<i32>(start(size_of::<i32>())?, len + 1) }?;
            let (first, last) = (offsets[0].into(), offsets[len].into());
            Storage::Small(offsets, values_between(buffers[2], first, last)?)
        }
        Layout::Large => {
            // SAFETY: an array with offsets has an offset for each row, and one for the end.
            let offsets = unsafe { items::<i64>(start(size_of::<i64>())?, len + 1) }?;
            Storage::Large(offsets, values_between(buffers[2], offsets[0], offsets[len])?)
        }
        Layout::Views => {
            // SAFETY: an array of views has a view for each row.
            let views = unsafe { items::<[u8; 16]>(start(size_of::<[u8; 16]>())?, len) }?;
            let [_, _, data @ .., sizes] = buffers else { return Err(INVALID_OFFSETS) };
            // SAFETY: the last buffer has the size of each buffer of values.
            let sizes = unsafe { items::<i64>(*sizes, data.len()) }?;
            let buffers = data.iter().zip(sizes).map(|(&data, &bytes)| {
                // SAFETY: the buffer of values has this size.
                unsafe { items::<u8>(data, to_usize(bytes)?) }
            });
            Storage::Views(views, buffers.collect::<Result<_, _>>()?)
        }
    };
    Ok(Rows { storage, frame })
}

/// Returns the bytes of a buffer of values between the offset of the first row and the end of the
/// last row.
fn values_between<'a>(buffer: usize, first: i64, last: i64) -> Result<&'a [u8], InvalidArray> {
    match (usize::try_from(first), usize::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last && (buffer != 0 || first == last) => {
            // SAFETY: the buffer of values has at least `last` bytes.
            unsafe { items::<u8>(buffer.checked_add(first).ok_or(IMPOSSIBLE_SIZE)?, last - first) }
        }
        _ => Err(INVALID_OFFSETS),
    }
}

impl<'a> Rows<'a> {
    /// Returns the number of rows, including null rows.
    pub(super) fn len(&self) -> usize {
        self.frame.len
    }

    /// Returns the approximate number of bytes of all rows.
    pub(super) fn bytes(&self) -> usize {
        match &self.storage {
            Storage::Empty => 0,
            Storage::Small(_, values) | Storage::Large(_, values) => values.len(),
            Storage::Views(views, buffers) => {
                size_of_val(*views) + buffers.iter().map(|buffer| buffer.len()).sum::<usize>()
            }
        }
    }

    /// Returns true if a row is not null.
    fn is_valid(&self, index: usize) -> bool {
        self.frame.is_valid(index)
    }

    /// Returns the number of null rows. Counts them in the bitmap, because the array's `null_count`
    /// may be wrong.
    pub(super) fn missing(&self) -> usize {
        match self.frame.validity {
            None => 0,
            Some(_) => (0..self.frame.len).filter(|&index| !self.is_valid(index)).count(),
        }
    }

    /// Returns true if the values of null rows, which may be any bytes, are UTF-8 too. Some
    /// programs read the complete memory.
    pub(super) fn is_text_throughout(&self) -> bool {
        let is_text = |index| self.value(index).is_ok_and(utflane::is_valid::<utflane::Utf8>);
        self.frame.validity.is_none()
            || (0..self.frame.len).all(|index| self.is_valid(index) || is_text(index))
    }

    /// Returns a row; `None` if it is null.
    pub(super) fn get(&self, index: usize) -> Result<Option<&'a [u8]>, InvalidArray> {
        if self.is_valid(index) { self.value(index).map(Some) } else { Ok(None) }
    }

    /// Returns the value of a row, also of a null row.
    fn value(&self, index: usize) -> Result<&'a [u8], InvalidArray> {
        // `values` begins at the offset `first`.
        let get_between = |values: &'a [u8], first: i64, start: i64, end: i64| {
            let position = |offset: i64| usize::try_from(offset.checked_sub(first)?).ok();
            values.get(position(start)?..position(end)?)
        };
        let row = match &self.storage {
            Storage::Empty => None,
            Storage::Small(offsets, values) => {
                let [first, start, end] = [0, index, index + 1].map(|i| offsets[i].into());
                get_between(values, first, start, end)
            }
            Storage::Large(offsets, values) => {
                get_between(values, offsets[0], offsets[index], offsets[index + 1])
            }
            Storage::Views(views, buffers) => view_value(&views[index], buffers),
        };
        row.ok_or(INVALID_OFFSETS)
    }
}

/// Returns the value of a view. A view begins with the length of the value. A value of up to twelve
/// bytes follows the length. For a longer value, four bytes of the value follow, then the index of
/// a buffer, and the offset of the value in the buffer.
fn view_value<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let read_number = |offset: usize| {
        let number = i32::from_ne_bytes(*view[offset..].first_chunk()?);
        usize::try_from(number).ok()
    };
    let len = read_number(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (buffer, start) = (buffers.get(read_number(8)?)?, read_number(12)?);
    buffer.get(start..start.checked_add(len)?)
}
