//! Measures the time of a call on short input.
//!
//! A size's batch is [`CALLS`] calls on excerpts of a text. The excerpts begin at random
//! characters, and are as long as the size or up to three bytes shorter. So their lengths change
//! from call to call as in practice, and every excerpt ends between characters. Each round has
//! another order of the excerpts, which is the same for all contenders. The excerpts come from the
//! first `WINDOW_BYTES` bytes of the text, and all calls have the same output, so all data is in
//! the cache. The output has capacity for the longest possible result of the longest excerpt, which
//! all peers require.
//!
//! Our function is the free function, as programs call it. The calls don't wait for each other's
//! results, so the result is the time that a short text takes in a loop over many texts.

use std::ops::Range;
use std::result;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Kernel;

use crate::measure::{self, Cell, Result, Settings, Unit};
use crate::operations::{Case, Contender, Operation};
use crate::rounds::{self, disturbance::DisturbanceDetector};
use crate::texts::{Size, Text};

/// The number of calls of a batch.
pub const CALLS: usize = 1000;

/// The length of the part of a text from which excerpts come, in bytes of UTF-8.
const WINDOW_BYTES: usize = 8192;

/// The maximum number of bytes by which an excerpt may be shorter than its size.
const MAX_MISSING_BYTES: usize = 3;

/// The least number of bytes by which the window is longer than the longest excerpt, so that
/// excerpts have many offsets.
const SPARE_BYTES: usize = 4096;

/// The limit of `patience`: rounds are short and many, so disturbed rounds are repeated less often
/// than in other measurements.
const MAX_PATIENCE: usize = 3;

/// Returns the sizes up to `max` that an operation's input can have, in bytes.
pub fn sizes(operation: &Operation, max: usize) -> impl Iterator<Item = usize> {
    (0..=max).step_by(operation.unit_size())
}

/// Checks that all contenders return the same result for every excerpt, then measures a size.
/// Returns `None` if the text has no excerpt of that size: no Chinese character has two bytes.
///
/// # Errors
///
/// The error names the contender whose result differs.
pub fn measure(
    operation: &Operation,
    text: &Text,
    size: usize,
    settings: Settings,
    detector: &DisturbanceDetector,
) -> result::Result<Option<Cell>, String> {
    let text = text.sized(Size::Bytes(WINDOW_BYTES.max(size + SPARE_BYTES)));
    let Some(excerpts) = random_excerpts(&operation.boundaries(&text), size) else {
        return Ok(None);
    };
    let kernel = Kernel::active();
    let mut case = operation.case(kernel, &text);
    for excerpt in &excerpts {
        operation.set_excerpts(&mut case, vec![excerpt.clone()], size);
        measure::agree(operation, operation.free, &text, &mut case)
            .map_err(|error| format!("{error} (bytes {excerpt:?})"))?;
    }

    operation.set_excerpts(&mut case, excerpts, size);
    let mut contenders = vec![Contender { name: "ours", run: operation.free }];
    contenders.extend(&operation.peers);
    // A sample is several batches even if a call takes a nanosecond, so that the time of reading
    // the clock is negligible.
    let sample = settings.sample.min(Duration::from_micros(20));
    let settings = Settings { sample, patience: settings.patience.min(MAX_PATIENCE), ..settings };
    let outcome = rounds::compare(&contenders, &mut case, settings, detector, &mut Case::shuffle);
    let time = |who: usize| outcome.times[who] / CALLS as f64;
    Ok(Some(Cell {
        operation: operation.name,
        ascii: text.is_ascii(),
        text: text.name,
        size: Size::Bytes(size),
        bytes: size,
        kernel,
        unit: Unit::Time,
        ours: time(0),
        memcpy: None,
        goal: None,
        loop_time: outcome.loop_time,
        peers: (1..contenders.len())
            .map(|who| Result {
                name: contenders[who].name,
                value: time(who),
                ratio: outcome.ratios[who],
            })
            .collect(),
    }))
}

/// Returns the case of a size: its batch of calls. Returns `None` if the text has no excerpt of
/// that size.
#[must_use]
pub fn case(operation: &Operation, kernel: Kernel, text: &Text, size: usize) -> Option<Case> {
    let text = text.sized(Size::Bytes(WINDOW_BYTES));
    let excerpts = random_excerpts(&operation.boundaries(&text), size)?;
    let mut case = operation.case(kernel, &text);
    operation.set_excerpts(&mut case, excerpts, size);
    Some(case)
}

/// Returns [`CALLS`] random excerpts that begin and end at character boundaries, and have at most
/// `size` bytes. An excerpt is empty only if the size is 0.
fn random_excerpts(boundaries: &[usize], size: usize) -> Option<Vec<Range<usize>>> {
    let min_len = size.saturating_sub(MAX_MISSING_BYTES).max(usize::from(size > 0));
    let mut rng = StdRng::seed_from_u64(size as u64);
    let mut excerpts = Vec::with_capacity(CALLS);
    for _ in 0..100 * CALLS {
        let start = boundaries[rng.random_range(0..boundaries.len())];
        let first = boundaries.partition_point(|&end| end < start + min_len);
        let last = boundaries.partition_point(|&end| end <= start + size);
        if first < last {
            excerpts.push(start..boundaries[rng.random_range(first..last)]);
        }
        if excerpts.len() == CALLS {
            return Some(excerpts);
        }
    }
    // Only few offsets have such an excerpt: the excerpts are repeated.
    let found = excerpts.len();
    (found > 0).then(|| excerpts.into_iter().cycle().take(CALLS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_whole_characters_of_the_size() {
        // Characters of 1, 2, 3 and 4 bytes.
        let boundaries: Vec<_> =
            (0..1000).flat_map(|i| [0, 1, 3, 6].map(|offset| 10 * i + offset)).collect();
        for size in 0..=64 {
            let excerpts = random_excerpts(&boundaries, size).expect("each size has excerpts");
            assert_eq!(excerpts.len(), CALLS);
            for excerpt in excerpts {
                assert!(boundaries.contains(&excerpt.start) && boundaries.contains(&excerpt.end));
                assert!(excerpt.len() <= size && excerpt.len() + MAX_MISSING_BYTES >= size);
                assert_eq!(excerpt.is_empty(), size == 0);
            }
        }
    }

    #[test]
    fn no_excerpt_if_no_character_fits() {
        let boundaries: Vec<_> = (0..1000).step_by(3).collect();
        assert!(random_excerpts(&boundaries, 2).is_none());
        assert!(random_excerpts(&boundaries, 3).is_some());
    }
}
