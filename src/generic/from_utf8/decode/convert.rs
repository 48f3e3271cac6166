//! Converts texts that are longer than a step.
//!
//! 1. Widen the ASCII prefix.
//! 2. At the start and at the end of the text, where there is no whole window, decode a
//!    [single](super::single) vector.
//! 3. Run the fast loop (`fast_loop`) while there is a whole window and the output has capacity for
//!    its units:
//!    1. Find the class of the window: the longest character that it may contain, and if one half
//!       is ASCII.
//!    2. If the window is ASCII, widen the step and the ASCII run after it.
//!    3. If one half is ASCII, widen that half and decode the other half.
//!    4. Else decode the step with the code for its class.
//!    5. After a step that has only three-byte characters, try to convert a [run](super::runs) of
//!       them.
//!    6. After a step that has only four-byte characters, leave the fast loop and try to convert a
//!       [run](super::four_byte) of them.
//! 4. After an error, or if the output is full, the reference continues after the last complete
//!    character.
//!
//! If a run turns out to be short, the number of steps to the next attempt doubles.

use core::mem::{self, MaybeUninit};

use crate::arch::optional::Presence;
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP, Window};
use crate::generic::backoff::Backoff;
use crate::generic::from_utf8::decode::ascii_prefix::ascii_prefix;
use crate::generic::from_utf8::decode::class::Class;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::four_byte;
use crate::generic::from_utf8::decode::single::{convert_single, resume};
use crate::generic::from_utf8::decode::sizes::{
    GROUP_UNITS, UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::{
    HALF_WINDOW_BYTES, HalfWindow, MemoryWindow, WINDOW_BYTES,
};
use crate::generic::from_utf8::decode::target::Target;
use crate::swar::words::HIGH_BITS;
use crate::types::progress::Reach;

/// Converts `src`, which is longer than a step, into `dst`. Without `CHECK`, `src` is known to be
/// well-formed, except for an incomplete sequence at its end.
///
/// This function, the conversion of the ASCII prefix and the conversion of the rest are separate
/// functions, because each of them needs more registers than the function before.
#[inline(always)]
pub(crate) fn convert<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    // Text in scripts other than Latin seldom begins with eight bytes of ASCII. This test uses no
    // vectors, so it needs no `vzeroupper`.
    let first = src.first_chunk().map_or(HIGH_BITS, |bytes| u64::from_ne_bytes(*bytes));
    if first & HIGH_BITS != 0 || src.len() > dst.len() / T::UNIT_BYTES {
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
                return Reach { read, written: T::UNIT_BYTES * read };
            }
            convert_outlined::<V, T, CHECK>(target, token, src, dst, read)
        },
    )
}

/// Calls [`convert_after`] in a separate function.
#[inline(always)]
fn convert_outlined<V: Vector, T: Target, const CHECK: bool>(
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

/// Converts like [`convert`], after the first `read` bytes, which are ASCII and have been
/// converted. `src` has at least a vector.
#[inline(always)]
pub(crate) fn convert_after<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut read: usize,
) -> Reach {
    let decoder = Utf8Decoder::<V>::new(token);
    let mut written = T::UNIT_BYTES * read;
    let mut four_byte_backoff = Backoff::START;
    loop {
        if let Some(start) = read.checked_sub(LOOKBEHIND_BYTES) {
            let (suffix, out) = (&src[start..], &mut dst[written..]);
            let progress = if V::LONG_STEPS {
                fast_loop::<V, T, CHECK, WINDOW_BYTES>(
                    target,
                    &decoder,
                    suffix,
                    out,
                    &mut four_byte_backoff,
                )
            } else {
                fast_loop::<V, T, CHECK, HALF_WINDOW_BYTES>(
                    target,
                    &decoder,
                    suffix,
                    out,
                    &mut four_byte_backoff,
                )
            };
            (read, written) = (read + progress.read, written + progress.written);
            if progress.is_wrong {
                return resume(target, src, dst, read, written);
            }
            if progress.may_be_four_byte_run {
                let run_start = read;
                (read, written) =
                    four_byte::convert_run::<V, T>(target, token, src, dst, read, written);
                four_byte_backoff.tried(read >= run_start + STEP);
                continue;
            }
        }
        match convert_single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(end) => (read, written) = end,
            Err(reach) => return reach,
        }
    }
}

/// The progress of [`fast_loop`], and why it stopped.
struct LoopReach {
    /// The number of bytes read.
    read: usize,
    /// The number of bytes written.
    written: usize,
    /// True if the next step has an ill-formed sequence or an unmappable character.
    is_wrong: bool,
    /// True if a run of four-byte characters may follow.
    may_be_four_byte_run: bool,
}

