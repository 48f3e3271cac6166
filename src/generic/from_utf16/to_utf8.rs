//! UTF-16 to UTF-8.
//!
//! A code unit becomes one, two or three bytes, by its value alone. A surrogate becomes two of the
//! four bytes of its character. So a step does not depend on the characters before it, and its
//! length is fixed:
//!
//! 1. Load two vectors. If they are ASCII, narrow them, and the run of ASCII after them.
//! 2. If all units are below 0x800, compute bytes 0 and 1 of each unit, and write one or both by a
//!    shuffle row for eight units.
//! 3. If all units have three bytes, compute and write them.
//! 4. Else compute three bytes for each unit, and write one to three of them by a shuffle row for
//!    four units. A vector of ASCII is stored as it is, because text with markup often changes in
//!    the middle of a step.
//! 5. If there are surrogates, test that all are paired, with the unit before and the unit after
//!    the step, and replace bytes 0 and 1 of the surrogates.
//!
//! Byte 0 is the last byte of the output:
//!
//! ```text
//!   0xxxxxxx                     byte 0: the unit
//!   yyy yyxxxxxx                 byte 0: 10xxxxxx   byte 1: 110yyyyy
//!   zzzzyyyy yyxxxxxx            byte 0: 10xxxxxx   byte 1: 10yyyyyy   byte 2: 1110zzzz
//!   110110yy yyzzzzww (high)     byte 0: 10uuzzzz   byte 1: 11110uuu
//!                                with 0x40 added: uuuuu = yyyy + 1
//!   110111yy yyxxxxxx (low)      byte 0: 10xxxxxx   byte 1: 10wwyyyy
//! ```
//!
//! If stores are [masked](crate::arch::vector::Vector::Masked), a separate function converts text
//! without surrogates, and step 4 replaces step 3.
//!
//! After the whole steps, the rest is converted one vector at a time. The last vector ends at the
//! end of the input and overlaps the vector before it; the units that overlap are written again. A
//! vector is written through a bounce buffer only if the output is too short for a whole store.
//! After an error, or at the end of the output, the scalar reference converts the rest.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use crate::arch::avx512::{Avx512, U8x64};
use crate::arch::lanes16::Lanes16;
use crate::arch::optional::Presence;
#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Present};
#[cfg(avx512)]
use crate::arch::vector::Vector;
use crate::encoding::types::Utf8;
#[cfg(avx512)]
use crate::generic::from_utf16::check::splits_no_pair;
use crate::generic::from_utf16::check::whole_units;
use crate::generic::from_utf16::reference::resume;
use crate::generic::from_utf16::to_utf8_deinterleaved;
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::from_utf16::utf8_tail::{LoopReach, convert_tail, short};
#[cfg(avx512)]
use crate::generic::from_utf16::utf8_tail::{SurrogateFreeOutput, VectorBytes};
use crate::tables::Order;
use crate::types::progress::Reach;

/// Converts `src`, in the byte order `O`, into `dst`. Callers guarantee: `V` has 16 bytes if
/// `src.len() < 32`.
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
    if V::takes_short_path(text.len(), 2 * V::LANES)
        && let Some(reach) = convert_ascii_head_and_tail::<V, O>(&encoder, text, dst)
    {
        return reach;
    }
    if let Some(ops) = V::Masked::OPS {
        return convert_parts::<V, O>(&encoder, ops, src, dst);
    }
    let LoopReach { reach, wrong } = match V::Deinterleaved::OPS {
        Some(ops) => to_utf8_deinterleaved::convert_steps::<V, O>(ops, &encoder, text, dst),
        None => fast_loop::<V, O>(&encoder, text, dst),
    };
    if wrong {
        return resume::<Utf8>(O::units(), src, dst, reach);
    }
    convert_tail_or_resume::<V, O>(&encoder, src, dst, reach)
}

/// [`convert`] if stores are [masked](crate::arch::vector::Vector::Masked). Separate functions
/// convert the ASCII prefix, the text without surrogates, and the rest, so only texts with
/// surrogates load the constants for surrogates.
#[inline(always)]
fn convert_parts<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    ops: V::Masked,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let text = whole_units(src);
    let ascii_len = if !begins_with_ascii::<O>(text) {
        0
    } else if text.len() <= 2 * V::LANES {
        convert_ascii_head_and_tail::<V, O>(encoder, text, dst).map_or(0, |reach| reach.written)
    } else {
        encoder.ascii_prefix::<O>(text, dst)
    };
    if 2 * ascii_len == text.len() {
        return Reach { read: 2 * ascii_len, written: ascii_len };
    }
    V::run_outlined(
        encoder.token,
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| {
            let (encoder, text) = (UnitEncoder::<V>::new(token), whole_units(src));
            let reach = Reach { read: 2 * ascii_len, written: ascii_len };
            let reach = encoder.surrogate_free_steps::<O>(ops, text, dst, reach);
            if reach.read == text.len() {
                return reach;
            }
            if text.len() - reach.read < 2 * V::LANES
                && let Some(reach) = encoder.last_step::<O>(ops, text, dst, reach)
            {
                return reach;
            }
            convert_rest_outlined::<V, O>(token, src, dst, reach)
        },
    )
}

