//! Conversions of the shortest texts in UTF-16, which run before an instruction set is chosen.
//!
//! Units that are only narrowed, widened or swapped are read as two overlapping words of four or of
//! two units. A few other characters are converted one by one.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar::code::Encode;
use crate::swar::units::{write_at, write_bytes};
use crate::swar::utf16::{ONE_PER_UNIT, no_lane_is_surrogate};
use crate::tables::{BIG_UNITS, UnitOrder};
use crate::types::progress::Reach;

/// Converts `src`, of less than 16 bytes: by words if each unit is only narrowed or widened, or one
/// by one if there are few characters. Returns `None` for any other text, and if `src` is
/// ill-formed or the result does not fit. To UTF-8 on AVX-512, a vector is as fast from 8 bytes on.
#[inline(always)]
pub(crate) fn convert<B: Encode>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_avx512: bool,
) -> Option<Reach> {
    if let Some(reach) = by_words(order, src, B::SCHEME, dst) {
        return Some(reach);
    }
    if matches!(B::SCHEME, Scheme::Utf8) && src.len() >= 8 && is_avx512 {
        return None;
    }
    one_by_one::<B>(order, src, dst)
}

/// Converts `src`, of two to seven units, if the result fits into `dst`, and if each unit becomes
/// one unit of `to`. Otherwise returns `None`.
#[inline(always)]
fn by_words(
    order: &'static UnitOrder,
    src: &[u8],
    to: Scheme,
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let (units, []) = src.as_chunks::<2>() else { return None };
    let dst = dst.get_mut(..units.len() * to.unit_size())?;
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (word(order, first), word(order, last));
        if !map_one_to_one(first, to) || !map_one_to_one(last, to) {
            return None;
        }
        write_four(first, to, dst, 0)?;
        write_four(last, to, dst, units.len() - 4)?;
    } else {
        // Two or three units.
        let (first, last) = (src.first_chunk()?, src.last_chunk()?);
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        let all_units = order.units(u64::from(first) | u64::from(last) << 32);
        if !map_one_to_one(all_units, to) {
            return None;
        }
        write_two(all_units as u32, to, dst, 0)?;
        write_two((all_units >> 32) as u32, to, dst, units.len() - 2)?;
    }
    Some(Reach { read: src.len(), written: dst.len() })
}

/// Returns true if each of four units becomes one unit of `to`.
#[inline(always)]
fn map_one_to_one(units: u64, to: Scheme) -> bool {
    match to {
        Scheme::Utf8 | Scheme::Ascii => units & (0xFF80 * ONE_PER_UNIT) == 0,
        Scheme::Latin1 => units & (0xFF00 * ONE_PER_UNIT) == 0,
        _ => no_lane_is_surrogate::<false>(units),
    }
}

/// Writes four units, each of which becomes one unit of `to`, from output unit `at` on.
#[inline(always)]
fn write_four(units: u64, to: Scheme, dst: &mut [MaybeUninit<u8>], at: usize) -> Option<()> {
    if let Scheme::Utf32Le = to {
        write_two(units as u32, to, dst, at)?;
        return write_two((units >> 32) as u32, to, dst, at + 2);
    }
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    write_at(((pairs | pairs >> 16) as u32).to_le_bytes(), dst, at)
}

/// Writes two units, each of which becomes one unit of `to`, from output unit `at` on.
#[inline(always)]
fn write_two(units: u32, to: Scheme, dst: &mut [MaybeUninit<u8>], at: usize) -> Option<()> {
    if let Scheme::Utf32Le = to {
        let wide = (u64::from(units) | u64::from(units) << 16) & 0x0000_FFFF_0000_FFFF;
        return write_at(wide.to_le_bytes(), dst, 4 * at);
    }
    write_at(((units | units >> 8) as u16).to_le_bytes(), dst, at)
}

/// Converts `src`, of less than 16 bytes, character by character, if `src` has at most four units
/// or begins with a surrogate, because vectors would take longer. Returns `None` for any other
/// text, and if `src` is ill-formed or the result does not fit.
#[inline(always)]
fn one_by_one<B: Encode>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let (units, []) = src.as_chunks::<2>() else { return None };
    let mut units = units.iter().map(|bytes| order.unit(u16::from_le_bytes(*bytes)));
    if units.len() > 4 && units.clone().next()? & 0xF800 != 0xD800 {
        return None;
    }
    let mut written = 0;
    while let Some(unit) = units.next() {
        let mut code_point = u32::from(unit);
        if unit & 0xF800 == 0xD800 {
            let low = units.next().filter(|low| low & 0xFC00 == 0xDC00 && unit < 0xDC00)?;
            code_point = (code_point << 10) + u32::from(low) - ((0xD800 << 10) + 0xDC00 - 0x1_0000);
        }
        written += B::encode(code_point, &mut dst[written..])?;
    }
    Some(Reach { read: src.len(), written })
}

/// Copies `src`, of 8 to 14 bytes, to UTF-16, in the other byte order if `SWAP`. Returns the number
/// of bytes, or `None` if `src` has surrogates.
#[inline(always)]
pub(crate) fn utf16<const SWAP: bool>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (first, last) = (word(order, src.first_chunk()?), word(order, src.last_chunk()?));
    if !no_lane_is_surrogate::<false>(first) || !no_lane_is_surrogate::<false>(last) {
        return None;
    }
    let [first, last] = [first, last].map(|units| {
        let units = order.units(units);
        if SWAP { BIG_UNITS.units(units) } else { units }.to_le_bytes()
    });
    write_bytes(first, dst)?;
    write_bytes(last, &mut dst[src.len() - 8..])?;
    Some(src.len())
}

/// Returns four units, with the first unit in the lowest bits.
#[inline(always)]
fn word(order: &'static UnitOrder, bytes: &[u8; 8]) -> u64 {
    order.units(u64::from_le_bytes(*bytes))
}
