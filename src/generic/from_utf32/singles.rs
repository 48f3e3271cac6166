//! Converts UTF-32 to UTF-16 while every character has one UTF-16 unit.
//!
//! 1. Narrow a step of eight vectors to 16-bit units, and write them in the byte order of the
//!    output.
//! 2. Test once for the step that no unit has a bit in the upper half, and that no unit is a
//!    surrogate. To find surrogates, add a bias to the 16-bit units that maps the surrogates to the
//!    least signed numbers, and keep the minimum.
//! 3. If the test fails, the output of the step is scratch, and the code for
//!    [any characters](super::to_utf16) continues. [`alternate`] switches between the two.
//! 4. The last step ends with the text and may overlap the step before it.
//!
//! This loop is separate from the code for any characters, so it needs few registers and nothing on
//! the stack.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::view::Uninit;
use crate::generic::from_utf32::check::whole_units;
use crate::tables::ByteOrder;
use crate::types::progress::Reach;

/// The minimum length, in bytes, of texts that begin in this loop.
const ALTERNATING_MIN_BYTES: usize = 128;

/// The number of bytes that the code for any characters converts before this loop is tried again.
const MIXED_SEGMENT_BYTES: usize = 4096;

/// Returns true if `src` is short, or if many of its characters seem to have two units.
#[inline(always)]
pub(crate) fn are_rare(src: &[u8]) -> bool {
    // Most texts that begin with a supplementary character have many.
    src.len() < ALTERNATING_MIN_BYTES || src.len() < MIXED_SEGMENT_BYTES && (src[2] | src[3]) != 0
}

/// Converts by `singles`, which is [`convert`] on some kernel, and by `any` in turn.
#[inline(always)]
pub(crate) fn alternate(
    src: &[u8],
    dst: &mut Uninit,
    singles: impl Fn(&[u8], &mut Uninit) -> Reach,
    any: impl Fn(&[u8], &mut Uninit) -> Reach,
) -> Reach {
    let mut reach = singles(src, dst);
    // After an error, or at the end of the output, the loop breaks, although a long part of the
    // text may be left.
    while src.len() - reach.read >= ALTERNATING_MIN_BYTES {
        let mut segment = &src[reach.read..];
        // If the part after the segment would be short, it becomes part of the segment.
        if segment.len() >= MIXED_SEGMENT_BYTES + ALTERNATING_MIN_BYTES {
            segment = &segment[..MIXED_SEGMENT_BYTES];
        }
        let step = any(segment, &mut dst[reach.written..]);
        reach = step.after(reach.read, reach.written);
        if step.read < segment.len() || src.len() == reach.read {
            break;
        }
        let step = singles(&src[reach.read..], &mut dst[reach.written..]);
        reach = step.after(reach.read, reach.written);
    }
    reach
}

/// The constants of a conversion, in registers.
pub(super) struct Singles<V> {
    /// The shuffle row that puts 16-bit lanes into the byte order of the output.
    pub(super) swap: V,
    /// The mask of the upper half of a 32-bit lane.
    pub(super) upper: V,
    /// The bias: adding it maps surrogates to the least signed 16-bit numbers.
    bias: V,
    /// The least signed 16-bit number that is not a surrogate plus the bias.
    least: V,
}

impl<V: Lanes32> Singles<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            swap: V::byte_order_pattern16(token, order.big),
            upper: V::splat32(token, 0xFFFF_0000),
            bias: V::splat16(token, 0x8000_u16.wrapping_sub(0xD800)),
            least: V::splat16(token, 0x8800),
        }
    }

    /// Returns true if one of the vectors of 16-bit units has a surrogate.
    #[inline(always)]
    pub(super) fn have_surrogates<const N: usize>(&self, units: [V; N]) -> bool {
        let mut least = self.least;
        let mut k = 0;
        while k < N {
            least = least.min16_signed(units[k].add16(self.bias));
            k += 1;
        }
        least.any_below16_signed(self.least)
    }

    /// Converts `2 * N` vectors. Returns true if every character has one UTF-16 unit; if not, the
    /// output is scratch.
    #[inline(always)]
    fn write_vectors<const N: usize>(
        &self,
        order: &'static ByteOrder,
        token: V::Token,
        step: &[u8],
        out: &mut [MaybeUninit<u8>],
    ) -> bool {
        let mut ored = V::splat(token, 0);
        let mut units = [ored; N];
        let mut k = 0;
        while k < N {
            let first = V::load(token, step, 2 * k * V::LANES);
            let second = V::load(token, step, (2 * k + 1) * V::LANES);
            ored = ored.or(first).or(second);
            units[k] = V::narrow_to_u16(first, second);
            k += 1;
        }
        if order.big {
            k = 0;
            while k < N {
                units[k].shuffled(self.swap).store_bytes(out, k * V::LANES);
                k += 1;
            }
        } else {
            k = 0;
            while k < N {
                units[k].store_bytes(out, k * V::LANES);
                k += 1;
            }
        }
        !ored.and(self.upper).any() && !self.have_surrogates(units)
    }
}

/// Converts a text up to the first step that has a surrogate or a unit of at least 0x10000, or
/// whose output does not fit. The text has at least [`ALTERNATING_MIN_BYTES`] bytes and four
/// vectors. Leaves either nothing or at least [`ALTERNATING_MIN_BYTES`] bytes.
#[inline(always)]
pub(crate) fn convert<V: Lanes32>(
    order: &'static ByteOrder,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let singles = Singles::<V>::new(order, token);
    let mut read = 0;
    for (step, out) in text.chunks_exact(8 * V::LANES).zip(dst.chunks_exact_mut(4 * V::LANES)) {
        if !singles.write_vectors::<4>(order, token, step, out) {
            return reach_with_min_rest(text, read);
        }
        read += 8 * V::LANES;
    }
    // The last step ends with the text and may overlap the step before it.
    while read < text.len() {
        let start = read.min(text.len() - 4 * V::LANES);
        let (Some(step), Some(out)) = (
            text.get(start..start + 4 * V::LANES),
            dst.get_mut(start / 2..start / 2 + 2 * V::LANES),
        ) else {
            return reach_with_min_rest(text, read);
        };
        if !singles.write_vectors::<2>(order, token, step, out) {
            return reach_with_min_rest(text, read);
        }
        read = start + 4 * V::LANES;
    }
    Reach { read, written: read / 2 }
}

/// Returns the progress up to `read`, or less, so that at least [`ALTERNATING_MIN_BYTES`] bytes are
/// left.
#[inline(always)]
fn reach_with_min_rest(text: &[u8], read: usize) -> Reach {
    let read = read.min(text.len() - ALTERNATING_MIN_BYTES);
    Reach { read, written: read / 2 }
}
