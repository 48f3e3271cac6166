//! Is it UTF-32? A unit is a character if it is below 110000 and no surrogate. Both are one comparison: with D800 flipped
//! the surrogates are the least numbers of all, so that less 800 they wrap around and are too large as well.
//!
//! The largest of these numbers is kept, and looked at once a block.

use super::words;
use crate::arch::Vector;
use crate::arch::lanes32::Lanes32;
use crate::tables::Order;

/// Vectors in a block.
const BLOCK: usize = 16;

/// Largest numbers that are kept, so that none waits for another.
const MOST: usize = 4;

/// Whether `src` is well-formed; if not, how many bytes are known to be.
#[inline(always)]
pub(crate) fn check<V: Lanes32, O: Order>(token: V::Token, src: &[u8]) -> Result<(), usize>
where
    V::Half: Lanes32,
{
    let text = whole_units(src);
    let known = if V::is_within(text.len(), 15) {
        let checker = Checker::<V::Half>::new(V::half(token));
        // Behind the end are zeros, which are characters.
        let units = V::Half::of_words(checker.token, words::padded16(text)).ordered32::<O>();
        if checker.is_wrong(checker.number(units)) { 0 } else { text.len() }
    } else if V::is_within(text.len(), V::LANES - 1) {
        Checker::<V::Half>::new(V::half(token)).ends::<O>(text, 0)
    } else {
        let checker = Checker::<V>::new(token);
        match checker.blocks::<O>(text) {
            Ok(at) => checker.ends::<O>(text, at),
            Err(known) => known,
        }
    };
    if known == src.len() { Ok(()) } else { Err(known) }
}

/// `src` without the part of a unit at its end.
#[inline(always)]
pub(super) fn whole_units(src: &[u8]) -> &[u8] {
    &src[..src.len() & !3]
}

/// The constants of a check.
pub(super) struct Checker<V: Vector> {
    token: V::Token,
    /// The first surrogate.
    surrogate: V,
    /// What is added, which is -800.
    less: V,
    /// The largest number of a character.
    most: V,
}

impl<V: Lanes32> Checker<V> {
    #[inline(always)]
    pub(super) fn new(token: V::Token) -> Self {
        Self {
            token,
            surrogate: V::splat32(token, 0xD800),
            less: V::splat32(token, 0x800_u32.wrapping_neg()),
            most: V::splat32(token, 0x10_FFFF - 0x800),
        }
    }

    /// The numbers of units: larger than `most` are those that are no characters.
    #[inline(always)]
    pub(super) fn number(&self, units: V) -> V {
        units.xor(self.surrogate).add32(self.less)
    }

    /// Whether one of some numbers, or the largest of many, is none of a character.
    #[inline(always)]
    pub(super) fn is_wrong(&self, numbers: V) -> bool {
        numbers.max32(self.most).xor(self.most).any()
    }

    /// Whether one of four vectors has a unit that is no character.
    #[inline(always)]
    pub(super) fn is_wrong_in_four(&self, units: [V; 4]) -> bool {
        self.is_wrong(self.most_of_four(units))
    }

    /// The largest numbers of four vectors.
    #[inline(always)]
    pub(super) fn most_of_four(&self, units: [V; 4]) -> V {
        let [a, b, c, d] = units;
        let first = self.number(a).max32(self.number(b));
        first.max32(self.number(c).max32(self.number(d)))
    }

    /// Checks whole blocks; says how far they reach, or, if there is something wrong, where the block begins.
    #[inline(always)]
    fn blocks<O: Order>(&self, text: &[u8]) -> Result<usize, usize> {
        let mut at = 0;
        while let Some(block) = text.get(at..at + BLOCK * V::LANES) {
            let mut most = [self.most; MOST];
            let mut k = 0;
            while k < BLOCK {
                let number = self.number(V::load32::<O>(self.token, block, k * V::LANES));
                most[k % MOST] = most[k % MOST].max32(number);
                k += 1;
            }
            if self.is_wrong(most[0].max32(most[1]).max32(most[2].max32(most[3]))) {
                return Err(at);
            }
            at += BLOCK * V::LANES;
        }
        Ok(at)
    }

    /// How far a text of at least a vector is well-formed, if it is up to `from`, less than a block in front of its end: up to
    /// there too, or to its end.
    #[inline(always)]
    fn ends<O: Order>(&self, text: &[u8], from: usize) -> usize {
        // The last vector ends with the text, and sees some of it again.
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
