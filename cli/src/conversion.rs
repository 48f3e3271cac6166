//! The parts that all conversions share: the capacity for a chunk's output, and the result.

use crate::finding::Finding;
use crate::input::CHUNK;

/// The capacity for the output of a chunk, in bytes: four bytes for each byte of Latin-1, and four
/// bytes for a character that is carried from the previous chunk.
pub(crate) const OUTPUT_BYTES: usize = 4 * CHUNK + 4;

/// The result of a conversion.
#[derive(Default)]
pub(crate) struct Converted {
    /// The error at which the conversion stopped, if it stopped at an error.
    pub(crate) finding: Option<Finding>,
    /// The number of repairs up to the error, or up to the end of the text.
    pub(crate) repairs: u64,
}
