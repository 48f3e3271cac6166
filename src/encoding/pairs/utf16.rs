//! From UTF-16: the functions of the [pair table](super), in both byte orders.

use core::mem::MaybeUninit;

use super::{Transcode, swapped, view};
use crate::kernel::{FROM_A_VECTOR, FROM_TWO_VECTORS, dispatch, dispatch_long, dispatch_short};
use crate::progress::Reach;
use crate::scalar;
#[cfg(avx512)]
use crate::tables::Big;
use crate::tables::{BIG_UNITS, LITTLE_UNITS, Lanes, Little, UnitOrder};
use crate::{Ascii, Kernel, Latin1, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Le, generic};

/// The functions of a byte order: each is a jump into one that takes the order as a value, and is compiled once for both.
macro_rules! ordered {
    ($($little:ident $big:ident: $both:ident ($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline(never)]
        pub(super) fn $little(kernel: Kernel, $($argument: $type),*) -> $result {
            $both(kernel, $($argument,)* &LITTLE_UNITS)
        }

        #[inline(never)]
        pub(super) fn $big(kernel: Kernel, $($argument: $type),*) -> $result {
            $both(kernel, $($argument,)* &BIG_UNITS)
        }
    )*};
}

ordered! {
    le_to_le be_to_be: copied (src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;
    le_to_be be_to_le: copied_swapped (src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;
    check_le check_be: check (src: &[u8]) -> Result<(), usize>;
    count_le count_be: count (src: &[u8]) -> usize;
    utf8_len_of_le utf8_len_of_be: utf8_len (src: &[u8]) -> usize;
}

/// Conversions of which less than 16 bytes are taken before a kernel is chosen, by functions of their own.
macro_rules! converted {
    ($($name:ident: $A:ident $order:ident => $B:ident ($($tiny:tt)*),
        $convert:ident ($($argument:expr)?), $few:expr;)*) => {
        $(
            #[inline(never)]
            pub(super) fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
                if src.len() >= 16 && kernel != Kernel::SCALAR {
                    $convert(kernel, src, dst $(, $argument)?)
                } else {
                    less_than_a_vector::$name(kernel, src, dst)
                }
            }
        )*

        /// What is only narrowed or widened by words, a few characters one by one, and anything else with vectors. And the
        /// reference, which knows no lengths.
        mod less_than_a_vector {
            use super::*;

            $(
                #[inline(never)]
                pub(super) fn $name(
                    kernel: Kernel,
                    src: &[u8],
                    dst: &mut [MaybeUninit<u8>],
                ) -> Reach {
                    if kernel != Kernel::SCALAR {
                        if let Some(reach) = generic::utf16_tiny::$($tiny)*(&$order, src, dst) {
                            return reach;
                        }
                        if $few(kernel, src.len())
                            && let Some(reach) = generic::utf16_tiny::few::<$B>(&$order, src, dst)
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

converted! {
    le_to_utf8: Utf16Le LITTLE_UNITS => Utf8 (bytes::<0xFF80>), to_utf8 (), few_to_utf8;
    be_to_utf8: Utf16Be BIG_UNITS => Utf8 (bytes::<0xFF80>), big_to_utf8 (), few_to_utf8;
    le_to_utf32le: Utf16Le LITTLE_UNITS => Utf32Le (utf32), to_utf32le (&LITTLE_UNITS), |_, _| true;
    be_to_utf32le: Utf16Be BIG_UNITS => Utf32Le (utf32), to_utf32le (&BIG_UNITS), |_, _| true;
    le_to_latin1: Utf16Le LITTLE_UNITS => Latin1 (bytes::<0xFF00>), to_bytes (&LITTLE_UNITS.above_latin1), |_, _| true;
    be_to_latin1: Utf16Be BIG_UNITS => Latin1 (bytes::<0xFF00>), big_to_bytes (&BIG_UNITS.above_latin1), |_, _| true;
    le_to_ascii: Utf16Le LITTLE_UNITS => Ascii (bytes::<0xFF80>), to_bytes (&LITTLE_UNITS.above_ascii), |_, _| true;
    be_to_ascii: Utf16Be BIG_UNITS => Ascii (bytes::<0xFF80>), big_to_bytes (&BIG_UNITS.above_ascii), |_, _| true;
}

/// Whether so few bytes are converted to UTF-8 character by character: not where a vector of them is as cheap.
fn few_to_utf8(kernel: Kernel, len: usize) -> bool {
    #[cfg(avx512)]
    return len < 8 || kernel.masked().is_none();
    #[cfg(not(avx512))]
    {
        let _ = (kernel, len);
        true
    }
}

/// Conversions of little-endian text and of big-endian text into bytes, as far as no unit has one of the bits in `above`.
macro_rules! narrowed {
    ($($name:ident $big:literal;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>], above: &'static Lanes) -> Reach {
            #[cfg(avx512)]
            if let Some(token) = kernel.masked() {
                use crate::arch::avx512::U8x64;
                return token.run(src, dst, #[inline(always)] |token, src, dst| {
                    let units = generic::utf16_copy::to_bytes::<U8x64, $big>(above, token, src, dst);
                    Reach { read: 2 * units, written: units }
                });
            }
            dispatch!(kernel.for_bytes(src.len().min(dst.len().saturating_mul(2))),
                scalar => Reach { read: 0, written: 0 },
                |V, token, src, dst| {
                    let units = generic::utf16_copy::to_bytes::<V, $big>(above, token, src, dst);
                    Reach { read: 2 * units, written: units }
                })
        }
    )*};
}

narrowed! {
    to_bytes false;
    big_to_bytes true;
}

#[inline(never)]
fn to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return masked::to_utf8::<Little>(token, src, dst);
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::transcode::<Utf16Le, Utf8>(src, dst),
        |V, token, src, dst| generic::utf16_to_utf8::convert::<V, Little>(token, src, dst))
}

/// To UTF-8 on AVX-512: for both byte orders, and for texts of any length.
#[cfg(avx512)]
mod masked {
    use super::*;
    use crate::arch::Vector;
    use crate::arch::avx512::{Avx512, U8x64};
    use crate::generic::utf16_to_utf8;
    use crate::tables::Order;

    #[inline(never)]
    pub(super) fn to_utf8<O: Order>(
        token: Avx512,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        if src.len() > U8x64::LANES {
            return token.run(
                src,
                dst,
                #[inline(always)]
                |token, src, dst| utf16_to_utf8::convert::<U8x64, O>(token, src, dst),
            );
        }
        token.run(
            src,
            dst,
            #[inline(always)]
            |token, src, dst| utf16_to_utf8::convert_whole::<U8x64, O>(token, src, dst),
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
        scalar => generic::utf16_to_utf32::by_reference(order, src, dst),
        |V, token, src, dst| generic::utf16_to_utf32::convert::<V>(order, token, src, dst))
}

/// Bytes of big-endian text that are converted at a time. Less than a KiB, since the end of a piece is looked at before it
/// is known to be well-formed; and whole blocks.
const PIECE: usize = 896;

/// Short text at once, without the frame that pieces need. By AVX-512 directly, with code of its own, which would not be worth it
/// elsewhere.
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

/// Converts big-endian text by way of little-endian text, in pieces that stay in the cache; ASCII directly.
#[inline(never)]
fn big_in_pieces(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let mut buffer = Buffer([MaybeUninit::uninit(); PIECE]);
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        if begins_with_ascii(&src[reach.read..]) {
            let (rest, room) = (&src[reach.read..], &mut dst[reach.written..]);
            let ascii = big_to_bytes(kernel, rest, room, &BIG_UNITS.above_ascii);
            reach = ascii.behind(reach.read, reach.written);
            if reach.read == src.len() {
                return reach;
            }
        }
        let rest = &src[reach.read..];
        if rest.len() <= SHORT {
            return short_big_to_utf8(kernel, rest, &mut dst[reach.written..])
                .behind(reach.read, reach.written);
        }
        let piece = match rest.get(..PIECE) {
            Some(piece) => &piece[..scalar::boundary(Scheme::Utf16Be, piece)],
            None => rest,
        };
        // What is ill-formed is left out, so the end of everything is there, or in front of it.
        let copied = copied_swapped(kernel, piece, &mut buffer.0, &BIG_UNITS).written;
        // SAFETY: a kernel function has initialised as many bytes as it says that it has written.
        let text = unsafe { view::init_mut(&mut buffer.0[..copied]) };
        let step = to_utf8(kernel, text, &mut dst[reach.written..]);
        reach = step.behind(reach.read, reach.written);
        if step.read < piece.len() || piece.len() == rest.len() {
            return reach;
        }
    }
}

/// Big-endian text of at most so many bytes is converted directly: what has just been written comes slowly out of the store
/// buffer, since vectors of the end overlap.
const SHORT: usize = 128;

#[inline(never)]
fn short_big_to_utf8(kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    dispatch_short!(kernel,
        scalar => scalar::transcode::<Utf16Be, Utf8>(src, dst),
        |V, token, src, dst| generic::utf16_to_utf8::convert_big::<V>(token, src, dst))
}

/// A piece of text. Aligned, so that no vector of it lies in two cache lines.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; PIECE]);

/// Conversions into UTF-16, of the same byte order or of the other one.
macro_rules! to_utf16 {
    ($($name:ident $swap:literal;)*) => {$(
        #[inline(never)]
        fn $name(
            kernel: Kernel,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
            order: &'static UnitOrder,
        ) -> Reach {
            let len = src.len().min(dst.len());
            dispatch_long!(kernel.for_bytes(len), len,
                scalar => generic::utf16_copy::units_by_reference::<$swap>(order, src, dst),
                |V, token, src, dst| {
                    let read = generic::utf16_copy::to_utf16::<V, $swap>(order, token, src, dst);
                    Reach { read, written: read }
                })
        }
    )*};
}

to_utf16! {
    copied false;
    copied_swapped true;
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
        _ => unreachable!(),
    }
}

/// Validation.
#[inline(never)]
fn check(kernel: Kernel, src: &[u8], order: &'static UnitOrder) -> Result<(), usize> {
    dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_TWO_VECTORS,
        scalar => match order.big {
            false => scalar::validate::<Utf16Le>(src),
            true => scalar::validate::<Utf16Be>(src),
        }
        .map_err(|error| error.valid_up_to()),
        |V, token, src, order| generic::utf16_check::check::<V>(order, token, src))
}

/// Counts and lengths.
macro_rules! measured {
    ($($name:ident: $scalar:ident $vector:ident;)*) => {$(
        #[inline(never)]
        fn $name(kernel: Kernel, src: &[u8], order: &'static UnitOrder) -> usize {
            dispatch_long!(kernel.for_bytes(src.len()), src.len() + FROM_A_VECTOR,
                scalar => match order.big {
                    false => Utf16Le::$scalar(src),
                    true => Utf16Be::$scalar(src),
                },
                |V, token, src, order| generic::utf16_count::$vector::<V>(order, token, src))
        }
    )*};
}

measured! {
    count: count code_points;
    utf8_len: utf8_len utf8_len;
}
