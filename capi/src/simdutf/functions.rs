//! The functions of simdutf's C API that differ only in their encodings.

use core::ffi::c_char;

use utflane::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le};

use crate::encodings::NativeUtf16;
use crate::simdutf::forms::{CEncoding, NativeUtf32, char16_t};
use crate::simdutf::types::simdutf_result;
use crate::simdutf::{convert, repair, validate};

/// Defines functions that read a text. Each calls `$module::$body` with its encodings.
macro_rules! reading_functions {
    ($module:ident::$body:ident -> $result:ty: $($name:ident<$a:ident $(, $b:ident)?>)*) => { $(
        /// Has the signature and the result of simdutf's function with the same name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            input: *const <$a as CEncoding>::CUnit,
            length: usize,
        ) -> $result {
            // SAFETY: the caller meets the header's requirements for pointers.
            unsafe { $module::$body::<$a $(, $b)?>(input, length) }
        }
    )* };
}

/// Defines functions that read a text and write an output. Each calls `$module::$body` with its
/// encodings.
macro_rules! writing_functions {
    ($module:ident::$body:ident -> $result:ty: $($name:ident<$a:ident, $b:ident>)*) => { $(
        /// Has the signature and the result of simdutf's function with the same name.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            input: *const <$a as CEncoding>::CUnit,
            length: usize,
            output: *mut <$b as CEncoding>::CUnit,
        ) -> $result {
            // SAFETY: the caller meets the header's requirements for pointers.
            unsafe { $module::$body::<$a, $b>(input, length, output) }
        }
    )* };
}

reading_functions! { validate::is_valid -> bool:
    simdutf_validate_utf8<Utf8>
    simdutf_validate_ascii<Ascii>
    simdutf_validate_utf16<NativeUtf16>
    simdutf_validate_utf16le<Utf16Le>
    simdutf_validate_utf16be<Utf16Be>
    simdutf_validate_utf32<NativeUtf32>
}

reading_functions! { validate::validate_with_errors -> simdutf_result:
    simdutf_validate_utf8_with_errors<Utf8>
    simdutf_validate_ascii_with_errors<Ascii>
    simdutf_validate_utf16_with_errors<NativeUtf16>
    simdutf_validate_utf16le_with_errors<Utf16Le>
    simdutf_validate_utf16be_with_errors<Utf16Be>
    simdutf_validate_utf32_with_errors<NativeUtf32>
}

reading_functions! { validate::is_ascii -> bool:
    simdutf_validate_utf16_as_ascii<NativeUtf16>
    simdutf_validate_utf16le_as_ascii<Utf16Le>
    simdutf_validate_utf16be_as_ascii<Utf16Be>
}

reading_functions! { validate::count_code_points -> usize:
    simdutf_count_utf8<Utf8>
    simdutf_count_utf16<NativeUtf16>
    simdutf_count_utf16le<Utf16Le>
    simdutf_count_utf16be<Utf16Be>
}

reading_functions! { validate::compute_length -> usize:
    simdutf_utf8_length_from_latin1<Latin1, Utf8>
    simdutf_latin1_length_from_utf8<Utf8, Latin1>
    simdutf_utf16_length_from_utf8<Utf8, NativeUtf16>
    simdutf_utf32_length_from_utf8<Utf8, NativeUtf32>
    simdutf_utf8_length_from_utf16<NativeUtf16, Utf8>
    simdutf_utf8_length_from_utf16le<Utf16Le, Utf8>
    simdutf_utf8_length_from_utf16be<Utf16Be, Utf8>
    simdutf_utf8_length_from_utf32<NativeUtf32, Utf8>
}

reading_functions! { repair::utf8_length_with_replacement -> simdutf_result:
    simdutf_utf8_length_from_utf16_with_replacement<NativeUtf16>
    simdutf_utf8_length_from_utf16le_with_replacement<Utf16Le>
    simdutf_utf8_length_from_utf16be_with_replacement<Utf16Be>
}

/// Returns the number of bytes that `length` units of UTF-16 become in Latin-1.
#[unsafe(no_mangle)]
pub extern "C" fn simdutf_latin1_length_from_utf16(length: usize) -> usize {
    length
}

/// Returns the number of bytes that `length` units of UTF-32 become in Latin-1.
#[unsafe(no_mangle)]
pub extern "C" fn simdutf_latin1_length_from_utf32(length: usize) -> usize {
    length
}

