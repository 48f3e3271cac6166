//! The counts that an index keeps for each block of a text.

/// Bytes between two checkpoints.
pub(crate) const CHECKPOINT_BYTES: usize = 1024;

/// Counts of a block or of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts<N> {
    pub(crate) code_points: N,
    pub(crate) utf16_units: N,
    pub(crate) lines: N,
}
