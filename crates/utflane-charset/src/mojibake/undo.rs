//! Detection and repair of double encoding.

use std::borrow::Cow;

use utflane::code_page::WINDOWS_1252;
use utflane::{Ascii, Latin1, Utf8, Validator, count, transcode, utf8, validate};

use crate::mojibake::bytes::{self, ByteDecoder};
use crate::mojibake::misread::Misread;
use crate::mojibake::sequence;
use crate::mojibake::windows1252::{self, Kinds};

/// The number of bytes at the start of a text that are tested for ASCII without a call.
const FIRST_BYTES: usize = 32;

/// The number of bytes that are validated at once.
const VALIDATED_BYTES: usize = 512;

/// Returns the encoding with which [`apply`] has damaged a text, or `None` if [`undo`] would not
/// change the text.
///
/// If all characters are the same in Latin-1 and windows-1252, the result is Latin-1.
///
/// ```
/// use utflane_charset::mojibake::{Misread, detect};
///
/// assert_eq!(detect("fÃ¶rste"), Some(Misread::Latin1));
/// assert_eq!(detect("100 â‚¬"), Some(Misread::Windows1252));
/// assert_eq!(detect("fÃ¶rste, andra, tvådje"), None); // å is not damaged
/// assert_eq!(detect("CAFÉ™"), None); // a coincidence
/// ```
#[must_use]
pub fn detect(text: &str) -> Option<Misread> {
    let start = find_damage(text)?;
    let mut bytes = ByteDecoder::new(&text[start..]);
    let mut segment = [0; VALIDATED_BYTES];
    let mut validator = Validator::<Utf8>::new();
    while !bytes.is_empty() {
        let written = bytes.fill(&mut segment)?;
        validator.push(&segment[..written]).ok()?;
    }
    validator.finish().ok()?;
    bytes::misread_of(bytes.kinds())
}

/// Returns the offset of the first non-ASCII character if the text may be damaged: if its non-ASCII
/// characters are damaged sequences, at least up to a sequence that is not a coincidence.
fn find_damage(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // In most texts, the first non-ASCII character is near the start.
    let first = &bytes[..bytes.len().min(FIRST_BYTES)];
    let ascii_len = match find_non_ascii(first) {
        Some(ascii_len) => ascii_len,
        None => validate::<Ascii>(bytes).err()?.valid_up_to(),
    };
    // Rejects nearly all undamaged text at its first non-ASCII character.
    sequence::judge(text, ascii_len, false)?.then_some(ascii_len)
}

/// Returns the offset of the first byte that is not ASCII, for a few bytes.
fn find_non_ascii(bytes: &[u8]) -> Option<usize> {
    let (words, tail) = bytes.as_chunks();
    let high_bits = words.iter().map(|&word| u64::from_le_bytes(word) & 0x8080_8080_8080_8080);
    match high_bits.enumerate().find(|&(_, bits)| bits != 0) {
        Some((index, bits)) => Some(8 * index + bits.trailing_zeros() as usize / 8),
        None => {
            let in_tail = tail.iter().position(|byte| !byte.is_ascii())?;
            Some(bytes.len() - tail.len() + in_tail)
        }
    }
}

/// Undoes one round of double encoding, if all of `text` is damaged in this way; otherwise returns
/// `text` unchanged.
///
/// The [module](crate::mojibake) defines the texts that are changed.
///
/// ```
/// use utflane_charset::mojibake::undo;
///
/// assert_eq!(undo("Ð¿Ñ\u{80}Ð¸Ð²ÐµÑ\u{82}"), "привет"); // misread as Latin-1
/// assert_eq!(undo("Ð¿Ñ€Ð¸Ð²ÐµÑ‚"), "привет"); // misread as windows-1252
/// assert_eq!(undo("« déjà vu »"), "« déjà vu »");
/// ```
#[must_use]
pub fn undo(text: &str) -> Cow<'_, str> {
    let undone = find_damage(text).and_then(|_| {
        let (kinds, undone) = recover_bytes(text)?;
        bytes::misread_of(kinds).and(utf8::into_string(undone).ok())
    });
    undone.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Like [`undo`], for a text in UTF-16LE, the encoding of strings of Java, JavaScript and Windows
/// in memory. The text is not converted to UTF-8 first. Returns `None` if nothing is undone.
///
/// A text with an incomplete code unit or an unpaired surrogate is not damaged.
///
/// ```
/// use utflane_charset::mojibake::undo_utf16le;
/// use utflane::{Utf8, Utf16Le, transcode};
///
/// let text = transcode::<Utf8, Utf16Le>("100 â‚¬".as_bytes()).unwrap();
/// assert_eq!(undo_utf16le(&text).as_deref(), Some("100 €"));
/// let text = transcode::<Utf8, Utf16Le>("100 €".as_bytes()).unwrap();
/// assert_eq!(undo_utf16le(&text), None);
/// ```
#[must_use]
pub fn undo_utf16le(text: &[u8]) -> Option<String> {
    let (units, []) = text.as_chunks() else { return None };
    let start = bytes::find_non_ascii(units)?;
    if !bytes::may_begin_sequence(&units[start..]) || !is_damaged(units, start) {
        return None;
    }
    let mut undone = vec![0; units.len()];
    bytes::misread_of(windows1252::narrow(text, &mut undone))?;
    utf8::into_string(undone).ok()
}

