//! Validation whose errors have the same position and length as the errors of the standard library.

pub(crate) mod error;

use utflane::Kernel;

pub use self::error::Utf8Error;
use crate::short::{self, SHORT_MAX_BYTES};

/// Validates `input`, and returns it as `&str` without a copy.
///
/// # Errors
///
/// Returns the position and the length of the first ill-formed sequence.
///
/// ```
/// let error = simdutf8::compat::from_utf8(b"na\xEFve").unwrap_err();
/// assert_eq!(error.to_string(), "invalid utf-8 sequence of 1 bytes from index 2");
/// ```
#[inline]
pub fn from_utf8(input: &[u8]) -> Result<&str, Utf8Error> {
    if input.len() <= SHORT_MAX_BYTES
        && let Some(text) = short::from_utf8(input)
    {
        return Ok(text);
    }
    Kernel::active().from_utf8(input).map_err(Utf8Error::from_utflane)
}

/// Validates `input`, and returns it as `&mut str` without a copy.
///
/// # Errors
///
/// Returns the position and the length of the first ill-formed sequence.
///
/// ```
/// let mut bytes = *b"shout";
/// simdutf8::compat::from_utf8_mut(&mut bytes)?.make_ascii_uppercase();
/// assert_eq!(&bytes, b"SHOUT");
/// # Ok::<(), simdutf8::compat::Utf8Error>(())
/// ```
#[inline]
pub fn from_utf8_mut(input: &mut [u8]) -> Result<&mut str, Utf8Error> {
    Kernel::active().from_utf8_mut(input).map_err(Utf8Error::from_utflane)
}

/// Validation with one instruction set.
#[cfg(feature = "public_imp")]
pub mod imp {
    /// The instruction sets of x86 and x86-64.
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(target_feature = "sse2", unix, windows),
    ))]
    pub mod x86 {
        /// AVX-512, as in simdutf8's development branch.
        pub mod avx512 {
            pub use crate::instruction_set::avx512::validate_utf8_compat as validate_utf8;
        }

        /// AVX2.
        pub mod avx2 {
            pub use crate::instruction_set::avx2::validate_utf8_compat as validate_utf8;
        }

        /// SSE4.2.
        pub mod sse42 {
            pub use crate::instruction_set::sse42::validate_utf8_compat as validate_utf8;
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
            pub use crate::instruction_set::neon::validate_utf8_compat as validate_utf8;
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
            pub use crate::instruction_set::armv7::validate_utf8_compat as validate_utf8;
        }
    }

    /// The instruction sets of WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub mod wasm32 {
        /// simd128.
        pub mod simd128 {
            pub use crate::instruction_set::simd128::validate_utf8_compat as validate_utf8;
        }
    }

    /// The modules for portable vectors, as in simdutf8's development branch. They use the active
    /// kernel.
    #[cfg(feature = "portable_public_imp")]
    pub mod portable {
        /// Vectors of 128 bits.
        pub mod simd128 {
            pub use crate::instruction_set::portable::validate_utf8_compat as validate_utf8;
        }

        /// Vectors of 256 bits.
        pub mod simd256 {
            pub use crate::instruction_set::portable::validate_utf8_compat as validate_utf8;
        }
    }
}
