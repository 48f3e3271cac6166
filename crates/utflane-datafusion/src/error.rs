//! The errors of functions: the row and the reason.

use std::fmt;

use datafusion::common::DataFusionError;
use utflane_charset::Mixture;

/// The error of a function. In a [`DataFusionError`], it is the source of the variant
/// [`External`](DataFusionError::External).
///
/// Rows are counted from zero in the batch that the function was called with.
#[derive(Clone, Debug, PartialEq)]
pub struct TextError {
    function: &'static str,
    kind: TextErrorKind,
}

/// The kind of a [`TextError`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// A row is ill-formed or unmappable in an encoding of utflane, or a result is too long.
    Array(utflane_arrow::Error),
    /// A row is ill-formed in another encoding.
    IllFormed {
        /// The row, counted from zero in the batch.
        row: usize,
        /// The name of the encoding.
        encoding: &'static str,
        /// The byte offset of the ill-formed sequence in the row.
        offset: usize,
    },
    /// A row has a character that another encoding lacks.
    Unmappable {
        /// The row, counted from zero in the batch.
        row: usize,
        /// The name of the encoding.
        encoding: &'static str,
        /// The byte offset of the character in the row.
        offset: usize,
        /// The character.
        character: char,
    },
    /// No encoding is likely for a row.
    Binary {
        /// The row, counted from zero in the batch.
        row: usize,
    },
    /// The parts of a row are in different encodings.
    Mixed {
        /// The row, counted from zero in the batch.
        row: usize,
        /// The encodings of the first two parts, and the byte offset of the second part.
        mixture: Mixture,
    },
    /// A row of the argument `encoding` does not name a known encoding.
    Encoding {
        /// The row, counted from zero in the batch.
        row: usize,
        /// The reason, as a message for users.
        message: String,
    },
    /// The result up to this row has more bytes than its offsets can count.
    TooLong {
        /// The row, counted from zero in the batch.
        row: usize,
    },
}

impl TextError {
    /// Creates an error of the function with this name.
    pub(crate) const fn new(function: &'static str, kind: TextErrorKind) -> Self {
        Self { function, kind }
    }

    /// Returns the name of the function.
    #[must_use]
    pub const fn function(&self) -> &'static str {
        self.function
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> &TextErrorKind {
        &self.kind
    }

    /// Returns the row, counted from zero in the batch; `None` if the error is not in a row.
    #[must_use]
    pub fn row(&self) -> Option<usize> {
        self.kind.row()
    }

    /// Finds a `TextError` in an error of DataFusion, whose plans wrap it.
    ///
    /// ```
    /// use datafusion::prelude::*;
    /// use utflane_datafusion::TextError;
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let mut context = SessionContext::new();
    /// utflane_datafusion::register_all(&mut context)?;
    /// let rows = context.sql("SELECT validate_utf8(b) FROM (VALUES (x'61'), (x'62FF')) AS t(b)");
    /// let error = rows.await?.collect().await.unwrap_err();
    /// let error = TextError::find(&error).unwrap();
    /// assert_eq!((error.function(), error.row()), ("validate_utf8", Some(1)));
    /// # Ok::<(), datafusion::error::DataFusionError>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(error: &DataFusionError) -> Option<&Self> {
        let mut error: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(current) = error {
            if let Some(found) = current.downcast_ref::<Self>() {
                return Some(found);
            }
            error = current.source();
        }
        None
    }
}

impl TextErrorKind {
    /// Returns the row; `None` if the error is not in a row.
    pub(crate) fn row(&self) -> Option<usize> {
        match self {
            Self::Array(error) => error.row(),
            Self::IllFormed { row, .. }
            | Self::Unmappable { row, .. }
            | Self::Binary { row }
            | Self::Mixed { row, .. }
            | Self::Encoding { row, .. }
            | Self::TooLong { row } => Some(*row),
        }
    }

    /// Returns the same error with another row.
    pub(crate) fn in_row(mut self, new_row: usize) -> Self {
        match &mut self {
            Self::Array(utflane_arrow::Error::Row(error)) => error.row = new_row,
            Self::Array(_) => {}
            Self::IllFormed { row, .. }
            | Self::Unmappable { row, .. }
            | Self::Binary { row }
            | Self::Mixed { row, .. }
            | Self::Encoding { row, .. }
            | Self::TooLong { row } => *row = new_row,
        }
        self
    }
}

impl From<utflane_arrow::Error> for TextErrorKind {
    fn from(error: utflane_arrow::Error) -> Self {
        Self::Array(error)
    }
}

impl From<TextError> for DataFusionError {
    fn from(error: TextError) -> Self {
        Self::External(Box::new(error))
    }
}

impl fmt::Display for TextErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Array(error) => error.fmt(f),
            Self::IllFormed { row, encoding, offset } => {
                write!(f, "row {row}: invalid {encoding} sequence from index {offset}")
            }
            Self::Unmappable { row, encoding, offset, character } => {
                let code = u32::from(*character);
                write!(f, "row {row}: U+{code:04X} at index {offset} is not in {encoding}")
            }
            Self::Binary { row } => {
                write!(f, "row {row}: no encoding is likely: many control characters")
            }
            Self::Mixed { row, mixture } => write!(f, "row {row}: mixed: {mixture}"),
            Self::Encoding { row, message } => write!(f, "row {row}: {message}"),
            Self::TooLong { row } => {
                write!(f, "row {row}: the result has more bytes than its offsets can count")
            }
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.function, self.kind)
    }
}

impl std::error::Error for TextError {}
