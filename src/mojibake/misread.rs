//! The characters of bytes in Latin-1 and windows-1252, and the inverse.

use crate::tables::windows1252;

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

impl Misread {
    /// Returns the character that a byte is taken for.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(super) fn character(self, byte: u8) -> char {
        match (self, byte) {
            (Self::Windows1252, 0x80..=0x9F) => windows1252::CHARACTERS[usize::from(byte - 0x80)],
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
                let (byte, known) = windows1252::byte(point);
                known.then_some(byte)
            }
        }
    }
}
