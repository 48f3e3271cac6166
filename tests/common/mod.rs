//! Code shared by all tests and fuzz targets: the oracle, the checks, and texts to run them on.
//!
//! A check takes one input and asserts that every operation returns the oracle's result, on every
//! kernel of `Kernel::available()` and through the free functions. Tests, properties and fuzz
//! targets differ only in the source of their inputs. The oracle ([`oracle`]) is the standard
//! library; nothing in it calls utflane.
//!
//! Texts are handled as bytes here, in any encoding: [`api`] gives every pair of encodings the
//! same shape, so a check is compiled once and runs over all of them.

#![allow(dead_code, reason = "no fuzz target uses everything")]
#![allow(unreachable_pub, reason = "a module of several crates, whole in none")]

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

/// Prints a line past the capture of the test harness, which hides the output of `eprintln!`. Each
/// line is printed only once.
pub fn say(line: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(line.to_owned()) {
        // Nothing can be done if even this fails.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// The share of the long sets that is run by default: one member in `DEFAULT_SHARE`.
///
/// A plain `cargo test` has to end soon, and to find most mistakes. Up to 61, small sets such as
/// those of `one_unit` still run in full.
pub const DEFAULT_SHARE: usize = 61;

/// The share of the long sets of inputs that is run: one member in the returned number.
///
/// A long set is one that is passed to [`shared`]. There are three ways to choose the share:
///
/// * `UTFLANE_TEST_SHARE=61` sets it: one member in 61. `UTFLANE_TEST_SHARE=1` runs everything.
///   Odd numbers make the better shares.
/// * `UTFLANE_TEST_SECONDS=300` computes the share from a measurement of this machine, so all
///   tests take about that many seconds of processor time. The share is printed, and setting it
///   repeats the run: the members of a share are always the same.
/// * Without either it is [`DEFAULT_SHARE`]; or everything where `--ignored` asks for the sets
///   that are long even so.
pub fn share() -> usize {
    static SHARE: OnceLock<usize> = OnceLock::new();
    *SHARE.get_or_init(|| match (number("UTFLANE_TEST_SHARE"), number("UTFLANE_TEST_SECONDS")) {
        (Some(share), _) => share,
        (None, Some(seconds)) => {
            let share = calibration::share(seconds as f64);
            say(&format!("{seconds} s of tests: this run has UTFLANE_TEST_SHARE={share}"));
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

/// The positive number in an environment variable, if it is set.
fn number(variable: &str) -> Option<usize> {
    let value = std::env::var(variable).ok()?;
    let number = value.parse().ok().filter(|&number| number > 0);
    Some(number.unwrap_or_else(|| panic!("{variable}={value}: a number from 1")))
}

/// The share of `set` that is to be run, printed if the environment chose it and it is not all.
///
/// Calls from the same line are one long set, so small sets in loops keep their share too,
/// with a different member each time. At least one member is run: the last of the first set if no
/// other's turn comes.
#[track_caller]
pub fn shared<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in(share(), name, set)
}

/// [`shared`] for a set that is small, but costs much where the share is small: all of it, unless
/// the share is smaller than the default one.
#[track_caller]
pub fn costly<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    one_in((share() / DEFAULT_SHARE).max(1), name, set)
}

/// One member of `set` in `share`, as [`shared`] says.
#[track_caller]
fn one_in<I: Iterator>(share: usize, name: &str, set: I) -> Shared<I> {
    let caller = Location::caller();
    if share > 1 && share != DEFAULT_SHARE {
        let file = caller.file().rsplit(['/', '\\']).next().unwrap_or_default();
        say(&format!("{file}: {name}, 1 in {share}"));
    }
    // Not the first: sets often begin with their simplest member.
    let turn = TURNS.with_borrow(|turns| turns.get(caller).copied()).unwrap_or((share / 2, false));
    Shared { set, share, caller, turn }
}

thread_local! {
    /// For each line that calls [`shared`]: the members until the next that is run, and whether
    /// one has been.
    static TURNS: RefCell<BTreeMap<&'static Location<'static>, (usize, bool)>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The iterator that [`shared`] returns.
struct Shared<I> {
    set: I,
    share: usize,
    caller: &'static Location<'static>,
    turn: (usize, bool),
}

impl<I: Iterator> Iterator for Shared<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let (wait, has_run) = &mut self.turn;
        let mut last = None;
        for member in &mut self.set {
            if *wait == 0 {
                self.turn = (self.share - 1, true);
                return Some(member);
            }
            *wait -= 1;
            last = Some(member);
        }
        let member = last.filter(|_| !*has_run);
        *has_run |= member.is_some();
        member
    }
}

impl<I> Drop for Shared<I> {
    fn drop(&mut self) {
        TURNS.with_borrow_mut(|turns| turns.insert(self.caller, self.turn));
    }
}
