//! A column of bytes in an encoding that is chosen at run time.

use alloc::vec::Vec;
use core::fmt;

use crate::columns::convert::OnFailure;
use crate::columns::error::RowError;
use crate::columns::errors::Errors;
use crate::columns::job::Job;
use crate::columns::measure::{self, Measurement};
use crate::columns::offset::Offset;
use crate::columns::rows::Rows;
use crate::columns::texts::Texts;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::prefix;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::scheme::Scheme;
use crate::owned::{ConversionToVec, LossyConversionToVec};
use crate::types::policy::Repair;

/// A [`Column`](super::Column) whose encoding is chosen at run time. All sizes and offsets are in
/// bytes.
///
/// ```
/// use utflane::Scheme;
/// use utflane::columns::ByteColumn;
///
/// let column = ByteColumn::new(Scheme::Latin1, b"caf\xE9au lait", &[0_i32, 4, 11])?;
/// let texts = column.transcode::<i32>(Scheme::Utf8)?;
/// assert_eq!(texts.values, "caféau lait".as_bytes());
/// assert_eq!(texts.offsets, [0, 5, 12]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
#[derive(Clone, Copy)]
pub struct ByteColumn<'a> {
    scheme: Scheme,
    job: Job<'a>,
}

impl fmt::Debug for ByteColumn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteColumn")
            .field("scheme", &self.scheme)
            .field("len", &self.len())
            .finish()
    }
}

impl<'a> ByteColumn<'a> {
    /// Creates a column of values and offsets: see [`Column::new`](super::Column::new).
    ///
    /// # Errors
    ///
    /// The first row whose offsets decrease or lie outside the values.
    pub fn new<O: Offset>(
        scheme: Scheme,
        values: &'a [u8],
        offsets: &'a [O],
    ) -> Result<Self, RowError> {
        Ok(Self { scheme, job: Job::new(Rows::from_offsets(values, 0, offsets)?) })
    }

    /// Creates a column of rows of `width` bytes: see [`Column::fixed`](super::Column::fixed).
    ///
    /// # Errors
    ///
    /// The first row that lies outside the values. If `width` is 0, a column can have 2^24 rows,
    /// and the error is row 2^24.
    pub fn fixed(
        scheme: Scheme,
        values: &'a [u8],
        width: usize,
        rows: usize,
    ) -> Result<Self, RowError> {
        Ok(Self { scheme, job: Job::new(Rows::from_width(values, width, rows)?) })
    }

