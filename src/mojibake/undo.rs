//! Detection and repair of double encoding.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec, vec::Vec};

#[cfg(feature = "alloc")]
use crate::encoding::types::Latin1;
use crate::encoding::types::{Ascii, Utf8};
use crate::mojibake::bytes::{self, Bytes};
use crate::mojibake::misread::Misread;
use crate::mojibake::sequence;
use crate::operations::free::validate;
#[cfg(feature = "alloc")]
use crate::operations::free::{count, transcode};
#[cfg(feature = "alloc")]
use crate::scalar::windows1252::Kinds;
use crate::stream::validator::Validator;
use crate::swar::words;
#[cfg(feature = "alloc")]
use crate::utf8;

/// Bytes that are validated at once.
const VALIDATED_BYTES: usize = 512;

/// Returns the damage that [`apply`] has done to a text, if any: whether [`undo`] would change it.
///
/// If all characters are the same in Latin-1 and windows-1252, it is Latin-1.
///
/// ```
/// use utflane::mojibake::{Misread, detect};
///
/// assert_eq!(detect("fÃ¶rste"), Some(Misread::Latin1));
/// assert_eq!(detect("100 â‚¬"), Some(Misread::Windows1252));
/// assert_eq!(detect("fÃ¶rste, andra, tvådje"), None); // å is not damaged
/// assert_eq!(detect("CAFÉ™"), None); // a coincidence
/// ```
#[must_use]
pub fn detect(text: &str) -> Option<Misread> {
    let start = damage(text)?;
    let mut bytes = Bytes::new(&text[start..]);
    let mut segment = [0; VALIDATED_BYTES];
    let mut validator = Validator::<Utf8>::new();
    while !bytes.is_empty() {
        let written = bytes.fill(&mut segment)?;
        validator.push(&segment[..written]).ok()?;
    }
    validator.finish().ok()?;
    bytes::misread_of(bytes.kinds())
}

/// Returns where the first character beyond ASCII is, if the text may be damaged: if the sequences
/// up to one that is more than a coincidence are those of damage.
fn damage(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // In most texts it is soon there.
    let ascii = match words::ascii_up_to(&bytes[..bytes.len().min(words::LOADED_MAX_BYTES)]) {
        words::LOADED_MAX_BYTES => validate::<Ascii>(bytes).err()?.valid_up_to(),
        ascii if ascii == bytes.len() => return None,
        ascii => ascii,
    };
    // Rejects nearly all undamaged text at its first character beyond ASCII.
    sequence::judge(text, ascii, false)?.then_some(ascii)
}

/// Undoes one round of double encoding, if all of `text` is damaged in this way; otherwise returns
/// `text` unchanged.
///
/// The [module](crate::mojibake) defines the texts that are changed.
///
/// ```
/// use utflane::mojibake::undo;
///
/// assert_eq!(undo("Ð¿Ñ\u{80}Ð¸Ð²ÐµÑ\u{82}"), "привет"); // taken for Latin-1
/// assert_eq!(undo("Ð¿Ñ€Ð¸Ð²ÐµÑ‚"), "привет"); // for windows-1252
/// assert_eq!(undo("« déjà vu »"), "« déjà vu »");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn undo(text: &str) -> Cow<'_, str> {
    let undone = damage(text).and_then(|_| {
        let (kinds, undone) = reverted(text)?;
        bytes::misread_of(kinds).and(utf8::into_string(undone).ok())
    });
    undone.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// [`undo`] for a text in UTF-16LE, as strings of Java, JavaScript and Windows are in memory:
/// without a conversion to UTF-8 before it. Returns `None` if nothing is undone.
///
/// Half a code unit and unpaired surrogates are no damage.
///
/// ```
/// use utflane::mojibake::undo_utf16le;
/// use utflane::{Utf8, Utf16Le, transcode};
///
/// let text = transcode::<Utf8, Utf16Le>("100 â‚¬".as_bytes()).unwrap();
/// assert_eq!(undo_utf16le(&text).as_deref(), Some("100 €"));
/// let text = transcode::<Utf8, Utf16Le>("100 €".as_bytes()).unwrap();
/// assert_eq!(undo_utf16le(&text), None);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn undo_utf16le(text: &[u8]) -> Option<String> {
    let (units, []) = text.as_chunks() else { return None };
    let start = bytes::find_non_ascii(units)?;
    if !bytes::may_begin_sequence(&units[start..]) || !is_damaged(units, start) {
        return None;
    }
    let mut undone = vec![0; units.len()];
    bytes::misread_of(bytes::decode_utf16le(text, &mut undone))?;
    utf8::into_string(undone).ok()
}

