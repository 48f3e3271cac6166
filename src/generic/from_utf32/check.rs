//! UTF-32 validation.
//!
//! 1. Compute the *number* of each unit `u`: `(u ^ 0xD800).wrapping_sub(0x800)`. The XOR maps the
//!    surrogates to the least values, below 0x800, so the subtraction wraps them around to the
//!    greatest. A unit is a scalar value exactly if its number is at most 0x10F7FF.
//! 2. Keep the largest numbers of a block, and test them once.
//! 3. The last vector ends with the text and overlaps.

use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::swar::words;
use crate::tables::Order;

/// Vectors in a block.
const CHECK_BLOCK_VECTORS: usize = 16;

/// Vectors of largest numbers: several, so consecutive steps do not wait for each other.
const MAXIMUM_VECTORS: usize = 4;

/// Validates `src`. The error is an offset: the bytes before it are well-formed.
#[inline(always)]
pub(crate) fn check<V: Lanes32, O: Order>(token: V::Token, src: &[u8]) -> Result<(), usize>
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    let known = if V::is_within(text.len(), 15) {
        let checker = Utf32Checker::<V::Half>::new(V::half(token));
        // The zeros after the end are characters.
        let units = V::Half::of_words(checker.token, words::padded16(text)).ordered32::<O>();
        if checker.is_wrong(checker.number(units)) { 0 } else { text.len() }
    } else if V::is_within(text.len(), V::LANES - 1) {
        Utf32Checker::<V::Half>::new(V::half(token)).validate_tail::<O>(text, 0)
    } else {
        let checker = Utf32Checker::<V>::new(token);
        match checker.blocks::<O>(text) {
            Ok(at) => checker.validate_tail::<O>(text, at),
            Err(known) => known,
        }
    };
    if known == src.len() { Ok(()) } else { Err(known) }
}

/// Returns `src` without an incomplete unit at its end.
#[inline(always)]
pub(crate) fn whole_units(src: &[u8]) -> &[u8] {
    &src[..src.len() & !3]
}

/// The constants of a check, in registers.
pub(crate) struct Utf32Checker<V: Vector> {
    token: V::Token,
    /// The first surrogate.
    surrogate: V,
    /// -0x800.
    less: V,
    /// The largest number of a character.
    most: V,
}

impl<V: Lanes32> Utf32Checker<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            token,
            surrogate: V::splat32(token, 0xD800),
            less: V::splat32(token, 0x800_u32.wrapping_neg()),
            most: V::splat32(token, 0x10_FFFF - 0x800),
        }
    }

    /// Returns the numbers of units. A unit is no character if its number is larger than `most`.
    #[inline(always)]
    pub(crate) fn number(&self, units: V) -> V {
        units.xor(self.surrogate).add32(self.less)
    }

    /// Returns true if one of `numbers` belongs to no character. The largest of many suffices.
    #[inline(always)]
    pub(crate) fn is_wrong(&self, numbers: V) -> bool {
        numbers.max32(self.most).xor(self.most).any()
    }

    /// Returns true if one of four vectors has a unit that is no character.
    #[inline(always)]
    pub(crate) fn is_wrong_in_four(&self, units: [V; 4]) -> bool {
        self.is_wrong(self.most_of_four(units))
    }

    /// Returns the largest numbers of four vectors.
    #[inline(always)]
    pub(crate) fn most_of_four(&self, units: [V; 4]) -> V {
        let [a, b, c, d] = units;
        let first = self.number(a).max32(self.number(b));
        first.max32(self.number(c).max32(self.number(d)))
    }

    /// Validates whole blocks. Returns the end of the blocks. The error is the start of the first
    /// ill-formed block.
    #[inline(always)]
    fn blocks<O: Order>(&self, text: &[u8]) -> Result<usize, usize> {
        let mut at = 0;
        while let Some(block) = text.get(at..at + CHECK_BLOCK_VECTORS * V::LANES) {
            let mut most = [self.most; MAXIMUM_VECTORS];
            let mut k = 0;
            while k < CHECK_BLOCK_VECTORS {
                let number = self.number(V::load32::<O>(self.token, block, k * V::LANES));
                most[k % MAXIMUM_VECTORS] = most[k % MAXIMUM_VECTORS].max32(number);
                k += 1;
            }
            if self.is_wrong(most[0].max32(most[1]).max32(most[2].max32(most[3]))) {
                return Err(at);
            }
            at += CHECK_BLOCK_VECTORS * V::LANES;
        }
        Ok(at)
    }

    /// Validates the rest from `from` on, less than a block, of a text of at least a vector.
    /// Returns the length of the text, or `from` if the rest is ill-formed.
    #[inline(always)]
    fn validate_tail<O: Order>(&self, text: &[u8], from: usize) -> usize {
        // The last vector ends with the text and overlaps.
        let last = text.len() - V::LANES;
        let mut most = [self.number(V::load32::<O>(self.token, text, last)), self.most];
        let mut at = from;
        while let Some(two) = text.get(at..at + 2 * V::LANES) {
            let mut k = 0;
            while k < 2 {
                let number = self.number(V::load32::<O>(self.token, two, k * V::LANES));
                most[k] = most[k].max32(number);
                k += 1;
            }
            at += 2 * V::LANES;
        }
        if at < last {
            most[1] = most[1].max32(self.number(V::load32::<O>(self.token, text, at)));
        }
        if self.is_wrong(most[0].max32(most[1])) { from } else { text.len() }
    }
}
