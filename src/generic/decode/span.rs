//! What a step sees of the input: the positions that it decodes, and the bytes around them.
//!
//! Two kinds. A [`Placed`] [`Window`] is a place in memory with all that is looked back and ahead to inside the input. A [`Single`]
//! is one vector, made in registers where the input ends too soon for a window on either side.

use super::super::utf8::cut_off;
use super::VECTORS;
use crate::arch::Vector;
#[cfg(doc)]
use crate::arch::window::Window;
use crate::arch::window::{AHEAD, BACK, STEP};
use crate::scalar::utf8::is_continuation;

/// Positions to decode, as vectors.
pub(in super::super) trait Span<V: Vector>: Copy {
    /// Vectors of positions.
    const VECTORS: usize;

    /// All positions.
    const ALL: u64 =
        if Self::VECTORS == 0 { 0 } else { u64::MAX >> (64 - Self::VECTORS * V::LANES) };

    /// Vector `k`, `back` bytes earlier: at most [`BACK`].
    fn load(self, token: V::Token, k: usize, back: usize) -> V;

    /// The byte in front of the first position, or 0.
    fn before(self) -> u8;

    /// Whether a character can end at the last position: no continuation byte follows.
    fn ended(self) -> bool;

    /// Whether the last position is the third of four, in a window.
    #[inline(always)]
    fn is_third(self) -> bool {
        unreachable!()
    }

    /// The positions at which characters end: those that no continuation byte follows.
    #[inline(always)]
    fn ends(self, token: V::Token) -> u64 {
        let mut continued = [V::splat(token, 0).high(); VECTORS];
        let mut k = 0;
        while k < Self::VECTORS {
            continued[k] = self.load(token, k, 0).continuation();
            k += 1;
        }
        // The mask of continuation bytes, one place to the front.
        let continued = V::bits(&continued[..Self::VECTORS]) >> 1;
        let last = if self.ended() { Self::ALL ^ Self::ALL >> 1 } else { 0 };
        !continued & Self::ALL >> 1 | last
    }

    /// The same, and the third positions of four: those with a fourth one behind. Only in a window.
    #[inline(always)]
    fn ends_and_thirds(self, token: V::Token) -> u64 {
        let mut continued = [V::splat(token, 0).high(); VECTORS];
        let mut k = 0;
        while k < Self::VECTORS {
            let (c0, c3) = (self.load(token, k, 0), self.load(token, k, 3));
            continued[k] = V::continuation_but_fourth(token, c0, c3);
            k += 1;
        }
        let continued = V::bits(&continued[..Self::VECTORS]) >> 1;
        let is_last = self.ended() || self.is_third();
        let last = if is_last { Self::ALL ^ Self::ALL >> 1 } else { 0 };
        !continued & Self::ALL >> 1 | last
    }
}

/// Half a window, with all that is looked back and ahead to.
pub(super) type HalfWindow = [u8; BACK + STEP / 2 + AHEAD];

/// A [`Window`] or half of one, and where vectors are loaded from that stand 0 to [`BACK`] bytes earlier.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a, const N: usize> {
    pub(super) bytes: &'a [u8; N],
    back: [&'a [u8]; BACK + 1],
}

impl<'a, const N: usize> Placed<'a, N> {
    #[inline(always)]
    pub(super) fn new<V: Vector>(bytes: &'a [u8; N]) -> Self {
        let back = [V::place(bytes, 3), V::place(bytes, 2), V::place(bytes, 1), V::place(bytes, 0)];
        Self { bytes, back }
    }

    /// Whether a character can end at the last position: no continuation byte follows.
    #[inline(always)]
    pub(super) fn is_ended(self) -> bool {
        !is_continuation(self.bytes[N - AHEAD])
    }
}

impl<V: Vector, const N: usize> Span<V> for Placed<'_, N> {
    const VECTORS: usize = (N - BACK - AHEAD) / V::LANES;

    #[inline(always)]
    fn load(self, token: V::Token, k: usize, back: usize) -> V {
        V::load(token, self.back[back], k * V::LANES)
    }

    #[inline(always)]
    fn before(self) -> u8 {
        self.bytes[BACK - 1]
    }

    #[inline(always)]
    fn ended(self) -> bool {
        self.is_ended()
    }

    #[inline(always)]
    fn is_third(self) -> bool {
        self.bytes[N - AHEAD - 3] >= 0xF0
    }
}

