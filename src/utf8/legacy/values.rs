//! Decodes text to values of up to 31 bits.

#![forbid(unsafe_code)]

#[cfg(all(feature = "alloc", feature = "transcode"))]
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::RangeInclusive;

use crate::encoding::scheme::Scheme;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::encoding::types::{Utf8, Utf32};
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::operations::free::transcode_append;
use crate::scalar::utf8::is_continuation;
use crate::types::error::DecodeError;
use crate::types::error::{Error, ErrorKind};
use crate::utf8::legacy::bits::{SURROGATES, decode_sequence, shortest_len};

/// The largest value that has a sequence.
///
/// ```
/// use utflane::utf8::legacy;
///
/// assert_eq!(legacy::first(b"\xFD\xBF\xBF\xBF\xBF\xBF"), Ok(Some((legacy::MAX, 6))));
/// ```
pub const MAX: u32 = 0x7FFF_FFFF;

/// Returns the values of `src` according to the older definition (RFC 2279): code points, and
/// values above U+10FFFF.
///
/// Reads the text once. Vector code decodes text that is well-formed UTF-8. Scalar code decodes
/// sequences that only the older definition has.
///
/// # Errors
///
/// Returns the error of the first sequence that is ill-formed in the older definition too.
///
/// ```
/// use utflane::{ErrorKind, utf8::legacy};
///
/// assert_eq!(legacy::decode(b"1 \xF4\x90\x80\x80")?, [0x31, 0x20, 0x11_0000]);
///
/// let error = legacy::decode(b"1 \xF8\x88\x80\x80").unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (2, None)); // one byte is missing
/// assert_eq!(legacy::decode(b"\xC0\x80").unwrap_err().kind(), ErrorKind::Overlong);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub fn decode(src: &[u8]) -> Result<Vec<u32>, Error> {
    let (mut offset, mut out) = (0, Vec::new());
    while let Err(error) = transcode_append::<Utf8, Utf32>(&src[offset..], &mut out) {
        offset += error.valid_up_to();
        let (value, len) =
            first_value(&src[offset..]).map_err(|error| Error::new(Scheme::Utf8, offset, error))?;
        out.push(value);
        offset += len;
    }
    Ok(out)
}

/// Returns the first value of `src` according to the older definition, and the length of its
/// sequence, 1 to 6 bytes. Returns `None` if `src` is empty.
///
/// # Errors
///
/// Returns an error if `src` begins with a sequence that is ill-formed in the older definition too.
/// [`Error::valid_up_to`] is 0.
///
/// ```
/// use utflane::utf8::legacy;
///
/// let mut rest = &b"\xC3\xA9\xFC\x84\x80\x80\x80\x80"[..];
/// let mut values = Vec::new();
/// while let Some((value, len)) = legacy::first(rest)? {
///     values.push(value);
///     rest = &rest[len..];
/// }
/// assert_eq!(values, [0xE9, 0x400_0000]);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn first(src: &[u8]) -> Result<Option<(u32, usize)>, Error> {
    if src.is_empty() {
        return Ok(None);
    }
    first_value(src).map(Some).map_err(|error| Error::new(Scheme::Utf8, 0, error))
}

/// Returns an iterator over the values of `src` according to the older definition, and over the
/// errors. Each value comes with the offset of its first byte.
///
/// After an error, the iterator skips [`Error::error_len`] bytes and continues.
/// [`Error::valid_up_to`] is the offset of the error in `src`, and other errors may precede it. To
/// stop at the first error, collect into a `Result`. The iterator decodes one value at a time, and
/// does not allocate.
///
/// ```
/// use utflane::utf8::legacy;
///
/// let values: Result<Vec<_>, _> = legacy::values(b"\xC3\xA9\xF7\xBF\xBF\xBF!").collect();
/// assert_eq!(values?, [(0, 0xE9), (2, 0x1F_FFFF), (6, 0x21)]);
///
/// let errors = legacy::values(b"a\xFFb\xF9\x80c").filter_map(Result::err);
/// let spans: Vec<_> = errors.map(|error| (error.valid_up_to(), error.error_len())).collect();
/// assert_eq!(spans, [(1, Some(1)), (3, Some(2))]);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn values(src: &[u8]) -> Values<'_> {
    Values { src, offset: 0 }
}

