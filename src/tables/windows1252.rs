//! The tables of windows-1252, from bytes to characters and from characters to bytes.

/// The characters of windows-1252 for the bytes 0x80..=0x9F. Five bytes have no character (0x81,
/// 0x8D, 0x8F, 0x90 and 0x9D). They stand for the control characters of the same values, as in the
/// WHATWG Encoding Standard.
pub(crate) const CHARACTERS: [char; 32] = [
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
pub fn byte(unit: u32) -> (u8, bool) {
    let entry = ROWS[row_index(unit)];
    let is_listed = entry >> 8 == unit;
    let is_same = unit < 0x80 || unit.wrapping_sub(0xA0) < 0x60;
    (if is_listed { entry } else { unit } as u8, is_listed | is_same)
}

/// The tables with which vectors find the *extra characters*: the 27 characters of windows-1252
/// that Latin-1 lacks. Each of them has a slot in one of two tables of 16 entries.
pub(crate) struct Extras {
    /// A part of the slot. The index is the upper four bits of the unit's lower byte. The slot is
    /// this part xor the lower four bits xor the lowest bit of the upper byte. The slots from 0x80
    /// on are in the second table.
    pub(crate) slot_parts: [u8; 16],
    /// The byte of the extra character in windows-1252. The index is the slot.
    pub(crate) bytes: [[u8; 16]; 2],
    /// The lower byte of the extra character's unit. The index is the slot.
    pub(crate) lower: [[u8; 16]; 2],
    /// The upper byte of the extra character's unit. The index is the slot.
    pub(crate) upper: [[u8; 16]; 2],
    /// The bytes 0x80..=0x8F and 0x90..=0x9F that windows-1252 leaves undefined, and zero for the
    /// other bytes. The index is the lower four bits of the byte.
    pub(crate) undefined: [[u8; 16]; 2],
}

/// The values of [`Extras::slot_parts`], found by a search. An assertion below proves that all
/// slots differ.
const SLOT_PARTS: [u8; 16] = [0, 0, 0x80, 0x0B, 0, 0x88, 0x84, 9, 0, 4, 3, 0, 0x81, 0x80, 0, 0];

/// Returns the slot of a unit: the number of the table, and the index in this table.
const fn slot(unit: u16) -> (usize, usize) {
    let [lower, upper] = unit.to_le_bytes();
    let slot = (lower & 0x0F) ^ SLOT_PARTS[(lower >> 4) as usize] ^ (upper & 1);
    ((slot >> 7) as usize, (slot & 0x0F) as usize)
}

/// The tables for the extra characters in [`CHARACTERS`].
pub(crate) static EXTRAS: Extras = {
    let (mut bytes, mut lower, mut upper) = ([[0; 16]; 2], [[0; 16]; 2], [[0; 16]; 2]);
    let mut undefined = [[0; 16]; 2];
    let mut i = 0;
    while i < CHARACTERS.len() {
        let (byte, unit) = (0x80 + i as u8, CHARACTERS[i] as u16);
        if unit < 0x100 {
            undefined[i / 16][i % 16] = byte;
        } else {
            let (table, index) = slot(unit);
            assert!(bytes[table][index] == 0, "each extra character has a slot of its own");
            bytes[table][index] = byte;
            [lower[table][index], upper[table][index]] = unit.to_le_bytes();
        }
        i += 1;
    }
    // An unused slot gets a unit that belongs to another slot, so no unit is found in this slot.
    let mut i = 0;
    while i < 32 {
        let (table, index) = (i / 16, i % 16);
        if bytes[table][index] == 0 {
            let mut unit = 0xFF00;
            while slot(unit).0 == table && slot(unit).1 == index {
                unit += 1;
            }
            [lower[table][index], upper[table][index]] = unit.to_le_bytes();
        }
        i += 1;
    }
    Extras { slot_parts: SLOT_PARTS, bytes, lower, upper, undefined }
};
