//! Errors: the kind and the position of ill-formed input, in one small type for all encodings.
//!
//! Vector code only detects that a block has an error. The scalar reference determines the
//! [`Error`], so every kernel reports the same error.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

use crate::encoding::scheme::Scheme;

/// The kind of an [`Error`].
///
/// UTF-8 is tested in the following order, which is the order of simdutf:
///
/// 1. The first byte. [`TooLong`](Self::TooLong) is the kind for a continuation byte, and
///    [`InvalidLeadByte`](Self::InvalidLeadByte) for 0xF8..=0xFF.
/// 2. The number of continuation bytes. [`TooShort`](Self::TooShort) is the kind if there are fewer
///    than the lead byte requires.
/// 3. The value.
///
/// So 0xC0 alone is too short, and 0xC0 0x80 is overlong.
///
/// ```
/// use utflane::{validate, ErrorKind, Utf8};
///
/// let kind = |bytes: &[u8]| validate::<Utf8>(bytes).unwrap_err().kind();
/// assert_eq!(kind(b"\xC0\x80"), ErrorKind::Overlong);
/// assert_eq!(kind(b"\xED\xA0\x80"), ErrorKind::Surrogate);
/// assert_eq!(kind(b"abc\x80"), ErrorKind::TooLong);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A byte that never occurs in the encoding: 0xF8..=0xFF in UTF-8 and WTF-8, 0xF0..=0xFF in
    /// CESU-8 and Modified UTF-8, and also 0x00 in Modified UTF-8.
    InvalidLeadByte,
    /// A sequence with fewer code units or bytes than its first unit or byte requires.
    TooShort,
    /// A continuation byte where a character should begin.
    TooLong,
    /// A character written with more bytes than it needs.
    Overlong,
    /// An unpaired surrogate: a code point U+D800..=U+DFFF that is not in a surrogate pair of
    /// UTF-16 or CESU-8. In WTF-8 and WTF-16, an unpaired surrogate is an error only in a
    /// conversion to an encoding without surrogates. A surrogate pair in WTF-8 has this kind too,
    /// because WTF-8 encodes the pair as one four-byte character.
    Surrogate,
    /// A value above U+10FFFF, or above U+007F in ASCII.
    TooLarge,
    /// A well-formed character that the target encoding does not have.
    Unmappable,
    /// A byte to which a code page assigns no character.
    Unassigned,
}

impl ErrorKind {
    /// Returns the kind in words, as in the messages of the command.
    ///
    /// ```
    /// assert_eq!(utflane::ErrorKind::Overlong.description(), "overlong sequence");
    /// ```
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::InvalidLeadByte => "invalid lead byte",
            Self::TooShort => "sequence too short",
            Self::TooLong => "stray continuation byte",
            Self::Overlong => "overlong sequence",
            Self::Surrogate => "unpaired surrogate",
            Self::TooLarge => "value too large",
            Self::Unmappable => "character not in the target encoding",
            Self::Unassigned => "byte without a character",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

/// An error found by the scalar reference at one position: its kind and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecodeError {
    pub(crate) kind: ErrorKind,
    /// The length of the ill-formed sequence in bytes, or 0 if the input ended inside a sequence
    /// that was well-formed so far.
    pub(crate) len: u8,
}

impl DecodeError {
    /// Returns the error of an ill-formed sequence of `len` bytes, which no further input can
    /// complete.
    pub(crate) const fn ill_formed(kind: ErrorKind, len: u8) -> Self {
        Self { kind, len }
    }

    /// Returns the error of a sequence that is incomplete at the end of the input.
    pub(crate) const fn incomplete(kind: ErrorKind) -> Self {
        Self { kind, len: 0 }
    }
}

/// The first ill-formed sequence or unmappable character of a text.
///
/// Offsets and lengths count the code units of the input's type: `u16` for UTF-16 and WTF-16, `u32`
/// for UTF-32, and bytes for all other encodings (also for UTF-16LE). For ill-formed UTF-8,
/// [`valid_up_to`], [`error_len`] and the message are the same as in [`core::str::Utf8Error`].
///
/// [`valid_up_to`]: Self::valid_up_to
/// [`error_len`]: Self::error_len
///
/// ```
/// use utflane::{validate, Utf8, Utf16};
///
/// let error = validate::<Utf8>(b"caf\xC3").unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (3, None));
/// assert!(error.is_incomplete());
/// assert_eq!(error.to_string(), "incomplete utf-8 byte sequence from index 3");
///
/// let error = validate::<Utf16>(&[0x41, 0xDC00, 0x42]).unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (1, Some(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    valid_up_to: usize,
    len: u8,
    kind: ErrorKind,
    scheme: Scheme,
}

