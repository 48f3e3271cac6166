//! Columns on several threads: functions of [`Column`] with the same results, bit for bit.
//!
//! The rows are split into a few parts for each thread of the pool that the call is made in. A
//! column of less than [`THRESHOLD`](super::THRESHOLD) bytes, or in a pool of one thread, is passed
//! to the method of the same name; so is one with a row that cannot be converted, whose error is
//! then that of the method. One long row is not split. [`byte_columns`](super::byte_columns) has
//! the same for encodings chosen at run time.
//!
//! ```
//! use utflane::Utf8;
//! use utflane::columns::Column;
//! use utflane::par;
//!
//! let values = "smørrebrød, ".repeat(200_000);
//! let column = Column::<Utf8>::fixed(values.as_bytes(), 14, 200_000)?;
//! let mut bitmap = Vec::new();
//! assert_eq!(par::columns::validity(&column, &mut bitmap), 0);
//! assert_eq!(bitmap, vec![0xFF; 25_000]);
//! # Ok::<(), utflane::columns::RowError>(())
//! ```

use crate::columns::convert::OnFailure;
use crate::columns::{Column, Offset, RowError, Texts};
use crate::encoding::types::{Encoding, Latin1};
use crate::owned::{ConversionToVec, LossyConversionToVec};
use crate::par::column_parts;
use crate::types::policy::Repair;

/// [`Column::check`] on several threads. After an ill-formed row, no later part is begun.
///
/// # Errors
///
/// The first ill-formed row, with positions from its start.
///
/// ```
/// use utflane::Utf8;
/// use utflane::columns::Column;
/// use utflane::par;
///
/// let mut values = "ж".repeat(1_000_000).into_bytes();
/// values[1_500_001] = b'!';
/// let column = Column::<Utf8>::fixed(&values, 10, 200_000)?;
/// assert_eq!(par::columns::check(&column).unwrap_err().row(), 150_000);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn check<E: Encoding>(column: &Column<'_, E>) -> Result<(), RowError> {
    column_parts::check(column.rows(), &column.search())
        .map_err(|error| error.in_units(size_of::<E::Unit>()))
}

/// [`Column::validity`] on several threads.
///
/// ```
/// use utflane::Utf8;
/// use utflane::columns::Column;
/// use utflane::par;
///
/// let mut bitmap = Vec::new();
/// let column = Column::<Utf8>::fixed(b"ab\xFF", 1, 3)?;
/// assert_eq!(par::columns::validity(&column, &mut bitmap), 1);
/// assert_eq!(bitmap, [0b011]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn validity<E: Encoding>(column: &Column<'_, E>, bitmap: &mut Vec<u8>) -> usize {
    column_parts::validity(column.rows(), &column.search(), bitmap)
}

/// [`Column::fits_latin1`] on several threads.
///
/// ```
/// use utflane::Utf8;
/// use utflane::columns::Column;
/// use utflane::par;
///
/// let mut bitmap = Vec::new();
/// let column = Column::<Utf8>::fixed("éж".as_bytes(), 2, 2)?;
/// assert_eq!(par::columns::fits_latin1(&column, &mut bitmap), 1);
/// assert_eq!(bitmap, [0b01]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn fits_latin1<E: Encoding>(column: &Column<'_, E>, bitmap: &mut Vec<u8>) -> usize {
    let to_vec = const { &ConversionToVec::of_pair::<E, Latin1>() };
    column_parts::fits_latin1(column.rows(), &column.search(), to_vec, bitmap)
}

/// [`Column::transcode`] on several threads. A column with a row that fails is converted again, in
/// one thread, up to that row.
///
/// # Errors
///
/// The first row that is ill-formed, has a character that `B` lacks, or ends after more units
/// than an offset can count.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Latin1, Utf8, par};
///
/// let column = Column::<Latin1>::fixed(&[0xE9; 2_000_000], 4, 500_000)?;
/// let texts = par::columns::transcode::<Latin1, Utf8, i32>(&column)?;
/// assert_eq!(texts.get(499_999), Some("éééé".as_bytes()));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode<E: Encoding, B: Encoding, O: Offset>(
    column: &Column<'_, E>,
) -> Result<Texts<B::Unit, O>, RowError> {
    let to_vec = const { &ConversionToVec::of_pair::<E, B>() };
    column_parts::convert(column.rows(), column.kernel(), to_vec, OnFailure::Error, None)
}

/// [`Column::transcode_or_null`] on several threads.
///
/// # Errors
///
/// The first row that ends after more units than an offset can count.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Utf8, Utf16, par};
///
/// let column = Column::<Utf8>::fixed(b"ab\xFF", 1, 3)?;
/// let texts = par::columns::transcode_or_null::<Utf8, Utf16, i32>(&column)?;
/// assert_eq!((texts.get(1), texts.get(2)), (Some(&[0x62][..]), None));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode_or_null<E: Encoding, B: Encoding, O: Offset>(
    column: &Column<'_, E>,
) -> Result<Texts<B::Unit, O>, RowError> {
    let to_vec = const { &ConversionToVec::of_pair::<E, B>() };
    column_parts::convert(column.rows(), column.kernel(), to_vec, OnFailure::Null, None)
}

/// [`Column::transcode_lossy`] on several threads.
///
/// # Errors
///
/// The first row that ends after more units than an offset can count.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Repair, Utf8, par};
///
/// let column = Column::<Utf8>::fixed(b"ab\xFF", 1, 3)?;
/// let texts = par::columns::transcode_lossy::<Utf8, Utf8, i32>(&column, Repair::REPLACE, None)?;
/// assert_eq!((texts.get(2), texts.repairs), (Some("\u{FFFD}".as_bytes()), 1));
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn transcode_lossy<E: Encoding, B: Encoding, O: Offset>(
    column: &Column<'_, E>,
    repair: Repair,
    counts: Option<&mut Vec<usize>>,
) -> Result<Texts<B::Unit, O>, RowError> {
    let lossy = const { &LossyConversionToVec::of_pair::<E, B>() };
    let on_failure = OnFailure::Repair(lossy, repair);
    column_parts::convert(column.rows(), column.kernel(), &lossy.strict, on_failure, counts)
}

/// [`Column::lens`] on several threads.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Utf8, Utf16, par};
///
/// let mut lens = Vec::new();
/// let column = Column::<Utf8>::new("naïve😀".as_bytes(), &[0_i32, 6, 10])?;
/// par::columns::lens::<Utf8, Utf16>(&column, &mut lens);
/// assert_eq!(lens, [5, 2]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn lens<E: Encoding, B: Encoding>(column: &Column<'_, E>, lens: &mut Vec<usize>) {
    column_parts::measure(column.rows(), column.len_measurement::<B>(), lens);
}

/// [`Column::counts`] on several threads.
///
/// ```
/// use utflane::Utf8;
/// use utflane::columns::Column;
/// use utflane::par;
///
/// let mut counts = Vec::new();
/// let column = Column::<Utf8>::new("naïve😀".as_bytes(), &[0_i32, 6, 10])?;
/// par::columns::counts(&column, &mut counts);
/// assert_eq!(counts, [5, 1]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
pub fn counts<E: Encoding>(column: &Column<'_, E>, counts: &mut Vec<usize>) {
    column_parts::measure(column.rows(), column.count_measurement(), counts);
}
