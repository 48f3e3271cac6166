//! Conversions in two steps, segment by segment, through a buffer that stays in the cache:
//!
//! * UTF-32BE, which is rare, is converted through UTF-32LE. Separate code would be as large as the
//!   code for UTF-32LE, for every pair and instruction set. Conversions of Latin-1 and ASCII to
//!   UTF-32BE are not here, because they only widen bytes.
//! * CESU-8 and Modified UTF-8 are converted through UTF-8, unless the other encoding is UTF-8.

use core::mem::MaybeUninit;

use crate::dispatch::function::{Measure, Transcode, table_functions};
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::from_utf8::utf8_to_utf32le;
use crate::dispatch::pairs::from_utf32::{
    utf8_len_of_utf32le, utf16_len_of_utf32le, utf32le_to_utf8,
};
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::encoding::scheme::Scheme::{self, Utf8, Utf32Be};
use crate::encoding::view::{self, Uninit};
use crate::generic::from_utf32::swap;
use crate::generic::segments::{SEGMENT_MAX_BYTES, convert_in_two_steps};
use crate::scalar;
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf8_to_utf32be = convert(src, dst, (Utf8, Utf32Be), [utf8_to_utf32le, swap_utf32], kernel);
    fn utf32be_to_utf8 = convert(src, dst, (Utf32Be, Utf8), [swap_utf32, utf32le_to_utf8], kernel);
}

/// Converts each segment by two functions of the pair table.
#[inline(never)]
pub(super) fn convert(
    src: &[u8],
    dst: &mut Uninit,
    (from, to): (Scheme, Scheme),
    [first_step, second_step]: [Transcode; 2],
    kernel: Kernel,
) -> Reach {
    if kernel == Kernel::SCALAR {
        return scalar::convert(from, to, src, dst);
    }
    convert_in_two_steps(
        (src, dst),
        from,
        |segment, buffer| convert_into_buffer(segment, buffer, first_step, kernel),
        |intermediate, out| second_step(intermediate, out, kernel),
        |segment, out, _| scalar::convert(from, to, segment, out),
    )
}

/// Copies as many complete 32-bit units as fit, reverses their bytes, and does not validate them.
#[inline(never)]
pub(super) fn swap_utf32(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    let len = src.len().min(dst.len()) & !3;
    let (src, dst) = (&src[..len], &mut dst[..len]);
    dispatch!(kernel, wide if len >= 3 * WIDE_BYTES,
        scalar => swap::units(src, dst),
        |V, token, src, dst| swap::copy::<V>(token, src, dst));
    Reach { read: len, written: len }
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> usize;
    fn utf8_len_of_utf32be = measure_utf32be(src, utf8_len_of_utf32le, kernel);
    fn utf16_len_of_utf32be = measure_utf32be(src, utf16_len_of_utf32le, kernel);
}

/// Measures UTF-32BE by `measure`, the function for UTF-32LE.
fn measure_utf32be(src: &[u8], measure: Measure, kernel: Kernel) -> usize {
    let mut buffer = [MaybeUninit::uninit(); SEGMENT_MAX_BYTES];
    let mut sum = 0;
    for segment in src.chunks(SEGMENT_MAX_BYTES) {
        sum += measure(convert_into_buffer(segment, &mut buffer, swap_utf32, kernel).1, kernel);
    }
    sum
}

/// Returns the number of bytes that `step` has read, and the text in the buffer.
fn convert_into_buffer<'a>(
    src: &[u8],
    buffer: &'a mut Uninit,
    step: Transcode,
    kernel: Kernel,
) -> (usize, &'a [u8]) {
    let Reach { read, written } = step(src, buffer, kernel);
    // SAFETY: the step has initialised the bytes that it reports as written.
    (read, unsafe { view::init_mut(&mut buffer[..written]) })
}
