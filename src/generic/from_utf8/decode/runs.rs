//! Converts runs of ASCII and runs of three-byte characters, many characters at a time.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, STEP};
use crate::encoding::types::Utf8;
use crate::generic::ascii;
use crate::generic::from_utf8::check::ends_incomplete;
use crate::generic::from_utf8::decode::decoder::Utf8Decoder;
use crate::generic::from_utf8::decode::target::Target;
use crate::scalar;
use crate::scalar::code::Decode;

impl<V: Vector> Utf8Decoder<V> {
    /// Converts three-byte characters, 16 at a time, up to the first character of another length,
    /// while `dst` has capacity for a step. `suffix` begins [`LOOKBEHIND_BYTES`] bytes before the
    /// end of the last step. Returns the numbers of bytes read and written.
    ///
    /// 1. Convert the character that is split across the start of the run with the reference.
    /// 2. Convert 16 characters at a time while all of them are three-byte characters and no
    ///    continuation byte follows them.
    /// 3. If a continuation byte follows the run, discard the run: the next step detects the error.
    #[inline(always)]
    pub(crate) fn convert_three_byte_run<T: Target>(
        &self,
        target: T,
        suffix: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> (usize, usize) {
        let (before, rest) = suffix.split_at(LOOKBEHIND_BYTES);
        // The number of bytes in `rest` of a character that begins in the last step.
        let split_len = match *rest {
            [b0, b1, ..] => {
                usize::from(scalar::utf8::is_continuation(b0))
                    * (1 + usize::from(scalar::utf8::is_continuation(b1)))
            }
            _ => return (0, 0),
        };
        // An incomplete character before the run has not been detected yet: the next step detects
        // it.
        if split_len == 0 && ends_incomplete(before) {
            return (0, 0);
        }
        let (mut at, mut written) = (0, 0);
        if split_len > 0 {
            let Ok((c, 3)) = Utf8::decode(&suffix[split_len..]) else { return (0, 0) };
            let Some(encoded_len) = target.encode(c, dst) else { return (0, 0) };
            (at, written) = (split_len, encoded_len);
        }
        // Each round needs a whole window, so that the byte after the 16 characters can be read.
        while let (Some(bytes), Some(out)) = (
            rest[at..].first_chunk::<{ STEP + 1 }>(),
            dst.get_mut(written..written + T::STEP_OUTPUT_BYTES),
        ) {
            let (units, are_three_byte) = V::decode_three_byte_characters(self.token, bytes);
            if !are_three_byte || scalar::utf8::is_continuation(bytes[48]) {
                break;
            }
            target.write_eight_units::<V>(units[0], out, 0);
            target.write_eight_units::<V>(units[1], out, 8);
            at += 48;
            written += 16 * T::UNIT_BYTES;
        }
        // Discard the run before a continuation byte. If the run is only the split character, the
        // next step could not detect the error otherwise.
        if rest.get(at).is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
            (0, 0)
        } else {
            (at, written)
        }
    }

    /// Widens ASCII steps at the start of `src`, two steps at a time, while no continuation byte
    /// follows them and `dst` has capacity. The text before `src` must be empty or end with ASCII.
    /// Returns the number of bytes read.
    #[inline(always)]
    pub(crate) fn ascii_run<T: Target>(
        &self,
        swapped: bool,
        target: T,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut run = 0;
        let mut outputs = dst.chunks_exact_mut(T::UNIT_BYTES * 2 * STEP);
        while let (Some(bytes), Some(out)) =
            (src[run..].first_chunk::<{ 2 * STEP + LOOKAHEAD_BYTES }>(), outputs.next())
        {
            if ascii::any_high_bit::<V>(self.token, bytes, 0..2 * STEP)
                || scalar::utf8::is_continuation(bytes[2 * STEP])
            {
                break;
            }
            let mut at = 0;
            while at < 2 * STEP {
                target.widen_run(swapped, V::load(self.token, bytes, at), out, at);
                at += V::LANES;
            }
            run += 2 * STEP;
        }
        run
    }
}
