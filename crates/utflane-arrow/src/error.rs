//! The error type: an ill-formed row, or an unsupported data type.

use std::fmt;

use arrow_schema::DataType;
use utflane::columns::RowError;

/// The reason why an array cannot be checked or converted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A row is ill-formed, or cannot be converted. The message contains the row and the offset.
    Row(RowError),
    /// The function does not accept arrays of this type.
    Type(DataType),
}

impl Error {
    /// Returns the index of the row, if the error is in a row.
    #[must_use]
    pub fn row(&self) -> Option<usize> {
        match self {
            Self::Row(error) => Some(error.row),
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
            Self::Type(kind) => write!(f, "this function does not accept arrays of type {kind}"),
        }
    }
}

impl std::error::Error for Error {}
