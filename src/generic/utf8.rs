//! UTF-8 validation by lookup: Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021,
//! arXiv 2010.03090).
//!
//! Three tables of 16 entries, indexed by the high and low nibble of the byte before and by the high nibble of a byte,
//! each give the set of errors that these four bits allow; what is in all three sets is an error. The first of the
//! eight bits, "two continuation bytes in a row", is one only where no lead byte two or three places back asks for it.
//!
//! Departures: the bytes one, two and three places back are loaded from memory again instead of being shifted together
//! from two registers, which frees the shuffle ports; a block of ASCII behind ASCII is seen in one test; and the errors
//! of up to 512 bytes are tested together, since the exact place is found by the scalar reference from the last tested
//! block on.

use super::{ascii, count, words};
use crate::arch::Vector;
use crate::arch::window::{BACK, STEP};
use crate::error::Error;
use crate::scalar;

/// A byte that must be a continuation is none.
const TOO_SHORT: u8 = 1 << 7;
/// A continuation byte behind ASCII.
const TOO_LONG: u8 = 1 << 1;
/// E0 80..=E0 9F
const OVERLONG_3: u8 = 1 << 2;
/// F4 90..=F4 BF, and F5.. with A0..=BF or 90..=9F behind it
const TOO_LARGE: u8 = 1 << 3;
/// ED A0..=ED BF
pub(super) const SURROGATE: u8 = 1 << 4;
/// C0 and C1 with a continuation byte
pub(super) const OVERLONG_2: u8 = 1 << 5;
/// F5.. with 80..=8F behind it; shares its bit with the overlong forms F0 80..=F0 8F, which differ in the low nibble
const TOO_LARGE_1000: u8 = 1 << 6;
/// F0 80..=F0 8F
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes: an error unless a lead byte asks for them. Bit 0, so that one less is left where one does: zero
/// if there is nothing else.
const TWO_CONTINUATIONS: u8 = 1 << 0;
/// What says nothing about the low nibble of the byte before.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// What makes a continuation byte one that must not follow its lead byte.
pub(super) const WRONG_SECOND: u8 =
    OVERLONG_2 | OVERLONG_3 | OVERLONG_4 | TOO_LARGE | TOO_LARGE_1000 | SURROGATE;

/// Errors that the high nibble of the byte before allows.
const BEFORE_HIGH: [u8; 16] = [
    // 0xxx: ASCII
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    // 10xx: continuation
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    // 1100, 1101: lead byte of two
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    // 1110: lead byte of three
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    // 1111: lead byte of four, or none
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
];

/// Errors that the low nibble of the byte before allows.
const BEFORE_LOW: [u8; 16] = [
    // xxxx0000
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    // xxxx0001
    ANY_LOW | OVERLONG_2,
    // xxxx001x
    ANY_LOW,
    ANY_LOW,
    // xxxx0100
    ANY_LOW | TOO_LARGE,
    // xxxx0101 and above: only F4 may stand in front of 80..=8F
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    // xxxx1101
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
];

/// Errors that the high nibble of the byte itself allows.
const HIGH: [u8; 16] = [
    // 0xxx: ASCII
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    // 1000
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | OVERLONG_3 | OVERLONG_4 | TOO_LARGE_1000,
    // 1001
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | OVERLONG_3 | TOO_LARGE,
    // 101x
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | SURROGATE | TOO_LARGE,
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | SURROGATE | TOO_LARGE,
    // 11xx: lead byte
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
];

/// The tables and constants of the check, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Checker<V: Vector> {
    before_high: V,
    before_low: V,
    high: V,
    low_nibble: V,
    token: V::Token,
}

