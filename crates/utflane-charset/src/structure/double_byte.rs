//! Encodings of one to four bytes a character: one state machine that reads all of them.

use super::Structure;
use super::costs::{self, ASCII_LETTER, Costs, NARROW, OTHER_ASCII, OTHER_SIGN, PUNCTUATION, RARE};
use super::costs::{JAPANESE, KOREAN, SIMPLIFIED, STEPS_PER_BIT, TAIWAN, TRADITIONAL};
use super::forms::{CELLS_94, Form, Step, flat};
use super::tally::Tally;

/// An encoding whose characters are ASCII or have one of some forms. The first form that has the
/// first two bytes of a character decides.
pub(super) struct DoubleByte {
    name: &'static str,
    language: &'static str,
    /// The name of the encoding if the text has characters of four bytes.
    name_of_four: &'static str,
    /// The cost in bits of a text in this encoding, if few texts are.
    rarity_bits: u32,
    costs: &'static Costs,
    forms: &'static [Form],
    /// The letters of Greek and of Russian: the first byte, the least and the greatest second byte,
    /// and the language.
    letters: &'static [(u8, u8, u8, &'static str)],
}

/// The letters of Greek and Russian in sets that have them in rows 6 and 7.
const LETTERS_94: &[(u8, u8, u8, &str)] = &[(0xA6, 0xA1, 0xD8, "el"), (0xA7, 0xA1, 0xF1, "ru")];

/// The cost in bits of a letter of Greek or Russian after another character.
const FIRST_LETTER_BITS: u32 = 14;
/// The cost in bits of a letter of Greek or Russian if such a letter was the last character that is
/// not ASCII.
const NEXT_LETTER_BITS: u32 = 7;

/// The cost of half-width katakana: one of 63, all alike, in texts that are rare.
pub(super) const NARROW_COST: (u8, u32) = flat(NARROW, 7);

/// Shift_JIS, as windows-31J.
static SHIFT_JIS: DoubleByte = DoubleByte {
    name: "shift_jis",
    name_of_four: "shift_jis",
    language: "ja",
    rarity_bits: 0,
    costs: &JAPANESE,
    letters: &[(0x83, 0x9F, 0xD6, "el"), (0x84, 0x40, 0x91, "ru")],
    forms: &[
        // The rows beyond JIS X 0208 are those of NEC and IBM.
        Form::new(
            &[(0x81, 0x9F), (0xE0, 0xEA), (0xED, 0xEE), (0xFA, 0xFC)],
            &[(0x40, 0x7E), (0x80, 0xFC)],
            flat(RARE, 15),
        )
        .with_costs(&JAPANESE, 2),
        Form::new(&[(0xA1, 0xDF)], &[], NARROW_COST),
    ],
};

/// EUC-JP.
pub(super) static EUC_JP: DoubleByte = DoubleByte {
    name: "euc-jp",
    name_of_four: "euc-jp",
    language: "ja",
    rarity_bits: 0,
    costs: &JAPANESE,
    letters: LETTERS_94,
    forms: &[
        // The rows beyond JIS X 0208 are those of IBM.
        Form::new(&[(0xA1, 0xF4), (0xF9, 0xFC)], CELLS_94, flat(RARE, 15)).with_costs(&JAPANESE, 1),
        Form::new(&[(0x8E, 0x8E)], &[(0xA1, 0xDF)], NARROW_COST),
        // JIS X 0212.
        Form::new(&[(0x8F, 0x8F)], CELLS_94, flat(RARE, 14)).with_further(CELLS_94),
    ],
};

/// EUC-KR, as windows-949.
pub(super) static EUC_KR: DoubleByte = DoubleByte {
    name: "euc-kr",
    name_of_four: "euc-kr",
    language: "ko",
    rarity_bits: 0,
    costs: &KOREAN,
    letters: &[(0xA5, 0xC1, 0xF8, "el"), (0xAC, 0xA1, 0xF1, "ru")],
    forms: &[
        // Rows 41 and 94 are for private use. The rows between them have 4,888 ideographs.
        Form::new(&[(0xA1, 0xC8), (0xCA, 0xFD)], CELLS_94, flat(RARE, 12)).with_costs(&KOREAN, 1),
        // 8,822 syllables of windows-949.
        Form::new(&[(0x81, 0xC6)], &[(0x41, 0x5A), (0x61, 0x7A), (0x81, 0xFE)], flat(RARE, 13)),
    ],
};

