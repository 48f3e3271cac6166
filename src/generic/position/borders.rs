//! Finds out if one of many sorted offsets in UTF-8 is before a continuation byte: the boundaries
//! of short rows, which must not cut characters.
//!
//! The text becomes bits, one for each byte. A vector of bits is a window of a few hundred bytes,
//! in which as many places as fit a vector are looked up at once. Places far apart are looked at
//! one by one, in the text.

use crate::arch::optional::{PlaceWords, Presence};
use crate::arch::vector::Vector;
use crate::generic::position::utf8::{MASK_WORD_BYTES, Sought, bits_of_rest, bits_of_word};
use crate::types::position::LOOKUP_MAX_BYTES;

/// Bytes for each place, on average, up to which places are looked up at once: with more, some of
/// them lie outside of the window, which has 32 bits for each.
const fn near<V: Vector>() -> usize {
    if V::LANES == 64 { 28 } else { 20 }
}

/// A place in a text.
pub(crate) trait Place: Copy {
    /// Returns the place as a number.
    fn to_size(self) -> usize;

    /// The first places minus `from` as 32-bit lanes.
    fn lanes<V: Vector>(words: V::Places, token: V::Token, places: &[Self], from: Self) -> V;

    /// Returns the last place at or before this one that is a multiple of eight bytes after
    /// `origin`.
    fn by_eight(self, origin: Self) -> Self;
}

/// Implements [`Place`].
macro_rules! places {
    ($($place:ident $lanes:ident;)*) => {$(
        impl Place for $place {
            #[inline(always)]
            #[expect(clippy::cast_sign_loss, reason = "places are not negative")]
            #[allow(clippy::cast_possible_truncation, reason = "a place is in a text")]
            fn to_size(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn lanes<V: Vector>(
                words: V::Places,
                token: V::Token,
                places: &[Self],
                from: Self,
            ) -> V {
                words.$lanes(token, places, from)
            }

            #[inline(always)]
            fn by_eight(self, origin: Self) -> Self {
                origin.wrapping_add(self.wrapping_sub(origin) & !7)
            }
        }
    )*};
}

places! {
    i32 places32;
    i64 places64;
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

/// Returns true if one of `places` is before a continuation byte. They are sorted, and `text`
/// begins at the first of them.
#[inline(always)]
pub(crate) fn any_continuation<V: Vector, P: Place>(
    token: V::Token,
    text: &[u8],
    places: &[P],
) -> bool {
    if let Some(words) = V::Places::WORDS
        && places.len() >= V::LANES / 4
        && (MASK_WORD_BYTES..=LOOKUP_MAX_BYTES.min(near::<V>() * places.len()))
            .contains(&text.len())
    {
        return look_up::<V, P>(words, token, text, places);
    }
    any_by_one(text, places)
}

/// [`any_continuation`] of at least a vector of places, not far apart.
#[inline(always)]
fn look_up<V: Vector, P: Place>(
    words: V::Places,
    token: V::Token,
    text: &[u8],
    places: &[P],
) -> bool {
    // A vector more: windows begin anywhere in the text.
    let mut bits = [0; LOOKUP_MAX_BYTES / 8 + MASK_WORD_BYTES];
    let (chunks, rest) = text.as_chunks::<MASK_WORD_BYTES>();
    let words_of_bits = bits.as_chunks_mut().0;
    for (to, chunk) in words_of_bits.iter_mut().zip(chunks) {
        let (word, _) = bits_of_word::<V, ContinuationBytes>(token, chunk);
        *to = word.to_le_bytes();
    }
    if !rest.is_empty() {
        let (word, _) = bits_of_rest::<V, ContinuationBytes>(token, text, rest.len());
        words_of_bits[chunks.len()] = word.to_le_bytes();
    }
    let origin = places[0];
    let mut found = V::splat(token, 0);
    let mut others = 0;
    let mut at = 0;
    while at < places.len() {
        // The last may overlap those before.
        let group = &places[at.min(places.len() - V::LANES / 4)..][..V::LANES / 4];
        let (first, last) = (group[0], group[V::LANES / 4 - 1]);
        let from = first.by_eight(origin);
        if last.to_size() - from.to_size() < 8 * V::LANES {
            let window = V::load(token, &bits, (from.to_size() - origin.to_size()) / 8);
            found = found.or(words.bits_at(window, P::lanes::<V>(words, token, group, from)));
        } else {
            for place in group {
                let at = place.to_size() - origin.to_size();
                others |= bits[at / 8] >> (at % 8);
            }
        }
        at += V::LANES / 4;
    }
    let lowest = V::table(token, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    found.and(lowest).any() || others & 1 != 0
}

/// [`any_continuation`], place by place.
#[inline(never)]
pub(crate) fn any_by_one<P: Place>(text: &[u8], places: &[P]) -> bool {
    // A continuation byte has its highest bit set and the one below it clear. There is no branch
    // and one instruction from place to place; 32 bits avoid registers that are written in part.
    let high = |byte: u8| u32::from(byte) & !(u32::from(byte) << 1);
    let Some(&origin) = places.first() else { return false };
    let after_origin = |place: P| place.to_size() - origin.to_size();
    let (mut all, (groups, rest)) = (0, places.as_chunks::<8>());
    for eight in groups {
        let eight = eight.map(after_origin);
        match text.get(eight[0]..).and_then(<[u8]>::first_chunk::<256>) {
            // Short rows: an index of a byte needs no test.
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
    for &place in rest {
        all |= text.get(after_origin(place)).map_or(0, |&byte| high(byte));
    }
    all & 0x80 != 0
}
