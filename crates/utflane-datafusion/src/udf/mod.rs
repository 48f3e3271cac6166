//! The SQL functions, and for each function the struct that DataFusion calls.
//!
//! The method `documentation` of a function describes its arguments, and has an example in SQL.
//!
//! ```
//! use utflane_datafusion::udf;
//!
//! let function = udf::decode_text();
//! assert_eq!(function.name(), "decode_text");
//! let documentation = function.documentation().unwrap();
//! assert_eq!(documentation.syntax_example, "decode_text(bytes, encoding[, on_error])");
//! assert_eq!(udf::all().len(), 10);
//! ```
//!
//! The structs have no state. A plan that is sent to another machine names the function, and that
//! machine finds the function in its own registry.

mod coding;
mod conversion;
mod function;
mod text;
mod unary;
mod validity;

use std::sync::{Arc, LazyLock};

use datafusion::logical_expr::{DocSection, ScalarUDF, Signature, Volatility};

pub use coding::{DecodeText, EncodeText};
pub use text::{DetectEncoding, FixMojibake, Utf16Length};
pub use validity::{IsValidUtf8, MakeValidUtf8, TryValidateUtf8, Utf8Error, ValidateUtf8};

/// The section of the documentation in which DataFusion lists the functions.
const SECTION: DocSection =
    DocSection { include: true, label: "Text Functions", description: None };

/// The signature of all functions. Each function coerces its arguments itself, and returns the same
/// result for the same arguments.
static SIGNATURE: LazyLock<Signature> =
    LazyLock::new(|| Signature::user_defined(Volatility::Immutable));

/// Declares the public functions that return the SQL functions, and `all`, which returns the list.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $type:ident,)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name() -> Arc<ScalarUDF> {
                static FUNCTION: LazyLock<Arc<ScalarUDF>> =
                    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl($type)));
                Arc::clone(&FUNCTION)
            }
        )*

        /// Returns all SQL functions.
        #[must_use]
        pub fn all() -> Vec<Arc<ScalarUDF>> {
            vec![$($name()),*]
        }
    };
}

functions! {
    /// Returns the SQL function `is_valid_utf8(value)`: true if a value is well-formed UTF-8.
    is_valid_utf8: IsValidUtf8,
    /// Returns the SQL function `make_valid_utf8(value)`: text, with U+FFFD for ill-formed
    /// sequences.
    make_valid_utf8: MakeValidUtf8,
    /// Returns the SQL function `validate_utf8(value)`: text, or an error that names the row.
    validate_utf8: ValidateUtf8,
    /// Returns the SQL function `try_validate_utf8(value)`: text, or null if a value is ill-formed.
    try_validate_utf8: TryValidateUtf8,
    /// Returns the SQL function `utf8_error(value)`: the offset, the length and the kind of the
    /// first error.
    utf8_error: Utf8Error,
    /// Returns the SQL function `decode_text(bytes, encoding[, on_error])`: bytes in an encoding,
    /// decoded to text.
    decode_text: DecodeText,
    /// Returns the SQL function `encode_text(text, encoding[, on_error])`: text, encoded to bytes
    /// in an encoding.
    encode_text: EncodeText,
    /// Returns the SQL function `detect_encoding(bytes)`: the name of the likely encoding.
    detect_encoding: DetectEncoding,
    /// Returns the SQL function `fix_mojibake(text)`: text with double encoding undone.
    fix_mojibake: FixMojibake,
    /// Returns the SQL function `utf16_length(text)`: the number of UTF-16 code units.
    utf16_length: Utf16Length,
}
