//! Validates UTF-8 by table lookup: Keiser and Lemire, "Validating UTF-8 in less than one
//! instruction per byte" (2021, arXiv 2010.03090).
//!
//! The errors of a byte `b` are computed from `b` and from `b1`, `b2` and `b3`, the bytes one, two
//! and three before it:
//!
//! 1. `special = BEFORE_HIGH[b1 >> 4] & BEFORE_LOW[b1 & 15] & BYTE_HIGH[b >> 4]`. Each table gives
//!    the set of errors that are possible with its four bits. An error that is in all three sets
//!    has occurred.
//! 2. `required = b2 >= 0xE0 || b3 >= 0xF0`: a lead byte two or three bytes back requires a
//!    continuation byte here.
//! 3. `errors = special ^ required`. Bit 0 of `special` means "two continuation bytes in a row". If
//!    `required` is false, having two is an error; if it is true, not having two is an error.
//!
//! A text is checked in these steps:
//!
//! 1. Skip the ASCII blocks at the start.
//! 2. Combine the errors of the following blocks with a bitwise or, and test them every 512 bytes.
//! 3. At an ASCII block, test the errors, and test that no sequence is incomplete before the block.
//!    Skip the ASCII blocks. Continue with 2.
//! 4. The last block ends with the text and may overlap the block before it. Test the errors, and
//!    test that the text does not end inside a sequence.
//! 5. After an error, [`find_error_from`] finds the byte with the error, and [`locate`] calls the
//!    scalar reference for the text from the last character before that byte on.
//!
//! This code differs from the paper in three ways:
//!
//! - The bytes one, two and three bytes back are loaded from memory again instead of being shifted
//!   together from two registers, which frees the shuffle ports.
//! - ASCII blocks and other blocks have separate loops, each with one branch for each block. Text
//!   with markup switches between the two kinds every few blocks.
//! - The errors of up to 512 bytes are tested together, because the scalar reference finds the
//!   exact offset anyway.

use crate::arch::hint::rare;
use crate::arch::optional::{LookUpOps, Presence};
use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::from_utf8::ascii_runs::{
    incomplete_at_end, incomplete_before, skip_ascii_blocks,
};
use crate::generic::from_utf8::error_tables::{
    BEFORE_HIGH, BEFORE_LOW, BEFORE_SIX_BITS, BYTE_HIGH, BYTE_SIX_BITS,
};
use crate::generic::{ascii, edge_lanes};
use crate::scalar;
use crate::swar::words;
use crate::types::error::Error;

/// The tables and constants of the check, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Utf8Checker<V: Vector> {
    /// [`BEFORE_HIGH`].
    before_high: V,
    /// [`BEFORE_LOW`].
    before_low: V,
    /// [`BYTE_HIGH`].
    high: V,
    /// The mask of a low nibble.
    low_nibble: V,
    token: V::Token,
}

impl<V: Vector> Utf8Checker<V> {
    #[inline(always)]
    pub(crate) fn new(token: V::Token) -> Self {
        Self {
            before_high: V::table(token, &BEFORE_HIGH),
            before_low: V::table(token, &BEFORE_LOW),
            high: V::table(token, &BYTE_HIGH),
            low_nibble: V::splat(token, 0x0F),
            token,
        }
    }

    /// Returns the errors of each lane of `bytes`. `back1`, `back2` and `back3` have the bytes one,
    /// two and three bytes before. A lane of the result is zero if no error has been detected
    /// there.
    #[inline(always)]
    pub(crate) fn errors(&self, bytes: V, back1: V, back2: V, back3: V) -> V {
        let special = self.special(bytes, back1);
        let required =
            back2.mark_at_least(self.token, 0xE0).or(back3.mark_at_least(self.token, 0xF0));
        special.decrement_marked(self.token, required)
    }

    /// Returns the same as [`errors`](Self::errors), if no byte of the three vectors is 0xF0 or
    /// above.
    #[inline(always)]
    pub(crate) fn errors_of_three(&self, bytes: V, back1: V, back2: V) -> V {
        let special = self.special(bytes, back1);
        special.decrement_marked(self.token, back2.mark_at_least(self.token, 0xE0))
    }

