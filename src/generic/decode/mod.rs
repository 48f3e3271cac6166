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
//! * Where there is no window, at both ends of the input, a step is a single vector. The last one ends with the input and
//!   overlaps what has been decoded: its first units are written again, to the same place. So no step reads or writes
//!   beyond the ends, and none goes through a padded copy.
//! * An input of less than a vector stands in the last lanes of one, behind zeros that are not kept. As in all steps, a
//!   group of eight units is written at most as far along as the bytes it comes from, so that room for a unit a byte
//!   is enough.
//! * Only where the output has less room than that does a step go through a bounce buffer.
//!
//! What stands at an error, at a sequence that the input cuts off, or at the end of the output is left to the scalar
//! reference.

mod decoder;
mod fours;
mod short;
mod span;

use core::mem::{self, MaybeUninit};

pub(super) use decoder::Decoder;
#[cfg(avx512)]
pub(super) use short::convert_whole;
pub(super) use short::{convert_short, convert_tiny};
pub(super) use span::Span;

use self::decoder::Class;
use self::fours::Patience;
use self::span::{HalfWindow, Placed, Single};
use crate::Utf8;
use crate::arch::Vector;
use crate::arch::window::{AHEAD, BACK, STEP, Window, copy_short};
use crate::progress::Reach;
use crate::scalar::{self, Decode};

/// Inputs up to this many bytes have code of their own, without a fast lane.
pub(crate) const SHORT: usize = 64;

/// Inputs below this many bytes have theirs, of half the lanes where there are more than as many.
pub(crate) const TINY: usize = 16;

/// Most vectors in a step.
pub(super) const VECTORS: usize = STEP / 16;

/// Steps by the bytes of the longest character in them: the code for their positions is compiled for each.
pub(super) const NARROW: usize = 2;
pub(super) const MIDDLE: usize = 3;
pub(super) const WIDE: usize = 4;

/// Bytes of a window of 64 positions, and of half of one.
const LONG: usize = size_of::<Window>();
const HALF: usize = size_of::<HalfWindow>();

/// Units that are written together.
const GROUP: usize = 8;

/// Bytes of the output of a single vector, of the largest units.
const BOUNCE: usize = 4 * (64 + GROUP);

/// What UTF-8 is decoded into: the work of a step.
pub(super) trait Target<V: Vector>: Copy {
    /// Bytes of a unit.
    const SIZE: usize;

    /// Bytes of output that a window may touch, as far as the compiler can see.
    const ROOM: usize = Self::SIZE * (STEP + GROUP);

    /// Whether the input is a relative of UTF-8: without characters of four bytes, which are surrogates of three there, and
    /// perhaps without NUL, which is `C0 80`. For inputs of more than [`SHORT`] bytes.
    const RELATIVE: bool = false;

