//! The expected results for double encoding: byte by byte, by the index of the Encoding Standard
//! and the standard library's UTF-8; and the guarantees for any text.

use std::borrow::Cow;

use utflane::mojibake::{
    Misread, Options, apply, detect, revert, undo, undo_all, undo_runs, undo_utf16le,
};

pub const BOTH: [Misread; 2] = [Misread::Latin1, Misread::Windows1252];

/// Bytes `80..=9F` of windows-1252, as listed in the index of the Encoding Standard.
pub const INDEX: [u32; 32] = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039,
    0x152, 0x8D, 0x17D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,
    0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
];

/// The character that a byte is misread as.
pub fn taken_for(byte: u8, misread: Misread) -> char {
    match (misread, byte) {
        (Misread::Windows1252, 0x80..=0x9F) => {
            char::from_u32(INDEX[usize::from(byte) - 0x80]).expect("a character")
        }
        _ => char::from(byte),
    }
}

/// The damaged text, byte by byte.
pub fn damaged(text: &str, misread: Misread) -> String {
    text.bytes().map(|byte| taken_for(byte, misread)).collect()
}

/// The byte that is misread as `c`.
fn byte_of(c: char, misread: Misread) -> Option<u8> {
    let special = INDEX.iter().position(|&point| point == u32::from(c));
    match (misread, special) {
        (Misread::Windows1252, Some(i)) => Some(0x80 + i as u8),
        (Misread::Windows1252, None) if ('\u{80}'..='\u{9F}').contains(&c) => None,
        _ => u8::try_from(c).ok(),
    }
}

/// The text that was damaged to this, if there is one.
fn reverted(text: &str, misread: Misread) -> Option<String> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| byte_of(c, misread)).collect();
    String::from_utf8(bytes?).ok()
}

