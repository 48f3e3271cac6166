//! The peers' conversions that return a new `String` or `Vec`, as a careful user would write them.
//! simdutf needs an output of sufficient capacity, so the length is computed first.

use encoding_rs::mem;

#[cfg(feature = "simdutf")]
use simdutf::ErrorCode;

/// The result of a conversion of simdutf.
#[cfg(feature = "simdutf")]
trait ConversionResult {
    /// Returns the number of written units, or `None` after an error.
    fn written(self) -> Option<usize>;
}

#[cfg(feature = "simdutf")]
impl ConversionResult for simdutf::Result {
    #[inline]
    fn written(self) -> Option<usize> {
        (self.error == ErrorCode::Success).then_some(self.count)
    }
}

#[cfg(feature = "simdutf")]
impl ConversionResult for usize {
    /// Returns the number of written units, or `None` after an error: 0 means an error.
    #[inline]
    fn written(self) -> Option<usize> {
        (self > 0).then_some(self)
    }
}

/// Declares conversions with simdutf that compute the length, allocate exactly that capacity, and
/// convert.
#[cfg(feature = "simdutf")]
macro_rules! with_computed_len {
    ($($name:ident: $source:ty => $unit:ty, $len:ident, $convert:ident;)*) => {$(
        #[doc = concat!(
            "Converts with simdutf: `", stringify!($len), "`, then `", stringify!($convert), "`."
        )]
        #[inline]
        pub fn $name(src: &$source) -> Option<Vec<$unit>> {
            let len = simdutf::$len(src.as_ref());
            let mut out: Vec<$unit> = Vec::with_capacity(len);
            // SAFETY: the output must have capacity for the result: simdutf's own function has
            // returned its length. The `valid` functions also need well-formed input: their source
            // is a `str`.
            let result = unsafe { simdutf::$convert(src.as_ptr(), src.len(), out.as_mut_ptr()) };
            let written = if src.is_empty() { 0 } else { result.written()? };
            assert!(written <= out.capacity(), "simdutf wrote more than the capacity");
            // SAFETY: the units must be initialised: simdutf has written this number of units.
            unsafe { out.set_len(written) };
            Some(out)
        }
    )*};
}

#[cfg(feature = "simdutf")]
with_computed_len! {
    simdutf_utf8_to_utf16: [u8] => u16, utf16_length_from_utf8, convert_utf8_to_utf16;
    simdutf_utf8_to_utf32: [u8] => u32, utf32_length_from_utf8, convert_utf8_to_utf32;
    simdutf_utf8_to_latin1: [u8] => u8, latin1_length_from_utf8, convert_utf8_to_latin1;
    simdutf_utf16_to_utf8: [u16] => u8, utf8_length_from_utf16, convert_utf16_to_utf8;
    simdutf_latin1_to_utf8: [u8] => u8, utf8_length_from_latin1, convert_latin1_to_utf8;
    simdutf_str_to_utf16: str => u16, utf16_length_from_utf8, convert_valid_utf8_to_utf16;
    simdutf_str_to_utf32: str => u32, utf32_length_from_utf8, convert_valid_utf8_to_utf32;
}

/// Declares conversions of Latin-1 with simdutf, which need no length: each byte becomes one unit.
#[cfg(feature = "simdutf")]
macro_rules! from_latin1 {
    ($($name:ident: $unit:ty, $convert:ident;)*) => {$(
        #[doc = concat!("Converts with simdutf: `", stringify!($convert), "`.")]
        #[inline]
        pub fn $name(src: &[u8]) -> Option<Vec<$unit>> {
            let mut out: Vec<$unit> = Vec::with_capacity(src.len());
            // SAFETY: the output must have capacity for the result: it has a unit for each byte.
            let written = unsafe { simdutf::$convert(src.as_ptr(), src.len(), out.as_mut_ptr()) };
            assert!(written <= out.capacity(), "simdutf wrote more than the capacity");
            // SAFETY: the units must be initialised: simdutf has written this number of units.
            unsafe { out.set_len(written) };
            Some(out)
        }
    )*};
}

#[cfg(feature = "simdutf")]
from_latin1! {
    simdutf_latin1_to_utf16: u16, convert_latin1_to_utf16;
    simdutf_latin1_to_utf32: u32, convert_latin1_to_utf32;
}

/// Converts with simdutf: validation, then the conversion of Latin-1.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_ascii_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    if simdutf::validate_ascii(src) { simdutf_latin1_to_utf16(src) } else { None }
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_ascii_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    simdutf::validate_ascii(src).then(|| src.to_vec())
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_utf8_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    simdutf::validate_utf8(src).then(|| src.to_vec())
}

