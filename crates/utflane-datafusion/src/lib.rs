//! SQL functions for Apache DataFusion that validate, repair and convert text in any encoding, with
//! the SIMD kernels of [`utflane`].
//!
//! [`register_all`] gives them to a session. They are named as in Apache Spark, where it has them:
//!
//! | function | result |
//! |---|---|
//! | `is_valid_utf8(value)` | true if a value is well-formed UTF-8 |
//! | `make_valid_utf8(value)` | text, with U+FFFD for each ill-formed sequence |
//! | `validate_utf8(value)`, `try_validate_utf8(value)` | text, or an error that names the row; or null |
//! | `utf8_error(value)` | the first error: a struct of `offset`, `length` and `kind` |
//! | `decode_text(bytes, encoding[, on_error])` | text of bytes in an encoding |
//! | `encode_text(text, encoding[, on_error])` | text as bytes in an encoding |
//! | `detect_encoding(bytes)` | the name of the likely encoding |
//! | `fix_mojibake(text)` | text with double encoding undone |
//! | `utf16_length(text)` | the number of UTF-16 code units |
//!
//! ```
//! use utflane_datafusion::datafusion::{self, prelude::SessionContext};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let mut context = SessionContext::new();
//! utflane_datafusion::register_all(&mut context)?;
//! let query = "SELECT count(*) AS bad FROM (VALUES (x'61'), (x'FF'), (x'C3A9')) AS t(b)
//!              WHERE NOT is_valid_utf8(b)";
//! let batches = context.sql(query).await?.collect().await?;
//! let table = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
//! assert!(table.contains("| 1 "));
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Types.** Values are `Binary`, `LargeBinary`, `FixedSizeBinary`, `BinaryView`, `Utf8`,
//! `LargeUtf8`, `Utf8View`, and dictionaries of these. A view has a view as its result, a
//! dictionary a dictionary, and 64-bit offsets 64-bit offsets. Scalars stay scalars. Null, also as
//! the encoding, is null. Where all values of a column are well-formed, it becomes text without a
//! copy.
//!
//! **Encodings** are constants or columns. Constants are looked up when the query is planned, and a
//! wrong constant is an error of the plan that suggests similar names and lists all. Labels and
//! detection are as in the command `utflane`: `latin1` is ISO-8859-1, and `cp932` is `shift_jis`.
//! `utf-16` and `utf-32` leave the byte order open, and are errors. Encodings that utflane does not
//! have are decoded by `encoding_rs`, row by row.
//!
//! **Errors** of rows are [`TextError`], which [`TextError::find`] takes out of DataFusion's.
//!
//! **On a cluster** the functions are found by name. They have no parameters, so a plan needs no
//! codec; each executor registers them.

mod encoding;
mod error;
pub mod expr_fn;
pub mod files;
mod kinds;
mod legacy;
mod legacy_rows;
pub mod udf;

use datafusion::common::Result;
use datafusion::execution::FunctionRegistry;

pub use datafusion;
pub use error::{TextError, TextErrorKind};
pub use files::{FileError, register_files};

/// Registers all functions. Functions of the same names, such as `datafusion-spark`'s, are
/// replaced.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// use datafusion::execution::FunctionRegistry;
///
/// let mut context = SessionContext::new();
/// utflane_datafusion::register_all(&mut context)?;
/// assert!(context.udf("is_valid_utf8").is_ok());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
///
/// # Errors
///
/// The errors of the registry, which may be read-only.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in udf::all() {
        registry.register_udf(function)?;
    }
    Ok(())
}
