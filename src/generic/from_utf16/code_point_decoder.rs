//! Decodes UTF-16 to code points. The types of this module hold the constants of a step in
//! registers. There is separate code for units without surrogates, for any units, and for blocks
//! that consist of surrogate pairs.
//!
//! The code point of a pair is computed in the lane of the low surrogate, from a vector and the
//! vector that begins one unit earlier: see [`to_utf32`](super::to_utf32).

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::generic::from_utf16::check::{boundary, splits_no_pair};
use crate::generic::from_utf16::surrogate_free::SurrogateSearch;
use crate::tables::{Lanes, UnitOrder};

/// The number of vectors in a block.
pub(super) const BLOCK_VECTORS: usize = 4;

/// The number of output bytes of the largest vector.
const VECTOR_OUTPUT_BYTES: usize = 128;

/// The constants for units without surrogates, in registers.
pub(super) struct Widener<V: Lanes16> {
    order: &'static UnitOrder,
    pub(super) token: V::Token,
    search: SurrogateSearch<V>,
    /// The shuffle rows that widen units.
    wider: [V; 2],
}

impl<V: Lanes32> Widener<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let load = |lanes: &'static Lanes| V::load(token, lanes, 0);
        Self {
            order,
            token,
            search: SurrogateSearch::new(order, token),
            wider: [load(&order.wider[0]), load(&order.wider[1])],
        }
    }

    /// Converts blocks up to the first block with surrogates. The last block ends at the end of the
    /// text and overlaps the block before it. Returns the number of bytes read. Callers guarantee:
    /// the text has at least one block, and `dst` has capacity for its whole output.
    #[inline(always)]
    pub(super) fn blocks(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let block_bytes = BLOCK_VECTORS * V::LANES;
        let mut read = 0;
        for (from, out) in text.chunks_exact(block_bytes).zip(dst.chunks_exact_mut(2 * block_bytes))
        {
            if !self.block(from, out) {
                return read;
            }
            read += block_bytes;
        }
        let last = text.len() - block_bytes;
        if read == text.len() || self.block(&text[last..], &mut dst[2 * last..]) {
            return text.len();
        }
        read
    }

    /// Converts the first block of `text` if it has no surrogates. Returns true if the block was
    /// converted.
    #[inline(always)]
    fn block(&self, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = load_four::<V>(self.token, text);
        if self.any_surrogate(units) {
            return false;
        }
        self.widen_four(units, out);
        true
    }

    /// Converts a text of one to four vectors if it has no surrogates. The converted vectors may
    /// overlap. Returns true if the text was converted.
    #[inline(always)]
    pub(super) fn convert_few_vectors(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        let last = text.len() - V::LANES;
        self.convert_two_vectors(text, [0, last], dst)
            && (text.len() <= 2 * V::LANES
                || self.convert_two_vectors(text, [V::LANES, last - V::LANES], dst))
    }

    /// Converts the two vectors at `offsets` if they have no surrogates. Returns true if they were
    /// converted.
    #[inline(always)]
    pub(super) fn convert_two_vectors(
        &self,
        text: &[u8],
        offsets: [usize; 2],
        dst: &mut [MaybeUninit<u8>],
    ) -> bool {
        let units = [V::load(self.token, text, offsets[0]), V::load(self.token, text, offsets[1])];
        if self.surrogates(units[0]).or(self.surrogates(units[1])).any() {
            return false;
        }
        self.widen(units[0], dst, offsets[0] / 2);
        self.widen(units[1], dst, offsets[1] / 2);
        true
    }

    /// Writes units without surrogates to `out`, from output unit `at` on.
    #[inline(always)]
    pub(super) fn widen(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_widened16_to_32_bits(self.wider, out, at);
    }

    /// Writes a block without surrogates.
    #[inline(always)]
    pub(super) fn widen_four(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) {
        let out = &mut out[..2 * BLOCK_VECTORS * V::LANES];
        let mut k = 0;
        while k < BLOCK_VECTORS {
            self.widen(units[k], out, k * V::LANES / 2);
            k += 1;
        }
    }

    /// Returns a mask of the lanes that are surrogates. For one or two vectors, this needs one
    /// instruction less than a [search](SurrogateSearch).
    #[inline(always)]
    fn surrogates(&self, units: V) -> V {
        let lanes = |lanes: &'static Lanes| V::load(self.token, lanes, 0);
        units.and(lanes(&self.order.top)).equal16(lanes(&self.order.surrogate))
    }

    /// Returns true if a vector has surrogates. This function is for code that has few registers
    /// left.
    #[inline(always)]
    pub(super) fn has_surrogate(&self, units: V) -> bool {
        match V::LANES {
            16 => self.surrogates(units).any(),
            _ => self.search.has_surrogates_among(self.search.lifted(units)),
        }
    }

    /// Returns true if a block has surrogates.
    #[inline(always)]
    pub(super) fn any_surrogate(&self, units: [V; 4]) -> bool {
        let least = |k: usize| self.search.lifted(units[k]).min(self.search.lifted(units[k + 1]));
        self.search.has_surrogates_among(least(0).min(least(2)))
    }
}

