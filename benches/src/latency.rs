//! The cost of a call on short input.
//!
//! A size's batch is [`CALLS`] calls on excerpts of a text that begin at random characters and are
//! as long as the size or up to three bytes shorter. So their lengths change from call to call as
//! in practice, and every size has excerpts that end between characters. Each round has them in
//! another order, the same for all contenders. The excerpts stand in the first `WINDOW` bytes of
//! the text and the output is the same for all calls, so caches play no part. It has capacity for
//! the longest possible result of the longest excerpt, which all peers require.
//!
//! Ours is the free function, as programs call it. The calls don't wait for each other's results,
//! so this is the time that a short text takes in a loop over many.

use std::ops::Range;
use std::result;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Kernel;

use crate::measure::{self, Cell, Result, Settings, Unit};
use crate::operations::{Case, Contender, Operation};
use crate::rounds::{self, pace::Pace};
use crate::texts::{Size, Text};

/// Calls of a batch.
pub const CALLS: usize = 1000;

/// The part of a text from which excerpts come.
const WINDOW: usize = 8192;

/// The most bytes by which an excerpt may be shorter than its size.
const BAND: usize = 3;

/// The least number of bytes of the window beyond the longest excerpt, so that there are many
/// offsets.
const SPARE: usize = 4096;

/// Rounds are short and many; a disturbed one is repeated less often than elsewhere.
const PATIENCE: usize = 3;

/// The sizes up to `max` that an operation's input can have.
pub fn sizes(operation: &Operation, max: usize) -> impl Iterator<Item = usize> {
    (0..=max).step_by(operation.unit())
}

/// Checks that all contenders give the same result on every excerpt, then measures a size. `None`
/// if the text has no excerpt of that size: two bytes hold no character of Chinese.
///
/// # Errors
///
/// Names the contender that differs.
pub fn measure(
    operation: &Operation,
    text: &Text,
    size: usize,
    settings: Settings,
    pace: &Pace,
) -> result::Result<Option<Cell>, String> {
    let text = text.sized(Size::Bytes(WINDOW.max(size + SPARE)));
    let Some(excerpts) = excerpts(&operation.boundaries(&text), size) else { return Ok(None) };
    let kernel = Kernel::active();
    let mut case = operation.case(kernel, &text);
    for excerpt in &excerpts {
        operation.cut(&mut case, vec![excerpt.clone()], size);
        measure::agree(operation, operation.free, &text, &mut case)
            .map_err(|error| format!("{error} (bytes {excerpt:?})"))?;
    }

    operation.cut(&mut case, excerpts, size);
    let mut contenders = vec![Contender { name: "ours", run: operation.free }];
    contenders.extend(&operation.peers);
    // Several batches even if a call takes a nanosecond, so that the cost of reading the clock is
    // negligible.
    let sample = settings.sample.min(Duration::from_micros(20));
    let settings = Settings { sample, patience: settings.patience.min(PATIENCE), ..settings };
    let outcome = rounds::compare(&contenders, &mut case, settings, pace, &mut Case::shuffle);
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
        reference: None,
        pace: outcome.pace,
        peers: (1..contenders.len())
            .map(|who| Result {
                name: contenders[who].name,
                value: time(who),
                ratio: outcome.ratios[who],
            })
            .collect(),
    }))
}

/// The case that a size is measured on: its batch of calls. `None` if the text has no excerpt of
/// that size.
#[must_use]
pub fn case(operation: &Operation, kernel: Kernel, text: &Text, size: usize) -> Option<Case> {
    let text = text.sized(Size::Bytes(WINDOW));
    let excerpts = excerpts(&operation.boundaries(&text), size)?;
    let mut case = operation.case(kernel, &text);
    operation.cut(&mut case, excerpts, size);
    Some(case)
}

/// Random excerpts of about a size between the boundaries of characters. Only excerpts of size 0
/// are empty.
fn excerpts(boundaries: &[usize], size: usize) -> Option<Vec<Range<usize>>> {
    let least = size.saturating_sub(BAND).max(usize::from(size > 0));
    let mut rng = StdRng::seed_from_u64(size as u64);
    let mut excerpts = Vec::with_capacity(CALLS);
    for _ in 0..100 * CALLS {
        let from = boundaries[rng.random_range(0..boundaries.len())];
        let first = boundaries.partition_point(|&end| end < from + least);
        let last = boundaries.partition_point(|&end| end <= from + size);
        if first < last {
            excerpts.push(from..boundaries[rng.random_range(first..last)]);
        }
        if excerpts.len() == CALLS {
            return Some(excerpts);
        }
    }
    // Few offsets fit: they are repeated.
    let found = excerpts.len();
    (found > 0).then(|| excerpts.into_iter().cycle().take(CALLS).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_whole_and_of_their_size() {
        // Characters of 1, 2, 3 and 4 bytes.
        let boundaries: Vec<_> =
            (0..1000).flat_map(|i| [0, 1, 3, 6].map(|at| 10 * i + at)).collect();
        for size in 0..=64 {
            let excerpts = excerpts(&boundaries, size).expect("there are such excerpts");
            assert_eq!(excerpts.len(), CALLS);
            for excerpt in excerpts {
                assert!(boundaries.contains(&excerpt.start) && boundaries.contains(&excerpt.end));
                assert!(excerpt.len() <= size && excerpt.len() + BAND >= size);
                assert_eq!(excerpt.is_empty(), size == 0);
            }
        }
    }

    #[test]
    fn no_piece_where_no_character_fits() {
        let boundaries: Vec<_> = (0..1000).step_by(3).collect();
        assert!(excerpts(&boundaries, 2).is_none());
        assert!(excerpts(&boundaries, 3).is_some());
    }
}
