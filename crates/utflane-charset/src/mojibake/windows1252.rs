//! Converts characters to bytes of windows-1252 or Latin-1, and reports which of the two encodings
//! has them. No branch depends on a character, because the characters of double-encoded text are
//! unpredictable.

use std::ops::BitOr;

/// The characters of windows-1252 for the bytes 0x80..=0x9F. Five bytes have no character (0x81,
/// 0x8D, 0x8F, 0x90 and 0x9D). They stand for the control characters of the same values, as in the
/// WHATWG Encoding Standard.
const CHARACTERS: [char; 32] = [
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
        let point = CHARACTERS[i] as u32;
        rows[row_index(point)] = point << 8 | (0x80 + i as u32);
        i += 1;
    }
    rows
};

/// Returns an index below 128, which is different for each character of [`CHARACTERS`].
const fn row_index(point: u32) -> usize {
    ((point ^ point >> 2 ^ point >> 4) & 0x7F) as usize
}

/// Returns the byte of a code point in windows-1252, and true if there is such a byte.
#[inline]
pub(super) fn byte(point: u32) -> (u8, bool) {
    let entry = ROWS[row_index(point)];
    let is_listed = entry >> 8 == point;
    let is_same = point < 0x80 || point.wrapping_sub(0xA0) < 0x60;
    (if is_listed { entry } else { point } as u8, is_listed | is_same)
}

/// The kinds of characters in a text. Characters that are the same in Latin-1 and windows-1252 have
/// no kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds {
    /// True if the text has a character that only windows-1252 has.
    pub(super) extras: bool,
    /// True if the text has a character that only Latin-1 has.
    pub(super) controls: bool,
    /// True if the text has a character that neither encoding has.
    pub(super) others: bool,
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            extras: self.extras | other.extras,
            controls: self.controls | other.controls,
            others: self.others | other.others,
        }
    }
}

/// Writes one byte for each unit of a text in UTF-16LE. Returns the kinds of the characters. The
/// byte of a unit that neither encoding has is unspecified.
pub(super) fn narrow(text: &[u8], dst: &mut [u8]) -> Kinds {
    debug_assert_eq!(text.len(), 2 * dst.len(), "one byte for each unit");
    let mut kinds = Kinds::default();
    for (out, unit) in dst.iter_mut().zip(text.as_chunks().0) {
        let unit = u16::from_le_bytes(*unit);
        let (byte, is_known) = byte(u32::from(unit));
        let is_latin1 = unit < 0x100;
        *out = byte;
        kinds.extras |= is_known & !is_latin1;
        kinds.controls |= !is_known & is_latin1;
        kinds.others |= !is_known & !is_latin1;
    }
    kinds
}

#[cfg(test)]
mod tests {
    use utflane::code_page::WINDOWS_1252;

    use super::*;

    /// Every unit, by the table of the library.
    #[test]
    fn every_unit_has_its_byte_and_its_kind() {
        for unit in 0..=u16::MAX {
            let expected = char::from_u32(u32::from(unit)).and_then(|c| WINDOWS_1252.byte(c));
            let kinds = Kinds {
                extras: expected.is_some() && unit >= 0x100,
                controls: expected.is_none() && unit < 0x100,
                others: expected.is_none() && unit >= 0x100,
            };
            let mut bytes = [0; 3];
            let text = [u16::from(b'a'), unit, u16::from(b'z')].map(u16::to_le_bytes);
            assert_eq!(narrow(text.as_flattened(), &mut bytes), kinds, "U+{unit:04X}");
            if !kinds.others {
                let byte = expected.unwrap_or(unit as u8);
                assert_eq!(bytes, [b'a', byte, b'z'], "U+{unit:04X}");
            }
        }
    }

    /// The kinds of a text are those of all its units.
    #[test]
    fn kinds_add_up() {
        for (text, kinds) in [("€\u{80}", "ec"), ("ab€\u{142}", "eo"), ("\u{80}z\u{142}é€", "eco")]
        {
            let units: Vec<[u8; 2]> = text.encode_utf16().map(u16::to_le_bytes).collect();
            let mut bytes = vec![0; units.len()];
            let expected = Kinds {
                extras: kinds.contains('e'),
                controls: kinds.contains('c'),
                others: kinds.contains('o'),
            };
            assert_eq!(narrow(units.as_flattened(), &mut bytes), expected, "{text:?}");
        }
    }
}
