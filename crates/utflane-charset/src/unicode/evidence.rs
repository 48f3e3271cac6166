//! Evidence that units of UTF-16 or UTF-32 are text, and not numbers: tables, sound or images.
//!
//! Small numbers look like characters too. So the cost of the units as text, with the frequencies
//! of characters in each script, is compared with their cost as numbers in a range, as numbers of
//! which each differs little from an earlier one, and as random bytes. This limits the confidence.
//! The costs of [`likelihood`](super::likelihood) choose among the encodings.

use std::iter::Sum;

use utflane::Scheme;

use crate::unicode::answer::Confidence;
use crate::unicode::assigned::is_assigned;

/// A cost in sixteenths of a bit.
type Steps = i32;

/// The number of steps of a bit.
const BIT: Steps = 16;
/// The cost of the bounds of a range.
const RANGE_COST: Steps = 8 * BIT;
/// The cost of the frequency of a length.
const LENGTH_COST: Steps = 4 * BIT;
/// The greatest distance of two numbers whose difference is examined: the number of fields of a
/// record or of channels of an image.
const LAG_MAX: usize = 4;
/// Units are likely text if they are cheaper as text by at least this many bits.
const LIKELY_BITS: i32 = 12;
/// Like [`LIKELY_BITS`], for [`Confidence::Certain`].
const CERTAIN_BITS: i32 = 60;
/// Units are hardly text if text does not have more than one in this number of them.
const NOT_TEXT_SHARE: i32 = 32;
/// So many units without a space, a line end or a comma are hardly text.
const UNBROKEN_MAX: i32 = 128;
/// The number of units of a part of a text that are examined.
const UNITS_MAX: usize = 512;

/// Evidence from parts of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct Evidence {
    /// The number of bits by which the units are cheaper as text than as numbers.
    bits: i32,
    /// The number of units.
    units: i32,
    /// The number of units that text does not have.
    not_text: i32,
    /// The number of units that separate words or sentences.
    separators: i32,
}

impl Evidence {
    /// Returns the evidence of a part of a text in `scheme`, UTF-16 or UTF-32. At most
    /// [`UNITS_MAX`] units are examined.
    #[inline(never)]
    pub(super) fn new(part: &[u8], scheme: Scheme) -> Self {
        let size = scheme.unit_size();
        let is_big = matches!(scheme, Scheme::Utf16Be | Scheme::Utf32Be);
        let mut units = [0; UNITS_MAX];
        let mut count = 0;
        for (unit, bytes) in units.iter_mut().zip(part.chunks_exact(size)) {
            let join = |unit, &byte: &u8| unit << 8 | u32::from(byte);
            *unit = match is_big {
                true => bytes.iter().fold(0, join),
                false => bytes.iter().rfold(0, join),
            };
            count += 1;
        }
        Self::of_units(&units[..count], 8 * size as u32)
    }

    /// Returns the evidence of units of `unit_bits` bits.
    fn of_units(units: &[u32], unit_bits: u32) -> Self {
        let mut text = TextCost::default();
        let mut fields = [Range::EMPTY; 2];
        let mut differences = [Lengths([0; 33]); LAG_MAX];
        for (at, &unit) in units.iter().enumerate() {
            text.add(unit);
            fields[at % 2].add(unit);
            for (lag, lengths) in (1..).zip(&mut differences) {
                let before = at.checked_sub(lag).map_or(0, |before| units[before]);
                // Numbers of 16 bits may have a sign.
                let difference = unit.wrapping_sub(before) << (32 - unit_bits);
                lengths.add(difference as i32 >> (32 - unit_bits));
            }
        }
        let units = units.len() as Steps;
        let noise = units * (unit_bits as Steps * BIT - BIT / 2);
        let as_fields = fields.iter().map(Range::cost).sum::<Steps>();
        let as_numbers = differences.iter().map(Lengths::cost).fold(as_fields, Steps::min);
        let bits = (noise.min(as_numbers) - text.steps) / BIT;
        Self { bits, units, not_text: text.not_text, separators: text.separators }
    }

