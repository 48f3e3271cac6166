//! Runs of characters of four bytes, for sets that take 16 of them at a time.
//!
//! The fast lane ends where there may be such a run, since it calls nothing. Runs go on behind single characters of other
//! kinds: blanks, and what joins emoji.

use core::mem::{self, MaybeUninit};

use super::Target;
use crate::Utf8;
use crate::arch::Vector;
use crate::scalar::{self, Decode};

/// Characters that a run is worth beginning for, and that must come for each one of another kind.
const FEW: usize = 4;

/// Characters of a run that count for what comes later, at most.
const MANY: usize = 32;

/// When to look for a run: more rarely where runs come to little.
pub(super) struct Patience {
    /// Steps that gave reason to, since the last run.
    pub(super) steps: u32,
    /// How many there must be.
    pub(super) least: u32,
}

impl Patience {
    /// Whether there were enough steps with this one.
    #[inline(always)]
    pub(super) fn is_over(&mut self) -> bool {
        self.steps += 1;
        self.steps >= self.least
    }

    /// A run has been tried, and was long or not.
    #[inline(always)]
    pub(super) fn ran(&mut self, long: bool) {
        *self = Self { steps: 0, least: if long { 1 } else { 32.min(2 * self.least) } };
    }
}

/// Whether half of a step, which keeps these positions, may be nothing but characters of four bytes.
#[inline(always)]
pub(super) fn are_dense(kept: u64) -> bool {
    const HALF: u64 = 0xFFFF_FFFF;
    // The same at every fourth position, and not all of them.
    (kept ^ kept >> 4) & HALF >> 4 == 0 && kept != HALF
}

/// Converts characters of four bytes, 16 at a time, and single characters between them, as long as `dst` has room for 16.
/// What stands in front of `read` has been decoded by steps. Gives how much is read and written then.
#[inline(never)]
pub(super) fn run<V: Vector, T: Target<V>>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> (usize, usize) {
    let (start, units) = T::unfinished(src, read);
    let (mut ahead, mut room) = (&src[start..], &mut dst[written - T::SIZE * units..]);
    let (len, room_len) = (ahead.len(), room.len());
    // Characters that there were beyond what those of other kinds cost, and the last one: its bytes here and there.
    let (mut spare, mut last) = (0_usize, (0, 0));
    while let (Some(bytes), Some(to)) = (ahead.first_chunk(), room.first_chunk_mut()) {
        let fours = target.put_fours(token, bytes, to);
        ahead = &ahead[4 * fours..];
        // Two units of two bytes, or one of four.
        room = &mut mem::take(&mut room)[4 * fours..];
        spare = MANY.min(spare + fours);
        if fours > 0 {
            last = (4, 4);
        }
        if fours == 16 {
            continue;
        }
        let Some(rest) = spare.checked_sub(FEW) else { break };
        let Ok((c, len)) = Utf8::decode(ahead) else { break };
        let Some(size) = target.encode(c, room) else { break };
        ahead = &ahead[len..];
        room = &mut mem::take(&mut room)[size..];
        (spare, last) = (rest, (len, size));
    }
    let mut to = (start + len - ahead.len(), written - T::SIZE * units + room_len - room.len());
    // A step would not have taken what ends in front of a continuation byte for a character.
    if ahead.first().is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
        to = (to.0 - last.0, to.1 - last.1);
    }
    // What the step before has cut off is looked at by the next one.
    if to.0 > read { to } else { (read, written) }
}
