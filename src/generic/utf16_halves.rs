//! Surrogates as bits. What tells them are the upper bytes of units, and 64 of these are two comparisons and two words of
//! bits. Each low one belongs behind a high one: for all of them together that is one shift and one comparison, without a
//! second look at the text.

use crate::arch::Vector;
use crate::arch::lanes16::Lanes16;
use crate::tables::UnitOrder;

/// Bytes of 64 units.
pub(super) const BLOCK: usize = 128;

/// Blocks without surrogates in a row behind which they are looked at as such again.
pub(super) const CALM: u32 = 2;

/// Which of up to 64 units are halves of pairs: unit `i` is bit `i`.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) high: u64,
    pub(super) low: u64,
}

impl Halves {
    /// Whether each half has its other one. `open` is 1 if there is a high one in front; one at the end has still to be
    /// followed.
    #[inline(always)]
    pub(super) fn are_paired(self, open: u64) -> bool {
        self.high << 1 | open == self.low
    }

    /// Whether there are none.
    #[inline(always)]
    pub(super) fn are_none(self) -> bool {
        self.high | self.low == 0
    }

    /// 1 if the last of 64 units is a high half.
    #[inline(always)]
    pub(super) fn open(self) -> u64 {
        self.high >> 63
    }

    /// Whether there is a high one in front, as `open` says, whose low one is not here.
    #[inline(always)]
    pub(super) fn is_alone_in_front(self, open: u64) -> bool {
        open & !self.low & 1 != 0
    }

    /// Those that are alone. `open` is 1 if there is a high one in front, `closed` 1 if there is a low one behind.
    #[inline(always)]
    pub(super) fn alone(self, open: u64, closed: u64) -> u64 {
        self.low & !(self.high << 1 | open) | self.high & !(self.low >> 1 | closed << 63)
    }
}

/// The constants to find them with, for upper bytes.
pub(super) struct Finder<V: Vector> {
    token: V::Token,
    /// A row that moves the upper bytes of eight units to the front.
    upper: V,
    /// The bits that tell the halves, and what they are in these.
    mask: V,
    high: V,
    low: V,
}

impl<V: Lanes16> Finder<V> {
    #[inline(always)]
    pub(super) fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self {
            token,
            upper: V::row8(token, &order.upper),
            mask: V::splat(token, 0xFC),
            high: V::splat(token, 0xD8),
            low: V::splat(token, 0xDC),
        }
    }

    /// The halves among 64 units.
    #[inline(always)]
    pub(super) fn of_block(&self, block: &[u8]) -> Halves {
        let first = self.upper(block, 0);
        // At most four vectors, of which all are used with 16 lanes and two with 32.
        let (mut highs, mut lows) = ([first.equal(self.high); 4], [first.equal(self.low); 4]);
        let mut k = 1;
        while k < 64 / V::LANES {
            let upper = self.upper(block, 2 * k * V::LANES);
            highs[k] = upper.equal(self.high);
            lows[k] = upper.equal(self.low);
            k += 1;
        }
        let (highs, lows) = (&highs[..64 / V::LANES], &lows[..64 / V::LANES]);
        Halves { high: V::bits(highs), low: V::bits(lows) }
    }

    /// The upper bytes of the units of two vectors, without the bits that don't matter.
    #[inline(always)]
    fn upper(&self, block: &[u8], at: usize) -> V {
        let first = V::load(self.token, block, at);
        V::packed8(first, V::load(self.token, block, at + V::LANES), self.upper).and(self.mask)
    }

    /// The halves in a vector of units.
    #[inline(always)]
    pub(super) fn of_vector(&self, units: V) -> Halves {
        let upper = V::packed8(units, V::splat(self.token, 0), self.upper).and(self.mask);
        let bits = |half: V| V::bits(&[upper.equal(half)]);
        Halves { high: bits(self.high), low: bits(self.low) }
    }
}
