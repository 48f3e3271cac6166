//! The constants of a step, in registers, and the tests that all targets share.

use crate::arch::vector::Vector;
use crate::arch::window::LOOKBEHIND_BYTES;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::generic::from_utf8::decode::sizes::{
    STEP_VECTORS_MAX, UP_TO_THREE_BYTES, UP_TO_TWO_BYTES,
};
use crate::generic::from_utf8::decode::step_input::StepInput;

/// The constants of a step, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Utf8Decoder<V: Vector> {
    pub(crate) token: V::Token,
    pub(crate) checker: Utf8Checker<V>,
}

impl<V: Vector> Utf8Decoder<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self { token, checker: Utf8Checker::new(token) }
    }

    /// Returns true if a step may contain a four-byte character, or may look back to one.
    #[inline(always)]
    pub(crate) fn has_four_byte<S: StepInput<V>>(&self, input: S) -> bool {
        self.largest(input).any_at_least(self.token, 0xF0)
    }

    /// Returns the lane-wise maximum of a step and of the bytes that it looks back to.
    #[inline(always)]
    pub(crate) fn largest<S: StepInput<V>>(&self, input: S) -> V {
        let mut largest = self.load(input, 0, LOOKBEHIND_BYTES);
        let mut k = 0;
        while k < S::VECTORS {
            largest = largest.max(self.load(input, k, 0));
            k += 1;
        }
        largest
    }

    /// Returns a vector of which every lane is `byte`.
    #[inline(always)]
    pub(crate) fn splat(&self, byte: u8) -> V {
        V::splat(self.token, byte)
    }

    /// Loads the vector that begins `back` bytes before vector `k` of a step.
    #[inline(always)]
    pub(crate) fn load<S: StepInput<V>>(&self, input: S, k: usize, back: usize) -> V {
        input.load(self.token, k, back)
    }

    /// Checks a step and returns a mask of the positions at which characters end: no continuation
    /// byte follows them. Returns `None` if it detects an error.
    #[inline(always)]
    pub(crate) fn find_character_ends<S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        &self,
        input: S,
    ) -> Option<u64> {
        if LONGEST == UP_TO_TWO_BYTES {
            return self.narrow_character_ends::<S, CHECK>(input);
        }
        self.check::<S, LONGEST, CHECK>(input)?;
        Some(input.find_character_ends(self.token))
    }

    /// Checks a step. Returns `None` if it detects an error.
    #[inline(always)]
    pub(crate) fn check<S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        &self,
        input: S,
    ) -> Option<()> {
        let mut errors = self.splat(0);
        let mut k = 0;
        while k < S::VECTORS {
            if CHECK {
                let c0 = self.load(input, k, 0);
                let (c1, c2) = (self.load(input, k, 1), self.load(input, k, 2));
                errors = errors.or(match LONGEST {
                    UP_TO_THREE_BYTES => self.checker.errors_of_three(c0, c1, c2),
                    _ => self.checker.errors(c0, c1, c2, self.load(input, k, 3)),
                });
            }
            k += 1;
        }
        if CHECK && errors.any() { None } else { Some(()) }
    }

    /// Does the same as [`find_character_ends`](Self::find_character_ends), for a step of one- and
    /// two-byte characters. The masks of continuation bytes and lead bytes suffice: the
    /// continuation bytes must be exactly the bytes after lead bytes, and no lead byte may be 0xC0
    /// or 0xC1. A character ends at every position without a lead byte.
    #[inline(always)]
    pub(crate) fn narrow_character_ends<S: StepInput<V>, const CHECK: bool>(
        &self,
        input: S,
    ) -> Option<u64> {
        let no_lanes = self.splat(0).high_bit_mask();
        let (mut high, mut continuation) =
            ([no_lanes; STEP_VECTORS_MAX], [no_lanes; STEP_VECTORS_MAX]);
        // The lane-wise minimum, in which 0xC0 and 0xC1 become 0 and 1.
        let mut least = self.splat(0xFF);
        let mut k = 0;
        while k < S::VECTORS {
            let c0 = self.load(input, k, 0);
            high[k] = c0.high_bit_mask();
            continuation[k] = c0.continuation();
            if CHECK {
                least = least.min(c0.xor(self.splat(0xC0)));
            }
            k += 1;
        }
        let continuation = V::bits(&continuation[..S::VECTORS]);
        let lead = V::bits(&high[..S::VECTORS]) & !continuation;
        let before = input.byte_before();
        let after_lead = (lead << 1 | u64::from(before >= 0xC0)) & S::ALL_POSITIONS;
        // 0xC0 or 0xC1 before this step, at the end of a step of another class, has not been
        // detected there.
        let is_overlong = || V::bits(&[least.and(self.splat(0xFE)).equal(self.splat(0))]) != 0;
        if CHECK && (continuation != after_lead || is_overlong() || before & 0xFE == 0xC0) {
            return None;
        }
        // As in all steps, the last position counts unless the next byte is a continuation byte.
        // The next byte need not be well-formed.
        let last = S::ALL_POSITIONS ^ S::ALL_POSITIONS >> 1;
        Some(!lead & S::ALL_POSITIONS >> 1 | if input.may_end_at_last() { last } else { 0 })
    }

    /// Returns 0xFF in the lanes of vector `k` that have a byte of 0xF0 or above three bytes back:
    /// the last bytes of four-byte characters.
    #[inline(always)]
    pub(crate) fn four_byte_ends<S: StepInput<V>>(&self, input: S, k: usize) -> V {
        V::from_mask(self.load(input, k, 3).at_least(self.token, 0xF0))
    }

    /// Returns three payloads for each position. `c0` is the byte there, and `c1` and `c2` are the
    /// bytes one and two bytes before:
    ///
    /// * the payload of the last byte of a character, `c0 & 0x7F`;
    /// * the payload of the byte before it, `c1` if `c0` is a continuation byte, else 0. The upper
    ///   two bits of `c1` do not belong to the payload;
    /// * the payload of the lead byte of a three-byte character, `c2 - 0xE0`. The subtraction
    ///   saturates, because `c2` is below 0xE0 in shorter characters.
    #[inline(always)]
    pub(crate) fn payloads<S: StepInput<V>, const LONGEST: usize>(
        &self,
        input: S,
        k: usize,
    ) -> (V, V, V) {
        let c0 = self.load(input, k, 0);
        let continuation = c0.continuation();
        (
            c0.and(self.splat(0x7F)),
            self.load(input, k, 1).only(continuation),
            match LONGEST {
                UP_TO_TWO_BYTES => self.splat(0),
                _ => self.load(input, k, 2).saturating_sub(self.splat(0xE0)),
            },
        )
    }
}