impl<V: Vector> Checker<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            before_high: V::table(token, &BEFORE_HIGH),
            before_low: V::table(token, &BEFORE_LOW),
            high: V::table(token, &HIGH),
            low_nibble: V::splat(token, 0x0F),
            token,
        }
    }

    /// Lanes that are not zero are bytes at which an error is known, given the bytes one, two and three places back.
    #[inline(always)]
    pub(crate) fn errors(&self, bytes: V, back1: V, back2: V, back3: V) -> V {
        let special = self.special(bytes, back1);
        let asked = back2.asking_from(self.token, 0xE0).or(back3.asking_from(self.token, 0xF0));
        special.one_less_where(self.token, asked)
    }

    /// [`errors`](Self::errors) where no byte from F0 on is among the three.
    #[inline(always)]
    pub(super) fn errors_of_three(&self, bytes: V, back1: V, back2: V) -> V {
        let special = self.special(bytes, back1);
        special.one_less_where(self.token, back2.asking_from(self.token, 0xE0))
    }

    /// The errors that a byte and the one before allow in all three tables.
    #[inline(always)]
    pub(super) fn special(&self, bytes: V, back1: V) -> V {
        back1
            .high_nibble()
            .lookup16(self.before_high)
            .and(back1.and(self.low_nibble).lookup16(self.before_low))
            .and(bytes.high_nibble().lookup16(self.high))
    }

    /// The errors of bytes `at..at + STEP` of `bytes`, which has [`BACK`] more in front of them. `watch` sees them.
    #[inline(always)]
    pub(super) fn errors_in(
        &self,
        token: V::Token,
        bytes: &[u8],
        at: usize,
        watch: &mut impl Watch<V>,
    ) -> V {
        let mut errors = self.errors_at(token, bytes, at, watch);
        let mut k = V::LANES;
        while k < STEP {
            errors = errors.or(self.errors_at(token, bytes, at + k, watch));
            k += V::LANES;
        }
        errors
    }

    /// [`errors`](Self::errors) of the vector at `at`, [`BACK`] bytes behind the beginning of `bytes`.
    #[inline(always)]
    pub(super) fn errors_at(
        &self,
        token: V::Token,
        bytes: &[u8],
        at: usize,
        watch: &mut impl Watch<V>,
    ) -> V {
        let back = |n| V::load(token, V::place(bytes, BACK - n), at);
        watch.see(back(0));
        self.errors_for(watch, back(0), back(1), back(2), back(3))
    }

    /// [`errors`](Self::errors), of which `watch` may need less.
    #[inline(always)]
    fn errors_for<W: Watch<V>>(&self, _: &W, bytes: V, back1: V, back2: V, back3: V) -> V {
        if W::THREE {
            self.errors_of_three(bytes, back1, back2)
        } else {
            self.errors(bytes, back1, back2, back3)
        }
    }

    /// [`errors`](Self::errors) of the vector at the beginning of the input.
    #[inline(always)]
    pub(super) fn errors_at_start(&self, bytes: V, watch: &mut impl Watch<V>) -> V {
        watch.see(bytes);
        let back3 = bytes.shifted::<3>();
        self.errors_for(watch, bytes, bytes.shifted::<1>(), bytes.shifted::<2>(), back3)
    }

    /// The errors of `src`, which is too short for whole blocks.
    #[inline(always)]
    pub(super) fn errors_of_short(
        &self,
        token: V::Token,
        src: &[u8],
        watch: &mut impl Watch<V>,
    ) -> V {
        if src.len() <= V::LANES {
            return self.errors_at_start(V::of_words(token, words::padded(src)), watch);
        }
        let mut errors = self.errors_at_start(V::load(token, src, 0), watch);
        let mut at = V::LANES;
        while at + V::LANES <= src.len() {
            errors = errors.or(self.errors_at(token, src, at - BACK, watch));
            at += V::LANES;
        }
        if at == src.len() {
            return errors;
        }
        // The last vector ends with the input. What it sees again is masked, as is what would look back beyond the
        // beginning.
        let start = src.len() - V::LANES;
        let (last, keep) = (V::load(token, src, start), count::last(token, src.len() - at));
        watch.see(last.and(keep));
        errors.or(match start.checked_sub(BACK) {
            Some(start) => self.errors_at(token, src, start, &mut ()),
            None => self.errors_at_start(last, &mut ()).and(keep),
        })
    }
}

