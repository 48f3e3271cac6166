//! Sequences of damaged text: a letter, `Â` to `ô`, for the first byte of a character, and signs
//! for the others.

use crate::mojibake::misread::Misread;

/// Returns the character whose damaged sequence `text` begins with, and the length of that
/// sequence.
pub(super) fn first(text: &str) -> Option<(char, usize)> {
    // After the letter, all signs begin with these bytes.
    let &[0xC3, second @ 0x82..=0xB4, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2, ..] = text.as_bytes()
    else {
        return None;
    };
    // The first byte, which was taken for this letter.
    let len = match second + 0x40 {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    first_as(Misread::Windows1252, text, len).or_else(|| first_as(Misread::Latin1, text, len))
}

/// [`first`] for a supplementary character whose surrogates were encoded one by one, as in CESU-8:
/// six bytes, of which the first was taken for `í`.
#[cfg(feature = "alloc")]
pub(super) fn first_of_cesu8(text: &str) -> Option<(char, usize)> {
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

/// [`first`] for a sequence of `len` characters that was taken for `misread`.
fn first_as(misread: Misread, text: &str, len: usize) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut chars = text.chars();
    for byte in &mut bytes[..len] {
        *byte = misread.byte(chars.next()?)?;
    }
    let character = core::str::from_utf8(&bytes[..len]).ok()?.chars().next()?;
    Some((character, text.len() - chars.as_str().len()))
}

/// Returns the next offset from `at` on where a sequence could begin: at C3, if the byte two
/// further is neither ASCII nor a continuation byte.
#[cfg(feature = "alloc")]
pub(super) fn find(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    let thirds = bytes.get(2..)?;
    let could = |first: u8, third: u8| (first == 0xC3) & (third >= 0xC2);
    let mut start = 0;
    while start < thirds.len() {
        let end = thirds.len().min(start + 128);
        let pairs = || bytes[start..end].iter().zip(&thirds[start..end]);
        // The whole block without an early exit, which LLVM vectorises.
        if pairs().fold(false, |found, (&first, &third)| found | could(first, third)) {
            let place = pairs().position(|(&first, &third)| could(first, third))?;
            return Some(at + start + place);
        }
        start = end;
    }
    None
}

/// Bytes of a sequence, and of the text after it, on which the judgement may depend.
const CONTEXT_MAX_BYTES: usize = 32;

/// Returns true if a text of ASCII and sequences only, from `at` on, has a sequence that is not a
/// coincidence. `is_cut` is true if the text continues; `None` if it must be known how.
pub(super) fn judge(text: &str, mut at: usize, is_cut: bool) -> Option<bool> {
    let mut end = None;
    while let Some(character) = text[at..].chars().next() {
        if is_cut && text.len() - at < CONTEXT_MAX_BYTES {
            return None;
        }
        if character.is_ascii() {
            at += 1;
            continue;
        }
        let Some((_, len)) = first(&text[at..]) else { return Some(false) };
        if !is_coincidence(text, at, len, end == Some(at)) {
            return Some(true);
        }
        at += len;
        end = Some(at);
    }
    if is_cut { None } else { Some(false) }
}

/// Returns true if the sequence of `len` bytes at `at`, of a text that is not damaged, could stand
/// there by coincidence: letters of a word, also followed by signs, or if the character that it
/// would become fits worse there. `follows` is true if another sequence ends at `at`.
pub(super) fn is_coincidence(text: &str, at: usize, len: usize, follows: bool) -> bool {
    let (sequence, after) = (&text[at..at + len], &text[at + len..]);
    let mut before = text[..at].chars().rev();
    let place = Place {
        before: Neighbour(before.next()),
        second_before: Neighbour(before.next()),
        after: Neighbour(after.chars().next()),
        second_after: Neighbour(after.chars().nth(1)),
    };
    let mut chars = sequence.chars();
    let Some(letter) = chars.next() else { return false };
    let signs = chars.as_str().trim_start_matches(|sign| place.spells(letter, sign));
    if signs.is_empty() {
        return true;
    }
    let is_spelt = signs.len() < chars.as_str().len();
    let is_meant = (is_spelt || place.ends_word(letter)) && place.follow_word(letter, signs)
        || place.is_named(signs)
        || place.is_product(letter, signs)
        // The letters of the characters that may be rejected. Other characters are not decoded.
        || !follows
            && matches!(letter, 'Â' | 'Ä'..='ß')
            && first(sequence).is_some_and(|(character, _)| place.rejects(character, signs));
    // Not if another sequence follows.
    is_meant && first(after).is_none()
}

/// The character on one side of a sequence, if there is one. Few of the questions about it are
/// asked.
#[derive(Clone, Copy)]
struct Neighbour(Option<char>);

// Not inlined: the tables' code would be there for each question.
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

/// The characters beside a sequence, and those beside them.
struct Place {
    before: Neighbour,
    second_before: Neighbour,
    after: Neighbour,
    second_after: Neighbour,
}

impl Place {
    /// Returns true if `sign` is a letter that can follow `letter` in a word, in a language that
    /// has both.
    fn spells(&self, letter: char, sign: char) -> bool {
        let cases = match sign {
            // In words in capitals.
            'Š' | 'Ž' | 'Œ' | 'Ÿ' => {
                letter.is_uppercase() && !self.before.is_lowercase() && !self.after.is_lowercase()
            }
            // In lower case, after a capital only at the start of a word. These begin words, in
            // damaged text: Ś, Ş, Ț.
            'š' | 'ž' | 'œ' => {
                !letter.is_uppercase()
                    || !matches!((letter, sign), ('Å', _) | ('È', 'š'))
                        && !self.before.is_alphabetic()
                        && !self.after.is_uppercase()
            }
            _ => false,
        };
        // Č, Ō and Ĝ begin words, which damage turns into Ä and Å with Œ and œ.
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
            // No word does: these are the most frequent letters of damaged text in Latin and
            // Cyrillic script.
            'Â' | 'Ñ' => false,
            // `OÃ` begins French `OÙ` and `Où`; `DÃ`, and then a small letter, a name: Díaz.
            'Ã' if !self.second_before.is_uppercase()
                && (self.before.0 == Some('O') || self.after.is_lowercase()) =>
            {
                false
            }
            // Words in capitals do, such as AMANHÃ and VIÐ, and none of these letters is a word.
            'Ã' | 'Ë' | 'Ì' | 'Î' | 'Ï' | 'Ð' | 'Ò' | 'Ù' | 'Û' | 'Ý' | 'Þ' => {
                before.is_uppercase()
            }
            '×' => !before.is_alphabetic(),
            // Also as a word: È…
            _ if letter.is_uppercase() => !before.is_lowercase(),
            _ => true,
        }
    }

    /// Returns true if the letter is no part of a word, and its signs are an apostrophe before the
    /// ending `s`: it is named, as in `many Ã’s`.
    fn is_named(&self, signs: &str) -> bool {
        matches!(signs, "’" | "´")
            && !self.before.is_alphanumeric()
            && matches!(self.after.0, Some('s' | 'S'))
            && !self.second_after.is_alphanumeric()
    }

    /// Returns true if the letter is a sign of multiplication before a price.
    fn is_product(&self, letter: char, signs: &str) -> bool {
        letter == '×'
            && matches!(signs, "€" | "£" | "¥" | "¢" | "¤")
            && !self.before.is_alphabetic()
            && self.after.is_numeric()
    }

    /// Returns true if `signs` can stand after a word that ends with `letter`, or between two.
    fn follow_word(&self, letter: char, signs: &str) -> bool {
        let stands_alone = || !self.after.is_alphanumeric();
        let mut chars = signs.chars();
        match (chars.next(), chars.next(), chars.next()) {
            (Some(sign), None, _) => {
                follows_word(letter, sign) && (self.joins(letter, sign) || stands_alone())
            }
            // The most frequent letters of damaged Vietnamese begin with ».
            (Some('»'), Some(sign), None) => {
                matches!(sign, '…' | '–' | '—' | '\u{A0}') && stands_alone()
            }
            _ => signs.chars().all(ends_sentence) && (signs.ends_with('\u{A0}') || stands_alone()),
        }
    }

    /// Returns true if another word, or the rest of this one, can directly follow `sign`.
    fn joins(&self, letter: char, sign: char) -> bool {
        match sign {
            // Š and Œ begin words.
            '’' | '\u{A0}' => letter != 'Å' || self.before.is_alphabetic(),
            '\u{AD}' => true,
            '–' | '—' | '·' | '´' => letter != 'Ã',
            _ => false,
        }
    }

    /// Returns true if `character` is less likely in this context than its sequence, which has
    /// `signs`: a control character, or a letter of another script alone between Latin letters.
    fn rejects(&self, character: char, signs: &str) -> bool {
        match character {
            '\u{80}'..='\u{9F}' => true,
            // A control character is no sign.
            _ if signs.contains(char::is_control) => false,
            // Small letters in a word in capitals.
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

/// Returns true if `sign` can follow a word together with others, at the end of a sentence or a
/// quotation: `´´` is one too.
fn ends_sentence(sign: char) -> bool {
    matches!(sign, '´' | '…' | '’' | '”' | '›' | '»' | '‘' | '“' | '‹' | '«' | '–' | '—' | '\u{A0}')
}

/// Returns true if `sign` can directly follow a word that ends with `letter`. Fewer can follow `Ã`,
/// because it begins most damaged capitals.
fn follows_word(letter: char, sign: char) -> bool {
    match sign {
        '™' | '®' | '©' | 'ª' | 'º' | '°' | '¹' | '²' | '³' | '·' | '†' | '‡' | '\u{AD}' => {
            true
        }
        // In German; an accent for an apostrophe.
        '‘' | '“' | '‹' | '«' | '´' => letter != 'Ã',
        // Typed at the wrong end, in Spanish and Portuguese. `Iš` was damaged to `IÅ¡`.
        '¿' | '¡' => !matches!(letter, 'Ã' | 'Ä' | 'Å'),
        _ => ends_sentence(sign),
    }
}
