//! Sequences of damaged text: a letter, `Â` to `ô`, for the first byte of a character, and signs
//! for its other bytes.

use crate::mojibake::misread::Misread;

/// Returns the character of the damaged sequence at the start of `text`, and the length of the
/// sequence in bytes.
pub(super) fn decode_first(text: &str) -> Option<(char, usize)> {
    // After the letter, all signs begin with these bytes.
    let &[0xC3, second @ 0x82..=0xB4, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2, ..] = text.as_bytes()
    else {
        return None;
    };
    // The letter stands for the first byte of the character, 0xC2..=0xF4.
    let len = match second + 0x40 {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    decode_first_as(Misread::Windows1252, text, len)
        .or_else(|| decode_first_as(Misread::Latin1, text, len))
}

/// Like [`decode_first`], for a supplementary character whose surrogates were encoded one by one,
/// as in CESU-8. It has six bytes; the first byte, 0xED, was misread as `í`.
pub(super) fn decode_first_cesu8(text: &str) -> Option<(char, usize)> {
    if !text.starts_with('í') {
        return None;
    }
    [Misread::Windows1252, Misread::Latin1].into_iter().find_map(|misread| {
        let mut chars = text.chars();
        let mut surrogate = || {
            let mut byte = || Some(u32::from(misread.byte(chars.next()?)?));
            match [byte()?, byte()?, byte()?] {
                [0xED, high @ 0xA0..=0xBF, low @ 0x80..=0xBF] => {
                    u16::try_from(0xD000 | (high & 0x3F) << 6 | low & 0x3F).ok()
                }
                _ => None,
            }
        };
        let character = char::decode_utf16([surrogate()?, surrogate()?]).next()?.ok()?;
        Some((character, text.len() - chars.as_str().len()))
    })
}

/// Like [`decode_first`], for a sequence of `len` characters that was misread as `misread`.
fn decode_first_as(misread: Misread, text: &str, len: usize) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut chars = text.chars();
    for byte in &mut bytes[..len] {
        *byte = misread.byte(chars.next()?)?;
    }
    let character = std::str::from_utf8(&bytes[..len]).ok()?.chars().next()?;
    Some((character, text.len() - chars.as_str().len()))
}

/// Returns the first offset from `from` on where a sequence may begin: the offset of a byte 0xC3 if
/// the byte two positions after it is neither ASCII nor a continuation byte.
pub(super) fn find(text: &str, from: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[from..];
    let thirds = bytes.get(2..)?;
    let may_begin = |first: u8, third: u8| (first == 0xC3) & (third >= 0xC2);
    let mut start = 0;
    while start < thirds.len() {
        let end = thirds.len().min(start + 128);
        let pairs = || bytes[start..end].iter().zip(&thirds[start..end]);
        // Tests the whole block without an early exit, so that LLVM vectorises the loop.
        if pairs().fold(false, |found, (&first, &third)| found | may_begin(first, third)) {
            let index = pairs().position(|(&first, &third)| may_begin(first, third))?;
            return Some(from + start + index);
        }
        start = end;
    }
    None
}

/// The maximum number of bytes, of a sequence and of the text after it, on which the decision about
/// the sequence may depend.
const CONTEXT_MAX_BYTES: usize = 32;

/// Returns true if the text from `offset` on has a sequence that is not a coincidence, and before
/// it only ASCII and sequences that are coincidences. `is_cut` is true if the text continues after
/// the end of `text`. Returns `None` if the result depends on the continuation.
pub(super) fn judge(text: &str, mut offset: usize, is_cut: bool) -> Option<bool> {
    let mut sequence_end = None;
    while let Some(character) = text[offset..].chars().next() {
        if is_cut && text.len() - offset < CONTEXT_MAX_BYTES {
            return None;
        }
        if character.is_ascii() {
            offset += 1;
            continue;
        }
        let Some((_, len)) = decode_first(&text[offset..]) else { return Some(false) };
        if !is_coincidence(text, offset, len, sequence_end == Some(offset)) {
            return Some(true);
        }
        offset += len;
        sequence_end = Some(offset);
    }
    if is_cut { None } else { Some(false) }
}

