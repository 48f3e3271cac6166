//! A vector of bytes: the operations that every instruction set has.

use core::mem::MaybeUninit;

use crate::arch::left_pack::{self, of_group, part};
use crate::arch::optional::{DeinterleavedOps, LookUpOps, MaskedOps};
use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, Little, Order, ShuffleRow, compress8};

/// A vector of bytes. Lanes are counted in the order of memory.
pub(crate) trait Vector: VectorTypes {
    /// 16-bit lanes, one for each byte of the vector, in an order that depends on the instruction
    /// set.
    type Wide: Copy;
    /// Eight 16-bit lanes.
    type Units: Copy;

    /// The vector of 16 bytes, for shorter texts: this vector if it has 16 bytes.
    type Vector16: Vector<Units = Self::Units>;

    /// The operations on units whose lower and upper bytes are in two vectors:
    /// [`Present`](crate::arch::optional::Present) or [`Absent`](crate::arch::optional::Absent), as
    /// for the other groups of optional operations.
    type Deinterleaved: DeinterleavedOps<Self>;
    /// The loads and stores of the lanes that a mask selects.
    type Masked: MaskedOps<Self>;
    /// The lookups in tables of 64 bytes.
    type LookUp: LookUpOps<Self>;

    /// The number of bytes in a vector. It divides 64.
    const LANES: usize;

    /// True if decoding takes steps of 64 bytes, false if it takes steps of 32 bytes. Steps of 32
    /// bytes need half the code, but twice as many tests: instruction sets on which a test is cheap
    /// use them.
    const LONG_STEPS: bool;

    /// True if functions with this vector also take short texts. If false, the code for short texts
    /// is not compiled.
    const SHORT_PATHS: bool = true;

    /// Returns true if `len` is at most `max`, and this vector has code for short texts.
    #[inline(always)]
    fn takes_short_path(len: usize, max: usize) -> bool {
        Self::SHORT_PATHS && len <= max
    }

    /// Returns a mask of the lowest `n` bits. `n` is at most `LANES`.
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

    /// Returns the token of the vector of 16 bytes.
    fn token_of_16_bytes(token: Self::Token) -> <Self::Vector16 as VectorTypes>::Token;

    /// Returns a vector whose lanes are all `byte`.
    fn splat(token: Self::Token, byte: u8) -> Self;

    /// Loads `bytes[at..at + LANES]`, at any alignment. Panics if the range is out of bounds. If
    /// the offset and the length are constants, the bounds check vanishes.
    fn load(token: Self::Token, bytes: &[u8], at: usize) -> Self;

    /// Returns `bytes[from..]`, for loads of whole vectors at several offsets that differ by a few
    /// bytes. NEON hides `from` from LLVM, so that one instruction does two of these loads. Panics
    /// if `from` is out of bounds.
    #[inline(always)]
    fn suffix(bytes: &[u8], from: usize) -> &[u8] {
        &bytes[from..]
    }

    /// Returns `bytes`. On NEON, this keeps LLVM from loading them before this vector is computed:
    /// earlier loads would need more registers than the processor has.
    #[inline(always)]
    fn delay_loads(self, bytes: &[u8]) -> &[u8] {
        bytes
    }

    /// Returns a vector that holds `table`, for [`lookup16`](Self::lookup16).
    fn table(token: Self::Token, table: &[u8; 16]) -> Self;

    /// Lane `i` becomes `table[self[i]]`. Every lane must be below 16: for other lanes, instruction
    /// sets disagree.
    fn lookup16(self, table: Self) -> Self;

    /// Lane `i` becomes `table[self[i]]`, or 0 if `self[i]` is 0x80 or above.
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
    fn any_high_bit(self) -> bool;

    /// Takes the larger of bytes `i` and `i + 8` in each 128-bit part, for `self` and for `other`.
    /// Interleaves these bytes: `LANE_BYTES` from `self`, `LANE_BYTES` from `other`, and so on.
    fn max_interleaved<const LANE_BYTES: usize>(self, other: Self) -> Self;

    /// Returns true if any lane is at least `least`, which is 0x80 or above.
    #[inline(always)]
    fn any_at_least(self, token: Self::Token, least: u8) -> bool {
        self.saturating_sub(Self::splat(token, least - 0x80)).any_high_bit()
    }

    /// Returns the mask of the lanes that are at least `least`, which is 0x80 or above.
    #[inline(always)]
    fn at_least(self, token: Self::Token, least: u8) -> Self::Mask {
        self.saturating_sub(Self::splat(token, least - 0x80)).high_bit_mask()
    }