/// Whether `src` ends inside a sequence, as far as its last three bytes show.
#[inline(always)]
pub(crate) fn ends_incomplete(src: &[u8]) -> bool {
    match *src {
        [.., b3, b2, b1] => b1 >= 0xC0 || b2 >= 0xE0 || b3 >= 0xF0,
        [b2, b1] => b1 >= 0xC0 || b2 >= 0xE0,
        [b1] => b1 >= 0xC0,
        [] => false,
    }
}

/// Bytes that are checked without asking whether they are ASCII, behind a block that is not.
pub(super) const STRIDE: usize = 2 * STEP;

/// Bytes whose errors are tested together.
pub(super) const TOGETHER: usize = 4 * STRIDE;

/// What goes along with a validation and sees every byte once, but for ASCII: of that it may be spared any.
pub(super) trait Watch<V: Vector> {
    /// Whether bytes from F0 on are wrong to it, so that nothing need be known of what these ask for.
    const THREE: bool = false;

    /// Sees some bytes. Zeros among them may be no part of the input.
    fn see(&mut self, bytes: V);

    /// Hears that errors have been tested. At most [`TOGETHER`] bytes are seen between two such calls; in front of the
    /// first [`STEP`] more, behind the last less than [`STRIDE`] more.
    fn tested(&mut self);

    /// Sees the rest of the input, `src[at..]`: some bytes, less than [`STRIDE`]. `src` is longer than [`STEP`].
    fn rest(&mut self, src: &[u8], at: usize);
}

/// Nothing goes along.
impl<V: Vector> Watch<V> for () {
    #[inline(always)]
    fn see(&mut self, _: V) {}

    #[inline(always)]
    fn tested(&mut self) {}

    #[inline(always)]
    fn rest(&mut self, _: &[u8], _: usize) {}
}

/// Whether `src` is well-formed. If not, how many bytes are known to be, but for a sequence that goes on there: where
/// [`locate`] may begin.
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    if V::is_within(src.len(), 16) {
        return check_few::<V::Half>(V::half(token), src);
    }
    check_with::<V, _>(token, src, &mut ()).map_err(
        #[inline(always)]
        |tested| nearer::<V>(token, src, tested),
    )
}

/// As much of `src` as is known to be well-formed, but for a sequence that goes on there, when nothing else is wrong in front
/// of `tested`: up to the block with the error, so that the reference has less to look at.
#[inline(always)]
pub(super) fn nearer<V: Vector>(token: V::Token, src: &[u8], tested: usize) -> usize {
    let checker = Checker::<V>::new(token);
    let mut at = tested;
    if at < BACK {
        if src.len() < V::LANES || checker.errors_at_start(V::load(token, src, 0), &mut ()).any() {
            return tested;
        }
        at = V::LANES;
    }
    while let Some(bytes) = src[at - BACK..].first_chunk::<{ BACK + STEP }>()
        && !checker.errors_in(token, bytes, 0, &mut ()).any()
    {
        at += STEP;
    }
    at
}

/// [`check`] of at most 16 bytes. Most of them that are ASCII don't come here.
#[inline(always)]
pub(super) fn check_few<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    let bytes = V::of_words(token, words::padded16(src));
    let errors = Checker::<V>::new(token).errors_at_start(bytes, &mut ());
    verdict(token, src, errors, 0)
}