    /// Returns for each lane the errors that are in all three tables, given the byte and the byte
    /// before it.
    #[inline(always)]
    pub(crate) fn special(&self, bytes: V, back1: V) -> V {
        let (before_high, high) = match V::LookUp::OPS {
            // A nibble is extracted by a shift and a mask, the upper six bits only by a shift.
            Some(ops) => {
                (ops.looked_up(back1, &BEFORE_SIX_BITS), ops.looked_up(bytes, &BYTE_SIX_BITS))
            }
            None => {
                let before = back1.high_nibble().lookup16(self.before_high);
                (before, bytes.high_nibble().lookup16(self.high))
            }
        };
        before_high.and(back1.and(self.low_nibble).lookup16(self.before_low)).and(high)
    }

    /// Returns the bitwise or of the [`errors`](Self::errors) of a block, which begins `at` bytes
    /// after the first [`LOOKBEHIND_BYTES`] bytes of `bytes`. `observer` gets the bytes of the
    /// block.
    #[inline(always)]
    pub(crate) fn errors_in(
        &self,
        token: V::Token,
        bytes: &[u8],
        at: usize,
        observer: &mut impl Observer<V>,
    ) -> V {
        let mut errors = V::splat(token, 0);
        let mut k = 0;
        while k < STEP {
            errors = errors.or(self.errors_at(token, bytes, at + k, observer));
            k += V::LANES;
        }
        errors
    }

    /// Returns the [`errors`](Self::errors) of the vector that begins `at` bytes after the first
    /// [`LOOKBEHIND_BYTES`] bytes of `bytes`.
    #[inline(always)]
    pub(crate) fn errors_at(
        &self,
        token: V::Token,
        bytes: &[u8],
        at: usize,
        observer: &mut impl Observer<V>,
    ) -> V {
        let back = |n| V::load(token, V::suffix(bytes, LOOKBEHIND_BYTES - n), at);
        observer.observe(back(0));
        self.errors(back(0), back(1), back(2), back(3))
    }

    /// Returns the same as [`errors_in`](Self::errors_in) for `block`, if no byte of it is 0xF0 or
    /// above.
    #[inline(always)]
    pub(crate) fn errors_of_three_in(
        &self,
        token: V::Token,
        block: &[u8; LOOKBEHIND_BYTES + STEP],
    ) -> V {
        let mut errors = V::splat(token, 0);
        let mut at = 0;
        while at < STEP {
            let back = |n| V::load(token, V::suffix(block, LOOKBEHIND_BYTES - n), at);
            errors = errors.or(self.errors_of_three(back(0), back(1), back(2)));
            at += V::LANES;
        }
        errors
    }

    /// Returns the [`errors`](Self::errors) of `bytes`, the vector at the start of the input.
    #[inline(always)]
    pub(crate) fn errors_at_start(&self, bytes: V, observer: &mut impl Observer<V>) -> V {
        observer.observe(bytes);
        let back3 = bytes.shift_in_zeros::<3>();
        self.errors(bytes, bytes.shift_in_zeros::<1>(), bytes.shift_in_zeros::<2>(), back3)
    }

    /// Returns the bitwise or of the errors of the first block of `src`.
    #[inline(always)]
    pub(crate) fn errors_of_first_block(
        &self,
        token: V::Token,
        src: &[u8],
        observer: &mut impl Observer<V>,
    ) -> V {
        let mut before = V::load(token, src, 0);
        let mut errors = self.errors_at_start(before, observer);
        let mut at = V::LANES;
        while at < STEP {
            let bytes = V::load(token, src, at);
            errors = errors.or(self.errors_after(bytes, before, observer));
            before = bytes;
            at += V::LANES;
        }
        errors
    }

    /// Returns the [`errors`](Self::errors) of `bytes`, given the vector before it. In a short
    /// text, shifting the two vectors together is faster than loading the bytes before again:
    /// nothing else waits for the shuffle ports, and loads may cross cache lines.
    #[inline(always)]
    pub(crate) fn errors_after(&self, bytes: V, before: V, observer: &mut impl Observer<V>) -> V {
        observer.observe(bytes);
        let back1 = bytes.shift_in_last::<1>(before);
        let back2 = bytes.shift_in_last::<2>(before);
        self.errors(bytes, back1, back2, bytes.shift_in_last::<3>(before))
    }

