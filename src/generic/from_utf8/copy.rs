//! UTF-8 to UTF-8: the [validation](super::check) that also stores the bytes it has loaded.
//!
//! Bytes are copied before they are validated. The output after the progress is scratch space, so
//! errors can be tested as seldom as without a copy.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{BACK, STEP};
use crate::generic::copy::{self, CopyObserver};
use crate::generic::from_utf8::check::{
    STRIDE, Utf8Checker, check_few, cut_before, locate, nearer, verdict,
};
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
    let checker = Utf8Checker::<V>::new(token);
    let mut nowhere = [MaybeUninit::uninit(); STRIDE];
    let mut errors = V::splat(token, 0);
    // The bytes before `tested` are well-formed, but for a sequence that may continue there.
    let (mut at, mut tested) = (STEP, 0);
    let mut ascii = copied_ascii::<V, W>(token, src, dst, 0, &mut nowhere) == Some(true);
    if !ascii {
        errors = checker.errors_of_first_block(token, src, observer);
    }
    loop {
        if ascii {
            // The run may be long, so the errors before it are tested now.
            if errors.or(observer.stops(token)).any() {
                return Err(tested);
            }
            observer.tested();
            at = end_of_ascii::<V, W>(token, src, dst, at, &mut nowhere);
            tested = at;
        }
        let (Some(from), Some(to)) = (
            src[at - BACK..].first_chunk::<{ BACK + STRIDE }>(),
            copy::room::<V, W, STRIDE>(dst, at, &mut nowhere),
        ) else {
            break;
        };
        // All stores first: the compiler cannot know that they leave the source unchanged, and
        // would keep them in order with all loads.
        copy::block::<V, (), STRIDE>(token, from[BACK..].try_into().expect("as long"), to);
        errors = errors.or(checker.errors_in(token, from, 0, observer));
        at += STRIDE;
        // Only the second block is tested for ASCII: the first one seldom is.
        let second = errors.once_known(&from[STEP..]);
        ascii = !copy::has_others::<V, W>(token, V::place(second, BACK));
        if ascii {
            errors = errors.or(cut_before(token, second));
            continue;
        }
        errors = errors.or(checker.errors_in(token, second, 0, observer));
        if at - tested >= W::TOGETHER {
            if errors.or(observer.stops(token)).any() {
                return Err(tested);
            }
            observer.tested();
            tested = at;
        }
    }
    // Less than a stride is left: two blocks, of which the last ends with the input and may
    // overlap.
    while at < src.len() {
        let from = at.min(src.len() - STEP);
        let bytes = &src[from - BACK..];
        errors = errors.or(match copied_ascii::<V, W>(token, src, dst, from, &mut nowhere) {
            Some(true) => cut_before(token, bytes),
            _ => checker.errors_in(token, bytes, 0, observer),
        });
        at = from + STEP;
    }
    verdict(token, src, errors.or(observer.stops(token)), tested)
}

/// Copies blocks of ASCII from `at` on, and perhaps the block after them. Returns their end; the
/// last two blocks of the text may be left out.
///
/// Two branches for two blocks, as in [validation](super::check).
#[inline(always)]
fn end_of_ascii<V: Vector, W: CopyObserver<V>>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
    nowhere: &mut [MaybeUninit<u8>; STRIDE],
) -> usize {
    while let (Some(from), Some(to)) =
        (src[at..].first_chunk::<STRIDE>(), copy::room::<V, W, STRIDE>(dst, at, nowhere))
    {
        let (from, to) = (from.as_chunks::<STEP>().0, to.as_chunks_mut::<STEP>().0);
        if copy::block::<V, W, STEP>(token, &from[0], &mut to[0]).any_high() {
            return at;
        }
        if copy::block::<V, W, STEP>(token, &from[1], &mut to[1]).any_high() {
            return at + STEP;
        }
        at += STRIDE;
    }
    at
}

/// Copies the block at `at`. Returns whether it is ASCII that does not stop `W`, or `None` if there
/// is no block.
#[inline(always)]
fn copied_ascii<V: Vector, W: CopyObserver<V>>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
    nowhere: &mut [MaybeUninit<u8>; STRIDE],
) -> Option<bool> {
    let from = src[at..].first_chunk::<STEP>()?;
    let to = copy::room::<V, W, STEP>(dst, at, nowhere)?;
    Some(!copy::block::<V, W, STEP>(token, from, to).any_high())
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
