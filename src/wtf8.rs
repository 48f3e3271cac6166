//! Functions for WTF-8 texts: UTF-8 that may contain unpaired surrogates, as JavaScript's strings
//! and Windows' file names do.
//!
//! All operations accept the encodings [`Wtf8`] and [`Wtf16`](crate::Wtf16), its counterpart in
//! 16-bit units. This module has the functions that only WTF-8 needs. Every `&str` is valid WTF-8.
//! When two texts are joined, an unpaired high surrogate and an unpaired low surrogate may become a
//! character.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
#[cfg(feature = "alloc")]
use core::char::CharTryFromError;
use core::iter::FusedIterator;

use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::types::{Utf8, Wtf8};
use crate::scalar::utf8::{is_continuation, reaches};
use crate::types::error::Error;
#[cfg(feature = "alloc")]
use crate::types::policy::Repair;
use crate::types::progress::Stop;
use crate::{scalar, utf8};

/// Returns `src` as a string, without a copy, if `src` has no unpaired surrogates.
///
/// # Errors
///
/// Returns the error of the first sequence that is ill-formed in WTF-8 or is an unpaired surrogate.
/// The error of an unpaired surrogate has the kind
/// [`ErrorKind::Surrogate`](crate::ErrorKind::Surrogate) and a length of three bytes.
///
/// ```
/// use utflane::{ErrorKind, wtf8};
///
/// assert_eq!(wtf8::to_str("C:\\été".as_bytes()), Ok("C:\\été"));
/// let error = wtf8::to_str(b"C:\\\xED\xA0\x80.txt").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Surrogate);
/// assert_eq!((error.valid_up_to(), error.error_len()), (3, Some(3)));
/// ```
#[inline]
pub fn to_str(src: &[u8]) -> Result<&str, Error> {
    utf8::from_utf8(src).map_err(|error| with_wtf8_kind(src, error))
}

/// Returns the error at the same offset, with the kind and the length that it has in WTF-8.
#[cold]
fn with_wtf8_kind(src: &[u8], error: Error) -> Error {
    match scalar::stop(Scheme::Wtf8, Scheme::Utf8, src, error.valid_up_to()) {
        Stop::Error(error) => error,
        _ => error,
    }
}

/// Returns `src` as a string, with U+FFFD for each unpaired surrogate and each ill-formed sequence.
/// Borrows if there is neither.
///
/// ```
/// use utflane::wtf8;
///
/// assert_eq!(wtf8::to_str_lossy(b"a\xED\xA0\x80b"), "a\u{FFFD}b");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn to_str_lossy(src: &[u8]) -> Cow<'_, str> {
    match utf8::from_utf8(src) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(
            crate::lossy::operations::transcode_lossy::<Wtf8, Utf8>(src, Repair::REPLACE).text,
        ),
    }
}

/// Like [`to_str_lossy`], for owned bytes. Keeps the allocation if no sequence is ill-formed: an
/// unpaired surrogate has three bytes, as U+FFFD has, and is replaced in place.
///
/// A text without surrogates is validated once, and a text with surrogates twice.
///
/// ```
/// use utflane::wtf8;
///
/// assert_eq!(wtf8::into_string_lossy(b"a\xED\xA0\x80b".to_vec()), "a\u{FFFD}b");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn into_string_lossy(bytes: Vec<u8>) -> String {
    match utf8::into_string(bytes) {
        Ok(text) => text,
        Err(error) => {
            let offset = error.error.valid_up_to();
            repair(error.units, offset)
        }
    }
}

/// Returns `bytes` as a string with repairs. The first `offset` bytes are well-formed UTF-8.
#[cfg(feature = "alloc")]
#[cold]
fn repair(mut bytes: Vec<u8>, mut offset: usize) -> String {
    // A sequence that is ill-formed in WTF-8 may not have the length of U+FFFD.
    while let Ok((0xD800..=0xDFFF, len)) = scalar::decode(Scheme::Wtf8, &bytes[offset..]) {
        bytes[offset..offset + len].copy_from_slice("\u{FFFD}".as_bytes());
        match utf8::from_utf8(&bytes[offset..]) {
            Ok(_) => break,
            Err(error) => offset += error.valid_up_to(),
        }
    }
    match utf8::into_string(bytes) {
        Ok(text) => text,
        Err(error) => to_str_lossy(&error.units).into_owned(),
    }
}