    /// Returns the bitwise or of the errors of a block, given the vector before it.
    #[cfg(feature = "stream")]
    #[inline(always)]
    pub(crate) fn errors_of_block_after(
        &self,
        token: V::Token,
        block: &[u8; STEP],
        before: V,
    ) -> V {
        let mut errors = self.errors_after(V::load(token, block, 0), before, &mut ());
        let mut at = V::LANES;
        while at < STEP {
            errors = errors.or(self.errors_at(token, block, at - LOOKBEHIND_BYTES, &mut ()));
            at += V::LANES;
        }
        errors
    }

    /// Returns the bitwise or of the errors of `src`, which is too short for whole blocks.
    #[inline(always)]
    pub(crate) fn errors_of_short(
        &self,
        token: V::Token,
        src: &[u8],
        observer: &mut impl Observer<V>,
    ) -> V {
        // The same code checks each vector, whatever the length. This compiles faster than separate
        // code for each length.
        let first = match src.len() <= V::LANES {
            true => V::from_words(token, words::padded(src)),
            false => V::load(token, src, 0),
        };
        let mut errors = self.errors_at_start(first, observer);
        if src.len() <= V::LANES {
            return errors;
        }
        let mut at = V::LANES;
        let mut before = first;
        while at + V::LANES <= src.len() {
            let bytes = V::load(token, src, at);
            errors = errors.or(self.errors_after(bytes, before, observer));
            before = bytes;
            at += V::LANES;
        }
        if at == src.len() {
            return errors;
        }
        // The last vector ends with the input. The mask removes the lanes that have been checked
        // already, and the lanes that would look back beyond the start.
        let start = src.len() - V::LANES;
        let (last, keep) =
            (V::load(token, src, start), edge_lanes::last_lanes(token, src.len() - at));
        observer.observe(last.and(keep));
        let [back1, back2, back3] = match start.checked_sub(LOOKBEHIND_BYTES) {
            Some(start) => [
                V::load(token, src, start + 2),
                V::load(token, src, start + 1),
                V::load(token, src, start),
            ],
            None => {
                [last.shift_in_zeros::<1>(), last.shift_in_zeros::<2>(), last.shift_in_zeros::<3>()]
            }
        };
        errors.or(self.errors(last, back1, back2, back3).and(keep))
    }
}

/// The number of bytes of two blocks.
pub(crate) const STRIDE_BYTES: usize = 2 * STEP;

/// The number of bytes whose errors are tested together.
pub(crate) const ERROR_TEST_BYTES: usize = 4 * STRIDE_BYTES;

/// Observes the bytes that a validation loads: each byte once, except that ASCII may be left out.
pub(crate) trait Observer<V: Vector> {
    /// Observes the lanes of `bytes`. Zeros among them may be padding.
    fn observe(&mut self, bytes: V);

    /// Is called after each test of the errors. Between two such calls, at most
    /// [`ERROR_TEST_BYTES`] plus [`STEP`] bytes are observed, and after the last call less than
    /// [`STRIDE_BYTES`] more.
    fn tested(&mut self);

    /// Observes the rest of the input, `src[at..]`, which has 1 to [`STRIDE_BYTES`] bytes. `src` is
    /// longer than [`STEP`].
    fn observe_tail(&mut self, src: &[u8], at: usize);
}

/// The observer that observes nothing.
impl<V: Vector> Observer<V> for () {
    #[inline(always)]
    fn observe(&mut self, _: V) {}

    #[inline(always)]
    fn tested(&mut self) {}

    #[inline(always)]
    fn observe_tail(&mut self, _: &[u8], _: usize) {}
}

