//! The memory that vector code accesses: a window on the source and a slice of the output, both of
//! fixed size.
//!
//! A step of an algorithm tests the length once for the window and once for the slice. Both have
//! constant lengths, so the bounds checks of all loads and stores in the step vanish.

/// The number of bytes that a step consumes.
pub(crate) const STEP: usize = 64;
/// The number of bytes that a step reads before the bytes that it consumes.
pub(crate) const LOOKBEHIND_BYTES: usize = 3;
/// The number of bytes that a step reads after the bytes that it consumes.
pub(crate) const LOOKAHEAD_BYTES: usize = 1;

/// The part of the source that a step reads. The step consumes the bytes from byte
/// `LOOKBEHIND_BYTES` on.
pub(crate) type Window = [u8; LOOKBEHIND_BYTES + STEP + LOOKAHEAD_BYTES];

/// Copies `src` to `dst`, which has the same length, by overlapping vectors instead of a call to
/// `memcpy`. Meant for at most a few hundred bytes.
#[inline(always)]
pub(crate) fn copy_short<T: Copy>(dst: &mut [T], src: &[T]) {
    assert_eq!(dst.len(), src.len());
    if copy_ends::<T, 32>(dst, src) {
        let mut copied = 32;
        while copied + 32 < src.len() {
            dst[copied..copied + 32].copy_from_slice(&src[copied..copied + 32]);
            copied += 32;
        }
        return;
    }
    if copy_ends::<T, 16>(dst, src) || copy_ends::<T, 8>(dst, src) || copy_ends::<T, 4>(dst, src) {
        return;
    }
    // `src` has at most three elements.
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

/// Copies the first `N` and the last `N` elements if there are at least `N`, else returns false. If
/// there are at most `2 * N`, this copies all of them.
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
