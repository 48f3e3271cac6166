//! UTF-8 to UTF-8: the [validation](super::check) that also stores the bytes it has loaded.
//!
//! Bytes are copied before they are validated. The output after the progress is scratch space, so
//! errors can be tested as seldom as without a copy.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{BACK, STEP};
use crate::generic::ascii;
use crate::generic::copy::{self, CopyObserver};
use crate::generic::from_utf8::check::{STRIDE, Utf8Checker, check_few, locate, nearer, verdict};
use crate::swar::words;
use crate::types::progress::Reach;

/// Validates and copies the longest well-formed prefix that fits.
///
/// [`copy::short_utf8`] has been tried before: if `src` is short and fits, it has been copied and
/// is not ASCII.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let fits = src.len().min(dst.len());
    if fits < src.len() && V::is_within(fits, words::SHORT) {
        copy::short(&src[..fits], &mut dst[..fits]);
    }
    let valid = match copy_valid::<V>(token, &src[..fits], &mut dst[..fits]) {
        Ok(()) => fits,
        Err(tested) => match locate(&src[..fits], nearer::<V>(token, &src[..fits], tested)) {
            Ok(()) => fits,
            Err(error) => error.valid_up_to(),
        },
    };
    Reach { read: valid, written: valid }
}

/// Validates `src` and copies it to `dst`, of the same length. After an error, all bytes before it
/// have been copied.
#[inline(always)]
fn copy_valid<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<(), usize> {
    if V::is_within(src.len(), BACK + STEP - 1) {
        return copy_short::<V>(token, src, dst);
    }
    copy_with::<V, _>(token, src, dst, &mut ())
}

/// [`copy_valid`] of at least a block and [`BACK`] bytes, with an observer, which may stop the copy
/// as an error does. After either, the observer may have seen any part of the bytes.
#[inline(always)]
pub(crate) fn copy_with<V: Vector, W: CopyObserver<V>>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    observer: &mut W,
) -> Result<(), usize> {
    // The bytes before `tested` are well-formed, but for a sequence that may continue there.
    let (mut at, mut tested) = (copy::run::<V, W>(token, src, dst), 0);
    if at == src.len() {
        return Ok(());
    }
    let checker = Utf8Checker::<V>::new(token);
    let mut errors = V::splat(token, 0);
    if at == 0 {
        // The run has copied this block, and stopped in it.
        errors = checker.errors_at_start(V::load(token, src, 0), observer);
        at = V::LANES;
        while at < STEP {
            errors = errors.or(checker.errors_at(token, src, at - BACK, observer));
            at += V::LANES;
        }
    }
    let mut nowhere = [MaybeUninit::uninit(); STRIDE];
    while let (Some(from), Some(to)) = (
        src[at - BACK..].first_chunk::<{ BACK + STRIDE }>(),
        copy::room::<V, W, STRIDE>(dst, at, &mut nowhere),
    ) {
        // All stores first: the compiler cannot know that they leave the source unchanged, and
        // would keep them in order with all loads.
        copy::block::<V, (), STRIDE>(token, from[BACK..].try_into().expect("as long"), to);
        errors = errors.or(checker.errors_in(token, from, 0, observer));
        let second = errors.once_known(&from[STEP..]);
        errors = errors.or(checker.errors_in(token, second, 0, observer));
        let ascii = !ascii::any_high::<V>(token, V::place(second, BACK), 0..STEP);
        at += STRIDE;
        if ascii || at - tested >= W::TOGETHER {
            if errors.or(observer.stops(token)).any() {
                return Err(tested);
            }
            observer.tested();
            tested = at;
        }
        if ascii {
            let room = if W::WRITE { &mut dst[at..] } else { &mut [] };
            at += copy::run::<V, W>(token, &src[at..], room);
        }
    }
    // Less than a stride is left: two blocks, of which the last ends with the input and may
    // overlap.
    let rest = src.len() - at;
    if rest > STEP {
        errors = errors.or(step(token, &checker, src, dst, at, observer));
    }
    if rest > 0 {
        errors = errors.or(step(token, &checker, src, dst, src.len() - STEP, observer));
    }
    verdict(token, src, errors.or(observer.stops(token)), tested)
}

/// Copies the block at `at` and checks it.
#[inline(always)]
fn step<V: Vector, W: CopyObserver<V>>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
    observer: &mut W,
) -> V {
    if W::WRITE
        && let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut())
    {
        copy::block::<V, (), STEP>(token, from, to);
    }
    checker.errors_in(token, &src[at - BACK..at + STEP], 0, observer)
}

/// [`copy_valid`] of less than a block and [`BACK`] bytes. An input shorter than a vector has been
/// copied already.
#[inline(always)]
fn copy_short<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<(), usize> {
    if src.len() <= 16 {
        return check_few::<V::Half>(V::half(token), src);
    }
    if src.len() > words::SHORT && copy_halves::<V>(token, src, dst) {
        return Ok(());
    }
    let errors = Utf8Checker::<V>::new(token).errors_of_short(token, src, &mut ());
    verdict(token, src, errors, 0)
}

/// Copies `src`, of 32 to 96 bytes, to `dst`, of the same length, in overlapping parts of 32 bytes.
/// Returns whether it is ASCII.
#[inline(always)]
fn copy_halves<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    const HALF: usize = STEP / 2;
    let mut all = V::splat(token, 0);
    if let (Some(from), Some(to)) = (src.first_chunk(), dst.first_chunk_mut()) {
        all = copy::block::<V, (), HALF>(token, from, to);
    }
    if src.len() > STEP
        && let (Some(from), Some(to)) = (src[HALF..].first_chunk(), dst[HALF..].first_chunk_mut())
    {
        all = all.or(copy::block::<V, (), HALF>(token, from, to));
    }
    if let (Some(from), Some(to)) = (src.last_chunk(), dst.last_chunk_mut()) {
        all = all.or(copy::block::<V, (), HALF>(token, from, to));
    }
    !all.any_high()
}
