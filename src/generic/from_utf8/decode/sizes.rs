//! The sizes of inputs, steps and groups that decoding distinguishes.

use crate::arch::window::STEP;

/// Inputs of at most this many bytes have separate code, without a fast lane.
pub(crate) const SHORT_MAX_BYTES: usize = 64;

/// Inputs of less than this many bytes have separate code, with vectors of 16 lanes.
pub(crate) const SHORT_MIN_BYTES: usize = 16;

/// The largest number of vectors in a step.
pub(crate) const STEP_VECTORS_MAX: usize = STEP / 16;

/// `LONGEST` of a step without characters of more than two bytes. The code of a step is compiled
/// for each of the three.
pub(crate) const UP_TO_TWO_BYTES: usize = 2;
/// `LONGEST` of a step without four-byte characters.
pub(crate) const UP_TO_THREE_BYTES: usize = 3;
/// `LONGEST` of a step with any characters.
pub(crate) const UP_TO_FOUR_BYTES: usize = 4;

/// Units that are written together.
pub(crate) const GROUP_UNITS: usize = 8;

/// Bytes of output of a single vector, in the largest units.
pub(crate) const SINGLE_OUTPUT_BYTES: usize = 4 * (64 + GROUP_UNITS);
