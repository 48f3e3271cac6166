//! The functions of the [pair table](super::table) that convert from UTF-8.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Le};
use crate::encoding::view;
use crate::generic;
use crate::generic::from_utf8::decode::sizes;
use crate::scalar;
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::types::progress::Reach;

/// Expands to the conversion of more than one vector on AVX-512, for `decoding_conversions!`.
/// Latin-1 has a separate function. For the other targets, one function converts the ASCII prefix
/// without saving registers on the stack, and jumps to another function for the rest.
#[cfg(avx512)]
macro_rules! convert_long {
    ($name:ident, $module:ident, 1, $token:expr, $src:expr, $dst:expr) => {
        $token.run($src, $dst, #[inline(always)] |token, src, dst|
            generic::from_utf8::$module::convert_masked::<U8x64>(token, src, dst))
    };
    ($name:ident, $module:ident, $size:tt, $token:expr, $src:expr, $dst:expr
        $(, [$order:ident])?, {$CHECK:literal}) => {{
        /// Converts at most one vector after an ASCII prefix of `ascii_len` bytes.
        #[inline(never)]
        fn convert_last(
            token: Avx512,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            $($order: &'static ByteOrder,)?
            ascii_len: usize,
        ) -> Reach {
            let (src, dst) = (&src[ascii_len..], &mut dst[$size * ascii_len..]);
            masked::$name(token, src, dst $(, $order)?).after(ascii_len, $size * ascii_len)
        }

        /// Converts the text after an ASCII prefix of `ascii_len` bytes.
        #[inline(never)]
        fn convert_rest(
            token: Avx512,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            $($order: &'static ByteOrder,)?
            ascii_len: usize,
        ) -> Reach {
            if src.len() - ascii_len <= U8x64::LANES {
                return convert_last(token, src, dst, $($order,)? ascii_len);
            }
            if medium::fits($size * src.len(), src.len(), dst.len()) {
                return token.run(src, dst, #[inline(always)] move |token, src, dst|
                    generic::from_utf8::$module::convert_medium::<U8x64, $CHECK>(
                        $($order,)? token, src, dst, ascii_len));
            }
            token.run(src, dst, #[inline(always)] move |token, src, dst|
                generic::from_utf8::$module::convert_after::<U8x64, $CHECK>(
                    $($order,)? token, src, dst, ascii_len))
        }

        if $dst.len() / $size < $src.len() {
            return convert_rest($token, $src, $dst, $($order,)? 0);
        }
        $token.run($src, $dst, #[inline(always)] move |token, src, dst| {
            let ascii_len = generic::from_utf8::$module::ascii_prefix::<U8x64>(
                $($order,)? token, src, dst);
            if ascii_len == src.len() {
                return Reach { read: ascii_len, written: $size * ascii_len };
            }
            convert_rest(token, src, dst, $($order,)? ascii_len)
        })
    }};
}

/// Declares conversions that decode UTF-8. Each has three functions for three ranges of the input
/// length, so short inputs load fewer constants. The arguments are a module of
/// `generic::from_utf8`, the size of an output unit in bytes, in brackets the name of the byte
/// order parameter, in braces true if the input is validated, and the scalar reference.
macro_rules! decoding_conversions {
    ($(fn $name:ident, fn $tiny:ident:
        $module:ident $size:tt $([$order:ident])? $({$CHECK:literal})?, $scalar:expr;)*) => {
        $(
            #[inline(never)]
            fn $name(
                src: &[u8],
                dst: &mut [MaybeUninit<u8>]
                $(, $order: &'static ByteOrder)?,
                kernel: Kernel,
            ) -> Reach {
                #[cfg(avx512)]
                if let Some(token) = kernel.masked() {
                    return masked::$name(token, src, dst $(, $order)?);
                }
                if src.len() > sizes::SHORT_MAX_BYTES {
                    return dispatch!(kernel,
                        scalar => $scalar(src, dst $(, $order)?),
                        |V, token, src, dst|
                            generic::from_utf8::$module::convert::<V $(, $CHECK)?>(
                                $($order,)? token, src, dst));
                }
                dispatch!(kernel,
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::from_utf8::$module::convert_short::<V $(, $CHECK)?>(
                            $($order,)? token, src, dst))
            }

            #[inline(never)]
            fn $tiny(
                src: &[u8],
                dst: &mut [MaybeUninit<u8>]
                $(, $order: &'static ByteOrder)?,
                kernel: Kernel,
            ) -> Reach {
                #[cfg(avx512)]
                if let Some(token) = kernel.masked() {
                    return masked::$name(token, src, dst $(, $order)?);
                }
                dispatch!(kernel.of_16_bytes(),
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::from_utf8::$module::convert_tiny::<V $(, $CHECK)?>(
                            $($order,)? token, src, dst))
            }
        )*

        /// Conversions of texts of any length on AVX-512. They are separate, so they do not affect
        /// the code of the other functions.
        #[cfg(avx512)]
        mod masked {
            use super::*;
            use crate::arch::vector::Vector;
            use crate::arch::avx512::{Avx512, U8x64};
            use crate::generic::from_utf8::decode::medium;

            $(
                #[inline(never)]
                pub(crate) fn $name(
                    token: Avx512,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?
                ) -> Reach {
                    if src.len() > U8x64::LANES {
                        return convert_long!($name, $module, $size, token, src, dst
                            $(, [$order])? $(, {$CHECK})?);
                    }
                    token.run(src, dst, #[inline(always)] move |token, src, dst|
                        generic::from_utf8::$module::convert_masked_vector::<U8x64 $(, $CHECK)?>(
                            $($order,)? token, src, dst))
                }
            )*
        }
    };
}

// `true` validates the input, and `false` is for text that is known to be UTF-8.
decoding_conversions! {
    fn utf8_to_utf16, fn utf8_to_utf16_tiny: to_utf16 2 [order] {true}, scalar_to_utf16;
    fn utf8_to_utf32, fn utf8_to_utf32_tiny: to_utf32 4 {true}, scalar::transcode::<Utf8, Utf32Le>;
    fn str_to_utf16, fn str_to_utf16_tiny: to_utf16 2 [order] {false}, scalar_to_utf16;
    fn str_to_utf32, fn str_to_utf32_tiny: to_utf32 4 {false}, scalar::transcode::<Utf8, Utf32Le>;
    fn utf8_to_latin1_any, fn utf8_to_latin1_tiny: to_latin1 1, scalar::transcode::<Utf8, Latin1>;
}

fn scalar_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u8>], order: &ByteOrder) -> Reach {
    if order.big {
        scalar::transcode::<Utf8, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf8, Utf16Le>(src, dst)
    }
}

/// Declares the functions of the pair table. Each jumps to another function, which it chooses by
/// the length of the text.
macro_rules! table_functions {
    ($(fn $name:ident: $convert:ident $tiny:ident $(($order:expr))?;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            if src.len() >= sizes::SHORT_MIN_BYTES {
                $convert(src, dst $(, $order)?, kernel)
            } else {
                $tiny(src, dst $(, $order)?, kernel)
            }
        }
    )*};
}

