//! Converts texts that are longer than a step.
//!
//! 1. Widen the ASCII prefix.
//! 2. At the start and at the end of the text, where there is no whole window, decode a
//!    [single](super::single) vector.
//! 3. Run the fast loop (`fast_loop`) while there is a whole window and the output has capacity for
//!    its units:
//!    1. Find the class of the window: the longest character that it may contain.
//!    2. If the window is ASCII, widen the step and the ASCII run after it.
//!    3. Else decode the step with the code for its class.
//! 4. After an error, or if the output is full, the reference continues after the last complete
//!    character.

use core::mem::{self, MaybeUninit};

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES};
use crate::generic::from_utf8::decode::ascii_prefix::{ascii_prefix, ascii_run};
use crate::generic::from_utf8::decode::class::Class;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::single::{convert_single, resume};
use crate::generic::from_utf8::decode::sizes::{
    GROUP_UNITS, UP_TO_FOUR_BYTES, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::{
    HALF_WINDOW_BYTES, MemoryWindow, WINDOW_BYTES,
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
    loop {
        if let Some(start) = read.checked_sub(LOOKBEHIND_BYTES) {
            let (suffix, out) = (&src[start..], &mut dst[written..]);
            let progress = if V::LONG_STEPS {
                fast_loop::<V, T, CHECK, WINDOW_BYTES>(target, &decoder, suffix, out)
            } else {
                fast_loop::<V, T, CHECK, HALF_WINDOW_BYTES>(target, &decoder, suffix, out)
            };
            (read, written) = (read + progress.read, written + progress.written);
            if progress.is_wrong {
                return resume(target, src, dst, read, written);
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
}

/// Converts steps while there is a whole window and `dst` has capacity for the units of a step: the
/// fast loop. `suffix` begins [`LOOKBEHIND_BYTES`] bytes before the first byte to convert.
#[inline(always)]
fn fast_loop<V: Vector, T: Target, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    mut suffix: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
) -> LoopReach {
    let (len, capacity) = (suffix.len(), dst.len());
    let mut is_wrong = false;
    let step_len = const { N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES };
    while let (Some(step), Some(out)) =
        (suffix.first_chunk::<N>(), dst.get_mut(..T::UNIT_BYTES * (step_len + GROUP_UNITS)))
    {
        let input = MemoryWindow::new::<V>(step);
        let class = decoder.class(input);
        if class == Class::Ascii {
            let ascii_len = widen_ascii_step::<V, T, N>(target, decoder, suffix, dst);
            suffix = &suffix[ascii_len..];
            dst = &mut mem::take(&mut dst)[T::UNIT_BYTES * ascii_len..];
            continue;
        }
        let units = decode_by_class::<V, T, CHECK, N>(target, decoder, input, class, out);
        let Some(units) = units else {
            is_wrong = true;
            break;
        };
        suffix = &suffix[step_len..];
        dst = &mut mem::take(&mut dst)[T::UNIT_BYTES * units..];
    }
    LoopReach { read: len - suffix.len(), written: capacity - dst.len(), is_wrong }
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
    let (out, rest) = dst.split_at_mut(T::UNIT_BYTES * step_len);
    target.widen_all::<V>(decoder.token, &suffix[LOOKBEHIND_BYTES..][..step_len], out);
    let after = &suffix[LOOKBEHIND_BYTES + step_len..];
    step_len + ascii_run::<V, T>(target, decoder.token, after, rest)
}

/// Decodes a step of a class other than ASCII. Returns the number of units, or `None` if there is
/// an ill-formed sequence or an unmappable character.
#[inline(always)]
fn decode_by_class<V: Vector, T: Target, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
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

/// Decodes a window in which no character has more than `LONGEST` bytes. Returns the number of
/// units, or `None` if there is an ill-formed sequence or an unmappable character.
#[inline(always)]
fn step_of<V: Vector, T: Target, const LONGEST: usize, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Utf8Decoder<V>,
    input: MemoryWindow<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let keep = target.find_character_ends::<_, _, LONGEST, CHECK>(decoder, input)?;
    Some(target.emit::<_, _, LONGEST>(decoder, input, keep, out))
}
