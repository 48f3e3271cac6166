//! The interface of the crate `simdutf8` 0.1.5, implemented over [utflane]: for
//! `[patch.crates-io]`, so that a program and all its dependencies use utflane without a change.
//!
//! * [`basic::from_utf8`] returns an error without a position.
//! * [`compat::from_utf8`] returns an error with the position and the length of
//!   [`core::str::Utf8Error`].
//! * With the feature `public_imp`, `basic::imp` and `compat::imp` have the same for one
//!   instruction set, and validators of streams.
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
//! * The kernel is the active one of utflane. The environment variable `UTFLANE_KERNEL` can name
//!   another (feature `std`).
//! * [`basic::from_utf8`] returns at the first error; it doesn't read the rest of the text.
//! * Without `std`, the kernel is chosen by the features that the program is compiled for. With
//!   `public_imp`, it is chosen by the processor's own account of its features (on x86 and x86-64).
//! * Except for the validators of blocks, `imp::x86::avx2` needs BMI1, BMI2, LZCNT and POPCNT for
//!   the kernel of AVX2. On a processor that has AVX2 without them, it uses the active kernel.
//! * `imp::x86` and `imp::aarch64` are there for targets with vector registers only: not for
//!   `x86_64-unknown-none` and its like.
//!
//! # Features
//!
//! * `std` (default): detection at run time, [`std::error::Error`] for the errors.
//! * `public_imp`: the modules `imp`.
//! * `aarch64_neon`: the modules `imp::aarch64`. NEON is used with and without it.
//! * `aarch64_neon_prefetch`, `hints`: accepted, without effect.
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
