//! Position-parallel decoding of UTF-8: the algorithm that all targets share.
//!
//! For every byte position at once, the code unit that would *end* there is computed from the byte
//! and those before it. Then the units at positions where a character really ends are kept, and the
//! others are squeezed out by a table of shuffle rows, eight units at a time. The stride is fixed,
//! no branch depends on the mix of scripts, and only the place to write to is carried from step to
//! step. The idea is that of Clausecker and Lemire's AVX-512 transcoder ("Transcoding Unicode
//! characters with AVX-512 instructions", 2023, arXiv 2212.05098), but here the code units are
//! computed before they are compressed instead of after.
//!
//! The [`Target`](target::Target) defines the units of a step. The parts:
//!
//! - The fast lane ([`convert`]) takes whole windows of the source while the output has room for
//!   the units of one. It calls no function, so its constants stay in registers.
//! - At both ends of the input, where there is no whole window, a step is a single vector. The last
//!   one ends with the input and overlaps the bytes that have been decoded; their units are written
//!   again, to the same place. So no step reads or writes beyond the ends, and none needs a padded
//!   copy.
//! - An input shorter than a vector fills the last lanes of one, after zeros that are not kept. As
//!   in all steps, a group of eight units is written at most as far along as the bytes it comes
//!   from, so that room for one unit per byte is enough.
//! - A step goes through a bounce buffer only if the output has less room than that.
//!
//! The scalar reference handles errors, a sequence that the input cuts off, and the end of the
//! output.

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
