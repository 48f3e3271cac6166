//! Short texts in UTF-16.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::swar::units::{write_at, write_bytes};

/// The lowest bit of each 16-bit lane.
const LANE_LOW_BITS: u64 = 0x0001_0001_0001_0001;

/// Converts up to eight units. Into UTF-8, several units must be ASCII, and a single one anything
/// except a surrogate; into UTF-32 and Latin-1, each must be one unit there. Returns as
/// [`super::native`].
#[inline(always)]
pub(super) fn convert(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf8 | Scheme::Latin1 | Scheme::Utf32Le if src.len() <= 16 => {}
        _ => return None,
    }
    let (units, []) = src.as_chunks::<2>() else { return None };
    if let [only] = *units {
        return single(u16::from_le_bytes(only), to, dst);
    }
    let dst = dst.get_mut(..units.len() * to.unit_size())?;
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        if !are_single(first, to) || !are_single(last, to) {
            return None;
        }
        four(first, to, dst, 0)?;
        four(last, to, dst, units.len() - 4)?;
        return Some(dst.len());
    }
    // Two or three units.
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
    if !are_single(u64::from(first) | u64::from(last) << 32, to) {
        return None;
    }
    two(first, to, dst, 0)?;
    two(last, to, dst, units.len() - 2)?;
    Some(dst.len())
}

/// Converts one unit.
#[inline(always)]
fn single(unit: u16, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let last = 0x80 | (unit & 0x3F) as u8;
    match to {
        Scheme::Utf8 if unit < 0x80 => write_bytes([unit as u8], dst),
        Scheme::Utf8 if unit < 0x800 => write_bytes([0xC0 | (unit >> 6) as u8, last], dst),
        Scheme::Utf8 if unit >> 11 != 0xD800 >> 11 => {
            write_bytes([0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, last], dst)
        }
        Scheme::Utf32Le if unit >> 11 != 0xD800 >> 11 => {
            write_bytes(u32::from(unit).to_le_bytes(), dst)
        }
        Scheme::Latin1 if unit < 0x100 => write_bytes([unit as u8], dst),
        _ => None,
    }
}

/// Returns true if each of four units is one unit in `to`.
#[inline(always)]
fn are_single(units: u64, to: Scheme) -> bool {
    match to {
        Scheme::Utf8 => units & (0xFF80 * LANE_LOW_BITS) == 0,
        Scheme::Latin1 => units & (0xFF00 * LANE_LOW_BITS) == 0,
        _ => is_no_surrogate::<false>(units),
    }
}

/// Writes four units, which are one unit each in `to`, from unit `at` on.
#[inline(always)]
fn four(units: u64, to: Scheme, dst: &mut [MaybeUninit<u8>], at: usize) -> Option<()> {
    if let Scheme::Utf32Le = to {
        two(units as u32, to, dst, at)?;
        return two((units >> 32) as u32, to, dst, at + 2);
    }
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    write_at(((pairs | pairs >> 16) as u32).to_le_bytes(), dst, at)
}

/// Writes two units, which are one unit each in `to`, from unit `at` on.
#[inline(always)]
fn two(units: u32, to: Scheme, dst: &mut [MaybeUninit<u8>], at: usize) -> Option<()> {
    if let Scheme::Utf32Le = to {
        let wide = (u64::from(units) | u64::from(units) << 16) & 0x0000_FFFF_0000_FFFF;
        return write_at(wide.to_le_bytes(), dst, 4 * at);
    }
    write_at(((units | units >> 8) as u16).to_le_bytes(), dst, at)
}

/// Returns true if `src` is at most eight whole UTF-16 code units without surrogates, or one pair.
#[inline]
pub(crate) fn is_well_formed<const BIG: bool>(src: &[u8]) -> bool {
    has_no_surrogate::<BIG>(src) || is_pair::<BIG>(src)
}

/// Returns true if `src` is at most eight whole UTF-16 code units, none of them a surrogate.
#[inline]
pub(crate) fn has_no_surrogate<const BIG: bool>(src: &[u8]) -> bool {
    if !src.len().is_multiple_of(2) || src.len() > 16 {
        return false;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return is_no_surrogate::<BIG>(first) & is_no_surrogate::<BIG>(last);
    }
    let (mut units, mut at) = (0, 0);
    // At most three units.
    while let [low, high, ..] = src[at..] {
        units = units << 16 | u64::from(u16::from_le_bytes([low, high]));
        at += 2;
    }
    is_no_surrogate::<BIG>(units)
}

/// Returns true if `src` is one surrogate pair.
#[inline]
fn is_pair<const BIG: bool>(src: &[u8]) -> bool {
    match src.try_into().map(if BIG { u32::from_be_bytes } else { u32::from_le_bytes }) {
        Ok(units) if BIG => units & 0xFC00_FC00 == 0xD800_DC00,
        Ok(units) => units & 0xFC00_FC00 == 0xDC00_D800,
        Err(_) => false,
    }
}

/// Returns true if none of four code units, the first in the lowest lane, is a surrogate.
#[inline]
fn is_no_surrogate<const BIG: bool>(units: u64) -> bool {
    // The upper byte of each lane becomes zero iff its unit is a surrogate. Only such a lane can
    // borrow from the next.
    let units = if BIG { units << 8 } else { units };
    let other = (units ^ (0xD800 * LANE_LOW_BITS)) & (0xF800 * LANE_LOW_BITS);
    other.wrapping_sub(LANE_LOW_BITS) & !other & (0x8000 * LANE_LOW_BITS) == 0
}

/// Returns the unit of a UTF-16 text of at most one whole unit.
#[inline]
pub(crate) fn only_unit(src: &[u8], scheme: Scheme) -> Option<Option<u16>> {
    match *src {
        [] => Some(None),
        [low, high] if scheme as u8 == Scheme::Utf16Le as u8 => {
            Some(Some(u16::from_le_bytes([low, high])))
        }
        [high, low] => Some(Some(u16::from_be_bytes([high, low]))),
        _ => None,
    }
}

/// Returns the UTF-8 bytes of a UTF-16 text of at most one code unit. A surrogate counts as in a
/// pair.
#[inline]
pub(crate) fn utf8_len_of_unit(unit: Option<u16>) -> usize {
    match unit {
        None => 0,
        Some(0..=0x7F) => 1,
        Some(0x80..=0x7FF | 0xD800..=0xDFFF) => 2,
        Some(_) => 3,
    }
}

/// Returns the code points of such a text.
#[inline]
pub(crate) fn count_of_unit(unit: Option<u16>) -> usize {
    match unit {
        Some(unit) => usize::from(unit & 0xFC00 != 0xDC00),
        None => 0,
    }
}