/// Converts steps while there is a whole window and `dst` has capacity for the units of a step: the
/// fast loop. `suffix` begins [`LOOKBEHIND_BYTES`] bytes before the first byte to convert.
#[inline(always)]
fn fast_loop<V: Vector, T: Target, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    mut suffix: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
    four_byte_backoff: &mut Backoff<32>,
) -> LoopReach {
    let (len, capacity) = (suffix.len(), dst.len());
    let (mut is_wrong, mut may_be_four_byte_run) = (false, false);
    // Counts the steps that have only three-byte characters, between attempts at runs of them.
    let mut three_byte_backoff = Backoff::<32>::START;
    let step_len = const { N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES };
    while let (Some(step), Some(out)) =
        (suffix.first_chunk::<N>(), dst.get_mut(..T::UNIT_BYTES * (step_len + GROUP_UNITS)))
    {
        let units;
        let mut is_three_byte = false;
        let input = MemoryWindow::new::<V>(step);
        let class = decoder.class(input);
        if class == Class::Ascii {
            let ascii_len = widen_ascii_step::<V, T, N>(target, decoder, suffix, dst);
            suffix = &suffix[ascii_len..];
            dst = &mut mem::take(&mut dst)[T::UNIT_BYTES * ascii_len..];
            continue;
        }
        if V::LANES < STEP
            && let Some(window) = decoder.half_ascii_window(step, class)
        {
            let Some(written_units) = half_step::<V, T, CHECK>(target, decoder, window, class, out)
            else {
                is_wrong = true;
                break;
            };
            units = written_units;
        } else if V::FourByte::PRESENT && T::UNIT_BYTES > 1 && class == Class::UpToFourBytes {
            // This class has separate code, so that the other classes do not pay for the test for a
            // run.
            let Some((units, second_kept)) =
                wide_step::<V, T, CHECK, N>(target, decoder, input, out)
            else {
                is_wrong = true;
                break;
            };
            suffix = &suffix[step_len..];
            dst = &mut mem::take(&mut dst)[T::UNIT_BYTES * units..];
            if four_byte::are_dense(second_kept) && four_byte_backoff.is_over() {
                may_be_four_byte_run = true;
                break;
            }
            continue;
        } else {
            let kept = decode_by_class::<V, T, CHECK, N>(target, decoder, input, class, out);
            let Some(kept) = kept else {
                is_wrong = true;
                break;
            };
            units = V::kept_units(kept, T::UNIT_BYTES);
            // If only three-byte characters end in this step, a run may follow. Without `CHECK`,
            // steps are as fast as runs.
            is_three_byte = T::UNIT_BYTES > 1
                && CHECK
                && class == Class::UpToThreeBytes
                && units <= step_len / 3 + 1
                && (kept ^ kept >> 3) << (64 - step_len + 3) == 0;
        }
        suffix = &suffix[step_len..];
        dst = &mut mem::take(&mut dst)[T::UNIT_BYTES * units..];
        if is_three_byte && three_byte_backoff.is_over() {
            let (read, written) = decoder.convert_three_byte_run::<T>(target, suffix, dst);
            suffix = &suffix[read..];
            dst = &mut mem::take(&mut dst)[written..];
            three_byte_backoff.tried(read > STEP);
        }
    }
    LoopReach {
        read: len - suffix.len(),
        written: capacity - dst.len(),
        is_wrong,
        may_be_four_byte_run,
    }
}

/// Widens an ASCII step, and the ASCII run after it. Returns the number of bytes read.
#[inline(always)]
fn widen_ascii_step<V: Vector, T: Target, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    suffix: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let step_len = const { N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES };
    let swapped = target.is_swapped::<V>();
    let (out, rest) = dst.split_at_mut(T::UNIT_BYTES * step_len);
    if let Some(step) = suffix.first_chunk::<N>() {
        let input = MemoryWindow::new::<V>(step);
        let mut k = 0;
        while k < step_len / V::LANES {
            target.widen_run(swapped, decoder.load(input, k, 0), out, k * V::LANES);
            k += 1;
        }
    }
    step_len + decoder.ascii_run::<T>(swapped, target, &suffix[LOOKBEHIND_BYTES + step_len..], rest)
}

