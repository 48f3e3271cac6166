//! Text that nobody has seen before: a long stream of excerpts of all texts, in a new order each
//! round.
//!
//! A text that is converted a thousand times is learned by heart by the processor's branch
//! predictor, which a program's real input never is. So a round here is one pass over at least
//! [`STREAM`] bytes of excerpts, each at a random offset of a random text, and every round has
//! other excerpts. All contenders of a round have the same ones.

use std::ops::Range;

use rand::RngExt;
use rand::rngs::StdRng;
use utflane::Kernel;

use crate::measure::{self, Cell, Settings, Unit};
use crate::operations::{Contender, Operation};
use crate::rounds::{self, pace::Pace};
use crate::texts::{Size, Text};

/// Bytes of text in a round, counted in UTF-8.
pub const STREAM: usize = 16 << 20;

/// The name of all texts together, in offset of a text's.
pub const NAME: &str = "all, fresh";

/// Checks that all contenders give the same result on the texts, then measures excerpts of a size.
///
/// # Errors
///
/// Names the contender that differs.
pub fn measure(
    operation: &Operation,
    texts: &[Text],
    size: Size,
    kernel: Kernel,
    settings: Settings,
    pace: &Pace,
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
    operation.cut(&mut case, Vec::new(), stream.longest(size));
    // One pass over the stream is a sample.
    let settings = Settings { sample: std::time::Duration::ZERO, ..settings };
    let mut bytes = 0;
    let outcome = rounds::compare(&contenders, &mut case, settings, pace, &mut |case, rng| {
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
        reference: None,
        pace: outcome.pace,
        peers: (1..contenders.len())
            .map(|who| measure::Result {
                name: contenders[who].name,
                value: speed(who),
                ratio: outcome.ratios[who],
            })
            .collect(),
    })
}

/// The offsets at which all texts together can be cut.
struct Stream {
    /// The starts of the characters in UTF-8, and the end of the last one.
    offsets: Vec<usize>,
    /// The same offsets in the operation's source.
    source: Vec<usize>,
    /// The characters of each text, by their number.
    texts: Vec<Range<usize>>,
}

impl Stream {
    fn new(operation: &Operation, all: &Text, texts: &[Text]) -> Self {
        let starts = all.content.char_indices().map(|(at, _)| at);
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

    /// Bytes of the longest excerpt in the source.
    fn longest(&self, size: Size) -> usize {
        let bytes = |text: &Range<usize>| self.source[text.end] - self.source[text.start];
        let longest = self.texts.iter().map(bytes).max().unwrap_or(0);
        match size {
            Size::Whole => longest,
            // No encoding here has more than four bytes for one of UTF-8.
            Size::Bytes(bytes) => longest.min(4 * bytes),
        }
    }

    /// Excerpts of [`STREAM`] bytes, in bytes of the source. An excerpt is a whole text where that
    /// is shorter than the size.
    fn excerpts(&self, size: Size, rng: &mut StdRng) -> Vec<Range<usize>> {
        let mut excerpts = Vec::new();
        let mut bytes = 0;
        while bytes < STREAM {
            let excerpt = self.excerpt(size, rng);
            bytes += self.offsets[excerpt.end] - self.offsets[excerpt.start];
            excerpts.push(self.source[excerpt.start]..self.source[excerpt.end]);
        }
        excerpts
    }

    /// The characters of a random excerpt. Each offset is equally likely, so long texts have more.
    fn excerpt(&self, size: Size, rng: &mut StdRng) -> Range<usize> {
        let offset = rng.random_range(0..self.offsets.len() - 1);
        let text = self.texts[self.texts.partition_point(|text| text.end <= offset)].clone();
        let Size::Bytes(size) = size else { return text };
        // At the end of a text, the excerpt ends with it.
        let latest = self.offsets[text.end].saturating_sub(size);
        let latest = self.offsets.partition_point(|&at| at < latest).max(text.start);
        let start = offset.min(latest);
        let end = self.offsets.partition_point(|&at| at <= self.offsets[start] + size) - 1;
        start..end.min(text.end)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::operations;

    #[test]
    fn excerpts_are_whole_and_inside_of_their_texts() {
        let text =
            |name: &str, content: &str| Text { name: name.to_owned(), content: content.to_owned() };
        let texts =
            [text("a", &"aé漢😀".repeat(999)), text("b", "short"), text("c", &"ж".repeat(500))];
        let all = Text {
            name: NAME.to_owned(),
            content: texts.iter().map(|text| text.content.as_str()).collect(),
        };
        let list = ["utf16>utf8".to_owned()];
        let operation = &operations::select(Some(&list)).expect("it exists")[0];
        let stream = Stream::new(operation, &all, &texts);
        let mut rng = StdRng::seed_from_u64(1);
        for size in [Size::Whole, Size::Bytes(4), Size::Bytes(64), Size::Bytes(4096)] {
            for _ in 0..1000 {
                let excerpt = stream.excerpt(size, &mut rng);
                let text = stream.texts.iter().find(|text| text.contains(&excerpt.start));
                let text = text.expect("it begins in a text");
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
        assert!(excerpts.len() >= STREAM / 4096);
        assert_ne!(excerpts, stream.excerpts(Size::Bytes(4096), &mut rng));
    }
}
