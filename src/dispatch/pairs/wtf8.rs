//! The functions of the [pair table](super::table) that convert between WTF-8 and potentially
//! ill-formed UTF-16.
//!
//! The text between two unpaired surrogates is UTF-8 or UTF-16, and is converted by the functions
//! of UTF-8 and UTF-16. In a conversion to or from any other scheme, an unpaired surrogate is
//! ill-formed, and only these functions are used.

use core::mem::MaybeUninit;

use crate::dispatch::function::Transcode;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::NEAR;
use crate::dispatch::pairs::check_wide;
use crate::dispatch::pairs::{from_utf8, from_utf16};
use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::scalar::wtf8;
use crate::types::progress::Reach;

/// Declares conversions. The second argument is the strict conversion, which stops before an
/// unpaired surrogate.
macro_rules! conversions_around_surrogates {
    ($(fn $name:ident: $A:ident $strict:path, $B:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            convert(src, dst, (Scheme::$A, Scheme::$B, $strict), kernel)
        }
    )*};
}

conversions_around_surrogates! {
    fn wtf8_to_wtf8: Wtf8 from_utf8::utf8_to_utf8, Wtf8;
    fn wtf8_to_wtf16le: Wtf8 from_utf8::utf8_to_utf16le, Wtf16Le;
    fn wtf8_to_wtf16be: Wtf8 from_utf8::utf8_to_utf16be, Wtf16Be;
    fn wtf16le_to_wtf8: Wtf16Le from_utf16::utf16le_to_utf8, Wtf8;
    fn wtf16le_to_wtf16le: Wtf16Le from_utf16::utf16le_to_utf16le, Wtf16Le;
    fn wtf16le_to_wtf16be: Wtf16Le from_utf16::utf16le_to_utf16be, Wtf16Be;
    fn wtf16be_to_wtf8: Wtf16Be from_utf16::utf16be_to_utf8, Wtf8;
    fn wtf16be_to_wtf16le: Wtf16Be from_utf16::utf16be_to_utf16le, Wtf16Le;
    fn wtf16be_to_wtf16be: Wtf16Be from_utf16::utf16be_to_utf16be, Wtf16Be;
}

/// Converts by `strict`. If `strict` stops, the scalar reference converts characters, until
/// [`NEAR`] characters in a row are no surrogates.
#[inline(never)]
fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to, strict): (Scheme, Scheme, Transcode),
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let step = strict(&src[reach.read..], &mut dst[reach.written..], kernel);
        reach = step.after(reach.read, reach.written);
        let mut characters_left = NEAR;
        while characters_left > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(written) = scalar::encode(to, c, &mut dst[reach.written..]) else {
                return reach;
            };
            reach = Reach { read: len, written }.after(reach.read, reach.written);
            characters_left = if matches!(c, 0xD800..=0xDFFF) { NEAR } else { characters_left - 1 };
        }
    }
}

/// Declares functions that count the code points of potentially ill-formed UTF-16, or measure its
/// length in WTF-8, in bytes. Vectors count well-formed text. From an unpaired surrogate on, the
/// scalar reference counts one segment.
macro_rules! wtf16_measures {
    ($(fn $name:ident: $scheme:ident $check:ident $measure:ident $part:tt;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], kernel: Kernel) -> usize {
            const REFERENCE_SEGMENT_BYTES: usize = 256;
            let (mut offset, mut sum) = (0, 0);
            loop {
                let rest = &src[offset..];
                let Err(known_len) = check_wide::$check(rest, kernel) else {
                    return sum + from_utf16::$measure(rest, kernel);
                };
                // The bytes that are known to be well-formed may end inside a surrogate pair.
                let well_formed_len = scalar::floor_boundary(Scheme::$scheme, &rest[..known_len]);
                let well_formed = &rest[..well_formed_len];
                sum += from_utf16::$measure(well_formed, kernel);
                let segment = &rest[well_formed.len()..];
                let segment = match segment.get(..REFERENCE_SEGMENT_BYTES) {
                    Some(segment) => &segment[..scalar::floor_boundary(Scheme::$scheme, segment)],
                    None => segment,
                };
                sum += wtf8::measure_units(Scheme::$scheme, segment).$part;
                offset += well_formed.len() + segment.len();
                if offset == src.len() {
                    return sum;
                }
            }
        }
    )*};
}

wtf16_measures! {
    fn count_wtf16le: Wtf16Le check_utf16le count_utf16le 0;
    fn count_wtf16be: Wtf16Be check_utf16be count_utf16be 0;
    fn wtf8_len_of_wtf16le: Wtf16Le check_utf16le utf8_len_of_utf16le 1;
    fn wtf8_len_of_wtf16be: Wtf16Be check_utf16be utf8_len_of_utf16be 1;
}
