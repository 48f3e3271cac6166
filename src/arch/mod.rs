//! The vocabulary of the vector algorithms: what each operation means, lane by lane, and one file for each instruction
//! set that has words for it.
//!
//! A vector is made only with a [`Vector::Token`], and a token only where the processor's features have been detected or
//! are known; so a value of the vector type is the proof that its instructions may run, and every operation is safe.
//! Words that take many lanes and leave some of them out have a body here, for the sets that do it by [rows] of a table.
//!
//! Everything is `#[inline(always)]` and melts into the one function of each instruction set that has its features.

#[cfg(vectors = "x86")]
pub(crate) mod avx2;
#[cfg(avx512)]
pub(crate) mod avx512;
#[cfg(vectors = "x86")]
#[cfg(any(all(feature = "std", test), all(feature = "cpuid", not(feature = "std"))))]
pub(crate) mod cpuid;
pub(crate) mod lanes16;
pub(crate) mod lanes32;
#[cfg(vectors = "neon")]
pub(crate) mod neon;
pub(crate) mod rows;
#[cfg(vectors = "simd128")]
pub(crate) mod simd128;
#[cfg(vectors = "x86")]
pub(crate) mod sse42;
pub(crate) mod window;

use core::mem::MaybeUninit;

use crate::tables::{Order, Row};

/// A vector of bytes. Lanes are counted in the order of memory.
pub(crate) trait Vector: Copy {
    /// The proof that the instructions may run.
    type Token: Copy;
    /// A yes or no for each lane. Abstract, since NEON has nothing like a movemask.
    type Mask: Copy;
    /// As many 16-bit lanes as the vector has bytes, in an order of its own.
    type Wide: Copy;
    /// Eight 16-bit lanes.
    type Units: Copy;

    /// The vector of 16 lanes, for what is shorter than that.
    type Half: Vector<Units = Self::Units>;

    /// Bytes in a vector; divides 64.
    const LANES: usize;

    /// Whether decoding takes steps of 64 bytes, or of 32: half the code, where the one question that is asked of each step
    /// is not what it waits for.
    const LONG_STEPS: bool;

    /// Whether what is stored behind the end of the room is left out, instead of being an error: stores with masks.
    const MASKED: bool = false;

    /// Bytes that every text has at least that functions for this vector are given. A question whether it has less then has
    /// its answer when they are compiled.
    const LEAST: usize = 0;

    /// Whether a text of `len` bytes has at most `most`.
    #[inline(always)]
    fn is_within(len: usize, most: usize) -> bool {
        Self::LEAST <= most && len <= most
    }

    /// The lowest bits, `n` of them: at most one for each lane.
    #[inline(always)]
    fn first_bits(n: usize) -> u64 {
        if Self::LANES == 64 && n == 64 { u64::MAX } else { (1 << n) - 1 }
    }

    /// The proof for the vector of 16 lanes.
    fn half(token: Self::Token) -> <Self::Half as Vector>::Token;

    /// Every lane is `byte`.
    fn splat(token: Self::Token, byte: u8) -> Self;

    /// `bytes[at..at + LANES]`, at any alignment. Panics if that is out of bounds; with constants the test vanishes.
    fn load(token: Self::Token, bytes: &[u8], at: usize) -> Self;

    /// `bytes[from..]`, to be loaded from in whole vectors, as it is from some other places a few bytes off: sets that load
    /// two vectors at once then do. Panics if that is out of bounds.
    #[inline(always)]
    fn place(bytes: &[u8], from: usize) -> &[u8] {
        &bytes[from..]
    }

    /// The same bytes. Where the compiler would load early what it has no registers for, it is told that they are not there
    /// before this vector is.
    #[inline(always)]
    fn once_known(self, bytes: &[u8]) -> &[u8] {
        bytes
    }

    /// A table for [`lookup16`](Self::lookup16).
    fn table(token: Self::Token, table: &[u8; 16]) -> Self;

    /// Lane `i` becomes `table[self[i]]`. Every lane must be below 16: beyond that, instruction sets disagree.
    fn lookup16(self, table: Self) -> Self;

    /// Bitwise and.
    fn and(self, other: Self) -> Self;

    /// Bitwise or.
    fn or(self, other: Self) -> Self;