writing_functions! { convert::convert_or_zero -> usize:
    simdutf_convert_latin1_to_utf8<Latin1, Utf8>
    simdutf_convert_latin1_to_utf16<Latin1, NativeUtf16>
    simdutf_convert_latin1_to_utf16le<Latin1, Utf16Le>
    simdutf_convert_latin1_to_utf16be<Latin1, Utf16Be>
    simdutf_convert_latin1_to_utf32<Latin1, NativeUtf32>
    simdutf_convert_utf8_to_latin1<Utf8, Latin1>
    simdutf_convert_utf8_to_utf16<Utf8, NativeUtf16>
    simdutf_convert_utf8_to_utf16le<Utf8, Utf16Le>
    simdutf_convert_utf8_to_utf16be<Utf8, Utf16Be>
    simdutf_convert_utf8_to_utf32<Utf8, NativeUtf32>
    simdutf_convert_utf16_to_utf8<NativeUtf16, Utf8>
    simdutf_convert_utf16_to_latin1<NativeUtf16, Latin1>
    simdutf_convert_utf16_to_utf32<NativeUtf16, NativeUtf32>
    simdutf_convert_utf16le_to_utf8<Utf16Le, Utf8>
    simdutf_convert_utf16le_to_latin1<Utf16Le, Latin1>
    simdutf_convert_utf16le_to_utf32<Utf16Le, NativeUtf32>
    simdutf_convert_utf16be_to_utf8<Utf16Be, Utf8>
    simdutf_convert_utf16be_to_latin1<Utf16Be, Latin1>
    simdutf_convert_utf16be_to_utf32<Utf16Be, NativeUtf32>
    simdutf_convert_utf32_to_utf8<NativeUtf32, Utf8>
    simdutf_convert_utf32_to_utf16<NativeUtf32, NativeUtf16>
    simdutf_convert_utf32_to_utf16le<NativeUtf32, Utf16Le>
    simdutf_convert_utf32_to_utf16be<NativeUtf32, Utf16Be>
}

writing_functions! { convert::convert_with_errors -> simdutf_result:
    simdutf_convert_utf8_to_latin1_with_errors<Utf8, Latin1>
    simdutf_convert_utf8_to_utf16_with_errors<Utf8, NativeUtf16>
    simdutf_convert_utf8_to_utf16le_with_errors<Utf8, Utf16Le>
    simdutf_convert_utf8_to_utf16be_with_errors<Utf8, Utf16Be>
    simdutf_convert_utf8_to_utf32_with_errors<Utf8, NativeUtf32>
    simdutf_convert_utf16_to_utf8_with_errors<NativeUtf16, Utf8>
    simdutf_convert_utf16_to_latin1_with_errors<NativeUtf16, Latin1>
    simdutf_convert_utf16_to_utf32_with_errors<NativeUtf16, NativeUtf32>
    simdutf_convert_utf16le_to_utf8_with_errors<Utf16Le, Utf8>
    simdutf_convert_utf16le_to_latin1_with_errors<Utf16Le, Latin1>
    simdutf_convert_utf16le_to_utf32_with_errors<Utf16Le, NativeUtf32>
    simdutf_convert_utf16be_to_utf8_with_errors<Utf16Be, Utf8>
    simdutf_convert_utf16be_to_latin1_with_errors<Utf16Be, Latin1>
    simdutf_convert_utf16be_to_utf32_with_errors<Utf16Be, NativeUtf32>
    simdutf_convert_utf32_to_utf8_with_errors<NativeUtf32, Utf8>
    simdutf_convert_utf32_to_latin1_with_errors<NativeUtf32, Latin1>
}

writing_functions! { convert::convert_or_zero -> usize:
    simdutf_convert_valid_utf8_to_latin1<Utf8, Latin1>
    simdutf_convert_valid_utf8_to_utf16le<Utf8, Utf16Le>
    simdutf_convert_valid_utf8_to_utf16be<Utf8, Utf16Be>
    simdutf_convert_valid_utf8_to_utf32<Utf8, NativeUtf32>
    simdutf_convert_valid_utf16_to_utf8<NativeUtf16, Utf8>
    simdutf_convert_valid_utf16_to_latin1<NativeUtf16, Latin1>
    simdutf_convert_valid_utf16_to_utf32<NativeUtf16, NativeUtf32>
    simdutf_convert_valid_utf16le_to_utf8<Utf16Le, Utf8>
    simdutf_convert_valid_utf16le_to_latin1<Utf16Le, Latin1>
    simdutf_convert_valid_utf16le_to_utf32<Utf16Le, NativeUtf32>
    simdutf_convert_valid_utf16be_to_utf8<Utf16Be, Utf8>
    simdutf_convert_valid_utf16be_to_latin1<Utf16Be, Latin1>
    simdutf_convert_valid_utf16be_to_utf32<Utf16Be, NativeUtf32>
    simdutf_convert_valid_utf32_to_utf8<NativeUtf32, Utf8>
}

writing_functions! { convert::convert_with_replacement -> usize:
    simdutf_convert_utf16_to_utf8_with_replacement<NativeUtf16, Utf8>
    simdutf_convert_utf16le_to_utf8_with_replacement<Utf16Le, Utf8>
    simdutf_convert_utf16be_to_utf8_with_replacement<Utf16Be, Utf8>
}

writing_functions! { repair::replace_unpaired_surrogates -> ():
    simdutf_to_well_formed_utf16<NativeUtf16, NativeUtf16>
    simdutf_to_well_formed_utf16le<Utf16Le, Utf16Le>
    simdutf_to_well_formed_utf16be<Utf16Be, Utf16Be>
}

/// Converts as many whole characters as fit into `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_latin1_to_utf8_safe(
    input: *const c_char,
    length: usize,
    output: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller meets the header's requirements for pointers.
    unsafe { convert::convert_within_capacity::<Latin1, Utf8>(input, length, output, capacity) }
}

/// Converts as many whole characters as fit into `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdutf_convert_utf16_to_utf8_safe(
    input: *const char16_t,
    length: usize,
    output: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller meets the header's requirements for pointers.
    unsafe {
        convert::convert_within_capacity::<NativeUtf16, Utf8>(input, length, output, capacity)
    }
}
