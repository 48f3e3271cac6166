//! The operations as methods of [`Kernel`].

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::validation::validation;
#[cfg(feature = "count")]
use crate::dispatch::pairs::{repair, table as pairs};
#[cfg(feature = "transcode")]
use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::types::Unicode;
#[cfg(feature = "transcode")]
use crate::encoding::types::Utf16;
use crate::encoding::types::{Encoding, Utf8};
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned;
use crate::types::error::Error;
use crate::types::progress::{Progress, Units};
use crate::types::summary::Summary;
use crate::utf8::text as utf8;
#[cfg(feature = "count")]
use crate::utf16::repair as utf16;

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
        dst: &mut [B::Unit],
    ) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.transcode_into_uninit::<A, B>(src, dst)
    }

    /// Calls [`transcode_into_uninit`](crate::transcode_into_uninit) on this kernel.
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn transcode_into_uninit<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress {
        let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
        let units = const { Units::for_types::<A::Unit, B::Unit>() };
        conversion.run(self, view::bytes(src), view::bytes_uninit_mut(dst), units)
    }

    /// Calls [`transcode`](crate::transcode) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence or unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn transcode<A: Encoding, B: Encoding>(self, src: &[A::Unit]) -> Result<B::Owned, Error> {
        owned::transcode::<A, B>(Some(self), src)
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
        owned::transcode_append::<A, B>(Some(self), src, out)
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

    /// Calls [`try_from_str`](crate::try_from_str) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn try_from_str<B: Encoding>(self, src: &str) -> Result<B::Owned, Error> {
        owned::try_from_str::<B>(Some(self), src)
    }

    /// Calls [`from_str_into`](crate::from_str_into) on this kernel.
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn from_str_into<B: Encoding>(self, src: &str, dst: &mut [B::Unit]) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.from_str_into_uninit::<B>(src, dst)
    }

    /// Calls [`from_str_into_uninit`](crate::from_str_into_uninit) on this kernel.
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn from_str_into_uninit<B: Encoding>(
        self,
        src: &str,
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress {
        let conversion = const { pairs::transcode_str(B::SCHEME) };
        conversion.run(
            self,
            src.as_bytes(),
            view::bytes_uninit_mut(dst),
            const { Units::for_types::<u8, B::Unit>() },
        )
    }

    /// Calls [`from_str_append`](crate::from_str_append) on this kernel.
    ///
    /// # Errors
    ///
    /// Returns an error for the first unmappable character.
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[inline]
    pub fn from_str_append<B: Encoding>(self, src: &str, out: &mut B::Owned) -> Result<(), Error> {
        owned::from_str_append::<B>(Some(self), src, out)
    }

    /// Calls [`from_str_len`](crate::from_str_len) on this kernel.
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn from_str_len<B: Encoding>(self, src: &str) -> usize {
        self.len::<Utf8, B>(src.as_bytes())
    }

    /// Calls `utf8::from_utf8` on this kernel.
    #[doc(hidden)]
    #[inline]
    pub fn from_utf8(self, src: &[u8]) -> Result<&str, Error> {
        utf8::from_utf8_on(src, self)
    }

    /// Calls `utf8::from_utf8_mut` on this kernel.
    #[doc(hidden)]
    #[inline]
    pub fn from_utf8_mut(self, src: &mut [u8]) -> Result<&mut str, Error> {
        utf8::from_utf8_mut_on(src, self)
    }

    /// Calls `utf8::summary` on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn utf8_summary(self, src: &[u8]) -> Summary {
        utf8::summary_on(src, self)
    }

    /// Calls `utf8::fits_latin1` on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn utf8_fits_latin1(self, src: &[u8]) -> bool {
        utf8::fits_latin1_on(src, self)
    }

    /// Calls [`utf16::make_well_formed`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn utf16_make_well_formed(self, text: &mut [u16]) -> usize {
        let repair = const { repair::make_well_formed_fn(Utf16::SCHEME) };
        repair(view::bytes_mut(text), self)
    }

    /// Calls [`utf16::make_well_formed_le`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn utf16_make_well_formed_le(self, text: &mut [u8]) -> usize {
        let (units, _) = text.as_chunks_mut::<2>();
        let repair = const { repair::make_well_formed_fn(Scheme::Utf16Le) };
        repair(units.as_flattened_mut(), self)
    }

    /// Calls [`utf16::make_well_formed_be`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn utf16_make_well_formed_be(self, text: &mut [u8]) -> usize {
        let (units, _) = text.as_chunks_mut::<2>();
        let repair = const { repair::make_well_formed_fn(Scheme::Utf16Be) };
        repair(units.as_flattened_mut(), self)
    }

    /// Calls [`utf16::well_formed_into`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn utf16_well_formed_into(self, src: &[u16], dst: &mut [u16]) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.utf16_well_formed_into_uninit(src, dst)
    }

    /// Calls [`utf16::well_formed_into_uninit`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn utf16_well_formed_into_uninit(
        self,
        src: &[u16],
        dst: &mut [MaybeUninit<u16>],
    ) -> Progress {
        utf16::well_formed_into_on(src, dst, self)
    }

    /// Calls [`utf16::to_well_formed`] on this kernel.
    #[doc(hidden)]
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    #[must_use]
    #[inline]
    pub fn utf16_to_well_formed(self, src: &[u16]) -> Cow<'_, [u16]> {
        match self.validate::<Utf16>(src) {
            Ok(()) => Cow::Borrowed(src),
            Err(_) => Cow::Owned(utf16::well_formed_on(src, self)),
        }
    }

    /// Calls [`utf16::fits_latin1`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn utf16_fits_latin1(self, src: &[u16]) -> bool {
        utf16::fits_on(view::bytes(src), utf16::BEYOND_LATIN1, self)
    }

    /// Calls [`utf16::fits_ascii`] on this kernel.
    #[doc(hidden)]
    #[cfg(feature = "count")]
    #[must_use]
    #[inline]
    pub fn utf16_fits_ascii(self, src: &[u16]) -> bool {
        utf16::fits_on(view::bytes(src), utf16::BEYOND_ASCII, self)
    }
}
