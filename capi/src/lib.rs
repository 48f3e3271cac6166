//! utflane as a C library: `include/utflane.h`, which cbindgen writes from this crate, and
//! `include/simdutf_c.h`, the names of simdutf's C API.
//!
//! A function makes slices of its pointers (`memory.rs`), calls the function of the library, and
//! returns its result as a struct of numbers (`results.rs`). Nothing is allocated. Nothing unwinds
//! into C: the library does not panic for any input, the profile aborts, and since Rust 1.81 an
//! `extern "C"` function aborts where a panic would leave it, however it was compiled.
//!
//! `generate.py` writes the functions that exist for each encoding and pair (`named/`), and those
//! of simdutf, since cbindgen does not see what macros make.

#![expect(non_camel_case_types, reason = "the names in C")]
#![expect(clippy::missing_safety_doc, reason = "the header has the contract of all pointers")]

pub mod any;
pub mod detection;
pub mod encodings;
pub mod forms;
pub mod library;
mod memory;
pub mod named;
pub mod results;
/// cbindgen:ignore
#[cfg(feature = "simdutf")]
pub mod simdutf;
pub mod stream;
pub mod summary;
