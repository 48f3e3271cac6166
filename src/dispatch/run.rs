//! Runs a function of the pair table on a kernel: `dispatch!`, `dispatch_short!` and
//! `dispatch_long!`.

use crate::arch::hint::cold_path;
use crate::dispatch::kernel::{Isa, Kernel, kernels};

/// Declares [`dispatch!`], [`Vectors`] and the choice among them, from the list of kernels.
macro_rules! declare_dispatch {
    ($dollar:tt
        wide { $($wide:tt)* }
        native { $(#[cfg($cfg:meta)] $native:ident = $name:literal,
            $room:ident::{$token:ident, $vector:ident}, fixed if $fixed:meta
            $(, $unchecked:ident needs [$($feature:literal),*])?;)* }
    ) => {
        /// Runs the scalar expression, or the vector expression for the kernel's vector `V` with
        /// its token.
        ///
        /// The vector expression is compiled once for each instruction set, inside a function that
        /// has its features. Everything that it calls is `#[inline(always)]` down to single
        /// instructions. Variables named after the token are passed as arguments instead of being
        /// captured.
        ///
        /// A wide kernel runs the code of the best native one. Where wider vectors are worth code
        /// of their own, [`dispatch_long!`] is used.
        macro_rules! dispatch {
            ($dollar kernel:expr, scalar => $dollar scalar:expr,
                |$dollar V:ident, $dollar token:ident| $dollar vector:expr) => {
                crate::dispatch::run::dispatch!($dollar kernel, scalar => $dollar scalar,
                    |$dollar V, $dollar token, (), ()| $dollar vector)
            };
            ($dollar kernel:expr, scalar => $dollar scalar:expr,
                |$dollar V:ident, $dollar token:ident, $dollar a:tt, $dollar b:tt|
                    $dollar vector:expr) => {
                match $dollar kernel.0.vectors() {
                    crate::dispatch::run::Vectors::None => {
                        crate::dispatch::run::outlined(move || $dollar scalar)
                    }
                    $(
                        #[cfg($cfg)]
                        crate::dispatch::run::Vectors::$native => {
                            type $dollar V = crate::arch::$room::$vector;
                            // SAFETY: a `Kernel` of this kind is made only where the features have
                            // been detected.
                            let token = unsafe { crate::arch::$room::$token::assume() };
                            token.run($dollar a, $dollar b, #[inline(always)]
                                move |$dollar token, $dollar a, $dollar b| $dollar vector)
                        }
                    )*
                }
            };
        }
        pub(crate) use dispatch;

        /// The native instruction set that runs a vector expression.
        pub(crate) enum Vectors {
            $(#[cfg($cfg)] $native,)*
            None,
        }

        impl Isa {
            /// The native instruction sets of this target, best first.
            const NATIVE: &[Self] = &[$(#[cfg($cfg)] Self::$native,)*];

            /// The native instruction set that runs this one's vector expressions. Comparisons in
            /// order, of which the best set needs one: a `match` would become a table.
            #[inline(always)]
            pub(crate) fn vectors(self) -> Vectors {
                $(
                    #[cfg($cfg)]
                    if self as u8 <= Self::$native as u8 {
                        if const { Self::$native as u8 != Self::NATIVE[0] as u8 } {
                            cold_path();
                        }
                        return Vectors::$native;
                    }
                )*
                Vectors::None
            }
        }
    };
}

kernels!(declare_dispatch $);

/// [`dispatch!`] for texts so short that vectors of 16 bytes serve them. On x86, AVX2 shares the
/// function of SSE4.2.
macro_rules! dispatch_short {
    ($kernel:expr, scalar => $scalar:expr, |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {
        crate::dispatch::run::dispatch!($kernel.of_16_bytes(), scalar => $scalar,
            |$V, $token, $a, $b| $vector)
    };
}
pub(crate) use dispatch_short;

/// [`dispatch!`] with code of its own for AVX-512, for texts of at least a few vectors. `$len` is
/// the length of the relevant part of the text, in bytes.
///
/// With `unless halved`, `avx512x2` runs the code of AVX2: for operations that are faster by it on
/// processors that execute vectors of 64 bytes as two halves.
macro_rules! dispatch_long {
    (unless halved $kernel:expr, $($rest:tt)*) => {
        crate::dispatch::run::dispatch_long!(@is_wide_unless_halved $kernel, $($rest)*)
    };
    (@$is_wide:ident $kernel:expr, $len:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident| $vector:expr) => {
        crate::dispatch::run::dispatch_long!(@$is_wide $kernel, $len, scalar => $scalar,
            |$V, $token, (), ()| $vector)
    };
    (@$is_wide:ident $kernel:expr, $len:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        cfg_if::cfg_if! {
            if #[cfg(avx512)] {
                let kernel = $kernel;
                if kernel.$is_wide($len) {
                    type $V = crate::arch::avx512::U8x64;
                    // SAFETY: a `Kernel` of this kind is made only where the features have been
                    // detected.
                    let token = unsafe { crate::arch::avx512::Avx512::assume() };
                    token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
                } else {
                    crate::dispatch::run::dispatch!(kernel, scalar => $scalar,
                        |$V, $token, $a, $b| $vector)
                }
            } else {
                let _ = $len;
                crate::dispatch::run::dispatch!($kernel, scalar => $scalar,
                    |$V, $token, $a, $b| $vector)
            }
        }
    }};
    ($($rest:tt)*) => {
        crate::dispatch::run::dispatch_long!(@is_wide_for $($rest)*)
    };
}
pub(crate) use dispatch_long;

/// Bytes from which a text is worth a function of AVX-512: three vectors. Such functions have no
/// code for shorter texts.
#[cfg(avx512)]
pub(crate) const WIDE_BYTES: usize = 192;

/// Added to the length for [`dispatch_long!`] where the functions of AVX-512 serve texts from two
/// vectors on, and from one.
pub(crate) const FROM_TWO_VECTORS: usize = 64;
pub(crate) const FROM_A_VECTOR: usize = 128;

/// Keeps the scalar code out of the function that chooses, so that this one saves nothing on the
/// stack and jumps.
#[cold]
#[inline(never)]
pub(crate) fn outlined<R>(scalar: impl FnOnce() -> R) -> R {
    scalar()
}

impl Kernel {
    /// Returns true if a text of so many bytes is taken by functions of AVX-512, if there are any
    /// for what is done: shorter ones are those of AVX2.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn is_wide_for(self, len: usize) -> bool {
        self.masked().is_some() && len >= WIDE_BYTES
    }

    /// The token of AVX-512, if this is its kernel. Its functions serve texts of any length,
    /// because its loads and stores mask the missing bytes.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn masked(self) -> Option<crate::arch::avx512::Avx512> {
        if (self.0 as u8) < Isa::Avx2 as u8 {
            cold_path();
            // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
            return Some(unsafe { crate::arch::avx512::Avx512::assume() });
        }
        None
    }

    /// [`is_wide_for`](Self::is_wide_for), but not for `avx512x2`.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn is_wide_unless_halved(self, len: usize) -> bool {
        if (self.0 as u8) < Isa::Avx512x2 as u8 {
            cold_path();
            return len >= WIDE_BYTES;
        }
        false
    }

    /// The kernel whose functions serve texts of less than 16 bytes. On x86, all vector kernels
    /// share those of SSE4.2.
    #[inline]
    pub(crate) fn of_16_bytes(self) -> Self {
        // Where AVX2 or more has been detected, its features include those of SSE4.2.
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

    /// The kernel whose functions serve texts of `len` bytes: below 32,
    /// [`of_16_bytes`](Self::of_16_bytes). Functions chosen like this need no vectors of 16 bytes
    /// beside those of 32.
    #[inline]
    pub(crate) fn for_bytes(self, len: usize) -> Self {
        if len < 32 {
            // Not really cold: the choice is then known at once, and not compared again.
            cold_path();
            return self.of_16_bytes();
        }
        self
    }
}
