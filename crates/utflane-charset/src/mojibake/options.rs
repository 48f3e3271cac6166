//! Undoes double encoding with options: in runs until no damage is left, and with no-break spaces
//! that became blanks.

use std::borrow::Cow;

use crate::mojibake::sequence;
use crate::mojibake::undo::{Undone, undo, undo_runs};

/// The maximum number of rounds that are undone in runs.
const ROUNDS_MAX: usize = 16;

/// The first half of an `à` that was damaged twice, as windows-1252 or as Latin-1.
const DOUBLY_ENCODED_A: [&str; 2] = ["Ãƒ", "Ã\u{83}"];

/// How to undo double encoding. Without options, the result is the result of
/// [`undo_all`](super::undo_all).
///
/// ```
/// use utflane_charset::mojibake::Options;
///
/// let runs = Options::new().runs();
/// let undone = runs.undo("först, fÃ¶rst, fÃƒÂ¶rst");
/// assert_eq!((&*undone.text, undone.rounds), ("först, först, först", 2));
///
/// let undone = Options::new().no_break_spaces().undo("dÃ©jÃ , Ã la carte");
/// assert_eq!(undone.text, "déjà, à la carte");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Options {
    runs: bool,
    once: bool,
    no_break_spaces: bool,
}

impl Options {
    /// Creates options with none set.
    pub const fn new() -> Self {
        Self { runs: false, once: false, no_break_spaces: false }
    }

    /// Undoes each damaged run by itself, like [`undo_runs`], instead of the text as a whole.
    pub const fn runs(self) -> Self {
        Self { runs: true, ..self }
    }

    /// Undoes one round only.
    pub const fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// Reads a blank (U+0020) as a no-break space (U+00A0) if it stands for 0xA0, the second, third
    /// or fourth byte of a damaged character. Editors and web pages make such blanks: `à` became
    /// `Ã` and a no-break space, and the no-break space became a blank.
    ///
    /// Often they also merge this blank with the next blank. So the repaired `à` is followed by a
    /// blank if a word follows, unless the word is a Portuguese contraction (`às`, `àquele`), or
    /// the text has two blanks after another `Ã`. In runs, a no-break space is restored only after
    /// a letter that cannot end a word there, such as `Ã` after a small letter. As part of a
    /// sequence of three or four bytes, it is restored only beside other damage.
    pub const fn no_break_spaces(self) -> Self {
        Self { no_break_spaces: true, ..self }
    }

    /// Returns the text without the damage, and the number of rounds that were undone.
    ///
    /// Each round costs as much as [`undo`] or [`undo_runs`], and makes the text shorter. If the
    /// text is undone as a whole, each round leaves at most half of the non-ASCII characters. In
    /// runs, at most 16 rounds are undone: a character that was damaged 16 times has become 65,536
    /// characters.
    pub fn undo(self, text: &str) -> Undone<'_> {
        let limit = match self {
            Self { once: true, .. } => 1,
            Self { runs: true, .. } => ROUNDS_MAX,
            _ => usize::MAX,
        };
        let mut undone = Undone { text: Cow::Borrowed(text), rounds: 0 };
        while undone.rounds < limit {
            let Some(text) = self.undo_round(&undone.text) else { break };
            undone = Undone { text: Cow::Owned(text), rounds: undone.rounds + 1 };
        }
        undone
    }

    /// Returns the text with one round undone, or `None` if there is no damage to undo.
    fn undo_round(self, text: &str) -> Option<String> {
        let text = match self.no_break_spaces {
            true => restore_no_break_spaces(text, self.runs),
            false => Cow::Borrowed(text),
        };
        match if self.runs { undo_runs(&text) } else { undo(&text) } {
            Cow::Owned(undone) => Some(undone),
            Cow::Borrowed(_) => None,
        }
    }
}

