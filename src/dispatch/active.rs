//! Functions of one kernel, called by pointer.
//!
//! A function that receives a kernel compares its number, and its caller tests whether the choice
//! has been made. For a few hundred bytes, that is a tenth of a validation. A pointer to the
//! function of a kernel needs neither. The active one's are in statics, and a validator of a stream
//! keeps one.

#[cfg(not(vectors = "none"))]
use core::mem;
#[cfg(not(vectors = "none"))]
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::dispatch::kernel::kernels;

/// A [`Check`](crate::dispatch::function::Check) on one kernel: the caller needs its features.
#[cfg(not(vectors = "none"))]
pub(crate) type CheckOnOne = unsafe fn(&[u8]) -> Result<(), usize>;

/// A pointer to a check on the active kernel, or to a function that makes the choice.
#[cfg(not(vectors = "none"))]
pub(crate) struct ActiveCheck(AtomicPtr<()>);

#[cfg(not(vectors = "none"))]
impl ActiveCheck {
    /// `first` makes the choice, calls [`set`](Self::set), and checks.
    pub(crate) const fn new(first: fn(&[u8]) -> Result<(), usize>) -> Self {
        Self(AtomicPtr::new(first as *mut ()))
    }

    /// The function. Relaxed order is enough: every thread makes the same choice, and nothing else
    /// is published with it.
    #[inline(always)]
    pub(crate) fn get(&self) -> CheckOnOne {
        let function = self.0.load(Ordering::Relaxed);
        // SAFETY: `new` and `set`, the only ones to store, store functions of this type.
        unsafe { mem::transmute::<*mut (), CheckOnOne>(function) }
    }

    /// Stores the function of the active kernel.
    pub(crate) fn set(&self, function: CheckOnOne) {
        self.0.store(function as *mut (), Ordering::Relaxed);
    }
}

