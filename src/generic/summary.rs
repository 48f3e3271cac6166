//! UTF-8 summed up: the [validation](super::utf8), and a few sums that go along with it. ASCII adds nothing to them, so it
//! costs no more than validation does.

use super::count;
use super::utf8::{STRIDE, TOGETHER, Watch, check_with, locate};
use crate::Kernel;
use crate::arch::Vector;
use crate::arch::window::STEP;
use crate::utf8::Summary;

/// Validates and counts `src`; in ill-formed text, on `kernel`.
#[inline(always)]
pub(crate) fn summary<V: Vector>(token: V::Token, kernel: Kernel, src: &[u8]) -> Summary {
    let len = src.len();
    let mut tally = Tally::<V>::new(token);
    if let Err(error) = check_with(token, src, &mut tally).or_else(|known| locate(src, known)) {
        return Summary::ill_formed(kernel, src, error);
    }
    tally.sum_up();
    let code_points = len - tally.continuations;
    Summary::well_formed(len, code_points, code_points + tally.fours, tally.fits_latin1())
}

/// Calls of [`Watch::tested`] after which lanes are summed up, before they are full.
const TESTS: usize = 6;
const _: () = assert!((STEP + TESTS * TOGETHER + STRIDE) / 16 < 255);

/// What goes along with the validation.
struct Tally<V: Vector> {
    token: V::Token,
    /// Continuation bytes, by lane.
    lane_continuations: V,
    /// Bytes from F0 on, by lane.
    lane_fours: V,
    /// The largest byte, by lane. Well-formed text has its large bytes at the front of its large characters.
    largest: V,
    /// Tests since lanes were summed up.
    tests: usize,
    continuations: usize,
    fours: usize,
}

impl<V: Vector> Tally<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        let zero = V::splat(token, 0);
        Self {
            token,
            lane_continuations: zero,
            lane_fours: zero,
            largest: zero,
            tests: 0,
            continuations: 0,
            fours: 0,
        }
    }

    /// Empties the lanes into the sums.
    #[inline(always)]
    fn sum_up(&mut self) {
        self.continuations += V::sum(&[self.lane_continuations]) as usize;
        self.fours += V::sum(&[self.lane_fours]) as usize;
        self.lane_continuations = V::splat(self.token, 0);
        self.lane_fours = V::splat(self.token, 0);
        self.tests = 0;
    }

    /// Whether no lead byte was above C3, that of U+00C0..=U+00FF.
    #[inline(always)]
    fn fits_latin1(&self) -> bool {
        !self.largest.saturating_sub(V::splat(self.token, 0xC3)).any()
    }
}

impl<V: Vector> Watch<V> for Tally<V> {
    #[inline(always)]
    fn see(&mut self, bytes: V) {
        let continuation = count::continuation(bytes);
        let four = count::four(self.token, bytes);
        self.lane_continuations = self.lane_continuations.wrapping_sub(continuation);
        self.lane_fours = self.lane_fours.wrapping_sub(four);
        self.largest = self.largest.max(bytes);
    }

    #[inline(always)]
    fn tested(&mut self) {
        self.tests += 1;
        if self.tests == TESTS {
            self.sum_up();
        }
    }

    #[inline(always)]
    fn rest(&mut self, src: &[u8], mut at: usize) {
        while at + V::LANES <= src.len() {
            self.see(V::load(self.token, src, at));
            at += V::LANES;
        }
        // The last vector ends with the input; what it sees again is masked.
        let tail = V::load(self.token, src, src.len() - V::LANES);
        self.see(tail.and(count::last::<V>(self.token, src.len() - at)));
    }
}
