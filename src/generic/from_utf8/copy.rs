//! Copies and validates UTF-8: the [validation](super::check) also stores the bytes that it has
//! loaded.
//!
//! Bytes are copied before they are validated. The output after the returned progress is scratch
//! space, so errors are tested as seldom as without a copy.
//!
//! 1. Copy the ASCII blocks at the start of the text.
//! 2. Copy a stride of two blocks and collect the errors of the first block. If the second block is
//!    ASCII, test the errors, copy the ASCII blocks after it, and repeat this step. Else collect
//!    the errors of the second block too. Test the errors every 512 bytes.
//! 3. Copy and check the last blocks. The last block ends with the text and may overlap the block
//!    before it.
//! 4. After an error, the reference finds the offset of the error, beginning at the last test.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::encoding::scheme::Scheme;
use crate::generic::from_utf8::ascii_runs::incomplete_before;
use crate::generic::from_utf8::check::{
    ERROR_TEST_BYTES, STRIDE_BYTES, Utf8Checker, check_tiny, find_error_from, locate, verdict,
};
use crate::generic::{ascii, copy};
use crate::swar::units::spread;
use crate::swar::words;
use crate::types::progress::Reach;

/// Validates `src` and copies its longest well-formed prefix that fits into `dst`.
///
/// The caller has already tried [`copy::short_utf8`]: if `src` is short and fits, it has been
/// copied and is not ASCII.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let fitting_len = src.len().min(dst.len());
    let copied = if V::takes_short_path(fitting_len, LOOKBEHIND_BYTES + STEP - 1) {
        if fitting_len < src.len() && fitting_len <= words::LOADED_MAX_BYTES {
            spread(&src[..fitting_len], Scheme::Utf8, &mut dst[..fitting_len]);
        }
        copy_short::<V>(token, &src[..fitting_len], &mut dst[..fitting_len])
    } else {
        copy_long::<V>(token, &src[..fitting_len], &mut dst[..fitting_len])
    };
    let valid = match copied {
        Ok(()) => fitting_len,
        Err(tested) => {
            match locate(
                &src[..fitting_len],
                find_error_from::<V>(token, &src[..fitting_len], tested),
            ) {
                Ok(()) => fitting_len,
                Err(error) => error.valid_up_to(),
            }
        }
    };
    Reach { read: valid, written: valid }
}

/// Validates `src` and copies it to `dst`, which has the same length. `src` has at least a block
/// plus [`LOOKBEHIND_BYTES`] bytes. `Err` holds a byte offset as in [`check`](super::check::check);
/// all bytes before it have been copied.
#[inline(always)]
fn copy_long<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<(), usize> {
    let mut at = match copy_ascii_prefix::<V>(token, src, dst) {
        AsciiPrefix::All => return Ok(()),
        AsciiPrefix::Blocks(at) => at,
        AsciiPrefix::Copied(at) => return copy_tail_after_ascii::<V>(token, src, dst, at),
    };
    let checker = Utf8Checker::<V>::new(token);
    // The bytes before `tested` are well-formed, except that `tested` may split a sequence.
    let mut tested = at;
    let mut errors = V::splat(token, 0);
    if at == 0 {
        errors = checker.errors_of_first_block(token, src, &mut ());
        at = STEP;
    }
    let mut ascii = false;
    loop {
        if ascii {
            // The ASCII run may be long, so the errors before the run are tested now.
            if errors.any() {
                return Err(tested);
            }
            at = copy_ascii_blocks::<V>(token, src, dst, at);
            tested = at;
        }
        let (Some(from), Some(to)) = (
            src[at - LOOKBEHIND_BYTES..].first_chunk::<{ LOOKBEHIND_BYTES + STRIDE_BYTES }>(),
            dst.get_mut(at..).and_then(<[_]>::first_chunk_mut::<STRIDE_BYTES>),
        ) else {
            break;
        };
        // All stores come first: LLVM cannot know that they leave the source unchanged, and would
        // keep them in order with all loads.
        copy::block::<V, STRIDE_BYTES>(
            token,
            from[LOOKBEHIND_BYTES..]
                .try_into()
                .expect("the window without the lookbehind is a stride"),
            to,
        );
        errors = errors.or(checker.errors_in(token, from, 0, &mut ()));
        at += STRIDE_BYTES;
        // Only the second block is tested for ASCII, because the first block is seldom ASCII.
        let second = errors.delay_loads(&from[STEP..]);
        ascii = !ascii::any_high_bit::<V>(token, V::suffix(second, LOOKBEHIND_BYTES), 0..STEP);
        if ascii {
            errors = errors.or(incomplete_before(token, second));
            continue;
        }
        errors = errors.or(checker.errors_in(token, second, 0, &mut ()));
        if at - tested >= ERROR_TEST_BYTES {
            if errors.any() {
                return Err(tested);
            }
            tested = at;
        }
    }
    // Less than a stride is left: at most two blocks. The last block ends with the input and may
    // overlap the block before it.
    while at < src.len() {
        let from = at.min(src.len() - STEP);
        let Some(bytes) = src
            .get(from - LOOKBEHIND_BYTES..)
            .and_then(<[u8]>::first_chunk::<{ LOOKBEHIND_BYTES + STEP }>)
        else {
            // This window always exists. If it did not, the reference would find the result.
            return Err(tested);
        };
        let ascii = copy_block::<V>(token, src, dst, from) == Some(true);
        errors = errors.or(match ascii {
            true => incomplete_before(token, bytes),
            false => checker.errors_in(token, bytes, 0, &mut ()),
        });
        at = from + STEP;
    }
    verdict(token, src, errors, tested)
}

