//! Undoing with options: in runs until nothing is left, and no-break spaces that became blanks.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::mojibake::sequence;
use crate::mojibake::undo::{Undone, undo, undo_runs};

/// The most rounds that are undone in runs.
const ROUNDS_MAX: usize = 16;

/// The first half of `à` that was damaged twice.
const DOUBLY_ENCODED_A: [&str; 2] = ["Ãƒ", "Ã\u{83}"];

/// How to undo double encoding. Without options, it is undone as by [`undo_all`](super::undo_all).
///
/// ```
/// use utflane::mojibake::Options;
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

    /// Undoes each damaged run by itself, as [`undo_runs`], instead of the text as a whole.
    pub const fn runs(self) -> Self {
        Self { runs: true, ..self }
    }

    /// Undoes one round only.
    pub const fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// Takes a blank (U+0020) for a no-break space (U+00A0) where the damage needs one: as the
    /// second, third or fourth byte of a character, A0. Editors and web pages make such blanks:
    /// `à` became `Ã` and a no-break space, and that a blank.
    ///
    /// Often they also merge it with the next blank. So the blank after `à` stays if a word
    /// follows, unless the word is a Portuguese contraction (`às`, `àquele`), or the text has two
    /// blanks after some `Ã`. In runs, a blank is restored after a letter that can't end a word
    /// there, such as `Ã` after a small letter; as part of three or four bytes, only beside other
    /// damage.
    pub const fn no_break_spaces(self) -> Self {
        Self { no_break_spaces: true, ..self }
    }

    /// Returns the text without the damage, and the number of rounds that were undone.
    ///
    /// Each round costs as much as [`undo`] or [`undo_runs`], and makes the text shorter. As a
    /// whole, each has at most half the characters beyond ASCII of the round before. In runs, at
    /// most 16 rounds are undone: a character that was damaged so often is 65,536 characters.
    pub fn undo(self, text: &str) -> Undone<'_> {
        let limit = match self {
            Self { once: true, .. } => 1,
            Self { runs: true, .. } => ROUNDS_MAX,
            _ => usize::MAX,
        };
        let mut undone = Undone { text: Cow::Borrowed(text), rounds: 0 };
        while undone.rounds < limit {
            let Some(text) = self.round(&undone.text) else { break };
            undone = Undone { text: Cow::Owned(text), rounds: undone.rounds + 1 };
        }
        undone
    }

    /// Returns the text with one round undone, if there is one.
    fn round(self, text: &str) -> Option<String> {
        let text = match self.no_break_spaces {
            true => restored(text, self.runs),
            false => Cow::Borrowed(text),
        };
        match if self.runs { undo_runs(&text) } else { undo(&text) } {
            Cow::Owned(undone) => Some(undone),
            Cow::Borrowed(_) => None,
        }
    }
}

/// Returns the text with U+00A0 for each blank that damage needs: as a whole, or in runs, where the
/// rest of the text may be undamaged.
fn restored(text: &str, runs: bool) -> Cow<'_, str> {
    let both = ["Ã  ", "ÃƒÂ  ", "Ã\u{83}Â  "];
    let has =
        |at: usize| both.iter().any(|part| text.as_bytes()[at..].starts_with(part.as_bytes()));
    // True if blanks were merged, and if the text has other damage; known once it is asked.
    let (mut merged, mut is_damaged) = (None, None);
    let mut out = String::new();
    // `out` has the text up to `done`. The last sequence ends at `end`.
    let (mut done, mut at, mut end) = (0, 0, 0);
    while let Some(start) = text[at..].find(|c| matches!(c, 'Â'..='ô')).map(|offset| at + offset)
    {
        let rest = &text[start..];
        if let Some((_, len)) = sequence::first(rest) {
            at = start + len;
            end = at;
            continue;
        }
        // After the letter.
        at = start + 2;
        let spaced: String =
            rest.chars().take(4).map(|c| if c == ' ' { '\u{A0}' } else { c }).collect();
        let Some((character, len)) = sequence::first(&spaced) else { continue };
        let spaced = &spaced[..len];
        let stop = spaced.chars().count();
        let stop = start + rest.char_indices().nth(stop).map_or(rest.len(), |(offset, _)| offset);
        let after = &text[stop..];
        if is_spaced_out(&text[..start], after) {
            continue;
        }
        // Letters with signs at the end of a word are often meant: `frataraká§ 141`.
        let has_sequence =
            || text.char_indices().any(|(at, _)| sequence::first(&text[at..]).is_some());
        if spaced.chars().count() > 2
            && text[..start].ends_with(char::is_alphabetic)
            && !*is_damaged.get_or_insert_with(has_sequence)
        {
            continue;
        }
        if runs && !is_damage(text, start, end, spaced, after) {
            continue;
        }
        out.push_str(&text[done..start]);
        out.push_str(spaced);
        let twice = character == '\u{A0}'
            && DOUBLY_ENCODED_A.iter().any(|first| text[..start].ends_with(first));
        if (character == 'à' || twice)
            && *merged.get_or_insert_with(|| !(0..text.len()).any(has))
            && begins_word(after, twice)
        {
            out.push(' ');
        }
        (done, at, end) = (stop, stop, stop);
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
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

/// Returns true if the sequence `spaced`, which has a no-break space for a blank, can't be letters
/// and a blank that are meant. It begins at `start`; the sequence before it ends at `end`.
fn is_damage(text: &str, start: usize, end: usize, spaced: &str, after: &str) -> bool {
    // Other letters, such as á, are followed by a sign and a blank in many undamaged texts.
    if spaced.chars().count() > 2 {
        return start == end && end > 0 || sequence::first(after).is_some();
    }
    let from = text[..start].char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    let mut place = String::from(&text[from..start]);
    let at = place.len();
    place.push_str(spaced);
    !sequence::is_coincidence(&place, at, spaced.len(), false)
}

/// Returns true if a word follows `à`, which was damaged once or twice, and is no part of a
/// Portuguese contraction: `às`, `àquele`.
fn begins_word(after: &str, twice: bool) -> bool {
    // Any other sequence is the next byte of a character that was damaged more often.
    if sequence::first(after).is_some() {
        return after.starts_with('Ã') && !twice;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    match after.as_bytes() {
        [b'q', b'u', b'e' | b'i', b'l', ..] => false,
        [b's', rest @ ..] => rest.first().is_some_and(is_word),
        word => word.first().is_some_and(is_word),
    }
}
