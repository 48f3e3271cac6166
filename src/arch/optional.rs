//! Operations that only some instruction sets have, in four groups. Each group is a trait.
//!
//! A vector names a type for each group: [`Present`] if its instruction set has the operations,
//! else [`Absent`]. Generic code matches on [`Presence::OPS`] and calls the operations on its
//! value. There is no value of [`Absent`], so no operation of an absent group can be called, and
//! the compiler removes the branch.

use core::mem::MaybeUninit;

use crate::arch::vector_types::VectorTypes;
use crate::tables::{ByteOrder, UnitOrder};

/// Says whether an instruction set has the operations of a group.
pub(crate) trait Presence: Copy {
    /// The operations of the group, if the instruction set has them.
    const OPS: Option<Self>;

    /// True if the instruction set has the operations.
    const PRESENT: bool = Self::OPS.is_some();
}

/// The operations of a group that an instruction set has.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(any(avx512, vectors = "neon")),
    allow(dead_code, reason = "the other instruction sets have none of these operations")
)]
pub(crate) struct Present;

/// The operations of a group that an instruction set lacks. This type has no values.
#[derive(Clone, Copy)]
pub(crate) enum Absent {}

impl Presence for Present {
    const OPS: Option<Self> = Some(Self);
}

impl Presence for Absent {
    const OPS: Option<Self> = None;
}

/// Conversion of UTF-16 to UTF-8 in deinterleaved vectors: two vectors of units become a vector of
/// their lower bytes and a vector of their upper bytes.
pub(crate) trait DeinterleavedOps<V: VectorTypes>: Presence {
    /// Returns the lower bytes and the upper bytes of two vectors of units.
    fn deinterleaved(self, units: [V; 2]) -> [V; 2];

    /// Returns the largest lane.
    fn largest(self, bytes: V) -> u8;

    /// Returns true if any of the deinterleaved units is a surrogate.
    fn have_surrogates(self, units: [V; 2]) -> bool;

    /// Writes deinterleaved units below 0x800 as UTF-8 to the front of `dst` and returns the number
    /// of bytes. May overwrite four bytes of `dst` for each unit.
    fn write_below_0x800(self, units: [V; 2], dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Like [`write_below_0x800`](Self::write_below_0x800), for any units except surrogates.
    fn write_characters(self, units: [V; 2], dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Like [`write_below_0x800`](Self::write_below_0x800), for any units. Each surrogate of a pair
    /// becomes two bytes. The last lanes of `previous` hold the unit before the first unit, or any
    /// unit that is not a surrogate. Returns `None` if there is an unpaired surrogate; a high
    /// surrogate at the end does not count as unpaired.
    fn write_pairs(
        self,
        units: [V; 2],
        previous: [V; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize>;
}

/// Masked loads and stores.
///
/// An instruction set that has these operations also stores whole vectors with masks. If `dst` is
/// too short, some operations drop the bytes after its end instead of panicking: `store_bytes`, the
/// operations that keep some lanes, the operations that widen lanes, and for 16-bit lanes
/// `store_narrowed` and `write_up_to_three_bytes`.
pub(crate) trait MaskedOps<V: VectorTypes>: Presence {
    /// Loads the first `LANES` bytes of `bytes`. If `bytes` is shorter, the other lanes are zero.
    fn load_first(self, token: V::Token, bytes: &[u8]) -> V;

    /// Writes exactly the first `n` lanes to the front of `dst`, always by a mask. Panics if `dst`
    /// is shorter than `n` bytes.
    fn store_first(self, vector: V, n: usize, dst: &mut [MaybeUninit<u8>]);

    /// Interleaves `lead` and `last`, and drops each `lead[i]` that is below `least`. The first
    /// half of the lanes gives the first vector of the result, the second half the second vector.
    /// In both vectors, the lanes after the interleaved bytes are unspecified.
    #[cfg(any(avx512, feature = "code-pages"))]
    fn joined_after_lead(self, lead: V, last: V, least: u8) -> [V; 2];

    /// Writes each byte as a 16-bit unit in this byte order to `dst`, from unit `unit_at` on.
    fn store_widened_as(
        self,
        bytes: V,
        order: &ByteOrder,
        dst: &mut [MaybeUninit<u8>],
        unit_at: usize,
    );

    /// Converts units below 0x800 to UTF-8, one or two bytes for each, and writes as many of these
    /// bytes to the front of `dst` as fit. Returns the length of the UTF-8 in bytes, which may be
    /// greater than `dst.len()`. May overwrite the first 64 bytes of `dst`.
    fn write_below_0x800(self, units: V, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Like [`write_below_0x800`](Self::write_below_0x800), for any units except surrogates, one to
    /// three bytes for each. Leaves out the first `done` units; `done` is less than the number of
    /// units. May overwrite the first 128 bytes of `dst`.
    fn write_units(self, units: V, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Like [`write_below_0x800`](Self::write_below_0x800), for characters in 32-bit lanes. Leaves
    /// out the first `done` characters; `done` is less than the number of characters.
    fn write_characters(self, characters: V, done: usize, dst: &mut [MaybeUninit<u8>]) -> usize;

    /// Converts units in the byte order `order` to UTF-32, low byte first, and writes it to the
    /// front of `dst`. Lane `i` of `before` is the unit before lane `i` of `units`, and
    /// `after_high` is true if the first of `before` is a high surrogate. Returns a bit for each
    /// unit that ends a character: for all units except high surrogates. Returns `None` if there is
    /// an unpaired surrogate; a high surrogate at the end does not count as unpaired. May overwrite
    /// four bytes of `dst` for each unit.
    fn write_code_points(
        self,
        units: V,
        before: V,
        order: &'static UnitOrder,
        after_high: bool,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<u32>;

    /// Converts the characters in 32-bit lanes to UTF-16 in the byte order `order`, and writes as
    /// many of its bytes to the front of `dst` as fit. Returns the length of the UTF-16 in bytes,
    /// which may be greater than `dst.len()`. May overwrite the first 64 bytes of `dst`.
    fn write_utf16(self, characters: V, order: &ByteOrder, dst: &mut [MaybeUninit<u8>]) -> usize;
}

/// Lookups in tables of 64 bytes. An instruction set that has these lookups also [loads by
/// masks](MaskedOps).
pub(crate) trait LookUpOps<V: VectorTypes>: MaskedOps<V> {
    /// Lane `i` becomes `table[bytes[i] >> 2]`.
    fn looked_up(self, bytes: V, table: &'static [u8; 64]) -> V;

    /// Counts the leading zeros of each 32-bit lane of four vectors, and returns the byte of
    /// `table` at each count, in any order.
    fn by_leading_zeros(self, lanes: [V; 4], table: &'static [u8; 64]) -> V;
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

    fn write_below_0x800(self, _: [V; 2], _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_characters(self, _: [V; 2], _: &mut [MaybeUninit<u8>]) -> usize {
        match self {}
    }

    fn write_pairs(self, _: [V; 2], _: [V; 2], _: &mut [MaybeUninit<u8>]) -> Option<usize> {
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

    #[cfg(any(avx512, feature = "code-pages"))]
    fn joined_after_lead(self, _: V, _: V, _: u8) -> [V; 2] {
        match self {}
    }

    fn store_widened_as(self, _: V, _: &ByteOrder, _: &mut [MaybeUninit<u8>], _: usize) {
        match self {}
    }

    fn write_below_0x800(self, _: V, _: &mut [MaybeUninit<u8>]) -> usize {
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
