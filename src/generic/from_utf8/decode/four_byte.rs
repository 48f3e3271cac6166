//! Runs of four-byte characters, for instruction sets that convert 16 of them at a time.
//!
//! The fast lane calls no function, so it ends where such a run may begin. A run includes single
//! other characters, such as spaces and the joiners of emoji:
//!
//! 1. Convert up to 16 four-byte characters. Add their number to a credit.
//! 2. If there were fewer, pay for one other character from the credit, and convert it by the
//!    reference. If the credit is too low, or there is an error, the run ends.
//! 3. If a continuation byte follows the run, take back its last character: the next step detects
//!    the error.

use core::mem::{self, MaybeUninit};

use crate::arch::vector::Vector;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::scalar::code::Decode;

/// The number of four-byte characters that a run needs for each other character.
const RUN_MIN_CHARS: usize = 4;

/// The largest credit: the number of four-byte characters that count for later other characters.
const CREDIT_MAX_CHARS: usize = 32;

/// Returns true if half of a step may consist of four-byte characters only. `kept` are the
/// positions that were kept.
#[inline(always)]
pub(crate) fn are_dense(kept: u64) -> bool {
    const LOW_HALF: u64 = 0xFFFF_FFFF;
    // The positions repeat with period four, and not every position was kept.
    (kept ^ kept >> 4) & LOW_HALF >> 4 == 0 && kept != LOW_HALF
}

/// Converts a run while `dst` has capacity for 16 four-byte characters. Steps have decoded the
/// bytes before `read`. Returns the new numbers of bytes read and written.
#[inline(never)]
pub(crate) fn convert_run<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> (usize, usize) {
    let (start, units) = T::unfinished(src, read);
    let (mut ahead, mut out) = (&src[start..], &mut dst[written - T::SIZE * units..]);
    let (len, capacity) = (ahead.len(), out.len());
    // The credit, and the bytes of the last character in the source and in the output.
    let (mut spare, mut last) = (0_usize, (0, 0));
    while let (Some(bytes), Some(to)) = (ahead.first_chunk(), out.first_chunk_mut()) {
        let four_byte = target.write_four_byte(token, bytes, to);
        ahead = &ahead[4 * four_byte..];
        // Two units of two bytes, or one of four.
        out = &mut mem::take(&mut out)[4 * four_byte..];
        spare = CREDIT_MAX_CHARS.min(spare + four_byte);
        if four_byte > 0 {
            last = (4, 4);
        }
        if four_byte == 16 {
            continue;
        }
        let Some(rest) = spare.checked_sub(RUN_MIN_CHARS) else { break };
        let Ok((c, len)) = Utf8::decode(ahead) else { break };
        let Some(size) = target.encode(c, out) else { break };
        ahead = &ahead[len..];
        out = &mut mem::take(&mut out)[size..];
        (spare, last) = (rest, (len, size));
    }
    let mut to = (start + len - ahead.len(), written - T::SIZE * units + capacity - out.len());
    // A continuation byte after the last character is an error that the next step must detect.
    if ahead.first().is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
        to = (to.0 - last.0, to.1 - last.1);
    }
    // If the run has ended inside the last step, the next step detects the error.
    if to.0 > read { to } else { (read, written) }
}
