//! The encodings as types and as values, and code units viewed as bytes.

#[cfg(feature = "alloc")]
pub(crate) mod buffer;
#[cfg(feature = "transcode")]
pub(crate) mod output;
pub(crate) mod scheme;
pub(crate) mod types;
pub(crate) mod unit;
pub(crate) mod view;
