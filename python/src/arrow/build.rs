//! Builders of new columns, to which rows are appended.

use crate::arrow::column::{IMPOSSIBLE_SIZE, InvalidArray, Rows};
use crate::arrow::export::Buffers;

/// A new column of strings or binary values.
pub(super) struct Texts {
    offsets: Vec<usize>,
    values: Vec<u8>,
    /// For each row, true if the row is not null.
    validity: Vec<bool>,
}

impl Texts {
    /// Returns an empty column.
    pub(super) fn new() -> Self {
        Self { offsets: vec![0], values: Vec::new(), validity: Vec::new() }
    }

    /// Returns a column with a copy of the first `len` rows of another column.
    pub(super) fn copied(rows: &Rows<'_>, len: usize) -> Result<Self, InvalidArray> {
        let mut texts = Self {
            offsets: Vec::with_capacity(rows.len() + 1),
            values: Vec::with_capacity(rows.bytes()),
            validity: Vec::with_capacity(rows.len()),
        };
        texts.offsets.push(0);
        for index in 0..len {
            texts.push(rows.get(index)?);
        }
        Ok(texts)
    }

    /// Returns a column of `len` null rows. Arrow's type null has no buffers, so there may be more
    /// rows than memory.
    pub(super) fn of_nulls(len: usize) -> Result<Self, InvalidArray> {
        let mut texts = Self::new();
        texts.offsets.try_reserve_exact(len).map_err(|_| IMPOSSIBLE_SIZE)?;
        texts.offsets.resize(len + 1, 0);
        texts.validity.resize(len, false);
        Ok(texts)
    }

    /// Appends a row; `None` is null.
    pub(super) fn push(&mut self, row: Option<&[u8]>) {
        self.values.extend_from_slice(row.unwrap_or_default());
        self.offsets.push(self.values.len());
        self.validity.push(row.is_some());
    }

    /// Returns the memory of the column. The offsets have 64 bits if `is_large`, otherwise 32 bits.
    pub(super) fn finish(self, is_large: bool) -> Result<Buffers, InvalidArray> {
        // The offsets are stored in a vector of `u64`, so that offsets of both sizes are aligned.
        let offsets = match is_large {
            true => self.offsets.iter().map(|&offset| offset as u64).collect(),
            false => pack_offsets(&self.offsets)?,
        };
        Ok(Buffers::of_values(&self.validity, offsets, self.values))
    }
}

/// Converts offsets to 32 bits, and packs two offsets into each `u64`.
fn pack_offsets(offsets: &[usize]) -> Result<Vec<u64>, InvalidArray> {
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

/// A new column of booleans.
pub(super) struct Flags {
    values: Vec<bool>,
    /// For each row, true if the row is not null.
    validity: Vec<bool>,
}

impl Flags {
    pub(super) fn new() -> Self {
        Self { values: Vec::new(), validity: Vec::new() }
    }

    /// Appends a row; `None` is null.
    pub(super) fn push(&mut self, flag: Option<bool>) {
        self.values.push(flag.unwrap_or(false));
        self.validity.push(flag.is_some());
    }

    /// Returns the memory of the column.
    pub(super) fn finish(self) -> Buffers {
        Buffers::of_flags(&self.validity, &self.values)
    }
}
