//! Conversions that never fail: they repair ill-formed sequences and unmappable characters, and
//! count the repairs.

#[cfg(feature = "transcode")]
pub(crate) mod lengths;
#[cfg(feature = "transcode")]
pub(crate) mod operations;
pub(crate) mod plan;
mod substitute;
