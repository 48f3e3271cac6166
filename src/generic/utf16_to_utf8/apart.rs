//! UTF-16LE to UTF-8 for sets that take the lower and the upper bytes of units apart.
//!
//! A step is two vectors here too, and so are its classes, but none has a look at single units: the largest upper byte says
//! what they are. Where pairs stand close together, 16 of them are taken at a time, by themselves.

use core::mem::{self, MaybeUninit};

use super::super::utf16_check::{boundary, whole_units};
use super::{Encoder, resume, single};

use crate::Utf8;
use crate::arch::lanes16::Lanes16;
use crate::progress::Reach;
use crate::scalar::Encode;
use crate::tables::{LITTLE_UNITS, Little};

/// Pairs that a run is worth beginning for, and that must come for each other character.
const FEW: usize = 4;

/// Pairs of a run that count for what comes later, at most.
const MANY: usize = 32;

/// Why a lane ended.
enum End {
    /// There is no room, or too little text.
    Short,
    /// The next step has something wrong in it.
    Wrong,
    /// There may be nothing but pairs.
    Pairs,
}

/// When to look for runs of pairs.
struct Patience {
    /// Steps of nothing but surrogates since the last run.
    steps: u32,
    /// How many there must be: more if that run was short.
    least: u32,
}

/// [`convert`](super::convert) for at least a vector.
#[inline(always)]
pub(super) fn convert<V: Lanes16>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let mut reach = Reach { read: 0, written: 0 };
    let mut patience = Patience { steps: 0, least: 1 };
    while reach.read < text.len() {
        match lane(encoder, text, dst, &mut reach, &mut patience) {
            End::Short => {}
            End::Wrong => return resume::<Little>(src, dst, reach),
            End::Pairs => {
                let before = reach.read;
                reach = pairs_run::<V>(encoder.token, text, dst, reach);
                let long = reach.read >= before + 64;
                patience.steps = 0;
                patience.least = if long { 1 } else { 32.min(2 * patience.least) };
                continue;
            }
        }
        if reach.read == text.len() {
            break;
        }
        match single::<V, Little, false>(encoder, text, dst, reach) {
            Some(next) => reach = next,
            None => return resume::<Little>(src, dst, reach),
        }
    }
    reach
}

/// Converts whole steps, as long as there are any and `dst` has room for what may come of them.
#[inline(always)]
fn lane<V: Lanes16>(
    encoder: &Encoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: &mut Reach,
    patience: &mut Patience,
) -> End {
    let (before, mut ahead) = text.split_at(reach.read);
    let mut dst = &mut dst[reach.written..];
    let (len, room_len) = (ahead.len(), dst.len());
    let step = 2 * V::LANES;
    let none = [encoder.zero; 2];
    // The last of these are the bytes of the unit in front, if that may be half of a pair.
    let mut last = match *before {
        [.., low, high] => [low, high].map(|byte| V::splat(encoder.token, byte)),
        _ => none,
    };
    let mut end = End::Short;
    while let (Some(window), Some(room)) = (ahead.get(..step), dst.get_mut(..2 * V::ROOM)) {
        let token = encoder.token;
        let units = V::apart([V::load(token, window, 0), V::load(token, window, V::LANES)]);
        let largest = units[1].largest();
        let mut surrogates = false;
        let written;
        if largest == 0 && !units[0].any_high() {
            units[0].store_bytes(room, 0);
            let run = encoder.ascii_run::<Little, false>(&ahead[step..], &mut dst[V::LANES..]);
            ahead = &ahead[step + 2 * run..];
            dst = &mut mem::take(&mut dst)[V::LANES + run..];
            last = none;
            continue;
        } else if largest < 8 {
            written = V::put_below_800(units, room);
        } else if !V::have_surrogates(units) {
            written = V::put_characters(units, room);
        } else {
            let pairs = if is_ended(ahead, step) { V::put_pairs(units, last, room) } else { None };
            let Some(pairs) = pairs else {
                end = End::Wrong;
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
            // Two bytes for each: hardly anything else than pairs.
            if written == step {
                patience.steps += 1;
                if patience.steps >= patience.least {
                    end = End::Pairs;
                    break;
                }
            }
        }
    }
    reach.read += len - ahead.len();
    reach.written += room_len - dst.len();
    end
}

/// [`is_ended`](super::is_ended) of text that has more in front.
#[inline(always)]
fn is_ended(ahead: &[u8], at: usize) -> bool {
    ahead[at - 1] & 0xFC != 0xD8 || ahead.get(at + 1).is_some_and(|high| high & 0xFC == 0xDC)
}

/// Converts pairs, 16 at a time, and single characters between them, as long as there is room for 16.
#[inline(never)]
fn pairs_run<V: Lanes16>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    // The first half of a pair has become two bytes.
    let read = boundary(&LITTLE_UNITS, text, reach.read);
    let written = reach.written - (reach.read - read);
    let (mut ahead, mut dst) = (&text[read..], &mut dst[written..]);
    let (len, room_len) = (ahead.len(), dst.len());
    // Pairs that there were beyond what other characters cost.
    let mut spare = 0_usize;
    while let (Some(bytes), Some(room)) = (ahead.first_chunk(), dst.first_chunk_mut()) {
        let pairs = V::put_only_pairs(token, bytes, room);
        ahead = &ahead[4 * pairs..];
        dst = &mut mem::take(&mut dst)[4 * pairs..];
        spare = MANY.min(spare + pairs);
        if pairs == 16 {
            continue;
        }
        let [b0, b1, ..] = *ahead else { break };
        let unit = u16::from_le_bytes([b0, b1]);
        let Some(rest) = spare.checked_sub(FEW) else { break };
        if unit & 0xF800 == 0xD800 {
            break;
        }
        spare = rest;
        let Some(bytes) = Utf8::encode(unit.into(), dst) else { break };
        ahead = &ahead[2..];
        dst = &mut mem::take(&mut dst)[bytes..];
    }
    Reach { read: read + len - ahead.len(), written: written + room_len - dst.len() }
}
