//! UTF-16 to UTF-32LE.
//!
//! 1. Widen the run of blocks without surrogates.
//! 2. In any other block, compute the code point of each pair in the lane of the low surrogate,
//!    from a vector and the vector that begins one unit earlier.
//! 3. Test that the low surrogates are exactly the units after the high surrogates.
//! 4. Remove the lanes of the high surrogates by a table of shuffle rows. The lower and the upper
//!    16 bits of eight code points use the same row. If stores are masked, 32-bit lanes are used
//!    instead.
//! 5. Convert the rest one vector at a time. The last vector ends at the end of the text and
//!    overlaps the vector before it; the units that overlap are written again.
//! 6. After an error, or at the end of the output, the scalar reference converts the rest.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::from_utf16::check::{boundary, splits_no_pair, whole_units};
use crate::generic::from_utf16::code_point_decoder::{BLOCK_VECTORS, CodePointDecoder};
use crate::scalar;
use crate::swar::words;
use crate::tables::UnitOrder;
use crate::types::progress::Reach;

/// Converts `src` into `dst`. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let decoder = CodePointDecoder::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        return short(&decoder, src, dst);
    }
    if V::takes_short_path(text.len(), 2 * V::LANES)
        && let Some(out) = dst.get_mut(..2 * text.len())
        && decoder.widen_head_and_tail(text, out)
    {
        return Reach { read: text.len(), written: 2 * text.len() };
    }
    let (mut read, mut written) = (0, 0);
    // True if a high surrogate is before the next block. Only masked stores use it.
    let mut high_before = false;
    loop {
        let run = decoder.widen_run(&text[read..], &mut dst[written..]);
        read += run;
        written += 2 * run;
        if text.len() - read < BLOCK_VECTORS * V::LANES {
            break;
        }
        let Some(out) = dst.get_mut(written..written + 2 * BLOCK_VECTORS * V::LANES) else { break };
        let bytes = decoder.convert_block_with_pairs(text, read, &mut high_before, out);
        let Some(bytes) = bytes else {
            return resume(order, src, dst, Reach { read, written });
        };
        read += BLOCK_VECTORS * V::LANES;
        written += bytes;
    }
    convert_tail(&decoder, src, dst, Reach { read, written })
}

/// Converts single vectors. The last vector ends at the end of the text and overlaps the vector
/// before it.
#[inline(always)]
fn convert_tail<V: Lanes32>(
    decoder: &CodePointDecoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    let text = whole_units(src);
    while reach.read < text.len() {
        let start = reach.read.min(text.len() - V::LANES);
        let units = V::load(decoder.token, text, start);
        if !decoder.has_surrogate(units) {
            // The units before `reach.read` are written again.
            let base = reach.written - 2 * (reach.read - start);
            let Some(out) = dst.get_mut(base..base + 2 * V::LANES) else {
                return resume(decoder.order, src, dst, reach);
            };
            decoder.widen(units, out, 0);
            reach = Reach { read: start + V::LANES, written: base + 2 * V::LANES };
            continue;
        }
        let before = decoder.units_before(text, start, units);
        let Some(output) = decoder.decode_vector(units, before) else {
            return resume(decoder.order, src, dst, reach);
        };
        let base = reach.written - 4 * output.count_characters(reach.read - start);
        let Some(len) = output.write(V::LANES, &mut dst[base..]) else {
            return resume(decoder.order, src, dst, reach);
        };
        if !splits_no_pair(decoder.order, text, start + V::LANES) {
            return resume(decoder.order, src, dst, reach);
        }
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts a text that is shorter than a vector.
#[inline(always)]
fn short<V: Lanes32>(
    decoder: &CodePointDecoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    // The zeros after the end of the text are not surrogates.
    let units = V::from_words(decoder.token, words::padded16(text));
    let start = Reach { read: 0, written: 0 };
    let Some(output) = decoder.decode_vector(units, units.shift_in_zeros::<2>()) else {
        return resume(decoder.order, src, dst, start);
    };
    match output.write(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume(decoder.order, src, dst, start),
    }
}

/// Converts the rest of the text by the scalar reference, after an error or at the end of the
/// output. All units before `reach.read` have been converted.
#[inline(never)]
fn resume(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // Go back to the start of a pair that has been split: its high surrogate was not written.
    let read = boundary(order, src, reach.read);
    let dst = &mut dst[reach.written..];
    convert_by_reference(order, &src[read..], dst).after(read, reach.written)
}

/// [`convert`] by the scalar reference.
fn convert_by_reference(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match order.big {
        false => scalar::transcode::<Utf16Le, Utf32Le>(src, dst),
        true => scalar::transcode::<Utf16Be, Utf32Le>(src, dst),
    }
}
