//! Converts UTF-16 to UTF-8 in single vectors, for short texts and for the end of a text.
//! With masked stores, this file also converts the whole steps without surrogates.
//!
//! 1. The last vector ends with the text and may overlap units that have been converted. Their
//!    output is written again.
//! 2. Find the class of the vector: ASCII, units below 0x800, no surrogates, or any units.
//! 3. Compute the bytes of each unit as in a [step](super::to_utf8), and write them.
//! 4. If `dst` has no capacity for a whole store, copy the output from a bounce buffer.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::window::copy_short;
use crate::encoding::types::Utf8;
use crate::generic::from_utf16::check::{splits_no_pair, whole_units};
use crate::generic::from_utf16::reference::resume;
use crate::generic::from_utf16::utf8_encoder::{ENCODER_OUTPUT_BYTES, UnitEncoder};
use crate::swar::words;
use crate::tables::Order;
use crate::types::progress::Reach;

/// The progress of the loop for whole steps.
pub(crate) struct LoopReach {
    pub(crate) reach: Reach,
    /// True if the next step is ill-formed.
    pub(crate) wrong: bool,
}

/// Converts single vectors up to the end of `text`. The last vector ends with the text and may
/// overlap the vector before it. If a vector is ill-formed or does not fit, `Err` holds the
/// progress so far.
#[inline(always)]
pub(crate) fn convert_tail<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Result<Reach, Reach> {
    while reach.read < text.len() {
        reach = convert_vector::<V, O>(encoder, text, dst, reach).ok_or(reach)?;
    }
    Ok(reach)
}

/// Converts the vector after `reach`, or the last vector of the text if less than a vector is left.
/// Returns `None` if the vector is ill-formed or its output does not fit.
#[inline(always)]
pub(crate) fn convert_vector<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let start = reach.read.min(text.len() - V::LANES);
    let units = encoder.load::<O>(text, start);
    if !units.and(encoder.above_ascii).any() {
        // This case is frequent, because most web pages end with ASCII.
        let base = reach.written - (reach.read - start) / 2;
        let out = dst.get_mut(base..base + V::LANES / 2)?;
        units.store_narrowed(out, 0);
        return Some(Reach { read: start + V::LANES, written: base + V::LANES / 2 });
    } else if !units.and(encoder.top_mask).any() {
        let two_byte_bits = V::bits16(units.above16_signed(encoder.splat(0x7F)), encoder.zero);
        let bytes_of =
            |units: usize| units + (two_byte_bits & V::first_bits(units)).count_ones() as usize;
        let base = reach.written - bytes_of((reach.read - start) / 2);
        if let Some(out) = dst.get_mut(base..base + 2 * V::LANES) {
            // The zeros after the vector are written as ASCII, after the returned end.
            encoder.narrow([units, encoder.zero], out);
            let written = base + bytes_of(V::LANES / 2);
            return Some(Reach { read: start + V::LANES, written });
        }
    }
    let encoded = VectorBytes::encode_at::<O>(encoder, text, start)?;
    // The bytes before `reach.written` that come from this vector are written again.
    let base = reach.written - encoded.bytes_of(reach.read - start);
    let len = encoded.write_within(V::LANES, &mut dst[base..])?;
    Some(Reach { read: start + V::LANES, written: base + len })
}

/// Converts an input shorter than a vector.
#[inline(always)]
pub(crate) fn short<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let encoder = UnitEncoder::<V>::new(token);
    // The padding after the end is zeros, which are one-byte characters.
    let units = V::from_words(token, words::padded16(text)).swap_bytes16_if_big::<O>();
    let before = units.shift_in_zeros::<2>();
    let start = Reach { read: 0, written: 0 };
    let Some(encoded) = VectorBytes::encode(&encoder, units, before) else {
        return resume::<Utf8>(O::units(), src, dst, start);
    };
    match encoded.write_within(text.len(), dst) {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<Utf8>(O::units(), src, dst, start),
    }
}

/// The result of [`UnitEncoder::write_one_surrogate_free`], which converts only vectors without
/// surrogates.
#[cfg(avx512)]
pub(crate) enum SurrogateFreeOutput {
    /// The output has been written up to this offset in `dst`.
    Written(usize),
    /// The output does not fit.
    Full,
    /// The vector contains surrogates.
    HasSurrogates,
}

/// The output of a single vector: three bytes for each unit, and the number of bytes of each unit
/// that are used.
pub(crate) struct VectorBytes<V> {
    /// The last two bytes of each unit's UTF-8.
    bytes: V,
    /// The first byte, for units with three bytes.
    lead: V,
    /// Two bits for each unit: [`UnitEncoder::length_bits`].
    length_bits: u64,
}

