//! UTF-32 in the other byte order, without validation.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::view;
use crate::generic::from_utf32::check::whole_units;
use crate::tables::Big;

/// Writes `src` to `dst`, of the same length, with the bytes of each unit reversed. An incomplete
/// unit at the end is copied unchanged.
#[inline(always)]
pub(crate) fn copy<V: Lanes32>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>])
where
    V::Half: Lanes32,
{
    let (text, fragment) = src.split_at(whole_units(src).len());
    let (dst, rest) = dst[..src.len()].split_at_mut(text.len());
    rest.copy_from_slice(view::as_uninit(fragment));
    if text.len() < 16 {
        for (from, to) in text.as_chunks::<4>().0.iter().zip(dst.as_chunks_mut::<4>().0) {
            *to = u32::from_ne_bytes(*from).swap_bytes().to_ne_bytes().map(MaybeUninit::new);
        }
    } else if text.len() < V::LANES {
        vectors::<V::Half>(V::half(token), text, dst);
    } else {
        vectors::<V>(token, text, dst);
    }
}

/// [`copy`] of whole units, at least a vector. The last vector ends with the text and overlaps.
#[inline(always)]
fn vectors<V: Lanes32>(token: V::Token, text: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let last = text.len() - V::LANES;
    let mut at = 0;
    while at < last {
        V::load32::<Big>(token, text, at).store_bytes(dst, at);
        at += V::LANES;
    }
    V::load32::<Big>(token, text, last).store_bytes(dst, last);
}

/// Reverses the bytes of each unit.
#[inline(always)]
pub(crate) fn in_place<V: Lanes32>(token: V::Token, units: &mut [u8])
where
    V::Half: Lanes32,
{
    if units.len() < 16 {
        for unit in units.as_chunks_mut::<4>().0 {
            unit.reverse();
        }
    } else if units.len() < V::LANES {
        vectors_in_place::<V::Half>(V::half(token), units);
    } else {
        vectors_in_place::<V>(token, units);
    }
}

/// [`in_place`] for at least a vector. The last vector ends with the units and overlaps, so it is
/// loaded before any unit is changed.
#[inline(always)]
fn vectors_in_place<V: Lanes32>(token: V::Token, units: &mut [u8]) {
    let last = units.len() - V::LANES;
    let end = V::load32::<Big>(token, units, last);
    let mut at = 0;
    while at < last {
        V::load32::<Big>(token, units, at).store_over(units, at);
        at += V::LANES;
    }
    end.store_over(units, last);
}
