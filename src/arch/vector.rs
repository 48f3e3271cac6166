//! A vector of bytes: the operations that every instruction set has.

use core::mem::MaybeUninit;

use crate::arch::left_pack::{self, of_group, part};
#[cfg(feature = "columns")]
use crate::arch::optional::OffsetOps;
use crate::arch::optional::{DeinterleavedOps, FourByteOps, LookUpOps, MaskedOps};
use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, Little, Order, ShuffleRow, compress8};

/// A vector of bytes. Lanes are counted in the order of memory.
pub(crate) trait Vector: VectorTypes {
    /// As many 16-bit lanes as the vector has bytes, in an order that depends on the instruction
    /// set.
    type Wide: Copy;
    /// Eight 16-bit lanes.
    type Units: Copy;

    /// The vector of 16 lanes, for shorter texts.
    type Half: Vector<Units = Self::Units>;

    /// Four-byte characters: [`Present`](crate::arch::optional::Present) or
    /// [`Absent`](crate::arch::optional::Absent), as for the other groups of optional operations.
    type FourByte: FourByteOps<Self>;
    /// Units with their lower and their upper bytes in two vectors.
    type Deinterleaved: DeinterleavedOps<Self>;
    /// Loads and stores by masks.
    type Masked: MaskedOps<Self>;
    /// Lookups in tables of 64 bytes.
    type LookUp: LookUpOps<Self>;
    /// Bits looked up by offsets.
    #[cfg(feature = "columns")]
    type Offsets: OffsetOps<Self>;

    /// Bytes in a vector; divides 64.
    const LANES: usize;

    /// True if decoding takes steps of 64 bytes. Steps of 32 bytes are half the code; instruction
    /// sets use them if a test of each step costs little.
    const LONG_STEPS: bool;

    /// True if functions with this vector take short texts too. If false, the code for them is not
    /// compiled.
    const SHORT_PATHS: bool = true;

    /// Returns true if a text of `len` bytes has at most `most`, and this vector has code for short
    /// texts.
    #[inline(always)]
    fn is_within(len: usize, most: usize) -> bool {
        Self::SHORT_PATHS && len <= most
    }

    /// Returns the lowest `n` bits. `n` is at most `LANES`.
    #[inline(always)]
    fn first_bits(n: usize) -> u64 {
        if Self::LANES == 64 && n == 64 { u64::MAX } else { (1 << n) - 1 }
    }

    /// Runs `f` with the token's features in a separate function, for a part of an operation that
    /// needs more registers than the parts before it.
    fn run_outlined<A, B, R>(
        token: Self::Token,
        a: A,
        b: B,
        f: impl FnOnce(Self::Token, A, B) -> R,
    ) -> R;

    /// Returns the proof for the vector of 16 lanes.
    fn half(token: Self::Token) -> <Self::Half as VectorTypes>::Token;

    /// Returns a vector of which every lane is `byte`.
    fn splat(token: Self::Token, byte: u8) -> Self;

    /// Loads `bytes[at..at + LANES]`, at any alignment. Panics if that is out of bounds; with
    /// constants the test vanishes.
    fn load(token: Self::Token, bytes: &[u8], at: usize) -> Self;

    /// Returns `bytes[from..]`, for loads of whole vectors at several offsets that differ by a few
    /// bytes. Instruction sets that can load two vectors at once do so. Panics if `from` is out of
    /// bounds.
    #[inline(always)]
    fn suffix(bytes: &[u8], from: usize) -> &[u8] {
        &bytes[from..]
    }

    /// Returns `bytes`, and keeps LLVM from loading them before this vector is computed, which
    /// would need more registers than there are.
    #[inline(always)]
    fn once_known(self, bytes: &[u8]) -> &[u8] {
        bytes
    }

    /// Returns a table for [`lookup16`](Self::lookup16).
    fn table(token: Self::Token, table: &[u8; 16]) -> Self;

    /// Lane `i` becomes `table[self[i]]`. Every lane must be below 16: for other lanes, instruction
    /// sets disagree.
    fn lookup16(self, table: Self) -> Self;

    /// Lane `i` becomes `table[self[i] & 0x7F]`.
    #[cfg(feature = "code-pages")]
    fn lookup128(self, token: Self::Token, table: &[u8; 128]) -> Self;

    /// Returns the bitwise and.
    fn and(self, other: Self) -> Self;

    /// Returns the bitwise or.
    fn or(self, other: Self) -> Self;

    /// Returns the bitwise exclusive or.
    fn xor(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] - other[i]`, or 0 if that is negative.
    fn saturating_sub(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] >> 4`.
    fn high_nibble(self) -> Self;

    /// Returns true if any bit of any lane is set.
    fn any(self) -> bool;

    /// Returns true if any lane is at least 0x80.
    fn any_high(self) -> bool;

