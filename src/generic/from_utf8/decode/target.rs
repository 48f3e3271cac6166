//! The target of decoding: the encoding that a step produces.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::sizes::GROUP_UNITS;
use crate::generic::from_utf8::decode::step_input::StepInput;
use crate::scalar;
use crate::scalar::code::Decode;
use crate::types::progress::Reach;

/// The encoding that UTF-8 is decoded into. It defines the work of a step.
pub(crate) trait Target<V: Vector>: Copy {
    /// Bytes of a unit.
    const SIZE: usize;

    /// Bytes of output that a window may touch.
    const STEP_OUTPUT_BYTES: usize = Self::SIZE * (STEP + GROUP_UNITS);

    /// Checks a step and returns the positions to keep, or `None` if it detects an error or an
    /// unmappable character. No character in the step, or in the bytes that it looks back to, has
    /// more than `LONGEST` bytes.
    ///
    /// Without `CHECK`, the input is known to be well-formed.
    fn find_character_ends<S: StepInput<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
    ) -> Option<u64>;

    /// Computes the units of all positions and writes the positions in `keep`. Returns the number
    /// of units.
    fn emit<S: StepInput<V>, const LONGEST: usize>(
        self,
        decoder: &Utf8Decoder<V>,
        input: S,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> usize;

    /// Writes each byte of `bytes`, which are ASCII, as a code unit, from unit `at` on.
    fn widen(self, bytes: V, out: &mut [MaybeUninit<u8>], at: usize);

    /// Returns true if [`widen_run`](Self::widen_run) writes the high byte first. It is called
    /// before a loop, not inside it.
    #[inline(always)]
    fn is_swapped(self) -> bool {
        false
    }

    /// [`widen`](Self::widen) in a loop over many vectors.
    #[inline(always)]
    fn widen_run(self, _swapped: bool, bytes: V, out: &mut [MaybeUninit<u8>], at: usize) {
        self.widen(bytes, out, at);
    }

    /// [`widen`](Self::widen) for eight bytes, the lowest first.
    #[inline(always)]
    fn widen_word(self, token: V::Token, word: u64, out: &mut [MaybeUninit<u8>], at: usize) {
        self.write_eight(V::units_of_bytes(token, word), out, at);
    }

    /// Writes eight 16-bit units, in the byte order of the machine, as units `at..at + 8` of the
    /// output.
    fn write_eight(self, units: V::Units, out: &mut [MaybeUninit<u8>], at: usize);

    /// Writes the units of 16 four-byte characters. Returns the number of such characters before
    /// the first other one. Implemented only for instruction sets with
    /// [these operations](Vector::FourByte).
    #[inline(always)]
    fn write_four_byte(
        self,
        _token: V::Token,
        _bytes: &[u8; 64],
        _out: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        0
    }

    /// Writes a character by the scalar reference:
    /// [`Encode::encode`](crate::scalar::code::Encode::encode).
    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;

    /// Converts by the scalar reference.
    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;

    /// Returns the offset at which the reference continues, after steps have decoded all positions
    /// before `read`: the end of the last character that is known to be well-formed and complete.
    /// Also returns the number of units that have been written for the bytes after it.
    fn unfinished(src: &[u8], read: usize) -> (usize, usize) {
        if read == 0 {
            return (0, 0);
        }
        let start = scalar::utf8::character_start(src, read - 1);
        let ended = !src.get(read).is_some_and(|&byte| scalar::utf8::is_continuation(byte));
        match Utf8::decode(&src[start..read]) {
            Ok(_) if ended => (read, 0),
            _ => (start, Self::units_of_fragment(&src[start..read], ended)),
        }
    }

    /// Returns the number of units written for a fragment: the start of a character at the end of a
    /// step. `ended` is true if no continuation byte follows it.
    fn units_of_fragment(fragment: &[u8], ended: bool) -> usize;
}
