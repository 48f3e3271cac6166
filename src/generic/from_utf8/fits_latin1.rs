//! Tests if UTF-8 fits into Latin-1.
//!
//! It does if the only lead bytes are C2 and C3, and a byte is a continuation byte exactly if the
//! byte before is a lead byte. With these lead bytes, this is the whole syntax, so no other
//! validation is needed.
//!
//! 1. Test the first and the last byte from the side that no vector sees.
//! 2. Skip blocks of ASCII.
//! 3. Test strides of two blocks: each vector with the vector one byte earlier, and the errors once
//!    for each stride. If the second block was ASCII, continue with 2.
//! 4. Test the rest vector by vector. The last one ends with the text and overlaps.

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::generic::ascii;
use crate::generic::from_utf8::check::STRIDE_BYTES;
use crate::swar::words;

/// Returns true if `src` is well-formed and no character is above U+00FF.
#[inline(always)]
pub(crate) fn fits<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    if src.len() <= 16 {
        return words::fits_latin1(src);
    }
    if src.len() <= 32 {
        return first_and_last_fit(src) && tail_fits::<V::Half>(V::half(token), src, 1);
    }
    if !first_and_last_fit(src) {
        return false;
    }
    if src.len() <= STRIDE_BYTES {
        return tail_fits::<V>(token, src, 1);
    }
    let mut at = ascii::ascii_run_end::<V>(token, src, 0).max(1);
    while let Some(bytes) = src[at - 1..].first_chunk::<{ 1 + STRIDE_BYTES }>() {
        let mut check = Check::<V>::new(token);
        let mut k = 0;
        while k < STRIDE_BYTES {
            check.test_vector(bytes, 1 + k);
            k += V::LANES;
        }
        if check.failed() {
            return false;
        }
        at += STRIDE_BYTES;
        if !ascii::any_high::<V>(token, bytes, 1 + STRIDE_BYTES - STEP..1 + STRIDE_BYTES) {
            at = ascii::ascii_run_end::<V>(token, src, at);
        }
    }
    at = at.min(src.len() - V::LANES);
    tail_fits::<V>(token, src, at)
}

/// Returns true if the first byte can begin and the last byte can end the text. The vectors test
/// each byte together with the byte before it.
#[inline(always)]
fn first_and_last_fit(src: &[u8]) -> bool {
    matches!(src[0], 0..=0x7F | 0xC2 | 0xC3) && src[src.len() - 1] < 0xC0
}

/// Returns true if the bytes from `at` on fit. `at` is at least 1 and at least a vector before the
/// end.
#[inline(always)]
fn tail_fits<V: Vector>(token: V::Token, src: &[u8], mut at: usize) -> bool {
    let mut check = Check::<V>::new(token);
    check.test_vector(src, at);
    at += V::LANES;
    while at + V::LANES < src.len() {
        check.test_vector(src, at);
        at += V::LANES;
    }
    check.test_vector(src, src.len() - V::LANES);
    !check.failed()
}

/// The errors of the bytes so far.
struct Check<V: Vector> {
    token: V::Token,
    /// A lane is below 0x3E if there was a lead byte other than C2 and C3.
    leads: V,
    /// Bit 7 of a lane is set after a continuation byte without a lead byte, or a lead byte without
    /// a continuation byte.
    pairs: V,
}

impl<V: Vector> Check<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, leads: V::splat(token, 0xFF), pairs: V::splat(token, 0) }
    }

    /// Tests the vector at `at`, which is at least 1.
    #[inline(always)]
    fn test_vector(&mut self, src: &[u8], at: usize) {
        let bytes = V::load(self.token, src, at);
        let before = V::load(self.token, src, at - 1);
        // XOR with C2 maps C2 and C3 to 00 and 01, the other lead bytes to 02..=3F, and all other
        // bytes to 40 and above. Minus 2, these are FE and FF; 00..=3D; 3E and above.
        let moved = bytes.xor(V::splat(self.token, 0xC2)).wrapping_sub(V::splat(self.token, 2));
        self.leads = self.leads.min(moved);
        // Bytes from 0xC0 on become 0x80 and above: they require a continuation byte.
        let asked = before.saturating_sub(V::splat(self.token, 0xC0 - 0x80));
        self.pairs = self.pairs.or(asked.xor(V::from_mask(bytes.continuation())));
    }

    /// Returns true if one of the bytes so far does not fit.
    #[inline(always)]
    fn failed(&self) -> bool {
        let leads = V::splat(self.token, 0x3E).saturating_sub(self.leads);
        leads.or(self.pairs.and(V::splat(self.token, 0x80))).any()
    }
}
