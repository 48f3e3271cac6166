//! The checks of schemes with units of one byte, except CESU-8 and Modified UTF-8, and of WTF-16.
//! They are separate from the conversions, so a build for validation compiles nothing else of the
//! [pair table](super).

use crate::arch::hint::cold_path;
use crate::dispatch::active::{ActiveCheck, of_kernel};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::generic::from_utf8::groups::GROUPED_MIN_BYTES;
use crate::generic::{ascii, from_utf8};
use crate::scalar;

/// Validates UTF-8.
#[inline(never)]
pub(crate) fn check_utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    if src.len() >= GROUPED_MIN_BYTES {
        return check_long_utf8(src, kernel);
    }
    // SAFETY: a `Kernel` is made only where its features have been detected.
    unsafe { utf8_check_of(kernel.0)(src) }
}

/// [`check_utf8`] on the active kernel.
#[inline(always)]
pub(crate) fn check_utf8_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck =
        ActiveCheck::new(|src| ACTIVE.choose(utf8_check_of, check_utf8, src));
    ACTIVE.run(check_utf8, src)
}

of_kernel! {
    /// [`check_utf8`] on one kernel. Long texts are passed to it only by the active kernel.
    fn utf8_check_of: fn(src: &[u8]) -> Result<(), usize>, wide if src.len() >= 3 * WIDE_BYTES;
    scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
    |V, token| {
        if src.len() >= GROUPED_MIN_BYTES {
            cold_path();
            return check_long_utf8_on_active(src);
        }
        from_utf8::check::check::<V>(token, src)
    }
}

/// [`check_long_utf8`] on the active kernel.
#[inline(never)]
fn check_long_utf8_on_active(src: &[u8]) -> Result<(), usize> {
    check_long_utf8(src, Kernel::active())
}

/// [`check_utf8`] for a long text, in groups of blocks.
#[inline(never)]
fn check_long_utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token| from_utf8::groups::check::<V>(token, src))
}

/// Validates Latin-1: every text is well-formed.
pub(crate) fn check_latin1(_: &[u8], _: Kernel) -> Result<(), usize> {
    Ok(())
}

/// Validates ASCII.
#[inline(never)]
pub(crate) fn check_ascii(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    // SAFETY: a `Kernel` is made only where its features have been detected.
    unsafe { ascii_check_of(kernel.0)(src) }
}

/// [`check_ascii`] on the active kernel.
#[inline(always)]
pub(crate) fn check_ascii_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck =
        ActiveCheck::new(|src| ACTIVE.choose(ascii_check_of, check_ascii, src));
    ACTIVE.run(check_ascii, src)
}

of_kernel! {
    /// [`check_ascii`] on one kernel.
    fn ascii_check_of: fn(src: &[u8]) -> Result<(), usize>, wide if src.len() >= 3 * WIDE_BYTES;
    scalar => src.iter().position(|byte| !byte.is_ascii()).map_or(Ok(()), Err),
    |V, token| ascii::check::<V>(token, src)
}

/// Characters that are examined one by one after an unpaired surrogate, in search of the next.
pub(crate) const NEAR: usize = 8;

/// Validates WTF-8: as UTF-8 between unpaired surrogates.
#[inline(never)]
pub(crate) fn check_wtf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    let mut at = 0;
    loop {
        let rest = &src[at..];
        let Err(known) = check_utf8(rest, kernel) else { return Ok(()) };
        let Err(error) = from_utf8::check::locate(rest, known) else { return Ok(()) };
        at += error.valid_up_to();
        let mut near = NEAR;
        while near > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(Scheme::Wtf8, &src[at..]) else { return Err(at) };
            at += len;
            near = if matches!(c, 0xD800..=0xDFFF) { NEAR } else { near - 1 };
        }
    }
}

/// Validates potentially ill-formed UTF-16: its only error is an incomplete unit at the end.
pub(crate) fn check_wtf16(src: &[u8], _: Kernel) -> Result<(), usize> {
    if src.len().is_multiple_of(2) { Ok(()) } else { Err(src.len() - 1) }
}
