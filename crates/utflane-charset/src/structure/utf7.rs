//! UTF-7: `+`, UTF-16BE in base64 without padding, and `-`.

use super::costs::STEPS_PER_BIT;
use super::tally::Tally;
use super::{Structure, find};

/// The number of bits by which a text must be more probable as UTF-7 than as ordinary text. In
/// ordinary text, too, a few characters that happen to be base64 of UTF-16 may follow a plus sign.
const MIN_EVIDENCE_BITS: i64 = 18;

/// The number of bits of a digit of base64, which is also its cost in ordinary text.
const DIGIT_BITS: u32 = 6;

/// Reads `text`, which is ASCII, as UTF-7. Returns `None` at the first error, or if the evidence is
/// less than [`MIN_EVIDENCE_BITS`].
pub(super) fn read(text: &[u8]) -> Option<Structure> {
    let mut tally = Tally::new("utf-7", None);
    let mut evidence = 0;
    let mut at = 0;
    while let Some(ascii) = find(&text[at..], |byte| byte == b'+') {
        let plus = at + ascii;
        let digits = text[plus + 1..].iter().map_while(|&byte| digit(byte)).collect::<Vec<_>>();
        at = plus + 1 + digits.len();
        let has_hyphen = text.get(at) == Some(&b'-');
        at += usize::from(has_hyphen);
        if digits.is_empty() && has_hyphen {
            continue;
        }
        let is_cut = at == text.len() && !has_hyphen;
        let bits_before = tally.bits();
        add_sequence(&mut tally, &digits, is_cut)?;
        // In ordinary text, the hyphen costs as much as a digit.
        let ascii_len = digits.len() as i64 + i64::from(has_hyphen);
        evidence += i64::from(DIGIT_BITS) * ascii_len - i64::from(tally.bits() - bits_before);
        if is_cut {
            tally.cut(plus);
        }
    }
    (evidence >= MIN_EVIDENCE_BITS).then(|| tally.finish(text.len()))
}

/// Returns the value of a digit of base64.
fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Adds the characters of a sequence. Returns `None` if it is not UTF-16, has characters that no
/// text has, or has more digits than its characters need, or non-zero bits after the last
/// character. If `is_cut`, the text ends in the sequence, and an incomplete character at its end is
/// ignored.
fn add_sequence(tally: &mut Tally, digits: &[u8], is_cut: bool) -> Option<()> {
    let (mut bits, mut bit_count) = (0_u32, 0);
    let mut units = Vec::with_capacity(digits.len() * 3 / 8);
    for &digit in digits {
        bits = bits << DIGIT_BITS | u32::from(digit);
        bit_count += DIGIT_BITS;
        if bit_count >= u16::BITS {
            bit_count -= u16::BITS;
            units.push((bits >> bit_count) as u16);
            bits &= (1 << bit_count) - 1;
        }
    }
    if !is_cut && (units.is_empty() || bit_count >= DIGIT_BITS || bits != 0) {
        return None;
    }
    if is_cut && matches!(units.last(), Some(0xD800..=0xDBFF)) {
        units.pop();
    }
    let mut is_first_ideograph = true;
    for (i, character) in char::decode_utf16(units).enumerate() {
        let character = character.ok()?;
        let mut cost = character_bits(character)?;
        if cost == IDEOGRAPH_BITS && is_first_ideograph {
            cost += FIRST_IDEOGRAPH_BITS;
            is_first_ideograph = false;
        }
        // A character does not have a whole number of digits, but 8/3. So all digits of the
        // sequence are added with its first character.
        tally.add_character(if i == 0 { digits } else { &[] }, cost * STEPS_PER_BIT);
    }
    Some(())
}

/// The cost of an ideograph or a syllable.
const IDEOGRAPH_BITS: u32 = 11;
/// The additional cost of the first ideograph or syllable of a sequence. With it, the character
/// costs as much as its 16 bits in base64: nearly half of all pairs of bytes are ideographs or
/// syllables, so one of them is no evidence.
const FIRST_IDEOGRAPH_BITS: u32 = 5;

/// Returns the cost in bits of a character, by its block; `None` if no text has it.
fn character_bits(character: char) -> Option<u32> {
    match character {
        '\n' | '\r' | '\t' | ' '..='~' => Some(12),
        '\u{A0}'..='\u{24F}' | '\u{370}'..='\u{6FF}' | '\u{E00}'..='\u{E7F}' => Some(7),
        '\u{2010}'..='\u{2044}' | '€' | '™' | '\u{3000}'..='\u{30FF}' => Some(7),
        '\u{FF01}'..='\u{FF9F}' => Some(9),
        '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => Some(IDEOGRAPH_BITS),
        '\u{E000}'..='\u{F8FF}' | '\u{FFF0}'..='\u{FFFF}' => None,
        _ if character.is_control() => None,
        _ => Some(16),
    }
}
