//! Rounds: all contenders on the same text, in turns, and medians of paired ratios, so that a brief
//! slowdown of the machine affects all of them alike.
//!
//! This folder is also a part of `benches/throughput.rs`, a program of another package.

pub mod buffer;
pub mod case;
pub mod pace;

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

use case::{Case, Contender, Run};
use pace::Pace;

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

/// Compares the result of each peer with our call's, including the output.
///
/// # Errors
///
/// Names the contender that differs.
pub(crate) fn agree(ours: Run, peers: &[Contender], case: &mut Case) -> Result<(), String> {
    case.wipe();
    let want = ours(case, 0).result;
    let output = case.written(want).ok_or("ours refuses the text")?.to_vec();
    for Contender { name, run } in peers {
        case.wipe();
        let got = run(case, 0).result;
        if got != want {
            return Err(format!("{name} gives {got}, ours {want}"));
        }
        if case.written(got) != Some(&output) {
            return Err(format!("{name} writes something else than ours"));
        }
    }
    Ok(())
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
/// enough, the least disturbed ones count.
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
    let mut offset_rng = StdRng::seed_from_u64(2);
    for _ in 0..settings.rounds * settings.patience {
        let mut round = Round { durations: vec![0.0; contenders.len()], pace: pace.time() };
        renew(case, &mut rng);
        case.relocate(&mut offset_rng);
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
        if quiet >= settings.rounds {
            break;
        }
    }
    rounds.sort_by(|a, b| a.pace.total_cmp(&b.pace));
    rounds.truncate(settings.rounds);
    rounds
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
