//! Converts UTF-8 of any length on AVX-512, which has masked loads and stores.
//!
//! Each algorithm is a separate function, because each needs more registers than the one before: at
//! most one vector, the ASCII prefix, a few vectors, and longer texts.

use core::mem::MaybeUninit;

use crate::arch::avx512::{Avx512, U8x64};
use crate::arch::optional::Present;
use crate::arch::vector::Vector;
use crate::generic::from_utf8::decode::ascii_prefix::ascii_prefix;
use crate::generic::from_utf8::decode::convert::convert_after;
use crate::generic::from_utf8::decode::medium::{convert_medium, fits};
use crate::generic::from_utf8::decode::short::convert_one_vector;
use crate::generic::from_utf8::decode::target::Target;
use crate::generic::from_utf8::to_latin1_masked;
use crate::types::progress::Reach;

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(never)]
pub(crate) fn decode<T: Target, const CHECK: bool>(
    token: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    target: T,
) -> Reach {
    if src.len() <= U8x64::LANES {
        return token.run(
            src,
            dst,
            #[inline(always)]
            move |token, src, dst| convert_one_vector::<U8x64, T, CHECK>(target, token, src, dst),
        );
    }
    if T::UNIT_BYTES == 1 {
        return token.run(
            src,
            dst,
            #[inline(always)]
            |token, src, dst| to_latin1_masked::convert::<U8x64>(Present, token, src, dst),
        );
    }
    if dst.len() / T::UNIT_BYTES < src.len() {
        return decode_rest::<T, CHECK>(token, src, dst, target, 0);
    }
    // The ASCII prefix is converted without saving registers on the stack.
    token.run(
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| {
            let ascii_len = ascii_prefix::<U8x64, T>(target, token, src, dst);
            if ascii_len == src.len() {
                return Reach { read: ascii_len, written: T::UNIT_BYTES * ascii_len };
            }
            decode_rest::<T, CHECK>(token, src, dst, target, ascii_len)
        },
    )
}

/// Converts the text after an ASCII prefix of `ascii_len` bytes.
#[inline(never)]
fn decode_rest<T: Target, const CHECK: bool>(
    token: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    target: T,
    ascii_len: usize,
) -> Reach {
    if src.len() - ascii_len <= U8x64::LANES {
        return decode_last::<T, CHECK>(token, src, dst, target, ascii_len);
    }
    if fits(T::UNIT_BYTES * src.len(), src.len(), dst.len()) {
        return token.run(
            src,
            dst,
            #[inline(always)]
            move |token, src, dst| {
                convert_medium::<U8x64, T, CHECK>(target, token, src, dst, ascii_len)
            },
        );
    }
    token.run(
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| convert_after::<U8x64, T, CHECK>(target, token, src, dst, ascii_len),
    )
}

/// [`decode_rest`] for at most one vector.
#[inline(never)]
fn decode_last<T: Target, const CHECK: bool>(
    token: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    target: T,
    ascii_len: usize,
) -> Reach {
    let (src, dst) = (&src[ascii_len..], &mut dst[T::UNIT_BYTES * ascii_len..]);
    decode::<T, CHECK>(token, src, dst, target).after(ascii_len, T::UNIT_BYTES * ascii_len)
}
