//! Columns on several threads: functions of [`Column`] with the same results, bit for bit.
//!
//! The rows are split into a few parts for each thread of the pool that the call is made in. A
//! column of less than [`THRESHOLD`](super::THRESHOLD) bytes, or in a pool of one thread, is passed
//! to the method of the same name; so is one with a row that cannot be converted, whose error is
//! then that of the method. One long row is not split.
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

#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::columns::bits;
use crate::columns::convert::{Converter, OnFailure};
use crate::columns::errors;
use crate::columns::find::Search;
use crate::columns::measure::Measurement;
use crate::columns::rows::Rows;
use crate::columns::{Column, Offset, RowError, RowErrorKind, Texts};
use crate::dispatch::kernel::Kernel;
use crate::encoding::types::{Encoding, Latin1};
use crate::encoding::unit::Unit;
use crate::owned::{ConversionToVec, LossyConversionToVec};
use crate::par::split;
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
    match parts(column.rows()) {
        Some(parts) => check_parts(&column.search(), &parts)
            .map_err(|error| error.in_units(size_of::<E::Unit>())),
        None => column.check(),
    }
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
    let search = column.search();
    match parts(column.rows()) {
        Some(parts) => {
            bits_of_parts(&parts, bitmap, |rows, bits| errors::validity(&search, rows, bits))
        }
        None => column.validity(bitmap),
    }
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
    let (kernel, to_vec) = (column.kernel(), const { &ConversionToVec::of_pair::<E, Latin1>() });
    match parts(column.rows()) {
        Some(parts) => bits_of_parts(&parts, bitmap, |rows, bits| {
            Converter::<u8, i64>::fits(kernel, to_vec, rows, bits)
        }),
        None => column.fits_latin1(bitmap),
    }
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
    match parts(column.rows()) {
        Some(parts) => convert(column.kernel(), to_vec, OnFailure::Error, None, &parts)
            .unwrap_or_else(|| column.transcode::<B, O>()),
        None => column.transcode::<B, O>(),
    }
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
    match parts(column.rows()) {
        Some(parts) => convert(column.kernel(), to_vec, OnFailure::Null, None, &parts)
            .unwrap_or_else(|| column.transcode_or_null::<B, O>()),
        None => column.transcode_or_null::<B, O>(),
    }
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
    mut counts: Option<&mut Vec<usize>>,
) -> Result<Texts<B::Unit, O>, RowError> {
    let lossy = const { &LossyConversionToVec::of_pair::<E, B>() };
    let on_failure = OnFailure::Repair(lossy, repair);
    if let Some(parts) = parts(column.rows())
        && let Some(texts) =
            convert(column.kernel(), &lossy.strict, on_failure, counts.as_deref_mut(), &parts)
    {
        return texts;
    }
    column.transcode_lossy::<B, O>(repair, counts)
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
    measure(column.rows(), column.len_measurement::<B>(), lens);
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
    measure(column.rows(), column.count_measurement(), counts);
}

/// Rows that follow `first` rows of the column.
struct Part<'a> {
    first: usize,
    rows: Rows<'a>,
}

/// Returns the parts of a column, if it is worth splitting.
fn parts<'a>(rows: &Rows<'a>) -> Option<Vec<Part<'a>>> {
    let bytes = rows.byte_len();
    let size = split::part_bytes(bytes)?;
    Some(parts_of(rows, rows.len().div_ceil(bytes.div_ceil(size))))
}

/// Splits a column into parts of at least `each` rows: a multiple of eight, since a bitmap is put
/// together from whole bytes.
fn parts_of<'a>(rows: &Rows<'a>, each: usize) -> Vec<Part<'a>> {
    let (len, each) = (rows.len(), each.max(1).next_multiple_of(8));
    let part = |first| Part { first, rows: rows.part(first..len.min(first + each)) };
    (0..len).step_by(each).map(part).collect()
}

/// Returns the first ill-formed row as an error. Positions count bytes.
fn check_parts(search: &Search, parts: &[Part<'_>]) -> Result<(), RowError> {
    let error_in = |part: &Part<'_>| {
        let error = errors::check(search, &part.rows).err()?;
        Some(error.in_row(part.first + error.row()))
    };
    parts.par_iter().find_map_first(error_in).map_or(Ok(()), Err)
}

