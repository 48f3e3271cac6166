//! From UTF-16: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use crate::kernel::dispatch;
use crate::progress::Reach;
use crate::scalar::{self, Decode};
use crate::tables::{Big, Little};
use crate::{Error, Kernel, Utf8, Utf16Be, Utf16Le, generic};

/// Conversions.
macro_rules! converted {
    ($($name:ident: $A:ident => $B:ident, $family:ident $O:ident $($parameter:ident)*;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if src.len() < 8 {
                return scalar::transcode::<$A, $B>(src, dst);
            }
            if src.len() < 16
                && kernel != Kernel::SCALAR
                && let Some(reach) = generic::utf16_tiny::convert::<$O, $B>(src, dst)
            {
                return reach;
            }
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst|
                    generic::$family::convert::<V, $O $(, $parameter)*>(token, src, dst))
        }
    )*};
}

converted! {
    le_to_utf8: Utf16Le => Utf8, utf16_to_utf8 Little;
    be_to_utf8: Utf16Be => Utf8, utf16_to_utf8 Big;
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
