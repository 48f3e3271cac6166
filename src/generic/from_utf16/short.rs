//! The shortest texts in UTF-16, converted before an instruction set is chosen.
//!
//! Four to seven units that need only be narrowed, widened or swapped are read as two overlapping
//! words. A few other characters are converted one by one.

use core::mem::MaybeUninit;

use crate::scalar::code::{Encode, write_bytes};
use crate::tables::{BIG_UNITS, UnitOrder};
use crate::types::progress::Reach;

/// The lowest bit of each lane.
const LANE_LOW_BITS: u64 = 0x0001_0001_0001_0001;

/// Copies `src`, of 8 to 15 bytes, as bytes, if it fits and no unit has one of the bits in `ABOVE`:
/// FF80 for ASCII, FF00 for Latin-1.
#[inline(always)]
pub(crate) fn bytes<const ABOVE: u16>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let len = src.len() / 2;
    let text = &src[..2 * len];
    let (first, last) = (word(order, text.first_chunk()?), word(order, text.last_chunk()?));
    let dst = dst.get_mut(..len)?;
    if (first | last) & (LANE_LOW_BITS * ABOVE as u64) != 0 {
        return None;
    }
    write_bytes(narrow(first), dst)?;
    write_bytes(narrow(last), &mut dst[len - 4..])?;
    Some(Reach { read: text.len(), written: len })
}

/// Converts `src`, of 8 to 15 bytes, to UTF-32LE, if it fits and has no surrogates.
#[inline(always)]
pub(crate) fn utf32(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let read = src.len() / 2 * 2;
    let text = &src[..read];
    let (first, last) = (word(order, text.first_chunk()?), word(order, text.last_chunk()?));
    let dst = dst.get_mut(..2 * read)?;
    if has_surrogate(first) || has_surrogate(last) {
        return None;
    }
    write_bytes(widen(first), dst)?;
    write_bytes(widen(last), &mut dst[2 * read - 16..])?;
    Some(Reach { read, written: 2 * read })
}

/// Converts `src`, of less than 16 bytes, character by character, if it has at most four units or
/// begins with a pair: vectors take longer for so few. Returns `None` for other text, and if `src`
/// is ill-formed or does not fit.
#[inline(always)]
pub(crate) fn one_by_one<B: Encode>(
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
        let mut point = u32::from(unit);
        if unit & 0xF800 == 0xD800 {
            let low = units.next().filter(|low| low & 0xFC00 == 0xDC00 && unit < 0xDC00)?;
            point = (point << 10) + u32::from(low) - ((0xD800 << 10) + 0xDC00 - 0x1_0000);
        }
        written += B::encode(point, &mut dst[written..])?;
    }
    Some(Reach { read: src.len(), written })
}

/// Copies `src`, of 8 to 14 bytes, to UTF-16 of the same length, in the other byte order with
/// `SWAP`, if it has no surrogates.
#[inline(always)]
pub(crate) fn utf16<const SWAP: bool>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (first, last) = (word(order, src.first_chunk()?), word(order, src.last_chunk()?));
    if has_surrogate(first) || has_surrogate(last) {
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

/// Returns true if any of four units is a surrogate.
#[inline(always)]
fn has_surrogate(units: u64) -> bool {
    // A lane is zero if it was a surrogate. A borrow from another lane comes only from such a lane,
    // so the test is exact.
    let other = (units ^ (0xD800 * LANE_LOW_BITS)) & (0xF800 * LANE_LOW_BITS);
    other.wrapping_sub(LANE_LOW_BITS) & !other & (0x8000 * LANE_LOW_BITS) != 0
}

/// Four units as 32-bit units.
#[inline(always)]
fn widen(units: u64) -> [u8; 16] {
    let two = |units: u64| (units | units << 16) & 0x0000_FFFF_0000_FFFF;
    (u128::from(two(units & 0xFFFF_FFFF)) | u128::from(two(units >> 32)) << 64).to_le_bytes()
}

/// Four units, the first one the lowest.
#[inline(always)]
fn word(order: &'static UnitOrder, bytes: &[u8; 8]) -> u64 {
    order.units(u64::from_le_bytes(*bytes))
}

/// Four units below 0x100 as bytes.
#[inline(always)]
fn narrow(units: u64) -> [u8; 4] {
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    ((pairs | pairs >> 16) as u32).to_le_bytes()
}