    /// Marks the lanes that are at least `least`, which is 0x80 or above, for
    /// [`decrement_marked`](Self::decrement_marked). How a mark is represented depends on the
    /// instruction set: by bit 7, or by any value except zero.
    #[inline(always)]
    fn mark_at_least(self, token: Self::Token, least: u8) -> Self {
        self.saturating_sub(Self::splat(token, least - 1))
    }

    /// `marks` are from [`mark_at_least`](Self::mark_at_least). If lane `i` is not marked, it stays
    /// unchanged. If it is marked and odd, it becomes `self[i] - 1`. If it is marked and even, it
    /// becomes any value except 0.
    #[inline(always)]
    fn decrement_marked(self, token: Self::Token, marks: Self) -> Self {
        self.wrapping_sub(marks.min(Self::splat(token, 1)))
    }

    /// Returns the mask of the lanes that are at least 0x80. Where only bit 7 of a mask counts,
    /// this is `self`.
    fn high_bit_mask(self) -> Self::Mask;

    /// Returns the mask of the lanes that are `10xxxxxx`.
    fn continuation(self) -> Self::Mask;

    /// Bit 7 of lane `i` is set if `self[i]` is `10xxxxxx`. The other bits are unspecified. Where
    /// the mask is a vector with bit 7 set, [`continuation`](Self::continuation) is the result.
    #[inline(always)]
    fn continuation_marks(self, token: Self::Token) -> Self {
        self.and(self.add(self).xor(Self::splat(token, 0xFF)))
    }

    /// Returns 0xFF in the lanes that `mask` selects, and 0 in the other lanes.
    fn from_mask(mask: Self::Mask) -> Self;

    /// Returns the lanes that `mask` selects, and 0 in the other lanes.
    #[inline(always)]
    fn only(self, mask: Self::Mask) -> Self {
        self.and(Self::from_mask(mask))
    }

    /// Converts masks to bits: lane `i` of `masks[k]` is bit `k * LANES + i`. `masks` has one mask,
    /// or the masks of 32 or 64 lanes.
    fn bits(masks: &[Self::Mask]) -> u64;

    /// 16-bit lane `i` becomes `low[i] | (middle[i] & 0x3F) << 6 | high[i] << 12`, truncated to 16
    /// bits. `low` is below 0x80, and below 0x40 if `middle` is not zero; `high` is below 0x20.
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide;

