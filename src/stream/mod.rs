//! Streams: text in chunks that are cut anywhere, with the results of the whole text at once.
//!
//! The one-shot code converts a chunk in place. Only the sequence that its end cuts, a few bytes,
//! is carried over. It is joined with the first bytes of the next chunk, and the one-shot code
//! converts these few bytes before the others.

pub mod blocks;
mod carry;
#[cfg(feature = "transcode")]
pub(crate) mod transcoder;
pub(crate) mod validator;
