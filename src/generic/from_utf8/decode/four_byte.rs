//! Runs of four-byte characters, for instruction sets that convert 16 of them at a time.
//!
//! The fast lane ends where such a run may begin, since it calls no function. A run continues after
//! single characters of other kinds, such as blanks and the joiners of emoji.

use core::mem::{self, MaybeUninit};

use crate::arch::vector::Vector;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::scalar::code::Decode;

/// The number of four-byte characters that makes a run worthwhile, and that must come for each
/// character of another kind.
const RUN_MIN_CHARS: usize = 4;

/// The largest number of four-byte characters that count for later characters of other kinds.
const CREDIT_MAX_CHARS: usize = 32;

/// Returns true if half of a step, in which the positions `kept` were kept, may consist of
/// four-byte characters alone.
#[inline(always)]
pub(crate) fn are_dense(kept: u64) -> bool {
    const LOW_HALF: u64 = 0xFFFF_FFFF;
    // The same at every fourth position, but not every position.
    (kept ^ kept >> 4) & LOW_HALF >> 4 == 0 && kept != LOW_HALF
}

/// Converts four-byte characters, 16 at a time, and single characters between them, while `dst` has
/// room for 16. Steps have decoded the bytes before `read`. Returns the new numbers of bytes read
/// and written.
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
    let (len, room_len) = (ahead.len(), out.len());
    // The number of four-byte characters beyond the price of the others so far, and the last
    // character: its bytes in the source and in the output.
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
    let mut to = (start + len - ahead.len(), written - T::SIZE * units + room_len - out.len());
    // A step would not have accepted a character before a continuation byte.
    if ahead.first().is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
        to = (to.0 - last.0, to.1 - last.1);
    }
    // The next step detects an error in a character that the step before has cut.
    if to.0 > read { to } else { (read, written) }
}
