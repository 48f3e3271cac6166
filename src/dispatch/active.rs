//! Checks of one kernel, called by pointer.
//!
//! A function that receives a kernel compares its number, and its caller tests whether the choice
//! has been made. For a few hundred bytes, that is a tenth of a validation. A pointer to the
//! function of the active kernel needs neither.

#[cfg(not(vectors = "none"))]
use core::mem;
#[cfg(not(vectors = "none"))]
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::dispatch::kernel::kernels;

/// A [`Check`](crate::dispatch::function::Check) on one kernel: the caller needs its features.
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

/// Declares [`on_active!`], from the list of kernels.
macro_rules! declare_on_active {
    ($dollar:tt
        wide { $(#[cfg($wide_cfg:meta)] $wide:ident = $wide_name:literal,
            $wide_room:ident::{$wide_token:ident, $wide_vector:ident}, fixed if $wide_fixed:meta
            $(, $wide_unchecked:ident needs [$($wide_feature:literal),*])?;)* }
        native { $(#[cfg($cfg:meta)] $native:ident = $name:literal,
            $room:ident::{$token:ident, $vector:ident}, fixed if $fixed:meta
            $(, $unchecked:ident needs [$($feature:literal),*])?;)* }
    ) => {
        /// Declares `$check`, a [`Check`](crate::dispatch::function::Check), and `$on_active`, the
        /// same on the active kernel. The vector expression is compiled once for each instruction
        /// set, but not for `avx512x2`, which has the function of AVX2. `$long` takes the texts for
        /// which `$is_long` is true.
        ///
        /// The vector code stands in the function that a pointer leads to. A closure would be a
        /// function of its own after it, since no code with more features is inlined.
        macro_rules! on_active {
            ($dollar(#[$dollar meta:meta])*
            fn $dollar check:ident, fn $dollar on_active:ident, fn $dollar of:ident;
            |$dollar src:ident| $dollar(if $dollar is_long:expr => $dollar long:ident,)?
            scalar => $dollar scalar:expr,
            |$dollar V:ident, $dollar token:ident| $dollar vector:expr) => {
                $dollar(#[$dollar meta])*
                #[inline(never)]
                pub(crate) fn $dollar check($dollar src: &[u8], kernel: Kernel)
                    -> Result<(), usize>
                {
                    $dollar(if $dollar is_long {
                        return $dollar long($dollar src, kernel);
                    })?
                    // SAFETY: a `Kernel` is made only where its features have been detected.
                    unsafe { $dollar of(kernel.0)($dollar src) }
                }

                /// The function of one kernel. Long texts get there only from the active one.
                #[inline(always)]
                fn $dollar of(isa: crate::dispatch::kernel::Isa)
                    -> crate::dispatch::active::CheckOnOne
                {
                    use crate::dispatch::kernel::Isa;

                    $dollar(
                    #[inline(never)]
                    fn long_on_active(src: &[u8]) -> Result<(), usize> {
                        $dollar long(src, Kernel::active())
                    })?

                    match isa {
                        $(#[cfg($wide_cfg)]
                        Isa::$wide => {
                            #[allow(unused, reason = "one of the wide kernels has another function")]
                            $($(#[target_feature(enable = $wide_feature)])*)?
                            fn check($dollar src: &[u8]) -> Result<(), usize> {
                                type $dollar V = crate::arch::$wide_room::$wide_vector;
                                if $dollar src.len() < crate::dispatch::run::WIDE_BYTES {
                                    let check = $dollar of(Isa::Avx2);
                                    // SAFETY: AVX-512 includes AVX2.
                                    return unsafe { check($dollar src) };
                                }
                                $dollar(if $dollar is_long {
                                    cold_path();
                                    return long_on_active($dollar src);
                                })?
                                let $dollar token = crate::arch::$wide_room::$wide_token::assume();
                                $dollar vector
                            }
                            match Isa::$wide {
                                Isa::Avx512x2 => $dollar of(Isa::Avx2),
                                _ => check,
                            }
                        })*
                        $(#[cfg($cfg)]
                        Isa::$native => {
                            $($(#[target_feature(enable = $feature)])*)?
                            fn check($dollar src: &[u8]) -> Result<(), usize> {
                                type $dollar V = crate::arch::$room::$vector;
                                $dollar(if $dollar is_long {
                                    cold_path();
                                    return long_on_active($dollar src);
                                })?
                                #[allow(unused_unsafe, reason = "not all tokens need it")]
                                // SAFETY: this function has the features.
                                let $dollar token = unsafe {
                                    crate::arch::$room::$token::assume()
                                };
                                $dollar vector
                            }
                            check
                        })*
                        Isa::Scalar | Isa::Unchosen => |$dollar src| $dollar scalar,
                    }
                }

                /// The same on the active kernel.
                #[cfg(not(vectors = "none"))]
                #[inline(always)]
                pub(crate) fn $dollar on_active(src: &[u8]) -> Result<(), usize> {
                    use crate::dispatch::active::ActiveCheck;
                    use crate::dispatch::kernel::Isa;

                    static ACTIVE: ActiveCheck = ActiveCheck::new(first);

                    #[cold]
                    fn first(src: &[u8]) -> Result<(), usize> {
                        let kernel = Kernel::active();
                        ACTIVE.set($dollar of(kernel.0));
                        $dollar check(src, kernel)
                    }

                    if let Some(isa) = const { Isa::fixed() } {
                        return $dollar check(src, Kernel(isa));
                    }
                    // SAFETY: the pointer is that of `first`, which needs no features, or of the
                    // active kernel.
                    unsafe { (ACTIVE.get())(src) }
                }

                /// The same on the only kernel. Such targets may have no atomic pointers.
                #[cfg(vectors = "none")]
                pub(crate) fn $dollar on_active(src: &[u8]) -> Result<(), usize> {
                    $dollar check(src, Kernel::SCALAR)
                }
            };
        }
        pub(crate) use on_active;
    };
}

kernels!(declare_on_active $);
