//! The types that functions return by value, and how results of the library become them.

use utflane::{Error, ErrorKind, LossyProgress, Progress, Stop, StreamError};

/// Why a function stopped. The numbers stay as they are in later versions, which may add some.
///
/// The kinds of ill-formed text are judged in the order of the first six, the order of simdutf.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum utflane_status {
    /// The whole input has been processed.
    UTFLANE_OK = 0,
    /// Ill-formed: a byte that never occurs, such as 0xFF in UTF-8.
    UTFLANE_INVALID_LEAD_BYTE = 1,
    /// Ill-formed: fewer bytes or code units than the start of the sequence announces.
    UTFLANE_TOO_SHORT = 2,
    /// Ill-formed: a continuation byte where a character should begin.
    UTFLANE_TOO_LONG = 3,
    /// Ill-formed: a character written with more bytes than it needs.
    UTFLANE_OVERLONG = 4,
    /// Ill-formed: a value above U+10FFFF, or above U+007F in ASCII.
    UTFLANE_TOO_LARGE = 5,
    /// Ill-formed: a surrogate that is not part of a surrogate pair of UTF-16.
    UTFLANE_SURROGATE = 6,
    /// A well-formed character that the target encoding does not have.
    UTFLANE_UNMAPPABLE = 7,
    /// The next character is well-formed, and does not fit into the rest of the output.
    UTFLANE_OUTPUT_FULL = 8,
    /// Not an encoding, a stream that has not been initialised, a null pointer with a length or a
    /// capacity, or more bytes than memory can have. Nothing was read or written.
    UTFLANE_INVALID_ARGUMENT = 9,
    /// Ill-formed in a way that this version of the header has no name for.
    UTFLANE_ILL_FORMED = 10,
}

use utflane_status::*;

/// The result of a validation.
///
/// | status      | valid_up_to                     | error_length                         |
/// |-------------|---------------------------------|--------------------------------------|
/// | UTFLANE_OK  | the length of the text          | 0                                    |
/// | ill-formed  | units before the first error    | units of it; 0: the text ends inside |
///
/// Units are those of `length`. Where `error_length` is 0, more text could complete the sequence.
/// For UTF-8, both numbers are those of Rust's standard library, and `error_length` is the length
/// of what decoders replace by one U+FFFD.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_validation {
    /// Units before the first error, or of the whole text.
    pub valid_up_to: usize,
    /// UTFLANE_OK, or the kind of the error.
    pub status: utflane_status,
    /// Units of the ill-formed sequence; 0 without an error, or if the text ends inside it.
    pub error_length: u32,
}

/// The result of a conversion.
///
/// | status                 | read                         | error_length                         |
/// |------------------------|------------------------------|--------------------------------------|
/// | UTFLANE_OK             | the length of the text       | 0                                    |
/// | UTFLANE_OUTPUT_FULL    | units of what was converted  | 0                                    |
/// | ill-formed, unmappable | units before the error       | units of it; 0: the text ends inside |
///
/// In each case, the `read` units have been converted to `written` units, and as much as possible
/// was converted. At each character, an error is reported before a full output.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_result {
    /// Units of the input that have been converted.
    pub read: usize,
    /// Units of the output that have been written.
    pub written: usize,
    /// Why the conversion stopped.
    pub status: utflane_status,
    /// Units of the sequence that stopped it; 0 without an error, or if the text ends inside it.
    pub error_length: u32,
}

/// The result of a conversion with repairs, which only a full output stops.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_lossy_result {
    /// Units of the input that have been converted.
    pub read: usize,
    /// Units of the output that have been written.
    pub written: usize,
    /// Replacements that have been written.
    pub repairs: usize,
    /// UTFLANE_OK, UTFLANE_OUTPUT_FULL, or UTFLANE_INVALID_ARGUMENT.
    pub status: utflane_status,
}