/// Returns true if a code point begins at `offset` or the text ends there, so that the text can be
/// split at `offset`.
///
/// An unpaired surrogate is a code point of three bytes. In all other respects, this function
/// behaves like [`utf8::is_boundary`]. In ill-formed text, each sequence that becomes one U+FFFD
/// begins and ends at a boundary. A surrogate pair is such a sequence of six bytes. Reads at most
/// three bytes before `offset` and three bytes from `offset` on. Returns `false` if `offset` is
/// after the end.
///
/// ```
/// use utflane::wtf8;
///
/// let text = b"\xED\xA0\x80\xC3\xA9"; // an unpaired surrogate, é
/// let boundaries: Vec<usize> = (0..8).filter(|&at| wtf8::is_boundary(text, at)).collect();
/// assert_eq!(boundaries, [0, 3, 5]);
/// ```
#[must_use]
pub fn is_boundary(src: &[u8], offset: usize) -> bool {
    match src.get(offset) {
        Some(&byte) if is_continuation(byte) => start_before(src, offset).is_none(),
        Some(_) => !is_inside_pair(src, offset),
        None => offset == src.len(),
    }
}

/// Returns the last [boundary](is_boundary) that is not after `offset`. If `offset` is after the
/// end, returns the end.
///
/// ```
/// let text = b"a\xED\xA0\x80b"; // a, an unpaired surrogate, b
/// assert_eq!(utflane::wtf8::floor_boundary(text, 3), 1);
/// ```
#[must_use]
pub fn floor_boundary(src: &[u8], offset: usize) -> usize {
    let start = match src.get(offset) {
        Some(&byte) if is_continuation(byte) => start_before(src, offset).unwrap_or(offset),
        Some(_) => offset,
        None => return src.len(),
    };
    if is_inside_pair(src, start) { start - 3 } else { start }
}

/// Returns the first [boundary](is_boundary) that is not before `offset`. If `offset` is after the
/// end, returns the end.
///
/// ```
/// let text = b"a\xED\xA0\x80b"; // a, an unpaired surrogate, b
/// assert_eq!(utflane::wtf8::ceil_boundary(text, 3), 4);
/// ```
#[must_use]
pub fn ceil_boundary(src: &[u8], offset: usize) -> usize {
    let mut boundary = offset.min(src.len());
    // Loops at most five times, because a sequence has at most six bytes.
    while !is_boundary(src, boundary) {
        boundary += 1;
    }
    boundary
}

/// Returns the start of the code point to which the continuation byte at `offset` belongs. Returns
/// `None` if the byte belongs to no code point.
fn start_before(src: &[u8], offset: usize) -> Option<usize> {
    let floor = offset.saturating_sub(3);
    let start = floor + src[floor..offset].iter().rposition(|&byte| !is_continuation(byte))?;
    let sequence = &src[start..=offset];
    let is_surrogate = matches!(sequence, [0xED, 0xA0..=0xBF, ..]) && sequence.len() <= 3;
    (is_surrogate || reaches(sequence)).then_some(start)
}

/// Returns true if `offset` is between the two surrogates of a surrogate pair.
fn is_inside_pair(src: &[u8], offset: usize) -> bool {
    let Some((before, after)) = src.split_at_checked(offset) else { return false };
    matches!(before, [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF])
        && matches!(after, [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..])
}

/// Returns an iterator over the code points of `src`: scalar values and unpaired surrogates.
///
/// Each ill-formed sequence becomes one U+FFFD, as in [`to_str_lossy`]. A surrogate pair is such a
/// sequence. To distinguish these from a U+FFFD in the text, [validate](crate::validate) the text
/// first. The iterator decodes one code point at a time, from both ends, and does not allocate. If
/// code units are enough, [`transcode::<Wtf8, Wtf16>`](crate::transcode) is faster.
///
/// ```
/// use utflane::wtf8;
///
/// let text = b"a\xED\xA0\xBD\xF0\x9F\x98\x80\xFF";
/// assert!(wtf8::code_points(text).eq([0x61, 0xD83D, 0x1F600, 0xFFFD]));
/// assert_eq!(wtf8::code_points(text).nth_back(1), Some(0x1F600));
/// ```
#[inline]
pub fn code_points(src: &[u8]) -> CodePoints<'_> {
    CodePoints { src }
}

/// The iterator of [`code_points`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct CodePoints<'a> {
    src: &'a [u8],
}

/// Returns the first code point of `src`, which is not empty, and the length of its sequence in
/// bytes.
#[inline]
fn decode_first(src: &[u8]) -> (u32, usize) {
    match scalar::decode(Scheme::Wtf8, src) {
        Ok(decoded) => decoded,
        // The rest is an incomplete sequence.
        Err(error) if error.len == 0 => (0xFFFD, src.len()),
        Err(error) => (0xFFFD, error.len.into()),
    }
}