table_functions! {
    fn utf8_to_utf16le: utf8_to_utf16 utf8_to_utf16_tiny (&LITTLE);
    fn utf8_to_utf16be: utf8_to_utf16 utf8_to_utf16_tiny (&BIG);
    fn utf8_to_utf32le: utf8_to_utf32 utf8_to_utf32_tiny;
    fn utf8_to_latin1: utf8_to_latin1_any utf8_to_latin1_tiny;
    fn str_to_utf16le: str_to_utf16 str_to_utf16_tiny (&LITTLE);
    fn str_to_utf16be: str_to_utf16 str_to_utf16_tiny (&BIG);
    fn str_to_utf32le: str_to_utf32 str_to_utf32_tiny;
}

/// Copies and validates UTF-8.
#[inline(never)]
pub(crate) fn utf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = generic::copy::short_utf8(src, dst)
    {
        return reach;
    }
    dispatch!(kernel, wide if src.len().min(dst.len()) >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::copy(src, dst),
        |V, token, src, dst| generic::from_utf8::copy::convert::<V>(token, src, dst))
}

/// Copies the characters that fit into `dst` from `src`, which is known to be UTF-8.
#[inline(never)]
pub(crate) fn str_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], _: Kernel) -> Reach {
    let len = src.len().min(dst.len());
    // A character that does not fit completely is left out.
    let read = if len < src.len() { scalar::utf8::character_start(src, len) } else { len };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
}

/// Returns the number of code points.
pub(crate) fn count_utf8(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide unless halved if src.len() >= WIDE_BYTES,
        scalar => Utf8::count(src),
        |V, token| generic::count::utf8::code_points::<V>(token, src))
}

/// Returns the length in UTF-16, in code units.
pub(crate) fn utf16_len_of_utf8(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf8::utf16_units::<V>(token, src))
}
