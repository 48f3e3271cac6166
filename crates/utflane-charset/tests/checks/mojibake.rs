//! Checks of the functions that undo double encoding (mojibake). The oracle works byte by byte,
//! with the index of the Encoding Standard and the standard library's UTF-8. Other checks test the
//! guarantees for any text.

use std::borrow::Cow;

use utflane_charset::mojibake::{
    Misread, Options, apply, detect, revert, undo, undo_all, undo_runs, undo_utf16le,
};

pub const BOTH: [Misread; 2] = [Misread::Latin1, Misread::Windows1252];

/// The code points of the bytes 0x80..=0x9F in windows-1252, as listed in the index of the Encoding
/// Standard.
pub const INDEX: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
];

/// Returns the character that a byte is misread as.
pub fn taken_for(byte: u8, misread: Misread) -> char {
    match (misread, byte) {
        (Misread::Windows1252, 0x80..=0x9F) => {
            char::from_u32(INDEX[usize::from(byte) - 0x80]).expect("the index has characters only")
        }
        _ => char::from(byte),
    }
}

/// Returns the doubly encoded text: the UTF-8 bytes of `text`, misread one by one.
pub fn damaged(text: &str, misread: Misread) -> String {
    text.bytes().map(|byte| taken_for(byte, misread)).collect()
}

/// Returns the byte that is misread as `c`, if there is one.
fn byte_of(c: char, misread: Misread) -> Option<u8> {
    let special = INDEX.iter().position(|&point| point == u32::from(c));
    match (misread, special) {
        (Misread::Windows1252, Some(i)) => Some(0x80 + i as u8),
        (Misread::Windows1252, None) if ('\u{80}'..='\u{9F}').contains(&c) => None,
        _ => u8::try_from(c).ok(),
    }
}

/// Returns the text whose double encoding is `text`, if there is one.
fn reverted(text: &str, misread: Misread) -> Option<String> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| byte_of(c, misread)).collect();
    String::from_utf8(bytes?).ok()
}

/// Finds the character whose UTF-8 bytes were misread as the first characters of `text`, by trying
/// all lengths. Returns it and the number of characters that its bytes became.
fn revert_first(text: &[char]) -> Option<(char, usize)> {
    // The first character must be a misread lead byte.
    if !text.first().is_some_and(|&c| u8::try_from(c).is_ok_and(|byte| byte >= 0xC2)) {
        return None;
    }
    for len in 2..=text.len().min(4) {
        let segment: String = text[..len].iter().collect();
        for misread in [Misread::Windows1252, Misread::Latin1] {
            if let Some(c) = reverted(&segment, misread).and_then(|text| text.parse().ok()) {
                return Some((c, len));
            }
        }
    }
    None
}

/// Like [`revert_first`], for a supplementary character that was encoded in CESU-8: its six bytes
/// were misread as the first six characters of `text`.
fn revert_first_cesu8(text: &[char]) -> Option<(char, usize)> {
    let six_chars = text.get(..6)?;
    for misread in [Misread::Windows1252, Misread::Latin1] {
        let bytes: Option<Vec<u8>> = six_chars.iter().map(|&c| byte_of(c, misread)).collect();
        // The first character must be the misread lead byte of a surrogate.
        let Some(bytes) = bytes.filter(|bytes| bytes[0] == 0xED) else { continue };
        for c in ('\u{10000}'..=char::MAX).step_by(0x400) {
            // The 1,024 characters from `c` on share a high surrogate. If it differs, none of them
            // can match.
            let encoded = |c: char| -> Vec<u8> {
                let units = c.encode_utf16(&mut [0; 2]).to_vec();
                let byte = |bits: u16| 0x80 | (bits & 0x3F) as u8;
                units.iter().flat_map(|&unit| [0xED, byte(unit >> 6), byte(unit)]).collect()
            };
            if encoded(c)[..3] != bytes[..3] {
                continue;
            }
            let block = u32::from(c)..u32::from(c) + 0x400;
            let found = block.filter_map(char::from_u32).find(|&c| encoded(c) == bytes);
            return found.map(|c| (c, 6));
        }
    }
    None
}

