//! The vector operations: the meaning of each, lane by lane, and one file for each instruction set.
//!
//! A vector is made only with a [`Vector::Token`](vector_types::VectorTypes::Token), and a token
//! only where the processor's features have been detected or are known. So a value of the vector
//! type is the proof that its instructions may run, and every operation is safe.
//!
//! [`vector`], [`lanes16`] and [`lanes32`] are the operations that every set has; [`optional`] are
//! those of some sets. Words that leave out lanes have a body in the traits, for the sets that do
//! it by [rows](left_pack) of a table. `tests/` compares every operation with a plain model.
//!
//! Everything is `#[inline(always)]` and melts into the one function of each instruction set that
//! has its features.

/// Applies intrinsics to operands that exist already. Every module below sees it.
#[cfg(any(vectors = "x86", vectors = "neon"))]
macro_rules! op {
    ($($body:tt)*) => {
        // SAFETY: an operand is a vector of the set or was computed from one, and the first vector
        // was made with the token of the set, which proves the features.
        unsafe { $($body)* }
    };
}

/// True if vector code is compiled. Without optimisation it takes most of the time of compiling,
/// and beyond ASCII it is about as slow as the scalar reference. So the list of kernels is `scalar`
/// alone there, and what is called with a token (by `run`, and by `of_kernel!`) is unreachable: the
/// compiler checks it, and generates no machine code. The unit tests call vector operations at any
/// level.
pub(crate) const IS_COMPILED: bool = cfg!(any(test, not(unoptimised)));

#[cfg(vectors = "x86")]
pub(crate) mod avx2;
#[cfg(avx512)]
pub(crate) mod avx512;
#[cfg(avx512)]
pub(crate) mod avx512x2;
#[cfg(vectors = "x86")]
#[cfg(any(all(feature = "std", test), all(feature = "cpuid", not(feature = "std"))))]
pub(crate) mod cpuid;
pub(crate) mod hint;
pub(crate) mod lanes16;
pub(crate) mod lanes32;
pub(crate) mod left_pack;
#[cfg(vectors = "neon")]
pub(crate) mod neon;
pub(crate) mod optional;
#[cfg(vectors = "simd128")]
pub(crate) mod simd128;
#[cfg(vectors = "x86")]
pub(crate) mod sse42;
#[cfg(all(test, feature = "std", not(vectors = "none")))]
mod tests;
pub(crate) mod vector;
pub(crate) mod vector_types;
pub(crate) mod window;
