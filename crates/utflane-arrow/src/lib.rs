//! Text in Apache Arrow arrays: validated, repaired and converted with the SIMD kernels of
//! [`utflane`].
//!
//! The functions take `Binary`, `LargeBinary`, `FixedSizeBinary`, `BinaryView`, `Utf8`,
//! `LargeUtf8`, `Utf8View`, and dictionaries of these. The result of a row does not depend on other
//! rows, and errors name the row and the offset in it. Null rows have no errors and stay null.
//!
//! | function | result |
//! |---|---|
//! | [`validate`], [`is_valid`] | the first ill-formed row; a `bool` for each row |
//! | [`to_utf8`] | binary as UTF-8; the values are copied only if a row is ill-formed |
//! | [`decode`], [`encode`] | conversion from and to any encoding of the library, and code pages |
//! | [`errors`] | the first error of each row as a struct |
//! | [`rows`] | the bytes of each row |
//! | [`char_lengths`], [`utf16_lengths`] | row lengths in code points; in UTF-16 code units |
//! | [`detect`], [`detect_column`] | the likely encoding of each row, and of all rows together: any that [`utflane_charset`] detects |
//! | [`fix_mojibake`] | double encoding undone |
//!
//! **Versions.** The array types are from arrow 59, which this crate re-exports: the types of
//! another version of `arrow_array` have the same names, but are different types.
//!
//! ```
//! use utflane_arrow::arrow_array::cast::AsArray;
//! use utflane_arrow::arrow_array::{Array, BinaryArray};
//! use utflane_arrow::{OnFailure, validate, to_utf8};
//!
//! let array = BinaryArray::from(vec![&b"one"[..], b"caf\xE9", b"three"]);
//! let error = validate(&array).unwrap_err();
//! assert_eq!(error.row(), Some(1));
//! assert_eq!(error.to_string(), "row 1: incomplete utf-8 byte sequence from index 3");
//!
//! let texts = to_utf8(&array, OnFailure::Null)?;
//! assert!(texts.is_null(1));
//! assert_eq!(texts.as_string::<i32>().value(2), "three");
//! # Ok::<(), utflane_arrow::Error>(())
//! ```

mod arguments;
mod column;
mod convert;
mod dictionary;
mod error;
mod errors;
mod pages;
mod rows;
mod splice;
mod text;

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray};
use arrow_buffer::{BooleanBuffer, Buffer};
use utflane::Scheme;

pub use arguments::{Encoding, OnFailure};
pub use arrow_array;
pub use arrow_buffer;
pub use arrow_schema;
pub use convert::{decode, encode, to_utf8};
pub use error::Error;
pub use errors::{error_fields, errors};
pub use rows::rows;
pub use text::{char_lengths, detect, detect_column, fix_mojibake, utf16_lengths};

/// Validates all rows as UTF-8.
///
/// An ill-formed value of a dictionary is an error only if a row refers to it.
///
/// # Errors
///
/// Returns the error of the first ill-formed row, or an error for a type without text.
pub fn validate(array: &dyn Array) -> Result<(), Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return dictionary::validate_values(dictionary, Scheme::Utf8);
    }
    column::with_column(array, Scheme::Utf8, |column| column.validate().map_err(Error::from))?
}

/// Returns, for each row, true if it is well-formed UTF-8, false if not, and null if it is null.
///
/// ```
/// use arrow_array::BinaryViewArray;
///
/// let array = BinaryViewArray::from_iter([Some(&b"one"[..]), Some(b"\xFF"), None]);
/// let valid = utflane_arrow::is_valid(&array)?;
/// assert_eq!(valid.iter().collect::<Vec<_>>(), [Some(true), Some(false), None]);
/// # Ok::<(), utflane_arrow::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a type without text.
pub fn is_valid(array: &dyn Array) -> Result<BooleanArray, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = is_valid(dictionary.values())?;
        let indices = dictionary::value_indices(dictionary);
        let value = |index: usize| values.is_valid(index).then(|| values.value(index));
        return Ok(indices.map(|index| index.and_then(value)).collect());
    }
    let mut bits = Vec::new();
    column::with_column(array, Scheme::Utf8, |column| column.validity(&mut bits))?;
    let bits = BooleanBuffer::new(Buffer::from_vec(bits), 0, array.len());
    Ok(BooleanArray::new(bits, array.nulls().cloned()))
}

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
