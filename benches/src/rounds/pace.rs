//! Checks if no other work runs on the core.
//!
//! On a processor with two threads a core, and even more in a virtual machine, another program's
//! thread on the same core takes execution units away. That doesn't slow all contenders down alike:
//! a contender that fills all units loses more than one that waits for its own results, and ratios
//! shift by a third. So a short loop that fills the units too is timed beside each sample; where
//! the loop is slower than its best time, so is everything else.

use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

/// Repetitions of the loop: some ten microseconds.
const TURNS: u64 = 10_000;

/// The ratio to the loop's best time up to which a core counts as undisturbed.
const TOLERANCE: f64 = 1.08;

/// The loop's best time so far.
pub struct Pace {
    best: Cell<f64>,
}

impl Pace {
    /// Searches for the best time for a moment.
    #[must_use]
    pub fn new() -> Self {
        let pace = Self { best: Cell::new(f64::INFINITY) };
        let start = Instant::now();
        while start.elapsed().as_millis() < 100 {
            pace.time();
        }
        pace
    }

    /// The time of the loop now.
    pub fn time(&self) -> f64 {
        let start = Instant::now();
        black_box(fill_units(black_box(TURNS)));
        let time = start.elapsed().as_secs_f64();
        self.best.set(self.best.get().min(time));
        time
    }

    /// Returns true if a time was measured on an undisturbed core, judged by the best time so far.
    #[must_use]
    pub fn is_quiet(&self, time: f64) -> bool {
        time <= self.best.get() * TOLERANCE
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new()
    }
}

/// Six chains of cheap instructions that don't wait for each other.
#[inline(never)]
fn fill_units(turns: u64) -> u64 {
    let (mut a, mut b, mut c, mut d, mut e, mut f) = (1_u64, 2_u64, 3_u64, 4_u64, 5_u64, 6_u64);
    for i in 0..turns {
        a = a.rotate_left(5) ^ i;
        b = b.wrapping_add(i ^ 0x55);
        c = c.rotate_left(3) ^ i;
        d = d.wrapping_add(i ^ 3);
        e = e.rotate_left(7).wrapping_add(i);
        f ^= i;
    }
    a ^ b ^ c ^ d ^ e ^ f
}
