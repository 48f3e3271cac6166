//! Converts runs of four-byte characters, on instruction sets that convert 16 of them at a time.
//!
//! The fast loop of [`convert`](super::convert) calls no function, so it stops where such a run may
//! begin, and [`convert_run`] takes over. A run may contain single characters of other lengths,
//! such as spaces and the joiners of emoji:
//!
//! 1. Convert up to 16 four-byte characters. Add their number to a credit.
//! 2. If there were fewer than 16, subtract the price of one shorter character from the credit, and
//!    convert that character with the reference. If the credit is too low, or there is an error,
//!    the run ends.
//! 3. If a continuation byte follows the run, take back the last character of the run: the next
//!    step detects the error.

use core::mem::{self, MaybeUninit};

use crate::arch::vector::Vector;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::scalar::code::Decode;

/// The price of a shorter character: the number of four-byte characters that a run must have for
/// each shorter character.
const RUN_MIN_CHARS: usize = 4;

/// The largest credit: the number of past four-byte characters that count for later shorter
/// characters.
const CREDIT_MAX_CHARS: usize = 32;

/// Returns true if half of a step may consist of four-byte characters only. `kept` is the mask of
/// the positions whose units were written.
#[inline(always)]
pub(crate) fn are_dense(kept: u64) -> bool {
    const LOW_HALF: u64 = 0xFFFF_FFFF;
    // The kept positions repeat with period four, and not every position was kept.
    (kept ^ kept >> 4) & LOW_HALF >> 4 == 0 && kept != LOW_HALF
}

/// Converts a run while `dst` has capacity for 16 four-byte characters. Steps have decoded the
/// bytes before `read`. Returns the new total numbers of bytes read and written.
#[inline(never)]
pub(crate) fn convert_run<V: Vector, T: Target>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> (usize, usize) {
    let (start, units) = T::find_resume_point(src, read);
    let (mut suffix, mut out) = (&src[start..], &mut dst[written - T::UNIT_BYTES * units..]);
    let (len, capacity) = (suffix.len(), out.len());
    let mut credit = 0_usize;
    // The length of the last character, in bytes, in the source and in the output.
    let (mut last_read, mut last_written) = (0, 0);
    while let (Some(bytes), Some(chunk)) = (suffix.first_chunk(), out.first_chunk_mut()) {
        let four_byte = target.write_four_byte::<V>(token, bytes, chunk);
        suffix = &suffix[4 * four_byte..];
        // The output has two units of two bytes, or one unit of four bytes.
        out = &mut mem::take(&mut out)[4 * four_byte..];
        credit = CREDIT_MAX_CHARS.min(credit + four_byte);
        if four_byte > 0 {
            (last_read, last_written) = (4, 4);
        }
        if four_byte == 16 {
            continue;
        }
        let Some(credit_left) = credit.checked_sub(RUN_MIN_CHARS) else { break };
        let Ok((c, char_len)) = Utf8::decode(suffix) else { break };
        let Some(encoded_len) = target.encode(c, out) else { break };
        suffix = &suffix[char_len..];
        out = &mut mem::take(&mut out)[encoded_len..];
        credit = credit_left;
        (last_read, last_written) = (char_len, encoded_len);
    }
    let mut end_read = start + len - suffix.len();
    let mut end_written = written - T::UNIT_BYTES * units + capacity - out.len();
    // A continuation byte after the last character is an error that the next step must detect.
    if suffix.first().is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
        end_read -= last_read;
        end_written -= last_written;
    }
    // If the run does not get past `read`, return the old progress: the next step detects the
    // error.
    if end_read > read { (end_read, end_written) } else { (read, written) }
}
