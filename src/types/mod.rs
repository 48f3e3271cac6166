//! Data types that every layer uses.

#[cfg(all(feature = "alloc", feature = "count"))]
pub(crate) mod counts;
pub(crate) mod error;
#[cfg(feature = "count")]
pub(crate) mod policy;
#[cfg(feature = "count")]
pub(crate) mod position;
pub(crate) mod progress;
pub(crate) mod summary;
#[cfg(feature = "columns")]
pub(crate) mod views;
