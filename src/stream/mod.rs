//! Streams: text in chunks that may end anywhere, with the same results as the whole text.
//!
//! 1. The one-shot code converts the whole characters of a chunk.
//! 2. An incomplete sequence at the end of the chunk, a few bytes, is carried over.
//! 3. It is joined with the first bytes of the next chunk, and the one-shot code converts these
//!    bytes before the others.

pub mod blocks;
mod carry;
#[cfg(feature = "transcode")]
pub(crate) mod transcoder;
pub(crate) mod validator;
