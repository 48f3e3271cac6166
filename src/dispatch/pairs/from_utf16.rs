//! The functions of the [pair table](super::table) that convert from UTF-16, in both byte orders.

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic;
use crate::generic::from_utf16::short;
use crate::scalar;
use crate::scalar::code::{Decode, Encode};
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Lanes, Little, Order, UnitOrder};
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf16le_to_utf16le = into_utf16::<false>(src, dst, &LITTLE_UNITS, kernel);
    fn utf16be_to_utf16be = into_utf16::<false>(src, dst, &BIG_UNITS, kernel);
    fn utf16le_to_utf16be = into_utf16::<true>(src, dst, &LITTLE_UNITS, kernel);
    fn utf16be_to_utf16le = into_utf16::<true>(src, dst, &BIG_UNITS, kernel);
    fn utf16le_to_utf8 = by_len::<Utf16Le, Little, Utf8>(src, dst, kernel,
        to_utf8::<Utf16Le, Little>);
    fn utf16be_to_utf8 = by_len::<Utf16Be, Big, Utf8>(src, dst, kernel,
        to_utf8::<Utf16Be, Big>);
    fn utf16le_to_utf32le = by_len::<Utf16Le, Little, Utf32Le>(src, dst, kernel,
        |src, dst, kernel| to_utf32le(src, dst, &LITTLE_UNITS, kernel));
    fn utf16be_to_utf32le = by_len::<Utf16Be, Big, Utf32Le>(src, dst, kernel,
        |src, dst, kernel| to_utf32le(src, dst, &BIG_UNITS, kernel));
    fn utf16le_to_latin1 = by_len::<Utf16Le, Little, Latin1>(src, dst, kernel,
        |src, dst, kernel| narrow_units::<false>(src, dst, &LITTLE_UNITS.above_latin1, kernel));
    fn utf16be_to_latin1 = by_len::<Utf16Be, Big, Latin1>(src, dst, kernel,
        |src, dst, kernel| narrow_units::<true>(src, dst, &BIG_UNITS.above_latin1, kernel));
    fn utf16le_to_ascii = by_len::<Utf16Le, Little, Ascii>(src, dst, kernel,
        |src, dst, kernel| narrow_units::<false>(src, dst, &LITTLE_UNITS.above_ascii, kernel));
    fn utf16be_to_ascii = by_len::<Utf16Be, Big, Ascii>(src, dst, kernel,
        |src, dst, kernel| narrow_units::<true>(src, dst, &BIG_UNITS.above_ascii, kernel));
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn count_utf16le = count(src, &LITTLE_UNITS, kernel);
    fn count_utf16be = count(src, &BIG_UNITS, kernel);
    fn utf8_len_of_utf16le = utf8_len(src, &LITTLE_UNITS, kernel);
    fn utf8_len_of_utf16be = utf8_len(src, &BIG_UNITS, kernel);
}

/// Converts by `convert`, or by a separate function for less than 16 bytes.
#[inline(always)]
fn by_len<A: Decode, O: Order, B: Encode>(
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
    convert: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
) -> Reach {
    if src.len() >= 16 && kernel != Kernel::SCALAR {
        return convert(src, dst, kernel);
    }
    less_than_a_vector::<A, O, B>(src, dst, kernel, convert)
}

/// Converts less than 16 bytes: by words if each unit is only narrowed or widened, one by one if
/// there are few characters, else by vectors. On the scalar kernel, the scalar reference converts
/// texts of any length.
#[inline(never)]
fn less_than_a_vector<A: Decode, O: Order, B: Encode>(
    src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
    convert: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
) -> Reach {
    if kernel != Kernel::SCALAR {
        if let Some(reach) = short::convert(O::units(), src, B::SCHEME, dst) {
            return reach;
        }
        if prefers_one_by_one(B::SCHEME, src.len(), kernel)
            && let Some(reach) = short::one_by_one::<B>(O::units(), src, dst)
        {
            return reach;
        }
    }
    if src.len() < 8 || kernel == Kernel::SCALAR {
        return scalar::transcode::<A, B>(src, dst);
    }
    convert(src, dst, kernel)
}

/// Returns true if `len` bytes, less than 16, are converted character by character. To UTF-8 on
/// AVX-512, a vector is as fast from 8 bytes on.
#[inline(always)]
fn prefers_one_by_one(to: Scheme, len: usize, kernel: Kernel) -> bool {
    !matches!(to, Scheme::Utf8) || len < 8 || !kernel.has_avx512()
}

/// Converts units to bytes, up to the first unit that has a bit of `above`, the bits that the
/// target encoding lacks.
#[inline(never)]
fn narrow_units<const BIG: bool>(
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
    |V, token, src, dst| {
        let units = generic::from_utf16::copy::narrow::<V, BIG>(above, token, src, dst);
        Reach { read: 2 * units, written: units }
    })
}

/// Converts to UTF-8. Each byte order has separate code, because shared code would cost a third of
/// the speed.
#[inline(never)]
fn to_utf8<A: Decode, O: Order>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    #[cfg(avx512)]
    if let Some(token) = kernel.masked() {
        return masked::to_utf8::<O>(token, src, dst);
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => scalar::transcode::<A, Utf8>(src, dst),
        |V, token, src, dst| generic::from_utf16::to_utf8::convert::<V, O>(token, src, dst))
}

/// Conversions to UTF-8 on AVX-512, for both byte orders and any length.
#[cfg(avx512)]
mod masked {
    use super::*;
    use crate::arch::avx512::{Avx512, U8x64};
    use crate::arch::vector::Vector;
    use crate::generic::from_utf16::to_utf8;
    use crate::tables::Order;

    #[inline(never)]
    pub(crate) fn to_utf8<O: Order>(token: Avx512, src: &[u8], dst: &mut Uninit) -> Reach {
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
            |token, src, dst| to_utf8::convert_one_vector::<U8x64, O>(token, src, dst),
        )
    }
}

/// Converts UTF-16 in `order` to UTF-32LE.
#[inline(never)]
fn to_utf32le(src: &[u8], dst: &mut Uninit, order: &'static UnitOrder, kernel: Kernel) -> Reach {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= 3 * WIDE_BYTES,
        scalar => generic::from_utf16::to_utf32::convert_by_reference(order, src, dst),
        |V, token, src, dst|
            generic::from_utf16::to_utf32::convert::<V>(order, token, src, dst))
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
    scalar => generic::from_utf16::copy::to_utf16_by_reference::<SWAP>(order, src, dst),
    |V, token, src, dst| {
        let read = generic::from_utf16::copy::to_utf16::<V, SWAP>(order, token, src, dst);
        Reach { read, written: read }
    })
}

/// Returns the number of code points.
#[inline(never)]
fn count(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => if order.big { Utf16Be::count(src) } else { Utf16Le::count(src) },
        |V, token, src, order| generic::count::utf16::code_points::<V>(order, token, src))
}

/// Returns the length in UTF-8, in bytes.
#[inline(never)]
fn utf8_len(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> usize {
    dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= WIDE_BYTES,
        scalar => if order.big { Utf16Be::utf8_len(src) } else { Utf16Le::utf8_len(src) },
        |V, token, src, order| generic::count::utf16::utf8_len::<V>(order, token, src))
}
