//! Validation of UTF-16.
//!
//! 1. [Search](super::surrogate_free) for surrogates. Most text has none.
//! 2. From the first block with surrogates on, search in blocks of eight vectors. Compare each
//!    vector of a block with surrogates with the vector that begins one unit earlier: the low
//!    surrogates must be exactly the units after the high surrogates.
//! 3. The last vector ends at the end of the text and overlaps the vector before it. The text must
//!    not end with a high surrogate.
//!
//! Units are compared in the byte order of the text, with constants in the same byte order. The
//! constants are in a run-time argument, so the code is compiled once for both byte orders.

use crate::arch::lanes16::Lanes16;
use crate::generic::from_utf16::surrogate_free::{SurrogateSearch, surrogate_free_len};
use crate::generic::from_utf16::surrogates::SURROGATE_BLOCK_BYTES;
use crate::generic::vectors;
use crate::swar::words;
use crate::tables::UnitOrder;

/// The number of vectors in a block.
const CHECK_BLOCK_VECTORS: usize = 8;

/// Validates `src`. `Err` holds a byte offset: the bytes before it are well-formed. Callers
/// guarantee: `V` has 16 bytes if `src.len() < 32`, and not 64 bytes if `src.len() < 128`.
#[inline(always)]
pub(crate) fn check<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
) -> Result<(), usize> {
    let text = whole_units(src);
    if V::LANES == 16 && text.len() < 16 {
        // The zeros after the end of the text are not surrogates.
        let units = V::from_words(token, words::padded16(text));
        let checker = Utf16Checker::<V>::new(order, token);
        return match checker.errors(units, units.shift_in_zeros::<2>()).any() {
            false if text.len() == src.len() => Ok(()),
            false => Err(text.len()),
            true => Err(0),
        };
    }
    let surrogate_free_len = surrogate_free_len::<V>(order, token, text);
    if surrogate_free_len == src.len() {
        return Ok(());
    }
    // This is a separate function, so texts without surrogates do not load its constants and save
    // no registers on the stack.
    V::run_outlined(
        token,
        order,
        src,
        #[inline(always)]
        move |token, order, src| check_from::<V>(order, token, src, surrogate_free_len),
    )
}

/// Does the work of [`check`] from byte `at` on. The text before it is well-formed.
#[inline(always)]
fn check_from<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    mut at: usize,
) -> Result<(), usize> {
    let text = whole_units(src);
    let checker = Utf16Checker::<V>::new(order, token);
    while at < text.len() {
        let (start, end) = match text.get(at..at + CHECK_BLOCK_VECTORS * V::LANES) {
            Some(block) if !checker.search.has_surrogates_in(block) => {
                at += block.len();
                continue;
            }
            Some(block) => (at, at + block.len()),
            None => (at.min(text.len() - V::LANES), text.len()),
        };
        if checker.is_ill_formed(text, start, end) {
            return Err(boundary(order, text, at));
        }
        at = end;
    }
    if at == src.len() { Ok(()) } else { Err(at) }
}

/// Returns true if no unit of `src`, in the byte order of the machine, has a bit of `beyond`.
/// `beyond` is a run-time argument, so the code is compiled once for all limits.
#[inline(always)]
pub(crate) fn fits<V: Lanes16>(token: V::Token, src: &[u8], beyond: u16) -> bool {
    const LANE_LOW_BITS: u64 = 0x0001_0001_0001_0001;
    if V::LANES == 16 && src.len() < 16 {
        let [first, second, ..] = words::padded16(src);
        return (first | second) & (u64::from(beyond) * LANE_LOW_BITS) == 0;
    }
    let beyond = V::splat16(token, beyond);
    let mut rest = src;
    while let Some((block, after)) = rest.split_at_checked(CHECK_BLOCK_VECTORS * V::LANES) {
        let block = vectors::load::<V, CHECK_BLOCK_VECTORS>(token, block, 0);
        if vectors::or(block).and(beyond).any() {
            return false;
        }
        rest = after;
    }
    // Test single vectors. The last vector ends at the end of the text and overlaps the vector
    // before it.
    let mut all = V::load(token, src, src.len() - V::LANES);
    while let Some((vector, after)) = rest.split_at_checked(V::LANES) {
        all = all.or(V::load(token, vector, 0));
        rest = after;
    }
    !all.and(beyond).any()
}

/// Returns the complete units of `src`: if the length is odd, all bytes except the last byte.
#[inline(always)]
pub(crate) fn whole_units(src: &[u8]) -> &[u8] {
    &src[..src.len() & !1]
}

