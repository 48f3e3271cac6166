//! UTF-16 to UTF-32LE.
//!
//! The pair table alternates between two functions. [`convert`] widens blocks up to the first one
//! with surrogates. [`convert_pairs`] converts blocks of any units:
//!
//! 1. A block without surrogates is widened. After several such blocks, return to [`convert`].
//! 2. A block of pairs only is converted as 32-bit lanes.
//! 3. In another block, compute the code point of each pair at its low surrogate, from the vector
//!    and the same vector loaded one unit earlier.
//! 4. Test that the low surrogates are exactly the units after the high surrogates.
//! 5. Squeeze out the high surrogates by a table of shuffle rows. The lower and the upper 16 bits
//!    of eight code points use the same row. If stores are masked, a block has 32-bit lanes
//!    instead.
//! 6. Convert the rest by single vectors. The last one ends with the text and overlaps; its first
//!    units are written again.
//! 7. The reference continues after an error, and at the end of the output.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::arch::optional::Presence;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Le};
use crate::generic::backoff::Backoff;
use crate::generic::from_utf16::check::{boundary, is_ended, is_third_unit_surrogate, whole_units};
use crate::generic::from_utf16::pair_decoder::{BLOCK_VECTORS, PairDecoder, Widener, load_four};
use crate::scalar;
use crate::swar::words;
use crate::tables::UnitOrder;
use crate::types::progress::Reach;

/// After this many consecutive blocks without surrogates, [`convert`] takes over.
const CLEAN_BLOCKS: usize = 16;

/// Converts a text up to its first block with surrogates, or nothing if `dst` has no capacity for
/// all of it. Separate from [`convert_pairs`], this loop needs few registers and nothing on the
/// stack. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
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

/// Converts `src`, which may have surrogates, or the part of it before several blocks without any.
/// Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn convert_pairs<V: Lanes32>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let decoder = PairDecoder::<V>::new(order, token);
    if V::LANES == 16 && text.len() < 16 {
        return short(&decoder, src, dst);
    }
    if V::is_within(text.len(), 2 * V::LANES)
        && let Some(out) = dst.get_mut(..2 * text.len())
        && decoder.widener.two(text, [0, text.len() - V::LANES], out)
    {
        return Reach { read: text.len(), written: 2 * text.len() };
    }
    match blocks(&decoder, text, dst) {
        Stop::Last(reach) => convert_tail(&decoder, src, dst, reach),
        Stop::SurrogateFree(reach) => reach,
        Stop::Error(reach) => resume(order, src, dst, reach),
    }
}

/// The reason why the loop for blocks with surrogates ended.
enum Stop {
    /// There is no whole block, or `dst` has no capacity for one.
    Last(Reach),
    /// Several blocks had no surrogates, and `dst` has capacity for the rest if it has none either.
    SurrogateFree(Reach),
    /// The next block is ill-formed.
    Error(Reach),
}

/// Converts whole blocks.
#[inline(always)]
fn blocks<V: Lanes32>(decoder: &PairDecoder<V>, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Stop {
    let (mut read, mut written, mut clean_run) = (0, 0, 0);
    // True if the last block with surrogates had few. Most texts that begin with a surrogate, or
    // have one after a byte order mark, have many. With masked stores, converting a vector with
    // surrogates costs less than a test of each vector.
    let tests_each = !V::Masked::PRESENT;
    let mut sparse = tests_each && !is_third_unit_surrogate(decoder.order, text);
    // True if a pair is split before the next block.
    let mut cut = false;
    // The attempts at blocks of pairs only, counted in blocks with surrogates.
    let mut backoff = Backoff::<32>::START;
    while let (Some(block), Some(out)) = (
        text.get(read..read + BLOCK_VECTORS * V::LANES),
        dst.get_mut(written..written + 2 * BLOCK_VECTORS * V::LANES),
    ) {
        let units = load_four::<V>(decoder.token, block);
        if decoder.widener.any_surrogate(units) {
            clean_run = 0;
            if !sparse && backoff.is_over() {
                let only_pairs = decoder.only_pairs(text, read, out);
                backoff.tried(only_pairs.is_some());
                if let Some(start) = only_pairs {
                    cut = false;
                    written += BLOCK_VECTORS * V::LANES;
                    read = start + BLOCK_VECTORS * V::LANES;
                    continue;
                }
            }
            // Without masks, `cut` is not used, and would only take a register.
            let mut cut_here = V::Masked::PRESENT && cut;
            let bytes = match sparse {
                true => decoder.block_with_pairs(text, read, &mut cut_here, out),
                false => decoder.block_of_pairs(text, read, &mut cut_here, out),
            };
            cut = V::Masked::PRESENT && cut_here;
            let Some(bytes) = bytes else {
                return Stop::Error(Reach { read, written });
            };
            written += bytes;
            sparse = tests_each && bytes >= 2 * BLOCK_VECTORS * V::LANES - 4 * BLOCK_VECTORS;
        } else {
            decoder.widener.widen_four(units, out);
            clean_run += 1;
            read += BLOCK_VECTORS * V::LANES;
            written += 2 * BLOCK_VECTORS * V::LANES;
            if clean_run == 1 {
                // Step back to an offset in the output at which vectors are aligned. The block has
                // no pair, so each unit has one unit of output.
                let back = dst[written..].as_ptr().addr() % V::LANES / 4;
                read -= 2 * back;
                written -= 4 * back;
            }
            if clean_run == CLEAN_BLOCKS && dst.len() - written >= 2 * (text.len() - read) {
                return Stop::SurrogateFree(Reach { read, written });
            }
            continue;
        }
        read += BLOCK_VECTORS * V::LANES;
    }
    Stop::Last(Reach { read, written })
}

/// Converts single vectors. The last one ends with the text and overlaps.
#[inline(always)]
fn convert_tail<V: Lanes32>(
    decoder: &PairDecoder<V>,
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
        let before = decoder.before(text, start, units);
        let Some(output) = decoder.vector(units, before) else {
            return resume(decoder.order, src, dst, reach);
        };
        let base = reach.written - 4 * output.units_of(reach.read - start);
        let Some(len) = output.write(V::LANES, &mut dst[base..]) else {
            return resume(decoder.order, src, dst, reach);
        };
        if !is_ended(decoder.order, text, start + V::LANES) {
            return resume(decoder.order, src, dst, reach);
        }
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts an input shorter than a vector.
#[inline(always)]
fn short<V: Lanes32>(decoder: &PairDecoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let text = whole_units(src);
    // The zeros after the end are no surrogates.
    let units = V::of_words(decoder.token, words::padded16(text));
    let start = Reach { read: 0, written: 0 };
    let Some(output) = decoder.vector(units, units.shifted::<2>()) else {
        return resume(decoder.order, src, dst, start);
    };
    match output.write(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume(decoder.order, src, dst, start),
    }
}

/// Converts the rest by the scalar reference: after an error, or at the end of the output. All
/// units before `reach.read` have been converted.
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
    by_reference(order, &src[read..], dst).after(read, reach.written)
}

/// [`convert`] by the scalar reference.
pub(crate) fn by_reference(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match order.big {
        false => scalar::transcode::<Utf16Le, Utf32Le>(src, dst),
        true => scalar::transcode::<Utf16Be, Utf32Le>(src, dst),
    }
}
