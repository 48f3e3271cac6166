//! Columns: many short texts in one buffer, as data engines have them, at the speed of one long
//! text.
//!
//! A column is values and offsets, values of a fixed width, or views, in the layouts of Apache
//! Arrow; slices are borrowed, and nothing else is needed. Some rows may be null. [`Column`] has
//! its encoding as a type, [`ByteColumn`] at run time.
//!
//! | function | result |
//! |---|---|
//! | [`validate`](Column::validate), [`is_valid`](Column::is_valid) | `Ok`, or the first ill-formed row with its error |
//! | [`errors`](Column::errors) | every ill-formed row with its error |
//! | [`validity`](Column::validity) | a bit for each row, and the number of ill-formed rows |
//! | [`transcode`](Column::transcode) | values and offsets in another encoding, or the first row that fails |
//! | [`transcode_or_null`](Column::transcode_or_null) | the same, with rows that fail as null |
//! | [`transcode_lossy`](Column::transcode_lossy) | the same, with rows that fail repaired |
//! | [`lens`](Column::lens), [`counts`](Column::counts) | units in another encoding, and code points, of each row |
//! | [`fits_latin1`](Column::fits_latin1) | a bit for each row whose characters are all below U+0100 |
//!
//! [`with_kernel`](Column::with_kernel) chooses the kernel. With the feature `rayon`,
//! `with_threads` lets the threads of a pool share the rows.
//!
//! If the size of the source shows that a result may have more units than its offsets can count,
//! the rows are converted twice: first into memory that is used again. So a result that is too long
//! is an error with its row, and is never held.
//!
//! Each row is validated and converted as if it were alone. A character that is split between two
//! rows is an error in both: in the row in which it begins, and in the row that begins inside it. A
//! null row has no errors, whatever its values are.
//!
//! ```
//! use utflane::Utf8;
//! use utflane::columns::Column;
//!
//! let values = "smørrebrød og øl".as_bytes();
//! // The second offset is inside the second `ø`.
//! let column = Column::<Utf8>::new(values, &[0_i32, 5, 10, 18])?;
//! let mut bitmap = Vec::new();
//! assert_eq!(column.validity(&mut bitmap), 2);
//! assert_eq!(bitmap, [0b001]);
//! assert_eq!(column.validate().unwrap_err().row(), 1);
//! # Ok::<(), utflane::columns::RowError>(())
//! ```

pub(crate) mod bits;
mod byte_column;
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
pub(crate) mod rows;
pub(crate) mod sequences;
mod texts;
mod views;

pub use self::byte_column::ByteColumn;
pub use self::column::Column;
pub use self::error::{RowError, RowErrorKind};
pub use self::errors::Errors;
pub use self::offset::Offset;
pub use self::texts::Texts;
