//! The errors of columns: the row and the reason.

use core::fmt;

use crate::types::error::Error;

/// The reason of a [`RowError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowErrorKind {
    /// The row is ill-formed, or has a character that the target encoding lacks. Positions count
    /// from the start of the row.
    Text(Error),
    /// The offset at which the row ends is smaller than the offset at which it begins.
    OffsetFalls,
    /// The row begins or ends outside the values, or its view names a buffer that does not exist.
    OutsideValues,
    /// The bitmap of nulls has no bit for the row.
    NoNullBit,
    /// The width of the rows is 0, and 2^24 rows precede this row.
    TooManyRows,
    /// The result up to the end of the row has more units than an offset can count.
    OffsetOverflow,
}

/// The first row of a column that is ill-formed, cannot be converted, or lies outside the values.
///
/// ```
/// use utflane::Utf8;
/// use utflane::columns::{Column, RowErrorKind};
///
/// let column = Column::new(Utf8, b"one\xFFtwo", &[0_i32, 3, 7])?;
/// let error = column.validate().unwrap_err();
/// assert_eq!(error.row, 1);
/// assert_eq!(error.text().unwrap().valid_up_to(), 0);
/// assert_eq!(error.to_string(), "row 1: invalid utf-8 sequence of 1 bytes from index 0");
///
/// let error = Column::new(Utf8, b"one", &[0_i32, 3, 2]).unwrap_err();
/// assert_eq!((error.row, error.kind), (1, RowErrorKind::OffsetFalls));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowError {
    /// The index of the row, counted from zero. Null rows count too.
    pub row: usize,
    /// The reason.
    pub kind: RowErrorKind,
}

impl RowError {
    /// Returns the error of the text, or `None` if the kind is not [`RowErrorKind::Text`]. The
    /// positions of the error count from the start of the row.
    #[must_use]
    pub const fn text(&self) -> Option<Error> {
        match self.kind {
            RowErrorKind::Text(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the same error with its positions counted in units of `size` bytes.
    pub(crate) const fn in_units(self, size: usize) -> Self {
        match self.kind {
            RowErrorKind::Text(error) => {
                Self { kind: RowErrorKind::Text(error.in_units(size)), ..self }
            }
            _ => self,
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}: ", self.row)?;
        match self.kind {
            RowErrorKind::Text(error) => error.fmt(f),
            RowErrorKind::OffsetFalls => f.write_str("its offsets fall"),
            RowErrorKind::OutsideValues => f.write_str("it lies outside the values"),
            RowErrorKind::TooManyRows => f.write_str("a column has at most 2^24 rows of width 0"),
            RowErrorKind::NoNullBit => f.write_str("the bitmap of nulls has no bit for it"),
            RowErrorKind::OffsetOverflow => {
                f.write_str("the result has more units than its offsets can count")
            }
        }
    }
}

impl core::error::Error for RowError {}