/// Decodes a step of a class other than ASCII. Returns a mask of the positions whose units were
/// written, or `None` if there is an ill-formed sequence or an unmappable character.
#[inline(always)]
fn decode_by_class<V: Vector, T: Target, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    match class {
        Class::UpToTwoBytes => {
            step_of::<V, T, UP_TO_TWO_BYTES, CHECK, N>(target, decoder, input, out)
        }
        Class::UpToThreeBytes => {
            step_of::<V, T, UP_TO_THREE_BYTES, CHECK, N>(target, decoder, input, out)
        }
        _ => step_of::<V, T, UP_TO_FOUR_BYTES, CHECK, N>(target, decoder, input, out),
    }
}

/// Decodes a window that may contain any characters. Returns the number of units, and a mask of the
/// positions in the second half whose units were written.
#[inline(always)]
fn wide_step<V: Vector, T: Target, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: MemoryWindow<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<(usize, u64)> {
    // With `CHECK`, the step is decoded in halves: of a whole step, LLVM would compute more at once
    // than fits into registers.
    if !CHECK {
        let keep = step_of::<V, T, UP_TO_FOUR_BYTES, CHECK, N>(target, decoder, step, out)?;
        return Some((V::kept_units(keep, T::UNIT_BYTES), keep >> (STEP / 2)));
    }
    let first = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, 0, out)?;
    let units = V::kept_units(first, T::UNIT_BYTES);
    let out = out.get_mut(T::UNIT_BYTES * units..)?;
    let second = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, STEP / 2, out)?;
    Some((units + V::kept_units(second, T::UNIT_BYTES), second))
}

/// Decodes the half of a window that begins at byte `at`. Returns a mask of the positions whose
/// units were written. The half is a separate slice; otherwise LLVM would load the second half
/// together with the first half.
#[inline(always)]
fn half_of_step<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: &[u8],
    at: usize,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let input = MemoryWindow::new::<V>(step.get(at..)?.first_chunk::<HALF_WINDOW_BYTES>()?);
    let keep = target.find_character_ends::<_, _, UP_TO_FOUR_BYTES, CHECK>(decoder, input)?;
    let out = out.get_mut(..T::UNIT_BYTES * (STEP / 2 + GROUP_UNITS))?;
    target.emit::<_, _, UP_TO_FOUR_BYTES>(decoder, input, keep, out);
    Some(keep)
}

/// Decodes a window of which one half is ASCII. Returns the number of units, or `None` if there is
/// an ill-formed sequence or an unmappable character.
#[inline(always)]
fn half_step<V: Vector, T: Target, const CHECK: bool>(
    target: T,
    decoder: &Utf8Decoder<V>,
    step: &Window,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let is_first_ascii = matches!(class, Class::AsciiFirst(_));
    // The byte offsets of the half to decode and of the ASCII half.
    let (at, ascii_at) = if is_first_ascii { (STEP / 2, 0) } else { (0, STEP / 2) };
    if is_first_ascii {
        widen_half::<V, T>(target, decoder, step, ascii_at, &mut out[..T::UNIT_BYTES * STEP / 2]);
    }
    let half: &HalfWindow = step[at..].first_chunk()?;
    let input = MemoryWindow::new::<V>(half);
    let part = out.get_mut(T::UNIT_BYTES * at..T::UNIT_BYTES * (at + STEP / 2 + GROUP_UNITS))?;
    let units = if class.is_wide() {
        let keep = target.find_character_ends::<_, _, UP_TO_FOUR_BYTES, CHECK>(decoder, input)?;
        target.emit::<_, _, UP_TO_FOUR_BYTES>(decoder, input, keep, part)
    } else {
        let keep = target.find_character_ends::<_, _, UP_TO_THREE_BYTES, CHECK>(decoder, input)?;
        target.emit::<_, _, UP_TO_THREE_BYTES>(decoder, input, keep, part)
    };
    if !is_first_ascii {
        let part = out.get_mut(T::UNIT_BYTES * units..T::UNIT_BYTES * (units + STEP / 2))?;
        widen_half::<V, T>(target, decoder, step, ascii_at, part);
    }
    Some(STEP / 2 + units)
}

/// Widens the ASCII half of a window that begins at byte `at`, and writes it to the start of
/// `part`.
#[inline(always)]
fn widen_half<V: Vector, T: Target>(
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

/// Decodes a window in which no character has more than `LONGEST` bytes. Returns a mask of the
/// positions whose units were written, or `None` if there is an ill-formed sequence or an
/// unmappable character.
#[inline(always)]
fn step_of<V: Vector, T: Target, const LONGEST: usize, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let keep = target.find_character_ends::<_, _, LONGEST, CHECK>(decoder, input)?;
    target.emit::<_, _, LONGEST>(decoder, input, keep, out);
    Some(keep)
}
