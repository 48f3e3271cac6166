//! The functions of simdutf's C API (`simdutf_c.h`), with its names and results, implemented with
//! this library. Base64 is omitted.
//!
//! Two things differ from the functions of `utflane.h`. An output has no capacity parameter: a
//! caller guarantees the length that the length functions return (`convert.rs` writes no byte
//! more). And errors have simdutf's codes: a character that Latin-1 lacks is too large.

mod convert;
pub mod detect;
pub mod find;
pub mod forms;
pub mod functions;
mod repair;
pub mod types;
mod validate;
