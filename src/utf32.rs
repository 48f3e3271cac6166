//! Functions for UTF-32 in memory. A valid code unit is a `char`, so units can be viewed as
//! characters, and characters as units.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::encoding::types::Utf32;
use crate::encoding::view;
use crate::operations::free::validate;
use crate::types::error::Error;
#[cfg(feature = "alloc")]
use crate::types::error::IntoError;

/// Validates `src` and returns it as characters, without a copy.
///
/// Reads the text once. The error counts code units.
///
/// # Errors
///
/// Returns the error of the first unit that is a surrogate or above U+10FFFF.
///
/// ```
/// use utflane::{ErrorKind, utf32};
///
/// assert_eq!(utf32::as_chars(&[0x61, 0x1F600]), Ok(&['a', '😀'][..]));
/// let error = utf32::as_chars(&[0x61, 0xD800, 0x62]).unwrap_err();
/// assert_eq!((error.valid_up_to(), error.kind()), (1, ErrorKind::Surrogate));
/// ```
#[inline]
pub fn as_chars(src: &[u32]) -> Result<&[char], Error> {
    validate::<Utf32>(src)?;
    // SAFETY: all units must be scalar values, and `validate` has just tested that.
    Ok(unsafe { view::as_chars(src) })
}

/// Validates `src` and returns it as mutable characters, without a copy.
///
/// # Errors
///
/// Returns the same errors as [`as_chars`].
///
/// ```
/// let mut units = [0x61, 0x62];
/// utflane::utf32::as_chars_mut(&mut units)?[1] = 'é';
/// assert_eq!(units, [0x61, 0xE9]);
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn as_chars_mut(src: &mut [u32]) -> Result<&mut [char], Error> {
    validate::<Utf32>(src)?;
    // SAFETY: all units must be scalar values, and `validate` has just tested that.
    Ok(unsafe { view::as_chars_mut(src) })
}

/// Returns characters as UTF-32 units, without a copy, in O(1).
///
/// ```
/// use utflane::{Utf8, Utf32, transcode, utf32};
///
/// let text: String = transcode::<Utf32, Utf8>(utf32::from_chars(&['n', 'é', '😀']))?;
/// assert_eq!(text, "né😀");
/// # Ok::<(), utflane::Error>(())
/// ```
#[must_use]
#[inline]
pub fn from_chars(chars: &[char]) -> &[u32] {
    view::chars_as_units(chars)
}

/// Validates `units` and converts them to characters, without a copy.
///
/// # Errors
///
/// Returns the same errors as [`as_chars`]. The error contains the units.
///
/// ```
/// use utflane::utf32;
///
/// assert_eq!(utf32::into_chars(vec![0x6F, 0x6B]).unwrap(), ['o', 'k']);
/// let error = utf32::into_chars(vec![0x6E, 0x11_0000]).unwrap_err();
/// assert_eq!(error.error.valid_up_to(), 1);
/// assert_eq!(error.units, [0x6E, 0x11_0000]);
/// ```
#[cfg(feature = "alloc")]
#[inline]
pub fn into_chars(units: Vec<u32>) -> Result<Vec<char>, IntoError<u32>> {
    match validate::<Utf32>(&units) {
        // SAFETY: all units must be scalar values, and `validate` has just tested that.
        Ok(()) => Ok(unsafe { view::into_chars(units) }),
        Err(error) => Err(IntoError { error, units }),
    }
}
