//! Columns that are first expanded to plain string columns: dictionary-encoded columns, which have
//! keys and a dictionary of values, and columns of the type null.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ptr::with_exposed_provenance;

use crate::arrow::build::Texts;
use crate::arrow::column::{
    Form, Frame, INVALID_OFFSETS, InvalidArray, Layout, items, rows, to_usize,
};
use crate::arrow::export::OutputChunk;
use crate::arrow::structs::{Array, Schema};

/// Returns the form of the values of a dictionary-encoded column, and the width of its keys in
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
    let values = value_schema(schema).ok_or(key_format)?;
    Form::of(values).map(|form| (form, key_width))
}

/// Returns the schema of the values of a dictionary-encoded column; `None` for other columns.
fn value_schema(schema: &Schema) -> Option<&Schema> {
    let dictionary = with_exposed_provenance::<Schema>(schema.dictionary);
    if dictionary.is_null() || !dictionary.is_aligned() {
        return None;
    }
    // SAFETY: `schema` owns the type of its dictionary, which lives as long as `schema`. The
    // address is not zero, and it is aligned.
    Some(unsafe { &*dictionary })
}

/// Returns true if `schema` is the null type, or a dictionary of it. All rows of such a column are
/// null. pandas and polars use this type for a column without any value.
pub(super) fn is_null_type(schema: &Schema) -> bool {
    value_schema(schema).unwrap_or(schema).format() == "n"
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
        return Err("the dictionary-encoded Arrow array lacks its dictionary");
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
        // Signed keys are read as unsigned keys: no valid key is negative, so its bytes are the
        // same.
        let mut key_bytes = [0; 8];
        match cfg!(target_endian = "little") {
            true => key_bytes[..key_width].copy_from_slice(key),
            false => key_bytes[8 - key_width..].copy_from_slice(key),
        }
        let key = usize::try_from(u64::from_ne_bytes(key_bytes)).unwrap_or(usize::MAX);
        texts.push(match frame.is_valid(index) {
            true if key < values.len() => values.get(key)?,
            true => return Err("the Arrow array has a key that is not in the dictionary"),
            false => None,
        });
    }
    Ok(OutputChunk::from_buffers(texts.finish(true)?).to_array())
}
