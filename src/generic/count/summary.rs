//! The summary of UTF-8: the [validation](crate::generic::from_utf8::check) with an observer that
//! counts.
//!
//! 1. For each vector that the validation loads, subtract the masks of continuation bytes and of
//!    bytes of 0xF0 or above from two vectors of sums, and keep the largest byte of each lane.
//!    ASCII adds nothing, so the validation does not pass ASCII to the observer.
//! 2. After several tests for errors, add the lanes to the totals, before a lane can overflow.
//! 3. At the end, compute the counts from the totals. Latin-1 can represent the text if the largest
//!    byte is at most 0xC3.

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::count::utf8::{Continuations, FourByte, negated_weights};
use crate::generic::edge_lanes;
use crate::generic::from_utf8::check::{
    ERROR_TEST_BYTES, Observer, STRIDE_BYTES, check_with, locate,
};
use crate::types::error::Error;
use crate::types::summary::Summary;

/// Validates and counts `src`. `ill_formed` returns the summary of a text with an error.
#[inline(always)]
pub(crate) fn summary<V: Vector>(
    token: V::Token,
    src: &[u8],
    ill_formed: impl FnOnce(Error) -> Summary,
) -> Summary {
    let len = src.len();
    let mut tally = Tally::<V>::new(token);
    if let Err(error) = check_with(token, src, &mut tally).or_else(|known| locate(src, known)) {
        return ill_formed(error);
    }
    tally.sum_up();
    let code_points = len - tally.continuations;
    Summary::well_formed(len, code_points, code_points + tally.four_byte, tally.fits_latin1())
}

/// The number of calls of [`Observer::tested`] after which the lanes are summed, before they can
/// overflow.
const TESTS_PER_SUM: usize = 6;
const _: () = assert!((TESTS_PER_SUM * (ERROR_TEST_BYTES + STEP) + STRIDE_BYTES) / 16 < 255);

/// The counts, as an observer of the validation.
struct Tally<V: Vector> {
    token: V::Token,
    /// The number of continuation bytes, by lane.
    lane_continuations: V,
    /// The number of bytes of 0xF0 or above, by lane.
    lane_four_byte: V,
    /// The largest byte, by lane. In well-formed text, a larger character never has a smaller lead
    /// byte.
    largest: V,
    /// The number of tests since the lanes were last summed.
    tests: usize,
    /// The number of continuation bytes that have been summed.
    continuations: usize,
    /// The number of bytes of 0xF0 or above that have been summed.
    four_byte: usize,
}

impl<V: Vector> Tally<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        let zero = V::splat(token, 0);
        Self {
            token,
            lane_continuations: zero,
            lane_four_byte: zero,
            largest: zero,
            tests: 0,
            continuations: 0,
            four_byte: 0,
        }
    }

    /// Adds the lanes to the totals, and clears the lanes.
    #[inline(always)]
    fn sum_up(&mut self) {
        self.continuations += V::sum(&[self.lane_continuations]) as usize;
        self.four_byte += V::sum(&[self.lane_four_byte]) as usize;
        self.lane_continuations = V::splat(self.token, 0);
        self.lane_four_byte = V::splat(self.token, 0);
        self.tests = 0;
    }

    /// Returns true if no byte was above 0xC3, which is the lead byte of U+00C0..=U+00FF.
    #[inline(always)]
    fn fits_latin1(&self) -> bool {
        !self.largest.saturating_sub(V::splat(self.token, 0xC3)).any()
    }
}

impl<V: Vector> Observer<V> for Tally<V> {
    #[inline(always)]
    fn observe(&mut self, bytes: V) {
        let continuation = negated_weights::<V, Continuations>(self.token, bytes);
        let four = negated_weights::<V, FourByte>(self.token, bytes);
        self.lane_continuations = self.lane_continuations.wrapping_sub(continuation);
        self.lane_four_byte = self.lane_four_byte.wrapping_sub(four);
        self.largest = self.largest.max(bytes);
    }

    #[inline(always)]
    fn tested(&mut self) {
        self.tests += 1;
        if self.tests == TESTS_PER_SUM {
            self.sum_up();
        }
    }

    #[inline(always)]
    fn observe_tail(&mut self, src: &[u8], mut at: usize) {
        while at + V::LANES <= src.len() {
            self.observe(V::load(self.token, src, at));
            at += V::LANES;
        }
        // The last vector ends at the end of the input. A mask clears the bytes that have already
        // been counted.
        let tail = V::load(self.token, src, src.len() - V::LANES);
        self.observe(tail.and(edge_lanes::last_lanes::<V>(self.token, src.len() - at)));
    }
}
