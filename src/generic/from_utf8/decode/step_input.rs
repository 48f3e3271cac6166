//! The input of a step: the positions that the step decodes, and the bytes around them.
//!
//! There are two kinds. A [`MemoryWindow`] is a [`Window`], or half of a window, in memory: all
//! bytes that the step looks back and ahead to are inside the input. A [`RegisterWindow`] is one
//! vector, with the bytes before it, in registers. It is used where the input is too short for a
//! window.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP, Window};
use crate::generic::from_utf8::ascii_runs::incomplete_at_end;
use crate::generic::from_utf8::decode::sizes::STEP_VECTORS_MAX;
use crate::scalar::utf8::is_continuation;
use crate::swar::words;

/// The size of a window of 64 positions, in bytes.
pub(crate) const WINDOW_BYTES: usize = size_of::<Window>();
/// The size of a window of 32 positions, in bytes.
pub(crate) const HALF_WINDOW_BYTES: usize = size_of::<HalfWindow>();

/// The input of a step: positions to decode, as vectors.
pub(crate) trait StepInput<V: Vector>: Copy {
    /// The number of vectors of positions.
    const VECTORS: usize;

    /// The mask of all positions.
    const ALL_POSITIONS: u64 =
        if Self::VECTORS == 0 { 0 } else { u64::MAX >> (64 - Self::VECTORS * V::LANES) };

    /// Loads the vector that begins `back` bytes before vector `k`. `back` is at most
    /// [`LOOKBEHIND_BYTES`].
    fn load(self, token: V::Token, k: usize, back: usize) -> V;

    /// Returns the byte before the first position, or 0 at the start of the input.
    fn byte_before(self) -> u8;

    /// Returns true if a character may end at the last position: no continuation byte follows it.
    fn may_end_at_last(self) -> bool;

    /// Returns a mask of the positions at which characters end: no continuation byte follows them.
    #[inline(always)]
    fn find_character_ends(self, token: V::Token) -> u64 {
        let mut continued = [V::splat(token, 0).high_bit_mask(); STEP_VECTORS_MAX];
        let mut k = 0;
        while k < Self::VECTORS {
            continued[k] = self.load(token, k, 0).continuation();
            k += 1;
        }
        // Bit `i` is set if a continuation byte follows position `i`.
        let continued = V::bits(&continued[..Self::VECTORS]) >> 1;
        let last =
            if self.may_end_at_last() { Self::ALL_POSITIONS ^ Self::ALL_POSITIONS >> 1 } else { 0 };
        !continued & Self::ALL_POSITIONS >> 1 | last
    }
}

/// Half a window, with the bytes that it looks back and ahead to.
pub(crate) type HalfWindow = [u8; LOOKBEHIND_BYTES + STEP / 2 + LOOKAHEAD_BYTES];

/// A [`Window`] or half of a window, in memory.
#[derive(Clone, Copy)]
pub(crate) struct MemoryWindow<'a, const N: usize> {
    /// The positions to decode, and the bytes around them.
    pub(crate) bytes: &'a [u8; N],
    /// Suffix `i` of `bytes` begins `i` bytes before the first position.
    back: [&'a [u8]; LOOKBEHIND_BYTES + 1],
}

impl<'a, const N: usize> MemoryWindow<'a, N> {
    #[inline(always)]
    pub(crate) fn new<V: Vector>(bytes: &'a [u8; N]) -> Self {
        let back =
            [V::suffix(bytes, 3), V::suffix(bytes, 2), V::suffix(bytes, 1), V::suffix(bytes, 0)];
        Self { bytes, back }
    }

    /// Returns true if a character may end at the last position: no continuation byte follows it.
    #[inline(always)]
    pub(crate) fn is_ended(self) -> bool {
        !is_continuation(self.bytes[N - LOOKAHEAD_BYTES])
    }
}

impl<V: Vector, const N: usize> StepInput<V> for MemoryWindow<'_, N> {
    const VECTORS: usize = (N - LOOKBEHIND_BYTES - LOOKAHEAD_BYTES) / V::LANES;

    #[inline(always)]
    fn load(self, token: V::Token, k: usize, back: usize) -> V {
        V::load(token, self.back[back], k * V::LANES)
    }

    #[inline(always)]
    fn byte_before(self) -> u8 {
        self.bytes[LOOKBEHIND_BYTES - 1]
    }

    #[inline(always)]
    fn may_end_at_last(self) -> bool {
        self.is_ended()
    }
}

/// One vector of the input, and the vectors one to three bytes before it. Zeros, which are ASCII,
/// precede the input.
#[derive(Clone, Copy)]
pub(crate) struct RegisterWindow<V> {
    /// Vector `i` begins `i` bytes before the first position.
    back: [V; LOOKBEHIND_BYTES + 1],
    /// The byte before the first position, or 0 at the start of the input.
    before: u8,
    /// True if no continuation byte follows the last position.
    is_ended: bool,
}

