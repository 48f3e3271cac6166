//! The checks of UTF-8, ASCII, UTF-16 and UTF-32.
//!
//! The vector code for UTF-16 and UTF-32 is compiled only with the feature `wide`: it is a quarter
//! of the code of all validations, and a program that validates only UTF-8 does not need it.

use crate::arch::hint::cold_path;
use crate::dispatch::active::{ActiveCheck, of_kernel};
use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::generic::from_utf8::groups::GROUPED_MIN_BYTES;
use crate::generic::segments::check_with_exceptions;
use crate::generic::{ascii, from_utf8};
#[cfg(feature = "wide")]
use crate::generic::{from_utf16, from_utf32};
use crate::scalar;
use crate::scalar::code::Decode;
use crate::tables::{BIG_UNITS, Big, LITTLE_UNITS, Little, Order, UnitOrder};

// Each returns the `Err` of a [`Check`](crate::dispatch::function::Check): the length of a prefix
// that is well-formed except perhaps for its last sequence.
table_functions! {
    (src: &[u8], kernel: Kernel) -> Result<(), usize>;
    // SAFETY: a `Kernel` is made only if its features have been detected.
    fn check_utf8 = unsafe { utf8_on(kernel)(src) };
    // SAFETY: a `Kernel` is made only if its features have been detected.
    fn check_ascii = unsafe { ascii_on(kernel)(src) };
    fn check_utf16le = utf16(src, &LITTLE_UNITS, kernel);
    fn check_utf16be = utf16(src, &BIG_UNITS, kernel);
    fn check_utf32le = utf32::<Utf32Le, Little>(src, kernel);
    fn check_utf32be = utf32::<Utf32Be, Big>(src, kernel);
}

/// Like [`check_utf8`], on the active kernel.
#[inline(always)]
pub(crate) fn check_utf8_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck = ActiveCheck::new(|src| ACTIVE.choose(utf8_on, src));
    ACTIVE.run(check_utf8, src)
}

/// Like [`check_ascii`], on the active kernel.
#[inline(always)]
pub(crate) fn check_ascii_on_active(src: &[u8]) -> Result<(), usize> {
    static ACTIVE: ActiveCheck = ActiveCheck::new(|src| ACTIVE.choose(ascii_on, src));
    ACTIVE.run(check_ascii, src)
}

of_kernel! {
    /// Returns [`utf8`] for one kernel.
    fn utf8_on: fn(src: &[u8]) -> Result<(), usize> = utf8;
    /// Returns [`ascii()`] for one kernel.
    fn ascii_on: fn(src: &[u8]) -> Result<(), usize> = ascii;
}

/// Validates UTF-8.
#[inline(always)]
fn utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    if src.len() >= GROUPED_MIN_BYTES {
        cold_path();
        return long_utf8(src, kernel);
    }
    dispatch!(kernel, wide if !kernel.is_halved() && src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token, src, ()| from_utf8::check::check::<V>(token, src))
}

/// Like [`utf8`], for a long text, in groups of blocks.
#[inline(never)]
fn long_utf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
        scalar => scalar::utf8::validate(src).map_err(|error| error.valid_up_to()),
        |V, token, src, ()| from_utf8::groups::check::<V>(token, src))
}

/// Validates ASCII.
#[inline(always)]
fn ascii(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    dispatch!(kernel, wide if !kernel.is_halved() && src.len() >= 3 * WIDE_BYTES,
        scalar => src.iter().position(|byte| !byte.is_ascii()).map_or(Ok(()), Err),
        |V, token, src, ()| ascii::check::<V>(token, src))
}

/// The minimum length, in bytes of UTF-16, for which vectors of 64 bytes are faster on processors
/// that execute them as two halves.
#[cfg(feature = "wide")]
const HALVED_WIDE_MIN_BYTES: usize = 3072;

/// Validates UTF-16. The byte order is a run-time argument, so both byte orders share one function.
#[inline(never)]
fn utf16(src: &[u8], order: &'static UnitOrder, kernel: Kernel) -> Result<(), usize> {
    let check_by_reference = || match order.big {
        false => by_reference::<Utf16Le>(src),
        true => by_reference::<Utf16Be>(src),
    };
    cfg_if::cfg_if! {
        if #[cfg(feature = "wide")] {
            let wide_min = if kernel.is_halved() { HALVED_WIDE_MIN_BYTES } else { 2 * WIDE_BYTES };
            dispatch!(kernel.for_bytes(src.len()), wide if src.len() >= wide_min,
                scalar => check_by_reference(),
                |V, token, src, order| from_utf16::check::check::<V>(order, token, src))
        } else {
            let _ = kernel;
            check_by_reference()
        }
    }
}

/// Validates UTF-32.
#[inline(always)]
fn utf32<A: Decode, O: Order>(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    cfg_if::cfg_if! {
        if #[cfg(feature = "wide")] {
            dispatch!(kernel, wide if src.len() >= 3 * WIDE_BYTES,
                scalar => by_reference::<A>(src),
                |V, token, src, ()| from_utf32::check::check::<V, O>(token, src))
        } else {
            let _ = kernel;
            by_reference::<A>(src)
        }
    }
}

/// Validates WTF-8.
#[inline(never)]
pub(super) fn check_wtf8(src: &[u8], kernel: Kernel) -> Result<(), usize> {
    check_with_exceptions(src, Scheme::Wtf8, |rest| (rest, check_utf8(rest, kernel)))
}

/// Validates WTF-16, potentially ill-formed UTF-16. The only possible error is an incomplete unit
/// at the end.
pub(super) fn check_wtf16(src: &[u8], _: Kernel) -> Result<(), usize> {
    if src.len().is_multiple_of(2) { Ok(()) } else { Err(src.len() - 1) }
}

/// Validates by the scalar reference.
pub(super) fn by_reference<A: Decode>(src: &[u8]) -> Result<(), usize> {
    scalar::validate::<A>(src).map_err(|error| error.valid_up_to())
}
