//! What all tests and fuzz targets share: the oracle, the checks, and texts to run them on.
//!
//! A check takes one input and asserts that every verb gives what the oracle says, on every kernel of
//! `Kernel::available()` and through the free functions. Tests, properties and fuzz targets differ only in where their
//! inputs come from. The oracle ([`oracle`]) is the standard library; nothing in it calls utflane.
//!
//! Texts are handled as bytes here, whatever their encoding: [`face`] gives every pair of encodings the same shape, so
//! that a check is compiled once and runs over all of them.

#![allow(dead_code, reason = "no fuzz target uses everything")]
#![allow(unreachable_pub, reason = "a module of several crates, whole in none")]

pub mod carriers;
pub mod cases;
pub mod checks;
pub mod corpus;
pub mod detect;
pub mod face;
#[cfg(unix)]
pub mod guard;
pub mod io;
pub mod legacy;
pub mod lossy;
pub mod lossy_face;
pub mod mojibake;
pub mod oracle;
#[cfg(target_os = "linux")]
pub mod pages;
pub mod places;
pub mod relatives;
pub mod repair;
pub mod streams;
pub mod strings;
pub mod text;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

/// Says something aloud: past the capture of the test harness, which hides what `eprintln!` prints. The same only once.
pub fn say(line: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(line.to_owned()) {
        // Nothing to do if even this fails.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// `UTFLANE_TEST_SHARE`: of the large sets of inputs, one in so many is run. 1, which is everything, if it is not set.
///
/// For emulated processors and sanitizers, which are 5 to 20 times slower. Odd numbers make the better shares.
pub fn share() -> usize {
    match std::env::var("UTFLANE_TEST_SHARE") {
        Ok(share) => {
            share.parse().ok().filter(|&n| n > 0).expect("UTFLANE_TEST_SHARE: a number from 1")
        }
        Err(_) => 1,
    }
}

/// The share of `set` that is to be run, said aloud if it is not all.
///
/// Calls from the same place are one long set, so that small sets in loops keep their share too, and a different member each
/// time. At least one member is run, the last of the first set if no other's turn comes.
#[track_caller]
pub fn shared<I: Iterator>(name: &str, set: I) -> impl Iterator<Item = I::Item> + use<I> {
    let share = share();
    if share > 1 {
        say(&format!("{name}: 1 in {share}, as UTFLANE_TEST_SHARE says"));
    }
    let place = Location::caller();
    // Not the first: sets often begin with their simplest member.
    let turn = TURNS.with_borrow(|turns| turns.get(place).copied()).unwrap_or((share / 2, false));
    Shared { set, share, place, turn }
}

thread_local! {
    /// Of each place that calls [`shared`]: members until the next that is run, and whether one has been.
    static TURNS: RefCell<BTreeMap<&'static Location<'static>, (usize, bool)>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// What [`shared`] gives.
struct Shared<I> {
    set: I,
    share: usize,
    place: &'static Location<'static>,
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
        TURNS.with_borrow_mut(|turns| turns.insert(self.place, self.turn));
    }
}
