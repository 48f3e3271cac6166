//! Conversions into a new `String` or `Vec`, as a careful user would write them: with simdutf,
//! which needs to know the capacity, the length first.

use encoding_rs::mem;

#[cfg(feature = "simdutf")]
use simdutf::{ErrorCode, Result};

/// True if simdutf reached the end.
#[cfg(feature = "simdutf")]
trait Complete {
    fn complete(self) -> Option<usize>;
}

#[cfg(feature = "simdutf")]
impl Complete for Result {
    #[inline]
    fn complete(self) -> Option<usize> {
        (self.error == ErrorCode::Success).then_some(self.count)
    }
}

#[cfg(feature = "simdutf")]
impl Complete for usize {
    /// Nothing has been written after an error.
    #[inline]
    fn complete(self) -> Option<usize> {
        (self > 0).then_some(self)
    }
}

/// simdutf: the length, an allocation of exactly that size, the conversion.
#[cfg(feature = "simdutf")]
macro_rules! measured {
    ($($name:ident: $source:ty => $unit:ty, $len:ident, $convert:ident;)*) => {$(
        #[doc = concat!("`", stringify!($len), "`, then `", stringify!($convert), "`.")]
        #[inline]
        pub fn $name(src: &$source) -> Option<Vec<$unit>> {
            let len = simdutf::$len(src.as_ref());
            let mut out: Vec<$unit> = Vec::with_capacity(len);
            // SAFETY: the capacity is the size that the library's own function returns; `valid`
            // functions take a `str`.
            let result = unsafe { simdutf::$convert(src.as_ptr(), src.len(), out.as_mut_ptr()) };
            let written = if src.is_empty() { 0 } else { result.complete()? };
            assert!(written <= out.capacity(), "more than was said");
            // SAFETY: this number of units has been written.
            unsafe { out.set_len(written) };
            Some(out)
        }
    )*};
}

#[cfg(feature = "simdutf")]
measured! {
    simdutf_utf8_to_utf16: [u8] => u16, utf16_length_from_utf8, convert_utf8_to_utf16;
    simdutf_utf8_to_utf32: [u8] => u32, utf32_length_from_utf8, convert_utf8_to_utf32;
    simdutf_utf8_to_latin1: [u8] => u8, latin1_length_from_utf8, convert_utf8_to_latin1;
    simdutf_utf16_to_utf8: [u16] => u8, utf8_length_from_utf16, convert_utf16_to_utf8;
    simdutf_latin1_to_utf8: [u8] => u8, utf8_length_from_latin1, convert_latin1_to_utf8;
    simdutf_str_to_utf16: str => u16, utf16_length_from_utf8, convert_valid_utf8_to_utf16;
    simdutf_str_to_utf32: str => u32, utf32_length_from_utf8, convert_valid_utf8_to_utf32;
}

/// simdutf: an allocation, which needs no length, and the conversion of Latin-1.
#[cfg(feature = "simdutf")]
macro_rules! widened {
    ($($name:ident: $unit:ty, $convert:ident;)*) => {$(
        #[doc = concat!("`", stringify!($convert), "`.")]
        #[inline]
        pub fn $name(src: &[u8]) -> Option<Vec<$unit>> {
            let mut out: Vec<$unit> = Vec::with_capacity(src.len());
            // SAFETY: there is capacity for a unit for each byte.
            let written = unsafe { simdutf::$convert(src.as_ptr(), src.len(), out.as_mut_ptr()) };
            assert!(written <= out.capacity(), "more than was said");
            // SAFETY: this number of units has been written.
            unsafe { out.set_len(written) };
            Some(out)
        }
    )*};
}

#[cfg(feature = "simdutf")]
widened! {
    simdutf_latin1_to_utf16: u16, convert_latin1_to_utf16;
    simdutf_latin1_to_utf32: u32, convert_latin1_to_utf32;
}

/// simdutf: validation, then the conversion of Latin-1.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_ascii_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    if simdutf::validate_ascii(src) { simdutf_latin1_to_utf16(src) } else { None }
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_ascii_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    simdutf::validate_ascii(src).then(|| src.to_vec())
}

/// simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf8_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    simdutf::validate_utf8(src).then(|| src.to_vec())
}

