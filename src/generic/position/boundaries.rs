//! Tests if one of many sorted offsets in UTF-8 is the offset of a continuation byte. The bounds of
//! short rows must not split characters.
//!
//! 1. Convert the text to bits, one for each byte, set for continuation bytes.
//! 2. Load a vector of offsets, and a window: a vector of bits from the first of these offsets on.
//!    The bits stand for a few hundred bytes.
//! 3. If the last offset of the vector is in the window, look up the bits of all offsets of the
//!    vector at once. Else look up the bits one by one.
//! 4. Combine all bits with a bitwise or, and test them once.
//!
//! If there are few offsets, or if they are far apart, look them up in the text itself.

use crate::arch::optional::{OffsetOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::position::utf8::{Sought, TEXT_BYTES_PER_WORD, bits_of_tail, bits_of_word};
use crate::types::position::LOOKUP_MAX_BYTES;

/// The length of the longest vector.
const MAX_VECTOR_BYTES: usize = 64;

/// Returns the maximum average distance between offsets, in bytes, for which offsets are looked up
/// in vectors. If the distance is larger, some offsets are outside the window, which has 32 bits
/// for each offset.
const fn lookup_max_bytes_per_offset<V: Vector>() -> usize {
    if V::LANES == 64 { 28 } else { 20 }
}

/// Returns the offset of `to` in a text that begins at `from`. Offsets are sorted.
#[inline(always)]
fn distance(from: i32, to: i32) -> usize {
    to.wrapping_sub(from).cast_unsigned() as usize
}

/// The number of continuation bytes.
struct ContinuationBytes;

impl Sought for ContinuationBytes {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(); 2]
    }
}

/// Returns true if one of `offsets` is the offset of a continuation byte. `offsets` are sorted, and
/// `text` begins at the first offset.
#[inline(always)]
pub(crate) fn any_continuation<V: Vector>(token: V::Token, text: &[u8], offsets: &[i32]) -> bool {
    if let Some(ops) = V::Offsets::OPS
        && offsets.len() >= V::LANES / 4
        && (TEXT_BYTES_PER_WORD
            ..=LOOKUP_MAX_BYTES.min(lookup_max_bytes_per_offset::<V>() * offsets.len()))
            .contains(&text.len())
    {
        return any_by_lookup::<V>(ops, token, text, offsets);
    }
    any_continuation_one_by_one(text, offsets)
}

/// Does the same as [`any_continuation`], for at least a vector of offsets that are not far apart.
#[inline(always)]
fn any_by_lookup<V: Vector>(
    ops: V::Offsets,
    token: V::Token,
    text: &[u8],
    offsets: &[i32],
) -> bool {
    // One bit for each byte, and one more vector, because a window may begin anywhere in the text.
    let mut bits = [0; LOOKUP_MAX_BYTES / 8 + MAX_VECTOR_BYTES];
    let (chunks, rest) = text.as_chunks::<TEXT_BYTES_PER_WORD>();
    let words_of_bits = bits.as_chunks_mut().0;
    for (to, chunk) in words_of_bits.iter_mut().zip(chunks) {
        let (word, _) = bits_of_word::<V, ContinuationBytes>(token, chunk);
        *to = word.to_le_bytes();
    }
    if !rest.is_empty() {
        let (word, _) = bits_of_tail::<V, ContinuationBytes>(token, text, rest.len());
        words_of_bits[chunks.len()] = word.to_le_bytes();
    }
    let origin = offsets[0];
    let mut found = V::splat(token, 0);
    let mut far_bits = 0;
    let mut at = 0;
    while at < offsets.len() {
        // The last vector of offsets may overlap the vector before it.
        let group = &offsets[at.min(offsets.len() - V::LANES / 4)..][..V::LANES / 4];
        let (first, last) = (group[0], group[V::LANES / 4 - 1]);
        // The last multiple of eight bytes after `origin` that is not after `first`.
        let from = origin.wrapping_add(first.wrapping_sub(origin) & !7);
        if distance(from, last) < 8 * V::LANES {
            let window = V::load(token, &bits, distance(origin, from) / 8);
            found = found.or(ops.bits_at(window, ops.offsets(token, group, from)));
        } else {
            for &offset in group {
                let at = distance(origin, offset);
                far_bits |= bits[at / 8] >> (at % 8);
            }
        }
        at += V::LANES / 4;
    }
    let lowest = V::table(token, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    found.and(lowest).any() || far_bits & 1 != 0
}

/// Does the same as [`any_continuation`], for one offset after the other.
#[inline(never)]
pub(crate) fn any_continuation_one_by_one(text: &[u8], offsets: &[i32]) -> bool {
    // In a continuation byte, bit 7 is set and bit 6 is clear. No branch depends on the byte, and
    // only the bitwise or depends on the byte before. Values of 32 bits avoid partial register
    // writes.
    let mark_in_bit_7 = |byte: u8| u32::from(byte) & !(u32::from(byte) << 1);
    let Some(&origin) = offsets.first() else { return false };
    let after_origin = |offset| distance(origin, offset);
    let (mut ored, (groups, rest)) = (0, offsets.as_chunks::<8>());
    for eight in groups {
        let eight = eight.map(after_origin);
        match text.get(eight[0]..).and_then(<[u8]>::first_chunk::<256>) {
            // If rows are short, the index has eight bits and needs no bounds check.
            Some(window) if eight[7] - eight[0] < 256 => {
                for at in eight {
                    #[expect(clippy::cast_possible_truncation, reason = "less than 256")]
                    let at = (at - eight[0]) as u8;
                    ored |= mark_in_bit_7(window[usize::from(at)]);
                }
            }
            _ => {
                for at in eight {
                    ored |= text.get(at).map_or(0, |&byte| mark_in_bit_7(byte));
                }
            }
        }
    }
    for &offset in rest {
        ored |= text.get(after_origin(offset)).map_or(0, |&byte| mark_in_bit_7(byte));
    }
    ored & 0x80 != 0
}
