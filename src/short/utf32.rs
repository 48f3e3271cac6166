//! A few units of UTF-32.

use core::mem::MaybeUninit;

use crate::Scheme;
use crate::generic::utf32_tiny;

/// Units of UTF-32 in byte order `BIG`.
#[inline]
fn units32<const BIG: bool, const N: usize>(units: &[[u8; 4]; N]) -> [u32; N] {
    units.map(|unit| if BIG { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) })
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
pub(crate) fn is_well_formed<const BIG: bool>(src: &[u8]) -> bool {
    let (units, []) = src.as_chunks::<4>() else { return false };
    if units.len() > 8 {
        return false;
    }
    if let (Some(first), Some(last)) = (units.first_chunk::<4>(), units.last_chunk::<4>()) {
        return are_characters(units32::<BIG, 4>(first)) & are_characters(units32::<BIG, 4>(last));
    }
    match units {
        [first, .., last] => {
            let middle = units[units.len() / 2];
            are_characters(units32::<BIG, 3>(&[*first, middle, *last]))
        }
        [only] => are_characters(units32::<BIG, 1>(&[*only])),
        [] => true,
    }
}

/// Converts one unit of UTF-32, if it is a character that `to` has and that fits; up to three if each becomes one unit; and up
/// to eight if that is a byte. Says how many bytes that gives.
#[inline(always)]
pub(crate) fn convert<const BIG: bool>(
    src: &[u8],
    to: Scheme,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if src.is_empty() {
        return Some(0);
    }
    if src.len() >= 16 {
        return match to {
            _ if src.len() > 32 => None,
            Scheme::Utf8 | Scheme::Ascii => utf32_tiny::bytes::<BIG>(src, !0x7F, dst),
            Scheme::Latin1 => utf32_tiny::bytes::<BIG>(src, !0xFF, dst),
            _ => None,
        };
    }
    match src.len() {
        4 => utf32_tiny::only::<BIG>(src, to, dst),
        8 => utf32_tiny::singles::<BIG, 2>(src, to, dst),
        12 => utf32_tiny::singles::<BIG, 3>(src, to, dst),
        _ => None,
    }
}

/// The length in UTF-8 of up to five units of UTF-32, and the part of another; or in UTF-16 of up to eight.
#[inline]
pub(crate) fn len<const BIG: bool>(src: &[u8], to: Scheme) -> Option<usize> {
    let units = src.as_chunks::<4>().0;
    let utf8 = matches!(to, Scheme::Utf8);
    if units.len() > if utf8 { 5 } else { 8 } {
        return None;
    }
    let mut len = units.len();
    for unit in units {
        let [unit] = units32::<BIG, 1>(&[*unit]);
        len += usize::from(unit > 0xFFFF);
        if utf8 {
            len += usize::from(unit > 0x7F) + usize::from(unit > 0x7FF);
        }
    }
    Some(len)
}
