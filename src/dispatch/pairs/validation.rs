//! The validation of each scheme: a [check] that knows only how many bytes are well-formed, and the
//! reference, which locates the error after them.

use crate::dispatch::function::{Check, Locate};
use crate::dispatch::kernel::Kernel;
#[cfg(feature = "transcode")]
use crate::dispatch::pairs::cesu8_mutf8;
use crate::dispatch::pairs::{check, check_wide};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{
    Ascii, Cesu8, Latin1, Mutf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8,
};
use crate::generic::from_utf8::check::locate as locate_utf8;
use crate::scalar;
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
    /// Validates `src`. The error counts bytes.
    #[inline]
    pub(crate) fn run(self, kernel: Kernel, src: &[u8]) -> Result<(), Error> {
        (self.check)(src, kernel).or_else(|known| (self.locate)(src, known))
    }

    /// [`check`](Self::check) on the active kernel.
    #[inline]
    pub(crate) fn check_on_active(self, src: &[u8]) -> Result<(), usize> {
        match self.scheme {
            Scheme::Utf8 => return check::check_utf8_on_active(src),
            Scheme::Ascii => return check::check_ascii_on_active(src),
            _ => {}
        }
        match Kernel::chosen() {
            Some(kernel) => (self.check)(src, kernel),
            None => check_first(self.check, src),
        }
    }

    /// Locates the error of `src` after the bytes that a [check](Self::check) knows to be
    /// well-formed.
    pub(crate) fn locate(self, src: &[u8], known: usize) -> Result<(), Error> {
        (self.locate)(src, known)
    }

    /// [`locate`](Self::locate), with an error that counts units of `size` bytes.
    ///
    /// Callers return the result unchanged, so they need no memory for it if there is no error.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate_in_units(
        self,
        src: &[u8],
        known: usize,
        size: usize,
    ) -> Result<(), Error> {
        (self.locate)(src, known).map_err(|error| error.in_units(size))
    }

    /// Validates `src`. An `Err` has the number of bytes that are known to be well-formed, up to a
    /// sequence that may be incomplete there.
    #[inline]
    pub(crate) fn check(self, kernel: Kernel, src: &[u8]) -> Result<(), usize> {
        (self.check)(src, kernel)
    }
}

/// Returns a check that comes before the choice of a kernel.
#[cold]
#[inline(never)]
fn check_first(check: Check, src: &[u8]) -> Result<(), usize> {
    check(src, Kernel::active())
}

/// Returns the functions that validate a scheme.
pub(crate) const fn validation(scheme: Scheme) -> Validation {
    let (check, locate): (Check, Locate) = match scheme {
        Scheme::Utf8 => (check::check_utf8, locate_utf8),
        Scheme::Utf16Le => (check_wide::check_utf16le, locate_utf16le),
        Scheme::Utf16Be => (check_wide::check_utf16be, locate_utf16be),
        Scheme::Utf32Le => (check_wide::check_utf32le, locate_utf32le),
        Scheme::Utf32Be => (check_wide::check_utf32be, locate_utf32be),
        Scheme::Latin1 => (check::check_latin1, locate_latin1),
        Scheme::Ascii => (check::check_ascii, locate_ascii),
        #[cfg(feature = "transcode")]
        Scheme::Cesu8 => (cesu8_mutf8::check_cesu8, locate_cesu8),
        #[cfg(feature = "transcode")]
        Scheme::Mutf8 => (cesu8_mutf8::check_mutf8, locate_mutf8),
        // Without conversions, there is no vector code for these two.
        #[cfg(not(feature = "transcode"))]
        Scheme::Cesu8 => (|src, _| check_by_reference::<Cesu8>(src), locate_cesu8),
        #[cfg(not(feature = "transcode"))]
        Scheme::Mutf8 => (|src, _| check_by_reference::<Mutf8>(src), locate_mutf8),
        Scheme::Wtf8 => (check::check_wtf8, locate_wtf8),
        Scheme::Wtf16Le | Scheme::Wtf16Be => (check::check_wtf16, locate_wtf16),
    };
    Validation { check, locate, scheme }
}

/// Validates by the reference alone.
#[cfg(not(feature = "transcode"))]
fn check_by_reference<A: scalar::code::Decode>(src: &[u8]) -> Result<(), usize> {
    scalar::validate::<A>(src).map_err(|error| error.valid_up_to())
}

/// Locates the error after the bytes that a check knows to be well-formed, by the reference. These
/// functions have no type parameters, because every crate that uses a generic function compiles it
/// again.
macro_rules! located {
    ($(fn $name:ident: $A:ident;)*) => {$(
        #[cold]
        #[inline(never)]
        fn $name(src: &[u8], known: usize) -> Result<(), Error> {
            scalar::validate::<$A>(&src[known..]).map_err(|error| error.after(known))
        }
    )*};
}

located! {
    fn locate_utf16le: Utf16Le;
    fn locate_utf16be: Utf16Be;
    fn locate_utf32le: Utf32Le;
    fn locate_utf32be: Utf32Be;
    fn locate_latin1: Latin1;
    fn locate_ascii: Ascii;
    fn locate_cesu8: Cesu8;
    fn locate_mutf8: Mutf8;
    fn locate_wtf8: Wtf8;
}

/// Locates the error of potentially ill-formed UTF-16: an incomplete unit at the end is the only
/// one.
#[cold]
#[inline(never)]
fn locate_wtf16(src: &[u8], known: usize) -> Result<(), Error> {
    match scalar::stop(Scheme::WTF16, Scheme::WTF16, src, known) {
        Stop::Error(error) => Err(error),
        _ => Ok(()),
    }
}
