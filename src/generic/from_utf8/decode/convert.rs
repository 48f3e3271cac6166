//! Conversion of texts of more than a step.
//!
//! 1. Widen the ASCII prefix.
//! 2. Decode a [single](super::single) vector if there is no whole window: at the start of the
//!    text, and at its end.
//! 3. The fast lane, while there is a whole window and the output has capacity for its units:
//!    1. Find the class of the window: its longest character, and a half that is ASCII.
//!    2. If it is ASCII, widen it and the run of ASCII after it.
//!    3. If one half is ASCII, widen that half and decode the other one.
//!    4. Else decode the step with the code for its class.
//!    5. After a step of three-byte characters only, try a [run](super::runs) of them.
//!    6. After a step of four-byte characters only, leave the fast lane for a
//!       [run](super::four_byte) of them.
//! 4. After an error, and at the end of the output, the reference continues from the last complete
//!    character on.
//!
//! A run that turns out to be short doubles the number of steps to the next attempt.

use core::mem::{self, MaybeUninit};

use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP, Window};
use crate::generic::backoff::Backoff;
use crate::generic::from_utf8::decode::ascii_prefix::ascii_prefix;
use crate::generic::from_utf8::decode::class::Class;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::four_byte;
use crate::generic::from_utf8::decode::single::{resume, single};
use crate::generic::from_utf8::decode::sizes::{
    GROUP_UNITS, UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::{
    HALF_WINDOW_BYTES, HalfWindow, MemoryWindow, WINDOW_BYTES,
};
use crate::generic::from_utf8::decode::target::Target;
use crate::swar::words::HIGH_BITS;
use crate::types::progress::Reach;

/// Converts `src`, of more than a step, into `dst`. Without `CHECK`, `src` is known to be
/// well-formed, except for an incomplete sequence at its end.
///
/// The choice, the ASCII prefix and the rest are separate functions, because each needs more
/// registers than the one before.
#[inline(always)]
pub(crate) fn convert<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    // Text of other scripts seldom begins with a word of ASCII. A test without vectors needs no
    // `vzeroupper`.
    let first = src.first_chunk().map_or(HIGH_BITS, |bytes| u64::from_ne_bytes(*bytes));
    if first & HIGH_BITS != 0 || src.len() > dst.len() / T::SIZE {
        return convert_outlined::<V, T, CHECK>(target, token, src, dst, 0);
    }
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| {
            let read = ascii_prefix::<V, T>(target, token, src, dst);
            if read == src.len() {
                return Reach { read, written: T::SIZE * read };
            }
            convert_outlined::<V, T, CHECK>(target, token, src, dst, read)
        },
    )
}

/// [`convert_after`] in a separate function.
#[inline(always)]
fn convert_outlined<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
) -> Reach {
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        move |token, src, dst| convert_after::<V, T, CHECK>(target, token, src, dst, read),
    )
}

/// [`convert`] after the first `read` bytes, which have been converted and are ASCII. `src` has at
/// least a vector.
#[inline(always)]
pub(crate) fn convert_after<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
) -> Reach {
    let decoder = Utf8Decoder::<V>::new(token);
    let mut written = T::SIZE * read;
    let mut four_byte = Backoff::START;
    loop {
        if let Some(start) = read.checked_sub(LOOKBEHIND_BYTES) {
            let (ahead, part) = (&src[start..], &mut dst[written..]);
            let lane = if V::LONG_STEPS {
                fast_lane::<V, T, CHECK, WINDOW_BYTES>(
                    target,
                    &decoder,
                    ahead,
                    part,
                    &mut four_byte,
                )
            } else {
                fast_lane::<V, T, CHECK, HALF_WINDOW_BYTES>(
                    target,
                    &decoder,
                    ahead,
                    part,
                    &mut four_byte,
                )
            };
            (read, written) = (read + lane.read, written + lane.written);
            if lane.wrong {
                return resume::<V, T>(target, src, dst, read, written);
            }
            if lane.four_byte {
                let before = read;
                (read, written) =
                    four_byte::convert_run::<V, T>(target, token, src, dst, read, written);
                four_byte.tried(read >= before + STEP);
                continue;
            }
        }
        match single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(to) => (read, written) = to,
            Err(reach) => return reach,
        }
    }
}

