//! A column of bytes in an encoding that is chosen at run time.

use alloc::vec::Vec;
use core::fmt;

use crate::columns::convert::{Converter, OnFailure};
use crate::columns::error::RowError;
use crate::columns::errors::{self, Errors};
use crate::columns::find::Search;
use crate::columns::latin1;
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
    rows: Rows<'a>,
    kernel: Option<Kernel>,
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
        Ok(Self { scheme, rows: Rows::of_offsets(values, 0, offsets)?, kernel: None })
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
        Ok(Self { scheme, rows: Rows::of_width(values, width, rows)?, kernel: None })
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
        Ok(Self { scheme, rows: Rows::of_views(views, buffers)?, kernel: None })
    }

    /// Returns the same column, of which the rows with a 0 in a bitmap are null: see
    /// [`Column::with_nulls`](super::Column::with_nulls).
    ///
    /// # Errors
    ///
    /// The first row that has no bit.
    pub fn with_nulls(self, bitmap: &'a [u8], offset: usize) -> Result<Self, RowError> {
        Ok(Self { rows: self.rows.with_nulls(bitmap, offset)?, ..self })
    }

    /// Returns the same column, with this kernel for all that is done with it.
    #[must_use]
    pub fn with_kernel(self, kernel: Kernel) -> Self {
        Self { kernel: Some(kernel), ..self }
    }

    /// Returns where the rows are.
    #[cfg(feature = "rayon")]
    pub(crate) fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// Returns the kernel that is used.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::active)
    }

    /// Returns the search for ill-formed rows.
    pub(crate) fn search(&self) -> Search {
        Search::new(self.kernel(), validation(self.scheme))
    }

    /// Returns the encoding.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Validates all rows: [`Column::check`](super::Column::check) at run time.
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
    /// assert_eq!(column.check().unwrap_err().row(), 1);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn check(&self) -> Result<(), RowError> {
        errors::check(&self.search(), &self.rows)
    }

    /// Returns whether all rows are well-formed.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.check().is_ok()
    }

    /// Returns every ill-formed row with its error, in order.
    #[must_use]
    pub fn errors(&self) -> Errors<'a> {
        Errors::new(self.search(), self.rows, 1)
    }

    /// Replaces the content of `bitmap` by a bit for each row, and returns the number of ill-formed
    /// rows: [`Column::validity`](super::Column::validity) at run time.
    pub fn validity(&self, bitmap: &mut Vec<u8>) -> usize {
        errors::validity(&self.search(), &self.rows, bitmap)
    }

    /// Converts all rows: [`Column::transcode`](super::Column::transcode) at run time.
    ///
    /// # Errors
    ///
    /// The first row that is ill-formed, has a character that `to` lacks, or ends after more bytes
    /// than an offset can count.
    pub fn transcode<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        let to_vec = self.conversion(to);
        Converter::new(self.kernel(), &to_vec, OnFailure::Error, None).run(&self.rows)
    }

    /// Converts all rows, and those that fail to null:
    /// [`Column::transcode_or_null`](super::Column::transcode_or_null) at run time.
    ///
    /// # Errors
    ///
    /// The first row that ends after more bytes than an offset can count.
    pub fn transcode_or_null<O: Offset>(&self, to: Scheme) -> Result<Texts<u8, O>, RowError> {
        let to_vec = self.conversion(to);
        Converter::new(self.kernel(), &to_vec, OnFailure::Null, None).run(&self.rows)
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
        let lossy = LossyConversionToVec::of(self.scheme, to, 1, 1);
        let on_failure = OnFailure::Repair(&lossy, repair);
        Converter::new(self.kernel(), &lossy.strict, on_failure, counts).run(&self.rows)
    }

    /// Returns the conversion to a scheme.
    pub(crate) fn conversion(&self, to: Scheme) -> ConversionToVec {
        ConversionToVec::of(pairs::transcode(self.scheme, to), 1, 1)
    }

    /// Replaces the content of `lens` by the bytes of the scheme `to` that each row becomes:
    /// [`Column::lens`](super::Column::lens) at run time.
    pub fn lens(&self, to: Scheme, lens: &mut Vec<usize>) {
        self.len_measurement(to).run(&self.rows, lens);
    }

    /// Returns the measurement of [`lens`](Self::lens).
    pub(crate) fn len_measurement(&self, to: Scheme) -> Measurement {
        Measurement {
            kernel: self.kernel(),
            from: self.scheme,
            measure: pairs::len(self.scheme, to),
            before: prefix::len(self.scheme, to),
            scale: to.unit_size(),
            ascii_is_one: measure::ascii_is_one(to),
        }
    }

    /// Replaces the content of `counts` by the code points of each row:
    /// [`Column::counts`](super::Column::counts) at run time.
    pub fn counts(&self, counts: &mut Vec<usize>) {
        self.count_measurement().run(&self.rows, counts);
    }

    /// Returns the measurement of [`counts`](Self::counts).
    pub(crate) fn count_measurement(&self) -> Measurement {
        Measurement {
            kernel: self.kernel(),
            from: self.scheme,
            measure: pairs::count(self.scheme),
            before: prefix::count(self.scheme),
            scale: 1,
            ascii_is_one: true,
        }
    }

    /// Replaces the content of `bitmap` by a bit for each row whose characters are all below
    /// U+0100: [`Column::fits_latin1`](super::Column::fits_latin1) at run time.
    pub fn fits_latin1(&self, bitmap: &mut Vec<u8>) -> usize {
        let to_vec = self.conversion(Scheme::Latin1);
        latin1::fits(&self.search(), &to_vec, &self.rows, bitmap)
    }
}
