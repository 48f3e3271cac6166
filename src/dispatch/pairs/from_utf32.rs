//! The functions of the [pair table](super::table) that convert from UTF-32LE. For UTF-32BE,
//! [`through`](super::through) swaps the bytes and calls these functions.

use crate::arch::vector::Vector;
use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, call_outlined, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic;
use crate::generic::from_utf32::convert;
use crate::generic::from_utf32::copy::{ABOVE_ASCII, ABOVE_LATIN1};
use crate::generic::from_utf32::singles::{self, ALTERNATING_MIN_BYTES, MIXED_SEGMENT_BYTES};
use crate::generic::from_utf32::to_utf8::Utf8Target;
use crate::generic::from_utf32::to_utf16::Utf16Target;
use crate::scalar;
use crate::scalar::code::Encode;
use crate::tables::{BIG, Big, ByteOrder, LITTLE, Little, Order};
use crate::types::progress::Reach;

/// The maximum length, in bytes, of a text that is converted by separate functions, with smaller
/// vectors or fewer constants.
const SHORT_UTF32_MAX_BYTES: usize = 64;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf32le_to_utf8 = by_len::<Utf8>(src, dst, kernel, to_utf8, to_utf8_short);
    fn utf32le_to_utf16le = by_len::<Utf16Le>(src, dst, kernel,
        |src, dst, kernel| to_utf16(src, dst, &LITTLE, kernel),
        |src, dst, kernel| to_utf16_short(src, dst, &LITTLE, kernel));
    fn utf32le_to_utf16be = by_len::<Utf16Be>(src, dst, kernel,
        |src, dst, kernel| to_utf16(src, dst, &BIG, kernel),
        |src, dst, kernel| to_utf16_short(src, dst, &BIG, kernel));
    fn utf32le_to_utf32le = by_len::<Utf32Le>(src, dst, kernel,
        to_utf32::<Utf32Le, Little>, to_utf32_short::<Utf32Le, Little>);
    fn utf32le_to_utf32be = by_len::<Utf32Be>(src, dst, kernel,
        to_utf32::<Utf32Be, Big>, to_utf32_short::<Utf32Be, Big>);
    fn utf32le_to_latin1 = by_len::<Latin1>(src, dst, kernel,
        |src, dst, kernel| narrow_units(src, dst, ABOVE_LATIN1, kernel),
        |src, dst, kernel| narrow_short(src, dst, ABOVE_LATIN1, kernel));
    fn utf32le_to_ascii = by_len::<Ascii>(src, dst, kernel,
        |src, dst, kernel| narrow_units(src, dst, ABOVE_ASCII, kernel),
        |src, dst, kernel| narrow_short(src, dst, ABOVE_ASCII, kernel));
}

/// Converts by `convert`, or by a separate function for at most 64 and for less than 16 bytes. If
/// each input unit becomes one output unit, the text is first truncated to the capacity.
#[inline(always)]
fn by_len<B: Encode>(
    mut src: &[u8],
    dst: &mut Uninit,
    kernel: Kernel,
    convert: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
    convert_short: impl Fn(&[u8], &mut Uninit, Kernel) -> Reach,
) -> Reach {
    if !matches!(B::SCHEME, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be) {
        let capacity = (dst.len() / B::SCHEME.unit_size()).saturating_mul(4);
        src = &src[..src.len().min(capacity) & !3];
    }
    if src.len() > SHORT_UTF32_MAX_BYTES {
        convert(src, dst, kernel)
    } else if src.len() >= 16 {
        convert_short(src, dst, kernel)
    } else {
        less_than_four::<B>(src, dst, kernel)
    }
}

/// Converts less than four units, without vectors.
#[inline(never)]
fn less_than_four<B: Encode>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    if kernel == Kernel::SCALAR {
        return call_outlined(|| scalar::transcode::<Utf32Le, B>(src, dst));
    }
    generic::from_utf32::short::below_four_units(src, B::SCHEME, dst)
}

