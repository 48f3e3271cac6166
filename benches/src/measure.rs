//! Measuring: all contenders on the same text, in turns, and medians of paired ratios.

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use utflane::Kernel;

use crate::operations::{Case, Contender, Operation, Run, memcpy};
use crate::pace::Pace;
use crate::peers::FAILED;
use crate::texts::{Size, Text};

/// The duration and the number of measurements.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Rounds; each times every contender once.
    pub rounds: usize,
    /// The least time of a sample, which consists of as many calls as that takes.
    pub sample: Duration,
    /// The limit of tried rounds, as a multiple of `rounds`, in the search for undisturbed ones.
    pub patience: usize,
}

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
    /// Whether the text is all ASCII.
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
    /// The fastest peer: the one against which our ratio is the lowest.
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
    // The text of a relative need not be UTF-8.
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

/// The figures of each contender; ours is the first.
pub(crate) struct Outcome {
    /// Nanoseconds of a repetition, the medians.
    pub(crate) times: Vec<f64>,
    /// Our speed as a multiple of each contender's, the medians of the rounds.
    pub(crate) ratios: Vec<f64>,
    /// The time of [`Pace`]'s loop in the counted rounds, the median.
    pub(crate) pace: f64,
}

/// Changes the calls of a case for the next round, so that no branch predictor learns them.
pub(crate) type Renew<'a> = &'a mut dyn FnMut(&mut Case, &mut StdRng);

/// Times all contenders in turns, on a case that is renewed for each round.
pub(crate) fn compare(
    contenders: &[Contender],
    case: &mut Case,
    settings: Settings,
    pace: &Pace,
    renew: Renew<'_>,
) -> Outcome {
    let times: Vec<_> =
        contenders.iter().map(|contender| repetitions(contender, case, settings.sample)).collect();
    let rounds = collect(contenders, &times, case, settings, pace, renew);
    let column = |who: usize| rounds.iter().map(move |round| round.durations[who]);
    let ratio = |who: usize| median(column(who).zip(column(0)).map(|(peer, ours)| peer / ours));
    Outcome {
        times: (0..contenders.len()).map(|who| median(column(who))).collect(),
        ratios: (0..contenders.len()).map(ratio).collect(),
        pace: median(rounds.iter().map(|round| round.pace)),
    }
}

/// All contenders timed once.
struct Round {
    /// Nanoseconds of a call, for each contender.
    durations: Vec<f64>,
    /// The slowest time of the loop between them.
    pace: f64,
}

/// Times all contenders in turns until there are enough undisturbed rounds. If there are never
/// enough, all rounds count.
fn collect(
    contenders: &[Contender],
    times: &[usize],
    case: &mut Case,
    settings: Settings,
    pace: &Pace,
    renew: Renew<'_>,
) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    let mut rng = StdRng::seed_from_u64(0);
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let mut order_rng = StdRng::seed_from_u64(1);
    let mut place_rng = StdRng::seed_from_u64(2);
    for _ in 0..settings.rounds * settings.patience {
        let mut round = Round { durations: vec![0.0; contenders.len()], pace: pace.time() };
        renew(case, &mut rng);
        case.relocate(&mut place_rng);
        // Each round has another order, so that none always follows the same contender: a slow one
        // leaves the caches to other programs for longer. The last one goes first too, untimed, so
        // that all find the text as another contender has left it.
        order.shuffle(&mut order_rng);
        (contenders[order[order.len() - 1]].run)(case, 1);
        for &who in &order {
            let sample = (contenders[who].run)(case, times[who]);
            round.durations[who] = sample.elapsed.as_secs_f64() * 1e9 / times[who] as f64;
            round.pace = round.pace.max(pace.time());
        }
        rounds.push(round);
        let quiet = rounds.iter().filter(|round| pace.is_quiet(round.pace)).count();
        if settings.patience > 1 && quiet >= settings.rounds {
            rounds.retain(|round| pace.is_quiet(round.pace));
            break;
        }
    }
    rounds
}

/// Compares the result of each peer with one of our calls, including the output.
pub(crate) fn agree(
    operation: &Operation,
    ours: Run,
    text: &Text,
    case: &mut Case,
) -> std::result::Result<(), String> {
    let place = || format!("{} on {}", operation.name, text.name);
    case.wipe();
    let want = ours(case, 0).result;
    let Some(output) = operation.written(case, want).map(<[u8]>::to_vec) else {
        return Err(format!("{}: ours refuses the text", place()));
    };
    for peer in &operation.peers {
        case.wipe();
        let got = (peer.run)(case, 0).result;
        if got != want {
            return Err(format!("{}: {} gives {got}, ours {want}", place(), peer.name));
        }
        if operation.written(case, got) != Some(&output) {
            return Err(format!("{}: {} writes something else than ours", place(), peer.name));
        }
    }
    Ok(())
}

/// The number of calls in a sample.
fn repetitions(contender: &Contender, case: &mut Case, sample: Duration) -> usize {
    let mut times = 1;
    loop {
        let elapsed = (contender.run)(case, times).elapsed;
        if elapsed >= sample {
            return times;
        }
        // A little more than the apparent need, and no large steps based on a short measurement.
        let factor = 1.2 * sample.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
        times = (times as f64 * factor.clamp(1.2, 100.0)).ceil() as usize;
    }
}

/// The median.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
