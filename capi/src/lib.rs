//! utflane as a C library: `include/utflane.h`, and `include/simdutf_c.h` with the names of
//! simdutf's C API. The headers document all functions, types and numbers; `tests/headers.py`
//! compares them with this crate.
//!
//! A function makes slices of its pointers (`memory.rs`), calls the function of the library, and
//! returns its result as a struct of numbers (`results.rs`). Nothing is allocated. Nothing unwinds
//! into C: the library does not panic for any input, the profile aborts, and since Rust 1.81 an
//! `extern "C"` function aborts where a panic would leave it, however it was compiled.

#![expect(non_camel_case_types, reason = "the names in C")]
#![expect(clippy::missing_safety_doc, reason = "the header has the contract of all pointers")]

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
