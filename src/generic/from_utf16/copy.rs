//! Conversions of UTF-16 to encodings with the same number of units: UTF-16 in either byte order,
//! and [narrowed](super::super::narrow) to Latin-1 and ASCII.
//!
//! 1. Truncate the text and the output to the shorter length.
//! 2. Copy blocks of four vectors, with their bytes swapped if necessary. A block is validated only
//!    if it has surrogates.
//! 3. Copy the rest one vector at a time, or by a last block that ends at the end of the text and
//!    overlaps the block before it. Units may be written before they are tested, because the output
//!    after an error is scratch space.
//! 4. If a test fails, the scalar reference finds the unpaired surrogate.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Presence};
use crate::encoding::types::{Utf16Be, Utf16Le};
use crate::generic::from_utf16::check::{Utf16Checker, boundary, splits_no_pair, whole_units};
use crate::generic::from_utf16::surrogate_free::SurrogateSearch;
use crate::generic::from_utf16::{reference, short};
#[cfg(avx512)]
use crate::generic::narrow::WideUnits;
use crate::generic::narrow::{self, Units16};
use crate::generic::vectors;
use crate::scalar;
use crate::tables::{Big, Lanes, Order, UnitOrder};
use crate::types::progress::Reach;

/// The number of vectors in a block.
const BLOCK_VECTORS: usize = 4;

/// Converts `src` to Latin-1 or ASCII, up to the first unit that has a bit of `above`, the bits
/// that the encoding lacks. The byte order is `O`. Returns the number of units that were converted.
/// Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
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
    narrow::narrow::<V, Units16<O>>(token, V::load(token, above, 0), text, dst)
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
    Units16::<O>::store([units], dst, 0);
    let excess = units.and(V::load(token, above, 0));
    if excess.any() {
        return <Units16<O> as WideUnits<V>>::count_zeros(token, excess);
    }
    dst.len()
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
    match order.big == SWAP {
        true => reference::convert::<Utf16Le>(order, src, dst),
        false => reference::convert::<Utf16Be>(order, src, dst),
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
        if copy_block::<V, SWAP>(&search, token, from, to)
            && checker.is_ill_formed(text, at, at + block_bytes)
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
            && checker.is_ill_formed(text, last, text.len())
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
    let units = vectors::load::<V, BLOCK_VECTORS>(token, from, 0);
    let mut least = search.lifted(units[0]);
    let mut k = 0;
    while k < BLOCK_VECTORS {
        swapped::<V, SWAP>(units[k]).store_bytes(to, k * V::LANES);
        least = least.min(search.lifted(units[k]));
        k += 1;
    }
    search.has_surrogates_among(least)
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
