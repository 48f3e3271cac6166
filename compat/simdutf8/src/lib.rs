//! The interface of the crate `simdutf8` 0.1.5, implemented with [utflane]. If `[patch.crates-io]`
//! replaces simdutf8 by this package, a program and all its dependencies use utflane without a
//! change.
//!
//! * [`basic::from_utf8`] returns an error without a position.
//! * [`compat::from_utf8`] returns an error with a position and a length, like
//!   [`core::str::Utf8Error`].
//! * With the feature `public_imp`, `basic::imp` and `compat::imp` have functions that validate
//!   with one instruction set. `basic::imp` also has validators for texts in chunks.
//!
//! ```
//! assert_eq!(simdutf8::basic::from_utf8(b"caf\xC3\xA9"), Ok("café"));
//!
//! let error = simdutf8::compat::from_utf8(b"caf\xC3, 5 euros").unwrap_err();
//! assert_eq!((error.valid_up_to(), error.error_len()), (3, Some(1)));
//! ```
//!
//! # Differences
//!
//! * All functions outside `imp` use the active kernel of utflane. The environment variable
//!   `UTFLANE_KERNEL` can name another kernel (feature `std`).
//! * [`basic::from_utf8`] returns at the first error; it does not read the rest of the text.
//! * Without `std`, the target features for which the program is compiled decide the kernel. With
//!   `public_imp`, on x86 and x86-64, the features of the processor decide it at run time (CPUID).
//! * `imp::x86::avx2` uses the AVX2 kernel, which also needs BMI1, BMI2, LZCNT and POPCNT. On a
//!   processor with AVX2 that lacks one of these features, it uses the active kernel. Only
//!   `ChunkedUtf8ValidatorImp` needs no other feature than AVX2.
//! * `imp::x86` and `imp::aarch64` exist only on targets with vector registers, for example not on
//!   `x86_64-unknown-none`.
//!
//! # Features
//!
//! * `std` (default): choice of the kernel at run time, and [`std::error::Error`] for the errors.
//! * `public_imp`: the modules `imp`.
//! * `aarch64_neon`: the modules `imp::aarch64`. NEON is used also without this feature.
//! * `armv7_neon`, `portable_public_imp`: the modules `imp::armv7` and `imp::portable`, as in
//!   simdutf8's development branch. They use the active kernel.
//! * `aarch64_neon_prefetch`, `hints`: accepted, but without effect.
//!
//! [`std::error::Error`]: core::error::Error

#![no_std]

#[cfg(all(feature = "std", feature = "public_imp"))]
extern crate std;

pub mod basic;
pub mod compat;
#[cfg(feature = "public_imp")]
mod instruction_set;
mod short;
