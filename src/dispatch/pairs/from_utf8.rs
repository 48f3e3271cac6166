//! From UTF-8: the functions of the [pair table](super).

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

/// The code of `decoded!` for more than a vector on AVX-512. Latin-1 has separate steps. Other
/// targets have a function for the ASCII prefix, which saves no registers on the stack, and jumps
/// to the rest.
#[cfg(avx512)]
macro_rules! long {
    ($name:ident, $family:ident, 1, $token:expr, $src:expr, $dst:expr) => {
        $token.run($src, $dst, #[inline(always)] |token, src, dst|
            generic::from_utf8::$family::convert_masked::<U8x64>(token, src, dst))
    };
    ($name:ident, $family:ident, $size:tt, $token:expr, $src:expr, $dst:expr
        $(, [$order:ident])?, {$CHECK:literal}) => {{
        /// Converts at most a vector, after ASCII.
        #[inline(never)]
        fn convert_last(
            token: Avx512,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            $($order: &'static ByteOrder,)?
            read: usize,
        ) -> Reach {
            let (src, dst) = (&src[read..], &mut dst[$size * read..]);
            masked::$name(token, src, dst $(, $order)?).after(read, $size * read)
        }

        #[inline(never)]
        fn convert_rest(
            token: Avx512,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            $($order: &'static ByteOrder,)?
            read: usize,
        ) -> Reach {
            if src.len() - read <= U8x64::LANES {
                return convert_last(token, src, dst, $($order,)? read);
            }
            if medium::fits($size * src.len(), src.len(), dst.len()) {
                return token.run(src, dst, #[inline(always)] move |token, src, dst|
                    generic::from_utf8::$family::convert_medium::<U8x64, $CHECK>(
                        $($order,)? token, src, dst, read));
            }
            token.run(src, dst, #[inline(always)] move |token, src, dst|
                generic::from_utf8::$family::convert_after::<U8x64, $CHECK>(
                    $($order,)? token, src, dst, read))
        }

        if $dst.len() / $size < $src.len() {
            return convert_rest($token, $src, $dst, $($order,)? 0);
        }
        $token.run($src, $dst, #[inline(always)] move |token, src, dst| {
            let read = generic::from_utf8::$family::ascii_prefix::<U8x64>(
                $($order,)? token, src, dst);
            if read == src.len() {
                return Reach { read, written: $size * read };
            }
            convert_rest(token, src, dst, $($order,)? read)
        })
    }};
}

/// Declares conversions by decoding UTF-8. Each has three functions, by the length of the input, so
/// short inputs load fewer constants. The arguments are the module, the bytes of a unit, in
/// brackets the byte order as a parameter, in braces true if the input is checked, and the
/// reference.
macro_rules! decoded {
    ($(fn $name:ident, fn $tiny:ident:
        $family:ident $size:tt $([$order:ident])? $({$CHECK:literal})?, $scalar:expr;)*) => {
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
                            generic::from_utf8::$family::convert::<V $(, $CHECK)?>(
                                $($order,)? token, src, dst));
                }
                dispatch!(kernel,
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::from_utf8::$family::convert_short::<V $(, $CHECK)?>(
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
                        generic::from_utf8::$family::convert_tiny::<V $(, $CHECK)?>(
                            $($order,)? token, src, dst))
            }
        )*

        /// Conversions on AVX-512, of any length. They are separate, so the other functions do not
        /// change.
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
                        return long!($name, $family, $size, token, src, dst
                            $(, [$order])? $(, {$CHECK})?);
                    }
                    token.run(src, dst, #[inline(always)] move |token, src, dst|
                        generic::from_utf8::$family::convert_whole::<U8x64 $(, $CHECK)?>(
                            $($order,)? token, src, dst))
                }
            )*
        }
    };
}

// `true` if the input is checked, `false` for text known to be UTF-8.
decoded! {
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

/// Declares the functions of the pair table, which choose by length and jump.
macro_rules! entries {
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

entries! {
    fn utf8_to_utf16le: utf8_to_utf16 utf8_to_utf16_tiny (&LITTLE);
    fn utf8_to_utf16be: utf8_to_utf16 utf8_to_utf16_tiny (&BIG);
    fn utf8_to_utf32le: utf8_to_utf32 utf8_to_utf32_tiny;
    fn utf8_to_latin1: utf8_to_latin1_any utf8_to_latin1_tiny;
    fn str_to_utf16le: str_to_utf16 str_to_utf16_tiny (&LITTLE);
    fn str_to_utf16be: str_to_utf16 str_to_utf16_tiny (&BIG);
    fn str_to_utf32le: str_to_utf32 str_to_utf32_tiny;
}

/// Validates and copies.
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

/// Copies the characters that fit of text known to be UTF-8.
#[inline(never)]
pub(crate) fn str_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>], _: Kernel) -> Reach {
    let fits = src.len().min(dst.len());
    // A character that does not fit is left out.
    let read = if fits < src.len() { scalar::utf8::character_start(src, fits) } else { fits };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
}

/// Returns the number of code points.
pub(crate) fn count_utf8(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide unless halved if src.len() >= WIDE_BYTES,
        scalar => Utf8::count(src),
        |V, token| generic::count::utf8::code_points::<V>(token, src))
}

/// Returns the number of units in UTF-16.
pub(crate) fn utf16_len_of_utf8(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf8::utf16_units::<V>(token, src))
}
