//! A few units of UTF-32.

use crate::Scheme;

/// Whether a unit is a character: not too large, even with the surrogates moved behind all others.
#[inline]
fn is_character(unit: u32) -> bool {
    (unit ^ 0xD800).wrapping_sub(0x800) <= 0x10_FFFF - 0x800
}

/// Whether `src` is at most three whole units of UTF-32, all of them characters.
#[inline]
pub(crate) fn is_well_formed(src: &[u8]) -> bool {
    if src.len() > 12 || !src.len().is_multiple_of(4) {
        return false;
    }
    // The first, the middle and the last, which may be the same.
    let Some(first) = src.first_chunk() else { return true };
    let Some(last) = src.last_chunk() else { return true };
    let Some(middle) = src[src.len() / 8 * 4..].first_chunk() else { return true };
    is_character(u32::from_le_bytes(*first))
        & is_character(u32::from_le_bytes(*middle))
        & is_character(u32::from_le_bytes(*last))
}

/// The length in UTF-8 or UTF-16 of a text of at most one unit.
#[inline]
pub(crate) fn len(src: &[u8], to: Scheme) -> Option<usize> {
    let unit = match src.first_chunk() {
        Some(unit) if src.len() == 4 => u32::from_le_bytes(*unit),
        Some(_) => return None,
        None => return Some(0),
    };
    let more = usize::from(unit > 0xFFFF);
    Some(match to {
        Scheme::Utf8 => 1 + more + usize::from(unit > 0x7F) + usize::from(unit > 0x7FF),
        _ => 1 + more,
    })
}