/// One vector, and the same one to three bytes earlier. What would stand in front of the input is zero, which is ASCII.
#[derive(Clone, Copy)]
pub(super) struct Single<V> {
    back: [V; BACK + 1],
    before: u8,
    ended: bool,
}

impl<V: Vector> Single<V> {
    /// The positions from `at` on, a vector of them, inside `src`.
    #[inline(always)]
    pub(super) fn inside(token: V::Token, src: &[u8], at: usize) -> Self {
        let bytes = V::load(token, src, at);
        let next = src.get(at + V::LANES);
        // The earliest bytes that there are.
        let first = V::load(token, src, at.saturating_sub(BACK));
        let back = match at {
            0 => return Self::alone(bytes, next),
            1 => [bytes, first, first.shifted::<1>(), first.shifted::<2>()],
            2 => [bytes, V::load(token, src, 1), first, first.shifted::<1>()],
            _ => [bytes, V::load(token, src, at - 1), V::load(token, src, at - 2), first],
        };
        Self { back, before: src[at - 1], ended: !next.is_some_and(|&byte| is_continuation(byte)) }
    }

    /// An input of less than a vector, in the last lanes.
    #[inline(always)]
    pub(super) fn short(token: V::Token, src: &[u8]) -> Self {
        Self::alone(V::of_words(token, words_at_end(src, V::LANES)), None)
    }

    /// An input of at most a vector, in the first lanes, with zeros behind.
    #[cfg(avx512)]
    #[inline(always)]
    pub(super) fn whole(bytes: V) -> Self {
        Self::alone(bytes, None)
    }

    /// Whether the positions end inside a sequence, as far as the last three bytes show.
    #[inline(always)]
    pub(super) fn is_cut_off(self, token: V::Token) -> bool {
        cut_off(token, self.back[0]).any()
    }

    /// `bytes` with nothing in front.
    #[inline(always)]
    fn alone(bytes: V, next: Option<&u8>) -> Self {
        Self {
            back: [bytes, bytes.shifted::<1>(), bytes.shifted::<2>(), bytes.shifted::<3>()],
            before: 0,
            ended: !next.is_some_and(|&byte| is_continuation(byte)),
        }
    }
}

impl<V: Vector> Span<V> for Single<V> {
    const VECTORS: usize = 1;

    #[inline(always)]
    fn load(self, _: V::Token, _: usize, back: usize) -> V {
        self.back[back]
    }

    #[inline(always)]
    fn before(self) -> u8 {
        self.before
    }

    #[inline(always)]
    fn ended(self) -> bool {
        self.ended
    }
}

/// `src`, of less than `lanes` bytes, as the last of `lanes` bytes behind zeros, in words. Two overlapping loads, no
/// copy: where they overlap, both say the same.
#[inline(always)]
fn words_at_end(src: &[u8], lanes: usize) -> [u64; 4] {
    let len = src.len();
    if lanes > 16
        && let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
    {
        // All but eight bits, and then eight more: the whole shift may be as long as the word.
        let first = u128::from_le_bytes(*first) << (8 * (31 - len)) << 8;
        let last = u128::from_le_bytes(*last);
        return [first as u64, (first >> 64) as u64, last as u64, (last >> 64) as u64];
    }
    let [low, high] = if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        [u64::from_le_bytes(*first) << (8 * (15 - len)) << 8, u64::from_le_bytes(*last)]
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        [0, u64::from(first) << (8 * (8 - len)) | u64::from(last) << 32]
    } else if let (Some(&first), Some(&last)) = (src.first(), src.last()) {
        let middle = u64::from(src[len / 2]) << (8 * (8 - len + len / 2));
        [0, u64::from(first) << (8 * (8 - len)) | middle | u64::from(last) << 56]
    } else {
        [0, 0]
    };
    if lanes > 16 { [0, 0, low, high] } else { [low, high, 0, 0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_inputs_stand_at_the_end_of_the_words() {
        let src: [u8; 31] = core::array::from_fn(|i| i as u8 + 1);
        for (lanes, len) in
            [16, 32].into_iter().flat_map(|lanes| (0..lanes).map(move |len| (lanes, len)))
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
