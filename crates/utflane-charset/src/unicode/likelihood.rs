//! The cost in bits of a text in an encoding. The encoding with the lowest cost is the likeliest.
//!
//! The cost of a unit is a rough binary logarithm of how rare it is in text of all kinds. Only
//! three properties matter much. Units that text does not have are expensive. Letters are cheaper
//! than their neighbours in the code tables. And a change of script costs bits, because text in the
//! wrong encoding mixes scripts at random.

use crate::unicode::assigned::is_assigned;

/// The cost in bits of a unit or of a text.
pub(super) type Bits = u32;

/// The cost of a byte that is a control character that text does not have.
const CONTROL_COST: u8 = 16;

/// The cost of a NUL byte after the first one. NULs may separate the parts of a text.
const LATER_NUL_COST: Bits = 8;

/// The cost of a unit that well-formed text cannot have: prohibitive.
pub(super) const IMPOSSIBLE_COST: Bits = 200;

/// The additional cost of a unit below 0x2000 whose low byte is zero. Such units are very rare,
/// except in tables of small numbers.
const FIRST_OF_PAGE_COST: Bits = 12;

/// The cost of a code point that text does not have: a noncharacter, such as U+FFFE, which is a
/// byte order mark in the other byte order, or a code point that is unassigned or for private use.
const NOT_TEXT_COST: Bits = 90;

/// Added to the cost of a text in UTF-16, because UTF-16 without a byte order mark is rare.
pub(super) const RARE_UTF16_COST: Bits = 8;
/// Like [`RARE_UTF16_COST`], for UTF-32.
pub(super) const RARE_UTF32_COST: Bits = 10;

/// Returns true if a byte is a control character that text does not have: a control character
/// except tab, line feed, form feed, carriage return and escape.
#[inline]
pub(super) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)
}

/// Returns the number of bytes in `sample` for which [`is_control`] is true.
pub(super) fn count_controls(sample: &[u8]) -> usize {
    // The sums of 255 bytes fit into a byte, so LLVM vectorises the loop.
    let sum = |part: &[u8]| part.iter().fold(0u8, |sum, &byte| sum + u8::from(is_control(byte)));
    sample.chunks(255).map(|part| usize::from(sum(part))).sum()
}

/// Returns the cost of an ASCII byte, for the first half of both tables below.
const fn ascii_cost(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b' ' | b'\n' => 5,
        b'\r' | b'!'..=b'~' => 6,
        b'\t' => 7,
        0x0C | 0x1B => 12,
        _ => CONTROL_COST,
    }
}

/// Builds a table of the values of `$cost` for all bytes.
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
pub(super) static LATIN1_COSTS: [u8; 256] = {
    /// Returns the cost of a byte.
    const fn cost(byte: u8) -> u8 {
        match byte {
            0x00..=0x7F => ascii_cost(byte),
            // Quotation marks, the ellipsis, dashes and the euro sign of windows-1252.
            0x80 | 0x85 | 0x91..=0x97 => 11,
            0x81..=0x9F => 14,
            0xA0..=0xFF => 9,
        }
    }
    table!(cost)
};

/// The costs of bytes in well-formed UTF-8. The lead byte has the cost of the whole character.
pub(super) static UTF8_COSTS: [u8; 256] = {
    /// Returns the cost of a byte.
    const fn cost(byte: u8) -> u8 {
        match byte {
            0x00..=0x7F => ascii_cost(byte),
            0x80..=0xBF => 0,
            0xC0..=0xDF => 10,
            0xE0..=0xEF => 13,
            0xF0..=0xFF => 16,
        }
    }
    table!(cost)
};

/// Returns the cost of a text, by the table of the costs of bytes.
pub(super) fn bytes_cost(sample: &[u8], costs: &[u8; 256]) -> Bits {
    let mut sum = 0;
    let mut nuls = 0;
    for &byte in sample {
        sum += Bits::from(costs[usize::from(byte)]);
        nuls += Bits::from(byte == 0);
    }
    sum - nuls.saturating_sub(1) * (Bits::from(CONTROL_COST) - LATER_NUL_COST)
}

/// Returns the cost of `len` bytes of random data. It is a little less than eight bits for each
/// byte, so that random data is not taken for text by chance.
pub(super) fn noise_bits(len: usize) -> Bits {
    len as Bits * 15 / 2
}

/// The cost of a unit, and its script.
#[derive(Clone, Copy)]
struct Cost {
    bits: u8,
    /// The number of the script, or 0 for a unit that occurs in every script.
    script: u8,
}

/// The number of the Latin script. Latin, Han and Hangul have several pages of 256 units. Any other
/// script has one page, and its number is the page: 0x03 to 0x1F and 0xA0 to 0xAB.
const LATIN: u8 = 1;
/// The number of the script of Han characters.
const HAN: u8 = 2;
/// The number of the script of Hangul syllables.
const HANGUL: u8 = 0xAC;

/// The cost of a change of script.
const SCRIPT_CHANGE_COST: Bits = 4;

/// The costs of units. The first half is indexed by the upper byte of a unit, the second half by
/// the lower byte of a unit below 0x100.
static UNIT_COSTS: [Cost; 512] = {
    let mut units = [Cost { bits: 0, script: 0 }; 512];
    let mut i = 0;
    while i < 256 {
        let (bits, script) = page_cost(i as u8);
        units[i] = Cost { bits, script };
        let (bits, script) = first_page_cost(i as u8);
        units[256 + i] = Cost { bits, script };
        i += 1;
    }
    units
};

