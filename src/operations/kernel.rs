//! The operations as methods of [`Kernel`].

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
#[cfg(feature = "transcode")]
use crate::encoding::output::Output;
use crate::encoding::types::Encoding;
#[cfg(feature = "alloc")]
use crate::encoding::types::Unicode;
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned::{self, ConversionToVec};
use crate::types::error::Error;
use crate::types::progress::{Progress, Units};

/// The operations. Each is an inline shim: it views the units as bytes, selects the function for
/// its encodings at compile time, and converts positions back to units.
impl Kernel {
    /// Calls [`validate`](crate::validate) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence.
    #[inline]
    pub fn validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), Error> {
        let validation = const { validation(E::SCHEME) };
        let bytes = view::bytes(src);
        match validation.check(self, bytes) {
            Ok(()) => Ok(()),
            Err(valid_len) => validation.locate_in_units(bytes, valid_len, size_of::<E::Unit>()),
        }
    }

    /// Calls [`is_valid`](crate::is_valid) on this kernel.
    #[must_use]
    #[inline]
    pub fn is_valid<E: Encoding>(self, src: &[E::Unit]) -> bool {
        const { validation(E::SCHEME) }.check(self, view::bytes(src)).is_ok()
    }

    /// Calls [`transcode_into`](crate::transcode_into) on this kernel.
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn transcode_into<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> Progress {
        let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
        // SAFETY: the kernels write only initialised values.
        let output = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
        let units = const { Units::for_types::<A::Unit, B::Unit>() };
        conversion.run(self, view::bytes(src), output, units)
    }

    /// Calls [`transcode`](crate::transcode) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence or unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn transcode<A: Encoding, B: Encoding>(self, src: &[A::Unit]) -> Result<B::Owned, Error> {
        let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
        owned::to_new::<B>(Some(self), to_vec, view::bytes(src))
    }

    /// Calls [`transcode_append`](crate::transcode_append) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence or unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn transcode_append<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        out: &mut B::Owned,
    ) -> Result<(), Error> {
        let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
        owned::append_to::<B>(Some(self), to_vec, view::bytes(src), out)
    }

    /// Calls [`len`](crate::len) on this kernel.
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn len<A: Encoding, B: Encoding>(self, src: &[A::Unit]) -> usize {
        let len = const { pairs::len(A::SCHEME, B::SCHEME) };
        len(view::bytes(src), self)
            .saturating_mul(const { B::SCHEME.unit_size() / size_of::<B::Unit>() })
    }

    /// Calls [`count`](crate::count) on this kernel.
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn count<E: Encoding>(self, src: &[E::Unit]) -> usize {
        let count = const { pairs::count(E::SCHEME) };
        count(view::bytes(src), self)
    }

    /// Calls [`from_str`](crate::from_str) on this kernel.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[must_use]
    #[inline]
    pub fn from_str<B: Unicode>(self, src: &str) -> B::Owned {
        owned::from_str::<B>(Some(self), src)
    }

    /// Calls [`from_str_into`](crate::from_str_into) on this kernel.
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn from_str_into<B: Encoding>(
        self,
        src: &str,
        dst: &mut (impl Output<B::Unit> + ?Sized),
    ) -> Progress {
        let conversion = const { pairs::transcode_str(B::SCHEME) };
        // SAFETY: the kernels write only initialised values.
        let output = view::bytes_uninit_mut(unsafe { dst.uninit_mut() });
        let units = const { Units::for_types::<u8, B::Unit>() };
        conversion.run(self, src.as_bytes(), output, units)
    }

    /// Calls [`from_str_append`](crate::from_str_append) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn from_str_append<B: Encoding>(self, src: &str, out: &mut B::Owned) -> Result<(), Error> {
        let to_vec = const { &ConversionToVec::of_str::<B>() };
        owned::append_to::<B>(Some(self), to_vec, src.as_bytes(), out)
    }
}
