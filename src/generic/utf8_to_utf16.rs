//! UTF-8 to UTF-16 by position-parallel decoding.
//!
//! At every byte position at once, the code unit that would *end* there is computed from the byte and the two before it;
//! then the positions where a character really ends are kept, and the others squeezed out by a table of shuffle rows, eight
//! units at a time. The stride is fixed, no branch depends on the mix of scripts, and the only thing carried from step to
//! step is where to write. The idea is that of Clausecker and Lemire's AVX-512 transcoder ("Transcoding Unicode
//! characters with AVX-512 instructions", 2023, arXiv 2212.05098), with the code units computed before they are
//! compressed instead of after.
//!
//! A position ends a character if the next byte is no continuation. In a character of four bytes the third position is
//! kept as well: it becomes the high surrogate, the last the low one.
//!
//! Per position, with `c0` the byte there and `c1`, `c2`, `c3` those before it:
//!
//! ```text
//!   0xxxxxxx                              c0 & 7F
//!   110yyyyy 10xxxxxx                     c0 & 7F | (c1 & 3F) << 6
//!   1110zzzz 10yyyyyy 10xxxxxx            c0 & 7F | (c1 & 3F) << 6 | (c2 - E0) << 12
//!   11110uuu 10uuzzzz 10yyyyyy (third)    the same sum is the code point >> 6; (sum >> 4) + D7C0 is the high surrogate
//!   11110uuu ........ 10yyyyyy 10xxxxxx   c0 & 7F | (c1 & 0F) << 6 | DC00
//! ```
//!
//! `c1` counts only where `c0` is a continuation byte. `c2 - E0` saturates: at the end of a shorter character `c2` is
//! below E0.

use core::mem::MaybeUninit;

use super::ascii;
use super::utf8::{Checker, ends_incomplete};
use crate::Utf8;
use crate::arch::Vector;
use crate::arch::window::{AHEAD, BACK, ROOM_UNITS, Room, STEP, Window, padded_window, window};
use crate::progress::{Progress, Stop};
use crate::scalar::{self, Decode};
use crate::tables::Order;

/// Most vectors in a step.
const VECTORS: usize = STEP / 16;

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(crate) fn convert<V: Vector, O: Order, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let decoder = Decoder::<V>::new(token);
    let (mut read, mut written) = (0, 0);
    // Every position in front of `last` can be decoded in a whole step that ends there or earlier.
    let last = src.len().saturating_sub(1);
    if src.len() < BACK + STEP + AHEAD {
        return decoder.short::<O, CHECK>(src, dst);
    }
    while read < last {
        // The fast lane: a whole window, and room for whatever comes of it.
        while let (Some(step), Some(room)) = (window(src, read), dst[written..].first_chunk_mut()) {
            if decoder.is_ascii(step) {
                decoder.widen::<O>(&step[BACK..BACK + STEP], room);
                read += STEP;
                written += 2 * STEP;
                let run = decoder.ascii_run::<O>(&src[read..], &mut dst[written..]);
                read += run;
                written += 2 * run;
                continue;
            }
            let Some(units) = decoder.step::<O, CHECK>(step, u64::MAX, room) else {
                return resume::<O>(src, dst, read, written);
            };
            read += STEP;
            written += 2 * units;
        }
        if read >= last {
            break;
        }
        // The first step, the last one, and steps at the end of the output. The last one ends with the input; what it
        // sees again is not kept.
        let padded;
        let (step, keep) = match window(src, read) {
            Some(step) => (step, u64::MAX),
            None if read == 0 => {
                padded = padded_window(src, 0);
                (&padded, u64::MAX)
            }
            None => (
                src.last_chunk().expect("it is longer than a window"),
                u64::MAX << (read + STEP - last),
            ),
        };
        match decoder.step_bounced::<O, CHECK>(step, keep, &mut dst[written..]) {
            Some(units) => written += 2 * units,
            None => break,
        }
        read = (read + STEP).min(last);
    }
    resume::<O>(src, dst, read, written)
}

