//! Functions of the active kernel, called by pointer.
//!
//! A function that receives a kernel compares its number, and its caller tests whether the choice
//! has been made. For a few hundred bytes, that is a tenth of a validation. A pointer to the
//! function of the active kernel needs neither.

#[cfg(not(vectors = "none"))]
use core::mem;
#[cfg(not(vectors = "none"))]
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::dispatch::kernel::kernels;

/// A [`Check`](crate::dispatch::function::Check) on one kernel.
#[cfg(not(vectors = "none"))]
pub(crate) type CheckOnOne = fn(&[u8]) -> Result<(), usize>;

/// A pointer to a check on the active kernel, or to a function that makes the choice.
#[cfg(not(vectors = "none"))]
pub(crate) struct ActiveCheck(AtomicPtr<()>);

#[cfg(not(vectors = "none"))]
impl ActiveCheck {
    /// `first` makes the choice, calls [`set`](Self::set), and checks.
    pub(crate) const fn new(first: CheckOnOne) -> Self {
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
        /// Declares from `$inlined`, an inlined [`Check`](crate::dispatch::function::Check), the
        /// check `$check`, and `$on_active`, the same on the active kernel. For that, the code is
        /// compiled once for each kernel: it becomes a choice by length alone.
        macro_rules! on_active {
            ($dollar(#[$dollar meta:meta])*
            fn $dollar check:ident, fn $dollar on_active:ident = $dollar inlined:ident) => {
                $dollar(#[$dollar meta])*
                #[inline(never)]
                pub(crate) fn $dollar check(src: &[u8], kernel: Kernel) -> Result<(), usize> {
                    $dollar inlined(src, kernel)
                }

                /// The same on the active kernel.
                #[cfg(not(vectors = "none"))]
                #[inline(always)]
                pub(crate) fn $dollar on_active(src: &[u8]) -> Result<(), usize> {
                    use crate::dispatch::active::{ActiveCheck, CheckOnOne};
                    use crate::dispatch::kernel::Isa;

                    static ACTIVE: ActiveCheck = ActiveCheck::new(first);

                    // Each function is named only where its kernel is the active one, so it may
                    // make this value, which is the proof of that.
                    #[cold]
                    fn first(src: &[u8]) -> Result<(), usize> {
                        let check: CheckOnOne = match Kernel::active().0 {
                            $(#[cfg($wide_cfg)]
                            Isa::$wide => |src| $dollar inlined(src, Kernel(Isa::$wide)),)*
                            $(#[cfg($cfg)]
                            Isa::$native => |src| $dollar inlined(src, Kernel(Isa::$native)),)*
                            Isa::Scalar | Isa::Unchosen => {
                                |src| $dollar inlined(src, Kernel::SCALAR)
                            }
                        };
                        ACTIVE.set(check);
                        check(src)
                    }

                    match const { Isa::fixed() } {
                        Some(isa) => $dollar check(src, Kernel(isa)),
                        None => (ACTIVE.get())(src),
                    }
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
