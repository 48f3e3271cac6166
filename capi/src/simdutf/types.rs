//! The types of simdutf's C API.

use utflane::{Error, ErrorKind};

/// simdutf's error codes, in simdutf's order.
#[repr(u32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum simdutf_error_code {
    SIMDUTF_ERROR_SUCCESS = 0,
    SIMDUTF_ERROR_HEADER_BITS = 1,
    SIMDUTF_ERROR_TOO_SHORT = 2,
    SIMDUTF_ERROR_TOO_LONG = 3,
    SIMDUTF_ERROR_OVERLONG = 4,
    SIMDUTF_ERROR_TOO_LARGE = 5,
    SIMDUTF_ERROR_SURROGATE = 6,
    /// An impossible pointer or length, or an error for which simdutf has no code.
    #[default]
    SIMDUTF_ERROR_OTHER = 11,
}

use simdutf_error_code::*;

/// An error code and the position of the error, or success and a number of units.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct simdutf_result {
    pub error: simdutf_error_code,
    pub count: usize,
}

/// One of simdutf's encodings. Each number is a bit, so a set of encodings is an `int`.
pub type simdutf_encoding_type = u32;

impl From<ErrorKind> for simdutf_error_code {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::InvalidLeadByte => SIMDUTF_ERROR_HEADER_BITS,
            ErrorKind::TooShort => SIMDUTF_ERROR_TOO_SHORT,
            ErrorKind::TooLong => SIMDUTF_ERROR_TOO_LONG,
            ErrorKind::Overlong => SIMDUTF_ERROR_OVERLONG,
            ErrorKind::TooLarge | ErrorKind::Unmappable => SIMDUTF_ERROR_TOO_LARGE,
            ErrorKind::Surrogate => SIMDUTF_ERROR_SURROGATE,
            _ => SIMDUTF_ERROR_OTHER,
        }
    }
}

impl simdutf_result {
    /// Converts the result of a validation. On success, `count` is the number of units. The
    /// position of an error is converted from bytes to units of `unit_size` bytes.
    #[inline]
    pub(crate) fn new(result: Result<(), Error>, count: usize, unit_size: usize) -> Self {
        match result {
            Ok(()) => Self { error: SIMDUTF_ERROR_SUCCESS, count },
            Err(error) => {
                Self { error: error.kind().into(), count: error.valid_up_to() / unit_size }
            }
        }
    }
}
