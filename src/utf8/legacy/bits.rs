//! Decodes sequences of two to six bytes.

use core::ops::RangeInclusive;

use crate::scalar::utf8::is_continuation;

/// The surrogate code points.
pub(crate) const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// Returns the value and the length in bytes of the sequence at the start of `src`, if its lead
/// byte requires two to six bytes and all of them are present. The value may be a surrogate, and
/// the sequence may be overlong.
#[inline]
pub(crate) fn decode_sequence(src: &[u8]) -> Option<(u32, usize)> {
    let &lead = src.first()?;
    let len = lead.leading_ones() as usize;
    if !matches!(len, 2..=6) {
        return None;
    }
    let mut value = u32::from(lead & (0x7F >> len));
    for &byte in src.get(1..len)? {
        if !is_continuation(byte) {
            return None;
        }
        value = value << 6 | u32::from(byte & 0x3F);
    }
    Some((value, len))
}

/// Returns the length in bytes of the shortest sequence for a value.
#[inline]
pub(crate) const fn shortest_len(value: u32) -> usize {
    match value {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        _ => 6,
    }
}
