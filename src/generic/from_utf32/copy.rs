//! Conversions of UTF-32 to encodings with the same number of units: UTF-32 in either byte order,
//! and [narrowed](super::super::narrow) to Latin-1 and ASCII.
//!
//! 1. The caller shortens the text so that the output fits.
//! 2. Convert blocks. The largest [number](super::check) shows if a unit is not a scalar value.
//! 3. Convert single vectors. The last vector ends with the text and may overlap the vector before
//!    it. Units may be written before they are tested: the output after an error is scratch.
//! 4. The reference finds the error.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::types::{Ascii, Latin1, Utf32Be, Utf32Le};
use crate::encoding::view::Uninit;
use crate::generic::from_utf32::FromUtf32;
use crate::generic::from_utf32::check::Utf32Checker;
use crate::generic::narrow::{self, Units32};
use crate::generic::vectors;
use crate::scalar;
use crate::tables::Order;
use crate::types::progress::Reach;

/// The bits that Latin-1 lacks.
pub(crate) const ABOVE_LATIN1: u32 = !0xFF;
/// The bits that ASCII lacks.
pub(crate) const ABOVE_ASCII: u32 = !0x7F;

/// The conversion to UTF-32 in the byte order `O`.
#[derive(Clone, Copy)]
pub(crate) struct ToUtf32<O>(pub(crate) O);

impl<O: Order> FromUtf32 for ToUtf32<O> {
    const WIDE_MIN_BYTES: usize = 3 * 64;
    const NARROW_MAX_BYTES: usize = 64;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(to_utf32::<V, O>(token, src, dst), 1, 1)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(to_utf32_short::<V, O>(token, src, dst), 1, 1)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        if O::BIG {
            scalar::transcode::<Utf32Le, Utf32Be>(src, dst)
        } else {
            scalar::transcode::<Utf32Le, Utf32Le>(src, dst)
        }
    }
}

/// The conversion to Latin-1 or ASCII, up to the first unit that has one of the bits that the
/// encoding lacks: [`ABOVE_LATIN1`] or [`ABOVE_ASCII`].
#[derive(Clone, Copy)]
pub(crate) struct ToBytes(pub(crate) u32);

impl FromUtf32 for ToBytes {
    const WIDE_MIN_BYTES: usize = 0;
    const NARROW_MAX_BYTES: usize = 64;

    #[inline(always)]
    fn convert<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(narrow::<V>(token, self.0, src, dst), 4, 1)
    }

    #[inline(always)]
    fn convert_narrow<V: Lanes32>(self, token: V::Token, src: &[u8], dst: &mut Uninit) -> Reach {
        Reach::of_units(narrow::<V>(token, self.0, src, dst), 4, 1)
    }

    fn convert_by_reference(self, src: &[u8], dst: &mut Uninit) -> Reach {
        if self.0 == ABOVE_LATIN1 {
            scalar::transcode::<Utf32Le, Latin1>(src, dst)
        } else {
            scalar::transcode::<Utf32Le, Ascii>(src, dst)
        }
    }
}

/// [Narrows](narrow::narrow) whole units, up to the first unit that has one of the bits in `above`,
/// which is [`ABOVE_LATIN1`] or [`ABOVE_ASCII`]. `dst` has capacity for one byte for each unit.
#[inline(always)]
fn narrow<V: Lanes32>(
    token: V::Token,
    above: u32,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (above, dst) = (V::splat32(token, above), &mut dst[..text.len() / 4]);
    narrow::narrow::<V, Units32>(token, above, text, dst)
}

/// Converts whole units to UTF-32 in byte order `B`, up to the first ill-formed unit. `text` has at
/// least a vector, and `dst` is at least as long as `text`. Returns the number of bytes written.
#[inline(always)]
fn to_utf32<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    match blocks::<V, B>(token, text, dst) {
        Ok(at) => convert_vectors::<V, B>(token, text, dst, at),
        Err(at) => find_ill_formed(text, at),
    }
}

/// Converts like [`to_utf32`], for a text that is one to four vectors long.
#[inline(always)]
fn to_utf32_short<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = &mut dst[..text.len()];
    if text.len() <= 2 * V::LANES {
        return convert_two::<V, B>(token, text, dst);
    }
    convert_vectors::<V, B>(token, text, dst, 0)
}

/// Converts like [`to_utf32`], for a text that one or two vectors cover. They may overlap.
#[inline(always)]
fn convert_two<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
    let last = text.len() - V::LANES;
    let (a, b) = (V::load(token, text, 0), V::load(token, text, last));
    a.swap_bytes32_if_big::<B>().store_bytes(dst, 0);
    b.swap_bytes32_if_big::<B>().store_bytes(dst, last);
    if checker.have_ill_formed([a, b]) { find_ill_formed(text, 0) } else { text.len() }
}

/// Converts whole blocks to UTF-32 in byte order `B`. Returns the number of bytes converted: `Err`
/// if the block after them is ill-formed, else `Ok`.
#[inline(always)]
fn blocks<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<usize, usize> {
    let checker = Utf32Checker::<V>::new(token);
    let block = 4 * V::LANES;
    let mut at = 0;
    for (from, to) in text.chunks_exact(block).zip(dst.chunks_exact_mut(block)) {
        let units = vectors::load::<V, 4>(token, from, 0);
        let mut k = 0;
        while k < 4 {
            units[k].swap_bytes32_if_big::<B>().store_bytes(to, k * V::LANES);
            k += 1;
        }
        if checker.have_ill_formed(units) {
            return Err(at);
        }
        at += block;
    }
    Ok(at)
}

/// Converts single vectors from byte `at` on to UTF-32 in byte order `B`. Returns the number of
/// bytes of `text` that are well-formed and converted.
#[inline(always)]
fn convert_vectors<V: Lanes32, B: Order>(
    token: V::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let checker = Utf32Checker::<V>::new(token);
    while at < text.len() {
        let start = at.min(text.len() - V::LANES);
        let units = V::load(token, text, start);
        units.swap_bytes32_if_big::<B>().store_bytes(dst, start);
        if checker.has_ill_formed(checker.numbers(units)) {
            return find_ill_formed(text, at);
        }
        at = start + V::LANES;
    }
    at
}

/// Returns the byte offset of the first unit that is not a scalar value, or the length of `text`.
/// All units before `at` are well-formed.
#[inline(never)]
fn find_ill_formed(text: &[u8], at: usize) -> usize {
    at + scalar::validate::<Utf32Le>(&text[at..])
        .map_or_else(|error| error.valid_up_to(), |()| text.len() - at)
}
