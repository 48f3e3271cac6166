//! Converts UTF-16 to UTF-8 on instruction sets that can load the lower and the upper bytes of
//! units into separate vectors.
//!
//! 1. Load two vectors of units, deinterleaved. The largest upper byte gives the class of the step.
//! 2. If the step is ASCII, store the lower bytes, and narrow the ASCII run after the step.
//! 3. If all units are below 0x800, or if no unit is a surrogate, use the code for that class.
//! 4. If there are surrogates, test that all are paired, and write each surrogate as two bytes.
//! 5. In little-endian text, after a step of surrogate pairs only, convert the run of pairs that
//!    follows, 16 pairs at a time. The run may contain other characters if enough pairs precede
//!    each of them, as in a [run of four-byte characters](crate::generic::from_utf8::decode).
//! 6. At the end of the text, and if the output is short, convert single vectors, as in
//!    [`to_utf8`](super::to_utf8).

use core::mem::{self, MaybeUninit};

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::DeinterleavedOps;
use crate::encoding::types::Utf8;
use crate::generic::backoff::Backoff;
use crate::generic::from_utf16::check::{boundary, whole_units};
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_tail::{convert_vector, resume};
use crate::scalar::code::Encode;
use crate::tables::{LITTLE_UNITS, Order};
use crate::types::progress::Reach;

/// The number of surrogate pairs that a run must have for each character that is not a pair.
const RUN_MIN_PAIRS: usize = 4;

/// The largest credit of a run: the number of past pairs that count for later characters that are
/// not pairs.
const CREDIT_MAX_PAIRS: usize = 32;

/// The reason why [`convert_steps`] stopped.
enum StepsEnd {
    /// Less than a step is left, or `dst` has no capacity for the output of a step.
    Short,
    /// The next step is ill-formed.
    IllFormed,
    /// A run of pairs may follow.
    PairRun,
}

/// Converts like [`convert`](super::to_utf8::convert), if `src` has at least a vector.
#[inline(always)]
pub(crate) fn convert<V: Lanes16, O: Order>(
    ops: V::Deinterleaved,
    encoder: &UnitEncoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let mut reach = Reach { read: 0, written: 0 };
    let mut backoff = Backoff::START;
    while reach.read < text.len() {
        match convert_steps::<V, O>(ops, encoder, text, dst, &mut reach, &mut backoff) {
            StepsEnd::Short => {}
            StepsEnd::IllFormed => return resume::<O>(src, dst, reach),
            StepsEnd::PairRun => {
                let run_start = reach.read;
                reach = convert_pair_run::<V>(ops, encoder.token, text, dst, reach);
                backoff.tried(reach.read >= run_start + 64);
                continue;
            }
        }
        if reach.read == text.len() {
            break;
        }
        match convert_vector::<V, O>(encoder, text, dst, reach) {
            Some(next) => reach = next,
            None => return resume::<O>(src, dst, reach),
        }
    }
    reach
}

/// Converts whole steps while `dst` has capacity for the longest output of a step. Adds the
/// progress to `reach`.
#[inline(always)]
fn convert_steps<V: Lanes16, O: Order>(
    ops: V::Deinterleaved,
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: &mut Reach,
    backoff: &mut Backoff<32>,
) -> StepsEnd {
    let (before, mut suffix) = text.split_at(reach.read);
    let mut dst = &mut dst[reach.written..];
    let (len, capacity) = (suffix.len(), dst.len());
    let step = 2 * V::LANES;
    let zeros = [encoder.zero; 2];
    // The last lanes hold the bytes of the unit before the step, which may be a high surrogate.
    let mut previous = match *before {
        [.., first, second] => {
            let [low, high] = if O::BIG { [second, first] } else { [first, second] };
            [V::splat(encoder.token, low), V::splat(encoder.token, high)]
        }
        _ => zeros,
    };
    let mut end = StepsEnd::Short;
    while let (Some(window), Some(out)) = (suffix.get(..step), dst.get_mut(..4 * V::LANES)) {
        let token = encoder.token;
        let units = [V::load(token, window, 0), V::load(token, window, V::LANES)];
        let [first, second] = ops.deinterleaved(units);
        let units = if O::BIG { [second, first] } else { [first, second] };
        let largest_upper = ops.largest(units[1]);
        let mut surrogates = false;
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
        } else if !ops.have_surrogates(units) {
            written = ops.write_characters(units, out);
        } else {
            let pairs = if splits_no_pair::<O>(suffix, step) {
                ops.write_pairs(units, previous, out)
            } else {
                None
            };
            let Some(pairs) = pairs else {
                end = StepsEnd::IllFormed;
                break;
            };
            written = pairs;
            surrogates = true;
        }
        suffix = &suffix[step..];
        dst = &mut mem::take(&mut dst)[written..];
        previous = zeros;
        if surrogates {
            previous = units;
            // Two bytes were written for each unit, so almost all characters are pairs.
            if !O::BIG && written == step && backoff.is_over() {
                end = StepsEnd::PairRun;
                break;
            }
        }
    }
    reach.read += len - suffix.len();
    reach.written += capacity - dst.len();
    end
}

/// Returns true if the unit before `at` is not a high surrogate, or if a low surrogate follows it.
/// `suffix` is a suffix of a text; [`check::splits_no_pair`](super::check::splits_no_pair) tests a
/// whole text.
#[inline(always)]
fn splits_no_pair<O: Order>(suffix: &[u8], at: usize) -> bool {
    let high = usize::from(!O::BIG);
    suffix[at - 2 + high] & 0xFC != 0xD8
        || suffix.get(at + high).is_some_and(|high| high & 0xFC == 0xDC)
}

/// Converts surrogate pairs, 16 at a time, and single characters between them, while `dst` has
/// capacity for 16 pairs.
#[inline(never)]
fn convert_pair_run<V: Lanes16>(
    ops: V::Deinterleaved,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // If `reach` splits a pair, two bytes were written for the high surrogate. Go back to it.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    let written = reach.written - (reach.read - read);
    let (mut suffix, mut dst) = (&text[read..], &mut dst[written..]);
    let (len, capacity) = (suffix.len(), dst.len());
    // The number of pairs that still count for later characters.
    let mut credit = 0_usize;
    while let (Some(bytes), Some(out)) = (suffix.first_chunk(), dst.first_chunk_mut()) {
        let pairs = ops.write_only_pairs(token, bytes, out);
        suffix = &suffix[4 * pairs..];
        dst = &mut mem::take(&mut dst)[4 * pairs..];
        credit = CREDIT_MAX_PAIRS.min(credit + pairs);
        if pairs == 16 {
            continue;
        }
        let [b0, b1, ..] = *suffix else { break };
        let unit = u16::from_le_bytes([b0, b1]);
        let Some(credit_left) = credit.checked_sub(RUN_MIN_PAIRS) else { break };
        if unit & 0xF800 == 0xD800 {
            break;
        }
        credit = credit_left;
        let Some(encoded_len) = Utf8::encode(unit.into(), dst) else { break };
        suffix = &suffix[2..];
        dst = &mut mem::take(&mut dst)[encoded_len..];
    }
    Reach { read: read + len - suffix.len(), written: written + capacity - dst.len() }
}
