//! Functions of the standard library, encoding_rs, simdutf8 and the crates for CESU-8, Modified
//! UTF-8 and WTF-8, as a careful user would call them. Conversions write into a slice.

mod cesu8_mutf8;
mod latin1;
mod utf16;
mod utf32;

use encoding_rs::{Encoding, mem};

use super::FAILED;
pub use cesu8_mutf8::*;
pub use latin1::*;
pub use utf16::*;
pub use utf32::*;

/// Writes units one by one. Returns their number.
#[inline]
fn fill<T>(dst: &mut [T], units: impl Iterator<Item = T>) -> usize {
    let mut written = 0;
    // The output is at least as long as `units`, so it is the second iterator: `zip` drops an item
    // of the first iterator if the second iterator has ended.
    for (unit, slot) in units.zip(dst) {
        *slot = unit;
        written += 1;
    }
    written
}

/// Writes characters as UTF-8. Returns the number of bytes, or `FAILED` at the first error.
#[inline]
fn fill_utf8(dst: &mut [u8], chars: impl Iterator<Item = Option<char>>) -> usize {
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { return FAILED };
        written += c.encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// Writes units one by one. Returns their number, or `FAILED` at the first error.
#[inline]
fn try_fill<T>(dst: &mut [T], units: impl Iterator<Item = Option<T>>) -> usize {
    let mut written = 0;
    for (unit, slot) in units.zip(dst) {
        let Some(unit) = unit else { return FAILED };
        *slot = unit;
        written += 1;
    }
    written
}

/// Copies a text if it is valid. Returns the number of units, or `FAILED`.
#[inline]
fn copy_if<T: Copy>(src: &[T], dst: &mut [T], is_valid: bool) -> usize {
    if !is_valid {
        return FAILED;
    }
    dst[..src.len()].copy_from_slice(src);
    src.len()
}

/// Writes characters as UTF-16. Returns the number of units, or `FAILED` at the first error.
#[inline]
fn fill_utf16(
    dst: &mut [u16],
    chars: impl Iterator<Item = Option<char>>,
    to_byte_order: fn(u16) -> u16,
) -> usize {
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { return FAILED };
        for unit in c.encode_utf16(&mut [0; 2]) {
            dst[written] = to_byte_order(*unit);
            written += 1;
        }
    }
    written
}

/// Returns a character as a byte of Latin-1, if Latin-1 has the character.
#[inline]
fn to_latin1(c: Option<char>) -> Option<u8> {
    u8::try_from(u32::from(c?)).ok()
}

/// Declares conversions from UTF-8 that validate: `from_utf8`, then the conversion from `str`.
macro_rules! validated {
    ($($name:ident: $from_str:ident => $unit:ty;)*) => {$(
        #[doc = concat!("Converts with std: `from_utf8`, then [`", stringify!($from_str), "`].")]
        #[inline]
        pub fn $name(src: &[u8], dst: &mut [$unit]) -> usize {
            std::str::from_utf8(src).map_or(FAILED, |src| $from_str(src, dst))
        }
    )*};
}

validated! {
    utf8_to_utf16: str_to_utf16 => u16;
    utf8_to_utf16be: str_to_utf16be => u16;
    utf8_to_utf16le: str_to_utf16le => u16;
    utf8_to_utf32: str_to_utf32 => u32;
    utf8_to_latin1: str_to_latin1 => u8;
}

/// Converts with std: `encode_utf16`.
#[inline]
pub fn str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16())
}

/// Converts with std: `encode_utf16`, big-endian.
#[inline]
pub fn str_to_utf16be(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16().map(u16::to_be))
}

/// Converts with std: `encode_utf16`, little-endian.
#[inline]
pub fn str_to_utf16le(src: &str, dst: &mut [u16]) -> usize {
    fill(dst, src.encode_utf16().map(u16::to_le))
}

/// Converts with std: `chars`.
#[inline]
pub fn str_to_utf32(src: &str, dst: &mut [u32]) -> usize {
    fill(dst, src.chars().map(u32::from))
}

/// Converts with std: `chars`, each checked to be in Latin-1.
#[inline]
pub fn str_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    try_fill(dst, src.chars().map(|c| to_latin1(Some(c))))
}