/// Symbols that may follow a word.
const WORD_SYMBOLS: &str = "™®©ªº°¹²³·†‡\u{AD}";
/// Characters that end sentences and quotations.
const END_MARKS: &str = "´…’”›»‘“‹«–—\u{A0}";

/// Characters that may be one doubly encoded character, or may be intended: a letter, which would
/// be the lead byte, and the signs after it, which would be the continuation bytes. And the
/// characters beside them.
struct Sequence<'a> {
    /// The character directly before the letter, and the character before that.
    before: Option<char>,
    second_before: Option<char>,
    letter: char,
    signs: &'a [char],
    /// The character directly after the signs, and the character after that.
    after: Option<char>,
    second_after: Option<char>,
    /// True if another sequence is directly before this sequence.
    follows_sequence: bool,
    /// True if another sequence is directly after this sequence.
    precedes_sequence: bool,
    /// The character that the sequence becomes if it is undone.
    character: char,
}

impl Sequence<'_> {
    /// Returns true if the letter and all signs may be intended.
    fn is_intended(&self) -> bool {
        // The first signs may be the next letters of a word.
        let next_letters = self.signs.iter().take_while(|&&sign| self.is_next_letter(sign)).count();
        let signs = &self.signs[next_letters..];
        signs.is_empty()
            || !self.precedes_sequence
                && ((next_letters > 0 || self.ends_word()) && self.may_follow_word(signs)
                    || self.is_possessive_or_multiplication(signs)
                    || !self.follows_sequence && self.is_unlikely_here(signs))
    }

    /// Returns true if `sign` may be the next letter of a word, with matching case.
    fn is_next_letter(&self, sign: char) -> bool {
        let neighbours = [self.before, self.after];
        let is_lowercase = |c: &Option<char>| c.is_some_and(char::is_lowercase);
        let may_begin_word = !self.before.is_some_and(char::is_alphabetic)
            && !self.after.is_some_and(char::is_uppercase);
        // Letters that no word has before the sign.
        let never_before = match sign {
            'Š' | 'Ž' => "",
            'š' => "ÅÈ",
            'ž' => "Å",
            'Œ' | 'Ÿ' | 'œ' => "ÄÅ",
            _ => return false,
        };
        let case_matches = match (self.letter.is_uppercase(), sign.is_uppercase()) {
            (false, true) => false,
            (false, false) => true,
            (true, true) => !neighbours.iter().any(is_lowercase),
            (true, false) => may_begin_word,
        };
        case_matches && !"ÂÃÌÎÏÐÑ×Øâ".contains(self.letter) && !never_before.contains(self.letter)
    }

    /// Returns true if the letter may be the last letter of a word.
    fn ends_word(&self) -> bool {
        match self.letter {
            // No word ends with these letters, which are frequent in doubly encoded text.
            'Â' | 'Ñ' => false,
            // Doubly encoded forms of words such as OÙ, Où and Díaz.
            'Ã' if !self.second_before.is_some_and(char::is_uppercase)
                && (self.before == Some('O') || self.after.is_some_and(char::is_lowercase)) =>
            {
                false
            }
            // Only words in capitals end with these letters.
            _ if "ÃËÌÎÏÐÒÙÛÝÞ".contains(self.letter) => {
                self.before.is_some_and(char::is_uppercase)
            }
            '×' => !self.before.is_some_and(char::is_alphabetic),
            'À'..='Þ' => !self.before.is_some_and(char::is_lowercase),
            _ => true,
        }
    }

    /// Returns true if the signs may follow a word.
    fn may_follow_word(&self, signs: &[char]) -> bool {
        let no_word_follows = !self.after.is_some_and(char::is_alphanumeric);
        let is_end_mark = |sign: &char| END_MARKS.contains(*sign);
        match *signs {
            ['’' | '\u{A0}'] if self.letter != 'Å' => true,
            ['’' | '\u{A0}'] => no_word_follows || self.before.is_some_and(char::is_alphabetic),
            ['\u{AD}'] => true,
            // After Ã, the most frequent letter in doubly encoded text, fewer signs are allowed.
            ['–' | '—' | '·' | '´'] if self.letter != 'Ã' => true,
            ['‘' | '“' | '‹' | '«' | '´'] => self.letter != 'Ã' && no_word_follows,
            ['¿' | '¡'] => !"ÃÄÅ".contains(self.letter) && no_word_follows,
            [sign] => no_word_follows && (WORD_SYMBOLS.contains(sign) || is_end_mark(&sign)),
            ['»', sign] => no_word_follows && "…–—\u{A0}".contains(sign),
            [.., '\u{A0}'] => signs.iter().all(is_end_mark),
            _ => no_word_follows && signs.iter().all(is_end_mark),
        }
    }

    /// Returns true if the letter is a name in the possessive (`Ã’s`), or a multiplication sign
    /// before a price.
    fn is_possessive_or_multiplication(&self, signs: &[char]) -> bool {
        let [sign] = *signs else { return false };
        let is_possessive = "’´".contains(sign)
            && !self.before.is_some_and(char::is_alphanumeric)
            && self.after.is_some_and(|c| "sS".contains(c))
            && !self.second_after.is_some_and(char::is_alphanumeric);
        let is_multiplication = self.letter == '×'
            && "€£¥¢¤".contains(sign)
            && !self.before.is_some_and(char::is_alphabetic)
            && self.after.is_some_and(char::is_numeric);
        is_possessive || is_multiplication
    }

    /// Returns true if the character would be less likely beside its neighbours than the sequence
    /// is.
    fn is_unlikely_here(&self, signs: &[char]) -> bool {
        let any_neighbour =
            |kind: fn(char) -> bool| [self.before, self.after].iter().flatten().any(|c| kind(*c));
        let is_common =
            "ƠơƯưȘșȚț".contains(self.character) || ('\u{300}'..'\u{340}').contains(&self.character);
        match u32::from(self.character) {
            0x80..0xA0 => true,
            _ if is_common || signs.iter().any(|c| c.is_control()) => false,
            0x100..0x180 if self.character.is_lowercase() => {
                let is_uppercase = |c: Option<char>| c.is_some_and(char::is_uppercase);
                is_uppercase(self.before)
                    && (is_uppercase(self.second_before) || is_uppercase(self.after))
            }
            0x3B1..=0x3C9 if self.after.is_some_and(char::is_alphanumeric) => false,
            0x180..0x400 => any_neighbour(char::is_uppercase),
            0x400..0x800 => any_neighbour(char::is_alphabetic),
            _ => false,
        }
    }
}

