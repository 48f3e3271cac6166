//! Decoding UTF-8, position-parallel: the way through the input that all targets share.
//!
//! At every byte position at once, the code unit that would *end* there is computed from the byte and those before it;
//! then the positions where a character really ends are kept, and the others squeezed out by a table of shuffle rows, eight
//! units at a time. The stride is fixed, no branch depends on the mix of scripts, and the only thing carried from step to
//! step is where to write. The idea is that of Clausecker and Lemire's AVX-512 transcoder ("Transcoding Unicode
//! characters with AVX-512 instructions", 2023, arXiv 2212.05098), with the code units computed before they are
//! compressed instead of after.
//!
//! What a step computes is the [`Target`]'s. The way:
//!
//! * The fast lane takes whole windows of the source while the output has room for whatever may come of them. It calls
//!   nothing, so that its constants stay in registers.
//! * The first step, the last one, and those at the end of the output go through a padded window or a bounce buffer.
//! * The last step ends one byte before the input does, overlaps what has been decoded, and keeps only what is new. The
//!   last character, and everything from an error on, is left to the scalar reference.

use core::mem::MaybeUninit;

use super::ascii;
use super::utf8::{Checker, ends_incomplete};
use crate::Utf8;
use crate::arch::Vector;
use crate::arch::window::{AHEAD, BACK, STEP, Window, copy_short, padded_window, window};
use crate::progress::{Progress, Stop};
use crate::scalar::{self, Decode, Encode};

/// Most vectors in a step.
pub(super) const VECTORS: usize = STEP / 16;

/// Steps by the bytes of the longest character in them: the code for their positions is compiled for each.
pub(super) const NARROW: usize = 2;
pub(super) const MIDDLE: usize = 3;
pub(super) const WIDE: usize = 4;

/// Bytes of the largest room that any target needs.
const MOST_ROOM: usize = 4 * (STEP + 8);

/// What UTF-8 is decoded into: the work of a step.
pub(super) trait Target<V: Vector> {
    /// The scheme, for the scalar reference.
    type Scheme: Encode;

    /// Bytes of a unit.
    const SIZE: usize;

    /// Bytes of output that a step may touch, whatever the input.
    const ROOM: usize;

    /// Decodes a step: the characters that end in it at a position in `keep`. Gives the units written, or `None` if
    /// anything in it is an error or unmappable, as far as its bytes show.
    ///
    /// Without `CHECK` the input is known to be well-formed. `narrow` promises that no byte of the window in front of the
    /// last one is E0 or above.
    fn step<const CHECK: bool>(
        decoder: &Decoder<V>,
        step: &Window,
        narrow: bool,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> Option<usize>;

    /// Writes each byte of `bytes`, which are ASCII, as a code unit.
    fn widen(decoder: &Decoder<V>, bytes: &[u8], room: &mut [MaybeUninit<u8>]);

    /// Writes eight 16-bit units, in the order of the machine, as units `at..at + 8` of the output.
    fn put(units: V::Units, room: &mut [MaybeUninit<u8>], at: usize);

    /// Where to go on one character at a time, when steps have decoded all positions in front of `read`: behind the last
    /// character that is known to be well-formed and complete there. Also the units that have come of what lies between.
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

    /// Units that have come of a beginning of a character in front of a step, if the step goes on with it or not.
    fn units_of_fragment(fragment: &[u8], ended: bool) -> usize;
}

/// Converts `src` into `dst`. Without `CHECK`, `src` is known to be well-formed.
#[inline(always)]
pub(super) fn convert<V: Vector, T: Target<V>, const CHECK: bool>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let decoder = Decoder::<V>::new(token);
    if src.len() < BACK + STEP + AHEAD {
        return short::<V, T, CHECK>(&decoder, src, dst);
    }
    let (mut read, mut written) = (0, 0);
    // Every position in front of `last` can be decoded in a whole step that ends there or earlier.
    let last = src.len() - 1;
    while read < last {
        while let (Some(step), Some(room)) =
            (window(src, read), dst.get_mut(written..written + T::ROOM))
        {
            let class = decoder.class(step);
            if class == Class::Ascii {
                T::widen(&decoder, &step[BACK..BACK + STEP], room);
                let run = decoder
                    .ascii_run::<T>(&src[read + STEP..], &mut dst[written + T::SIZE * STEP..]);
                read += STEP + run;
                written += T::SIZE * (STEP + run);
                continue;
            }
            let narrow = class == Class::Narrow;
            let Some(units) = T::step::<CHECK>(&decoder, step, narrow, u64::MAX, room) else {
                return resume::<V, T>(src, dst, read, written);
            };
            read += STEP;
            written += T::SIZE * units;
            // So few units can only come of characters of three bytes.
            if T::SIZE > 1 && units <= STEP / 3 + 1 {
                let run = decoder.threes_run::<T, CHECK>(src, read, &mut dst[written..]);
                read += run.0;
                written += run.1;
            }
        }
        if read >= last {
            break;
        }
        let padded;
        let (step, keep) = match window(src, read) {
            Some(step) => (step, u64::MAX),
            None if read == 0 => {
                padded = padded_window(src, 0);
                (&padded, u64::MAX)
            }
            // What the last step sees again is not kept.
            None => (
                src.last_chunk().expect("it is longer than a window"),
                u64::MAX << (read + STEP - last),
            ),
        };
        match step_bounced::<V, T, CHECK>(&decoder, step, keep, &mut dst[written..]) {
            Some(units) => written += T::SIZE * units,
            None => break,
        }
        read = (read + STEP).min(last);
    }
    resume::<V, T>(src, dst, read, written)
}

