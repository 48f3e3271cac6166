//! UTF-32 with its high byte first, which hardly anyone has: by way of the other order, in pieces that stay in the cache.
//! Code of its own would be as large as that of the common order, for every pair and instruction set.
//!
//! Output is swapped where it lies, input while it is copied to the stack.

use core::mem::MaybeUninit;

use super::{Measure, Transcode, latin1, utf8, utf16, utf32, view};
use crate::generic::utf32_swap;
use crate::kernel::{dispatch, dispatch_long};
use crate::progress::Reach;
use crate::scalar;
use crate::{Ascii, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

/// Bytes of the source that are converted at a time. Of these come at most four times as many. Less than a KiB, since the
/// end of a piece is looked at before it is known to be well-formed.
const PIECE: usize = 960;

/// Conversions into UTF-32BE.
macro_rules! swapped {
    ($($name:ident: $A:ident $native:path;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
            if kernel == Kernel::SCALAR {
                return scalar::transcode::<$A, Utf32Be>(src, dst);
            }
            into_utf32be(kernel, src, dst, Scheme::$A, $native)
        }
    )*};
}

swapped! {
    from_utf8: Utf8 utf8::utf8_to_utf32le;
    from_str: Utf8 utf8::str_to_utf32le;
    from_utf16le: Utf16Le utf16::le_to_utf32le;
    from_utf16be: Utf16Be utf16::be_to_utf32le;
    from_latin1: Latin1 latin1::latin1_to_utf32le;
    from_ascii: Ascii latin1::ascii_to_utf32le;
}

/// Converts into UTF-32BE. `native` converts into UTF-32LE.
fn into_utf32be(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    from: Scheme,
    native: Transcode,
) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let rest = &src[reach.read..];
        let piece = match rest.get(..PIECE) {
            Some(piece) => &piece[..scalar::boundary(from, piece)],
            None => rest,
        };
        let room = &mut dst[reach.written..];
        let step = native(kernel, piece, room);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let units = unsafe { view::init_mut(&mut room[..step.written]) };
        swap(kernel, units);
        reach = step.behind(reach.read, reach.written);
        // A piece that is not converted to its end has the end of everything in it.
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// Exchanges the bytes of 32-bit units.
fn swap(kernel: Kernel, units: &mut [u8]) {
    let none: &[u8; 0] = &[];
    dispatch!(kernel,
    scalar => units.as_chunks_mut::<4>().0.iter_mut().for_each(|unit| unit.reverse()),
    |V, token, units, none| {
        let _: &[u8; 0] = none;
        utf32_swap::in_place::<V>(token, units);
    });
}

/// Conversions from UTF-32BE.
macro_rules! from_swapped {
    ($($name:ident: $B:ident $native:ident;)*) => {
        $(
            #[inline(never)]
            fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                if kernel == Kernel::SCALAR {
                    return scalar::transcode::<Utf32Be, $B>(src, dst);
                }
                out_of_utf32be(kernel, src, dst, utf32::$native)
            }
        )*

        /// The way from UTF-32BE to a scheme.
        pub(super) const fn from_utf32be(to: Scheme) -> Transcode {
            match to {
                $(Scheme::$B => $name,)*
                _ => unreachable!(),
            }
        }
    };
}

from_swapped! {
    to_utf8: Utf8 le_to_utf8;
    to_utf16le: Utf16Le le_to_utf16le;
    to_utf16be: Utf16Be le_to_utf16be;
    to_utf32le: Utf32Le le_to_le;
    to_utf32be: Utf32Be le_to_be;
    to_latin1: Latin1 le_to_latin1;
    to_ascii: Ascii le_to_ascii;
}

/// Converts UTF-32BE. `native` converts UTF-32LE.
fn out_of_utf32be(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    native: Transcode,
) -> Reach {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let rest = &src[reach.read..];
        let piece = swapped(kernel, rest, &mut buffer);
        let step = native(kernel, piece, &mut dst[reach.written..]);
        reach = step.behind(reach.read, reach.written);
        // As above.
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// The first piece of a text, with the bytes of its units exchanged.
fn swapped<'a>(kernel: Kernel, src: &[u8], buffer: &'a mut [MaybeUninit<u8>; PIECE]) -> &'a [u8] {
    let piece = &src[..src.len().min(PIECE)];
    let room = &mut buffer[..piece.len()];
    copy_swapped(kernel, piece, room);
    // SAFETY: `copy_swapped` has written all of the room, which is as long as the piece.
    unsafe { view::init_mut(room) }
}

/// Writes `src` to `dst`, of the same length, with the bytes of its units exchanged.
#[inline(never)]
fn copy_swapped(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    dispatch_long!(kernel, src.len(),
        scalar => {
            dst.copy_from_slice(view::as_uninit(src));
            dst.as_chunks_mut::<4>().0.iter_mut().for_each(|unit| unit.reverse());
        },
        |V, token, src, dst| utf32_swap::copy::<V>(token, src, dst));
}

/// Lengths of UTF-32BE.
macro_rules! measured {
    ($($name:ident: $measure:ident $native:ident;)*) => {$(
        #[inline(never)]
        pub(super) fn $name(kernel: Kernel, src: &[u8]) -> usize {
            if kernel == Kernel::SCALAR {
                return Utf32Be::$measure(src);
            }
            measure(kernel, src, utf32::$native)
        }
    )*};
}

measured! {
    utf8_len: utf8_len utf8_len_of_le;
    utf16_len: utf16_len utf16_len_of_le;
}

/// Measures UTF-32BE. `native` measures UTF-32LE.
fn measure(kernel: Kernel, src: &[u8], native: Measure) -> usize {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    src.chunks(PIECE).map(|piece| native(kernel, swapped(kernel, piece, &mut buffer))).sum()
}
