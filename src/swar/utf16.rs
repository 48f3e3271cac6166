//! At most eight units of UTF-16 as words of eight bytes.

/// The lowest bit of each 16-bit lane.
pub(crate) const EACH_UNIT: u64 = 0x0001_0001_0001_0001;

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

/// Returns true if none of four code units, the first in the lowest lane, is a surrogate.
#[inline(always)]
pub(crate) fn is_no_surrogate<const BIG: bool>(units: u64) -> bool {
    // The upper byte of each lane becomes zero iff its unit is a surrogate. Only such a lane can
    // borrow from the next.
    let units = if BIG { units << 8 } else { units };
    let other = (units ^ (0xD800 * EACH_UNIT)) & (0xF800 * EACH_UNIT);
    other.wrapping_sub(EACH_UNIT) & !other & (0x8000 * EACH_UNIT) == 0
}
