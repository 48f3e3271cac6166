//! Texts of at most a vector or a few, which have no window: without a fast lane.

use core::mem::MaybeUninit;

#[cfg(avx512)]
use super::super::utf8::ends_incomplete;
use super::span::Single;
use super::{BOUNCE, Decoder, GROUP, Target, any_single, bit, emit_single, ends_of_single, resume};
#[cfg(avx512)]
use super::{MIDDLE, NARROW, WIDE};
#[cfg(doc)]
use super::{SHORT, TINY, convert};
use crate::arch::Vector;
use crate::arch::window::copy_short;
use crate::progress::Reach;

/// [`convert`] for inputs of [`TINY`] to [`SHORT`] bytes.
#[inline(always)]
pub(in super::super) fn convert_short<
    V: Vector,
    T: Target<V> + Target<V::Half>,
    const CHECK: bool,
>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if src.len() < V::LANES {
        if let Some(reach) = short_ascii::<V::Half, T>(target, V::half(token), src, dst) {
            return reach;
        }
        return alone::<V, T, CHECK>(target, token, src, dst);
    }
    if let Some(reach) = short_ascii::<V, T>(target, token, src, dst) {
        return reach;
    }
    let decoder = Decoder::<V>::new(token);
    let (mut read, mut written) = (0, 0);
    loop {
        match any_single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(to) => (read, written) = to,
            Err(reach) => return reach,
        }
    }
}

/// [`convert`] for inputs of at most a vector, where stores are [masked](Vector::MASKED).
#[cfg(avx512)]
#[inline(always)]
pub(in super::super) fn convert_whole<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let bytes = V::load_first(token, src);
    if !bytes.any_high() {
        let written = T::SIZE * src.len();
        let Some(room) = dst.get_mut(..written) else {
            return resume::<V, T>(target, src, dst, 0, 0);
        };
        target.widen(bytes, room, 0);
        return Reach { read: src.len(), written };
    }
    let decoder = Decoder::<V>::new(token);
    // Behind the end are zeros, in front of which a sequence that is cut off is an error, if errors are looked for.
    let cut_off = (!CHECK || src.len() == V::LANES) && ends_incomplete(src);
    let span = Single::whole(bytes);
    let written = if cut_off {
        None
    } else if !bytes.any_from(token, 0xE0) {
        whole_of::<V, T, NARROW, CHECK>(target, &decoder, span, src.len(), dst)
    } else if !bytes.any_from(token, 0xF0) {
        whole_of::<V, T, MIDDLE, CHECK>(target, &decoder, span, src.len(), dst)
    } else {
        whole_of::<V, T, WIDE, CHECK>(target, &decoder, span, src.len(), dst)
    };
    match written {
        Some(written) => Reach { read: src.len(), written },
        None => resume::<V, T>(target, src, dst, 0, 0),
    }
}

/// Writes what becomes of the first `len` positions, if nothing is wrong and it fits; says how many bytes.
#[cfg(avx512)]
#[inline(always)]
fn whole_of<V: Vector, T: Target<V>, const LONGEST: usize, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    span: Single<V>,
    len: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let keep = target.ends::<_, LONGEST, CHECK>(decoder, span)? & V::first_bits(len);
    let room = dst.get_mut(..T::SIZE * keep.count_ones() as usize)?;
    target.emit::<_, LONGEST>(decoder, span, keep, room);
    Some(room.len())
}

/// [`convert`] for inputs of less than [`TINY`] bytes, for vectors of as many lanes.
#[inline(always)]
pub(in super::super) fn convert_tiny<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        let written = T::SIZE * src.len();
        if (first | last) & HIGH == 0
            && let Some(room) = dst.get_mut(..written)
        {
            target.widen_word(token, first, room, 0);
            target.widen_word(token, last, room, src.len() - 8);
            return Reach { read: src.len(), written };
        }
    }
    alone::<V, T, CHECK>(target, token, src, dst)
}

/// Converts an input of at least a vector that is ASCII and fits, by vectors of which the last overlaps.
#[inline(always)]
fn short_ascii<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let last = src.len().checked_sub(V::LANES)?;
    let written = T::SIZE * src.len();
    let room = dst.get_mut(..written)?;
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
        target.widen(V::load(token, src, at), room, at);
        at += V::LANES;
    }
    target.widen(V::load(token, src, last), room, last);
    Some(Reach { read: src.len(), written })
}

/// Decodes an input of less than a vector.
#[inline(always)]
fn alone<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let decoder = Decoder::<V>::new(token);
    let span = Single::short(token, src);
    let fours = decoder.has_fours(span);
    let Some(ends) = ends_of_single::<V, T, CHECK>(target, &decoder, span, fours) else {
        return resume::<V, T>(target, src, dst, 0, 0);
    };
    let empty = V::LANES - src.len();
    let keep = ends >> empty << empty;
    let mut bounce = [MaybeUninit::uninit(); BOUNCE];
    let direct = dst.len() >= T::SIZE * src.len().max(GROUP);
    let room = if direct { &mut *dst } else { &mut bounce };
    let units = emit_single::<V, T>(target, &decoder, span, keep, fours, room);
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
    if span.is_cut_off(token) {
        return resume::<V, T>(target, src, dst, src.len(), written);
    }
    Reach { read: src.len(), written }
}
