//! Finds character boundaries from any offset.

use crate::scalar::utf8::{is_continuation, start_before};

/// Returns true if a character begins at `offset` or the text ends there, so that the text can be
/// split at `offset`.
///
/// In well-formed text, the result equals [`str::is_char_boundary`]. In ill-formed text, each
/// sequence that a lossy conversion replaces by one character counts as a character. So each run of
/// `src.utf8_chunks()`, and each [maximal
/// subpart](https://www.unicode.org/versions/latest/core-spec/chapter-3/#G66453), begins and ends
/// at a boundary. Any four consecutive offsets of the text include a boundary. Reads at most the
/// byte at `offset` and the three bytes before it. Returns `false` if `offset` is after the end.
///
/// ```
/// use utflane::utf8;
///
/// let text = b"\xC3\xA9\x80\x80"; // é, and two continuation bytes without a lead byte
/// let boundaries: Vec<bool> = (0..6).map(|offset| utf8::is_boundary(text, offset)).collect();
/// assert_eq!(boundaries, [true, false, true, true, true, false]);
/// ```
#[must_use]
pub fn is_boundary(src: &[u8], offset: usize) -> bool {
    match src.get(offset) {
        Some(&byte) => !is_continuation(byte) || start_before(src, offset).is_none(),
        None => offset == src.len(),
    }
}

/// Returns the last [boundary](is_boundary) that is not after `offset`, as
/// [`str::floor_char_boundary`] does. If `offset` is after the end, returns the end.
///
/// ```
/// use utflane::utf8::floor_boundary;
///
/// let text = "a😀".as_bytes();
/// assert_eq!((floor_boundary(text, 3), floor_boundary(text, 9)), (1, 5));
/// // Truncate a text to at most 64 bytes, without splitting a character:
/// let text = "語".repeat(30);
/// assert_eq!(&text[..floor_boundary(text.as_bytes(), 64)], "語".repeat(21));
/// ```
#[must_use]
pub fn floor_boundary(src: &[u8], offset: usize) -> usize {
    match src.get(offset) {
        Some(&byte) if is_continuation(byte) => start_before(src, offset).unwrap_or(offset),
        Some(_) => offset,
        None => src.len(),
    }
}

/// Returns the first [boundary](is_boundary) that is not before `offset`, as
/// [`str::ceil_char_boundary`] does. If `offset` is after the end, returns the end.
///
/// ```
/// use utflane::utf8::ceil_boundary;
///
/// let text = "a😀".as_bytes();
/// assert_eq!((ceil_boundary(text, 1), ceil_boundary(text, 2), ceil_boundary(text, 9)), (1, 5, 5));
/// ```
#[must_use]
pub fn ceil_boundary(src: &[u8], offset: usize) -> usize {
    let mut boundary = offset.min(src.len());
    // Loops at most three times, because a character has at most three continuation bytes.
    while !is_boundary(src, boundary) {
        boundary += 1;
    }
    boundary
}
