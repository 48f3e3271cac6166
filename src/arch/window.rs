//! Where vector code touches memory: a fixed window on the source and a fixed room in the output.
//!
//! A step of an algorithm takes a [`Window`] and a [`Room`] as references to arrays, one length test each. All loads and
//! stores of the step then lie in bounds by their constants.

use core::mem::MaybeUninit;

/// Bytes that a step consumes.
pub(crate) const STEP: usize = 64;
/// Bytes in front of those that it looks back to.
pub(crate) const BACK: usize = 3;
/// Bytes behind those that it looks ahead to.
pub(crate) const AHEAD: usize = 1;

/// What a step sees of the source: byte `BACK` is the first that it consumes.
pub(crate) type Window = [u8; BACK + STEP + AHEAD];

/// 16-bit units that a step may write: one for each byte, and the rest of the last store.
pub(crate) const ROOM_UNITS: usize = STEP + 8;

/// Room for the units of a step.
pub(crate) type Room = [MaybeUninit<u8>; 2 * ROOM_UNITS];

/// The window of the step at `at`, if it lies inside `src`.
#[inline(always)]
pub(crate) fn window(src: &[u8], at: usize) -> Option<&Window> {
    src.get(at.wrapping_sub(BACK)..)?.first_chunk()
}

/// The window of the step at `at` where it does not lie inside `src`: missing bytes are zero, which is ASCII.
///
/// `at` is at most `src.len()`.
#[inline(always)]
pub(crate) fn padded_window(src: &[u8], at: usize) -> Window {
    let mut window = [0; BACK + STEP + AHEAD];
    let back = at.min(BACK);
    let seen = &src[at - back..];
    let seen = &seen[..seen.len().min(back + STEP + AHEAD)];
    window[BACK - back..][..seen.len()].copy_from_slice(seen);
    window
}
