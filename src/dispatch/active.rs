//! Functions of the active kernel, called by pointer.
//!
//! A function that receives a kernel compares its number, and its caller tests whether the choice
//! has been made. For a few hundred bytes, that is a tenth of a validation. A pointer to the
//! function of the active kernel needs neither.

use core::mem;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::dispatch::kernel::kernels;

/// A [`Check`](crate::dispatch::function::Check) on one kernel.
pub(crate) type CheckOnOne = fn(&[u8]) -> Result<(), usize>;

/// A pointer to a check on the active kernel, or to a function that makes the choice.
pub(crate) struct ActiveCheck(AtomicPtr<()>);

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
        /// Declares a check on the active kernel, `$name`, from a
        /// [`Check`](crate::dispatch::function::Check) and the same code inlined. That is compiled
        /// once for each kernel: it becomes a choice by length alone.
        macro_rules! on_active {
            ($dollar(#[$dollar meta:meta])* fn $dollar name:ident = $dollar check:ident,
                inlined $dollar inlined:ident) => {
                $dollar(#[$dollar meta])*
                #[inline(always)]
                pub(crate) fn $dollar name(src: &[u8]) -> Result<(), usize> {
                    use crate::dispatch::active::{ActiveCheck, CheckOnOne};
                    use crate::dispatch::kernel::Isa;

                    static ACTIVE: ActiveCheck = ActiveCheck::new(first);

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
            };
        }
        pub(crate) use on_active;
    };
}

kernels!(declare_on_active $);
