//! Compares contenders in rounds. In each round, every contender runs once on the same text, and
//! the results are medians over the rounds, so that a brief slowdown of the machine affects all
//! contenders alike.
//!
//! `benches/throughput.rs`, a program of another package, also compiles this folder.

pub mod buffer;
pub mod case;
pub mod disturbance;

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use case::{Case, Contender, Run};
use disturbance::DisturbanceDetector;

/// The duration and the number of measurements.
#[derive(Clone, Copy)]
pub struct Settings {
    /// The number of rounds. Each round times every contender once.
    pub rounds: usize,
    /// The minimum duration of a sample. A sample repeats the call often enough to reach it.
    pub sample: Duration,
    /// The maximum number of rounds that are tried in the search for undisturbed ones, as a
    /// multiple of `rounds`.
    pub patience: usize,
}

/// Checks that each peer has the same result and the same output as our call.
///
/// # Errors
///
/// Names the contender that differs.
pub(crate) fn agree(ours: Run, peers: &[Contender], case: &mut Case) -> Result<(), String> {
    case.wipe();
    let want = ours(case, 0).result;
    let output = case.written(want).ok_or("our call rejects the text")?.to_vec();
    for Contender { name, run } in peers {
        case.wipe();
        let got = run(case, 0).result;
        if got != want {
            return Err(format!("{name} returns {got}, our call {want}"));
        }
        if case.written(got) != Some(&output) {
            return Err(format!("{name} writes another output than our call"));
        }
    }
    Ok(())
}

/// The results of each contender. Our contender is the first.
pub(crate) struct Outcome {
    /// The median time of a repetition for each contender, in nanoseconds.
    pub(crate) times: Vec<f64>,
    /// Our speed divided by each contender's speed: the median over the rounds.
    pub(crate) ratios: Vec<f64>,
    /// The median time of [`DisturbanceDetector`]'s loop in the rounds that count, in seconds.
    pub(crate) loop_time: f64,
}

/// Changes the calls of a case before each round, so that branch predictors can't learn them.
pub(crate) type Renew<'a> = &'a mut dyn FnMut(&mut Case, &mut StdRng);

/// Times all contenders in turn, on a case that `renew` changes before each round.
pub(crate) fn compare(
    contenders: &[Contender],
    case: &mut Case,
    settings: Settings,
    detector: &DisturbanceDetector,
    renew: Renew<'_>,
) -> Outcome {
    let repetitions: Vec<_> = contenders
        .iter()
        .map(|contender| choose_repetitions(contender, case, settings.sample))
        .collect();
    let rounds = collect_rounds(contenders, &repetitions, case, settings, detector, renew);
    let column = |index: usize| rounds.iter().map(move |round| round.durations[index]);
    let ratio = |index: usize| median(column(index).zip(column(0)).map(|(peer, ours)| peer / ours));
    Outcome {
        times: (0..contenders.len()).map(|index| median(column(index))).collect(),
        ratios: (0..contenders.len()).map(ratio).collect(),
        loop_time: median(rounds.iter().map(|round| round.loop_time)),
    }
}

/// The times of all contenders in one round.
struct Round {
    /// The time of a repetition for each contender, in nanoseconds.
    durations: Vec<f64>,
    /// The longest time of [`DisturbanceDetector`]'s loop before and after the contenders, in
    /// seconds.
    loop_time: f64,
}

/// Times all contenders in turn until enough rounds are undisturbed. If too few rounds are, returns
/// the least disturbed ones.
fn collect_rounds(
    contenders: &[Contender],
    repetitions: &[usize],
    case: &mut Case,
    settings: Settings,
    detector: &DisturbanceDetector,
    renew: Renew<'_>,
) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    let mut rng = StdRng::seed_from_u64(0);
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let mut order_rng = StdRng::seed_from_u64(1);
    let mut offset_rng = StdRng::seed_from_u64(2);
    for _ in 0..settings.rounds * settings.patience {
        let mut round =
            Round { durations: vec![0.0; contenders.len()], loop_time: detector.time() };
        renew(case, &mut rng);
        case.relocate(&mut offset_rng);
        // The order changes in each round, so that no contender always follows the same one: during
        // a slow contender, other programs use the caches for longer. The last contender also runs
        // first, untimed, so that every timed contender runs after another one.
        order.shuffle(&mut order_rng);
        (contenders[order[order.len() - 1]].run)(case, 1);
        for &index in &order {
            let sample = (contenders[index].run)(case, repetitions[index]);
            round.durations[index] = sample.elapsed.as_secs_f64() * 1e9 / repetitions[index] as f64;
            round.loop_time = round.loop_time.max(detector.time());
        }
        rounds.push(round);
        let quiet = rounds.iter().filter(|round| detector.is_undisturbed(round.loop_time)).count();
        if quiet >= settings.rounds {
            break;
        }
    }
    rounds.sort_by(|a, b| a.loop_time.total_cmp(&b.loop_time));
    rounds.truncate(settings.rounds);
    rounds
}

/// Returns the number of repetitions in a sample of at least the duration `sample`.
fn choose_repetitions(contender: &Contender, case: &mut Case, sample: Duration) -> usize {
    let mut repetitions = 1;
    loop {
        let elapsed = (contender.run)(case, repetitions).elapsed;
        if elapsed >= sample {
            return repetitions;
        }
        // Slightly more than the measurement suggests, and limited, because a short measurement is
        // inaccurate.
        let factor = 1.2 * sample.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
        repetitions = (repetitions as f64 * factor.clamp(1.2, 100.0)).ceil() as usize;
    }
}

/// Returns the median of the values. There is at least one value.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