/// The result of a call to a stream. All numbers are bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct utflane_stream_result {
    /// With an error: its position, counted from the start of the stream. Otherwise 0.
    pub offset: u64,
    /// Bytes of the chunk that have been read. After an error, the rest of the chunk begins there.
    pub read: usize,
    /// Bytes of the output that have been written.
    pub written: usize,
    /// Why the call returned.
    pub status: utflane_status,
    /// Bytes of the ill-formed or unmappable sequence; 0 without an error, or if the stream ended
    /// inside it.
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
            _ => UTFLANE_ILL_FORMED,
        }
    }
}

/// The length of a sequence, at most a few bytes, as C has it.
fn error_length(len: Option<usize>, unit: usize) -> u32 {
    len.map_or(0, |len| u32::try_from(len / unit).unwrap_or(u32::MAX))
}

impl utflane_validation {
    /// Converts a result that counts bytes to one that counts units of `unit` bytes.
    #[inline]
    pub(crate) fn new(result: Result<(), Error>, len: usize, unit: usize) -> Self {
        match result {
            Ok(()) => Self { valid_up_to: len / unit, status: UTFLANE_OK, error_length: 0 },
            Err(error) => Self::failed(error, unit),
        }
    }

    #[cold]
    fn failed(error: Error, unit: usize) -> Self {
        Self {
            valid_up_to: error.valid_up_to() / unit,
            status: error.kind().into(),
            error_length: error_length(error.error_len(), unit),
        }
    }

    /// Nothing was read.
    pub(crate) const INVALID: Self =
        Self { valid_up_to: 0, status: UTFLANE_INVALID_ARGUMENT, error_length: 0 };
}

impl utflane_result {
    /// Converts a progress that counts bytes to one that counts units of so many bytes.
    #[inline]
    pub(crate) fn new(progress: Progress, from_unit: usize, to_unit: usize) -> Self {
        let (status, error_length) = match progress.stop {
            Stop::Done => (UTFLANE_OK, 0),
            Stop::OutputFull => (UTFLANE_OUTPUT_FULL, 0),
            Stop::Error(error) => (error.kind().into(), error_length(error.error_len(), from_unit)),
        };
        let (read, written) = (progress.read / from_unit, progress.written / to_unit);
        Self { read, written, status, error_length }
    }

    /// Nothing was read.
    pub(crate) const INVALID: Self =
        Self { read: 0, written: 0, status: UTFLANE_INVALID_ARGUMENT, error_length: 0 };
}

impl utflane_lossy_result {
    /// Converts a progress that counts bytes to one that counts units of so many bytes.
    pub(crate) fn new(progress: LossyProgress, from_unit: usize, to_unit: usize) -> Self {
        let LossyProgress { read, written, repairs, stop } = progress;
        let status = match stop {
            Stop::Done => UTFLANE_OK,
            Stop::OutputFull => UTFLANE_OUTPUT_FULL,
            Stop::Error(never) => match never {},
        };
        Self { read: read / from_unit, written: written / to_unit, repairs, status }
    }

    /// Nothing was read.
    pub(crate) const INVALID: Self =
        Self { read: 0, written: 0, repairs: 0, status: UTFLANE_INVALID_ARGUMENT };
}

impl utflane_stream_result {
    /// A chunk has been processed.
    pub(crate) const fn done(read: usize, written: usize) -> Self {
        Self { offset: 0, read, written, status: UTFLANE_OK, error_length: 0 }
    }

    /// A chunk had an error.
    #[cold]
    pub(crate) fn failed(error: StreamError, written: usize) -> Self {
        Self {
            offset: error.offset(),
            read: error.read(),
            written,
            status: error.kind().into(),
            error_length: error_length(error.error_len(), 1),
        }
    }

    /// Nothing was read.
    pub(crate) const INVALID: Self =
        Self { offset: 0, read: 0, written: 0, status: UTFLANE_INVALID_ARGUMENT, error_length: 0 };
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
