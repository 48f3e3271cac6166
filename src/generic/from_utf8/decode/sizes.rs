//! The sizes of inputs, steps and groups for the decoding of UTF-8.

use crate::arch::window::STEP;

/// The maximum length, in bytes, of inputs that are handled by separate code, without the fast
/// loop.
pub(crate) const SHORT_MAX_BYTES: usize = 64;

/// Inputs shorter than this number of bytes are handled by separate code, with vectors of 16 lanes.
pub(crate) const SHORT_MIN_BYTES: usize = 16;

/// The number of bytes in the smallest vectors.
const VECTOR_MIN_BYTES: usize = 16;

/// The largest number of vectors in a step, which has 64 bytes: the smallest vectors have 16 bytes.
pub(crate) const STEP_VECTORS_MAX: usize = STEP / VECTOR_MIN_BYTES;

/// The value of `LONGEST` for a step without characters of more than two bytes. The code of a step
/// is compiled for each of the three values.
pub(crate) const UP_TO_TWO_BYTES: usize = 2;
/// The value of `LONGEST` for a step without four-byte characters.
pub(crate) const UP_TO_THREE_BYTES: usize = 3;
/// The value of `LONGEST` for a step with any characters.
pub(crate) const UP_TO_FOUR_BYTES: usize = 4;

/// The number of units that are written together.
pub(crate) const GROUP_UNITS: usize = 8;

/// The largest number of output bytes that the conversion of one vector may touch, with units of
/// four bytes.
pub(crate) const VECTOR_OUTPUT_BYTES: usize = 4 * (64 + GROUP_UNITS);
