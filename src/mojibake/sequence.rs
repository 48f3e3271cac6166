//! What one character becomes by the damage: a letter, `Â` to `ô`, that stands for its first byte, and signs for the others.

use super::Misread;

/// The character that is damaged at the beginning of `text`, and the length of what has become of it.
pub(super) fn first(text: &str) -> Option<(char, usize)> {
    // Behind the letter, all signs begin with these bytes.
    let &[0xC3, second @ 0x82..=0xB4, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2, ..] = text.as_bytes()
    else {
        return None;
    };
    // The first byte, which this letter was taken for.
    let len = match second + 0x40 {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    first_as(Misread::Windows1252, text, len).or_else(|| first_as(Misread::Latin1, text, len))
}

/// [`first`], if it has become so many characters, and in this way.
fn first_as(misread: Misread, text: &str, len: usize) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut chars = text.chars();
    for byte in &mut bytes[..len] {
        *byte = misread.byte(chars.next()?)?;
    }
    let character = core::str::from_utf8(&bytes[..len]).ok()?.chars().next()?;
    Some((character, text.len() - chars.as_str().len()))
}

/// The next place from `at` on where one could begin: with C3, and two bytes further no ASCII and no second byte.
#[cfg(feature = "alloc")]
pub(super) fn find(text: &str, at: usize) -> Option<usize> {
    let bytes = &text.as_bytes()[at..];
    let thirds = bytes.get(2..)?;
    let could = |first: u8, third: u8| (first == 0xC3) & (third >= 0xC2);
    let mut start = 0;
    while start < thirds.len() {
        let end = thirds.len().min(start + 128);
        let pairs = || bytes[start..end].iter().zip(&thirds[start..end]);
        // All of a block without stopping, so that the compiler makes vectors of it.
        if pairs().fold(false, |found, (&first, &third)| found | could(first, third)) {
            let place = pairs().position(|(&first, &third)| could(first, third))?;
            return Some(at + start + place);
        }
        start = end;
    }
    None
}

/// Whether a text that is nothing but ASCII and sequences, from `at` on, has one that is no coincidence.
pub(super) fn is_more_than_coincidence(text: &str, mut at: usize) -> bool {
    while let Some(character) = text[at..].chars().next() {
        if character.is_ascii() {
            at += 1;
            continue;
        }
        let Some((_, len)) = first(&text[at..]) else { return false };
        if !is_coincidence(text, at, len) {
            return true;
        }
        at += len;
    }
    false
}

/// Whether the sequence of `len` bytes at `at` can be the end of a word, and signs that happen to stand behind it. Not if
/// another one follows.
pub(super) fn is_coincidence(text: &str, at: usize, len: usize) -> bool {
    let (before, behind) = (text[..at].chars().next_back(), &text[at + len..]);
    let stands_alone = || !behind.chars().next().is_some_and(char::is_alphanumeric);
    let mut chars = text[at..at + len].chars();
    let (Some(letter), signs) = (chars.next(), chars.as_str()) else { return false };
    let signed = match (chars.next(), chars.next(), chars.next()) {
        (Some(sign), None, _) => {
            follows_word(letter, sign) && (joins(letter, sign) || stands_alone())
        }
        // The most frequent letters of damaged Vietnamese have » in front.
        (Some('»'), Some(sign), None) => {
            matches!(sign, '…' | '–' | '—' | '\u{A0}') && stands_alone()
        }
        _ => signs.chars().all(ends_sentence) && (signs.ends_with('\u{A0}') || stands_alone()),
    };
    signed && ends_word(before, letter) && first(behind).is_none()
}

/// Whether a word can end with `letter`, behind `before`.
fn ends_word(before: Option<char>, letter: char) -> bool {
    match letter {
        // None does: these are the most common letters of damaged text in Latin and Cyrillic script.
        'Â' | 'Ñ' => false,
        // Words in capitals do, such as AMANHÃ and VIÐ, and these letters are none alone.
        'Ã' | 'Ç' | 'Ë' | 'Ì' | 'Î' | 'Ï' | 'Ð' | 'Ò' | 'Ù' | 'Û' | 'Ý' | 'Þ' => {
            before.is_some_and(char::is_uppercase)
        }
        '×' => !before.is_some_and(char::is_alphabetic),
        // Also alone: È…
        _ if letter.is_uppercase() => !before.is_some_and(char::is_lowercase),
        _ => true,
    }
}

/// Whether `sign` can stand behind a word together with others, at the end of a sentence or a quotation.
fn ends_sentence(sign: char) -> bool {
    matches!(sign, '…' | '’' | '”' | '›' | '»' | '–' | '—' | '\u{A0}')
}

/// Whether `sign` can stand right behind a word that ends with `letter`. Behind `Ã`, fewer do: it is where most capitals
/// come from.
fn follows_word(letter: char, sign: char) -> bool {
    match sign {
        '™' | '®' | '©' | 'ª' | 'º' | '°' | '¹' | '²' | '³' | '·' | '†' | '‡' | '\u{AD}' => {
            true
        }
        // In German.
        '‘' | '“' => letter != 'Ã',
        _ => ends_sentence(sign),
    }
}

/// Whether another word can stand right behind `sign`, or the rest of this one.
fn joins(letter: char, sign: char) -> bool {
    match sign {
        '’' | '\u{A0}' | '\u{AD}' => true,
        '–' | '—' | '·' => letter != 'Ã',
        _ => false,
    }
}