    /// Bitwise exclusive or.
    fn xor(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] - other[i]`, or 0 where that is negative.
    fn saturating_sub(self, other: Self) -> Self;

    /// Lane `i` becomes `self[i] >> 4`.
    fn high_nibble(self) -> Self;

    /// Whether any bit of any lane is set.
    fn any(self) -> bool;

    /// Whether any lane is at least 80.
    fn any_high(self) -> bool;

    /// Whether any lane is at least `least`, which is 80 or above.
    #[inline(always)]
    fn any_from(self, token: Self::Token, least: u8) -> bool {
        self.saturating_sub(Self::splat(token, least - 0x80)).any_high()
    }

    /// Lanes that are at least `least`, which is 80 or above.
    #[inline(always)]
    fn at_least(self, token: Self::Token, least: u8) -> Self::Mask {
        self.saturating_sub(Self::splat(token, least - 0x80)).high()
    }

    /// Asks in the lanes that are at least `least`: in a form of the set's own, of which only zero has a meaning, that of
    /// not asking.
    #[inline(always)]
    fn asking_from(self, token: Self::Token, least: u8) -> Self {
        self.saturating_sub(Self::splat(token, least - 1))
    }

    /// Lane `i` becomes `self[i] - 1`, modulo 256, where a lane [asks](Self::asking_from).
    #[inline(always)]
    fn one_less_where(self, token: Self::Token, asking: Self) -> Self {
        self.wrapping_sub(asking.min(Self::splat(token, 1)))
    }

    /// Lanes that are at least 80.
    fn high(self) -> Self::Mask;

    /// Lanes that are `10xxxxxx`.
    fn continuation(self) -> Self::Mask;

    /// FF in the lanes of `mask`, 00 in the others.
    fn of_mask(mask: Self::Mask) -> Self;

    /// One mask, or those of 64 lanes, as bits: lane `i` of `masks[k]` is bit `k * LANES + i`.
    fn bits(masks: &[Self::Mask]) -> u64;

    /// 16-bit lane `i` becomes the low 16 bits of `low[i] | (middle[i] & 3F) << 6 | high[i] << 12`; `low` is below 80, and
    /// below 40 where `middle` is not zero, `high` is below 20.
    fn code_units(low: Self, middle: Self, high: Self) -> Self::Wide;

    /// The same, and then the lanes of `third`, which is FF where `high` is at least 10 and else 00, become
    /// `(lane >> 4) + D7C0`, modulo 65,536; and DC00 is or-ed to those in which `last` is FF, whose `high` must be zero.
    fn code_units_and_surrogates(
        low: Self,
        middle: Self,
        high: Self,
        third: Self,
        last: Self,
    ) -> Self::Wide;

    /// Eight bytes, the lowest first, as 16-bit lanes.
    fn units_of_bytes(token: Self::Token, bytes: u64) -> Self::Units;

    /// 16-bit lanes `8 * group..8 * group + 8`.
    fn group(wide: Self::Wide, group: usize) -> Self::Units;

    /// The bytes of `units` in the order that `row` names, 00 where it says 80 or above.
    fn compress(units: Self::Units, row: &Row) -> Self::Units;

    /// Writes `units` to the room from 16-bit unit `at` on. This and the other stores panic if that is out of bounds; with
    /// constants the test vanishes.
    fn store(units: Self::Units, room: &mut [MaybeUninit<u8>], at: usize);

    /// Set bits of `keep`.
    #[inline(always)]
    fn kept(keep: u64) -> usize {
        keep.count_ones() as usize
    }

    /// [`kept`](Self::kept), where units of `size` bytes have been written.
    #[inline(always)]
    fn kept_units(keep: u64, _size: usize) -> usize {
        Self::kept(keep)
    }

    /// Set bits of `keep` in front of group `group` of eight: the place of what the group keeps.
    #[inline(always)]
    fn kept_before(keep: u64, group: usize) -> usize {
        rows::kept_before(keep, group)
    }

    /// Writes those 16-bit lanes of vector `k` of a step that `keep` names, which has a bit for each lane of all its vectors:
    /// behind those of the vectors before, in the byte order of `rows`, the table that [compresses](Self::compress). What lies
    /// behind them in the room may be touched up to a unit for each lane, that of this vector and of those before.
    #[inline(always)]
    fn store_kept(
        wide: Self::Wide,
        keep: u64,
        k: usize,
        rows: &[Row; 256],
        room: &mut [MaybeUninit<u8>],
    ) {
        rows::store_kept::<Self>(wide, keep, k, rows, room);
    }

    /// [`store_kept`](Self::store_kept), each lane made wider to a 32-bit unit, low byte first.
    #[inline(always)]
    fn store_kept_widened(wide: Self::Wide, keep: u64, k: usize, room: &mut [MaybeUninit<u8>]) {
        rows::store_kept_widened::<Self>(wide, keep, k, room);
    }

    /// The same, with the upper halves of the units from `upper`.
    #[inline(always)]
    fn store_kept_joined(
        wide: Self::Wide,
        upper: Self::Wide,
        keep: u64,
        k: usize,
        room: &mut [MaybeUninit<u8>],
    ) {
        rows::store_kept_joined::<Self>(wide, upper, keep, k, room);
    }

    /// [`store_kept`](Self::store_kept) for bytes.
    #[inline(always)]
    fn store_kept_bytes(self, keep: u64, k: usize, room: &mut [MaybeUninit<u8>]) {
        rows::store_kept_bytes::<Self>(self, keep, k, room);
    }

    /// Writes `units` to the room from 32-bit unit `at` on, each as a unit in byte order `O`, which it has already.
    fn store_units_widened<O: Order>(units: Self::Units, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes eight 32-bit units to the room from unit `at` on: `low` their lower halves, `upper` their upper ones, all in
    /// byte order `O` already.
    fn store_joined<O: Order>(
        low: Self::Units,
        upper: Self::Units,
        room: &mut [MaybeUninit<u8>],
        at: usize,
    );

    /// Writes the vector to the room from 16-bit unit `at` on, each byte as a unit in byte order `O`.
    fn store_widened<O: Order>(self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to the room from 16-bit unit `at` on, each byte as a lane shifted left by `bits`, 0 to 15.
    fn store_shifted(self, bits: i32, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to the room from 32-bit unit `at` on, each byte as a unit in byte order `O`.
    fn store_widened_twice<O: Order>(self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the vector to the room from byte `at` on.
    fn store_bytes(self, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes eight bytes to the room from byte `at` on: those of lanes `8 * group..8 * group + 8` that `row` names, which
    /// counts from lane 0 for even groups and from lane 8 on for odd ones.
    fn store_compressed(self, group: usize, row: &[u8; 8], room: &mut [MaybeUninit<u8>], at: usize);

    /// Lane `i` becomes `self[i] + other[i]`, modulo 256.
    fn add(self, other: Self) -> Self;

    /// Lanes that are the same in both.
    fn equal(self, other: Self) -> Self::Mask;

    /// Lane `i` becomes `self[i] - other[i]`, modulo 256. To count the lanes of a mask, subtract it: FF is -1.
    fn wrapping_sub(self, other: Self) -> Self;

    /// Lane `i` becomes the smaller of `self[i]` and `other[i]`.
    fn min(self, other: Self) -> Self;

    /// The same with lanes from 80 on taken for negative numbers.
    fn min_signed(self, other: Self) -> Self;

    /// Lane `i` becomes the larger of `self[i]` and `other[i]`.
    fn max(self, other: Self) -> Self;

    /// The sum of all lanes of all vectors; at most 16 vectors.
    fn sum(vectors: &[Self]) -> u32;

    /// Decodes 16 characters of three bytes at the front of `bytes`, of which at least 64 are there, into 16 code units in
    /// the machine's order. Also whether that is what they are: well-formed, without overlong forms and surrogates. If not,
    /// the units mean nothing.
    fn decode_threes(token: Self::Token, bytes: &[u8]) -> ([Self::Units; 2], bool);

    /// Whether the words below are there.
    const FOURS: bool = false;

    /// Lanes of `c0` that are continuation bytes, where the byte three places in front, in `c3`, is none from F0 on.
    #[inline(always)]
    fn continuation_but_fourth(_token: Self::Token, _c0: Self, _c3: Self) -> Self::Mask {
        unreachable!()
    }

    /// Decodes 16 characters of four bytes and writes them as UTF-16, high byte first if `big`; says how many of them there are,
    /// well-formed, in front of anything else. What stands behind those in the room means nothing.
    #[inline(always)]
    fn fours_to_utf16(
        _token: Self::Token,
        _bytes: &[u8; 64],
        _big: bool,
        _room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        unreachable!()
    }

    /// The same as UTF-32, low byte first.
    #[inline(always)]
    fn fours_to_utf32(
        _token: Self::Token,
        _bytes: &[u8; 64],
        _room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        unreachable!()
    }

    /// Whether the words below are there, and that of 32-bit lanes: what has 64 lanes looks up in tables as long, and loads
    /// less than a vector without reading beyond.
    const LOOKS_UP: bool = false;

    /// Lane `i` becomes `table[self[i] >> 2]`.
    #[inline(always)]
    fn looked_up(self, _table: &'static [u8; 64]) -> Self {
        unreachable!()
    }

    /// The first `LANES` of `bytes`; zeros behind them where there are less.
    #[inline(always)]
    fn load_first(_token: Self::Token, _bytes: &[u8]) -> Self {
        unreachable!()
    }

    /// Writes the first `n` lanes to the front of the room, and nothing else: by a mask in any case, so that no length is one of
    /// its own. Panics if it has no room for them. Only where stores are [masked](Self::MASKED).
    #[cfg(avx512)]
    #[inline(always)]
    fn store_first(self, _n: usize, _room: &mut [MaybeUninit<u8>]) {
        unreachable!()
    }

    /// The lanes of both in turns, those of `lead` first and only where they are at least `least`: what the first half of the
    /// lanes become, and the second half; anything behind that. Only where stores are [masked](Self::MASKED).
    #[cfg(avx512)]
    #[inline(always)]
    fn led(_lead: Self, _last: Self, _least: u8) -> [Self; 2] {
        unreachable!()
    }

    /// The first `LANES / 8` words as lanes, the lowest byte of each first. Zeros behind them if there are more lanes.
    fn of_words(token: Self::Token, words: [u64; 4]) -> Self;

    /// Lane `i` becomes `self[i - BY]`, or 0 where there is none. `BY` is 1, 2 or 3.
    fn shifted<const BY: usize>(self) -> Self;
}
