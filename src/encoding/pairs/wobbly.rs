//! WTF-8 and potentially ill-formed UTF-16 among themselves: the functions of the [pair table](super).
//!
//! Between lone surrogates these texts are UTF-8 and UTF-16, and so are the conversions. In all other pairs a lone surrogate is
//! ill-formed, and the functions are those of UTF-8 and UTF-16.

use core::mem::MaybeUninit;

use super::{Transcode, utf8, utf16};
use crate::progress::Reach;
use crate::scalar::{self, wtf8};
use crate::{Kernel, Scheme, generic};

/// Characters that are converted one by one behind a lone surrogate, in search of the next.
const NEAR: usize = 8;

/// Conversions.
macro_rules! ways {
    ($($name:ident: $A:ident => $B:ident;)*) => {
        $(
            #[inline(never)]
            fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                const STRICT: Transcode =
                    super::way(Scheme::$A.without_surrogates(), Scheme::$B.without_surrogates());
                convert(kernel, src, dst, (Scheme::$A, Scheme::$B, STRICT))
            }
        )*

        /// The way between two schemes that have lone surrogates.
        pub(super) const fn way(from: Scheme, to: Scheme) -> Transcode {
            match (from, to) {
                $((Scheme::$A, Scheme::$B) => $name,)*
                _ => unreachable!(),
            }
        }
    };
}

ways! {
    wtf8_to_wtf8: Wtf8 => Wtf8;
    wtf8_to_wtf16le: Wtf8 => Wtf16Le;
    wtf8_to_wtf16be: Wtf8 => Wtf16Be;
    wtf16le_to_wtf8: Wtf16Le => Wtf8;
    wtf16le_to_wtf16le: Wtf16Le => Wtf16Le;
    wtf16le_to_wtf16be: Wtf16Le => Wtf16Be;
    wtf16be_to_wtf8: Wtf16Be => Wtf8;
    wtf16be_to_wtf16le: Wtf16Be => Wtf16Le;
    wtf16be_to_wtf16be: Wtf16Be => Wtf16Be;
}

/// Converts by the strict conversion, and by the reference where that stops.
#[inline(never)]
fn convert(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to, strict): (Scheme, Scheme, Transcode),
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let step = strict(kernel, &src[reach.read..], &mut dst[reach.written..]);
        reach = step.behind(reach.read, reach.written);
        let mut near = NEAR;
        while near > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(put) = scalar::encode(to, c, &mut dst[reach.written..]) else { return reach };
            reach = Reach { read: len, written: put }.behind(reach.read, reach.written);
            near = if matches!(c, 0xD800..=0xDFFF) { NEAR } else { near - 1 };
        }
    }
}

/// Validation of WTF-8.
#[inline(never)]
pub(super) fn check_wtf8(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    let mut at = 0;
    loop {
        let rest = &src[at..];
        let Err(known) = utf8::check(kernel, rest) else { return Ok(()) };
        let Err(error) = generic::utf8::locate(rest, known) else { return Ok(()) };
        at += error.valid_up_to();
        let mut near = NEAR;
        while near > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(Scheme::Wtf8, &src[at..]) else { return Err(at) };
            at += len;
            near = if matches!(c, 0xD800..=0xDFFF) { NEAR } else { near - 1 };
        }
    }
}

/// Validation of potentially ill-formed UTF-16: all that may be wrong is half a unit at the end.
pub(super) fn check_wtf16(_: Kernel, src: &[u8]) -> Result<(), usize> {
    if src.len().is_multiple_of(2) { Ok(()) } else { Err(src.len() - 1) }
}

/// Code points of potentially ill-formed UTF-16, and bytes in WTF-8. Well-formed text has vectors; behind what is not, some
/// units are left to the reference.
macro_rules! measured {
    ($($name:ident: $scheme:ident $check:ident $measure:ident $part:tt;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> usize {
            const PIECE: usize = 256;
            let (mut at, mut sum) = (0, 0);
            loop {
                let rest = &src[at..];
                let Err(known) = utf16::$check(kernel, rest) else {
                    return sum + utf16::$measure(kernel, rest);
                };
                // Of what is known to be well-formed, a pair may be cut.
                let front = &rest[..scalar::boundary(Scheme::$scheme, &rest[..known])];
                sum += utf16::$measure(kernel, front);
                let piece = &rest[front.len()..];
                let piece = match piece.get(..PIECE) {
                    Some(piece) => &piece[..scalar::boundary(Scheme::$scheme, piece)],
                    None => piece,
                };
                sum += wtf8::measure_units(Scheme::$scheme, piece).$part;
                at += front.len() + piece.len();
                if at == src.len() {
                    return sum;
                }
            }
        }
    )*};
}

measured! {
    count_le: Wtf16Le check_le count_le 0;
    count_be: Wtf16Be check_be count_be 0;
    wtf8_len_of_le: Wtf16Le check_le utf8_len_of_le 1;
    wtf8_len_of_be: Wtf16Be check_be utf8_len_of_be 1;
}