/// Units of UTF-16LE that are judged first, from the first one beyond ASCII on.
#[cfg(feature = "alloc")]
const JUDGED_UNITS: usize = 32;

/// Returns true if the sequences from `start` on, up to one that is more than a coincidence, are
/// those of damage. They are judged in UTF-8, and most texts by the first one.
#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone<'a> {
    /// The text; borrowed if nothing was undone.
    pub text: Cow<'a, str>,
    /// The number of rounds that were undone.
    pub rounds: usize,
}

/// Repeats [`undo`] until it changes nothing. Each round may have been taken for another encoding.
///
/// ```
/// use utflane::mojibake::undo_all;
///
/// let undone = undo_all("Ã¢â€šÂ¬");
/// assert_eq!((&*undone.text, undone.rounds), ("€", 2));
/// assert_eq!(undo_all("100 €").rounds, 0);
/// ```
#[cfg(feature = "alloc")]
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
/// For texts from several sources. A run is judged without the rest of the text, so there is a
/// risk: a text *about* double encoding loses its examples, and if a correct letter such as `É`
/// precedes an unusual sign in a combination that the rules do not cover, it is changed.
///
/// ```
/// use utflane::mojibake::undo_runs;
///
/// assert_eq!(undo_runs("först, fÃ¶rst, CAFÉ™"), "först, först, CAFÉ™");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn undo_runs(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    // `out` has the text up to here.
    let mut done = 0;
    let mut run = String::new();
    let mut at = 0;
    while let Some(start) = sequence::find(text, at) {
        run.clear();
        at = start;
        let mut meant = true;
        loop {
            let rest = &text[at..];
            let (character, len) = if let Some((character, len)) = sequence::first(rest) {
                meant = meant && sequence::is_coincidence(text, at, len, at > start);
                (character, len)
            } else if let Some(found) = sequence::first_of_cesu8(rest) {
                // Six characters are no coincidence.
                meant = false;
                found
            } else {
                break;
            };
            run.push(character);
            at += len;
        }
        if run.is_empty() {
            // Only the letter. Its second byte begins no sequence.
            at += 1;
        } else if !meant {
            out.push_str(&text[done..start]);
            out.push_str(&run);
            done = at;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Returns the text that [`apply`] would turn into `text`, if there is one, however unlikely it is.
///
/// ```
/// use utflane::mojibake::{Misread, revert};
///
/// assert_eq!(revert("PÃ…", Misread::Windows1252).as_deref(), Some("PÅ"));
/// assert_eq!(revert("PÅ", Misread::Windows1252), None);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn revert(text: &str, misread: Misread) -> Option<String> {
    let (kinds, reverted) = reverted(text)?;
    bytes::has_kinds(misread, kinds).then(|| utf8::into_string(reverted).ok())?
}

/// Returns the bytes that were taken for `text`, and the kinds of its characters.
#[cfg(feature = "alloc")]
fn reverted(text: &str) -> Option<(Kinds, Vec<u8>)> {
    let mut bytes = Bytes::new(text);
    let mut reverted = vec![0; count::<Utf8>(text.as_bytes())];
    let written = bytes.fill(&mut reverted)?;
    debug_assert!(bytes.is_empty() && written == reverted.len(), "a byte for each character");
    Some((bytes.kinds(), reverted))
}

/// Damages a text: takes its UTF-8 for another encoding.
///
/// ```
/// use utflane::mojibake::{Misread, apply};
///
/// assert_eq!(apply("förste", Misread::Latin1), "fÃ¶rste");
/// assert_eq!(apply("100 €", Misread::Windows1252), "100 â‚¬");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn apply(text: &str, misread: Misread) -> String {
    match misread {
        // Any byte is Latin-1.
        Misread::Latin1 => transcode::<Latin1, Utf8>(text.as_bytes()).unwrap_or_default(),
        Misread::Windows1252 => text.bytes().map(|byte| misread.character(byte)).collect(),
    }
}
