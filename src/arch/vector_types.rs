//! The types that the operations of a vector take and return.

/// A vector that only code with a token can make.
pub(crate) trait VectorTypes: Copy {
    /// A token that exists only if the processor has the instructions.
    type Token: Copy;
    /// True or false for each lane. The type is abstract, because NEON has no instruction like
    /// `movemask`.
    type Mask: Copy;
}
