//! From UTF-16: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use crate::kernel::dispatch;
use crate::progress::Reach;
use crate::tables::{Big, Little};
use crate::{Kernel, Utf8, Utf16Be, Utf16Le, generic, scalar};

/// Conversions.
macro_rules! converted {
    ($($name:ident: $A:ident => $B:ident, $family:ident $($parameter:ident)*;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            dispatch!(kernel,
                scalar => scalar::transcode::<$A, $B>(src, dst),
                |V, token, src, dst|
                    generic::$family::convert::<V $(, $parameter)*>(token, src, dst))
        }
    )*};
}

converted! {
    le_to_utf8: Utf16Le => Utf8, utf16_to_utf8 Little;
    be_to_utf8: Utf16Be => Utf8, utf16_to_utf8 Big;
}
