//! Functions of one kernel, which are called through a pointer.
//!
//! A function that receives a [`Kernel`] compares its number with the numbers of all kernels, and
//! before that its caller tests if the kernel has been chosen. For a few hundred bytes, this takes
//! a tenth of the time of a validation. A pointer to the function of one kernel needs neither. The
//! pointers to the functions of the active kernel are statics, and a validator of a stream stores a
//! pointer.

use core::mem;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::dispatch::function::Check;
use crate::dispatch::kernel::{Isa, Kernel};

/// A [`Check`] on one kernel. The caller must have detected the features of the kernel.
pub(crate) type CheckOnOne = unsafe fn(&[u8]) -> Result<(), usize>;

/// A pointer to a check on the active kernel. Before the first call, it points to a function that
/// chooses the kernel.
pub(crate) struct ActiveCheck(AtomicPtr<()>);

impl ActiveCheck {
    /// Creates the pointer. `first` must call [`choose`](Self::choose).
    pub(crate) const fn new(first: fn(&[u8]) -> Result<(), usize>) -> Self {
        Self(AtomicPtr::new(first as *mut ()))
    }

    /// Stores the function of the active kernel, which `of` returns, and checks `src`.
    #[cold]
    pub(crate) fn choose(&self, of: fn(Kernel) -> CheckOnOne, src: &[u8]) -> Result<(), usize> {
        let function = of(Kernel::active());
        self.0.store(function as *mut (), Ordering::Relaxed);
        // SAFETY: the features of the active kernel have been detected.
        unsafe { function(src) }
    }

    /// Checks `src` on the active kernel. Relaxed order is enough: every thread makes the same
    /// choice, and nothing else is published with it.
    #[inline(always)]
    pub(crate) fn run(&self, check: Check, src: &[u8]) -> Result<(), usize> {
        if let Some(isa) = const { Isa::fixed() } {
            return check(src, Kernel(isa));
        }
        let function = self.0.load(Ordering::Relaxed);
        // SAFETY: the pointer points to a function of this type. Only `new` and `choose` store it,
        // and both store pointers to such functions.
        let function = unsafe { mem::transmute::<*mut (), CheckOnOne>(function) };
        // SAFETY: the processor has the features that the function needs. `first` needs no
        // features, and the features of the active kernel have been detected.
        unsafe { function(src) }
    }
}

/// Declares functions `$of`. Each returns the function `$function` for one kernel, without the
/// argument `Kernel`. `$function` must be `#[inline(always)]`, so that its choice of the code is
/// made at compile time.
macro_rules! of_kernel {
    ($($(#[$meta:meta])*
    fn $of:ident: fn($($argument:ident: $type:ty),+) -> $result:ty = $function:path;)*) => {$(
        $(#[$meta])*
        fn $of(kernel: Kernel) -> unsafe fn($($type),+) -> $result {
            /// # Safety
            ///
            /// The features of the kernel whose `Isa` has this number must have been detected.
            unsafe fn on<const ISA: u8>($($argument: $type),+) -> $result {
                $function($($argument,)+ const { Kernel::of_number(ISA) })
            }
            // No target has more kernels. `Scalar` is the last number.
            const { assert!((crate::dispatch::kernel::Isa::Scalar as usize) < 6) };
            static FUNCTIONS: [unsafe fn($($type),+) -> $result; 6] =
                [on::<0>, on::<1>, on::<2>, on::<3>, on::<4>, on::<5>];
            FUNCTIONS[kernel.0 as usize]
        }
    )*};
}
pub(crate) use of_kernel;
