//! The number of steps between two attempts at a faster path that saves time only in some parts of
//! a text.

/// Counts the steps between two attempts. After an attempt that saved time, the distance to the
/// next attempt is one step. After any other attempt, the distance is doubled, up to `STEPS_MAX`
/// steps.
pub(crate) struct Backoff<const STEPS_MAX: u32> {
    /// The number of steps since the last attempt.
    steps: u32,
    /// The number of steps from the last attempt to the next one.
    distance: u32,
}

impl<const STEPS_MAX: u32> Backoff<STEPS_MAX> {
    /// The state at the start of a text: the first step is an attempt.
    pub(crate) const START: Self = Self { steps: 0, distance: 1 };

    /// Counts a step. Returns true if this step is to be an attempt.
    #[inline(always)]
    pub(crate) fn is_over(&mut self) -> bool {
        self.steps += 1;
        self.steps >= self.distance
    }

    /// Records an attempt. `saved_time` is true if the attempt was worthwhile.
    #[inline(always)]
    pub(crate) fn tried(&mut self, saved_time: bool) {
        *self = Self {
            steps: 0,
            distance: if saved_time { 1 } else { STEPS_MAX.min(2 * self.distance) },
        };
    }
}