    /// Checks a span and finds the positions to keep. `None` if anything in it is an error or unmappable, as far as its
    /// bytes show. No character in it, or where it looks back to, has more than `LONGEST` bytes.
    ///
    /// Without `CHECK` the input is known to be well-formed.
    fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        self,
        decoder: &Decoder<V>,
        span: S,
    ) -> Option<u64>;

    /// Computes the units of all positions and writes those in `keep`; says how many.
    fn emit<S: Span<V>, const LONGEST: usize>(
        self,
        decoder: &Decoder<V>,
        span: S,
        keep: u64,
        room: &mut [MaybeUninit<u8>],
    ) -> usize;

    /// Whether there is anything that the input [lacks](Self::lacks).
    #[inline(always)]
    fn lacks_any(self) -> bool {
        false
    }

    /// Whether a relative doesn't have a byte as small as the smallest of these.
    #[inline(always)]
    fn lacks(self, _token: V::Token, _least: V) -> bool {
        false
    }

    /// Writes each byte of `bytes`, which are ASCII, as a code unit, from unit `at` on.
    fn widen(self, bytes: V, room: &mut [MaybeUninit<u8>], at: usize);

    /// Which of two ways [`widen_run`](Self::widen_run) takes, asked in front of it.
    #[inline(always)]
    fn is_swapped(self) -> bool {
        false
    }

    /// [`widen`](Self::widen) where there is much to do.
    #[inline(always)]
    fn widen_run(self, _swapped: bool, bytes: V, room: &mut [MaybeUninit<u8>], at: usize) {
        self.widen(bytes, room, at);
    }

    /// The same for eight bytes, the lowest first.
    #[inline(always)]
    fn widen_word(self, token: V::Token, word: u64, room: &mut [MaybeUninit<u8>], at: usize) {
        self.put(V::units_of_bytes(token, word), room, at);
    }

    /// Writes eight 16-bit units, in the order of the machine, as units `at..at + 8` of the output.
    fn put(self, units: V::Units, room: &mut [MaybeUninit<u8>], at: usize);

    /// Writes what 16 characters of four bytes would become; says how many there are in front of anything else. Only where
    /// there is [a word](Vector::FOURS) for it.
    #[inline(always)]
    fn put_fours(
        self,
        _token: V::Token,
        _bytes: &[u8; 64],
        _room: &mut [MaybeUninit<u8>; 64],
    ) -> usize {
        0
    }

    /// Writes a character by the scalar reference: [`Encode::encode`](scalar::Encode::encode).
    fn encode(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;

    /// Converts by the scalar reference.
    fn by_reference(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;

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

/// Converts `src`, of at least a vector, into `dst`. Without `CHECK`, `src` is known to be well-formed but for a sequence cut off at its end.
#[inline(always)]
pub(super) fn convert<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let decoder = Decoder::<V>::new(token);
    // Elsewhere that isn't worth the code.
    let mut read = if V::MASKED { decoder.ascii_front(target, src, dst) } else { 0 };
    let mut written = T::SIZE * read;
    if V::MASKED && read == src.len() {
        return Reach { read, written };
    }
    let mut fours = Patience { steps: 0, least: 1 };
    loop {
        if let Some(start) = read.checked_sub(BACK) {
            let (ahead, room) = (&src[start..], &mut dst[written..]);
            let lane = if V::LONG_STEPS {
                fast_lane::<V, T, CHECK, LONG>(target, &decoder, ahead, room, &mut fours)
            } else {
                fast_lane::<V, T, CHECK, HALF>(target, &decoder, ahead, room, &mut fours)
            };
            (read, written) = (read + lane.read, written + lane.written);
            if lane.wrong {
                return resume::<V, T>(target, src, dst, read, written);
            }
            if lane.fours {
                let before = read;
                (read, written) = fours::run::<V, T>(target, token, src, dst, read, written);
                fours.ran(read >= before + STEP);
                continue;
            }
        }
        match single::<V, T, CHECK>(target, &decoder, src, dst, read, written) {
            Ok(to) => (read, written) = to,
            Err(reach) => return reach,
        }
    }
}

/// How far the fast lane came.
struct Lane {
    read: usize,
    written: usize,
    /// Whether the next step has something wrong in it.
    wrong: bool,
    /// Whether there may be nothing but characters of four bytes behind.
    fours: bool,
}

/// Converts whole windows, as long as there are any and `dst` has room for what may come of them. `ahead` begins [`BACK`]
/// bytes in front of the first byte to convert.
#[inline(always)]
fn fast_lane<V: Vector, T: Target<V>, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Decoder<V>,
    mut ahead: &[u8],
    mut dst: &mut [MaybeUninit<u8>],
    patience_for_fours: &mut Patience,
) -> Lane {
    let (len, room) = (ahead.len(), dst.len());
    let (mut wrong, mut fours) = (false, false);
    // Steps of nothing but characters of three bytes that there have been since the last run of them was tried, and how
    // many there must be: more if that one was short.
    let (mut steps, mut patience) = (0, 1);
    let len_of_step = const { N - BACK - AHEAD };
    while let (Some(step), Some(out)) =
        (ahead.first_chunk::<N>(), dst.get_mut(..T::SIZE * (len_of_step + GROUP)))
    {
        let units;
        let mut threes = false;
        let placed = Placed::new::<V>(step);
        let class = decoder.class(target, placed);
        if T::RELATIVE && class == Class::Wide {
            wrong = true;
            break;
        }
        if class == Class::Ascii {
            let swapped = target.is_swapped();
            let mut k = 0;
            while k < len_of_step / V::LANES {
                target.widen_run(swapped, decoder.load(placed, k, 0), out, k * V::LANES);
                k += 1;
            }
            let run = decoder.ascii_run::<T>(
                swapped,
                target,
                &ahead[BACK + len_of_step..],
                &mut dst[T::SIZE * len_of_step..],
            );
            ahead = &ahead[len_of_step + run..];
            dst = &mut mem::take(&mut dst)[T::SIZE * (len_of_step + run)..];
            continue;
        }
        if V::LANES < STEP
            && let Some(window) = decoder.mixed(step, class)
        {
            let Some(written) = half_step::<V, T, CHECK>(target, decoder, window, class, out)
            else {
                wrong = true;
                break;
            };
            units = written;
        } else if V::FOURS && T::SIZE > 1 && !T::RELATIVE && class == Class::Wide {
            // Apart from the others, which would pay for the question whether to look for a run.
            let Some((units, last)) = wide_step::<V, T, CHECK, N>(target, decoder, placed, out)
            else {
                wrong = true;
                break;
            };
            ahead = &ahead[len_of_step..];
            dst = &mut mem::take(&mut dst)[T::SIZE * units..];
            if fours::are_dense(last) && patience_for_fours.is_over() {
                fours = true;
                break;
            }
            continue;
        } else {
            let kept = match class {
                // What is overlong in UTF-8 is NUL in a relative.
                Class::Narrow if T::RELATIVE => {
                    match step_of::<V, T, NARROW, CHECK, N>(target, decoder, placed, out) {
                        None => step_of::<V, T, MIDDLE, CHECK, N>(target, decoder, placed, out),
                        kept => kept,
                    }
                }
                Class::Narrow => step_of::<V, T, NARROW, CHECK, N>(target, decoder, placed, out),
                Class::Middle => step_of::<V, T, MIDDLE, CHECK, N>(target, decoder, placed, out),
                _ => step_of::<V, T, WIDE, CHECK, N>(target, decoder, placed, out),
            };
            let Some(kept) = kept else {
                wrong = true;
                break;
            };
            units = V::kept_units(kept, T::SIZE);
            // Nothing but characters of three bytes ended here: they may go on. Without a check, steps are as fast as runs.
            threes = T::SIZE > 1
                && CHECK
                && class == Class::Middle
                && units <= len_of_step / 3 + 1
                && (kept ^ kept >> 3) << (64 - len_of_step + 3) == 0;
        }
        ahead = &ahead[len_of_step..];
        dst = &mut mem::take(&mut dst)[T::SIZE * units..];
        if threes {
            steps += 1;
            if steps >= patience {
                let (read, written) = decoder.threes_run::<T>(target, ahead, dst);
                ahead = &ahead[read..];
                dst = &mut mem::take(&mut dst)[written..];
                (steps, patience) = (0, if read > STEP { 1 } else { 32.min(2 * patience) });
            }
        }
    }
    Lane { read: len - ahead.len(), written: room - dst.len(), wrong, fours }
}

