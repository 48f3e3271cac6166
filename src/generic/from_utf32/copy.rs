//! UTF-32 to encodings with the same number of units: UTF-32 in either byte order, Latin-1 and
//! ASCII.
//!
//! 1. The caller cuts the text to the length that fits.
//! 2. Convert blocks. For Latin-1 and ASCII, or-ed units show if one has a bit that the encoding
//!    lacks. For UTF-32, the largest [number](super::check) shows if a unit is no character.
//! 3. Convert single vectors. The last one ends with the text and overlaps. Units may be written
//!    before they are tested: the output after an error is scratch.
//! 4. A mask of the units that fit gives the end, or the reference finds the error.

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

/// Converts whole units to bytes, up to the first unit that has one of the bits in `above`:
/// [`ABOVE_LATIN1`] or [`ABOVE_ASCII`]. `text` has at least two vectors, and `dst` capacity for a
/// byte for each unit. Returns the number of bytes.
#[inline(always)]
pub(crate) fn narrow<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len() / 4];
    if text.len() < 4 * V::LANES {
        return covered_bytes::<V>(token, above, text, dst);
    }
    // With vectors of 16 bytes, the loop below is as fast.
    if V::LANES >= 32
        && text.len() <= 8 * V::LANES
        && convert_head_and_tail_blocks::<V>(token, above, text, dst)
    {
        return dst.len();
    }
    let at = blocks_of_bytes::<V>(token, above, text, dst);
    if at == dst.len() { at } else { bytes::<V>(token, above, text, dst, at) }
}

/// [`narrow`] for one to four vectors.
#[inline(always)]
pub(crate) fn narrow_short<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    covered_bytes::<V>(token, above, text, &mut dst[..text.len() / 4])
}

/// Returns the offsets of the two or four vectors that cover a text of one to four vectors.
#[inline(always)]
fn cover<V: Lanes32>(text: &[u8]) -> ([usize; 2], Option<[usize; 2]>) {
    let last = text.len() - V::LANES;
    let more = text.len() > 2 * V::LANES;
    ([0, last], if more { Some([V::LANES, last - V::LANES]) } else { None })
}

/// Converts a text of one to four vectors. Returns the number of units before the first one that
/// does not fit the encoding.
#[inline(always)]
fn covered_bytes<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let all = copy_two::<V>(token, text, dst, cover::<V>(text).0);
    let all = match cover::<V>(text).1 {
        Some(two) => all.or(copy_two::<V>(token, text, dst, two)),
        None => all,
    };
    if all.and(V::splat32(token, above)).any() {
        return bytes::<V>(token, above, text, dst, 0);
    }
    dst.len()
}

/// Writes two vectors as bytes. Returns both, or-ed together.
#[inline(always)]
fn copy_two<V: Lanes32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [first, second]: [usize; 2],
) -> V {
    let (a, b) = (V::load(token, text, first), V::load(token, text, second));
    a.store_quarter(dst, first / 4);
    b.store_quarter(dst, second / 4);
    a.or(b)
}

/// Converts the first and the last block of a text, which may overlap. Returns true if all units
/// fit the encoding.
#[inline(always)]
fn convert_head_and_tail_blocks<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> bool {
    let last = dst.len() - V::LANES;
    let (first_units, last_units) =
        (load_four::<V>(token, text), load_four::<V>(token, &text[4 * last..]));
    V::narrow_four(first_units).store_bytes(dst, 0);
    V::narrow_four(last_units).store_bytes(dst, last);
    let all = or_four(first_units).or(or_four(last_units));
    !all.and(V::splat32(token, above)).any()
}

