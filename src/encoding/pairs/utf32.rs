//! From UTF-32: the functions of the [pair table](super). Its conversions are from the order with the low byte first; the
//! other one is [swapped] into it.

use core::mem::MaybeUninit;

use super::{Transcode, swapped};
use crate::arch::Vector;
#[cfg(avx512)]
use crate::arch::avx512::U8x64;
use crate::generic::utf32_copy::{ABOVE_ASCII, ABOVE_LATIN1};
use crate::kernel::{FROM_A_VECTOR, apart, dispatch, dispatch_long, dispatch_short};
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{BIG, Big, ByteOrder, LITTLE, Little};
use crate::{Ascii, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, generic};

/// Vectors of 16 bytes are enough for so many: by functions of their own, which have no more to set up than they need.
const SHORT: usize = 64;

/// The ways in, by length: they only choose, and jump. In brackets the bytes of a unit of the output, where as many units are
/// written as are read: the text is then cut to what fits, before its length is looked at.
macro_rules! ways_in {
    ($($name:ident: $B:ident $([$unit:literal])?, $convert:ident $short:ident $(($value:expr))?;)*) => {
        $(
            #[inline(never)]
            pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                $(let src = &src[..src.len().min((dst.len() / $unit).saturating_mul(4)) & !3];)?
                if src.len() > SHORT {
                    $convert(kernel, src, dst $(, $value)?)
                } else if src.len() >= 16 {
                    $short(kernel, src, dst $(, $value)?)
                } else {
                    less_than_four::$name(kernel, src, dst)
                }
            }
        )*

        /// Less than four units, without vectors.
        mod less_than_four {
            use super::*;

            $(
                #[inline(never)]
                pub(super) fn $name(
                    kernel: Kernel,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>],
                ) -> Reach {
                    if kernel == Kernel::SCALAR {
                        return apart(|| scalar::transcode::<Utf32Le, $B>(src, dst));
                    }
                    generic::utf32_tiny::few(src, Scheme::$B, dst)
                }
            )*
        }
    };
}

ways_in! {
    le_to_utf8: Utf8, to_utf8 to_utf8_short;
    le_to_utf16le: Utf16Le, to_utf16 to_utf16_short (&LITTLE);
    le_to_utf16be: Utf16Be, to_utf16 to_utf16_short (&BIG);
    le_to_le: Utf32Le [4], to_le to_le_short;
    le_to_be: Utf32Be [4], to_be to_be_short;
    le_to_latin1: Latin1 [1], to_bytes to_bytes_short (ABOVE_LATIN1);
    le_to_ascii: Ascii [1], to_bytes to_bytes_short (ABOVE_ASCII);
}

/// Into UTF-8. The steps of AVX-512 are of 256 bytes.
#[inline(never)]
fn to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    dispatch_long!(kernel, src.len() / 2,
        scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
        |V, token, src, dst| generic::utf32_to_utf8::convert::<V>(token, src, dst))
}

/// Into UTF-8, for 16 to 64 bytes.
#[inline(never)]
fn to_utf8_short(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if src.len() > 32 {
        return dispatch!(kernel,
            scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
            |V, token, src, dst| generic::utf32_to_utf8::convert_short::<V>(token, src, dst));
    }
    dispatch_short!(kernel,
        scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
        |V, token, src, dst|
            generic::utf32_to_utf8::convert_two::<<V as Vector>::Half>(V::half(token), src, dst))
}

/// Into UTF-16.
#[inline(never)]
fn to_utf16(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    order: &'static ByteOrder,
) -> Reach {
    dispatch_long!(kernel, src.len() / 2,
        scalar => scalar_to_utf16(src, dst, order),
        |V, token, src, dst| generic::utf32_to_utf16::convert::<V>(order, token, src, dst))
}

/// Into UTF-16, for 16 to 64 bytes.
#[inline(never)]
fn to_utf16_short(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    order: &'static ByteOrder,
) -> Reach {
    if src.len() > 32 {
        return dispatch!(kernel,
            scalar => scalar_to_utf16(src, dst, order),
            |V, token, src, dst|
                generic::utf32_to_utf16::convert_short::<V>(order, token, src, dst));
    }
    dispatch_short!(kernel,
        scalar => scalar_to_utf16(src, dst, order),
        |V, token, src, dst|
            generic::utf32_to_utf16::convert_two::<<V as Vector>::Half>(order, V::half(token), src, dst))
}