impl Error {
    /// Creates the error after `valid_up_to` bytes of well-formed text in `scheme`.
    pub(crate) const fn new(scheme: Scheme, valid_up_to: usize, error: DecodeError) -> Self {
        Self { valid_up_to, len: error.len, kind: error.kind, scheme }
    }

    /// Converts the error from bytes to units of `size` bytes.
    #[inline]
    pub(crate) const fn in_units(self, size: usize) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "size is 1, 2 or 4")]
        Self { valid_up_to: self.valid_up_to / size, len: self.len / size as u8, ..self }
    }

    /// Returns the same error with its offset increased by `skipped`, the length in units of the
    /// text before the examined text.
    #[inline]
    pub(crate) const fn after(self, skipped: usize) -> Self {
        Self { valid_up_to: self.valid_up_to + skipped, ..self }
    }

    /// Returns the number of code units before the error. All of them are well-formed and mappable.
    #[must_use]
    #[inline]
    pub const fn valid_up_to(&self) -> usize {
        self.valid_up_to
    }

    /// Returns the number of code units that the error covers, or `None` if the input ended inside
    /// a sequence that more input could complete. A decoder that continues after an error skips
    /// this number of units.
    ///
    /// * For UTF-8, this is the length of the maximal subpart, 1 to 3 bytes. In the [older
    ///   definition](crate::utf8::legacy) of UTF-8 it is 1 to 5 bytes.
    /// * For CESU-8, Modified UTF-8 and WTF-8, it is the length of the maximal subpart too, with
    ///   two exceptions. It is 6 for a surrogate pair in WTF-8. It is 3 for an unpaired high
    ///   surrogate in CESU-8 and Modified UTF-8, and for any unpaired surrogate in WTF-8, where
    ///   this is an error only in a conversion to an encoding without surrogates.
    /// * For an unmappable character, it is the length of the character.
    #[must_use]
    #[inline]
    pub const fn error_len(&self) -> Option<usize> {
        if self.len == 0 { None } else { Some(self.len as usize) }
    }

    /// Returns the kind of the error.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns true if more input could make the text well-formed: `error_len` is `None`. Readers
    /// of chunks need this distinction. The kind [`ErrorKind::TooShort`] does not make it, because
    /// a sequence may be too short inside a text.
    #[must_use]
    #[inline]
    pub const fn is_incomplete(&self) -> bool {
        self.len == 0
    }

    /// Returns the standard library's error for the same UTF-8 text, for interfaces that require a
    /// `Utf8Error`.
    ///
    /// A `Utf8Error` can be created only in the standard library, so `to_std` calls
    /// [`core::str::from_utf8`] with `src`. This takes O(n), and is meant for the error path.
    /// Returns `None` if `src` is valid UTF-8, for example if the error is an unmappable character.
    ///
    /// ```
    /// let src = b"ab\xFFcd";
    /// let error = utflane::utf8::from_utf8(src).unwrap_err();
    /// let std_error: std::str::Utf8Error = error.to_std(src).unwrap();
    /// assert_eq!(std_error.valid_up_to(), 2);
    /// assert_eq!(std_error.to_string(), error.to_string());
    /// ```
    #[must_use]
    pub fn to_std(&self, src: &[u8]) -> Option<core::str::Utf8Error> {
        core::str::from_utf8(src).err()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(f, self.scheme, self.kind, self.len, self.valid_up_to as u64)
    }
}

