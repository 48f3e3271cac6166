//! Detection and repair of double encoding.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec};

use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16};
use crate::mojibake::misread::{Misread, windows_1252};
use crate::mojibake::sequence;
use crate::stream::validator::Validator;
use crate::types::progress::Stop;
#[cfg(feature = "alloc")]
use crate::utf8;
#[cfg(feature = "alloc")]
use crate::verbs::free::{count, transcode};
use crate::verbs::free::{from_str_into, validate};

/// Bytes that are decoded at once.
const PIECE: usize = 512;

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
    let ascii = validate::<Ascii>(text.as_bytes()).err()?.valid_up_to();
    let rest = &text[ascii..];
    // Rejects nearly all undamaged text: its first character beyond ASCII does not begin a
    // sequence.
    sequence::first(rest)?;
    let misread =
        [Misread::Latin1, Misread::Windows1252].into_iter().find(|misread| misread.made(rest))?;
    sequence::is_more_than_coincidence(text, ascii).then_some(misread)
}

/// Undoes one round of double encoding, if all of `text` is damaged so; otherwise returns `text`
/// unchanged.
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
    match detect(text).and_then(|misread| revert(text, misread)) {
        Some(undone) => Cow::Owned(undone),
        None => Cow::Borrowed(text),
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
        while let Some((character, len)) = sequence::first(&text[at..]) {
            meant = meant && sequence::is_coincidence(text, at, len, at > start);
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

/// Returns the text of which [`apply`] makes `text`, if there is one, however unlikely it is.
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
    let mut bytes = vec![0; count::<Utf8>(text.as_bytes())];
    let (rest, written) = misread.decode(text, &mut bytes)?;
    debug_assert!(rest.is_empty() && written == bytes.len(), "a byte for each character");
    utf8::into_string(bytes).ok()
}

/// Damages a text: its UTF-8 is taken for another encoding.
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

impl Misread {
    /// Writes the bytes that were taken for `text`, as many as fit. Returns the rest of the text,
    /// and the bytes written; `None` at a character that no byte is taken for.
    fn decode<'a>(self, text: &'a str, dst: &mut [u8]) -> Option<(&'a str, usize)> {
        let (mut rest, mut written) = (text, 0);
        if self == Self::Latin1 {
            let progress = from_str_into::<Latin1>(text, dst);
            let failed = matches!(progress.stop, Stop::Error(_));
            return (!failed).then_some((&text[progress.read..], progress.written));
        }
        let mut units = [0; PIECE];
        while !rest.is_empty() && written < dst.len() {
            let room = PIECE.min(dst.len() - written);
            let progress = from_str_into::<Utf16>(rest, &mut units[..room]);
            let mut known = progress.written > 0;
            for (byte, unit) in dst[written..].iter_mut().zip(&units[..progress.written]) {
                let (taken, is_known) = windows_1252(u32::from(*unit));
                known &= is_known;
                *byte = taken;
            }
            if !known {
                return None;
            }
            (rest, written) = (&rest[progress.read..], written + progress.written);
        }
        Some((rest, written))
    }

    /// Returns whether `text` is UTF-8 that was taken for this encoding.
    fn made(self, text: &str) -> bool {
        let mut piece = [0; PIECE];
        let mut validator = Validator::<Utf8>::new();
        let mut rest = text;
        while !rest.is_empty() {
            let Some((left, written)) = self.decode(rest, &mut piece) else { return false };
            rest = left;
            if validator.push(&piece[..written]).is_err() {
                return false;
            }
        }
        validator.finish().is_ok()
    }
}
