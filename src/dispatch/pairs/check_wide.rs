//! The checks of UTF-16 and UTF-32. Their vector code is a feature: a quarter of the code of all
//! validations, which a program that validates UTF-8 need not compile.

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "wide")]
use crate::dispatch::run::{FROM_TWO_VECTORS, dispatch_long};
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
            check_utf16(src, kernel, &LITTLE_UNITS)
        }

        /// Validates UTF-16BE.
        #[inline(never)]
        pub(crate) fn check_utf16be(src: &[u8], kernel: Kernel) -> Result<(), usize> {
            check_utf16(src, kernel, &BIG_UNITS)
        }

        /// Validates UTF-16 in an order that is a value, so that both share one function.
        #[inline(never)]
        fn check_utf16(src: &[u8], kernel: Kernel, order: &'static UnitOrder) -> Result<(), usize> {
            dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_TWO_VECTORS,
                scalar => match order.big {
                    false => scalar::validate::<Utf16Le>(src),
                    true => scalar::validate::<Utf16Be>(src),
                }
                .map_err(|error| error.valid_up_to()),
                |V, token, src, order| from_utf16::check::check::<V>(order, token, src))
        }

        /// Validates UTF-32.
        macro_rules! check_utf32 {
            ($(fn $name:ident: $A:ident $O:ident;)*) => {$(
                #[inline(never)]
                pub(crate) fn $name(src: &[u8], kernel: Kernel) -> Result<(), usize> {
                    dispatch_long!(kernel, src.len(),
                        scalar => scalar::validate::<$A>(src).map_err(|error| error.valid_up_to()),
                        |V, token| from_utf32::check::check::<V, $O>(token, src))
                }
            )*};
        }

        check_utf32! {
            fn check_utf32le: Utf32Le Little;
            fn check_utf32be: Utf32Be Big;
        }
    } else {
        /// Validates by the reference.
        macro_rules! by_reference {
            ($(fn $name:ident: $A:ident;)*) => {$(
                pub(crate) fn $name(src: &[u8], _: Kernel) -> Result<(), usize> {
                    scalar::validate::<$A>(src).map_err(|error| error.valid_up_to())
                }
            )*};
        }

        by_reference! {
            fn check_utf16le: Utf16Le;
            fn check_utf16be: Utf16Be;
            fn check_utf32le: Utf32Le;
            fn check_utf32be: Utf32Be;
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;

    /// Units of a generator, of which every `rare`-th may be a surrogate.
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

    /// Units before the first unpaired surrogate, by the standard library.
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

    /// With the feature and without it, as the standard library, on every kernel.
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
}
