//! From UTF-16: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{FROM_A_VECTOR, dispatch, dispatch_long, dispatch_short};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Le};
use crate::encoding::view;
use crate::generic;
use crate::scalar;
#[cfg(avx512)]
use crate::tables::Big;
use crate::tables::{BIG_UNITS, LITTLE_UNITS, Lanes, Little, UnitOrder};
use crate::types::progress::Reach;

/// Functions for both byte orders: each jumps into one that receives the order as a value, and is
/// compiled once for both.
macro_rules! both_orders {
    ($(fn $little:ident, fn $big:ident:
        $both:ident ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline(never)]
        pub(crate) fn $little(kernel: Kernel, $($argument: $type),*) -> $result {
            $both(kernel, $($argument,)* &LITTLE_UNITS)
        }

        #[inline(never)]
        pub(crate) fn $big(kernel: Kernel, $($argument: $type),*) -> $result {
            $both(kernel, $($argument,)* &BIG_UNITS)
        }
    )*};
}

both_orders! {
    fn utf16le_to_utf16le, fn utf16be_to_utf16be:
        copied (src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;
    fn utf16le_to_utf16be, fn utf16be_to_utf16le:
        copied_swapped (src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;
    fn count_utf16le, fn count_utf16be: count (src: &[u8]) -> usize;
    fn utf8_len_of_utf16le, fn utf8_len_of_utf16be: utf8_len (src: &[u8]) -> usize;
}

/// Conversions with functions of their own below 16 bytes.
macro_rules! entries {
    ($(fn $name:ident: $A:ident $order:ident => $B:ident ($($tiny:tt)*),
        $convert:ident ($($argument:expr)?), $few:expr;)*) => {
        $(
            #[inline(never)]
            pub(crate) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                if src.len() >= 16 && kernel != Kernel::SCALAR {
                    $convert(kernel, src, dst $(, $argument)?)
                } else {
                    less_than_a_vector::$name(kernel, src, dst)
                }
            }
        )*

        /// Below 16 bytes: words that narrow or widen, a few characters one by one, and vectors for
        /// the rest. And the reference, for any length.
        mod less_than_a_vector {
            use super::*;

            $(
                #[inline(never)]
                pub(crate) fn $name(
                    kernel: Kernel,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>],
                ) -> Reach {
                    if kernel != Kernel::SCALAR {
                        if let Some(reach) =
                            generic::from_utf16::short::$($tiny)*(&$order, src, dst)
                        {
                            return reach;
                        }
                        if $few(kernel, src.len())
                            && let Some(reach) =
                                generic::from_utf16::short::few::<$B>(&$order, src, dst)
                        {
                            return reach;
                        }
                    }
                    if src.len() < 8 || kernel == Kernel::SCALAR {
                        return scalar::transcode::<$A, $B>(src, dst);
                    }
                    $convert(kernel, src, dst $(, $argument)?)
                }
            )*
        }
    };
}

entries! {
    fn utf16le_to_utf8: Utf16Le LITTLE_UNITS => Utf8 (bytes::<0xFF80>), to_utf8 (), few_to_utf8;
    fn utf16be_to_utf8: Utf16Be BIG_UNITS => Utf8 (bytes::<0xFF80>), big_to_utf8 (), few_to_utf8;
    fn utf16le_to_utf32le: Utf16Le LITTLE_UNITS => Utf32Le (utf32),
        to_utf32le (&LITTLE_UNITS), |_, _| true;
    fn utf16be_to_utf32le: Utf16Be BIG_UNITS => Utf32Le (utf32),
        to_utf32le (&BIG_UNITS), |_, _| true;
    fn utf16le_to_latin1: Utf16Le LITTLE_UNITS => Latin1 (bytes::<0xFF00>),
        to_bytes (&LITTLE_UNITS.above_latin1), |_, _| true;
    fn utf16be_to_latin1: Utf16Be BIG_UNITS => Latin1 (bytes::<0xFF00>),
        big_to_bytes (&BIG_UNITS.above_latin1), |_, _| true;
    fn utf16le_to_ascii: Utf16Le LITTLE_UNITS => Ascii (bytes::<0xFF80>),
        to_bytes (&LITTLE_UNITS.above_ascii), |_, _| true;
    fn utf16be_to_ascii: Utf16Be BIG_UNITS => Ascii (bytes::<0xFF80>),
        big_to_bytes (&BIG_UNITS.above_ascii), |_, _| true;
}

/// Whether so few bytes are converted to UTF-8 character by character: not where a vector is as
/// cheap.
fn few_to_utf8(kernel: Kernel, len: usize) -> bool {
    #[cfg(avx512)]
    return len < 8 || kernel.masked().is_none();
    #[cfg(not(avx512))]
    {
        let _ = (kernel, len);
        true
    }
}

/// Conversions into bytes, up to the first unit that has one of the bits in `above`.
macro_rules! narrowed {
    ($(fn $name:ident $big:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            kernel: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            above: &'static Lanes,
        ) -> Reach {
            #[cfg(avx512)]
            if let Some(token) = kernel.masked() {
                use crate::arch::avx512::U8x64;
                return token.run(src, dst, #[inline(always)] |token, src, dst| {
                    let units =
                        generic::from_utf16::copy::to_bytes::<U8x64, $big>(above, token, src, dst);
                    Reach { read: 2 * units, written: units }
                });
            }
            dispatch!(kernel.for_bytes(src.len().min(dst.len().saturating_mul(2))),
                scalar => Reach { read: 0, written: 0 },
                |V, token, src, dst| {
                    let units =
                        generic::from_utf16::copy::to_bytes::<V, $big>(above, token, src, dst);
                    Reach { read: 2 * units, written: units }
                })
        }
    )*};
}

