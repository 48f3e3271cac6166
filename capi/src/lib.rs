//! utflane as a C library. `include/utflane.h` declares its functions. `include/simdutf_c.h`
//! declares functions with the names of simdutf's C API. The headers document all functions, types
//! and numbers; `tests/headers.py` compares the headers with this crate.
//!
//! A function converts its pointers to slices (`memory.rs`), calls a function of utflane, and
//! returns the result as a struct of numbers (`results.rs`). Only detection allocates memory. No
//! panic unwinds into C: utflane does not panic for any input, the release profile aborts on a
//! panic, and since Rust 1.81 an `extern "C"` function aborts instead of unwinding, in every
//! profile.

#![expect(non_camel_case_types, reason = "the types have their names in C")]
#![expect(clippy::missing_safety_doc, reason = "the headers document the duties of callers")]

mod conversion;
pub mod detection;
pub mod encodings;
pub mod library;
mod memory;
pub mod operations;
mod pairs;
pub mod results;
#[cfg(feature = "simdutf")]
pub mod simdutf;
pub mod stream;
