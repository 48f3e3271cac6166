//! Tests if one of many sorted offsets in UTF-8 is before a continuation byte: the bounds of short
//! rows must not split characters.
//!
//! 1. Convert the text to bits, set for continuation bytes.
//! 2. Load a vector of offsets, and a vector of bits from the first of these offsets on: a window
//!    of a few hundred bytes.
//! 3. If the last offset is in the window, look up the bits of all of them at once. Else look them
//!    up one by one.
//! 4. Or all bits together, and test them once.
//!
//! Few offsets, or offsets far apart, are looked up in the text itself.

use crate::arch::optional::{OffsetOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::position::utf8::{MASK_WORD_BYTES, Sought, bits_of_tail, bits_of_word};
use crate::types::position::LOOKUP_MAX_BYTES;

/// Returns the most bytes for each offset, on average, for which offsets are looked up at once:
/// with more, some are outside the window, which has 32 bits for each.
const fn lookup_bytes_per_offset<V: Vector>() -> usize {
    if V::LANES == 64 { 28 } else { 20 }
}

/// An offset in a text.
pub(crate) trait Offset: Copy {
    /// Returns the offset as a number.
    fn to_size(self) -> usize;

    /// Returns the first offsets minus `from` as 32-bit lanes.
    fn lanes<V: Vector>(ops: V::Offsets, token: V::Token, offsets: &[Self], from: Self) -> V;

    /// Returns the last offset at or before this one that is a multiple of eight bytes after
    /// `origin`.
    fn by_eight(self, origin: Self) -> Self;
}

/// Implements [`Offset`].
macro_rules! offsets {
    ($($offset:ident $lanes:ident;)*) => {$(
        impl Offset for $offset {
            #[inline(always)]
            #[expect(clippy::cast_sign_loss, reason = "offsets are not negative")]
            #[allow(clippy::cast_possible_truncation, reason = "an offset is in a text")]
            fn to_size(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn lanes<V: Vector>(
                ops: V::Offsets,
                token: V::Token,
                offsets: &[Self],
                from: Self,
            ) -> V {
                ops.$lanes(token, offsets, from)
            }

            #[inline(always)]
            fn by_eight(self, origin: Self) -> Self {
                origin.wrapping_add(self.wrapping_sub(origin) & !7)
            }
        }
    )*};
}

offsets! {
    i32 offsets32;
    i64 offsets64;
}

/// Continuation bytes.
struct ContinuationBytes;

impl Sought for ContinuationBytes {
    const COUNTS_OTHERS: bool = false;

    #[inline(always)]
    fn lanes<V: Vector>(_: V::Token, bytes: V) -> [V::Mask; 2] {
        [bytes.continuation(); 2]
    }
}

/// Returns true if one of `offsets` is before a continuation byte. `offsets` are sorted, and `text`
/// begins at the first of them.
#[inline(always)]
pub(crate) fn any_continuation<V: Vector, P: Offset>(
    token: V::Token,
    text: &[u8],
    offsets: &[P],
) -> bool {
    if let Some(ops) = V::Offsets::OPS
        && offsets.len() >= V::LANES / 4
        && (MASK_WORD_BYTES..=LOOKUP_MAX_BYTES.min(lookup_bytes_per_offset::<V>() * offsets.len()))
            .contains(&text.len())
    {
        return look_up::<V, P>(ops, token, text, offsets);
    }
    any_by_one(text, offsets)
}

/// [`any_continuation`] for at least a vector of offsets that are not far apart.
#[inline(always)]
fn look_up<V: Vector, P: Offset>(
    ops: V::Offsets,
    token: V::Token,
    text: &[u8],
    offsets: &[P],
) -> bool {
    // One more vector: windows begin anywhere in the text.
    let mut bits = [0; LOOKUP_MAX_BYTES / 8 + MASK_WORD_BYTES];
    let (chunks, rest) = text.as_chunks::<MASK_WORD_BYTES>();
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
    let mut others = 0;
    let mut at = 0;
    while at < offsets.len() {
        // The last vector may overlap.
        let group = &offsets[at.min(offsets.len() - V::LANES / 4)..][..V::LANES / 4];
        let (first, last) = (group[0], group[V::LANES / 4 - 1]);
        let from = first.by_eight(origin);
        if last.to_size() - from.to_size() < 8 * V::LANES {
            let window = V::load(token, &bits, (from.to_size() - origin.to_size()) / 8);
            found = found.or(ops.bits_at(window, P::lanes::<V>(ops, token, group, from)));
        } else {
            for offset in group {
                let at = offset.to_size() - origin.to_size();
                others |= bits[at / 8] >> (at % 8);
            }
        }
        at += V::LANES / 4;
    }
    let lowest = V::table(token, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    found.and(lowest).any() || others & 1 != 0
}

/// [`any_continuation`], offset by offset.
#[inline(never)]
pub(crate) fn any_by_one<P: Offset>(text: &[u8], offsets: &[P]) -> bool {
    // A continuation byte has its highest bit set and the next one clear. There are no branches,
    // and one instruction depends on the offset before. Values of 32 bits avoid partial register
    // writes.
    let high = |byte: u8| u32::from(byte) & !(u32::from(byte) << 1);
    let Some(&origin) = offsets.first() else { return false };
    let after_origin = |offset: P| offset.to_size() - origin.to_size();
    let (mut all, (groups, rest)) = (0, offsets.as_chunks::<8>());
    for eight in groups {
        let eight = eight.map(after_origin);
        match text.get(eight[0]..).and_then(<[u8]>::first_chunk::<256>) {
            // In short rows, an index of eight bits needs no bounds check.
            Some(window) if eight[7] - eight[0] < 256 => {
                for at in eight {
                    #[expect(clippy::cast_possible_truncation, reason = "less than 256")]
                    let at = (at - eight[0]) as u8;
                    all |= high(window[usize::from(at)]);
                }
            }
            _ => {
                for at in eight {
                    all |= text.get(at).map_or(0, |&byte| high(byte));
                }
            }
        }
    }
    for &offset in rest {
        all |= text.get(after_origin(offset)).map_or(0, |&byte| high(byte));
    }
    all & 0x80 != 0
}