/// simdutf8: `from_utf8`, then `to_owned`.
#[inline]
pub fn simdutf8_utf8_to_utf8(src: &[u8]) -> Option<String> {
    Some(simdutf8::basic::from_utf8(src).ok()?.to_owned())
}

/// std: `from_utf8`, then `to_owned`.
#[inline]
pub fn utf8_to_utf8(src: &[u8]) -> Option<String> {
    Some(std::str::from_utf8(src).ok()?.to_owned())
}

/// std: `from_utf8`, then `encode_utf16`.
#[inline]
pub fn utf8_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    str_to_utf16(std::str::from_utf8(src).ok()?)
}

/// std: `encode_utf16`.
#[inline]
pub fn str_to_utf16(src: &str) -> Option<Vec<u16>> {
    Some(src.encode_utf16().collect())
}

/// std: `from_utf8`, then `chars` as numbers.
#[inline]
pub fn utf8_to_utf32(src: &[u8]) -> Option<Vec<u32>> {
    str_to_utf32(std::str::from_utf8(src).ok()?)
}

/// std: `chars` as numbers.
#[inline]
pub fn str_to_utf32(src: &str) -> Option<Vec<u32>> {
    Some(src.chars().map(u32::from).collect())
}

/// std: `from_utf8`, then `chars`.
#[inline]
pub fn utf8_to_chars(src: &[u8]) -> Option<Vec<char>> {
    str_to_chars(std::str::from_utf8(src).ok()?)
}

/// std: `chars`.
#[inline]
pub fn str_to_chars(src: &str) -> Option<Vec<char>> {
    Some(src.chars().collect())
}

/// std: `from_utf8`, then `u8::try_from` on every character.
#[inline]
pub fn utf8_to_latin1(src: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(src).ok()?.chars().map(|c| u8::try_from(c).ok()).collect()
}

/// std: `String::from_utf16`.
#[inline]
pub fn utf16_to_utf8(src: &[u16]) -> Option<String> {
    String::from_utf16(src).ok()
}

/// std: `char::from` on every byte.
#[inline]
pub fn latin1_to_utf8(src: &[u8]) -> Option<String> {
    Some(src.iter().copied().map(char::from).collect())
}

/// encoding_rs: capacity for the worst case, zeroed, since it requires that.
#[inline]
pub fn encoding_rs_utf8_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    let written = mem::convert_utf8_to_utf16_without_replacement(src, &mut out)?;
    out.truncate(written);
    Some(out)
}

/// encoding_rs: the same for a `str`, which must have one unit more.
#[inline]
pub fn encoding_rs_str_to_utf16(src: &str) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    let written = mem::convert_str_to_utf16(src, &mut out);
    out.truncate(written);
    Some(out)
}

/// encoding_rs: `mem::is_utf8_latin1`, then `mem::encode_latin1_lossy`.
#[inline]
pub fn encoding_rs_utf8_to_latin1(src: &[u8]) -> Option<Vec<u8>> {
    if !mem::is_utf8_latin1(src) {
        return None;
    }
    Some(mem::encode_latin1_lossy(std::str::from_utf8(src).ok()?).into_owned())
}

/// encoding_rs: `mem::decode_latin1`.
#[inline]
pub fn encoding_rs_latin1_to_utf8(src: &[u8]) -> Option<String> {
    Some(mem::decode_latin1(src).into_owned())
}

/// std: `u16::from` on every byte.
#[inline]
pub fn latin1_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    Some(src.iter().copied().map(u16::from).collect())
}

/// std: `u32::from` on every byte.
#[inline]
pub fn latin1_to_utf32(src: &[u8]) -> Option<Vec<u32>> {
    Some(src.iter().copied().map(u32::from).collect())
}

/// std: `is_ascii`, then `u16::from` on every byte.
#[inline]
pub fn ascii_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    if src.is_ascii() { latin1_to_utf16(src) } else { None }
}

/// std: `is_ascii`, then a copy.
#[inline]
pub fn ascii_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    src.is_ascii().then(|| src.to_vec())
}

/// encoding_rs: `mem::convert_latin1_to_utf16` into zeros, since it requires an initialised output.
#[inline]
pub fn encoding_rs_latin1_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    mem::convert_latin1_to_utf16(src, &mut out);
    Some(out)
}