/// Writes the message of an error at `index`. The messages for UTF-8 are the messages of the
/// standard library.
fn describe(
    f: &mut fmt::Formatter<'_>,
    scheme: Scheme,
    kind: ErrorKind,
    len: u8,
    index: u64,
) -> fmt::Result {
    let name = scheme.family();
    match (kind, len) {
        (ErrorKind::Unmappable, _) => {
            write!(f, "{name} character that the target encoding does not have at index {index}")
        }
        (ErrorKind::Unassigned, _) => {
            write!(f, "byte to which the code page assigns no character at index {index}")
        }
        (_, 0) if scheme == Scheme::Utf8 => {
            write!(f, "incomplete utf-8 byte sequence from index {index}")
        }
        (_, 0) => write!(f, "incomplete {name} sequence from index {index}"),
        (_, len) if scheme == Scheme::Utf8 => {
            write!(f, "invalid utf-8 sequence of {len} bytes from index {index}")
        }
        // Only a surrogate pair in WTF-8 has six bytes. It is not an unpaired surrogate.
        (ErrorKind::Surrogate, 6) => {
            write!(f, "invalid {name} sequence from index {index}: surrogate pair")
        }
        (kind, _) => write!(f, "invalid {name} sequence from index {index}: {kind}"),
    }
}

impl core::error::Error for Error {}

/// The error of a validation that takes a vector: [`utf8::into_string`](crate::utf8::into_string)
/// and [`utf32::into_chars`](crate::utf32::into_chars).
///
/// ```
/// use utflane::utf8;
///
/// let error = utf8::into_string(b"caf\xE9".to_vec()).unwrap_err();
/// assert_eq!(error.error.valid_up_to(), 3);
/// assert_eq!(error.units, b"caf\xE9");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntoError<U> {
    /// The error of the text.
    pub error: Error,
    /// The unchanged units of the text.
    pub units: Vec<U>,
}

#[cfg(feature = "alloc")]
impl<U> fmt::Display for IntoError<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

#[cfg(feature = "alloc")]
impl<U: fmt::Debug> core::error::Error for IntoError<U> {}

/// An [`Error`] in a stream. Its position is counted from the start of the stream, and not from the
/// start of the chunk.
///
/// ```
/// use utflane::{Utf8, Validator};
///
/// let mut validator = Validator::<Utf8>::new();
/// validator.push(b"first chunk, ").unwrap();
/// let error = validator.push(b"se\xFFcond").unwrap_err();
/// assert_eq!(error.offset(), 15);
/// assert_eq!(error.read(), 3); // continue after the ill-formed byte of this chunk
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StreamError {
    offset: u64,
    read: usize,
    len: u8,
    kind: ErrorKind,
    scheme: Scheme,
}

impl StreamError {
    /// Creates the error at byte `offset` of the stream. `read` bytes of the current chunk have
    /// been read.
    pub(crate) const fn new(scheme: Scheme, offset: u64, read: usize, error: DecodeError) -> Self {
        Self { offset, read, len: error.len, kind: error.kind, scheme }
    }

    /// Converts the error from bytes to units of `size` bytes.
    #[expect(clippy::cast_possible_truncation, reason = "size is 1, 2 or 4")]
    pub(crate) const fn in_units(self, size: usize) -> Self {
        let len = self.len / size as u8;
        Self { offset: self.offset / size as u64, read: self.read / size, len, ..self }
    }

    /// Returns the same error with `read` counted from an earlier start, which is `bytes` bytes
    /// before the current start of the chunk.
    pub(crate) const fn after_bytes(self, bytes: usize) -> Self {
        Self { read: self.read + bytes, ..self }
    }

    /// Returns the same error with a different `offset` and a different `read`.
    #[cfg(feature = "std")]
    pub(crate) const fn placed(self, offset: u64, read: usize) -> Self {
        Self { offset, read, ..self }
    }

    /// Returns the number of code units of the stream before the error.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of code units of the current chunk that have been read, including the
    /// ill-formed sequence. The next push continues with the rest of the chunk.
    #[must_use]
    pub const fn read(&self) -> usize {
        self.read
    }

    /// Returns the number of code units that the error covers, or `None` if the stream ended inside
    /// a sequence: see [`Error::error_len`].
    #[must_use]
    pub const fn error_len(&self) -> Option<usize> {
        if self.len == 0 { None } else { Some(self.len as usize) }
    }

    /// Returns the kind of the error, which is determined by the bytes read so far. If a chunk ends
    /// with `0xE0 0x80`, the kind is [`ErrorKind::TooShort`]; with the next byte, `0xE0 0x80 0x80`
    /// is [`ErrorKind::Overlong`].
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns true if the stream ended inside a sequence that more input could have completed.
    /// Only errors of `finish` are incomplete.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        self.len == 0
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe(f, self.scheme, self.kind, self.len, self.offset)
    }
}

impl core::error::Error for StreamError {}
