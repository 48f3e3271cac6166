//! Repair of double encoding: UTF-8 that was read as Latin-1 or windows-1252, and encoded again.
//! `förste` became `fÃ¶rste`.
//!
//! The damage loses nothing: each character of the damaged text stands for a byte of the original.
//! The difficulty is to leave undamaged text alone. The functions, from cautious to eager:
//!
//! * [`undo`](undo()) and [`undo_all`] change a text as a whole, or not at all. First, *every*
//!   non-ASCII character must be part of the damage: if the text has a single correct `ö`, `“` or
//!   `я`, nothing is changed. Second, at least one damaged character must not be a coincidence (see
//!   below).
//! * [`undo_runs`] repairs the damaged parts of a text that also has undamaged parts, such as a log
//!   of several programs. It applies only the second rule. [`Options`] can repeat it until nothing
//!   changes, and can restore no-break spaces that became blanks.
//! * [`revert`] applies only the first rule: it is the exact inverse of [`apply`], for text that is
//!   known to be damaged.
//!
//! **Coincidences.** A damaged character is a letter such as `Ã` or `É` followed by signs, and
//! correct letters are followed by signs too. `CAFÉ™` would become `CAFə`, `Spaß…` would end with a
//! digit of N’Ko, and the Czech name `POSPÍŠIL` would lose a letter to a combining mark. A sequence
//! counts as a coincidence in three cases:
//!
//! * Its letter can end a word there, given the character before it, and its signs can follow a
//!   word, given the character after them: punctuation, `™`, `²`, no-break spaces.
//! * Its signs are `Š`, `Ž`, `Œ`, `Ÿ` or their small forms, in the same case as the word around
//!   them, and some language has both the letter and the signs. Signs that can follow a word may
//!   come after them.
//! * It stands alone, and the character that it would become fits worse there: a control character,
//!   a small letter in a word in capitals, a phonetic or Greek letter beside a capital, a letter of
//!   a script from Cyrillic to N’Ko beside a letter of another script.
//!
//! Two more cases are coincidences: a letter that is named (`many Ã’s`), and a price that is
//! multiplied (`5×£35`).
//!
//! A text that has only coincidences is not changed. Such a text may still be damaged, if it is
//! short and in capitals: `PÃ…` stays, and only [`revert`] changes it back to `PÅ`.
//!
//! Characters whose surrogates were encoded one by one (CESU-8) are repaired in runs only, because
//! [`apply`] never produces them. Lost bytes are not restored. A text in which bytes became `?` or
//! U+FFFD is no longer the result of [`apply`] for any text.
//!
//! **Cost.** ASCII text costs a validation as ASCII. Other undamaged text is rejected at its first
//! non-ASCII character, or soon after it. Damaged text is decoded once with vector instructions, up
//! to the end of the damage.
//!
//! ```
//! use utflane_charset::mojibake;
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
mod options;
mod sequence;
mod undo;
mod windows1252;

pub use self::misread::Misread;
pub use self::options::Options;
pub use self::undo::{Undone, apply, detect, revert, undo, undo_all, undo_runs, undo_utf16le};
