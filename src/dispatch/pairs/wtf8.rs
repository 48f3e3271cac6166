//! Conversions between WTF-8 and potentially ill-formed UTF-16: the functions of the
//! [pair table](super).
//!
//! Between unpaired surrogates, these texts are UTF-8 and UTF-16, and are converted as such. In all
//! other pairs, an unpaired surrogate is ill-formed, and the functions of UTF-8 and UTF-16 are
//! used.

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

/// Declares conversions, each with the strict conversion, which stops before an unpaired surrogate.
macro_rules! around_surrogates {
    ($(fn $name:ident: $A:ident $strict:path, $B:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            convert(src, dst, (Scheme::$A, Scheme::$B, $strict), kernel)
        }
    )*};
}

around_surrogates! {
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

/// Converts by the strict conversion. Where it stops, the reference converts some characters.
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
        let mut near = NEAR;
        while near > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(put) = scalar::encode(to, c, &mut dst[reach.written..]) else { return reach };
            reach = Reach { read: len, written: put }.after(reach.read, reach.written);
            near = if matches!(c, 0xD800..=0xDFFF) { NEAR } else { near - 1 };
        }
    }
}

/// Declares functions that count the code points of potentially ill-formed UTF-16, and its bytes in
/// WTF-8. Vectors count well-formed text; from an unpaired surrogate on, the reference counts a
/// segment.
macro_rules! lengths {
    ($(fn $name:ident: $scheme:ident $check:ident $measure:ident $part:tt;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], kernel: Kernel) -> usize {
            const SEGMENT_BYTES: usize = 256;
            let (mut at, mut sum) = (0, 0);
            loop {
                let rest = &src[at..];
                let Err(known) = check_wide::$check(rest, kernel) else {
                    return sum + from_utf16::$measure(rest, kernel);
                };
                // The end of the text known to be well-formed may split a pair.
                let front = &rest[..scalar::floor_boundary(Scheme::$scheme, &rest[..known])];
                sum += from_utf16::$measure(front, kernel);
                let segment = &rest[front.len()..];
                let segment = match segment.get(..SEGMENT_BYTES) {
                    Some(segment) => &segment[..scalar::floor_boundary(Scheme::$scheme, segment)],
                    None => segment,
                };
                sum += wtf8::measure_units(Scheme::$scheme, segment).$part;
                at += front.len() + segment.len();
                if at == src.len() {
                    return sum;
                }
            }
        }
    )*};
}

lengths! {
    fn count_wtf16le: Wtf16Le check_utf16le count_utf16le 0;
    fn count_wtf16be: Wtf16Be check_utf16be count_utf16be 0;
    fn wtf8_len_of_wtf16le: Wtf16Le check_utf16le utf8_len_of_utf16le 1;
    fn wtf8_len_of_wtf16be: Wtf16Be check_utf16be utf8_len_of_utf16be 1;
}
