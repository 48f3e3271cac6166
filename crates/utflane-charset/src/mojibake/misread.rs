//! The encodings as which UTF-8 was misread, and the bytes of their characters.

use crate::mojibake::windows1252;

/// The encoding as which UTF-8 was misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Misread {
    /// Latin-1, in which each byte is the code point of the same value.
    Latin1,
    /// windows-1252, which has `€`, `“`, `™` and other characters at the bytes 0x80..=0x9F. Its
    /// five bytes without a character (0x81, 0x8D, 0x8F, 0x90, 0x9D) become U+0081, U+008D and so
    /// on, as in the WHATWG Encoding Standard.
    Windows1252,
}

impl Misread {
    /// Returns the byte of `c` in this encoding, or `None` if the encoding lacks `c`.
    #[inline]
    pub(super) fn byte(self, c: char) -> Option<u8> {
        let point = u32::from(c);
        match self {
            Self::Latin1 => u8::try_from(point).ok(),
            Self::Windows1252 => {
                let (byte, is_known) = windows1252::byte(point);
                is_known.then_some(byte)
            }
        }
    }
}
