//! The functions of the [pair table](super) for CESU-8 and Modified UTF-8.
//!
//! UTF-8 and these encodings differ only in supplementary characters and, for Modified UTF-8, in
//! NUL, which are [exceptions]. Other conversions go [through UTF-8](super::through).

use crate::dispatch::function::table_functions;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::exceptions::{self, convert};
use crate::dispatch::pairs::from_utf8::utf8_to_utf8;
use crate::dispatch::run::dispatch;
use crate::encoding::scheme::Scheme::{Cesu8, Mutf8, Utf8};
use crate::encoding::view::Uninit;
use crate::generic::count::utf8::FourByte;
use crate::generic::position::utf8::{FourByteOrNul, find_first};
use crate::scalar;
use crate::types::progress::Reach;

table_functions! {
    (src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach;
    fn utf8_to_cesu8 = convert(src, dst, (Utf8, Cesu8), copy::<false>, kernel);
    fn utf8_to_mutf8 = convert(src, dst, (Utf8, Mutf8), copy::<true>, kernel);
    fn cesu8_to_utf8 = convert(src, dst, (Cesu8, Utf8), copy::<false>, kernel);
    fn mutf8_to_utf8 = convert(src, dst, (Mutf8, Utf8), copy::<true>, kernel);
}

table_functions! {
    (src: &[u8], kernel: Kernel) -> Result<(), usize>;
    fn check_cesu8 = exceptions::check(src, Cesu8, same_start::<false>, kernel);
    fn check_mutf8 = exceptions::check(src, Mutf8, same_start::<true>, kernel);
}

/// Copies and validates the start of a text that has the same bytes in UTF-8 and in Modified UTF-8
/// if `MUTF8`, else in CESU-8. Stops before an exception, where [`utf8_to_utf8`] stops, and after
/// [`SEGMENT_BYTES`].
fn copy<const MUTF8: bool>(src: &[u8], dst: &mut Uninit, kernel: Kernel) -> Reach {
    utf8_to_utf8(same_start::<MUTF8>(src, kernel), dst, kernel)
}

/// The maximum number of bytes in which the next byte that differs is searched. A surrogate ends
/// the copy, but not this search. After an error, less than this many bytes are read.
const SEGMENT_BYTES: usize = 1024;

/// Returns the start of `src`, of at most [`SEGMENT_BYTES`], up to the first byte that differs.
fn same_start<const MUTF8: bool>(src: &[u8], kernel: Kernel) -> &[u8] {
    let segment = match src.get(..SEGMENT_BYTES) {
        Some(segment) => &segment[..scalar::floor_boundary(Utf8, segment)],
        None => src,
    };
    &segment[..find_different(segment, MUTF8, kernel)]
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
