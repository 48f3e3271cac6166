//! New columns, row by row.

use crate::arrow::column::{InvalidArray, Rows};
use crate::arrow::export::Buffers;

/// A new column of strings or binary values.
pub(super) struct Texts {
    offsets: Vec<usize>,
    values: Vec<u8>,
    valid: Vec<bool>,
}

impl Texts {
    /// An empty column.
    pub(super) fn new() -> Self {
        Self { offsets: vec![0], values: Vec::new(), valid: Vec::new() }
    }

    /// The first `len` rows of a column.
    pub(super) fn copied(rows: &Rows<'_>, len: usize) -> Result<Self, InvalidArray> {
        let mut texts = Self {
            offsets: Vec::with_capacity(rows.len() + 1),
            values: Vec::with_capacity(rows.bytes()),
            valid: Vec::with_capacity(rows.len()),
        };
        texts.offsets.push(0);
        for index in 0..len {
            texts.push(rows.get(index)?);
        }
        Ok(texts)
    }

    /// Appends a row.
    pub(super) fn push(&mut self, row: Option<&[u8]>) {
        self.values.extend_from_slice(row.unwrap_or_default());
        self.offsets.push(self.values.len());
        self.valid.push(row.is_some());
    }

    /// The memory of the column, with offsets of 64 bits if `is_large`.
    pub(super) fn finish(self, is_large: bool) -> Result<Buffers, InvalidArray> {
        // In words, so that offsets of both sizes are aligned.
        let offsets = match is_large {
            true => self.offsets.iter().map(|&offset| offset as u64).collect(),
            false => small_offsets(&self.offsets)?,
        };
        Ok(Buffers::of_values(&self.valid, offsets, self.values))
    }
}

/// Offsets of 32 bits, two in a word.
fn small_offsets(offsets: &[usize]) -> Result<Vec<u64>, InvalidArray> {
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

/// A new column of yes and no.
pub(super) struct Flags {
    set: Vec<bool>,
    valid: Vec<bool>,
}

impl Flags {
    pub(super) fn new() -> Self {
        Self { set: Vec::new(), valid: Vec::new() }
    }

    /// Appends a row.
    pub(super) fn push(&mut self, flag: Option<bool>) {
        self.set.push(flag.unwrap_or(false));
        self.valid.push(flag.is_some());
    }

    /// The memory of the column.
    pub(super) fn finish(self) -> Buffers {
        Buffers::of_flags(&self.valid, &self.set)
    }
}
