//! Results for a few bytes, without a kernel: small enough to be inlined into the caller.

pub(crate) mod latin1;
#[cfg(feature = "transcode")]
pub(crate) mod native;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf8;
