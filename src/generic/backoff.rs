//! The distance between attempts of a faster path that pays only in some parts of a text.

/// Counts steps between two attempts: one after an attempt that paid, and twice as many as before
/// after one that didn't, up to `STEPS_MAX`.
pub(crate) struct Backoff<const STEPS_MAX: u32> {
    /// Steps since the last attempt.
    steps: u32,
    /// Steps from the last attempt to the next one.
    least: u32,
}

impl<const STEPS_MAX: u32> Backoff<STEPS_MAX> {
    /// The state at the start of a text: the first step is an attempt.
    pub(crate) const START: Self = Self { steps: 0, least: 1 };

    /// Counts a step. Returns true if it is time for an attempt.
    #[inline(always)]
    pub(crate) fn is_over(&mut self) -> bool {
        self.steps += 1;
        self.steps >= self.least
    }

    /// Records an attempt. `paid` is true if it was worthwhile.
    #[inline(always)]
    pub(crate) fn tried(&mut self, paid: bool) {
        *self = Self { steps: 0, least: if paid { 1 } else { STEPS_MAX.min(2 * self.least) } };
    }
}
