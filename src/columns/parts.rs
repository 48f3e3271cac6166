//! Runs operations on the parts of a column on several threads, for any encoding.
//!
//! A column of less than [`THRESHOLD`](crate::par::THRESHOLD) bytes is not split, and a single long
//! row is not split either. The results are the same as on one thread, bit for bit.

use rayon::prelude::*;

use crate::columns::convert::{Converter, OnFailure};
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::find::Search;
use crate::columns::measure::Measurement;
use crate::columns::offset::Offset;
use crate::columns::rows::Rows;
use crate::columns::texts::Texts;
use crate::columns::{bits, errors};
use crate::dispatch::kernel::Kernel;
use crate::encoding::unit::Unit;
use crate::owned::ConversionToVec;
use crate::par::split;

/// A part of a column: `rows`, before which the column has `first` rows.
pub(super) struct Part<'a> {
    first: usize,
    rows: Rows<'a>,
}

/// Returns the parts of a column, or `None` if the column is too short to be split.
pub(super) fn split_column<'a>(rows: &Rows<'a>) -> Option<Vec<Part<'a>>> {
    let bytes = rows.byte_len();
    let part_bytes = split::part_bytes(bytes)?;
    Some(split_rows(rows, rows.len().div_ceil(bytes.div_ceil(part_bytes))))
}

/// Splits a column into parts of at least `rows_per_part` rows. The number of rows of each part
/// except the last is a multiple of eight, so that the bitmaps of the parts are whole bytes.
fn split_rows<'a>(rows: &Rows<'a>, rows_per_part: usize) -> Vec<Part<'a>> {
    let (len, rows_per_part) = (rows.len(), rows_per_part.max(1).next_multiple_of(8));
    let part = |first| Part { first, rows: rows.part(first..len.min(first + rows_per_part)) };
    (0..len).step_by(rows_per_part).map(part).collect()
}

/// Returns the first ill-formed row as an error. Positions count bytes.
pub(super) fn check(search: &Search, parts: &[Part<'_>]) -> Result<(), RowError> {
    let error_in = |part: &Part<'_>| {
        let error = errors::check(search, &part.rows).err()?;
        Some(RowError { row: part.first + error.row, ..error })
    };
    parts.par_iter().find_map_first(error_in).map_or(Ok(()), Err)
}

/// Replaces the content of `bitmap` with the bits that `bits_of_rows` writes for each part. Returns
/// the sum of the numbers that `bits_of_rows` returns.
pub(super) fn bitmap(
    parts: &[Part<'_>],
    bitmap: &mut Vec<u8>,
    bits_of_rows: impl Fn(&Rows<'_>, &mut Vec<u8>) -> usize + Sync,
) -> usize {
    let bits_of_part = |part: &Part<'_>| {
        let mut bits = Vec::new();
        let row_count = bits_of_rows(&part.rows, &mut bits);
        (bits, row_count)
    };
    let results: Vec<_> = parts.par_iter().map(bits_of_part).collect();
    bitmap.clear();
    results.iter().for_each(|(bits, _)| bitmap.extend_from_slice(bits));
    results.iter().map(|(_, row_count)| row_count).sum()
}

/// The number of rows that are measured together. Their measures are still in a cache near the core
/// when they are copied to the result.
const MEASURED_ROWS: usize = 4096;

/// Replaces the content of `out` with the measure of each row.
pub(super) fn measure(
    kernel: Kernel,
    rows: &Rows<'_>,
    measurement: Measurement,
    out: &mut Vec<usize>,
) {
    // The allocator returns zeroed memory without writing to it, so the threads are the first to
    // touch it.
    if out.len() < rows.len() {
        *out = vec![0; rows.len()];
    }
    out.truncate(rows.len());
    let parts = split_rows(rows, MEASURED_ROWS);
    out.par_chunks_mut(MEASURED_ROWS).zip(&parts).for_each_init(
        Vec::new,
        |measured, (out, part)| {
            measurement.measure_rows(kernel, &part.rows, measured);
            out.copy_from_slice(measured);
        },
    );
}

/// A converted part: its rows, and the number of repairs in each row if the caller wants it.
type Converted<U> = (Texts<U, i64>, Vec<usize>);

/// Converts the parts of a column. Returns `None` if a row cannot be converted. The caller then
/// finds the first such row.
pub(super) fn convert<U: Unit, O: Offset>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    on_failure: OnFailure<'_>,
    counts: Option<&mut Vec<usize>>,
    parts: &[Part<'_>],
) -> Option<Result<Texts<U, O>, RowError>> {
    let is_counted = counts.is_some();
    let convert_part = |part: &Part<'_>| {
        let mut counts = Vec::new();
        let row_counts = is_counted.then_some(&mut counts);
        // `i64` is large enough for any number of units.
        let converter = Converter::<U, i64>::new(kernel, to_vec, on_failure, row_counts);
        let texts = converter.convert_rows(&part.rows)?;
        Ok::<_, RowError>((texts, counts))
    };
    let converted: Vec<Converted<U>> =
        parts.par_iter().map(convert_part).collect::<Result<_, _>>().ok()?;
    if let Some(counts) = counts {
        counts.clear();
        converted.iter().for_each(|(_, part_counts)| counts.extend_from_slice(part_counts));
    }
    Some(join_parts(parts, &converted))
}

