//! UTF-8 as it was defined before 2003: sequences of up to six bytes, values of up to 31 bits.
//!
//! X/Open's FSS-UTF (1992) and, for the Internet, RFC 2279 (1998) gave every value of 31 bits a sequence:
//!
//! | values | bytes |
//! |---|---|
//! | `0..=7F` | `0xxxxxxx` |
//! | `80..=7FF` | `110xxxxx 10xxxxxx` |
//! | `800..=FFFF` | `1110xxxx 10xxxxxx 10xxxxxx` |
//! | `10000..=1FFFFF` | `11110xxx`, and three bytes `10xxxxxx` |
//! | `200000..=3FFFFFF` | `111110xx`, and four |
//! | `4000000..=7FFFFFFF` | `1111110x`, and five |
//!
//! RFC 3629 (2003) ended it at U+10FFFF, and **today this is not UTF-8**: no verb of this crate takes it for that, and
//! `F8..=FD` are [invalid lead bytes](ErrorKind::InvalidLeadByte) to all of them. This module is for old data and old
//! protocols, and for telling what damaged text has:
//!
//! * [`decode`], [`decode_append`], [`values`] and [`first`] read text by the older definition, as values: what is above
//!   U+10FFFF is no `char`.
//! * [`sequences()`] finds, in any bytes, the sequences that a looser definition than today's had a value for.
//!
//! **What is strict.** RFC 2279 has only one valid way to encode a value, the shortest, and its section 6 warns of decoders
//! that take another: `C0 80` for NUL, or `2F C0 AE 2E 2F` for `/../`, go past checks that look at bytes. So
//! overlong sequences are errors here too. So are surrogates (U+D800..=U+DFFF): section 2 has UTF-16 undone before a
//! character is encoded, so they don't occur. `FE` and `FF` never occur either. FSS-UTF alone, without the RFC, asks for the
//! shortest sequence of an encoder, and doesn't know surrogates.
//!
//! **Errors** are worded as for [`validate`](crate::validate): the kinds told apart in the same order, the place in bytes, and
//! the length of the maximal subpart, which is as far as the bytes begin a sequence that the *older* definition has: 1 to 5
//! bytes. [`ErrorKind::InvalidLeadByte`] is `FE` or `FF`; [`ErrorKind::TooLarge`] does not occur, since all 31 bits are in use.
//! Text that is well-formed today is well-formed here, and means the same.
//!
//! ```
//! use utflane::utf8::legacy;
//!
//! assert_eq!(legacy::decode(b"a\xC3\xA9\xFD\xBF\xBF\xBF\xBF\xBF")?, [0x61, 0xE9, 0x7FFF_FFFF]);
//!
//! let found = legacy::sequences(b"a \xF8\x88\x80\x80\x80 \xFF").next().unwrap();
//! assert_eq!((found.range(), found.value()), (2..7, 0x20_0000));
//! assert_eq!(found.to_string(), "five-byte sequence of value 200000 from index 2");
//! # Ok::<(), utflane::Error>(())
//! ```

#![forbid(unsafe_code)]

mod sequences;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::iter::FusedIterator;
use core::ops::RangeInclusive;

pub use self::sequences::{Form, Sequence, Sequences, sequences};
use crate::error::Flaw;
use crate::scalar::utf8::is_continuation;
use crate::{Error, ErrorKind, Scheme};
#[cfg(feature = "alloc")]
use crate::{Utf8, Utf32, transcode_append};

/// The largest value that has a sequence.
///
/// ```
/// use utflane::utf8::legacy;
///
/// assert_eq!(legacy::first(b"\xFD\xBF\xBF\xBF\xBF\xBF"), Ok(Some((legacy::MAX, 6))));
/// ```
pub const MAX: u32 = 0x7FFF_FFFF;

/// What takes part in UTF-16 and is no character.
const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// The values of `src` by the older definition, RFC 2279: those of its characters, and what was above U+10FFFF.
///
/// One pass. Text that is UTF-8 today is decoded by vector code, older sequences and the few bytes behind them are not.
///
/// # Errors
///
/// The first place that the older definition doesn't have either.
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
#[cfg(feature = "alloc")]
pub fn decode(src: &[u8]) -> Result<Vec<u32>, Error> {
    let mut out = Vec::new();
    decode_append(src, &mut out)?;
    Ok(out)
}

