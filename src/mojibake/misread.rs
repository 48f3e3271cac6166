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

/// The characters that windows-1252 has for `80..=9F`, each at its [`row`], with its byte in the
/// low eight bits.
static ROWS: [u32; 128] = {
    // No unit has this row; it is that of another unit.
    let mut rows = [u32::MAX; 128];
    let mut i = 0;
    while i < WINDOWS_1252.len() {
        let unit = WINDOWS_1252[i] as u32;
        rows[row(unit)] = unit << 8 | (0x80 + i as u32);
        i += 1;
    }
    rows
};

/// Returns a number below 128, a different one for each of those characters.
const fn row(unit: u32) -> usize {
    ((unit ^ unit >> 2 ^ unit >> 4) & 0x7F) as usize
}

/// Returns the byte of `unit` in windows-1252, and whether it has one. Without a branch, because
/// the characters of damaged text are unpredictable.
#[inline]
pub(super) fn windows_1252(unit: u32) -> (u8, bool) {
    let entry = ROWS[row(unit)];
    let is_listed = entry >> 8 == unit;
    let is_same = unit < 0x80 || unit.wrapping_sub(0xA0) < 0x60;
    (if is_listed { entry } else { unit } as u8, is_listed | is_same)
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
                let (byte, known) = windows_1252(point);
                known.then_some(byte)
            }
        }
    }
}
