//! The macro `dispatch!`, which runs an expression on a kernel.

use crate::arch::hint::cold_path;
use crate::dispatch::kernel::{Isa, Kernel};

/// Runs the scalar expression, or the vector expression for the kernel's vector `V` with its token.
///
/// The vector expression is compiled once for each instruction set, inside a function that enables
/// the features of this set. All functions that the expression calls are `#[inline(always)]`, down
/// to single instructions. Variables whose names follow the token are passed as arguments instead
/// of being captured.
///
/// On AVX-512, the code for AVX2 runs by default. If there is a condition `wide if` and it is true,
/// the expression runs with vectors of 64 bytes. The condition may exclude the kernel `avx512x2`
/// ([`is_halved`](Kernel::is_halved)).
macro_rules! dispatch {
    ($kernel:expr, $(wide if $is_wide:expr,)? scalar => $scalar:expr,
        |$V:ident, $token:ident| $vector:expr) => {
        crate::dispatch::run::dispatch!($kernel, $(wide if $is_wide,)? scalar => $scalar,
            |$V, $token, (), ()| $vector)
    };
    ($kernel:expr, $(wide if $is_wide:expr,)? scalar => $scalar:expr,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        use crate::dispatch::kernel::Isa;
        use crate::dispatch::run::dispatch;
        let kernel = $kernel;
        $(#[cfg(not(avx512))]
        let _ = || $is_wide;)?
        match () {
            $(#[cfg(avx512)]
            () if kernel.has_avx512() && $is_wide =>
                dispatch!(@on avx512 Avx512 U8x64, |$V, $token, $a, $b| $vector),)?
            () => match kernel.narrow_isa() {
                #[cfg(vectors = "x86")]
                Isa::Avx2 => dispatch!(@on avx2 Avx2 U8x32, |$V, $token, $a, $b| $vector),
                #[cfg(vectors = "x86")]
                Isa::Sse42 => dispatch!(@on sse42 Sse42 U8x16, |$V, $token, $a, $b| $vector),
                #[cfg(vectors = "neon")]
                Isa::Neon => dispatch!(@on neon Neon U8x16, |$V, $token, $a, $b| $vector),
                #[cfg(vectors = "simd128")]
                Isa::Simd128 => dispatch!(@on simd128 Simd128 U8x16, |$V, $token, $a, $b| $vector),
                _ => crate::dispatch::run::call_outlined(move || $scalar),
            },
        }
    }};
    (@on $module:ident $Token:ident $Vector:ident,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        type $V = crate::arch::$module::$Vector;
        // SAFETY: a `Kernel` of this kind is made only where its features have been detected.
        let token = unsafe { crate::arch::$module::$Token::assume() };
        token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
    }};
}
pub(crate) use dispatch;

/// The size of an AVX-512 vector, in bytes. Most functions with such vectors have no code for less
/// than three vectors.
pub(crate) const WIDE_BYTES: usize = 64;

/// Calls the scalar code from a separate function. So the function that chooses the kernel saves
/// nothing on the stack, and ends with a jump.
#[cold]
#[inline(never)]
pub(crate) fn call_outlined<R>(scalar: impl FnOnce() -> R) -> R {
    scalar()
}

impl Kernel {
    /// Returns the instruction set that runs vector expressions without `wide`. The comparisons are
    /// in order of preference, so the best set needs one comparison. A `match` would become a
    /// table.
    #[inline(always)]
    pub(crate) fn narrow_isa(self) -> Isa {
        #[cfg(vectors = "x86")]
        {
            if self.0 as u8 <= Isa::Avx2 as u8 {
                return Isa::Avx2;
            }
            if self.0 as u8 <= Isa::Sse42 as u8 {
                cold_path();
                return Isa::Sse42;
            }
            Isa::Scalar
        }
        #[cfg(not(vectors = "x86"))]
        self.0
    }

    /// Returns true if this is a kernel for AVX-512.
    #[inline(always)]
    pub(crate) fn has_avx512(self) -> bool {
        cfg_if::cfg_if! {
            if #[cfg(avx512)] { (self.0 as u8) < Isa::Avx2 as u8 } else { false }
        }
    }

    /// Returns true if this is the kernel `avx512x2`. On its processors, the code for AVX2 is
    /// faster in some operations.
    #[inline(always)]
    pub(crate) fn is_halved(self) -> bool {
        cfg_if::cfg_if! {
            if #[cfg(avx512)] { self.0 as u8 == Isa::Avx512x2 as u8 } else { false }
        }
    }

    /// Returns the token of AVX-512 if this is a kernel for AVX-512. Functions with this token
    /// convert texts of any length, because masked loads and stores skip the missing bytes.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn masked(self) -> Option<crate::arch::avx512::Avx512> {
        if self.has_avx512() {
            cold_path();
            // SAFETY: a `Kernel` of this kind is made only where its features have been detected.
            return Some(unsafe { crate::arch::avx512::Avx512::assume() });
        }
        None
    }

    /// Returns the kernel with vectors of 16 bytes, for short texts. On x86, this is the kernel of
    /// SSE4.2 for all vector kernels.
    #[inline]
    pub(crate) fn of_16_bytes(self) -> Self {
        // AVX2 and AVX-512 include the features of SSE4.2.
        #[cfg(vectors = "x86")]
        if self != Self::SCALAR {
            return Self(Isa::Sse42);
        }
        self
    }

    /// Returns the kernel for texts of `len` bytes: [`of_16_bytes`](Self::of_16_bytes) for less
    /// than 32 bytes, else this kernel. So a function with vectors of 32 bytes needs no code with
    /// vectors of 16 bytes.
    #[inline]
    pub(crate) fn for_bytes(self, len: usize) -> Self {
        if len < 32 {
            // `cold_path` splits the branch, so that LLVM does not repeat the comparison.
            cold_path();
            return self.of_16_bytes();
        }
        self
    }
}
