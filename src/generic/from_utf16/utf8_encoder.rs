//! Encodes UTF-16 as UTF-8. This module has the constants of a step, in registers, and the code for
//! each class of units.
//!
//! The UTF-8 bytes of a unit are numbered from the last byte: byte 0 is the last byte, byte 1 is
//! the byte before byte 0, and byte 2 is the byte before byte 1. See [`to_utf8`](super::to_utf8)
//! for their bits.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::{MaskedOps, Presence};
use crate::generic::from_utf16::check::splits_no_pair;
use crate::tables::Order;

/// The number of output bytes that the largest vector may overwrite: three for each unit, and the
/// bytes that the last store writes after them.
pub(crate) const ENCODER_OUTPUT_BYTES: usize = 128;

/// The constants of a conversion, in registers.
pub(crate) struct UnitEncoder<V: Lanes16> {
    pub(crate) token: V::Token,
    pub(crate) zero: V,
    /// The bits that ASCII lacks.
    pub(crate) above_ascii: V,
    /// The bits that no unit below 0x800 has, and that identify surrogates.
    pub(crate) top_mask: V,
    /// The value of the bits of `top_mask` in a surrogate.
    pub(crate) surrogate: V,
    /// The mask of the lower six bits of byte 0.
    low6: V,
    /// The mask of the lower six bits of byte 1.
    mid6: V,
    /// The tag bits of bytes 0 and 1 if both are continuation bytes.
    continued: V,
}

