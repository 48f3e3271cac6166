//! The constants of a step, in registers, and the questions that all targets ask.

use core::mem::MaybeUninit;

use super::super::ascii;
use super::super::utf8::{Checker, OVERLONG_2, SURROGATE, ends_incomplete};
use super::span::{Placed, Span};
use super::{LONG, MIDDLE, NARROW, Target, VECTORS};
use crate::Utf8;
use crate::arch::Vector;
use crate::arch::window::{AHEAD, BACK, STEP, Window};
use crate::scalar::{self, Decode};

/// What a window and the bytes that it looks back to hold, as far as the choice of code goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// ASCII alone, with ASCII in front.
    Ascii,
    /// Characters of one and two bytes.
    Narrow,
    /// None of four bytes.
    Middle,
    /// Anything.
    Wide,
    /// ASCII in the first half, and in what it looks back to; whether there are characters of four bytes in the other.
    AsciiFirst(bool),
    /// ASCII in the second half, and in what it looks back to; the same.
    AsciiSecond(bool),
}

impl Class {
    /// Whether one half is ASCII.
    #[inline(always)]
    pub(super) fn is_mixed(self) -> bool {
        matches!(self, Self::AsciiFirst(_) | Self::AsciiSecond(_))
    }

    /// Whether there may be characters of four bytes.
    #[inline(always)]
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::Wide | Self::AsciiFirst(true) | Self::AsciiSecond(true))
    }
}

/// The constants of a step, in registers, and its common questions.
#[derive(Clone, Copy)]
pub(in super::super) struct Decoder<V: Vector> {
    pub(in super::super) token: V::Token,
    pub(in super::super) checker: Checker<V>,
}

impl<V: Vector> Decoder<V> {
    #[inline(always)]
    pub(super) fn new(token: V::Token) -> Self {
        Self { token, checker: Checker::new(token) }
    }

    /// What kinds of character a window can hold. ASCII has ASCII in front, since what it would cut off shows as wrong only
    /// where it is looked back to; and no continuation byte behind, since that shows as wrong when it is decoded.
    #[inline(always)]
    pub(super) fn class<T: Target<V>, const N: usize>(
        &self,
        target: T,
        step: Placed<'_, N>,
    ) -> Class {
        if T::RELATIVE && target.lacks_any() {
            let mut least = self.load(step, 0, 0);
            let mut k = 1;
            while k < (N - BACK - AHEAD) / V::LANES {
                least = least.min(self.load(step, k, 0));
                k += 1;
            }
            if target.lacks(self.token, least) {
                return Class::Wide;
            }
        }
        if V::LANES == STEP {
            let most = self.load(step, 0, BACK).max(self.load(step, 0, 0));
            if !most.any_high() && step.is_ended() {
                return Class::Ascii;
            }
            return self.class_of(most);
        }
        let half = const { (N - BACK - AHEAD) / 2 / V::LANES };
        let (mut first, mut second) = (self.load(step, 0, BACK), self.load(step, half, BACK));
        let mut k = 0;
        while k < half {
            first = first.max(self.load(step, k, 0));
            second = second.max(self.load(step, half + k, 0));
            k += 1;
        }
        let most = first.max(second);
        // Both at once, and one after the other only where they differ.
        let (high_first, high_second) = (first.any_high(), second.any_high());
        if !(high_first && high_second) {
            let wide = || most.any_from(self.token, 0xF0);
            let ended = step.is_ended();
            if !high_first && !high_second && ended {
                return Class::Ascii;
            }
            if N == LONG && !high_second && ended {
                return Class::AsciiSecond(wide());
            }
            if N == LONG && !high_first && !scalar::utf8::is_continuation(step.bytes[N / 2 + 1]) {
                return Class::AsciiFirst(wide());
            }
        }
        self.class_of(most)
    }

