//! The logic of the page: detection, errors with their positions, counts, double encoding, and
//! conversions, each over a file that comes in chunks of any size.
//!
//! [`abi`] is all that JavaScript sees. Everything else is plain Rust, tested on any machine.

pub mod abi;
mod analysis;
mod candidates;
mod conversion;
mod detection;
mod double_encoding;
mod encoding;
mod errors;
mod json;
mod position;
mod segments;
mod state;
