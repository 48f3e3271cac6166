//! The counts that an index keeps for each block of a text.

/// The number of bytes between two checkpoints.
pub(crate) const CHECKPOINT_BYTES: usize = 1024;

/// The numbers of code points, UTF-16 units and lines of a block or of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts<N> {
    pub(crate) code_points: N,
    pub(crate) utf16_units: N,
    pub(crate) lines: N,
}
