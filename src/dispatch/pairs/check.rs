//! The checks of WTF-16 and of the schemes with units of one byte, without CESU-8 and Modified
//! UTF-8. A build for validation compiles only this module, `check_wide` and `validation` of the
//! [pair table](super), and no conversions.

use crate::arch::hint::cold_path;
use crate::dispatch::active::{ActiveCheck, of_kernel};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::generic::from_utf8::groups::GROUPED_MIN_BYTES;
use crate::generic::{ascii, from_utf8};
use crate::scalar;

/// Validates UTF-8. Returns the `Err` of a [`Check`](crate::dispatch::function::Check): the length
/// of a prefix that is well-formed except perhaps for its last sequence.
#[inline(never)]
pub(crate) fn check_utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    if src.len() >= GROUPED_MIN_BYTES {
        return check_long_utf8(src, kernel);
    }
    // SAFETY: the function needs the features of `kernel`. A `Kernel` is made only if its features
    // have been detected.
    unsafe { utf8_check_on(kernel.0)(src) }
}

/// Like [`check_utf8`], on the active kernel.
#[inline(always)]
pub(crate) fn check_utf8_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck =
        ActiveCheck::new(|src| ACTIVE.choose(utf8_check_on, check_utf8, src));
    ACTIVE.run(check_utf8, src)
}

of_kernel! {
    /// Returns [`check_utf8`] for one kernel. Long texts arrive here only through
    /// [`check_utf8_on_active`], since [`check_utf8`] tests the length itself.
    fn utf8_check_on: fn(src: &[u8]) -> Result<(), usize>, wide if src.len() >= 3 * WIDE_BYTES;
    scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
    |V, token| {
        if src.len() >= GROUPED_MIN_BYTES {
            cold_path();
            return check_long_utf8_on_active(src);
        }
        from_utf8::check::check::<V>(token, src)
    }
}

/// Like [`check_long_utf8`], on the active kernel.
#[inline(never)]
fn check_long_utf8_on_active(src: &[u8]) -> Result<(), usize> {
    check_long_utf8(src, Kernel::active())
}

/// Like [`check_utf8`], for a long text, in groups of blocks.
#[inline(never)]
fn check_long_utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token| from_utf8::groups::check::<V>(token, src))
}

/// Validates Latin-1, in which every text is well-formed.
pub(crate) fn check_latin1(_: &[u8], _: Kernel) -> Result<(), usize> {
    Ok(())
}

/// Validates ASCII.
#[inline(never)]
pub(crate) fn check_ascii(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    // SAFETY: the function needs the features of `kernel`. A `Kernel` is made only if its features
    // have been detected.
    unsafe { ascii_check_on(kernel.0)(src) }
}

/// Like [`check_ascii`], on the active kernel.
#[inline(always)]
pub(crate) fn check_ascii_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck =
        ActiveCheck::new(|src| ACTIVE.choose(ascii_check_on, check_ascii, src));
    ACTIVE.run(check_ascii, src)
}

of_kernel! {
    /// Returns [`check_ascii`] for one kernel.
    fn ascii_check_on: fn(src: &[u8]) -> Result<(), usize>, wide if src.len() >= 3 * WIDE_BYTES;
    scalar => src.iter().position(|byte| !byte.is_ascii()).map_or(Ok(()), Err),
    |V, token| ascii::check::<V>(token, src)
}

/// The number of characters after an unpaired surrogate, or another
/// [exception](super::exceptions), that are examined one by one, because the next may follow soon.
pub(crate) const CHARS_AFTER_EXCEPTION: usize = 8;

/// Validates WTF-8. Between unpaired surrogates, it is validated as UTF-8.
#[inline(never)]
pub(crate) fn check_wtf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let mut at = 0;
    loop {
        let rest = &src[at..];
        let Err(valid_len) = check_utf8(rest, kernel) else { return Ok(()) };
        let Err(error) = from_utf8::check::locate(rest, valid_len) else { return Ok(()) };
        at += error.valid_up_to();
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(Scheme::Wtf8, &src[at..]) else { return Err(at) };
            at += len;
            characters_left = if matches!(c, 0xD800..=0xDFFF) {
                CHARS_AFTER_EXCEPTION
            } else {
                characters_left - 1
            };
        }
    }
}

/// Validates WTF-16, potentially ill-formed UTF-16. The only possible error is an incomplete unit
/// at the end.
pub(crate) fn check_wtf16(src: &[u8], _: Kernel) -> Result<(), usize> {
    if src.len().is_multiple_of(2) { Ok(()) } else { Err(src.len() - 1) }
}
