//! Decodes UTF-16 to code points. [`CodePointDecoder`] holds the constants of a step in registers.
//! There is separate code for units without surrogates and for any units.
//!
//! The code point of a pair is computed in the lane of the low surrogate, from a vector and the
//! vector that begins one unit earlier: see [`to_utf32`](super::to_utf32).

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::lanes32::Lanes32;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::generic::from_utf16::check::splits_no_pair;
use crate::generic::from_utf16::surrogate_free::SurrogateSearch;
use crate::generic::vectors;
use crate::tables::{Lanes, UnitOrder};

/// The number of vectors in a block.
pub(super) const BLOCK_VECTORS: usize = 4;

/// The number of output bytes of the largest vector.
const VECTOR_OUTPUT_BYTES: usize = 128;

/// The constants of a conversion, in registers.
pub(super) struct CodePointDecoder<V: Lanes16> {
    pub(super) order: &'static UnitOrder,
    pub(super) token: V::Token,
    search: SurrogateSearch<V>,
    /// The shuffle rows that widen units.
    wider: [V; 2],
}

impl<V: Lanes32> CodePointDecoder<V> {
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

    /// Writes units without surrogates to `out`, from output unit `at` on.
    #[inline(always)]
    pub(super) fn widen(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        units.store_widened16_to_32_bits(self.wider, out, at);
    }

    /// Converts a text of one to two vectors, as two vectors that may overlap. Returns true if the
    /// text has no surrogates.
    #[inline(always)]
    pub(super) fn widen_head_and_tail(&self, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let last = text.len() - V::LANES;
        let units = [V::load(self.token, text, 0), V::load(self.token, text, last)];
        self.widen(units[0], out, 0);
        self.widen(units[1], out, last / 2);
        let least = self.search.lifted(units[0]).min(self.search.lifted(units[1]));
        !self.search.has_surrogates_among(least)
    }

    /// Converts blocks up to the first block with surrogates. Returns the number of bytes read.
    #[inline(always)]
    pub(super) fn widen_run(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let block_bytes = BLOCK_VECTORS * V::LANES;
        let mut run = 0;
        for (block, out) in
            text.chunks_exact(block_bytes).zip(dst.chunks_exact_mut(2 * block_bytes))
        {
            let units = vectors::load::<V, BLOCK_VECTORS>(self.token, block, 0);
            let least =
                |k: usize| self.search.lifted(units[k]).min(self.search.lifted(units[k + 1]));
            if self.search.has_surrogates_among(least(0).min(least(2))) {
                break;
            }
            let mut k = 0;
            while k < BLOCK_VECTORS {
                self.widen(units[k], out, k * V::LANES / 2);
                k += 1;
            }
            run += block_bytes;
        }
        run
    }

    /// Returns true if a vector has surrogates.
    #[inline(always)]
    pub(super) fn has_surrogate(&self, units: V) -> bool {
        self.search.has_surrogates_among(self.search.lifted(units))
    }

    /// Returns a vector of the units before each of `units`, which begin at byte `at` of `text`.
    #[inline(always)]
    pub(super) fn units_before(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shift_in_zeros::<2>(),
            _ => V::load(self.token, text, at - 2),
        }
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
            let units = V::load(self.token, text, at + k * V::LANES);
            let before = self.units_before(text, at + k * V::LANES, units);
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
