//! Code shared by all tests and fuzz targets: the oracle, the checks, and texts to run them on.
//!
//! A check takes one input and asserts that every operation returns the oracle's result, on every
//! kernel of `Kernel::available()` and through the free functions. Tests, properties and fuzz
//! targets differ only in the source of their inputs. The oracle ([`oracle`]) is the standard
//! library; nothing in the oracle calls utflane.
//!
//! Checks handle texts of all encodings as bytes: [`api`] gives every pair of encodings the same
//! functions, so a check is compiled once and runs for all pairs.

#![allow(dead_code, reason = "no fuzz target uses everything")]
#![allow(unreachable_pub, reason = "several crates compile this module, and none uses all of it")]

pub mod api;
pub mod calibration;
pub mod carriers;
pub mod cases;
pub mod cesu8_wtf8;
pub mod checks;
#[cfg(feature = "columns")]
pub mod columns;
pub mod corpus;
pub mod detect;
#[cfg(unix)]
pub mod guard;
pub mod io;
pub mod legacy;
pub mod lines;
pub mod lossy;
pub mod lossy_api;
pub mod mojibake;
pub mod oracle;
pub mod outputs;
#[cfg(target_os = "linux")]
pub mod pages;
pub mod positions;
pub mod repair;
pub mod streams;
pub mod strings;
pub mod text;

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

/// The default share of the long sets: one member in `DEFAULT_SHARE` is run.
///
/// A plain `cargo test` must end soon, and should find most mistakes. 61 is the largest number for
/// which small sets, such as the sets of `one_unit`, still run in full.
pub const DEFAULT_SHARE: usize = 61;

/// Returns the share of the long sets of inputs that is run, as a number N: one member in N is run.
///
/// A long set is a set that is passed to [`subset`]. There are three ways to choose the share:
///
/// * `UTFLANE_TEST_SHARE=61` runs one member in 61. `UTFLANE_TEST_SHARE=1` runs everything.
///   Prefer odd numbers.
/// * `UTFLANE_TEST_SECONDS=300` computes the share from a measurement of this machine, so that all
///   tests take about 300 seconds of processor time. The share is printed. Setting
///   `UTFLANE_TEST_SHARE` to the printed share repeats the run, because a share always selects the
///   same members.
/// * If neither variable is set, the share is [`DEFAULT_SHARE`]; but with `--ignored` or
///   `--include-ignored`, everything is run.
pub fn share_divisor() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| match (number("UTFLANE_TEST_SHARE"), number("UTFLANE_TEST_SECONDS")) {
        (Some(share), _) => share,
        (None, Some(seconds)) => {
            let share = calibration::share(seconds as f64);
            say(&format!("{seconds} s of tests: this run uses UTFLANE_TEST_SHARE={share}"));
            share
        }
        (None, None)
            if std::env::args().any(|arg| ["--ignored", "--include-ignored"].contains(&&*arg)) =>
        {
            1
        }
        (None, None) => {
            say(&format!(
                "one in {DEFAULT_SHARE} of the long sets; UTFLANE_TEST_SHARE=1 runs everything"
            ));
            DEFAULT_SHARE
        }
    })
}

/// Returns the positive number in an environment variable, if the variable is set.
fn number(variable: &str) -> Option<usize> {
    let value = std::env::var(variable).ok()?;
    let number = value.parse().ok().filter(|&number| number > 0);
    Some(number.unwrap_or_else(|| panic!("{variable}={value}: expected a number from 1")))
}

/// Returns the members of `set` that are to be run: one member in [`share_divisor`]. Prints the
/// share if the environment chose it and it is less than everything.
///
/// All calls from the same line share one counter, as if their sets were one long set. So a small
/// set in a loop is sampled too, with a different member each time. At least one member is run: if
/// the counter reaches none in the first set, the last member of that set is run.
#[track_caller]
pub fn shared<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in(share_divisor(), name, set)
}

/// Like [`subset`], for a set that is small, but takes long under emulators, which run with small
/// shares. The whole set is run unless the share is smaller than the default.
#[track_caller]
pub fn subset_if_slow<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in((share_divisor() / DEFAULT_SHARE).max(1), name, set)
}

/// Returns one member in `share` of `set`, as [`subset`] documents.
#[track_caller]
fn one_in<I: Iterator>(share: usize, name: &str, set: I) -> Subset<I> {
    let caller = Location::caller();
    if share > 1 && share != DEFAULT_SHARE {
        let file = caller.file().rsplit(['/', '\\']).next().unwrap_or_default();
        say(&format!("{file}: {name}, 1 in {share}"));
    }
    // The first member is not selected, because sets often begin with their simplest member.
    let state =
        STATES.with_borrow(|states| states.get(caller).copied()).unwrap_or((share / 2, false));
    Subset { set, share, caller, state }
}

thread_local! {
    /// For each line that calls [`subset`]: the number of members to skip before the next member
    /// that is run, and true if a member has been run.
    static STATES: RefCell<BTreeMap<&'static Location<'static>, (usize, bool)>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The iterator that [`subset`] returns.
struct Subset<I> {
    set: I,
    share: usize,
    caller: &'static Location<'static>,
    /// The number of members to skip, and true if a member has been run.
    state: (usize, bool),
}

impl<I: Iterator> Iterator for Subset<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let (skip, has_run) = &mut self.state;
        let mut last = None;
        for member in &mut self.set {
            if *skip == 0 {
                self.state = (self.share - 1, true);
                return Some(member);
            }
            *skip -= 1;
            last = Some(member);
        }
        let member = last.filter(|_| !*has_run);
        *has_run |= member.is_some();
        member
    }
}

impl<I> Drop for Subset<I> {
    fn drop(&mut self) {
        STATES.with_borrow_mut(|states| states.insert(self.caller, self.state));
    }
}
