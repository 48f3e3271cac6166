//! From UTF-32: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use super::Transcode;
use crate::kernel::dispatch;
use crate::progress::Reach;
use crate::scalar::{self, Decode};
use crate::tables::{Big, Little};
use crate::{
    Ascii, Error, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, generic,
};

/// The most bytes that functions for short texts take: so that they have no more to set up than they need.
const SHORT: usize = 64;

/// Conversions into UTF-8.
macro_rules! to_utf8 {
    ($($name:ident: $A:ident $O:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 16 && kernel != Kernel::SCALAR {
                return few::$name(src, dst);
            }
            if src.len() <= SHORT {
                return dispatch!(kernel,
                    scalar => scalar::transcode::<$A, Utf8>(src, dst),
                    |V, token, src, dst|
                        generic::utf32_to_utf8::convert_short::<V, $O>(token, src, dst));
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, Utf8>(src, dst),
                |V, token, src, dst| generic::utf32_to_utf8::convert::<V, $O>(token, src, dst))
        }
    )*};
}

to_utf8! {
    le_to_utf8: Utf32Le Little;
    be_to_utf8: Utf32Be Big;
}

/// Conversions into UTF-16.
macro_rules! to_utf16 {
    ($($name:ident: $A:ident $from:ident => $B:ident $to:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 16 && kernel != Kernel::SCALAR {
                return few::$name(src, dst);
            }
            if src.len() <= SHORT {
                return dispatch!(kernel,
                    scalar => scalar::transcode::<$A, $B>(src, dst),
                    |V, token, src, dst|
                        generic::utf32_to_utf16::convert_short::<V, $from, $to>(token, src, dst));
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst|
                    generic::utf32_to_utf16::convert::<V, $from, $to>(token, src, dst))
        }
    )*};
}

to_utf16! {
    le_to_utf16le: Utf32Le Little => Utf16Le Little;
    le_to_utf16be: Utf32Le Little => Utf16Be Big;
    be_to_utf16le: Utf32Be Big => Utf16Le Little;
    be_to_utf16be: Utf32Be Big => Utf16Be Big;
}

/// Conversions into UTF-32.
macro_rules! to_utf32 {
    ($($name:ident: $A:ident $from:ident => $B:ident $to:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 16 && kernel != Kernel::SCALAR {
                return few::$name(src, dst);
            }
            if src.len() <= SHORT {
                return dispatch!(kernel,
                    scalar => scalar::transcode::<$A, $B>(src, dst),
                    |V, token, src, dst| {
                        let read =
                            generic::utf32_copy::to_utf32_short::<V, $from, $to>(token, src, dst);
                        Reach { read, written: read }
                    });
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = generic::utf32_copy::to_utf32::<V, $from, $to>(token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

to_utf32! {
    le_to_le: Utf32Le Little => Utf32Le Little;
    le_to_be: Utf32Le Little => Utf32Be Big;
    be_to_le: Utf32Be Big => Utf32Le Little;
    be_to_be: Utf32Be Big => Utf32Be Big;
}

/// Conversions into encodings of one byte, that lack the bits named last.
macro_rules! to_bytes {
    ($($name:ident: $A:ident $O:ident => $B:ident $above:literal;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 16 && kernel != Kernel::SCALAR {
                return few::$name(src, dst);
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let units = generic::utf32_copy::to_bytes::<V, $O, $above>(token, src, dst);
                    Reach { read: 4 * units, written: units }
                })
        }
    )*};
}

to_bytes! {
    le_to_latin1: Utf32Le Little => Latin1 0xFFFF_FF00;
    be_to_latin1: Utf32Be Big => Latin1 0xFFFF_FF00;
    le_to_ascii: Utf32Le Little => Ascii 0xFFFF_FF80;
    be_to_ascii: Utf32Be Big => Ascii 0xFFFF_FF80;
}

/// Conversions of less than four units, which need no vectors.
mod few {
    use super::*;

    macro_rules! few {
        ($($name:ident: $big:literal $B:ident;)*) => {$(
            #[inline(never)]
            pub(super) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                generic::utf32_tiny::few::<$big>(src, Scheme::$B, dst)
            }
        )*};
    }

    few! {
        le_to_utf8: false Utf8;
        be_to_utf8: true Utf8;
        le_to_utf16le: false Utf16Le;
        le_to_utf16be: false Utf16Be;
        be_to_utf16le: true Utf16Le;
        be_to_utf16be: true Utf16Be;
        le_to_le: false Utf32Le;
        le_to_be: false Utf32Be;
        be_to_le: true Utf32Le;
        be_to_be: true Utf32Be;
        le_to_latin1: false Latin1;
        be_to_latin1: true Latin1;
        le_to_ascii: false Ascii;
        be_to_ascii: true Ascii;
    }
}

/// The way to a scheme, from little-endian text or from big-endian.
pub(super) const fn to(little: bool, to: Scheme) -> Transcode {
    match (little, to) {
        (true, Scheme::Utf8) => le_to_utf8,
        (false, Scheme::Utf8) => be_to_utf8,
        (true, Scheme::Utf16Le) => le_to_utf16le,
        (true, Scheme::Utf16Be) => le_to_utf16be,
        (false, Scheme::Utf16Le) => be_to_utf16le,
        (false, Scheme::Utf16Be) => be_to_utf16be,
        (true, Scheme::Utf32Le) => le_to_le,
        (true, Scheme::Utf32Be) => le_to_be,
        (false, Scheme::Utf32Le) => be_to_le,
        (false, Scheme::Utf32Be) => be_to_be,
        (true, Scheme::Latin1) => le_to_latin1,
        (false, Scheme::Latin1) => be_to_latin1,
        (true, Scheme::Ascii) => le_to_ascii,
        (false, Scheme::Ascii) => be_to_ascii,
    }
}

/// Validations.
macro_rules! checked {
    ($($name:ident: $A:ident $O:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> Result<(), usize> {
            dispatch!(kernel,
                scalar => scalar::validate::<$A>(src).map_err(|error| error.valid_up_to()),
                |V, token| generic::utf32_check::check::<V, $O>(token, src))
        }
    )*};
}

checked! {
    check_le: Utf32Le Little;
    check_be: Utf32Be Big;
}

/// The error, if the check finds one.
macro_rules! validated {
    ($($name:ident: $A:ident $check:ident;)*) => {$(
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> Result<(), Error> {
            $check(kernel, src).or_else(|known| {
                scalar::validate::<$A>(&src[known..]).map_err(|error| error.behind(known))
            })
        }
    )*};
}

validated! {
    validate_le: Utf32Le check_le;
    validate_be: Utf32Be check_be;
}

/// Lengths.
macro_rules! measured {
    ($($name:ident: $A:ident $O:ident $measure:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> usize {
            dispatch!(kernel,
                scalar => $A::$measure(src),
                |V, token| generic::utf32_count::$measure::<V, $O>(token, src))
        }
    )*};
}

measured! {
    utf8_len_of_le: Utf32Le Little utf8_len;
    utf8_len_of_be: Utf32Be Big utf8_len;
    utf16_len_of_le: Utf32Le Little utf16_len;
    utf16_len_of_be: Utf32Be Big utf16_len;
}