/// Validates `src`. `Err` holds a byte offset, from which [`locate`] can begin: the bytes before it
/// are well-formed, except that it may split a sequence.
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    // The first comparison separates long texts, so that they pay for only one comparison.
    if V::takes_short_path(src.len(), LOOKBEHIND_BYTES + STEP - 1) {
        if src.len() <= 16 {
            return check_tiny::<V::Vector16>(V::token_of_16_bytes(token), src);
        }
        return check_short::<V, _>(token, src, &mut ());
    }
    check_with::<V, _>(token, src, &mut ()).map_err(
        #[inline(always)]
        |tested| find_error_from::<V>(token, src, tested),
    )
}

/// Finds the first byte with an error, so that the reference has to check only one sequence.
/// Returns a byte offset, at least `tested`: the bytes before the offset are well-formed, except
/// that the offset may split a sequence.
#[inline(always)]
pub(crate) fn find_error_from<V: Vector>(token: V::Token, src: &[u8], tested: usize) -> usize {
    let checker = Utf8Checker::<V>::new(token);
    let mut at = tested;
    if at < LOOKBEHIND_BYTES {
        if src.len() < V::LANES {
            return tested;
        }
        let errors = checker.errors_at_start(V::load(token, src, 0), &mut ());
        if errors.any() {
            return first_error_lane(token, errors);
        }
        at = V::LANES;
    }
    let Some(mut suffix) = src.get(at - LOOKBEHIND_BYTES..) else { return tested };
    while suffix.len() >= LOOKBEHIND_BYTES + V::LANES {
        let errors = checker.errors_at(token, suffix, 0, &mut ());
        if errors.any() {
            return src.len() - suffix.len() + LOOKBEHIND_BYTES + first_error_lane(token, errors);
        }
        suffix = &suffix[V::LANES..];
    }
    src.len() - suffix.len() + LOOKBEHIND_BYTES
}

/// Returns the index of the first lane of `errors` that is not zero. At least one lane is not zero.
#[inline(always)]
fn first_error_lane<V: Vector>(token: V::Token, errors: V) -> usize {
    let marks = V::splat(token, 0).wrapping_sub(errors.min(V::splat(token, 1)));
    V::bits(&[marks.high_bit_mask()]).trailing_zeros() as usize
}

/// Does the same as [`check`], for at most 16 bytes. The caller has already handled most ASCII
/// texts of this length.
#[inline(always)]
pub(crate) fn check_tiny<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    let bytes = V::from_words(token, words::padded16(src));
    let errors = Utf8Checker::<V>::new(token).errors_at_start(bytes, &mut ());
    verdict(token, src, errors, 0)
}

/// Validates `src` like [`check`], with an observer. After an error, the observer may have observed
/// any part of the bytes.
#[inline(always)]
pub(crate) fn check_with<V: Vector, W: Observer<V>>(
    token: V::Token,
    src: &[u8],
    observer: &mut W,
) -> Result<(), usize> {
    if V::takes_short_path(src.len(), LOOKBEHIND_BYTES + STEP - 1) {
        return check_short(token, src, observer);
    }
    let checker = Utf8Checker::<V>::new(token);
    check_blocks(
        token,
        &checker,
        src,
        observer,
        #[inline(always)]
        |observer| checker.errors_of_first_block(token, src, observer),
        #[inline(always)]
        |errors, tested| verdict(token, src, errors, tested),
    )
}