/// The number of units of UTF-16LE that are examined first, from the first non-ASCII unit on.
const JUDGED_UNITS: usize = 32;

/// Returns true if the non-ASCII units from `start` on are damaged sequences, at least up to a
/// sequence that is not a coincidence. The units are examined in UTF-8. For most texts, the first
/// sequence decides.
fn is_damaged(units: &[[u8; 2]], start: usize) -> bool {
    let before = start.saturating_sub(2);
    let mut judged = JUDGED_UNITS;
    loop {
        let end = units.len().min(start.saturating_add(judged));
        let part = units[before..end].iter().map(|&unit| u16::from_le_bytes(unit));
        let mut text = String::with_capacity(3 * part.len());
        text.extend(char::decode_utf16(part).map(|c| c.unwrap_or('\u{FFFD}')));
        match sequence::judge(&text, start - before, end < units.len()) {
            Some(is_damaged) => return is_damaged,
            None => judged = judged.saturating_mul(8),
        }
    }
}

/// The result of [`undo_all`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone<'a> {
    /// The text; borrowed if nothing was undone.
    pub text: Cow<'a, str>,
    /// The number of rounds that were undone.
    pub rounds: usize,
}

/// Repeats [`undo`] until it changes nothing. Each round may have been misread as another encoding.
///
/// ```
/// use utflane_charset::mojibake::undo_all;
///
/// let undone = undo_all("Ã¢â€šÂ¬");
/// assert_eq!((&*undone.text, undone.rounds), ("€", 2));
/// assert_eq!(undo_all("100 €").rounds, 0);
/// ```
#[must_use]
pub fn undo_all(text: &str) -> Undone<'_> {
    let mut undone = Undone { text: Cow::Borrowed(text), rounds: 0 };
    // Each round makes the text shorter.
    while let Cow::Owned(text) = undo(&undone.text) {
        undone = Undone { text: Cow::Owned(text), rounds: undone.rounds + 1 };
    }
    undone
}

/// Undoes one round of double encoding in each run of damaged characters that is not a coincidence.
///
/// Use it for texts from several sources. A run is examined without the rest of the text, so there
/// is a risk: a text *about* double encoding loses its examples, and if a correct letter such as
/// `É` precedes an unusual sign in a combination that the rules do not cover, it is changed.
///
/// ```
/// use utflane_charset::mojibake::undo_runs;
///
/// assert_eq!(undo_runs("först, fÃ¶rst, CAFÉ™"), "först, först, CAFÉ™");
/// ```
#[must_use]
pub fn undo_runs(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    // `out` has the text up to this offset.
    let mut copied_len = 0;
    let mut run = String::new();
    let mut offset = 0;
    while let Some(start) = sequence::find(text, offset) {
        run.clear();
        offset = start;
        let mut are_coincidences = true;
        loop {
            let rest = &text[offset..];
            let (character, len) = if let Some((character, len)) = sequence::decode_first(rest) {
                are_coincidences =
                    are_coincidences && sequence::is_coincidence(text, offset, len, offset > start);
                (character, len)
            } else if let Some(found) = sequence::decode_first_cesu8(rest) {
                // A sequence of six characters is not a coincidence.
                are_coincidences = false;
                found
            } else {
                break;
            };
            run.push(character);
            offset += len;
        }
        if run.is_empty() {
            // There is only the letter. Its second byte does not begin a sequence.
            offset += 1;
        } else if !are_coincidences {
            out.push_str(&text[copied_len..start]);
            out.push_str(&run);
            copied_len = offset;
        }
    }
    if copied_len == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied_len..]);
    Cow::Owned(out)
}

/// Returns the text that [`apply`] would turn into `text`, if there is one, however unlikely it is.
///
/// ```
/// use utflane_charset::mojibake::{Misread, revert};
///
/// assert_eq!(revert("PÃ…", Misread::Windows1252).as_deref(), Some("PÅ"));
/// assert_eq!(revert("PÅ", Misread::Windows1252), None);
/// ```
#[must_use]
pub fn revert(text: &str, misread: Misread) -> Option<String> {
    let (kinds, reverted) = recover_bytes(text)?;
    bytes::has_kinds(misread, kinds).then(|| utf8::into_string(reverted).ok())?
}

/// Returns the bytes that were misread as `text`, and the kinds of its characters.
fn recover_bytes(text: &str) -> Option<(Kinds, Vec<u8>)> {
    let mut bytes = ByteDecoder::new(text);
    let mut reverted = vec![0; count::<Utf8>(text.as_bytes())];
    let written = bytes.fill(&mut reverted)?;
    debug_assert!(bytes.is_empty() && written == reverted.len(), "one byte for each character");
    Some((bytes.kinds(), reverted))
}

/// Damages a text: reads its UTF-8 as another encoding.
///
/// ```
/// use utflane_charset::mojibake::{Misread, apply};
///
/// assert_eq!(apply("förste", Misread::Latin1), "fÃ¶rste");
/// assert_eq!(apply("100 €", Misread::Windows1252), "100 â‚¬");
/// ```
#[must_use]
pub fn apply(text: &str, misread: Misread) -> String {
    let bytes = text.as_bytes();
    let damaged = match misread {
        Misread::Latin1 => transcode::<Latin1, Utf8>(bytes),
        Misread::Windows1252 => WINDOWS_1252.decode::<Utf8>(bytes),
    };
    // Both encodings have a character for every byte.
    damaged.unwrap_or_default()
}
