//! Converts UTF-32 to encodings that have one unit for each input unit: UTF-32 in either byte
//! order, Latin-1 and ASCII.
//!
//! 1. The caller shortens the text so that the output fits.
//! 2. Convert blocks. For Latin-1 and ASCII, the bitwise or of the units shows if a unit has a bit
//!    that the encoding lacks. For UTF-32, the largest [number](super::check) shows if a unit is
//!    not a scalar value.
//! 3. Convert single vectors. The last vector ends with the text and may overlap the vector before
//!    it. Units may be written before they are tested: the output after an error is scratch.
//! 4. A mask of the units that fit the encoding gives the end, or the reference finds the error.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::types::Utf32Le;
use crate::generic::from_utf32::check::Utf32Checker;
use crate::scalar;
use crate::tables::Order;

/// The bits that Latin-1 lacks.
pub(crate) const ABOVE_LATIN1: u32 = !0xFF;
/// The bits that ASCII lacks.
pub(crate) const ABOVE_ASCII: u32 = !0x7F;

/// Converts whole units to bytes, up to the first unit that has one of the bits in `above`, which
/// is [`ABOVE_LATIN1`] or [`ABOVE_ASCII`]. `text` has at least a vector. `dst` has capacity for one
/// byte for each unit. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn narrow<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len() / 4];
    let (above, zero) = (V::splat32(token, above), V::splat(token, 0));
    if text.len() <= 4 * V::LANES {
        // The vectors cover the text and may overlap.
        let last = text.len() - V::LANES;
        let mut ored = write_two::<V>(token, text, dst, [0, last]);
        if text.len() > 2 * V::LANES {
            ored = ored.or(write_two::<V>(token, text, dst, [V::LANES, last - V::LANES]));
        }
        if !ored.and(above).any() {
            return dst.len();
        }
    }
    let mut at = 0;
    // Two blocks share a test, which takes a tenth fewer instructions.
    for (two, out) in text.chunks_exact(8 * V::LANES).zip(dst.chunks_exact_mut(2 * V::LANES)) {
        let blocks = [load_four::<V>(token, two), load_four::<V>(token, &two[4 * V::LANES..])];
        if or_four(blocks[0]).or(or_four(blocks[1])).and(above).any() {
            break;
        }
        V::narrow_four_to_bytes(blocks[0]).store_bytes(out, 0);
        V::narrow_four_to_bytes(blocks[1]).store_bytes(out, V::LANES);
        at += 2 * V::LANES;
    }
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / 4);
        let units = V::load(token, text, 4 * start);
        units.store_low_bytes(dst, start);
        let excess = units.and(above);
        if excess.any() {
            let fitting = excess.equal32(zero).bits8();
            return start + fitting.trailing_ones() as usize / 4;
        }
        at = start + V::LANES / 4;
    }
    at
}

/// Writes the two vectors at these byte offsets of `text` as bytes. Returns their bitwise or.
#[inline(always)]
fn write_two<V: Lanes32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    offsets: [usize; 2],
) -> V {
    let units = [V::load(token, text, offsets[0]), V::load(token, text, offsets[1])];
    units[0].store_low_bytes(dst, offsets[0] / 4);
    units[1].store_low_bytes(dst, offsets[1] / 4);
    units[0].or(units[1])
}

/// Loads the four vectors of a block.
#[inline(always)]
pub(crate) fn load_four<V: Lanes32>(token: V::Token, block: &[u8]) -> [V; 4] {
    [
        V::load(token, block, 0),
        V::load(token, block, V::LANES),
        V::load(token, block, 2 * V::LANES),
        V::load(token, block, 3 * V::LANES),
    ]
}

/// Returns the bitwise or of four vectors.
#[inline(always)]
pub(crate) fn or_four<V: Lanes32>(units: [V; 4]) -> V {
    units[0].or(units[1]).or(units[2].or(units[3]))
}

/// Converts whole units to UTF-32 in byte order `B`, up to the first ill-formed unit. `text` has at
/// least a vector, and `dst` is at least as long as `text`. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn to_utf32<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    let checker = Utf32Checker::<V>::new(token);
    let block = 4 * V::LANES;
    let mut at = 0;
    for (from, to) in text.chunks_exact(block).zip(dst.chunks_exact_mut(block)) {
        let units = load_four::<V>(token, from);
        let mut k = 0;
        while k < 4 {
            units[k].swap_bytes32_if_big::<B>().store_bytes(to, k * V::LANES);
            k += 1;
        }
        if checker.four_have_ill_formed(units) {
            return find_ill_formed(text, at);
        }
        at += block;
    }
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        units.swap_bytes32_if_big::<B>().store_bytes(dst, start);
        if checker.has_ill_formed(checker.numbers(units)) {
            return find_ill_formed(text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Returns the byte offset of the first unit that is not a scalar value, or the length of `text`.
/// All units before `at` are well-formed.
#[inline(never)]
fn find_ill_formed(text: &[u8], at: usize) -> usize {
    at + scalar::validate::<Utf32Le>(&text[at..])
        .map_or_else(|error| error.valid_up_to(), |()| text.len() - at)
}