/// Undoes all runs of doubly encoded characters, except for runs that may be intended.
pub fn runs_undone(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        let (mut run, mut sequences, mut end) = (String::new(), Vec::new(), at);
        while let Some((character, len)) =
            revert_first(&chars[end..]).or_else(|| revert_first_cesu8(&chars[end..]))
        {
            run.push(character);
            sequences.push((character, end, end + len));
            end += len;
        }
        let is_intended = sequences.iter().all(|&(character, start, stop)| {
            if stop - start == 6 {
                return false;
            }
            let sequence = Sequence {
                before: start.checked_sub(1).map(|before| chars[before]),
                second_before: start.checked_sub(2).map(|before| chars[before]),
                letter: chars[start],
                signs: &chars[start + 1..stop],
                after: chars.get(stop).copied(),
                second_after: chars.get(stop + 1).copied(),
                follows_sequence: start > at,
                precedes_sequence: stop < end,
                character,
            };
            sequence.is_intended()
        });
        if sequences.is_empty() {
            end += 1;
        }
        if is_intended {
            out.extend(&chars[at..end]);
        } else {
            out.push_str(&run);
        }
        at = end;
    }
    out
}

/// Checks that `undo_runs` undoes the expected runs. `detect` must report a misreading if the whole
/// text is doubly encoded and at least one run is not intended.
pub fn check_runs(text: &str) {
    let want = runs_undone(text);
    let got = undo_runs(text);
    assert_eq!(got, want, "{text:?}");
    assert_eq!(matches!(got, Cow::Borrowed(_)), want == text, "{text:?}");
    let misread = BOTH.into_iter().find(|&misread| reverted(text, misread).is_some());
    assert_eq!(detect(text), misread.filter(|_| want != text), "{text:?}");
}

