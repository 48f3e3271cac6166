//! The types of the functions' arguments and results.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};

/// The values that a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Bytes: binary, and text as the bytes that it is.
    Bytes,
    /// Text alone.
    Text,
}

impl Input {
    /// Returns the type that an argument is coerced to: its own type. A null becomes binary or
    /// text.
    pub(crate) fn coerced(self, function: &str, kind: &DataType) -> Result<DataType> {
        let value = match kind {
            DataType::Dictionary(_, value) => value,
            kind => kind,
        };
        match value {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(kind.clone()),
            DataType::Null => Ok(match self {
                Self::Bytes => DataType::Binary,
                Self::Text => DataType::Utf8,
            }),
            DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => match self {
                Self::Bytes => Ok(kind.clone()),
                Self::Text => plan_err!(
                    "{function} takes text, not {kind}: make_valid_utf8, validate_utf8 or \
                     decode_text make text of binary"
                ),
            },
            _ => match self {
                Self::Bytes => plan_err!("{function} takes binary or text, not {kind}"),
                Self::Text => plan_err!("{function} takes text, not {kind}"),
            },
        }
    }
}

/// Returns true if a type is text, or a dictionary of text.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Dictionary(_, value) => is_text(value),
        kind => kind.is_string(),
    }
}

/// Returns the type of the text of a type: with offsets as long, a view for a view, and a
/// dictionary for a dictionary.
pub(crate) fn text_of(kind: &DataType) -> DataType {
    match kind {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeUtf8,
        DataType::BinaryView | DataType::Utf8View => DataType::Utf8View,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(text_of(value)))
        }
        _ => DataType::Utf8,
    }
}

/// Returns the type of the bytes of a type, as [`text_of`] does.
pub(crate) fn bytes_of(kind: &DataType) -> DataType {
    match kind {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::BinaryView | DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(bytes_of(value)))
        }
        _ => DataType::Binary,
    }
}
