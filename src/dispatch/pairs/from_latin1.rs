//! The functions of the [pair table](super::table) that convert from Latin-1 and from ASCII, and
//! from UTF-8 to ASCII.

#[cfg(avx512)]
use crate::arch::avx512::U8x64;
#[cfg(avx512)]
use crate::arch::vector::Vector;
use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::copy;
use crate::generic::count::utf8 as count;
#[cfg(avx512)]
use crate::generic::from_latin1::to_utf8_masked;
use crate::generic::from_latin1::{to_utf8, widen};
use crate::scalar;
use crate::scalar::code::Encode;
use crate::types::progress::Reach;

/// Converts Latin-1 to UTF-8. Less than eight bytes are converted one by one. Less than 32 bytes
/// are copied if they are ASCII, and else converted by vectors of 16 bytes. On AVX-512, masked
/// loads and stores convert any text of at most one vector.
#[inline(never)]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
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
            |V, token, src, dst| to_utf8::convert::<V>(token, src, dst));
    }
    short_to_utf8(src, dst, kernel)
}

/// [`latin1_to_utf8()`] for less than 32 bytes.
#[inline(never)]
fn short_to_utf8(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = to_utf8::convert_short(src, dst)
    {
        return reach;
    }
    dispatch!(kernel.of_16_bytes(),
        scalar => scalar::transcode::<Latin1, Utf8>(src, dst),
        |V, token, src, dst| to_utf8::convert::<V>(token, src, dst))
}

// `true` stops before a byte above 0x7F.
table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn latin1_to_latin1 = copy::bytes(src, dst);
    fn latin1_to_utf16le = widen_units::<Utf16Le, false>(src, dst, kernel);
    fn latin1_to_utf16be = widen_units::<Utf16Be, false>(src, dst, kernel);
    fn latin1_to_utf32le = widen_units::<Utf32Le, false>(src, dst, kernel);
    fn latin1_to_utf32be = widen_units::<Utf32Be, false>(src, dst, kernel);
    fn ascii_to_utf16le = widen_units::<Utf16Le, true>(src, dst, kernel);
    fn ascii_to_utf16be = widen_units::<Utf16Be, true>(src, dst, kernel);
    fn ascii_to_utf32le = widen_units::<Utf32Le, true>(src, dst, kernel);
    fn ascii_to_utf32be = widen_units::<Utf32Be, true>(src, dst, kernel);
}

/// Converts into units of 16 or 32 bits. With `ASCII_ONLY`, stops before a byte above 0x7F.
#[inline(always)]
fn widen_units<B: Encode, const ASCII_ONLY: bool>(
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = widen::short::<B, ASCII_ONLY>(src, dst)
    {
        return reach;
    }
    dispatch!(kernel, wide if true,
    scalar => match ASCII_ONLY {
        true => scalar::transcode::<Ascii, B>(src, dst),
        false => scalar::transcode::<Latin1, B>(src, dst),
    },
    |V, token, src, dst| {
        let units = widen::convert::<V, B, ASCII_ONLY>(token, src, dst);
        Reach::of_units(units, 1, B::SCHEME.unit_size())
    })
}

/// Copies bytes while they are ASCII: from ASCII to UTF-8 and Latin-1, and from these to ASCII.
#[inline(never)]
pub(crate) fn copy_ascii(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = copy::short_ascii(src, dst)
    {
        return reach;
    }
    dispatch!(kernel,
        scalar => scalar::transcode::<Ascii, Ascii>(src, dst),
        |V, token, src, dst| Reach::of_units(copy::ascii::<V>(token, src, dst), 1, 1))
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn utf8_len_of_latin1 = dispatch!(
        kernel, wide if !kernel.is_halved() && src.len() >= WIDE_BYTES,
        scalar => Latin1::utf8_len(src),
        |V, token| count::utf8_bytes_of_latin1::<V>(token, src));
}
