//! Conversion of texts of at most a few vectors, which are too short for the fast lane.
//!
//! 1. If the text is ASCII and fits, widen it.
//! 2. Else decode single vectors. The last one ends with the text and overlaps. A text shorter than
//!    a vector fills the last lanes of one, after zeros.
//! 3. If stores are masked, a text of at most a vector fills the first lanes, before zeros.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use crate::arch::optional::{MaskedOps, Present};
use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
#[cfg(avx512)]
use crate::generic::from_utf8::check::ends_incomplete;
#[cfg(doc)]
use crate::generic::from_utf8::decode::convert::convert;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::single::{
    any_single, bit, emit_single, resume, single_character_ends,
};
use crate::generic::from_utf8::decode::sizes::{GROUP_UNITS, SINGLE_OUTPUT_BYTES};
#[cfg(doc)]
use crate::generic::from_utf8::decode::sizes::{SHORT_MAX_BYTES, SHORT_MIN_BYTES};
#[cfg(avx512)]
use crate::generic::from_utf8::decode::sizes::{
    UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::RegisterWindow;
use crate::generic::from_utf8::decode::target::Target;
use crate::types::progress::Reach;

/// [`convert`] for inputs of [`SHORT_MIN_BYTES`] to [`SHORT_MAX_BYTES`] bytes.
#[inline(always)]
pub(crate) fn convert_short<V: Vector, T: Target<V> + Target<V::Half>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if src.len() < V::LANES {
        if let Some(reach) = short_ascii::<V::Half, T>(target, V::half(token), src, dst) {
            return reach;
        }
        return below_vector::<V, T, CHECK>(target, token, src, dst);
    }
    if let Some(reach) = short_ascii::<V, T>(target, token, src, dst) {
        return reach;
    }
    let decoder = Utf8Decoder::<V>::new(token);
    let (mut read, mut written) = (0, 0);
    loop {
        match any_single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(to) => (read, written) = to,
            Err(reach) => return reach,
        }
    }
}

/// [`convert`] for inputs of at most a vector, if stores are [masked](Vector::Masked).
#[cfg(avx512)]
#[inline(always)]
pub(crate) fn convert_whole<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    let bytes = Present.load_first(token, src);
    if !bytes.any_high() {
        let written = T::SIZE * src.len();
        let Some(out) = dst.get_mut(..written) else {
            return resume::<V, T>(target, src, dst, 0, 0);
        };
        target.widen(bytes, out, 0);
        return Reach { read: src.len(), written };
    }
    let decoder = Utf8Decoder::<V>::new(token);
    // With `CHECK`, the zeros after the end make an incomplete sequence an error.
    let incomplete = (!CHECK || src.len() == V::LANES) && ends_incomplete(src);
    let input = RegisterWindow::whole(bytes);
    let written = if incomplete {
        None
    } else if !bytes.any_from(token, 0xE0) {
        whole_of::<V, T, UP_TO_TWO_BYTES, CHECK>(target, &decoder, input, src.len(), dst)
    } else if !bytes.any_from(token, 0xF0) {
        whole_of::<V, T, UP_TO_THREE_BYTES, CHECK>(target, &decoder, input, src.len(), dst)
    } else {
        whole_of::<V, T, UP_TO_FOUR_BYTES, CHECK>(target, &decoder, input, src.len(), dst)
    };
    match written {
        Some(written) => Reach { read: src.len(), written },
        None => resume::<V, T>(target, src, dst, 0, 0),
    }
}

/// Writes the units of the first `len` positions if there is no error and they fit. Returns the
/// number of bytes written.
#[cfg(avx512)]
#[inline(always)]
fn whole_of<V: Vector, T: Target<V>, const LONGEST: usize, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    len: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let keep =
        target.find_character_ends::<_, LONGEST, CHECK>(decoder, input)? & V::first_bits(len);
    let out = dst.get_mut(..T::SIZE * keep.count_ones() as usize)?;
    target.emit::<_, LONGEST>(decoder, input, keep, out);
    Some(out.len())
}

/// [`convert`] for inputs shorter than [`SHORT_MIN_BYTES`] bytes. `V` has that many lanes.
#[inline(always)]
pub(crate) fn convert_tiny<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let written = T::SIZE * src.len();
        if (first | last) & HIGH_BITS == 0
            && let Some(out) = dst.get_mut(..written)
        {
            target.widen_word(token, first, out, 0);
            target.widen_word(token, last, out, src.len() - 8);
            return Reach { read: src.len(), written };
        }
    }
    below_vector::<V, T, CHECK>(target, token, src, dst)
}

/// Converts an input of at least a vector if it is ASCII and fits. The last vector overlaps.
#[inline(always)]
fn short_ascii<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = src.len().checked_sub(V::LANES)?;
    let written = T::SIZE * src.len();
    let out = dst.get_mut(..written)?;
    let mut all = V::load(token, src, last);
    let mut at = 0;
    while at < last {
        all = all.or(V::load(token, src, at));
        at += V::LANES;
    }
    if all.any_high() {
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
fn below_vector<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let decoder = Utf8Decoder::<V>::new(token);
    let input = RegisterWindow::short(token, src);
    let four_byte = decoder.has_four_byte(input);
    let Some(ends) = single_character_ends::<V, T, CHECK>(target, &decoder, input, four_byte)
    else {
        return resume::<V, T>(target, src, dst, 0, 0);
    };
    let empty = V::LANES - src.len();
    let keep = ends >> empty << empty;
    let mut bounce = [MaybeUninit::uninit(); SINGLE_OUTPUT_BYTES];
    let direct = dst.len() >= T::SIZE * src.len().max(GROUP_UNITS);
    let out = if direct { &mut *dst } else { &mut bounce };
    let units = emit_single::<V, T>(target, &decoder, input, keep, four_byte, out);
    let written = T::SIZE * units;
    if !direct {
        let Some(to) = dst.get_mut(..written) else {
            let fit = dst.len() / T::SIZE;
            let written = T::SIZE * fit;
            copy_short(&mut dst[..written], &bounce[..written]);
            return resume::<V, T>(target, src, dst, bit(keep, fit) - empty, written);
        };
        copy_short(to, &bounce[..written]);
    }
    if input.is_incomplete_at_end(token) {
        return resume::<V, T>(target, src, dst, src.len(), written);
    }
    Reach { read: src.len(), written }
}
