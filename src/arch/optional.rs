//! Operations that only some instruction sets have, in five groups: a trait for each.
//!
//! A vector names a type for each group: [`Present`] if its instruction set has the operations,
//! else [`Absent`]. Generic code matches on [`Presence::OPS`] and calls the operations on its
//! value. There is no value of [`Absent`], so no operation of an absent group can be called, and
//! the compiler removes the branch.

use core::mem::MaybeUninit;

use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, UnitOrder};

/// True if there are operations of a group.
pub(crate) trait Presence: Copy {
    /// The operations, if there are any.
    const OPS: Option<Self>;

    /// True if there are any.
    const PRESENT: bool = Self::OPS.is_some();
}

/// The operations of a group that an instruction set has.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(avx512, vectors = "neon")),
    allow(dead_code, reason = "the other sets have none of these operations")
)]
pub(crate) struct Present;

/// The operations of a group that an instruction set lacks: there are no values of this type.
#[derive(Clone, Copy)]
pub(crate) enum Absent {}

impl Presence for Present {
    const OPS: Option<Self> = Some(Self);
}

impl Presence for Absent {
    const OPS: Option<Self> = None;
}

/// Four-byte characters decoded 16 at a time.
pub(crate) trait FourByteOps<V: VectorTypes>: Presence {
    /// Returns the mask of the lanes of `c0` that are continuation bytes, except the last bytes of
    /// four-byte characters. `c3` has the bytes three before the bytes of `c0`: 0xF0 or above there
    /// means a last byte.
    fn continuation_but_fourth(self, token: V::Token, c0: V, c3: V) -> V::Mask;

    /// Decodes 16 four-byte characters and writes them as UTF-16, high byte first if `big`. Returns
    /// the number of well-formed four-byte characters before anything else. The output after these
    /// is unspecified.
    fn to_utf16(
        self,
        token: V::Token,
        bytes: &[u8; 64],
        big: bool,
        dst: &mut [MaybeUninit<u8>; 64],
    ) -> usize;

    /// [`to_utf16`](Self::to_utf16) for UTF-32, low byte first.
    fn to_utf32(self, token: V::Token, bytes: &[u8; 64], dst: &mut [MaybeUninit<u8>; 64]) -> usize;
}

/// UTF-16 to UTF-8 by two vectors of units, deinterleaved: the lower bytes in one vector, the upper
/// bytes in another.
pub(crate) trait DeinterleavedOps<V: VectorTypes>: Presence {
    /// Returns the lower and the upper bytes of units.
    fn deinterleaved(self, units: [V; 2]) -> [V; 2];

    /// Returns the largest lane.
    fn largest(self, bytes: V) -> u8;

    /// Returns true if any of the deinterleaved units is a surrogate.
    fn have_surrogates(self, units: [V; 2]) -> bool;

    /// Writes deinterleaved units below 0x800 as UTF-8 to the front of `dst` and returns the
    /// number of bytes. Four bytes for each unit may be touched, here and below.
    fn write_below_800(self, units: [V; 2], dst: &mut [MaybeUninit<u8>]) -> usize;

    /// [`write_below_800`](Self::write_below_800) for units without surrogates.
    fn write_characters(self, units: [V; 2], dst: &mut [MaybeUninit<u8>]) -> usize;

    /// [`write_below_800`](Self::write_below_800) for any units; each surrogate becomes two bytes.
    /// The last lanes of `last` are the unit before, or any unit that is no surrogate. Returns
    /// `None` if there is an unpaired surrogate; the last unit may be a high surrogate.
    fn write_pairs(self, units: [V; 2], last: [V; 2], dst: &mut [MaybeUninit<u8>])
    -> Option<usize>;

    /// Writes 16 surrogate pairs as UTF-8 and returns the number of pairs before anything else. The
    /// output after these is unspecified.
    fn write_only_pairs(
        self,
        token: V::Token,
        bytes: &[u8; 64],
        dst: &mut [MaybeUninit<u8>; 64],
    ) -> usize;
}

/// Loads and stores by masks.
///
/// An instruction set that has these operations also stores its whole vectors by masks:
/// `store_bytes`, the operations that keep some lanes, the operations that widen, and in 16-bit
/// lanes `store_narrowed` and `write_wide` leave out the bytes after the end of `dst` instead of
/// panicking.
pub(crate) trait MaskedOps<V: VectorTypes>: Presence {
    /// Returns the first `LANES` of `bytes`, with zeros after them if there are fewer.
    fn load_first(self, token: V::Token, bytes: &[u8]) -> V;

    /// Writes the first `n` lanes to the front of `dst`, and nothing else, always by a mask. Panics
    /// if `dst` is shorter.
    fn store_first(self, vector: V, n: usize, dst: &mut [MaybeUninit<u8>]);

    /// Interleaves the lanes of both: `lead[i]`, if it is at least `least`, and then `last[i]`. The
    /// first vector has the first half of the lanes, the second one the second half. The lanes
    /// after them are unspecified.
    #[cfg(avx512)]
    fn joined_after_lead(self, lead: V, last: V, least: u8) -> [V; 2];

    /// Writes each byte as a 16-bit lane, in this byte order, from lane `at` of `dst`
    /// on.
    fn store_widened_as(self, bytes: V, order: &ByteOrder, dst: &mut [MaybeUninit<u8>], at: usize);

