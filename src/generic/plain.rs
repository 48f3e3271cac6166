//! How far a text has nothing in it that UTF-8 and its relatives write differently: characters of four bytes, and NUL. (The
//! surrogates of the one and `C0 80` of the other are ill-formed in UTF-8, so that its conversions stop in front of them.)

use crate::arch::Vector;

/// Bytes that are tested together.
const BLOCK: usize = 128;

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