/// The costs of the cheapest units by their upper byte.
static LEAST_COSTS: [u8; 256] = {
    let mut costs = [0; 256];
    let mut i = 0;
    while i < 256 {
        costs[i] = UNIT_COSTS[i].bits;
        i += 1;
    }
    costs[0] = UNIT_COSTS[0x100 + b'a' as usize].bits;
    costs
};

/// Returns the cost and the script of units with the upper byte `upper`, which is not zero.
const fn page_cost(upper: u8) -> (u8, u8) {
    match upper {
        0x00..=0x02 | 0x1E => (11, LATIN),
        // Greek, Cyrillic, Hebrew, Arabic and their neighbours have few letters, and each of them
        // is frequent.
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
        // The surrogates of a pair have this cost each.
        0xD8..=0xDF => (8, 0),
        // The private use area.
        0xE0..=0xF8 => (22, 0),
        0xF9 | 0xFA => (18, HAN),
        0xFB..=0xFD => (16, 0),
        0xFE => (15, 0),
        0xFF => (12, 0),
    }
}

/// Returns the cost and the script of a unit below 0x100.
const fn first_page_cost(unit: u8) -> (u8, u8) {
    match unit {
        b'A'..=b'Z' | b'a'..=b'z' => (7, LATIN),
        b'\t' | b'\n' | b'\r' | b' '..=b'~' => (7, 0),
        0x0C | 0x1B => (16, 0),
        0x00 => (40, 0),
        0x01..=0x9F => (28, 0),
        0xA0..=0xFF => (10, LATIN),
    }
}

/// The properties of a UTF-16 unit after the unit before it.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) bits: Bits,
    /// True if the unit is a character of Latin-1 that occurs in text.
    pub(super) is_latin: bool,
    /// True if the unit occurs in text.
    pub(super) is_text: bool,
}

impl Unit {
    /// Returns the properties of `unit` after a letter of `script`. Replaces `script` with the
    /// script of `unit`, if `unit` has one.
    #[inline]
    pub(super) fn classify(unit: u16, script: &mut u8) -> Self {
        let index = if unit < 0x100 { 0x100 + unit } else { unit >> 8 };
        let cost = UNIT_COSTS[usize::from(index)];
        let mut bits = Bits::from(cost.bits);
        let is_control = matches!(unit, 0..=0x1F | 0x7F..=0x9F)
            && !matches!(unit, 0x09 | 0x0A | 0x0C | 0x0D | 0x1B);
        let is_assigned = is_assigned(unit);
        if !is_assigned {
            bits += NOT_TEXT_COST;
        }
        if unit.trailing_zeros() >= 8 && unit < 0x2000 {
            bits += FIRST_OF_PAGE_COST;
        }
        if cost.script != 0 {
            if *script != 0 && *script != cost.script {
                bits += SCRIPT_CHANGE_COST;
            }
            *script = cost.script;
        }
        Self { bits, is_latin: unit < 0x100 && !is_control, is_text: is_assigned && !is_control }
    }
}

/// The cost of a sequence of units, and the script of the last letter.
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

/// Returns the cost of a text in UTF-16. If the cost is more than `limit`, returns any number above
/// `limit`. An unpaired surrogate costs [`IMPOSSIBLE_COST`], except at the end of a sample, which
/// may split a pair.
pub(super) fn utf16_cost(sample: &[u8], unit: impl Fn([u8; 2]) -> u16, limit: Bits) -> Bits {
    // Most texts in other encodings cost more than `limit` by their upper bytes alone.
    let least = |&bytes: &[u8; 2]| Bits::from(LEAST_COSTS[usize::from(unit(bytes) >> 8)]);
    let bits = sample.as_chunks().0.iter().map(least).sum();
    if bits > limit {
        return bits;
    }
    let mut sum = Sum { bits: 0, script: 0 };
    let mut follows_high = false;
    for &bytes in sample.as_chunks().0 {
        let unit = unit(bytes);
        let (is_high, is_low) = (unit & 0xFC00 == 0xD800, unit & 0xFC00 == 0xDC00);
        if follows_high != is_low {
            sum.bits += IMPOSSIBLE_COST;
        }
        follows_high = is_high;
        sum.add(unit);
        if sum.bits > limit {
            break;
        }
    }
    sum.bits
}

/// Returns the cost of a text in UTF-32. If the cost is more than `limit`, returns any number above
/// `limit`.
pub(super) fn utf32_cost(sample: &[u8], unit: impl Fn([u8; 4]) -> u32, limit: Bits) -> Bits {
    let mut sum = Sum { bits: 0, script: 0 };
    for &bytes in sample.as_chunks().0 {
        match unit(bytes) {
            0xD800..=0xDFFF | 0x11_0000.. => sum.bits += IMPOSSIBLE_COST,
            point @ ..=0xFFFF => sum.add(point as u16),
            0x1_0000..=0x1_FFFF => sum.bits += 15,
            0x2_0000..=0x3_FFFF => sum.bits += 24,
            0xE_0000..=0xE_FFFF => sum.bits += 20,
            // Private use planes, and planes without characters.
            _ => sum.bits += NOT_TEXT_COST,
        }
        if sum.bits > limit {
            break;
        }
    }
    sum.bits
}
