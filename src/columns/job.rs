//! The operations on the rows of a column in any encoding. A job holds the rows, and the kernel and
//! the number of threads that the caller has chosen.

use alloc::vec::Vec;

use crate::columns::convert::{Converter, OnFailure};
use crate::columns::error::RowError;
use crate::columns::find::Search;
use crate::columns::measure::Measurement;
use crate::columns::offset::Offset;
#[cfg(feature = "rayon")]
use crate::columns::parts::{self, Part};
use crate::columns::rows::Rows;
use crate::columns::texts::Texts;
use crate::columns::{errors, latin1};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::Validation;
use crate::encoding::unit::Unit;
use crate::owned::ConversionToVec;

/// The rows of a column, with the kernel and the threads for their operations.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) rows: Rows<'a>,
    /// The kernel, unless it is the active one.
    pub(crate) kernel: Option<Kernel>,
    #[cfg(feature = "rayon")]
    pub(crate) has_threads: bool,
}

impl<'a> Job<'a> {
    /// Creates a job that runs on the active kernel, in one thread.
    pub(crate) fn new(rows: Rows<'a>) -> Self {
        Self {
            rows,
            kernel: None,
            #[cfg(feature = "rayon")]
            has_threads: false,
        }
    }

    /// Returns the kernel for the operations.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::active)
    }

    /// Returns the search for ill-formed rows.
    pub(crate) fn search(&self, validation: Validation) -> Search {
        Search { kernel: self.kernel(), validation }
    }

    /// Returns the parts of the column for the threads, or `None` if the job runs on one thread or
    /// the column is too short to be split.
    #[cfg(feature = "rayon")]
    fn parts(&self) -> Option<Vec<Part<'a>>> {
        if self.has_threads { parts::split_column(&self.rows) } else { None }
    }

    /// Returns the first ill-formed row as an error. Positions count bytes.
    pub(crate) fn check(&self, validation: Validation) -> Result<(), RowError> {
        let search = self.search(validation);
        #[cfg(feature = "rayon")]
        if let Some(parts) = self.parts() {
            return parts::check(&search, &parts);
        }
        errors::check(&search, &self.rows)
    }

    /// Replaces the content of `bitmap` with one bit for each row: 1 if the row is well-formed and
    /// not null. Returns the number of ill-formed rows.
    pub(crate) fn validity(&self, validation: Validation, bitmap: &mut Vec<u8>) -> usize {
        let search = self.search(validation);
        self.write_bits(bitmap, |rows, bits| errors::mark_valid_rows(&search, rows, bits))
    }

    /// Replaces the content of `bitmap` with one bit for each row: 1 if the row fits into Latin-1
    /// and is not null. Returns the number of rows that do not fit. `to_latin1` is the conversion
    /// to Latin-1.
    pub(crate) fn fits_latin1(
        &self,
        validation: Validation,
        to_latin1: &ConversionToVec,
        bitmap: &mut Vec<u8>,
    ) -> usize {
        let search = self.search(validation);
        self.write_bits(bitmap, |rows, bits| latin1::mark_fitting(&search, to_latin1, rows, bits))
    }

    /// Replaces the content of `bitmap` with the bits that `bits_of_rows` writes for all rows.
    /// Returns the number that `bits_of_rows` returns, or the sum for all parts.
    fn write_bits(
        &self,
        bitmap: &mut Vec<u8>,
        bits_of_rows: impl Fn(&Rows<'_>, &mut Vec<u8>) -> usize + Sync,
    ) -> usize {
        #[cfg(feature = "rayon")]
        if let Some(parts) = self.parts() {
            return parts::bitmap(&parts, bitmap, bits_of_rows);
        }
        bits_of_rows(&self.rows, bitmap)
    }

    /// Replaces the content of `out` with the measure of each row.
    pub(crate) fn measure(&self, measurement: Measurement, out: &mut Vec<usize>) {
        #[cfg(feature = "rayon")]
        if self.parts().is_some() {
            return parts::measure(self.kernel(), &self.rows, measurement, out);
        }
        measurement.measure_rows(self.kernel(), &self.rows, out);
    }

    /// Converts all rows. If several threads convert the column and a row fails, the column is
    /// converted again, in one thread, up to that row.
    pub(crate) fn convert<U: Unit, O: Offset>(
        &self,
        to_vec: &ConversionToVec,
        on_failure: OnFailure<'_>,
        counts: Option<&mut Vec<usize>>,
    ) -> Result<Texts<U, O>, RowError> {
        let kernel = self.kernel();
        #[cfg(feature = "rayon")]
        let mut counts = counts;
        #[cfg(feature = "rayon")]
        if let Some(parts) = self.parts() {
            Converter::<U, O>::new(kernel, to_vec, on_failure, None).check_size(&self.rows)?;
            let row_counts = counts.as_deref_mut();
            if let Some(texts) = parts::convert(kernel, to_vec, on_failure, row_counts, &parts) {
                return texts;
            }
        }
        Converter::new(kernel, to_vec, on_failure, counts).convert_rows(&self.rows)
    }
}
