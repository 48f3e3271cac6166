//! Tests of at most eight UTF-32 units, without vectors.

/// Returns true if `src` consists of at most eight complete UTF-32LE units, and all of them are
/// characters.
#[inline]
pub(crate) fn are_characters(src: &[u8]) -> bool {
    // Tested first: long inputs pay most for a late exit.
    if src.len() > 32 {
        return false;
    }
    let (units, []) = src.as_chunks::<4>() else { return false };
    let mut are_characters = true;
    for unit in units {
        // The subtraction moves the surrogates above all other values.
        let shifted = (u32::from_le_bytes(*unit) ^ 0xD800).wrapping_sub(0x800);
        are_characters &= shifted <= 0x10_FFFF - 0x800;
    }
    are_characters
}
