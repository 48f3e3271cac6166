//! How far a text has nothing in it that UTF-8 and its relatives write differently: characters of four bytes, and NUL. (The
//! surrogates of the one and `C0 80` of the other are ill-formed in UTF-8, so that its conversions stop in front of them.)

use core::mem::MaybeUninit;

use super::utf8::{STRIDE, Watch};
use super::utf8_to_utf8::{Stop, copy_with};
use crate::arch::Vector;
use crate::arch::window::{BACK, STEP};

/// Bytes that are tested together.
const BLOCK: usize = 128;

/// Bytes of the shortest text that [`copy`] takes.
pub(crate) const LEAST: usize = BACK + STEP;

/// Copies what is well-formed UTF-8 and has no such byte, as far as groups of blocks show it: says how many bytes, up to the end
/// of a character. `src` has at least [`LEAST`] bytes, and `dst` as many; without `WRITE` that is empty, and nothing is copied.
#[inline(always)]
pub(crate) fn copy<V: Vector, const NUL: bool, const WRITE: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = if WRITE { &mut dst[..src.len()] } else { &mut [] };
    let valid = copy_with(token, src, dst, &mut Plain::<V, NUL, WRITE>::new(token));
    valid.map_or_else(|known| in_front_of_character(src, known), |()| src.len())
}

/// What goes along with a copy and stops it at such a byte.
struct Plain<V: Vector, const NUL: bool, const WRITE: bool> {
    most: V,
    least: V,
}

impl<V: Vector, const NUL: bool, const WRITE: bool> Plain<V, NUL, WRITE> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { most: V::splat(token, 0), least: V::splat(token, 0xFF) }
    }
}

impl<V: Vector, const NUL: bool, const WRITE: bool> Watch<V> for Plain<V, NUL, WRITE> {
    const THREE: bool = true;

    #[inline(always)]
    fn see(&mut self, bytes: V) {
        self.most = self.most.max(bytes);
        if NUL {
            self.least = self.least.min(bytes);
        }
    }

    #[inline(always)]
    fn tested(&mut self) {}

    #[inline(always)]
    fn rest(&mut self, _: &[u8], _: usize) {}
}

impl<V: Vector, const NUL: bool, const WRITE: bool> Stop<V> for Plain<V, NUL, WRITE> {
    const WRITE: bool = WRITE;
    const NUL: bool = NUL;
    // What is seen in vain is little.
    const TOGETHER: usize = 2 * STRIDE;

    #[inline(always)]
    fn stops(&self, token: V::Token) -> V {
        let four = self.most.saturating_sub(V::splat(token, 0xEF));
        if NUL { four.or(V::splat(token, 1).saturating_sub(self.least)) } else { four }
    }
}

/// `at`, or the beginning of the character that it is in. All in front of that is well-formed, but for what goes on there, and that
/// is none of four bytes: those are differences, at which whoever asks has stopped.
#[inline(always)]
pub(super) fn in_front_of_character(src: &[u8], at: usize) -> usize {
    let back = match src[..at] {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, 0x80..=0xBF] => 2,
        _ => 0,
    };
    at - back
}

/// Bytes in front of the first that is F0 or above, or, with `NUL`, 00.
#[inline(always)]
pub(crate) fn up_to<V: Vector, const NUL: bool>(token: V::Token, src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<BLOCK>() {
        if is_special::<V, NUL, BLOCK>(token, block) {
            return at + by_bytes::<NUL>(block);
        }
        at += BLOCK;
    }
    // What is left ends with the input, and overlaps.
    if at > 0 {
        return match src.last_chunk::<BLOCK>() {
            Some(last) if is_special::<V, NUL, BLOCK>(token, last) => {
                at + by_bytes::<NUL>(&src[at..])
            }
            _ => src.len(),
        };
    }
    while let Some(block) = src[at..].first_chunk::<32>() {
        if is_special::<V::Half, NUL, 32>(V::half(token), block) {
            return at + by_bytes::<NUL>(block);
        }
        at += 32;
    }
    at + by_bytes::<NUL>(&src[at..])
}

/// Whether there is such a byte in a block.
#[inline(always)]
fn is_special<V: Vector, const NUL: bool, const N: usize>(
    token: V::Token,
    block: &[u8; N],
) -> bool {
    let mut most = V::load(token, block, 0);
    let mut least = most;
    let mut at = V::LANES;
    while at < N {
        let bytes = V::load(token, block, at);
        most = most.max(bytes);
        least = least.min(bytes);
        at += V::LANES;
    }
    let four = most.any_from(token, 0xF0);
    if !NUL {
        return four;
    }
    four || V::of_mask(least.equal(V::splat(token, 0))).any_high()
}

/// [`up_to`], byte by byte.
#[inline(always)]
fn by_bytes<const NUL: bool>(src: &[u8]) -> usize {
    src.iter().position(|&byte| byte >= 0xF0 || NUL && byte == 0).unwrap_or(src.len())
}
