//! Short texts in UTF-32.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::swar::units::{word, write_at, write_bytes};

/// Returns true if a unit is a scalar value. The subtraction moves the surrogates above all other
/// values.
#[inline]
fn is_character(unit: [u8; 4]) -> bool {
    (u32::from_le_bytes(unit) ^ 0xD800).wrapping_sub(0x800) <= 0x10_FFFF - 0x800
}

/// Returns true if `src` is at most eight whole UTF-32 units, all of them scalar values.
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
            // Of two units, the middle one is the last.
            let middle = units[units.len() / 2];
            is_character(first) & is_character(middle) & is_character(last)
        }
        [only] => is_character(only),
        [] => true,
    }
}

/// Returns true if four units are scalar values.
#[inline]
fn are_characters(&[a, b, c, d]: &[[u8; 4]; 4]) -> bool {
    is_character(a) & is_character(b) & is_character(c) & is_character(d)
}

/// Returns the length in UTF-8 or UTF-16 of up to three UTF-32 units; a fragment of a further unit
/// counts nothing.
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

/// Converts a single unit; into Latin-1 up to eight and into UTF-16 up to three that are one unit
/// each there. Returns as [`super::native`].
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
            // Not a surrogate: the subtraction moves these above all others.
            _ => (unit ^ 0xD800).wrapping_sub(0x800) <= 0xFFFF - 0x800,
        };
    }
    if !all {
        return None;
    }
    for (k, unit) in units.into_iter().enumerate() {
        match to {
            Scheme::Latin1 => write_at([unit as u8], dst, at + k)?,
            _ => write_at((unit as u16).to_le_bytes(), dst, 2 * (at + k))?,
        }
    }
    Some(())
}

/// Converts one unit, if it is a character that `to` has. UTF-8 and UTF-16 need room for a whole
/// word.
#[inline(always)]
fn single(unit: u32, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => {
            let (word, len) = word(unit, to)?;
            write_bytes(word.to_le_bytes(), dst)?;
            Some(len)
        }
        Scheme::Latin1 | Scheme::Ascii if unit <= to.largest() => write_bytes([unit as u8], dst),
        // Vector code is as fast.
        _ => None,
    }
}