    /// Returns the greatest confidence that this evidence allows. The costs are rough, so each unit
    /// must be evidence on average.
    pub(super) fn confidence(self) -> Confidence {
        match self.bits {
            _ if NOT_TEXT_SHARE * self.not_text > self.units => Confidence::Guess,
            _ if self.units / UNBROKEN_MAX > self.separators => Confidence::Guess,
            CERTAIN_BITS.. if self.bits >= self.units => Confidence::Certain,
            LIKELY_BITS.. if 2 * self.bits >= self.units => Confidence::Likely,
            _ => Confidence::Guess,
        }
    }
}

impl Sum for Evidence {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            bits: sum.bits + part.bits,
            units: sum.units + part.units,
            not_text: sum.not_text + part.not_text,
            separators: sum.separators + part.separators,
        })
    }
}

/// The least and the greatest of some numbers.
#[derive(Clone, Copy)]
struct Range {
    least: u32,
    greatest: u32,
    count: Steps,
}

impl Range {
    const EMPTY: Self = Self { least: u32::MAX, greatest: 0, count: 0 };

    fn add(&mut self, number: u32) {
        self.least = self.least.min(number);
        self.greatest = self.greatest.max(number);
        self.count += 1;
    }

    /// Returns the cost of the numbers, if each number in the range is equally frequent.
    fn cost(&self) -> Steps {
        RANGE_COST + self.count * log2(self.greatest.saturating_sub(self.least).saturating_add(1))
    }
}

/// How many numbers have each length in bits.
#[derive(Clone, Copy)]
struct Lengths([u16; 33]);

impl Lengths {
    fn add(&mut self, number: i32) {
        self.0[(u32::BITS - number.unsigned_abs().leading_zeros()) as usize] += 1;
    }

    /// Returns the cost of the numbers, if each number of a length is equally frequent.
    fn cost(&self) -> Steps {
        let total = self.0.iter().map(|&count| u32::from(count)).sum();
        let mut sum = 0;
        for (bits, &count) in (0..).zip(&self.0).filter(|(_, count)| **count > 0) {
            // The first bit is always set, but there is a sign.
            let one = log2(total) - log2(count.into()) + bits * BIT;
            sum += LENGTH_COST + Steps::from(count) * one;
        }
        sum
    }
}

/// Returns the binary logarithm of `value`, between powers of two by a straight line.
fn log2(value: u32) -> Steps {
    let exponent = value.ilog2();
    let fraction = (u64::from(value) << 4 >> exponent) as Steps - BIT;
    exponent as Steps * BIT + fraction
}

/// What the last unit was.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Space,
    Return,
    Digit,
    Capital,
    Letter,
}

/// The cost of units as text.
#[derive(Default)]
struct TextCost {
    steps: Steps,
    last: Last,
    last_unit: Option<u32>,
    /// The script of the last letter, or 0.
    script: u32,
    /// The number of units that text does not have.
    not_text: i32,
    /// The number of units that separate words or sentences.
    separators: i32,
}

/// The greatest cost in bits of the same character again, as in a line or in an indentation.
const REPEATED: Steps = 2;
/// The cost in bits of a character that is unusual in its script.
const UNUSUAL: Steps = 11;
/// The cost in bits of a character that text does not have.
const NOT_TEXT: Steps = 40;

impl TextCost {
    fn add(&mut self, unit: u32) {
        let (bits, last, script) = match unit {
            0x20 => (3, Last::Space, 0),
            0x0A if self.last == Last::Return => (0, Last::Space, 0),
            0x0A | 0x0D => (5, if unit == 0x0D { Last::Return } else { Last::Space }, 0),
            0x09 => (7, Last::Space, 0),
            0x0C | 0x1B => (12, Last::Other, 0),
            0x30..=0x39 => (if self.last == Last::Letter { 8 } else { 4 }, Last::Digit, 0),
            0x21..=0x7E => match unit as u8 {
                letter @ b'a'..=b'z' => (ASCII_BITS[usize::from(letter - b'a')], Last::Letter, 1),
                b'A'..=b'Z' => (if self.last == Last::Capital { 5 } else { 8 }, Last::Capital, 1),
                b',' | b'.' | b':' | b';' | b'-' if self.last == Last::Digit => (4, Last::Other, 0),
                b',' | b'.' | b'-' | b'"' | b'<' | b'>' => (6, Last::Other, 0),
                _ => (8, Last::Other, 0),
            },
            // In Latin, such a letter is usually between ASCII letters.
            0xC0..=0x24F if !matches!(self.last, Last::Letter | Last::Capital) => {
                (12, Last::Other, 1)
            }
            0xC0..=0x24F => (8, Last::Other, 1),
            _ => {
                let (bits, script) = other_cost(unit);
                (bits, Last::Other, script)
            }
        };
        let is_repeated = self.last_unit == Some(unit) && bits < NOT_TEXT;
        let bits = if is_repeated { bits.min(REPEATED) } else { bits };
        (self.last, self.last_unit) = (last, Some(unit));
        self.steps += bits * BIT;
        self.not_text += i32::from(bits == NOT_TEXT);
        let is_separator = last == Last::Space || SEPARATORS.contains(&unit) || is_emoji(unit);
        self.separators += i32::from(is_separator);
        if script != 0 && script != self.script {
            if self.script != 0 {
                self.steps += SCRIPT_CHANGE;
            }
            self.script = script;
        }
    }
}

