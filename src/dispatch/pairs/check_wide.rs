//! The checks of UTF-16 and UTF-32. Their vector code is compiled only with the feature `wide`: it
//! is a quarter of the code of all validations, and a program that validates only UTF-8 does not
//! need it.

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "wide")]
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
#[cfg(feature = "wide")]
use crate::generic::{from_utf16, from_utf32};
use crate::scalar;
#[cfg(feature = "wide")]
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little, UnitOrder};

cfg_if::cfg_if! {
    if #[cfg(feature = "wide")] {
        /// Validates UTF-16LE.
        #[inline(never)]
        pub(crate) fn check_utf16le(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            check_utf16(src, &LITTLE_UNITS, kernel)
        }

        /// Validates UTF-16BE.
        #[inline(never)]
        pub(crate) fn check_utf16be(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            check_utf16(src, &BIG_UNITS, kernel)
        }

        /// Validates UTF-16. The byte order is a run-time argument, so both byte orders share one
        /// function.
        #[inline(never)]
        fn check_utf16(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> Result<(), usize> {
            let wide_min_bytes = match kernel.has_avx512_unless_halved() {
                true => 2 * WIDE_BYTES,
                false => HALVED_WIDE_MIN_BYTES,
            };
            dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= wide_min_bytes,
                scalar => check_utf16_by_reference(src, order),
                |V, token, src, order| from_utf16::check::check::<V>(order, token, src))
        }

        /// The minimum length, in bytes of UTF-16, for which vectors of 64 bytes are faster on
        /// processors that execute them as two halves.
        const HALVED_WIDE_MIN_BYTES: usize = 3072;

        /// Validates UTF-16 by the scalar reference.
        fn check_utf16_by_reference(src: &[u8], order: &'static UnitOrder) -> Result<(), usize> {
            match order.big {
                false => check_by_reference::<Utf16Le>(src),
                true => check_by_reference::<Utf16Be>(src),
            }
        }

        /// Validates UTF-32LE.
        #[inline(never)]
        pub(crate) fn check_utf32le(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
                scalar => check_by_reference::<Utf32Le>(src),
                |V, token| from_utf32::check::check::<V, Little>(token, src))
        }

        /// Validates UTF-32BE.
        #[inline(never)]
        pub(crate) fn check_utf32be(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
                scalar => check_by_reference::<Utf32Be>(src),
                |V, token| from_utf32::check::check::<V, Big>(token, src))
        }
    } else {
        pub(crate) fn check_utf16le(src: &[u8], _: Kernel) -> Result<(), usize> {
            check_by_reference::<Utf16Le>(src)
        }

        pub(crate) fn check_utf16be(src: &[u8], _: Kernel) -> Result<(), usize> {
            check_by_reference::<Utf16Be>(src)
        }

        pub(crate) fn check_utf32le(src: &[u8], _: Kernel) -> Result<(), usize> {
            check_by_reference::<Utf32Le>(src)
        }

        pub(crate) fn check_utf32be(src: &[u8], _: Kernel) -> Result<(), usize> {
            check_by_reference::<Utf32Be>(src)
        }
    }
}

/// Validates by the scalar reference.
fn check_by_reference<A: scalar::code::Decode>(src: &[u8]) -> Result<(), usize> {
    scalar::validate::<A>(src).map_err(|error| error.valid_up_to())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

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

    /// Asserts that a check fails exactly if the text has an error, and does not call bytes after
    /// the start of the error well-formed. `error_offset` is the byte offset of the first error.
    fn assert_check(result: Result<(), usize>, error_offset: Option<usize>, kernel: Kernel) {
        assert_eq!(result.is_err(), error_offset.is_some(), "{kernel}");
        if let (Err(known_len), Some(error_offset)) = (result, error_offset) {
            assert!(known_len <= error_offset, "{kernel}: {known_len}, {error_offset}");
        }
    }

    /// Compares every kernel with the standard library, with the feature `wide` and without it.
    #[test]
    fn checks_match_the_standard_library() {
        for len in (0..300).chain([1000, 5000]) {
            for (seed, surrogate_interval) in [(1, u32::MAX), (2, 1000), (3, 50), (4, 1)] {
                let units = random_units(len, surrogate_interval, seed + 7 * len as u32);
                let well_formed_len = count_well_formed_units(&units);
                let error_offset = (well_formed_len < len).then_some(2 * well_formed_len);
                let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                for kernel in Kernel::available() {
                    assert_check(check_utf16le(&little, kernel), error_offset, kernel);
                    assert_check(check_utf16be(&big, kernel), error_offset, kernel);
                }

                let characters = char::decode_utf16(units[..well_formed_len].iter().copied());
                let text: Vec<u32> = characters.map(|c| c.unwrap().into()).collect();
                for ill_formed in [None, Some(0xD800), Some(0x11_0000), Some(u32::MAX)] {
                    let error_offset = ill_formed.map(|_| 4 * text.len());
                    let units: Vec<u32> =
                        text.iter().copied().chain(ill_formed).chain([0x61]).collect();
                    let little: Vec<u8> =
                        units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    for kernel in Kernel::available() {
                        assert_check(check_utf32le(&little, kernel), error_offset, kernel);
                        assert_check(check_utf32be(&big, kernel), error_offset, kernel);
                    }
                }
            }
        }
    }

    /// Compares every kernel with the standard library for a surrogate pair, an unpaired low
    /// surrogate and an unpaired high surrogate at many offsets of texts of many lengths, with and
    /// without a surrogate pair at the start.
    #[test]
    fn surrogates_at_many_offsets_are_checked() {
        let to_bytes = |units: &[u16], big: bool| -> Vec<u8> {
            units
                .iter()
                .flat_map(|&u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
                .collect()
        };
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
                    let well_formed_len = count_well_formed_units(&units);
                    let error_offset = (well_formed_len < len).then_some(2 * well_formed_len);
                    let (little, big) = (to_bytes(&units, false), to_bytes(&units, true));
                    for kernel in Kernel::available() {
                        assert_check(check_utf16le(&little, kernel), error_offset, kernel);
                        assert_check(check_utf16be(&big, kernel), error_offset, kernel);
                    }
                }
            }
            // An incomplete unit at the end is ill-formed.
            let mut with_incomplete_unit = to_bytes(&base_units, false);
            with_incomplete_unit.push(0x61);
            for kernel in Kernel::available() {
                assert_check(check_utf16le(&with_incomplete_unit, kernel), Some(2 * len), kernel);
            }
        }
    }
}
