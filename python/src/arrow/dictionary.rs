//! Columns of categories: keys, and a dictionary of their values. Each is made a column of values.
#![allow(unsafe_code, reason = "the interface is made of pointers")]

use std::ptr::with_exposed_provenance;

use crate::arrow::build::Texts;
use crate::arrow::column::{Form, Frame, InvalidArray, Layout, NO_VALUES, items, rows};
use crate::arrow::export::Part;
use crate::arrow::structs::{Array, Schema};

/// The values that a column of categories has, and the bytes of its keys; the format if they are of
/// another type.
pub(super) fn form(schema: &Schema) -> Result<(Form, usize), String> {
    let keys = schema.format();
    let width = match &*keys {
        "c" | "C" => 1,
        "s" | "S" => 2,
        "i" | "I" => 4,
        "l" | "L" => 8,
        _ => return Err(keys),
    };
    let dictionary = with_exposed_provenance::<Schema>(schema.dictionary);
    if !dictionary.is_aligned() {
        return Err(keys);
    }
    // SAFETY: the type has this one, which lives as long; the address is not zero, and aligned.
    Form::of(unsafe { &*dictionary }).map(|form| (form, width))
}

/// A column of the values, with offsets of 64 bits.
pub(super) fn expanded(array: &Array, layout: Layout, width: usize) -> Result<Array, InvalidArray> {
    let frame = Frame::of(array, 2)?;
    let dictionary = with_exposed_provenance::<Array>(array.dictionary);
    if dictionary.is_null() || !dictionary.is_aligned() {
        return Err("an Arrow array of categories without its dictionary");
    }
    // SAFETY: the array has this one, which lives as long; the address is not zero, and aligned.
    let values = rows(unsafe { &*dictionary }, layout)?;
    let bytes = (frame.offset.checked_add(frame.len)).and_then(|end| end.checked_mul(width));
    let keys = match frame.buffers.get(1) {
        // SAFETY: the second buffer has a key for each row.
        Some(&keys) => unsafe { items::<u8>(keys, bytes.ok_or(NO_VALUES)?) }?,
        None => &[],
    };
    let mut texts = Texts::new();
    for (index, key) in keys.chunks_exact(width).skip(frame.offset).enumerate() {
        // Below half of its range, a key is the same with a sign and without.
        let mut number = [0; 8];
        match cfg!(target_endian = "little") {
            true => number[..width].copy_from_slice(key),
            false => number[8 - width..].copy_from_slice(key),
        }
        let key = usize::try_from(u64::from_ne_bytes(number)).unwrap_or(usize::MAX);
        texts.push(match frame.is_valid(index) {
            true if key < values.len() => values.get(key)?,
            true => return Err("an Arrow array whose key is in no dictionary"),
            false => None,
        });
    }
    Ok(Part::made(texts.finish(true)?).array())
}