    /// Takes the larger of bytes `i` and `i + 8` of each 128-bit part. Returns `N` of these from
    /// `self` and `N` from `other`, alternating.
    fn largest_in_turn<const N: usize>(self, other: Self) -> Self;

    /// Returns true if any lane is at least `least`, which is 0x80 or above.
    #[inline(always)]
    fn any_from(self, token: Self::Token, least: u8) -> bool {
        self.saturating_sub(Self::splat(token, least - 0x80)).any_high()
    }

    /// Returns the mask of the lanes that are at least `least`, which is 0x80 or above.
    #[inline(always)]
    fn at_least(self, token: Self::Token, least: u8) -> Self::Mask {
        self.saturating_sub(Self::splat(token, least - 0x80)).high()
    }

    /// Marks the lanes that are at least `least`, which is 0x80 or above, for
    /// [`without_asked`](Self::without_asked). The form of the marks depends on the instruction
    /// set.
    #[inline(always)]
    fn asking_from(self, token: Self::Token, least: u8) -> Self {
        self.saturating_sub(Self::splat(token, least - 1))
    }

    /// Lane `i` becomes `self[i] - 1` if it is odd and [marked](Self::asking_from), any value
    /// except 0 if it is even and marked, and stays unchanged if it is not marked.
    #[inline(always)]
    fn without_asked(self, token: Self::Token, asking: Self) -> Self {
        self.wrapping_sub(asking.min(Self::splat(token, 1)))
    }

    /// Returns the mask of the lanes that are at least 0x80.
    fn high(self) -> Self::Mask;

    /// Returns the mask of the lanes that are `10xxxxxx`.
    fn continuation(self) -> Self::Mask;

    /// Bit 7 of lane `i` is set if `self[i]` is `10xxxxxx`. The other bits are unspecified.
    #[inline(always)]
    fn continuation_marks(self, token: Self::Token) -> Self {
        self.and(self.add(self).xor(Self::splat(token, 0xFF)))
    }

    /// Returns 0xFF in the lanes of `mask`, 0 in the others.
    fn from_mask(mask: Self::Mask) -> Self;

