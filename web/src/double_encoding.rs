//! Double encoding in a stream: found, and undone.
//!
//! The results equal those of [`utflane::mojibake`] for the whole text, for any division into
//! chunks.

use std::borrow::Cow;

use utflane::mojibake::{Misread, detect, revert, undo_runs};

use crate::json::Object;
use crate::segments::Segments;

/// Bytes without an ASCII character that may wait. Text with more, which is hardly text, is not
/// judged: memory must not grow with the file.
const LONGEST: usize = 4 << 20;

/// Characters of a sample, and its characters before the first change.
const SAMPLE: usize = 60;
const SAMPLE_BEFORE: usize = 20;

/// A search for double encoding.
pub(crate) struct Search {
    segments: Segments,
    judgement: Judgement,
    gave_up: bool,
}

/// The text so far.
struct Judgement {
    /// True if it is UTF-8 that was taken for Latin-1, or for windows-1252, with ASCII between.
    latin1: bool,
    windows_1252: bool,
    /// True if some damaged character is no coincidence.
    sure: bool,
    /// The first damaged part, the same with one round undone, and with all.
    sample: Option<[String; 3]>,
}

impl Search {
    /// Returns a search at the start of a text.
    pub(crate) fn new() -> Self {
        let judgement = Judgement { latin1: true, windows_1252: true, sure: false, sample: None };
        Self { segments: Segments::default(), judgement, gave_up: false }
    }

    /// Searches the next part.
    pub(crate) fn push(&mut self, text: &str) {
        if self.gave_up {
            return;
        }
        self.segments.push(text, |segment| self.judgement.add(segment));
        if self.segments.len() > LONGEST {
            *self = Self { gave_up: true, ..Self::new() };
        }
    }

    /// Ends the text. Returns the damage of the whole text.
    pub(crate) fn finish(&mut self) -> Option<Misread> {
        self.segments.finish(|segment| self.judgement.add(segment));
        match &self.judgement {
            Judgement { sure: false, .. } => None,
            Judgement { latin1: true, .. } => Some(Misread::Latin1),
            Judgement { windows_1252: true, .. } => Some(Misread::Windows1252),
            _ => None,
        }
    }

    /// Ends the text. Returns the result as JSON: the encoding through which the whole text was
    /// double-encoded, as a letter of [`Undo::from_letters`], or if parts were; and a sample.
    pub(crate) fn report(mut self) -> String {
        let whole = self.finish();
        let letters = match whole {
            Some(Misread::Latin1) => "L",
            Some(_) => "W",
            None => "",
        };
        let report = Object::new().with_text("whole", letters);
        match &self.judgement.sample {
            Some([before, after, all]) => report
                .with_text("before", before)
                .with_text("after", after)
                .with_text("all", all)
                .end(),
            None => report.end(),
        }
    }
}

impl Judgement {
    /// Judges a segment.
    fn add(&mut self, segment: &str) {
        if segment.is_ascii() {
            return;
        }
        self.latin1 = self.latin1 && revert(segment, Misread::Latin1).is_some();
        self.windows_1252 = self.windows_1252 && revert(segment, Misread::Windows1252).is_some();
        self.sure = self.sure || (self.latin1 || self.windows_1252) && detect(segment).is_some();
        if self.sample.is_none()
            && let Cow::Owned(undone) = undo_runs(segment)
        {
            self.sample = Some(sample(segment, &undone));
        }
    }
}

/// Returns the text around the first difference, with no round undone, one, and all.
fn sample(damaged: &str, undone: &str) -> [String; 3] {
    let same: usize = damaged
        .chars()
        .zip(undone.chars())
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum();
    let line = damaged[..same].rfind('\n').map_or(0, |at| at + 1);
    let earlier = damaged[line..same].char_indices().rev().take(SAMPLE_BEFORE).last();
    let start = line + earlier.map_or(same - line, |(at, _)| at);
    let around = |text: &str| -> String {
        text[start..].chars().take_while(|&c| c != '\n' && c != '\r').take(SAMPLE).collect()
    };
    let mut all = around(undone);
    while let Cow::Owned(undone) = undo_runs(&all) {
        all = undone;
    }
    [around(damaged), around(undone), all]
}

/// A round of double encoding, undone.
pub(crate) struct Undo {
    segments: Segments,
    /// The damage of the whole text; `None` for the runs of damaged characters.
    whole: Option<Misread>,
}

impl Undo {
    /// Returns the rounds that letters name: `L` and `W` for a whole text that was taken for
    /// Latin-1 or windows-1252, `R` for runs.
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

    /// Appends the next part to `out`, undone as far as it can be judged.
    pub(crate) fn push(&mut self, text: &str, out: &mut String) {
        let Self { segments, whole } = self;
        segments.push(text, |segment| {
            out.push_str(&undone(*whole, segment));
            // The next segment begins with it.
            out.pop();
        });
    }

    /// Ends the text: appends its rest to `out`.
    pub(crate) fn finish(&mut self, out: &mut String) {
        let Self { segments, whole } = self;
        segments.finish(|segment| out.push_str(&undone(*whole, segment)));
    }
}

/// Undoes a round in a segment. A segment that is not damaged stays.
fn undone(whole: Option<Misread>, segment: &str) -> Cow<'_, str> {
    match whole {
        Some(misread) => revert(segment, misread).map_or(Cow::Borrowed(segment), Cow::Owned),
        None => undo_runs(segment),
    }
}

/// Undoes rounds of double encoding in the next part of a text; in its last one if `ended`.
pub(crate) fn undo_rounds<'a>(rounds: &mut [Undo], text: &'a str, ended: bool) -> Cow<'a, str> {
    let mut text = Cow::Borrowed(text);
    for round in rounds {
        let mut undone = String::with_capacity(text.len());
        round.push(&text, &mut undone);
        if ended {
            round.finish(&mut undone);
        }
        text = undone.into();
    }
    text
}

#[cfg(test)]
mod tests;