impl<V: Lanes16> VectorBytes<V> {
    /// Returns the output of the vector at byte `start` of `text`, or `None` if a surrogate is
    /// unpaired.
    #[inline(always)]
    pub(crate) fn encode_at<O: Order>(
        encoder: &UnitEncoder<V>,
        text: &[u8],
        start: usize,
    ) -> Option<Self> {
        let units = encoder.load::<O>(text, start);
        let top_bits = units.and(encoder.top_mask);
        if !top_bits.equal16(encoder.surrogate).any() {
            let below_0x800 = top_bits.equal16(encoder.zero);
            let bytes = encoder.bytes(units, below_0x800);
            let length_bits = encoder.length_bits(units, below_0x800);
            return Some(Self { bytes, lead: encoder.lead(units), length_bits });
        }
        let encoded = Self::encode(encoder, units, encoder.units_before::<O>(text, start, units));
        if splits_no_pair(O::units(), text, start + V::LANES) { encoded } else { None }
    }

    /// Returns the output of `units`, or `None` if a surrogate is unpaired. Lane `i` of `before` is
    /// the unit before lane `i` of `units`.
    #[inline(always)]
    pub(crate) fn encode(encoder: &UnitEncoder<V>, units: V, before: V) -> Option<Self> {
        let top_bits = units.and(encoder.top_mask);
        let (below_0x800, surrogates) =
            (top_bits.equal16(encoder.zero), top_bits.equal16(encoder.surrogate));
        let found = encoder.find_surrogates(units, before);
        if found.wrong.any() {
            return None;
        }
        let bytes = encoder.bytes(units, below_0x800);
        Some(Self {
            bytes: encoder.encode_surrogates(bytes, units, surrogates, &found),
            lead: encoder.lead(units),
            length_bits: encoder.length_bits(units, below_0x800.or(surrogates)),
        })
    }

    /// Returns the output length, in bytes, of the units in the first `input` bytes of the vector.
    #[inline(always)]
    pub(crate) fn bytes_of(&self, input: usize) -> usize {
        input / 2 + (self.length_bits & V::first_bits(input)).count_ones() as usize
    }

    /// Writes the output of the first `input` bytes of the vector, and nothing after the end of
    /// `dst`. Returns the length of the output in bytes, or `None` if it does not fit.
    #[inline(always)]
    pub(crate) fn write_within(&self, input: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = self.bytes_of(input);
        if V::Masked::PRESENT {
            // A masked store takes several times as long as a store without a mask.
            if let Some(out) = dst.get_mut(..V::WIDE_STORE_CAPACITY) {
                V::write_up_to_three_bytes(self.bytes, self.lead, self.length_bits, out);
            } else {
                V::write_up_to_three_bytes(
                    self.bytes,
                    self.lead,
                    self.length_bits,
                    dst.get_mut(..len)?,
                );
            }
            return Some(len);
        }
        let last = self.bytes_of(V::LANES - V::STORE_BYTES / 2);
        if let Some(out) = dst.get_mut(..last + V::STORE_BYTES) {
            V::write_up_to_three_bytes(self.bytes, self.lead, self.length_bits, out);
            return Some(len);
        }
        let mut bounce = [MaybeUninit::uninit(); ENCODER_OUTPUT_BYTES];
        V::write_up_to_three_bytes(self.bytes, self.lead, self.length_bits, &mut bounce);
        copy_short(dst.get_mut(..len)?, &bounce[..len]);
        Some(len)
    }
}

impl<V: Lanes16> UnitEncoder<V> {
    /// Converts whole steps after `reach`, and the ASCII runs after them, while the steps have no
    /// surrogates and `dst` has capacity for the longest output of a step.
    #[inline(always)]
    pub(crate) fn surrogate_free_steps<O: Order>(
        &self,
        ops: impl MaskedOps<V>,
        text: &[u8],
        dst: &mut [MaybeUninit<u8>],
        reach: Reach,
    ) -> Reach {
        let step = 2 * V::LANES;
        let Reach { mut read, mut written } = reach;
        // Without this test, LLVM would first load the constants of the loop.
        if text.len() - read < step {
            return reach;
        }
        while let (Some(window), Some(free)) = (text.get(read..read + step), dst.get_mut(written..))
        {
            let units = self.load_two::<O>(window, 0);
            read += step;
            if !units[0].or(units[1]).and(self.above_ascii).any()
                && let Some(out) = free.get_mut(..V::LANES)
            {
                V::narrow(units[0], units[1]).store_bytes(out, 0);
                let run = self.ascii_run::<O>(&text[read..], &mut free[V::LANES..]);
                read += 2 * run;
                written += V::LANES + run;
                continue;
            }
            // The longest output has three bytes for each unit. Callers that allocate for the worst
            // case have this capacity.
            let bytes = if free.len() < 3 * V::LANES {
                None
            } else {
                self.write_two_surrogate_free(ops, units, free)
            };
            let Some(bytes) = bytes else {
                return Reach { read: read - step, written };
            };
            written += bytes;
        }
        Reach { read, written }
    }

