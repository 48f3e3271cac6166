//! Validates UTF-32.
//!
//! 1. Compute the *number* of each unit `u`: `(u ^ 0xD800).wrapping_sub(0x800)`. The XOR maps the
//!    surrogates to the values below 0x800, and the subtraction wraps these around to the greatest
//!    numbers. A unit is a scalar value exactly if its number is at most 0x10F7FF.
//! 2. Keep the largest numbers of a block, and test them once for each block.
//! 3. The last vector ends with the text and may overlap the vector before it.

use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::swar::words;
use crate::tables::Order;

/// The number of vectors in a block.
const CHECK_BLOCK_VECTORS: usize = 16;

/// The number of vectors in which the largest numbers of a block are accumulated. There are
/// several, so that consecutive steps do not wait for each other.
const ACCUMULATORS: usize = 4;

/// Validates `src`. `Err` holds a byte offset: the bytes before it are well-formed.
#[inline(always)]
pub(crate) fn check<V: Lanes32, O: Order>(token: V::Token, src: &[u8]) -> Result<(), usize>
where
    V::Vector16: Lanes32,
{
    let text = whole_units(src);
    let valid_len = if V::takes_short_path(text.len(), 15) {
        let checker = Utf32Checker::<V::Vector16>::new(V::token_of_16_bytes(token));
        // The padding after the end of the text is zeros, which are scalar values.
        let units = V::Vector16::from_words(checker.token, words::padded16(text))
            .swap_bytes32_if_big::<O>();
        if checker.has_ill_formed(checker.numbers(units)) { 0 } else { text.len() }
    } else if V::takes_short_path(text.len(), V::LANES - 1) {
        Utf32Checker::<V::Vector16>::new(V::token_of_16_bytes(token)).validate_tail::<O>(text, 0)
    } else {
        let checker = Utf32Checker::<V>::new(token);
        match checker.validate_blocks::<O>(text) {
            Ok(at) => checker.validate_tail::<O>(text, at),
            Err(valid_len) => valid_len,
        }
    };
    if valid_len == src.len() { Ok(()) } else { Err(valid_len) }
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
    /// The two's complement of 0x800: adding it subtracts 0x800.
    minus_0x800: V,
    /// The largest number that a scalar value has.
    largest_valid: V,
}

impl<V: Lanes32> Utf32Checker<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            token,
            surrogate: V::splat32(token, 0xD800),
            minus_0x800: V::splat32(token, 0x800_u32.wrapping_neg()),
            largest_valid: V::splat32(token, 0x10_FFFF - 0x800),
        }
    }

    /// Returns the numbers of units. A unit whose number is larger than `largest_valid` is not a
    /// scalar value.
    #[inline(always)]
    pub(crate) fn numbers(&self, units: V) -> V {
        units.xor(self.surrogate).add32(self.minus_0x800)
    }

    /// Returns true if one of `numbers` is not the number of a scalar value. To test many vectors,
    /// pass the lane-wise maximum of their numbers.
    #[inline(always)]
    pub(crate) fn has_ill_formed(&self, numbers: V) -> bool {
        numbers.max_u32(self.largest_valid).xor(self.largest_valid).any()
    }

    /// Returns true if one of the vectors has a unit that is not a scalar value.
    #[inline(always)]
    pub(crate) fn have_ill_formed<const N: usize>(&self, units: [V; N]) -> bool {
        self.has_ill_formed(self.largest_number(units))
    }

    /// Returns the lane-wise maximum of the numbers of vectors.
    #[inline(always)]
    pub(crate) fn largest_number<const N: usize>(&self, units: [V; N]) -> V {
        let mut largest = self.numbers(units[0]);
        let mut k = 1;
        while k < N {
            largest = largest.max_u32(self.numbers(units[k]));
            k += 1;
        }
        largest
    }

    /// Validates whole blocks. Returns the byte offset of their end. `Err` holds the byte offset of
    /// the first ill-formed block.
    #[inline(always)]
    fn validate_blocks<O: Order>(&self, text: &[u8]) -> Result<usize, usize> {
        let mut at = 0;
        while let Some(block) = text.get(at..at + CHECK_BLOCK_VECTORS * V::LANES) {
            let mut largest = [self.largest_valid; ACCUMULATORS];
            let mut k = 0;
            while k < CHECK_BLOCK_VECTORS {
                let numbers = self.numbers(V::load32::<O>(self.token, block, k * V::LANES));
                largest[k % ACCUMULATORS] = largest[k % ACCUMULATORS].max_u32(numbers);
                k += 1;
            }
            if self.has_ill_formed(
                largest[0].max_u32(largest[1]).max_u32(largest[2].max_u32(largest[3])),
            ) {
                return Err(at);
            }
            at += CHECK_BLOCK_VECTORS * V::LANES;
        }
        Ok(at)
    }

    /// Validates the rest of `text` from byte `from` on, which is less than a block. `text` has at
    /// least a vector. Returns the length of the text, or `from` if the rest is ill-formed.
    #[inline(always)]
    fn validate_tail<O: Order>(&self, text: &[u8], from: usize) -> usize {
        // The last vector ends with the text and may overlap the vector before it.
        let last = text.len() - V::LANES;
        let mut largest =
            [self.numbers(V::load32::<O>(self.token, text, last)), self.largest_valid];
        let mut at = from;
        while let Some(two) = text.get(at..at + 2 * V::LANES) {
            let mut k = 0;
            while k < 2 {
                let numbers = self.numbers(V::load32::<O>(self.token, two, k * V::LANES));
                largest[k] = largest[k].max_u32(numbers);
                k += 1;
            }
            at += 2 * V::LANES;
        }
        if at < last {
            largest[1] = largest[1].max_u32(self.numbers(V::load32::<O>(self.token, text, at)));
        }
        if self.has_ill_formed(largest[0].max_u32(largest[1])) { from } else { text.len() }
    }
}