    /// Creates a column of views: see [`Column::of_views`](super::Column::of_views).
    ///
    /// # Errors
    ///
    /// The first row that lies outside its buffer, or whose view names a buffer that does not
    /// exist.
    pub fn of_views(
        scheme: Scheme,
        views: &'a [u128],
        buffers: &'a [&'a [u8]],
    ) -> Result<Self, RowError> {
        Ok(Self { scheme, job: Job::new(Rows::of_views(views, buffers)?) })
    }

    /// Returns the same column with nulls. A row is null if its bit in the bitmap is 0: see
    /// [`Column::with_nulls`](super::Column::with_nulls).
    ///
    /// # Errors
    ///
    /// The first row for which the bitmap has no bit.
    pub fn with_nulls(self, bitmap: &'a [u8], offset: usize) -> Result<Self, RowError> {
        Ok(Self { job: self.job.with_nulls(bitmap, offset)?, ..self })
    }

    /// Returns the same column. All its operations run on `kernel`.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { job: self.job.with_kernel(kernel), ..self }
    }

    /// Returns the same column. Its operations split the rows among several threads: see
    /// [`Column::with_threads`](super::Column::with_threads).
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn with_threads(self) -> Self {
        Self { job: self.job.with_threads(), ..self }
    }

    /// Returns the encoding.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.job.rows.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Validates all rows, like [`Column::validate`](super::Column::validate).
    ///
    /// # Errors
    ///
    /// The first ill-formed row.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane::columns::ByteColumn;
    ///
    /// let column = ByteColumn::fixed(Scheme::Utf16Be, b"\0a\xD8\0", 2, 2)?;
    /// assert_eq!(column.validate().unwrap_err().row(), 1);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn validate(&self) -> Result<(), RowError> {
        self.job.check(validation(self.scheme))
    }

    /// Returns true if all rows are well-formed.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.validate().is_ok()
    }

    /// Returns every ill-formed row with its error, in order.
    #[must_use]
    pub fn errors(&self) -> Errors<'a> {
        Errors::new(self.job.search(validation(self.scheme)), self.job.rows, 1)
    }

    /// Replaces the content of `bitmap` with one bit for each row, like
    /// [`Column::validity`](super::Column::validity). Returns the number of ill-formed rows.
    pub fn validity(&self, bitmap: &mut Vec<u8>) -> usize {
        self.job.validity(validation(self.scheme), bitmap)
    }

    /// Converts all rows, like [`Column::transcode`](super::Column::transcode).
    ///
    /// # Errors
    ///
    /// The first row that is ill-formed, has a character that `to` lacks, or ends at a byte offset
    /// that `O` cannot hold.
    pub fn transcode<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        self.job.convert(&self.conversion(to), OnFailure::Error, None)
    }

    /// Converts all rows, like [`Column::transcode_or_null`](super::Column::transcode_or_null).
    /// Rows that fail become null.
    ///
    /// # Errors
    ///
    /// The first row that ends at a byte offset that `O` cannot hold.
    pub fn transcode_or_null<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        self.job.convert(&self.conversion(to), OnFailure::Null, None)
    }

    /// Converts all rows with repairs, like
    /// [`Column::transcode_lossy`](super::Column::transcode_lossy).
    ///
    /// # Errors
    ///
    /// The first row that ends at a byte offset that `O` cannot hold.
    pub fn transcode_lossy<O: Offset>(
        &self,
        to: Scheme,
        repair: Repair,
        counts: Option<&mut Vec<usize>>,
    ) -> Result<Texts<u8, O>, RowError> {
        let lossy = LossyConversionToVec::for_pair(self.scheme, to, 1);
        self.job.convert(&lossy.strict, OnFailure::Repair(&lossy, repair), counts)
    }

    /// Returns the conversion of this column to the scheme `to`.
    fn conversion(&self, to: Scheme) -> ConversionToVec {
        ConversionToVec::new(pairs::transcode(self.scheme, to), 1)
    }

    /// Replaces the content of `lens` with the length of each row in the scheme `to`, in bytes,
    /// like [`Column::lens`](super::Column::lens).
    pub fn lens(&self, to: Scheme, lens: &mut Vec<usize>) {
        let measurement = Measurement {
            kernel: self.job.kernel(),
            from: self.scheme,
            measure: pairs::len(self.scheme, to),
            counts_before: prefix::len(self.scheme, to),
            scale: to.unit_size(),
            ascii_is_one_unit: measure::ascii_is_one_unit(to),
        };
        self.job.measure(measurement, lens);
    }

    /// Replaces the content of `counts` with the number of code points in each row, like
    /// [`Column::counts`](super::Column::counts).
    pub fn counts(&self, counts: &mut Vec<usize>) {
        let measurement = Measurement {
            kernel: self.job.kernel(),
            from: self.scheme,
            measure: pairs::count(self.scheme),
            counts_before: prefix::count(self.scheme),
            scale: 1,
            ascii_is_one_unit: true,
        };
        self.job.measure(measurement, counts);
    }

    /// Replaces the content of `bitmap` with one bit for each row: 1 if all its characters are
    /// below U+0100. See [`Column::fits_latin1`](super::Column::fits_latin1).
    pub fn fits_latin1(&self, bitmap: &mut Vec<u8>) -> usize {
        let to_latin1 = self.conversion(Scheme::Latin1);
        self.job.fits_latin1(validation(self.scheme), &to_latin1, bitmap)
    }
}