/// What separates words or sentences without a space: the commas and full stops of Arabic, Hindi,
/// Burmese, Chinese and Japanese, and the signs between words of Tibetan and Ethiopic.
static SEPARATORS: [u32; 10] =
    [0x60C, 0x964, 0xF0B, 0x104A, 0x104B, 0x1361, 0x3000, 0x3001, 0x3002, 0xFF0C];

/// Returns true for an emoji of UTF-32, or for its first unit in UTF-16. Rows of emoji have no
/// spaces.
fn is_emoji(unit: u32) -> bool {
    matches!(unit, 0xD83C..=0xD83E | 0x1_F000..0x1_FB00)
}

/// The cost in bits of a letter after a letter of another script.
const SCRIPT_CHANGE: Steps = 6 * BIT;

/// The costs in bits of `a` to `z`.
static ASCII_BITS: [Steps; 26] =
    [4, 7, 5, 5, 3, 6, 6, 5, 4, 8, 7, 5, 5, 4, 4, 6, 9, 4, 4, 4, 5, 6, 7, 9, 7, 7];

/// Ranges of frequent characters, each with its greatest character, and with the cost in bits of
/// its characters. Characters between the ranges are [`UNUSUAL`].
static FREQUENT: [(u16, u16, u8); 47] = [
    (0xA0, 0xBF, 10),
    // Greek.
    (0x386, 0x3AB, 8),
    (0x3AC, 0x3CE, 5),
    // Cyrillic.
    (0x401, 0x42F, 8),
    (0x430, 0x45F, 5),
    (0x490, 0x4E9, 8),
    // Armenian, Hebrew and Arabic.
    (0x531, 0x556, 9),
    (0x55A, 0x587, 5),
    (0x5B0, 0x5C7, 6),
    (0x5D0, 0x5EA, 5),
    (0x60C, 0x61F, 8),
    (0x621, 0x64A, 5),
    (0x64B, 0x6D5, 7),
    // Devanagari to Sinhala, Thai, Lao, Tibetan.
    (0x901, 0xDFF, 7),
    (0xE01, 0xE18, 6),
    (0xE19, 0xE19, 4),
    (0xE1A, 0xE20, 7),
    (0xE21, 0xE23, 4),
    (0xE24, 0xE2F, 6),
    (0xE30, 0xE35, 4),
    (0xE36, 0xE47, 6),
    (0xE48, 0xE49, 4),
    (0xE4A, 0xFBC, 7),
    // Burmese, Georgian, Ethiopic, Khmer and Mongolian.
    (0x1000, 0x104F, 7),
    (0x10D0, 0x10F0, 5),
    (0x1200, 0x135A, 9),
    (0x1780, 0x17D4, 7),
    (0x1820, 0x1877, 8),
    // Vietnamese.
    (0x1EA0, 0x1EF9, 8),
    (0x200B, 0x200F, 8),
    (0x2010, 0x2026, 8),
    (0x20AC, 0x20AC, 10),
    (0x2500, 0x257F, 10),
    // Punctuation, hiragana and katakana.
    (0x3000, 0x3002, 5),
    (0x3008, 0x3011, 7),
    (0x3041, 0x3093, 7),
    (0x30A1, 0x30FC, 8),
    // Han and Hangul.
    (0x4E00, 0x9FA5, 15),
    (0xAC00, 0xD7A3, 15),
    // Emoji.
    (0xD83C, 0xD83E, 2),
    (0xDC00, 0xDFFF, 7),
    (0xFE0F, 0xFE0F, 8),
    (0xFF01, 0xFF01, 7),
    (0xFF08, 0xFF0C, 7),
    (0xFF0D, 0xFF19, 11),
    (0xFF1A, 0xFF1F, 7),
    (0xFF20, 0xFF9F, 11),
];

