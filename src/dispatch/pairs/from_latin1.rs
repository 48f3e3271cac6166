//! The functions of the [pair table](super::table) that convert from Latin-1, and from or to ASCII.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use crate::arch::avx512::U8x64;
use crate::arch::vector::Vector;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, call_outlined, dispatch};
use crate::encoding::types::{Ascii, Encoding, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view;
use crate::generic::copy;
use crate::generic::count::utf8 as count;
#[cfg(avx512)]
use crate::generic::from_latin1::to_utf8_masked;
use crate::generic::from_latin1::{to_utf8 as latin1_to_utf8, widen};
use crate::scalar;
use crate::swar::units;
use crate::types::progress::Reach;

/// Converts Latin-1 to UTF-8. Separate functions convert less than eight bytes one by one, and copy
/// less than 32 bytes if they are ASCII. On AVX-512, masked loads and stores convert any text of at
/// most one vector.
#[inline(never)]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        if src.len() > U8x64::LANES {
            return token.run(src, dst, to_utf8_masked::convert::<U8x64>);
        }
        return token.run(src, dst, to_utf8_masked::convert_short::<U8x64>);
    }
    if src.len() >= 32 {
        return dispatch!(kernel,
            scalar => scalar::transcode::<Latin1, Utf8>(src, dst),
            |V, token, src, dst| latin1_to_utf8::convert::<V>(token, src, dst));
    }
    short_to_utf8(src, dst, kernel)
}

/// [`latin1_to_utf8()`] for less than 32 bytes.
#[inline(never)]
fn short_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    if src.len() < 8 {
        return tiny_to_utf8(src, dst, kernel);
    }
    if kernel != Kernel::SCALAR
        && let Some(reach) = copy::short_ascii(src, dst)
    {
        return reach;
    }
    dispatch!(kernel.of_16_bytes(),
        scalar => scalar::transcode::<Latin1, Utf8>(src, dst),
        |V, token, src, dst|
            latin1_to_utf8::convert_short::<<V as Vector>::Half>(V::half(token), src, dst))
}

/// [`latin1_to_utf8()`] for less than eight bytes.
#[inline(never)]
fn tiny_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    match units::latin1_to_utf8(src, dst) {
        Some(written) if kernel != Kernel::SCALAR => Reach { read: src.len(), written },
        _ => scalar::transcode::<Latin1, Utf8>(src, dst),
    }
}

/// Declares conversions into 16-bit and 32-bit units.
macro_rules! widening_conversions {
    ($(fn $name:ident: $A:ident $ascii_only:literal => $B:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            const SIZE: usize = $B::SCHEME.unit_size();
            if kernel != Kernel::SCALAR
                && let Some(reach) = widen::short::<$B, $ascii_only>(src, dst)
            {
                return reach;
            }
            dispatch!(kernel, wide if true,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = widen::convert::<V, $B, $ascii_only>(token, src, dst);
                    Reach { read, written: read * SIZE }
                })
        }
    )*};
}

widening_conversions! {
    fn latin1_to_utf16le: Latin1 false => Utf16Le;
    fn latin1_to_utf16be: Latin1 false => Utf16Be;
    fn latin1_to_utf32le: Latin1 false => Utf32Le;
    fn latin1_to_utf32be: Latin1 false => Utf32Be;
    fn ascii_to_utf16le: Ascii true => Utf16Le;
    fn ascii_to_utf16be: Ascii true => Utf16Be;
    fn ascii_to_utf32le: Ascii true => Utf32Le;
    fn ascii_to_utf32be: Ascii true => Utf32Be;
}

/// Returns the length of Latin-1 in UTF-8, in bytes.
#[inline(never)]
pub(crate) fn utf8_len_of_latin1(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide unless halved if src.len() >= WIDE_BYTES,
        scalar => Latin1::utf8_len(src),
        |V, token| count::utf8_bytes_of_latin1::<V>(token, src))
}

/// Copies as many bytes of Latin-1 as fit.
#[inline(never)]
pub(crate) fn latin1_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>], _: Kernel) -> Reach {
    if let Some(dst) = dst.get_mut(..src.len()) {
        dst.copy_from_slice(view::as_uninit(src));
        return Reach { read: src.len(), written: src.len() };
    }
    // This copy is outlined. Otherwise LLVM merges both copies into one copy of the smaller length,
    // which has to wait for the comparison.
    call_outlined(|| {
        dst.copy_from_slice(view::as_uninit(&src[..dst.len()]));
        Reach { read: dst.len(), written: dst.len() }
    })
}

/// Declares conversions to and from ASCII: they copy bytes while the bytes are ASCII.
macro_rules! ascii_copies {
    ($(fn $name:ident: $A:ident => $B:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
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
    fn utf8_to_ascii: Utf8 => Ascii;
    fn latin1_to_ascii: Latin1 => Ascii;
    fn ascii_to_ascii: Ascii => Ascii;
    fn ascii_to_utf8: Ascii => Utf8;
    fn ascii_to_latin1: Ascii => Latin1;
}
