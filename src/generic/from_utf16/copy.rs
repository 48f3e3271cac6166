//! Conversions of UTF-16 to encodings with the same number of units: UTF-16 in either byte order,
//! Latin-1 and ASCII.
//!
//! 1. Truncate the text and the output to the shorter length.
//! 2. Convert blocks of four vectors. For Latin-1 and ASCII, a block is narrowed if no unit has a
//!    bit that the encoding lacks. For UTF-16, a block is copied, with its bytes swapped if
//!    necessary, and is validated only if it has surrogates.
//! 3. Convert the rest one vector at a time, or by a last block that ends at the end of the text
//!    and overlaps the block before it. Units may be written before they are tested, because the
//!    output after an error is scratch space.
//! 4. If a test fails, a mask of the units that the encoding has gives the end of the conversion,
//!    or the scalar reference finds the unpaired surrogate.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Presence};
use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::generic::from_utf16::check::{Utf16Checker, boundary, splits_no_pair, whole_units};
use crate::generic::from_utf16::short;
use crate::generic::from_utf16::surrogate_free::SurrogateSearch;
use crate::scalar;
use crate::tables::{Big, Lanes, Order, UnitOrder};
use crate::types::progress::Reach;

/// The number of vectors in a block.
const BLOCK_VECTORS: usize = 4;

/// Converts `src` to Latin-1 or ASCII, up to the first unit that has a bit of `above`, the bits
/// that the encoding lacks. The byte order is `O`. Returns the number of
/// units that were converted. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn narrow<V: Lanes16, O: Order>(
    above: &'static Lanes,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = (src.len() / 2).min(dst.len());
    let (text, dst) = (&src[..2 * len], &mut dst[..len]);
    if V::LANES == 16 && text.len() < 16 {
        return narrow_short::<O>(above, text, dst);
    }
    #[cfg(avx512)]
    if let Some(ops) = V::Masked::OPS
        && text.len() < V::LANES
    {
        return narrow_masked::<V, O>(ops, above, token, text, dst);
    }
    let all_fit = if text.len() <= 2 * V::LANES {
        convert_head_and_tail::<V, O>(above, token, text, dst)
    } else if text.len() <= BLOCK_VECTORS * V::LANES {
        convert_head_and_tail_blocks::<V, O, 2>(above, token, text, dst)
    } else if text.len() <= 2 * BLOCK_VECTORS * V::LANES {
        convert_head_and_tail_blocks::<V, O, BLOCK_VECTORS>(above, token, text, dst)
    } else {
        return blocks_of_bytes::<V, O>(above, token, text, dst);
    };
    if all_fit { len } else { bytes::<V, O>(above, token, text, dst, 0) }
}

/// Converts a text of one to two vectors, as two vectors that may overlap. Returns true if the
/// encoding has all units.
#[inline(always)]
fn convert_head_and_tail<V: Lanes16, O: Order>(
    above: &'static Lanes,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> bool {
    let last = text.len() - V::LANES;
    let units = [V::load(token, text, 0), V::load(token, text, last)];
    units[0].swap_bytes16_if_big::<O>().store_narrowed(dst, 0);
    units[1].swap_bytes16_if_big::<O>().store_narrowed(dst, last / 2);
    !units[0].or(units[1]).and(V::load(token, above, 0)).any()
}

/// Converts the first and the last `N` vectors of a text, which may overlap. `N` is even. Returns
/// true if the encoding has all units.
#[inline(always)]
fn convert_head_and_tail_blocks<V: Lanes16, O: Order, const N: usize>(
    above: &'static Lanes,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> bool {
    let mut all = V::splat(token, 0);
    for at in [0, dst.len() - N * V::LANES / 2] {
        let (block, out) = (&text[2 * at..], &mut dst[at..]);
        let mut k = 0;
        while k < N {
            let units =
                [V::load(token, block, k * V::LANES), V::load(token, block, (k + 1) * V::LANES)];
            let narrow =
                V::narrow(units[0].swap_bytes16_if_big::<O>(), units[1].swap_bytes16_if_big::<O>());
            narrow.store_bytes(out, k * V::LANES / 2);
            all = all.or(units[0].or(units[1]));
            k += 2;
        }
    }
    !all.and(V::load(token, above, 0)).any()
}

