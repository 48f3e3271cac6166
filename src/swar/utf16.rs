//! Tests of at most eight UTF-16 units, which are loaded as words of eight bytes.

/// A word in which the lowest bit of each 16-bit lane is set.
pub(crate) const EACH_UNIT: u64 = 0x0001_0001_0001_0001;

/// Returns true if `src` consists of at most eight complete UTF-16 code units, and none of them is
/// a surrogate.
#[inline]
pub(crate) fn has_no_surrogate<const BIG: bool>(src: &[u8]) -> bool {
    if !src.len().is_multiple_of(2) || src.len() > 16 {
        return false;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return is_no_surrogate::<BIG>(first) & is_no_surrogate::<BIG>(last);
    }
    let (mut units, mut offset) = (0, 0);
    // At most three units remain.
    while let [low, high, ..] = src[offset..] {
        units = units << 16 | u64::from(u16::from_le_bytes([low, high]));
        offset += 2;
    }
    is_no_surrogate::<BIG>(units)
}

/// Returns true if no 16-bit lane of `units` is a surrogate.
#[inline(always)]
pub(crate) fn is_no_surrogate<const BIG: bool>(units: u64) -> bool {
    // A lane of `differences` is zero exactly if its unit is a surrogate. Only such a lane can
    // borrow from the next lane.
    let units = if BIG { units << 8 } else { units };
    let differences = (units ^ (0xD800 * EACH_UNIT)) & (0xF800 * EACH_UNIT);
    differences.wrapping_sub(EACH_UNIT) & !differences & (0x8000 * EACH_UNIT) == 0
}
