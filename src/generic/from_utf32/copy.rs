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
use crate::encoding::types::{Ascii, Latin1, Utf32Be, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::from_utf32::FromUtf32;
use crate::generic::from_utf32::check::Utf32Checker;
use crate::scalar;
use crate::tables::Order;
use crate::types::progress::Reach;

/// The bits that Latin-1 lacks.
pub(crate) const ABOVE_LATIN1: u32 = !0xFF;
/// The bits that ASCII lacks.
pub(crate) const ABOVE_ASCII: u32 = !0x7F;

/// The conversion to UTF-32 in the byte order `O`.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf32<O>(pub(crate) O);

impl<O: Order> FromUtf32 for ToUtf32<O> {
    const WIDE_MIN_BYTES: usize = 3 * 64;
    const NARROW_MAX_BYTES: usize = 64;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(to_utf32::<V, O>(token, src, dst), 1, 1)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(to_utf32_short::<V, O>(token, src, dst), 1, 1)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        if O::BIG {
            scalar::transcode::<Utf32Le, Utf32Be>(src, dst)
        } else {
            scalar::transcode::<Utf32Le, Utf32Le>(src, dst)
        }
    }
}

/// The conversion to Latin-1 or ASCII, up to the first unit that has one of the bits that the
/// encoding lacks: [`ABOVE_LATIN1`] or [`ABOVE_ASCII`].
#[derive(Clone, Copy)]
pub(crate) struct ToBytes(pub(crate) u32);

impl FromUtf32 for ToBytes {
    const WIDE_MIN_BYTES: usize = 0;
    const NARROW_MAX_BYTES: usize = 64;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(narrow::<V>(token, self.0, src, dst), 4, 1)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(narrow_short::<V>(token, self.0, src, dst), 4, 1)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        if self.0 == ABOVE_LATIN1 {
            scalar::transcode::<Utf32Le, Latin1>(src, dst)
        } else {
            scalar::transcode::<Utf32Le, Ascii>(src, dst)
        }
    }
}

/// Converts whole units to bytes, up to the first unit that has one of the bits in `above`, which
/// is [`ABOVE_LATIN1`] or [`ABOVE_ASCII`]. `text` has at least two vectors. `dst` has capacity for
/// one byte for each unit. Returns the number of bytes written.
#[inline(always)]
fn narrow<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len() / 4];
    if text.len() < 4 * V::LANES {
        return convert_one_to_four::<V>(token, above, text, dst);
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

/// Converts like [`narrow`], for a text that is one to four vectors long.
#[inline(always)]
fn narrow_short<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    convert_one_to_four::<V>(token, above, text, &mut dst[..text.len() / 4])
}

/// Returns the byte offsets of the two or four vectors that cover a text. The text is one to four
/// vectors long.
#[inline(always)]
fn covering_offsets<V: Lanes32>(text: &[u8]) -> ([usize; 2], Option<[usize; 2]>) {
    let last = text.len() - V::LANES;
    let needs_four = text.len() > 2 * V::LANES;
    ([0, last], if needs_four { Some([V::LANES, last - V::LANES]) } else { None })
}

/// Converts a text that is one to four vectors long. Returns the number of units before the first
/// unit that does not fit the encoding.
#[inline(always)]
fn convert_one_to_four<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (outer, inner) = covering_offsets::<V>(text);
    let ored = write_two::<V>(token, text, dst, outer);
    let ored = match inner {
        Some(inner) => ored.or(write_two::<V>(token, text, dst, inner)),
        None => ored,
    };
    if ored.and(V::splat32(token, above)).any() {
        return bytes::<V>(token, above, text, dst, 0);
    }
    dst.len()
}

/// Writes the two vectors at the byte offsets `first` and `second` of `text` as bytes. Returns the
/// bitwise or of the two vectors.
#[inline(always)]
fn write_two<V: Lanes32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [first, second]: [usize; 2],
) -> V {
    let (a, b) = (V::load(token, text, first), V::load(token, text, second));
    a.store_low_bytes(dst, first / 4);
    b.store_low_bytes(dst, second / 4);
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
    V::narrow_four_to_bytes(first_units).store_bytes(dst, 0);
    V::narrow_four_to_bytes(last_units).store_bytes(dst, last);
    let ored = or_four(first_units).or(or_four(last_units));
    !ored.and(V::splat32(token, above)).any()
}

