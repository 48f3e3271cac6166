//! Measures text that is read only once: a long stream of excerpts of all texts, with other
//! excerpts in each round.
//!
//! The processor's branch predictor learns a text that is converted a thousand times. It never
//! learns a program's real input. So a round here is one pass over at least [`STREAM_BYTES`] bytes
//! of excerpts, each at a random offset of a random text. Every round has other excerpts, and all
//! contenders of a round have the same excerpts.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::StdRng;
use utflane::Kernel;

use crate::measure::{self, Cell, Settings, Unit};
use crate::operations::{Contender, Operation};
use crate::rounds::{self, disturbance::DisturbanceDetector};
use crate::texts::{Size, Text};

/// The least length of the text in a round, in bytes of UTF-8.
pub const STREAM_BYTES: usize = 16 << 20;

/// The name of all texts together, in place of the name of a text.
pub const NAME: &str = "all, fresh";

/// Checks that all contenders return the same result for the texts, then measures excerpts of a
/// size.
///
/// # Errors
///
/// The error names the contender whose result differs.
pub fn measure(
    operation: &Operation,
    texts: &[Text],
    size: Size,
    kernel: Kernel,
    settings: Settings,
    detector: &DisturbanceDetector,
) -> Result<Cell, String> {
    let texts = operation.texts(texts);
    let all = Text {
        name: NAME.to_owned(),
        content: texts.iter().map(|text| text.content.as_str()).collect(),
    };
    let mut case = operation.case(kernel, &all);
    let ours = Contender { name: "ours", run: operation.ours_on(kernel) };
    measure::agree(operation, ours.run, &all, &mut case)?;

    let stream = Stream::new(operation, &all, &texts);
    let mut contenders = vec![ours];
    contenders.extend(&operation.peers);
    operation.set_excerpts(&mut case, Vec::new(), stream.longest(size));
    // A sample is one pass over the stream.
    let settings = Settings { sample: std::time::Duration::ZERO, ..settings };
    let mut bytes = 0;
    let outcome = rounds::compare(&contenders, &mut case, settings, detector, &mut |case, rng| {
        let excerpts = stream.excerpts(size, rng);
        bytes = excerpts.iter().map(Range::len).sum();
        case.set_parts(excerpts);
    });
    let speed = |who: usize| bytes as f64 / outcome.times[who];
    Ok(Cell {
        operation: operation.name,
        ascii: all.is_ascii(),
        text: all.name,
        size,
        bytes,
        kernel,
        unit: Unit::Speed,
        ours: speed(0),
        memcpy: None,
        goal: None,
        loop_time: outcome.loop_time,
        peers: (1..contenders.len())
            .map(|who| measure::Result {
                name: contenders[who].name,
                value: speed(who),
                ratio: outcome.ratios[who],
            })
            .collect(),
    })
}

/// All texts together, and the boundaries of their characters.
struct Stream {
    /// The byte offsets of the characters in UTF-8, and the end of the last character.
    offsets: Vec<usize>,
    /// The byte offsets of the same boundaries in the operation's source.
    source: Vec<usize>,
    /// The range of each text, in indexes of `offsets`.
    texts: Vec<Range<usize>>,
}

impl Stream {
    fn new(operation: &Operation, all: &Text, texts: &[Text]) -> Self {
        let starts = all.content.char_indices().map(|(offset, _)| offset);
        let mut end = 0;
        Self {
            offsets: starts.chain([all.content.len()]).collect(),
            source: operation.boundaries(all),
            texts: texts
                .iter()
                .map(|text| {
                    let start = end;
                    end += text.content.chars().count();
                    start..end
                })
                .collect(),
        }
    }

    /// Returns an upper limit for the length of an excerpt, in bytes of the source.
    fn longest(&self, size: Size) -> usize {
        let bytes = |text: &Range<usize>| self.source[text.end] - self.source[text.start];
        let longest = self.texts.iter().map(bytes).max().unwrap_or(0);
        match size {
            Size::Whole => longest,
            // In every encoding here, a character has at most four times as many bytes as in UTF-8.
            Size::Bytes(bytes) => longest.min(4 * bytes),
        }
    }

    /// Returns the byte ranges of random excerpts in the source, with at least [`STREAM_BYTES`]
    /// bytes in total. If a text is shorter than the size, the excerpt is the whole text.
    fn excerpts(&self, size: Size, rng: &mut StdRng) -> Vec<Range<usize>> {
        let mut excerpts = Vec::new();
        let mut bytes = 0;
        while bytes < STREAM_BYTES {
            let excerpt = self.excerpt(size, rng);
            bytes += self.offsets[excerpt.end] - self.offsets[excerpt.start];
            excerpts.push(self.source[excerpt.start]..self.source[excerpt.end]);
        }
        excerpts
    }

    /// Returns a random excerpt as a range of indexes of `offsets`. Each offset is equally likely,
    /// so long texts have more excerpts.
    fn excerpt(&self, size: Size, rng: &mut StdRng) -> Range<usize> {
        let index = rng.random_range(0..self.offsets.len() - 1);
        let text = self.texts[self.texts.partition_point(|text| text.end <= index)].clone();
        let Size::Bytes(size) = size else { return text };
        // Near the end of a text, the excerpt ends where the text ends.
        let last_offset = self.offsets[text.end].saturating_sub(size);
        let last_start = self.offsets.partition_point(|&offset| offset < last_offset);
        let start = index.min(last_start.max(text.start));
        let end_offset = self.offsets[start] + size;
        let end = self.offsets.partition_point(|&offset| offset <= end_offset) - 1;
        start..end.min(text.end)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::operations;

    #[test]
    fn excerpts_are_whole_characters_inside_of_a_text() {
        let text =
            |name: &str, content: &str| Text { name: name.to_owned(), content: content.to_owned() };
        let texts =
            [text("a", &"aé漢😀".repeat(999)), text("b", "short"), text("c", &"ж".repeat(500))];
        let all = Text {
            name: NAME.to_owned(),
            content: texts.iter().map(|text| text.content.as_str()).collect(),
        };
        let list = ["utf16>utf8".to_owned()];
        let operation = &operations::select(Some(&list)).expect("the operation exists")[0];
        let stream = Stream::new(operation, &all, &texts);
        let mut rng = StdRng::seed_from_u64(1);
        for size in [Size::Whole, Size::Bytes(4), Size::Bytes(64), Size::Bytes(4096)] {
            for _ in 0..1000 {
                let excerpt = stream.excerpt(size, &mut rng);
                let text = stream.texts.iter().find(|text| text.contains(&excerpt.start));
                let text = text.expect("an excerpt begins in a text");
                assert!(excerpt.start < excerpt.end && excerpt.end <= text.end);
                let bytes = stream.offsets[excerpt.end] - stream.offsets[excerpt.start];
                if let Size::Bytes(size) = size {
                    let whole = stream.offsets[text.end] - stream.offsets[text.start];
                    assert!(bytes <= size && (bytes + 3 >= size || bytes == whole), "{size}");
                } else {
                    assert_eq!(excerpt, *text);
                }
                let range = stream.source[excerpt.start]..stream.source[excerpt.end];
                assert!(range.len() <= stream.longest(size) && range.len().is_multiple_of(2));
            }
        }
        assert_eq!(stream.longest(Size::Bytes(1 << 20)), stream.longest(Size::Whole));
        let excerpts = stream.excerpts(Size::Bytes(4096), &mut rng);
        assert!(excerpts.len() >= STREAM_BYTES / 4096);
        assert_ne!(excerpts, stream.excerpts(Size::Bytes(4096), &mut rng));
    }
}
