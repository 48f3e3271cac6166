//! Checks that the offset type is large enough for the number of units of a result, before the
//! result is written.

use core::ops::Range;

use crate::columns::convert::{Converter, MAX_ROWS_PER_STEP, OnFailure};
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::offset::Offset;
use crate::columns::rows::Rows;
use crate::columns::sequences;
use crate::encoding::unit::Unit;
use crate::lossy::lengths::max_units_per_unit;

/// The approximate number of source bytes after which the result is discarded.
const STEP_BYTES: usize = 1 << 20;

impl<U: Unit, O: Offset> Converter<'_, U, O> {
    /// Returns true if a result of the maximum size for this source could overflow the offsets.
    fn may_overflow(&self, rows: &Rows<'_>) -> bool {
        let conversion = self.to_vec.conversion;
        let unit_size = conversion.from.unit_size();
        // Each row may end with an incomplete unit.
        let incomplete = if unit_size == 1 { 0 } else { rows.len() };
        let units = (rows.byte_len() / unit_size).saturating_add(incomplete);
        let max_bytes_per_unit = match self.on_failure {
            OnFailure::Error | OnFailure::Null => self.to_vec.growth.max_bytes_per_unit,
            OnFailure::Repair(_, repair) => {
                max_units_per_unit(conversion.from, conversion.to, repair)
                    * conversion.to.unit_size()
            }
        };
        O::of_size(units.saturating_mul(max_bytes_per_unit) / size_of::<U>()).is_none()
    }

    /// Checks that the offset type is large enough for the number of units of the result. If the
    /// size of the source does not decide this, a few rows at a time are converted into the same
    /// memory, so the whole result is never in memory.
    ///
    /// # Errors
    ///
    /// Returns an error for the first row that cannot be converted, or that ends at an offset that
    /// `O` cannot hold.
    pub(crate) fn check_size(&self, rows: &Rows<'_>) -> Result<(), RowError> {
        if !self.may_overflow(rows) {
            return Ok(());
        }
        let (kernel, to_vec, on_failure) = (self.kernel, self.to_vec, self.on_failure);
        // `i64` is large enough for any number of units.
        let mut converter = Converter::<U, i64>::new(kernel, to_vec, on_failure, None);
        converter.row_count = rows.len();
        let bytes_per_row = rows.byte_len() / rows.len().max(1);
        let rows_per_step = (STEP_BYTES / bytes_per_row.max(1)).clamp(1, MAX_ROWS_PER_STEP);
        let mut units = 0;
        for first in (0..rows.len()).step_by(rows_per_step) {
            let range = first..rows.len().min(first + rows_per_step);
            converter.texts.values.clear();
            converter.texts.offsets.clear();
            let result = sequences::visit(rows, range.clone(), &mut converter);
            check_output_offsets::<O>(&converter.texts.offsets, range, units)?;
            result?;
            units += converter.texts.values.len();
        }
        Ok(())
    }
}

/// Checks that offsets of type `O` can hold the ends of the first rows of `range` in the result.
/// `ends` are offsets relative to the start of `range`, and `units_before` units precede it.
fn check_output_offsets<O: Offset>(
    ends: &[i64],
    range: Range<usize>,
    units_before: usize,
) -> Result<(), RowError> {
    let overflows = |end: &i64| O::of_size(units_before.saturating_add(end.to_size())).is_none();
    // The ends are in order: if the last end does not overflow, no end does.
    if !ends.last().is_some_and(overflows) {
        return Ok(());
    }
    let row = range.start + ends.partition_point(|end| !overflows(end));
    Err(RowError { row, kind: RowErrorKind::OffsetOverflow })
}
