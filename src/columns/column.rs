//! A column: the rows, their encoding, and the operations on them.

use alloc::vec::Vec;
use core::fmt;

use crate::columns::convert::OnFailure;
use crate::columns::error::RowError;
use crate::columns::errors::Errors;
use crate::columns::job::Job;
use crate::columns::measure::Measurement;
use crate::columns::offset::Offset;
use crate::columns::row_encoding::{RowEncoding, choose};
use crate::columns::rows::Rows;
use crate::columns::texts::Texts;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::{Validation, validation};
use crate::encoding::types::Latin1;
use crate::encoding::view;
use crate::owned::{ConversionToVec, LossyConversionToVec};
use crate::types::policy::Repair;

/// A column of texts in the encoding `E`: borrowed values, and the bounds of each row in the
/// values. The encoding is a type, or a [`Scheme`](crate::Scheme) that is chosen at run time.
///
/// [`new`](Self::new) takes offsets, [`fixed`](Self::fixed) a width, and
/// [`of_views`](Self::of_views) Arrow's views. Each of these functions checks that every row lies
/// inside the values. It does not examine the text.
///
/// ```
/// use utflane::columns::Column;
/// use utflane::{Utf8, Utf16};
///
/// let column = Column::new(Utf8, "åøæ".as_bytes(), &[0_i32, 2, 2, 6])?;
/// assert_eq!(column.rows(), 3);
/// assert_eq!(column.validate(), Ok(()));
/// let texts = column.transcode::<i32, _>(Utf16)?;
/// assert_eq!(texts.values, [0xE5, 0xF8, 0xE6]);
/// assert_eq!(texts.offsets, [0, 1, 1, 3]);
/// # Ok::<(), utflane::columns::RowError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Column<'a, E: RowEncoding> {
    encoding: E,
    job: Job<'a>,
}

impl<E: RowEncoding> fmt::Debug for Column<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Column")
            .field("encoding", &self.encoding)
            .field("rows", &self.rows())
            .finish()
    }
}

impl<'a, E: RowEncoding> Column<'a, E> {
    /// Creates a column of values and offsets: row `i` is `values[offsets[i]..offsets[i + 1]]`.
    ///
    /// Offsets are counted in units. There is one more offset than rows, and an empty slice means
    /// no rows. The first offset need not be 0, and the last offset need not be the end of the
    /// values.
    ///
    /// # Errors
    ///
    /// The first row whose offsets decrease or lie outside the values.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::{Column, RowErrorKind};
    ///
    /// let column = Column::new(Utf8, b"one two three", &[4_i64, 7])?;
    /// assert_eq!(column.rows(), 1);
    /// let error = Column::new(Utf8, b"one", &[0_i32, 3, 4]).unwrap_err();
    /// assert_eq!((error.row, error.kind), (1, RowErrorKind::OutsideValues));
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn new<O: Offset>(
        encoding: E,
        values: &'a [E::Unit],
        offsets: &'a [O],
    ) -> Result<Self, RowError> {
        let unit_log2 = const { size_of::<E::Unit>().trailing_zeros() };
        let rows = Rows::from_offsets(view::bytes(values), unit_log2, offsets)?;
        Ok(Self { encoding, job: Job::new(rows) })
    }