/// Decodes a window, by halves if it is checked: says how many units that gives, and the positions that were kept of the
/// second half.
#[inline(always)]
fn wide_step<V: Vector, T: Target<V>, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Decoder<V>,
    step: Placed<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<(usize, u64)> {
    // What the compiler would compute of a whole step at once, with the check, it has no registers for.
    if !CHECK {
        let keep = step_of::<V, T, WIDE, CHECK, N>(target, decoder, step, out)?;
        return Some((V::kept_units(keep, T::SIZE), keep >> (STEP / 2)));
    }
    let first = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, 0, out)?;
    let units = V::kept_units(first, T::SIZE);
    let out = out.get_mut(T::SIZE * units..)?;
    let second = half_of_step::<V, T, CHECK>(target, decoder, step.bytes, STEP / 2, out)?;
    Some((units + V::kept_units(second, T::SIZE), second))
}

/// Decodes the half of a window that begins at `at`; gives the positions that are kept. It has places of its own to load
/// from, or the compiler would load the second half with the first one.
#[inline(always)]
fn half_of_step<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    step: &[u8],
    at: usize,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let span = Placed::new::<V>(step.get(at..)?.first_chunk::<HALF>()?);
    let keep = target.ends::<_, WIDE, CHECK>(decoder, span)?;
    let room = out.get_mut(..T::SIZE * (STEP / 2 + GROUP))?;
    target.emit::<_, WIDE>(decoder, span, keep, room);
    Some(keep)
}