/// The iterator of [`values`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a> {
    src: &'a [u8],
    offset: usize,
}

impl Iterator for Values<'_> {
    type Item = Result<(usize, u32), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.src[self.offset..];
        if rest.is_empty() {
            return None;
        }
        let offset = self.offset;
        match first_value(rest) {
            Ok((value, len)) => {
                self.offset += len;
                Some(Ok((offset, value)))
            }
            Err(error) => {
                let error = Error::new(Scheme::Utf8, offset, error);
                self.offset += error.error_len().unwrap_or(rest.len());
                Some(Err(error))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining_bytes = self.src.len() - self.offset;
        (remaining_bytes.div_ceil(6), Some(remaining_bytes))
    }
}

impl FusedIterator for Values<'_> {}

/// Returns the value at the start of `src`, which is not empty, and the length of its sequence in
/// bytes.
#[inline]
fn first_value(src: &[u8]) -> Result<(u32, usize), DecodeError> {
    if let [byte @ 0x00..=0x7F, ..] = *src {
        return Ok((u32::from(byte), 1));
    }
    match decode_sequence(src) {
        Some((value, len)) if len == shortest_len(value) && !SURROGATES.contains(&value) => {
            Ok((value, len))
        }
        _ => Err(decode_error(src)),
    }
}

/// Returns the error at the start of `src`.
#[cold]
fn decode_error(src: &[u8]) -> DecodeError {
    let kind = error_kind(src);
    match maximal_subpart(src) {
        Some(len) => DecodeError::ill_formed(kind, len),
        None => DecodeError::incomplete(kind),
    }
}

/// Returns the kind of the error at the start of `src`. The kinds are tested in the order that
/// [`ErrorKind`] describes.
fn error_kind(src: &[u8]) -> ErrorKind {
    match (src[0], decode_sequence(src)) {
        (0x80..=0xBF, _) => ErrorKind::TooLong,
        (0xFE..=0xFF, _) => ErrorKind::InvalidLeadByte,
        (_, None) => ErrorKind::TooShort,
        (_, Some((value, len))) if len > shortest_len(value) => ErrorKind::Overlong,
        _ => ErrorKind::Surrogate,
    }
}

/// Returns the second bytes that may follow a lead byte, and the length of its sequence in bytes.
/// Returns `None` if no sequence of several bytes begins with `lead`.
fn second_bytes_and_len(lead: u8) -> Option<(RangeInclusive<u8>, u8)> {
    Some(match lead {
        0xC2..=0xDF => (0x80..=0xBF, 2),
        // A lower second byte makes a sequence overlong. After 0xED, a second byte above 0x9F makes
        // it a surrogate.
        0xE0 => (0xA0..=0xBF, 3),
        0xED => (0x80..=0x9F, 3),
        0xE1..=0xEF => (0x80..=0xBF, 3),
        0xF0 => (0x90..=0xBF, 4),
        0xF1..=0xF7 => (0x80..=0xBF, 4),
        0xF8 => (0x88..=0xBF, 5),
        0xF9..=0xFB => (0x80..=0xBF, 5),
        0xFC => (0x84..=0xBF, 6),
        0xFD => (0x80..=0xBF, 6),
        _ => return None,
    })
}

/// Returns the length in bytes of the maximal subpart at the start of `src`, which begins with an
/// ill-formed sequence. The length is at least 1. Returns `None` if `src` ends inside the subpart.
fn maximal_subpart(src: &[u8]) -> Option<u8> {
    let Some((second_bytes, sequence_len)) = second_bytes_and_len(src[0]) else {
        return Some(1);
    };
    if !second_bytes.contains(src.get(1)?) {
        return Some(1);
    }
    for len in 2..sequence_len {
        if !is_continuation(*src.get(usize::from(len))?) {
            return Some(len);
        }
    }
    unreachable!("the sequence is ill-formed")
}