/// [`check`] with something that goes along. After an error it has seen nothing in particular.
#[inline(always)]
pub(super) fn check_with<V: Vector, W: Watch<V>>(
    token: V::Token,
    src: &[u8],
    watch: &mut W,
) -> Result<(), usize> {
    if V::is_within(src.len(), BACK + STEP - 1) {
        return check_short(token, src, watch);
    }
    // Everything in front of `tested` is well-formed, but for a sequence that goes on there.
    let (mut at, mut tested) = (ascii::run::<V>(token, src, 0), 0);
    if at == src.len() {
        return Ok(());
    }
    let checker = Checker::<V>::new(token);
    let mut errors = V::splat(token, 0);
    if at == 0 {
        errors = checker.errors_at_start(V::load(token, src, 0), watch);
        at = V::LANES;
        while at < STEP {
            errors = errors.or(checker.errors_at(token, src, at - BACK, watch));
            at += V::LANES;
        }
    }
    let (mut ahead, mut untested) = (&src[at - BACK..], 0);
    while let Some(bytes) = ahead.first_chunk::<{ BACK + STRIDE }>() {
        errors = errors.or(checker.errors_in(token, bytes, 0, watch));
        let second = errors.once_known(&bytes[STEP..]);
        errors = errors.or(checker.errors_in(token, second, 0, watch));
        ahead = &ahead[STRIDE..];
        untested += STRIDE;
        // In front of ASCII too, however little there is to test: a run of it has no end that an error could wait for.
        let ascii = !ascii::any_high::<V>(token, V::place(second, BACK), 0..STEP);
        if ascii || untested >= TOGETHER {
            if errors.any() {
                return Err(tested);
            }
            (tested, untested) = (src.len() - ahead.len() + BACK, 0);
            watch.tested();
        }
        if ascii {
            ahead = &src[ascii::run::<V>(token, src, tested) - BACK..];
        }
    }
    at = src.len() - ahead.len() + BACK;
    // Less than a stride is left: two blocks that end with the input, and overlap what has been checked.
    if at < src.len() {
        let last = src.len() - BACK - STEP;
        let mut block = last.min(at - BACK);
        loop {
            errors = errors.or(checker.errors_in(token, &src[block..], 0, &mut ()));
            if block == last {
                break;
            }
            block = last;
        }
        watch.rest(src, at);
    }
    verdict(token, src, errors, tested)
}

/// [`check_with`] of what is too short for whole blocks.
#[inline(always)]
fn check_short<V: Vector, W: Watch<V>>(
    token: V::Token,
    src: &[u8],
    watch: &mut W,
) -> Result<(), usize> {
    let ascii = if src.len() <= words::SHORT {
        words::is_ascii(src)
    } else {
        ascii::is_short_run::<V>(token, src)
    };
    if ascii {
        return Ok(());
    }
    let checker = Checker::<V>::new(token);
    verdict(token, src, checker.errors_of_short(token, src, watch), 0)
}

/// The largest bytes that a vector can end with where no sequence is cut off.
static COMPLETE: [u8; 64] = {
    let mut most = [0xFF; 64];
    most[61] = 0xEF;
    most[62] = 0xDF;
    most[63] = 0xBF;
    most
};

/// Lanes that are not zero say that the text that ends with `last` ends inside a sequence, as far as its last three bytes
/// show.
#[inline(always)]
pub(super) fn cut_off<V: Vector>(token: V::Token, last: V) -> V {
    last.saturating_sub(V::load(token, &COMPLETE, 64 - V::LANES))
}

/// The result, when all of `src` has been checked and its errors since `tested` are in `errors`. What is shorter than a
/// vector has been checked with zeros behind it, so a sequence that is cut off there is among them.
#[inline(always)]
pub(super) fn verdict<V: Vector>(
    token: V::Token,
    src: &[u8],
    mut errors: V,
    tested: usize,
) -> Result<(), usize> {
    if !V::is_within(src.len(), V::LANES - 1) {
        errors = errors.or(cut_off(token, V::load(token, src, src.len() - V::LANES)));
    }
    if errors.any() { Err(tested) } else { Ok(()) }
}

/// The first error of `src`, in front of which everything up to `tested` is well-formed but for a sequence that goes on
/// there.
#[cold]
#[inline(never)]
pub(crate) fn locate(src: &[u8], tested: usize) -> Result<(), Error> {
    // The sequence may be cut short exactly at `tested`: what goes on there need not be a continuation byte.
    let start = scalar::utf8::character_start(src, tested.saturating_sub(1));
    scalar::utf8::validate(&src[start..]).map_err(|error| error.behind(start))
}