/// Converts to UTF-8. On AVX-512, a step has 256 bytes, so vectors of 64 bytes convert only longer
/// texts.
#[inline(never)]
fn to_utf8(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 6 * WIDE_BYTES,
        scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
        |V, token, src, dst| convert::convert(&Utf8Target::<V>::new(token), src, dst))
}

/// Converts 16 to 64 bytes to UTF-8.
#[inline(never)]
fn to_utf8_short(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    if src.len() > 32 {
        return dispatch!(kernel,
            scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
            |V, token, src, dst| convert::convert_short(&Utf8Target::<V>::new(token), src, dst));
    }
    dispatch!(kernel.of_16_bytes(),
    scalar => scalar::transcode::<Utf32Le, Utf8>(src, dst),
    |V, token, src, dst| {
        let target = Utf8Target::<<V as Vector>::Vector16>::new(V::token_of_16_bytes(token));
        convert::convert_two(&target, src, dst)
    })
}

/// Converts to UTF-16.
#[inline(never)]
fn to_utf16(src: &[u8], dst: &mut Uninit, order: &'static ByteOrder, kernel: Kernel) -> Reach {
    // Most texts that begin with a supplementary character have many.
    if src.len() < ALTERNATING_MIN_BYTES
        || src.len() < MIXED_SEGMENT_BYTES && (src[2] | src[3]) != 0
    {
        return any_to_utf16(src, dst, order, kernel);
    }
    alternating_to_utf16(src, dst, order, kernel)
}

/// [`to_utf16`] for at least [`ALTERNATING_MIN_BYTES`] bytes.
#[inline(never)]
fn alternating_to_utf16(
    src: &[u8],
    dst: &mut Uninit,
    order: &'static ByteOrder,
    kernel: Kernel,
) -> Reach {
    let mut reach = singles_to_utf16(src, dst, order, kernel);
    // After an error, or at the end of the output, the loop breaks, although a long part of the
    // text may be left.
    while src.len() - reach.read >= ALTERNATING_MIN_BYTES {
        let mut segment = &src[reach.read..];
        // If the part after the segment would be short, it becomes part of the segment.
        if segment.len() >= MIXED_SEGMENT_BYTES + ALTERNATING_MIN_BYTES {
            segment = &segment[..MIXED_SEGMENT_BYTES];
        }
        let step = any_to_utf16(segment, &mut dst[reach.written..], order, kernel);
        reach = step.after(reach.read, reach.written);
        if step.read < segment.len() || src.len() == reach.read {
            break;
        }
        let step = singles_to_utf16(&src[reach.read..], &mut dst[reach.written..], order, kernel);
        reach = step.after(reach.read, reach.written);
    }
    reach
}

/// [`to_utf16`] up to the first step with a character that becomes two units.
#[inline(never)]
fn singles_to_utf16(
    src: &[u8],
    dst: &mut Uninit,
    order: &'static ByteOrder,
    kernel: Kernel,
) -> Reach {
    dispatch!(kernel, wide if src.len() >= 6 * WIDE_BYTES,
        // On the scalar kernel, `any_to_utf16` calls the reference for the whole text.
        scalar => Reach { read: 0, written: 0 },
        |V, token, src, dst| singles::convert::<V>(order, token, src, dst))
}

/// [`to_utf16`] for a short text, or for a segment with characters that become two units.
#[inline(never)]
fn any_to_utf16(src: &[u8], dst: &mut Uninit, order: &'static ByteOrder, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 6 * WIDE_BYTES,
        scalar => scalar_to_utf16(src, dst, order),
        |V, token, src, dst| convert::convert(&Utf16Target::<V>::new(order, token), src, dst))
}

