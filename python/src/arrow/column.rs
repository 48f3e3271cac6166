//! The rows of an array of strings or of binary values.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::mem::size_of;
use std::ptr::with_exposed_provenance;
use std::slice;
use std::sync::Arc;

use crate::arrow::structs::{Array, Schema};

/// The values of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Values {
    Text,
    Binary,
}

/// The way to the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Layout {
    /// Offsets of 32 bits.
    Small,
    /// Offsets of 64 bits.
    Large,
    /// Views of 16 bytes.
    Views,
}

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) values: Values,
    pub(super) layout: Layout,
}

impl Form {
    /// The type, or its format if it is another one.
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

/// An array of a column, which owns its memory.
#[derive(Clone)]
pub(super) struct Chunk(pub(super) Arc<Array>);

/// The rows of an array.
pub(super) struct Rows<'a> {
    values: Places<'a>,
    frame: Frame<'a>,
}

/// Where the values are.
enum Places<'a> {
    None,
    /// Offsets in the values, beginning with the offset of the first row.
    Small(&'a [i32], &'a [u8]),
    Large(&'a [i64], &'a [u8]),
    /// Views, and the buffers of views longer than twelve bytes.
    Views(&'a [[u8; 16]], Vec<&'a [u8]>),
}

/// An error of an array.
pub(super) type InvalidArray = &'static str;
const IMPOSSIBLE: InvalidArray = "an Arrow array of an impossible size";
pub(super) const NO_VALUES: InvalidArray = "an Arrow array whose offsets enclose no text";

/// `len` items at an address. The address is checked; that they are there is not.
///
/// # Safety
///
/// An address that is not zero points to `len` items, which live as long as the result.
pub(super) unsafe fn items<'a, T>(address: usize, len: usize) -> Result<&'a [T], InvalidArray> {
    if len == 0 {
        return Ok(&[]);
    }
    if address == 0 || !address.is_multiple_of(align_of::<T>()) {
        return Err("an Arrow array whose buffer is missing or not aligned");
    }
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize);
    if bytes.and_then(|bytes| address.checked_add(bytes)).is_none() {
        return Err(IMPOSSIBLE);
    }
    // SAFETY: by the contract of this function; the address is aligned, and not zero.
    Ok(unsafe { slice::from_raw_parts(with_exposed_provenance::<T>(address), len) })
}

impl Chunk {
    pub(super) fn new(array: Array) -> Self {
        Self(Arc::new(array))
    }

    /// The rows, if the sizes and the offsets of the array allow it.
    pub(super) fn rows(&self, layout: Layout) -> Result<Rows<'_>, InvalidArray> {
        rows(&self.0, layout)
    }
}

/// The parts that all arrays have: sizes, buffers, and the validity bitmap.
pub(super) struct Frame<'a> {
    pub(super) len: usize,
    pub(super) offset: usize,
    pub(super) buffers: &'a [usize],
    validity: Option<&'a [u8]>,
}

fn size(n: i64) -> Result<usize, InvalidArray> {
    usize::try_from(n).map_err(|_| "an Arrow array of a negative size")
}

impl<'a> Frame<'a> {
    /// The frame of an array, which has `least` buffers or more.
    pub(super) fn of(array: &'a Array, least: usize) -> Result<Self, InvalidArray> {
        let (len, offset) = (size(array.length)?, size(array.offset)?);
        if len == 0 {
            return Ok(Self { len, offset, buffers: &[], validity: None });
        }
        let n_buffers = size(array.n_buffers)?;
        if array.buffers == 0 || n_buffers < least {
            return Err("an Arrow array without its buffers");
        }
        let end = offset.checked_add(len).filter(|&end| end < usize::MAX).ok_or(IMPOSSIBLE)?;
        // SAFETY: there are as many pointers, which live as long as the array.
        let buffers = unsafe { items::<usize>(array.buffers, n_buffers) }?;
        let validity = match buffers[0] {
            0 if array.null_count > 0 => return Err("an Arrow array of nulls without its bitmap"),
            0 => None,
            // SAFETY: the first buffer, if there is one, has a bit for each row.
            bits => Some(unsafe { items::<u8>(bits, end.div_ceil(8)) }?),
        };
        Ok(Self { len, offset, buffers, validity })
    }

    /// Returns true if a row is there.
    pub(super) fn is_valid(&self, index: usize) -> bool {
        let bit = self.offset + index;
        self.validity.is_none_or(|bits| bits[bit / 8] >> (bit % 8) & 1 == 1)
    }
}