/// Declares [`of_kernel!`], from the list of kernels.
macro_rules! declare_of_kernel {
    ($dollar:tt
        wide { $(#[cfg($wide_cfg:meta)] $wide:ident = $wide_name:literal,
            $wide_room:ident::{$wide_token:ident, $wide_vector:ident}, fixed if $wide_fixed:meta
            $(, $wide_unchecked:ident needs [$($wide_feature:literal),*])?;)* }
        native { $(#[cfg($cfg:meta)] $native:ident = $name:literal,
            $room:ident::{$token:ident, $vector:ident}, fixed if $fixed:meta
            $(, $unchecked:ident needs [$($feature:literal),*])?;)* }
    ) => {
        /// Declares `$of`, which returns the function of a kernel that it names by its instruction
        /// set.
        ///
        /// The vector expression is compiled once for each instruction set, for the vector `V` with
        /// its token. It stands in the function to which the pointer leads. A closure would be
        /// another function, to which that one jumps, since no code with more features is inlined.
        ///
        /// Wide kernels run the function of the best native one. After `wide`, `avx512` has its own
        /// for texts of at least a few vectors, and only `avx512x2` runs that of AVX2.
        macro_rules! of_kernel {
            ($dollar(#[$dollar meta:meta])*
            fn $dollar of:ident: fn($dollar src:ident: $dollar text:ty
                $dollar(, $dollar argument:ident: $dollar type:ty)?) -> $dollar result:ty
                $dollar(, $dollar wide:ident)?;
            scalar => $dollar scalar:expr,
            |$dollar V:ident, $dollar token:ident| $dollar vector:expr) => {
                $dollar(#[$dollar meta])*
                #[inline(always)]
                fn $dollar of(isa: crate::dispatch::kernel::Isa)
                    -> unsafe fn($dollar text $dollar(, $dollar type)?) -> $dollar result
                {
                    use crate::dispatch::kernel::Isa;

                    fn run_scalar(
                        $dollar src: $dollar text
                        $dollar(, $dollar argument: $dollar type)?
                    ) -> $dollar result {
                        $dollar scalar
                    }
                    match isa {
                        _ if !crate::arch::IS_COMPILED => run_scalar,
                        $(#[cfg($wide_cfg)]
                        Isa::$wide => crate::dispatch::active::of_kernel!(
                            @wide [$dollar($dollar wide)?] $wide $dollar of
                            ($dollar src: $dollar text $dollar(, $dollar argument: $dollar type)?)
                            [$dollar result] |$dollar V, $dollar token| $dollar vector),)*
                        $(#[cfg($cfg)]
                        Isa::$native => {
                            $($(#[target_feature(enable = $feature)])*)?
                            fn run(
                                $dollar src: $dollar text
                                $dollar(, $dollar argument: $dollar type)?
                            ) -> $dollar result {
                                type $dollar V = crate::arch::$room::$vector;
                                #[allow(unused_unsafe, reason = "not all tokens need it")]
                                // SAFETY: this function has the features.
                                let $dollar token = unsafe {
                                    crate::arch::$room::$token::assume()
                                };
                                $dollar vector
                            }
                            run
                        })*
                        Isa::Scalar | Isa::Unchosen => run_scalar,
                    }
                }
            };
            $((@wide [wide] $wide $dollar of:ident ($dollar src:ident: $dollar text:ty
                $dollar(, $dollar argument:ident: $dollar type:ty)?) [$dollar result:ty]
            |$dollar V:ident, $dollar token:ident| $dollar vector:expr) => {{
                #[allow(dead_code, reason = "avx512x2 runs another function")]
                $($(#[target_feature(enable = $wide_feature)])*)?
                fn run($dollar src: $dollar text $dollar(, $dollar argument: $dollar type)?)
                    -> $dollar result
                {
                    type $dollar V = crate::arch::$wide_room::$wide_vector;
                    if $dollar src.len() < crate::dispatch::run::WIDE_BYTES {
                        let shorter = $dollar of(Isa::Avx2);
                        // SAFETY: AVX-512 includes AVX2.
                        return unsafe { shorter($dollar src $dollar(, $dollar argument)?) };
                    }
                    let $dollar token = crate::arch::$wide_room::$wide_token::assume();
                    $dollar vector
                }
                match Isa::$wide {
                    Isa::Avx512x2 => $dollar of(Isa::Avx2),
                    _ => run,
                }
            }};)*
            (@wide [] $dollar isa:ident $dollar of:ident $dollar($dollar rest:tt)*) => {
                $dollar of(Isa::Avx2)
            };
        }
        pub(crate) use of_kernel;
    };
}

kernels!(declare_of_kernel $);

/// Declares `$check`, a [`Check`](crate::dispatch::function::Check), and `$on_active`, the same on
/// the active kernel, from [`of_kernel!`]'s `$of`. If `$check` is given a text for which `$is_long`
/// is true, `$long` takes it.
macro_rules! on_active {
    ($(#[$meta:meta])*
    fn $check:ident, fn $on_active:ident = $of:ident
    $(, |$src:ident| if $is_long:expr => $long:ident)?) => {
        $(#[$meta])*
        #[inline(never)]
        pub(crate) fn $check(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            $(
                let $src = src;
                if $is_long {
                    return $long(src, kernel);
                }
            )?
            // SAFETY: a `Kernel` is made only where its features have been detected.
            unsafe { $of(kernel.0)(src) }
        }

        /// The same on the active kernel.
        #[cfg(not(vectors = "none"))]
        #[inline(always)]
        pub(crate) fn $on_active(src: &[u8]) -> Result<(), usize> {
            use crate::dispatch::active::ActiveCheck;
            use crate::dispatch::kernel::Isa;

            static ACTIVE: ActiveCheck = ActiveCheck::new(first);

            #[cold]
            fn first(src: &[u8]) -> Result<(), usize> {
                let kernel = Kernel::active();
                ACTIVE.set($of(kernel.0));
                $check(src, kernel)
            }

            if let Some(isa) = const { Isa::fixed() } {
                return $check(src, Kernel(isa));
            }
            // SAFETY: the pointer is that of `first`, which needs no features, or of the active
            // kernel.
            unsafe { (ACTIVE.get())(src) }
        }

        /// The same on the only kernel. Such targets may have no atomic pointers.
        #[cfg(vectors = "none")]
        pub(crate) fn $on_active(src: &[u8]) -> Result<(), usize> {
            $check(src, Kernel::SCALAR)
        }
    };
}
pub(crate) use on_active;
