//! From UTF-16: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use super::{Transcode, swapped};
use crate::kernel::dispatch;
use crate::progress::Reach;
use crate::scalar::{self, Decode};
use crate::tables::{Big, Little};
use crate::{Ascii, Error, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Le, generic};

/// Conversions into UTF-8: the shortest ASCII before a kernel is chosen.
macro_rules! to_utf8 {
    ($($name:ident: $A:ident $O:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 8 {
                return scalar::transcode::<$A, Utf8>(src, dst);
            }
            if src.len() < 16
                && kernel != Kernel::SCALAR
                && let Some(reach) = generic::utf16_tiny::bytes::<$O, 0xFF80>(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, Utf8>(src, dst),
                |V, token, src, dst| generic::utf16_to_utf8::convert::<V, $O>(token, src, dst))
        }
    )*};
}

to_utf8! {
    le_to_utf8: Utf16Le Little;
    be_to_utf8: Utf16Be Big;
}

/// Conversions into UTF-32.
macro_rules! to_utf32 {
    ($($name:ident: $A:ident $from:ident => $B:ident $to:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 8 {
                return scalar::transcode::<$A, $B>(src, dst);
            }
            if src.len() < 16
                && kernel != Kernel::SCALAR
                && let Some(reach) = generic::utf16_tiny::utf32::<$from, $to>(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst|
                    generic::utf16_to_utf32::convert::<V, $from, $to>(token, src, dst))
        }
    )*};
}

to_utf32! {
    le_to_utf32le: Utf16Le Little => Utf32Le Little;
    be_to_utf32le: Utf16Be Big => Utf32Le Little;
}

/// Conversions into encodings of one byte, that lack the bits named last.
macro_rules! to_bytes {
    ($($name:ident: $A:ident $O:ident => $B:ident $above:literal;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 8 {
                return scalar::transcode::<$A, $B>(src, dst);
            }
            if src.len() < 16
                && kernel != Kernel::SCALAR
                && let Some(reach) = generic::utf16_tiny::bytes::<$O, $above>(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let units = generic::utf16_copy::to_bytes::<V, $O, $above>(token, src, dst);
                    Reach { read: 2 * units, written: units }
                })
        }
    )*};
}

to_bytes! {
    le_to_latin1: Utf16Le Little => Latin1 0xFF00;
    be_to_latin1: Utf16Be Big => Latin1 0xFF00;
    le_to_ascii: Utf16Le Little => Ascii 0xFF80;
    be_to_ascii: Utf16Be Big => Ascii 0xFF80;
}

/// Conversions into UTF-16.
macro_rules! to_utf16 {
    ($($name:ident: $A:ident $from:ident => $B:ident $to:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst| {
                    let read = generic::utf16_copy::to_utf16::<V, $from, $to>(token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

to_utf16! {
    le_to_le: Utf16Le Little => Utf16Le Little;
    le_to_be: Utf16Le Little => Utf16Be Big;
    be_to_le: Utf16Be Big => Utf16Le Little;
    be_to_be: Utf16Be Big => Utf16Be Big;
}

/// The way to a scheme, from little-endian text or from big-endian.
pub(super) const fn to(little: bool, to: Scheme) -> Transcode {
    match (little, to) {
        (true, Scheme::Utf8) => le_to_utf8,
        (false, Scheme::Utf8) => be_to_utf8,
        (true, Scheme::Utf16Le) => le_to_le,
        (true, Scheme::Utf16Be) => le_to_be,
        (false, Scheme::Utf16Le) => be_to_le,
        (false, Scheme::Utf16Be) => be_to_be,
        (true, Scheme::Utf32Le) => le_to_utf32le,
        (true, Scheme::Utf32Be) => swapped::from_utf16le,
        (false, Scheme::Utf32Le) => be_to_utf32le,
        (false, Scheme::Utf32Be) => swapped::from_utf16be,
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
                |V, token| generic::utf16_check::check::<V, $O>(token, src))
        }
    )*};
}

checked! {
    check_le: Utf16Le Little;
    check_be: Utf16Be Big;
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
    validate_le: Utf16Le check_le;
    validate_be: Utf16Be check_be;
}

/// Counts and lengths.
macro_rules! measured {
    ($($name:ident: $A:ident $O:ident, $scalar:ident $vector:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> usize {
            dispatch!(kernel,
                scalar => $A::$scalar(src),
                |V, token| generic::utf16_count::$vector::<V, $O>(token, src))
        }
    )*};
}

measured! {
    count_le: Utf16Le Little, count code_points;
    count_be: Utf16Be Big, count code_points;
    utf8_len_of_le: Utf16Le Little, utf8_len utf8_len;
    utf8_len_of_be: Utf16Be Big, utf8_len utf8_len;
}