/// Leaves the rest to the scalar reference: the last character, or a step in which something stands, an error or the end
/// of the output.
#[inline(never)]
fn resume<V: Vector, T: Target<V>>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Progress {
    let (start, units) = T::unfinished(src, read);
    let written = written - T::SIZE * units;
    scalar::transcode::<Utf8, T::Scheme>(&src[start..], &mut dst[written..]).behind(start, written)
}

/// Decodes an input that is too short for a window, in padded ones.
#[inline(always)]
fn short<V: Vector, T: Target<V>, const CHECK: bool>(
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    if let Some(progress) = short_ascii::<V, T>(decoder, src, dst) {
        return progress;
    }
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let keep = u64::MAX >> (STEP - (src.len() - read).min(STEP));
        let step = padded_window(src, read);
        match step_bounced::<V, T, CHECK>(decoder, &step, keep, &mut dst[written..]) {
            Some(units) => written += T::SIZE * units,
            None => return resume::<V, T>(src, dst, read, written),
        }
        read = (read + STEP).min(src.len());
    }
    if CHECK && ends_incomplete(src) {
        return resume::<V, T>(src, dst, read, written);
    }
    Progress { read, written, stop: Stop::Done }
}

/// Converts an input of at least a vector that is ASCII and fits, by vectors of which the last overlaps.
#[inline(always)]
fn short_ascii<V: Vector, T: Target<V>>(
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    let last = src.len().checked_sub(V::LANES)?;
    let written = T::SIZE * src.len();
    let dst = dst.get_mut(..written)?;
    let mut all = decoder.load_at(src, last);
    let mut at = 0;
    while at < last {
        all = all.or(decoder.load_at(src, at));
        at += V::LANES;
    }
    if all.any_high() {
        return None;
    }
    let mut at = 0;
    loop {
        let bytes = &src[at..at + V::LANES];
        T::widen(decoder, bytes, &mut dst[T::SIZE * at..T::SIZE * (at + V::LANES)]);
        if at == last {
            return Some(Progress { read: src.len(), written, stop: Stop::Done });
        }
        at = (at + V::LANES).min(last);
    }
}

/// Decodes a step into room of its own and copies what came out. `None` also if it doesn't fit.
#[inline(always)]
fn step_bounced<V: Vector, T: Target<V>, const CHECK: bool>(
    decoder: &Decoder<V>,
    step: &Window,
    keep: u64,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let mut room = [MaybeUninit::uninit(); MOST_ROOM];
    let units = T::step::<CHECK>(decoder, step, false, keep, &mut room[..T::ROOM])?;
    let size = T::SIZE * units;
    copy_short(dst.get_mut(..size)?, &room[..size]);
    Some(units)
}

