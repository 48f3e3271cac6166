//! At most eight units of UTF-32, without vectors.

/// Returns true if `src` is at most eight whole UTF-32LE units, all of them characters.
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
        let number = (u32::from_le_bytes(*unit) ^ 0xD800).wrapping_sub(0x800);
        are_characters &= number <= 0x10_FFFF - 0x800;
    }
    are_characters
}
