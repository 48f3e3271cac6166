//! The types that the operations of a vector take and return.

/// A vector that is made only with a token.
pub(crate) trait VectorTypes: Copy {
    /// The proof that the instructions may run.
    type Token: Copy;
    /// A yes or no for each lane. Abstract, since NEON has nothing like a movemask.
    type Mask: Copy;
}
