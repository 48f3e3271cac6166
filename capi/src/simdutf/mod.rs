//! The functions of `simdutf_c.h`, with simdutf's names and results, implemented with utflane:
//! simdutf's C API, and the functions that simdutf has only in C++. Base64 is omitted.
//!
//! Two things differ from the functions of `utflane.h`. First, an output has no capacity parameter:
//! a caller guarantees the capacity that the length functions return, and `convert.rs` never writes
//! beyond the result. Second, errors have simdutf's codes: a character that Latin-1 lacks is
//! "too large".

mod convert;
pub mod detect;
pub mod forms;
pub mod functions;
pub mod types;
mod validate;
