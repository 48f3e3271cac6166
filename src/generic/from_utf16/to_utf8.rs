//! UTF-16 to UTF-8.
//!
//! A code unit becomes one, two or three bytes, by its value alone. A surrogate, too, gives two of
//! the four bytes of its character. So a step does not depend on the characters before it, and its
//! length is fixed.
//!
//! Three bytes are computed for every unit at once. Rows of a table then write those of them that
//! are needed: for eight units at a time if no unit needs three bytes, else for four.
//!
//! ```text
//!   0xxxxxxx                     byte 0: the unit
//!   yyy yyxxxxxx                 byte 0: 10xxxxxx   byte 1: 110yyyyy
//!   zzzzyyyy yyxxxxxx            byte 0: 10xxxxxx   byte 1: 10yyyyyy   byte 2: 1110zzzz
//!   110110yy yyzzzzww (high)     byte 0: 10uuzzzz   byte 1: 11110uuu
//!                                with 40 added: uuuuu = yyyy + 1
//!   110111yy yyxxxxxx (low)      byte 0: 10xxxxxx   byte 1: 10wwyyyy
//! ```
//!
//! A step is two vectors. Its class decides which bytes are computed: ASCII, narrow (all units
//! below 0x800), all from 0x800 on, or any units, of which a vector of ASCII is stored as it is:
//! text with markup often changes in the middle of a step. Each surrogate in a step is known to be
//! paired; for the last unit, the unit after the step is loaded.
//!
//! Where stores are [masked](crate::arch::vector::Vector::Masked), text without surrogates has a
//! function of its own, without a class of three-byte units: they are written by the code for any
//! units.
//!
//! After whole steps follow single vectors. The last one ends with the input and overlaps; its
//! first bytes are written again. Only at the end of an output without room to spare does a vector
//! go through a bounce buffer.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Present};
#[cfg(avx512)]
use crate::generic::from_utf16::check::is_ended;
use crate::generic::from_utf16::check::whole_units;
use crate::generic::from_utf16::to_utf8_deinterleaved;
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_tail::{NarrowBytes, convert_tail, resume, short};
#[cfg(avx512)]
use crate::generic::from_utf16::utf8_tail::{SimpleOutput, VectorBytes};
use crate::tables::Order;
use crate::types::progress::Reach;

/// Converts `src`, in the byte order `O`, into `dst`. An input shorter than 32 bytes comes here
/// only with vectors of 16 bytes.
#[inline(always)]
pub(crate) fn convert<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    if V::LANES == 16 && text.len() < 16 {
        return short::<V, O>(token, src, dst);
    }
    let encoder = UnitEncoder::<V>::new(token);
    if V::is_within(text.len(), 2 * V::LANES)
        && let Some(reach) = simple_ends::<V, O>(&encoder, text, dst)
    {
        return reach;
    }
    if let Some(ops) = V::Deinterleaved::OPS {
        return to_utf8_deinterleaved::convert::<V, O>(ops, &encoder, src, dst);
    }
    if let Some(ops) = V::Masked::OPS {
        return convert_parts::<V, O>(&encoder, ops, src, dst);
    }
    let LaneReach { reach, wrong } = fast_lane::<V, O>(&encoder, text, dst);
    if wrong {
        return resume::<O>(src, dst, reach);
    }
    convert_tail_or_resume::<V, O>(&encoder, src, dst, reach)
}

/// [`convert`] in functions of their own, if stores are
/// [masked](crate::arch::vector::Vector::Masked): for ASCII at the front, for all without
/// surrogates, and for the rest. So each has its own registers, and few texts pay for the constants
/// of surrogates.
#[inline(always)]
fn convert_parts<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    ops: V::Masked,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    // Text that does not begin with ASCII is not tested further.
    let run = if !is_ascii::<O>(text) {
        0
    } else if text.len() <= 2 * V::LANES {
        simple_ends::<V, O>(encoder, text, dst).map_or(0, |reach| reach.written)
    } else {
        encoder.ascii_prefix::<O>(text, dst)
    };
    if 2 * run == text.len() {
        return Reach { read: 2 * run, written: run };
    }
    V::run_outlined(
        encoder.token,
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| {
            let (encoder, text) = (UnitEncoder::<V>::new(token), whole_units(src));
            let reach = Reach { read: 2 * run, written: run };
            let reach = encoder.surrogate_free_steps::<O>(ops, text, dst, reach);
            if reach.read == text.len() {
                return reach;
            }
            if text.len() - reach.read < 2 * V::LANES
                && let Some(reach) = encoder.last_step::<O>(ops, text, dst, reach)
            {
                return reach;
            }
            lane_apart::<V, O>(token, src, dst, reach)
        },
    )
}

/// Converts the text after `reach`, which has surrogates, or little room for its output, in a
/// function of its own.
#[inline(always)]
fn lane_apart<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| {
            let encoder = UnitEncoder::<V>::new(token);
            let text = whole_units(src);
            let lane = fast_lane::<V, O>(&encoder, &text[reach.read..], &mut dst[reach.written..]);
            let reach = lane.reach.after(reach.read, reach.written);
            if lane.wrong {
                return resume::<O>(src, dst, reach);
            }
            convert_tail_or_resume::<V, O>(&encoder, src, dst, reach)
        },
    )
}

