//! The bits that a text would take in an encoding: the encoding with the fewest is the likeliest.
//!
//! The costs are rough binary logarithms of how often a unit occurs in text of all kinds. Only
//! three properties matter much: units that text does not have are expensive; letters are cheaper
//! than their neighbours in the code tables; and a change of script costs bits, because the wrong
//! encoding of a text mixes scripts at random.

/// Bits of a unit or a text.
pub(super) type Bits = u32;

/// A control character that text does not have, as a byte.
const CONTROL: u8 = 16;

/// The second and later NULs of a text in bytes, which may separate its parts.
const NULS: Bits = 8;

/// A unit that no text of the encoding can have: prohibitive.
pub(super) const IMPOSSIBLE: Bits = 200;

/// A unit below 2000 with a zero low byte: very rare, except in tables of small numbers.
const FIRST_OF_PAGE: Bits = 12;

/// A code point that no text has: a noncharacter, such as U+FFFE, which is the mark of the other
/// byte order, and one that is unassigned or for private use.
const NO_TEXT: Bits = 90;

/// Bits added to UTF-16 and UTF-32, because they are rare without a mark.
pub(super) const RARE_16: Bits = 8;
/// [`RARE_16`] for UTF-32.
pub(super) const RARE_32: Bits = 10;

/// Returns true if a byte is a control character that text does not have: not tab, line feed, form
/// feed, carriage return or escape.
#[inline]
pub(super) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)
}

/// Returns the number of control characters in `sample`.
pub(super) fn controls(sample: &[u8]) -> usize {
    // Sums that fit into a byte, which LLVM vectorises.
    let sum = |part: &[u8]| part.iter().fold(0u8, |sum, &byte| sum + u8::from(is_control(byte)));
    sample.chunks(255).map(|part| usize::from(sum(part))).sum()
}

/// Returns the cost of ASCII: the first half of both tables below.
const fn ascii(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b' ' | b'\n' => 5,
        b'\r' | b'!'..=b'~' => 6,
        b'\t' => 7,
        0x0C | 0x1B => 12,
        _ => CONTROL,
    }
}

/// Builds a table of `cost` for each byte.
macro_rules! table {
    ($cost:expr) => {{
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = $cost(byte as u8);
            byte += 1;
        }
        table
    }};
}

/// The costs of bytes in Latin-1 or windows-1252.
pub(super) static LATIN1: [u8; 256] = {
    /// Returns the cost of a byte.
    const fn cost(byte: u8) -> u8 {
        match byte {
            0x00..=0x7F => ascii(byte),
            // Quotation marks, the ellipsis, dashes, and the euro sign of windows-1252.
            0x80 | 0x85 | 0x91..=0x97 => 11,
            0x81..=0x9F => 14,
            0xA0..=0xFF => 9,
        }
    }
    table!(cost)
};

/// The costs of bytes in well-formed UTF-8: the lead byte pays for the character.
pub(super) static UTF8: [u8; 256] = {
    /// Returns the cost of a byte.
    const fn cost(byte: u8) -> u8 {
        match byte {
            0x00..=0x7F => ascii(byte),
            0x80..=0xBF => 0,
            0xC0..=0xDF => 10,
            0xE0..=0xEF => 13,
            0xF0..=0xFF => 16,
        }
    }
    table!(cost)
};

/// Returns the cost of a text in bytes.
pub(super) fn bytes(sample: &[u8], table: &[u8; 256]) -> Bits {
    let mut sum = 0;
    let mut zeros = 0;
    for &byte in sample {
        sum += Bits::from(table[usize::from(byte)]);
        zeros += Bits::from(byte == 0);
    }
    sum - zeros.saturating_sub(1) * (Bits::from(CONTROL) - NULS)
}

/// Returns the cost of `len` bytes of random data: a little less than eight bits each, so that
/// chance does not make text of them.
pub(super) fn noise_bits(len: usize) -> Bits {
    len as Bits * 15 / 2
}

/// The cost of a unit, and its script.
#[derive(Clone, Copy)]
struct Cost {
    bits: u8,
    /// 0 for units of every script.
    script: u8,
}

/// The number of a script with several pages; another script has the number of its page: 03 to 1F
/// and A0 to AB.
const LATIN: u8 = 1;
/// [`LATIN`] for Han characters.
const HAN: u8 = 2;
/// [`LATIN`] for Hangul syllables.
const HANGUL: u8 = 0xAC;

/// The cost of a change of script.
const SCRIPT_CHANGE_BITS: Bits = 4;

/// The costs of units: in the first half by their upper byte, in the second half of those below
/// 100.
static UNITS: [Cost; 512] = {
    let mut units = [Cost { bits: 0, script: 0 }; 512];
    let mut i = 0;
    while i < 256 {
        let (bits, script) = page(i as u8);
        units[i] = Cost { bits, script };
        let (bits, script) = first_page(i as u8);
        units[256 + i] = Cost { bits, script };
        i += 1;
    }
    units
};

/// Returns the cost and script of units with this upper byte, which is not zero.
const fn page(upper: u8) -> (u8, u8) {
    match upper {
        0x00..=0x02 | 0x1E => (11, LATIN),
        // Greek, Cyrillic, Hebrew, Arabic, and their neighbours: few letters, each frequent.
        0x03..=0x06 => (9, upper),
        0x07..=0x1F => (11, upper),
        0x20 => (11, 0),
        0x21..=0x2D => (14, 0),
        0x2E | 0x2F | 0x31..=0x33 => (15, HAN),
        0x30 => (10, HAN),
        0x34..=0x4D => (20, HAN),
        0x4E..=0x9F => (13, HAN),
        0xA0..=0xAB => (18, upper),
        0xAC..=0xD7 => (12, HANGUL),
        // Each surrogate of a pair.
        0xD8..=0xDF => (8, 0),
        // For private use.
        0xE0..=0xF8 => (22, 0),
        0xF9 | 0xFA => (18, HAN),
        0xFB..=0xFD => (16, 0),
        0xFE => (15, 0),
        0xFF => (12, 0),
    }
}

