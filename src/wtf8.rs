//! Functions for WTF-8 strings: UTF-8 that may contain unpaired surrogates, as JavaScript's strings
//! and Windows' file names do.
//!
//! All verbs accept [`Wtf8`] and [`Wtf16`](crate::Wtf16), its UTF-16, as encodings. This module has
//! the functions that only WTF-8 needs. Any `&str` is WTF-8 as it is. Where two texts are joined,
//! two unpaired surrogates may become a character.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::types::{Utf8, Wtf8};
use crate::types::error::Error;
#[cfg(feature = "alloc")]
use crate::types::policy::Repair;
use crate::types::progress::Stop;
use crate::{scalar, utf8};

/// Returns `src` as a string, if it has no unpaired surrogates. No copy.
///
/// # Errors
///
/// The first sequence that is ill-formed in WTF-8, or an unpaired surrogate:
/// [`ErrorKind::Surrogate`](crate::ErrorKind::Surrogate), three bytes long.
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
    utf8::from_bytes(src).map_err(|error| named(src, error))
}

/// Returns the same error with its kind in WTF-8.
#[cold]
fn named(src: &[u8], error: Error) -> Error {
    match scalar::stop(Scheme::Wtf8, Scheme::Utf8, src, error.valid_up_to()) {
        Stop::Error(error) => error,
        _ => error,
    }
}

/// [`to_str`] with U+FFFD for each unpaired surrogate and each ill-formed sequence. Never fails.
/// Borrows if there is none.
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
    match utf8::from_bytes(src) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(
            crate::lossy::verbs::transcode_lossy::<Wtf8, Utf8>(src, Repair::REPLACE).text,
        ),
    }
}

/// Appends one WTF-8 text to another: a high surrogate at the end of `text` and a low one at the
/// start of `more` become their character.
///
/// Without that, the concatenation of two well-formed texts could be ill-formed. Only these six
/// bytes are examined; the rest is copied.
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
        let half =
            |surrogate: &[u8]| u32::from(surrogate[1] & 0x0F) << 6 | u32::from(surrogate[2] & 0x3F);
        let at = text.len() - 3;
        let c = 0x1_0000 + (half(&text[at..]) << 10) + half(more);
        text.truncate(at);
        if let Some(c) = char::from_u32(c) {
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        more = rest;
    }
    text.extend_from_slice(more);
}

/// Concatenates WTF-8 texts, as [`append`] does.
///
/// ```
/// use utflane::wtf8;
///
/// let text = wtf8::concat([&b"\xED\xA0\xBD"[..], b"", b"\xED\xB8\x80", "!".as_bytes()]);
/// assert_eq!(text, "😀!".as_bytes());
/// ```
#[cfg(feature = "alloc")]
pub fn concat<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut all = Vec::new();
    for text in texts {
        append(&mut all, text);
    }
    all
}

/// Returns a string of Windows as WTF-8. Lossless. Two passes, by way of UTF-16.
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
    // Any units are well-formed.
    crate::verbs::free::transcode::<crate::encoding::types::Wtf16, Wtf8>(&units).unwrap_or_default()
}

/// Returns WTF-8 as a string of Windows. Lossless. Two passes, by way of UTF-16.
///
/// # Errors
///
/// The first ill-formed sequence.
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

    let units = crate::verbs::free::transcode::<Wtf8, crate::encoding::types::Wtf16>(src)?;
    Ok(std::ffi::OsString::from_wide(&units))
}