/// Validates and copies the end of a text. All bytes before `tested` are ASCII, less than a stride
/// is left, and the next block has been copied. Many short texts have only one block that is not
/// ASCII; for these, the loop of [`copy_long`] has too many tests.
#[inline(always)]
fn copy_tail_after_ascii<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    tested: usize,
) -> Result<(), usize> {
    let checker = Utf8Checker::<V>::new(token);
    let mut errors = V::splat(token, 0);
    let last = src.len() - STEP;
    let mut from = tested.min(last);
    loop {
        let Some(bytes) = src
            .get(from - LOOKBEHIND_BYTES..)
            .and_then(<[u8]>::first_chunk::<{ LOOKBEHIND_BYTES + STEP }>)
        else {
            // This window always exists. If it did not, the reference would find the result.
            return Err(tested);
        };
        errors = errors.or(checker.errors_in(token, bytes, 0, &mut ()));
        if from == last {
            return verdict(token, src, errors, tested);
        }
        from = last;
        copy_block::<V>(token, src, dst, from);
    }
}

/// The part of a text that [`copy_ascii_prefix`] has copied.
enum AsciiPrefix {
    /// The whole text is ASCII.
    All,
    /// The ASCII blocks before this byte offset.
    Blocks(usize),
    /// The ASCII blocks before this byte offset, and the next block, which is not ASCII. Less than
    /// a stride is left after the offset.
    Copied(usize),
}

/// Copies the ASCII blocks at the start, and perhaps the block after them.
#[inline(always)]
fn copy_ascii_prefix<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> AsciiPrefix {
    if copy_block::<V>(token, src, dst, 0) != Some(true) {
        return AsciiPrefix::Blocks(0);
    }
    let mut at = copy_ascii_blocks::<V>(token, src, dst, STEP);
    if src.len() - at >= STRIDE_BYTES {
        return AsciiPrefix::Blocks(at);
    }
    while at < src.len() {
        let from = at.min(src.len() - STEP);
        if copy_block::<V>(token, src, dst, from) != Some(true) {
            return AsciiPrefix::Copied(at);
        }
        at = from + STEP;
    }
    AsciiPrefix::All
}

/// Copies the ASCII blocks from byte `at` on, and perhaps the block after them. Returns the byte
/// offset of the end of the ASCII blocks; the last two blocks of the text may be left out.
///
/// There is a branch for each block, as in the [validation](super::check).
#[inline(always)]
fn copy_ascii_blocks<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut at: usize,
) -> usize {
    let strides = src[at..].as_chunks().0.iter();
    for (from, to) in strides.zip(dst[at..].as_chunks_mut().0) {
        if let Some(ascii_len) = copy_ascii_in_stride::<V>(token, from, to) {
            return at + ascii_len;
        }
        at += STRIDE_BYTES;
    }
    at
}

/// Copies a stride, up to and including its first block that is not ASCII. Returns the offset of
/// that block in the stride, or `None` if both blocks are ASCII.
#[inline(always)]
fn copy_ascii_in_stride<V: Vector>(
    token: V::Token,
    from: &[u8; STRIDE_BYTES],
    to: &mut [MaybeUninit<u8>; STRIDE_BYTES],
) -> Option<usize> {
    let (from, to) = (from.as_chunks::<STEP>().0, to.as_chunks_mut::<STEP>().0);
    if copy::block::<V, STEP>(token, &from[0], &mut to[0]).any_high_bit() {
        return Some(0);
    }
    copy::block::<V, STEP>(token, &from[1], &mut to[1]).any_high_bit().then_some(STEP)
}

/// Copies the block at byte `at`. Returns true if the block is ASCII, or `None` if less than a
/// block is left.
#[inline(always)]
fn copy_block<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<bool> {
    let from = src.get(at..)?.first_chunk::<STEP>()?;
    let to = dst.get_mut(at..)?.first_chunk_mut::<STEP>()?;
    Some(!copy::block::<V, STEP>(token, from, to).any_high_bit())
}

/// Does the same as [`copy_long`], for less than a block plus [`LOOKBEHIND_BYTES`] bytes. An input
/// shorter than a vector has been copied already.
#[inline(always)]
fn copy_short<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Result<(), usize> {
    if src.len() <= 16 {
        return check_tiny::<V::Vector16>(V::token_of_16_bytes(token), src);
    }
    if src.len() > words::LOADED_MAX_BYTES && copy_half_steps::<V>(token, src, dst) {
        return Ok(());
    }
    let errors = Utf8Checker::<V>::new(token).errors_of_short(token, src, &mut ());
    verdict(token, src, errors, 0)
}

/// Copies `src`, which has 32 to 96 bytes, to `dst`, which has the same length, in overlapping
/// parts of 32 bytes. Returns true if `src` is ASCII.
#[inline(always)]
fn copy_half_steps<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    const HALF_STEP_BYTES: usize = STEP / 2;
    let mut ored = V::splat(token, 0);
    if let (Some(from), Some(to)) = (src.first_chunk(), dst.first_chunk_mut()) {
        ored = copy::block::<V, HALF_STEP_BYTES>(token, from, to);
    }
    if src.len() > STEP
        && let (Some(from), Some(to)) =
            (src[HALF_STEP_BYTES..].first_chunk(), dst[HALF_STEP_BYTES..].first_chunk_mut())
    {
        ored = ored.or(copy::block::<V, HALF_STEP_BYTES>(token, from, to));
    }
    if let (Some(from), Some(to)) = (src.last_chunk(), dst.last_chunk_mut()) {
        ored = ored.or(copy::block::<V, HALF_STEP_BYTES>(token, from, to));
    }
    !ored.any_high_bit()
}
