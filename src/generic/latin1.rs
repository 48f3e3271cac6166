//! Does UTF-8 fit into Latin-1? Then its only lead bytes are C2 and C3, and a byte is a continuation byte exactly where the
//! byte before is a lead byte. That is also all of its syntax, so no other validation is needed.

use super::utf8::STRIDE;
use super::{ascii, words};
use crate::arch::Vector;
use crate::arch::window::STEP;

/// Whether `src` is well-formed and no character is beyond U+00FF.
#[inline(always)]
pub(crate) fn fits<V: Vector>(token: V::Token, src: &[u8]) -> bool {
    if src.len() <= 16 {
        return words::fits_latin1(src);
    }
    if src.len() <= 32 {
        return borders_fit(src) && rest_fits::<V::Half>(V::half(token), src, 1);
    }
    if !borders_fit(src) {
        return false;
    }
    if src.len() <= STRIDE {
        return rest_fits::<V>(token, src, 1);
    }
    let mut at = ascii::run::<V>(token, src, 0).max(1);
    while let Some(bytes) = src[at - 1..].first_chunk::<{ 1 + STRIDE }>() {
        let mut check = Check::<V>::new(token);
        let mut k = 0;
        while k < STRIDE {
            check.see(bytes, 1 + k);
            k += V::LANES;
        }
        if check.failed() {
            return false;
        }
        at += STRIDE;
        if !ascii::any_high::<V>(token, bytes, 1 + STRIDE - STEP..1 + STRIDE) {
            at = ascii::run::<V>(token, src, at);
        }
    }
    at = at.min(src.len() - V::LANES);
    rest_fits::<V>(token, src, at)
}

/// Whether the first and the last byte fit: the vectors ask each byte together with the one before, so those at the
/// borders have only one side.
#[inline(always)]
fn borders_fit(src: &[u8]) -> bool {
    matches!(src[0], 0..=0x7F | 0xC2 | 0xC3) && src[src.len() - 1] < 0xC0
}

/// Whether the bytes from `at` on fit, which is at least 1 and a vector in front of the end.
#[inline(always)]
fn rest_fits<V: Vector>(token: V::Token, src: &[u8], mut at: usize) -> bool {
    let mut check = Check::<V>::new(token);
    check.see(src, at);
    at += V::LANES;
    while at + V::LANES < src.len() {
        check.see(src, at);
        at += V::LANES;
    }
    check.see(src, src.len() - V::LANES);
    !check.failed()
}

/// What has been found.
struct Check<V: Vector> {
    token: V::Token,
    /// Below 3E in a lane: there was a lead byte other than C2 and C3.
    leads: V,
    /// Bit 7 of a lane: a continuation byte without a lead byte, or the other way round.
    pairs: V,
}

impl<V: Vector> Check<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, leads: V::splat(token, 0xFF), pairs: V::splat(token, 0) }
    }

    /// Looks at the vector at `at`, which is at least 1.
    #[inline(always)]
    fn see(&mut self, src: &[u8], at: usize) {
        let bytes = V::load(self.token, src, at);
        let before = V::load(self.token, src, at - 1);
        // With C2 taken away, C2 and C3 are 00 and 01, the other lead bytes 02..=3F, the rest 40 and above. Less 2 that
        // is FE and FF; 00..=3D; 3E and above.
        let moved = bytes.xor(V::splat(self.token, 0xC2)).wrapping_sub(V::splat(self.token, 2));
        self.leads = self.leads.min(moved);
        // From C0 on this is 80 and more.
        let asked = before.saturating_sub(V::splat(self.token, 0xC0 - 0x80));
        self.pairs = self.pairs.or(asked.xor(V::of_mask(bytes.continuation())));
    }

    #[inline(always)]
    fn failed(&self) -> bool {
        let leads = V::splat(self.token, 0x3E).saturating_sub(self.leads);
        leads.or(self.pairs.and(V::splat(self.token, 0x80))).any()
    }
}