/// Decodes a window of which one half is ASCII; says how many units that gives. `None` if there is something wrong in it.
#[inline(always)]
fn half_step<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    step: &Window,
    class: Class,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let first = matches!(class, Class::AsciiFirst(_));
    // Where the other half begins, and in the output.
    let (at, ascii) = if first { (STEP / 2, 0) } else { (0, STEP / 2) };
    if first {
        widen_half::<V, T>(target, decoder, step, ascii, &mut out[..T::SIZE * STEP / 2]);
    }
    let half: &HalfWindow = step[at..].first_chunk()?;
    let span = Placed::new::<V>(half);
    let room = out.get_mut(T::SIZE * at..T::SIZE * (at + STEP / 2 + GROUP))?;
    let units = if class.is_wide() {
        let keep = target.ends::<_, WIDE, CHECK>(decoder, span)?;
        target.emit::<_, WIDE>(decoder, span, keep, room)
    } else {
        let keep = target.ends::<_, MIDDLE, CHECK>(decoder, span)?;
        target.emit::<_, MIDDLE>(decoder, span, keep, room)
    };
    if !first {
        let room = out.get_mut(T::SIZE * units..T::SIZE * (units + STEP / 2))?;
        widen_half::<V, T>(target, decoder, step, ascii, room);
    }
    Some(STEP / 2 + units)
}

/// Writes half of a window, which is ASCII and begins at `at`, as units.
#[inline(always)]
fn widen_half<V: Vector, T: Target<V>>(
    target: T,
    decoder: &Decoder<V>,
    step: &Window,
    at: usize,
    room: &mut [MaybeUninit<u8>],
) {
    let mut k = 0;
    while k < STEP / 2 {
        target.widen(V::load(decoder.token, step, BACK + at + k), room, k);
        k += V::LANES;
    }
}

/// Decodes a span that has no character of more than `LONGEST` bytes: gives the positions that it has written. `None` if
/// there is something wrong in it.
#[inline(always)]
fn step_of<V: Vector, T: Target<V>, const LONGEST: usize, const CHECK: bool, const N: usize>(
    target: T,
    decoder: &Decoder<V>,
    span: Placed<'_, N>,
    out: &mut [MaybeUninit<u8>],
) -> Option<u64> {
    let keep = target.ends::<_, LONGEST, CHECK>(decoder, span)?;
    target.emit::<_, LONGEST>(decoder, span, keep, out);
    Some(keep)
}

/// Decodes a single vector from `read` on, or the last one of `src`, when `written` bytes have come of what stands in
/// front. Gives how much is read and written then, or the end.
#[inline(always)]
fn single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    // Where it takes few stores: elsewhere it isn't worth the code.
    if V::LANES > 16
        && (T::SIZE < 4 || V::MASKED)
        && let Some(to) =
            ascii_single::<V, T, CHECK>(target, decoder, src, dst, (start, read, written))
    {
        let read = start + V::LANES;
        return if read < src.len() { Ok((read, to)) } else { Err(Reach { read, written: to }) };
    }
    any_single::<V, T, CHECK>(target, decoder, src, dst, read, written)
}

