//! How lanes are left out without an instruction for it: by rows of a table, which name the bytes to keep of eight 16-bit
//! lanes, or of four 32-bit lanes, and are shuffled by. What stands behind them is overwritten by the next eight.

use core::mem::MaybeUninit;

use super::Vector;
use super::lanes16::Lanes16;
use super::lanes32::Lanes32;
use crate::tables::{Little, Order, Row, compress8, utf8_narrow, utf8_wide};

/// The bits of vector `k`. Half a word: what is done with them takes shorter instructions.
#[inline(always)]
fn part<V: Vector>(keep: u64, k: usize) -> u32 {
    const { assert!(V::LANES <= 32) };
    #[expect(clippy::cast_possible_truncation, reason = "a vector has at most 32 lanes")]
    let lanes = (keep >> (k * V::LANES)) as u32;
    lanes & (u32::MAX >> (32 - V::LANES))
}

/// Set bits of `lanes` below bit `bit`.
#[inline(always)]
fn before(lanes: u32, bit: usize) -> usize {
    (lanes & ((1 << bit) - 1)).count_ones() as usize
}

/// [`Vector::kept_before`], by half words.
#[inline(always)]
pub(super) fn kept_before(keep: u64, group: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a word")]
    let (low, high) = (keep as u32, (keep >> 32) as u32);
    match group {
        0..4 => before(low, 8 * group),
        4 => low.count_ones() as usize,
        _ => low.count_ones() as usize + before(high, 8 * group - 32),
    }
}

/// The eight bits of a group.
#[inline(always)]
fn of_group(lanes: u32, group: usize) -> usize {
    (lanes >> (8 * group) & 0xFF) as usize
}

/// [`Vector::store_kept`].
#[inline(always)]
pub(super) fn store_kept<V: Vector>(
    wide: V::Wide,
    keep: u64,
    k: usize,
    rows: &[Row; 256],
    room: &mut [MaybeUninit<u8>],
) {
    let lanes = part::<V>(keep, k);
    let mut group = 0;
    while group < V::LANES / 8 {
        let row = &rows[of_group(lanes, group)];
        let at = V::kept_before(keep, k * (V::LANES / 8) + group);
        V::store(V::compress(V::group(wide, group), row), room, at);
        group += 1;
    }
}

/// [`Vector::store_kept_widened`].
#[inline(always)]
pub(super) fn store_kept_widened<V: Vector>(
    wide: V::Wide,
    keep: u64,
    k: usize,
    room: &mut [MaybeUninit<u8>],
) {
    let rows = Little::compress16();
    let lanes = part::<V>(keep, k);
    let mut group = 0;
    while group < V::LANES / 8 {
        let row = &rows[of_group(lanes, group)];
        let at = V::kept_before(keep, k * (V::LANES / 8) + group);
        let units = V::compress(V::group(wide, group), row);
        V::store_units_widened::<Little>(units, room, at);
        group += 1;
    }
}

/// [`Vector::store_kept_joined`].
#[inline(always)]
pub(super) fn store_kept_joined<V: Vector>(
    wide: V::Wide,
    upper: V::Wide,
    keep: u64,
    k: usize,
    room: &mut [MaybeUninit<u8>],
) {
    let rows = Little::compress16();
    let lanes = part::<V>(keep, k);
    let mut group = 0;
    while group < V::LANES / 8 {
        let row = &rows[of_group(lanes, group)];
        let at = V::kept_before(keep, k * (V::LANES / 8) + group);
        let units = V::compress(V::group(wide, group), row);
        let uppers = V::compress(V::group(upper, group), row);
        V::store_joined::<Little>(units, uppers, room, at);
        group += 1;
    }
}

/// [`Vector::store_kept_bytes`].
#[inline(always)]
pub(super) fn store_kept_bytes<V: Vector>(
    bytes: V,
    keep: u64,
    k: usize,
    room: &mut [MaybeUninit<u8>],
) {
    let lanes = part::<V>(keep, k);
    let mut group = 0;
    while group < V::LANES / 8 {
        let row = &compress8(group % 2)[of_group(lanes, group)];
        let at = V::kept_before(keep, k * (V::LANES / 8) + group);
        bytes.store_compressed(group, row, room, at);
        group += 1;
    }
}

/// [`Lanes16::put_narrow`].
#[inline(always)]
pub(super) fn put_narrow<V: Lanes16>(
    bytes: [V; 2],
    twos: [V; 2],
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let bits = V::bits16(twos[0], twos[1]);
    let rows = utf8_narrow();
    let mut group = 0;
    let mut k = 0;
    while k < 2 {
        let mut i = 0;
        while i < V::LANES / 16 {
            let row = &rows[of_group(bits as u32, group)];
            let to = 8 * group + V::kept_before(bits, group);
            V::put(V::compress(bytes[k].eight(i), row), room, to);
            group += 1;
            i += 1;
        }
        k += 1;
    }
    V::LANES + V::kept(bits)
}

/// [`Lanes16::put_wide`], of what the set has put together in 32-bit lanes.
#[inline(always)]
pub(super) fn put_wide<V: Lanes16>(
    wide: V::Wide,
    more: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let rows = utf8_wide();
    let mut group = 0;
    while group < V::LANES / 8 {
        let row = &rows[of_group(more as u32, group)];
        let to = 4 * group + V::kept_before(more, group);
        V::put(V::compress(V::group(wide, group), row), room, to);
        group += 1;
    }
    V::LANES / 2 + V::kept(more)
}

/// [`Lanes32::put_fours`].
#[inline(always)]
pub(super) fn put_fours<V: Lanes32>(
    bytes: V,
    more: u64,
    fours: u64,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let rows = utf8_wide();
    let mut to = 0;
    let mut group = 0;
    while group < V::LANES / 16 {
        let row = &rows[of_group(more as u32, group)];
        V::put(V::compress(bytes.eight(group), row), room, to);
        let (more, fours) = (more >> (8 * group) & 0xFF, fours >> (8 * group) & 0xFF);
        to += 4 + more.count_ones() as usize + 2 * fours.count_ones() as usize;
        group += 1;
    }
    to
}

/// [`Lanes32::put_halves`].
#[inline(always)]
pub(super) fn put_halves<V: Lanes32>(
    units: V,
    keep: u64,
    rows: &[Row; 256],
    room: &mut [MaybeUninit<u8>],
) -> usize {
    let mut to = 0;
    let mut group = 0;
    while group < V::LANES / 16 {
        let keep = keep >> (8 * group) & 0xFF;
        V::put(V::compress(units.eight(group), &rows[keep as usize]), room, to);
        to += 2 * keep.count_ones() as usize;
        group += 1;
    }
    to
}

/// [`Lanes32::store_joined_kept`].
#[inline(always)]
pub(super) fn store_joined_kept<V: Lanes32>(
    low: V,
    upper: V,
    keep: u32,
    room: &mut [MaybeUninit<u8>],
) {
    let rows = Little::compress16();
    let mut group = 0;
    while group < V::LANES / 16 {
        let row = &rows[of_group(keep, group)];
        let (low, upper) =
            (V::compress(low.eight(group), row), V::compress(upper.eight(group), row));
        V::store_joined::<Little>(low, upper, room, V::kept_before(u64::from(keep), group));
        group += 1;
    }
}
