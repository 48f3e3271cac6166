//! Functions of one kernel, which are called through a pointer.
//!
//! A function that receives a [`Kernel`] compares its number with the numbers of all kernels, and
//! before that its caller tests if the kernel has been chosen. For a few hundred bytes, this takes
//! a tenth of the time of a validation. A pointer to the function of one kernel needs neither. The
//! pointers to the functions of the active kernel are statics, and a validator of a stream stores a
//! pointer.

use crate::dispatch::function::Check;
use crate::dispatch::kernel::{Isa, Kernel};

/// A [`Check`] on one kernel. The caller must have detected the features of the kernel.
pub(crate) type CheckOnOne = unsafe fn(&[u8]) -> Result<(), usize>;

cfg_if::cfg_if! {
    if #[cfg(not(vectors = "none"))] {
        use core::mem;
        use core::sync::atomic::{AtomicPtr, Ordering};

        /// A pointer to a check on the active kernel. Before the first call, it points to a
        /// function that chooses the kernel.
        pub(crate) struct ActiveCheck(AtomicPtr<()>);

        impl ActiveCheck {
            /// Creates the pointer. `first` must call [`choose`](Self::choose).
            pub(crate) const fn new(first: fn(&[u8]) -> Result<(), usize>) -> Self {
                Self(AtomicPtr::new(first as *mut ()))
            }

            /// Stores the function of the active kernel, which `function_of` returns, and checks
            /// `src`.
            #[cold]
            pub(crate) fn choose(
                &self,
                function_of: fn(Isa) -> CheckOnOne,
                check: Check,
                src: &[u8],
            ) -> Result<(), usize> {
                let kernel = Kernel::active();
                self.0.store(function_of(kernel.0) as *mut (), Ordering::Relaxed);
                check(src, kernel)
            }

            /// Checks `src` on the active kernel. Relaxed order is enough: every thread makes the
            /// same choice, and nothing else is published with it.
            #[inline(always)]
            pub(crate) fn run(&self, check: Check, src: &[u8]) -> Result<(), usize> {
                if let Some(isa) = const { Isa::fixed() } {
                    return check(src, Kernel(isa));
                }
                let function = self.0.load(Ordering::Relaxed);
                // SAFETY: the pointer points to a function of this type. Only `new` and `choose`
                // store it, and both store pointers to such functions.
                let function = unsafe { mem::transmute::<*mut (), CheckOnOne>(function) };
                // SAFETY: the processor has the features that the function needs. `first` needs no
                // features, and the features of the active kernel have been detected.
                unsafe { function(src) }
            }
        }
    } else {
        /// A check on the only kernel. Targets with a single kernel may have no atomic pointers.
        pub(crate) struct ActiveCheck;

        impl ActiveCheck {
            pub(crate) const fn new(_: fn(&[u8]) -> Result<(), usize>) -> Self {
                Self
            }

            pub(crate) fn choose(
                &self,
                _: fn(Isa) -> CheckOnOne,
                check: Check,
                src: &[u8],
            ) -> Result<(), usize> {
                check(src, Kernel::SCALAR)
            }

            pub(crate) fn run(&self, check: Check, src: &[u8]) -> Result<(), usize> {
                check(src, Kernel::SCALAR)
            }
        }
    }
}

/// Declares `$of`, which returns the function of the kernel whose instruction set is `isa`.
///
/// The vector expression is compiled once for each instruction set, for the vector `V` with its
/// token, inside the function to which the pointer points. A closure would be another function, to
/// which this function would jump, because code with more features is not inlined.
///
/// The kernels for AVX-512 run the function of AVX2. With `wide if`, `avx512` has its own function
/// for texts for which the condition is true, and `avx512x2` runs the function of AVX2.
macro_rules! of_kernel {
    ($(#[$meta:meta])*
    fn $of:ident: fn($($argument:ident: $type:ty),+) -> $result:ty $(, wide if $is_wide:expr)?;
    scalar => $scalar:expr,
    |$V:ident, $token:ident| $vector:expr) => {
        $(#[$meta])*
        #[inline(always)]
        fn $of(isa: crate::dispatch::kernel::Isa) -> unsafe fn($($type),+) -> $result {
            use crate::dispatch::active::of_kernel;
            use crate::dispatch::kernel::Isa;

            fn run_scalar($($argument: $type),+) -> $result {
                $scalar
            }
            match isa {
                _ if !crate::arch::HAS_KERNELS => run_scalar,
                #[cfg(avx512)]
                Isa::Avx512 => of_kernel!(@wide [$($is_wide)?] $of
                    ($($argument: $type),+) -> $result, |$V, $token| $vector),
                #[cfg(avx512)]
                Isa::Avx512x2 => $of(Isa::Avx2),
                #[cfg(vectors = "x86")]
                Isa::Avx2 => of_kernel!(@on "avx2,bmi1,bmi2,lzcnt,popcnt" avx2 Avx2 U8x32
                    ($($argument: $type),+) -> $result, |$V, $token| $vector),
                #[cfg(vectors = "x86")]
                Isa::Sse42 => of_kernel!(@on "sse4.2,ssse3,popcnt" sse42 Sse42 U8x16
                    ($($argument: $type),+) -> $result, |$V, $token| $vector),
                #[cfg(vectors = "neon")]
                Isa::Neon => of_kernel!(@on "neon" neon Neon U8x16
                    ($($argument: $type),+) -> $result, |$V, $token| $vector),
                #[cfg(vectors = "simd128")]
                Isa::Simd128 => of_kernel!(@on "simd128" simd128 Simd128 U8x16
                    ($($argument: $type),+) -> $result, |$V, $token| $vector),
                Isa::Scalar | Isa::Unchosen => run_scalar,
            }
        }
    };
    (@on $features:literal $module:ident $Token:ident $Vector:ident
        ($($argument:ident: $type:ty),+) -> $result:ty, |$V:ident, $token:ident| $vector:expr) => {{
        #[target_feature(enable = $features)]
        fn run($($argument: $type),+) -> $result {
            type $V = crate::arch::$module::$Vector;
            #[allow(unused_unsafe, reason = "not all tokens need it")]
            // SAFETY: the attribute above enables the features of the token for this function.
            let $token = unsafe { crate::arch::$module::$Token::assume() };
            $vector
        }
        run
    }};
    (@wide [] $of:ident $($rest:tt)*) => {
        $of(Isa::Avx2)
    };
    (@wide [$is_wide:expr] $of:ident
        ($($argument:ident: $type:ty),+) -> $result:ty, |$V:ident, $token:ident| $vector:expr) => {{
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
        )]
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn run($($argument: $type),+) -> $result {
            if !$is_wide {
                let narrow = $of(Isa::Avx2);
                // SAFETY: the processor has AVX-512, which includes AVX2.
                return unsafe { narrow($($argument),+) };
            }
            type $V = crate::arch::avx512::U8x64;
            let $token = crate::arch::avx512::Avx512::assume();
            $vector
        }
        run
    }};
}
pub(crate) use of_kernel;