/// The character whose bytes were misread as the beginning of `text`, and the number of characters
/// they became, if there is one. By trying.
fn first(text: &[char]) -> Option<(char, usize)> {
    // Without a lead byte, nothing needs to be tried.
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

/// The supplementary character whose surrogates were encoded one by one, and misread as the first
/// six characters of `text`, if there is one.
fn first_of_cesu8(text: &[char]) -> Option<(char, usize)> {
    let six = text.get(..6)?;
    for misread in [Misread::Windows1252, Misread::Latin1] {
        let bytes: Option<Vec<u8>> = six.iter().map(|&c| byte_of(c, misread)).collect();
        // Without the lead byte of a surrogate, nothing needs to be tried.
        let Some(bytes) = bytes.filter(|bytes| bytes[0] == 0xED) else { continue };
        for c in ('\u{10000}'..=char::MAX).step_by(0x400) {
            // The high surrogate decides among blocks of 1,024 characters.
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

/// Signs that words may be followed by, and those that end sentences and quotations.
const SIGNS: &str = "™®©ªº°¹²³·†‡\u{AD}";
const ENDS: &str = "´…’”›»‘“‹«–—\u{A0}";

/// A letter and the signs after it, which could be damage, and what is beside them.
struct Sequence<'a> {
    before: Option<char>,
    second_before: Option<char>,
    letter: char,
    signs: &'a [char],
    after: Option<char>,
    second_after: Option<char>,
    /// True if it follows another sequence, and another one follows it.
    follows: bool,
    joined: bool,
    /// The character that they would become.
    character: char,
}

impl Sequence<'_> {
    /// Returns true if all of it may be intended.
    fn is_meant(&self) -> bool {
        let letters = self.signs.iter().take_while(|&&sign| self.is_spelt(sign)).count();
        let signs = &self.signs[letters..];
        signs.is_empty()
            || !self.joined
                && ((letters > 0 || self.ends_word()) && self.is_signed(signs)
                    || self.is_named_or_multiplied(signs)
                    || !self.follows && self.is_unlikely_here(signs))
    }

    /// Returns true if a sign is the next letter of a word, in the same case.
    fn is_spelt(&self, sign: char) -> bool {
        let beside = [self.before, self.after];
        let is_small = |c: &Option<char>| c.is_some_and(char::is_lowercase);
        let starts = !self.before.is_some_and(char::is_alphabetic)
            && !self.after.is_some_and(char::is_uppercase);
        let (never, never_before) = match sign {
            'Š' | 'Ž' => ("", ""),
            'š' => ("", "ÅÈ"),
            'ž' => ("", "Å"),
            'Œ' | 'Ÿ' | 'œ' => ("ÄÅ", ""),
            _ => return false,
        };
        let alike = match (self.letter.is_uppercase(), sign.is_uppercase()) {
            (false, true) => false,
            (false, false) => true,
            (true, true) => !beside.iter().any(is_small),
            (true, false) => starts && !never_before.contains(self.letter),
        };
        alike && !"ÂÃÌÎÏÐÑ×Øâ".contains(self.letter) && !never.contains(self.letter)
    }

    fn ends_word(&self) -> bool {
        match self.letter {
            // The most common ones in damage are never intended, or only in words in capitals.
            'Â' | 'Ñ' => false,
            // OÙ, Où, Díaz.
            'Ã' if !self.second_before.is_some_and(char::is_uppercase)
                && (self.before == Some('O') || self.after.is_some_and(char::is_lowercase)) =>
            {
                false
            }
            _ if "ÃËÌÎÏÐÒÙÛÝÞ".contains(self.letter) => {
                self.before.is_some_and(char::is_uppercase)
            }
            '×' => !self.before.is_some_and(char::is_alphabetic),
            'À'..='Þ' => !self.before.is_some_and(char::is_lowercase),
            _ => true,
        }
    }

    /// Returns true if signs may follow the word.
    fn is_signed(&self, signs: &[char]) -> bool {
        let stands_alone = !self.after.is_some_and(char::is_alphanumeric);
        let is_end = |sign: &char| ENDS.contains(*sign);
        match *signs {
            ['’' | '\u{A0}'] if self.letter != 'Å' => true,
            ['’' | '\u{A0}'] => stands_alone || self.before.is_some_and(char::is_alphabetic),
            ['\u{AD}'] => true,
            // After Ã, which most damage has, fewer are.
            ['–' | '—' | '·' | '´'] if self.letter != 'Ã' => true,
            ['‘' | '“' | '‹' | '«' | '´'] => self.letter != 'Ã' && stands_alone,
            ['¿' | '¡'] => !"ÃÄÅ".contains(self.letter) && stands_alone,
            [sign] => stands_alone && (SIGNS.contains(sign) || is_end(&sign)),
            ['»', sign] => stands_alone && "…–—\u{A0}".contains(sign),
            [.., '\u{A0}'] => signs.iter().all(is_end),
            _ => stands_alone && signs.iter().all(is_end),
        }
    }

    /// Returns true if the letter is named (`Ã’s`), or a sign of multiplication before a price.
    fn is_named_or_multiplied(&self, signs: &[char]) -> bool {
        let [sign] = *signs else { return false };
        let is_named = "’´".contains(sign)
            && !self.before.is_some_and(char::is_alphanumeric)
            && self.after.is_some_and(|c| "sS".contains(c))
            && !self.second_after.is_some_and(char::is_alphanumeric);
        let is_multiplied = self.letter == '×'
            && "€£¥¢¤".contains(sign)
            && !self.before.is_some_and(char::is_alphabetic)
            && self.after.is_some_and(char::is_numeric);
        is_named || is_multiplied
    }

    /// Returns true if the character would be stranger beside its neighbours than the sequence is.
    fn is_unlikely_here(&self, signs: &[char]) -> bool {
        let beside =
            |kind: fn(char) -> bool| [self.before, self.after].iter().flatten().any(|c| kind(*c));
        let usual =
            "ƠơƯưȘșȚț".contains(self.character) || ('\u{300}'..'\u{340}').contains(&self.character);
        match u32::from(self.character) {
            0x80..0xA0 => true,
            _ if usual || signs.iter().any(|c| c.is_control()) => false,
            0x100..0x180 if self.character.is_lowercase() => {
                let is_upper = |c: Option<char>| c.is_some_and(char::is_uppercase);
                is_upper(self.before) && (is_upper(self.second_before) || is_upper(self.after))
            }
            0x3B1..=0x3C9 if self.after.is_some_and(char::is_alphanumeric) => false,
            0x180..0x400 => beside(char::is_uppercase),
            0x400..0x800 => beside(char::is_alphabetic),
            _ => false,
        }
    }
}

/// The text with all runs undone that aren't intended.
pub fn runs_undone(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        let (mut run, mut sequences, mut end) = (String::new(), Vec::new(), at);
        while let Some((character, len)) =
            first(&chars[end..]).or_else(|| first_of_cesu8(&chars[end..]))
        {
            run.push(character);
            sequences.push((character, end, end + len));
            end += len;
        }
        let is_meant = sequences.iter().all(|&(character, start, stop)| {
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
                follows: start > at,
                joined: stop < end,
                character,
            };
            sequence.is_meant()
        });
        if sequences.is_empty() {
            end += 1;
        }
        if is_meant {
            out.extend(&chars[at..end]);
        } else {
            out.push_str(&run);
        }
        at = end;
    }
    out
}

