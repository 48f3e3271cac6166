//! The peers' sides, in one shape: a function from a source (and into an output) to units written,
//! a count or a verdict.

pub mod code_pages;
#[cfg(feature = "simdutf")]
pub mod cpp;
pub mod owned;
pub mod rust;
pub mod sse42;

pub use crate::rounds::case::FAILED;
