//! Runs the crate's operations on long texts in parallel, with [`rayon`]. The results are
//! identical.
//!
//! A text is split at character boundaries, into a few parts for each thread of the current pool. A
//! text of less than [`THRESHOLD`] bytes, and any text in a pool of one thread, is passed to the
//! sequential function of the same name. If a function fails, it returns the first error in the
//! whole text. Parts after an error are not begun, so an ill-formed text costs little more than the
//! text before its error.
//!
//! ```
//! use utflane::{Utf8, Utf16, par};
//!
//! let text = "smørrebrød, ".repeat(200_000);
//! let units = par::transcode::<Utf8, Utf16>(text.as_bytes())?;
//! assert_eq!(units.len(), par::len::<Utf8, Utf16>(text.as_bytes()));
//! assert_eq!(String::from_utf16(&units).unwrap(), text);
//! # Ok::<(), utflane::Error>(())
//! ```
//!
//! [`rayon`]: https://docs.rs/rayon

pub(crate) mod split;
#[cfg(test)]
mod tests;

use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::buffer::Buffer;
use crate::encoding::types::Encoding;
use crate::encoding::unit::sealed::Unit as _;
use crate::encoding::view;
use crate::index::Index;
use crate::owned::ConversionToVec;
use crate::types::error::Error;

/// Texts of at least this many bytes are split. For a shorter text, starting the threads takes
/// longer than the whole operation on one thread.
///
/// A build for fuzzing splits short texts too.
#[allow(unexpected_cfgs, reason = "only fuzzing builds set `fuzzing`")]
pub const THRESHOLD: usize = if cfg!(fuzzing) { 1 << 9 } else { 1 << 20 };

/// Like [`validate`](crate::validate), but on several threads.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence.
///
/// ```
/// use utflane::{Utf8, par};
///
/// let mut text = "ж".repeat(1_000_000).into_bytes();
/// assert!(par::validate::<Utf8>(&text).is_ok());
/// text[1_500_000] = 0xFF;
/// assert_eq!(par::validate::<Utf8>(&text).unwrap_err().valid_up_to(), 1_500_000);
/// ```
#[inline]
pub fn validate<E: Encoding>(src: &[E::Unit]) -> Result<(), Error> {
    match split::part_bytes(size_of_val(src)) {
        Some(part_size) => {
            let validation = const { validation(E::SCHEME) };
            split::validate(validation, view::bytes(src), part_size)
                .map_err(|error| error.in_units(size_of::<E::Unit>()))
        }
        None => crate::validate::<E>(src),
    }
}

/// Like [`count`](crate::count), but on several threads.
///
/// ```
/// use utflane::{Utf8, par};
///
/// assert_eq!(par::count::<Utf8>("ж".repeat(1_000_000).as_bytes()), 1_000_000);
/// ```
#[must_use]
#[inline]
pub fn count<E: Encoding>(src: &[E::Unit]) -> usize {
    match split::part_bytes(size_of_val(src)) {
        Some(part_size) => {
            let count = const { pairs::count(E::SCHEME) };
            split::measure(E::SCHEME, count, view::bytes(src), part_size)
        }
        None => crate::count::<E>(src),
    }
}

/// Like [`len`](crate::len), but on several threads.
///
/// ```
/// use utflane::{Utf8, Utf16, par};
///
/// assert_eq!(par::len::<Utf8, Utf16>("😀".repeat(500_000).as_bytes()), 1_000_000);
/// ```
#[must_use]
#[inline]
pub fn len<A: Encoding, B: Encoding>(src: &[A::Unit]) -> usize {
    match split::part_bytes(size_of_val(src)) {
        Some(part_size) => {
            let len = const { pairs::len(A::SCHEME, B::SCHEME) };
            split::measure(A::SCHEME, len, view::bytes(src), part_size)
                .saturating_mul(const { B::SCHEME.unit_size() / size_of::<B::Unit>() })
        }
        None => crate::len::<A, B>(src),
    }
}

/// Like [`transcode`](crate::transcode), but on several threads. The text is measured first, unless
/// the two encodings determine the length of the result.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence or unmappable character.
///
/// ```
/// use utflane::{Latin1, Utf8, par};
///
/// let text = par::transcode::<Latin1, Utf8>(&[0xE9; 2_000_000])?;
/// assert_eq!(text, "é".repeat(2_000_000));
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn transcode<A: Encoding, B: Encoding>(src: &[A::Unit]) -> Result<B::Owned, Error> {
    if split::part_bytes(size_of_val(src)).is_none() {
        return crate::transcode::<A, B>(src);
    }
    let mut out = B::Owned::default();
    transcode_append::<A, B>(src, &mut out)?;
    Ok(out)
}

/// Like [`transcode_append`](crate::transcode_append), but on several threads. After an error, the
/// text before it has been appended.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence or unmappable character.
///
/// ```
/// use utflane::{Utf8, Utf16, par};
///
/// let mut units = vec![0x3E];
/// par::transcode_append::<Utf8, Utf16>("ж".repeat(600_000).as_bytes(), &mut units)?;
/// assert_eq!((units.len(), units[600_000]), (600_001, 0x436));
/// # Ok::<(), utflane::Error>(())
/// ```
#[inline]
pub fn transcode_append<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    out: &mut B::Owned,
) -> Result<(), Error> {
    match split::part_bytes(size_of_val(src)) {
        Some(part_size) => {
            let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
            let len = const { pairs::len(A::SCHEME, B::SCHEME) };
            // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows
            // by whole characters.
            let units = unsafe { out.units_mut() };
            split::append(to_vec, len, view::bytes(src), part_size, B::Unit::vec_mut(units))
                .map_err(|error| error.in_units(size_of::<A::Unit>()))
        }
        None => crate::transcode_append::<A, B>(src, out),
    }
}

/// Like [`Index::new`], but on several threads.
///
/// ```
/// use utflane::{Metric, par};
///
/// let text = "😀\n".repeat(300_000);
/// let index = par::index(text.as_bytes());
/// assert_eq!((index.len(Metric::Utf16), index.lines()), (900_000, 300_001));
/// ```
#[must_use]
#[inline]
pub fn index(src: &[u8]) -> Index<'_> {
    match split::part_bytes(src.len()) {
        Some(part_size) => split::index(src, part_size),
        None => Index::new(src),
    }
}
