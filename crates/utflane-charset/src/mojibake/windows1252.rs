//! The tables of windows-1252, from bytes to characters and from characters to bytes.

/// The characters of windows-1252 for the bytes 0x80..=0x9F. Five bytes have no character (0x81,
/// 0x8D, 0x8F, 0x90 and 0x9D). They stand for the control characters of the same values, as in the
/// WHATWG Encoding Standard.
pub(super) const CHARACTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The characters of [`CHARACTERS`] and their bytes. The index is [`row_index`]. The low eight bits
/// are the byte, and the bits above are the character.
static ROWS: [u32; 128] = {
    // Unused rows hold the value 0xFFFFFF, which is no code point, so nothing is found in them.
    let mut rows = [u32::MAX; 128];
    let mut i = 0;
    while i < CHARACTERS.len() {
        let unit = CHARACTERS[i] as u32;
        rows[row_index(unit)] = unit << 8 | (0x80 + i as u32);
        i += 1;
    }
    rows
};

/// Returns an index below 128, which is different for each character of [`CHARACTERS`].
const fn row_index(unit: u32) -> usize {
    ((unit ^ unit >> 2 ^ unit >> 4) & 0x7F) as usize
}

/// Returns the byte of `unit` in windows-1252, and true if there is such a byte. It has no
/// branches, because the characters of double-encoded text are unpredictable.
#[inline]
pub(super) fn byte(unit: u32) -> (u8, bool) {
    let entry = ROWS[row_index(unit)];
    let is_listed = entry >> 8 == unit;
    let is_same = unit < 0x80 || unit.wrapping_sub(0xA0) < 0x60;
    (if is_listed { entry } else { unit } as u8, is_listed | is_same)
}
