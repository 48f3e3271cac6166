//! UTF-32 with the high byte first, which is rare: through the other order, in pieces that stay in
//! the cache. Code of its own would be as large as that of the common order, for every pair and
//! instruction set. Latin-1 and ASCII, which have only to be widened, don't come here.
//!
//! Output is swapped in place, input while it is copied to the stack.

use core::mem::MaybeUninit;

use crate::dispatch::function::{Measure, Transcode};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::{from_utf8, from_utf16, from_utf32};
use crate::dispatch::run::{dispatch, dispatch_long};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view;
use crate::generic::from_utf32::swap as utf32_swap;
use crate::scalar;
use crate::types::progress::Reach;

/// Bytes of the source that are converted at a time; they become at most four times as many. Less
/// than a KiB, because the end of a piece is examined before it is known to be well-formed.
const PIECE: usize = 960;

/// Conversions into UTF-32BE.
macro_rules! into_utf32be {
    ($(fn $name:ident: $A:ident $native:path;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
            if kernel == Kernel::SCALAR {
                return scalar::transcode::<$A, Utf32Be>(src, dst);
            }
            into_utf32be(src, dst, Scheme::$A, $native, kernel)
        }
    )*};
}

into_utf32be! {
    fn utf8_to_utf32be: Utf8 from_utf8::utf8_to_utf32le;
    fn str_to_utf32be: Utf8 from_utf8::str_to_utf32le;
    fn utf16le_to_utf32be: Utf16Le from_utf16::utf16le_to_utf32le;
    fn utf16be_to_utf32be: Utf16Be from_utf16::utf16be_to_utf32le;
}

/// Converts into UTF-32BE. `native` converts into UTF-32LE.
fn into_utf32be(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    from: Scheme,
    native: Transcode,
    kernel: Kernel,
) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let rest = &src[reach.read..];
        let piece = match rest.get(..PIECE) {
            Some(piece) => &piece[..scalar::boundary(from, piece)],
            None => rest,
        };
        let room = &mut dst[reach.written..];
        let step = native(piece, room, kernel);
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let units = unsafe { view::init_mut(&mut room[..step.written]) };
        swap(units, kernel);
        reach = step.after(reach.read, reach.written);
        // A piece that is not converted to its end contains the end of the whole conversion.
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// Exchanges the bytes of 32-bit units.
fn swap(units: &mut [u8], kernel: Kernel) {
    let none: &[u8; 0] = &[];
    dispatch!(kernel,
    scalar => units.as_chunks_mut::<4>().0.iter_mut().for_each(|unit| unit.reverse()),
    |V, token, units, none| {
        let _: &[u8; 0] = none;
        utf32_swap::in_place::<V>(token, units);
    });
}

/// Conversions from UTF-32BE.
macro_rules! from_utf32be {
    ($(fn $name:ident: $B:ident $native:ident;)*) => {
        $(
            #[inline(never)]
            pub(crate) fn $name(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
                if kernel == Kernel::SCALAR {
                    return scalar::transcode::<Utf32Be, $B>(src, dst);
                }
                out_of_utf32be(src, dst, from_utf32::$native, kernel)
            }
        )*
    };
}

from_utf32be! {
    fn utf32be_to_utf8: Utf8 utf32le_to_utf8;
    fn utf32be_to_utf16le: Utf16Le utf32le_to_utf16le;
    fn utf32be_to_utf16be: Utf16Be utf32le_to_utf16be;
    fn utf32be_to_utf32le: Utf32Le utf32le_to_utf32le;
    fn utf32be_to_utf32be: Utf32Be utf32le_to_utf32be;
    fn utf32be_to_latin1: Latin1 utf32le_to_latin1;
    fn utf32be_to_ascii: Ascii utf32le_to_ascii;
}

/// Converts UTF-32BE. `native` converts UTF-32LE.
fn out_of_utf32be(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    native: Transcode,
    kernel: Kernel,
) -> Reach {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let rest = &src[reach.read..];
        let piece = swapped(rest, &mut buffer, kernel);
        let step = native(piece, &mut dst[reach.written..], kernel);
        reach = step.after(reach.read, reach.written);
        // As above.
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// The first piece of a text, with the bytes of its units exchanged.
fn swapped<'a>(src: &[u8], buffer: &'a mut [MaybeUninit<u8>; PIECE], kernel: Kernel) -> &'a [u8] {
    let piece = &src[..src.len().min(PIECE)];
    let room = &mut buffer[..piece.len()];
    copy_swapped(piece, room, kernel);
    // SAFETY: `copy_swapped` has written all of the room, which is as long as the piece.
    unsafe { view::init_mut(room) }
}

/// Writes `src` to `dst`, of the same length, with the bytes of its units exchanged.
#[inline(never)]
fn copy_swapped(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) {
    dispatch_long!(kernel, src.len(),
        scalar => {
            dst.copy_from_slice(view::as_uninit(src));
            dst.as_chunks_mut::<4>().0.iter_mut().for_each(|unit| unit.reverse());
        },
        |V, token, src, dst| utf32_swap::copy::<V>(token, src, dst));
}

/// Lengths of UTF-32BE.
macro_rules! lengths {
    ($(fn $name:ident: $measure:ident $native:ident;)*) => {$(
        #[inline(never)]
        pub(crate) fn $name(src: &[u8], kernel: Kernel) -> usize {
            if kernel == Kernel::SCALAR {
                return Utf32Be::$measure(src);
            }
            measure(src, from_utf32::$native, kernel)
        }
    )*};
}

lengths! {
    fn utf8_len_of_utf32be: utf8_len utf8_len_of_utf32le;
    fn utf16_len_of_utf32be: utf16_len utf16_len_of_utf32le;
}

/// Measures UTF-32BE. `native` measures UTF-32LE.
fn measure(src: &[u8], native: Measure, kernel: Kernel) -> usize {
    let mut buffer = [MaybeUninit::uninit(); PIECE];
    src.chunks(PIECE).map(|piece| native(swapped(piece, &mut buffer, kernel), kernel)).sum()
}
