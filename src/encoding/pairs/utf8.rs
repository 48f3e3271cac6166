//! From UTF-8: the functions of the [pair table](super).

use core::mem::MaybeUninit;

use super::{Transcode, latin1, swapped, view};
use crate::generic::decode;
use crate::kernel::{FROM_A_VECTOR, dispatch, dispatch_long, dispatch_short};
use crate::progress::Reach;
use crate::scalar;
use crate::tables::{BIG, ByteOrder, LITTLE};
use crate::{Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Le, generic};

/// Validation.
#[inline(never)]
pub(super) fn check(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
    dispatch_long!(kernel, src.len(),
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token| generic::utf8::check::<V>(token, src))
}

/// Conversions by decoding UTF-8. Each is three functions, by the length of the input, so that the short ones have no
/// more to set up than they need. In brackets a parameter that both byte orders share them by, and what the reference is.
macro_rules! decoded {
    ($($name:ident $tiny:ident: $family:ident $([$order:ident])? $({$CHECK:literal})?, $scalar:expr;)*) => {
        $(
            #[inline(never)]
            fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?) -> Reach {
                #[cfg(avx512)]
                if let Some(token) = kernel.masked() {
                    return masked::$name(token, src, dst $(, $order)?);
                }
                if src.len() > decode::SHORT {
                    return dispatch!(kernel,
                        scalar => $scalar(src, dst $(, $order)?),
                        |V, token, src, dst|
                            generic::$family::convert::<V $(, $CHECK)?>($($order,)? token, src, dst));
                }
                dispatch!(kernel,
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::$family::convert_short::<V $(, $CHECK)?>($($order,)? token, src, dst))
            }

            #[inline(never)]
            fn $tiny(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?) -> Reach {
                #[cfg(avx512)]
                if let Some(token) = kernel.masked() {
                    return masked::$name(token, src, dst $(, $order)?);
                }
                dispatch_short!(kernel,
                    scalar => $scalar(src, dst $(, $order)?),
                    |V, token, src, dst|
                        generic::$family::convert_tiny::<V $(, $CHECK)?>($($order,)? token, src, dst))
            }
        )*

        /// On AVX-512, at any length. Apart, so that the others are as they would be without it.
        #[cfg(avx512)]
        mod masked {
            use super::*;
            use crate::arch::Vector;
            use crate::arch::avx512::{Avx512, U8x64};

            $(
                #[inline(never)]
                pub(super) fn $name(
                    token: Avx512,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>] $(, $order: &'static ByteOrder)?
                ) -> Reach {
                    if src.len() > U8x64::LANES {
                        return token.run(src, dst, #[inline(always)] move |token, src, dst|
                            generic::$family::convert::<U8x64 $(, $CHECK)?>($($order,)? token, src, dst));
                    }
                    token.run(src, dst, #[inline(always)] move |token, src, dst|
                        generic::$family::convert_whole::<U8x64 $(, $CHECK)?>($($order,)? token, src, dst))
                }
            )*
        }
    };
}

// `true` where the input is checked, `false` for text known to be UTF-8.
decoded! {
    utf8_to_utf16 utf8_to_utf16_tiny: utf8_to_utf16 [order] {true}, scalar_to_utf16;
    utf8_to_utf32 utf8_to_utf32_tiny: utf8_to_utf32 {true}, scalar::transcode::<Utf8, Utf32Le>;
    str_to_utf16 str_to_utf16_tiny: utf8_to_utf16 [order] {false}, scalar_to_utf16;
    str_to_utf32 str_to_utf32_tiny: utf8_to_utf32 {false}, scalar::transcode::<Utf8, Utf32Le>;
    utf8_to_latin1_any utf8_to_latin1_tiny: utf8_to_latin1, scalar::transcode::<Utf8, Latin1>;
}

fn scalar_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u8>], order: &ByteOrder) -> Reach {
    if order.big {
        scalar::transcode::<Utf8, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf8, Utf16Le>(src, dst)
    }
}

