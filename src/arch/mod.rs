//! The vector operations: the meaning of each, lane by lane, and one file for each instruction set.
//!
//! A vector is made only with a [`Vector::Token`](vector_types::VectorTypes::Token), and a token
//! only where the processor's features have been detected or are known. So a value of the vector
//! type is the proof that its instructions may run, and every operation is safe.
//!
//! [`vector`], [`lanes16`] and [`lanes32`] have the operations that every instruction set has,
//! [`optional`] the operations that some have. The operations that leave out lanes have a default
//! body in the traits, which uses [shuffle rows](left_pack). `tests/` compares every operation with
//! a scalar model.
//!
//! Everything is `#[inline(always)]`, so it is compiled into the functions of each instruction set,
//! which enable its features.

/// Applies intrinsics to operands that exist already. Every module below sees it.
#[cfg(any(vectors = "x86", vectors = "neon"))]
macro_rules! op {
    ($($body:tt)*) => {
        // SAFETY: an operand is a vector of this instruction set or was computed from one, and the
        // first vector was made with its token, which proves the features.
        unsafe { $($body)* }
    };
}

/// True if vector code is compiled. Without optimisation it takes most of the compile time, and
/// beyond ASCII it is about as slow as the scalar reference. The only kernel is then `scalar`, and
/// the code that needs a token (called by `run` and `of_kernel!`) is unreachable: the compiler
/// checks it, and generates no machine code. The unit tests call vector operations at any
/// optimisation level.
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
