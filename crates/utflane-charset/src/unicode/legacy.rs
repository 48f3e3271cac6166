//! The cost in bits of a text in the legacy encodings, which are older than Unicode. They have one
//! byte for each letter of an alphabet, or two bytes for each character.
//!
//! These encodings are not distinguished from each other. A text is compared with them for two
//! reasons. First, two letters of KOI8-R, or a character of Shift_JIS, may also be a UTF-16 unit
//! that occurs in text. Second, text in such an encoding must not be called Latin-1.
//!
//! The costs depend on which letters follow each other. In Latin-1, non-ASCII letters usually stand
//! alone between ASCII letters. In other alphabets, and in Chinese, Japanese and Korean, they form
//! runs.

use crate::unicode::likelihood::{Bits, LATIN1_COSTS, is_control};

/// The classes of bytes in an alphabet. The cost of a byte depends on its class and on the class of
/// the byte before it. This class has the ASCII letters.
const LETTER: u8 = 0;
/// The class of printable ASCII except letters.
const SYMBOL: u8 = 1;
/// The class of 0x00..=0x1F and 0x7F: control characters, which include line feeds and tabs.
const CONTROL: u8 = 2;
/// The class of 0x80..=0x9F: letters in a few code pages, and symbols in the others.
const UPPER_CONTROL: u8 = 3;
/// The class of 0xA1..=0xFF.
const UPPER: u8 = 4;
/// The class of 0xA0, a no-break space in most alphabets.
const NO_BREAK: u8 = 5;

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [SYMBOL; 256];
    let mut i = 0;
    while i < 256 {
        classes[i] = match i as u8 {
            b'A'..=b'Z' | b'a'..=b'z' => LETTER,
            0x00..=0x1F | 0x7F => CONTROL,
            0x80..=0x9F => UPPER_CONTROL,
            0xA0 => NO_BREAK,
            0xA1.. => UPPER,
            _ => SYMBOL,
        };
        i += 1;
    }
    classes
};

/// Added to the cost of a non-ASCII letter after a control character, such as a line feed. In real
/// text this happens once in a line, not at every character.
const AFTER_CONTROL_COST: u8 = 4;
/// The cost of a non-ASCII byte that does not begin a pair.
const NOT_A_PAIR_COST: i32 = 30;

/// Returns the cost of a text in the cheapest legacy encoding.
pub(super) fn cost(sample: &[u8]) -> Bits {
    let (ascii, others) = alphabet_costs(sample);
    (ascii + others).min(ascii.saturating_add_signed(pairs_cost(sample)))
}

/// The cost of a byte in an alphabet beside ASCII, by the class of the byte before it and its own
/// class. The cost of an ASCII byte itself is not included.
static ALPHABET_COSTS: [[u8; 8]; 8] = {
    /// Returns the cost of a byte of `class` after a byte of the class `before`.
    const fn cost(before: u8, class: u8) -> u8 {
        match (before, class) {
            // The letters of a word are of one script, so a change is expensive.
            (LETTER, UPPER) => 11,
            (LETTER, UPPER_CONTROL) => 12,
            (UPPER | UPPER_CONTROL, UPPER) => 5,
            (UPPER | UPPER_CONTROL, UPPER_CONTROL) => 6,
            (CONTROL, UPPER) => 9 + AFTER_CONTROL_COST,
            (CONTROL, UPPER_CONTROL) => 10 + AFTER_CONTROL_COST,
            (_, UPPER | NO_BREAK) => 9,
            (_, UPPER_CONTROL) => 10,
            (UPPER | UPPER_CONTROL, LETTER) => 5,
            _ => 0,
        }
    }
    let mut costs = [[0; 8]; 8];
    let mut i = 0;
    while i < 36 {
        costs[i / 6][i % 6] = cost((i / 6) as u8, (i % 6) as u8);
        i += 1;
    }
    costs
};

/// Returns the cost of a text in an alphabet beside ASCII, with one byte for each letter: the cost
/// of the ASCII bytes, and of the others.
fn alphabet_costs(sample: &[u8]) -> (Bits, Bits) {
    let (mut ascii, mut others) = (0, 0);
    let mut before = SYMBOL;
    for &byte in sample {
        let class = CLASSES[usize::from(byte)];
        others += Bits::from(ALPHABET_COSTS[usize::from(before) % 8][usize::from(class) % 8]);
        ascii += ascii_cost(byte);
        before = class;
    }
    (ascii, others)
}

/// Returns the cost of an ASCII byte, and 0 for other bytes.
fn ascii_cost(byte: u8) -> Bits {
    Bits::from(ASCII_COSTS[usize::from(byte)])
}

/// The costs of ASCII bytes, and 0 for other bytes.
static ASCII_COSTS: [u8; 256] = {
    let mut costs = LATIN1_COSTS;
    let mut byte = 0x80;
    while byte < 256 {
        costs[byte] = 0;
        byte += 1;
    }
    costs
};

/// Returns the cost of a text with two-byte characters beside ASCII, as in Shift_JIS, GBK, Big5 and
/// the EUC encodings, less the cost of its ASCII bytes.
fn pairs_cost(sample: &[u8]) -> i32 {
    let mut sum = 0;
    // The cost of a change to two-byte characters. It depends on the byte before.
    let mut entry_cost = 3;
    let (mut at, mut last_end) = (0, 0);
    while let Some(&lead) = sample.get(at) {
        if lead.is_ascii() {
            at += 1;
            continue;
        }
        if at > last_end {
            entry_cost = match CLASSES[usize::from(sample[at - 1])] {
                LETTER => 9,
                CONTROL => 3 + i32::from(AFTER_CONTROL_COST),
                _ => 3,
            };
        }
        let second = sample.get(at + 1).copied();
        let pair_cost = match (lead, second) {
            // Hiragana and Katakana of Shift_JIS.
            (0x82 | 0x83, Some(0x40..=0x7E | 0x80..=0xFC)) => 8 + entry_cost,
            // 0xA0 is excluded: it is more often a no-break space of another encoding.
            (0x81..=0x9F, Some(0x40..=0x7E | 0x80..=0xFE))
            | (0xA1..=0xFE, Some(0x40..=0x7E | 0x80..=0x9F | 0xA1..=0xFE)) => 11 + entry_cost,
            // The second byte is in the part of the text that follows.
            (0x81..=0xFE, None) => 11 + entry_cost,
            _ => {
                sum += NOT_A_PAIR_COST;
                at += 1;
                last_end = at;
                continue;
            }
        };
        sum += pair_cost - second.map_or(0, |byte| ascii_cost(byte) as i32);
        entry_cost = 0;
        at += 2;
        last_end = at;
    }
    sum
}

/// The first byte of an escape sequence.
pub(super) const ESCAPE: u8 = 0x1B;

/// Returns true if `text`, which is ASCII, has an escape sequence of ISO-2022-JP, ISO-2022-KR or
/// ISO-2022-CN.
pub(super) fn has_escapes(text: &[u8]) -> bool {
    text.windows(3).any(|bytes| matches!(bytes, [ESCAPE, b'$', b'@' | b'A' | b'B' | b'(' | b')']))
}

/// Returns true if a byte is undefined in windows-1252, or is a control character that text does
/// not have.
pub(super) fn is_undefined_or_control(byte: u8) -> bool {
    is_control(byte) || matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D)
}

/// Returns true if at least `min` words have non-ASCII bytes.
pub(super) fn has_non_ascii_words(text: &[u8], min: usize) -> bool {
    let words = text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
    words.filter(|word| !word.is_ascii()).take(min).count() == min
}
