//! Decoding into values of up to 31 bits.

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
use crate::utf8::legacy::bits::{SURROGATES, complete, shortest};

/// The largest value that has a sequence.
///
/// ```
/// use utflane::utf8::legacy;
///
/// assert_eq!(legacy::first(b"\xFD\xBF\xBF\xBF\xBF\xBF"), Ok(Some((legacy::MAX, 6))));
/// ```
pub const MAX: u32 = 0x7FFF_FFFF;

/// Returns the values of `src` by the older definition, RFC 2279: its code points, and values above
/// U+10FFFF.
///
/// One pass. Text that is UTF-8 today is decoded by vector code; older sequences and the few bytes
/// after them are not.
///
/// # Errors
///
/// The first sequence that the older definition does not have either.
///
/// ```
/// use utflane::{ErrorKind, utf8::legacy};
///
/// assert_eq!(legacy::decode(b"1 \xF4\x90\x80\x80")?, [0x31, 0x20, 0x11_0000]);
///
/// let error = legacy::decode(b"1 \xF8\x88\x80\x80").unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (2, None)); // one byte more would do
/// assert_eq!(legacy::decode(b"\xC0\x80").unwrap_err().kind(), ErrorKind::Overlong);
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub fn decode(src: &[u8]) -> Result<Vec<u32>, Error> {
    let mut out = Vec::new();
    decode_append(src, &mut out)?;
    Ok(out)
}

/// Appends the values of `src` to `out`, as [`decode`].
///
/// # Errors
///
/// As [`decode`]. The values before the error have been appended.
///
/// ```
/// let mut out = vec![0x3E];
/// let error = utflane::utf8::legacy::decode_append(b"ok\xFEgo", &mut out).unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(1)));
/// assert_eq!(out, [0x3E, 0x6F, 0x6B]);
/// ```
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub fn decode_append(src: &[u8], out: &mut Vec<u32>) -> Result<(), Error> {
    /// Bytes that are decoded without vector code after an older sequence. More of these may be
    /// near, and a stop of the vector code at each would take longer.
    const AFTER_OLDER_BYTES: usize = 128;
    let mut at = 0;
    while let Err(error) = transcode_append::<Utf8, Utf32>(&src[at..], out) {
        at += error.valid_up_to();
        let mut end = at + 1;
        while at < end && at < src.len() {
            let rest = &src[at..];
            if let Some(word) = rest.first_chunk::<8>()
                && word.is_ascii()
            {
                out.extend(word.map(u32::from));
                at += word.len();
                continue;
            }
            let (value, len) =
                first_value(rest).map_err(|error| Error::new(Scheme::Utf8, at, error))?;
            out.push(value);
            at += len;
            if value > u32::from(char::MAX) {
                end = at + AFTER_OLDER_BYTES;
            }
        }
    }
    Ok(())
}

/// Returns the first value of `src` by the older definition, and its bytes: 1 to 6. `None` if `src`
/// is empty.
///
/// # Errors
///
/// `src` begins with a sequence that the older definition does not have. [`Error::valid_up_to`] is
/// 0.
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

/// Returns the values of `src` by the older definition, each with the offset of its first byte; and
/// the errors with theirs.
///
/// It continues after an error, at [`Error::error_len`] bytes further. So [`Error::valid_up_to`] is
/// the offset of this error in `src`, and others may precede it. To stop at the first, collect into
/// a `Result`. It decodes one character at a time, without an allocation.
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
    Values { src, at: 0 }
}

/// The iterator of [`values`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Values<'a> {
    src: &'a [u8],
    at: usize,
}

impl Iterator for Values<'_> {
    type Item = Result<(usize, u32), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.src[self.at..];
        if rest.is_empty() {
            return None;
        }
        let at = self.at;
        match first_value(rest) {
            Ok((value, len)) => {
                self.at += len;
                Some(Ok((at, value)))
            }
            Err(error) => {
                let error = Error::new(Scheme::Utf8, at, error);
                self.at += error.error_len().unwrap_or(rest.len());
                Some(Err(error))
            }
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let bytes = self.src.len() - self.at;
        (bytes.div_ceil(6), Some(bytes))
    }
}

impl FusedIterator for Values<'_> {}

/// Returns the value at the start of `src`, which is not empty, and its bytes.
#[inline]
fn first_value(src: &[u8]) -> Result<(u32, usize), DecodeError> {
    if let [byte @ 0x00..=0x7F, ..] = *src {
        return Ok((u32::from(byte), 1));
    }
    match complete(src) {
        Some((value, len)) if len == shortest(value) && !SURROGATES.contains(&value) => {
            Ok((value, len))
        }
        _ => Err(decode_error(src)),
    }
}

/// Returns the error at the start of `src`.
#[cold]
fn decode_error(src: &[u8]) -> DecodeError {
    let kind = kind(src);
    match maximal_subpart(src) {
        Some(len) => DecodeError::ill_formed(kind, len),
        None => DecodeError::incomplete(kind),
    }
}

/// Returns the kind of the error at the start of `src`, in the order of [`ErrorKind`].
fn kind(src: &[u8]) -> ErrorKind {
    match (src[0], complete(src)) {
        (0x80..=0xBF, _) => ErrorKind::TooLong,
        (0xFE..=0xFF, _) => ErrorKind::InvalidLeadByte,
        (_, None) => ErrorKind::TooShort,
        (_, Some((value, len))) if len > shortest(value) => ErrorKind::Overlong,
        _ => ErrorKind::Surrogate,
    }
}

/// Returns the second bytes that may follow a lead byte, and the bytes of its sequence; `None` if
/// it begins no sequence.
fn shape(lead: u8) -> Option<(RangeInclusive<u8>, u8)> {
    Some(match lead {
        0xC2..=0xDF => (0x80..=0xBF, 2),
        // Second bytes below these make it overlong; above 9F, after ED, a surrogate.
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

/// Returns the bytes at the start of `src`, which is ill-formed, that begin a sequence; at least
/// one. `None` if they end with `src`.
fn maximal_subpart(src: &[u8]) -> Option<u8> {
    let Some((second, count)) = shape(src[0]) else {
        return Some(1);
    };
    if !second.contains(src.get(1)?) {
        return Some(1);
    }
    for len in 2..count {
        if !is_continuation(*src.get(usize::from(len))?) {
            return Some(len);
        }
    }
    unreachable!("a whole sequence is well-formed")
}
