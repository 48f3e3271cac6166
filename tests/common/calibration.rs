//! Measures the speed of the tests on this machine, and computes the sampling interval with which
//! the long sets of inputs fit a time budget. A long set is a set that is passed to
//! [`sampled`](super::sampled).
//!
//! The measurement runs the same checks as the tests, so it reflects emulators, sanitizers and slow
//! processors. It takes some tenths of a second on a current processor, and ten to twenty times as
//! long in an emulator. It needs an accurate clock. The clock of an emulated PC is inaccurate, so
//! `ci/steps.sh` computes the interval for such a PC outside the emulator.

use std::time::Duration;

use super::carriers::sample;
use super::checks::check_transcode;
use super::pairs::pairs;
use super::sampling::slow_set_interval;

// The constants below are processor times of tests in units of work; `measure` returns the time of
// one unit. They were measured once, from runs with several intervals.
/// The time of the tests that run in full with every interval, in units of work.
const FIXED_UNITS: f64 = 50.0;
/// The time of the small sets in full, in units of work. See [`small_set_interval`].
const SMALL_SETS_UNITS: f64 = 850.0;
/// The time of the sets that are passed to `sampled_if_slow` in full, in units of work.
/// With large intervals they take less than their share, because some of these sets are nested.
const SLOW_SETS_UNITS: f64 = 5100.0;
/// The time of the long sets in full, in units of work.
const LONG_SETS_UNITS: f64 = 42_000.0;

/// Returns the smallest odd number N so that all tests take at most `seconds` seconds of processor
/// time if one member in N of each long set is run. N is at most 1001, even if the tests then take
/// longer.
pub fn sampling_interval(seconds: f64) -> usize {
    let seconds_per_unit = measure().as_secs_f64();
    let units = |interval: usize| {
        let slow = SLOW_SETS_UNITS / slow_set_interval(interval) as f64;
        let small = SMALL_SETS_UNITS / small_set_interval(interval) as f64;
        FIXED_UNITS + small + slow + LONG_SETS_UNITS / interval as f64
    };
    let fits = |&interval: &usize| units(interval) * seconds_per_unit <= seconds;
    (1..1001).step_by(2).find(fits).unwrap_or(1001)
}

/// Returns the sampling interval of the small sets. It is 1, so that all members run, if the
/// interval of the long sets is at most 61.
pub fn small_set_interval(interval: usize) -> usize {
    (interval / 31) | 1
}

/// Returns the processor time of one unit of work: every operation of every pair, on every kernel,
/// with one text. It is the minimum of some runs, because other load on the machine only makes them
/// longer.
pub fn measure() -> Duration {
    let texts: Vec<_> = pairs().iter().map(|pair| (pair, sample(pair, 300, 7))).collect();
    let run = || {
        let began = now();
        texts.iter().for_each(|(pair, text)| check_transcode(pair, text));
        now() - began
    };
    (0..5).map(|_| run()).min().expect("five runs")
}

/// Returns the processor time of this thread. Wall-clock time would depend on other load.
#[cfg(unix)]
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a `timespec` that lives longer than the call.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "clock_gettime failed");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns the wall-clock time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::time::Instant;

    static BEGAN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGAN.elapsed()
}
