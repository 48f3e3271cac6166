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

/// [`Column`](super::Column) for an encoding chosen at run time. All sizes are in bytes.
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
    /// The first row whose offsets fall or lie outside the values.
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
    /// The first row that lies outside the values; of width 0, row 2^24, if there is one.
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
    /// The first row that lies outside its buffer, or names one that is not there.
    pub fn of_views(
        scheme: Scheme,
        views: &'a [u128],
        buffers: &'a [&'a [u8]],
    ) -> Result<Self, RowError> {
        Ok(Self { scheme, job: Job::new(Rows::of_views(views, buffers)?) })
    }

    /// Returns the same column with nulls: a row is null if its bit in the bitmap is 0: see
    /// [`Column::with_nulls`](super::Column::with_nulls).
    ///
    /// # Errors
    ///
    /// The first row that has no bit.
    pub fn with_nulls(self, bitmap: &'a [u8], offset: usize) -> Result<Self, RowError> {
        Ok(Self { job: self.job.with_nulls(bitmap, offset)?, ..self })
    }

    /// Returns the same column, with this kernel for all that is done with it.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { job: self.job.with_kernel(kernel), ..self }
    }

    /// Returns the same column, whose rows threads share: see
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

    /// Validates all rows: [`Column::validate`](super::Column::validate) at run time.
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

    /// Replaces the content of `bitmap` by a bit for each row, and returns the number of ill-formed
    /// rows: [`Column::validity`](super::Column::validity) at run time.
    pub fn validity(&self, bitmap: &mut Vec<u8>) -> usize {
        self.job.validity(validation(self.scheme), bitmap)
    }

    /// Converts all rows: [`Column::transcode`](super::Column::transcode) at run time.
    ///
    /// # Errors
    ///
    /// The first row that is ill-formed, has a character that `to` lacks, or ends after more bytes
    /// than an offset can count.
    pub fn transcode<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        self.job.convert(&self.conversion(to), OnFailure::Error, None)
    }

    /// Converts all rows. Rows that fail become null:
    /// [`Column::transcode_or_null`](super::Column::transcode_or_null) at run time.
    ///
    /// # Errors
    ///
    /// The first row that ends after more bytes than an offset can count.
    pub fn transcode_or_null<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        self.job.convert(&self.conversion(to), OnFailure::Null, None)
    }

    /// Converts all rows with repairs:
    /// [`Column::transcode_lossy`](super::Column::transcode_lossy) at run time.
    ///
    /// # Errors
    ///
    /// The first row that ends after more bytes than an offset can count.
    pub fn transcode_lossy<O: Offset>(
        &self,
        to: Scheme,
        repair: Repair,
        counts: Option<&mut Vec<usize>>,
    ) -> Result<Texts<u8, O>, RowError> {
        let lossy = LossyConversionToVec::for_pair(self.scheme, to, 1);
        self.job.convert(&lossy.strict, OnFailure::Repair(&lossy, repair), counts)
    }

    /// Returns the conversion to a scheme.
    fn conversion(&self, to: Scheme) -> ConversionToVec {
        ConversionToVec::new(pairs::transcode(self.scheme, to), 1)
    }

    /// Replaces the content of `lens` by the bytes of the scheme `to` that each row becomes:
    /// [`Column::lens`](super::Column::lens) at run time.
    pub fn lens(&self, to: Scheme, lens: &mut Vec<usize>) {
        let measurement = Measurement {
            kernel: self.job.kernel(),
            from: self.scheme,
            measure: pairs::len(self.scheme, to),
            before: prefix::len(self.scheme, to),
            scale: to.unit_size(),
            ascii_is_one: measure::ascii_is_one(to),
        };
        self.job.measure(measurement, lens);
    }

    /// Replaces the content of `counts` by the code points of each row:
    /// [`Column::counts`](super::Column::counts) at run time.
    pub fn counts(&self, counts: &mut Vec<usize>) {
        let measurement = Measurement {
            kernel: self.job.kernel(),
            from: self.scheme,
            measure: pairs::count(self.scheme),
            before: prefix::count(self.scheme),
            scale: 1,
            ascii_is_one: true,
        };
        self.job.measure(measurement, counts);
    }

    /// Replaces the content of `bitmap` by a bit for each row whose characters are all below
    /// U+0100: [`Column::fits_latin1`](super::Column::fits_latin1) at run time.
    pub fn fits_latin1(&self, bitmap: &mut Vec<u8>) -> usize {
        let to_latin1 = self.conversion(Scheme::Latin1);
        self.job.fits_latin1(validation(self.scheme), &to_latin1, bitmap)
    }
}
