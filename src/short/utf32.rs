//! A few units of UTF-32.

use crate::Scheme;

/// Units of UTF-32, low byte first.
#[inline]
fn units32<const N: usize>(units: &[[u8; 4]; N]) -> [u32; N] {
    units.map(u32::from_le_bytes)
}

/// Whether none of some units is anything but a character: not too large, even with the surrogates moved behind all others.
#[inline]
fn are_characters<const N: usize>(units: [u32; N]) -> bool {
    units
        .iter()
        .fold(true, |all, unit| all & ((unit ^ 0xD800).wrapping_sub(0x800) <= 0x10_FFFF - 0x800))
}

/// Whether `src` is at most eight whole units of UTF-32, all of them characters.
#[inline]
pub(crate) fn is_well_formed(src: &[u8]) -> bool {
    let (units, []) = src.as_chunks::<4>() else { return false };
    if units.len() > 8 {
        return false;
    }
    if let (Some(first), Some(last)) = (units.first_chunk::<4>(), units.last_chunk::<4>()) {
        return are_characters(units32(first)) & are_characters(units32(last));
    }
    match units {
        [first, .., last] => {
            let middle = units[units.len() / 2];
            are_characters(units32(&[*first, middle, *last]))
        }
        [only] => are_characters(units32(&[*only])),
        [] => true,
    }
}

/// The length in UTF-8 of up to five units of UTF-32, and the part of another; or in UTF-16 of up to eight.
#[inline]
pub(crate) fn len(src: &[u8], to: Scheme) -> Option<usize> {
    let units = src.as_chunks::<4>().0;
    let utf8 = matches!(to, Scheme::Utf8);
    if units.len() > if utf8 { 5 } else { 8 } {
        return None;
    }
    let mut len = units.len();
    for unit in units {
        let [unit] = units32(&[*unit]);
        len += usize::from(unit > 0xFFFF);
        if utf8 {
            len += usize::from(unit > 0x7F) + usize::from(unit > 0x7FF);
        }
    }
    Some(len)
}
