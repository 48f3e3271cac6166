//! Columns: many short texts in one buffer, as data engines store them, processed at the speed of
//! one long text.
//!
//! A column consists of values and offsets, of values of a fixed width, or of views, in the layouts
//! of Apache Arrow. It borrows slices, and needs no Arrow library. Some rows may be null. The
//! encoding is a type, or a [`Scheme`](crate::Scheme) that is chosen at run time.
//!
//! | function | result |
//! |---|---|
//! | [`validate`](Column::validate) | `Ok`, or the first ill-formed row with its error |
//! | [`errors`](Column::errors) | every ill-formed row with its error |
//! | [`validity`](Column::validity) | one bit for each row, and the number of ill-formed rows |
//! | [`transcode`](Column::transcode) | values and offsets in another encoding, or the first row that fails |
//! | [`transcode_or_null`](Column::transcode_or_null) | values and offsets; rows that fail become null |
//! | [`transcode_lossy`](Column::transcode_lossy) | values and offsets; rows that fail are repaired |
//! | [`lens`](Column::lens), [`counts`](Column::counts) | the length of each row in another encoding, and its number of code points |
//! | [`fits_latin1`](Column::fits_latin1) | one bit for each row: 1 if its characters are all below U+0100 |
//!
//! [`with_kernel`](Column::with_kernel) chooses the kernel. With the feature `rayon`,
//! `with_threads` splits the rows among the threads of a pool.
//!
//! If the size of the source shows that a result may have more units than its offsets can count,
//! the rows are converted twice. The first conversion writes to memory that is used again for every
//! few rows. So a result that is too long is reported as an error with its row, and is never held
//! in memory.
//!
//! Each row is validated and converted as if it were alone. A character that is split between two
//! rows is an error in both rows: in the row in which it begins, and in the row in which it ends. A
//! null row has no errors, whatever its values are.
//!
//! ```
//! use utflane::Utf8;
//! use utflane::columns::Column;
//!
//! let values = "smørrebrød og øl".as_bytes();
//! // The second offset is inside the second `ø`.
//! let column = Column::new(Utf8, values, &[0_i32, 5, 10, 18])?;
//! let mut bitmap = Vec::new();
//! assert_eq!(column.validity(&mut bitmap), 2);
//! assert_eq!(bitmap, [0b001]);
//! assert_eq!(column.validate().unwrap_err().row, 1);
//! # Ok::<(), utflane::columns::RowError>(())
//! ```

pub(crate) mod bits;
mod column;
pub(crate) mod convert;
mod error;
pub(crate) mod errors;
pub(crate) mod find;
mod job;
pub(crate) mod latin1;
pub(crate) mod measure;
mod offset;
mod output_offsets;
#[cfg(feature = "rayon")]
mod parts;
pub(crate) mod row_encoding;
pub(crate) mod rows;
pub(crate) mod sequences;
mod texts;
mod views;

pub use self::column::Column;
pub use self::error::{RowError, RowErrorKind};
pub use self::errors::Errors;
pub use self::offset::Offset;
pub use self::row_encoding::RowEncoding;
pub use self::texts::Texts;