    /// Writes units below 0x800 as UTF-8 to the front of `dst`: one byte or two for each, and
    /// what `dst` holds of 64. Returns the number of bytes of the units, which may be more.
    fn write_below_800(self, units: V, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Writes units that are no surrogates, except the first `done`, fewer than all, as UTF-8 to
    /// the front of `dst`: one to three bytes for each, and what `dst` holds of 128. Returns the
    /// number of bytes of the units, which may be more than `dst` holds.
    fn write_units(self, units: V, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Writes the characters in 32-bit lanes, except the first `done`, fewer than all, as UTF-8 to
    /// the front of `dst`: what `dst` holds of 64 bytes. Returns the number of bytes of the
    /// characters, which may be more than `dst` holds.
    fn write_characters(self, characters: V, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Writes units in the byte order `order` as UTF-32 to the front of `dst`, low byte first.
    /// Returns the units that end a character: all except high surrogates. Returns `None` if there
    /// is an unpaired surrogate. `before` are the units before each of `units`, and `cut` is true
    /// if the first of these is a high surrogate. As much of `dst` may be overwritten as all units
    /// would need.
    fn write_code_points(
        self,
        units: V,
        before: V,
        order: &'static UnitOrder,
        cut: bool,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<u32>;

    /// Writes the characters in 32-bit lanes as UTF-16 in the byte order `order` to the front of
    /// `dst`: what it holds of 64 bytes. Returns the number of bytes of the characters, which
    /// may be more than `dst` holds.
    fn write_utf16(self, characters: V, order: &ByteOrder, dst: &mut [MaybeUninit<u8>]) -> usize;
}

/// Lookups in tables of 64 bytes. A set that has them also [loads by masks](MaskedOps).
pub(crate) trait LookUpOps<V: VectorTypes>: MaskedOps<V> {
    /// Lane `i` becomes `table[bytes[i] >> 2]`.
    fn looked_up(self, bytes: V, table: &'static [u8; 64]) -> V;

    /// Returns the bytes of `table` at the numbers of leading zeros of the 32-bit lanes of four
    /// vectors, in any order.
    fn by_leading_zeros(self, lanes: [V; 4], table: &'static [u8; 64]) -> V;
}

/// Bits of a text, looked up by the offsets of its bytes. An offset is a lane of 32 bits.
#[cfg(feature = "columns")]
pub(crate) trait OffsetOps<V: VectorTypes>: Presence {
    /// Returns the first `LANES / 4` of `offsets` minus `from`, modulo 2^32. Panics if there are
    /// fewer.
    fn offsets32(self, token: V::Token, offsets: &[i32], from: i32) -> V;

    /// [`offsets32`](Self::offsets32) for 64-bit offsets, with the lanes in any order.
    fn offsets64(self, token: V::Token, offsets: &[i64], from: i64) -> V;

    /// Bit 0 of each lane becomes the bit of `bits` that the lane of `offsets` numbers, modulo
    /// `8 * LANES`. The other bits are unspecified.
    fn bits_at(self, bits: V, offsets: V) -> V;
}

impl<V: VectorTypes> FourByteOps<V> for Absent {
    fn continuation_but_fourth(self, _: V::Token, _: V, _: V) -> V::Mask {
        match self {}
    }

    fn to_utf16(self, _: V::Token, _: &[u8; 64], _: bool, _: &mut [MaybeUninit<u8>; 64]) -> usize {
        match self {}
    }

    fn to_utf32(self, _: V::Token, _: &[u8; 64], _: &mut [MaybeUninit<u8>; 64]) -> usize {
        match self {}
    }
}

impl<V: VectorTypes> DeinterleavedOps<V> for Absent {
    fn deinterleaved(self, _: [V; 2]) -> [V; 2] {
        match self {}
    }

    fn largest(self, _: V) -> u8 {
        match self {}
    }

    fn have_surrogates(self, _: [V; 2]) -> bool {
        match self {}
    }

    fn write_below_800(self, _: [V; 2], _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_characters(self, _: [V; 2], _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_pairs(self, _: [V; 2], _: [V; 2], _: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match self {}
    }

    fn write_only_pairs(self, _: V::Token, _: &[u8; 64], _: &mut [MaybeUninit<u8>; 64]) -> usize {
        match self {}
    }
}

impl<V: VectorTypes> MaskedOps<V> for Absent {
    fn load_first(self, _: V::Token, _: &[u8]) -> V {
        match self {}
    }

    fn store_first(self, _: V, _: usize, _: &mut [MaybeUninit<u8>]) {
        match self {}
    }

    #[cfg(avx512)]
    fn joined_after_lead(self, _: V, _: V, _: u8) -> [V; 2] {
        match self {}
    }

    fn store_widened_as(self, _: V, _: &ByteOrder, _: &mut [MaybeUninit<u8>], _: usize) {
        match self {}
    }

    fn write_below_800(self, _: V, _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_units(self, _: V, _: usize, _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_characters(self, _: V, _: usize, _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_code_points(
        self,
        _: V,
        _: V,
        _: &'static UnitOrder,
        _: bool,
        _: &mut [MaybeUninit<u8>],
    ) -> Option<u32> {
        match self {}
    }

    fn write_utf16(self, _: V, _: &ByteOrder, _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }
}

impl<V: VectorTypes> LookUpOps<V> for Absent {
    fn looked_up(self, _: V, _: &'static [u8; 64]) -> V {
        match self {}
    }

    fn by_leading_zeros(self, _: [V; 4], _: &'static [u8; 64]) -> V {
        match self {}
    }
}

#[cfg(feature = "columns")]
impl<V: VectorTypes> OffsetOps<V> for Absent {
    fn offsets32(self, _: V::Token, _: &[i32], _: i32) -> V {
        match self {}
    }

    fn offsets64(self, _: V::Token, _: &[i64], _: i64) -> V {
        match self {}
    }

    fn bits_at(self, _: V, _: V) -> V {
        match self {}
    }
}
