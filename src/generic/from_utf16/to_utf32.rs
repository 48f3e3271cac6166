//! UTF-16 to UTF-32LE.
//!
//! The pair table alternates between two functions. [`convert`] widens blocks up to the first block
//! with surrogates. [`convert_pairs`] converts blocks of any units:
//!
//! 1. A block without surrogates is widened. After several such blocks, return to [`convert`].
//! 2. A block that consists of surrogate pairs is converted in 32-bit lanes.
//! 3. In any other block, compute the code point of each pair in the lane of the low surrogate,
//!    from a vector and the vector that begins one unit earlier.
//! 4. Test that the low surrogates are exactly the units after the high surrogates.
//! 5. Remove the lanes of the high surrogates by a table of shuffle rows. The lower and the upper
//!    16 bits of eight code points use the same row. If stores are masked, 32-bit lanes are used
//!    instead.
//! 6. Convert the rest one vector at a time. The last vector ends at the end of the text and
//!    overlaps the vector before it; the units that overlap are written again.
//! 7. After an error, or at the end of the output, the scalar reference converts the rest.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::backoff::Backoff;
use crate::generic::from_utf16::check::{
    boundary, is_third_unit_surrogate, splits_no_pair, whole_units,
};
use crate::generic::from_utf16::code_point_decoder::{
    BLOCK_VECTORS, CodePointDecoder, Widener, load_four,
};
use crate::scalar;
use crate::swar::words;
use crate::tables::UnitOrder;
use crate::types::progress::Reach;

/// After this many consecutive blocks without surrogates, [`convert`] takes over.
const CLEAN_BLOCKS: usize = 16;

/// Converts a text up to the first block with surrogates, or nothing if `dst` has no capacity for
/// the whole output. This loop is separate from [`convert_pairs`], so it needs few registers and
/// nothing on the stack. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let widener = Widener::<V>::new(order, token);
    let read = if dst.len() / 2 < text.len() {
        0
    } else if text.len() >= BLOCK_VECTORS * V::LANES {
        widener.blocks(text, dst)
    } else if text.len() >= V::LANES && widener.convert_few_vectors(text, dst) {
        text.len()
    } else {
        0
    };
    Reach { read, written: 2 * read }
}

/// Converts `src`, which may have surrogates. May stop after several consecutive blocks without
/// surrogates. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn convert_pairs<V: Lanes32>(
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
        && decoder.widener.convert_two_vectors(text, [0, text.len() - V::LANES], out)
    {
        return Reach { read: text.len(), written: 2 * text.len() };
    }
    match blocks(&decoder, text, dst) {
        LoopEnd::NoBlock(reach) => convert_tail(&decoder, src, dst, reach),
        LoopEnd::SurrogateFree(reach) => reach,
        LoopEnd::Error(reach) => resume(order, src, dst, reach),
    }
}

/// The reason why the loop for blocks with surrogates ended.
enum LoopEnd {
    /// No whole block is left, or `dst` has no capacity for a block.
    NoBlock(Reach),
    /// Several consecutive blocks had no surrogates, and `dst` has capacity for the rest of the
    /// text if it has no surrogates either.
    SurrogateFree(Reach),
    /// The next block is ill-formed.
    Error(Reach),
}

/// Converts whole blocks.
#[inline(always)]
fn blocks<V: Lanes32>(
    decoder: &CodePointDecoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> LoopEnd {
    let (mut read, mut written, mut clean_run) = (0, 0, 0);
    // True if the previous block with surrogates had few surrogates. Most texts that begin with a
    // surrogate, or have a surrogate after a byte order mark, have many. With masked stores,
    // converting a vector with surrogates costs less than a test of each vector.
    let tests_each_vector = !V::Masked::PRESENT;
    let mut has_few_pairs = tests_each_vector && !is_third_unit_surrogate(decoder.order, text);
    // True if a high surrogate is before the next block.
    let mut high_before = false;
    // The distance between two attempts to convert a block of surrogate pairs, in blocks with
    // surrogates.
    let mut backoff = Backoff::<32>::START;
    while let (Some(block), Some(out)) = (
        text.get(read..read + BLOCK_VECTORS * V::LANES),
        dst.get_mut(written..written + 2 * BLOCK_VECTORS * V::LANES),
    ) {
        let units = load_four::<V>(decoder.token, block);
        if decoder.widener.any_surrogate(units) {
            clean_run = 0;
            if !has_few_pairs && backoff.is_over() {
                let converted = decoder.convert_block_of_pairs(text, read, out);
                backoff.tried(converted.is_some());
                if let Some(start) = converted {
                    high_before = false;
                    written += BLOCK_VECTORS * V::LANES;
                    read = start + BLOCK_VECTORS * V::LANES;
                    continue;
                }
            }
            // Without masked stores, `high_before` is not used, and would only occupy a register.
            let mut high_before_block = V::Masked::PRESENT && high_before;
            let bytes = match has_few_pairs {
                true => {
                    decoder.convert_block_with_few_pairs(text, read, &mut high_before_block, out)
                }
                false => decoder.convert_block_with_pairs(text, read, &mut high_before_block, out),
            };
            high_before = V::Masked::PRESENT && high_before_block;
            let Some(bytes) = bytes else {
                return LoopEnd::Error(Reach { read, written });
            };
            written += bytes;
            has_few_pairs =
                tests_each_vector && bytes >= 2 * BLOCK_VECTORS * V::LANES - 4 * BLOCK_VECTORS;
        } else {
            decoder.widener.widen_four(units, out);
            clean_run += 1;
            read += BLOCK_VECTORS * V::LANES;
            written += 2 * BLOCK_VECTORS * V::LANES;
            if clean_run == 1 {
                // Step back to an offset in the output at which vectors are aligned. The block has
                // no surrogates, so each unit became one unit of output.
                let back = dst[written..].as_ptr().addr() % V::LANES / 4;
                read -= 2 * back;
                written -= 4 * back;
            }
            if clean_run == CLEAN_BLOCKS && dst.len() - written >= 2 * (text.len() - read) {
                return LoopEnd::SurrogateFree(Reach { read, written });
            }
            continue;
        }
        read += BLOCK_VECTORS * V::LANES;
    }
    LoopEnd::NoBlock(Reach { read, written })
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
        if !decoder.widener.has_surrogate(units) {
            // The units before `reach.read` are written again.
            let base = reach.written - 2 * (reach.read - start);
            let Some(out) = dst.get_mut(base..base + 2 * V::LANES) else {
                return resume(decoder.order, src, dst, reach);
            };
            decoder.widener.widen(units, out, 0);
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
pub(crate) fn convert_by_reference(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match order.big {
        false => scalar::transcode::<Utf16Le, Utf32Le>(src, dst),
        true => scalar::transcode::<Utf16Be, Utf32Le>(src, dst),
    }
}