    /// Creates a column of `rows` rows of `width` units each. Values after the last row are
    /// ignored.
    ///
    /// # Errors
    ///
    /// The first row that lies outside the values. If `width` is 0, a column can have 2^24 rows,
    /// and the error is row 2^24.
    ///
    /// ```
    /// use utflane::Ascii;
    /// use utflane::columns::Column;
    ///
    /// assert!(Column::fixed(Ascii, b"NOKSEKDKK", 3, 3)?.validate().is_ok());
    /// assert_eq!(Column::fixed(Ascii, b"NOKSE", 3, 2).unwrap_err().row, 1);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn fixed(
        encoding: E,
        values: &'a [E::Unit],
        width: usize,
        rows: usize,
    ) -> Result<Self, RowError> {
        // A saturated width is larger than any values, so it is an error unless there are no rows.
        let width = width.saturating_mul(size_of::<E::Unit>());
        let rows = Rows::from_width(view::bytes(values), width, rows)?;
        Ok(Self { encoding, job: Job::new(rows) })
    }

    /// Returns the same column with nulls. A row is null if its bit in `bitmap` is 0. The bit of
    /// row 0 is bit `offset` of `bitmap`; the lowest bit of a byte comes first.
    ///
    /// # Errors
    ///
    /// The first row for which the bitmap has no bit.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let column = Column::new(Utf8, b"a\xFFb", &[0_i32, 1, 2, 3])?;
    /// assert!(column.validate().is_err());
    /// assert!(column.with_nulls(&[0b1010], 1)?.validate().is_ok());
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn with_nulls(mut self, bitmap: &'a [u8], offset: usize) -> Result<Self, RowError> {
        self.job.rows = self.job.rows.with_nulls(bitmap, offset)?;
        Ok(self)
    }

    /// Returns the same column. All its operations run on `kernel`.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Kernel, Utf8};
    ///
    /// let column = Column::new(Utf8, b"text", &[0_i32, 4])?.with_kernel(Kernel::SCALAR);
    /// assert!(column.validate().is_ok());
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.job.kernel = Some(kernel);
        self
    }

    /// Returns the same column. Its operations split the rows among the threads of the `rayon` pool
    /// in which they are called. The results are the same, bit for bit.
    ///
    /// The rows are split into a few parts for each thread. They are not split if the column has
    /// less than [`THRESHOLD`](crate::par::THRESHOLD) bytes, if the pool has one thread, or in
    /// [`errors`](Self::errors). A single long row is not split. After [`validate`](Self::validate)
    /// has found an ill-formed row, it begins no later part. A column that cannot be converted is
    /// converted again, in one thread, up to the row that fails.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Latin1, Utf8};
    ///
    /// let column = Column::fixed(Latin1, &[0xE9; 2_000_000], 4, 500_000)?.with_threads();
    /// let texts = column.transcode::<i32, _>(Utf8)?;
    /// assert_eq!(texts.get(499_999), Some("éééé".as_bytes()));
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn with_threads(mut self) -> Self {
        self.job.has_threads = true;
        self
    }

    /// Returns the validation of the rows.
    fn validation(&self) -> Validation {
        let encoding = self.encoding;
        choose!(encoding: E => validation(encoding))
    }

    /// Returns the conversion of the rows to the encoding `to`.
    fn conversion_to<T: RowEncoding>(&self, to: T) -> ConversionToVec {
        let from = self.encoding;
        choose!(from: E, to: T =>
            ConversionToVec::new(pairs::transcode(from, to), size_of::<E::Unit>()))
    }

    /// Returns the measurement of the lengths of the rows in the encoding `to`.
    fn measurement_of_len<T: RowEncoding>(&self, to: T) -> Measurement {
        let from = self.encoding;
        choose!(from: E, to: T => Measurement::of_len(from, to, size_of::<T::Unit>()))
    }

    /// Returns the encoding.
    #[must_use]
    pub fn encoding(&self) -> E {
        self.encoding
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.job.rows.len()
    }

    /// Validates all rows in one pass.
    ///
    /// # Errors
    ///
    /// The first ill-formed row. The offsets of the error count from the start of the row.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let error = Column::new(Utf8, b"ab\xC3\xA9", &[0_i32, 1, 3, 4])?.validate().unwrap_err();
    /// assert_eq!(error.row, 1); // the bound splits a character
    /// assert!(error.text().unwrap().is_incomplete());
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn validate(&self) -> Result<(), RowError> {
        self.job.check(self.validation()).map_err(|error| error.in_units(size_of::<E::Unit>()))
    }

    /// Returns every ill-formed row with its error, in order.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let column = Column::fixed(Utf8, b"a\xFFb\xC3\xA9", 1, 5)?;
    /// let rows: Vec<_> = column.errors().map(|error| error.row).collect();
    /// assert_eq!(rows, [1, 3, 4]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> Errors<'a> {
        let search = self.job.search(self.validation());
        Errors::new(search, self.job.rows, size_of::<E::Unit>())
    }

    /// Validates all rows in one pass, and replaces the content of `bitmap` by one bit for each
    /// row: 1 if the row is well-formed and not null. The lowest bit of a byte comes first, and
    /// bits after the last row are 0. Returns the number of ill-formed rows.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let mut bitmap = Vec::new();
    /// let column = Column::new(Utf8, b"one\xFF, two", &[0_i32, 3, 4, 9])?;
    /// assert_eq!(column.validity(&mut bitmap), 1);
    /// assert_eq!(bitmap, [0b101]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn validity(&self, bitmap: &mut Vec<u8>) -> usize {
        self.job.validity(self.validation(), bitmap)
    }

    /// Converts all rows to the encoding `to`. Rows that are null stay null.
    ///
    /// The size of the source limits the number of units in the result. If this limit is larger
    /// than an offset can count, the rows are converted twice. The first conversion only checks the
    /// number of units, and needs no memory for the result. For `i32` offsets and UTF-8 to UTF-8,
    /// this happens from 2 GiB on, and with repairs from a third of 2 GiB on.
    ///
    /// # Errors
    ///
    /// The first row that is ill-formed, has a character that `to` lacks, or ends at an offset that
    /// `O` cannot hold.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Latin1, Utf8};
    ///
    /// let column = Column::new(Latin1, b"\xE9t\xE9, hiver", &[0_i32, 3, 10])?;
    /// let texts = column.transcode::<i32, _>(Utf8)?;
    /// assert_eq!(texts.values, "été, hiver".as_bytes());
    /// assert_eq!(texts.offsets, [0, 5, 12]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn transcode<O: Offset, T: RowEncoding>(
        &self,
        to: T,
    ) -> Result<Texts<T::Unit, O>, RowError> {
        self.job.convert(&self.conversion_to(to), OnFailure::Error, None)
    }

    /// Converts all rows to the encoding `to`. Rows that are ill-formed, or have a character that
    /// `to` lacks, become null.
    ///
    /// # Errors
    ///
    /// The first row that ends at an offset that `O` cannot hold.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let column = Column::new(Utf8, b"one\xFFtwo", &[0_i32, 3, 4, 7])?;
    /// let texts = column.transcode_or_null::<i32, _>(Utf8)?;
    /// assert_eq!((&texts.values[..], &texts.offsets[..]), (&b"onetwo"[..], &[0, 3, 3, 6][..]));
    /// assert_eq!(texts.validity, Some(vec![0b101]));
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn transcode_or_null<O: Offset, T: RowEncoding>(
        &self,
        to: T,
    ) -> Result<Texts<T::Unit, O>, RowError> {
        self.job.convert(&self.conversion_to(to), OnFailure::Null, None)
    }

    /// Converts all rows to the encoding `B` with repairs. The field `repairs` of the result is the
    /// number of all repairs. The content of `counts` is replaced by the number of repairs in each
    /// row.
    ///
    /// # Errors
    ///
    /// The first row that ends at an offset that `O` cannot hold.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Repair, Utf8};
    ///
    /// let column = Column::new(Utf8, b"one\xFF\xFFtwo", &[0_i32, 3, 5, 8])?;
    /// let mut counts = Vec::new();
    /// let texts = column.transcode_lossy::<i32, _>(Utf8, Repair::REPLACE, Some(&mut counts))?;
    /// assert_eq!(texts.values, "one\u{FFFD}\u{FFFD}two".as_bytes());
    /// assert_eq!((texts.repairs, &counts[..]), (2, &[0, 2, 0][..]));
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn transcode_lossy<O: Offset, T: RowEncoding>(
        &self,
        to: T,
        repair: Repair,
        counts: Option<&mut Vec<usize>>,
    ) -> Result<Texts<T::Unit, O>, RowError> {
        let from = self.encoding;
        let lossy = choose!(from: E, to: T =>
            LossyConversionToVec::for_pair(from, to, size_of::<E::Unit>()));
        self.job.convert(&lossy.strict, OnFailure::Repair(&lossy, repair), counts)
    }

    /// Replaces the content of `lens` with the length of each row in the encoding `to`, in units:
    /// the result of [`len`](crate::len). The length of a null row is 0.
    ///
    /// ```
    /// use utflane::columns::Column;
    /// use utflane::{Utf8, Utf16};
    ///
    /// let mut lens = Vec::new();
    /// Column::new(Utf8, "naïve😀".as_bytes(), &[0_i32, 6, 10])?.lens(Utf16, &mut lens);
    /// assert_eq!(lens, [5, 2]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn lens(&self, to: impl RowEncoding, lens: &mut Vec<usize>) {
        self.job.measure(self.measurement_of_len(to), lens);
    }

    /// Replaces the content of `counts` with the number of code points in each row, as returned by
    /// [`count`](crate::count). The count of a null row is 0.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let mut counts = Vec::new();
    /// Column::new(Utf8, "naïve😀".as_bytes(), &[0_i32, 6, 10])?.counts(&mut counts);
    /// assert_eq!(counts, [5, 1]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn counts(&self, counts: &mut Vec<usize>) {
        let from = self.encoding;
        self.job.measure(choose!(from: E => Measurement::of_count(from)), counts);
    }

    /// Replaces the content of `bitmap` with one bit for each row: 1 if the row is well-formed and
    /// not null, and all its characters are below U+0100. Returns the number of rows that are not
    /// null and have a 0.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let mut bitmap = Vec::new();
    /// let column = Column::new(Utf8, "déjà, 5 €".as_bytes(), &[0_i32, 7, 12])?;
    /// assert_eq!(column.fits_latin1(&mut bitmap), 1);
    /// assert_eq!(bitmap, [0b01]);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn fits_latin1(&self, bitmap: &mut Vec<u8>) -> usize {
        self.job.fits_latin1(self.validation(), &self.conversion_to(Latin1), bitmap)
    }
}