/// Converts a text shorter than a vector. Returns the number of units before the first unit that
/// the encoding lacks.
#[cfg(avx512)]
#[inline(always)]
fn narrow_masked<V: Lanes16, O: Order>(
    ops: V::Masked,
    above: &'static Lanes,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = ops.load_first(token, text);
    units.swap_bytes16_if_big::<O>().store_narrowed(dst, 0);
    let (excess_bits, zero) = (units.and(V::load(token, above, 0)), V::splat(token, 0));
    if excess_bits.any() {
        return V::bits16(excess_bits.equal16(zero), zero).trailing_ones() as usize;
    }
    dst.len()
}

/// Converts a text of at least one block. The last block ends at the end of the text and overlaps
/// the block before it. Returns the number of units before the first unit that the encoding lacks.
#[inline(always)]
fn blocks_of_bytes<V: Lanes16, O: Order>(
    above: &'static Lanes,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let limit = V::load(token, above, 0);
    let mut at = 0;
    let blocks = text.chunks_exact(BLOCK_VECTORS * V::LANES);
    for (block, out) in blocks.zip(dst.chunks_exact_mut(BLOCK_VECTORS / 2 * V::LANES)) {
        if !block_of_bytes::<V, O>(limit, token, block, out) {
            return bytes::<V, O>(above, token, text, dst, at);
        }
        at += BLOCK_VECTORS / 2 * V::LANES;
    }
    let last = dst.len() - BLOCK_VECTORS / 2 * V::LANES;
    if at == dst.len() || block_of_bytes::<V, O>(limit, token, &text[2 * last..], &mut dst[last..])
    {
        return dst.len();
    }
    bytes::<V, O>(above, token, text, dst, at)
}

/// Converts a block if no unit has a bit of `above`. Returns true if the block was converted.
#[inline(always)]
fn block_of_bytes<V: Lanes16, O: Order>(
    above: V,
    token: V::Token,
    block: &[u8],
    out: &mut [MaybeUninit<u8>],
) -> bool {
    let units = load_block::<V>(token, block);
    if units[0].or(units[1]).or(units[2].or(units[3])).and(above).any() {
        return false;
    }
    let mut k = 0;
    while k < BLOCK_VECTORS {
        let narrow =
            V::narrow(units[k].swap_bytes16_if_big::<O>(), units[k + 1].swap_bytes16_if_big::<O>());
        narrow.store_bytes(out, k * V::LANES / 2);
        k += 2;
    }
    true
}

/// Converts single vectors from unit `at` on. Returns the number of units before the first unit
/// that the encoding lacks.
#[inline(always)]
fn bytes<V: Lanes16, O: Order>(
    above: &'static Lanes,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let (above, zero) = (V::load(token, above, 0), V::splat(token, 0));
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / 2);
        let units = V::load(token, text, 2 * start);
        units.swap_bytes16_if_big::<O>().store_narrowed(dst, start);
        let excess_bits = units.and(above);
        if excess_bits.any() {
            let fits = V::bits16(excess_bits.equal16(zero), zero);
            return start + fits.trailing_ones() as usize;
        }
        at = start + V::LANES / 2;
    }
    at
}

/// Converts at most seven units. Returns the number of units before the first unit that the
/// encoding lacks.
#[inline(always)]
fn narrow_short<O: Order>(above: &Lanes, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    for (bytes, to) in text.as_chunks::<2>().0.iter().zip(dst) {
        if bytes[0] & above[0] | bytes[1] & above[1] != 0 {
            break;
        }
        to.write(bytes[usize::from(O::BIG)]);
        at += 1;
    }
    at
}

/// Copies `src` to UTF-16, in the other byte order if `SWAP`. Returns the number of bytes. Callers
/// guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn to_utf16<V: Lanes16, const SWAP: bool>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len()) & !1;
    let (text, dst) = (whole_units(&src[..len]), &mut dst[..len]);
    if V::LANES == 16 && text.len() < 16 {
        return to_utf16_short::<SWAP>(order, text, dst);
    }
    to_utf16_vectors::<V, SWAP>(order, token, text, dst)
}

