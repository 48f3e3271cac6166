//! Columns in an encoding chosen at run time, on several threads: functions of [`ByteColumn`] with
//! the same results, bit for bit. They are split as [`columns`](super::columns) are.
//!
//! ```
//! use utflane::columns::ByteColumn;
//! use utflane::{Scheme, par};
//!
//! let values = b"sm\xF8rrebr\xF8d, ".repeat(200_000);
//! let column = ByteColumn::fixed(Scheme::Latin1, &values, 12, 200_000)?;
//! let texts = par::byte_columns::transcode::<i32>(&column, Scheme::Utf8)?;
//! assert_eq!(texts.get(199_999), Some("smørrebrød, ".as_bytes()));
//! # Ok::<(), utflane::columns::RowError>(())
//! ```

use crate::columns::convert::OnFailure;
use crate::columns::{ByteColumn, Offset, RowError, Texts};
use crate::encoding::scheme::Scheme;
use crate::owned::LossyConversionToVec;
use crate::par::column_parts;
use crate::types::policy::Repair;

/// [`ByteColumn::check`] on several threads. After an ill-formed row, no later part is begun.
///
/// # Errors
///
/// The first ill-formed row, with positions from its start.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let mut values = b"\xD8\x3D\xDE\x00".repeat(500_000);
/// values[1_500_000] = 0;
/// let column = ByteColumn::fixed(Scheme::Utf16Be, &values, 8, 250_000)?;
/// assert_eq!(par::byte_columns::check(&column).unwrap_err().row(), 187_500);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn check(column: &ByteColumn<'_>) -> Result<(), RowError> {
    column_parts::check(column.rows(), &column.search())
}

/// [`ByteColumn::validity`] on several threads.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let mut bitmap = Vec::new();
/// let column = ByteColumn::fixed(Scheme::Ascii, b"ab\xFF", 1, 3)?;
/// assert_eq!(par::byte_columns::validity(&column, &mut bitmap), 1);
/// assert_eq!(bitmap, [0b011]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn validity(column: &ByteColumn<'_>, bitmap: &mut Vec<u8>) -> usize {
    column_parts::validity(column.rows(), &column.search(), bitmap)
}

/// [`ByteColumn::fits_latin1`] on several threads.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let mut bitmap = Vec::new();
/// let column = ByteColumn::fixed(Scheme::Utf16Le, b"\xE9\0\x36\x04", 2, 2)?;
/// assert_eq!(par::byte_columns::fits_latin1(&column, &mut bitmap), 1);
/// assert_eq!(bitmap, [0b01]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn fits_latin1(column: &ByteColumn<'_>, bitmap: &mut Vec<u8>) -> usize {
    let to_vec = column.conversion(Scheme::Latin1);
    column_parts::fits_latin1(column.rows(), &column.search(), &to_vec, bitmap)
}

/// [`ByteColumn::transcode`] on several threads. A column with a row that fails is converted again,
/// in one thread, up to that row.
///
/// # Errors
///
/// The first row that is ill-formed, has a character that `to` lacks, or ends after more bytes than
/// an offset can count.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let column = ByteColumn::fixed(Scheme::Latin1, &[0xE9; 2_000_000], 4, 500_000)?;
/// let texts = par::byte_columns::transcode::<i32>(&column, Scheme::Utf8)?;
/// assert_eq!(texts.get(499_999), Some("éééé".as_bytes()));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode<O: Offset>(column: &ByteColumn<'_>, to: Scheme) -> Result<Texts<u8, O>, RowError> {
    let to_vec = column.conversion(to);
    column_parts::convert(column.rows(), column.kernel(), &to_vec, OnFailure::Error, None)
}

/// [`ByteColumn::transcode_or_null`] on several threads.
///
/// # Errors
///
/// The first row that ends after more bytes than an offset can count.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let column = ByteColumn::fixed(Scheme::Utf8, b"ab\xFF", 1, 3)?;
/// let texts = par::byte_columns::transcode_or_null::<i32>(&column, Scheme::Utf16Le)?;
/// assert_eq!((texts.get(1), texts.get(2)), (Some(&b"b\0"[..]), None));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode_or_null<O: Offset>(
    column: &ByteColumn<'_>,
    to: Scheme,
) -> Result<Texts<u8, O>, RowError> {
    let to_vec = column.conversion(to);
    column_parts::convert(column.rows(), column.kernel(), &to_vec, OnFailure::Null, None)
}

/// [`ByteColumn::transcode_lossy`] on several threads.
///
/// # Errors
///
/// The first row that ends after more bytes than an offset can count.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Repair, Scheme, par};
///
/// let column = ByteColumn::fixed(Scheme::Utf8, b"ab\xFF", 1, 3)?;
/// let (to, repair) = (Scheme::Utf8, Repair::REPLACE);
/// let texts = par::byte_columns::transcode_lossy::<i32>(&column, to, repair, None)?;
/// assert_eq!((texts.get(2), texts.repairs), (Some("\u{FFFD}".as_bytes()), 1));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode_lossy<O: Offset>(
    column: &ByteColumn<'_>,
    to: Scheme,
    repair: Repair,
    counts: Option<&mut Vec<usize>>,
) -> Result<Texts<u8, O>, RowError> {
    let lossy = LossyConversionToVec::of(column.scheme(), to, 1, 1);
    let on_failure = OnFailure::Repair(&lossy, repair);
    column_parts::convert(column.rows(), column.kernel(), &lossy.strict, on_failure, counts)
}

/// [`ByteColumn::lens`] on several threads.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let mut lens = Vec::new();
/// let column = ByteColumn::new(Scheme::Utf8, "naïve😀".as_bytes(), &[0_i32, 6, 10])?;
/// par::byte_columns::lens(&column, Scheme::Utf16Le, &mut lens);
/// assert_eq!(lens, [10, 4]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn lens(column: &ByteColumn<'_>, to: Scheme, lens: &mut Vec<usize>) {
    column_parts::measure(column.rows(), column.len_measurement(to), lens);
}

/// [`ByteColumn::counts`] on several threads.
///
/// ```
/// use utflane::columns::ByteColumn;
/// use utflane::{Scheme, par};
///
/// let mut counts = Vec::new();
/// let column = ByteColumn::new(Scheme::Utf8, "naïve😀".as_bytes(), &[0_i32, 6, 10])?;
/// par::byte_columns::counts(&column, &mut counts);
/// assert_eq!(counts, [5, 1]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn counts(column: &ByteColumn<'_>, counts: &mut Vec<usize>) {
    column_parts::measure(column.rows(), column.count_measurement(), counts);
}
