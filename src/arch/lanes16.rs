//! More operations: a vector seen as half as many 16-bit lanes, for text in UTF-16.
//!
//! A mask of such lanes is a vector: 0xFFFF or 0 in each lane.

use core::mem::MaybeUninit;

use crate::arch::left_pack::of_group;
use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::tables::{Lanes, Order, utf8_narrow, utf8_wide};

/// A vector of 16-bit lanes, counted in the order of memory, as bytes are.
pub(crate) trait Lanes16: Vector {
    /// Returns a vector of which every lane is `unit`.
    fn splat16(token: Self::Token, unit: u16) -> Self;

    /// Swaps the two bytes of every lane if `O` is big-endian.
    fn ordered16<O: Order>(self) -> Self;

    /// Lane `i` becomes `self[i] + other[i]`, modulo 65,536.
    fn add16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 65,536. To count the lanes of a mask, subtract
    /// it: 0xFFFF is -1.
    fn sub16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`. `BY` is 1 to 15, here and below.
    fn shl16<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`.
    fn shr16<const BY: i32>(self) -> Self;

    /// Returns the mask of the lanes that are the same in both.
    fn equal16(self, other: Self) -> Self;

    /// Returns the mask of the lanes that are greater than the same lanes of `other`, as signed
    /// numbers.
    fn above16(self, other: Self) -> Self;

    /// Lane `i` becomes the smaller of `self[i]` and `other[i]`, as signed numbers.
    fn min16_signed(self, other: Self) -> Self;

    /// Returns true if a lane is less than the same lane of `other`, as signed numbers.
    #[inline(always)]
    fn any_below16(self, other: Self) -> bool {
        other.above16(self).any()
    }

    /// Marks the lanes that are `value` in the bits of `mask`, for the two operations below. The
    /// form of the marks depends on the instruction set. `value` has no other bits than `mask`.
    #[inline(always)]
    fn marked16(self, mask: Self, value: Self) -> Self {
        self.and(mask).equal16(value)
    }

    /// Marks the lanes that are [marked](Self::marked16) in either vector.
    #[inline(always)]
    fn either_marked16(self, other: Self) -> Self {
        self.or(other)
    }

    /// Returns true if a lane is [marked](Self::marked16).
    #[inline(always)]
    fn any_marked16(self) -> bool {
        self.any()
    }

    /// Returns true if a lane has none of the bits of `mask`.
    #[inline(always)]
    fn any_without16(self, mask: Self) -> bool {
        self.and(mask).equal16(mask.xor(mask)).any()
    }

    /// Byte `i` becomes `yes[i]` if `self[i]` is 0xFF, and `no[i]` if it is 0.
    fn select(self, yes: Self, no: Self) -> Self;

    /// Returns `by`'s lane `i` if bit `i` of `bits` is set, else `self`'s.
    #[inline(always)]
    fn blend16(self, token: Self::Token, bits: u64, by: Self) -> Self {
        let each = Self::load(token, &EACH, 0);
        Self::splat16(token, bits as u16).and(each).equal16(each).select(by, self)
    }

    /// In each 16 bytes, byte `i` becomes byte `row[i]` of the same 16, or 0 if `row[i]` is 0x80 or
    /// above. No entry is 0x10..=0x7F.
    fn picked(self, row: Self) -> Self;

    /// Returns the row for [`packed8`](Self::packed8) that picks all upper or all lower bytes of
    /// 16-bit lanes: `row` is `upper` or `lower` of a [`UnitOrder`](crate::tables::UnitOrder).
    #[inline(always)]
    fn row8(token: Self::Token, row: &'static Lanes) -> Self {
        Self::load(token, row, 0)
    }

    /// Returns the bytes of `first` and then of `second` that [`row`](Self::row8) picks.
    fn packed8(first: Self, second: Self, row: Self) -> Self;

    /// Returns the lanes of `first` and then of `second` as bytes; all are below 0x100.
    fn narrow(first: Self, second: Self) -> Self;

