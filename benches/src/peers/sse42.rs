//! simdutf8's functions for SSE4.2, with which our kernel `sse42` is compared. By default, the
//! crate would choose AVX2.

use crate::peers::FAILED;

/// Validates with `simdutf8::basic`, which does not locate errors.
#[inline]
pub fn simdutf8(src: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("sse4.2") {
        // SAFETY: the function needs SSE4.2, which has just been detected.
        return unsafe { simdutf8::basic::imp::x86::sse42::validate_utf8(src) }.is_ok();
    }
    simdutf8::basic::from_utf8(src).is_ok()
}

/// Validates with `simdutf8::compat`, which also locates errors.
#[inline]
pub fn simdutf8_compat(src: &[u8]) -> bool {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("sse4.2") {
        // SAFETY: the function needs SSE4.2, which has just been detected.
        return unsafe { simdutf8::compat::imp::x86::sse42::validate_utf8(src) }.is_ok();
    }
    simdutf8::compat::from_utf8(src).is_ok()
}

/// Converts with simdutf8: validation, then a copy.
#[inline]
pub fn simdutf8_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    if !simdutf8(src) {
        return FAILED;
    }
    dst[..src.len()].copy_from_slice(src);
    src.len()
}

/// Converts with simdutf8: validation, then `to_owned`.
#[inline]
pub fn simdutf8_to_owned(src: &[u8]) -> Option<Vec<u8>> {
    simdutf8(src).then(|| src.to_owned())
}