/// Validates and counts with simdutf: validation, then two counts, each with a pass over the whole
/// text.
#[cfg(feature = "simdutf")]
#[must_use]
#[inline]
pub fn simdutf_summary(src: &[u8]) -> usize {
    match simdutf::validate_utf8(src) {
        true => simdutf::count_utf8(src) + simdutf::utf16_length_from_utf8(src),
        false => FAILED,
    }
}

/// Converts with std: `from_utf8`, then a copy.
#[inline]
pub fn utf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, std::str::from_utf8(src).is_ok())
}

/// Converts with simdutf8: `from_utf8`, then a copy.
#[inline]
pub fn simdutf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, simdutf8::basic::from_utf8(src).is_ok())
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, simdutf::validate_utf8(src))
}

/// Converts with std: `is_ascii`, then a copy.
#[inline]
pub fn utf8_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, src.is_ascii())
}

/// Converts with simdutf: validation, then a copy.
#[cfg(feature = "simdutf")]
#[inline]
pub fn simdutf_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    copy_if(src, dst, simdutf::validate_ascii(src))
}

/// Converts with encoding_rs: `mem::copy_ascii_to_ascii`.
#[inline]
pub fn encoding_rs_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    let copied = mem::copy_ascii_to_ascii(src, dst);
    if copied == src.len() { copied } else { FAILED }
}

/// Validates with encoding_rs: `Encoding::utf8_valid_up_to`.
#[must_use]
#[inline]
pub fn encoding_rs_is_utf8(src: &[u8]) -> bool {
    Encoding::utf8_valid_up_to(src) == src.len()
}

/// Converts with encoding_rs: `mem::convert_utf8_to_utf16_without_replacement`.
#[inline]
pub fn encoding_rs_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(FAILED)
}

/// Converts with encoding_rs: `mem::is_utf8_latin1`, then `mem::convert_utf8_to_latin1_lossy`,
/// which requires this test.
#[inline]
pub fn encoding_rs_utf8_to_latin1(src: &[u8], dst: &mut [u8]) -> usize {
    if !mem::is_utf8_latin1(src) {
        return FAILED;
    }
    mem::convert_utf8_to_latin1_lossy(src, dst)
}

/// Converts with encoding_rs: `mem::convert_utf8_to_latin1_lossy`, which assumes that the text is
/// in Latin-1.
#[inline]
pub fn encoding_rs_str_to_latin1(src: &str, dst: &mut [u8]) -> usize {
    mem::convert_utf8_to_latin1_lossy(src.as_bytes(), dst)
}

/// Converts with encoding_rs: its decoder, which replaces ill-formed sequences, with one call for
/// the whole text.
#[inline(always)]
pub fn encoding_rs_decode_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
    decoder.decode_to_utf16(src, dst, true).2
}

/// Converts with encoding_rs: its decoder, which replaces ill-formed sequences, with one call for
/// the whole text.
#[inline(always)]
pub fn encoding_rs_decode_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
    decoder.decode_to_utf8(src, dst, true).2
}

/// Converts with std: `String::from_utf8_lossy`, then `str::encode_utf16`.
#[inline(always)]
pub fn lossy_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    fill(dst, String::from_utf8_lossy(src).encode_utf16())
}

/// Converts with std: `<[u8]>::utf8_chunks`, copied one by one.
#[inline(always)]
pub fn lossy_utf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for chunk in src.utf8_chunks() {
        let valid = chunk.valid().as_bytes();
        dst[written..written + valid.len()].copy_from_slice(valid);
        written += valid.len();
        if !chunk.invalid().is_empty() {
            dst[written..written + 3].copy_from_slice("\u{FFFD}".as_bytes());
            written += 3;
        }
    }
    written
}

/// Converts with std: `String::from_utf8_lossy`, and a copy of its result.
#[inline(always)]
pub fn lossy_utf8_to_string(src: &[u8], dst: &mut [u8]) -> usize {
    let text = String::from_utf8_lossy(src);
    dst[..text.len()].copy_from_slice(text.as_bytes());
    text.len()
}

/// Converts with std: `char::decode_utf16`, with U+FFFD for unpaired surrogates.
#[inline(always)]
pub fn lossy_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    let chars = char::decode_utf16(src.iter().copied());
    fill_utf8(dst, chars.map(|c| Some(c.unwrap_or(char::REPLACEMENT_CHARACTER))))
}