/// Converts the text after `reach` in a separate function. This text has surrogates, or its output
/// may not fit.
#[inline(always)]
fn convert_rest_outlined<V: Lanes16, O: Order>(
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
            let progress =
                fast_loop::<V, O>(&encoder, &text[reach.read..], &mut dst[reach.written..]);
            let reach = progress.reach.after(reach.read, reach.written);
            if progress.wrong {
                return resume::<Utf8>(O::units(), src, dst, reach);
            }
            convert_tail_or_resume::<V, O>(&encoder, src, dst, reach)
        },
    )
}

/// Converts the text after `reach` one vector at a time, and by the reference after an error.
#[inline(always)]
fn convert_tail_or_resume<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    match convert_tail::<V, O>(encoder, whole_units(src), dst, reach) {
        Ok(reach) => reach,
        Err(reach) => resume::<Utf8>(O::units(), src, dst, reach),
    }
}

/// [`convert`] on AVX-512, for any length.
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_masked<O: Order>(
    token: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    // The closures have the features of AVX-512. The functions themselves, as arguments, may not.
    if src.len() > U8x64::LANES {
        return token.run(
            src,
            dst,
            #[inline(always)]
            |token, src, dst| convert::<U8x64, O>(token, src, dst),
        );
    }
    token.run(
        src,
        dst,
        #[inline(always)]
        |token, src, dst| convert_one_vector::<U8x64, O>(token, src, dst),
    )
}

/// [`convert`] for at most one vector, if stores are [masked](crate::arch::vector::Vector::Masked).
#[cfg(avx512)]
#[inline(always)]
fn convert_one_vector<V: Lanes16, O: Order>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    let text = whole_units(src);
    let encoder = UnitEncoder::<V>::new(token);
    // The zeros after the end are one-byte characters.
    let units = Present.load_first(token, text).swap_bytes16_if_big::<O>();
    let start = Reach { read: 0, written: 0 };
    let written = match encoder.write_one_surrogate_free(Present, units, text.len(), dst) {
        SurrogateFreeOutput::Written(written) => Some(written),
        SurrogateFreeOutput::Full => None,
        // The encoder does not detect an unpaired high surrogate in the last lane, because no unit
        // follows it.
        SurrogateFreeOutput::HasSurrogates
            if text.len() == V::LANES && !splits_no_pair(O::units(), text, text.len()) =>
        {
            None
        }
        SurrogateFreeOutput::HasSurrogates => {
            VectorBytes::encode(&encoder, units, units.shift_in_zeros::<2>()).and_then(
                #[inline(always)]
                |single| single.write_within(text.len(), dst),
            )
        }
    };
    match written {
        Some(written) => Reach { read: text.len(), written },
        None => resume::<Utf8>(O::units(), src, dst, start),
    }
}

/// Returns true if the first four units are ASCII.
#[inline(always)]
fn begins_with_ascii<O: Order>(text: &[u8]) -> bool {
    let first = text.first_chunk().map_or(u64::MAX, |units| u64::from_le_bytes(*units));
    (if O::BIG { first.swap_bytes() } else { first }) & 0xFF80_FF80_FF80_FF80 == 0
}

/// Converts a text of one to two vectors, as two vectors that may overlap, if the text is ASCII and
/// its output fits. Otherwise returns `None`.
#[inline(always)]
fn convert_ascii_head_and_tail<V: Lanes16, O: Order>(
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
    None
}

/// Converts whole steps while `dst` has capacity for the output of a step.
#[inline(always)]
pub(crate) fn fast_loop<V: Lanes16, O: Order>(
    encoder: &UnitEncoder<V>,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> LoopReach {
    let step = 2 * V::LANES;
    // This is little more than three bytes for each unit. Callers allocate this much for the
    // longest output, so the last step has this capacity too.
    let step_capacity = const { 3 * V::LANES / 2 + V::WIDE_STORE_CAPACITY };
    let (mut at, mut to) = (0, 0);
    let mut wrong = false;
    while let Some(window) = text.get(at..at + step) {
        let units = encoder.load_two::<O>(window, 0);
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
        if !all.and(encoder.top_mask).any() {
            let Some(out) = dst.get_mut(to..to + 2 * V::LANES) else { break };
            to += encoder.narrow(units, out);
        } else {
            let Some(out) = dst.get_mut(to..to + step_capacity) else { break };
            let (below_0x800, surrogates) = encoder.below_and_surrogate_masks(units);
            // This gives the same result as a test of `surrogates`, without computing masks.
            let [first, second] = [
                units[0].marked16(encoder.top_mask, encoder.surrogate),
                units[1].marked16(encoder.top_mask, encoder.surrogate),
            ];
            let surrogate = first.either_marked16(second).any_marked16();
            if surrogate {
                let Some(written) =
                    encoder.pairs::<O>(text, at, units, below_0x800, surrogates, out)
                else {
                    wrong = true;
                    break;
                };
                to += written;
            } else if !units[0]
                .marked16(encoder.top_mask, encoder.zero)
                .either_marked16(units[1].marked16(encoder.top_mask, encoder.zero))
                .any_marked16()
            {
                encoder.three_byte(units[0], out, 0);
                encoder.three_byte(units[1], out, 3 * V::LANES / 2);
                to += 3 * V::LANES;
            } else {
                let first = encoder.wide_or_ascii(
                    units[0],
                    below_0x800[0],
                    &mut out[..V::WIDE_STORE_CAPACITY],
                );
                let out = &mut out[first..first + V::WIDE_STORE_CAPACITY];
                to += first + encoder.wide_or_ascii(units[1], below_0x800[1], out);
            }
        }
        at += step;
    }
    LoopReach { reach: Reach { read: at, written: to }, wrong }
}