impl<V: Vector> RegisterWindow<V> {
    /// Returns the window of the vector of `src` at byte `at`.
    #[inline(always)]
    pub(crate) fn load_at(token: V::Token, src: &[u8], at: usize) -> Self {
        let bytes = V::load(token, src, at);
        let next = src.get(at + V::LANES);
        // The vector three bytes before, or the first vector of `src` if `at` is below three.
        let earliest = V::load(token, src, at.saturating_sub(LOOKBEHIND_BYTES));
        let back = match at {
            0 => return Self::at_start(bytes, next),
            1 => [bytes, earliest, earliest.shift_in_zeros::<1>(), earliest.shift_in_zeros::<2>()],
            2 => [bytes, V::load(token, src, 1), earliest, earliest.shift_in_zeros::<1>()],
            _ => [bytes, V::load(token, src, at - 1), V::load(token, src, at - 2), earliest],
        };
        Self {
            back,
            before: src[at - 1],
            is_ended: !next.is_some_and(|&byte| is_continuation(byte)),
        }
    }

    /// Returns the window of `bytes`, the vector at the start of the input. `next` is the byte
    /// after it.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn from_first(bytes: V, next: Option<&u8>) -> Self {
        Self::at_start(bytes, next)
    }

    /// Returns the window of the vector after the first [`LOOKBEHIND_BYTES`] bytes of `bytes`.
    /// `next` is the byte after it.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn from_later(
        token: V::Token,
        bytes: &[u8; LOOKBEHIND_BYTES + STEP],
        next: Option<&u8>,
    ) -> Self {
        let back = [
            V::load(token, bytes, LOOKBEHIND_BYTES),
            V::load(token, bytes, LOOKBEHIND_BYTES - 1),
            V::load(token, bytes, LOOKBEHIND_BYTES - 2),
            V::load(token, bytes, 0),
        ];
        let is_ended = !next.is_some_and(|&byte| is_continuation(byte));
        Self { back, before: bytes[LOOKBEHIND_BYTES - 1], is_ended }
    }

    /// Returns the window of an input shorter than a vector, in the last lanes.
    #[inline(always)]
    pub(crate) fn from_short(token: V::Token, src: &[u8]) -> Self {
        Self::at_start(V::from_words(token, words_at_end(src, V::LANES)), None)
    }

    /// Returns the window of an input of at most a vector, in the first lanes. Zeros follow it.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn from_padded(bytes: V) -> Self {
        Self::at_start(bytes, None)
    }

    /// Returns true if the last position is inside a sequence and does not end it.
    #[inline(always)]
    pub(crate) fn is_incomplete_at_end(self, token: V::Token) -> bool {
        incomplete_at_end(token, self.back[0]).any()
    }

    /// Returns the window of `bytes`, with zeros before it and `next` after it.
    #[inline(always)]
    fn at_start(bytes: V, next: Option<&u8>) -> Self {
        Self {
            back: [
                bytes,
                bytes.shift_in_zeros::<1>(),
                bytes.shift_in_zeros::<2>(),
                bytes.shift_in_zeros::<3>(),
            ],
            before: 0,
            is_ended: !next.is_some_and(|&byte| is_continuation(byte)),
        }
    }
}

impl<V: Vector> StepInput<V> for RegisterWindow<V> {
    const VECTORS: usize = 1;

    #[inline(always)]
    fn load(self, _: V::Token, _: usize, back: usize) -> V {
        self.back[back]
    }

    #[inline(always)]
    fn byte_before(self) -> u8 {
        self.before
    }

    #[inline(always)]
    fn may_end_at_last(self) -> bool {
        self.is_ended
    }
}

/// Returns `lanes` bytes as words: zeros, followed by `src`, which has less than `lanes` bytes, and
/// at least 16 bytes if there are more than 16 lanes.
#[inline(always)]
fn words_at_end(src: &[u8], lanes: usize) -> [u64; 4] {
    let len = src.len();
    if lanes > 16
        && let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
    {
        // One shift by the sum could be by all 128 bits, which would overflow, so there are two
        // shifts.
        let first = u128::from_le_bytes(*first) << (8 * (31 - len)) << 8;
        let last = u128::from_le_bytes(*last);
        return [first as u64, (first >> 64) as u64, last as u64, (last >> 64) as u64];
    }
    let [low, high, ..] = words::padded16(src);
    let shifted = (u128::from(low) | u128::from(high) << 64) << (8 * (15 - len)) << 8;
    [shifted as u64, (shifted >> 64) as u64, 0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_inputs_are_at_the_end_of_the_words() {
        let src: [u8; 31] = core::array::from_fn(|i| i as u8 + 1);
        for (lanes, len) in
            [16, 32].into_iter().flat_map(|lanes| (lanes - 16..lanes).map(move |len| (lanes, len)))
        {
            let mut want = [0; 32];
            want[lanes - len..lanes].copy_from_slice(&src[..len]);
            let words = words_at_end(&src[..len], lanes);
            let mut got = [0; 32];
            for (to, word) in got.chunks_exact_mut(8).zip(words) {
                to.copy_from_slice(&word.to_le_bytes());
            }
            assert_eq!(got, want, "{len} bytes in {lanes} lanes");
        }
    }
}
