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

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};

    /// Returns `len` pseudo-random units, of which about one in `surrogate_interval` is a
    /// surrogate.
    fn random_units(len: usize, surrogate_interval: u32, seed: u32) -> Vec<u16> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let non_surrogate = |bits: u32| if bits & 1 == 0 { bits % 0x80 } else { bits % 0xD800 };
        let unit = |selector: u32, bits: u32| {
            if selector.is_multiple_of(surrogate_interval) {
                0xD800 + bits % 0x800
            } else {
                non_surrogate(bits)
            }
        };
        (0..len).map(|_| unit(next(), next()) as u16).collect()
    }

    /// Returns the number of units before the first unpaired surrogate, by the standard library.
    fn count_well_formed_units(units: &[u16]) -> usize {
        let characters = char::decode_utf16(units.iter().copied()).take_while(Result::is_ok);
        characters.map(|c| c.map_or(0, char::len_utf16)).sum()
    }

    /// Asserts that the first error of `src` is at byte `valid_len` on every kernel. If `valid_len`
    /// is the length of `src`, asserts that there is no error.
    fn assert_valid_len<E: Encoding<Unit = u8>>(src: &[u8], valid_len: usize) {
        for kernel in Kernel::available() {
            assert_eq!(kernel.is_valid::<E>(src), valid_len == src.len(), "{kernel}");
            let result = kernel.validate::<E>(src);
            let found = result.map_or_else(|error| error.valid_up_to(), |()| src.len());
            assert_eq!(found, valid_len, "{kernel}");
        }
    }

    /// [`assert_valid_len`] for UTF-16 in both byte orders.
    fn assert_utf16(units: &[u16], valid_units: usize) {
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_valid_len::<Utf16Le>(&little, 2 * valid_units);
        assert_valid_len::<Utf16Be>(&big, 2 * valid_units);
    }

    /// Compares every kernel with the standard library, with the feature `wide` and without it.
    #[test]
    fn checks_match_the_standard_library() {
        for len in (0..300).chain([1000, 5000]) {
            for (seed, surrogate_interval) in [(1, u32::MAX), (2, 1000), (3, 50), (4, 1)] {
                let units = random_units(len, surrogate_interval, seed + 7 * len as u32);
                let well_formed_len = count_well_formed_units(&units);
                assert_utf16(&units, well_formed_len);

                let characters = char::decode_utf16(units[..well_formed_len].iter().copied());
                let text: Vec<u32> = characters.map(|c| c.unwrap().into()).collect();
                for ill_formed in [None, Some(0xD800), Some(0x11_0000), Some(u32::MAX)] {
                    let units: Vec<u32> =
                        text.iter().copied().chain(ill_formed).chain([0x61]).collect();
                    let valid_units = if ill_formed.is_some() { text.len() } else { units.len() };
                    let little: Vec<u8> =
                        units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    assert_valid_len::<Utf32Le>(&little, 4 * valid_units);
                    assert_valid_len::<Utf32Be>(&big, 4 * valid_units);
                }
            }
        }
    }

    /// Compares every kernel with the standard library for a surrogate pair, an unpaired low
    /// surrogate and an unpaired high surrogate at many offsets of texts of many lengths, with and
    /// without a surrogate pair at the start.
    #[test]
    fn surrogates_at_many_offsets_are_checked() {
        let lens =
            (0..140_usize).chain([192, 193, 255, 256, 257, 300, 390, 512, 517, 1535, 1537, 1700]);
        for (len, pair_first) in lens.flat_map(|len| [(len, false), (len, len >= 2)]) {
            let start = if pair_first { 2 } else { 0 };
            let mut base_units: Vec<u16> =
                [0xD7FF, 0xE000, 0x20D8, 0x61, 0xFFFF].into_iter().cycle().take(len).collect();
            if pair_first {
                base_units[..2].copy_from_slice(&[0xD800, 0xDC00]);
            }
            let step = if len < 140 { 1 } else { 7 };
            for offset in (start..len).step_by(step).chain(len.checked_sub(1)).chain([usize::MAX]) {
                for surrogates in [[0xD800, 0xDFFF], [0xDFFF, 0xE000], [0xDBFF, 0x20D8]] {
                    let mut units = base_units.clone();
                    // `usize::MAX` leaves the text as it is.
                    if let Some(target) = units.get_mut(offset..) {
                        target.iter_mut().zip(surrogates).for_each(|(unit, new)| *unit = new);
                    }
                    assert_utf16(&units, count_well_formed_units(&units));
                }
            }
            // An incomplete unit at the end is ill-formed.
            let mut with_incomplete_unit: Vec<u8> =
                base_units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            with_incomplete_unit.push(0x61);
            assert_valid_len::<Utf16Le>(&with_incomplete_unit, 2 * len);
        }
    }
}