/// Leaves the rest to the scalar reference: the last character, or a step in which something stands, an error or the end
/// of the output.
#[inline(never)]
fn resume<O: Order>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Progress {
    let (start, units) = unfinished(src, read);
    let written = written - 2 * units;
    scalar::transcode::<Utf8, O::Utf16>(&src[start..], &mut dst[written..]).behind(start, written)
}

/// Where to go on one character at a time, when steps have decoded all positions in front of `read`: behind the last
/// character that is known to be well-formed and complete there. Also the units that have come of what lies between.
fn unfinished(src: &[u8], read: usize) -> (usize, usize) {
    if read == 0 {
        return (0, 0);
    }
    let start = scalar::utf8::character_start(src, read - 1);
    let ended = !src.get(read).is_some_and(|&byte| scalar::utf8::is_continuation(byte));
    let wide = src[start] >= 0xF0 && read - start >= 3;
    match Utf8::decode(&src[start..read]) {
        Ok(_) if ended => (read, 0),
        // The third position of four has been written, or the last position in front of `read`, or both as one.
        _ => (start, usize::from(wide || ended)),
    }
}

/// The constants of a step, in registers.
#[derive(Clone, Copy)]
struct Decoder<V: Vector> {
    token: V::Token,
    checker: Checker<V>,
}

