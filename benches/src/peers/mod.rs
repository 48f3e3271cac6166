//! The peers' sides, in one shape: a function from a source (and into an output) to units written,
//! a count or a verdict.

#[cfg(feature = "simdutf")]
pub mod cpp;
pub mod owned;
pub mod rust;
pub mod sse42;

/// The result of a conversion that met an error. No text is that long.
pub const FAILED: usize = usize::MAX;
