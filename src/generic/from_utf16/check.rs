//! Validation of UTF-16 with surrogates.
//!
//! Most text has no surrogates and is validated by [`surrogate_free`](super::surrogate_free). This
//! module continues from the first block with surrogates:
//!
//! 1. In a block of 64 units, find the high and the low surrogates as [bits](super::surrogates).
//!    The low surrogates must be exactly the units after the high surrogates.
//! 2. After two blocks without surrogates, skip further blocks without surrogates by the faster
//!    test, and continue with step 1.
//! 3. The last block ends at the end of the text and overlaps the block before it. It must not end
//!    with a high surrogate.
//!
//! A text of at most eight vectors is tested lane by lane instead: each vector is compared with the
//! vector that begins one unit earlier.
//!
//! Units are compared in the byte order of the text, with constants in the same byte order. The
//! constants are in a run-time argument, so the code is compiled once for both byte orders.

use crate::arch::lanes16::Lanes16;
use crate::generic::from_utf16::surrogate_free::SurrogateSearch;
use crate::generic::from_utf16::surrogates::{CLEAN_RUN, Finder, SURROGATE_BLOCK_BYTES};
use crate::swar::words;
use crate::tables::UnitOrder;

/// The number of vectors that are tested together.
const TESTED_VECTORS: usize = 4;

/// Validates `src`, whose first `surrogate_free_len` bytes have no surrogates. `Err` holds a byte
/// offset: the bytes before it are well-formed. Callers guarantee: `surrogate_free_len` is 0 or a
/// multiple of eight vectors, and `V` has 16 bytes if `src.len() < 32`, and not 64 bytes if
/// `src.len() < 128`.
#[inline(always)]
pub(crate) fn check_after<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    src: &[u8],
    surrogate_free_len: usize,
) -> Result<(), usize> {
    let text = whole_units(src);
    let checker = Utf16Checker::<V>::new(order, token);
    let known = if V::LANES == 16 && text.len() < 16 {
        // The zeros after the end of the text are not surrogates.
        let units = V::from_words(token, words::padded16(text));
        if checker.errors(units, units.shift_in_zeros::<2>()).any() { 0 } else { text.len() }
    } else if V::takes_short_path(text.len(), 8 * V::LANES) {
        checker.short(text)
    } else {
        checker.check_surrogates(text, surrogate_free_len)
    };
    if known == src.len() { Ok(()) } else { Err(known) }
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
    while let Some((block, after)) = rest.split_at_checked(2 * TESTED_VECTORS * V::LANES) {
        let mut all = V::load(token, block, 0);
        let mut k = 1;
        while k < 2 * TESTED_VECTORS {
            all = all.or(V::load(token, block, k * V::LANES));
            k += 1;
        }
        if all.and(beyond).any() {
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

/// Returns true if the third unit is a surrogate, as in a text of surrogate pairs with or without a
/// byte order mark.
#[inline(always)]
pub(crate) fn is_third_unit_surrogate(order: &'static UnitOrder, text: &[u8]) -> bool {
    text.get(4..6).is_some_and(|bytes| unit(order, bytes) & 0xF800 == 0xD800)
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

    /// Validates a text of one to eight vectors. Returns its length, or 0 if it is ill-formed.
    #[inline(always)]
    fn short(&self, text: &[u8]) -> usize {
        let last = text.len() - V::LANES;
        let mut errors = self.errors_at(text, last).or(self.errors_at(text, 0));
        let mut at = V::LANES;
        while at < last {
            let (units, before) =
                (V::load(self.token, text, at), V::load(self.token, text, at - 2));
            errors = errors.or(self.errors(units, before));
            at += V::LANES;
        }
        if errors.any() || !splits_no_pair(self.order, text, text.len()) { 0 } else { text.len() }
    }

    /// Validates a text of more than eight vectors. Returns its length, or an offset that is less
    /// than a block before the error. There are no surrogates before byte `at`, and usually some
    /// soon after it.
    #[inline(always)]
    fn check_surrogates(&self, text: &[u8], mut at: usize) -> usize {
        let finder = Finder::<V>::new(self.order, self.token);
        let mut high_before = 0;
        let mut clean_run = 0;
        while at + SURROGATE_BLOCK_BYTES <= text.len() {
            if clean_run == CLEAN_RUN {
                at = self.end_of_clean_run(text, at);
                if Self::RUN > SURROGATE_BLOCK_BYTES && self.is_end_of_run(text, at) {
                    return text.len();
                }
                clean_run = 0;
            }
            while at + SURROGATE_BLOCK_BYTES <= text.len() && clean_run < CLEAN_RUN {
                let surrogates = finder.of_block(&text[at..at + SURROGATE_BLOCK_BYTES]);
                if !surrogates.are_paired(high_before) {
                    return at - 2 * high_before as usize;
                }
                high_before = surrogates.ends_with_high();
                clean_run = if surrogates.are_none() { clean_run + 1 } else { 0 };
                at += SURROGATE_BLOCK_BYTES;
            }
        }
        let known = at - 2 * high_before as usize;
        if at < text.len() {
            // The last block ends at the end of the text and overlaps the block before it.
            let start = text.len() - SURROGATE_BLOCK_BYTES;
            let block = &text[start..];
            if Self::RUN == SURROGATE_BLOCK_BYTES && high_before == 0 && !self.has_surrogates(block)
            {
                return text.len();
            }
            let surrogates = finder.of_block(block);
            let high_before = u64::from(unit(self.order, &text[start - 2..]) & 0xFC00 == 0xD800);
            let well_formed =
                surrogates.are_paired(high_before) && surrogates.ends_with_high() == 0;
            return if well_formed { text.len() } else { known };
        }
        known
    }

    /// The number of bytes that one test for surrogates covers.
    pub(crate) const RUN: usize =
        if V::LANES < 64 { SURROGATE_BLOCK_BYTES } else { 4 * SURROGATE_BLOCK_BYTES };

    /// Skips steps of [`RUN`](Self::RUN) bytes without surrogates from `at` on. Returns their end.
    #[inline(always)]
    pub(crate) fn end_of_clean_run(&self, text: &[u8], mut at: usize) -> usize {
        while at + Self::RUN <= text.len() && !self.has_surrogates(&text[at..at + Self::RUN]) {
            at += Self::RUN;
        }
        at
    }

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

    /// Returns true if there are surrogates in `blocks`, which is one or more blocks.
    #[inline(always)]
    pub(crate) fn has_surrogates(&self, blocks: &[u8]) -> bool {
        self.search.has_surrogates_in(blocks)
    }

    /// Returns true if the block of [`TESTED_VECTORS`] vectors at byte `at` is ill-formed.
    #[inline(always)]
    pub(crate) fn is_block_ill_formed(&self, text: &[u8], at: usize) -> bool {
        let mut errors = self.errors_at(text, at);
        let mut k = 1;
        while k < TESTED_VECTORS {
            let at = at + k * V::LANES;
            errors = errors
                .or(self.errors(V::load(self.token, text, at), V::load(self.token, text, at - 2)));
            k += 1;
        }
        errors.any() || !splits_no_pair(self.order, text, at + TESTED_VECTORS * V::LANES)
    }
}

/// Returns the unit in the first two bytes.
#[inline(always)]
fn unit(order: &UnitOrder, bytes: &[u8]) -> u16 {
    order.unit(u16::from_le_bytes([bytes[0], bytes[1]]))
}
