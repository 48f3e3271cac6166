//! The encodings of the named functions, and the bodies of these functions.

use core::ffi::c_char;

use utflane::{
    Ascii, Encoding, Latin1, Repair, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, count, is_valid,
    len, len_lossy, transcode_into_uninit, transcode_lossy_into_uninit, validate,
};

use crate::memory;
use crate::results::{utflane_lossy_result, utflane_result, utflane_validation};

/// A code unit of UTF-16. Its type in the header is that of C and C++.
#[expect(non_camel_case_types, reason = "the name in C")]
pub type char16_t = u16;

/// A code unit of UTF-32. Its type in the header is that of C and C++.
#[expect(non_camel_case_types, reason = "the name in C")]
pub type char32_t = u32;

/// An encoding as C has it: units of `Unit`, which hold bytes of `Encoding`.
pub(crate) trait Form {
    /// The encoding of the bytes.
    type Encoding: Encoding<Unit = u8>;
    /// The same encoding, in units where it has the machine's byte order: short conversions of
    /// these are faster.
    type Native: Encoding;
    /// The unit of the pointers.
    type Unit;
    /// Bytes of a unit.
    const SIZE: usize = size_of::<Self::Unit>();
    /// Units of `Native` in a unit.
    const NATIVE_UNITS: usize = Self::SIZE / size_of::<<Self::Native as Encoding>::Unit>();
}

/// A form of these bytes, the same encoding in the machine's units, and this unit.
macro_rules! form {
    ($name:ident, $encoding:ty, $native:ty, $unit:ty) => {
        pub(crate) struct $name;

        impl Form for $name {
            type Encoding = $encoding;
            type Native = $native;
            type Unit = $unit;
        }
    };
}

form!(FormUtf8, Utf8, Utf8, c_char);
form!(FormUtf16Le, Utf16Le, native::Units16Le, char16_t);
form!(FormUtf16Be, Utf16Be, native::Units16Be, char16_t);
form!(FormUtf32Le, Utf32Le, native::Units32Le, char32_t);
form!(FormUtf32Be, Utf32Be, native::Units32Be, char32_t);
form!(FormLatin1, Latin1, Latin1, c_char);
form!(FormAscii, Ascii, Ascii, c_char);

#[cfg(target_endian = "little")]
mod native {
    pub(super) use utflane::{Utf16 as Units16Le, Utf16Be as Units16Be};
    pub(super) use utflane::{Utf32 as Units32Le, Utf32Be as Units32Be};
}
#[cfg(target_endian = "big")]
mod native {
    pub(super) use utflane::{Utf16 as Units16Be, Utf16Le as Units16Le};
    pub(super) use utflane::{Utf32 as Units32Be, Utf32Le as Units32Le};
}

/// UTF-16 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(crate) type FormUtf16 = FormUtf16Le;
/// UTF-16 in the machine's byte order.
#[cfg(target_endian = "big")]
pub(crate) type FormUtf16 = FormUtf16Be;
/// UTF-32 in the machine's byte order.
#[cfg(target_endian = "little")]
pub(crate) type FormUtf32 = FormUtf32Le;
/// UTF-32 in the machine's byte order.
#[cfg(target_endian = "big")]
pub(crate) type FormUtf32 = FormUtf32Be;

/// Validates a text of `A`.
///
/// # Safety
///
/// That of [`memory::source`].
#[inline(always)]
pub(crate) unsafe fn validate_form<A: Form>(
    src: *const A::Unit,
    length: usize,
) -> utflane_validation {
    // SAFETY: the caller's promise.
    let Some(src) = (unsafe { memory::source(src, length) }) else {
        return utflane_validation::INVALID;
    };
    // The search of an error would keep registers of those without one.
    match is_valid::<A::Encoding>(src) {
        true => utflane_validation::new(Ok(()), src.len(), A::SIZE),
        false => first_error::<A>(src),
    }
}

/// Locates the first error of a text that has one.
#[cold]
#[inline(never)]
fn first_error<A: Form>(src: &[u8]) -> utflane_validation {
    utflane_validation::new(validate::<A::Encoding>(src), src.len(), A::SIZE)
}

/// Converts as much as fits.
///
/// # Safety
///
/// That of [`memory::source`] and [`memory::destination`].
#[inline(always)]
pub(crate) unsafe fn convert_form<A: Form, B: Form>(
    src: *const A::Unit,
    length: usize,
    dst: *mut B::Unit,
    capacity: usize,
) -> utflane_result {
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src, length) };
    // SAFETY: the caller's promise.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(src), Some(dst)) = (src, dst) else { return utflane_result::INVALID };
    let progress = transcode_into_uninit::<A::Native, B::Native>(src, dst);
    utflane_result::new(progress, A::NATIVE_UNITS, B::NATIVE_UNITS)
}

/// Converts as much as fits, with replacements.
///
/// # Safety
///
/// That of [`memory::source`] and [`memory::destination`].
pub(crate) unsafe fn convert_form_lossy<A: Form, B: Form>(
    src: *const A::Unit,
    length: usize,
    dst: *mut B::Unit,
    capacity: usize,
) -> utflane_lossy_result {
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src, length) };
    // SAFETY: the caller's promise.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(src), Some(dst)) = (src, dst) else { return utflane_lossy_result::INVALID };
    let progress =
        transcode_lossy_into_uninit::<A::Encoding, B::Encoding>(src, Repair::REPLACE, dst);
    utflane_lossy_result::new(progress, A::SIZE, B::SIZE)
}

/// Returns the units of `B` that a text of `A` becomes.
///
/// # Safety
///
/// That of [`memory::source`].
#[inline(always)]
pub(crate) unsafe fn length_form<A: Form, B: Form>(src: *const A::Unit, length: usize) -> usize {
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src, length) };
    src.map_or(0, |src| len::<A::Encoding, B::Encoding>(src) / B::SIZE)
}

/// Returns the units of `B` that a text of `A` becomes with replacements.
///
/// # Safety
///
/// That of [`memory::source`].
pub(crate) unsafe fn length_form_lossy<A: Form, B: Form>(
    src: *const A::Unit,
    length: usize,
) -> usize {
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src, length) };
    src.map_or(0, |src| len_lossy::<A::Encoding, B::Encoding>(src, Repair::REPLACE) / B::SIZE)
}

/// Returns the code points of a text of `A`.
///
/// # Safety
///
/// That of [`memory::source`].
#[inline(always)]
pub(crate) unsafe fn count_form<A: Form>(src: *const A::Unit, length: usize) -> usize {
    // SAFETY: the caller's promise.
    let src = unsafe { memory::source(src, length) };
    src.map_or(0, count::<A::Encoding>)
}