/// Converts blocks up to the first block with a unit that does not fit the encoding. The text has
/// at least one block. The last block ends with the text and may overlap the block before it.
/// Returns the number of units converted.
#[inline(always)]
fn blocks_of_bytes<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let above = V::splat32(token, above);
    let mut at = 0;
    // Two blocks share a test, which takes 30 % fewer instructions.
    for (two, out) in text.chunks_exact(8 * V::LANES).zip(dst.chunks_exact_mut(2 * V::LANES)) {
        let blocks = [load_four::<V>(token, two), load_four::<V>(token, &two[4 * V::LANES..])];
        if or_four(blocks[0]).or(or_four(blocks[1])).and(above).any() {
            break;
        }
        V::narrow_four_to_bytes(blocks[0]).store_bytes(out, 0);
        V::narrow_four_to_bytes(blocks[1]).store_bytes(out, V::LANES);
        at += 2 * V::LANES;
    }
    if at == dst.len() {
        return at;
    }
    while let (Some(block), Some(out)) =
        (text.get(4 * at..4 * at + 4 * V::LANES), dst.get_mut(at..at + V::LANES))
    {
        if !block_of_bytes::<V>(token, above, block, out) {
            return at;
        }
        at += V::LANES;
    }
    let last = dst.len() - V::LANES;
    if at == dst.len() || block_of_bytes::<V>(token, above, &text[4 * last..], &mut dst[last..]) {
        return dst.len();
    }
    at
}

/// Converts a block if no unit has a bit of `above`. Returns true if the block was converted.
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
    V::narrow_four_to_bytes(units).store_bytes(out, 0);
    true
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

/// Converts single vectors from unit `at` on. Returns the number of units before the first unit
/// that does not fit the encoding.
#[inline(always)]
fn bytes<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let (above, zero) = (V::splat32(token, above), V::splat(token, 0));
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

/// Converts whole units to UTF-32 in byte order `B`, up to the first ill-formed unit. `text` has at
/// least a vector, and `dst` is at least as long as `text`. Returns the number of bytes written.
#[inline(always)]
fn to_utf32<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    match blocks::<V, B>(token, text, dst) {
        Ok(at) => convert_vectors::<V, B>(token, text, dst, at),
        Err(at) => find_ill_formed(text, at),
    }
}

/// Converts like [`to_utf32`], for a text that is one to four vectors long.
#[inline(always)]
fn to_utf32_short<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    if text.len() <= 2 * V::LANES {
        return convert_two::<V, B>(token, text, dst);
    }
    convert_vectors::<V, B>(token, text, dst, 0)
}

/// Converts like [`to_utf32`], for a text that one or two vectors cover. They may overlap.
#[inline(always)]
fn convert_two<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
    let last = text.len() - V::LANES;
    let (a, b) = (V::load(token, text, 0), V::load(token, text, last));
    a.swap_bytes32_if_big::<B>().store_bytes(dst, 0);
    b.swap_bytes32_if_big::<B>().store_bytes(dst, last);
    let numbers = checker.numbers(a).max_u32(checker.numbers(b));
    if checker.has_ill_formed(numbers) { find_ill_formed(text, 0) } else { text.len() }
}

/// Converts whole blocks to UTF-32 in byte order `B`. Returns the number of bytes converted: `Err`
/// if the block after them is ill-formed, else `Ok`.
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
            units[k].swap_bytes32_if_big::<B>().store_bytes(to, k * V::LANES);
            k += 1;
        }
        if checker.four_have_ill_formed(units) {
            return Err(at);
        }
        at += block;
    }
    Ok(at)
}

/// Converts single vectors from byte `at` on to UTF-32 in byte order `B`. Returns the number of
/// bytes of `text` that are well-formed and converted.
#[inline(always)]
fn convert_vectors<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
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
