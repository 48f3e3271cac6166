//! When to try something again that pays in some stretches of a text only.

/// Counts steps between two attempts: one after an attempt that paid, and twice as many as before
/// after one that didn't, up to `STEPS_MAX`.
pub(crate) struct Backoff<const STEPS_MAX: u32> {
    /// Steps since the last attempt.
    steps: u32,
    /// Steps that the next attempt needs.
    least: u32,
}

impl<const STEPS_MAX: u32> Backoff<STEPS_MAX> {
    /// The first step brings an attempt.
    pub(crate) const START: Self = Self { steps: 0, least: 1 };

    /// Counts a step. Returns true if it is time for an attempt.
    #[inline(always)]
    pub(crate) fn is_over(&mut self) -> bool {
        self.steps += 1;
        self.steps >= self.least
    }

    /// Records an attempt, and whether it paid.
    #[inline(always)]
    pub(crate) fn tried(&mut self, paid: bool) {
        *self = Self { steps: 0, least: if paid { 1 } else { STEPS_MAX.min(2 * self.least) } };
    }
}
