//! The functions as expressions, for DataFrames. The functions need not be registered.
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

/// Declares functions that build a call of a function as an expression.
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
    is_valid_utf8: value, "Returns true if a value is well-formed UTF-8.";
    make_valid_utf8: value, "Returns a value as text, with U+FFFD for each ill-formed sequence.";
    validate_utf8: value, "Returns a value as text, or fails with an error that names the row.";
    try_validate_utf8: value, "Returns a value as text, or null if it is ill-formed.";
    utf8_error: value, "Returns the first error of a value; null if it is well-formed UTF-8.";
    detect_encoding: bytes, "Returns the name of the likely encoding.";
    fix_mojibake: text, "Returns text with double encoding undone.";
    utf16_length: text, "Returns the number of UTF-16 code units.";
}

/// Decodes bytes from an encoding to text. If `on_error` is `None`, it means `error`.
#[must_use]
pub fn decode_text(bytes: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::decode_text().call([bytes, encoding].into_iter().chain(on_error).collect())
}

/// Encodes text as bytes in an encoding. If `on_error` is `None`, it means `error`.
#[must_use]
pub fn encode_text(text: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::encode_text().call([text, encoding].into_iter().chain(on_error).collect())
}
