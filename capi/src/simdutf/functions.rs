//! The functions of simdutf that differ only in their encodings.
//!
//! The symbol of a function is a prefix, a name and a suffix, such as `simdutf_convert_`,
//! `utf8_to_utf16` and `_with_errors`. `tests/headers.py` compares the symbols with the header.

use utflane::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Wtf16Be, Wtf16Le};

use crate::encodings::NativeUtf16;
use crate::memory;
use crate::simdutf::forms::{CEncoding, NativeUtf32, char16_t};
use crate::simdutf::types::simdutf_result;
use crate::simdutf::{convert, validate};

/// Defines functions that read a text. Each calls `$module::$body` with its encodings. The result
/// for an impossible pointer or length is the default of its type.
macro_rules! reading_functions {
    ($prefix:literal * $suffix:literal = $module:ident::$body:ident -> $result:ty:
     $($name:ident<$a:ident $(, $b:ident)?>)*) => { $(
        const _: () = {
            #[unsafe(export_name = concat!($prefix, stringify!($name), $suffix))]
            unsafe extern "C" fn function(
                input: *const <$a as CEncoding>::CUnit,
                length: usize,
            ) -> $result {
                // SAFETY: the caller meets the header's requirements for pointers.
                let text = unsafe { memory::source(input, length) };
                text.map_or_else(Default::default, $module::$body::<$a $(, $b)?>)
            }
        };
    )* };
}

/// Defines functions that read a text and write an output, with or without a parameter for the
/// capacity. Each calls `$module::$body` with its encodings.
macro_rules! writing_functions {
    ($prefix:literal * $suffix:literal = $module:ident::$body:ident -> $result:ty:
     $($name:ident<$a:ident, $b:ident $(, $capacity:ident)?>)*) => { $(
        const _: () = {
            #[unsafe(export_name = concat!($prefix, stringify!($name), $suffix))]
            unsafe extern "C" fn function(
                input: *const <$a as CEncoding>::CUnit,
                length: usize,
                output: *mut <$b as CEncoding>::CUnit,
                $($capacity: usize,)?
            ) -> $result {
                let capacity: Option<usize> = None$(.or(Some($capacity)))?;
                let min_capacity = capacity.unwrap_or(length.min(1));
                // SAFETY: the caller meets the header's requirements for pointers.
                match unsafe { memory::source(input, length) } {
                    Some(text) if memory::is_possible(output, min_capacity) => {
                        let capacity = capacity.unwrap_or(usize::MAX);
                        // SAFETY: the caller meets the header's requirements for outputs.
                        unsafe { $module::$body::<$a, $b>(text, output, capacity) }
                    }
                    _ => Default::default(),
                }
            }
        };
    )* };
}

/// Defines the three functions of each pair of encodings.
macro_rules! conversions {
    ($($name:ident<$a:ident, $b:ident>)*) => {
        writing_functions! { "simdutf_convert_" * "" = convert::convert_or_zero -> usize:
            $($name<$a, $b>)*
        }
        writing_functions! { "simdutf_convert_valid_" * "" = convert::convert_or_zero -> usize:
            $($name<$a, $b>)*
        }
        writing_functions! {
            "simdutf_convert_" * "_with_errors" = convert::convert_with_errors -> simdutf_result:
            $($name<$a, $b>)*
        }
    };
}

/// Defines functions whose output may be the input.
macro_rules! in_place_functions {
    ($($name:ident<$a:ident, $b:ident>)*) => { $(
        /// Has the signature and the result of simdutf's function with the same name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            input: *const char16_t,
            length: usize,
            output: *mut char16_t,
        ) {
            // SAFETY: the caller meets the header's requirements for pointers.
            unsafe { convert::convert_units::<$a, $b>(input, length, output) };
        }
    )* };
}

/// Defines functions that return the number of units of a text, which is their argument.
macro_rules! equal_lengths {
    ($($name:ident)*) => { $(
        /// Returns `length`: each unit becomes one unit.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(length: usize) -> usize {
            length
        }
    )* };
}