    /// What characters there can be where no byte is larger than those of `most`, if it is not ASCII.
    #[inline(always)]
    fn class_of(&self, most: V) -> Class {
        if !most.any_from(self.token, 0xE0) {
            Class::Narrow
        } else if !most.any_from(self.token, 0xF0) {
            Class::Middle
        } else {
            Class::Wide
        }
    }

    /// The window, if one half of it is ASCII and pays to be treated apart.
    #[inline(always)]
    pub(super) fn mixed<'a, const N: usize>(
        &self,
        step: &'a [u8; N],
        class: Class,
    ) -> Option<&'a Window> {
        if class.is_mixed() { step.first_chunk() } else { None }
    }

    /// Whether a span may hold characters of four bytes, or look back to one.
    #[inline(always)]
    pub(in super::super) fn has_fours<S: Span<V>>(&self, span: S) -> bool {
        let mut most = self.load(span, 0, BACK);
        let mut k = 0;
        while k < S::VECTORS {
            most = most.max(self.load(span, k, 0));
            k += 1;
        }
        most.any_from(self.token, 0xF0)
    }

    /// Converts characters of three bytes, 16 at a time, as long as there is nothing else and `dst` has room for a step.
    /// `ahead` begins [`BACK`] bytes in front of where the last step ended. Gives the bytes read and written.
    #[inline(always)]
    pub(super) fn threes_run<T: Target<V>>(
        &self,
        target: T,
        ahead: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> (usize, usize) {
        // The run begins with a character: one that goes on from the last step is done here.
        let (before, rest) = ahead.split_at(BACK);
        let begun = match *rest {
            [b0, b1, ..] => {
                usize::from(scalar::utf8::is_continuation(b0))
                    * (1 + usize::from(scalar::utf8::is_continuation(b1)))
            }
            _ => return (0, 0),
        };
        // A character that the run cuts off has not shown as wrong yet.
        if begun == 0 && ends_incomplete(before) {
            return (0, 0);
        }
        let (mut at, mut written) = (0, 0);
        if begun > 0 {
            let Ok((c, 3)) = Utf8::decode(&ahead[begun..]) else { return (0, 0) };
            let Some(size) = target.encode(c, dst) else { return (0, 0) };
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
            target.put(units[0], room, 0);
            target.put(units[1], room, 8);
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

    /// Widens the ASCII that `src`, of more than a step, begins with, if `dst` has room: all of it, or pairs of steps. Says how
    /// many bytes.
    #[inline(always)]
    pub(super) fn ascii_front<T: Target<V>>(
        &self,
        target: T,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let swapped = target.is_swapped();
        let run = self.ascii_run(swapped, target, src, dst);
        let rest = src.len() - run;
        // At most two steps, of which the last ends with the text and may overlap.
        let (Some(last), Some(room)) =
            (src.last_chunk::<STEP>(), dst.get_mut(..T::SIZE * src.len()))
        else {
            return run;
        };
        let first = if rest > STEP { src[run..].first_chunk().unwrap_or(last) } else { last };
        if rest > 2 * STEP || !self.is_ascii(target, first) || !self.is_ascii(target, last) {
            return run;
        }
        let behind = T::SIZE * (src.len() - STEP);
        self.widen_step(swapped, target, last, &mut room[behind..]);
        if rest > STEP {
            self.widen_step(swapped, target, first, &mut room[T::SIZE * run..]);
        }
        src.len()
    }

    /// Whether a step is ASCII, and nothing in it that a relative lacks.
    #[inline(always)]
    fn is_ascii<T: Target<V>>(&self, target: T, step: &[u8; STEP]) -> bool {
        !(ascii::any_high::<V>(self.token, step, 0..STEP)
            || T::RELATIVE
                && target.lacks_any()
                && target.lacks(self.token, self.least(step, STEP)))
    }

    /// Widens a step of ASCII.
    #[inline(always)]
    fn widen_step<T: Target<V>>(
        &self,
        swapped: bool,
        target: T,
        step: &[u8; STEP],
        room: &mut [MaybeUninit<u8>],
    ) {
        let room = &mut room[..T::SIZE * STEP];
        let mut at = 0;
        while at < STEP {
            target.widen_run(swapped, V::load(self.token, step, at), room, at);
            at += V::LANES;
        }
    }

    /// Widens pairs of ASCII steps at the front of `src`, which stands behind ASCII or nothing, as long as nothing wrong
    /// follows them and `dst` has room. Says how many bytes.
    #[inline(always)]
    pub(super) fn ascii_run<T: Target<V>>(
        &self,
        swapped: bool,
        target: T,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> usize {
        let mut run = 0;
        while let (Some(bytes), Some(room)) = (
            src[run..].first_chunk::<{ 2 * STEP + AHEAD }>(),
            dst.get_mut(T::SIZE * run..T::SIZE * (run + 2 * STEP)),
        ) {
            if ascii::any_high::<V>(self.token, bytes, 0..2 * STEP)
                || T::RELATIVE
                    && target.lacks_any()
                    && target.lacks(self.token, self.least(bytes, 2 * STEP))
                || scalar::utf8::is_continuation(bytes[2 * STEP])
            {
                break;
            }
            let mut at = 0;
            while at < 2 * STEP {
                target.widen_run(swapped, V::load(self.token, bytes, at), room, at);
                at += V::LANES;
            }
            run += 2 * STEP;
        }
        run
    }

    /// In some lane, the least of the first bytes.
    #[inline(always)]
    fn least(&self, bytes: &[u8], len: usize) -> V {
        let mut least = V::load(self.token, bytes, 0);
        let mut at = V::LANES;
        while at < len {
            least = least.min(V::load(self.token, bytes, at));
            at += V::LANES;
        }
        least
    }

    /// [`check`](Self::check) of a relative: surrogates are characters of three bytes there, and with `nul` `C0 80` is one of
    /// two. Says whether there are surrogates.
    #[inline(always)]
    pub(in super::super) fn check_relative<S: Span<V>>(&self, span: S, nul: V) -> Option<bool> {
        let mut errors = self.splat(0);
        let mut k = 0;
        while k < S::VECTORS {
            let (c0, c1, c2) =
                (self.load(span, k, 0), self.load(span, k, 1), self.load(span, k, 2));
            errors = errors.or(self.checker.errors_of_three(c0, c1, c2));
            k += 1;
        }
        if !errors.any() {
            return Some(false);
        }
        let (mut errors, mut surrogates) = (self.splat(0), self.splat(0));
        let mut k = 0;
        while k < S::VECTORS {
            let (c0, c1, c2) =
                (self.load(span, k, 0), self.load(span, k, 1), self.load(span, k, 2));
            let found = self.checker.errors_of_three(c0, c1, c2);
            // Of the bytes that a relative allows, each is a bit that differs from what the checker finds at them.
            let surrogate = found.and(self.splat(SURROGATE));
            let is_nul =
                V::of_mask(c1.equal(self.splat(0xC0))).and(V::of_mask(c0.equal(self.splat(0x80))));
            let allowed = surrogate.or(is_nul.and(nul).and(self.splat(OVERLONG_2)));
            errors = errors.or(found.xor(allowed));
            surrogates = surrogates.or(surrogate);
            k += 1;
        }
        if errors.any() { None } else { Some(surrogates.any()) }
    }

    /// Every lane is `byte`.
    #[inline(always)]
    pub(in super::super) fn splat(&self, byte: u8) -> V {
        V::splat(self.token, byte)
    }

    /// Vector `k` of a span, `back` bytes earlier.
    #[inline(always)]
    pub(in super::super) fn load<S: Span<V>>(&self, span: S, k: usize, back: usize) -> V {
        span.load(self.token, k, back)
    }

    /// Checks a span and finds the positions at which characters end: those whose next byte is no continuation. `None` if
    /// an error is known.
    #[inline(always)]
    pub(in super::super) fn ends<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        &self,
        span: S,
    ) -> Option<u64> {
        if LONGEST == NARROW {
            return self.ends_narrow::<S, CHECK>(span);
        }
        self.check::<S, LONGEST, CHECK>(span)?;
        Some(span.ends(self.token))
    }

    /// [`ends`](Self::ends) without the positions. `None` if an error is known.
    #[inline(always)]
    pub(in super::super) fn check<S: Span<V>, const LONGEST: usize, const CHECK: bool>(
        &self,
        span: S,
    ) -> Option<()> {
        let mut errors = self.splat(0);
        let mut k = 0;
        while k < S::VECTORS {
            if CHECK {
                let c0 = self.load(span, k, 0);
                let (c1, c2) = (self.load(span, k, 1), self.load(span, k, 2));
                errors = errors.or(match LONGEST {
                    MIDDLE => self.checker.errors_of_three(c0, c1, c2),
                    _ => self.checker.errors(c0, c1, c2, self.load(span, k, 3)),
                });
            }
            k += 1;
        }
        if CHECK && errors.any() { None } else { Some(()) }
    }

    /// [`ends`](Self::ends) of a narrow span, by masks alone: the continuation bytes are the places behind lead bytes, and
    /// no lead byte is C0 or C1. Every position that is no lead byte ends a character.
    #[inline(always)]
    pub(in super::super) fn ends_narrow<S: Span<V>, const CHECK: bool>(
        &self,
        span: S,
    ) -> Option<u64> {
        let none = self.splat(0).high();
        let (mut high, mut continued) = ([none; VECTORS], [none; VECTORS]);
        // C0 and C1 become the smallest lanes.
        let mut least = self.splat(0xFF);
        let mut k = 0;
        while k < S::VECTORS {
            let c0 = self.load(span, k, 0);
            high[k] = c0.high();
            continued[k] = c0.continuation();
            if CHECK {
                least = least.min(c0.xor(self.splat(0xC0)));
            }
            k += 1;
        }
        let continued = V::bits(&continued[..S::VECTORS]);
        let lead = V::bits(&high[..S::VECTORS]) & !continued;
        let before = span.before();
        let behind_lead = (lead << 1 | u64::from(before >= 0xC0)) & S::ALL;
        // C0 or C1 at the end of a step of another kind has not shown there yet.
        let overlong = || V::bits(&[least.and(self.splat(0xFE)).equal(self.splat(0))]) != 0;
        if CHECK && (continued != behind_lead || overlong() || before & 0xFE == 0xC0) {
            return None;
        }
        // As everywhere, the last position counts if the next byte is no continuation byte, right or wrong.
        let last = S::ALL ^ S::ALL >> 1;
        Some(!lead & S::ALL >> 1 | if span.ended() { last } else { 0 })
    }

    /// FF where the byte three places in front of a lane of vector `k` is F0 or above: the last of four bytes.
    #[inline(always)]
    pub(in super::super) fn fourth<S: Span<V>>(&self, span: S, k: usize) -> V {
        V::of_mask(self.load(span, k, 3).at_least(self.token, 0xF0))
    }

    /// The payload that a character's last byte has (`c0 & 7F`), the one before it (`c1`, whose upper two bits are none,
    /// where `c0` is a continuation byte), and the lead byte of three (`c2 - E0`, which saturates: in shorter characters `c2` is below E0).
    #[inline(always)]
    pub(in super::super) fn payloads<S: Span<V>, const LONGEST: usize>(
        &self,
        span: S,
        k: usize,
    ) -> (V, V, V) {
        let c0 = self.load(span, k, 0);
        let continuation = V::of_mask(c0.continuation());
        (
            c0.and(self.splat(0x7F)),
            self.load(span, k, 1).and(continuation),
            match LONGEST {
                NARROW => self.splat(0),
                _ => self.load(span, k, 2).saturating_sub(self.splat(0xE0)),
            },
        )
    }
}
