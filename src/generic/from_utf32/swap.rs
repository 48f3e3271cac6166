//! Converts UTF-32 to the other byte order, without validation.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::tables::Big;

/// Writes the whole units of `src` to `dst`, with the bytes of each unit reversed. `dst` is as long
/// as `src`.
#[inline(always)]
pub(crate) fn copy<V: Lanes32>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>])
where
    V::Vector16: Lanes32,
{
    if src.len() < 16 {
        units(src, dst);
    } else if src.len() < V::LANES {
        swap_vectors::<V::Vector16>(V::token_of_16_bytes(token), src, dst);
    } else {
        swap_vectors::<V>(token, src, dst);
    }
}

/// Does the same as [`copy`], one unit after the other.
#[inline(always)]
pub(crate) fn units(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    for (from, to) in src.as_chunks::<4>().0.iter().zip(dst.as_chunks_mut::<4>().0) {
        *to = u32::from_ne_bytes(*from).swap_bytes().to_ne_bytes().map(MaybeUninit::new);
    }
}

/// Does the same as [`copy`], for a text of at least a vector. The last vector ends with the text
/// and may overlap the vector before it.
#[inline(always)]
fn swap_vectors<V: Lanes32>(token: V::Token, text: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let last = text.len() - V::LANES;
    let mut at = 0;
    while at < last {
        V::load32::<Big>(token, text, at).store_bytes(dst, at);
        at += V::LANES;
    }
    V::load32::<Big>(token, text, last).store_bytes(dst, last);
}
