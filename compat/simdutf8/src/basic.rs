//! Validation whose errors have no position.

pub(crate) mod error;
#[cfg(feature = "public_imp")]
pub(crate) mod validator;

use utflane::{Utf8, is_valid};

pub use self::error::Utf8Error;
use crate::short::{self, SHORT_MAX_BYTES};

/// Validates `input`, and returns it as `&str` without a copy.
///
/// # Errors
///
/// Returns an error if `input` is not well-formed UTF-8.
///
/// ```
/// use simdutf8::basic::{Utf8Error, from_utf8};
///
/// assert_eq!(from_utf8("5 €".as_bytes()), Ok("5 €"));
/// assert_eq!(from_utf8(b"5 \xE2\x82"), Err(Utf8Error));
/// ```
#[inline]
pub fn from_utf8(input: &[u8]) -> Result<&str, Utf8Error> {
    if input.len() <= SHORT_MAX_BYTES {
        return short::from_utf8(input).ok_or(Utf8Error);
    }
    if !is_valid::<Utf8>(input) {
        return Err(Utf8Error);
    }
    // SAFETY: `input` has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked(input) })
}

/// Validates `input`, and returns it as `&mut str` without a copy.
///
/// # Errors
///
/// Returns an error if `input` is not well-formed UTF-8.
///
/// ```
/// let mut bytes = *b"shout";
/// simdutf8::basic::from_utf8_mut(&mut bytes)?.make_ascii_uppercase();
/// assert_eq!(&bytes, b"SHOUT");
/// # Ok::<(), simdutf8::basic::Utf8Error>(())
/// ```
#[inline]
pub fn from_utf8_mut(input: &mut [u8]) -> Result<&mut str, Utf8Error> {
    if !is_valid::<Utf8>(input) {
        return Err(Utf8Error);
    }
    // SAFETY: `input` has just been validated.
    Ok(unsafe { core::str::from_utf8_unchecked_mut(input) })
}

/// Validation with one instruction set, of complete texts and of texts in chunks.
#[cfg(feature = "public_imp")]
pub mod imp {
    pub use super::validator::{ChunkedUtf8Validator, Utf8Validator};

    /// The instruction sets of x86 and x86-64.
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(target_feature = "sse2", unix, windows),
    ))]
    pub mod x86 {
        /// AVX-512, as in simdutf8's development branch.
        pub mod avx512 {
            pub use crate::instruction_set::avx512::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::avx512::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }

        /// AVX2.
        pub mod avx2 {
            pub use crate::instruction_set::avx2::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::avx2::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }

        /// SSE4.2.
        pub mod sse42 {
            pub use crate::instruction_set::sse42::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::sse42::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }
    }

    /// The instruction sets of AArch64.
    #[cfg(all(
        feature = "aarch64_neon",
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little",
    ))]
    pub mod aarch64 {
        /// NEON.
        pub mod neon {
            pub use crate::instruction_set::neon::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::neon::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }
    }

    /// The instruction sets of ARMv7, as in simdutf8's development branch.
    #[cfg(all(
        feature = "armv7_neon",
        target_arch = "arm",
        target_feature = "v7",
        target_endian = "little",
    ))]
    pub mod armv7 {
        /// NEON.
        pub mod neon {
            pub use crate::instruction_set::armv7::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::armv7::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }
    }

    /// The instruction sets of WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub mod wasm32 {
        /// simd128.
        pub mod simd128 {
            pub use crate::instruction_set::simd128::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::simd128::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }
    }

    /// The modules for portable vectors, as in simdutf8's development branch. They use the active
    /// kernel.
    #[cfg(feature = "portable_public_imp")]
    pub mod portable {
        /// Vectors of 128 bits.
        pub mod simd128 {
            pub use crate::instruction_set::portable::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::portable::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }

        /// Vectors of 256 bits.
        pub mod simd256 {
            pub use crate::instruction_set::portable::validate_utf8_basic as validate_utf8;
            pub use crate::instruction_set::portable::{ChunkedUtf8ValidatorImp, Utf8ValidatorImp};
        }
    }
}
