//! Steps of a single vector, at both ends of a text, where there is no whole window.
//!
//! 1. The last vector ends with the text. The units of the positions before `read`, which it
//!    overlaps, are written again.
//! 2. If it is ASCII and fits, widen it.
//! 3. Else check it, compute the units, and write those at the ends of characters.
//! 4. If the output has no capacity for a unit of each position, write to a bounce buffer and copy
//!    the units that fit.
//! 5. The reference continues after an error, at the end of the output, and in an incomplete
//!    sequence at the end.

use core::mem::MaybeUninit;

use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::arch::window::{STEP, copy_short};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::{
    SINGLE_OUTPUT_BYTES, UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES,
};
use crate::generic::from_utf8::decode::step_input::RegisterWindow;
use crate::generic::from_utf8::decode::target::Target;
use crate::types::progress::Reach;

/// Decodes a single vector from `read` on, or the last one of `src`. The bytes before `read` gave
/// `written` bytes. Returns the new numbers of bytes read and written, or the end of the
/// conversion.
#[inline(always)]
pub(super) fn single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    // Only if widening takes few stores; otherwise it is not worth the code.
    if V::LANES > 16
        && (T::SIZE < 4 || V::Masked::PRESENT)
        && let Some(to) =
            ascii_single::<V, T, CHECK>(target, decoder, src, dst, (start, read, written))
    {
        let read = start + V::LANES;
        return if read < src.len() { Ok((read, to)) } else { Err(Reach { read, written: to }) };
    }
    any_single::<V, T, CHECK>(target, decoder, src, dst, read, written)
}

/// [`single`] for any bytes.
#[inline(always)]
pub(super) fn any_single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    let input = RegisterWindow::inside(decoder.token, src, start);
    // If a vector is a step, there are only two single vectors in a text, and the test costs more
    // than it saves.
    let four_byte = V::LANES == STEP || decoder.has_four_byte(input);
    let Some(ends) = single_character_ends::<V, T, CHECK>(target, decoder, input, four_byte) else {
        return Err(resume::<V, T>(target, src, dst, read, written));
    };
    // The units of positions before `read` are written again.
    let old = ends & V::first_bits(read - start);
    let base = written - T::SIZE * old.count_ones() as usize;
    let mut bounce = [MaybeUninit::uninit(); SINGLE_OUTPUT_BYTES];
    let direct = dst.len() - base >= T::SIZE * V::LANES;
    let (keep, out) = if direct { (ends, &mut dst[base..]) } else { (ends ^ old, &mut bounce[..]) };
    // With a known length, stores need no masks.
    let out = if V::Masked::PRESENT { &mut out[..T::SIZE * V::LANES] } else { out };
    let units = emit_single::<V, T>(target, decoder, input, keep, four_byte, out);
    let mut to = base + T::SIZE * units;
    if !direct {
        let fit = units.min((dst.len() - written) / T::SIZE);
        to = written + T::SIZE * fit;
        copy_short(&mut dst[written..to], &bounce[..T::SIZE * fit]);
        if fit < units {
            return Err(resume::<V, T>(target, src, dst, start + bit(keep, fit), to));
        }
    }
    let end = start + V::LANES;
    if end < src.len() {
        return Ok((end, to));
    }
    // Text known to be well-formed may also end inside a sequence, if it is a chunk.
    if input.is_incomplete_at_end(decoder.token) {
        return Err(resume::<V, T>(target, src, dst, end, to));
    }
    Err(Reach { read: end, written: to })
}

/// Widens the vector at `start` if it is ASCII, ASCII is before it, no continuation byte is after
/// it, and it fits. Returns the end of the output. The bytes before `read` gave `written` bytes.
#[inline(always)]
fn ascii_single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (start, read, written): (usize, usize, usize),
) -> Option<usize> {
    let bytes = V::load(decoder.token, src, start);
    let is_wrong = |byte: Option<&u8>, least: u8, most: u8| {
        CHECK && byte.is_some_and(|byte| (least..=most).contains(byte))
    };
    if bytes.any_high()
        || is_wrong(src.get(start.wrapping_sub(1)), 0x80, 0xFF)
        || is_wrong(src.get(start + V::LANES), 0x80, 0xBF)
    {
        return None;
    }
    let base = written - T::SIZE * (read - start);
    let end = base + T::SIZE * V::LANES;
    target.widen(bytes, dst.get_mut(base..end)?, 0);
    Some(end)
}

/// [`Target::find_character_ends`] for a single vector.
#[inline(always)]
pub(super) fn single_character_ends<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    four_byte: bool,
) -> Option<u64> {
    if four_byte {
        target.find_character_ends::<_, UP_TO_FOUR_BYTES, CHECK>(decoder, input)
    } else {
        target.find_character_ends::<_, UP_TO_THREE_BYTES, CHECK>(decoder, input)
    }
}

/// [`Target::emit`] for a single vector.
#[inline(always)]
pub(super) fn emit_single<V: Vector, T: Target<V>>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    keep: u64,
    four_byte: bool,
    out: &mut [MaybeUninit<u8>],
) -> usize {
    if four_byte {
        target.emit::<_, UP_TO_FOUR_BYTES>(decoder, input, keep, out)
    } else {
        target.emit::<_, UP_TO_THREE_BYTES>(decoder, input, keep, out)
    }
}

/// Returns the position of the set bit of `bits` that has `n` set bits below it.
#[inline(always)]
pub(super) fn bit(mut bits: u64, n: usize) -> usize {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

/// Converts the rest by the scalar reference: after an error, or at the end of the output or the
/// input. All positions before `read` have been decoded.
#[inline(never)]
pub(crate) fn resume<V: Vector, T: Target<V>>(
    target: T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Reach {
    let (start, units) = T::unfinished(src, read);
    let written = written - T::SIZE * units;
    target.by_reference(&src[start..], &mut dst[written..]).after(start, written)
}