/// [`single`], whatever is in it.
#[inline(always)]
fn any_single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Result<(usize, usize), Reach> {
    let start = read.min(src.len() - V::LANES);
    let span = Single::inside(decoder.token, src, start);
    // Not asked where steps are single vectors anyway, and these ones the two ends of a text.
    let fours = V::LANES == STEP || decoder.has_fours(span);
    let Some(ends) = ends_of_single::<V, T, CHECK>(target, decoder, span, fours) else {
        return Err(resume::<V, T>(target, src, dst, read, written));
    };
    // What has been written before is written again.
    let old = ends & V::first_bits(read - start);
    let base = written - T::SIZE * old.count_ones() as usize;
    let mut bounce = [MaybeUninit::uninit(); BOUNCE];
    let direct = dst.len() - base >= T::SIZE * V::LANES;
    let (keep, room) =
        if direct { (ends, &mut dst[base..]) } else { (ends ^ old, &mut bounce[..]) };
    // Of a length that is known, so that stores need no masks.
    let room = if V::MASKED { &mut room[..T::SIZE * V::LANES] } else { room };
    let units = emit_single::<V, T>(target, decoder, span, keep, fours, room);
    let mut to = base + T::SIZE * units;
    if !direct {
        let fit = units.min((dst.len() - written) / T::SIZE);
        to = written + T::SIZE * fit;
        copy_short(&mut dst[written..to], &bounce[..T::SIZE * fit]);
        if fit < units {
            return Err(resume::<V, T>(target, src, dst, start + bit(keep, fit), to));
        }
    }
    let end = start + V::LANES;
    if end < src.len() {
        return Ok((end, to));
    }
    // Text known to be well-formed too may have been cut off, by whoever takes it in pieces.
    if span.is_cut_off(decoder.token) {
        return Err(resume::<V, T>(target, src, dst, end, to));
    }
    Err(Reach { read: end, written: to })
}

/// Widens the vector at `start`, if it is ASCII with ASCII in front, nothing wrong behind, and room for it. Gives where the
/// output ends then; of what is read `written` bytes have come.
#[inline(always)]
fn ascii_single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    (start, read, written): (usize, usize, usize),
) -> Option<usize> {
    let bytes = V::load(decoder.token, src, start);
    let is_wrong = |place: Option<&u8>, least: u8, most: u8| {
        CHECK && place.is_some_and(|byte| (least..=most).contains(byte))
    };
    if bytes.any_high()
        || is_wrong(src.get(start.wrapping_sub(1)), 0x80, 0xFF)
        || is_wrong(src.get(start + V::LANES), 0x80, 0xBF)
        || T::RELATIVE && target.lacks_any() && target.lacks(decoder.token, bytes)
    {
        return None;
    }
    let base = written - T::SIZE * (read - start);
    let end = base + T::SIZE * V::LANES;
    target.widen(bytes, dst.get_mut(base..end)?, 0);
    Some(end)
}

/// [`Target::ends`] for a single vector.
#[inline(always)]
fn ends_of_single<V: Vector, T: Target<V>, const CHECK: bool>(
    target: T,
    decoder: &Decoder<V>,
    span: Single<V>,
    fours: bool,
) -> Option<u64> {
    if fours {
        target.ends::<_, WIDE, CHECK>(decoder, span)
    } else {
        target.ends::<_, MIDDLE, CHECK>(decoder, span)
    }
}

/// [`Target::emit`] for a single vector.
#[inline(always)]
fn emit_single<V: Vector, T: Target<V>>(
    target: T,
    decoder: &Decoder<V>,
    span: Single<V>,
    keep: u64,
    fours: bool,
    room: &mut [MaybeUninit<u8>],
) -> usize {
    if fours {
        target.emit::<_, WIDE>(decoder, span, keep, room)
    } else {
        target.emit::<_, MIDDLE>(decoder, span, keep, room)
    }
}

/// The place of set bit number `n` of `bits`.
#[inline(always)]
fn bit(mut bits: u64, n: usize) -> usize {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize
}

/// Leaves the rest to the scalar reference, when everything in front of `read` has been decoded: an error, or the end of
/// the output or the input.
#[inline(never)]
fn resume<V: Vector, T: Target<V>>(
    target: T,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Reach {
    let (start, units) = T::unfinished(src, read);
    let written = written - T::SIZE * units;
    target.by_reference(&src[start..], &mut dst[written..]).behind(start, written)
}
