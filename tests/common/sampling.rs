//! Runs long sets of inputs in full or in part.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::panic::Location;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Prints a line that the test harness does not capture, unlike the output of `eprintln!`. Each
/// line is printed only once.
pub fn say(line: &str) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if PRINTED.lock().unwrap_or_else(PoisonError::into_inner).insert(line.to_owned()) {
        // Failure to print is ignored: no other output is left to report it.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// The default of [`sampling_interval`].
///
/// A plain `cargo test` must end soon, and should find most mistakes. 61 is the largest number for
/// which small sets, such as the code units in the tests of the module `one_unit`, still run in
/// full.
pub const DEFAULT_SAMPLING_INTERVAL: usize = 61;

/// Returns the sampling interval N of the long sets of inputs: one member in N is run.
///
/// A long set is a set that is passed to [`sampled`]. There are three ways to choose the interval:
///
/// * `UTFLANE_TEST_SHARE=61` runs one member in 61. `UTFLANE_TEST_SHARE=1` runs everything.
///   Prefer odd numbers.
/// * `UTFLANE_TEST_SECONDS=300` computes the interval from a measurement of this machine, so that
///   all tests take about 300 seconds of processor time. The interval is printed. Setting
///   `UTFLANE_TEST_SHARE` to the printed interval repeats the run, because an interval always
///   selects the same members.
/// * If neither variable is set, the interval is [`DEFAULT_SAMPLING_INTERVAL`]; but with
///   `--ignored` or `--include-ignored`, everything is run.
pub fn sampling_interval() -> usize {
    static INTERVAL: OnceLock<usize> = OnceLock::new();
    *INTERVAL.get_or_init(|| match (number("UTFLANE_TEST_SHARE"), number("UTFLANE_TEST_SECONDS")) {
        (Some(interval), _) => interval,
        (None, Some(seconds)) => {
            let interval = super::calibration::sampling_interval(seconds as f64);
            say(&format!("{seconds} s of tests: this run uses UTFLANE_TEST_SHARE={interval}"));
            interval
        }
        (None, None)
            if std::env::args().any(|arg| ["--ignored", "--include-ignored"].contains(&&*arg)) =>
        {
            1
        }
        (None, None) => DEFAULT_SAMPLING_INTERVAL,
    })
}

/// Returns the positive number in an environment variable, if the variable is set.
fn number(variable: &str) -> Option<usize> {
    let value = std::env::var(variable).ok()?;
    let number = value.parse().ok().filter(|&number| number > 0);
    Some(number.unwrap_or_else(|| panic!("{variable}={value}: expected a positive integer")))
}

/// Returns the members of `set` that are to be run: one member in [`sampling_interval`]. Prints the
/// interval if an environment variable sets it and it is not 1.
///
/// All calls from one source line use one counter, as if their sets were one long set. So a small
/// set in a loop is sampled too, with a different member each time. At least one member is run: if
/// the counter selects no member of the first set, the last member of that set is run.
#[track_caller]
pub fn sampled<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in(sampling_interval(), name, set)
}

/// Like [`sampled`], for a small set that is slow under an emulator. Emulated runs use a large
/// interval. The whole set is run unless the interval is at least twice the default.
#[track_caller]
pub fn sampled_if_slow<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in(slow_set_interval(sampling_interval()), name, set)
}

/// Returns the interval of [`sampled_if_slow`], from the interval of the long sets.
pub fn slow_set_interval(interval: usize) -> usize {
    (interval / DEFAULT_SAMPLING_INTERVAL) | 1
}

/// Returns true if [`sampled_if_slow`] runs only a part of a set, as in an emulator. Then tests are
/// skipped that compare with other programs, or whose results are the same on every processor.
pub fn is_slow() -> bool {
    slow_set_interval(sampling_interval()) > 1
}

/// Returns one member in `interval` of `set`, as [`sampled`] documents.
#[track_caller]
fn one_in<I: Iterator>(interval: usize, name: &str, set: I) -> Sampled<I> {
    Sampled { set, counter: Counter::new(Location::caller(), interval, name) }
}

/// The members to skip and to run of the sets of one line that calls [`sampled`]. A new counter
/// continues where the last one of its line ended.
struct Counter {
    interval: usize,
    caller: &'static Location<'static>,
    /// The number of members to skip before the next member that is run.
    skip: usize,
    /// True if a member has been run.
    has_run: bool,
    /// The number of members of this set that were run or skipped.
    seen: usize,
}

thread_local! {
    /// For each line that calls [`sampled`]: `skip` and `has_run` of its last counter.
    static STATES: RefCell<BTreeMap<&'static Location<'static>, (usize, bool)>> =
        const { RefCell::new(BTreeMap::new()) };
}

impl Counter {
    fn new(caller: &'static Location<'static>, interval: usize, name: &str) -> Self {
        if interval == DEFAULT_SAMPLING_INTERVAL {
            say(&format!(
                "running 1 in {DEFAULT_SAMPLING_INTERVAL} inputs of each long set; \
                 UTFLANE_TEST_SHARE=1 runs all"
            ));
        } else if interval > 1 {
            let file = caller.file().rsplit(['/', '\\']).next().unwrap_or_default();
            say(&format!("{file}: {name}, 1 in {interval}"));
        }
        // The first member is not selected, because sets often begin with their simplest member.
        let (skip, has_run) = STATES
            .with_borrow(|states| states.get(caller).copied())
            .unwrap_or((interval / 2, false));
        Self { interval, caller, skip, has_run, seen: 0 }
    }

    /// Returns true if the next member is to be run.
    fn selects_next(&mut self) -> bool {
        self.seen += 1;
        if self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        self.skip = self.interval - 1;
        self.has_run = true;
        true
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        // If the length of a set and the interval had a common factor, the same members of this set
        // in a loop would run each time. The shift makes them coprime.
        let is_coprime = |shift: &usize| {
            greatest_common_divisor(self.seen + self.interval - shift, self.interval) == 1
        };
        let shift = (0..self.interval).find(is_coprime).unwrap_or(0);
        let skip = (self.skip + shift) % self.interval;
        STATES.with_borrow_mut(|states| states.insert(self.caller, (skip, self.has_run)));
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The iterator that [`sampled`] returns.
struct Sampled<I> {
    set: I,
    counter: Counter,
}

impl<I: Iterator> Iterator for Sampled<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let mut last = None;
        for member in &mut self.set {
            if self.counter.selects_next() {
                return Some(member);
            }
            last = Some(member);
        }
        // At least one member of the sets of a line is run.
        let member = last.filter(|_| !self.counter.has_run);
        self.counter.has_run |= member.is_some();
        member
    }
}

#[test]
fn sets_in_a_loop_run_all_their_members() {
    for interval in [3, 5, 7, 9, 15, 61] {
        for len in 1..20 {
            let mut has_run = vec![false; len];
            for _ in 0..2 * interval {
                one_in(interval, "members", 0..len).for_each(|member| has_run[member] = true);
            }
            assert!(has_run.iter().all(|&run| run), "1 in {interval} of {len}: {has_run:?}");
        }
    }
}