/// Returns the four vectors of the first block of `text`.
#[inline(always)]
pub(super) fn load_four<V: Lanes32>(token: V::Token, text: &[u8]) -> [V; 4] {
    let block = &text[..BLOCK_VECTORS * V::LANES];
    [
        V::load(token, block, 0),
        V::load(token, block, V::LANES),
        V::load(token, block, 2 * V::LANES),
        V::load(token, block, 3 * V::LANES),
    ]
}

/// The constants of a conversion, in registers.
pub(super) struct CodePointDecoder<V: Lanes16> {
    pub(super) order: &'static UnitOrder,
    pub(super) token: V::Token,
    pub(super) widener: Widener<V>,
}

impl<V: Lanes32> CodePointDecoder<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self { order, token, widener: Widener::new(order, token) }
    }

    /// Returns a vector of the units before each of `units`, which begin at byte `at` of `text`.
    #[inline(always)]
    pub(super) fn units_before(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shift_in_zeros::<2>(),
            _ => V::load(self.token, text, at - 2),
        }
    }

    /// Loads vector `k` of the block at `at`. With vectors of more than 16 bytes, the bounds are
    /// tested once for each block. With vectors of 16 bytes, this would need too many registers.
    #[inline(always)]
    fn load_vector_of_block(&self, text: &[u8], at: usize, k: usize) -> V {
        match V::LANES {
            16 => V::load(self.token, text, at + k * V::LANES),
            _ => V::load(self.token, &text[at..at + BLOCK_VECTORS * V::LANES], k * V::LANES),
        }
    }

    /// Returns a vector of the units before each of `units`, which are vector `k` of the block at
    /// byte `at`.
    #[inline(always)]
    fn units_before_in_block(&self, text: &[u8], at: usize, k: usize, units: V) -> V {
        match k {
            1.. if V::LANES > 16 => {
                let block = &text[at..at + BLOCK_VECTORS * V::LANES];
                V::load(self.token, block, k * V::LANES - 2)
            }
            _ => self.units_before(text, at + k * V::LANES, units),
        }
    }

    /// Converts a block that consists of surrogate pairs, in 32-bit lanes. The block begins at
    /// `at`, or one unit earlier if `at` splits a pair. Returns the start of the block, or `None`
    /// if the block contains other characters.
    #[inline(always)]
    pub(super) fn convert_block_of_pairs(
        &self,
        text: &[u8],
        at: usize,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let start = boundary(self.order, text, at);
        let block = text.get(start..start + BLOCK_VECTORS * V::LANES)?;
        let straight = V::load(self.token, &self.order.straight, 0);
        let (mask, pair) =
            (V::splat32(self.token, 0xFC00_FC00), V::splat32(self.token, 0xDC00_D800));
        let mut other = V::splat(self.token, 0);
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            other = other.or(lanes.and(mask).xor(pair));
            k += 1;
        }
        if other.any() {
            return None;
        }
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let lanes = V::load(self.token, block, k * V::LANES).picked(straight);
            let high = lanes.shl32::<10>().and(V::splat32(self.token, 0x000F_FC00));
            // Removes 0xDC00 of the low surrogate and adds 0x10000.
            let low = lanes.shr32::<16>().add32(V::splat32(self.token, 0x1_0000 - 0xDC00));
            high.add32(low).store_bytes(out, k * V::LANES);
            k += 1;
        }
        Some(start)
    }

    /// Converts a block with surrogates. `high_before` is described at
    /// [`write_vector`](Self::write_vector). Returns the number of bytes written, or `None` if a
    /// surrogate is unpaired.
    #[inline(always)]
    pub(super) fn convert_block_with_pairs(
        &self,
        text: &[u8],
        at: usize,
        high_before: &mut bool,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut written = 0;
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let units = self.load_vector_of_block(text, at, k);
            let before = self.units_before_in_block(text, at, k, units);
            written += self.write_vector(
                units,
                before,
                high_before,
                &mut out[written..written + 2 * V::LANES],
            )?;
            k += 1;
        }
        // With masked stores, `high_before` tells whether the block ends with a high surrogate. Few
        // blocks do, so the next unit is rarely loaded.
        let is_complete = V::Masked::PRESENT && !*high_before;
        (is_complete || splits_no_pair(self.order, text, at + BLOCK_VECTORS * V::LANES))
            .then_some(written)
    }

    /// [`convert_block_with_pairs`](Self::convert_block_with_pairs) for few surrogates: vectors
    /// without surrogates are only widened.
    #[inline(always)]
    pub(super) fn convert_block_with_few_pairs(
        &self,
        text: &[u8],
        at: usize,
        high_before: &mut bool,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut written = 0;
        let mut k = 0;
        while k < BLOCK_VECTORS {
            let units = self.load_vector_of_block(text, at, k);
            let before = |k| self.units_before_in_block(text, at, k, units);
            let out = &mut out[written..written + 2 * V::LANES];
            if self.widener.has_surrogate(units) {
                written += self.write_vector(units, before(k), high_before, out)?;
            } else if *high_before {
                return None;
            } else {
                self.widener.widen(units, out, 0);
                written += 2 * V::LANES;
            }
            k += 1;
        }
        splits_no_pair(self.order, text, at + BLOCK_VECTORS * V::LANES).then_some(written)
    }

    /// Converts a vector of a block. `high_before` is true if a high surrogate is before the
    /// vector. It becomes true if the vector ends with a high surrogate, else false. Returns the
    /// number of bytes written, or `None` if a surrogate is unpaired.
    #[inline(always)]
    fn write_vector(
        &self,
        units: V,
        before: V,
        high_before: &mut bool,
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let keep = if let Some(ops) = V::Masked::OPS {
            ops.write_code_points(units, before, self.order, *high_before, out)?
        } else {
            let output = self.decode_vector(units, before)?;
            output.store(out);
            output.keep
        };
        // The last unit is not kept if it is a high surrogate.
        *high_before = keep >> (V::LANES / 2 - 1) == 0;
        Some(4 * keep.count_ones() as usize)
    }

    /// Returns the output of a vector, or `None` if a surrogate is unpaired. Each lane of `before`
    /// holds the unit before the unit in `units`.
    #[inline(always)]
    pub(super) fn decode_vector(&self, units: V, before: V) -> Option<VectorOutput<V>> {
        let straight = V::load(self.token, &self.order.straight, 0);
        let (units, before) = (units.picked(straight), before.picked(straight));
        let mask = V::splat16(self.token, 0xFC00);
        let (high, low) = (V::splat16(self.token, 0xD800), V::splat16(self.token, 0xDC00));
        let after_high = before.and(mask).equal16(high);
        let is_low = units.and(mask).equal16(low);
        if is_low.xor(after_high).any() {
            return None;
        }
        let low = units.and(V::splat16(self.token, 0x03FF)).or(before.shl16::<10>());
        let upper = before
            .shr16::<6>()
            .and(V::splat16(self.token, 0x000F))
            .add16(V::splat16(self.token, 1));
        let is_high = units.and(mask).equal16(high);
        let all = u32::MAX >> (32 - V::LANES / 2);
        Some(VectorOutput {
            low: is_low.select(low, units),
            upper: is_low.and(upper),
            keep: !(V::bits16(is_high, V::splat(self.token, 0)) as u32) & all,
        })
    }
}

