//! The functions as expressions, for DataFrames. They need no registry.
//!
//! ```
//! use datafusion::prelude::*;
//! use utflane_datafusion::expr_fn::{decode_text, is_valid_utf8};
//!
//! # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
//! let frame = SessionContext::new().sql("SELECT x'636166E9' AS b").await?;
//! let damaged = frame.filter(is_valid_utf8(col("b")).is_false())?;
//! let texts = damaged.select([decode_text(col("b"), lit("latin1"), None).alias("text")])?;
//! let rows = texts.collect().await?;
//! let table = datafusion::arrow::util::pretty::pretty_format_batches(&rows)?.to_string();
//! assert!(table.contains("| café |"));
//! # Ok::<(), datafusion::error::DataFusionError>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use datafusion::logical_expr::Expr;

use crate::udf;

/// Declares functions that build calls.
macro_rules! expressions {
    ($($name:ident: $argument:ident, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[must_use]
        pub fn $name($argument: Expr) -> Expr {
            udf::$name().call(vec![$argument])
        }
    )*};
}

expressions! {
    is_valid_utf8: value, "True if a value is well-formed UTF-8.";
    make_valid_utf8: value, "A value as text, with U+FFFD for ill-formed sequences.";
    validate_utf8: value, "A value as text, or an error that names the row.";
    try_validate_utf8: value, "A value as text, or null.";
    utf8_error: value, "The first error of a value that is not well-formed UTF-8.";
    detect_encoding: bytes, "The name of the likely encoding.";
    fix_mojibake: text, "Text with double encoding undone.";
    utf16_length: text, "The number of UTF-16 code units.";
}

/// Text, decoded from an encoding. `on_error` is `error` if it is `None`.
#[must_use]
pub fn decode_text(bytes: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::decode_text().call([bytes, encoding].into_iter().chain(on_error).collect())
}

/// Text as bytes in an encoding. `on_error` is `error` if it is `None`.
#[must_use]
pub fn encode_text(text: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::encode_text().call([text, encoding].into_iter().chain(on_error).collect())
}
