//! UTF-32 to UTF-16 while every character is one unit.
//!
//! 1. Narrow a step of eight vectors to 16-bit units, and write them in the byte order of the
//!    output.
//! 2. Test the step once: no unit has a bit of the upper half, and none is a surrogate. For that, a
//!    number is added to the 16-bit units that maps surrogates to the least signed numbers, and the
//!    minimum is kept.
//! 3. If the test fails, the output of the step is scratch, and the code for
//!    [any characters](super::to_utf16) continues. The pair table alternates between both
//!    functions.
//! 4. The last step ends with the text and overlaps.
//!
//! Separate from the code for any characters, this loop needs few registers and nothing on the
//! stack.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::generic::from_utf32::check::whole_units;
use crate::tables::ByteOrder;
use crate::types::progress::Reach;

/// Texts of at least this many bytes begin in this loop.
pub(crate) const ALTERNATING_MIN_BYTES: usize = 128;

/// Bytes that the code for any characters converts before this loop is tried again.
pub(crate) const MIXED_SEGMENT_BYTES: usize = 4096;

/// The constants of a conversion, in registers.
pub(super) struct Singles<V> {
    /// The shuffle row that puts 16-bit lanes into the byte order of the output.
    pub(super) swap: V,
    /// The upper half of a 32-bit lane.
    pub(super) upper: V,
    /// The number whose addition maps surrogates to the least 16-bit lanes.
    moved: V,
    /// The least lane that is no surrogate, after this addition.
    least: V,
}

impl<V: Lanes32> Singles<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static ByteOrder, token: V::Token) -> Self {
        Self {
            swap: V::order16(token, order.big),
            upper: V::splat32(token, 0xFFFF_0000),
            moved: V::splat16(token, 0x8000_u16.wrapping_sub(0xD800)),
            least: V::splat16(token, 0x8800),
        }
    }

    /// Returns true if there are surrogates in vectors of 16-bit units.
    #[inline(always)]
    pub(super) fn have_surrogates<const N: usize>(&self, units: [V; N]) -> bool {
        let mut least = self.least;
        let mut k = 0;
        while k < N {
            least = least.min16_signed(units[k].add16(self.moved));
            k += 1;
        }
        least.any_below16(self.least)
    }

    /// Converts `2 * N` vectors. Returns true if all units are characters of one unit; if not, the
    /// output is scratch.
    #[inline(always)]
    fn write_vectors<const N: usize>(
        &self,
        order: &'static ByteOrder,
        token: V::Token,
        step: &[u8],
        out: &mut [MaybeUninit<u8>],
    ) -> bool {
        let mut all = V::splat(token, 0);
        let mut units = [all; N];
        let mut k = 0;
        while k < N {
            let first = V::load(token, step, 2 * k * V::LANES);
            let second = V::load(token, step, (2 * k + 1) * V::LANES);
            all = all.or(first).or(second);
            units[k] = V::narrow32(first, second);
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
        !all.and(self.upper).any() && !self.have_surrogates(units)
    }
}

/// Converts a text of at least [`ALTERNATING_MIN_BYTES`] bytes and four vectors, up to the first
/// step that has other units than characters of one unit, or does not fit. At least
/// [`ALTERNATING_MIN_BYTES`] bytes are left, or none.
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
            return left(text, read);
        }
        read += 8 * V::LANES;
    }
    // The last step ends with the text and overlaps.
    while read < text.len() {
        let start = read.min(text.len() - 4 * V::LANES);
        let (Some(step), Some(out)) = (
            text.get(start..start + 4 * V::LANES),
            dst.get_mut(start / 2..start / 2 + 2 * V::LANES),
        ) else {
            return left(text, read);
        };
        if !singles.write_vectors::<2>(order, token, step, out) {
            return left(text, read);
        }
        read = start + 4 * V::LANES;
    }
    Reach { read, written: read / 2 }
}

/// Returns the progress up to `read`, or less: at least [`ALTERNATING_MIN_BYTES`] bytes are left.
#[inline(always)]
fn left(text: &[u8], read: usize) -> Reach {
    let read = read.min(text.len() - ALTERNATING_MIN_BYTES);
    Reach { read, written: read / 2 }
}