/// Converts with simdutf8: `from_utf8`, then `to_owned`.
#[inline]
pub fn simdutf8_utf8_to_utf8(src: &[u8]) -> Option<String> {
    Some(simdutf8::basic::from_utf8(src).ok()?.to_owned())
}

/// Converts with std: `from_utf8`, then `to_owned`.
#[inline]
pub fn utf8_to_utf8(src: &[u8]) -> Option<String> {
    Some(std::str::from_utf8(src).ok()?.to_owned())
}

/// Converts with std: `from_utf8`, then `encode_utf16`.
#[inline]
pub fn utf8_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    str_to_utf16(std::str::from_utf8(src).ok()?)
}

/// Converts with std: `encode_utf16`.
#[inline]
pub fn str_to_utf16(src: &str) -> Option<Vec<u16>> {
    Some(src.encode_utf16().collect())
}

/// Converts with std: `from_utf8`, then `u32::from` on every `char`.
#[inline]
pub fn utf8_to_utf32(src: &[u8]) -> Option<Vec<u32>> {
    str_to_utf32(std::str::from_utf8(src).ok()?)
}

/// Converts with std: `u32::from` on every `char`.
#[inline]
pub fn str_to_utf32(src: &str) -> Option<Vec<u32>> {
    Some(src.chars().map(u32::from).collect())
}

/// Converts with std: `from_utf8`, then `chars`.
#[inline]
pub fn utf8_to_chars(src: &[u8]) -> Option<Vec<char>> {
    str_to_chars(std::str::from_utf8(src).ok()?)
}

/// Converts with std: `chars`.
#[inline]
pub fn str_to_chars(src: &str) -> Option<Vec<char>> {
    Some(src.chars().collect())
}

/// Converts with std: `from_utf8`, then `u8::try_from` on every character.
#[inline]
pub fn utf8_to_latin1(src: &[u8]) -> Option<Vec<u8>> {
    std::str::from_utf8(src).ok()?.chars().map(|c| u8::try_from(c).ok()).collect()
}

/// Converts with std: `String::from_utf16`.
#[inline]
pub fn utf16_to_utf8(src: &[u16]) -> Option<String> {
    String::from_utf16(src).ok()
}

/// Converts with std: `char::from` on every byte.
#[inline]
pub fn latin1_to_utf8(src: &[u8]) -> Option<String> {
    Some(src.iter().copied().map(char::from).collect())
}

/// Converts with encoding_rs: `mem::convert_utf8_to_utf16_without_replacement` into a zeroed output
/// for the worst case, because encoding_rs requires an initialised output.
#[inline]
pub fn encoding_rs_utf8_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    let written = mem::convert_utf8_to_utf16_without_replacement(src, &mut out)?;
    out.truncate(written);
    Some(out)
}

/// Converts with encoding_rs: `mem::convert_str_to_utf16` into a zeroed output for the worst case.
#[inline]
pub fn encoding_rs_str_to_utf16(src: &str) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    let written = mem::convert_str_to_utf16(src, &mut out);
    out.truncate(written);
    Some(out)
}

/// Converts with encoding_rs: `mem::is_utf8_latin1`, then `mem::encode_latin1_lossy`.
#[inline]
pub fn encoding_rs_utf8_to_latin1(src: &[u8]) -> Option<Vec<u8>> {
    if !mem::is_utf8_latin1(src) {
        return None;
    }
    Some(mem::encode_latin1_lossy(std::str::from_utf8(src).ok()?).into_owned())
}

/// Converts with encoding_rs: `mem::decode_latin1`.
#[inline]
pub fn encoding_rs_latin1_to_utf8(src: &[u8]) -> Option<String> {
    Some(mem::decode_latin1(src).into_owned())
}

/// Converts with std: `u16::from` on every byte.
#[inline]
pub fn latin1_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    Some(src.iter().copied().map(u16::from).collect())
}

/// Converts with std: `u32::from` on every byte.
#[inline]
pub fn latin1_to_utf32(src: &[u8]) -> Option<Vec<u32>> {
    Some(src.iter().copied().map(u32::from).collect())
}

/// Converts with std: `is_ascii`, then `u16::from` on every byte.
#[inline]
pub fn ascii_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    if src.is_ascii() { latin1_to_utf16(src) } else { None }
}

/// Converts with std: `is_ascii`, then a copy.
#[inline]
pub fn ascii_to_utf8(src: &[u8]) -> Option<Vec<u8>> {
    src.is_ascii().then(|| src.to_vec())
}

/// Converts with encoding_rs: `mem::convert_latin1_to_utf16` into a zeroed output, because
/// encoding_rs requires an initialised output.
#[inline]
pub fn encoding_rs_latin1_to_utf16(src: &[u8]) -> Option<Vec<u16>> {
    let mut out = vec![0; src.len()];
    mem::convert_latin1_to_utf16(src, &mut out);
    Some(out)
}
