//! The functions of the peers, all in one form: the arguments are a source and, for conversions, an
//! output. The result is the number of written units, a count or a `bool`.

pub mod code_pages;
#[cfg(feature = "simdutf")]
pub mod cpp;
pub mod owned;
pub mod rust;
pub mod sse42;

pub use crate::rounds::case::FAILED;
