//! The bits that a text would take in the encodings from before Unicode: one byte for each letter
//! of an alphabet, or two bytes for each character.
//!
//! These encodings are not told apart. A text is compared with them for two reasons: two letters of
//! KOI8-R, or a character of Shift_JIS, also are a unit of UTF-16 that text has; and text of this
//! kind must not be called Latin-1.
//!
//! The costs follow how letters beyond ASCII stand together. In Latin-1 they are single letters
//! between those of ASCII. In other alphabets, and in Chinese, Japanese and Korean, they come in
//! runs.

use crate::detect::likelihood::{Bits, LATIN1, is_control};

/// The classes of bytes in an alphabet: what the byte is after the byte before decides its cost.
const LETTER: u8 = 0;
/// Printable ASCII without the letters.
const SYMBOL: u8 = 1;
/// White space other than the blank, and control characters.
const SPACE: u8 = 2;
/// `80..=9F`: letters in few code pages, signs in the others.
const UPPER_CONTROL: u8 = 3;
/// `A1..=FF`.
const UPPER: u8 = 4;
/// `A0`, a no-break space in most alphabets.
const NO_BREAK: u8 = 5;

/// The class of each byte.
static CLASSES: [u8; 256] = {
    let mut classes = [SYMBOL; 256];
    let mut i = 0;
    while i < 256 {
        classes[i] = match i as u8 {
            b'A'..=b'Z' | b'a'..=b'z' => LETTER,
            0x00..=0x1F | 0x7F => SPACE,
            0x80..=0x9F => UPPER_CONTROL,
            0xA0 => NO_BREAK,
            0xA1.. => UPPER,
            _ => SYMBOL,
        };
        i += 1;
    }
    classes
};

/// Added where a letter beyond ASCII follows white space other than the blank: that is once in a
/// line, and not in every character.
const BREAK: u8 = 4;
/// The cost of a byte beyond ASCII that begins no pair.
const NO_PAIR: Bits = 30;

/// Returns the cost of a text in an encoding from before Unicode, whichever is the cheapest.
pub(super) fn bits(sample: &[u8]) -> Bits {
    alphabet(sample).min(pairs(sample))
}

/// The cost of a byte by its class after a byte of another class, in an alphabet beside ASCII: of
/// ASCII without its own cost.
static ALPHABET: [[u8; 6]; 6] = {
    /// Returns the cost of a class.
    const fn cost(before: u8, class: u8) -> u8 {
        match (before, class) {
            // Words are of one script.
            (LETTER, UPPER) => 11,
            (LETTER, UPPER_CONTROL) => 12,
            (UPPER | UPPER_CONTROL, UPPER) => 5,
            (UPPER | UPPER_CONTROL, UPPER_CONTROL) => 6,
            (SPACE, UPPER) => 9 + BREAK,
            (SPACE, UPPER_CONTROL) => 10 + BREAK,
            (_, UPPER | NO_BREAK) => 9,
            (_, UPPER_CONTROL) => 10,
            (UPPER | UPPER_CONTROL, LETTER) => 5,
            _ => 0,
        }
    }
    let mut costs = [[0; 6]; 6];
    let mut i = 0;
    while i < 36 {
        costs[i / 6][i % 6] = cost((i / 6) as u8, (i % 6) as u8);
        i += 1;
    }
    costs
};

/// Returns the cost of a text in an alphabet beside ASCII, of one byte for each letter.
fn alphabet(sample: &[u8]) -> Bits {
    let mut sum = 0;
    let mut before = SYMBOL;
    for &byte in sample {
        let class = CLASSES[usize::from(byte)];
        sum += Bits::from(ALPHABET[usize::from(before)][usize::from(class)]) + of_ascii(byte);
        before = class;
    }
    sum
}

/// Returns the cost of an ASCII byte, and 0 for others.
fn of_ascii(byte: u8) -> Bits {
    if byte.is_ascii() { Bits::from(LATIN1[usize::from(byte)]) } else { 0 }
}

/// Returns the cost of a text of characters of two bytes beside ASCII, as in Shift_JIS, GBK, Big5
/// and the EUC encodings.
fn pairs(sample: &[u8]) -> Bits {
    let mut sum = 0;
    // The cost of a change to pairs.
    let mut change = 3;
    let mut rest = sample;
    while let [lead, after @ ..] = rest {
        rest = after;
        if lead.is_ascii() {
            sum += of_ascii(*lead);
            change = match CLASSES[usize::from(*lead)] {
                LETTER => 9,
                SPACE => 3 + Bits::from(BREAK),
                _ => 3,
            };
            continue;
        }
        match (lead, after) {
            // Kana of Shift_JIS.
            (0x82 | 0x83, [0x40..=0x7E | 0x80..=0xFC, ..]) => sum += 8 + change,
            // A0 more often is a no-break space of another encoding.
            (0x81..=0x9F, [0x40..=0x7E | 0x80..=0xFE, ..])
            | (0xA1..=0xFE, [0x40..=0x7E | 0x80..=0x9F | 0xA1..=0xFE, ..]) => sum += 11 + change,
            // The second byte is in the next part of the text.
            (0x81..=0xFE, []) => sum += 11 + change,
            _ => {
                sum += NO_PAIR;
                continue;
            }
        }
        change = 0;
        rest = after.get(1..).unwrap_or_default();
    }
    sum
}

/// The first byte of an escape sequence.
pub(super) const ESCAPE: u8 = 0x1B;

/// Returns true if ASCII has the escape sequences of ISO-2022-JP, ISO-2022-KR or ISO-2022-CN.
pub(super) fn has_escapes(text: &[u8]) -> bool {
    text.windows(3).any(|bytes| matches!(bytes, [ESCAPE, b'$', b'@' | b'A' | b'B' | b'(' | b')']))
}

/// Returns true if a byte is undefined in windows-1252, or a control character.
pub(super) fn is_strange(byte: u8) -> bool {
    is_control(byte) || matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D)
}

/// Returns the number of words with bytes beyond ASCII.
pub(super) fn words(text: &[u8]) -> usize {
    let words = text.split(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic());
    words.filter(|word| !word.is_ascii()).count()
}
