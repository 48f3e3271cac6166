//! Operations on a vector as 32-bit lanes, for text in UTF-32.
//!
//! A mask of 32-bit lanes is a vector: 0xFFFF_FFFF or 0 in each lane.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::left_pack::of_group;
use crate::tables::{Little, Order, ShuffleRow, utf8_wide};

/// A vector of 32-bit lanes, which are counted in the order of memory, as bytes are.
pub(crate) trait Lanes32: Lanes16 {
    /// Returns a vector whose lanes are all `unit`.
    fn splat32(token: Self::Token, unit: u32) -> Self;

    /// Reverses the four bytes of every lane if `O` is big-endian.
    fn swap_bytes32_if_big<O: Order>(self) -> Self;

    /// Loads `bytes[at..at + LANES]` as code units in byte order `O`. Panics if this range is out
    /// of bounds.
    #[inline(always)]
    fn load32<O: Order>(token: Self::Token, bytes: &[u8], at: usize) -> Self {
        Self::load(token, bytes, at).swap_bytes32_if_big::<O>()
    }

    /// Lane `i` becomes `self[i] + other[i]`, modulo 2^32.
    fn add32(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`, as unsigned numbers.
    fn max_u32(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`. `BY` is 1 to 31.
    fn shl32<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`. `BY` is 1 to 31.
    fn shr32<const BY: i32>(self) -> Self;

    /// Returns the mask of the lanes in which `self` equals `other`.
    fn equal32(self, other: Self) -> Self;

    /// Returns the highest bits of the lanes: the highest bit of lane `i` is bit `i`.
    #[cfg(feature = "columns")]
    fn bits32(self) -> u32;

    /// Returns the mask of the lanes in which `self` is greater than `other`, as signed numbers.
    fn greater_i32(self, other: Self) -> Self;

    /// Returns lanes whose low 16 bits are from `low` and whose high 16 bits are from `high`.
    fn join_halves16(low: Self, high: Self) -> Self;

    /// Returns the lanes of `first`, then the lanes of `second`, as 16-bit lanes. All lanes must be
    /// below 0x10000.
    fn narrow_to_u16(first: Self, second: Self) -> Self;

    /// Returns the lanes of both vectors as 16-bit lanes, in any order. All lanes must be below
    /// 2^31. A lane above 0x7FFF becomes 0x7FFF.
    fn narrow32_signed_unordered(first: Self, second: Self) -> Self;

    /// Returns the high 16 bits of the lanes of both vectors as 16-bit lanes, in any order.
    fn high_halves16(first: Self, second: Self) -> Self;

    /// Returns the lanes of four vectors as bytes, in order. All lanes must be below 0x100.
    fn narrow_four_to_bytes(lanes: [Self; 4]) -> Self;

    /// Writes the lanes, all below 0x100, as bytes to `dst` from byte `at` on.
    fn store_low_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes one to four bytes of each lane to the front of `dst`, the highest first, and returns
    /// the number of bytes. `length_bits` has two bits for each lane: 0b00 for one byte, 0b01 for
    /// two, 0b11 for three, and 0b10 for four bytes. `four_byte_characters` also has two bits for
    /// each lane: the lower one is set if the lane has four bytes, and the upper one is 0. The last
    /// store writes [`STORE_BYTES`](Lanes16::STORE_BYTES) bytes, four for each of its lanes,
    /// although fewer are kept.
    #[inline(always)]
    fn write_up_to_four_bytes(
        self,
        length_bits: u64,
        four_byte_characters: u64,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let rows = utf8_wide();
        let mut offset = 0;
        let mut group = 0;
        while group < Self::LANES / 16 {
            let row = &rows[of_group(length_bits as u32, group)];
            Self::write_vector(Self::compress(self.eight_lanes(group), row), dst, offset);
            let (length_bits, four_byte_characters) =
                (length_bits >> (8 * group) & 0xFF, four_byte_characters >> (8 * group) & 0xFF);
            offset += 4
                + length_bits.count_ones() as usize
                + 2 * four_byte_characters.count_ones() as usize;
            group += 1;
        }
        offset
    }

    /// Writes the 16-bit lanes that `keep` selects, in the byte order of `rows`, to the front of
    /// `dst`, and returns the number of bytes. The last store writes
    /// [`STORE_BYTES`](Lanes16::STORE_BYTES) bytes, although fewer are kept. `keep` has a bit for
    /// each lane, and no other bits.
    #[inline(always)]
    fn write_halves16(
        self,
        keep: u64,
        rows: &[ShuffleRow; 256],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut offset = 0;
        let mut group = 0;
        while group < Self::LANES / 16 {
            let keep = keep >> (8 * group) & 0xFF;
            Self::write_vector(
                Self::compress(self.eight_lanes(group), &rows[keep as usize]),
                dst,
                offset,
            );
            offset += 2 * keep.count_ones() as usize;
            group += 1;
        }
        offset
    }

    /// Writes the 32-bit units that `keep` selects to the front of `dst`, low byte first. `low` has
    /// the low 16 bits of the units in 16-bit lanes, and `high` has their high 16 bits. May
    /// overwrite the first `2 * LANES` bytes of `dst`. `keep` has a bit for each unit, and no other
    /// bits.
    #[inline(always)]
    fn store_joined_kept(low: Self, high: Self, keep: u32, dst: &mut [MaybeUninit<u8>]) {
        let rows = Little::compress16();
        let mut group = 0;
        while group < Self::LANES / 16 {
            let row = &rows[of_group(keep, group)];
            let (low, high) = (
                Self::compress(low.eight_lanes(group), row),
                Self::compress(high.eight_lanes(group), row),
            );
            Self::store_joined::<Little>(low, high, dst, Self::kept_before(u64::from(keep), group));
            group += 1;
        }
    }

    /// Returns the pattern for [`shuffled`](Self::shuffled) that puts 16-bit lanes into a byte
    /// order: high byte first if `big_endian`, else low byte first.
    fn byte_order_pattern16(token: Self::Token, big_endian: bool) -> Self;

    /// In each 128-bit part, byte `i` becomes byte `pattern[i]` of the same part. Every entry of
    /// `pattern` is below 0x10.
    fn shuffled(self, pattern: Self) -> Self;

    /// Writes the lanes, all below 0x10000, as 16-bit units to `dst` from byte `at` on.
    /// `pattern` is from [`byte_order_pattern16`](Self::byte_order_pattern16).
    fn store_low_halves16(self, pattern: Self, dst: &mut [MaybeUninit<u8>], at: usize);
}
