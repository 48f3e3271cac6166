//! Tests if UTF-8 fits into Latin-1.
//!
//! UTF-8 fits into Latin-1 if the only lead bytes are 0xC2 and 0xC3, and if a byte is a
//! continuation byte exactly if the byte before it is a lead byte. With these lead bytes, these
//! rules are the whole syntax of UTF-8, so no other validation is needed.
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
use crate::swar::words;

/// Returns true if `src` is well-formed and no character is above U+00FF.
#[inline(always)]
pub(crate) fn fits<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    if src.len() <= 16 {
        return words::fits_latin1(src);
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

/// Returns true if the bytes from byte `at` on fit into Latin-1. `at` is at least 1, and at least a
/// vector before the end.
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
    /// Has a lane below 0x3E if there was a lead byte other than 0xC2 and 0xC3.
    leads: V,
    /// Has a lane with bit 7 set if there was a continuation byte without a lead byte, or a lead
    /// byte without a continuation byte.
    unpaired: V,
}

impl<V: Vector> Latin1Check<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, leads: V::splat(token, 0xFF), unpaired: V::splat(token, 0) }
    }

    /// Tests the vector at byte `at`, which is at least 1.
    #[inline(always)]
    fn test_vector(&mut self, src: &[u8], at: usize) {
        let bytes = V::load(self.token, src, at);
        let before = V::load(self.token, src, at - 1);
        // The XOR with 0xC2 maps 0xC2 and 0xC3 to 0 and 1, the other lead bytes to 0x02..=0x3F, and
        // all other bytes to 0x40 and above. After subtracting 2, these are 0xFE and 0xFF,
        // 0x00..=0x3D, and 0x3E and above.
        let mapped = bytes.xor(V::splat(self.token, 0xC2)).wrapping_sub(V::splat(self.token, 2));
        self.leads = self.leads.min(mapped);
        // Bytes from 0xC0 on require a continuation byte: the subtraction maps them to 0x80 and
        // above.
        let required = before.saturating_sub(V::splat(self.token, 0xC0 - 0x80));
        self.unpaired = self.unpaired.or(required.xor(V::from_mask(bytes.continuation())));
    }

    /// Returns true if the bytes tested so far do not fit into Latin-1.
    #[inline(always)]
    fn has_error(&self) -> bool {
        let leads = V::splat(self.token, 0x3E).saturating_sub(self.leads);
        leads.or(self.unpaired.and(V::splat(self.token, 0x80))).any()
    }
}
