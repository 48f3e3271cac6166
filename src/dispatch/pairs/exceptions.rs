//! Texts in which most characters are the same as in another scheme, and some are *exceptions*:
//! unpaired surrogates in WTF-8 and WTF-16, and supplementary characters (and NUL) in CESU-8
//! (Modified UTF-8).
//!
//! The text between two exceptions is validated and converted by the functions of UTF-8 and UTF-16,
//! and the exceptions by the scalar reference.

#[cfg(feature = "count")]
use crate::dispatch::function::Transcode;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::check_utf8;
use crate::encoding::scheme::Scheme;
#[cfg(feature = "count")]
use crate::encoding::view::Uninit;
use crate::generic::from_utf8::check::locate;
use crate::scalar;
#[cfg(feature = "count")]
use crate::types::progress::Reach;

/// The number of characters after an exception that are examined one by one, because the next
/// exception may follow soon.
const CHARS_AFTER_EXCEPTION: usize = 8;

/// Validates WTF-8.
#[inline(never)]
pub(super) fn check_wtf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    check(src, Scheme::Wtf8, |rest, _| rest, kernel)
}

/// Validates text in `scheme`. `start` returns a start of the text that has no exceptions except
/// unpaired surrogates, which UTF-8 does not have either.
pub(super) fn check(
    src: &[u8],
    scheme: Scheme,
    start: fn(&[u8], Kernel) -> &[u8],
    kernel: Kernel,
) -> Result<(), usize> {
    let mut at = 0;
    while at < src.len() {
        let start = start(&src[at..], kernel);
        at += match check_utf8(start, kernel).or_else(|known_len| locate(start, known_len)) {
            Ok(()) => start.len(),
            Err(error) => error.valid_up_to(),
        };
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(scheme, &src[at..]) else { return Err(at) };
            at += len;
            characters_left = characters_left_after(c, scheme, characters_left);
        }
    }
    Ok(())
}

/// Converts by `strict`, which stops before an exception. If `strict` stops, the scalar reference
/// converts characters, until [`CHARS_AFTER_EXCEPTION`] characters in a row are no exceptions.
#[cfg(feature = "count")]
#[inline(never)]
pub(super) fn convert(
    src: &[u8],
    dst: &mut Uninit,
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
            characters_left = characters_left_after(c, scheme, characters_left);
        }
    }
}

/// Returns the number of characters after `c` that are examined one by one, if `characters_left`
/// were left with `c`. `scheme` is CESU-8, Modified UTF-8, WTF-8 or WTF-16.
#[inline]
fn characters_left_after(c: u32, scheme: Scheme, characters_left: usize) -> usize {
    let is_exception = match scheme {
        Scheme::Cesu8 => c > 0xFFFF,
        Scheme::Mutf8 => c == 0 || c > 0xFFFF,
        _ => matches!(c, 0xD800..=0xDFFF),
    };
    if is_exception { CHARS_AFTER_EXCEPTION } else { characters_left - 1 }
}
