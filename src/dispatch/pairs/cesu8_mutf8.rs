//! The functions of the [pair table](super) for CESU-8 and Modified UTF-8.
//!
//! UTF-8 and these encodings differ only in supplementary characters and, for Modified UTF-8, in
//! NUL. The text between these [exceptions](super::exceptions) is validated and copied by the
//! functions of UTF-8. Other conversions go [through UTF-8](super::through).

use core::mem::MaybeUninit;

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::check::{CHARS_AFTER_EXCEPTION, check_utf8};
use crate::dispatch::pairs::exceptions::{convert, is_exception};
use crate::dispatch::pairs::from_utf8::utf8_to_utf8;
use crate::dispatch::run::dispatch;
use crate::encoding::scheme::Scheme::{self, Cesu8, Mutf8, Utf8};
use crate::generic::count::utf8::FourByte;
use crate::generic::from_utf8::check::locate;
use crate::generic::position::utf8::{FourByteOrNul, find_first};
use crate::scalar;
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach;
    fn utf8_to_cesu8 = convert(src, dst, (Utf8, Cesu8), copy::<false>, kernel);
    fn utf8_to_mutf8 = convert(src, dst, (Utf8, Mutf8), copy::<true>, kernel);
    fn cesu8_to_utf8 = convert(src, dst, (Cesu8, Utf8), copy::<false>, kernel);
    fn mutf8_to_utf8 = convert(src, dst, (Mutf8, Utf8), copy::<true>, kernel);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> Result<(), usize>;
    fn check_cesu8 = check(src, Cesu8, kernel);
    fn check_mutf8 = check(src, Mutf8, kernel);
}

/// The number of bytes in which the next exception is searched first.
const FIRST_SEGMENT_BYTES: usize = 256;

/// The maximum number of bytes in which the next exception is searched. After an error, less than
/// this many bytes are read.
const MAX_SEGMENT_BYTES: usize = 1024;

/// Copies and validates text that has the same bytes in UTF-8 and in Modified UTF-8 if `MUTF8`,
/// else in CESU-8. Stops before an exception, and where [`utf8_to_utf8`] stops.
///
/// A surrogate ends the copy, but not the search for bytes that differ. So the segments are short
/// at first, and become longer while there are no exceptions.
fn copy<const MUTF8: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], kernel: Kernel) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    let mut segment_bytes = FIRST_SEGMENT_BYTES;
    loop {
        let segment = first_segment(&src[reach.read..], segment_bytes);
        let same = &segment[..find_different(segment, MUTF8, kernel)];
        let step = utf8_to_utf8(same, &mut dst[reach.written..], kernel);
        reach = step.after(reach.read, reach.written);
        if step.read < segment.len() || reach.read == src.len() {
            return reach;
        }
        segment_bytes = MAX_SEGMENT_BYTES.min(2 * segment_bytes);
    }
}

/// Validates text in `scheme`, CESU-8 or Modified UTF-8.
fn check(src: &[u8], scheme: Scheme, kernel: Kernel) -> Result<(), usize> {
    let (mut at, mut segment_bytes) = (0, FIRST_SEGMENT_BYTES);
    while at < src.len() {
        let segment = first_segment(&src[at..], segment_bytes);
        let same = &segment[..find_different(segment, matches!(scheme, Mutf8), kernel)];
        let valid_len = match check_utf8(same, kernel) {
            Ok(()) => same.len(),
            Err(known_len) => match locate(same, known_len) {
                Ok(()) => same.len(),
                Err(error) => error.valid_up_to(),
            },
        };
        at += valid_len;
        if valid_len == segment.len() {
            segment_bytes = MAX_SEGMENT_BYTES.min(2 * segment_bytes);
            continue;
        }
        segment_bytes = FIRST_SEGMENT_BYTES;
        let mut characters_left = CHARS_AFTER_EXCEPTION;
        while characters_left > 0 && at < src.len() {
            let Ok((c, len)) = scalar::decode(scheme, &src[at..]) else { return Err(at) };
            at += len;
            characters_left =
                if is_exception(scheme, c) { CHARS_AFTER_EXCEPTION } else { characters_left - 1 };
        }
    }
    Ok(())
}

/// Returns the first `bytes` bytes of `src`, up to a boundary, or all of `src` if it is shorter.
fn first_segment(src: &[u8], bytes: usize) -> &[u8] {
    match src.get(..bytes) {
        Some(segment) => &segment[..scalar::floor_boundary(Utf8, segment)],
        None => src,
    }
}

/// Returns the offset of the first byte that differs between UTF-8 and Modified UTF-8 if
/// `is_mutf8`, or CESU-8, or the length of `src`: of a byte of 0xF0 or above, or of a NUL.
#[inline(never)]
pub(crate) fn find_different(src: &[u8], is_mutf8: bool, kernel: Kernel) -> usize {
    if is_mutf8 {
        return dispatch!(kernel.for_bytes(src.len()),
            scalar => src.iter().position(|&byte| byte >= 0xF0 || byte == 0).unwrap_or(src.len()),
            |V, token, src, ()| find_first::<V, FourByteOrNul>(token, src));
    }
    dispatch!(kernel.for_bytes(src.len()),
        scalar => src.iter().position(|&byte| byte >= 0xF0).unwrap_or(src.len()),
        |V, token, src, ()| find_first::<V, FourByte>(token, src))
}
