//! The characters of bytes in Latin-1 and windows-1252, and the inverse.

/// The encoding that UTF-8 was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Misread {
    /// Latin-1, where a byte is a code point.
    Latin1,
    /// windows-1252, which has `€`, `“`, `™` and others in `80..=9F`. Its five bytes without a
    /// character (`81`, `8D`, `8F`, `90`, `9D`) become U+0081 and so on, as in the WHATWG Encoding
    /// Standard.
    Windows1252,
}

/// The characters of windows-1252 for `80..=9F`.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// The inverse of windows-1252 for UTF-16: each unit at its [`row`], with its byte in the low eight
/// bits.
pub(super) static ROWS: [u32; 512] = {
    // No unit has this row; it is that of another unit.
    let mut rows = [u32::MAX; 512];
    let mut byte = 0;
    while byte < 256 {
        let unit = match byte {
            0x80..=0x9F => WINDOWS_1252[byte - 0x80] as u32,
            _ => byte as u32,
        };
        rows[row(unit)] = unit << 8 | byte as u32;
        byte += 1;
    }
    rows
};

/// Returns a number below 512, a different one for each unit that windows-1252 has.
#[inline]
pub(super) const fn row(unit: u32) -> usize {
    let row = if unit < 0x100 { unit } else { 0x100 | (unit ^ unit >> 8) & 0xFF };
    row as usize
}

impl Misread {
    /// Returns the character that a byte is taken for.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn character(self, byte: u8) -> char {
        match (self, byte) {
            (Self::Windows1252, 0x80..=0x9F) => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        }
    }

    /// Returns the byte that was taken for `c`.
    #[inline]
    pub(super) fn byte(self, c: char) -> Option<u8> {
        let point = u32::from(c);
        match self {
            Self::Latin1 => u8::try_from(point).ok(),
            Self::Windows1252 => {
                let entry = ROWS[row(point)];
                (entry >> 8 == point).then_some(entry as u8)
            }
        }
    }
}