/// GBK, and GB18030 if it has characters of four bytes.
pub(super) static GBK: DoubleByte = DoubleByte {
    name: "gbk",
    name_of_four: "gb18030",
    language: "zh",
    rarity_bits: 0,
    costs: &SIMPLIFIED,
    letters: LETTERS_94,
    forms: &[
        // Level 2 has 3,008 ideographs.
        Form::new(&[(0xA1, 0xF7)], CELLS_94, flat(RARE, 11)).with_costs(&SIMPLIFIED, 1),
        Form::new(&[(0x81, 0xA0)], &[(0x40, 0x7E), (0x80, 0xFE)], flat(RARE, 14)),
        Form::new(&[(0xA8, 0xFE)], &[(0x40, 0x7E), (0x80, 0xA0)], flat(RARE, 14)),
        Form::new(&[(0x81, 0x84), (0x90, 0xE3)], &[(0x30, 0x39)], flat(RARE, 26))
            .with_further(&[(0x81, 0xFE), (0x30, 0x39)]),
    ],
};

/// Big5 with the characters of Hong Kong.
static BIG5: DoubleByte = DoubleByte {
    name: "big5",
    name_of_four: "big5",
    language: "zh",
    rarity_bits: 0,
    costs: &TRADITIONAL,
    letters: &[(0xA3, 0x44, 0x73, "el"), (0xC7, 0xF3, 0xFE, "ru"), (0xC8, 0x40, 0x75, "ru")],
    forms: &[
        // Level 2 has 7,652 ideographs.
        Form::new(&[(0xA1, 0xC6), (0xC9, 0xF9)], &[(0x40, 0x7E), (0xA1, 0xFE)], flat(RARE, 13))
            .with_costs(&TRADITIONAL, 1),
        Form::new(
            &[(0x87, 0xA0), (0xC7, 0xC8), (0xFA, 0xFE)],
            &[(0x40, 0x7E), (0xA1, 0xFE)],
            flat(RARE, 14),
        ),
    ],
};

/// EUC-TW.
pub(super) static EUC_TW: DoubleByte = DoubleByte {
    name: "euc-tw",
    name_of_four: "euc-tw",
    language: "zh",
    rarity_bits: 8,
    costs: &TAIWAN,
    letters: &[],
    forms: &[
        Form::new(&[(0xA1, 0xFD)], CELLS_94, flat(RARE, 13)).with_costs(&TAIWAN, 1),
        // The planes of CNS 11643.
        Form::new(&[(0x8E, 0x8E)], &[(0xA1, 0xB0)], flat(RARE, 14))
            .with_further(&[(0xA1, 0xFE), (0xA1, 0xFE)]),
    ],
};

/// Johab.
static JOHAB: DoubleByte = DoubleByte {
    name: "johab",
    name_of_four: "johab",
    language: "ko",
    rarity_bits: 8,
    costs: &costs::JOHAB,
    letters: &[],
    forms: &[
        Form::new(&[(0x84, 0xD3)], &[(0x41, 0x7E), (0x81, 0xFE)], flat(RARE, 13))
            .with_costs(&costs::JOHAB, 1),
        Form::new(&[(0xD9, 0xD9)], &[(0x31, 0x7E), (0x91, 0xFE)], flat(PUNCTUATION, 7)),
        Form::new(&[(0xD8, 0xDE), (0xE0, 0xF9)], &[(0x31, 0x7E), (0x91, 0xFE)], flat(RARE, 13)),
    ],
};

/// All encodings of this kind.
pub(super) static ENCODINGS: [&DoubleByte; 7] =
    [&SHIFT_JIS, &EUC_JP, &EUC_KR, &GBK, &BIG5, &EUC_TW, &JOHAB];

