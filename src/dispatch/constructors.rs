//! Constructors of the kernels for callers that have detected the features. They are named after
//! the kernels. [`Kernel::by_name`] detects the features.

use crate::dispatch::kernel::Kernel;

/// Declares constructors. The arguments are the name of the kernel, its token in `arch`, and its
/// features.
macro_rules! constructors {
    ($(#[cfg($cfg:meta)] $isa:ident $name:literal: fn $unchecked:ident:
        $module:ident::$Token:ident [$($feature:literal),*];)*) => {
        impl Kernel {$(
            #[doc = concat!("Returns the kernel `", $name, "`,")]
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
            #[doc = concat!("if Kernel::by_name(\"", $name, "\").is_some() {")]
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
                match crate::arch::HAS_KERNELS {
                    true => Self(crate::dispatch::kernel::Isa::$isa),
                    false => Self::SCALAR,
                }
            }
        )*}
    };
}

constructors! {
    #[cfg(avx512)]
    Avx512 "avx512": fn avx512_unchecked: avx512::Avx512 [
        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2",
        "bmi1", "bmi2", "lzcnt", "popcnt"
    ];
    #[cfg(vectors = "x86")]
    Avx2 "avx2": fn avx2_unchecked: avx2::Avx2 ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"];
    #[cfg(vectors = "x86")]
    Sse42 "sse42": fn sse42_unchecked: sse42::Sse42 ["sse4.2", "ssse3", "popcnt"];
    // WebAssembly needs no such function: every engine that accepts a module supports its
    // instructions.
    #[cfg(vectors = "neon")]
    Neon "neon": fn neon_unchecked: neon::Neon ["neon"];
}
