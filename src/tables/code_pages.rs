//! The tables of code pages, in the form that kernels use. `build.rs` compiles them from
//! `data/code_pages.txt`.

/// 128 bytes, aligned for vectors.
#[repr(align(64))]
pub(crate) struct Bytes(pub(crate) [u8; 128]);

/// A code page. All its characters are below U+10000.
pub(crate) struct Page {
    pub(crate) name: &'static str,
    pub(crate) group: &'static str,
    /// Labels in lower case without punctuation.
    pub(crate) labels: &'static [&'static str],
    /// True if the page is in the Encoding Standard.
    pub(crate) is_web: bool,
    /// True if the bytes below 0x80 are ASCII.
    pub(crate) is_ascii: bool,
    /// A byte is its character in Latin-1 if it is not above this number after its seven low bits
    /// are inverted: 0x7F if only ASCII is, 0xDF if also all bytes from 0xA0 on are, and 0xFF if
    /// all bytes are. It is 0x7F, and has no meaning, if the page is not ASCII.
    pub(crate) latin1_max: u8,
    /// True if every byte is assigned.
    pub(crate) is_total: bool,
    /// For bytes below 0x80 and for the others: the low bytes and the high bytes of their
    /// characters. An unassigned byte has 0xFF in both.
    pub(crate) halves: [[&'static Bytes; 2]; 2],
    /// For each row of 16 bytes, the high byte of most characters.
    pub(crate) high_of_row: [u8; 16],
    /// For each row, the difference between the low byte of most characters and their byte, which
    /// is a multiple of 16; plus 1 if the characters have several high bytes.
    pub(crate) shift_of_row: [u8; 16],
    /// For each low half of a byte, bit `i` is set if in row `8 + i` the character is another than
    /// `high_of_row` and `shift_of_row` say.
    pub(crate) exceptions: [u8; 16],
    /// The windows of all characters, the one with most characters first. If `is_ascii`, ASCII is
    /// in none of them.
    pub(crate) windows: &'static [Window],
    /// The variant without the control characters of the Encoding Standard.
    pub(crate) strict: Option<&'static Self>,
    /// The variant with NEL and LF exchanged.
    pub(crate) line_feeds: Option<&'static Self>,
}

/// The bytes of 128 characters.
pub(crate) struct Window {
    /// The characters are `128 * block..128 * block + 128`.
    pub(crate) block: u16,
    /// The byte of each character; 0 for U+0000 and for characters that the page lacks.
    pub(crate) bytes: &'static Bytes,
}

impl Page {
    /// Returns the character of a byte, or `None` if the byte is unassigned.
    #[inline]
    pub(crate) fn decode(&self, byte: u8) -> Option<u16> {
        let [low, high] = self.halves[usize::from(byte >> 7)];
        let at = usize::from(byte & 0x7F);
        let unit = u16::from_le_bytes([low.0[at], high.0[at]]);
        (unit != 0xFFFF).then_some(unit)
    }

    /// Returns the byte of a character, or `None` if the page lacks it.
    #[inline]
    pub(crate) const fn encode(&self, c: u32) -> Option<u8> {
        if c < 0x80 && self.is_ascii {
            return Some(c as u8);
        }
        if c > 0xFFFF {
            return None;
        }
        let Some(window) = self.window(c as u16) else { return None };
        match window.bytes.0[(c & 0x7F) as usize] {
            0 if c > 0 => None,
            byte => Some(byte),
        }
    }

    /// Returns the window of a character.
    #[inline]
    pub(crate) const fn window(&self, unit: u16) -> Option<&'static Window> {
        let mut windows = self.windows;
        while let [window, rest @ ..] = windows {
            if window.block == unit >> 7 {
                return Some(window);
            }
            windows = rest;
        }
        None
    }
}

include!(concat!(env!("OUT_DIR"), "/code_pages.rs"));
