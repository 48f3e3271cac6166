//! The error of a file: its location, line and reason.

use std::error::Error;
use std::fmt;

use datafusion::common::DataFusionError;
use utflane_charset::Mixture;

/// The error of a file that is not text in its encoding, or has a line that is too long.
///
/// In a [`DataFusionError`], it is one of the sources: [`find`](Self::find) returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    pub(super) location: String,
    pub(super) line: u64,
    pub(super) failure: Failure,
}

/// The reason why decoding failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// A sequence is ill-formed in the encoding, at a byte offset in the file.
    IllFormed { encoding: &'static str, offset: u64 },
    /// No encoding is likely.
    Binary,
    /// The parts of the file are in different encodings.
    Mixed(Mixture),
    /// A line has more than `max_bytes` bytes in UTF-8, which is the limit.
    TooLong { max_bytes: usize },
    /// The memory pool has no memory left for a line.
    Memory,
}

impl FileError {
    /// Returns the path of the file in its store.
    #[must_use]
    pub fn location(&self) -> &str {
        &self.location
    }

    /// Returns the line, counted from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    /// Returns the byte offset in the file of the ill-formed sequence, or of the part in another
    /// encoding; `None` for other errors.
    #[must_use]
    pub const fn offset(&self) -> Option<u64> {
        match self.failure {
            Failure::IllFormed { offset, .. } => Some(offset),
            Failure::Mixed(mixture) => Some(mixture.boundary),
            Failure::Binary | Failure::TooLong { .. } | Failure::Memory => None,
        }
    }

    /// Finds a `FileError` in an error of DataFusion.
    ///
    /// ```
    /// use datafusion::prelude::SessionContext;
    /// use utflane_datafusion::{FileError, register_files};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build()?.block_on(async {
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("notes.txt");
    /// std::fs::write(&file, b"one\ntw\xFF\n")?;
    ///
    /// let context = SessionContext::new();
    /// register_files(&context)?;
    /// let query = format!("SELECT text FROM read_text('{}')", file.display());
    /// let error = context.sql(&query).await?.collect().await.unwrap_err();
    /// let error = FileError::find(&error).unwrap();
    /// assert_eq!((error.line(), error.offset()), (2, Some(6)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn find(error: &DataFusionError) -> Option<&Self> {
        let mut error: Option<&(dyn Error + 'static)> = Some(error);
        while let Some(current) = error {
            if let Some(found) = current.downcast_ref::<Self>() {
                return Some(found);
            }
            error = current.source();
        }
        None
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, line, failure } = self;
        write!(f, "{location}, line {line}: ")?;
        match failure {
            Failure::IllFormed { encoding, offset } => {
                write!(f, "invalid {encoding} sequence at byte {offset} of the file")
            }
            Failure::Binary => f.write_str(
                "no encoding is likely (many control characters): if it is text, name its encoding",
            ),
            Failure::Mixed(mixture) => write!(f, "mixed: {mixture}"),
            Failure::TooLong { max_bytes } => {
                write!(f, "the line has more than {max_bytes} bytes, the maximum length of a line")
            }
            Failure::Memory => f.write_str("the line needs more memory than the pool has"),
        }
    }
}

impl Error for FileError {}
