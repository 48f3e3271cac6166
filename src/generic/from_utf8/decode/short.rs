//! Converts texts of at most a few vectors, which are too short for the fast loop of [`convert`].
//!
//! 1. If the text is ASCII and its output fits, widen it.
//! 2. Else decode one vector at a time. The last vector ends with the text and may overlap the
//!    vector before it. A text shorter than a vector fills the last lanes of a vector, after zeros.
//!
//! With masked stores, a text no longer than one vector is converted in another way: it fills the
//! first lanes of a vector, before zeros, and one masked store writes its output.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Present};
use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
#[cfg(doc)]
use crate::generic::from_utf8::decode::convert::convert;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::single::{
    decode_single, emit_single, find_ends_in_single, position_of_bit, resume,
};
#[cfg(doc)]
use crate::generic::from_utf8::decode::sizes::SHORT_MAX_BYTES;
use crate::generic::from_utf8::decode::sizes::{GROUP_UNITS, SHORT_MIN_BYTES, VECTOR_OUTPUT_BYTES};
#[cfg(avx512)]
use crate::generic::from_utf8::decode::sizes::{
    UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::RegisterWindow;
use crate::generic::from_utf8::decode::target::Target;
use crate::swar::words;
use crate::types::progress::Reach;

/// Converts like [`convert`], for inputs of [`SHORT_MIN_BYTES`] to [`SHORT_MAX_BYTES`] bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if src.len() < V::LANES {
        if let Some(reach) =
            short_ascii::<V::Vector16, T>(target, V::token_of_16_bytes(token), src, dst)
        {
            return reach;
        }
        return convert_below_vector::<V, T, CHECK>(target, token, src, dst);
    }
    if let Some(reach) = short_ascii::<V, T>(target, token, src, dst) {
        return reach;
    }
    let decoder = Utf8Decoder::<V>::new(token);
    let (mut read, mut written) = (0, 0);
    loop {
        match decode_single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(end) => (read, written) = end,
            Err(reach) => return reach,
        }
    }
}

/// Converts like [`convert`], for inputs no longer than one vector, with [masked](Vector::Masked)
/// stores.
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_one_vector<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    let bytes = Present.load_first(token, src);
    if !bytes.any_high_bit() {
        let written = T::UNIT_BYTES * src.len();
        let Some(out) = dst.get_mut(..written) else {
            return resume(target, src, dst, 0, 0);
        };
        target.widen(bytes, out, 0);
        return Reach { read: src.len(), written };
    }
    let decoder = Utf8Decoder::<V>::new(token);
    // The check of `CHECK` already rejects an incomplete sequence if zeros follow it. So this tests
    // for one only without `CHECK`, or if no zeros follow.
    let is_incomplete = (!CHECK || src.len() == V::LANES) && ends_incomplete(src);
    let input = RegisterWindow::from_padded(bytes);
    let written = if is_incomplete {
        None
    } else if !bytes.any_at_least(token, 0xE0) {
        write_masked_vector::<V, T, UP_TO_TWO_BYTES, CHECK>(target, &decoder, input, src.len(), dst)
    } else if !bytes.any_at_least(token, 0xF0) {
        write_masked_vector::<V, T, UP_TO_THREE_BYTES, CHECK>(
            target,
            &decoder,
            input,
            src.len(),
            dst,
        )
    } else {
        write_masked_vector::<V, T, UP_TO_FOUR_BYTES, CHECK>(
            target,
            &decoder,
            input,
            src.len(),
            dst,
        )
    };
    match written {
        Some(written) => Reach { read: src.len(), written },
        None => resume(target, src, dst, 0, 0),
    }
}

/// Returns true if the last three bytes of `src` show that `src` ends inside a sequence.
#[cfg(avx512)]
#[inline(always)]
fn ends_incomplete(src: &[u8]) -> bool {
    match *src {
        [.., b3, b2, b1] => b1 >= 0xC0 || b2 >= 0xE0 || b3 >= 0xF0,
        [b2, b1] => b1 >= 0xC0 || b2 >= 0xE0,
        [b1] => b1 >= 0xC0,
        [] => false,
    }
}

