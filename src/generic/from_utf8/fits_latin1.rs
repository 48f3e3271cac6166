//! Tests if UTF-8 fits into Latin-1.
//!
//! UTF-8 fits into Latin-1 if the only lead bytes are 0xC2 and 0xC3, and if a byte is a
//! continuation byte exactly if the byte before it is a lead byte. With these lead bytes, these
//! rules are the whole syntax of UTF-8, so no other validation is needed.
//!
//! A text of at most 16 bytes is tested in general registers. Others:
//!
//! 1. Test that the first byte may begin a text and that the last byte may end it. The vectors test
//!    each byte only together with the byte before it.
//! 2. Skip ASCII blocks.
//! 3. Test strides of two blocks: compare each vector with the vector one byte earlier, and test
//!    the errors once for each stride. If the second block was ASCII, continue with 2.
//! 4. Test the rest vector by vector. The last vector ends with the text and may overlap the vector
//!    before it.

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::ascii;
use crate::generic::from_utf8::check::STRIDE_BYTES;
use crate::generic::from_utf8::two_byte::TwoByteChecker;
use crate::swar::words;

/// Returns true if `src` is well-formed and no character is above U+00FF.
#[inline(always)]
pub(crate) fn fits<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    if src.len() <= 16 {
        return short_fits::<V::Vector16>(V::token_of_16_bytes(token), src);
    }
    if src.len() <= 32 {
        return first_and_last_fit(src)
            && tail_fits::<V::Vector16>(V::token_of_16_bytes(token), src, 1);
    }
    if !first_and_last_fit(src) {
        return false;
    }
    if src.len() <= STRIDE_BYTES {
        return tail_fits::<V>(token, src, 1);
    }
    let mut at = ascii::ascii_run_end::<V>(token, src, 0).max(1);
    while let Some(bytes) = src[at - 1..].first_chunk::<{ 1 + STRIDE_BYTES }>() {
        let mut check = Latin1Check::<V>::new(token);
        let mut k = 0;
        while k < STRIDE_BYTES {
            check.test_vector(bytes, 1 + k);
            k += V::LANES;
        }
        if check.has_error() {
            return false;
        }
        at += STRIDE_BYTES;
        if !ascii::any_high_bit::<V>(token, bytes, 1 + STRIDE_BYTES - STEP..1 + STRIDE_BYTES) {
            at = ascii::ascii_run_end::<V>(token, src, at);
        }
    }
    at = at.min(src.len() - V::LANES);
    tail_fits::<V>(token, src, at)
}

/// Returns true if the first byte may begin a text and the last byte may end a text.
#[inline(always)]
fn first_and_last_fit(src: &[u8]) -> bool {
    matches!(src[0], 0..=0x7F | 0xC2 | 0xC3) && src[src.len() - 1] < 0xC0
}

/// Returns true if `src`, of at most 16 bytes, fits into Latin-1. `V` has 16 lanes.
#[inline(always)]
fn short_fits<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    let mut check = Latin1Check::<V>::new(token);
    // The zeros before and after the text are ASCII.
    let bytes = V::from_words(token, words::padded16(src));
    check.test(bytes, bytes.shift_in_zeros::<1>());
    src.last().is_none_or(|&last| last < 0xC0) && !check.has_error()
}

/// Returns true if the bytes from byte `at` on fit into Latin-1. `at` is at least 1, and at least a
/// vector of bytes follows it.
#[inline(always)]
fn tail_fits<V: Vector>(token: V::Token, src: &[u8], mut at: usize) -> bool {
    let mut check = Latin1Check::<V>::new(token);
    check.test_vector(src, at);
    at += V::LANES;
    while at + V::LANES < src.len() {
        check.test_vector(src, at);
        at += V::LANES;
    }
    check.test_vector(src, src.len() - V::LANES);
    !check.has_error()
}

/// The errors that have been found in the bytes so far.
struct Latin1Check<V: Vector> {
    token: V::Token,
    pairs: TwoByteChecker<V>,
    /// The largest byte of each lane.
    largest: V,
}

impl<V: Vector> Latin1Check<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, pairs: TwoByteChecker::new(token), largest: V::splat(token, 0) }
    }

    /// Tests the vector at byte `at`, which is at least 1.
    #[inline(always)]
    fn test_vector(&mut self, src: &[u8], at: usize) {
        self.test(V::load(self.token, src, at), V::load(self.token, src, at - 1));
    }

    /// Tests a vector. `before` begins one byte before it.
    #[inline(always)]
    fn test(&mut self, bytes: V, before: V) {
        self.pairs.check_vector(self.token, bytes, before);
        self.largest = self.largest.max(bytes);
    }

    /// Returns true if the bytes tested so far do not fit into Latin-1.
    #[inline(always)]
    fn has_error(&self) -> bool {
        let above_c3 = self.largest.saturating_sub(V::splat(self.token, 0xC3));
        self.pairs.errors(self.token).or(above_c3).any()
    }
}