impl DoubleByte {
    /// Returns the name.
    #[cfg(test)]
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Returns true if a text in this encoding has this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        [self.name, self.name_of_four].contains(&name)
    }

    /// Reads `text`. Returns `None` if it has too many errors or no character that is not ASCII.
    pub(super) fn read(&self, text: &[u8]) -> Option<Structure> {
        let mut tally = Tally::new(self.name, Some(self.language));
        tally.add_bits(self.rarity_bits);
        let mut before = OTHER_ASCII;
        let mut follows_letter = false;
        let (mut letters, mut letters_language) = (0, self.language);
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            if byte.is_ascii() {
                let len = ascii_run_len(&text[at..]);
                at += len;
                before = class_of_ascii(text[at - 1]);
                continue;
            }
            match self.step(&text[at..]) {
                Step::Character(len, class, steps) => {
                    let bytes = &text[at..at + len];
                    // Such letters are of these classes.
                    let may_be_letter = class == OTHER_SIGN || class == RARE;
                    let language =
                        if may_be_letter { self.language_of_letter(bytes) } else { None };
                    let steps = match (language, follows_letter) {
                        (Some(_), true) => NEXT_LETTER_BITS * STEPS_PER_BIT,
                        (Some(_), false) => FIRST_LETTER_BITS * STEPS_PER_BIT,
                        (None, _) => steps + self.costs.class_steps(before, class),
                    };
                    tally.add_character(bytes, steps);
                    if let Some(language) = language {
                        letters += 1;
                        letters_language = language;
                    }
                    (before, follows_letter) = (class, language.is_some());
                    at += len;
                }
                Step::IllFormed => {
                    tally.add_error(at)?;
                    before = OTHER_ASCII;
                    // An ASCII byte after the first byte is a character.
                    at += 1 + usize::from(text.get(at + 1).is_some_and(|byte| !byte.is_ascii()));
                }
                Step::Incomplete => {
                    tally.cut(at);
                    break;
                }
            }
        }
        if tally.characters() == 0 {
            return None;
        }
        let name = if tally.has_four_bytes() { self.name_of_four } else { self.name };
        let is_foreign = 2 * letters > tally.characters();
        tally.rename(name, if is_foreign { letters_language } else { self.language });
        Some(tally.finish(text.len()))
    }

    /// Returns the language of a letter of Greek or Russian, as a code of ISO 639.
    #[inline(always)]
    fn language_of_letter(&self, character: &[u8]) -> Option<&'static str> {
        let &[first, second] = character else { return None };
        let is_found = |&&(row, least, greatest, _): &&(u8, u8, u8, &str)| {
            row == first && (least..=greatest).contains(&second)
        };
        self.letters.iter().find(is_found).map(|letters| letters.3)
    }

    /// Reads the character at the start of `text`.
    #[inline(always)]
    fn step(&self, text: &[u8]) -> Step {
        for form in self.forms {
            if let Some(step) = form.read(text) {
                return step;
            }
        }
        Step::IllFormed
    }

    /// Returns the class of the character of two bytes, and its cost in steps after a character of
    /// the class `before`; `None` if there is no such character.
    pub(super) fn pair(&self, before: u8, bytes: [u8; 2]) -> Option<(u8, u32)> {
        match self.step(&bytes) {
            Step::Character(_, class, steps) => {
                Some((class, steps + self.costs.class_steps(before, class)))
            }
            _ => None,
        }
    }
}

/// Returns a number of ASCII bytes at the start of `text`, which begins with one: eight, or one.
#[inline]
fn ascii_run_len(text: &[u8]) -> usize {
    text.first_chunk::<8>().map_or(1, |bytes| if bytes.is_ascii() { 8 } else { 1 })
}

/// Returns the class of an ASCII character.
pub(super) fn class_of_ascii(byte: u8) -> u8 {
    if byte.is_ascii_alphanumeric() { ASCII_LETTER } else { OTHER_ASCII }
}
