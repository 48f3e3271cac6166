//! UTF-16 to what has as many units: to UTF-16 in either byte order, and to Latin-1 and ASCII as far as it is that.
//!
//! Text and output are cut to what fits, so that there is room for everything; all is written as it comes, and what lies
//! behind the first unit that doesn't belong there is scratch. The last vector ends with the text and writes again what it
//! sees again.

use core::mem::MaybeUninit;

use super::utf16_check::{Checker, boundary, is_ended, splat, whole_units};
use super::utf16_tiny;
use crate::arch::lanes16::Lanes16;
use crate::scalar;
use crate::tables::{Big, Order};

/// Vectors in a block.
const BLOCK: usize = 4;

/// Converts `src`, in byte order `A`, into bytes, as far as no unit has one of the bits in `ABOVE`: FF00 for Latin-1, FF80
/// for ASCII. Says how many units.
#[inline(always)]
pub(crate) fn to_bytes<V: Lanes16, A: Order, const ABOVE: u16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize
where
    V::Half: Lanes16,
{
    let len = (src.len() / 2).min(dst.len());
    let (text, dst) = (&src[..2 * len], &mut dst[..len]);
    if text.len() < 16 {
        return few_bytes::<A, ABOVE>(text, dst);
    }
    if text.len() <= 2 * V::LANES {
        let all = if text.len() < V::LANES {
            byte_ends::<V::Half, A, ABOVE>(V::half(token), text, dst)
        } else {
            byte_ends::<V, A, ABOVE>(token, text, dst)
        };
        if all {
            return len;
        }
    }
    if text.len() < V::LANES {
        return bytes::<V::Half, A, ABOVE>(V::half(token), text, dst, 0);
    }
    let at = blocks_of_bytes::<V, A, ABOVE>(token, text, dst);
    bytes::<V, A, ABOVE>(token, text, dst, at)
}

/// Converts a text of one vector or two, by two vectors that overlap; says whether all of it can be.
#[inline(always)]
fn byte_ends<V: Lanes16, A: Order, const ABOVE: u16>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> bool {
    let last = text.len() - V::LANES;
    let units = [V::load(token, text, 0), V::load(token, text, last)];
    units[0].ordered16::<A>().store_narrowed(dst, 0);
    units[1].ordered16::<A>().store_narrowed(dst, last / 2);
    !units[0].or(units[1]).and(splat::<V, A>(token, ABOVE)).any()
}

/// Converts whole blocks; says how many units.
#[inline(always)]
fn blocks_of_bytes<V: Lanes16, A: Order, const ABOVE: u16>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let above = splat::<V, A>(token, ABOVE);
    let mut at = 0;
    while let (Some(block), Some(room)) =
        (text.get(2 * at..2 * at + BLOCK * V::LANES), dst.get_mut(at..at + 2 * V::LANES))
    {
        let units = [
            V::load(token, block, 0),
            V::load(token, block, V::LANES),
            V::load(token, block, 2 * V::LANES),
            V::load(token, block, 3 * V::LANES),
        ];
        let all = units[0].or(units[1]).or(units[2].or(units[3]));
        if all.and(above).any() {
            break;
        }
        let mut k = 0;
        while k < BLOCK {
            let narrow = V::narrow(units[k].ordered16::<A>(), units[k + 1].ordered16::<A>());
            narrow.store_bytes(room, k * V::LANES / 2);
            k += 2;
        }
        at += 2 * V::LANES;
    }
    at
}

/// Converts single vectors from unit `at` on; says how many units there are in front of the first that can't be.
#[inline(always)]
fn bytes<V: Lanes16, A: Order, const ABOVE: u16>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let (above, zero) = (splat::<V, A>(token, ABOVE), V::splat(token, 0));
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / 2);
        let units = V::load(token, text, 2 * start);
        units.ordered16::<A>().store_narrowed(dst, start);
        let other = units.and(above);
        if other.any() {
            let fits = V::bits16(other.equal16(zero), zero);
            return start + fits.trailing_ones() as usize;
        }
        at = start + V::LANES / 2;
    }
    at
}

/// Converts up to seven units.
#[inline(always)]
fn few_bytes<A: Order, const ABOVE: u16>(text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    for (bytes, to) in text.as_chunks::<2>().0.iter().zip(dst) {
        let unit = if A::BIG { u16::from_be_bytes(*bytes) } else { u16::from_le_bytes(*bytes) };
        if unit & ABOVE != 0 {
            break;
        }
        to.write(unit as u8);
        at += 1;
    }
    at
}

/// Converts `src`, in byte order `A`, into UTF-16 in byte order `B`; says how many bytes.
#[inline(always)]
pub(crate) fn to_utf16<V: Lanes16, A: Order, B: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize
where
    V::Half: Lanes16,
{
    let len = src.len().min(dst.len()) & !1;
    let (text, dst) = (whole_units(&src[..len]), &mut dst[..len]);
    if text.len() < 16 {
        return few_units::<A, B>(text, dst);
    }
    if text.len() < V::LANES {
        return units::<V::Half, A, B>(V::half(token), text, dst);
    }
    units::<V, A, B>(token, text, dst)
}

/// [`to_utf16`] of up to seven units: two words that overlap, if none is a surrogate.
#[inline(always)]
fn few_units<A: Order, B: Order>(text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf16_tiny::utf16::<A, B>(text, dst)
        .unwrap_or_else(|| scalar::transcode::<A::Utf16, B::Utf16>(text, dst).read)
}

/// [`to_utf16`] of at least a vector.
#[inline(always)]
fn units<V: Lanes16, A: Order, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Checker::<V>::new::<A>(token);
    let block = BLOCK * V::LANES;
    let mut at = 0;
    while let (Some(from), Some(to)) = (text.get(at..at + block), dst.get_mut(at..at + block)) {
        let units = [
            V::load(token, from, 0),
            V::load(token, from, V::LANES),
            V::load(token, from, 2 * V::LANES),
            V::load(token, from, 3 * V::LANES),
        ];
        let mut surrogates = checker.surrogates(units[0]);
        let mut k = 0;
        while k < BLOCK {
            in_order::<V, A, B>(units[k]).store_bytes(to, k * V::LANES);
            surrogates = surrogates.or(checker.surrogates(units[k]));
            k += 1;
        }
        if surrogates.any() && checker.is_wrong::<A>(text, at) {
            return error::<A>(text, at);
        }
        at += block;
    }
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        in_order::<V, A, B>(units).store_bytes(dst, start);
        if checker.surrogates(units).any()
            && (checker.wrong_at(text, start).any() || !is_ended::<A>(text, start + V::LANES))
        {
            return error::<A>(text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Units in the order of the output.
#[inline(always)]
fn in_order<V: Lanes16, A: Order, B: Order>(units: V) -> V {
    if A::BIG == B::BIG { units } else { units.ordered16::<Big>() }
}

/// Where the first surrogate stands that is alone, when nothing is wrong in front of `at`.
#[inline(never)]
fn error<A: Order>(text: &[u8], at: usize) -> usize {
    let at = boundary::<A>(text, at);
    at + scalar::validate::<A::Utf16>(&text[at..])
        .map_or_else(|error| error.valid_up_to(), |()| text.len() - at)
}