impl<V: Vector> Decoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, checker: Checker::new(token) }
    }

    /// Decodes an input that is too short for a window, in padded ones.
    #[inline(always)]
    fn short<O: Order, const CHECK: bool>(
        &self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress {
        let mut written = 0;
        let mut read = 0;
        while read < src.len() {
            let keep = u64::MAX >> (STEP - (src.len() - read).min(STEP));
            let step = padded_window(src, read);
            match self.step_bounced::<O, CHECK>(&step, keep, &mut dst[written..]) {
                Some(units) => written += 2 * units,
                None => return resume::<O>(src, dst, read, written),
            }
            read = (read + STEP).min(src.len());
        }
        if CHECK && ends_incomplete(src) {
            return resume::<O>(src, dst, read, written);
        }
        Progress { read, written, stop: Stop::Done }
    }

    /// Decodes a step into room of its own and copies what came out. `None` also if it doesn't fit.
    #[inline(always)]
    fn step_bounced<O: Order, const CHECK: bool>(
        &self,
        step: &Window,
        keep: u64,
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let mut room = [MaybeUninit::uninit(); 2 * ROOM_UNITS];
        let units = self.step::<O, CHECK>(step, keep, &mut room)?;
        dst.get_mut(..2 * units)?.copy_from_slice(&room[..2 * units]);
        Some(units)
    }

    /// Decodes a step: the characters that end in it at a position in `keep`. Gives the units written, or `None` if an
    /// error is known at any of its bytes.
    #[inline(always)]
    fn step<O: Order, const CHECK: bool>(
        &self,
        step: &Window,
        keep: u64,
        room: &mut Room,
    ) -> Option<usize> {
        let zero = self.splat(0);
        let mut errors = zero;
        // Whether a lead byte F0.. stands two or three bytes in front of any position.
        let mut fours = zero;
        let mut continued = [zero.high(); VECTORS];
        let mut k = 0;
        while k < STEP / V::LANES {
            let c2 = self.load(step, k, 2);
            let c3 = self.load(step, k, 3);
            if CHECK {
                let (c0, c1) = (self.load(step, k, 0), self.load(step, k, 1));
                errors = errors.or(self.checker.errors(c0, c1, c2, c3));
            }
            continued[k] = V::load(self.token, step, k * V::LANES + BACK + 1).continuation();
            fours = fours.or(c3.saturating_sub(self.checker.fourth));
            k += 1;
            if k == STEP / V::LANES {
                fours = fours.or(c2.saturating_sub(self.checker.fourth));
            }
        }
        if CHECK && errors.any() {
            return None;
        }
        let ends = !V::bits(&continued[..STEP / V::LANES]);
        Some(if fours.any_high() {
            self.emit::<O, true>(step, (ends | self.thirds(step)) & keep, room)
        } else {
            self.emit::<O, false>(step, ends & keep, room)
        })
    }

    /// The third positions of characters of four bytes.
    #[inline(always)]
    fn thirds(&self, step: &Window) -> u64 {
        let mut thirds = [self.splat(0).high(); VECTORS];
        let mut k = 0;
        while k < STEP / V::LANES {
            thirds[k] = self.load(step, k, 2).saturating_sub(self.checker.fourth).high();
            k += 1;
        }
        V::bits(&thirds[..STEP / V::LANES])
    }

    /// Whether a step is ASCII and both sides of it are complete: nothing in front goes on in it, and no continuation byte
    /// stands behind it. What is wrong there shows when the step is decoded.
    #[inline(always)]
    fn is_ascii(&self, step: &Window) -> bool {
        !ascii::any_high::<V>(self.token, step, BACK..BACK + STEP)
            && !ends_incomplete(&step[..BACK])
            && !scalar::utf8::is_continuation(step[BACK + STEP])
    }

    /// Widens pairs of ASCII steps at the front of `src`, which stands behind ASCII, as long as nothing wrong follows them
    /// and `dst` has room. Says how many bytes.
    #[inline(always)]
    fn ascii_run<O: Order>(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        while let (Some(bytes), Some(room)) = (
            src[run..].first_chunk::<{ 2 * STEP + AHEAD }>(),
            dst[2 * run..].first_chunk_mut::<{ 4 * STEP }>(),
        ) {
            if ascii::any_high::<V>(self.token, bytes, 0..2 * STEP)
                || scalar::utf8::is_continuation(bytes[2 * STEP])
            {
                break;
            }
            self.widen::<O>(&bytes[..2 * STEP], room);
            run += 2 * STEP;
        }
        run
    }

    /// Writes each byte as a code unit.
    #[inline(always)]
    fn widen<O: Order>(&self, bytes: &[u8], room: &mut [MaybeUninit<u8>]) {
        let mut at = 0;
        while at < bytes.len() {
            V::load(self.token, bytes, at).store_widened::<O>(room, at);
            at += V::LANES;
        }
    }

    /// Every lane is `byte`.
    #[inline(always)]
    fn splat(&self, byte: u8) -> V {
        V::splat(self.token, byte)
    }

    /// Vector `k` of a step, `back` bytes earlier.
    #[inline(always)]
    fn load(&self, step: &Window, k: usize, back: usize) -> V {
        V::load(self.token, step, k * V::LANES + BACK - back)
    }

    /// Computes the units of all positions and writes those in `keep`; says how many.
    #[inline(always)]
    fn emit<O: Order, const PAIRS: bool>(
        &self,
        step: &Window,
        keep: u64,
        room: &mut Room,
    ) -> usize {
        let rows = O::compress16();
        let mut k = 0;
        while k < STEP / V::LANES {
            let c0 = self.load(step, k, 0);
            let low = c0.and(self.splat(0x7F));
            let mut middle =
                self.load(step, k, 1).and(V::of_mask(c0.continuation()).and(self.splat(0x3F)));
            let mut high = self.load(step, k, 2).saturating_sub(self.splat(0xE0));
            let mut extra = self.splat(0);
            if PAIRS {
                // The last of four bytes: only four bits of c1, and DC00 = (0D << 12) + (C0 << 4).
                let fourth = self.load(step, k, 3).saturating_sub(self.splat(0x70)).high();
                let last = V::of_mask(fourth);
                middle = middle.and(self.splat(0x0F).or(last.xor(self.splat(0xFF))));
                high = high.or(last.and(self.splat(0x0D)));
                extra = last.and(self.splat(0xC0));
            }
            let wide = V::code_units::<PAIRS>(low, middle, high, extra);
            let mut group = 0;
            while group < V::LANES / 8 {
                let bit = k * V::LANES + 8 * group;
                let row = &rows[(keep >> bit & 0xFF) as usize];
                let before = (keep & ((1 << bit) - 1)).count_ones() as usize;
                V::store(V::compress(V::group(wide, group), row), room, before);
                group += 1;
            }
            k += 1;
        }
        keep.count_ones() as usize
    }
}
