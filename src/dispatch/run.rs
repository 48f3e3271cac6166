//! Runs one expression on a kernel: `dispatch!`.

use crate::arch::hint::cold_path;
use crate::dispatch::kernel::{Isa, Kernel};

/// Runs the scalar expression, or the vector expression for the kernel's vector `V` with its token.
///
/// The vector expression is compiled once for each instruction set, inside a function that has its
/// features. Everything that it calls is `#[inline(always)]` down to single instructions. Variables
/// named after the token are passed as arguments instead of being captured.
///
/// On AVX-512 the code of AVX2 runs, unless there is a condition `wide if`: if it is true, the
/// expression runs with vectors of 64 bytes. With `wide unless halved if`, `avx512x2` runs the code
/// of AVX2 in any case: for operations that are faster by it on processors that execute vectors of
/// 64 bytes as two halves.
macro_rules! dispatch {
    ($kernel:expr, wide if $is_wide:expr, $($rest:tt)*) => {
        crate::dispatch::run::dispatch!(@wide has_avx512, $kernel, $is_wide, $($rest)*)
    };
    ($kernel:expr, wide unless halved if $is_wide:expr, $($rest:tt)*) => {
        crate::dispatch::run::dispatch!(
            @wide has_avx512_unless_halved, $kernel, $is_wide, $($rest)*)
    };
    ($kernel:expr, scalar => $scalar:expr, |$V:ident, $token:ident| $vector:expr) => {
        crate::dispatch::run::dispatch!($kernel, scalar => $scalar,
            |$V, $token, (), ()| $vector)
    };
    ($kernel:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        use crate::dispatch::kernel::Isa;
        match $kernel.narrow() {
            #[cfg(vectors = "x86")]
            Isa::Avx2 => crate::dispatch::run::dispatch!(
                @on avx2 Avx2 U8x32, |$V, $token, $a, $b| $vector),
            #[cfg(vectors = "x86")]
            Isa::Sse42 => crate::dispatch::run::dispatch!(
                @on sse42 Sse42 U8x16, |$V, $token, $a, $b| $vector),
            #[cfg(vectors = "neon")]
            Isa::Neon => crate::dispatch::run::dispatch!(
                @on neon Neon U8x16, |$V, $token, $a, $b| $vector),
            #[cfg(vectors = "simd128")]
            Isa::Simd128 => crate::dispatch::run::dispatch!(
                @on simd128 Simd128 U8x16, |$V, $token, $a, $b| $vector),
            _ => crate::dispatch::run::outlined(move || $scalar),
        }
    }};
    (@wide $has_avx512:ident, $kernel:expr, $is_wide:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident| $vector:expr) => {
        crate::dispatch::run::dispatch!(@wide $has_avx512, $kernel, $is_wide, scalar => $scalar,
            |$V, $token, (), ()| $vector)
    };
    (@wide $has_avx512:ident, $kernel:expr, $is_wide:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        cfg_if::cfg_if! {
            if #[cfg(avx512)] {
                let kernel = $kernel;
                if kernel.$has_avx512() && $is_wide {
                    crate::dispatch::run::dispatch!(
                        @on avx512 Avx512 U8x64, |$V, $token, $a, $b| $vector)
                } else {
                    crate::dispatch::run::dispatch!(kernel, scalar => $scalar,
                        |$V, $token, $a, $b| $vector)
                }
            } else {
                let _ = || $is_wide;
                crate::dispatch::run::dispatch!($kernel, scalar => $scalar,
                    |$V, $token, $a, $b| $vector)
            }
        }
    }};
    (@on $module:ident $Token:ident $Vector:ident,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        type $V = crate::arch::$module::$Vector;
        // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
        let token = unsafe { crate::arch::$module::$Token::assume() };
        token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
    }};
}
pub(crate) use dispatch;

/// Bytes of a vector of AVX-512. Most of its functions have no code for less than three vectors.
pub(crate) const WIDE_BYTES: usize = 64;

/// Keeps the scalar code out of the function that chooses, which then saves nothing on the stack
/// and jumps.
#[cold]
#[inline(never)]
pub(crate) fn outlined<R>(scalar: impl FnOnce() -> R) -> R {
    scalar()
}

impl Kernel {
    /// Returns the instruction set that runs vector expressions without `wide`. It compares in
    /// order, so the best set needs one comparison; a `match` would become a table.
    #[inline(always)]
    pub(crate) fn narrow(self) -> Isa {
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

    /// Returns true if this is the kernel for AVX-512, but not `avx512x2`.
    #[inline(always)]
    pub(crate) fn has_avx512_unless_halved(self) -> bool {
        cfg_if::cfg_if! {
            if #[cfg(avx512)] { (self.0 as u8) < Isa::Avx512x2 as u8 } else { false }
        }
    }

    /// Returns the token of AVX-512, if this is its kernel. Its functions serve texts of any
    /// length, because its loads and stores mask the missing bytes.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn masked(self) -> Option<crate::arch::avx512::Avx512> {
        if self.has_avx512() {
            cold_path();
            // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
            return Some(unsafe { crate::arch::avx512::Avx512::assume() });
        }
        None
    }

    /// Returns the kernel whose functions serve texts of less than 16 bytes. On x86, all vector
    /// kernels share the functions of SSE4.2.
    #[inline]
    pub(crate) fn of_16_bytes(self) -> Self {
        // AVX2 and AVX-512 include the features of SSE4.2.
        #[cfg(vectors = "x86")]
        {
            if self == Self::SCALAR {
                cold_path();
                return self;
            }
            Self(Isa::Sse42)
        }
        #[cfg(not(vectors = "x86"))]
        self
    }

    /// Returns the kernel whose functions serve texts of `len` bytes: below 32,
    /// [`of_16_bytes`](Self::of_16_bytes). Functions chosen like this need no vectors of 16 bytes
    /// besides vectors of 32.
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