/// Returns the text with U+00A0 instead of each blank that stands for byte 0xA0 of damage. If
/// `runs` is true, the text may also have undamaged parts.
fn restore_no_break_spaces(text: &str, runs: bool) -> Cow<'_, str> {
    let two_blanks = ["Ã  ", "ÃƒÂ  ", "Ã\u{83}Â  "];
    let has_two_blanks = |offset: usize| {
        two_blanks.iter().any(|part| text.as_bytes()[offset..].starts_with(part.as_bytes()))
    };
    // True if blanks were merged, and true if the text has other damage. Both are computed at the
    // first use.
    let (mut merged, mut is_damaged) = (None, None);
    let mut out = String::new();
    // `out` has the text up to byte `copied_len`. The last sequence ends at `end`.
    let (mut copied_len, mut search_start, mut end) = (0, 0, 0);
    while let Some(start) =
        text[search_start..].find(|c| matches!(c, 'Â'..='ô')).map(|offset| search_start + offset)
    {
        let rest = &text[start..];
        if let Some((_, len)) = sequence::decode_first(rest) {
            search_start = start + len;
            end = search_start;
            continue;
        }
        // Continue after the letter, which has two bytes.
        search_start = start + 2;
        let spaced: String =
            rest.chars().take(4).map(|c| if c == ' ' { '\u{A0}' } else { c }).collect();
        let Some((character, len)) = sequence::decode_first(&spaced) else { continue };
        let spaced = &spaced[..len];
        let char_count = spaced.chars().count();
        let stop =
            start + rest.char_indices().nth(char_count).map_or(rest.len(), |(offset, _)| offset);
        let after = &text[stop..];
        if is_spaced_out(&text[..start], after) {
            continue;
        }
        // Letters with signs at the end of a word are often correct: `frataraká§ 141`.
        let has_sequence = || {
            text.char_indices().any(|(offset, _)| sequence::decode_first(&text[offset..]).is_some())
        };
        if char_count > 2
            && text[..start].ends_with(char::is_alphabetic)
            && !*is_damaged.get_or_insert_with(has_sequence)
        {
            continue;
        }
        if runs && !is_damage(text, start, end, spaced, after) {
            continue;
        }
        out.push_str(&text[copied_len..start]);
        out.push_str(spaced);
        let is_doubly_encoded = character == '\u{A0}'
            && DOUBLY_ENCODED_A.iter().any(|prefix| text[..start].ends_with(prefix));
        if (character == 'à' || is_doubly_encoded)
            && *merged.get_or_insert_with(|| !(0..text.len()).any(has_two_blanks))
            && begins_word(after, is_doubly_encoded)
        {
            out.push(' ');
        }
        (copied_len, search_start, end) = (stop, stop, stop);
    }
    if copied_len == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied_len..]);
    Cow::Owned(out)
}

/// Returns true if a letter with a blank after it stands among capitals with blanks between them:
/// `S Ã O`.
fn is_spaced_out(before: &str, after: &str) -> bool {
    let is_capital = |c: Option<char>| c.is_some_and(char::is_uppercase);
    let (mut before, mut after) = (before.chars().rev(), after.chars());
    before.next() == Some(' ')
        && is_capital(before.next())
        && !before.next().is_some_and(char::is_alphabetic)
        && is_capital(after.next())
        && !after.next().is_some_and(char::is_alphabetic)
}

/// Returns true if the letters and the blank of a sequence cannot be correct text. `spaced` is the
/// sequence with a no-break space instead of the blank. It begins at `start`; the sequence before
/// it ends at `end`.
fn is_damage(text: &str, start: usize, end: usize, spaced: &str, after: &str) -> bool {
    // The letters that begin longer sequences, such as á, are followed by a sign and a blank in
    // many undamaged texts.
    if spaced.chars().count() > 2 {
        return start == end && end > 0 || sequence::decode_first(after).is_some();
    }
    let from = text[..start].char_indices().rev().nth(1).map_or(0, |(offset, _)| offset);
    let mut context = String::from(&text[from..start]);
    let sequence_start = context.len();
    context.push_str(spaced);
    !sequence::is_coincidence(&context, sequence_start, spaced.len(), false)
}

/// Returns true if a word follows `à` and is not part of a Portuguese contraction: `às`, `àquele`.
/// `is_doubly_encoded` is true if the `à` was damaged twice.
fn begins_word(after: &str, is_doubly_encoded: bool) -> bool {
    // Any other sequence stands for the next byte of a character that was damaged more often.
    if sequence::decode_first(after).is_some() {
        return after.starts_with('Ã') && !is_doubly_encoded;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    match after.as_bytes() {
        [b'q', b'u', b'e' | b'i', b'l', ..] => false,
        [b's', rest @ ..] => rest.first().is_some_and(is_word),
        word => word.first().is_some_and(is_word),
    }
}
