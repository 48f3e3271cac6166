//! Conversions of UTF-16 and UTF-32 to Latin-1 and ASCII: each unit becomes a byte.
//!
//! 1. The caller shortens the text so that the output fits.
//! 2. Convert a text of at most eight vectors as a first and a last part of the same length, which
//!    may overlap. Units are written before they are tested: the output after a unit that does not
//!    fit the encoding is scratch space.
//! 3. In longer texts, convert blocks of four vectors, two of which share a test while there are
//!    two. The last block ends with the text and may overlap the block before it.
//! 4. If a unit has a bit that the encoding lacks, convert single vectors up to this unit. A mask
//!    of the units that fit gives the end.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::generic::vectors;
use crate::tables::Order;

/// The units of a text.
pub(crate) trait WideUnits<V: Vector> {
    /// The size of a unit, in bytes.
    const BYTES: usize;

    /// Writes the low byte of each unit of one, two or four vectors to `out`, from byte `at` on.
    fn store<const N: usize>(units: [V; N], out: &mut [MaybeUninit<u8>], at: usize);

    /// Returns the number of units before the first unit that is not zero.
    fn count_zeros(token: V::Token, units: V) -> usize;
}

/// Units of UTF-16 in the byte order `O`.
pub(crate) struct Units16<O>(PhantomData<O>);

impl<V: Lanes16, O: Order> WideUnits<V> for Units16<O> {
    const BYTES: usize = 2;

    #[inline(always)]
    fn store<const N: usize>(units: [V; N], out: &mut [MaybeUninit<u8>], at: usize) {
        if N == 1 {
            return units[0].swap_bytes16_if_big::<O>().store_narrowed(out, at);
        }
        let mut k = 0;
        while k < N {
            let [first, second] = [units[k], units[k + 1]];
            let narrow =
                V::narrow(first.swap_bytes16_if_big::<O>(), second.swap_bytes16_if_big::<O>());
            narrow.store_bytes(out, at + k * V::LANES / 2);
            k += 2;
        }
    }

    #[inline(always)]
    fn count_zeros(token: V::Token, units: V) -> usize {
        let zero = V::splat(token, 0);
        V::bits16(units.equal16(zero), zero).trailing_ones() as usize
    }
}

/// Units of UTF-32LE.
pub(crate) struct Units32;

impl<V: Lanes32> WideUnits<V> for Units32 {
    const BYTES: usize = 4;

    #[inline(always)]
    fn store<const N: usize>(units: [V; N], out: &mut [MaybeUninit<u8>], at: usize) {
        if N == 4 {
            let four = [units[0], units[1], units[2], units[3]];
            return V::narrow_four_to_bytes(four).store_bytes(out, at);
        }
        let mut k = 0;
        while k < N {
            units[k].store_low_bytes(out, at + k * V::LANES / 4);
            k += 1;
        }
    }

    #[inline(always)]
    fn count_zeros(token: V::Token, units: V) -> usize {
        units.equal32(V::splat(token, 0)).bits8().trailing_ones() as usize / 4
    }
}

/// Converts whole units to bytes, up to the first unit that has one of the bits in `above`, the
/// bits that the encoding lacks. `text` has at least a vector. `dst` has one byte for each unit.
/// Returns the number of bytes written.
#[inline(always)]
pub(crate) fn narrow<V: Vector, U: WideUnits<V>>(
    token: V::Token,
    above: V,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let all_fit = if text.len() <= 2 * V::LANES {
        convert_ends::<V, U, 1>(token, above, text, dst)
    } else if text.len() <= 4 * V::LANES {
        convert_ends::<V, U, 2>(token, above, text, dst)
    } else if text.len() <= 8 * V::LANES {
        convert_ends::<V, U, 4>(token, above, text, dst)
    } else {
        return convert_blocks::<V, U>(token, above, text, dst);
    };
    if all_fit { dst.len() } else { convert_singles::<V, U>(token, above, text, dst, 0) }
}

/// Converts the first and the last `N` vectors of a text, which may overlap. Returns true if all
/// units fit the encoding.
#[inline(always)]
fn convert_ends<V: Vector, U: WideUnits<V>, const N: usize>(
    token: V::Token,
    above: V,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> bool {
    let mut ored = V::splat(token, 0);
    for at in [0, dst.len() - N * V::LANES / U::BYTES] {
        let units = vectors::load::<V, N>(token, text, U::BYTES * at);
        U::store(units, dst, at);
        ored = ored.or(vectors::or(units));
    }
    !ored.and(above).any()
}

/// Converts a text of more than eight vectors. Returns the number of units before the first unit
/// that does not fit the encoding.
#[inline(always)]
fn convert_blocks<V: Vector, U: WideUnits<V>>(
    token: V::Token,
    above: V,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let block_units = 4 * V::LANES / U::BYTES;
    let mut at = 0;
    // Two blocks share a test, which takes 30 % fewer instructions.
    let outputs = dst.chunks_exact_mut(2 * block_units);
    for (two, out) in text.chunks_exact(8 * V::LANES).zip(outputs) {
        let first = vectors::load::<V, 4>(token, two, 0);
        let second = vectors::load::<V, 4>(token, two, 4 * V::LANES);
        if vectors::or(first).or(vectors::or(second)).and(above).any() {
            break;
        }
        U::store(first, out, 0);
        U::store(second, out, block_units);
        at += 2 * block_units;
    }
    while at < dst.len() {
        let start = at.min(dst.len() - block_units);
        let units = vectors::load::<V, 4>(token, text, U::BYTES * start);
        if vectors::or(units).and(above).any() {
            return convert_singles::<V, U>(token, above, text, dst, at);
        }
        U::store(units, dst, start);
        at = start + block_units;
    }
    dst.len()
}

/// Converts single vectors from unit `at` on. The last vector ends with the text. Returns the
/// number of units before the first unit that does not fit the encoding.
#[inline(always)]
fn convert_singles<V: Vector, U: WideUnits<V>>(
    token: V::Token,
    above: V,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    while at < dst.len() {
        let start = at.min(dst.len() - V::LANES / U::BYTES);
        let units = V::load(token, text, U::BYTES * start);
        U::store([units], dst, start);
        let excess = units.and(above);
        if excess.any() {
            return start + U::count_zeros(token, excess);
        }
        at = start + V::LANES / U::BYTES;
    }
    at
}
