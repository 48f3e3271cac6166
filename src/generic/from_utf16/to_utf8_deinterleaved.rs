//! UTF-16 to UTF-8 for instruction sets that load the lower and the upper bytes of units into
//! separate vectors.
//!
//! 1. Load two vectors of units, deinterleaved. The largest upper byte gives the class of the step.
//! 2. If it is ASCII, store the lower bytes, and narrow the run of ASCII after it.
//! 3. If all units are below 0x800, or there are no surrogates, write them by the code for that
//!    class.
//! 4. If there are surrogates, test that all are paired, and write each as two bytes.
//! 5. After a step of surrogate pairs only, in little-endian text, convert a run of pairs, 16 at a
//!    time. As in a [run of four-byte characters](crate::generic::from_utf8::decode), other
//!    characters in the run are paid for by the pairs before them.
//! 6. At both ends of the text, and if the output is short, convert single vectors, as in
//!    [`to_utf8`](super::to_utf8).

use core::mem::{self, MaybeUninit};

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::DeinterleavedOps;
use crate::encoding::types::Utf8;
use crate::generic::backoff::Backoff;
use crate::generic::from_utf16::check::{boundary, whole_units};
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_tail::{resume, single};
use crate::scalar::code::Encode;
use crate::tables::{LITTLE_UNITS, Order};
use crate::types::progress::Reach;

/// The number of pairs that a run needs for each other character.
const RUN_MIN_PAIRS: usize = 4;

/// The largest credit: the number of pairs that count for later other characters.
const CREDIT_MAX_PAIRS: usize = 32;

/// The reason why a lane ended.
enum LaneEnd {
    /// There is no whole step, or `dst` has no capacity for one.
    Short,
    /// The next step is ill-formed.
    Wrong,
    /// A run of pairs may follow.
    Pairs,
}

/// [`convert`](super::to_utf8::convert) of at least a vector.
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
        match lane::<V, O>(ops, encoder, text, dst, &mut reach, &mut backoff) {
            LaneEnd::Short => {}
            LaneEnd::Wrong => return resume::<O>(src, dst, reach),
            LaneEnd::Pairs => {
                let before = reach.read;
                reach = pairs_run::<V>(ops, encoder.token, text, dst, reach);
                backoff.tried(reach.read >= before + 64);
                continue;
            }
        }
        if reach.read == text.len() {
            break;
        }
        match single::<V, O>(encoder, text, dst, reach) {
            Some(next) => reach = next,
            None => return resume::<O>(src, dst, reach),
        }
    }
    reach
}

/// Converts whole steps while `dst` has capacity for the output of one.
#[inline(always)]
fn lane<V: Lanes16, O: Order>(
    ops: V::Deinterleaved,
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: &mut Reach,
    backoff: &mut Backoff<32>,
) -> LaneEnd {
    let (before, mut ahead) = text.split_at(reach.read);
    let mut dst = &mut dst[reach.written..];
    let (len, capacity) = (ahead.len(), dst.len());
    let step = 2 * V::LANES;
    let none = [encoder.zero; 2];
    // The last lanes hold the bytes of the unit before the step, which may be a high surrogate.
    let mut last = match *before {
        [.., first, second] => {
            let [low, high] = if O::BIG { [second, first] } else { [first, second] };
            [V::splat(encoder.token, low), V::splat(encoder.token, high)]
        }
        _ => none,
    };
    let mut end = LaneEnd::Short;
    while let (Some(window), Some(out)) = (ahead.get(..step), dst.get_mut(..4 * V::LANES)) {
        let token = encoder.token;
        let units = [V::load(token, window, 0), V::load(token, window, V::LANES)];
        let [first, second] = ops.deinterleaved(units);
        let units = if O::BIG { [second, first] } else { [first, second] };
        let largest = ops.largest(units[1]);
        let mut surrogates = false;
        let written;
        if largest == 0 && !units[0].any_high() {
            units[0].store_bytes(out, 0);
            let run = encoder.ascii_run::<O>(&ahead[step..], &mut dst[V::LANES..]);
            ahead = &ahead[step + 2 * run..];
            dst = &mut mem::take(&mut dst)[V::LANES + run..];
            last = none;
            continue;
        } else if largest < 8 {
            written = ops.write_below_800(units, out);
        } else if !ops.have_surrogates(units) {
            written = ops.write_characters(units, out);
        } else {
            let pairs =
                if is_ended::<O>(ahead, step) { ops.write_pairs(units, last, out) } else { None };
            let Some(pairs) = pairs else {
                end = LaneEnd::Wrong;
                break;
            };
            written = pairs;
            surrogates = true;
        }
        ahead = &ahead[step..];
        dst = &mut mem::take(&mut dst)[written..];
        last = none;
        if surrogates {
            last = units;
            // Two bytes for each unit: almost all characters are pairs.
            if !O::BIG && written == step && backoff.is_over() {
                end = LaneEnd::Pairs;
                break;
            }
        }
    }
    reach.read += len - ahead.len();
    reach.written += capacity - dst.len();
    end
}

/// [`is_ended`](super::check::is_ended) for a suffix of a text.
#[inline(always)]
fn is_ended<O: Order>(ahead: &[u8], at: usize) -> bool {
    let high = usize::from(!O::BIG);
    ahead[at - 2 + high] & 0xFC != 0xD8
        || ahead.get(at + high).is_some_and(|high| high & 0xFC == 0xDC)
}

/// Converts pairs, 16 at a time, and single characters between them, while `dst` has capacity for
/// 16.
#[inline(never)]
fn pairs_run<V: Lanes16>(
    ops: V::Deinterleaved,
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // Two bytes were written for the high surrogate of a pair that `reach` splits.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    let written = reach.written - (reach.read - read);
    let (mut ahead, mut dst) = (&text[read..], &mut dst[written..]);
    let (len, capacity) = (ahead.len(), dst.len());
    // The credit.
    let mut spare = 0_usize;
    while let (Some(bytes), Some(out)) = (ahead.first_chunk(), dst.first_chunk_mut()) {
        let pairs = ops.write_only_pairs(token, bytes, out);
        ahead = &ahead[4 * pairs..];
        dst = &mut mem::take(&mut dst)[4 * pairs..];
        spare = CREDIT_MAX_PAIRS.min(spare + pairs);
        if pairs == 16 {
            continue;
        }
        let [b0, b1, ..] = *ahead else { break };
        let unit = u16::from_le_bytes([b0, b1]);
        let Some(rest) = spare.checked_sub(RUN_MIN_PAIRS) else { break };
        if unit & 0xF800 == 0xD800 {
            break;
        }
        spare = rest;
        let Some(bytes) = Utf8::encode(unit.into(), dst) else { break };
        ahead = &ahead[2..];
        dst = &mut mem::take(&mut dst)[bytes..];
    }
    Reach { read: read + len - ahead.len(), written: written + capacity - dst.len() }
}
