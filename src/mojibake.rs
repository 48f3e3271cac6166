//! Double encoding undone: UTF-8 that was read as Latin-1 or windows-1252, and encoded again. `förste` became `fÃ¶rste`.
//!
//! The damage loses nothing: each character of the damaged text is a byte of the original. What is hard is not to repair
//! what is no damage. There are three ways, from safe to eager:
//!
//! * [`undo`] and [`undo_all`] change a text as a whole, or leave it alone. *Every* character beyond ASCII must take part in
//!   the damage: one `ö`, `“` or `я` that stands for itself, and nothing is changed. And at least one of them must be no
//!   coincidence (below).
//! * [`undo_runs`] repairs the damaged places of a text that has others too, such as a log that several programs write. It
//!   has only the second rule.
//! * [`revert`] has only the first rule: it is the exact inverse of [`apply`], for whoever knows what has happened.
//!
//! **Coincidences.** What is left of a character in damaged text is a letter such as `Ã` or `É` with signs behind it; and
//! letters do have signs behind them. `CAFÉ™` would be `CAFə`, `Spaß…` a digit of N’Ko. So a place counts as a
//! coincidence if its letter can end a word there, by what is in front of it, and its signs can follow a word, by what is
//! behind them: punctuation, `™`, `²`, blanks that don't break a line. A text with coincidences only is left alone. It may
//! be damaged all the same, if it is short and in capitals: `PÃ…` stays, and is only changed back to `PÅ` by [`revert`].
//!
//! What was lost is not made up: text where some bytes became `?` or U+FFFD on their way, or blanks of another kind, no
//! longer is what [`apply`] makes of any text.
//!
//! **Cost.** Text in ASCII takes a validation of ASCII. Any other undamaged text is given up at its first character beyond
//! ASCII, or soon behind it. The damage is decoded in pieces that stop where it ends.
//!
//! ```
//! use utflane::mojibake;
//!
//! assert_eq!(mojibake::undo("fÃ¶rste"), "förste");
//! assert_eq!(mojibake::undo("â€œHiâ€\u{9D} ðŸ˜€"), "“Hi” 😀"); // windows-1252
//! assert_eq!(mojibake::undo("smörgåsbord"), "smörgåsbord");
//!
//! let undone = mojibake::undo_all("fÃƒÂ¶rste");
//! assert_eq!((&*undone.text, undone.rounds), ("förste", 2));
//! ```

mod sequence;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec};

use crate::{Ascii, Latin1, Stop, Utf8, Utf16, Validator, from_str_into, validate};
#[cfg(feature = "alloc")]
use crate::{count, transcode, utf8};

/// Bytes that are decoded at once.
const PIECE: usize = 512;

/// What UTF-8 was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Misread {
    /// Latin-1, where a byte is a code point.
    Latin1,
    /// windows-1252, which has `€`, `“`, `™` and others in `80..=9F`. Its five bytes without a character (`81`, `8D`, `8F`,
    /// `90`, `9D`) become U+0081 and so on, as in the Encoding Standard.
    Windows1252,
}

/// What [`apply`] has made of a text, if anything: whether [`undo`] would change it.
///
/// Where all characters are the same in Latin-1 and windows-1252, it is called Latin-1.
///
/// ```
/// use utflane::mojibake::{Misread, detect};
///
/// assert_eq!(detect("fÃ¶rste"), Some(Misread::Latin1));
/// assert_eq!(detect("100 â‚¬"), Some(Misread::Windows1252));
/// assert_eq!(detect("fÃ¶rste, andra, tvådje"), None); // å stands for itself
/// assert_eq!(detect("CAFÉ™"), None); // a coincidence
/// ```
#[must_use]
pub fn detect(text: &str) -> Option<Misread> {
    let ascii = validate::<Ascii>(text.as_bytes()).err()?.valid_up_to();
    let rest = &text[ascii..];
    // What gives up nearly all that is not damaged: the first character beyond ASCII doesn't begin a sequence.
    sequence::first(rest)?;
    let misread =
        [Misread::Latin1, Misread::Windows1252].into_iter().find(|misread| misread.made(rest))?;
    sequence::is_more_than_coincidence(text, ascii).then_some(misread)
}

