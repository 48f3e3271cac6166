//! Decodes one vector at a time at the start and at the end of a text, where the bytes before or
//! after a whole step are missing.
//!
//! 1. The last vector ends with the text and may overlap positions before `read`. The units of
//!    these positions are written again.
//! 2. If the vector is ASCII and its output fits, widen it.
//! 3. Else check the vector, compute its units, and write the units at the ends of characters.
//! 4. If the output has no capacity for one unit for each position, write to a bounce buffer and
//!    copy the units that fit.
//! 5. The reference takes over if there is an error, if the output is full, and if the text ends
//!    with an incomplete sequence.

use core::mem::MaybeUninit;

use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::arch::window::{STEP, copy_short};
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::{
    UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, VECTOR_OUTPUT_BYTES,
};
use crate::generic::from_utf8::decode::step_input::RegisterWindow;
use crate::generic::from_utf8::decode::target::Target;
use crate::types::progress::Reach;

/// Converts the vector from byte `read` on, or the last vector of `src` if fewer than `V::LANES`
/// bytes are left. The bytes before `read` have been converted to `written` bytes. Returns the new
/// total numbers of bytes read and written. `Err` means that the conversion has ended, and holds
/// its final progress.
#[inline(always)]
pub(super) fn convert_single<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    // Separate code for ASCII is only for vectors that are longer than 16 bytes, and if widening
    // takes few stores.
    if V::LANES > 16
        && (T::UNIT_BYTES < 4 || V::Masked::PRESENT)
        && let Some(end_written) =
            ascii_single::<V, T, CHECK>(target, decoder, src, dst, (start, read, written))
    {
        let read = start + V::LANES;
        return if read < src.len() {
            Ok((read, end_written))
        } else {
            Err(Reach { read, written: end_written })
        };
    }
    decode_single::<V, T, CHECK>(target, decoder, src, dst, read, written)
}

/// Does the same as [`convert_single`], without separate code for ASCII.
#[inline(always)]
pub(super) fn decode_single<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    let input = RegisterWindow::load_at(decoder.token, src, start);
    // If a vector is a whole step, a text has only two single vectors, and the test costs more than
    // it saves.
    let has_four_byte = V::LANES == STEP || decoder.has_four_byte(input);
    let Some(ends) = find_ends_in_single::<V, T, CHECK>(target, decoder, input, has_four_byte)
    else {
        return Err(resume(target, src, dst, read, written));
    };
    // The units of positions before `read` are written again.
    let repeated = ends & V::first_bits(read - start);
    let base = written - T::UNIT_BYTES * repeated.count_ones() as usize;
    let mut bounce = [MaybeUninit::uninit(); VECTOR_OUTPUT_BYTES];
    let is_direct = dst.len() - base >= T::UNIT_BYTES * V::LANES;
    let (keep, out) =
        if is_direct { (ends, &mut dst[base..]) } else { (ends ^ repeated, &mut bounce[..]) };
    // If the length is constant, stores need no masks.
    let out = if V::Masked::PRESENT { &mut out[..T::UNIT_BYTES * V::LANES] } else { out };
    let units = emit_single::<V, T>(target, decoder, input, keep, has_four_byte, out);
    let mut end_written = base + T::UNIT_BYTES * units;
    if !is_direct {
        let fitting_units = units.min((dst.len() - written) / T::UNIT_BYTES);
        end_written = written + T::UNIT_BYTES * fitting_units;
        copy_short(&mut dst[written..end_written], &bounce[..T::UNIT_BYTES * fitting_units]);
        if fitting_units < units {
            let read = start + position_of_bit(keep, fitting_units);
            return Err(resume(target, src, dst, read, end_written));
        }
    }
    let end = start + V::LANES;
    if end < src.len() {
        return Ok((end, end_written));
    }
    // Text that is known to be well-formed may also end inside a sequence, if it is a chunk.
    if input.is_incomplete_at_end(decoder.token) {
        return Err(resume(target, src, dst, end, end_written));
    }
    Err(Reach { read: end, written: end_written })
}

/// Widens the vector at byte `start`. Returns the end of the output, in bytes, or `None` if the
/// vector is not ASCII, the byte before it is not ASCII, a continuation byte follows it, or its
/// output does not fit. The bytes before `read` have been converted to `written` bytes.
#[inline(always)]
fn ascii_single<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (start, read, written): (usize, usize, usize),
) -> Option<usize> {
    let bytes = V::load(decoder.token, src, start);
    let is_in_range = |byte: Option<&u8>, min: u8, max: u8| {
        CHECK && byte.is_some_and(|byte| (min..=max).contains(byte))
    };
    if bytes.any_high_bit()
        || is_in_range(src.get(start.wrapping_sub(1)), 0x80, 0xFF)
        || is_in_range(src.get(start + V::LANES), 0x80, 0xBF)
    {
        return None;
    }
    let base = written - T::UNIT_BYTES * (read - start);
    let end = base + T::UNIT_BYTES * V::LANES;
    target.widen(bytes, dst.get_mut(base..end)?, 0);
    Some(end)
}

/// Calls [`Target::find_character_ends`] for a single vector. `has_four_byte` is true if it may
/// contain four-byte characters.
#[inline(always)]
pub(super) fn find_ends_in_single<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    has_four_byte: bool,
) -> Option<u64> {
    if has_four_byte {
        target.find_character_ends::<_, _, UP_TO_FOUR_BYTES, CHECK>(decoder, input)
    } else {
        target.find_character_ends::<_, _, UP_TO_THREE_BYTES, CHECK>(decoder, input)
    }
}

/// Calls [`Target::emit`] for a single vector. `has_four_byte` is true if it may contain four-byte
/// characters.
#[inline(always)]
pub(super) fn emit_single<V: Vector, T: Target>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: RegisterWindow<V>,
    keep: u64,
    has_four_byte: bool,
    out: &mut [MaybeUninit<u8>],
) -> usize {
    if has_four_byte {
        target.emit::<_, _, UP_TO_FOUR_BYTES>(decoder, input, keep, out)
    } else {
        target.emit::<_, _, UP_TO_THREE_BYTES>(decoder, input, keep, out)
    }
}

/// Returns the index of the set bit of `bits` that has `n` set bits below it.
#[inline(always)]
pub(super) fn position_of_bit(mut bits: u64, n: usize) -> usize {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

/// Converts the rest with the scalar reference, if there is an error, if the output is full, or if
/// the text ends with an incomplete sequence. All positions before `read` have been decoded.
#[inline(never)]
pub(crate) fn resume<T: Target>(
    target: T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Reach {
    let (start, units) = T::find_resume_point(src, read);
    let written = written - T::UNIT_BYTES * units;
    target.convert_by_reference(&src[start..], &mut dst[written..]).after(start, written)
}
