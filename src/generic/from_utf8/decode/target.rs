//! The target of the decoding: the encoding that a step writes.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::scalar;
use crate::scalar::code::Decode;
use crate::types::progress::Reach;

/// The encoding that UTF-8 is decoded into. It defines the work of a step.
pub(crate) trait Target: Copy {
    /// The size of a unit, in bytes.
    const UNIT_BYTES: usize;

    /// Checks a step. Returns a mask of the positions whose units are to be written, or `None` if
    /// it detects an error or an unmappable character. No character in the step, or in the bytes
    /// that it looks back to, has more than `LONGEST` bytes.
    ///
    /// Without `CHECK`, the input is known to be well-formed.
    fn find_character_ends<V: Vector, S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64>;

    /// Computes the units of all positions, and writes the units of the positions in `keep`.
    /// Returns the number of units written.
    fn emit<V: Vector, S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> usize;

    /// Writes each byte of `bytes`, which must be ASCII, as a code unit, from unit `at` of `out`
    /// on.
    fn widen<V: Vector>(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize);

    /// Writes each byte of `src`, whole vectors of ASCII, as a code unit to the start of `out`.
    #[inline(always)]
    fn widen_all<V: Vector>(self, token: V::Token, src: &[u8], out: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < src.len() {
            self.widen(V::load(token, src, at), out, at);
            at += V::LANES;
        }
    }

    /// Converts `src` into `dst` with the scalar reference.
    fn convert_by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;

    /// Returns the byte offset at which the reference continues, after steps have decoded all
    /// positions before `read`: the end of the last character that is known to be well-formed and
    /// complete. Also returns the number of units that have been written for the bytes from this
    /// offset to `read`.
    fn find_resume_point(src: &[u8], read: usize) -> (usize, usize) {
        if read == 0 {
            return (0, 0);
        }
        let start = scalar::utf8::character_start(src, read - 1);
        let is_ended = !src.get(read).is_some_and(|&byte| scalar::utf8::is_continuation(byte));
        match Utf8::decode(&src[start..read]) {
            Ok(_) if is_ended => (read, 0),
            _ => (start, Self::units_of_fragment(&src[start..read], is_ended)),
        }
    }

    /// Returns the number of units that have been written for a fragment: the start of a character
    /// at the end of a step. `is_ended` is true if no continuation byte follows the fragment.
    fn units_of_fragment(fragment: &[u8], is_ended: bool) -> usize;
}