/// Returns true if undamaged text may have the sequence of `len` bytes at `offset` by coincidence:
/// if it is letters of a word, perhaps with signs after them, or if the character that it would
/// become fits worse there. `follows` is true if another sequence ends at `offset`.
pub(super) fn is_coincidence(text: &str, offset: usize, len: usize, follows: bool) -> bool {
    let (sequence, after) = (&text[offset..offset + len], &text[offset + len..]);
    let mut before = text[..offset].chars().rev();
    let context = Context {
        before: Neighbour(before.next()),
        second_before: Neighbour(before.next()),
        after: Neighbour(after.chars().next()),
        second_after: Neighbour(after.chars().nth(1)),
    };
    let mut chars = sequence.chars();
    let Some(letter) = chars.next() else { return false };
    let signs = chars.as_str().trim_start_matches(|sign| context.spells(letter, sign));
    if signs.is_empty() {
        return true;
    }
    let is_spelt = signs.len() < chars.as_str().len();
    let is_plausible = (is_spelt || context.ends_word(letter))
        && context.signs_can_follow_word(letter, signs)
        || context.is_named(signs)
        || context.is_product(letter, signs)
        // Only sequences with these letters become characters that may be rejected. Other sequences
        // are not decoded.
        || !follows
            && matches!(letter, 'Â' | 'Ä'..='ß')
            && decode_first(sequence)
                .is_some_and(|(character, _)| context.rejects(character, signs));
    // If another sequence follows, the sequence is not a coincidence.
    is_plausible && decode_first(after).is_none()
}

/// A character beside a sequence, or `None` at the start or end of the text. Few of its properties
/// are needed, so they are computed on demand.
#[derive(Clone, Copy)]
struct Neighbour(Option<char>);

// These functions are not inlined, because the code that reads the Unicode tables would be repeated
// for each call.
impl Neighbour {
    #[inline(never)]
    fn is_uppercase(self) -> bool {
        self.0.is_some_and(char::is_uppercase)
    }

    #[inline(never)]
    fn is_lowercase(self) -> bool {
        self.0.is_some_and(char::is_lowercase)
    }

    #[inline(never)]
    fn is_alphabetic(self) -> bool {
        self.0.is_some_and(char::is_alphabetic)
    }

    #[inline(never)]
    fn is_alphanumeric(self) -> bool {
        self.0.is_some_and(char::is_alphanumeric)
    }

    #[inline(never)]
    fn is_numeric(self) -> bool {
        self.0.is_some_and(char::is_numeric)
    }
}

/// The two characters before a sequence, and the two characters after it.
struct Context {
    before: Neighbour,
    second_before: Neighbour,
    after: Neighbour,
    second_after: Neighbour,
}

impl Context {
    /// Returns true if `sign` is a letter that can follow `letter` in a word, in a language that
    /// has both.
    fn spells(&self, letter: char, sign: char) -> bool {
        let cases = match sign {
            // In words in capitals.
            'Š' | 'Ž' | 'Œ' | 'Ÿ' => {
                letter.is_uppercase() && !self.before.is_lowercase() && !self.after.is_lowercase()
            }
            // Small letters; after a capital, only at the start of a word. `Åš`, `Åž` and `Èš` are
            // excluded: in damaged text, they begin words with Ś, Ş and Ț.
            'š' | 'ž' | 'œ' => {
                !letter.is_uppercase()
                    || !matches!((letter, sign), ('Å', _) | ('È', 'š'))
                        && !self.before.is_alphabetic()
                        && !self.after.is_uppercase()
            }
            _ => false,
        };
        // Damage turns Č, Ō and Ĝ, which begin words, into Ä or Å with Œ or œ.
        let has_both = match letter {
            'Â' | 'Ã' | 'Ì' | 'Î' | 'Ï' | 'Ð' | 'Ñ' | '×' | 'Ø' | 'â' => false,
            'Ä' | 'Å' => matches!(sign, 'Š' | 'Ž' | 'š' | 'ž'),
            _ => true,
        };
        cases && has_both
    }

    /// Returns true if a word can end with `letter` here.
    fn ends_word(&self, letter: char) -> bool {
        let before = self.before;
        match letter {
            // No word ends with these letters. They are the most frequent letters of damaged text
            // in Latin and Cyrillic script.
            'Â' | 'Ñ' => false,
            // `OÃ` is the start of a damaged French `OÙ` or `Où`. `DÃ` before a small letter is the
            // start of a damaged name, such as Díaz.
            'Ã' if !self.second_before.is_uppercase()
                && (self.before.0 == Some('O') || self.after.is_lowercase()) =>
            {
                false
            }
            // Words in capitals end with these letters, such as AMANHÃ and VIÐ. None of these
            // letters is a word by itself.
            'Ã' | 'Ë' | 'Ì' | 'Î' | 'Ï' | 'Ð' | 'Ò' | 'Ù' | 'Û' | 'Ý' | 'Þ' => {
                before.is_uppercase()
            }
            '×' => !before.is_alphabetic(),
            // The letter may be a word by itself: È…
            _ if letter.is_uppercase() => !before.is_lowercase(),
            _ => true,
        }
    }