narrowed! {
    fn to_bytes false;
    fn big_to_bytes true;
}

#[inline(never)]
fn to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return masked::to_utf8::<Little>(token, src, dst);
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::transcode::<Utf16Le, Utf8>(src, dst),
        |V, token, src, dst| generic::from_utf16::to_utf8::convert::<V, Little>(token, src, dst))
}

/// To UTF-8 on AVX-512: both byte orders, any length.
#[cfg(avx512)]
mod masked {
    use super::*;
    use crate::arch::avx512::{Avx512, U8x64};
    use crate::arch::vector::Vector;
    use crate::generic::from_utf16::to_utf8;
    use crate::tables::Order;

    #[inline(never)]
    pub(crate) fn to_utf8<O: Order>(
        token: Avx512,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        if src.len() > U8x64::LANES {
            return token.run(
                src,
                dst,
                #[inline(always)]
                |token, src, dst| to_utf8::convert::<U8x64, O>(token, src, dst),
            );
        }
        token.run(
            src,
            dst,
            #[inline(always)]
            |token, src, dst| to_utf8::convert_whole::<U8x64, O>(token, src, dst),
        )
    }
}

#[inline(never)]
fn to_utf32le(
    kernel: Kernel,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    order: &'static UnitOrder,
) -> Reach {
    dispatch_long!(kernel.for_bytes(src.len()), src.len(),
        scalar => generic::from_utf16::to_utf32::by_reference(order, src, dst),
        |V, token, src, dst| generic::from_utf16::to_utf32::convert::<V>(order, token, src, dst))
}

/// Bytes of big-endian text that are converted at a time: whole blocks, and less than a KiB,
/// because the end of a piece is examined before it is known to be well-formed.
const PIECE: usize = 896;

/// Converts short text directly, without the stack frame that pieces need. AVX-512 has code of its
/// own for this order, which would not pay elsewhere.
fn big_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return masked::to_utf8::<Big>(token, src, dst);
    }
    if src.len() < 16 || src.len() <= SHORT && !begins_with_ascii(src) {
        return short_big_to_utf8(kernel, src, dst);
    }
    big_in_pieces(kernel, src, dst)
}

/// Whether the first four units of big-endian text are ASCII.
fn begins_with_ascii(text: &[u8]) -> bool {
    let first = text.first_chunk::<8>();
    first.is_some_and(|units| u64::from_be_bytes(*units) & 0xFF80_FF80_FF80_FF80 == 0)
}

/// Converts big-endian text through little-endian text, in pieces that stay in the cache; ASCII
/// directly.
#[inline(never)]
fn big_in_pieces(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let mut buffer = Buffer([MaybeUninit::uninit(); PIECE]);
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        if begins_with_ascii(&src[reach.read..]) {
            let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
            let ascii = big_to_bytes(kernel, rest, room, &BIG_UNITS.above_ascii);
            reach = ascii.after(reach.read, reach.written);
            if reach.read == src.len() {
                return reach;
            }
        }
        let rest = &src[reach.read..];
        if rest.len() <= SHORT {
            return short_big_to_utf8(kernel, rest, &mut dst[reach.written..])
                .after(reach.read, reach.written);
        }
        let piece = match rest.get(..PIECE) {
            Some(piece) => &piece[..scalar::boundary(Scheme::Utf16Be, piece)],
            None => rest,
        };
        // Ill-formed text is left out, so `copied` ends at the end of the piece or before it.
        let copied = copied_swapped(kernel, piece, &mut buffer.0, &BIG_UNITS).written;
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer.0[..copied]) };
        let step = to_utf8(kernel, text, &mut dst[reach.written..]);
        reach = step.after(reach.read, reach.written);
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// Big-endian text of at most so many bytes is converted directly. A piece would be read from the
/// store buffer, which is slow where vectors at the end overlap.
const SHORT: usize = 128;

#[inline(never)]
fn short_big_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    dispatch_short!(kernel,
        scalar => scalar::transcode::<Utf16Be, Utf8>(src, dst),
        |V, token, src, dst| generic::from_utf16::to_utf8::convert_big::<V>(token, src, dst))
}

/// A piece of text, aligned so that no vector crosses a cache line.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; PIECE]);

/// Conversions into UTF-16, in the same or the other byte order.
macro_rules! into_utf16 {
    ($(fn $name:ident $swap:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            kernel: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            order: &'static UnitOrder,
        ) -> Reach {
            let len = src.len().min(dst.len());
            dispatch_long!(kernel.for_bytes(len), len,
                scalar => generic::from_utf16::copy::units_by_reference::<$swap>(order, src, dst),
                |V, token, src, dst| {
                    let read =
                        generic::from_utf16::copy::to_utf16::<V, $swap>(order, token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

into_utf16! {
    fn copied false;
    fn copied_swapped true;
}

/// Counts and lengths.
macro_rules! lengths {
    ($(fn $name:ident: $scalar:ident $vector:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], order: &'static UnitOrder) -> usize {
            dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_A_VECTOR,
                scalar => match order.big {
                    false => Utf16Le::$scalar(src),
                    true => Utf16Be::$scalar(src),
                },
                |V, token, src, order| generic::count::utf16::$vector::<V>(order, token, src))
        }
    )*};
}

lengths! {
    fn count: count code_points;
    fn utf8_len: utf8_len utf8_len;
}