/// Returns the rows of all parts as one column.
fn join_parts<U: Unit, O: Offset>(
    parts: &[Part<'_>],
    converted: &[Converted<U>],
) -> Result<Texts<U, O>, RowError> {
    let (mut units, mut rows, mut repairs) = (0, 0, 0);
    let mut validity = None;
    for (part, (texts, _)) in parts.iter().zip(converted) {
        let end = |offset: &i64| O::of_size(units + offset.to_size());
        // The offsets are in order: if the last offset does not overflow, no offset does.
        if texts.offsets.last().is_some_and(|last| end(last).is_none()) {
            let fit = texts.offsets.partition_point(|offset| end(offset).is_some());
            let row = part.first + fit.saturating_sub(1);
            return Err(RowError { row, kind: RowErrorKind::OffsetOverflow });
        }
        append_validity(&mut validity, part.first, texts);
        units += texts.values.len();
        rows += texts.rows();
        repairs += texts.repairs;
    }
    // The allocator returns zeroed memory without writing to it, so the threads are the first to
    // touch it.
    let (mut values, mut offsets) = (vec![U::default(); units], vec![O::default(); rows + 1]);
    let (mut values_left, mut offsets_left) = (&mut values[..], &mut offsets[1..]);
    let mut copies = Vec::with_capacity(parts.len());
    let mut before = 0;
    for (texts, _) in converted {
        let values = values_left.split_off_mut(..texts.values.len()).unwrap_or_default();
        let offsets = offsets_left.split_off_mut(..texts.rows()).unwrap_or_default();
        copies.push((texts, before, values, offsets));
        before += texts.values.len();
    }
    copies.into_par_iter().for_each(|(texts, before, values, offsets)| {
        values.copy_from_slice(&texts.values);
        for (offset, end) in offsets.iter_mut().zip(&texts.offsets[1..]) {
            // This does not fail, because the last offset of each part fits.
            *offset = O::of_size(before + end.to_size()).unwrap_or_default();
        }
    });
    Ok(Texts { values, offsets, validity, repairs })
}

/// Appends the validity bits of a part, before which the column has `first` rows. `validity` is
/// `None` until a part has a null row.
fn append_validity<U: Unit>(validity: &mut Option<Vec<u8>>, first: usize, part: &Texts<U, i64>) {
    if part.validity.is_none() && validity.is_none() {
        return;
    }
    let all = validity.get_or_insert_with(|| vec![0xFF; first / 8]);
    match &part.validity {
        Some(bits) => all.extend_from_slice(bits),
        None => {
            let mut ones = Vec::new();
            bits::fill_with_ones(part.rows(), &mut ones);
            all.extend_from_slice(&ones);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_overflow_reports_the_row() {
        let rows = Rows::from_width(&[], 0, 3).expect("three empty rows are allowed");
        let parts = [Part { first: 16, rows }];
        // Only the offsets are examined, so no text of 2 GiB is needed.
        let offsets = vec![0, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001];
        let texts = Texts::<u8, i64> { offsets, ..Texts::default() };
        let joined = join_parts::<u8, i32>(&parts, &[(texts, Vec::new())]);
        assert_eq!(joined, Err(RowError { row: 17, kind: RowErrorKind::OffsetOverflow }));
    }
}
