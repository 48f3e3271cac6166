//! The vector operations: what each does, lane by lane, and a file for each instruction set.
//!
//! A vector is made only with a [`Vector::Token`](vector_types::VectorTypes::Token), and a token is
//! made only if the processor's features have been detected or are known. So a value of the vector
//! type proves that its instructions may run, and every operation is safe.
//!
//! [`vector`], [`lanes16`] and [`lanes32`] define the operations that every instruction set has,
//! and [`optional`] defines the operations that only some have. The operations that drop lanes have
//! a default body in the traits, which uses [shuffle rows](left_pack). `tests/vectors/` compares
//! every operation with a scalar model.
//!
//! Everything is `#[inline(always)]`, so it is compiled into the functions of each instruction set,
//! which enable its features.

/// Calls intrinsics on operands that are vectors already. The macro is visible in every module of
/// this folder.
#[cfg(any(vectors = "x86", vectors = "neon"))]
macro_rules! op {
    ($($body:tt)*) => {
        // SAFETY: each operand is a vector of this instruction set or was computed from one. The
        // first vector was made with its token, which proves the features.
        unsafe { $($body)* }
    };
}

/// True if the build has vector kernels. It is false in builds without optimisation: there, vector
/// code would take most of the compile time, and on text that is not ASCII it would be about as
/// slow as the scalar reference. The only kernel is then `scalar`, and the code that needs a token
/// (called by `run`) is unreachable: the compiler checks this code and generates no machine code
/// for it. In unit tests it is always true, because they call vector operations at any optimisation
/// level.
pub(crate) const HAS_KERNELS: bool = cfg!(any(test, not(unoptimised)));

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
#[path = "../../tests/vectors/mod.rs"]
mod tests;
pub(crate) mod vector;
pub(crate) mod vector_types;
pub(crate) mod window;
