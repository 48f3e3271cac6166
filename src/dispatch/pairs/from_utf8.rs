//! The functions of the [pair table](super::table) that convert from UTF-8.

use crate::arch::vector::Vector;
use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::{Latin1, Utf8};
use crate::encoding::view::Uninit;
use crate::generic;
#[cfg(avx512)]
use crate::generic::from_utf8::decode::masked;
use crate::generic::from_utf8::decode::target::Target;
use crate::generic::from_utf8::decode::{convert, short, sizes};
use crate::generic::from_utf8::to_utf16::Utf16;
use crate::generic::from_utf8::to_utf32::Utf32;
use crate::scalar;
use crate::tables::{BIG, LITTLE};
use crate::types::progress::Reach;

// `true` validates the input, and `false` is for text that is known to be UTF-8.
table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf8_to_utf16le = decode::<_, true>(src, dst, Utf16(&LITTLE), kernel);
    fn utf8_to_utf16be = decode::<_, true>(src, dst, Utf16(&BIG), kernel);
    fn utf8_to_utf32le = decode::<_, true>(src, dst, Utf32, kernel);
    fn utf8_to_latin1 = decode::<_, true>(src, dst, Latin1, kernel);
    fn str_to_utf8 = generic::copy::known_utf8(src, dst);
    fn str_to_utf16le = decode::<_, false>(src, dst, Utf16(&LITTLE), kernel);
    fn str_to_utf16be = decode::<_, false>(src, dst, Utf16(&BIG), kernel);
    fn str_to_utf32le = decode::<_, false>(src, dst, Utf32, kernel);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_utf8 = dispatch!(kernel, wide if !kernel.is_halved() && src.len() >= WIDE_BYTES,
        scalar => Utf8::count(src),
        |V, token| generic::count::utf8::code_points::<V>(token, src));
    fn utf16_len_of_utf8 = dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf8::utf16_units::<V>(token, src));
}

/// Decodes UTF-8. Tiny, short and long inputs have separate functions, so that short inputs load
/// fewer constants. On AVX-512, the module `masked` decodes any length.
#[inline(always)]
fn decode<T: Target, const CHECK: bool>(
    src: &[u8],
    dst: &mut Uninit,
    target: T,
    kernel: Kernel,
) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return masked::decode::<T, CHECK>(token, src, dst, target);
    }
    if src.len() >= sizes::SHORT_MIN_BYTES {
        decode_16_bytes_or_more::<T, CHECK>(src, dst, target, kernel)
    } else {
        decode_tiny::<T, CHECK>(src, dst, target, kernel)
    }
}

/// [`decode`] for at least [`SHORT_MIN_BYTES`](sizes::SHORT_MIN_BYTES).
#[inline(never)]
fn decode_16_bytes_or_more<T: Target, const CHECK: bool>(
    src: &[u8],
    dst: &mut Uninit,
    target: T,
    kernel: Kernel,
) -> Reach {
    if src.len() > sizes::SHORT_MAX_BYTES {
        return dispatch!(kernel,
            scalar => target.convert_by_reference(src, dst),
            |V, token, src, dst| convert::convert::<V, T, CHECK>(target, token, src, dst));
    }
    dispatch!(kernel,
        scalar => target.convert_by_reference(src, dst),
        |V, token, src, dst| short::convert_short::<V, T, CHECK>(target, token, src, dst))
}

/// [`decode`] for less than [`SHORT_MIN_BYTES`](sizes::SHORT_MIN_BYTES).
#[inline(never)]
fn decode_tiny<T: Target, const CHECK: bool>(
    src: &[u8],
    dst: &mut Uninit,
    target: T,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel.of_16_bytes(),
    scalar => target.convert_by_reference(src, dst),
    |V, token, src, dst| {
        let token = V::token_of_16_bytes(token);
        short::convert_tiny::<<V as Vector>::Vector16, T, CHECK>(target, token, src, dst)
    })
}

/// Copies and validates UTF-8.
#[inline(never)]
pub(crate) fn utf8_to_utf8(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = generic::copy::short_utf8(src, dst)
    {
        return reach;
    }
    dispatch!(kernel, wide if src.len().min(dst.len()) >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::copy(src, dst),
        |V, token, src, dst| generic::from_utf8::copy::convert::<V>(token, src, dst))
}