/// [`to_utf16`] for at most seven units: by overlapping words, or by the scalar reference if there
/// are surrogates.
#[inline(always)]
fn to_utf16_short<const SWAP: bool>(
    order: &'static UnitOrder,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    short::utf16::<SWAP>(order, text, dst)
        .unwrap_or_else(|| to_utf16_by_reference::<SWAP>(order, text, dst).read)
}

/// [`to_utf16`] by the scalar reference.
pub(crate) fn to_utf16_by_reference<const SWAP: bool>(
    order: &'static UnitOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    match (order.big, SWAP) {
        (false, false) => scalar::transcode::<Utf16Le, Utf16Le>(src, dst),
        (false, true) => scalar::transcode::<Utf16Le, Utf16Be>(src, dst),
        (true, true) => scalar::transcode::<Utf16Be, Utf16Le>(src, dst),
        (true, false) => scalar::transcode::<Utf16Be, Utf16Be>(src, dst),
    }
}

/// [`to_utf16`] for at least one vector.
#[inline(always)]
fn to_utf16_vectors<V: Lanes16, const SWAP: bool>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Utf16Checker::<V>::new(order, token);
    let search = SurrogateSearch::<V>::new(order, token);
    let block_bytes = BLOCK_VECTORS * V::LANES;
    let mut at = 0;
    while let (Some(from), Some(to)) =
        (text.get(at..at + block_bytes), dst.get_mut(at..at + block_bytes))
    {
        if copy_block::<V, SWAP>(&search, token, from, to) && checker.is_block_ill_formed(text, at)
        {
            return find_unpaired(order, text, at);
        }
        at += block_bytes;
    }
    if at > 0 && text.len() - at > V::LANES {
        // The last block ends at the end of the text and overlaps the block before it.
        let last = text.len() - block_bytes;
        let (from, to) = (&text[last..], &mut dst[last..]);
        if copy_block::<V, SWAP>(&search, token, from, to)
            && checker.is_block_ill_formed(text, last)
        {
            return find_unpaired(order, text, at);
        }
        return text.len();
    }
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        swapped::<V, SWAP>(units).store_bytes(dst, start);
        if checker.surrogates(units).any()
            && (checker.errors_at(text, start).any()
                || !splits_no_pair(order, text, start + V::LANES))
        {
            return find_unpaired(order, text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Copies the block `from` to `to`. Returns true if the block has surrogates.
#[inline(always)]
fn copy_block<V: Lanes16, const SWAP: bool>(
    search: &SurrogateSearch<V>,
    token: V::Token,
    from: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> bool {
    let units = load_block::<V>(token, from);
    let mut least = search.lifted(units[0]);
    let mut k = 0;
    while k < BLOCK_VECTORS {
        swapped::<V, SWAP>(units[k]).store_bytes(to, k * V::LANES);
        least = least.min(search.lifted(units[k]));
        k += 1;
    }
    search.has_surrogates_among(least)
}

/// Returns the vectors of a block.
#[inline(always)]
fn load_block<V: Lanes16>(token: V::Token, block: &[u8]) -> [V; BLOCK_VECTORS] {
    [
        V::load(token, block, 0),
        V::load(token, block, V::LANES),
        V::load(token, block, 2 * V::LANES),
        V::load(token, block, 3 * V::LANES),
    ]
}

/// Returns `units`, with swapped bytes if `SWAP`.
#[inline(always)]
fn swapped<V: Lanes16, const SWAP: bool>(units: V) -> V {
    if SWAP { units.swap_bytes16_if_big::<Big>() } else { units }
}

/// Returns the offset of the first unpaired surrogate. The text before `at` is well-formed, except
/// that `at` may split a surrogate pair.
#[inline(never)]
fn find_unpaired(order: &'static UnitOrder, text: &[u8], at: usize) -> usize {
    let at = boundary(order, text, at);
    let rest = &text[at..];
    let checked = match order.big {
        false => scalar::validate::<Utf16Le>(rest),
        true => scalar::validate::<Utf16Be>(rest),
    };
    at + checked.map_or_else(|error| error.valid_up_to(), |()| rest.len())
}
