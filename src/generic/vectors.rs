//! Operations on several vectors.

use crate::arch::vector::Vector;

/// Returns the `N` vectors of `bytes` from byte `at` on.
#[inline(always)]
pub(crate) fn load<V: Vector, const N: usize>(token: V::Token, bytes: &[u8], at: usize) -> [V; N] {
    let mut vectors = [V::splat(token, 0); N];
    let mut k = 0;
    while k < N {
        vectors[k] = V::load(token, bytes, at + k * V::LANES);
        k += 1;
    }
    vectors
}

/// Returns the bitwise or of vectors.
#[inline(always)]
pub(crate) fn or<V: Vector, const N: usize>(vectors: [V; N]) -> V {
    let mut ored = vectors[0];
    let mut k = 1;
    while k < N {
        ored = ored.or(vectors[k]);
        k += 1;
    }
    ored
}
