//! The search for surrogates. Most text has none.
//!
//! 1. Add to each unit a constant that maps the high bytes of surrogates, 0xD8..=0xDF, to the
//!    smallest values, 0..=7.
//! 2. Keep the bytewise minimum of eight vectors.
//! 3. If the minimum has a high byte below 8, there are surrogates.
//! 4. The last block ends at the end of the text and overlaps the block before it. A text of at
//!    most eight vectors is tested as a first and a last part, which may overlap.
//!
//! This search needs two instructions for each vector, and two constants. The constants are part of
//! the byte order, which is a run-time argument.

use crate::arch::lanes16::Lanes16;
use crate::tables::UnitOrder;

/// The constants of a search for surrogates, as units in the byte order of the text.
pub(crate) struct SurrogateSearch<V: Lanes16> {
    token: V::Token,
    /// Added to the high byte of each unit, maps 0xD8..=0xDF to 0..=7.
    lift: V,
    /// The bits that no unit below 0x800 has.
    top: V,
}

impl<V: Lanes16> SurrogateSearch<V> {
    #[inline(always)]
    pub(crate) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self { token, lift: V::load(token, &order.lift, 0), top: V::load(token, &order.top, 0) }
    }

    /// Maps units: the high byte becomes less than 8 exactly if the unit is a surrogate. The low
    /// byte is unspecified. The bytewise [minimum](crate::arch::vector::Vector::min) of two such
    /// vectors has the same property.
    #[inline(always)]
    pub(crate) fn lifted(&self, units: V) -> V {
        units.add(self.lift)
    }

    /// Returns true if there are surrogates among [lifted](Self::lifted) units.
    #[inline(always)]
    pub(crate) fn has_surrogates_among(&self, lifted: V) -> bool {
        lifted.any_without16(self.top)
    }

    /// Returns the bytewise minimum of the [lifted](Self::lifted) units of the first `N` vectors of
    /// `block`.
    #[inline(always)]
    fn least_lifted<const N: usize>(&self, block: &[u8]) -> V {
        let mut least = self.lifted(V::load(self.token, block, 0));
        let mut k = 1;
        while k < N {
            least = least.min(self.lifted(V::load(self.token, block, k * V::LANES)));
            k += 1;
        }
        least
    }

    /// Returns true if there are surrogates in `text`, which consists of one or more vectors.
    #[inline(always)]
    pub(crate) fn has_surrogates_in(&self, text: &[u8]) -> bool {
        let mut least = self.least_lifted::<1>(text);
        let mut at = V::LANES;
        while at < text.len() {
            least = least.min(self.lifted(V::load(self.token, text, at)));
            at += V::LANES;
        }
        self.has_surrogates_among(least)
    }

    /// Returns true if there are surrogates in the first or the last `N` vectors of `text`, which
    /// may overlap.
    #[inline(always)]
    fn has_surrogates_in_head_or_tail<const N: usize>(&self, text: &[u8]) -> bool {
        let (first, last) = (&text[..N * V::LANES], &text[text.len() - N * V::LANES..]);
        self.has_surrogates_among(self.least_lifted::<N>(first).min(self.least_lifted::<N>(last)))
    }
}

/// Returns the length of a prefix of `text` without surrogates, in bytes: the whole length, or a
/// multiple of eight vectors. Callers guarantee: `text` has at least a vector.
#[inline(always)]
pub(crate) fn surrogate_free_len<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &[u8],
) -> usize {
    let search = SurrogateSearch::<V>::new(order, token);
    let len = text.len();
    if len <= 8 * V::LANES {
        let found = if len <= 2 * V::LANES {
            search.has_surrogates_in_head_or_tail::<1>(text)
        } else if len <= 4 * V::LANES {
            search.has_surrogates_in_head_or_tail::<2>(text)
        } else {
            search.has_surrogates_in_head_or_tail::<4>(text)
        };
        return if found { 0 } else { len };
    }
    let mut rest = text;
    while rest.len() > 8 * V::LANES {
        let (block, after) = rest.split_at(8 * V::LANES);
        if search.has_surrogates_among(search.least_lifted::<8>(block)) {
            return len - rest.len();
        }
        rest = after;
    }
    // The last block ends at the end of the text and overlaps the block before it.
    let last = search.least_lifted::<8>(&text[len - 8 * V::LANES..]);
    let found = search.has_surrogates_among(last);
    if found { len - rest.len() } else { len }
}
