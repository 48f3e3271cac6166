//! The speed of the tests on this machine: it converts a budget of seconds into a share of the long
//! sets.
//!
//! The measurement is a part of the tests' own work, so it reflects emulators, sanitizers and
//! slow processors. It takes some tenths of a second on a current processor, and ten to twenty
//! times as long in an emulator. It needs a clock: that of an emulated PC is inaccurate, so its
//! shares are computed outside (`ci/steps.sh`).

use std::time::Duration;

use super::DEFAULT_SHARE;
use super::api::pairs;
use super::carriers::sample;
use super::checks::check_transcode;

// The processor time of all tests, in units of [`measure`], measured once from runs with several
// shares: of the tests that run with any share, of the small sets that run in full up to a share of
// one in 61, of the ill-formed sequences at every offset (`costly`), and of the long sets if they
// run in full.
const FIXED: f64 = 1800.0;
const SMALL: f64 = 1500.0;
const COSTLY: f64 = 1600.0;
const LONG: f64 = 37_000.0;

/// The largest share with which all tests take at most `seconds` seconds of processor time. It is
/// odd, and at least one in 1001.
pub fn share(seconds: f64) -> usize {
    let unit = measure().as_secs_f64();
    let time = |share: usize| {
        let costly = COSTLY / (share / DEFAULT_SHARE).max(1) as f64;
        FIXED + SMALL / every(share) as f64 + costly + LONG / share as f64
    };
    (1..1001).step_by(2).find(|&share| time(share) * unit <= seconds).unwrap_or(1001)
}

/// Of the small sets, one member in `every(share)` is run: every member, up to a share of one in
/// 61.
pub fn every(share: usize) -> usize {
    (share / 31) | 1
}

/// The processor time of one unit of work: every operation of every pair, on every kernel, of one
/// text. It is the shortest of some runs, since other load on the machine only makes them longer.
pub fn measure() -> Duration {
    let texts: Vec<_> = pairs().iter().map(|pair| (pair, sample(pair, 300, 7))).collect();
    let run = || {
        let began = now();
        texts.iter().for_each(|(pair, text)| check_transcode(pair, text));
        now() - began
    };
    (0..5).map(|_| run()).min().expect("five runs")
}

/// The processor time of this thread. Wall-clock time would depend on other load.
#[cfg(unix)]
fn now() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a variable for a time.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "the processor time of a thread");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The wall-clock time.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::time::Instant;

    static BEGAN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGAN.elapsed()
}
