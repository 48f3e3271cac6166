//! Functions of the crates for CESU-8, Modified UTF-8 and WTF-8. The crates return a `Cow`, which
//! is copied into the output.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use wtf8::{Wtf8, Wtf8Buf};

use super::{FAILED, copy_if, fill};

/// Copies the result of a crate into the output. Returns the number of bytes.
#[inline]
fn copy_result(result: &[u8], dst: &mut [u8]) -> usize {
    copy_if(result, dst, true)
}

/// Declares conversions from UTF-8: a validation, then the crate's function.
macro_rules! into_cesu8_mutf8 {
    ($($name:ident: $validate:path, $encode:path;)*) => {$(
        #[doc = concat!(
            "Calls `", stringify!($validate), "` and `", stringify!($encode), "`, then copies."
        )]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [u8]) -> usize {
            $validate(src).map_or(FAILED, |text| copy_result(&$encode(text), dst))
        }
    )*};
}

into_cesu8_mutf8! {
    cesu8_utf8_to_cesu8: std::str::from_utf8, cesu8::to_cesu8;
    cesu8_utf8_to_mutf8: std::str::from_utf8, cesu8::to_java_cesu8;
    simd_cesu8_utf8_to_cesu8: simdutf8::basic::from_utf8, simd_cesu8::encode;
    simd_cesu8_utf8_to_mutf8: simdutf8::basic::from_utf8, simd_cesu8::mutf8::encode;
    residua_utf8_to_mutf8: std::str::from_utf8, mutf8::encode;
}

/// Declares conversions from `str`.
macro_rules! from_str {
    ($($name:ident: $encode:path;)*) => {$(
        #[doc = concat!("Calls `", stringify!($encode), "`, then copies.")]
        #[inline]
        pub fn $name(src: &str, dst: &mut [u8]) -> usize {
            copy_result(&$encode(src), dst)
        }
    )*};
}

from_str! {
    cesu8_str_to_cesu8: cesu8::to_cesu8;
    cesu8_str_to_mutf8: cesu8::to_java_cesu8;
    simd_cesu8_str_to_cesu8: simd_cesu8::encode;
    simd_cesu8_str_to_mutf8: simd_cesu8::mutf8::encode;
    residua_str_to_mutf8: mutf8::encode;
}

/// Declares three functions by one decoder of CESU-8 or Modified UTF-8: the conversion to UTF-8,
/// the conversion to UTF-16 through UTF-8, and the validation.
macro_rules! from_cesu8_mutf8 {
    ($($utf8:ident $utf16:ident $is_valid:ident: $decode:path;)*) => {$(
        #[doc = concat!("Calls `", stringify!($decode), "`, then copies.")]
        #[inline]
        pub fn $utf8(src: &[u8], dst: &mut [u8]) -> usize {
            $decode(src).map_or(FAILED, |text: Cow<'_, str>| copy_result(text.as_bytes(), dst))
        }

        #[doc = concat!("Calls `", stringify!($decode), "`, then `encode_utf16`.")]
        #[inline]
        pub fn $utf16(src: &[u8], dst: &mut [u16]) -> usize {
            $decode(src).map_or(FAILED, |text: Cow<'_, str>| fill(dst, text.encode_utf16()))
        }

        #[doc = concat!("Returns true if `", stringify!($decode), "` returns no error.")]
        #[must_use]
        #[inline]
        pub fn $is_valid(src: &[u8]) -> bool {
            $decode(src).is_ok()
        }
    )*};
}

from_cesu8_mutf8! {
    cesu8_cesu8_to_utf8 cesu8_cesu8_to_utf16 cesu8_is_cesu8: cesu8::from_cesu8;
    cesu8_mutf8_to_utf8 cesu8_mutf8_to_utf16 cesu8_is_mutf8: cesu8::from_java_cesu8;
    simd_cesu8_cesu8_to_utf8 simd_cesu8_cesu8_to_utf16 simd_cesu8_is_cesu8:
        simd_cesu8::decode_strict;
    simd_cesu8_mutf8_to_utf8 simd_cesu8_mutf8_to_utf16 simd_cesu8_is_mutf8:
        simd_cesu8::mutf8::decode_strict;
    residua_mutf8_to_utf8 residua_mutf8_to_utf16 residua_is_mutf8: mutf8::decode;
}

/// Declares conversions from UTF-16 through a `String`.
macro_rules! from_utf16 {
    ($($name:ident: $encode:path;)*) => {$(
        #[doc = concat!("Calls `String::from_utf16` and `", stringify!($encode), "`, then copies.")]
        #[inline]
        pub fn $name(src: &[u16], dst: &mut [u8]) -> usize {
            String::from_utf16(src).map_or(FAILED, |text| copy_result(&$encode(&text), dst))
        }
    )*};
}

from_utf16! {
    cesu8_utf16_to_cesu8: cesu8::to_cesu8;
    cesu8_utf16_to_mutf8: cesu8::to_java_cesu8;
    simd_cesu8_utf16_to_cesu8: simd_cesu8::encode;
    simd_cesu8_utf16_to_mutf8: simd_cesu8::mutf8::encode;
    residua_utf16_to_mutf8: mutf8::encode;
}

/// A hasher that copies the hashed bytes into an output. The crate `wtf8` exposes the bytes of a
/// text only by hashing.
struct CopyHasher<'a> {
    dst: &'a mut [u8],
    written: usize,
}

impl Hasher for CopyHasher<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.written += copy_result(bytes, self.dst);
    }

    // Ignores the byte that is hashed after the end of a text.
    #[inline]
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        0
    }
}

/// Converts with wtf8: `Wtf8Buf::from_ill_formed_utf16` and a copy.
#[inline]
pub fn wtf8_wtf16_to_wtf8(src: &[u16], dst: &mut [u8]) -> usize {
    let mut hasher = CopyHasher { dst, written: 0 };
    Wtf8Buf::from_ill_formed_utf16(src).hash(&mut hasher);
    hasher.written
}

/// Converts with wtf8: `from_utf8`, then `Wtf8::to_ill_formed_utf16`. The crate accepts no bytes
/// that are not UTF-8.
#[inline]
pub fn wtf8_wtf8_to_wtf16(src: &[u8], dst: &mut [u16]) -> usize {
    std::str::from_utf8(src)
        .map_or(FAILED, |text| fill(dst, Wtf8::from_str(text).to_ill_formed_utf16()))
}