impl Iterator for CodePoints<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.src.is_empty() {
            return None;
        }
        let (code_point, len) = decode_first(self.src);
        self.src = &self.src[len..];
        Some(code_point)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        // The longest sequence is a surrogate pair.
        (self.src.len().div_ceil(6), Some(self.src.len()))
    }
}

impl DoubleEndedIterator for CodePoints<'_> {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        let start = floor_boundary(self.src, self.src.len().checked_sub(1)?);
        let (rest, last) = self.src.split_at(start);
        self.src = rest;
        Some(decode_first(last).0)
    }
}

impl FusedIterator for CodePoints<'_> {}

/// Appends a code point to a WTF-8 text. A high surrogate at the end of `text` and a low surrogate
/// `code_point` become one character, as in [`append`].
///
/// # Errors
///
/// Returns an error if `code_point` is above U+10FFFF. Nothing is appended in this case.
///
/// ```
/// use utflane::wtf8;
///
/// let mut text = b"a".to_vec();
/// for unit in [0xD83D, 0xDE00, 0xD83D] {
///     wtf8::push(&mut text, unit)?;
/// }
/// assert_eq!(text, b"a\xF0\x9F\x98\x80\xED\xA0\xBD");
/// assert!(wtf8::push(&mut text, 0x11_0000).is_err());
/// # Ok::<(), std::char::CharTryFromError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn push(text: &mut Vec<u8>, code_point: u32) -> Result<(), CharTryFromError> {
    if let 0xD800..=0xDFFF = code_point {
        let continuation = |bits: u32| 0x80 | (bits & 0x3F) as u8;
        append(text, &[0xED, continuation(code_point >> 6), continuation(code_point)]);
    } else {
        let c = char::try_from(code_point)?;
        text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Ok(())
}

/// Appends a WTF-8 text to another WTF-8 text. A high surrogate at the end of `text` and a low
/// surrogate at the start of `more` become one character.
///
/// Without this rule, the concatenation of two well-formed texts could be ill-formed. The function
/// examines only the last three bytes of `text` and the first three bytes of `more`, and copies the
/// rest.
///
/// ```
/// use utflane::wtf8;
///
/// let mut text = b"a\xED\xA0\xBD".to_vec();
/// wtf8::append(&mut text, b"\xED\xB8\x80b");
/// assert_eq!(text, "a😀b".as_bytes());
/// ```
#[cfg(feature = "alloc")]
pub fn append(text: &mut Vec<u8>, more: &[u8]) {
    let mut more = more;
    if let ([.., 0xED, 0xA0..=0xAF, 0x80..=0xBF], [0xED, 0xB0..=0xBF, 0x80..=0xBF, rest @ ..]) =
        (&text[..], more)
    {
        let payload =
            |surrogate: &[u8]| u32::from(surrogate[1] & 0x0F) << 6 | u32::from(surrogate[2] & 0x3F);
        let high_start = text.len() - 3;
        let c = 0x1_0000 + (payload(&text[high_start..]) << 10) + payload(more);
        text.truncate(high_start);
        if let Some(c) = char::from_u32(c) {
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        more = rest;
    }
    text.extend_from_slice(more);
}

/// Converts a Windows string to WTF-8 without loss. Converts twice, through UTF-16.
///
/// ```
/// use std::ffi::OsStr;
/// use utflane::wtf8;
///
/// assert_eq!(wtf8::from_os_str(OsStr::new("été.txt")), "été.txt".as_bytes());
/// ```
#[cfg(all(windows, feature = "std"))]
#[must_use]
pub fn from_os_str(text: &std::ffi::OsStr) -> Vec<u8> {
    use std::os::windows::ffi::OsStrExt;

    let units: Vec<u16> = text.encode_wide().collect();
    // Every sequence of 16-bit units is well-formed WTF-16, so there is no error.
    crate::operations::free::transcode::<crate::encoding::types::Wtf16, Wtf8>(&units)
        .unwrap_or_default()
}

/// Converts WTF-8 to a Windows string without loss. Converts twice, through UTF-16.
///
/// # Errors
///
/// Returns the error of the first ill-formed sequence.
///
/// ```
/// use utflane::wtf8;
///
/// let name = wtf8::to_os_string(b"unpaired \xED\xA0\x80.txt")?;
/// assert_eq!(name.to_string_lossy(), "unpaired \u{FFFD}.txt");
/// # Ok::<(), utflane::Error>(())
/// ```
#[cfg(all(windows, feature = "std"))]
pub fn to_os_string(src: &[u8]) -> Result<std::ffi::OsString, Error> {
    use std::os::windows::ffi::OsStringExt;

    let units = crate::operations::free::transcode::<Wtf8, crate::encoding::types::Wtf16>(src)?;
    Ok(std::ffi::OsString::from_wide(&units))
}
