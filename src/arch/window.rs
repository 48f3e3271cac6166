//! Where vector code touches memory: a window on the source and a slice of the output, both of
//! fixed size.
//!
//! A step of an algorithm takes them after one length test each. The constants then keep all loads
//! and stores of the step in bounds, and the tests inside the vector operations vanish.

/// Bytes that a step consumes.
pub(crate) const STEP: usize = 64;
/// Bytes before these that it looks back to.
pub(crate) const LOOKBEHIND_BYTES: usize = 3;
/// Bytes after these that it looks ahead to.
pub(crate) const LOOKAHEAD_BYTES: usize = 1;

/// The part of the source that a step sees. Byte `LOOKBEHIND_BYTES` is the first that it consumes.
pub(crate) type Window = [u8; LOOKBEHIND_BYTES + STEP + LOOKAHEAD_BYTES];

/// Copies `src` to `dst`, of the same length: a few hundred bytes at most, by overlapping vectors
/// instead of a call.
#[inline(always)]
pub(crate) fn copy_short<T: Copy>(dst: &mut [T], src: &[T]) {
    assert_eq!(dst.len(), src.len());
    if copy_ends::<T, 32>(dst, src) {
        let mut at = 32;
        while at + 32 < src.len() {
            dst[at..at + 32].copy_from_slice(&src[at..at + 32]);
            at += 32;
        }
        return;
    }
    if copy_ends::<T, 16>(dst, src) || copy_ends::<T, 8>(dst, src) || copy_ends::<T, 4>(dst, src) {
        return;
    }
    // At most three are left.
    if let ([to, ..], [from, ..]) = (&mut *dst, src) {
        *to = *from;
    }
    if let ([.., to, _], [.., from, _]) = (&mut *dst, src) {
        *to = *from;
    }
    if let ([.., to], [.., from]) = (dst, src) {
        *to = *from;
    }
}

/// Copies the first and the last `N` elements, if there are as many: everything up to `2 * N`.
#[inline(always)]
fn copy_ends<T: Copy, const N: usize>(dst: &mut [T], src: &[T]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = dst.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = dst.last_chunk_mut() {
        *to = *last;
    }
    true
}