/// Undoes one round of double encoding, if all of `text` is damaged so; otherwise `text` as it is.
///
/// What exactly is changed, and what is not, the [module](self) says.
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

/// What [`undo_all`] gives.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone<'a> {
    /// The text; borrowed if nothing was undone.
    pub text: Cow<'a, str>,
    /// How many times something was.
    pub rounds: usize,
}

/// [`undo`] until nothing more is to be undone. Each round may have been taken for something else.
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
    // Each round makes it shorter.
    while let Cow::Owned(text) = undo(&undone.text) {
        undone = Undone { text: Cow::Owned(text), rounds: undone.rounds + 1 };
    }
    undone
}

/// Undoes one round of double encoding wherever there is some: in each run of damaged characters that is no coincidence.
///
/// For texts of several origins. The rest of the text says nothing about a run here, so there is a risk: a text *about*
/// double encoding loses its examples, and where a letter such as `É` happens to stand in front of the wrong sign, in a way
/// that no rule foresees, a character is changed that was meant.
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
    // Up to here, the text is in `out`.
    let mut done = 0;
    let mut run = String::new();
    let mut at = 0;
    while let Some(start) = sequence::find(text, at) {
        run.clear();
        at = start;
        let mut meant = true;
        while let Some((character, len)) = sequence::first(&text[at..]) {
            meant = meant && sequence::is_coincidence(text, at, len);
            run.push(character);
            at += len;
        }
        if run.is_empty() {
            // Only the letter. Its second byte begins nothing.
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

/// The text that [`apply`] makes `text` of, if there is one: without a question whether that is likely.
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

/// The damage itself: what `text` looks like if its UTF-8 is taken for something else.
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

/// The characters of windows-1252 for `80..=9F`.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// What UTF-16 was taken from in windows-1252: each unit at its [`row`], followed by its byte.
static ROWS: [u32; 512] = {
    // No unit has this row: it is that of another.
    let mut rows = [u32::MAX; 512];
    let mut byte = 0;
    while byte < 256 {
        let unit = match byte {
            0x80..=0x9F => WINDOWS_1252[byte - 0x80] as u32,
            _ => byte as u32,
        };
        rows[row(unit)] = unit << 8 | byte as u32;
        byte += 1;
    }
    rows
};

/// A number below 512, different for each unit that windows-1252 has.
#[inline]
const fn row(unit: u32) -> usize {
    let row = if unit < 0x100 { unit } else { 0x100 | (unit ^ unit >> 8) & 0xFF };
    row as usize
}

impl Misread {
    /// What a byte is taken for.
    #[cfg(feature = "alloc")]
    #[inline]
    fn character(self, byte: u8) -> char {
        match (self, byte) {
            (Self::Windows1252, 0x80..=0x9F) => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(byte),
        }
    }

    /// The byte that was taken for `c`.
    #[inline]
    fn byte(self, c: char) -> Option<u8> {
        let point = u32::from(c);
        match self {
            Self::Latin1 => u8::try_from(point).ok(),
            Self::Windows1252 => {
                let entry = ROWS[row(point)];
                (entry >> 8 == point).then_some(entry as u8)
            }
        }
    }

    /// The bytes that were taken for `text`, as many as there is room for. Says what is left of the text, and how much of
    /// `dst` is used; `None` at a character that no byte is taken for.
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
            // Without a branch: what these characters are can't be foreseen.
            for (byte, unit) in dst[written..].iter_mut().zip(&units[..progress.written]) {
                let entry = ROWS[row(u32::from(*unit))];
                known &= entry >> 8 == u32::from(*unit);
                *byte = entry as u8;
            }
            if !known {
                return None;
            }
            (rest, written) = (&rest[progress.read..], written + progress.written);
        }
        Some((rest, written))
    }

    /// Whether `text` is UTF-8 that was taken for this.
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
