//! The parts that all conversions share: the buffer for a chunk's output, and the result.

use crate::finding::Finding;
use crate::input::CHUNK;

/// The capacity for the output of a chunk: four bytes for each byte of Latin-1, and a character
/// carried from the chunk before.
pub(crate) const OUTPUT_BYTES: usize = 4 * CHUNK + 4;

/// The result of a conversion.
#[derive(Default)]
pub(crate) struct Converted {
    /// The error at which it stopped, if it did.
    pub(crate) finding: Option<Finding>,
    /// The number of repairs before it.
    pub(crate) repairs: u64,
}