reading_functions! { "simdutf_validate_" * "" = utflane::is_valid -> bool:
    utf8<Utf8> ascii<Ascii> utf32<NativeUtf32>
    utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! {
    "simdutf_validate_" * "_with_errors" = validate::validate_with_errors -> simdutf_result:
    utf8<Utf8> ascii<Ascii> utf32<NativeUtf32>
    utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! { "simdutf_validate_" * "_as_ascii" = validate::is_ascii -> bool:
    utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! { "simdutf_count_" * "" = utflane::count -> usize:
    utf8<Utf8> utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! { "simdutf_utf32_length_from_" * "" = utflane::count -> usize:
    utf8<Utf8> utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! { "simdutf_" * "" = validate::compute_length -> usize:
    latin1_length_from_utf8<Utf8, Latin1>
    utf8_length_from_latin1<Latin1, Utf8>
    utf8_length_from_utf16<NativeUtf16, Utf8>
    utf8_length_from_utf16le<Utf16Le, Utf8>
    utf8_length_from_utf16be<Utf16Be, Utf8>
    utf8_length_from_utf32<NativeUtf32, Utf8>
    utf16_length_from_utf8<Utf8, NativeUtf16>
    utf16_length_from_utf32<NativeUtf32, NativeUtf16>
}

equal_lengths! {
    simdutf_latin1_length_from_utf16 simdutf_latin1_length_from_utf32
    simdutf_utf16_length_from_latin1 simdutf_utf32_length_from_latin1
}

reading_functions! { "simdutf_utf8_length_from_" * "_with_replacement" =
    validate::utf8_length_with_replacement -> simdutf_result:
    utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

reading_functions! { "simdutf_trim_partial_" * "" = validate::trim_partial -> usize:
    utf8<Utf8> utf16<NativeUtf16> utf16le<Utf16Le> utf16be<Utf16Be>
}

writing_functions! { "simdutf_convert_latin1_to_" * "" = convert::convert_or_zero -> usize:
    utf8<Latin1, Utf8> utf32<Latin1, NativeUtf32>
    utf16<Latin1, NativeUtf16> utf16le<Latin1, Utf16Le> utf16be<Latin1, Utf16Be>
}

conversions! {
    utf8_to_latin1<Utf8, Latin1>
    utf8_to_utf16<Utf8, NativeUtf16> utf8_to_utf16le<Utf8, Utf16Le> utf8_to_utf16be<Utf8, Utf16Be>
    utf8_to_utf32<Utf8, NativeUtf32>
    utf16_to_utf8<NativeUtf16, Utf8> utf16le_to_utf8<Utf16Le, Utf8> utf16be_to_utf8<Utf16Be, Utf8>
    utf16_to_latin1<NativeUtf16, Latin1>
    utf16le_to_latin1<Utf16Le, Latin1>
    utf16be_to_latin1<Utf16Be, Latin1>
    utf16_to_utf32<NativeUtf16, NativeUtf32>
    utf16le_to_utf32<Utf16Le, NativeUtf32>
    utf16be_to_utf32<Utf16Be, NativeUtf32>
    utf32_to_utf8<NativeUtf32, Utf8>
    utf32_to_latin1<NativeUtf32, Latin1>
    utf32_to_utf16<NativeUtf32, NativeUtf16>
    utf32_to_utf16le<NativeUtf32, Utf16Le>
    utf32_to_utf16be<NativeUtf32, Utf16Be>
}

writing_functions! { "simdutf_convert_" * "_safe" = convert::convert_or_zero -> usize:
    latin1_to_utf8<Latin1, Utf8, capacity> utf16_to_utf8<NativeUtf16, Utf8, capacity>
}

writing_functions! { "simdutf_convert_" * "_with_replacement" =
    convert::convert_with_replacement -> usize:
    utf16_to_utf8<NativeUtf16, Utf8> utf16le_to_utf8<Utf16Le, Utf8> utf16be_to_utf8<Utf16Be, Utf8>
}

in_place_functions! {
    simdutf_to_well_formed_utf16<NativeUtf16, NativeUtf16>
    simdutf_to_well_formed_utf16le<Utf16Le, Utf16Le>
    simdutf_to_well_formed_utf16be<Utf16Be, Utf16Be>
    simdutf_change_endianness_utf16<Wtf16Le, Wtf16Be>
}