/// The progress of the fast lane.
struct LaneReach {
    read: usize,
    written: usize,
    /// True if the next step has an ill-formed sequence or an unmappable character.
    wrong: bool,
    /// True if a run of four-byte characters may follow.
    four_byte: bool,
}

/// Converts whole windows while `dst` has capacity for the units of one. `ahead` begins
/// [`LOOKBEHIND_BYTES`] bytes before the first byte to convert.
#[inline(always)]
fn fast_lane<V: Vector, T: Target<V>, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    mut ahead: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
    four_byte_backoff: &mut Backoff<32>,
) -> LaneReach {
    let (len, capacity) = (ahead.len(), dst.len());
    let (mut wrong, mut four_byte) = (false, false);
    // The attempts at runs of three-byte characters, counted in steps that have no others.
    let mut three_byte_backoff = Backoff::<32>::START;
    let len_of_step = const { N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES };
    while let (Some(step), Some(out)) =
        (ahead.first_chunk::<N>(), dst.get_mut(..T::SIZE * (len_of_step + GROUP_UNITS)))
    {
        let units;
        let mut three_byte = false;
        let input = MemoryWindow::new::<V>(step);
        let class = decoder.class(input);
        if class == Class::Ascii {
            let ascii = ascii_step::<V, T, N>(target, decoder, ahead, dst);
            ahead = &ahead[ascii..];
            dst = &mut mem::take(&mut dst)[T::SIZE * ascii..];
            continue;
        }
        if V::LANES < STEP
            && let Some(window) = decoder.half_ascii_window(step, class)
        {
            let Some(written) = half_step::<V, T, CHECK>(target, decoder, window, class, out)
            else {
                wrong = true;
                break;
            };
            units = written;
        } else if V::FourByte::PRESENT && T::SIZE > 1 && class == Class::Wide {
            // Separate from the other classes, which would pay for the test for a run.
            let Some((units, last)) = wide_step::<V, T, CHECK, N>(target, decoder, input, out)
            else {
                wrong = true;
                break;
            };
            ahead = &ahead[len_of_step..];
            dst = &mut mem::take(&mut dst)[T::SIZE * units..];
            if four_byte::are_dense(last) && four_byte_backoff.is_over() {
                four_byte = true;
                break;
            }
            continue;
        } else {
            let kept = step_of_class::<V, T, CHECK, N>(target, decoder, input, class, out);
            let Some(kept) = kept else {
                wrong = true;
                break;
            };
            units = V::kept_units(kept, T::SIZE);
            // Only three-byte characters ended in this step, so a run may follow. Without a check,
            // steps are as fast as runs.
            three_byte = T::SIZE > 1
                && CHECK
                && class == Class::Middle
                && units <= len_of_step / 3 + 1
                && (kept ^ kept >> 3) << (64 - len_of_step + 3) == 0;
        }
        ahead = &ahead[len_of_step..];
        dst = &mut mem::take(&mut dst)[T::SIZE * units..];
        if three_byte && three_byte_backoff.is_over() {
            let (read, written) = decoder.three_byte_run::<T>(target, ahead, dst);
            ahead = &ahead[read..];
            dst = &mut mem::take(&mut dst)[written..];
            three_byte_backoff.tried(read > STEP);
        }
    }
    LaneReach { read: len - ahead.len(), written: capacity - dst.len(), wrong, four_byte }
}

/// Converts a step of ASCII, and the run of ASCII after it. Returns the number of bytes.
#[inline(always)]
fn ascii_step<V: Vector, T: Target<V>, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    ahead: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len_of_step = const { N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES };
    let swapped = target.is_swapped();
    let (out, rest) = dst.split_at_mut(T::SIZE * len_of_step);
    if let Some(step) = ahead.first_chunk::<N>() {
        let input = MemoryWindow::new::<V>(step);
        let mut k = 0;
        while k < len_of_step / V::LANES {
            target.widen_run(swapped, decoder.load(input, k, 0), out, k * V::LANES);
            k += 1;
        }
    }
    len_of_step
        + decoder.ascii_run::<T>(swapped, target, &ahead[LOOKBEHIND_BYTES + len_of_step..], rest)
}

