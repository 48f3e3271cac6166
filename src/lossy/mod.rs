//! Conversions that never fail: they repair ill-formed sequences and unmappable characters, and
//! count the repairs.

mod few;
#[cfg(feature = "transcode")]
pub(crate) mod lengths;
pub(crate) mod plan;
mod shared;
#[cfg(feature = "transcode")]
pub(crate) mod verbs;