/// Writes the units of the characters that end in the first `len` lanes. Returns the number of
/// bytes written, or `None` if there is an error or the units do not fit.
#[cfg(avx512)]
#[inline(always)]
fn write_masked_vector<V: Vector, T: Target, const LONGEST: usize, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    len: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let keep =
        target.find_character_ends::<_, _, LONGEST, CHECK>(decoder, input)? & V::first_bits(len);
    let out = dst.get_mut(..T::UNIT_BYTES * keep.count_ones() as usize)?;
    target.emit::<_, _, LONGEST>(decoder, input, keep, out);
    Some(out.len())
}

/// Converts like [`convert`], for inputs shorter than [`SHORT_MIN_BYTES`] bytes. `V` has
/// [`SHORT_MIN_BYTES`] lanes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let bytes = V::from_words(token, words::padded16(src));
    if !bytes.any_high_bit()
        && let Some(out) = dst.get_mut(..T::UNIT_BYTES * src.len())
    {
        let mut bounce = [MaybeUninit::uninit(); 4 * SHORT_MIN_BYTES];
        target.widen(bytes, &mut bounce, 0);
        copy_short(out, &bounce[..out.len()]);
        return Reach { read: src.len(), written: out.len() };
    }
    convert_below_vector::<V, T, CHECK>(target, token, src, dst)
}

/// Converts an input of at least `V::LANES` bytes if it is ASCII and its output fits. The last
/// vector may overlap the vector before it. Returns `None` if nothing was converted.
#[inline(always)]
fn short_ascii<V: Vector, T: Target>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = src.len().checked_sub(V::LANES)?;
    let written = T::UNIT_BYTES * src.len();
    let out = dst.get_mut(..written)?;
    let mut ored = V::load(token, src, last);
    let mut at = 0;
    while at < last {
        ored = ored.or(V::load(token, src, at));
        at += V::LANES;
    }
    if ored.any_high_bit() {
        return None;
    }
    let mut at = 0;
    while at < last {
        target.widen(V::load(token, src, at), out, at);
        at += V::LANES;
    }
    target.widen(V::load(token, src, last), out, last);
    Some(Reach { read: src.len(), written })
}

/// Decodes an input shorter than a vector.
#[inline(always)]
fn convert_below_vector<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let decoder = Utf8Decoder::<V>::new(token);
    let input = RegisterWindow::from_short(token, src);
    let has_four_byte = decoder.has_four_byte(input);
    let Some(ends) = find_ends_in_single::<V, T, CHECK>(target, &decoder, input, has_four_byte)
    else {
        return resume(target, src, dst, 0, 0);
    };
    let empty_lanes = V::LANES - src.len();
    let keep = ends >> empty_lanes << empty_lanes;
    let mut bounce = [MaybeUninit::uninit(); VECTOR_OUTPUT_BYTES];
    let is_direct = dst.len() >= T::UNIT_BYTES * src.len().max(GROUP_UNITS);
    let out = if is_direct { &mut *dst } else { &mut bounce };
    let units = emit_single::<V, T>(target, &decoder, input, keep, has_four_byte, out);
    let written = T::UNIT_BYTES * units;
    if !is_direct {
        let Some(out) = dst.get_mut(..written) else {
            let fitting_units = dst.len() / T::UNIT_BYTES;
            let written = T::UNIT_BYTES * fitting_units;
            copy_short(&mut dst[..written], &bounce[..written]);
            return resume(
                target,
                src,
                dst,
                position_of_bit(keep, fitting_units) - empty_lanes,
                written,
            );
        };
        copy_short(out, &bounce[..written]);
    }
    if input.is_incomplete_at_end(token) {
        return resume(target, src, dst, src.len(), written);
    }
    Reach { read: src.len(), written }
}