/// Converts 16 to 64 bytes to UTF-16.
#[inline(never)]
fn to_utf16_short(
    src: &[u8],
    dst: &mut Uninit,
    order: &'static ByteOrder,
    kernel: Kernel,
) -> Reach {
    if src.len() > 32 {
        return dispatch!(kernel,
            scalar => scalar_to_utf16(src, dst, order),
            |V, token, src, dst|
                convert::convert_short(&Utf16Target::<V>::new(order, token), src, dst));
    }
    dispatch!(kernel.of_16_bytes(),
    scalar => scalar_to_utf16(src, dst, order),
    |V, token, src, dst| {
        let token = V::token_of_16_bytes(token);
        let target = Utf16Target::<<V as Vector>::Vector16>::new(order, token);
        convert::convert_two(&target, src, dst)
    })
}

fn scalar_to_utf16(src: &[u8], dst: &mut Uninit, order: &ByteOrder) -> Reach {
    if order.big {
        scalar::transcode::<Utf32Le, Utf16Be>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Utf16Le>(src, dst)
    }
}

/// Converts as many complete units as fit to UTF-32.
#[inline(never)]
fn to_utf32<B: Encode, O: Order>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
    scalar => scalar::transcode::<Utf32Le, B>(src, dst),
    |V, token, src, dst| {
        let read = generic::from_utf32::copy::to_utf32::<V, O>(token, src, dst);
        Reach { read, written: read }
    })
}

/// [`to_utf32`] for 16 to 64 bytes.
#[inline(never)]
fn to_utf32_short<B: Encode, O: Order>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    dispatch!(kernel.of_16_bytes(),
    scalar => scalar::transcode::<Utf32Le, B>(src, dst),
    |V, token, src, dst| {
        let token = V::token_of_16_bytes(token);
        let read = generic::from_utf32::copy::to_utf32_short::<<V as Vector>::Vector16, O>(
            token, src, dst);
        Reach { read, written: read }
    })
}

/// Converts as many complete units as fit to Latin-1 or ASCII, up to the first unit that has a bit
/// of `above`, the bits that the target lacks.
#[inline(never)]
fn narrow_units(src: &[u8], dst: &mut Uninit, above: u32, kernel: Kernel) -> Reach {
    dispatch!(kernel, wide if true,
    scalar => scalar_to_latin1_or_ascii(src, dst, above),
    |V, token, src, dst| {
        let units = generic::from_utf32::copy::narrow::<V>(token, above, src, dst);
        Reach { read: 4 * units, written: units }
    })
}

/// [`narrow_units`] for 16 to 64 bytes.
#[inline(never)]
fn narrow_short(src: &[u8], dst: &mut Uninit, above: u32, kernel: Kernel) -> Reach {
    dispatch!(kernel.of_16_bytes(),
    scalar => scalar_to_latin1_or_ascii(src, dst, above),
    |V, token, src, dst| {
        let token = V::token_of_16_bytes(token);
        let units = generic::from_utf32::copy::narrow_short::<<V as Vector>::Vector16>(
            token, above, src, dst);
        Reach { read: 4 * units, written: units }
    })
}

fn scalar_to_latin1_or_ascii(src: &[u8], dst: &mut Uninit, above: u32) -> Reach {
    if above == ABOVE_LATIN1 {
        scalar::transcode::<Utf32Le, Latin1>(src, dst)
    } else {
        scalar::transcode::<Utf32Le, Ascii>(src, dst)
    }
}

/// Returns the length in UTF-8, in bytes.
#[inline(never)]
pub(crate) fn utf8_len_of_utf32le(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf32Le::utf8_len(src),
        |V, token| generic::count::utf32::utf8_len::<V>(token, src))
}

/// Returns the length in UTF-16, in code units.
#[inline(never)]
pub(crate) fn utf16_len_of_utf32le(src: &[u8], kernel: Kernel) -> usize {
    dispatch!(kernel, wide if src.len() >= WIDE_BYTES,
        scalar => Utf32Le::utf16_len(src),
        |V, token| generic::count::utf32::utf16_len::<V>(token, src))
}
