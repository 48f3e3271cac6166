//! Measures an operation on a text, in one size.

use utflane::Kernel;

use crate::operations::{Case, Contender, Operation, Run, memcpy};
use crate::peers::FAILED;
pub use crate::rounds::Settings;
use crate::rounds::disturbance::DisturbanceDetector;
use crate::rounds::{self, compare};
use crate::texts::{Size, Text};

/// The figures of a peer.
pub struct Result {
    /// The name of the peer.
    pub name: &'static str,
    /// The peer's figure: the median of the rounds, in the cell's unit.
    pub value: f64,
    /// Our speed divided by the peer's speed: the median of the rounds.
    pub ratio: f64,
}

/// The unit of a cell's figures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// GB/s of input: bytes per nanosecond.
    Speed,
    /// The time of a call, in nanoseconds.
    Time,
}

/// The figures of an operation on a text.
pub struct Cell {
    /// The name of the operation.
    pub operation: &'static str,
    /// The name of the text.
    pub text: String,
    /// True if the text is all ASCII.
    pub ascii: bool,
    /// The requested size, in bytes of UTF-8.
    pub size: Size,
    /// The length of the input, in bytes.
    pub bytes: usize,
    /// Our kernel.
    pub kernel: Kernel,
    /// The unit of `ours`, `memcpy` and the peers' values.
    pub unit: Unit,
    /// Our figure.
    pub ours: f64,
    /// memcpy's figure, if it was measured.
    pub memcpy: Option<f64>,
    /// The goal of an operation on CESU-8 or Modified UTF-8: our call with UTF-8 instead. Its
    /// figure, and our speed divided by its speed. `None` if the operation has no goal, or if the
    /// text is not valid UTF-8.
    pub goal: Option<Result>,
    /// The time of [`DisturbanceDetector`]'s loop: the median of the counted rounds.
    pub loop_time: f64,
    /// The figures of the peers, in the operation's order.
    pub peers: Vec<Result>,
}

impl Cell {
    /// Returns the fastest peer: the peer with the lowest ratio.
    #[must_use]
    pub fn best(&self) -> Option<&Result> {
        self.peers.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }
}

/// Checks that all peers return our result for the text in that size, then measures all contenders.
///
/// # Errors
///
/// The error names the contender whose result differs.
pub fn measure(
    operation: &Operation,
    text: &Text,
    size: Size,
    kernel: Kernel,
    settings: Settings,
    detector: &DisturbanceDetector,
) -> std::result::Result<Cell, String> {
    let text = text.sized(size);
    let mut case = operation.case(kernel, &text);
    let ours = Contender { name: "ours", run: operation.ours_on(kernel) };
    agree(operation, ours.run, &text, &mut case)?;

    let mut contenders = vec![ours, memcpy()];
    contenders.extend(&operation.peers);
    let goal_index = contenders.len();
    // A text in CESU-8 or Modified UTF-8 is not always valid UTF-8. Then the goal's validation
    // returns 0 (false), or its conversion returns `FAILED`, and the goal is left out.
    let goal = operation.goal.filter(|run| ![0, FAILED].contains(&run(&mut case, 0).result));
    contenders.extend(goal.map(|run| Contender { name: "utf8", run }));
    let outcome = compare(&contenders, &mut case, settings, detector, &mut Case::shuffle);
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
        goal: goal.map(|_| result(goal_index)),
        loop_time: outcome.loop_time,
        peers: (2..goal_index).map(result).collect(),
    })
}

/// Compares the result of each peer with the result of our call.
pub(crate) fn agree(
    operation: &Operation,
    ours: Run,
    text: &Text,
    case: &mut Case,
) -> std::result::Result<(), String> {
    rounds::agree(ours, &operation.peers, case)
        .map_err(|error| format!("{} on {}: {error}", operation.name, text.name))
}
