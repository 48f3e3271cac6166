//! Repair of double encoding: UTF-8 that was read as Latin-1 or windows-1252, and encoded again.
//! `förste` became `fÃ¶rste`.
//!
//! The damage loses nothing: each character of the damaged text is a byte of the original. The
//! difficulty is to leave undamaged text alone. The functions, from cautious to eager:
//!
//! * [`undo`](undo()) and [`undo_all`] change a text as a whole, or not at all. First, *every*
//!   character beyond ASCII must be part of the damage: a single correct `ö`, `“` or `я`, and
//!   nothing is changed. Second, at least one of them must not be a coincidence (below).
//! * [`undo_runs`] repairs the damaged parts of a text that has others too, such as a log of
//!   several programs. It applies only the second rule. [`Options`] repeats it to the end, and
//!   restores no-break spaces that became blanks.
//! * [`revert`] applies only the first rule: it is the exact inverse of [`apply`], for text that is
//!   known to be damaged.
//!
//! **Coincidences.** A damaged character is a letter such as `Ã` or `É` followed by signs, and
//! correct letters are followed by signs too. `CAFÉ™` would be `CAFə`, `Spaß…` a digit of N’Ko, and
//! the Czech name `POSPÍŠIL` would lose a letter to a combining mark. A sequence counts as a
//! coincidence in three cases:
//!
//! * Its letter can end a word there, given the character before it, and its signs can follow a
//!   word, given the character after them: punctuation, `™`, `²`, no-break spaces.
//! * Its signs are `Š`, `Ž`, `Œ`, `Ÿ` or their small forms, in the case of the word around them,
//!   and some language has both letters. Signs as above may follow.
//! * It stands alone, and its character fits worse there: a control character, a small letter in a
//!   word in capitals, a phonetic or Greek letter beside a capital, a letter of Cyrillic to N’Ko
//!   beside a letter of another script.
//!
//! So are a letter that is named (`many Ã’s`) and a price that is multiplied (`5×£35`).
//!
//! A text with coincidences only is not changed. It may be damaged nevertheless, if it is short and
//! in capitals: `PÃ…` stays, and only [`revert`] changes it back to `PÅ`.
//!
//! Characters whose surrogates were encoded one by one (CESU-8) are repaired in runs only: no text
//! becomes them by [`apply`]. Lost bytes are not restored. A text in which bytes became `?` or
//! U+FFFD is no longer the result of [`apply`] for any text.
//!
//! **Cost.** ASCII takes a validation of ASCII. Other undamaged text is rejected at its first
//! character beyond ASCII, or soon after it. Damaged text is decoded once, up to the end of
//! the damage, by vectors.
//!
//! ```
//! use utflane::mojibake;
//!
//! assert_eq!(mojibake::undo("fÃ¶rste"), "förste");
//! assert_eq!(mojibake::undo("â€œHiâ€\u{9D} ðŸ˜€"), "“Hi” 😀"); // windows-1252
//! assert_eq!(mojibake::undo("smörgåsbord"), "smörgåsbord");
//! assert_eq!(mojibake::undo("POSPÍŠIL"), "POSPÍŠIL");
//!
//! let undone = mojibake::undo_all("fÃƒÂ¶rste");
//! assert_eq!((&*undone.text, undone.rounds), ("förste", 2));
//! ```

mod bytes;
mod misread;
#[cfg(feature = "alloc")]
mod options;
mod sequence;
mod undo;

pub use self::misread::Misread;
#[cfg(feature = "alloc")]
pub use self::options::Options;
pub use self::undo::detect;
#[cfg(feature = "alloc")]
pub use self::undo::{Undone, apply, revert, undo, undo_all, undo_runs, undo_utf16le};
