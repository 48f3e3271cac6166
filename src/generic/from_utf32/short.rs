//! Converts the shortest UTF-32 texts without vectors.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::swar::units::encode_scalar_value;
use crate::types::progress::Reach;

/// Returns the whole units of `src` that fit into `capacity` bytes, if each input unit becomes one
/// output unit, else `src`.
#[inline(always)]
pub(crate) fn truncate(src: &[u8], to: Scheme, capacity: usize) -> &[u8] {
    match to {
        Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be => src,
        _ => &src[..src.len().min((capacity / to.unit_size()).saturating_mul(4)) & !3],
    }
}

/// Converts as much as possible of `src`, which has less than four units.
#[inline(always)]
pub(crate) fn below_four_units(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Reach {
    if let Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be = to
        && let Some(written) = convert_units(src, to, dst)
    {
        return Reach { read: src.len(), written };
    }
    scalar::convert(Scheme::Utf32Le, to, src, dst)
}

/// Converts whole units. Stores four bytes for each unit, and keeps only the bytes of its
/// character. Returns `None` if `src` ends inside a unit, if a unit is not a scalar value, or if
/// `dst` has no capacity for four bytes for each unit.
#[inline(always)]
fn convert_units(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (units, []) = src.as_chunks() else { return None };
    dst.get(..src.len())?;
    let mut written = 0;
    for bytes in units {
        let (encoded, len) = encode_scalar_value(u32::from_le_bytes(*bytes), to)?;
        *dst.get_mut(written..)?.first_chunk_mut()? = encoded.to_le_bytes().map(MaybeUninit::new);
        written += len;
    }
    Some(written)
}
