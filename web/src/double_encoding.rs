//! Finds and undoes double encoding in a text that arrives in chunks.
//!
//! The results equal the results of [`utflane_charset::mojibake`] for the whole text, however the
//! text is divided into chunks.

use std::borrow::Cow;

use utflane_charset::mojibake::{Misread, detect, revert, undo_runs};

use crate::json::Object;
use crate::segments::Segments;

/// The maximum number of bytes that are kept while no ASCII character arrives. The search gives up
/// at a longer run, which is hardly text, because memory must not grow with the file.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// The maximum number of characters in a sample.
const SAMPLE_CHARS: usize = 60;

/// The maximum number of characters in a sample before the first change.
const SAMPLE_CHARS_BEFORE: usize = 20;

/// A search for double encoding.
pub(crate) struct Search {
    segments: Segments,
    findings: Findings,
    /// True if the text has a run without ASCII that is too long.
    gave_up: bool,
}

/// What the search has found in the text so far.
struct Findings {
    /// True if the whole text can be UTF-8 that was decoded as Latin-1.
    may_be_latin1: bool,
    /// True if the whole text can be UTF-8 that was decoded as windows-1252.
    may_be_windows_1252: bool,
    /// True if a segment has double encoding that is hardly a coincidence.
    is_certain: bool,
    /// The first double-encoded part: unchanged, with one round undone, and with all rounds undone.
    sample: Option<[String; 3]>,
}

impl Search {
    /// Creates a search at the start of a text.
    pub(crate) fn new() -> Self {
        let findings = Findings {
            may_be_latin1: true,
            may_be_windows_1252: true,
            is_certain: false,
            sample: None,
        };
        Self { segments: Segments::default(), findings, gave_up: false }
    }

    /// Searches the next chunk of the text.
    pub(crate) fn push(&mut self, text: &str) {
        if self.gave_up {
            return;
        }
        self.segments.push(text, |segment| self.findings.add(segment));
        if self.segments.len() > MAX_KEPT_BYTES {
            *self = Self { gave_up: true, ..Self::new() };
        }
    }

    /// Ends the text. If the whole text is double-encoded, returns the wrong encoding from which it
    /// was decoded.
    pub(crate) fn finish(&mut self) -> Option<Misread> {
        self.segments.finish(|segment| self.findings.add(segment));
        match &self.findings {
            Findings { is_certain: false, .. } => None,
            Findings { may_be_latin1: true, .. } => Some(Misread::Latin1),
            Findings { may_be_windows_1252: true, .. } => Some(Misread::Windows1252),
            _ => None,
        }
    }

    /// Ends the text. Returns the result as JSON: a letter of [`UndoRound::from_letters`] if the
    /// whole text is double-encoded, and a sample if the text or a part of it is.
    pub(crate) fn report(mut self) -> String {
        let whole = self.finish();
        let letter = match whole {
            Some(Misread::Latin1) => "L",
            Some(_) => "W",
            None => "",
        };
        let report = Object::new().with_text("whole", letter);
        match &self.findings.sample {
            Some([before, after, all]) => report
                .with_text("before", before)
                .with_text("after", after)
                .with_text("all", all)
                .end(),
            None => report.end(),
        }
    }
}

impl Findings {
    /// Adds the findings in a segment.
    fn add(&mut self, segment: &str) {
        if segment.is_ascii() {
            return;
        }
        self.may_be_latin1 = self.may_be_latin1 && revert(segment, Misread::Latin1).is_some();
        self.may_be_windows_1252 =
            self.may_be_windows_1252 && revert(segment, Misread::Windows1252).is_some();
        self.is_certain = self.is_certain
            || (self.may_be_latin1 || self.may_be_windows_1252) && detect(segment).is_some();
        if self.sample.is_none()
            && let Cow::Owned(undone) = undo_runs(segment)
        {
            self.sample = Some(take_sample(segment, &undone));
        }
    }
}

/// Returns the text around the first difference between `original` and `undone`: unchanged, with
/// one round undone, and with all rounds undone.
fn take_sample(original: &str, undone: &str) -> [String; 3] {
    let common_len: usize = original
        .chars()
        .zip(undone.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let line_start = original[..common_len].rfind('\n').map_or(0, |offset| offset + 1);
    let before = &original[line_start..common_len];
    let first = before.char_indices().rev().take(SAMPLE_CHARS_BEFORE).last();
    let start = line_start + first.map_or(before.len(), |(offset, _)| offset);
    let excerpt = |text: &str| -> String {
        text[start..].chars().take_while(|&c| c != '\n' && c != '\r').take(SAMPLE_CHARS).collect()
    };
    let mut all_undone = excerpt(undone);
    while let Cow::Owned(undone) = undo_runs(&all_undone) {
        all_undone = undone;
    }
    [excerpt(original), excerpt(undone), all_undone]
}

/// Undoes one round of double encoding.
pub(crate) struct UndoRound {
    segments: Segments,
    /// The wrong encoding from which the whole text was decoded; `None` to undo only double-encoded
    /// runs.
    whole: Option<Misread>,
}

impl UndoRound {
    /// Returns the rounds that the letters name: `L` if the whole text was decoded as Latin-1, `W`
    /// if the whole text was decoded as windows-1252, and `R` to undo only double-encoded runs.
    /// Returns `None` if there is another letter.
    pub(crate) fn from_letters(letters: &str) -> Option<Vec<Self>> {
        let round = |letter| {
            let whole = match letter {
                'L' => Some(Misread::Latin1),
                'W' => Some(Misread::Windows1252),
                'R' => None,
                _ => return None,
            };
            Some(Self { segments: Segments::default(), whole })
        };
        letters.chars().map(round).collect()
    }

    /// Undoes the round in the next chunk, up to its last ASCII character, and appends the result
    /// to `out`.
    pub(crate) fn push(&mut self, text: &str, out: &mut String) {
        let Self { segments, whole } = self;
        segments.push(text, |segment| {
            out.push_str(&undo_segment(*whole, segment));
            // The next segment begins with the same ASCII character.
            out.pop();
        });
    }

    /// Ends the text, and appends its rest to `out`.
    pub(crate) fn finish(&mut self, out: &mut String) {
        let Self { segments, whole } = self;
        segments.finish(|segment| out.push_str(&undo_segment(*whole, segment)));
    }
}

/// Undoes one round in a segment. Returns the segment unchanged if it is not double-encoded.
fn undo_segment(whole: Option<Misread>, segment: &str) -> Cow<'_, str> {
    match whole {
        Some(misread) => revert(segment, misread).map_or(Cow::Borrowed(segment), Cow::Owned),
        None => undo_runs(segment),
    }
}

/// Undoes rounds of double encoding in the next chunk of a text. `is_last` is true for the last
/// chunk.
pub(crate) fn undo_rounds<'a>(
    rounds: &mut [UndoRound],
    text: &'a str,
    is_last: bool,
) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for round in rounds {
        let mut undone = String::with_capacity(text.len());
        round.push(&text, &mut undone);
        if is_last {
            round.finish(&mut undone);
        }
        text = undone.into();
    }
    text
}

#[cfg(test)]
mod tests;