    /// Returns true if the letter is not part of a word, and its signs are an apostrophe before the
    /// ending `s`. The text then names the letter, as in `many Ã’s`.
    fn is_named(&self, signs: &str) -> bool {
        matches!(signs, "’" | "´")
            && !self.before.is_alphanumeric()
            && matches!(self.after.0, Some('s' | 'S'))
            && !self.second_after.is_alphanumeric()
    }

    /// Returns true if the letter is a multiplication sign before a price.
    fn is_product(&self, letter: char, signs: &str) -> bool {
        letter == '×'
            && matches!(signs, "€" | "£" | "¥" | "¢" | "¤")
            && !self.before.is_alphabetic()
            && self.after.is_numeric()
    }

    /// Returns true if `signs` can stand after a word that ends with `letter`, or between two
    /// words.
    fn signs_can_follow_word(&self, letter: char, signs: &str) -> bool {
        let stands_alone = || !self.after.is_alphanumeric();
        let mut chars = signs.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some(sign), None, _) => {
                can_follow_word(letter, sign) && (self.can_join(letter, sign) || stands_alone())
            }
            // The most frequent letters of damaged Vietnamese begin with ».
            (Some('»'), Some(sign), None) => {
                matches!(sign, '…' | '–' | '—' | '\u{A0}') && stands_alone()
            }
            _ => signs.chars().all(ends_sentence) && (signs.ends_with('\u{A0}') || stands_alone()),
        }
    }

    /// Returns true if another word, or the rest of the same word, can directly follow `sign`.
    fn can_join(&self, letter: char, sign: char) -> bool {
        match sign {
            // At the start of a word, `Å` with one of these signs is a damaged Œ or Š.
            '’' | '\u{A0}' => letter != 'Å' || self.before.is_alphabetic(),
            '\u{AD}' => true,
            '–' | '—' | '·' | '´' => letter != 'Ã',
            _ => false,
        }
    }

    /// Returns true if `character` is less likely in this context than its sequence, whose signs
    /// are `signs`: a control character, or a letter of another script alone between Latin letters.
    fn rejects(&self, character: char, signs: &str) -> bool {
        match character {
            '\u{80}'..='\u{9F}' => true,
            // A sequence that has a control character is not more likely than `character`.
            _ if signs.contains(char::is_control) => false,
            // A small letter in a word in capitals.
            '\u{100}'..='\u{17F}' if character.is_lowercase() => {
                self.before.is_uppercase()
                    && (self.second_before.is_uppercase() || self.after.is_uppercase())
            }
            // Small Greek letters within the names of substances: NFκB.
            'α'..='ω' if self.after.is_alphanumeric() => false,
            // Latin letters that are usual in some languages, and the most usual combining marks.
            'Ơ' | 'ơ' | 'Ư' | 'ư' | 'Ș'..='ț' | '\u{300}'..='\u{33F}' => false,
            // Other Latin, phonetic and combining characters, Greek.
            '\u{180}'..='\u{3FF}' => self.before.is_uppercase() || self.after.is_uppercase(),
            // Cyrillic to N’Ko.
            '\u{400}'..='\u{7FF}' => self.before.is_alphabetic() || self.after.is_alphabetic(),
            _ => false,
        }
    }
}

/// Returns true if `sign` can follow a word together with other signs, at the end of a sentence or
/// a quotation. `´´` is a quotation mark too.
fn ends_sentence(sign: char) -> bool {
    matches!(sign, '´' | '…' | '’' | '”' | '›' | '»' | '‘' | '“' | '‹' | '«' | '–' | '—' | '\u{A0}')
}

/// Returns true if `sign` can directly follow a word that ends with `letter`. Fewer signs can
/// follow `Ã`, because it begins most damaged capitals.
fn can_follow_word(letter: char, sign: char) -> bool {
    match sign {
        '™' | '®' | '©' | 'ª' | 'º' | '°' | '¹' | '²' | '³' | '·' | '†' | '‡' | '\u{AD}' => {
            true
        }
        // Marks that end German quotations, and an accent instead of an apostrophe.
        '‘' | '“' | '‹' | '«' | '´' => letter != 'Ã',
        // These marks are typed at the wrong end of a sentence, in Spanish and Portuguese. `Iš` was
        // damaged to `IÅ¡`.
        '¿' | '¡' => !matches!(letter, 'Ã' | 'Ä' | 'Å'),
        _ => ends_sentence(sign),
    }
}
