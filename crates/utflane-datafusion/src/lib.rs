//! SQL functions for Apache DataFusion that validate, repair and convert text in any encoding, with
//! the SIMD kernels of [`utflane`].
//!
//! [`register_all`] registers them in a session. Functions that Apache Spark also has are named as
//! in Spark. The functions are:
//!
//! | function | result |
//! |---|---|
//! | `is_valid_utf8(value)` | true if a value is well-formed UTF-8 |
//! | `make_valid_utf8(value)` | text, with U+FFFD for each ill-formed sequence |
//! | `validate_utf8(value)`, `try_validate_utf8(value)` | text; if ill-formed, an error that names the row, or null |
//! | `utf8_error(value)` | the first error: a struct of `offset`, `length` and `kind` |
//! | `decode_text(bytes, encoding[, on_error])` | bytes in an encoding, decoded to text |
//! | `encode_text(text, encoding[, on_error])` | text, encoded to bytes in an encoding |
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
//! `LargeUtf8`, `Utf8View`, and dictionaries of these. A conversion keeps the layout: a view
//! becomes a view, a dictionary becomes a dictionary, and 64-bit offsets stay 64-bit offsets. A
//! scalar argument gives a scalar result. If the value or the encoding is null, the result is null.
//! A binary column becomes text without a copy if all its values are well-formed UTF-8.
//!
//! **Encodings** are constants or columns. Constants are looked up when the query is planned. A
//! wrong constant is an error of the plan: the message suggests similar names and lists all names.
//! Labels and detection work as in the command `utflane`: `latin1` is ISO-8859-1, and `cp932` is
//! `shift_jis`. `utf-16` and `utf-32` are errors, because they do not say the byte order. A
//! column in a code page is converted as a whole. A column in a legacy multi-byte encoding, such as
//! Shift_JIS, is converted row by row.
//!
//! **Errors** in rows are [`TextError`]s. [`TextError::find`] finds them inside the errors of
//! DataFusion.
//!
//! **On a cluster**, each executor must register the functions, and finds them by name. The
//! functions have no state, so a plan needs no codec.

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

/// Registers all functions. They replace registered functions of the same names, such as functions
/// of `datafusion-spark`.
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
/// Returns the error of the registry, which may be read-only.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in udf::all() {
        registry.register_udf(function)?;
    }
    Ok(())
}
