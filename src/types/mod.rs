//! Plain data that every floor uses.

#[cfg(feature = "alloc")]
pub(crate) mod counts;
pub(crate) mod error;
pub(crate) mod policy;
pub(crate) mod position;
pub(crate) mod progress;
pub(crate) mod summary;
