//! Conversions that never fail: they repair ill-formed sequences and unmappable characters, and
//! count the repairs.

#[cfg(feature = "transcode")]
pub(crate) mod lengths;
#[cfg(feature = "transcode")]
pub(crate) mod operations;
#[cfg(feature = "code-pages")]
pub(crate) mod page;
pub(crate) mod plan;