/// The ways in, by length. They only choose, and jump.
macro_rules! ways_in {
    ($($name:ident: $B:ident, $convert:ident $tiny:ident $(($order:expr))?;)*) => {
        $(
            #[inline(never)]
            pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                if src.len() >= decode::TINY {
                    $convert(kernel, src, dst $(, $order)?)
                } else if src.len() >= 8 {
                    $tiny(kernel, src, dst $(, $order)?)
                } else {
                    less_than_a_word::$name(kernel, src, dst)
                }
            }
        )*

        /// Less than a word: ASCII or a character, without vectors, and anything else with them.
        mod less_than_a_word {
            use super::*;

            $(
                #[inline(never)]
                pub(super) fn $name(
                    kernel: Kernel,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>],
                ) -> Reach {
                    if kernel != Kernel::SCALAR
                        && let Some(reach) = generic::tiny::convert::<$B>(src, dst)
                    {
                        return reach;
                    }
                    $tiny(kernel, src, dst $(, $order)?)
                }
            )*
        }
    };
}

ways_in! {
    utf8_to_utf16le: Utf16Le, utf8_to_utf16 utf8_to_utf16_tiny (&LITTLE);
    utf8_to_utf16be: Utf16Be, utf8_to_utf16 utf8_to_utf16_tiny (&BIG);
    utf8_to_utf32le: Utf32Le, utf8_to_utf32 utf8_to_utf32_tiny;
    str_to_utf16le: Utf16Le, str_to_utf16 str_to_utf16_tiny (&LITTLE);
    str_to_utf16be: Utf16Be, str_to_utf16 str_to_utf16_tiny (&BIG);
    str_to_utf32le: Utf32Le, str_to_utf32 str_to_utf32_tiny;
    utf8_to_latin1: Latin1, utf8_to_latin1_any utf8_to_latin1_tiny;
}

/// Validates and copies.
#[inline(never)]
fn utf8_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    if kernel != Kernel::SCALAR
        && let Some(reach) = generic::copy::short_utf8(src, dst)
    {
        return reach;
    }
    dispatch_long!(kernel, src.len().min(dst.len()),
        scalar => scalar::utf8::copy(src, dst),
        |V, token, src, dst| generic::utf8_to_utf8::convert::<V>(token, src, dst))
}

/// Copies text known to be UTF-8: the characters that fit.
#[inline(never)]
fn str_to_utf8(_: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let fits = src.len().min(dst.len());
    // A character that the end of the output would cut is left out.
    let read = if fits < src.len() { scalar::utf8::character_start(src, fits) } else { fits };
    dst[..read].copy_from_slice(view::as_uninit(&src[..read]));
    Reach { read, written: read }
}

/// Code points.
pub(super) fn count(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len() + FROM_A_VECTOR,
        scalar => Utf8::count(src),
        |V, token| generic::count::code_points::<V>(token, src))
}

/// Units in UTF-16.
pub(super) fn utf16_len(kernel: Kernel, src: &[u8]) -> usize {
    dispatch_long!(kernel, src.len() + FROM_A_VECTOR,
        scalar => Utf8::utf16_len(src),
        |V, token| generic::count::utf16_units::<V>(token, src))
}

/// The way from UTF-8 to a scheme.
pub(super) const fn to(to: Scheme) -> Transcode {
    match to {
        Scheme::Utf8 => utf8_to_utf8,
        Scheme::Utf16Le => utf8_to_utf16le,
        Scheme::Utf16Be => utf8_to_utf16be,
        Scheme::Utf32Le => utf8_to_utf32le,
        Scheme::Utf32Be => swapped::from_utf8,
        Scheme::Latin1 => utf8_to_latin1,
        Scheme::Ascii => latin1::utf8_to_ascii,
        _ => unreachable!(),
    }
}

/// The way from text known to be UTF-8, where that is another one.
pub(super) const fn from_str(to: Scheme) -> Option<Transcode> {
    Some(match to {
        Scheme::Utf8 => str_to_utf8,
        Scheme::Utf16Le => str_to_utf16le,
        Scheme::Utf16Be => str_to_utf16be,
        Scheme::Utf32Le => str_to_utf32le,
        Scheme::Utf32Be => swapped::from_str,
        _ => return None,
    })
}
