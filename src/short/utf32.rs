//! A few units of UTF-32.

use core::mem::MaybeUninit;

use super::{put, put_at};
use crate::Scheme;

/// Whether a unit is a character: not too large, even with the surrogates moved behind all others.
#[inline]
fn is_character(unit: [u8; 4]) -> bool {
    (u32::from_le_bytes(unit) ^ 0xD800).wrapping_sub(0x800) <= 0x10_FFFF - 0x800
}

/// Whether `src` is at most eight whole units of UTF-32, all of them characters.
#[inline]
pub(crate) fn is_well_formed(src: &[u8]) -> bool {
    let (units, []) = src.as_chunks::<4>() else { return false };
    if units.len() > 8 {
        return false;
    }
    if let (Some(first), Some(last)) = (units.first_chunk(), units.last_chunk()) {
        return are_characters(first) & are_characters(last);
    }
    match *units {
        [first, .., last] => {
            // The one in the middle may be the last one.
            let middle = units[units.len() / 2];
            is_character(first) & is_character(middle) & is_character(last)
        }
        [only] => is_character(only),
        [] => true,
    }
}

/// Whether four units are characters.
#[inline]
fn are_characters(&[a, b, c, d]: &[[u8; 4]; 4]) -> bool {
    is_character(a) & is_character(b) & is_character(c) & is_character(d)
}

/// The length in UTF-8 or UTF-16 of up to three units of UTF-32, and the part of another.
#[inline]
pub(crate) fn len(src: &[u8], to: Scheme) -> Option<usize> {
    let units = src.as_chunks().0;
    if units.len() > 3 {
        return None;
    }
    let mut len = units.len();
    for unit in units {
        let unit = u32::from_le_bytes(*unit);
        len += usize::from(unit > 0xFFFF);
        if matches!(to, Scheme::Utf8) {
            len += usize::from(unit > 0x7F) + usize::from(unit > 0x7FF);
        }
    }
    Some(len)
}

/// Converts a single unit, and into UTF-16 and Latin-1 up to eight that are one unit each there. As in [`super::native`].
#[inline(always)]
pub(super) fn convert(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let most = match to {
        Scheme::Latin1 => 32,
        Scheme::Utf16Le => 12,
        _ => 4,
    };
    if src.len() > most {
        return None;
    }
    let (units, []) = src.as_chunks::<4>() else { return None };
    if let [only] = *units {
        return single(u32::from_le_bytes(only), to, dst);
    }
    if most == 4 {
        return None;
    }
    let dst = dst.get_mut(..units.len() * to.unit_size())?;
    if let (Scheme::Latin1, Some(first), Some(last)) =
        (to, units.first_chunk::<4>(), units.last_chunk::<4>())
    {
        singles(first, to, dst, 0)?;
        singles(last, to, dst, units.len() - 4)?;
    } else {
        singles(units.first_chunk::<2>()?, to, dst, 0)?;
        singles(units.last_chunk::<2>()?, to, dst, units.len() - 2)?;
    }
    Some(dst.len())
}

/// Writes units that are one unit each in `to` from unit `at` on; `None` if one is not.
#[inline(always)]
fn singles<const N: usize>(
    units: &[[u8; 4]; N],
    to: Scheme,
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<()> {
    let units = units.map(u32::from_le_bytes);
    let mut all = true;
    for unit in units {
        all &= match to {
            Scheme::Latin1 => unit < 0x100,
            // No surrogate: these are moved behind all others.
            _ => (unit ^ 0xD800).wrapping_sub(0x800) <= 0xFFFF - 0x800,
        };
    }
    if !all {
        return None;
    }
    for (k, unit) in units.into_iter().enumerate() {
        match to {
            Scheme::Latin1 => put_at([unit as u8], dst, at + k)?,
            _ => put_at((unit as u16).to_le_bytes(), dst, 2 * (at + k))?,
        }
    }
    Some(())
}

/// Converts one unit, if it is a character that `to` has, and there is room for a word in UTF-8 and UTF-16.
#[inline(always)]
fn single(unit: u32, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => {
            let (word, len) = word(unit, to)?;
            put(word.to_le_bytes(), dst)?;
            Some(len)
        }
        Scheme::Latin1 | Scheme::Ascii if unit <= to.largest() => put([unit as u8], dst),
        // Vectors are as fast.
        _ => None,
    }
}

/// A character in UTF-8 or UTF-16, the first byte lowest, and how many bytes it has.
#[inline]
pub(crate) fn word(unit: u32, to: Scheme) -> Option<(u32, usize)> {
    if let Scheme::Utf16Le | Scheme::Utf16Be = to {
        if unit > 0x10_FFFF || unit >> 11 == 0xD800 >> 11 {
            return None;
        }
        let (word, len) = if unit > 0xFFFF { (pair(unit), 4) } else { (unit, 2) };
        let swapped = (word & 0x00FF_00FF) << 8 | (word >> 8 & 0x00FF_00FF);
        return Some((if matches!(to, Scheme::Utf16Be) { swapped } else { word }, len));
    }
    if unit < 0x80 {
        return Some((unit, 1));
    }
    if unit < 0x800 {
        return Some((unit >> 6 | (unit & 0x3F) << 8 | 0x80C0, 2));
    }
    let last = unit >> 6 & 0x3F | (unit & 0x3F) << 8 | 0x8080;
    if unit < 0x1_0000 {
        let surrogate = unit >> 11 == 0xD800 >> 11;
        return if surrogate { None } else { Some((unit >> 12 | last << 8 | 0xE0, 3)) };
    }
    let first = unit >> 18 | (unit >> 12 & 0x3F) << 8 | 0x80F0;
    if unit > 0x10_FFFF { None } else { Some((first | last << 16, 4)) }
}

/// A character beyond U+FFFF in UTF-16, the first unit lower.
#[inline]
pub(crate) fn pair(point: u32) -> u32 {
    (0xD7C0 + (point >> 10)) | (0xDC00 | point & 0x3FF) << 16
}