impl<V: Lanes16> UnitEncoder<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            token,
            zero: V::splat(token, 0),
            above_ascii: V::splat16(token, 0xFF80),
            top_mask: V::splat16(token, 0xF800),
            surrogate: V::splat16(token, 0xD800),
            low6: V::splat16(token, 0x003F),
            mid6: V::splat16(token, 0x3F00),
            continued: V::splat16(token, 0x8080),
        }
    }

    /// Loads a vector of units at byte `at`, and returns it in the byte order of the machine.
    #[inline(always)]
    pub(crate) fn load<O: Order>(&self, text: &[u8], at: usize) -> V {
        V::load(self.token, text, at).swap_bytes16_if_big::<O>()
    }

    /// Loads two vectors, beginning at byte `at`, in the byte order of the machine.
    #[inline(always)]
    pub(crate) fn load_two<O: Order>(&self, text: &[u8], at: usize) -> [V; 2] {
        [self.load::<O>(text, at), self.load::<O>(text, at + V::LANES)]
    }

    /// Returns a vector of which every lane is `unit`.
    #[inline(always)]
    pub(crate) fn splat(&self, unit: u16) -> V {
        V::splat16(self.token, unit)
    }

    /// Returns two masks for each vector: of the lanes below 0x800, and of the surrogates.
    #[inline(always)]
    pub(crate) fn below_and_surrogate_masks(&self, units: [V; 2]) -> ([V; 2], [V; 2]) {
        let top_bits = [units[0].and(self.top_mask), units[1].and(self.top_mask)];
        let below_0x800 = [top_bits[0].equal16(self.zero), top_bits[1].equal16(self.zero)];
        (below_0x800, [top_bits[0].equal16(self.surrogate), top_bits[1].equal16(self.surrogate)])
    }

    /// Writes the ASCII prefix of `text`, as far as it fits into `dst`: all of `text`, or whole
    /// blocks. `text` is at least a step long. Returns the number of units written.
    #[inline(always)]
    pub(crate) fn ascii_prefix<O: Order>(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let run = self.ascii_run::<O>(text, dst);
        let (step, rest) = (2 * V::LANES, text.len() - 2 * run);
        let Some(out) = dst.get_mut(..text.len() / 2) else { return run };
        // Two steps cover the rest. The second step ends with the text and may overlap the first.
        if rest > 2 * step {
            return run;
        }
        let last = text.len() - step;
        let offsets = [if rest > step { 2 * run } else { last }, last];
        let steps = [self.load_two::<O>(text, offsets[0]), self.load_two::<O>(text, offsets[1])];
        let all = steps[0][0].or(steps[0][1]).or(steps[1][0].or(steps[1][1]));
        if all.and(self.above_ascii).any() {
            return run;
        }
        for k in 0..2 {
            let out = &mut out[offsets[k] / 2..offsets[k] / 2 + V::LANES];
            V::narrow(steps[k][0], steps[k][1]).store_bytes(out, 0);
        }
        text.len() / 2
    }

    /// Writes an ASCII run: whole blocks, and the ASCII vectors at the start of the block after
    /// them. Returns the number of units written.
    #[inline(always)]
    pub(crate) fn ascii_run<O: Order>(&self, text: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        // One test covers the high bits of all units of a block.
        let blocks = text.chunks_exact(4 * V::LANES);
        for (window, out) in blocks.zip(dst.chunks_exact_mut(2 * V::LANES)) {
            let units = [
                self.load::<O>(window, 0),
                self.load::<O>(window, V::LANES),
                self.load::<O>(window, 2 * V::LANES),
                self.load::<O>(window, 3 * V::LANES),
            ];
            let all = units[0].or(units[1]).or(units[2].or(units[3]));
            if all.and(self.above_ascii).any() {
                if !V::Masked::PRESENT && !V::Deinterleaved::PRESENT {
                    run += self.write_leading_ascii(units, out);
                }
                break;
            }
            V::narrow(units[0], units[1]).store_bytes(out, 0);
            V::narrow(units[2], units[3]).store_bytes(out, V::LANES);
            run += 2 * V::LANES;
        }
        run
    }

    /// Writes the ASCII vectors at the start of a block that also has other units. The next step
    /// begins after these vectors. Returns the number of units written.
    ///
    /// This function branches: if it computed the number without branches, the next load would have
    /// to wait for the number. Without it, pages take a tenth longer, for as many instructions.
    #[inline(always)]
    fn write_leading_ascii(&self, units: [V; 4], out: &mut [MaybeUninit<u8>]) -> usize {
        if !units[0].or(units[1]).and(self.above_ascii).any() {
            V::narrow(units[0], units[1]).store_bytes(out, 0);
            if units[2].and(self.above_ascii).any() {
                return V::LANES;
            }
            units[2].store_narrowed(out, V::LANES);
            return V::LANES + V::LANES / 2;
        }
        if units[0].and(self.above_ascii).any() {
            return 0;
        }
        units[0].store_narrowed(out, 0);
        V::LANES / 2
    }

    /// Writes units below 0x800. Returns the number of bytes written.
    #[inline(always)]
    pub(crate) fn narrow(&self, units: [V; 2], out: &mut [MaybeUninit<u8>]) -> usize {
        if let Some(ops) = V::Masked::OPS {
            let first_len = ops.write_below_0x800(units[0], &mut out[..V::LANES]);
            let out = &mut out[first_len..first_len + V::LANES];
            return first_len + ops.write_below_0x800(units[1], out);
        }
        let (first, second) = (self.narrow_bytes(units[0]), self.narrow_bytes(units[1]));
        V::write_up_to_two_bytes([first.0, second.0], [first.1, second.1], out)
    }

    /// Returns bytes 0 and 1 of units below 0x800, and the mask of the lanes that need both bytes.
    #[inline(always)]
    pub(crate) fn narrow_bytes(&self, units: V) -> (V, V) {
        let twos = units.above16_signed(self.splat(0x7F));
        let low = units.and(self.low6);
        let high = units.shl16::<2>().and(self.splat(0x1F00));
        (twos.select(low.or(high).or(self.splat(0xC080)), units), twos)
    }

    /// Returns bytes 0 and 1 of each unit, both as continuation bytes.
    #[inline(always)]
    pub(crate) fn continuations(&self, units: V) -> V {
        let low = units.and(self.low6);
        let middle = units.shl16::<2>().and(self.mid6);
        low.or(middle).or(self.continued)
    }

    /// Returns byte 2 of each unit.
    #[inline(always)]
    pub(crate) fn lead(&self, units: V) -> V {
        units.shr16::<12>().or(self.splat(0xE0))
    }

    /// Writes units that all have three bytes in UTF-8 to `out`, from byte `at` on.
    #[inline(always)]
    pub(crate) fn three_byte(&self, units: V, out: &mut [MaybeUninit<u8>], at: usize) {
        V::write_three_byte(self.continuations(units), self.lead(units), out, at);
    }

    /// Does the same as [`write_bmp`](Self::write_bmp), but faster if all units are ASCII.
    #[inline(always)]
    pub(crate) fn wide_or_ascii(
        &self,
        units: V,
        below_0x800: V,
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        if units.and(self.above_ascii).any() {
            return self.write_bmp(units, below_0x800, out);
        }
        units.store_narrowed(out, 0);
        V::LANES / 2
    }

    /// Writes units that are not surrogates, one to three bytes for each. `below_0x800` is the mask
    /// of the lanes below 0x800. Returns the number of bytes written.
    #[inline(always)]
    pub(crate) fn write_bmp(&self, units: V, below_0x800: V, out: &mut [MaybeUninit<u8>]) -> usize {
        if let Some(ops) = V::Masked::OPS {
            return ops.write_units(units, 0, out);
        }
        let length_bits = self.length_bits(units, below_0x800);
        V::write_up_to_three_bytes(
            self.bytes(units, below_0x800),
            self.lead(units),
            length_bits,
            out,
        )
    }

    /// Returns bytes 0 and 1 of units that are not surrogates. `below_0x800` is the mask of the
    /// lanes below 0x800.
    #[inline(always)]
    pub(crate) fn bytes(&self, units: V, below_0x800: V) -> V {
        let ascii = units.and(self.above_ascii).equal16(self.zero);
        let two_byte_lead = below_0x800.and(self.splat(0x4000));
        ascii.select(units, self.continuations(units).or(two_byte_lead))
    }

    /// Returns two bits for each unit. The first bit is set if the unit has more than one byte in
    /// UTF-8, the second bit if it has more than two. `below_0x800` is the mask of the lanes that
    /// have at most two bytes.
    #[inline(always)]
    pub(crate) fn length_bits(&self, units: V, below_0x800: V) -> u64 {
        let ascii = units.and(self.above_ascii).equal16(self.zero);
        !self.splat(0x00FF).select(ascii, below_0x800).bits8() & (u64::MAX >> (64 - V::LANES))
    }

    /// Writes a step that has surrogates: the two vectors `units` at byte `at` of `text`.
    /// `below_0x800` and `surrogates` are the masks from
    /// [`below_and_surrogate_masks`](Self::below_and_surrogate_masks). Returns the number of bytes
    /// written, or `None` if a surrogate is unpaired.
    #[inline(always)]
    pub(crate) fn pairs<O: Order>(
        &self,
        text: &[u8],
        at: usize,
        units: [V; 2],
        below_0x800: [V; 2],
        surrogates: [V; 2],
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        // This is not a loop over the two vectors: if a step takes many instructions, LLVM would
        // not unroll the loop, and would keep its values in memory.
        let first = self.find_surrogates(units[0], self.units_before::<O>(text, at, units[0]));
        let second = self.find_surrogates(units[1], self.load::<O>(text, at + V::LANES - 2));
        if first.wrong.or(second.wrong).any()
            || !splits_no_pair(O::units(), text, at + 2 * V::LANES)
        {
            return None;
        }
        // A vector of ASCII is only narrowed, because messages have few emoji. With masked stores,
        // the code for any units is hardly slower than narrowing.
        let is_ascii_fast = |units: V| !V::Masked::PRESENT && !units.and(self.above_ascii).any();
        let first_len = if is_ascii_fast(units[0]) {
            units[0].store_narrowed(out, 0);
            V::LANES / 2
        } else {
            self.write_vector_with_surrogates(units[0], below_0x800[0], surrogates[0], &first, out)
        };
        let out = &mut out[first_len..];
        if is_ascii_fast(units[1]) {
            units[1].store_narrowed(out, 0);
            return Some(first_len + V::LANES / 2);
        }
        let second_len = self.write_vector_with_surrogates(
            units[1],
            below_0x800[1],
            surrogates[1],
            &second,
            out,
        );
        Some(first_len + second_len)
    }

    /// Writes one vector of a step that has surrogates. Returns the number of bytes written.
    #[inline(always)]
    fn write_vector_with_surrogates(
        &self,
        units: V,
        below_0x800: V,
        surrogates: V,
        found: &VectorSurrogates<V>,
        out: &mut [MaybeUninit<u8>],
    ) -> usize {
        let bytes =
            self.encode_surrogates(self.bytes(units, below_0x800), units, surrogates, found);
        let length_bits = self.length_bits(units, below_0x800.or(surrogates));
        V::write_up_to_three_bytes(
            bytes,
            self.lead(units),
            length_bits,
            &mut out[..V::WIDE_STORE_CAPACITY],
        )
    }

    /// Returns the unit before each of `units`, which begin at byte `at` of `text`.
    #[inline(always)]
    pub(crate) fn units_before<O: Order>(&self, text: &[u8], at: usize, units: V) -> V {
        match at {
            0 => units.shift_in_zeros::<2>(),
            _ => self.load::<O>(text, at - 2),
        }
    }

    /// Returns the surrogates among `units`. Lane `i` of `before` is the unit before lane `i` of
    /// `units`.
    #[inline(always)]
    pub(crate) fn find_surrogates(&self, units: V, before: V) -> VectorSurrogates<V> {
        let (mask, low_tag) = (self.splat(0xFC00), self.splat(0xDC00));
        let low = units.and(mask).equal16(low_tag);
        let after_high = before.and(mask).equal16(self.surrogate);
        VectorSurrogates { low, before, wrong: low.xor(after_high) }
    }

    /// Returns `bytes`, the result of [`bytes`](Self::bytes), with the right bytes for surrogates.
    /// `surrogates` is the mask of the surrogates.
    #[inline(always)]
    pub(crate) fn encode_surrogates(
        &self,
        bytes: V,
        units: V,
        surrogates: V,
        found: &VectorSurrogates<V>,
    ) -> V {
        // For a low surrogate, bits 4 and 5 of byte 1 come from the high surrogate before it.
        let from_high = found.before.shl16::<12>().and(self.splat(0x3000));
        let low = bytes.and(self.splat(0xCFFF)).or(from_high);
        // For a high surrogate, the code point without its lowest ten bits.
        let code_point_bits = units.and(self.splat(0x03FF)).add16(self.splat(0x40));
        let high = code_point_bits.and(self.splat(0x0700)).or(self.splat(0xF080));
        let high = high.or(code_point_bits.shr16::<2>().and(self.low6));
        surrogates.select(found.low.select(low, high), bytes)
    }
}

/// The surrogates in a vector.
pub(crate) struct VectorSurrogates<V> {
    /// The mask of the low surrogates.
    low: V,
    /// Lane `i` is the unit before lane `i` of the vector.
    before: V,
    /// The mask of the lanes with an error: low surrogates without a high surrogate before them,
    /// and other units after a high surrogate.
    pub(crate) wrong: V,
}
