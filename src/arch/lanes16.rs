//! More words: a vector seen as half as many 16-bit lanes, for what is read from UTF-16.
//!
//! A mask of such lanes is a vector: FFFF or 0000 in each.

use core::mem::MaybeUninit;

use super::{Vector, rows};
use crate::encoding::view;
use crate::tables::{Lanes, Order};

/// A vector whose lanes are taken in twos. Lanes are counted in the order of memory, as those of bytes.
pub(crate) trait Lanes16: Vector {
    /// Every lane is `unit`.
    fn splat16(token: Self::Token, unit: u16) -> Self;

    /// Every lane with its two bytes exchanged if `O` is big-endian.
    fn ordered16<O: Order>(self) -> Self;

    /// Lane `i` becomes `self[i] + other[i]`, modulo 65,536.
    fn add16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 65,536. To count the lanes of a mask, subtract it: FFFF is -1.
    fn sub16(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`.
    fn shl16<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`.
    fn shr16<const BY: i32>(self) -> Self;

    /// Lanes that are the same in both.
    fn equal16(self, other: Self) -> Self;

    /// Lanes that are greater than those of `other`, as signed numbers.
    fn above16(self, other: Self) -> Self;

    /// Marks the lanes that are `value` in the bits of `mask`: in a form of the set's own, for the two words below.
    #[inline(always)]
    fn marked16(self, mask: Self, value: Self) -> Self {
        self.and(mask).equal16(value)
    }

    /// Marks the lanes that are [marked](Self::marked16) in one or the other.
    #[inline(always)]
    fn either_marked16(self, other: Self) -> Self {
        self.or(other)
    }

    /// Whether a lane is [marked](Self::marked16).
    #[inline(always)]
    fn any_marked16(self) -> bool {
        self.any()
    }

    /// Bytes of `yes` where the byte of `self` is FF, of `no` where it is 00.
    fn select(self, yes: Self, no: Self) -> Self;

    /// `by` in the lanes that the lowest of `bits` name.
    #[inline(always)]
    fn replaced16(self, token: Self::Token, bits: u64, by: Self) -> Self {
        let each = Self::load(token, &EACH, 0);
        Self::splat16(token, bits as u16).and(each).equal16(each).select(by, self)
    }

    /// Of each 16 bytes those that the same 16 bytes of `row` name, 00 where it says 80 or above.
    fn picked(self, row: Self) -> Self;

    /// What [`packed8`](Self::packed8) takes to pick the bytes that `row` names: all upper or all lower ones of 16-bit lanes,
    /// eight of each 16, with 80 or above behind them.
    #[inline(always)]
    fn row8(token: Self::Token, row: &'static Lanes) -> Self {
        Self::load(token, row, 0)
    }

    /// The bytes of `first` and then of `second` that [`row`](Self::row8) picks.
    fn packed8(first: Self, second: Self, row: Self) -> Self;

    /// The lanes of `first` and then of `second` as bytes; all are below 100.
    fn narrow(first: Self, second: Self) -> Self;

    /// Writes the lanes, all below 100, as bytes to the room from byte `at` on.
    fn store_narrowed(self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes twice as many bytes to the room from 32-bit unit `at` on: of each eight of the vector 16, those that a row names
    /// as in [`picked`](Self::picked), the first row for the first eight of 16 bytes, the second one for the others.
    fn store_doubled(self, rows: [Self; 2], room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector over `bytes[at..at + LANES]`. Panics if that is out of bounds.
    #[inline(always)]
    fn store_over(self, bytes: &mut [u8], at: usize) {
        // SAFETY: what is written is a vector, all of whose bytes are initialised.
        self.store_bytes(unsafe { view::uninit_mut(bytes) }, at);
    }

    /// Two masks as bits: lane `i` of `first` is bit `i`, and those of `second` are behind them.
    fn bits16(first: Self, second: Self) -> u64;

    /// The high bits of all bytes: byte `i` is bit `i`. Every byte must be 00 or FF.
    fn bits8(self) -> u64;

    /// 16-bit lanes, `self` their lower bytes and `high` their upper ones. A [group](Vector::group) has eight of them.
    fn paired(self, high: Self) -> Self::Wide;

    /// Lanes `8 * group..8 * group + 8`.
    fn eight(self, group: usize) -> Self::Units;

    /// Writes 16 bytes to the room from byte `at` on.
    fn put(units: Self::Units, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the first `len` bytes, 8 to 16, to the room from byte `at` on, and nothing else.
    fn put_first(units: Self::Units, room: &mut [MaybeUninit<u8>], at: usize, len: usize);

    /// Writes three bytes for each lane to the room from byte `at` on: the lower one of `lead`, then the upper and the lower
    /// one of `bytes`; and four bytes that mean nothing behind the last.
    fn put_threes(bytes: Self, lead: Self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Bytes that [`put_wide`](Self::put_wide) and its likes write at a time, of which some are kept.
    const PUT: usize = 16;

    /// Bytes of room in which two vectors of units may become UTF-8, for each.
    const ROOM: usize = 64;

    /// [`put_narrow`](Self::put_narrow) of one vector, without a byte behind: `room` is as long as what is written. Only where
    /// stores are [masked](Vector::MASKED).
    #[inline(always)]
    fn put_narrow_exactly(_bytes: Self, _twos: Self, _room: &mut [MaybeUninit<u8>]) {
        unreachable!()
    }

    /// Writes the lower byte of each lane of two vectors, behind its upper one where `twos` says so, to the front of the room;
    /// says how many bytes. More may be touched: as many as all lanes have.
    #[inline(always)]
    fn put_narrow(bytes: [Self; 2], twos: [Self; 2], room: &mut [MaybeUninit<u8>]) -> usize {
        rows::put_narrow::<Self>(bytes, twos, room)
    }

    /// Writes one, two or three bytes for each lane to the front of the room, as two bits for each lane in `more` say: the
    /// lower byte of `bytes`; behind its upper one where the first bit is set; behind the lower byte of `lead` where the second
    /// is set. Says how many. The last [`PUT`](Self::PUT) bytes, four for each lane, are written as if all were kept.
    fn put_wide(bytes: Self, lead: Self, more: u64, room: &mut [MaybeUninit<u8>]) -> usize;

    /// Whether the words below are there: they take the units of two vectors with their lower and their upper bytes apart.
    const APART: bool = false;

    /// The lower and the upper bytes of units.
    #[inline(always)]
    fn apart(_units: [Self; 2]) -> [Self; 2] {
        unreachable!()
    }

    /// The largest lane.
    #[inline(always)]
    fn largest(self) -> u8 {
        unreachable!()
    }

    /// Whether there are surrogates.
    #[inline(always)]
    fn have_surrogates(_apart: [Self; 2]) -> bool {
        unreachable!()
    }

    /// Writes units below 800 as UTF-8 to the front of the room; says how many bytes. Twice [`ROOM`](Self::ROOM) may be
    /// touched, here and below.
    #[inline(always)]
    fn put_below_800(_apart: [Self; 2], _room: &mut [MaybeUninit<u8>]) -> usize {
        unreachable!()
    }

    /// The same for units of which none is a surrogate.
    #[inline(always)]
    fn put_characters(_apart: [Self; 2], _room: &mut [MaybeUninit<u8>]) -> usize {
        unreachable!()
    }

    /// The same with surrogates, each of which becomes two bytes. The last lanes of `last` are the unit in front, or
    /// one that is no surrogate. `None` if one is alone, as far as these show.
    #[inline(always)]
    fn put_pairs(
        _apart: [Self; 2],
        _last: [Self; 2],
        _room: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        unreachable!()
    }

    /// Writes what 16 pairs would become; says how many there are in front of anything else.
    #[inline(always)]
    fn put_only_pairs(
        _token: Self::Token,
        _bytes: &[u8; 64],
        _room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        unreachable!()
    }
}

/// Lane `i` has bit `i`, of as many as bits tell.
static EACH: [u8; 32] = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 16 {
        [bits[2 * lane], bits[2 * lane + 1]] = (1_u16 << lane).to_le_bytes();
        lane += 1;
    }
    bits
};

/// A row at `len - 8` in it moves eight bytes to the front, those that end with byte `len`.
pub(super) static LAST_EIGHT: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