/// Converts blocks of a text of at least one block. The last one ends with the text and overlaps.
/// Returns the number of units.
#[inline(always)]
fn blocks_of_bytes<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let limit = V::splat32(token, above);
    let mut at = 0;
    // Two blocks share a test: 30 % fewer instructions.
    for (two, out) in text.chunks_exact(8 * V::LANES).zip(dst.chunks_exact_mut(2 * V::LANES)) {
        let blocks = [load_four::<V>(token, two), load_four::<V>(token, &two[4 * V::LANES..])];
        if or_four(blocks[0]).or(or_four(blocks[1])).and(limit).any() {
            break;
        }
        V::narrow_four(blocks[0]).store_bytes(out, 0);
        V::narrow_four(blocks[1]).store_bytes(out, V::LANES);
        at += 2 * V::LANES;
    }
    if at == dst.len() {
        return at;
    }
    while let (Some(block), Some(out)) =
        (text.get(4 * at..4 * at + 4 * V::LANES), dst.get_mut(at..at + V::LANES))
    {
        if !block_of_bytes::<V>(token, limit, block, out) {
            return at;
        }
        at += V::LANES;
    }
    let last = dst.len() - V::LANES;
    if at == dst.len() || block_of_bytes::<V>(token, limit, &text[4 * last..], &mut dst[last..]) {
        return dst.len();
    }
    at
}

/// Converts a block and returns true, if no unit has a bit of `above`.
#[inline(always)]
fn block_of_bytes<V: Lanes32>(
    token: V::Token,
    above: V,
    block: &[u8],
    out: &mut [MaybeUninit<u8>],
) -> bool {
    let units = load_four::<V>(token, block);
    if or_four(units).and(above).any() {
        return false;
    }
    V::narrow_four(units).store_bytes(out, 0);
    true
}

/// Returns the vectors of a block.
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

/// Converts single vectors from unit `at` on. Returns the number of units before the first one that
/// does not fit the encoding.
#[inline(always)]
fn bytes<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let (limit, zero) = (V::splat32(token, above), V::splat(token, 0));
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / 4);
        let units = V::load(token, text, 4 * start);
        units.store_quarter(dst, start);
        let other = units.and(limit);
        if other.any() {
            let fits = other.equal32(zero).bits8();
            return start + fits.trailing_ones() as usize / 4;
        }
        at = start + V::LANES / 4;
    }
    at
}

/// Converts whole units to UTF-32 in byte order `B`. `text` has at least a vector, and `dst`
/// capacity for as many bytes. Returns the number of bytes.
#[inline(always)]
pub(crate) fn to_utf32<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    match blocks::<V, B>(token, text, dst) {
        Ok(at) => units::<V, B>(token, text, dst, at),
        Err(at) => find_ill_formed(text, at),
    }
}

/// [`to_utf32`] for one to four vectors.
#[inline(always)]
pub(crate) fn to_utf32_short<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    if text.len() <= 2 * V::LANES {
        return two_units::<V, B>(token, text, dst);
    }
    units::<V, B>(token, text, dst, 0)
}

/// [`to_utf32`] for one or two vectors, which may overlap.
#[inline(always)]
fn two_units<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
    let last = text.len() - V::LANES;
    let (a, b) = (V::load(token, text, 0), V::load(token, text, last));
    a.ordered32::<B>().store_bytes(dst, 0);
    b.ordered32::<B>().store_bytes(dst, last);
    let numbers = checker.number(a).max32(checker.number(b));
    if checker.is_wrong(numbers) { find_ill_formed(text, 0) } else { text.len() }
}

/// [`to_utf32`] for whole blocks. Returns the number of bytes. It is an error if the next block is
/// ill-formed.
#[inline(always)]
fn blocks<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<usize, usize> {
    let checker = Utf32Checker::<V>::new(token);
    let block = 4 * V::LANES;
    let mut at = 0;
    for (from, to) in text.chunks_exact(block).zip(dst.chunks_exact_mut(block)) {
        let units = load_four::<V>(token, from);
        let mut k = 0;
        while k < 4 {
            units[k].ordered32::<B>().store_bytes(to, k * V::LANES);
            k += 1;
        }
        if checker.is_wrong_in_four(units) {
            return Err(at);
        }
        at += block;
    }
    Ok(at)
}

/// [`to_utf32`] by single vectors from `at` on.
#[inline(always)]
fn units<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        units.ordered32::<B>().store_bytes(dst, start);
        if checker.is_wrong(checker.number(units)) {
            return find_ill_formed(text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Returns the offset of the first unit that is no character. All units before `at` are
/// well-formed.
#[inline(never)]
fn find_ill_formed(text: &[u8], at: usize) -> usize {
    at + scalar::validate::<Utf32Le>(&text[at..])
        .map_or_else(|error| error.valid_up_to(), |()| text.len() - at)
}
