//! Validation of UTF-16 without surrogates, which is most text.
//!
//! 1. Add to each unit a constant that maps the high bytes of surrogates, 0xD8..=0xDF, to the
//!    smallest values, 0..=7.
//! 2. Keep the bytewise minimum of eight vectors.
//! 3. If the minimum has a high byte below 8, there are surrogates: return the offset of this
//!    block, from which [`check`](super::check) continues.
//! 4. The last block ends at the end of the text and overlaps the block before it. A text of at
//!    most eight vectors is tested as a first and a last part, which may overlap.
//!
//! This search needs two instructions for each vector. It is a separate function with two
//! constants, so it saves nothing on the stack. The constants are part of the byte order, which is
//! a run-time argument.

use crate::arch::lanes16::Lanes16;
use crate::swar::words;
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

    /// Returns true if there are surrogates in the first `N` vectors of `block`.
    #[inline(always)]
    pub(crate) fn has_surrogates_in_first<const N: usize>(&self, block: &[u8]) -> bool {
        self.has_surrogates_among(self.least_lifted::<N>(block))
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

/// Returns `None` if `src` has no surrogates and no incomplete unit at its end. Otherwise returns
/// the length of a prefix without surrogates, in bytes: 0, or a multiple of eight vectors. Callers
/// guarantee: `V` has 16 bytes if `src.len() < 32`, and not 64 bytes if `src.len() < 128`.
#[inline(always)]
pub(crate) fn check<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> Option<usize> {
    let len = src.len();
    if !len.is_multiple_of(2) {
        return Some(0);
    }
    let search = SurrogateSearch::<V>::new(order, token);
    let found = if V::LANES == 16 && len < 16 {
        // The zeros after the end of the text are not surrogates.
        search.has_surrogates_among(search.lifted(V::from_words(token, words::padded16(src))))
    } else if V::takes_short_path(len, 2 * V::LANES) {
        search.has_surrogates_in_head_or_tail::<1>(src)
    } else if len <= 4 * V::LANES {
        search.has_surrogates_in_head_or_tail::<2>(src)
    } else if len <= 8 * V::LANES {
        search.has_surrogates_in_head_or_tail::<4>(src)
    } else {
        return check_long(&search, src);
    };
    if found { Some(0) } else { None }
}

/// [`check`] for more than eight vectors.
#[inline(always)]
fn check_long<V: Lanes16>(search: &SurrogateSearch<V>, src: &[u8]) -> Option<usize> {
    let mut rest = src;
    while rest.len() > 8 * V::LANES {
        let (block, after) = rest.split_at(8 * V::LANES);
        if search.has_surrogates_in_first::<8>(block) {
            return Some(src.len() - rest.len());
        }
        rest = after;
    }
    // The last block ends at the end of the text and overlaps the block before it.
    let found = if rest.len() <= 4 * V::LANES {
        search.has_surrogates_in_first::<4>(&src[src.len() - 4 * V::LANES..])
    } else {
        search.has_surrogates_in_first::<8>(&src[src.len() - 8 * V::LANES..])
    };
    if found { Some(src.len() - rest.len()) } else { None }
}
