//! The functions of the [pair table](super::table) that convert from UTF-16, in both byte orders.

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::count;
use crate::generic::from_utf16::{copy, short, to_utf8, to_utf32};
use crate::scalar;
use crate::scalar::code::Encode;
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Lanes, Little, Order, UnitOrder};
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf16le_to_utf16le = into_utf16::<false>(src, dst, &LITTLE_UNITS, kernel);
    fn utf16be_to_utf16be = into_utf16::<false>(src, dst, &BIG_UNITS, kernel);
    fn utf16le_to_utf16be = into_utf16::<true>(src, dst, &LITTLE_UNITS, kernel);
    fn utf16be_to_utf16le = into_utf16::<true>(src, dst, &BIG_UNITS, kernel);
    fn utf16le_to_utf8 = by_len::<Little, Utf8>(src, dst, kernel, to_utf8::<Little>);
    fn utf16be_to_utf8 = by_len::<Big, Utf8>(src, dst, kernel, to_utf8::<Big>);
    fn utf16le_to_utf32le = by_len::<Little, Utf32Le>(src, dst, kernel, |src, dst, kernel|
        decode(src, dst, &LITTLE_UNITS, kernel));
    fn utf16be_to_utf32le = by_len::<Big, Utf32Le>(src, dst, kernel, |src, dst, kernel|
        decode(src, dst, &BIG_UNITS, kernel));
    fn utf16le_to_latin1 = by_len::<Little, Latin1>(src, dst, kernel, |src, dst, kernel|
        narrow_units::<Little>(src, dst, &LITTLE_UNITS.above_latin1, kernel));
    fn utf16be_to_latin1 = by_len::<Big, Latin1>(src, dst, kernel, |src, dst, kernel|
        narrow_units::<Big>(src, dst, &BIG_UNITS.above_latin1, kernel));
    fn utf16le_to_ascii = by_len::<Little, Ascii>(src, dst, kernel, |src, dst, kernel|
        narrow_units::<Little>(src, dst, &LITTLE_UNITS.above_ascii, kernel));
    fn utf16be_to_ascii = by_len::<Big, Ascii>(src, dst, kernel, |src, dst, kernel|
        narrow_units::<Big>(src, dst, &BIG_UNITS.above_ascii, kernel));
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_utf16le = code_points(src, &LITTLE_UNITS, kernel);
    fn count_utf16be = code_points(src, &BIG_UNITS, kernel);
    fn utf8_len_of_utf16le = utf8_len(src, &LITTLE_UNITS, kernel);
    fn utf8_len_of_utf16be = utf8_len(src, &BIG_UNITS, kernel);
}

/// Converts by `convert`, or by a separate function for less than 16 bytes.
#[inline(always)]
fn by_len<O: Order, B: Encode>(
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
    convert: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
) -> Reach {
    if src.len() >= 16 && kernel != Kernel::SCALAR {
        return convert(src, dst, kernel);
    }
    less_than_a_vector::<O, B>(src, dst, kernel, convert)
}

/// Converts less than 16 bytes. On the scalar kernel, the scalar reference converts texts of any
/// length.
#[inline(never)]
fn less_than_a_vector<O: Order, B: Encode>(
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
    convert: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
) -> Reach {
    if kernel != Kernel::SCALAR {
        if let Some(reach) = short::convert::<B>(O::units(), src, dst, kernel.has_avx512()) {
            return reach;
        }
        if src.len() >= 8 {
            return convert(src, dst, kernel);
        }
    }
    match O::BIG {
        false => scalar::transcode::<Utf16Le, B>(src, dst),
        true => scalar::transcode::<Utf16Be, B>(src, dst),
    }
}

/// Converts units to bytes, up to the first unit that has a bit of `above`, the bits that the
/// target encoding lacks. The caller converts on the scalar kernel.
#[inline(never)]
fn narrow_units<O: Order>(
    src: &[u8],
    dst: &mut Uninit,
    above: &'static Lanes,
    kernel: Kernel,
) -> Reach {
    // On AVX-512, masked loads and stores convert short texts.
    let len = src.len().min(dst.len().saturating_mul(2));
    let kernel = if kernel.has_avx512() { kernel } else { kernel.for_bytes(len) };
    dispatch!(kernel, wide if true,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst|
            Reach::of_units(copy::narrow::<V, O>(above, token, src, dst), 2, 1))
}

/// Converts to UTF-8. Each byte order has separate code, because shared code would cost a third of
/// the speed. On AVX-512, masked loads and stores convert any text of at most one vector.
/// The caller converts on the scalar kernel.
#[inline(never)]
fn to_utf8<O: Order>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return to_utf8::convert_masked::<O>(token, src, dst);
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| to_utf8::convert::<V, O>(token, src, dst))
}

/// Converts UTF-16 in `order` to UTF-32LE. The caller converts on the scalar kernel.
#[inline(never)]
fn decode(src: &[u8], dst: &mut Uninit, order: &'static UnitOrder, kernel: Kernel) -> Reach {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| to_utf32::convert::<V>(order, token, src, dst))
}

/// Converts to UTF-16: in the other byte order if `SWAP`, else in the same byte order.
#[inline(never)]
fn into_utf16<const SWAP: bool>(
    src: &[u8],
    dst: &mut Uninit,
    order: &'static UnitOrder,
    kernel: Kernel,
) -> Reach {
    let len = src.len().min(dst.len());
    dispatch!(kernel.for_bytes(len), wide if len >= 3 * WIDE_BYTES,
    scalar => copy::to_utf16_by_reference::<SWAP>(order, src, dst),
    |V, token, src, dst|
        Reach::of_units(copy::to_utf16::<V, SWAP>(order, token, src, dst), 1, 1))
}

/// Returns the number of code points.
#[inline(never)]
fn code_points(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => if order.big { Utf16Be::count(src) } else { Utf16Le::count(src) },
        |V, token, src, order| count::utf16::code_points::<V>(order, token, src))
}

/// Returns the length in UTF-8, in bytes.
#[inline(never)]
fn utf8_len(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => if order.big { Utf16Be::utf8_len(src) } else { Utf16Le::utf8_len(src) },
        |V, token, src, order| count::utf16::utf8_len::<V>(order, token, src))
}
