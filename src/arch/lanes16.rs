//! Operations on a vector as 16-bit lanes, for text in UTF-16.
//!
//! A mask of 16-bit lanes is a vector: 0xFFFF or 0 in each lane.

use core::mem::MaybeUninit;

use crate::arch::left_pack::of_group;
use crate::arch::vector::Vector;
use crate::tables::{Lanes, Order, utf8_narrow, utf8_wide};

/// A vector of 16-bit lanes, which are counted in the order of memory, as bytes are.
pub(crate) trait Lanes16: Vector {
    /// Returns a vector whose lanes are all `unit`.
    fn splat16(token: Self::Token, unit: u16) -> Self;

    /// Swaps the two bytes of every lane if `O` is big-endian.
    fn swap_bytes16_if_big<O: Order>(self) -> Self;

    /// Lane `i` becomes `self[i] + other[i]`, modulo 65,536.
    fn add16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 65,536. To count the lanes of a mask, subtract
    /// it: 0xFFFF is -1.
    fn sub16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`. `BY` is 1 to 15.
    fn shl16<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`. `BY` is 1 to 15.
    fn shr16<const BY: i32>(self) -> Self;

    /// Returns the mask of the lanes in which `self` equals `other`.
    fn equal16(self, other: Self) -> Self;

    /// Returns the mask of the lanes in which `self` is greater than `other`, as signed numbers.
    fn above16_signed(self, other: Self) -> Self;

    /// Lane `i` becomes the smaller of `self[i]` and `other[i]`, as signed numbers.
    fn min16_signed(self, other: Self) -> Self;

    /// Returns true if any lane of `self` is less than the same lane of `other`, as signed numbers.
    #[inline(always)]
    fn any_below16_signed(self, other: Self) -> bool {
        other.above16_signed(self).any()
    }

    /// Marks the lanes whose bits in `mask` equal `value`. All bits of `value` are in `mask`. The
    /// form of the marks depends on the instruction set: only
    /// [`either_marked16`](Self::either_marked16) and [`any_marked16`](Self::any_marked16) read
    /// them.
    #[inline(always)]
    fn marked16(self, mask: Self, value: Self) -> Self {
        self.and(mask).equal16(value)
    }

    /// Marks the lanes that are [marked](Self::marked16) in either vector.
    #[inline(always)]
    fn either_marked16(self, other: Self) -> Self {
        self.or(other)
    }

    /// Returns true if any lane is [marked](Self::marked16).
    #[inline(always)]
    fn any_marked16(self) -> bool {
        self.any()
    }

    /// Returns true if any lane has none of the bits of `mask`.
    #[inline(always)]
    fn any_without16(self, mask: Self) -> bool {
        self.and(mask).equal16(mask.xor(mask)).any()
    }

    /// Byte `i` becomes `yes[i]` if `self[i]` is 0xFF, and `no[i]` if it is 0.
    fn select(self, yes: Self, no: Self) -> Self;

    /// In each 128-bit part, byte `i` becomes byte `row[i]` of the same part, or 0 if `row[i]` is
    /// 0x80 or above. No entry of `row` is in 0x10..=0x7F.
    fn picked(self, row: Self) -> Self;

    /// Returns a row for [`packed8`](Self::packed8), which picks all upper or all lower bytes of
    /// 16-bit lanes. `row` is `upper` or `lower` of a [`UnitOrder`](crate::tables::UnitOrder).
    #[inline(always)]
    fn row8(token: Self::Token, row: &'static Lanes) -> Self {
        Self::load(token, row, 0)
    }

    /// Returns the bytes that `row` picks from `first`, then the bytes that it picks from `second`.
    /// `row` is from [`row8`](Self::row8).
    fn packed8(first: Self, second: Self, row: Self) -> Self;

    /// Returns the lanes of `first`, then the lanes of `second`, as bytes. All lanes must be below
    /// 0x100.
    fn narrow(first: Self, second: Self) -> Self;

    /// Writes each lane as a byte to `dst`, from byte `at` on. A lane of 0x100 or above becomes an
    /// unspecified byte.
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes each lane as a 32-bit unit, low byte first, to `dst` from 32-bit unit `unit_at` on.
    /// `rows` are the shuffle rows `wider` of the lanes' [`UnitOrder`](crate::tables::UnitOrder).
    fn store_widened16_to_32_bits(
        self,
        rows: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    );

    /// Converts two masks to bits: lane `i` of `first` is bit `i`, and the lanes of `second`
    /// follow.
    fn bits16(first: Self, second: Self) -> u64;

    /// Returns the high bits of all bytes: the high bit of byte `i` is bit `i`. Every byte must be
    /// 0 or 0xFF.
    fn bits8(self) -> u64;

