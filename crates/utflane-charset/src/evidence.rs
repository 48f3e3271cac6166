//! Checks whether a text is evidence for a byte encoding: whether its characters form plausible
//! words, and whether there are enough of them for more than a guess.

use std::collections::HashSet;

use crate::legacy::Legacy;

/// The minimum number of different words with non-ASCII characters for more than a guess. A single
/// word may be a foreign name.
const MIN_WORDS: usize = 2;
/// The number of different non-ASCII letters that is enough without several words, for writing
/// systems without spaces.
const MIN_DIFFERENT_LETTERS: usize = 8;
/// The minimum number of non-ASCII letters for each misplaced character.
const LETTERS_PER_MISPLACED: usize = 16;

/// Returns true if `text`, decoded from `encoding`, has several words with non-ASCII characters,
/// and nearly all characters of these words are at plausible positions.
pub(crate) fn is_clear(encoding: Legacy, text: &[u8]) -> bool {
    let text = encoding.decode(text);
    let (mut words, mut different_letters) = (HashSet::new(), HashSet::new());
    let (mut letters, mut misplaced) = (0, 0);
    for word in text.split(|c: char| c.is_ascii() && !c.is_ascii_alphabetic()) {
        if word.is_ascii() {
            continue;
        }
        let non_ascii_letters = word.chars().filter(|c| !c.is_ascii() && c.is_alphabetic());
        letters += non_ascii_letters.clone().count();
        different_letters.extend(non_ascii_letters);
        misplaced += count_misplaced(word);
        words.insert(word);
    }
    (words.len() >= MIN_WORDS || different_letters.len() >= MIN_DIFFERENT_LETTERS)
        && misplaced * LETTERS_PER_MISPLACED <= letters
}

/// Returns the number of misplaced characters in a word: capital letters after small letters, signs
/// between letters, letters of another script than the letter before, and control characters.
fn count_misplaced(word: &str) -> usize {
    let mut before = ' ';
    let mut chars = word.chars().peekable();
    let mut misplaced = 0;
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        let is_misplaced = if is_east_asian(c) {
            // Words of two scripts may be adjacent, but a single East Asian character between two
            // Latin letters is not a word.
            is_latin_letter(before) && is_latin_letter(after)
        } else if c.is_alphabetic() {
            before.is_lowercase() && c.is_uppercase()
                || before.is_alphabetic()
                    && !is_east_asian(before)
                    && is_latin_letter(before) != is_latin_letter(c)
        } else {
            let is_between_letters = before.is_alphabetic() && after.is_alphabetic();
            c.is_control() || c == '\u{FFFD}' || is_between_letters && !may_join_letters(c)
        };
        misplaced += usize::from(is_misplaced);
        before = c;
    }
    misplaced
}

/// Returns true for a letter of the Latin script.
fn is_latin_letter(c: char) -> bool {
    c.is_alphabetic() && (c < '\u{250}' || matches!(c, '\u{1E00}'..='\u{1EFF}'))
}

/// Returns true for Han, kana, Hangul, and their punctuation.
fn is_east_asian(c: char) -> bool {
    c >= '\u{2E80}'
}

/// Returns true for a character that may be between letters: non-ASCII apostrophes, dashes, dots
/// and spaces, vowels of Thai, points of Hebrew and Arabic, and the punctuation of writing systems
/// without spaces.
fn may_join_letters(c: char) -> bool {
    matches!(
        c,
        '\u{A0}' | '\u{AD}' | '·' | '\u{300}'..='\u{36F}' | '\u{590}'..='\u{6FF}'
            | '\u{E00}'..='\u{E7F}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{30FF}'
            | '\u{FF00}'..='\u{FFEF}' | '«' | '»'
    )
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;

    #[test]
    fn one_word_is_not_clear_and_two_words_are() {
        for (text, label, expected) in [
            ("in Plzeň", "windows-1250", false),
            ("Да", "windows-1251", false),
            ("Plzeň und Köln", "windows-1250", true),
            ("кофе, Кофе", "koi8-r", true),
            ("café crème", "windows-1252", true),
            ("김", "euc-kr", false),
            ("오늘은 아침부터", "euc-kr", true),
            ("JavaのコードをEclipseで開く", "shift_jis", true),
            ("使用Linux系统和Windows系统打开文件", "gbk", true),
            ("今天早上下雨了，我忘了", "gbk", true),
            ("ฝนตกตั้งแต่เช้า", "windows-874", true),
            ("5 €, 6 €", "windows-1252", false),
            ("", "windows-1252", false),
        ] {
            let encoding =
                Encoding::for_label(label.as_bytes()).map(Legacy::from_encoding).unwrap();
            let bytes = encoding.encode(text).expect("the encoding has all characters");
            assert_eq!(is_clear(encoding, &bytes), expected, "{text}");
        }
    }

    #[test]
    fn text_in_another_encoding_is_not_clear() {
        for (bytes, label) in [
            // German in Mac Roman, Russian in Mac Cyrillic, English in EBCDIC.
            (&b"Gr\x9F\xA7e, K\x8Anguru und M\x9Abel, M\xA7ig"[..], "windows-1250"),
            (b"\xEF\xE5\xF0\xE2\xE0\xDF \xF1\xF2\xF0\xEE\xEA\xE0, \xF2\xE0\xDF", "windows-1251"),
            (
                b"\xE3\x88\x85@\x98\xA4\x89\x83\x92@\x82\x99\x96\xA6\x95@\x86\x96\xA7K",
                "windows-1251",
            ),
        ] {
            let encoding =
                Encoding::for_label(label.as_bytes()).map(Legacy::from_encoding).unwrap();
            let decoded = encoding.decode(bytes);
            assert!(!is_clear(encoding, bytes), "{decoded}");
        }
    }
}