/// Returns true if no surrogate pair is incomplete at offset `at`: if `text[..at]` does not end
/// with a high surrogate, or if a low surrogate follows.
#[inline(always)]
pub(crate) fn splits_no_pair(order: &'static UnitOrder, text: &[u8], at: usize) -> bool {
    unit(order, &text[at - 2..]) & 0xFC00 != 0xD800
        || at < text.len() && unit(order, &text[at..]) & 0xFC00 == 0xDC00
}

/// Returns `at`, or the start of the surrogate pair that `at` splits.
#[inline(always)]
pub(crate) fn boundary(order: &'static UnitOrder, text: &[u8], at: usize) -> usize {
    let kind = |at: usize| text.get(at..at + 2).map_or(0, |bytes| unit(order, bytes)) & 0xFC00;
    if at > 0 && kind(at) == 0xDC00 && kind(at - 2) == 0xD800 { at - 2 } else { at }
}

/// The constants of a check, as units in the byte order of the text.
pub(crate) struct Utf16Checker<V: Lanes16> {
    order: &'static UnitOrder,
    token: V::Token,
    pub(crate) search: SurrogateSearch<V>,
    /// The bits that identify surrogates.
    surrogate_mask: V,
    /// These bits in a surrogate.
    surrogate_bits: V,
    /// The bits that distinguish high and low surrogates.
    kind_mask: V,
    /// These bits in a high surrogate.
    high_bits: V,
    /// These bits in a low surrogate.
    low_bits: V,
}

impl<V: Lanes16> Utf16Checker<V> {
    #[inline(always)]
    pub(crate) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        let surrogate = V::load(token, &order.surrogate, 0);
        Self {
            order,
            token,
            search: SurrogateSearch::new(order, token),
            surrogate_mask: V::load(token, &order.top, 0),
            surrogate_bits: surrogate,
            kind_mask: V::load(token, &order.kind_mask, 0),
            high_bits: surrogate,
            low_bits: V::load(token, &order.low, 0),
        }
    }

    /// Returns a mask of the lanes that are surrogates.
    #[inline(always)]
    pub(crate) fn surrogates(&self, units: V) -> V {
        units.and(self.surrogate_mask).equal16(self.surrogate_bits)
    }

    /// Returns a mask of the lanes with an error: low surrogates without a high surrogate before
    /// them, and other units after a high surrogate. Each lane of `before` holds the unit before
    /// the unit in `units`.
    #[inline(always)]
    fn errors(&self, units: V, before: V) -> V {
        let low = units.and(self.kind_mask).equal16(self.low_bits);
        low.xor(before.and(self.kind_mask).equal16(self.high_bits))
    }

    /// [`errors`](Self::errors) for the vector of units at byte `at`.
    #[inline(always)]
    pub(crate) fn errors_at(&self, text: &[u8], at: usize) -> V {
        let units = V::load(self.token, text, at);
        let before = match at {
            0 => units.shift_in_zeros::<2>(),
            _ => V::load(self.token, text, at - 2),
        };
        self.errors(units, before)
    }

    /// The number of bytes that one test for surrogates covers.
    pub(crate) const RUN: usize =
        if V::LANES < 64 { SURROGATE_BLOCK_BYTES } else { 4 * SURROGATE_BLOCK_BYTES };

    /// Returns true if less than [`RUN`](Self::RUN) bytes are left from `at` on, and these bytes
    /// have no surrogates.
    #[inline(always)]
    pub(crate) fn is_end_of_run(&self, text: &[u8], at: usize) -> bool {
        text.len() - at < Self::RUN && (at == text.len() || self.is_free_from(text, at))
    }

    /// Returns true if a text of at least one vector has no surrogates from `at` on. The last
    /// vector ends at the end of the text and overlaps the vector before it.
    #[inline(always)]
    fn is_free_from(&self, text: &[u8], mut at: usize) -> bool {
        let last = text.len() - V::LANES;
        let mut least = self.search.lifted(V::load(self.token, text, last));
        while at < last {
            least = least.min(self.search.lifted(V::load(self.token, text, at)));
            at += V::LANES;
        }
        !self.search.has_surrogates_among(least)
    }

    /// Returns true if `text[from..to]` has an unpaired surrogate. This part has at least a vector.
    /// Its last vector ends at `to` and may overlap the vector before it.
    #[inline(always)]
    pub(crate) fn is_ill_formed(&self, text: &[u8], from: usize, to: usize) -> bool {
        let last = to - V::LANES;
        let mut errors = self.errors_at(text, last);
        let mut at = from;
        while at < last {
            errors = errors.or(self.errors_at(text, at));
            at += V::LANES;
        }
        errors.any() || !splits_no_pair(self.order, text, to)
    }
}

/// Returns the unit in the first two bytes.
#[inline(always)]
fn unit(order: &UnitOrder, bytes: &[u8]) -> u16 {
    order.unit(u16::from_le_bytes([bytes[0], bytes[1]]))
}