    /// Returns the lanes of `mask`, and 0 in the others.
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        self.and(Self::from_mask(mask))
    }

    /// Converts masks to bits: lane `i` of `masks[k]` is bit `k * LANES + i`. `masks` has one mask,
    /// or the masks of 32 or of 64 lanes.
    fn bits(masks: &[Self::Mask]) -> u64;

    /// 16-bit lane `i` becomes the low 16 bits of `low[i] | (middle[i] & 3F) << 6 | high[i] << 12`.
    /// `low` is below 0x80, and below 0x40 if `middle` is not zero; `high` is below 0x20.
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide;

    /// [`code_units`](Self::code_units) with surrogates. `third` is 0xFF if `high` is at least
    /// 0x10, else 0: these lanes become `(lane >> 4) + 0xD7C0`, if `high` is below 0x18. `last` is
    /// 0xFF or 0: if it is 0xFF, 0xDC00 is or-ed to the lane, whose `high` must be zero.
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        third: Self,
        last: Self,
    ) -> Self::Wide;

    /// Returns eight bytes, the lowest first, as 16-bit lanes.
    fn units_of_bytes(token: Self::Token, bytes: u64) -> Self::Units;

    /// Returns the 16-bit lanes `8 * group..8 * group + 8`.
    fn group(wide: Self::Wide, group: usize) -> Self::Units;

    /// Byte `i` becomes byte `row[i]` of `units`, or 0 if `row[i]` is 0x80 or above. No entry is
    /// 0x10..=0x7F.
    fn compress(units: Self::Units, row: &ShuffleRow) -> Self::Units;

    /// Writes `units` to `dst` from 16-bit unit `at` on. This and the other stores panic if that is
    /// out of bounds; with constants the test vanishes. If the instruction set stores by masks,
    /// some stores leave out the lanes after the end of `dst` instead: see [`MaskedOps`].
    fn store(units: Self::Units, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Returns the number of set bits of `keep`.
    #[inline(always)]
    fn kept(keep: u64) -> usize {
        keep.count_ones() as usize
    }

    /// Returns [`kept`](Self::kept) after units of `size` bytes have been written. The result is in
    /// units.
    #[inline(always)]
    fn kept_units(keep: u64, _size: usize) -> usize {
        Self::kept(keep)
    }

    /// Returns the number of set bits of `keep` before group `group` of eight, 0 to 7: the index
    /// in the output of the first lane that the group keeps.
    #[inline(always)]
    fn kept_before(keep: u64, group: usize) -> usize {
        left_pack::kept_before(keep, group)
    }

    /// Writes the kept 16-bit lanes of vector `k` of a step, after the kept lanes of the vectors
    /// before it. `keep` has a bit for each lane of all vectors of the step. `order` is the byte
    /// order to write.
    ///
    /// The bytes after the kept lanes may be overwritten, up to the end that the output would have
    /// if this vector and the vectors before it kept all lanes.
    #[inline(always)]
    fn store_kept(
        wide: Self::Wide,
        keep: u64,
        k: usize,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
    ) {
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &order.compress16[of_group(lanes, group)];
            let at = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            Self::store(Self::compress(Self::group(wide, group), row), dst, at);
            group += 1;
        }
    }

    /// [`store_kept`](Self::store_kept) with each lane widened to a 32-bit unit, low byte first.
    #[inline(always)]
    fn store_kept_widened(wide: Self::Wide, keep: u64, k: usize, dst: &mut [MaybeUninit<u8>]) {
        let rows = Little::compress16();
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &rows[of_group(lanes, group)];
            let at = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            let units = Self::compress(Self::group(wide, group), row);
            Self::store_units_widened::<Little>(units, dst, at);
            group += 1;
        }
    }

    /// [`store_kept_widened`](Self::store_kept_widened) with the upper halves of the units from
    /// `upper`, all below 0x100.
    #[inline(always)]
    fn store_kept_joined(
        wide: Self::Wide,
        upper: Self::Wide,
        keep: u64,
        k: usize,
        dst: &mut [MaybeUninit<u8>],
    ) {
        let rows = Little::compress16();
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &rows[of_group(lanes, group)];
            let at = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            let units = Self::compress(Self::group(wide, group), row);
            let uppers = Self::compress(Self::group(upper, group), row);
            Self::store_joined::<Little>(units, uppers, dst, at);
            group += 1;
        }
    }

    /// [`store_kept`](Self::store_kept) for bytes.
    #[inline(always)]
    fn store_kept_bytes(self, keep: u64, k: usize, dst: &mut [MaybeUninit<u8>]) {
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &compress8(group % 2)[of_group(lanes, group)];
            let at = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            self.store_compressed(group, row, dst, at);
            group += 1;
        }
    }

    /// Writes `units`, which are in byte order `O`, to `dst` from 32-bit unit `at` on, each widened
    /// to a 32-bit unit.
    fn store_units_widened<O: Order>(units: Self::Units, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes eight 32-bit units to `dst` from unit `at` on. `low` has their lower halves and
    /// `upper` their upper halves, all in byte order `O`.
    fn store_joined<O: Order>(
        low: Self::Units,
        upper: Self::Units,
        dst: &mut [MaybeUninit<u8>],
        at: usize,
    );

    /// Writes the vector to `dst` from 16-bit unit `at` on, each byte as a unit in byte order
    /// `O`.
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to `dst` from 16-bit unit `at` on, each byte as a lane, low byte first,
    /// shifted left by `bits`, 0 to 15.
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to `dst` from 32-bit unit `at` on, each byte as a unit in byte order
    /// `O`.
    fn store_widened_twice<O: Order>(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to `dst` from byte `at` on.
    fn store_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes eight bytes to `dst` from byte `at` on: the lanes of `8 * group..8 * group + 8` that
    /// `row` names, a row of `compress8(group % 2)`.
    fn store_compressed(self, group: usize, row: &[u8; 8], dst: &mut [MaybeUninit<u8>], at: usize);

    /// Lane `i` becomes `self[i] + other[i]`, modulo 256.
    fn add(self, other: Self) -> Self;

    /// Returns the mask of the lanes that are the same in both.
    fn equal(self, other: Self) -> Self::Mask;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 256. To count the lanes of a mask, subtract
    /// it: 0xFF is -1.
    fn wrapping_sub(self, other: Self) -> Self;

    /// Lane `i` becomes the smaller of `self[i]` and `other[i]`.
    fn min(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`.
    fn max(self, other: Self) -> Self;

    /// Returns the sum of all lanes of all vectors; at most 16 vectors.
    fn sum(vectors: &[Self]) -> u32;

    /// Decodes 16 three-byte characters at the start of `bytes`, which has at least 64 bytes, into
    /// 16 code units in the machine's order. Also returns true if all are well-formed three-byte
    /// characters; if not, the units are unspecified.
    fn decode_three_byte(token: Self::Token, bytes: &[u8]) -> ([Self::Units; 2], bool);

    /// Returns the first `LANES / 8` words as lanes, the lowest byte of each first, with zeros
    /// after them if there are more lanes.
    fn of_words(token: Self::Token, words: [u64; 4]) -> Self;

    /// Lane `i` becomes `self[i - BY]`, or 0 if `i < BY`. `BY` is 1, 2 or 3.
    fn shifted<const BY: usize>(self) -> Self;

    /// [`shifted`](Self::shifted) with the last lanes of the vector before instead of zeros.
    fn shifted_after<const BY: usize>(self, before: Self) -> Self;
}
