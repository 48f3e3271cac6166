//! The validation of each scheme: a [check], which does not locate an error, and the scalar
//! reference, which then locates it. On failure, the check returns the length of a prefix that is
//! well-formed, except that its last sequence may be incomplete.

use crate::dispatch::function::{Check, Locate, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check;
#[cfg(feature = "count")]
use crate::dispatch::pairs::exceptions::{check_cesu8, check_mutf8};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Cesu8, Mutf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8};
use crate::generic::from_utf8::check::locate as locate_utf8;
use crate::scalar;
use crate::scalar::code::Decode;
use crate::types::error::Error;
use crate::types::progress::Stop;

/// The validation of one scheme.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Validation {
    check: Check,
    locate: Locate,
    pub(crate) scheme: Scheme,
}

impl Validation {
    /// Validates `src`. The offset in the error is in bytes.
    #[inline]
    pub(crate) fn run(self, kernel: Kernel, src: &[u8]) -> Result<(), Error> {
        (self.check)(src, kernel).or_else(|known| (self.locate)(src, known))
    }

    /// [`check`](Self::check) on the active kernel.
    #[inline]
    pub(crate) fn check_on_active(self, src: &[u8]) -> Result<(), usize> {
        match self.scheme {
            Scheme::Utf8 => check::check_utf8_on_active(src),
            Scheme::Ascii => check::check_ascii_on_active(src),
            _ => (self.check)(src, Kernel::active()),
        }
    }

    /// Locates the error of `src`, in units of `unit_size` bytes. `known` is the length in the
    /// `Err` of a failed [check](Self::check).
    ///
    /// Callers return this result unchanged, so they reserve no memory for it.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate_in_units(
        self,
        src: &[u8],
        known: usize,
        unit_size: usize,
    ) -> Result<(), Error> {
        (self.locate)(src, known).map_err(|error| error.in_units(unit_size))
    }

    /// Validates `src`. An `Err` holds the length of a prefix that is well-formed, except that its
    /// last sequence may be incomplete.
    #[inline]
    pub(crate) fn check(self, kernel: Kernel, src: &[u8]) -> Result<(), usize> {
        (self.check)(src, kernel)
    }
}

/// Returns the functions that validate a scheme.
pub(crate) const fn validation(scheme: Scheme) -> Validation {
    let (check, locate): (Check, Locate) = match scheme {
        Scheme::Utf8 => (check::check_utf8, locate_utf8),
        Scheme::Utf16Le => (check::check_utf16le, locate_utf16le),
        Scheme::Utf16Be => (check::check_utf16be, locate_utf16be),
        Scheme::Utf32Le => (check::check_utf32le, locate_utf32le),
        Scheme::Utf32Be => (check::check_utf32be, locate_utf32be),
        Scheme::Latin1 => (|_, _| Ok(()), |_, _| Ok(())),
        Scheme::Ascii => (check::check_ascii, locate_ascii),
        Scheme::Cesu8 => (check_cesu8, locate_cesu8),
        Scheme::Mutf8 => (check_mutf8, locate_mutf8),
        Scheme::Wtf8 => (check::check_wtf8, locate_wtf8),
        Scheme::Wtf16Le | Scheme::Wtf16Be => (check::check_wtf16, locate_wtf16),
    };
    Validation { check, locate, scheme }
}

#[cfg(not(feature = "count"))]
table_functions! {
    (src: &[u8], _kernel: Kernel) -> Result<(), usize>;
    fn check_cesu8 = check::by_reference::<Cesu8>(src);
    fn check_mutf8 = check::by_reference::<Mutf8>(src);
}

table_functions! {
    (src: &[u8], known: usize) -> Result<(), Error>;
    #[cold] fn locate_utf16le = locate::<Utf16Le>(src, known);
    #[cold] fn locate_utf16be = locate::<Utf16Be>(src, known);
    #[cold] fn locate_utf32le = locate::<Utf32Le>(src, known);
    #[cold] fn locate_utf32be = locate::<Utf32Be>(src, known);
    #[cold] fn locate_ascii = locate::<Ascii>(src, known);
    #[cold] fn locate_cesu8 = locate::<Cesu8>(src, known);
    #[cold] fn locate_mutf8 = locate::<Mutf8>(src, known);
    #[cold] fn locate_wtf8 = locate::<Wtf8>(src, known);
    #[cold] fn locate_wtf16 = match scalar::stop(Scheme::WTF16, Scheme::WTF16, src, known) {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    };
}

/// Locates the error by the scalar reference, after the `known` bytes that a check has found to be
/// well-formed.
#[inline(always)]
fn locate<A: Decode>(src: &[u8], known: usize) -> Result<(), Error> {
    scalar::validate::<A>(&src[known..]).map_err(|error| error.after(known))
}