/// The rows of an array of values.
pub(super) fn rows(array: &Array, layout: Layout) -> Result<Rows<'_>, InvalidArray> {
    let frame = Frame::of(array, 3)?;
    let Frame { len, offset, buffers, .. } = frame;
    if len == 0 {
        return Ok(Rows { values: Places::None, frame });
    }
    if layout != Layout::Views && buffers.len() != 3 {
        return Err("an Arrow array of strings without its three buffers");
    }
    let start = |width: usize| match buffers[1] {
        0 => Err("an Arrow array whose buffer is missing or not aligned"),
        start => {
            let skipped = offset.checked_mul(width).ok_or(IMPOSSIBLE)?;
            start.checked_add(skipped).ok_or(IMPOSSIBLE)
        }
    };
    let values = match layout {
        Layout::Small => {
            // SAFETY: an array of values has an offset for each, and one more.
            let offsets = unsafe { items::<i32>(start(size_of::<i32>())?, len + 1) }?;
            Places::Small(offsets, values(buffers[2], offsets[0].into(), offsets[len].into())?)
        }
        Layout::Large => {
            // SAFETY: an array of values has an offset for each, and one more.
            let offsets = unsafe { items::<i64>(start(size_of::<i64>())?, len + 1) }?;
            Places::Large(offsets, values(buffers[2], offsets[0], offsets[len])?)
        }
        Layout::Views => {
            // SAFETY: an array of views has one for each row.
            let views = unsafe { items::<[u8; 16]>(start(size_of::<[u8; 16]>())?, len) }?;
            let [_, _, data @ .., sizes] = buffers else { return Err(NO_VALUES) };
            // SAFETY: the last buffer has the size of each one of the values.
            let sizes = unsafe { items::<i64>(*sizes, data.len()) }?;
            let buffers = data.iter().zip(sizes).map(|(&data, &bytes)| {
                // SAFETY: a buffer of values has so many bytes.
                unsafe { items::<u8>(data, size(bytes)?) }
            });
            Places::Views(views, buffers.collect::<Result<_, _>>()?)
        }
    };
    Ok(Rows { values, frame })
}

/// The values between the first offset and the last one.
fn values<'a>(buffer: usize, first: i64, last: i64) -> Result<&'a [u8], InvalidArray> {
    match (usize::try_from(first), usize::try_from(last)) {
        (Ok(first), Ok(last)) if first <= last && (buffer != 0 || first == last) => {
            // SAFETY: the third buffer has the bytes up to the last offset.
            unsafe { items::<u8>(buffer.checked_add(first).ok_or(IMPOSSIBLE)?, last - first) }
        }
        _ => Err(NO_VALUES),
    }
}

impl<'a> Rows<'a> {
    /// The number of rows, nulls included.
    pub(super) fn len(&self) -> usize {
        self.frame.len
    }

    /// About how many bytes all of them have.
    pub(super) fn bytes(&self) -> usize {
        match &self.values {
            Places::None => 0,
            Places::Small(_, values) | Places::Large(_, values) => values.len(),
            Places::Views(views, buffers) => {
                size_of_val(*views) + buffers.iter().map(|buffer| buffer.len()).sum::<usize>()
            }
        }
    }

    /// Returns true if a row is there.
    fn is_valid(&self, index: usize) -> bool {
        self.frame.is_valid(index)
    }

    /// Returns the number of null rows, counted in the bitmap: the array's own `null_count` is not
    /// trusted.
    pub(super) fn missing(&self) -> usize {
        match self.frame.validity {
            None => 0,
            Some(_) => (0..self.frame.len).filter(|&index| !self.is_valid(index)).count(),
        }
    }

    /// True if the values of missing rows, which may be anything, are text too: some programs read
    /// all of the memory.
    pub(super) fn is_text_throughout(&self) -> bool {
        let is_text = |index| self.value(index).is_ok_and(utflane::is_valid::<utflane::Utf8>);
        self.frame.validity.is_none()
            || (0..self.frame.len).all(|index| self.is_valid(index) || is_text(index))
    }

    /// A row; `None` if it is missing.
    pub(super) fn get(&self, index: usize) -> Result<Option<&'a [u8]>, InvalidArray> {
        if self.is_valid(index) { self.value(index).map(Some) } else { Ok(None) }
    }

    /// The value of a row, also of one that is missing.
    fn value(&self, index: usize) -> Result<&'a [u8], InvalidArray> {
        let between = |values: &'a [u8], first: i64, start: i64, end: i64| {
            let place = |at: i64| usize::try_from(at.checked_sub(first)?).ok();
            values.get(place(start)?..place(end)?)
        };
        let row = match &self.values {
            Places::None => None,
            Places::Small(offsets, values) => {
                let [first, start, end] = [0, index, index + 1].map(|at| offsets[at].into());
                between(values, first, start, end)
            }
            Places::Large(offsets, values) => {
                between(values, offsets[0], offsets[index], offsets[index + 1])
            }
            Places::Views(views, buffers) => view(&views[index], buffers),
        };
        row.ok_or(NO_VALUES)
    }
}

/// The value of a view: its length, and up to twelve bytes of its own; or four bytes, a buffer, and
/// an offset there.
fn view<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let part = |at: usize| {
        let part = i32::from_ne_bytes(*view[at..].first_chunk()?);
        usize::try_from(part).ok()
    };
    let len = part(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (buffer, start) = (buffers.get(part(8)?)?, part(12)?);
    buffer.get(start..start.checked_add(len)?)
}
