//! The tables of windows-1252: its characters, and the bytes of these characters.

/// The characters of windows-1252 for 0x80..=0x9F. Its five bytes without one (`81`, `8D`, `8F`,
/// `90`, `9D`) have the control character of their number, as in the WHATWG Encoding Standard.
pub(crate) const CHARACTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The characters of [`CHARACTERS`], each at its [`row`], with its byte in the low eight bits.
static ROWS: [u32; 128] = {
    // A unit that has another row, for rows that no unit has.
    let mut rows = [u32::MAX; 128];
    let mut i = 0;
    while i < CHARACTERS.len() {
        let unit = CHARACTERS[i] as u32;
        rows[row(unit)] = unit << 8 | (0x80 + i as u32);
        i += 1;
    }
    rows
};

/// Returns a number below 128, which differs for all of these characters.
const fn row(unit: u32) -> usize {
    ((unit ^ unit >> 2 ^ unit >> 4) & 0x7F) as usize
}

/// Returns the byte of `unit`, and true if it has one. There is no branch, because the characters
/// of damaged text are unpredictable.
#[inline]
pub(crate) fn byte(unit: u32) -> (u8, bool) {
    let entry = ROWS[row(unit)];
    let is_listed = entry >> 8 == unit;
    let is_same = unit < 0x80 || unit.wrapping_sub(0xA0) < 0x60;
    (if is_listed { entry } else { unit } as u8, is_listed | is_same)
}

/// The tables by which vectors find the *signs*: the 27 characters that Latin-1 lacks.
/// Each has a slot in one of two tables of 16.
pub(crate) struct Signs {
    /// By the upper four bits of a unit's lower byte: its slot, to be xor-ed with the lower four
    /// bits and with the lowest bit of the upper byte. The second table has the slots from 0x80 on.
    pub(crate) moved: [u8; 16],
    /// By slot: the byte in windows-1252.
    pub(crate) bytes: [[u8; 16]; 2],
    /// By slot: the lower byte of the unit.
    pub(crate) lower: [[u8; 16]; 2],
    /// By slot: the upper byte of the unit.
    pub(crate) upper: [[u8; 16]; 2],
    /// By the lower four bits of a byte: the byte from 0x80 on, and that from 90 on, if
    /// windows-1252 has no sign for it. Zero elsewhere.
    pub(crate) unused: [[u8; 16]; 2],
}

/// The values of [`Signs::moved`], found by a search. An assertion below proves that all slots
/// differ.
const MOVED: [u8; 16] = [0, 0, 0x80, 0x0B, 0, 0x88, 0x84, 9, 0, 4, 3, 0, 0x81, 0x80, 0, 0];

/// Returns the slot of a unit: the table, and the index in it.
const fn slot(unit: u16) -> (usize, usize) {
    let [lower, upper] = unit.to_le_bytes();
    let slot = (lower & 0x0F) ^ MOVED[(lower >> 4) as usize] ^ (upper & 1);
    ((slot >> 7) as usize, (slot & 0x0F) as usize)
}

pub(crate) static SIGNS: Signs = {
    let (mut bytes, mut lower, mut upper) = ([[0; 16]; 2], [[0; 16]; 2], [[0; 16]; 2]);
    let mut unused = [[0; 16]; 2];
    let mut i = 0;
    while i < CHARACTERS.len() {
        let (byte, unit) = (0x80 + i as u8, CHARACTERS[i] as u16);
        if unit < 0x100 {
            unused[i / 16][i % 16] = byte;
        } else {
            let (table, at) = slot(unit);
            assert!(bytes[table][at] == 0, "each sign has a slot of its own");
            bytes[table][at] = byte;
            [lower[table][at], upper[table][at]] = unit.to_le_bytes();
        }
        i += 1;
    }
    // A slot without a sign has a unit that belongs to another slot, so nothing is found in it.
    let mut i = 0;
    while i < 32 {
        let (table, at) = (i / 16, i % 16);
        if bytes[table][at] == 0 {
            let mut unit = 0xFF00;
            while slot(unit).0 == table && slot(unit).1 == at {
                unit += 1;
            }
            [lower[table][at], upper[table][at]] = unit.to_le_bytes();
        }
        i += 1;
    }
    Signs { moved: MOVED, bytes, lower, upper, unused }
};
