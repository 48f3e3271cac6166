//! The data types of the arguments and results of the functions.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};

/// The values that a function accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Binary, or text, which is taken as its UTF-8 bytes.
    Bytes,
    /// Only text.
    Text,
}

impl Input {
    /// Returns the type to which an argument is coerced: its own type, or binary or text if the
    /// argument is null.
    pub(crate) fn coerce(self, function: &str, data_type: &DataType) -> Result<DataType> {
        let value = match data_type {
            DataType::Dictionary(_, value) => value,
            _ => data_type,
        };
        match value {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Ok(data_type.clone()),
            DataType::Null => Ok(match self {
                Self::Bytes => DataType::Binary,
                Self::Text => DataType::Utf8,
            }),
            DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => match self {
                Self::Bytes => Ok(data_type.clone()),
                Self::Text => plan_err!(
                    "{function} takes text, not {data_type}: make_valid_utf8, validate_utf8 or \
                     decode_text make text of binary"
                ),
            },
            _ => match self {
                Self::Bytes => plan_err!("{function} takes binary or text, not {data_type}"),
                Self::Text => plan_err!("{function} takes text, not {data_type}"),
            },
        }
    }
}

/// Returns true if a type is text, or a dictionary of text.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Dictionary(_, value) => is_text(value),
        _ => data_type.is_string(),
    }
}

/// Returns the text type that corresponds to a type. A type with 64-bit offsets gives a type with
/// 64-bit offsets, a view gives a view, and a dictionary gives a dictionary.
pub(crate) fn text_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeUtf8,
        DataType::BinaryView | DataType::Utf8View => DataType::Utf8View,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(text_type(value)))
        }
        _ => DataType::Utf8,
    }
}

/// Returns the binary type that corresponds to a type, like [`text_type`].
pub(crate) fn binary_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::BinaryView | DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(binary_type(value)))
        }
        _ => DataType::Binary,
    }
}