/// What a window holds, as far as the choice of code goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// ASCII alone, with ASCII in front.
    Ascii,
    /// Characters of one and two bytes.
    Narrow,
    /// Anything.
    Any,
}

/// The constants of a step, in registers, and its common questions.
#[derive(Clone, Copy)]
pub(super) struct Decoder<V: Vector> {
    token: V::Token,
    pub(super) checker: Checker<V>,
}

impl<V: Vector> Decoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, checker: Checker::new(token) }
    }

    /// What kinds of character a window can hold, but for its last byte.
    #[inline(always)]
    fn class(&self, step: &Window) -> Class {
        let mut most = V::load(self.token, step, 0);
        let mut at = BACK;
        while at < BACK + STEP {
            most = most.max(V::load(self.token, step, at));
            at += V::LANES;
        }
        // A continuation byte behind ASCII is wrong, which shows when the step is decoded.
        if !most.any_high() && !scalar::utf8::is_continuation(step[BACK + STEP]) {
            Class::Ascii
        } else if !most.saturating_sub(self.checker.third).any_high() {
            Class::Narrow
        } else {
            Class::Any
        }
    }

    /// Converts characters of three bytes, 16 at a time, from `read` on, as long as there is nothing else and `dst` has room
    /// for a step. Gives the bytes read and written.
    #[inline(always)]
    fn threes_run<T: Target<V>, const CHECK: bool>(
        &self,
        src: &[u8],
        read: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> (usize, usize) {
        // The run begins with a character: one that goes on from the last step is done here.
        let rest = &src[read..];
        let begun = match *rest {
            [b0, b1, ..] => {
                usize::from(scalar::utf8::is_continuation(b0))
                    * (1 + usize::from(scalar::utf8::is_continuation(b1)))
            }
            _ => return (0, 0),
        };
        // A character that the run cuts off has not shown as wrong yet.
        if begun == 0 && ends_incomplete(&src[..read]) {
            return (0, 0);
        }
        let (mut at, mut written) = (0, 0);
        if begun > 0 {
            let Ok((c, 3)) = Utf8::decode(&src[read + begun - 3..]) else { return (0, 0) };
            let Ok(size) = T::Scheme::encode(c, dst) else { return (0, 0) };
            (at, written) = (begun, size);
        }
        // A whole window behind the run, so that the byte behind it is there to look at.
        while let (Some(bytes), Some(room)) =
            (rest[at..].first_chunk::<{ STEP + 1 }>(), dst.get_mut(written..written + T::ROOM))
        {
            let (units, pure) = V::decode_threes(self.token, bytes);
            if !pure || scalar::utf8::is_continuation(bytes[48]) {
                break;
            }
            T::put(units[0], room, 0);
            T::put(units[1], room, 8);
            at += 48;
            written += 16 * T::SIZE;
        }
        // The first character alone would leave the next step looking at a boundary that may be wrong.
        if rest.get(at).is_some_and(|&byte| scalar::utf8::is_continuation(byte)) {
            (0, 0)
        } else {
            (at, written)
        }
    }

    /// Widens pairs of ASCII steps at the front of `src`, which stands behind ASCII, as long as nothing wrong follows them
    /// and `dst` has room. Says how many bytes.
    #[inline(always)]
    fn ascii_run<T: Target<V>>(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        let mut run = 0;
        while let (Some(bytes), Some(room)) = (
            src[run..].first_chunk::<{ 2 * STEP + AHEAD }>(),
            dst.get_mut(T::SIZE * run..T::SIZE * (run + 2 * STEP)),
        ) {
            if ascii::any_high::<V>(self.token, bytes, 0..2 * STEP)
                || scalar::utf8::is_continuation(bytes[2 * STEP])
            {
                break;
            }
            T::widen(self, &bytes[..2 * STEP], room);
            run += 2 * STEP;
        }
        run
    }

    /// Every lane is `byte`.
    #[inline(always)]
    pub(super) fn splat(&self, byte: u8) -> V {
        V::splat(self.token, byte)
    }

    /// The vector of `bytes` at `at`.
    #[inline(always)]
    pub(super) fn load_at(&self, bytes: &[u8], at: usize) -> V {
        V::load(self.token, bytes, at)
    }

    /// Vector `k` of a step, `back` bytes earlier.
    #[inline(always)]
    pub(super) fn load(&self, step: &Window, k: usize, back: usize) -> V {
        V::load(self.token, step, k * V::LANES + BACK - back)
    }

    /// Checks a step and finds the positions at which characters end: those whose next byte is no continuation. Also
    /// whether a lead byte F0.. stands two or three bytes in front of any position. `None` if an error is known.
    #[inline(always)]
    pub(super) fn ends<const CHECK: bool>(&self, step: &Window) -> Option<(u64, bool)> {
        let zero = self.splat(0);
        let mut errors = zero;
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
        Some((!V::bits(&continued[..STEP / V::LANES]), fours.any_high()))
    }

    /// [`ends`](Self::ends) of a narrow step, by masks alone: the continuation bytes are the places behind lead bytes, and
    /// no lead byte is C0 or C1. Every position that is no lead byte ends a character.
    #[inline(always)]
    pub(super) fn ends_narrow<const CHECK: bool>(&self, step: &Window) -> Option<u64> {
        let none = self.splat(0).high();
        let (mut high, mut continued) = ([none; VECTORS], [none; VECTORS]);
        let mut overlong = self.splat(0);
        let mut k = 0;
        while k < STEP / V::LANES {
            let c0 = self.load(step, k, 0);
            high[k] = c0.high();
            continued[k] = c0.continuation();
            if CHECK {
                let lead = c0.and(self.splat(0xFE)).equal(self.splat(0xC0));
                overlong = overlong.or(V::of_mask(lead));
            }
            k += 1;
        }
        let continued = V::bits(&continued[..STEP / V::LANES]);
        let lead = V::bits(&high[..STEP / V::LANES]) & !continued;
        let back = step[BACK - 1];
        let behind_lead = lead << 1 | u64::from(back >= 0xC0);
        // C0 or C1 at the end of a step of another kind has not shown there yet.
        if CHECK && (continued != behind_lead || overlong.any() || back & 0xFE == 0xC0) {
            return None;
        }
        // As everywhere, the last position counts if the next step does not begin with a continuation byte, right or wrong.
        let last = 1 << (STEP - 1);
        let ended = !scalar::utf8::is_continuation(step[BACK + STEP]);
        Some(!(lead | last) | if ended { last } else { 0 })
    }

    /// FF where the byte three places in front of a lane of vector `k` is F0 or above: the last of four bytes.
    #[inline(always)]
    pub(super) fn fourth(&self, step: &Window, k: usize) -> V {
        V::of_mask(self.load(step, k, 3).saturating_sub(self.checker.fourth).high())
    }

    /// The payload that a character's last byte has (`c0 & 7F`), the one before it (`c1 & 3F` where `c0` is a continuation
    /// byte), and the lead byte of three (`c2 - E0`, which saturates: in shorter characters `c2` is below E0).
    #[inline(always)]
    pub(super) fn payloads<const LONGEST: usize>(&self, step: &Window, k: usize) -> (V, V, V) {
        let c0 = self.load(step, k, 0);
        let continuation = V::of_mask(c0.continuation());
        (
            c0.and(self.splat(0x7F)),
            self.load(step, k, 1).and(continuation.and(self.splat(0x3F))),
            match LONGEST {
                NARROW => self.splat(0),
                _ => self.load(step, k, 2).saturating_sub(self.splat(0xE0)),
            },
        )
    }
}

/// Set bits of `keep` below bit `bit`: the units in front of a group.
#[inline(always)]
pub(super) fn before(keep: u64, bit: usize) -> usize {
    (keep & ((1 << bit) - 1)).count_ones() as usize
}
