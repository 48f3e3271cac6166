//! UTF-32 to what has as many units: to UTF-32 in either byte order, and to Latin-1 and ASCII as far as it is that.
//!
//! Text and output are cut to what fits, so that there is room for everything; all is written as it comes, and what lies
//! behind the first unit that doesn't belong there is scratch. The last vector ends with the text and writes again what it
//! sees again.

use core::mem::MaybeUninit;

use super::utf32_check::{Checker, whole_units};
use crate::arch::lanes32::Lanes32;
use crate::scalar;
use crate::tables::{Big, Order};
use crate::{Ascii, Latin1};

/// Converts `src`, in byte order `A`, into bytes, as far as no unit has one of the bits in `ABOVE`: all but the lowest eight
/// for Latin-1, or seven for ASCII. Says how many units.
#[inline(always)]
pub(crate) fn to_bytes<V: Lanes32, A: Order, const ABOVE: u32>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize
where
    V::Half: Lanes32,
{
    let len = (src.len() / 4).min(dst.len());
    let (text, dst) = (&src[..4 * len], &mut dst[..len]);
    if text.len() < 16 {
        // No room for more: this is not the way that short texts take.
        return if ABOVE == 0xFFFF_FF00 {
            scalar::transcode::<A::Utf32, Latin1>(text, dst).written
        } else {
            scalar::transcode::<A::Utf32, Ascii>(text, dst).written
        };
    }
    if text.len() < V::LANES {
        return covered_bytes::<V::Half, A, ABOVE>(V::half(token), text, dst);
    }
    if text.len() < 4 * V::LANES {
        return covered_bytes::<V, A, ABOVE>(token, text, dst);
    }
    let at = blocks_of_bytes::<V, A, ABOVE>(token, text, dst);
    if at == dst.len() { at } else { bytes::<V, A, ABOVE>(token, text, dst, at) }
}

/// The places of two vectors, or of four, that a text of one to four of them is covered by.
#[inline(always)]
fn cover<V: Lanes32>(text: &[u8]) -> ([usize; 2], Option<[usize; 2]>) {
    let last = text.len() - V::LANES;
    let more = text.len() > 2 * V::LANES;
    ([0, last], if more { Some([V::LANES, last - V::LANES]) } else { None })
}

/// Converts a text of one to four vectors; says how many units there are in front of the first that can't be.
#[inline(always)]
fn covered_bytes<V: Lanes32, A: Order, const ABOVE: u32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let all = copy_two::<V, A>(token, text, dst, cover::<V>(text).0);
    let all = match cover::<V>(text).1 {
        Some(two) => all.or(copy_two::<V, A>(token, text, dst, two)),
        None => all,
    };
    if all.and(splat::<V, A>(token, ABOVE)).any() {
        return bytes::<V, A, ABOVE>(token, text, dst, 0);
    }
    dst.len()
}

/// Writes two vectors as bytes; gives everything that is in one of them.
#[inline(always)]
fn copy_two<V: Lanes32, A: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [first, second]: [usize; 2],
) -> V {
    let (a, b) = (V::load(token, text, first), V::load(token, text, second));
    a.ordered32::<A>().store_quarter(dst, first / 4);
    b.ordered32::<A>().store_quarter(dst, second / 4);
    a.or(b)
}

/// Every lane is `unit`, in byte order `O`.
#[inline(always)]
fn splat<V: Lanes32, O: Order>(token: V::Token, unit: u32) -> V {
    V::splat32(token, if O::BIG { unit.swap_bytes() } else { unit })
}

/// Converts blocks of a text that has one at least, of which the last ends with it; says how many units.
#[inline(always)]
fn blocks_of_bytes<V: Lanes32, A: Order, const ABOVE: u32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let above = splat::<V, A>(token, ABOVE);
    let mut at = 0;
    while let (Some(block), Some(room)) =
        (text.get(4 * at..4 * at + 4 * V::LANES), dst.get_mut(at..at + V::LANES))
    {
        if !block_of_bytes::<V, A>(token, above, block, room) {
            return at;
        }
        at += V::LANES;
    }
    let last = dst.len() - V::LANES;
    if at == dst.len() || block_of_bytes::<V, A>(token, above, &text[4 * last..], &mut dst[last..])
    {
        return dst.len();
    }
    at
}

/// Converts a block, if it has nothing of `above`; says whether.
#[inline(always)]
fn block_of_bytes<V: Lanes32, A: Order>(
    token: V::Token,
    above: V,
    block: &[u8],
    room: &mut [MaybeUninit<u8>],
) -> bool {
    let units = load_four::<V>(token, block);
    if or_four(units).and(above).any() {
        return false;
    }
    V::narrow_four(ordered_four::<V, A>(units)).store_bytes(room, 0);
    true
}