/// Returns the cost and script of units below 0x100.
const fn first_page(unit: u8) -> (u8, u8) {
    match unit {
        b'A'..=b'Z' | b'a'..=b'z' => (7, LATIN),
        b'\t' | b'\n' | b'\r' | b' '..=b'~' => (7, 0),
        0x0C | 0x1B => (16, 0),
        0x00 => (40, 0),
        0x01..=0x9F => (28, 0),
        0xA0..=0xFF => (10, LATIN),
    }
}

/// What is known of a unit of UTF-16.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) bits: Bits,
    /// True if it is a character of Latin-1 that text has.
    pub(super) is_latin: bool,
    /// True if text has it.
    pub(super) is_text: bool,
}

impl Unit {
    /// Returns what is known of `unit` after a letter of `script`, and replaces that by its own.
    #[inline]
    pub(super) fn classify(unit: u16, script: &mut u8) -> Self {
        let row = if unit < 0x100 { 0x100 + unit } else { unit >> 8 };
        let cost = UNITS[usize::from(row)];
        let mut bits = Bits::from(cost.bits);
        let is_control = matches!(unit, 0..=0x1F | 0x7F..=0x9F)
            && !matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D | 0x1B);
        let is_assigned = is_assigned(unit);
        if !is_assigned {
            bits += NO_TEXT;
        }
        if unit.trailing_zeros() >= 8 && unit < 0x2000 {
            bits += FIRST_OF_PAGE;
        }
        if cost.script != 0 {
            if *script != 0 && *script != cost.script {
                bits += SCRIPT_CHANGE_BITS;
            }
            *script = cost.script;
        }
        Self { bits, is_latin: unit < 0x100 && !is_control, is_text: is_assigned && !is_control }
    }
}

/// Returns false for a noncharacter, and for a code point that is unassigned or for private use.
/// Surrogates are assigned here.
pub(super) fn is_assigned(unit: u16) -> bool {
    match unit >> 8 {
        // Pages without such code points, and surrogates.
        0x00..=0x02 | 0x04 | 0x06 | 0x11 | 0x1E | 0x22 | 0x23 | 0x25..=0x2A | 0x33..=0xA3 => true,
        0xA5 | 0xAC..=0xD6 | 0xD8..=0xDF | 0xF9 => true,
        0xE0..=0xF8 => false,
        _ => char::from_u32(unit.into()).is_some_and(is_printable),
    }
}

/// Returns true if the standard library prints `c` as it is, or if it has no width or is a space.
/// The rest is unassigned or for private use, beside control characters.
fn is_printable(c: char) -> bool {
    let mut buffer = [b' '; 5];
    // After a space: as the first character of a string, a combining mark would be escaped.
    let len = 1 + c.encode_utf8(&mut buffer[1..]).len();
    let after_space = core::str::from_utf8(&buffer[..len]).unwrap_or_default();
    let is_format = matches!(
        c,
        '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}'
            | '\u{8E2}' | '\u{1680}' | '\u{180E}' | '\u{2000}'..='\u{200F}'
            | '\u{2028}'..='\u{202F}' | '\u{205F}'..='\u{2064}' | '\u{2066}'..='\u{206F}'
            | '\u{3000}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
    );
    is_format || after_space.escape_debug().nth(1) != Some('\\')
}

/// The sum of the costs of units.
struct Sum {
    bits: Bits,
    script: u8,
}

impl Sum {
    /// Adds a 16-bit unit.
    #[inline]
    fn add(&mut self, unit: u16) {
        self.bits += Unit::classify(unit, &mut self.script).bits;
    }
}

/// Returns the cost of a text in UTF-16; if it is more than `limit`, any larger number. An unpaired
/// surrogate costs [`IMPOSSIBLE`], except at the end of a sample, which may split a pair.
pub(super) fn utf16(sample: &[u8], unit: impl Fn([u8; 2]) -> u16, limit: Bits) -> Bits {
    let mut sum = Sum { bits: 0, script: 0 };
    let mut half = false;
    for &bytes in sample.as_chunks().0 {
        let unit = unit(bytes);
        let (high, low) = (unit & 0xFC00 == 0xD800, unit & 0xFC00 == 0xDC00);
        if half != low {
            sum.bits += IMPOSSIBLE;
        }
        half = high;
        sum.add(unit);
        if sum.bits > limit {
            break;
        }
    }
    sum.bits
}

/// Returns the cost of a text in UTF-32; if it is more than `limit`, any larger number.
pub(super) fn utf32(sample: &[u8], unit: impl Fn([u8; 4]) -> u32, limit: Bits) -> Bits {
    let mut sum = Sum { bits: 0, script: 0 };
    for &bytes in sample.as_chunks().0 {
        match unit(bytes) {
            0xD800..=0xDFFF | 0x11_0000.. => sum.bits += IMPOSSIBLE,
            point @ ..=0xFFFF => sum.add(point as u16),
            0x1_0000..=0x1_FFFF => sum.bits += 15,
            0x2_0000..=0x3_FFFF => sum.bits += 24,
            0xE_0000..=0xE_FFFF => sum.bits += 20,
            // Private use, and planes without characters.
            _ => sum.bits += NO_TEXT,
        }
        if sum.bits > limit {
            break;
        }
    }
    sum.bits
}