/// Checks `src`, which is longer than a block. `errors_of_first` returns the errors of the first
/// block; it is called if that block is not ASCII. `verdict` gets the errors that have not been
/// tested, and the byte offset from which on they come; it is called unless `src` ends with ASCII.
/// `Err` holds such an offset: the bytes before it are well-formed, except that the offset may
/// split a sequence.
#[inline(always)]
pub(crate) fn check_blocks<V: Vector, W: Observer<V>>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    src: &[u8],
    observer: &mut W,
    errors_of_first: impl FnOnce(&mut W) -> V,
    verdict: impl FnOnce(V, usize) -> Result<(), usize>,
) -> Result<(), usize> {
    let mut errors = V::splat(token, 0);
    let mut suffix = &src[STEP - LOOKBEHIND_BYTES..];
    if rare::<V>(ascii::any_high_bit::<V>(token, src, 0..STEP)) {
        errors = errors_of_first(observer);
    } else {
        suffix = match skip_ascii_blocks::<V>(token, src, suffix) {
            Some(rest) => rest,
            None => return Ok(()),
        };
        if let Some(bytes) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() {
            errors = checker.errors_in(token, bytes, 0, observer);
            suffix = &suffix[STEP..];
        }
    }
    // The bytes before `tested` are well-formed, except that `tested` may split a sequence.
    let mut tested = 0;
    'text: loop {
        let ascii = loop {
            let Some(bytes) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else {
                break 'text;
            };
            if !ascii::any_high_bit::<V>(token, V::suffix(bytes, LOOKBEHIND_BYTES), 0..STEP) {
                break bytes;
            }
            errors = errors.or(checker.errors_in(token, bytes, 0, observer));
            suffix = &suffix[STEP..];
            // Test the errors every few blocks. The length of the rest serves as the counter.
            if suffix.len() % ERROR_TEST_BYTES < STEP {
                if rare::<V>(errors.any()) {
                    return Err(tested);
                }
                tested = src.len() - suffix.len() + LOOKBEHIND_BYTES;
                observer.tested();
            }
        };
        // No sequence continues in an ASCII block. Test the errors before an ASCII run, because the
        // run may be long.
        if rare::<V>(errors.or(incomplete_before(token, ascii)).any()) {
            return Err(tested);
        }
        observer.tested();
        errors = V::splat(token, 0);
        suffix = match skip_ascii_blocks::<V>(token, src, &suffix[STEP..]) {
            Some(rest) => rest,
            None => return Ok(()),
        };
        tested = src.len() - suffix.len() + LOOKBEHIND_BYTES;
        let Some(bytes) = suffix.first_chunk::<{ LOOKBEHIND_BYTES + STEP }>() else { break };
        errors = checker.errors_in(token, bytes, 0, observer);
        suffix = &suffix[STEP..];
    }
    // Less than a block is left. The last block ends with the input and overlaps bytes that have
    // been checked.
    if suffix.len() > LOOKBEHIND_BYTES {
        let last = src.len() - LOOKBEHIND_BYTES - STEP;
        errors = errors.or(checker.errors_in(token, &src[last..], 0, &mut ()));
        observer.observe_tail(src, src.len() - suffix.len() + LOOKBEHIND_BYTES);
    }
    verdict(errors, tested)
}

/// Does the same as [`check_with`], for an input that is too short for whole blocks.
#[inline(always)]
fn check_short<V: Vector, W: Observer<V>>(
    token: V::Token,
    src: &[u8],
    observer: &mut W,
) -> Result<(), usize> {
    let is_ascii = if src.len() <= words::LOADED_MAX_BYTES {
        words::is_ascii(src)
    } else {
        ascii::is_short_run::<V>(token, src)
    };
    if is_ascii {
        return Ok(());
    }
    let checker = Utf8Checker::<V>::new(token);
    verdict(token, src, checker.errors_of_short(token, src, observer), 0)
}

/// Returns the result of a check of all of `src`. `errors` are the errors from byte offset `tested`
/// on. An input shorter than a vector was checked with zeros after it, so `errors` includes the
/// error of a sequence that is incomplete at the end.
#[inline(always)]
pub(crate) fn verdict<V: Vector>(
    token: V::Token,
    src: &[u8],
    mut errors: V,
    tested: usize,
) -> Result<(), usize> {
    if !V::takes_short_path(src.len(), V::LANES - 1) {
        errors = errors.or(incomplete_at_end(token, V::load(token, src, src.len() - V::LANES)));
    }
    if rare::<V>(errors.any()) { Err(tested) } else { Ok(()) }
}

/// Finds the first error of `src`. The bytes before `tested` are well-formed, except that `tested`
/// may split a sequence.
#[cold]
#[inline(never)]
pub(crate) fn locate(src: &[u8], tested: usize) -> Result<(), Error> {
    // The byte at `tested` may fail to continue the sequence before it, so the reference begins
    // with that sequence.
    let start = scalar::utf8::character_start(src, tested.saturating_sub(1));
    scalar::utf8::validate(&src[start..]).map_err(|error| error.after(start))
}
