//! Streams: texts in chunks that may end anywhere. The results are the results for the whole text.
//!
//! 1. The one-shot code converts the complete characters of a chunk.
//! 2. An incomplete sequence at the end of the chunk, a few bytes, is carried over to the next
//!    chunk.
//! 3. The carried bytes are joined with the first bytes of the next chunk. The one-shot code
//!    converts the joined bytes, and then the rest of the chunk.

pub mod blocks;
mod carry;
#[cfg(feature = "transcode")]
pub(crate) mod transcoder;
pub(crate) mod validator;