impl<'a, E: RowEncoding<Unit = u8>> Column<'a, E> {
    /// Creates a column of views in Arrow's layout. The lowest 32 bits of a view are the length of
    /// the text in bytes. A text of up to 12 bytes is in the next bits, lowest byte first. For a
    /// longer text, the highest 32 bits are the byte offset of the text in its buffer, and the 32
    /// bits below them are the index of the buffer. The remaining 32 bits, which repeat the first
    /// bytes of the text, are ignored.
    ///
    /// # Errors
    ///
    /// The first row that lies outside its buffer, or whose view names a buffer that does not
    /// exist.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::columns::Column;
    ///
    /// let buffers = [&b"a longer text, in a buffer"[..]];
    /// let short = u128::from_le_bytes(*b"\x05\0\0\0short\0\0\0\0\0\0\0");
    /// let long = 2_u128 << 96 | 20; // 20 bytes from offset 2 on, in buffer 0
    /// assert!(Column::of_views(Utf8, &[short, long], &buffers)?.validate().is_ok());
    /// let error = Column::of_views(Utf8, &[short, long + 5], &buffers).unwrap_err();
    /// assert_eq!(error.row, 1);
    /// # Ok::<(), utflane::columns::RowError>(())
    /// ```
    pub fn of_views(
        encoding: E,
        views: &'a [u128],
        buffers: &'a [&'a [u8]],
    ) -> Result<Self, RowError> {
        Ok(Self { encoding, job: Job::new(Rows::of_views(views, buffers)?) })
    }
}
