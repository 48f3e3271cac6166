//! The crates for CESU-8, Modified UTF-8 and WTF-8. They return a `Cow`, which is copied into the
//! output.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use wtf8::{Wtf8, Wtf8Buf};

use super::{FAILED, copy, fill};

/// Copies a result.
#[inline]
fn put(out: &[u8], dst: &mut [u8]) -> usize {
    copy(out, dst, true)
}

/// Conversions from UTF-8: the validation, and the crate's function.
macro_rules! into_cesu8_mutf8 {
    ($($name:ident: $valid:path, $encode:path;)*) => {$(
        #[doc = concat!("`", stringify!($valid), "`, `", stringify!($encode), "` and a copy.")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [u8]) -> usize {
            $valid(src).map_or(FAILED, |text| put(&$encode(text), dst))
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

/// Conversions from `str`.
macro_rules! from_str {
    ($($name:ident: $encode:path;)*) => {$(
        #[doc = concat!("`", stringify!($encode), "` and a copy.")]
        #[inline]
        pub fn $name(src: &str, dst: &mut [u8]) -> usize {
            put(&$encode(src), dst)
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

/// Conversions from CESU-8 or Modified UTF-8, into UTF-8 and from there into UTF-16, and its
/// validation.
macro_rules! from_cesu8_mutf8 {
    ($($utf8:ident $utf16:ident $valid:ident: $decode:path;)*) => {$(
        #[doc = concat!("`", stringify!($decode), "` and a copy.")]
        #[inline]
        pub fn $utf8(src: &[u8], dst: &mut [u8]) -> usize {
            $decode(src).map_or(FAILED, |text: Cow<'_, str>| put(text.as_bytes(), dst))
        }

        #[doc = concat!("`", stringify!($decode), "`, then `encode_utf16`.")]
        #[inline]
        pub fn $utf16(src: &[u8], dst: &mut [u16]) -> usize {
            $decode(src).map_or(FAILED, |text: Cow<'_, str>| fill(dst, text.encode_utf16()))
        }

        #[doc = concat!("`", stringify!($decode), "`.")]
        #[must_use]
        #[inline]
        pub fn $valid(src: &[u8]) -> bool {
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

/// Conversions from UTF-16 through a `String`.
macro_rules! from_utf16 {
    ($($name:ident: $encode:path;)*) => {$(
        #[doc = concat!("`String::from_utf16`, `", stringify!($encode), "` and a copy.")]
        #[inline]
        pub fn $name(src: &[u16], dst: &mut [u8]) -> usize {
            String::from_utf16(src).map_or(FAILED, |text| put(&$encode(&text), dst))
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

/// An output for hashed bytes: hashing is the only way that the crate `wtf8` exposes its bytes.
struct Output<'a> {
    dst: &'a mut [u8],
    written: usize,
}

impl Hasher for Output<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.written += put(bytes, self.dst);
    }

    // The byte that ends a text in a hash.
    #[inline]
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        0
    }
}

/// wtf8: `Wtf8Buf::from_ill_formed_utf16` and a copy.
#[inline]
pub fn wtf8_wtf16_to_wtf8(src: &[u16], dst: &mut [u8]) -> usize {
    let mut output = Output { dst, written: 0 };
    Wtf8Buf::from_ill_formed_utf16(src).hash(&mut output);
    output.written
}

/// wtf8: `Wtf8::to_ill_formed_utf16`, of bytes that `from_utf8` has validated as UTF-8. It takes no
/// other bytes.
#[inline]
pub fn wtf8_wtf8_to_wtf16(src: &[u8], dst: &mut [u16]) -> usize {
    std::str::from_utf8(src)
        .map_or(FAILED, |text| fill(dst, Wtf8::from_str(text).to_ill_formed_utf16()))
}
