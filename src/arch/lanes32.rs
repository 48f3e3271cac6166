//! More operations: a vector seen as a quarter as many 32-bit lanes, for text in UTF-32.
//!
//! A mask of such lanes is a vector: 0xFFFF_FFFF or 0 in each lane.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::left_pack::of_group;
use crate::tables::{Little, Order, ShuffleRow, utf8_wide};

/// A vector of 32-bit lanes, counted in the order of memory, as bytes are.
pub(crate) trait Lanes32: Lanes16 {
    /// Returns a vector of which every lane is `unit`.
    fn splat32(token: Self::Token, unit: u32) -> Self;

    /// Reverses the four bytes of every lane if `O` is big-endian.
    fn ordered32<O: Order>(self) -> Self;

    /// Loads `bytes[at..at + LANES]` as code units in byte order `O`. Panics if that is out of
    /// bounds.
    #[inline(always)]
    fn load32<O: Order>(token: Self::Token, bytes: &[u8], at: usize) -> Self {
        Self::load(token, bytes, at).ordered32::<O>()
    }

    /// Lane `i` becomes `self[i] + other[i]`, modulo 2^32.
    fn add32(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`.
    fn max32(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`. `BY` is 1 to 31, here and below.
    fn shl32<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`.
    fn shr32<const BY: i32>(self) -> Self;

    /// Returns the mask of the lanes that are the same in both.
    fn equal32(self, other: Self) -> Self;

    /// Returns the highest bits of the lanes: lane `i` gives bit `i`.
    #[cfg(feature = "columns")]
    fn bits32(self) -> u32;

    /// Returns the mask of the lanes that are greater than the same lanes of `other`, as signed
    /// numbers.
    fn above32(self, other: Self) -> Self;

    /// Returns lanes whose lower 16 bits are from `low` and whose upper 16 bits are from `high`.
    fn halves(low: Self, high: Self) -> Self;

    /// Returns the lanes of `first` and then of `second` as 16-bit lanes; all are below 0x10000.
    fn narrow32(first: Self, second: Self) -> Self;

    /// Returns the lanes of both, all below 2^31, as 16-bit lanes in any order. Greater lanes
    /// become 0x7FFF.
    fn narrow_saturating(first: Self, second: Self) -> Self;

    /// Returns the upper halves of the lanes of both, as 16-bit lanes in any order.
    fn uppers(first: Self, second: Self) -> Self;

    /// Returns the lanes of four vectors as bytes; all are below 0x100.
    fn narrow_four(lanes: [Self; 4]) -> Self;

    /// Writes the lanes, all below 0x100, as bytes to `dst` from byte `at` on.
    fn store_quarter(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes one to four bytes of each lane to the front of `dst`, the highest first, by its
    /// two bits in `more`: 00 is byte 0, 01 bytes 1 and 0, 11 bytes 2, 1 and 0, and 10 all
    /// four. If all four are written, the first of its two bits in `four_byte` is set. Returns
    /// the number of bytes. The last [`STORE_BYTES`](Lanes16::STORE_BYTES) bytes of the vector are
    /// written as if all were kept.
    #[inline(always)]
    fn write_four_byte(self, more: u64, four_byte: u64, dst: &mut [MaybeUninit<u8>]) -> usize {
        let rows = utf8_wide();
        let mut to = 0;
        let mut group = 0;
        while group < Self::LANES / 16 {
            let row = &rows[of_group(more as u32, group)];
            Self::write_vector(Self::compress(self.eight(group), row), dst, to);
            let (more, four_byte) = (more >> (8 * group) & 0xFF, four_byte >> (8 * group) & 0xFF);
            to += 4 + more.count_ones() as usize + 2 * four_byte.count_ones() as usize;
            group += 1;
        }
        to
    }

    /// Writes the 16-bit lanes that `keep` names, in the byte order of `rows`, to the front of
    /// `dst`, and returns the number of bytes. The last [`STORE_BYTES`](Lanes16::STORE_BYTES)
    /// bytes of the vector are written as if all were kept. `keep` has no bits beyond the lanes.
    #[inline(always)]
    fn write_halves(
        self,
        keep: u64,
        rows: &[ShuffleRow; 256],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut to = 0;
        let mut group = 0;
        while group < Self::LANES / 16 {
            let keep = keep >> (8 * group) & 0xFF;
            Self::write_vector(Self::compress(self.eight(group), &rows[keep as usize]), dst, to);
            to += 2 * keep.count_ones() as usize;
            group += 1;
        }
        to
    }

    /// Writes the 32-bit units that `keep` names to the front of `dst`, low byte first. `low` has
    /// the lower halves of the units in 16-bit lanes, and `upper` the upper halves. As much of
    /// `dst` may be overwritten as all units would need. `keep` has no bits beyond the lanes.
    #[inline(always)]
    fn store_joined_kept(low: Self, upper: Self, keep: u32, dst: &mut [MaybeUninit<u8>]) {
        let rows = Little::compress16();
        let mut group = 0;
        while group < Self::LANES / 16 {
            let row = &rows[of_group(keep, group)];
            let (low, upper) =
                (Self::compress(low.eight(group), row), Self::compress(upper.eight(group), row));
            Self::store_joined::<Little>(
                low,
                upper,
                dst,
                Self::kept_before(u64::from(keep), group),
            );
            group += 1;
        }
    }

    /// Returns the order for [`shuffled`](Self::shuffled) that puts 16-bit lanes into a byte order:
    /// high byte first if `big`.
    fn order16(token: Self::Token, big: bool) -> Self;

    /// In each 16 bytes, byte `i` becomes byte `order[i]` of the same 16. Every entry is below
    /// 0x10.
    fn shuffled(self, order: Self) -> Self;

    /// Writes the lanes, all below 0x10000, as 16-bit units to `dst` from byte `at` on. `order` is
    /// from [`order16`](Self::order16).
    fn store_half(self, order: Self, dst: &mut [MaybeUninit<u8>], at: usize);
}