/// The cost in bits of a frequent character of Chinese and Japanese.
const FREQUENT_HAN: Steps = 8;
/// The cost in bits of a syllable of Hangul with a frequent final consonant or with none.
const FREQUENT_HANGUL: Steps = 11;

/// The most frequent Han characters of Chinese, in both forms, and of Japanese, in ascending order.
static HAN: [u16; HAN_TEXT.len() / 3] = {
    let bytes = HAN_TEXT.as_bytes();
    let mut characters = [0; HAN_TEXT.len() / 3];
    let mut i = 0;
    while i < characters.len() {
        let [a, b, c] = [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]];
        characters[i] = (a as u16 & 0xF) << 12 | (b as u16 & 0x3F) << 6 | c as u16 & 0x3F;
        i += 1;
    }
    characters
};

/// The characters of [`HAN`].
const HAN_TEXT: &str = "\
    一三上下不两个中为主么之也了事于人今从他以们会何作你來個們入兩公出分到前动動十去又发只可\
    合同后和回国國在地場多大天头女好如子学學定家对對小就已年开当後得從心思性想成我所手文新方\
    於无日时是時會有本来気沒没為無然物生用當發的目看着經经老者而能自著行裡要見见言語說说起过\
    还这這過道還那部都里長长開間面頭高麼";

/// The numbers of the frequent final consonants of Hangul.
const FINALS: [u32; 9] = [0, 1, 4, 8, 16, 17, 19, 20, 21];

/// Returns the cost in bits of a unit that is not ASCII, and its script, or 0 if it has none.
fn other_cost(unit: u32) -> (Steps, u32) {
    let script = match unit {
        0x250..=0x2FF | 0x1E00..=0x1EFF => 1,
        0x300..=0x1FFF => unit >> 8,
        0x3041..=0x9FFF => 0x30,
        0xAC00..=0xD7FF => 0xAC,
        _ => 0,
    };
    let is_assigned = u16::try_from(unit).map_or(unit < 0x4_0000, is_assigned);
    let at = FREQUENT.partition_point(|&(_, last, _)| u32::from(last) < unit);
    let bits = match FREQUENT.get(at) {
        _ if unit < 0xA0 || !is_assigned => NOT_TEXT,
        _ if is_frequent_han(unit) => FREQUENT_HAN,
        _ if script == 0xAC && FINALS.contains(&((unit - 0xAC00) % 28)) => FREQUENT_HANGUL,
        Some(&(first, _, bits)) if u32::from(first) <= unit => bits.into(),
        // Emoji: numbers in this range are rarer.
        None if is_emoji(unit) => 4,
        None => 20,
        // Ideographs and Yi beyond the frequent ones, and symbols.
        _ if unit >= 0x2000 => 16,
        _ => UNUSUAL,
    };
    (bits, script)
}

/// Returns true for one of the most frequent Han characters.
fn is_frequent_han(unit: u32) -> bool {
    u16::try_from(unit).is_ok_and(|unit| HAN.binary_search(&unit).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_ascending_order() {
        assert!(HAN.is_sorted_by(|one, other| one < other));
        assert!(FREQUENT.is_sorted_by(|one, other| one.1 < other.0));
        assert!(FREQUENT.iter().all(|&(first, last, _)| first <= last));
        assert!(HAN_TEXT.chars().all(|c| is_frequent_han(c.into())));
    }

    #[test]
    fn logarithms_are_close() {
        for value in (1..1000).chain([65_535, 1 << 20, u32::MAX]) {
            let difference = log2(value) as f64 / f64::from(BIT) - f64::from(value).log2();
            assert!((-0.15..=0.0).contains(&difference), "{value}: {difference}");
        }
    }
}