/// Checks the guarantees for any text: double encoding and its inverse match the oracle. If a text
/// is undone, encoding the result again gives the text, and all functions undo it in the same way.
pub fn check_mojibake(text: &str) {
    for misread in BOTH {
        let doubly_encoded = damaged(text, misread);
        assert_eq!(apply(text, misread), doubly_encoded, "{misread:?} of {text:?}");
        let reverted_text = revert(&doubly_encoded, misread);
        assert_eq!(reverted_text.as_deref(), Some(text), "{misread:?} of {text:?}");
        assert_eq!(revert(text, misread), reverted(text, misread), "{misread:?} of {text:?}");
        check_undone(&doubly_encoded);
    }
    check_undone(text);
}

/// Checks that `undo_utf16le` undoes a text in UTF-16LE as `undo` does in UTF-8, and rejects
/// ill-formed UTF-16.
pub fn check_utf16le(text: &str) {
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let undone = match undo(text) {
        Cow::Owned(undone) => Some(undone),
        Cow::Borrowed(_) => None,
    };
    assert_eq!(undo_utf16le(&utf16), undone, "{text:?}");
    assert_eq!(undo_utf16le(&[&utf16[..], b"a"].concat()), None, "{text:?}");
    assert_eq!(undo_utf16le(&[&utf16[..], b"\0\xD8"].concat()), None, "{text:?}");
}

/// Checks that all functions undo a text correctly.
fn check_undone(text: &str) {
    check_runs(text);
    check_utf16le(text);
    let found = detect(text);
    let once = undo(text);
    match found {
        Some(misread) => assert_eq!(Some(&*once), reverted(text, misread).as_deref(), "{text:?}"),
        None => assert!(matches!(once, Cow::Borrowed(same) if same == text), "{text:?}"),
    }
    // If both misreadings explain the text, Latin-1 is reported.
    if found == Some(Misread::Windows1252) {
        assert_eq!(reverted(text, Misread::Latin1), None, "{text:?}");
    }
    let all = undo_all(text);
    assert_eq!(undo(&all.text), all.text, "nothing is left to undo in {text:?}");
    let (mut step, mut rounds) = (text.to_owned(), 0);
    while detect(&step).is_some() {
        step = undo(&step).into_owned();
        rounds += 1;
    }
    assert_eq!((&*all.text, all.rounds), (&*step, rounds), "{text:?}");
    assert_eq!(Options::new().undo(text), all, "{text:?}");
    assert_eq!(Options::new().once().undo(text).text, once, "{text:?}");
    // `Options::runs` repeats `undo_runs` until nothing is left to undo, but at most 16 times.
    let mut runs = Cow::Borrowed(text);
    let mut rounds = 0;
    while let Cow::Owned(shorter) = undo_runs(&runs) {
        assert!(shorter.chars().count() < runs.chars().count(), "{text:?}");
        runs = Cow::Owned(shorter);
        rounds += 1;
        if rounds == 16 {
            break;
        }
    }
    assert_eq!(undo_runs(text) == text, runs == text, "{text:?}");
    let all = Options::new().runs().undo(text);
    assert_eq!((&*all.text, all.rounds), (&*runs, rounds), "{text:?}");
    // With `no_break_spaces`, a space may be part of a doubly encoded character. The text never
    // gets longer, even if a space is added after `à`: `Ã la` becomes `à la`.
    for options in [Options::new(), Options::new().runs()] {
        let spaced = options.no_break_spaces().undo(text);
        assert_eq!(spaced.rounds == 0, spaced.text == text, "{text:?}");
        assert!(spaced.text.chars().count() <= text.chars().count(), "{text:?}");
    }
}
