//! UTF-16 to UTF-32LE.
//!
//! A unit that is no surrogate is widened. A pair gives its code point at the low surrogate,
//! computed from the vector and the same vector loaded one unit earlier. A table of shuffle rows
//! then squeezes out the high surrogates: the lower and the upper 16 bits of eight code points go
//! through the same row. Where stores are masked, a block has 32-bit lanes instead.
//!
//! There are two functions, and the pair table alternates between them. [`convert`] only
//! widens: it ends at the first block with surrogates, and its last block ends with the text and
//! overlaps. [`convert_pairs`] takes any units, each of which gives at most one unit of output.
//! After whole blocks follow single vectors. The last one ends with the text and overlaps; its
//! first units are written again.

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

/// Blocks without surrogates after which the loop for such blocks takes over.
const CLEAN_BLOCKS: usize = 16;

/// Converts a text up to its first block with surrogates, or nothing if there is no room for all of
/// it. Apart from the code of [`convert_pairs`], this loop needs few registers and nothing on the
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

/// Converts `src`, which may contain surrogates, or a part of it that ends before blocks without
/// any. As for [`convert`], a short input needs vectors of 16 bytes.
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
        Stop::Plain(reach) => reach,
        Stop::Error(reach) => resume(order, src, dst, reach),
    }
}

/// Why the loop for blocks with surrogates ended.
enum Stop {
    /// There is no whole block, or `dst` has no room for one.
    Last(Reach),
    /// Many blocks had no surrogates, and `dst` has room for the rest if that has none either.
    Plain(Reach),
    /// The next block is ill-formed.
    Error(Reach),
}

/// Converts whole blocks.
#[inline(always)]
fn blocks<V: Lanes32>(decoder: &PairDecoder<V>, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> Stop {
    let (mut read, mut written, mut plain) = (0, 0, 0);
    // True if the last block with surrogates had few. Most texts that begin with a surrogate, or
    // have one after a byte order mark, have many. With masked stores, a vector with surrogates
    // takes so little time that a test of each costs more.
    let tests_each = !V::Masked::PRESENT;
    let mut sparse = tests_each && !is_third_unit_surrogate(decoder.order, text);
    // True if a pair is cut before the next block.
    let mut cut = false;
    // When a block of pairs alone is tried, counted in blocks with surrogates.
    let mut backoff = Backoff::<32>::START;
    while let (Some(block), Some(out)) = (
        text.get(read..read + BLOCK_VECTORS * V::LANES),
        dst.get_mut(written..written + 2 * BLOCK_VECTORS * V::LANES),
    ) {
        let units = load_four::<V>(decoder.token, block);
        if decoder.widener.any_surrogate(units) {
            plain = 0;
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
            // Without masks, it would only take a register.
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
            plain += 1;
            read += BLOCK_VECTORS * V::LANES;
            written += 2 * BLOCK_VECTORS * V::LANES;
            if plain == 1 {
                // Back to an offset in the output where vectors are aligned: at the first block,
                // which has no character of two units.
                let back = dst[written..].as_ptr().addr() % V::LANES / 4;
                read -= 2 * back;
                written -= 4 * back;
            }
            if plain == CLEAN_BLOCKS && dst.len() - written >= 2 * (text.len() - read) {
                return Stop::Plain(Reach { read, written });
            }
            continue;
        }
        read += BLOCK_VECTORS * V::LANES;
    }
    Stop::Last(Reach { read, written })
}

/// Converts single vectors; the last one ends with the text.
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
    // Zeros stand after the end; they are no surrogates.
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

/// Leaves the rest to the scalar reference: at an error, or at the end of the output. All units
/// before `reach.read` have been converted.
#[inline(never)]
fn resume(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // If a low surrogate is next, go back to the high one, for which nothing was written.
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