/// The output of a vector.
pub(super) struct VectorOutput<V> {
    /// The lower 16 bits of the code point that ends at each unit.
    low: V,
    /// The upper 16 bits of the code point.
    upper: V,
    /// A mask of the units that end a character.
    keep: u32,
}

impl<V: Lanes32> VectorOutput<V> {
    /// Returns the number of characters that end in the first `input_len` bytes of the vector.
    #[inline(always)]
    pub(super) fn count_characters(&self, input_len: usize) -> usize {
        (self.keep & V::first_bits(input_len / 2) as u32).count_ones() as usize
    }

    /// Writes the code points of the units in `keep`. May overwrite as many bytes of `out` as the
    /// output of all units would need.
    #[inline(always)]
    fn store(&self, out: &mut [MaybeUninit<u8>]) {
        V::store_joined_kept(self.low, self.upper, self.keep, out);
    }

    /// Writes the output of the first `input_len` bytes of the vector. Returns the number of bytes
    /// written, or `None` if the output does not fit.
    #[inline(always)]
    pub(super) fn write(&self, input_len: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = 4 * self.count_characters(input_len);
        if let Some(out) = dst.get_mut(..2 * V::LANES) {
            self.store(out);
            return Some(len);
        }
        let to = dst.get_mut(..len)?;
        let mut bounce = [MaybeUninit::uninit(); VECTOR_OUTPUT_BYTES];
        self.store(&mut bounce[..2 * V::LANES]);
        copy_short(to, &bounce[..len]);
        Some(len)
    }
}