/// The vectors of a block.
#[inline(always)]
pub(super) fn load_four<V: Lanes32>(token: V::Token, block: &[u8]) -> [V; 4] {
    [
        V::load(token, block, 0),
        V::load(token, block, V::LANES),
        V::load(token, block, 2 * V::LANES),
        V::load(token, block, 3 * V::LANES),
    ]
}

/// The same in the machine's order.
#[inline(always)]
fn ordered_four<V: Lanes32, O: Order>(units: [V; 4]) -> [V; 4] {
    let [a, b, c, d] = units;
    [a.ordered32::<O>(), b.ordered32::<O>(), c.ordered32::<O>(), d.ordered32::<O>()]
}

/// Everything that is in one of them.
#[inline(always)]
pub(super) fn or_four<V: Lanes32>(units: [V; 4]) -> V {
    units[0].or(units[1]).or(units[2].or(units[3]))
}

/// Converts single vectors from unit `at` on; says how many units there are in front of the first that can't be.
#[inline(always)]
fn bytes<V: Lanes32, A: Order, const ABOVE: u32>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let (above, zero) = (splat::<V, A>(token, ABOVE), V::splat(token, 0));
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / 4);
        let units = V::load(token, text, 4 * start);
        units.ordered32::<A>().store_quarter(dst, start);
        let other = units.and(above);
        if other.any() {
            let fits = other.equal32(zero).bits8();
            return start + fits.trailing_ones() as usize / 4;
        }
        at = start + V::LANES / 4;
    }
    at
}

/// Converts `src`, in byte order `A`, into UTF-32 in byte order `B`; says how many bytes.
#[inline(always)]
pub(crate) fn to_utf32<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let text = whole_units(&src[..src.len().min(dst.len())]);
    let dst = &mut dst[..text.len()];
    if text.len() < V::LANES {
        // A short output: this is not the way that short texts take.
        return scalar::transcode::<A::Utf32, B::Utf32>(text, dst).read;
    }
    match blocks::<V, A, B>(token, text, dst) {
        Ok(at) => units::<V, A, B>(token, text, dst, at),
        Err(at) => error::<A>(text, at),
    }
}

/// [`to_utf32`] for 16 to 64 bytes.
#[inline(always)]
pub(crate) fn to_utf32_short<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize
where
    V::Half: Lanes32,
{
    let text = whole_units(&src[..src.len().min(dst.len())]);
    let dst = &mut dst[..text.len()];
    if text.len() < 16 {
        // A short output: this is not the way that short texts take.
        return scalar::transcode::<A::Utf32, B::Utf32>(text, dst).read;
    }
    if text.len() < V::LANES {
        return two_units::<V::Half, A, B>(V::half(token), text, dst);
    }
    if text.len() <= 2 * V::LANES {
        return two_units::<V, A, B>(token, text, dst);
    }
    units::<V, A, B>(token, text, dst, 0)
}

/// [`to_utf32`] of one vector or two, by two that overlap.
#[inline(always)]
fn two_units<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Checker::<V>::new(token);
    let last = text.len() - V::LANES;
    let (a, b) = (V::load(token, text, 0), V::load(token, text, last));
    in_order::<V, A, B>(a).store_bytes(dst, 0);
    in_order::<V, A, B>(b).store_bytes(dst, last);
    let numbers = checker.number(a.ordered32::<A>()).max32(checker.number(b.ordered32::<A>()));
    if checker.is_wrong(numbers) { error::<A>(text, 0) } else { text.len() }
}

/// [`to_utf32`] of whole blocks; says how many bytes. `Err` if there is something wrong in the next one.
#[inline(always)]
fn blocks<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<usize, usize> {
    let checker = Checker::<V>::new(token);
    let block = 4 * V::LANES;
    let mut at = 0;
    while let (Some(from), Some(to)) = (text.get(at..at + block), dst.get_mut(at..at + block)) {
        let units = load_four::<V>(token, from);
        let mut k = 0;
        while k < 4 {
            in_order::<V, A, B>(units[k]).store_bytes(to, k * V::LANES);
            k += 1;
        }
        if checker.is_wrong_in_four(ordered_four::<V, A>(units)) {
            return Err(at);
        }
        at += block;
    }
    Ok(at)
}

/// [`to_utf32`] of single vectors from `at` on.
#[inline(always)]
fn units<V: Lanes32, A: Order, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let checker = Checker::<V>::new(token);
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        in_order::<V, A, B>(units).store_bytes(dst, start);
        if checker.is_wrong(checker.number(units.ordered32::<A>())) {
            return error::<A>(text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Units in the order of the output.
#[inline(always)]
fn in_order<V: Lanes32, A: Order, B: Order>(units: V) -> V {
    if A::BIG == B::BIG { units } else { units.ordered32::<Big>() }
}

/// Where the first unit stands that is no character, when nothing is wrong in front of `at`.
#[inline(never)]
fn error<A: Order>(text: &[u8], at: usize) -> usize {
    at + scalar::validate::<A::Utf32>(&text[at..])
        .map_or_else(|error| error.valid_up_to(), |()| text.len() - at)
}