/// Appends the values of `src` to `out`, as [`decode`].
///
/// # Errors
///
/// As [`decode`]; the values of what stands in front of the error have been appended.
///
/// ```
/// let mut out = vec![0x3E];
/// let error = utflane::utf8::legacy::decode_append(b"ok\xFEgo", &mut out).unwrap_err();
/// assert_eq!((error.valid_up_to(), error.error_len()), (2, Some(1)));
/// assert_eq!(out, [0x3E, 0x6F, 0x6B]);
/// ```
#[cfg(feature = "alloc")]
pub fn decode_append(src: &[u8], out: &mut Vec<u32>) -> Result<(), Error> {
    /// Behind an older sequence, so many bytes are decoded without vector code: others may be near, and to stop at each would
    /// take it longer.
    const NEAR: usize = 128;
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
                first_value(rest).map_err(|flaw| Error::new(Scheme::Utf8, at, flaw))?;
            out.push(value);
            at += len;
            if value > u32::from(char::MAX) {
                end = at + NEAR;
            }
        }
    }
    Ok(())
}

/// The first value of `src` by the older definition, and how many bytes it takes: 1 to 6. `None` if there are no bytes.
///
/// # Errors
///
/// If the older definition doesn't have what `src` begins with; [`Error::valid_up_to`] is 0.
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
    first_value(src).map(Some).map_err(|flaw| Error::new(Scheme::Utf8, 0, flaw))
}

/// The values of `src` by the older definition, each with the byte where it begins; and the errors, with theirs.
///
/// Behind an error it goes on, after [`Error::error_len`] bytes; so [`Error::valid_up_to`] is where this error is, in bytes
/// from the beginning of `src`, and there may be others in front of it. To stop at the first, collect into a `Result`. One
/// character at a time, without an allocation.
///
/// ```
/// use utflane::utf8::legacy;
///
/// let values: Result<Vec<_>, _> = legacy::values(b"\xC3\xA9\xF7\xBF\xBF\xBF!").collect();
/// assert_eq!(values?, [(0, 0xE9), (2, 0x1F_FFFF), (6, 0x21)]);
///
/// let errors = legacy::values(b"a\xFFb\xF9\x80c").filter_map(Result::err);
/// let places: Vec<_> = errors.map(|error| (error.valid_up_to(), error.error_len())).collect();
/// assert_eq!(places, [(1, Some(1)), (3, Some(2))]);
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
            Err(flaw) => {
                let error = Error::new(Scheme::Utf8, at, flaw);
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

/// The value at the front of `src`, which is not empty, and its bytes.
#[inline]
fn first_value(src: &[u8]) -> Result<(u32, usize), Flaw> {
    if let [byte @ 0x00..=0x7F, ..] = *src {
        return Ok((u32::from(byte), 1));
    }
    match complete(src) {
        Some((value, len)) if len == shortest(value) && !SURROGATES.contains(&value) => {
            Ok((value, len))
        }
        _ => Err(flaw(src)),
    }
}

/// The sequence at the front of `src`, if it begins with one of two to six bytes that has as many bytes as its lead byte
/// announces: what its bits say, which may be a surrogate, or overlong.
#[inline]
fn complete(src: &[u8]) -> Option<(u32, usize)> {
    let &lead = src.first()?;
    let len = lead.leading_ones() as usize;
    if !matches!(len, 2..=6) {
        return None;
    }
    let mut value = u32::from(lead & (0x7F >> len));
    for &byte in src.get(1..len)? {
        if !is_continuation(byte) {
            return None;
        }
        value = value << 6 | u32::from(byte & 0x3F);
    }
    Some((value, len))
}

/// How many bytes a value takes.
#[inline]
const fn shortest(value: u32) -> usize {
    match value {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        _ => 6,
    }
}

/// What is wrong at the front of `src`.
#[cold]
fn flaw(src: &[u8]) -> Flaw {
    let kind = kind(src);
    match maximal_subpart(src) {
        Some(len) => Flaw::ill_formed(kind, len),
        None => Flaw::incomplete(kind),
    }
}

/// The kind of error at the front of `src`, in the order of [`ErrorKind`].
fn kind(src: &[u8]) -> ErrorKind {
    match (src[0], complete(src)) {
        (0x80..=0xBF, _) => ErrorKind::TooLong,
        (0xFE..=0xFF, _) => ErrorKind::InvalidLeadByte,
        (_, None) => ErrorKind::TooShort,
        (_, Some((value, len))) if len > shortest(value) => ErrorKind::Overlong,
        _ => ErrorKind::Surrogate,
    }
}

/// The second bytes that may follow a lead byte, and how many bytes its sequence has. `None` for what leads nothing.
fn shape(lead: u8) -> Option<(RangeInclusive<u8>, u8)> {
    Some(match lead {
        0xC2..=0xDF => (0x80..=0xBF, 2),
        // Below these second bytes it would be overlong; behind ED, above 9F, a surrogate.
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

/// Bytes at the front of `src`, which is ill-formed, as far as they begin a sequence; at least one. `None` if they end with
/// `src`.
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
