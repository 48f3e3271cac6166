//! The structs that functions return, and the conversions from the results of utflane.

use utflane::utf8::Summary;
use utflane::{Error, ErrorKind, LossyProgress, Progress, Stop, StreamError};

/// Why a function stopped.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum utflane_status {
    UTFLANE_OK = 0,
    UTFLANE_INVALID_LEAD_BYTE = 1,
    UTFLANE_TOO_SHORT = 2,
    UTFLANE_TOO_LONG = 3,
    UTFLANE_OVERLONG = 4,
    UTFLANE_TOO_LARGE = 5,
    UTFLANE_SURROGATE = 6,
    UTFLANE_UNMAPPABLE = 7,
    UTFLANE_OUTPUT_FULL = 8,
    /// The status of each default result.
    #[default]
    UTFLANE_INVALID_ARGUMENT = 9,
    UTFLANE_ILL_FORMED = 10,
    UTFLANE_UNASSIGNED = 11,
}

use utflane_status::*;

/// The result of a validation.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_validation {
    pub valid_up_to: usize,
    pub status: utflane_status,
    pub error_length: u32,
}

/// The result of one pass over UTF-8.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_utf8_summary {
    pub validation: utflane_validation,
    pub code_points: usize,
    pub utf16_units: usize,
    pub is_ascii: bool,
    pub fits_latin1: bool,
}

/// The result of a conversion.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_result {
    pub read: usize,
    pub written: usize,
    pub status: utflane_status,
    pub error_length: u32,
}

/// The result of a conversion with replacements.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_lossy_result {
    pub read: usize,
    pub written: usize,
    pub repairs: usize,
    pub status: utflane_status,
}

/// The result of a call to a stream.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utflane_stream_result {
    pub offset: u64,
    pub read: usize,
    pub written: usize,
    pub status: utflane_status,
    pub error_length: u32,
}

impl From<ErrorKind> for utflane_status {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidLeadByte => UTFLANE_INVALID_LEAD_BYTE,
            ErrorKind::TooShort => UTFLANE_TOO_SHORT,
            ErrorKind::TooLong => UTFLANE_TOO_LONG,
            ErrorKind::Overlong => UTFLANE_OVERLONG,
            ErrorKind::TooLarge => UTFLANE_TOO_LARGE,
            ErrorKind::Surrogate => UTFLANE_SURROGATE,
            ErrorKind::Unmappable => UTFLANE_UNMAPPABLE,
            ErrorKind::Unassigned => UTFLANE_UNASSIGNED,
            _ => UTFLANE_ILL_FORMED,
        }
    }
}

/// Converts the length of an ill-formed sequence, which is a few bytes, to the type in C. `None`,
/// an incomplete sequence, is 0.
fn error_length(len: Option<usize>) -> u32 {
    len.map_or(0, |len| u32::try_from(len).unwrap_or(u32::MAX))
}

impl utflane_validation {
    /// Converts the result of the validation of a text of `len` bytes.
    #[inline]
    pub(crate) fn new(result: Result<(), Error>, len: usize) -> Self {
        match result {
            Ok(()) => Self { valid_up_to: len, status: UTFLANE_OK, error_length: 0 },
            Err(error) => Self {
                valid_up_to: error.valid_up_to(),
                status: error.kind().into(),
                error_length: error_length(error.error_len()),
            },
        }
    }
}

impl From<Summary> for utflane_utf8_summary {
    fn from(summary: Summary) -> Self {
        Self {
            validation: utflane_validation::new(
                summary.error.map_or(Ok(()), Err),
                summary.valid_up_to,
            ),
            code_points: summary.code_points,
            utf16_units: summary.utf16_units,
            is_ascii: summary.is_ascii,
            fits_latin1: summary.fits_latin1,
        }
    }
}

impl From<Progress> for utflane_result {
    #[inline]
    fn from(progress: Progress) -> Self {
        let Progress { read, written, stop } = progress;
        let (status, error_length) = match stop {
            Stop::Done => (UTFLANE_OK, 0),
            Stop::OutputFull => (UTFLANE_OUTPUT_FULL, 0),
            Stop::Error(error) => (error.kind().into(), error_length(error.error_len())),
        };
        Self { read, written, status, error_length }
    }
}

impl From<LossyProgress> for utflane_lossy_result {
    fn from(progress: LossyProgress) -> Self {
        let LossyProgress { read, written, repairs, stop } = progress;
        let status = match stop {
            Stop::Done => UTFLANE_OK,
            Stop::OutputFull => UTFLANE_OUTPUT_FULL,
            Stop::Error(never) => match never {},
        };
        Self { read, written, repairs, status }
    }
}

impl utflane_stream_result {
    /// Returns the result for a chunk that has been processed without an error.
    pub(crate) const fn done(read: usize, written: usize) -> Self {
        Self { offset: 0, read, written, status: UTFLANE_OK, error_length: 0 }
    }

    /// Returns the result for a chunk with an error.
    #[cold]
    pub(crate) fn failed(error: StreamError, written: usize) -> Self {
        Self {
            offset: error.offset(),
            read: error.read(),
            written,
            status: error.kind().into(),
            error_length: error_length(error.error_len()),
        }
    }
}

impl From<Progress<StreamError>> for utflane_stream_result {
    fn from(progress: Progress<StreamError>) -> Self {
        let Progress { read, written, stop } = progress;
        match stop {
            Stop::Done => Self::done(read, written),
            Stop::OutputFull => Self { status: UTFLANE_OUTPUT_FULL, ..Self::done(read, written) },
            Stop::Error(error) => Self { read, ..Self::failed(error, written) },
        }
    }
}
