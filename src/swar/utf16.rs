//! Checks whether up to eight UTF-16 code units contain a surrogate. They are loaded as words of
//! eight bytes.

/// A word in which the lowest bit of each 16-bit lane is set.
pub(crate) const ONE_PER_UNIT: u64 = 0x0001_0001_0001_0001;

/// Returns true if `src` consists of at most eight complete UTF-16 code units, and none of them is
/// a surrogate.
#[inline]
pub(crate) fn has_no_surrogate<const BIG: bool>(src: &[u8]) -> bool {
    if !src.len().is_multiple_of(2) || src.len() > 16 {
        return false;
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return no_lane_is_surrogate::<BIG>(first) & no_lane_is_surrogate::<BIG>(last);
    }
    let (mut units, mut offset) = (0, 0);
    // At most three units remain.
    while let [low, high, ..] = src[offset..] {
        units = units << 16 | u64::from(u16::from_le_bytes([low, high]));
        offset += 2;
    }
    no_lane_is_surrogate::<BIG>(units)
}

/// Returns true if no 16-bit lane of `units` is a surrogate.
#[inline(always)]
pub(crate) fn no_lane_is_surrogate<const BIG: bool>(units: u64) -> bool {
    // For big-endian, the shift moves the upper byte of each unit to the upper half of its lane.
    // The lower byte is not tested.
    let units = if BIG { units << 8 } else { units };
    // A lane of `differences` is zero if and only if its unit is a surrogate. Only such a lane can
    // borrow from the next lane.
    let differences = (units ^ (0xD800 * ONE_PER_UNIT)) & (0xF800 * ONE_PER_UNIT);
    differences.wrapping_sub(ONE_PER_UNIT) & !differences & (0x8000 * ONE_PER_UNIT) == 0
}