    /// Returns 16-bit lanes whose lower bytes are `self` and whose upper bytes are `high`. A
    /// [group](Vector::group) has eight of them.
    fn paired(self, high: Self) -> Self::Wide;

    /// Returns 16-bit lanes whose lower bytes are `self` and whose upper bytes are `high`, in the
    /// order of memory: the first half of the lanes, and the second half.
    #[cfg(feature = "code-pages")]
    fn interleaved(self, high: Self) -> [Self; 2];

    /// Returns lanes `8 * group..8 * group + 8`.
    fn eight_lanes(self, group: usize) -> Self::Units;

    /// Writes the 16 bytes of `units` to `dst` from byte `at` on.
    fn write_vector(units: Self::Units, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes three bytes for each lane to `dst` from byte `at` on: the lower byte of `lead`, then
    /// the upper and the lower byte of `bytes`. Overwrites four more bytes after these.
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// The number of bytes that one store of
    /// [`write_up_to_three_bytes`](Self::write_up_to_three_bytes) and of similar operations writes.
    const STORE_BYTES: usize = 16;

    /// The capacity in bytes for [`write_up_to_three_bytes`](Self::write_up_to_three_bytes): three
    /// for each lane, four more that the last store may overwrite, and eight that let the compiler
    /// prove all stores in bounds.
    const WIDE_STORE_CAPACITY: usize = 3 * Self::LANES / 2 + 12;

    /// Writes the bytes of each lane of two vectors to the front of `dst`: the upper byte if the
    /// lane of the mask `two_byte` is set, then the lower byte. Returns the number of bytes. May
    /// overwrite the first `2 * LANES` bytes of `dst`. Instruction sets with masked stores have
    /// [`MaskedOps::write_below_0x800`](crate::arch::optional::MaskedOps::write_below_0x800)
    /// instead.
    #[inline(always)]
    fn write_up_to_two_bytes(
        bytes: [Self; 2],
        two_byte: [Self; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let bits = Self::bits16(two_byte[0], two_byte[1]);
        let rows = utf8_narrow();
        let mut group = 0;
        let mut k = 0;
        while k < 2 {
            let mut i = 0;
            while i < Self::LANES / 16 {
                let row = &rows[of_group(bits as u32, group)];
                let offset = 8 * group + Self::kept_before(bits, group);
                Self::write_vector(Self::compress(bytes[k].eight_lanes(i), row), dst, offset);
                group += 1;
                i += 1;
            }
            k += 1;
        }
        Self::LANES + Self::kept(bits)
    }

    /// Writes one to three bytes for each lane to the front of `dst`, and returns the number of
    /// bytes. `length_bits` has two bits for each lane. With 0b00, the lower byte of `bytes` is
    /// written; with 0b01, the upper and the lower byte of `bytes`; with 0b11, the lower byte of
    /// `lead` and then these two. The last store writes [`STORE_BYTES`](Self::STORE_BYTES) bytes,
    /// four for each of its lanes, although fewer are kept.
    #[inline(always)]
    fn write_up_to_three_bytes(
        bytes: Self,
        lead: Self,
        length_bits: u64,
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let groups = WideGroups::<Self>::new(bytes, lead, length_bits);
        let mut group = 0;
        while group < Self::LANES / 8 {
            Self::write_vector(groups.compress_group(group), dst, groups.offset(group));
            group += 1;
        }
        groups.offset(Self::LANES / 8)
    }

    /// Returns 32-bit lanes whose lower halves are `bytes` and whose upper halves are `lead`, in
    /// [groups](Vector::group) of four.
    fn joined16(bytes: Self, lead: Self) -> Self::Wide;
}

/// The output of [`Lanes16::write_up_to_three_bytes`], in groups of four lanes.
struct WideGroups<V: Vector> {
    /// Four bytes for each lane, of which one to three are kept.
    wide: V::Wide,
    /// Two bits for each lane, which select the bytes to keep.
    length_bits: u64,
}

impl<V: Lanes16> WideGroups<V> {
    #[inline(always)]
    fn new(bytes: V, lead: V, length_bits: u64) -> Self {
        Self { wide: V::joined16(bytes, lead), length_bits }
    }

    /// Returns the kept bytes of lanes `4 * group..4 * group + 4`.
    #[inline(always)]
    fn compress_group(&self, group: usize) -> V::Units {
        V::compress(
            V::group(self.wide, group),
            &utf8_wide()[of_group(self.length_bits as u32, group)],
        )
    }

    /// Returns the byte offset of a group in the output.
    #[inline(always)]
    fn offset(&self, group: usize) -> usize {
        if group == V::LANES / 8 {
            return V::LANES / 2 + V::kept(self.length_bits);
        }
        4 * group + V::kept_before(self.length_bits, group)
    }
}
