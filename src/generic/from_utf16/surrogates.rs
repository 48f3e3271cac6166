//! The surrogates of a text as bits.
//!
//! 1. Pack the upper bytes of 64 units.
//! 2. Compare these bytes with the upper bytes of high and of low surrogates. Each mask is a word
//!    of 64 bits.
//! 3. The low surrogates must be exactly the units after the high surrogates: one shift and one
//!    comparison for 64 units, without a second load of the text.

use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::tables::UnitOrder;

/// The size of a block of 64 units, in bytes.
pub(crate) const SURROGATE_BLOCK_BYTES: usize = 128;

/// After this many consecutive blocks without surrogates, the faster test for the absence of
/// surrogates is used again.
pub(crate) const CLEAN_RUN: u32 = 2;

/// The high and the low surrogates among up to 64 units: bit `i` is set if unit `i` is such a
/// surrogate.
#[derive(Clone, Copy)]
pub(crate) struct Surrogates {
    pub(crate) high: u64,
    pub(crate) low: u64,
}

impl Surrogates {
    /// Returns true if each surrogate is paired. `high_before` is 1 if a high surrogate is before
    /// the first unit. A high surrogate at the end counts as paired; the caller tests the unit
    /// after it.
    #[inline(always)]
    pub(crate) fn are_paired(self, high_before: u64) -> bool {
        self.high << 1 | high_before == self.low
    }

    /// Returns true if there are no surrogates.
    #[inline(always)]
    pub(crate) fn are_none(self) -> bool {
        self.high | self.low == 0
    }

    /// Returns 1 if the last of 64 units is a high surrogate, else 0.
    #[inline(always)]
    pub(crate) fn ends_with_high(self) -> u64 {
        self.high >> 63
    }

    /// Returns true if a high surrogate is before the first unit (`high_before` is 1), but the
    /// first unit is not a low surrogate.
    #[inline(always)]
    pub(crate) fn leaves_high_unpaired(self, high_before: u64) -> bool {
        high_before & !self.low & 1 != 0
    }

    /// Returns the unpaired surrogates. `high_before` is 1 if a high surrogate is before the
    /// first unit, and `low_after` is 1 if a low surrogate is after the last unit.
    #[inline(always)]
    pub(crate) fn unpaired(self, high_before: u64, low_after: u64) -> u64 {
        self.low & !(self.high << 1 | high_before) | self.high & !(self.low >> 1 | low_after << 63)
    }
}

/// The constants of a search for surrogates by their upper bytes.
pub(crate) struct Finder<V: Vector> {
    token: V::Token,
    /// The shuffle row that moves the upper bytes of eight units to the front.
    upper_row: V,
    /// The bits that identify high and low surrogates, in their upper bytes.
    mask: V,
    /// These bits in a high surrogate.
    high: V,
    /// These bits in a low surrogate.
    low: V,
}

impl<V: Lanes16> Finder<V> {
    #[inline(always)]
    pub(crate) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self {
            token,
            upper_row: V::row8(token, &order.upper),
            mask: V::splat(token, 0xFC),
            high: V::splat(token, 0xD8),
            low: V::splat(token, 0xDC),
        }
    }

    /// Returns the surrogates among 64 units.
    #[inline(always)]
    pub(crate) fn of_block(&self, block: &[u8]) -> Surrogates {
        let first = self.upper_bytes(block, 0);
        // The upper bytes of 64 units are at most four vectors: four of 16 lanes, or two of 32
        // lanes.
        let (mut highs, mut lows) = ([first.equal(self.high); 4], [first.equal(self.low); 4]);
        let mut k = 1;
        while k < 64 / V::LANES {
            let upper = self.upper_bytes(block, 2 * k * V::LANES);
            highs[k] = upper.equal(self.high);
            lows[k] = upper.equal(self.low);
            k += 1;
        }
        let (highs, lows) = (&highs[..64 / V::LANES], &lows[..64 / V::LANES]);
        Surrogates { high: V::bits(highs), low: V::bits(lows) }
    }

    /// Returns the upper bytes of the units of two vectors, without their lowest two bits.
    #[inline(always)]
    fn upper_bytes(&self, block: &[u8], at: usize) -> V {
        let first = V::load(self.token, block, at);
        V::packed8(first, V::load(self.token, block, at + V::LANES), self.upper_row).and(self.mask)
    }

    /// Returns the surrogates in a vector of units.
    #[inline(always)]
    pub(crate) fn of_vector(&self, units: V) -> Surrogates {
        let upper = V::packed8(units, V::splat(self.token, 0), self.upper_row).and(self.mask);
        let bits = |kind: V| V::bits(&[upper.equal(kind)]);
        Surrogates { high: bits(self.high), low: bits(self.low) }
    }
}
