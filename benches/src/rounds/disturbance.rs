//! Detects other work that runs on the same core.
//!
//! On a core with two hardware threads, another program's thread takes execution units away. This
//! effect is stronger in a virtual machine. It doesn't slow all benchmarked libraries down alike: a
//! library that fills all execution units loses more than a library that waits for its own results,
//! and the ratios of their speeds change by up to a third. Therefore, a short loop that also fills
//! the execution units is timed before and after each sample. If the loop is slower than its best
//! time, the sample is disturbed.

use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

/// The number of iterations of the loop. They take about 10 microseconds.
const ITERATIONS: u64 = 10_000;

/// A core counts as undisturbed if the loop takes at most its best time multiplied by this.
const TOLERANCE: f64 = 1.08;

/// Times the loop and remembers its best time.
pub struct DisturbanceDetector {
    /// The shortest time of the loop so far, in seconds.
    best_time: Cell<f64>,
}

impl DisturbanceDetector {
    /// Times the loop for 100 milliseconds, to find its best time.
    #[must_use]
    pub fn new() -> Self {
        let detector = Self { best_time: Cell::new(f64::INFINITY) };
        let start = Instant::now();
        while start.elapsed().as_millis() < 100 {
            detector.time();
        }
        detector
    }

    /// Runs the loop once and returns its time in seconds.
    pub fn time(&self) -> f64 {
        let start = Instant::now();
        black_box(run_loop(black_box(ITERATIONS)));
        let time = start.elapsed().as_secs_f64();
        self.best_time.set(self.best_time.get().min(time));
        time
    }

    /// Returns true if the core was undisturbed when the loop took `time` seconds, compared with
    /// the best time so far.
    #[must_use]
    pub fn is_undisturbed(&self, time: f64) -> bool {
        time <= self.best_time.get() * TOLERANCE
    }
}

impl Default for DisturbanceDetector {
    fn default() -> Self {
        Self::new()
    }
}

/// Runs six chains of cheap instructions that don't depend on each other, and so fills the
/// execution units.
#[inline(never)]
fn run_loop(iterations: u64) -> u64 {
    let (mut a, mut b, mut c, mut d, mut e, mut f) = (1_u64, 2_u64, 3_u64, 4_u64, 5_u64, 6_u64);
    for i in 0..iterations {
        a = a.rotate_left(5) ^ i;
        b = b.wrapping_add(i ^ 0x55);
        c = c.rotate_left(3) ^ i;
        d = d.wrapping_add(i ^ 3);
        e = e.rotate_left(7).wrapping_add(i);
        f ^= i;
    }
    a ^ b ^ c ^ d ^ e ^ f
}
