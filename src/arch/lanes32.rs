//! More words: a vector seen as a quarter as many 32-bit lanes, for what is read from UTF-32.
//!
//! A mask of such lanes is a vector: FFFF_FFFF or 0 in each.

use core::mem::MaybeUninit;

use super::lanes16::Lanes16;
use super::rows;
use crate::tables::{Order, Row};

/// A vector whose lanes are taken in fours. Lanes are counted in the order of memory, as those of bytes.
pub(crate) trait Lanes32: Lanes16 {
    /// Every lane is `unit`.
    fn splat32(token: Self::Token, unit: u32) -> Self;

    /// Every lane with its four bytes reversed if `O` is big-endian.
    fn ordered32<O: Order>(self) -> Self;

    /// `bytes[at..at + LANES]` as code units in byte order `O`. Panics if that is out of bounds.
    #[inline(always)]
    fn load32<O: Order>(token: Self::Token, bytes: &[u8], at: usize) -> Self {
        Self::load(token, bytes, at).ordered32::<O>()
    }

    /// Lane `i` becomes `self[i] + other[i]`, modulo 2^32.
    fn add32(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`.
    fn max32(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] << BY`.
    fn shl32<const BY: i32>(self) -> Self;

    /// Lane `i` becomes `self[i] >> BY`.
    fn shr32<const BY: i32>(self) -> Self;

    /// Lanes that are the same in both.
    fn equal32(self, other: Self) -> Self;

    /// Lanes that are greater than those of `other`, as signed numbers.
    fn above32(self, other: Self) -> Self;

    /// Each lane with its lower 16 bits from `low` and its upper ones from `high`.
    fn halves(low: Self, high: Self) -> Self;

    /// The lanes of `first` and then of `second` as 16-bit lanes; all are below 10000.
    fn narrow32(first: Self, second: Self) -> Self;

    /// The lanes of both, below 2^31, as 16-bit lanes in any order: 7FFF where they are more.
    fn pressed(first: Self, second: Self) -> Self;

    /// The upper halves of the lanes of both, as 16-bit lanes in any order.
    fn uppers(first: Self, second: Self) -> Self;

    /// The lanes of four vectors as bytes; all are below 100.
    fn narrow_four(lanes: [Self; 4]) -> Self;

    /// What `table` says of the leading zeros of each lane of four vectors, as bytes in any order; where
    /// [`LOOKS_UP`](crate::arch::Vector::LOOKS_UP).
    #[inline(always)]
    fn by_leading_zeros(_lanes: [Self; 4], _table: &'static [u8; 64]) -> Self {
        unreachable!()
    }

    /// Writes the lanes, all below 100, as bytes to the room from byte `at` on.
    fn store_quarter(self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes one to four bytes of each lane to the front of the room, the highest first, as its two bits in `more` say: 00 is
    /// byte 0 alone, 01 bytes 1 and 0, 11 bytes 2, 1 and 0, and 10 all four; where that is so, the first of its two bits in
    /// `fours` is set. Says how many. The last [`PUT`](Lanes16::PUT) bytes of the vector are written as if all were kept.
    #[inline(always)]
    fn put_fours(self, more: u64, fours: u64, room: &mut [MaybeUninit<u8>]) -> usize {
        rows::put_fours::<Self>(self, more, fours, room)
    }

    /// Writes those 16-bit lanes that the lowest bits of `keep` name, in the byte order of `rows`, to the front of the room; says
    /// how many bytes. The last [`PUT`](Lanes16::PUT) bytes of the vector are written as if all were kept.
    #[inline(always)]
    fn put_halves(self, keep: u64, rows: &[Row; 256], room: &mut [MaybeUninit<u8>]) -> usize {
        rows::put_halves::<Self>(self, keep, rows, room)
    }

    /// Writes 32-bit units to the front of the room, of which `low` has the lower halves in 16-bit lanes and `upper` the upper
    /// ones: those that `keep` names. As much of the room may be touched as all would need.
    #[inline(always)]
    fn store_joined_kept(low: Self, upper: Self, keep: u32, room: &mut [MaybeUninit<u8>]) {
        rows::store_joined_kept::<Self>(low, upper, keep, room);
    }

    /// What [`shuffled`](Self::shuffled) takes to put 16-bit lanes into a byte order: high byte first if `big`.
    fn order16(token: Self::Token, big: bool) -> Self;

    /// Byte `i` of each 16 becomes byte `order[i]` of these.
    fn shuffled(self, order: Self) -> Self;

    /// Writes the lanes, all below 10000, as 16-bit units, put into order by `order`, to the room from byte `at` on.
    fn store_half(self, order: Self, room: &mut [MaybeUninit<u8>], at: usize);
}