    /// Like [`code_units`](Self::code_units), with surrogates. `supplementary` is 0xFF if `high` is
    /// at least 0x10, else 0. Where it is 0xFF, the unit `u` becomes `(u >> 4) + 0xD7C0`; this unit
    /// is unspecified if `high` is 0x18 or above. `last` is 0xFF in the lane of the last byte of a
    /// four-byte character, else 0. Where it is 0xFF, `high` must be zero, and 0xDC00 is or-ed to
    /// the unit.
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        supplementary: Self,
        last: Self,
    ) -> Self::Wide;

    /// Returns the 16-bit lanes `8 * group..8 * group + 8`.
    fn group(wide: Self::Wide, group: usize) -> Self::Units;

    /// Byte `i` becomes byte `row[i]` of `units`, or 0 if `row[i]` is 0x80 or above. No entry of
    /// `row` is in 0x10..=0x7F.
    fn compress(units: Self::Units, row: &ShuffleRow) -> Self::Units;

    /// Writes `units` to `dst` from 16-bit unit `unit_at` on. This and the other stores panic if
    /// the range is out of bounds. If the offset and the length are constants, the bounds check
    /// vanishes. If the instruction set has masked stores, some stores drop the lanes after the end
    /// of `dst` instead of panicking: see [`MaskedOps`].
    fn store(units: Self::Units, dst: &mut [MaybeUninit<u8>], unit_at: usize);

    /// Returns the number of set bits of `keep`.
    #[inline(always)]
    fn kept(keep: u64) -> usize {
        keep.count_ones() as usize
    }

    /// Returns the same as [`kept`](Self::kept). The caller has just written units of `size` bytes:
    /// NEON shares a multiplication with this store.
    #[inline(always)]
    fn kept_units(keep: u64, _size: usize) -> usize {
        Self::kept(keep)
    }

    /// Returns the number of set bits of `keep` below bit `8 * group`; `group` is 0 to 7. The
    /// result is the index in the output of the first lane that the group keeps.
    #[inline(always)]
    fn kept_before(keep: u64, group: usize) -> usize {
        left_pack::kept_before(keep, group)
    }

    /// Writes the kept 16-bit lanes of vector `k` of a step, after the kept lanes of the vectors
    /// before it. `keep` has one bit for each lane of all vectors of the step: 1 if the lane is
    /// kept. `order` is the byte order of the output.
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
            let written = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            Self::store(Self::compress(Self::group(wide, group), row), dst, written);
            group += 1;
        }
    }

    /// Like [`store_kept`](Self::store_kept), with each lane widened to a 32-bit unit, low byte
    /// first.
    #[inline(always)]
    fn store_kept_widened(wide: Self::Wide, keep: u64, k: usize, dst: &mut [MaybeUninit<u8>]) {
        let rows = Little::compress16();
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &rows[of_group(lanes, group)];
            let written = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            let units = Self::compress(Self::group(wide, group), row);
            Self::store_units_widened::<Little>(units, dst, written);
            group += 1;
        }
    }

    /// Like [`store_kept_widened`](Self::store_kept_widened), with the lanes of `upper`, which are
    /// below 0x100, as the upper halves of the units.
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
            let written = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            let units = Self::compress(Self::group(wide, group), row);
            let high = Self::compress(Self::group(upper, group), row);
            Self::store_joined::<Little>(units, high, dst, written);
            group += 1;
        }
    }

    /// Like [`store_kept`](Self::store_kept), for bytes.
    #[inline(always)]
    fn store_kept_bytes(self, keep: u64, k: usize, dst: &mut [MaybeUninit<u8>]) {
        let lanes = part(keep, k, Self::LANES);
        let mut group = 0;
        while group < Self::LANES / 8 {
            let row = &compress8(group % 2)[of_group(lanes, group)];
            let written = Self::kept_before(keep, k * (Self::LANES / 8) + group);
            self.store_compressed(group, row, dst, written);
            group += 1;
        }
    }

    /// Widens each unit to 32 bits, and writes the result to `dst` from 32-bit unit `unit_at` on.
    /// `units` are in byte order `O`.
    fn store_units_widened<O: Order>(
        units: Self::Units,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    );

    /// Writes eight 32-bit units to `dst` from unit `unit_at` on. `low` has the lower halves of the
    /// units, `upper` the upper halves, both in byte order `O`.
    fn store_joined<O: Order>(
        low: Self::Units,
        upper: Self::Units,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    );

    /// Widens each byte to a 16-bit unit in byte order `O`, and writes the units to `dst` from
    /// 16-bit unit `unit_at` on.
    fn store_widened<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize);

    /// Widens each byte to 16 bits, shifts it left by `bits`, 0 to 15, and writes the lanes to
    /// `dst` from 16-bit unit `unit_at` on, low byte first.
    fn store_shifted(self, bits: i32, dst: &mut [MaybeUninit<u8>], unit_at: usize);

    /// Widens each byte to a 32-bit unit in byte order `O`, and writes the units to `dst` from
    /// 32-bit unit `unit_at` on.
    fn store_widened_to_32_bits<O: Order>(self, dst: &mut [MaybeUninit<u8>], unit_at: usize);

    /// Writes the vector to `dst` from byte `at` on.
    fn store_bytes(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes eight bytes to `dst` from byte `at` on. `row`, a row of `compress8(group % 2)`,
    /// selects them among the lanes `8 * group..8 * group + 8`.
    fn store_compressed(self, group: usize, row: &[u8; 8], dst: &mut [MaybeUninit<u8>], at: usize);

    /// Lane `i` becomes `self[i] + other[i]`, modulo 256.
    fn add(self, other: Self) -> Self;

    /// Returns the mask of the lanes that are equal in `self` and `other`.
    fn equal(self, other: Self) -> Self::Mask;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 256. Subtracting a mask counts its lanes,
    /// because 0xFF is -1.
    fn wrapping_sub(self, other: Self) -> Self;

    /// Lane `i` becomes the smaller of `self[i]` and `other[i]`.
    fn min(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`.
    fn max(self, other: Self) -> Self;

    /// Returns the sum of all lanes of all `vectors`. There are at most 16 vectors.
    fn sum(vectors: &[Self]) -> u32;

    /// Returns the first `LANES / 8` of `words` as lanes, the lowest byte of each word first. If
    /// the vector has more than 32 lanes, the other lanes are zero.
    fn from_words(token: Self::Token, words: [u64; 4]) -> Self;

    /// Shifts the bytes towards higher lanes: lane `i` becomes `self[i - BY]`, or 0 if `i < BY`.
    /// `BY` is 1, 2 or 3.
    fn shift_in_zeros<const BY: usize>(self) -> Self;

    /// Like [`shift_in_zeros`](Self::shift_in_zeros), with the last lanes of `before`, the vector
    /// before this one, instead of zeros.
    fn shift_in_last<const BY: usize>(self, before: Self) -> Self;
}