/// Converts the vectors after `reach`.
#[inline(always)]
fn convert_tail_or_resume<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    match convert_tail::<V, O>(encoder, whole_units(src), dst, reach) {
        Ok(reach) => reach,
        Err(reach) => resume::<O>(src, dst, reach),
    }
}

/// [`convert`] of at most a vector, if stores are [masked](crate::arch::vector::Vector::Masked).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    let text = whole_units(src);
    let encoder = UnitEncoder::<V>::new(token);
    // Zeros stand after the end; they are one-byte characters.
    let units = Present.load_first(token, text).ordered16::<O>();
    let start = Reach { read: 0, written: 0 };
    let written = match encoder.write_surrogate_free(Present, units, (0, 0), text.len(), dst) {
        SimpleOutput::Put(written) => Some(written),
        SimpleOutput::Full => None,
        // With no unit after it, an unpaired high surrogate in the last lane is not detected.
        SimpleOutput::Other
            if text.len() == V::LANES && !is_ended(O::units(), text, text.len()) =>
        {
            None
        }
        SimpleOutput::Other => VectorBytes::encode(&encoder, units, units.shifted::<2>()).and_then(
            #[inline(always)]
            |single| single.write_exactly(text.len(), dst),
        ),
    };
    match written {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<O>(src, dst, start),
    }
}

/// Returns true if the first four units are ASCII.
#[inline(always)]
fn is_ascii<O: Order>(text: &[u8]) -> bool {
    let first = text.first_chunk().map_or(u64::MAX, |units| u64::from_le_bytes(*units));
    (if O::BIG { first.swap_bytes() } else { first }) & 0xFF80_FF80_FF80_FF80 == 0
}

/// Converts a text of one or two vectors, which may overlap, if it is ASCII and fits; and any units
/// below 0x800, if stores are not [masked](crate::arch::vector::Vector::Masked).
#[inline(always)]
fn simple_ends<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = text.len() - V::LANES;
    let out = dst.get_mut(..text.len() / 2)?;
    let units = [encoder.load::<O>(text, 0), encoder.load::<O>(text, last)];
    let all = units[0].or(units[1]);
    if !all.and(encoder.above_ascii).any() {
        units[0].store_narrowed(out, 0);
        units[1].store_narrowed(out, last / 2);
        return Some(Reach { read: text.len(), written: text.len() / 2 });
    }
    if V::Masked::PRESENT || V::Deinterleaved::PRESENT || all.and(encoder.top).any() {
        return None;
    }
    let [first, second] = NarrowBytes::encode_two(encoder, units);
    let written = first.bytes_of(last);
    first.write_exactly(dst)?;
    let written = written + second.write_exactly(&mut dst[written..])?;
    Some(Reach { read: text.len(), written })
}

/// The progress of the fast lane.
pub(crate) struct LaneReach {
    pub(crate) reach: Reach,
    /// True if the next step is ill-formed.
    pub(crate) wrong: bool,
}

/// Converts whole steps while there are any and `dst` has room for the output of one.
#[inline(always)]
pub(crate) fn fast_lane<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> LaneReach {
    let step = 2 * V::LANES;
    // Little more than three bytes for each unit, which is what callers allocate for the longest
    // output: the step that ends with the text should have it too.
    let step_room = const { 3 * V::LANES / 2 + V::WIDE_STORE_CAPACITY };
    let (mut at, mut to) = (0, 0);
    let mut wrong = false;
    while let Some(window) = text.get(at..at + step) {
        let units = encoder.two::<O>(window, 0);
        let all = units[0].or(units[1]);
        if !all.and(encoder.above_ascii).any() {
            let Some(out) = dst.get_mut(to..to + V::LANES) else { break };
            V::narrow(units[0], units[1]).store_bytes(out, 0);
            at += step;
            to += V::LANES;
            let run = encoder.ascii_run::<O>(&text[at..], &mut dst[to..]);
            at += 2 * run;
            to += run;
            continue;
        }
        if !all.and(encoder.top).any() {
            let Some(out) = dst.get_mut(to..to + 2 * V::LANES) else { break };
            to += encoder.narrow(units, out);
        } else {
            let Some(out) = dst.get_mut(to..to + step_room) else { break };
            let (below, surrogates) = encoder.tops(units);
            // The same question as that for lanes of `surrogates`, in a form that makes no masks.
            let [first, second] = [
                units[0].marked16(encoder.top, encoder.surrogate),
                units[1].marked16(encoder.top, encoder.surrogate),
            ];
            let surrogate = first.either_marked16(second).any_marked16();
            if surrogate {
                let Some(written) = encoder.pairs::<O>(text, at, units, below, surrogates, out)
                else {
                    wrong = true;
                    break;
                };
                to += written;
            } else if !units[0]
                .marked16(encoder.top, encoder.zero)
                .either_marked16(units[1].marked16(encoder.top, encoder.zero))
                .any_marked16()
            {
                encoder.three_byte(units[0], out, 0);
                encoder.three_byte(units[1], out, 3 * V::LANES / 2);
                to += 3 * V::LANES;
            } else {
                let first =
                    encoder.wide_or_ascii(units[0], below[0], &mut out[..V::WIDE_STORE_CAPACITY]);
                let out = &mut out[first..first + V::WIDE_STORE_CAPACITY];
                to += first + encoder.wide_or_ascii(units[1], below[1], out);
            }
        }
        at += step;
    }
    LaneReach { reach: Reach { read: at, written: to }, wrong }
}
