//! The functions of simdutf's C API (`simdutf_c.h`), by its names and with its results, over this
//! library. Base64 is left out.
//!
//! Two things differ from the functions of `utflane.h`. An output has no capacity: a caller
//! promises what the length functions return (`convert.rs` writes no byte more). And errors have
//! simdutf's codes, where a character that Latin-1 lacks is too large.

mod convert;
pub mod detect;
pub mod find;
pub mod forms;
pub mod functions;
mod repair;
pub mod types;
mod validate;
