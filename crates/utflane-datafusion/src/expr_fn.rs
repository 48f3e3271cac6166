//! The functions as expressions, for DataFrames.

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
    is_valid_utf8: value, "Whether a value is well-formed UTF-8.";
    make_valid_utf8: value, "A value as text, with U+FFFD for ill-formed sequences.";
    validate_utf8: value, "A value as text, or an error that names the row.";
    try_validate_utf8: value, "A value as text, or null.";
    utf8_error: value, "The first error of a value that is not well-formed UTF-8.";
    detect_encoding: bytes, "The name of the likely encoding.";
    fix_mojibake: text, "Text with double encoding undone.";
    utf16_length: text, "The number of UTF-16 code units.";
}

/// Text of bytes in an encoding. `on_error` is `error` where it is `None`.
#[must_use]
pub fn decode_text(bytes: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::decode_text().call([bytes, encoding].into_iter().chain(on_error).collect())
}

/// Text as bytes in an encoding. `on_error` is `error` where it is `None`.
#[must_use]
pub fn encode_text(text: Expr, encoding: Expr, on_error: Option<Expr>) -> Expr {
    udf::encode_text().call([text, encoding].into_iter().chain(on_error).collect())
}
