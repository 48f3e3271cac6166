//! The checks of UTF-16 and UTF-32. Their vector code is a feature: a quarter of the code of all
//! validations, which a program that validates UTF-8 need not compile.

#[cfg(feature = "wide")]
use crate::arch::lanes16::Lanes16;
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
            if is_of_surrogate(src.get(1)) {
                return check_pairs(src, &LITTLE_UNITS, 0, kernel);
            }
            check_utf16(src, &LITTLE_UNITS, kernel)
        }

        /// Validates UTF-16BE.
        #[inline(never)]
        pub(crate) fn check_utf16be(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            if is_of_surrogate(src.first()) {
                return check_pairs(src, &BIG_UNITS, 0, kernel);
            }
            check_utf16(src, &BIG_UNITS, kernel)
        }

        /// Returns true if the first unit is a surrogate. Most texts that begin with one have many.
        #[inline(always)]
        fn is_of_surrogate(upper: Option<&u8>) -> bool {
            upper.is_some_and(|byte| byte & 0xF8 == 0xD8)
        }

        /// Validates UTF-16. The byte order is a value, so both share one function.
        #[inline(never)]
        fn check_utf16(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> Result<(), usize> {
            let wide_bytes = match kernel.has_avx512_unless_halved() {
                true => 2 * WIDE_BYTES,
                false => HALVED_BYTES,
            };
            dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= wide_bytes,
                scalar => by_reference(src, order),
                |V, token, src, order| check_surrogate_free::<V>(token, src, order, kernel))
        }

        /// For at least this many bytes of UTF-16, vectors of 64 bytes are faster on processors
        /// that execute them as two halves.
        const HALVED_BYTES: usize = 3072;

        /// Validates UTF-16 up to the first surrogate.
        #[inline(always)]
        fn check_surrogate_free<V: Lanes16>(
            token: V::Token,
            src: &[u8],
            order: &'static UnitOrder,
            kernel: Kernel,
        ) -> Result<(), usize> {
            match from_utf16::surrogate_free::check::<V>(order, token, src) {
                None => Ok(()),
                Some(at) => check_pairs(src, order, at, kernel),
            }
        }

        /// Validates UTF-16 that may have surrogates from `at` on, in a separate function: other
        /// texts do not load its constants, and save no registers on the stack.
        #[inline(never)]
        fn check_pairs(
            src: &[u8],
            order: &'static UnitOrder,
            at: usize,
            kernel: Kernel,
        ) -> Result<(), usize> {
            dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 2 * WIDE_BYTES,
                scalar => by_reference(src, order),
                |V, token, src, order| from_utf16::check::check_after::<V>(order, token, src, at))
        }

        /// Validates UTF-16 by the reference.
        fn by_reference(src: &[u8], order: &'static UnitOrder) -> Result<(), usize> {
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

/// Validates by the reference.
fn check_by_reference<A: scalar::code::Decode>(src: &[u8]) -> Result<(), usize> {
    scalar::validate::<A>(src).map_err(|error| error.valid_up_to())
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    /// Returns generated units, of which every `rare`-th may be a surrogate.
    fn units(len: usize, rare: u32, seed: u32) -> Vec<u16> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let plain = |value: u32| if value & 1 == 0 { value % 0x80 } else { value % 0xD800 };
        let unit = |value: u32, rest: u32| {
            if value.is_multiple_of(rare) { 0xD800 + rest % 0x800 } else { plain(rest) }
        };
        (0..len).map(|_| unit(next(), next()) as u16).collect()
    }

    /// Returns the units before the first unpaired surrogate, by the standard library.
    fn well_formed_units(units: &[u16]) -> usize {
        let whole = char::decode_utf16(units.iter().copied()).take_while(Result::is_ok);
        whole.map(|c| c.map_or(0, char::len_utf16)).sum()
    }

    /// Asserts that a check accepts exactly the texts without an error at `valid`, in bytes.
    fn compare(result: Result<(), usize>, valid: Option<usize>, kernel: Kernel) {
        assert_eq!(result.is_err(), valid.is_some(), "{kernel}");
        if let (Err(known), Some(valid)) = (result, valid) {
            assert!(known <= valid, "{kernel}: {known}, {valid}");
        }
    }

    /// Checks every kernel against the standard library, with the feature and without it.
    #[test]
    fn as_the_standard_library() {
        for len in (0..300).chain([1000, 5000]) {
            for (seed, rare) in [(1, u32::MAX), (2, 1000), (3, 50), (4, 1)] {
                let units = units(len, rare, seed + 7 * len as u32);
                let front = well_formed_units(&units);
                let valid = (front < len).then_some(2 * front);
                let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                for kernel in Kernel::available() {
                    compare(check_utf16le(&little, kernel), valid, kernel);
                    compare(check_utf16be(&big, kernel), valid, kernel);
                }

                let front = char::decode_utf16(units[..front].iter().copied());
                let text: Vec<u32> = front.map(|c| c.unwrap().into()).collect();
                for bad in [None, Some(0xD800), Some(0x11_0000), Some(u32::MAX)] {
                    let valid = bad.map(|_| 4 * text.len());
                    let units: Vec<u32> = text.iter().copied().chain(bad).chain([0x61]).collect();
                    let little: Vec<u8> =
                        units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                    let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                    for kernel in Kernel::available() {
                        compare(check_utf32le(&little, kernel), valid, kernel);
                        compare(check_utf32be(&big, kernel), valid, kernel);
                    }
                }
            }
        }
    }

    /// Checks a surrogate or a pair at any offset of texts of any number of vectors, after other
    /// units and after a pair at the start.
    #[test]
    fn surrogates_anywhere() {
        let bytes = |units: &[u16], big: bool| -> Vec<u8> {
            units
                .iter()
                .flat_map(|&u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
                .collect()
        };
        let lens =
            (0..140_usize).chain([192, 193, 255, 256, 257, 300, 390, 512, 517, 1535, 1537, 1700]);
        for (len, pair_first) in lens.flat_map(|len| [(len, false), (len, len >= 2)]) {
            let start = if pair_first { 2 } else { 0 };
            let mut plain: Vec<u16> =
                [0xD7FF, 0xE000, 0x20D8, 0x61, 0xFFFF].into_iter().cycle().take(len).collect();
            if pair_first {
                plain[..2].copy_from_slice(&[0xD800, 0xDC00]);
            }
            let step = if len < 140 { 1 } else { 7 };
            for at in (start..len).step_by(step).chain(len.checked_sub(1)).chain([usize::MAX]) {
                for surrogates in [[0xD800, 0xDFFF], [0xDFFF, 0xE000], [0xDBFF, 0x20D8]] {
                    let mut units = plain.clone();
                    if let Some(to) = units.get_mut(at..) {
                        to.iter_mut().zip(surrogates).for_each(|(unit, new)| *unit = new);
                    }
                    let front = well_formed_units(&units);
                    let valid = (front < len).then_some(2 * front);
                    let (little, big) = (bytes(&units, false), bytes(&units, true));
                    for kernel in Kernel::available() {
                        compare(check_utf16le(&little, kernel), valid, kernel);
                        compare(check_utf16be(&big, kernel), valid, kernel);
                    }
                }
            }
            // An incomplete unit at the end.
            let mut half = bytes(&plain, false);
            half.push(0x61);
            for kernel in Kernel::available() {
                compare(check_utf16le(&half, kernel), Some(2 * len), kernel);
            }
        }
    }
}
