//! Converts UTF-16 to UTF-8 on instruction sets that can load the lower and the upper bytes of
//! units into separate vectors.
//!
//! 1. Load two vectors of units, deinterleaved. The largest upper byte gives the class of the step.
//! 2. If the step is ASCII, store the lower bytes, and narrow the ASCII run after the step.
//! 3. If all units are below 0x800, or if no unit is a surrogate, use the code for that class.
//! 4. If there are surrogates, test that all are paired, and write each surrogate as two bytes.
//! 5. At the end of the text, and if the output is short, convert single vectors, as in
//!    [`to_utf8`](super::to_utf8).

use core::mem::{self, MaybeUninit};

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::DeinterleavedOps;
use crate::generic::from_utf16::check::splits_no_pair;
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_tail::LoopReach;
use crate::tables::Order;
use crate::types::progress::Reach;

/// Converts whole steps while `dst` has capacity for the longest output of a step.
#[inline(always)]
pub(crate) fn convert_steps<V: Lanes16, O: Order>(
    ops: V::Deinterleaved,
    encoder: &UnitEncoder<V>,
    text: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
) -> LoopReach {
    let mut suffix = text;
    let capacity = dst.len();
    let step = 2 * V::LANES;
    let zeros = [encoder.zero; 2];
    // The last lanes hold the bytes of the unit before the step, which may be a high surrogate.
    let mut previous = zeros;
    let mut wrong = false;
    while let (Some(window), Some(out)) = (suffix.get(..step), dst.get_mut(..4 * V::LANES)) {
        let token = encoder.token;
        let units = [V::load(token, window, 0), V::load(token, window, V::LANES)];
        let [first, second] = ops.deinterleaved(units);
        let units = if O::BIG { [second, first] } else { [first, second] };
        let largest_upper = ops.largest(units[1]);
        let written;
        if largest_upper == 0 && !units[0].any_high_bit() {
            units[0].store_bytes(out, 0);
            let run = encoder.ascii_run::<O>(&suffix[step..], &mut dst[V::LANES..]);
            suffix = &suffix[step + 2 * run..];
            dst = &mut mem::take(&mut dst)[V::LANES + run..];
            previous = zeros;
            continue;
        } else if largest_upper < 8 {
            written = ops.write_below_0x800(units, out);
            previous = zeros;
        } else if !ops.have_surrogates(units) {
            written = ops.write_characters(units, out);
            previous = zeros;
        } else {
            let pairs = if splits_no_pair(O::units(), suffix, step) {
                ops.write_pairs(units, previous, out)
            } else {
                None
            };
            let Some(pairs) = pairs else {
                wrong = true;
                break;
            };
            written = pairs;
            previous = units;
        }
        suffix = &suffix[step..];
        dst = &mut mem::take(&mut dst)[written..];
    }
    let reach = Reach { read: text.len() - suffix.len(), written: capacity - dst.len() };
    LoopReach { reach, wrong }
}
