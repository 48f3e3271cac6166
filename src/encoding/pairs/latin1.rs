//! From Latin-1 and ASCII: the functions of the [pair table](super).

use core::mem::MaybeUninit;

use super::{Transcode, swapped};
use crate::arch::Vector;
#[cfg(avx512)]
use crate::arch::avx512::U8x64;
use crate::encoding::view;
use crate::generic::{ascii, copy, count, latin1_to_utf8, widen};
use crate::kernel::{FROM_A_VECTOR, dispatch, dispatch_long, dispatch_short};
use crate::progress::Reach;
use crate::scalar;
use crate::short;
use crate::{Ascii, Encoding, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Le};

/// Latin-1 to UTF-8: less than eight bytes one by one, up to 32 of ASCII as a copy, and up to 31 of anything by functions
/// of their own; by masks all that has room in one vector.
#[inline(never)]
fn latin1_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        if src.len() > U8x64::LANES {
            return token.run(src, dst, latin1_to_utf8::masked::convert::<U8x64>);
        }
        return token.run(src, dst, latin1_to_utf8::masked::convert_short::<U8x64>);
    }
    if src.len() >= 32 {
        return dispatch!(kernel,
            scalar => scalar::transcode::<Latin1, Utf8>(src, dst),
            |V, token, src, dst| latin1_to_utf8::convert::<V>(token, src, dst));
    }
    short_to_utf8(kernel, src, dst)
}

/// [`latin1_to_utf8()`] of less than 32 bytes.
#[inline(never)]
fn short_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if src.len() < 8 {
        return tiny_to_utf8(kernel, src, dst);
    }
    if kernel != Kernel::SCALAR
        && let Some(reach) = copy::short_ascii(src, dst)
    {
        return reach;
    }
    dispatch_short!(kernel,
        scalar => scalar::transcode::<Latin1, Utf8>(src, dst),
        |V, token, src, dst| latin1_to_utf8::convert_short::<<V as Vector>::Half>(V::half(token), src, dst))
}

/// [`latin1_to_utf8()`] of less than eight bytes.
#[inline(never)]
fn tiny_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    match short::latin1::latin1_to_utf8(src, dst) {
        Some(written) if kernel != Kernel::SCALAR => Reach { read: src.len(), written },
        _ => scalar::transcode::<Latin1, Utf8>(src, dst),
    }
}

/// Conversions into wider units.
macro_rules! widened {
    ($($name:ident: $A:ident $ascii:literal => $B:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            let size = const { $B::SCHEME.unit_size() };
            if kernel != Kernel::SCALAR
                && let Some(reach) = widen::short::<$B, $ascii>(src, dst)
            {
                return reach;
            }
            #[cfg(avx512)]
            if let Some(token) = kernel.masked() {
                return token.run(src, dst, #[inline(always)] |token, src, dst| {
                    let read = widen::convert::<U8x64, $B, $ascii>(token, src, dst);
                    Reach { read, written: read * size }
                });
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = widen::convert::<V, $B, $ascii>(token, src, dst);
                    Reach { read, written: read * size }
                })
        }
    )*};
}

widened! {
    latin1_to_utf16le: Latin1 false => Utf16Le;
    latin1_to_utf16be: Latin1 false => Utf16Be;
    latin1_to_utf32le: Latin1 false => Utf32Le;
    ascii_to_utf16le: Ascii true => Utf16Le;
    ascii_to_utf16be: Ascii true => Utf16Be;
    ascii_to_utf32le: Ascii true => Utf32Le;
}

/// Bytes of UTF-8 that Latin-1 becomes.
#[inline(never)]
pub(super) fn utf8_len(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len() + FROM_A_VECTOR,
        scalar => Latin1::utf8_len(src),
        |V, token| count::utf8_bytes_of_latin1::<V>(token, src))
}

/// Latin-1 as it is: what fits.
#[inline(never)]
fn latin1_to_latin1(_: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let fits = src.len().min(dst.len());
    dst[..fits].copy_from_slice(view::as_uninit(&src[..fits]));
    Reach { read: fits, written: fits }
}

/// Into ASCII or out of it: bytes are copied as long as they are ASCII.
macro_rules! ascii_copies {
    ($($name:ident: $A:ident => $B:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if kernel != Kernel::SCALAR
                && let Some(reach) = copy::short_ascii(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = copy::ascii::<V>(token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

ascii_copies! {
    utf8_to_ascii: Utf8 => Ascii;
    latin1_to_ascii: Latin1 => Ascii;
    ascii_to_ascii: Ascii => Ascii;
    ascii_to_utf8: Ascii => Utf8;
    ascii_to_latin1: Ascii => Latin1;
}

/// The way from Latin-1 to a scheme.
pub(super) const fn from_latin1(to: Scheme) -> Transcode {
    match to {
        Scheme::Utf8 => latin1_to_utf8,
        Scheme::Utf16Le => latin1_to_utf16le,
        Scheme::Utf16Be => latin1_to_utf16be,
        Scheme::Utf32Le => latin1_to_utf32le,
        Scheme::Utf32Be => swapped::from_latin1,
        Scheme::Latin1 => latin1_to_latin1,
        Scheme::Ascii => latin1_to_ascii,
        _ => unreachable!(),
    }
}

/// The way from ASCII to a scheme.
pub(super) const fn from_ascii(to: Scheme) -> Transcode {
    match to {
        Scheme::Utf8 => ascii_to_utf8,
        Scheme::Utf16Le => ascii_to_utf16le,
        Scheme::Utf16Be => ascii_to_utf16be,
        Scheme::Utf32Le => ascii_to_utf32le,
        Scheme::Utf32Be => swapped::from_ascii,
        Scheme::Latin1 => ascii_to_latin1,
        Scheme::Ascii => ascii_to_ascii,
        _ => unreachable!(),
    }
}

/// Validation of Latin-1, which every text is.
pub(super) fn check(_: Kernel, _: &[u8]) -> Result<(), usize> {
    Ok(())
}

/// Validation of ASCII.
#[inline(never)]
pub(super) fn check_ascii(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    // Compared in there, so that what chooses only jumps.
    dispatch_long!(kernel, src.len(),
    scalar => src.iter().position(|byte| !byte.is_ascii()).map_or(Ok(()), Err),
    |V, token| {
        let valid = ascii::valid_up_to::<V>(token, src);
        if valid == src.len() { Ok(()) } else { Err(valid) }
    })
}
