//! The result of a conversion: values and offsets.

use alloc::vec::Vec;

use crate::columns::offset::Offset;

/// Converted rows: the values, the offsets of the rows in the values, and the validity bitmap.
///
/// Row `i` is `values[offsets[i]..offsets[i + 1]]`. A null row is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts<U, O> {
    /// The units of all rows.
    pub values: Vec<U>,
    /// The offsets of the rows in units. There is one more offset than rows. The first offset is 0.
    pub offsets: Vec<O>,
    /// The validity bitmap: one bit for each row, 0 if the row is null, the lowest bit of a byte
    /// first. `None` if no row is null.
    pub validity: Option<Vec<u8>>,
    /// The number of repairs: ill-formed sequences and unmappable characters that were replaced.
    pub repairs: usize,
}

impl<U, O: Offset> Texts<U, O> {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns the units of a row, or `None` if the row is null or there is no such row.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Latin1, Utf8};
    ///
    /// let column = Column::new(Latin1, b"caf\xE9au lait", &[0_i32, 4, 11])?;
    /// let texts = column.transcode::<i64, _>(Utf8)?;
    /// assert_eq!(texts.get(0), Some("café".as_bytes()));
    /// assert_eq!(texts.get(2), None);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&[U]> {
        let (start, end) = (self.offsets.get(row)?, self.offsets.get(row.checked_add(1)?)?);
        if let Some(bits) = &self.validity
            && bits.get(row / 8).is_none_or(|byte| byte >> (row % 8) & 1 == 0)
        {
            return None;
        }
        self.values.get(start.to_size()..end.to_size())
    }
}
