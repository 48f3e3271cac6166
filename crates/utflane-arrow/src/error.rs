//! The errors: a row, or a type without text.

use std::fmt;

use arrow_schema::DataType;
use utflane::columns::RowError;

/// The reason why an array cannot be checked or converted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A row is ill-formed, or cannot be converted. The message has the offset.
    Row(RowError),
    /// The type has no text, or not the text that the function takes.
    Type(DataType),
}

impl Error {
    /// Returns the row, if the error concerns a row.
    #[must_use]
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Row(error) => Some(error.row()),
            Self::Type(_) => None,
        }
    }
}

impl From<RowError> for Error {
    fn from(error: RowError) -> Self {
        Self::Row(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(error) => error.fmt(f),
            Self::Type(kind) => write!(f, "not a type with text for this function: {kind}"),
        }
    }
}

impl std::error::Error for Error {}
