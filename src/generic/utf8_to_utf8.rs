//! UTF-8 to UTF-8: the [validation](super::utf8), which stores what it has loaded.
//!
//! Everything is copied before it is known to be right: what lies behind the progress is scratch. So errors can be tested
//! as seldom as without a copy.

use core::mem::MaybeUninit;

use super::utf8::{Checker, STRIDE, TOGETHER, Watch, check_few, locate, nearer, verdict};
use super::{ascii, copy, words};
use crate::arch::Vector;
use crate::arch::window::{BACK, STEP};
use crate::progress::Reach;

/// Validates and copies: the longest well-formed text that fits.
///
/// [`copy::short_utf8`] has been asked before: if `src` is short and fits, it has been copied and isn't ASCII.
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

/// Validates `src` and copies it to `dst`, of the same length. After an error all that stands in front of it is there.
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

/// What goes along with a copy, and may stop it. It sees the last bytes twice.
pub(super) trait Stop<V: Vector>: Watch<V> {
    /// Whether anything is copied at all.
    const WRITE: bool = true;

    /// Whether it stops at NUL, also in ASCII.
    const NUL: bool = false;

    /// Bytes whose errors are tested together.
    const TOGETHER: usize = TOGETHER;

    /// Lanes that are not zero: something has been seen to stop at, as at an error.
    fn stops(&self, token: V::Token) -> V;
}

/// Nothing stops it.
impl<V: Vector> Stop<V> for () {
    #[inline(always)]
    fn stops(&self, token: V::Token) -> V {
        V::splat(token, 0)
    }
}

/// [`copy_valid`] of a block or more and what stands in front of it, with something that goes along, and may stop it as an error
/// does. After either it has seen nothing in particular.
#[inline(always)]
pub(super) fn copy_with<V: Vector, W: Stop<V>>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    watch: &mut W,
) -> Result<(), usize> {
    // Everything in front of `tested` is well-formed, but for a sequence that goes on there.
    let (mut at, mut tested) = (copy::run::<V, W>(token, src, dst), 0);
    if at == src.len() {
        return Ok(());
    }
    let checker = Checker::<V>::new(token);
    let mut errors = V::splat(token, 0);
    if at == 0 {
        // The run has copied this block, and stopped in it.
        errors = checker.errors_at_start(V::load(token, src, 0), watch);
        at = V::LANES;
        while at < STEP {
            errors = errors.or(checker.errors_at(token, src, at - BACK, watch));
            at += V::LANES;
        }
    }
    let mut nowhere = [MaybeUninit::uninit(); STRIDE];
    while let (Some(from), Some(to)) = (
        src[at - BACK..].first_chunk::<{ BACK + STRIDE }>(),
        copy::room::<V, W, STRIDE>(dst, at, &mut nowhere),
    ) {
        // All stores first: the compiler can't know that they leave the source alone, and would order all loads by them.
        copy::block::<V, (), STRIDE>(token, from[BACK..].try_into().expect("as long"), to);
        errors = errors.or(checker.errors_in(token, from, 0, watch));
        let second = errors.once_known(&from[STEP..]);
        errors = errors.or(checker.errors_in(token, second, 0, watch));
        let ascii = !ascii::any_high::<V>(token, V::place(second, BACK), 0..STEP);
        at += STRIDE;
        if ascii || at - tested >= W::TOGETHER {
            if errors.or(watch.stops(token)).any() {
                return Err(tested);
            }
            watch.tested();
            tested = at;
        }
        if ascii {
            let room = if W::WRITE { &mut dst[at..] } else { &mut [] };
            at += copy::run::<V, W>(token, &src[at..], room);
        }
    }
    // Less than a stride is left: two blocks, of which the last ends with the input and may overlap.
    let rest = src.len() - at;
    if rest > STEP {
        errors = errors.or(step(token, &checker, src, dst, at, watch));
    }
    if rest > 0 {
        errors = errors.or(step(token, &checker, src, dst, src.len() - STEP, watch));
    }
    verdict(token, src, errors.or(watch.stops(token)), tested)
}

/// Copies the block at `at` and checks it.
#[inline(always)]
fn step<V: Vector, W: Stop<V>>(
    token: V::Token,
    checker: &Checker<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
    watch: &mut W,
) -> V {
    if W::WRITE
        && let (Some(from), Some(to)) = (src[at..].first_chunk(), dst[at..].first_chunk_mut())
    {
        copy::block::<V, (), STEP>(token, from, to);
    }
    checker.errors_in(token, &src[at - BACK..at + STEP], 0, watch)
}

/// [`copy_valid`] of less than a block and what stands in front of it. What is shorter than vectors has been copied.
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
    let errors = Checker::<V>::new(token).errors_of_short(token, src, &mut ());
    verdict(token, src, errors, 0)
}

/// Copies `src`, of 32 to 96 bytes, to `dst`, of the same length, in parts of 32 that overlap; says whether it is ASCII.
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
