//! Tests if offsets can count a result, before it is written.

use core::ops::Range;

use crate::columns::convert::{Converter, OnFailure};
use crate::columns::error::{RowError, RowErrorKind};
use crate::columns::offset::Offset;
use crate::columns::rows::Rows;
use crate::columns::sequences;
use crate::encoding::unit::Unit;
use crate::lossy::lengths::most_per_unit;

/// The most rows that are converted before their units are discarded.
const DISCARDED_ROWS: usize = 1024;

/// Bytes of such rows, about.
const DISCARDED_BYTES: usize = 1 << 20;

impl<U: Unit, O: Offset> Converter<'_, U, O> {
    /// Returns true if the size of the source leaves it open that the result has more units than
    /// an offset can count.
    fn may_overflow(&self, rows: &Rows<'_>) -> bool {
        let conversion = self.to_vec.conversion;
        let size = conversion.from.unit_size();
        // Each row may end with a fragment of a unit.
        let fragments = if size == 1 { 0 } else { rows.len() };
        let units = (rows.byte_len() / size).saturating_add(fragments);
        let most = match self.on_failure {
            OnFailure::Error | OnFailure::Null => self.to_vec.growth.max_per_unit,
            OnFailure::Repair(_, repair) => {
                most_per_unit(conversion.from, conversion.to, repair) * conversion.to.unit_size()
            }
        };
        O::of_size(units.saturating_mul(most) / size_of::<U>()).is_none()
    }

    /// Tests if offsets can count the result, without holding it: where its size leaves that
    /// open, a few rows at a time are converted into the same memory.
    ///
    /// # Errors
    ///
    /// The error of the conversion.
    pub(crate) fn check_size(&self, rows: &Rows<'_>) -> Result<(), RowError> {
        if !self.may_overflow(rows) {
            return Ok(());
        }
        let (kernel, to_vec, on_failure) = (self.kernel, self.to_vec, self.on_failure);
        // Any number of units is an `i64`.
        let mut converter = Converter::<U, i64>::new(kernel, to_vec, on_failure, None);
        converter.rows = rows.len();
        let of_a_row = rows.byte_len() / rows.len().max(1);
        let each = (DISCARDED_BYTES / of_a_row.max(1)).clamp(1, DISCARDED_ROWS);
        let (mut first, mut units) = (0, 0);
        while first < rows.len() {
            let range = first..rows.len().min(first.saturating_add(each));
            converter.texts.values.clear();
            converter.texts.offsets.clear();
            let result = sequences::visit(rows, range.clone(), &mut converter);
            check_output_offsets::<O>(&converter.texts.offsets, range.clone(), units)?;
            result?;
            units += converter.texts.values.len();
            first = range.end;
        }
        Ok(())
    }
}

/// Tests if offsets can count the ends of the first rows of `range`, which follow so many
/// units.
fn check_output_offsets<O: Offset>(
    ends: &[i64],
    range: Range<usize>,
    units: usize,
) -> Result<(), RowError> {
    let overflows = |end: &i64| O::of_size(units.saturating_add(end.to_size())).is_none();
    // The ends rise, so the last one is the first to overflow.
    if !ends.last().is_some_and(overflows) {
        return Ok(());
    }
    let row = range.start + ends.partition_point(|end| !overflows(end));
    Err(RowError::new(row, RowErrorKind::OffsetOverflow))
}