/// Decodes a step of a class other than ASCII. Returns the positions that were kept.
#[inline(always)]
fn step_of_class<V: Vector, T: Target<V>, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    match class {
        Class::Narrow => step_of::<V, T, UP_TO_TWO_BYTES, CHECK, N>(target, decoder, input, out),
        Class::Middle => step_of::<V, T, UP_TO_THREE_BYTES, CHECK, N>(target, decoder, input, out),
        _ => step_of::<V, T, UP_TO_FOUR_BYTES, CHECK, N>(target, decoder, input, out),
    }
}

/// Decodes a window with any characters. Returns the number of units, and the positions that were
/// kept in the second half.
#[inline(always)]
fn wide_step<V: Vector, T: Target<V>, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: MemoryWindow<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<(usize, u64)> {
    // With the check, LLVM would compute more of a whole step at once than fits into registers.
    if !CHECK {
        let keep = step_of::<V, T, UP_TO_FOUR_BYTES, CHECK, N>(target, decoder, step, out)?;
        return Some((V::kept_units(keep, T::SIZE), keep >> (STEP / 2)));
    }
    let first = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, 0, out)?;
    let units = V::kept_units(first, T::SIZE);
    let out = out.get_mut(T::SIZE * units..)?;
    let second = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, STEP / 2, out)?;
    Some((units + V::kept_units(second, T::SIZE), second))
}

/// Decodes the half of a window that begins at `at`. Returns the positions that are kept. The half
/// is a slice of its own; otherwise LLVM would load the second half together with the first one.
#[inline(always)]
fn half_of_step<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: &[u8],
    at: usize,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let input = MemoryWindow::new::<V>(step.get(at..)?.first_chunk::<HALF_WINDOW_BYTES>()?);
    let keep = target.find_character_ends::<_, UP_TO_FOUR_BYTES, CHECK>(decoder, input)?;
    let part = out.get_mut(..T::SIZE * (STEP / 2 + GROUP_UNITS))?;
    target.emit::<_, UP_TO_FOUR_BYTES>(decoder, input, keep, part);
    Some(keep)
}

/// Decodes a window of which one half is ASCII. Returns the number of units, or `None` if there is
/// an ill-formed sequence or an unmappable character.
#[inline(always)]
fn half_step<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: &Window,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let first = matches!(class, Class::AsciiFirst(_));
    // The offsets of the other half and of the ASCII half.
    let (at, ascii) = if first { (STEP / 2, 0) } else { (0, STEP / 2) };
    if first {
        widen_half::<V, T>(target, decoder, step, ascii, &mut out[..T::SIZE * STEP / 2]);
    }
    let half: &HalfWindow = step[at..].first_chunk()?;
    let input = MemoryWindow::new::<V>(half);
    let part = out.get_mut(T::SIZE * at..T::SIZE * (at + STEP / 2 + GROUP_UNITS))?;
    let units = if class.is_wide() {
        let keep = target.find_character_ends::<_, UP_TO_FOUR_BYTES, CHECK>(decoder, input)?;
        target.emit::<_, UP_TO_FOUR_BYTES>(decoder, input, keep, part)
    } else {
        let keep = target.find_character_ends::<_, UP_TO_THREE_BYTES, CHECK>(decoder, input)?;
        target.emit::<_, UP_TO_THREE_BYTES>(decoder, input, keep, part)
    };
    if !first {
        let part = out.get_mut(T::SIZE * units..T::SIZE * (units + STEP / 2))?;
        widen_half::<V, T>(target, decoder, step, ascii, part);
    }
    Some(STEP / 2 + units)
}

/// Writes the ASCII half of a window, which begins at `at`, as units.
#[inline(always)]
fn widen_half<V: Vector, T: Target<V>>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: &Window,
    at: usize,
    part: &mut [MaybeUninit<u8>],
) {
    let mut k = 0;
    while k < STEP / 2 {
        target.widen(V::load(decoder.token, step, LOOKBEHIND_BYTES + at + k), part, k);
        k += V::LANES;
    }
}

/// Decodes a window in which no character has more than `LONGEST` bytes. Returns the positions that
/// have been written, or `None` if there is an ill-formed sequence or an unmappable character.
#[inline(always)]
fn step_of<V: Vector, T: Target<V>, const LONGEST: usize, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let keep = target.find_character_ends::<_, LONGEST, CHECK>(decoder, input)?;
    target.emit::<_, LONGEST>(decoder, input, keep, out);
    Some(keep)
}