    /// Converts the rest after `reach`, which is less than a step, padded with zeros. Returns
    /// `None` if the rest has surrogates or its output does not fit.
    #[inline(always)]
    pub(crate) fn last_step<O: Order>(
        &self,
        ops: impl MaskedOps<V>,
        text: &[u8],
        dst: &mut [MaybeUninit<u8>],
        reach: Reach,
    ) -> Option<Reach> {
        let (rest, out) = (text.get(reach.read..)?, dst.get_mut(reach.written..)?);
        // The padding after the end is zeros, which are one-byte characters.
        let second = rest.get(V::LANES..).unwrap_or_default();
        let units = [
            ops.load_first(self.token, rest).swap_bytes16_if_big::<O>(),
            ops.load_first(self.token, second).swap_bytes16_if_big::<O>(),
        ];
        let read = rest.len();
        if !units[0].or(units[1]).and(self.above_ascii).any() {
            let (bytes, len) = (V::narrow(units[0], units[1]), read / 2);
            if let Some(out) = out.get_mut(..V::LANES) {
                bytes.store_bytes(out, 0);
            } else {
                ops.store_first(bytes, len, out.get_mut(..len)?);
            }
            return Some(Reach { read, written: len }.after(reach.read, reach.written));
        }
        let written = self.write_two_surrogate_free(ops, units, out)? - (V::LANES - read / 2);
        if written > out.len() {
            return None;
        }
        Some(Reach { read, written }.after(reach.read, reach.written))
    }

    /// Writes the output of units that are not all ASCII, as far as it fits into `out`; the first
    /// 256 bytes of `out` may be overwritten. Returns the length of the whole output in bytes,
    /// which may be more than `out` holds, or `None` if there are surrogates.
    #[inline(always)]
    fn write_two_surrogate_free(
        &self,
        ops: impl MaskedOps<V>,
        units: [V; 2],
        out: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        if !units[0].or(units[1]).and(self.top_mask).any() {
            let first = ops.write_below_0x800(units[0], out);
            let out = out.get_mut(first..).unwrap_or_default();
            return Some(first + ops.write_below_0x800(units[1], out));
        }
        let [first, second] = [
            units[0].marked16(self.top_mask, self.surrogate),
            units[1].marked16(self.top_mask, self.surrogate),
        ];
        if first.either_marked16(second).any_marked16() {
            return None;
        }
        let first = ops.write_units(units[0], 0, out);
        let out = out.get_mut(first..).unwrap_or_default();
        Some(first + ops.write_units(units[1], 0, out))
    }

    /// Converts the first `input` bytes of a vector, if it has no surrogates, with
    /// [masked](crate::arch::vector::Vector::Masked) stores.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn write_one_surrogate_free(
        &self,
        ops: impl MaskedOps<V>,
        units: V,
        input: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> SurrogateFreeOutput {
        if !units.and(self.above_ascii).any() {
            let Some(out) = dst.get_mut(..input / 2) else { return SurrogateFreeOutput::Full };
            units.store_narrowed(out, 0);
            return SurrogateFreeOutput::Written(input / 2);
        }
        let top_bits = units.and(self.top_mask);
        let written = if top_bits.any() {
            if top_bits.marked16(self.top_mask, self.surrogate).any_marked16() {
                return SurrogateFreeOutput::HasSurrogates;
            }
            // The lanes after `input` may be padding: zeros, which are one-byte characters.
            ops.write_units(units, 0, dst) - (V::LANES - input) / 2
        } else {
            let two_byte_bits = V::bits16(units.above16_signed(self.splat(0x7F)), self.zero);
            let written = input / 2 + two_byte_bits.count_ones() as usize;
            if let Some(out) = dst.get_mut(..V::LANES) {
                let _ = ops.write_below_0x800(units, out);
            } else if let Some(out) = dst.get_mut(..written) {
                let _ = ops.write_below_0x800(units, out);
            }
            written
        };
        if written > dst.len() {
            return SurrogateFreeOutput::Full;
        }
        SurrogateFreeOutput::Written(written)
    }
}
