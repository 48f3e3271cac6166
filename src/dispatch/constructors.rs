//! Constructors of the kernels, named after the kernels. The constructors that detect features
//! exist on every target, so callers need no `cfg`.

use crate::dispatch::kernel::{Isa, Kernel};

/// Declares constructors. The arguments are the name of the kernel, its token in `arch`, and its
/// features.
macro_rules! constructors {
    ($(#[cfg($cfg:meta)] $isa:ident: fn $name:ident
        $(, fn $unchecked:ident: $module:ident::$Token:ident [$($feature:literal),*])?;)*) => {
        /// Constructors for single kernels, for callers that want one instruction set. Each
        /// constructor detects only the features of its kernel.
        impl Kernel {$(
            #[doc = concat!("Returns the kernel `", stringify!($name), "`")]
            /// if this processor can run it. Returns `None` on other processors, and in builds
            /// without this kernel: builds without optimisation and builds for other targets.
            ///
            /// This function exists on every target, so portable code needs no `cfg`.
            ///
            /// ```
            /// use utflane::Kernel;
            ///
            #[doc = concat!("assert_eq!(Kernel::", stringify!($name), "(), Kernel::by_name(\"",
                stringify!($name), "\"));")]
            /// ```
            #[must_use]
            #[inline]
            pub fn $name() -> Option<Self> {
                cfg_if::cfg_if! {
                    if #[cfg($cfg)] {
                        Isa::$isa.is_available().then_some(Self(Isa::$isa))
                    } else {
                        None
                    }
                }
            }

            $(
                #[doc = concat!("Returns the kernel `", stringify!($name), "`,")]
                /// for callers that have detected its features themselves.
                ///
                /// This function exists only on targets that have this kernel. A function with
                /// these target features can call it without `unsafe`. In a build without
                /// optimisation it returns [`SCALAR`](Self::SCALAR).
                ///
                /// # Safety
                ///
                #[doc = concat!("The processor must have", $(" `", $feature, "`",)* ".")]
                ///
                /// ```
                /// use utflane::{Kernel, Utf8};
                ///
                $(#[doc = concat!("#[target_feature(enable = \"", $feature, "\")]")])*
                /// fn parse(text: &[u8]) -> bool {
                #[doc = concat!("    Kernel::", stringify!($unchecked),
                    "().is_valid::<Utf8>(text)")]
                /// }
                ///
                #[doc = concat!("if Kernel::", stringify!($name), "().is_some() {")]
                ///     // SAFETY: the kernel is available, so the processor has its features.
                ///     assert!(unsafe { parse(b"text") });
                /// }
                /// ```
                #[cfg($cfg)]
                #[must_use]
                #[inline]
                $(#[target_feature(enable = $feature)])*
                pub fn $unchecked() -> Self {
                    // This call needs no `unsafe`, so the compiler checks that the features above
                    // include those of the token.
                    let _ = crate::arch::$module::$Token::assume();
                    if crate::arch::HAS_KERNELS { Self(Isa::$isa) } else { Self::SCALAR }
                }
            )?
        )*}
    };
}

constructors! {
    #[cfg(avx512)]
    Avx512: fn avx512, fn avx512_unchecked: avx512::Avx512 [
        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2",
        "bmi1", "bmi2", "lzcnt", "popcnt"
    ];
    #[cfg(avx512)]
    Avx512x2: fn avx512x2, fn avx512x2_unchecked: avx512::Avx512 [
        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2",
        "bmi1", "bmi2", "lzcnt", "popcnt"
    ];
    #[cfg(vectors = "x86")]
    Avx2: fn avx2, fn avx2_unchecked: avx2::Avx2 ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"];
    #[cfg(vectors = "x86")]
    Sse42: fn sse42, fn sse42_unchecked: sse42::Sse42 ["sse4.2", "ssse3", "popcnt"];
    #[cfg(vectors = "neon")]
    Neon: fn neon, fn neon_unchecked: neon::Neon ["neon"];
    // Every engine that accepts a module with these instructions supports them.
    #[cfg(vectors = "simd128")]
    Simd128: fn simd128;
}
