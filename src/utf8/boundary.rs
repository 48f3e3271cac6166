//! Character boundaries, found from any offset.

use crate::scalar::utf8::{is_continuation, start_before};

/// Returns true if a character begins or the text ends at `offset`, so that the text can be split
/// there.
///
/// In well-formed text it is [`str::is_char_boundary`]. In any other text, a character is what a
/// lossy conversion makes one character: each run of `src.utf8_chunks()`, and so each [maximal
/// subpart](https://www.unicode.org/versions/latest/core-spec/chapter-3/#G66453), begins and ends
/// at a boundary. So any four consecutive offsets of the text include one. Reads at most the three
/// bytes before `offset` and the one at it. Returns `false` after the end.
///
/// ```
/// use utflane::utf8;
///
/// let text = b"\xC3\xA9\x80\x80"; // é, and two bytes that belong to nothing
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
/// [`str::floor_char_boundary`]. For an offset after the end it is the end.
///
/// ```
/// use utflane::utf8::floor_boundary;
///
/// let text = "a😀".as_bytes();
/// assert_eq!((floor_boundary(text, 3), floor_boundary(text, 9)), (1, 5));
/// // A text that is truncated to at most 64 bytes, anywhere:
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
/// [`str::ceil_char_boundary`]. For an offset after the end it is the end.
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
    // At most three times: a character has at most three continuation bytes.
    while !is_boundary(src, boundary) {
        boundary += 1;
    }
    boundary
}
