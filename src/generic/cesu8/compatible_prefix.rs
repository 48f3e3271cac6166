//! The *compatible* prefix of a text: the part that UTF-8 and its relatives (CESU-8 and Modified
//! UTF-8) write with the same bytes.
//!
//! It ends before the first four-byte character and, for Modified UTF-8, before the first NUL. The
//! surrogates of CESU-8 and the `C0 80` of Modified UTF-8 are ill-formed in UTF-8, so its
//! validation stops before them anyway.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{BACK, STEP};
use crate::generic::copy::CopyObserver;
use crate::generic::from_utf8::check::{Observer, STRIDE};
use crate::generic::from_utf8::copy::copy_with;
use crate::swar::words;

/// Bytes that are tested together.
const COPY_BLOCK_BYTES: usize = 128;

/// Bytes of the shortest text that [`copy`] takes.
pub(crate) const LEAST: usize = BACK + STEP;

/// Copies well-formed UTF-8 up to the first byte that is not compatible, or up to the group of
/// blocks that contains it. Returns the number of bytes, up to the end of a character.
///
/// `src` has at least [`LEAST`] bytes, and `dst` as many. Without `WRITE`, `dst` is empty and
/// nothing is copied.
#[inline(always)]
pub(crate) fn copy<V: Vector, const NUL: bool, const WRITE: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let dst = if WRITE { &mut dst[..src.len()] } else { &mut [] };
    let valid = copy_with(token, src, dst, &mut CompatibleObserver::<V, NUL, WRITE>::new(token));
    valid.map_or_else(|known| character_start(src, known), |()| src.len())
}

/// Stops a copy at a byte that is not compatible.
struct CompatibleObserver<V: Vector, const NUL: bool, const WRITE: bool> {
    /// The largest byte of each lane.
    most: V,
    /// The smallest byte of each lane.
    least: V,
}

impl<V: Vector, const NUL: bool, const WRITE: bool> CompatibleObserver<V, NUL, WRITE> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { most: V::splat(token, 0), least: V::splat(token, 0xFF) }
    }
}

impl<V: Vector, const NUL: bool, const WRITE: bool> Observer<V>
    for CompatibleObserver<V, NUL, WRITE>
{
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

impl<V: Vector, const NUL: bool, const WRITE: bool> CopyObserver<V>
    for CompatibleObserver<V, NUL, WRITE>
{
    const WRITE: bool = WRITE;
    const NUL: bool = NUL;
    // A copy stops often here; a short interval keeps the bytes copied in vain few.
    const TOGETHER: usize = 2 * STRIDE;

    #[inline(always)]
    fn stops(&self, token: V::Token) -> V {
        let four = self.most.saturating_sub(V::splat(token, 0xEF));
        if NUL { four.or(V::splat(token, 1).saturating_sub(self.least)) } else { four }
    }
}

/// `at`, or the start of the character that `at` cuts.
///
/// All bytes before `at` must be well-formed but for a sequence cut at `at`. That sequence is of at
/// most three bytes: a four-byte character is no part of a compatible prefix, so the callers have
/// stopped before it.
#[inline(always)]
pub(crate) fn character_start(src: &[u8], at: usize) -> usize {
    let back = match src[..at] {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, 0x80..=0xBF] => 2,
        _ => 0,
    };
    at - back
}

/// Returns the number of bytes before the first one that is F0 or above or, with `NUL`, 00.
#[inline(always)]
pub(crate) fn up_to<V: Vector, const NUL: bool>(token: V::Token, src: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = src[at..].first_chunk::<COPY_BLOCK_BYTES>() {
        if is_special::<V, NUL, COPY_BLOCK_BYTES>(token, block) {
            return at + by_words::<NUL>(block);
        }
        at += COPY_BLOCK_BYTES;
    }
    // The last block ends with the input, and overlaps the one before.
    if at > 0 {
        return match src.last_chunk::<COPY_BLOCK_BYTES>() {
            Some(last) if is_special::<V, NUL, COPY_BLOCK_BYTES>(token, last) => {
                at + by_words::<NUL>(&src[at..])
            }
            _ => src.len(),
        };
    }
    // The same with shorter blocks.
    while let Some(block) = src[at..].first_chunk::<{ words::SHORT }>() {
        if is_special::<V::Half, NUL, { words::SHORT }>(V::half(token), block) {
            return at + by_words::<NUL>(block);
        }
        at += words::SHORT;
    }
    match src.last_chunk() {
        Some(last) if !is_special::<V::Half, NUL, { words::SHORT }>(V::half(token), last) => {
            src.len()
        }
        _ => at + by_words::<NUL>(&src[at..]),
    }
}

/// Whether a block contains a byte that is F0 or above or, with `NUL`, 00.
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

/// [`up_to`] without vectors.
#[inline(always)]
pub(crate) fn by_words<const NUL: bool>(src: &[u8]) -> usize {
    let mut at = 0;
    for piece in src.chunks(words::SHORT) {
        let front = words::compatible_up_to::<NUL>(piece);
        at += front;
        if front < piece.len() {
            break;
        }
    }
    at
}
