//! Columns that are converted to columns of values: dictionary-encoded columns, which have keys and
//! a dictionary of values, and columns of the type null.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ptr::with_exposed_provenance;

use crate::arrow::build::Texts;
use crate::arrow::column::{
    Form, Frame, INVALID_OFFSETS, InvalidArray, Layout, items, rows, to_usize,
};
use crate::arrow::export::OutputChunk;
use crate::arrow::structs::{Array, Schema};

/// Returns the type of the values of a dictionary-encoded column, and the width of its keys in
/// bytes. If either type is not supported, returns its Arrow format string as the error.
pub(super) fn form_and_key_width(schema: &Schema) -> Result<(Form, usize), String> {
    let key_format = schema.format();
    let key_width = match &*key_format {
        "c" | "C" => 1,
        "s" | "S" => 2,
        "i" | "I" => 4,
        "l" | "L" => 8,
        _ => return Err(key_format),
    };
    let dictionary = type_of_values(schema).ok_or(key_format)?;
    Form::of(dictionary).map(|form| (form, key_width))
}

/// Returns the type of the values of a dictionary-encoded column; `None` for other columns.
fn type_of_values(schema: &Schema) -> Option<&Schema> {
    let dictionary = with_exposed_provenance::<Schema>(schema.dictionary);
    if dictionary.is_null() || !dictionary.is_aligned() {
        return None;
    }
    // SAFETY: `schema` owns the type of its dictionary, which lives as long as `schema`. The
    // address is not zero, and it is aligned.
    Some(unsafe { &*dictionary })
}

/// Returns true if all rows of a column of this type are null. pandas and polars export a column
/// without any value with this type.
pub(super) fn is_null(schema: &Schema) -> bool {
    type_of_values(schema).unwrap_or(schema).format() == "n"
}

/// Returns a column of strings with as many rows as `array`. All rows are null.
pub(super) fn nulls(array: &Array) -> Result<Array, InvalidArray> {
    let texts = Texts::of_nulls(to_usize(array.length)?)?;
    Ok(OutputChunk::from_buffers(texts.finish(true)?).to_array())
}

/// Returns a column that has a value for each key of `array`, with 64-bit offsets. `layout` is the
/// layout of the dictionary, and `key_width` is the width of a key in bytes.
pub(super) fn expand(
    array: &Array,
    layout: Layout,
    key_width: usize,
) -> Result<Array, InvalidArray> {
    let frame = Frame::of(array, 2)?;
    let dictionary = with_exposed_provenance::<Array>(array.dictionary);
    if dictionary.is_null() || !dictionary.is_aligned() {
        return Err("a dictionary-encoded Arrow array without its dictionary");
    }
    // SAFETY: `array` owns its dictionary, which lives as long as `array`. The address is not zero,
    // and it is aligned.
    let values = rows(unsafe { &*dictionary }, layout)?;
    let keys_len = (frame.offset.checked_add(frame.len)).and_then(|end| end.checked_mul(key_width));
    let keys = match frame.buffers.get(1) {
        // SAFETY: the producer guarantees that the second buffer has a key for each row.
        Some(&keys) => unsafe { items::<u8>(keys, keys_len.ok_or(INVALID_OFFSETS)?) }?,
        None => &[],
    };
    let mut texts = Texts::new();
    for (index, key) in keys.chunks_exact(key_width).skip(frame.offset).enumerate() {
        // A key below half of its type's range has the same bytes in a signed and in an unsigned
        // type.
        let mut key_bytes = [0; 8];
        match cfg!(target_endian = "little") {
            true => key_bytes[..key_width].copy_from_slice(key),
            false => key_bytes[8 - key_width..].copy_from_slice(key),
        }
        let key = usize::try_from(u64::from_ne_bytes(key_bytes)).unwrap_or(usize::MAX);
        texts.push(match frame.is_valid(index) {
            true if key < values.len() => values.get(key)?,
            true => return Err("an Arrow array with a key that is not in the dictionary"),
            false => None,
        });
    }
    Ok(OutputChunk::from_buffers(texts.finish(true)?).to_array())
}
