//! Position-parallel decoding of UTF-8: the algorithm that all targets share.
//!
//! A step has five parts:
//!
//! 1. Check the step with the [tables of validation](super::check), or with masks.
//! 2. For every byte position at once, compute the code unit that would *end* there, from the byte
//!    and the bytes before it.
//! 3. Find the positions at which a character ends: no continuation byte follows.
//! 4. Keep the units at these positions. Shuffle rows from a table remove the other units, eight
//!    units at a time.
//! 5. Advance the source by the length of the step, and the output by the number of units.
//!
//! The length of a step is fixed. No branch depends on the mix of scripts. A step depends on the
//! step before only because its output begins where the output of that step ends. The idea comes
//! from Clausecker and Lemire's AVX-512 transcoder ("Transcoding Unicode characters with AVX-512
//! instructions", 2023, arXiv 2212.05098), which compresses before it computes the code units.
//!
//! The [`Target`](target::Target) defines the units of a step. A text is converted as follows:
//!
//! - The fast loop (`fast_loop` in [`convert`]) decodes whole windows of the source while the
//!   output has capacity for the units of a window. It calls no function, so its constants stay in
//!   registers.
//! - At the start and at the end of the input, where there is no whole window, a step is a single
//!   vector. The last vector ends with the input and overlaps bytes that have been decoded; their
//!   units are written again, at the same offset. So no step reads or writes out of bounds, and no
//!   step needs a padded copy.
//! - An input shorter than a vector fills the last lanes of a vector. The lanes before it are
//!   zeros, whose units are not kept.
//! - The output index of a group of eight units is never larger than the input index of its bytes.
//!   So a capacity of one unit for each byte is enough. With less capacity, a step writes to a
//!   bounce buffer.
//!
//! The scalar reference handles errors, an incomplete sequence at the end of the input, and an
//! output that is full.

pub(crate) mod ascii_prefix;
mod class;
pub(crate) mod convert;
pub(crate) mod decoder;
#[cfg(avx512)]
pub(crate) mod masked;
#[cfg(avx512)]
mod medium;
pub(crate) mod short;
pub(super) mod single;
pub(crate) mod sizes;
pub(crate) mod step_input;
pub(crate) mod target;