    /// Writes the lanes, all below 0x100, as bytes to `dst` from byte `at` on. Lanes from 0x100
    /// on become unspecified bytes.
    fn store_narrowed(self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the lanes to `dst` from 32-bit unit `at` on, each as a unit with the low byte
    /// first. `rows` are `wider` of the [`UnitOrder`](crate::tables::UnitOrder) that the lanes
    /// have.
    fn store_doubled(self, rows: [Self; 2], dst: &mut [MaybeUninit<u8>], at: usize);

    /// Overwrites `bytes[at..at + LANES]` by the vector. Panics if that is out of bounds.
    #[inline(always)]
    fn store_over(self, bytes: &mut [u8], at: usize) {
        // SAFETY: a vector is written, all of whose bytes are initialised.
        self.store_bytes(unsafe { view::uninit_mut(bytes) }, at);
    }

    /// Converts two masks to bits: lane `i` of `first` is bit `i`, and the lanes of `second`
    /// follow.
    fn bits16(first: Self, second: Self) -> u64;

    /// Returns the high bits of all bytes: byte `i` is bit `i`. Every byte must be 0 or 0xFF.
    fn bits8(self) -> u64;

    /// Returns 16-bit lanes whose lower bytes are `self` and whose upper bytes are `high`. A
    /// [group](Vector::group) has eight of them.
    fn paired(self, high: Self) -> Self::Wide;

    /// Returns lanes `8 * group..8 * group + 8`.
    fn eight(self, group: usize) -> Self::Units;

    /// Writes 16 bytes to `dst` from byte `at` on.
    fn write_vector(units: Self::Units, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the first `len` bytes, 8 to 16, to `dst` from byte `at` on, and nothing else.
    fn write_first(units: Self::Units, dst: &mut [MaybeUninit<u8>], at: usize, len: usize);

    /// Writes three bytes for each lane to `dst` from byte `at` on: the lower byte of `lead`, then
    /// the upper and the lower byte of `bytes`. Four bytes after the last are overwritten too.
    fn write_three_byte(bytes: Self, lead: Self, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Bytes that [`write_wide`](Self::write_wide) and similar operations write at a time.
    const STORE_BYTES: usize = 16;

    /// The capacity in bytes for [`write_wide`](Self::write_wide): three for each lane, four more
    /// that the last store may overwrite, and eight that let the compiler prove all stores in
    /// bounds.
    const WIDE_STORE_CAPACITY: usize = 3 * Self::LANES / 2 + 12;

    /// Writes the bytes of each lane of two vectors to the front of `dst`: the upper byte if the
    /// lane of the mask `twos` is set, then the lower byte. Returns the number of bytes. All bytes
    /// that all lanes have may be overwritten. Not for instruction sets that
    /// [store by masks](crate::arch::optional::MaskedOps::write_below_800).
    #[inline(always)]
    fn write_narrow(bytes: [Self; 2], twos: [Self; 2], dst: &mut [MaybeUninit<u8>]) -> usize {
        let bits = Self::bits16(twos[0], twos[1]);
        let rows = utf8_narrow();
        let mut group = 0;
        let mut k = 0;
        while k < 2 {
            let mut i = 0;
            while i < Self::LANES / 16 {
                let row = &rows[of_group(bits as u32, group)];
                let to = 8 * group + Self::kept_before(bits, group);
                Self::write_vector(Self::compress(bytes[k].eight(i), row), dst, to);
                group += 1;
                i += 1;
            }
            k += 1;
        }
        Self::LANES + Self::kept(bits)
    }

    /// Writes one to three bytes for each lane to the front of `dst`, by its two bits in `more`: 00
    /// is the lower byte of `bytes`; 01 has its upper byte before that; 11 has the lower byte of
    /// `lead` before both. Returns the number of bytes. The last [`STORE_BYTES`](Self::STORE_BYTES)
    /// bytes, four for each lane, are written as if all were kept.
    #[inline(always)]
    fn write_wide(bytes: Self, lead: Self, more: u64, dst: &mut [MaybeUninit<u8>]) -> usize {
        let rows = WideRows::<Self>::new(bytes, lead, more);
        let mut group = 0;
        while group < Self::LANES / 8 {
            Self::write_vector(rows.group(group), dst, rows.offset(group));
            group += 1;
        }
        rows.offset(Self::LANES / 8)
    }

    /// [`write_wide`](Self::write_wide) into `dst` of exactly the right size. Returns false, after
    /// writing unspecified bytes, if more than the last group needs a store shorter than 16 bytes.
    /// Not for instruction sets that store by masks.
    #[inline(always)]
    fn write_wide_exactly(bytes: Self, lead: Self, more: u64, dst: &mut [MaybeUninit<u8>]) -> bool {
        let rows = WideRows::<Self>::new(bytes, lead, more);
        let last = Self::LANES / 8 - 1;
        if rows.offset(last - 1) + 16 > dst.len() {
            return false;
        }
        let mut group = 0;
        while group < last {
            Self::write_vector(rows.group(group), dst, rows.offset(group));
            group += 1;
        }
        let mut bounce = [MaybeUninit::uninit(); 16];
        Self::write_vector(rows.group(last), &mut bounce, 0);
        let dst = &mut dst[rows.offset(last)..];
        let len = dst.len();
        copy_short(dst, &bounce[..len]);
        true
    }

    /// Returns 32-bit lanes whose lower halves are `bytes` and whose upper halves are `lead`, in
    /// [groups](Vector::group) of four.
    fn joined16(bytes: Self, lead: Self) -> Self::Wide;
}

/// Lane `i` has bit `i`, for up to 16 lanes.
static EACH: [u8; 32] = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 16 {
        [bits[2 * lane], bits[2 * lane + 1]] = (1_u16 << lane).to_le_bytes();
        lane += 1;
    }
    bits
};

/// The shuffle row at `len - 8` moves bytes `len - 8..len` to the front.
pub(crate) static LAST_EIGHT: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The output of [`Lanes16::write_wide`]: a shuffle row for each four lanes.
struct WideRows<V: Vector> {
    /// Four bytes for each lane, of which one to three are kept.
    wide: V::Wide,
    /// Two bits for each lane: the bytes that are kept.
    more: u64,
}

impl<V: Lanes16> WideRows<V> {
    #[inline(always)]
    fn new(bytes: V, lead: V, more: u64) -> Self {
        Self { wide: V::joined16(bytes, lead), more }
    }

    /// Returns the bytes that are kept of lanes `4 * group..4 * group + 4`.
    #[inline(always)]
    fn group(&self, group: usize) -> V::Units {
        V::compress(V::group(self.wide, group), &utf8_wide()[of_group(self.more as u32, group)])
    }

    /// Returns the number of bytes of the lanes before a group.
    #[inline(always)]
    fn offset(&self, group: usize) -> usize {
        if group == V::LANES / 8 {
            return V::LANES / 2 + V::kept(self.more);
        }
        4 * group + V::kept_before(self.more, group)
    }
}