/// Replaces the content of `bitmap` by the bits of all parts. Returns the sum of what
/// `bits_of_rows` returns.
fn bits_of_parts(
    parts: &[Part<'_>],
    bitmap: &mut Vec<u8>,
    bits_of_rows: impl Fn(&Rows<'_>, &mut Vec<u8>) -> usize + Sync,
) -> usize {
    let bits_of = |part: &Part<'_>| {
        let mut bits = Vec::new();
        let found = bits_of_rows(&part.rows, &mut bits);
        (bits, found)
    };
    let found: Vec<_> = parts.par_iter().map(bits_of).collect();
    bitmap.clear();
    found.iter().for_each(|(bits, _)| bitmap.extend_from_slice(bits));
    found.iter().map(|(_, found)| found).sum()
}

/// Rows that are measured together: their lengths stay in a near cache before they are copied.
const MEASURED_ROWS: usize = 4096;

/// Replaces the content of `out` by a measure of each row.
fn measure(rows: &Rows<'_>, measurement: Measurement, out: &mut Vec<usize>) {
    match parts(rows) {
        Some(_) => measure_parts(rows, MEASURED_ROWS, measurement, out),
        None => measurement.run(rows, out),
    }
}

/// [`measure`] in parts of `each` rows.
fn measure_parts(rows: &Rows<'_>, each: usize, measurement: Measurement, out: &mut Vec<usize>) {
    // New memory is zero without being written, so that the threads are the first to touch it.
    if out.len() < rows.len() {
        *out = vec![0; rows.len()];
    }
    out.truncate(rows.len());
    let parts = parts_of(rows, each);
    let each = parts.first().map_or(1, |part| part.rows.len());
    out.par_chunks_mut(each).zip(&parts).for_each_init(Vec::new, |measured, (out, part)| {
        measurement.run(&part.rows, measured);
        out.copy_from_slice(measured);
    });
}

/// A converted part: its rows, and the repairs of each if they are counted.
type Converted<U> = (Texts<U, i64>, Vec<usize>);

/// Converts parts. Returns `None` if a row cannot be converted; the first one is then to be found.
fn convert<U: Unit, O: Offset>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    on_failure: OnFailure<'_>,
    counts: Option<&mut Vec<usize>>,
    parts: &[Part<'_>],
) -> Option<Result<Texts<U, O>, RowError>> {
    let is_counted = counts.is_some();
    let convert_part = |part: &Part<'_>| {
        let mut counts = Vec::new();
        let each = is_counted.then_some(&mut counts);
        // Any number of units is an `i64`.
        let texts = Converter::<U, i64>::new(kernel, to_vec, on_failure, each).run(&part.rows)?;
        Ok::<_, RowError>((texts, counts))
    };
    let converted: Vec<Converted<U>> =
        parts.par_iter().map(convert_part).collect::<Result<_, _>>().ok()?;
    if let Some(counts) = counts {
        counts.clear();
        converted.iter().for_each(|(_, each)| counts.extend_from_slice(each));
    }
    Some(joined(parts, &converted))
}

/// Returns the rows of all parts as those of one column.
fn joined<U: Unit, O: Offset>(
    parts: &[Part<'_>],
    converted: &[Converted<U>],
) -> Result<Texts<U, O>, RowError> {
    let (mut units, mut rows, mut repairs) = (0, 0, 0);
    let mut validity = None;
    for (part, (texts, _)) in parts.iter().zip(converted) {
        let end = |offset: &i64| O::of_size(units + offset.to_size());
        // Offsets rise, so the last one is the first to overflow.
        if texts.offsets.last().is_some_and(|last| end(last).is_none()) {
            let fit = texts.offsets.partition_point(|offset| end(offset).is_some());
            let row = part.first + fit.saturating_sub(1);
            return Err(RowError::new(row, RowErrorKind::OffsetOverflow));
        }
        append_validity(&mut validity, part.first, texts);
        units += texts.values.len();
        rows += texts.len();
        repairs += texts.repairs;
    }
    // New memory is zero without being written, so that the threads are the first to touch it.
    let (mut values, mut offsets) = (vec![U::default(); units], vec![O::default(); rows + 1]);
    let (mut values_left, mut offsets_left) = (&mut values[..], &mut offsets[1..]);
    let mut copies = Vec::with_capacity(parts.len());
    let mut before = 0;
    for (texts, _) in converted {
        let (values, offsets);
        (values, values_left) = values_left.split_at_mut(texts.values.len());
        (offsets, offsets_left) = offsets_left.split_at_mut(texts.len());
        copies.push((texts, before, values, offsets));
        before += texts.values.len();
    }
    copies.into_par_iter().for_each(|(texts, before, values, offsets)| {
        values.copy_from_slice(&texts.values);
        for (offset, end) in offsets.iter_mut().zip(&texts.offsets[1..]) {
            // The last one is known to fit.
            *offset = O::of_size(before + end.to_size()).unwrap_or_default();
        }
    });
    Ok(Texts { values, offsets, validity, repairs })
}

/// Appends the bits of a part, which follow `first` rows. There are none before a part has some.
fn append_validity<U: Unit>(validity: &mut Option<Vec<u8>>, first: usize, part: &Texts<U, i64>) {
    if part.validity.is_none() && validity.is_none() {
        return;
    }
    let all = validity.get_or_insert_with(|| vec![0xFF; first / 8]);
    match &part.validity {
        Some(bits) => all.extend_from_slice(bits),
        None => {
            let mut ones = Vec::new();
            bits::fill(part.len(), &mut ones);
            all.extend_from_slice(&ones);
        }
    }
}
