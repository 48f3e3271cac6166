//! The figures of an operation on a text, in one size.

use utflane::Kernel;

use crate::operations::{Case, Contender, Operation, Run, memcpy};
use crate::peers::FAILED;
pub use crate::rounds::Settings;
use crate::rounds::pace::Pace;
use crate::rounds::{self, compare};
use crate::texts::{Size, Text};

/// The figures of a peer.
pub struct Result {
    /// Its name.
    pub name: &'static str,
    /// In the cell's unit, the median.
    pub value: f64,
    /// Our speed as a multiple of the peer's, the median of the rounds.
    pub ratio: f64,
}

/// The meaning of a cell's numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// GB/s of input: bytes per nanosecond.
    Speed,
    /// Nanoseconds of a call.
    Time,
}

/// The figures of an operation on a text.
pub struct Cell {
    /// The operation.
    pub operation: &'static str,
    /// The text's name.
    pub text: String,
    /// True if the text is all ASCII.
    pub ascii: bool,
    /// The requested size, counted in UTF-8.
    pub size: Size,
    /// Bytes of input.
    pub bytes: usize,
    /// Our kernel.
    pub kernel: Kernel,
    /// The measured quantity.
    pub unit: Unit,
    /// Ours.
    pub ours: f64,
    /// memcpy's figure, where requested.
    pub memcpy: Option<f64>,
    /// Ours by our figure for UTF-8, where that is a goal and takes the text.
    pub reference: Option<Result>,
    /// The time of [`Pace`]'s loop in the counted rounds, the median.
    pub pace: f64,
    /// The peers, in the operation's order.
    pub peers: Vec<Result>,
}

impl Cell {
    /// The fastest peer: the peer with the lowest ratio.
    #[must_use]
    pub fn best(&self) -> Option<&Result> {
        self.peers.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }
}

/// Checks that all contenders give the same result on the text in that size, then measures.
///
/// # Errors
///
/// Names the contender that differs.
pub fn measure(
    operation: &Operation,
    text: &Text,
    size: Size,
    kernel: Kernel,
    settings: Settings,
    pace: &Pace,
) -> std::result::Result<Cell, String> {
    let text = text.sized(size);
    let mut case = operation.case(kernel, &text);
    let ours = Contender { name: "ours", run: operation.ours_on(kernel) };
    agree(operation, ours.run, &text, &mut case)?;

    let mut contenders = vec![ours, memcpy()];
    contenders.extend(&operation.peers);
    let peers = contenders.len();
    // A text in CESU-8 or Modified UTF-8 need not be UTF-8.
    let reference =
        operation.reference.filter(|run| ![0, FAILED].contains(&run(&mut case, 0).result));
    contenders.extend(reference.map(|run| Contender { name: "utf8", run }));
    let outcome = compare(&contenders, &mut case, settings, pace, &mut Case::shuffle);
    let speed = |who: usize| case.bytes() as f64 / outcome.times[who];
    let result = |who: usize| Result {
        name: contenders[who].name,
        value: speed(who),
        ratio: outcome.ratios[who],
    };
    Ok(Cell {
        operation: operation.name,
        text: text.name.clone(),
        ascii: text.is_ascii(),
        size,
        bytes: case.bytes(),
        kernel,
        unit: Unit::Speed,
        ours: speed(0),
        memcpy: Some(speed(1)),
        reference: reference.map(|_| result(peers)),
        pace: outcome.pace,
        peers: (2..peers).map(result).collect(),
    })
}

/// Compares the result of each peer with one of our calls.
pub(crate) fn agree(
    operation: &Operation,
    ours: Run,
    text: &Text,
    case: &mut Case,
) -> std::result::Result<(), String> {
    rounds::agree(ours, &operation.peers, case)
        .map_err(|error| format!("{} on {}: {error}", operation.name, text.name))
}
