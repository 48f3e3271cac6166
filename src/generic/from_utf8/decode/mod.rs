//! Position-parallel decoding of UTF-8: the algorithm that all targets share.
//!
//! A step:
//!
//! 1. Check the step with the [tables of validation](super::check), or with masks.
//! 2. For every byte position at once, compute the code unit that would *end* there, from the byte
//!    and the bytes before it.
//! 3. Find the positions at which a character ends: no continuation byte follows.
//! 4. Keep the units at these positions. A table of shuffle rows squeezes out the others, eight
//!    units at a time.
//! 5. Advance the source by the length of the step, and the output by the number of units.
//!
//! The length of a step is fixed, no branch depends on the mix of scripts, and a step depends on
//! the step before only by the offset in the output. The idea comes from Clausecker and Lemire's
//! AVX-512 transcoder ("Transcoding Unicode characters with AVX-512 instructions", 2023, arXiv
//! 2212.05098), which compresses before it computes the code units.
//!
//! The [`Target`](target::Target) defines the units of a step. The parts:
//!
//! - The fast lane ([`convert`]) decodes whole windows of the source while the output has capacity
//!   for the units of one. It calls no function, so its constants stay in registers.
//! - At both ends of the input, where there is no whole window, a step is a single vector. The last
//!   one ends with the input and overlaps the bytes that have been decoded; their units are written
//!   again, at the same offset. So no step reads or writes beyond the ends, and none needs a padded
//!   copy.
//! - An input shorter than a vector fills the last lanes of one, after zeros that are not kept.
//! - A group of eight units is written at most as many units from the start as its bytes are from
//!   the start of the input. So a capacity of one unit for each byte is enough; with less, a step
//!   goes through a bounce buffer.
//!
//! The scalar reference handles errors, an incomplete sequence at the end of the input, and the end
//! of the output.

pub(crate) mod ascii_prefix;
mod class;
pub(crate) mod convert;
pub(crate) mod decoder;
mod four_byte;
#[cfg(avx512)]
pub(crate) mod medium;
mod runs;
pub(crate) mod short;
pub(super) mod single;
pub(crate) mod sizes;
pub(crate) mod step_input;
pub(crate) mod target;