/// Checks that runs are undone as expected, and the whole text if all of it is damaged and at least
/// one of its characters is not intended.
pub fn check_runs(text: &str) {
    let want = runs_undone(text);
    let got = undo_runs(text);
    assert_eq!(got, want, "{text:?}");
    assert_eq!(matches!(got, Cow::Borrowed(_)), want == text, "{text:?}");
    let made = BOTH.into_iter().find(|&misread| reverted(text, misread).is_some());
    assert_eq!(detect(text), made.filter(|_| want != text), "{text:?}");
}

/// Every guarantee for any text: the damage and its exact inverse match the oracle. A text that is
/// undone was made from the result, and all functions undo it alike.
pub fn check_mojibake(text: &str) {
    for misread in BOTH {
        let twice = damaged(text, misread);
        assert_eq!(apply(text, misread), twice, "{misread:?} of {text:?}");
        assert_eq!(revert(&twice, misread).as_deref(), Some(text), "{misread:?} of {text:?}");
        assert_eq!(revert(text, misread), reverted(text, misread), "{misread:?} of {text:?}");
        check_undone(&twice);
    }
    check_undone(text);
}

/// Checks that a text in UTF-16LE is undone as one in UTF-8, and nothing that is no UTF-16.
pub fn check_utf16le(text: &str) {
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let undone = match undo(text) {
        Cow::Owned(undone) => Some(undone),
        Cow::Borrowed(_) => None,
    };
    assert_eq!(undo_utf16le(&wide), undone, "{text:?}");
    assert_eq!(undo_utf16le(&[&wide[..], b"a"].concat()), None, "{text:?}");
    assert_eq!(undo_utf16le(&[&wide[..], b"\0\xD8"].concat()), None, "{text:?}");
}

/// Checks that a text is undone correctly.
fn check_undone(text: &str) {
    check_runs(text);
    check_utf16le(text);
    let found = detect(text);
    let once = undo(text);
    match found {
        Some(misread) => assert_eq!(Some(&*once), reverted(text, misread).as_deref(), "{text:?}"),
        None => assert!(matches!(once, Cow::Borrowed(same) if same == text), "{text:?}"),
    }
    // Where both apply, Latin-1 is reported.
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
    // Runs are undone one by one, so a second pass finds at most text that was damaged more than
    // once.
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
    // Blanks may become part of characters, and are never added but after à.
    for options in [Options::new(), Options::new().runs()] {
        let spaced = options.no_break_spaces().undo(text);
        assert_eq!(spaced.rounds == 0, spaced.text == text, "{text:?}");
        assert!(spaced.text.chars().count() <= text.chars().count(), "{text:?}");
    }
}