fn scalar_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u8>], order: &ByteOrder) -> Reach {
    if order.big {
        scalar::transcode::<Utf32Le, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Utf16Le>(src, dst)
    }
}

/// Into UTF-32, of whole units that fit.
macro_rules! to_utf32 {
    ($($name:ident $short:ident: $B:ident $order:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            dispatch_long!(kernel, src.len(),
                scalar => scalar::transcode::<Utf32Le, $B>(src, dst),
                |V, token, src, dst| {
                    let read = generic::utf32_copy::to_utf32::<V, $order>(token, src, dst);
                    Reach { read, written: read }
                })
        }

        #[inline(never)]
        fn $short(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            dispatch_short!(kernel,
                scalar => scalar::transcode::<Utf32Le, $B>(src, dst),
                |V, token, src, dst| {
                    let token = V::half(token);
                    let read = generic::utf32_copy::to_utf32_short::<<V as Vector>::Half, $order>(
                        token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

to_utf32! {
    to_le to_le_short: Utf32Le Little;
    to_be to_be_short: Utf32Be Big;
}

/// Into encodings of one byte that lack the bits `above`, of whole units that fit.
#[inline(never)]
fn to_bytes(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], above: u32) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return token.run(
            src,
            dst,
            #[inline(always)]
            |token, src, dst| {
                let units = generic::utf32_copy::to_bytes::<U8x64>(token, above, src, dst);
                Reach { read: 4 * units, written: units }
            },
        );
    }
    dispatch!(kernel,
    scalar => scalar_to_bytes(src, dst, above),
    |V, token, src, dst| {
        let units = generic::utf32_copy::to_bytes::<V>(token, above, src, dst);
        Reach { read: 4 * units, written: units }
    })
}

/// [`to_bytes`] for 16 to 64 bytes.
#[inline(never)]
fn to_bytes_short(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], above: u32) -> Reach {
    dispatch_short!(kernel,
    scalar => scalar_to_bytes(src, dst, above),
    |V, token, src, dst| {
        let token = V::half(token);
        let units = generic::utf32_copy::to_bytes_short::<<V as Vector>::Half>(
            token, above, src, dst);
        Reach { read: 4 * units, written: units }
    })
}

fn scalar_to_bytes(src: &[u8], dst: &mut [MaybeUninit<u8>], above: u32) -> Reach {
    if above == ABOVE_LATIN1 {
        scalar::transcode::<Utf32Le, Latin1>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Ascii>(src, dst)
    }
}

/// The way to a scheme, from little-endian text or from big-endian.
pub(super) const fn to(little: bool, to: Scheme) -> Transcode {
    if !little {
        return swapped::from_utf32be(to);
    }
    match to {
        Scheme::Utf8 => le_to_utf8,
        Scheme::Utf16Le => le_to_utf16le,
        Scheme::Utf16Be => le_to_utf16be,
        Scheme::Utf32Le => le_to_le,
        Scheme::Utf32Be => le_to_be,
        Scheme::Latin1 => le_to_latin1,
        Scheme::Ascii => le_to_ascii,
        _ => unreachable!(),
    }
}

/// Validations.
macro_rules! checked {
    ($($name:ident: $A:ident $O:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
            dispatch_long!(kernel, src.len(),
                scalar => scalar::validate::<$A>(src).map_err(|error| error.valid_up_to()),
                |V, token| generic::utf32_check::check::<V, $O>(token, src))
        }
    )*};
}

checked! {
    check_le: Utf32Le Little;
    check_be: Utf32Be Big;
}

/// Lengths.
macro_rules! measured {
    ($($name:ident: $measure:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> usize {
            dispatch_long!(kernel, src.len() + FROM_A_VECTOR,
                scalar => Utf32Le::$measure(src),
                |V, token| generic::utf32_count::$measure::<V>(token, src))
        }
    )*};
}

measured! {
    utf8_len_of_le: utf8_len;
    utf16_len_of_le: utf16_len;
}
