//! Conversions of texts in which most characters are the same as in another pair of schemes, and
//! some are *exceptions*: unpaired surrogates between WTF-8 and WTF-16, and supplementary
//! characters (and NUL) between UTF-8 and CESU-8 (Modified UTF-8).
//!
//! The text between two exceptions is converted by the functions of UTF-8 and UTF-16, and the
//! exceptions by the scalar reference.

use core::mem::MaybeUninit;

use crate::dispatch::function::Transcode;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::CHARS_AFTER_EXCEPTION;
use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::types::progress::Reach;

/// Converts by `strict`, which stops before an exception. If `strict` stops, the scalar reference
/// converts characters, until [`CHARS_AFTER_EXCEPTION`] characters in a row are no exceptions.
#[inline(never)]
pub(super) fn convert(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (from, to): (Scheme, Scheme),
    strict: Transcode,
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    let scheme = if matches!(to, Scheme::Cesu8 | Scheme::Mutf8) { to } else { from };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let step = strict(&src[reach.read..], &mut dst[reach.written..], kernel);
        reach = step.after(reach.read, reach.written);
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 {
            let rest = &src[reach.read..];
            if rest.is_empty() {
                return reach;
            }
            let Ok((c, len)) = scalar::decode(from, rest) else { return reach };
            let Some(written) = scalar::encode(to, c, &mut dst[reach.written..]) else {
                return reach;
            };
            reach = Reach { read: len, written }.after(reach.read, reach.written);
            characters_left =
                if is_exception(scheme, c) { CHARS_AFTER_EXCEPTION } else { characters_left - 1 };
        }
    }
}

/// Returns true if `c` is an exception in conversions from or to `scheme`: CESU-8, Modified UTF-8,
/// WTF-8 or WTF-16.
#[inline]
pub(super) fn is_exception(scheme: Scheme, c: u32) -> bool {
    match scheme {
        Scheme::Cesu8 => c > 0xFFFF,
        Scheme::Mutf8 => c == 0 || c > 0xFFFF,
        _ => matches!(c, 0xD800..=0xDFFF),
    }
}
