//! Validates a chunk of UTF-8. A sequence may be split across the start and the end of the chunk.
//!
//! This is the [check](super::check) of a text with two differences. The first vector looks back to
//! the three bytes before the chunk, and the last three bytes may begin a sequence. So a validator
//! of streams has to keep only three bytes.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::encoding::scheme::Scheme;
use crate::generic::from_utf8::check::{Utf8Checker, check_blocks};
use crate::generic::{ascii, edge_lanes};
use crate::scalar::boundary::{ends_inside_sequence, incomplete_suffix_len};
use crate::scalar::utf8::character_start;
use crate::swar::words;

/// Validates `src`, which is longer than a block. The lowest three bytes of `before` are the last
/// three bytes before the chunk, the last byte highest, or zeros if there are fewer bytes. This
/// function replaces them by the bytes before the next chunk, unless it returns an error.
///
/// `Err` holds a byte offset: the bytes before it are well-formed, except that it may split a
/// sequence. It is always 0 if `src` has less than [`LOOKBEHIND_BYTES`] bytes after its first
/// block: the second block would need the bytes before the chunk again.
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, before: &mut u32, src: &[u8]) -> Result<(), usize> {
    let Some(first) = src.first_chunk::<STEP>() else { return Err(0) };
    if src.len() < STEP + LOOKBEHIND_BYTES {
        return Err(0);
    }
    if ends_inside_sequence(*before) && !ascii::any_high_bit::<V>(token, first, 0..STEP) {
        return Err(0);
    }
    let checker = Utf8Checker::<V>::new(token);
    check_blocks(
        token,
        &checker,
        src,
        &mut (),
        #[inline(always)]
        |()| checker.errors_of_block_after(token, first, vector_before(token, *before)),
        #[inline(always)]
        |errors, tested| verdict(last_three(src), errors, tested),
    )?;
    *before = last_three(src);
    Ok(())
}

/// Does the same as [`check`], for exactly one block and without branches.
#[inline(always)]
pub(crate) fn check_block<V: Vector>(
    token: V::Token,
    before: &mut u32,
    block: &[u8; STEP],
) -> Result<(), usize> {
    let before_block = vector_before(token, *before);
    let errors = Utf8Checker::<V>::new(token).errors_of_block_after(token, block, before_block);
    let last = last_three(block);
    verdict(last, errors, 0)?;
    *before = last;
    Ok(())
}

/// Does the same as [`check`], for a long text:
///
/// 1. Validate the first block after the bytes in `before`.
/// 2. Validate the rest as a text. It begins with the last character that begins in the first
///    block, and ends before an incomplete sequence at the end of the chunk.
#[inline(always)]
pub(crate) fn check_long(
    before: &mut u32,
    src: &[u8],
    check_block: impl Fn(&[u8; STEP], &mut u32) -> Result<(), usize>,
    check_text: impl Fn(&[u8]) -> Result<(), usize>,
) -> Result<(), usize> {
    let Some(block) = src.first_chunk::<STEP>() else { return Err(0) };
    check_block(block, &mut before.clone())?;
    let start = character_start(src, STEP - 1);
    let end = src.len() - const { incomplete_suffix_len(Scheme::Utf8) }(src);
    let checked = check_text(&src[start..end]).map_err(|known| start + known);
    checked.map(|()| *before = last_three(src))
}

/// Does the same as [`check`], for less than a block and in vectors of 16 bytes. `Err` always holds
/// 0.
#[inline(always)]
pub(crate) fn check_short<V: Vector>(
    token: V::Token,
    before: &mut u32,
    src: &[u8],
) -> Result<(), usize> {
    if src.len() < V::LANES {
        return check_tiny::<V>(token, before, src);
    }
    let checker = Utf8Checker::<V>::new(token);
    let first = V::load(token, src, 0);
    let mut errors = checker.errors_after(first, vector_before(token, *before), &mut ());
    let mut at = V::LANES;
    while at + V::LANES <= src.len() {
        errors = errors.or(checker.errors_at(token, src, at - LOOKBEHIND_BYTES, &mut ()));
        at += V::LANES;
    }
    if at < src.len() {
        // The last vector ends with the chunk. It may begin at the second or third byte of the
        // chunk.
        let last = src.len() - V::LANES;
        errors = errors.or(match last.checked_sub(LOOKBEHIND_BYTES) {
            Some(lookbehind_start) => checker.errors_at(token, src, lookbehind_start, &mut ()),
            None => {
                let before = vector_before(token, three_before(*before, src, last));
                checker.errors_after(V::load(token, src, last), before, &mut ())
            }
        });
    }
    let last = last_three(src);
    verdict(last, errors, 0)?;
    *before = last;
    Ok(())
}

/// Returns the three bytes before byte `at` of a chunk. `at` is 1 or 2, and the chunk has at least
/// four bytes.
#[inline(always)]
fn three_before(before: u32, src: &[u8], at: usize) -> u32 {
    let first = src.first_chunk().map_or(0, |first| u32::from_le_bytes(*first));
    ((u64::from(before) | u64::from(first) << 24) >> (8 * at)) as u32
}

/// Does the same as [`check`], for 1 to 15 bytes. A single vector of 16 bytes ends with these bytes
/// and begins with the bytes before them.
#[inline(always)]
fn check_tiny<V: Vector>(token: V::Token, before: &mut u32, src: &[u8]) -> Result<(), usize> {
    let len = src.len();
    if !(1..V::LANES).contains(&len) {
        return Err(0);
    }
    let [low, high, ..] = words::padded16(src);
    let text = u128::from(low) | u128::from(high) << 64;
    let bytes_before = u128::from(*before) << (8 * (16 - LOOKBEHIND_BYTES)) >> (8 * len);
    let joined = text << (8 * (16 - len)) | bytes_before;
    let bytes = V::from_words(token, [joined as u64, (joined >> 64) as u64, 0, 0]);
    // The bytes before the chunk that do not fit into the vector. If the chunk has at most 13
    // bytes, all fit.
    let before_vector = (u128::from(*before) << (8 * (16 - len))) as u32;
    let before_vector = vector_before(token, before_vector);
    let errors = Utf8Checker::<V>::new(token).errors_after(bytes, before_vector, &mut ());
    let last = (joined >> 104) as u32;
    verdict(last, errors.and(edge_lanes::last_lanes(token, len)), 0)?;
    *before = last;
    Ok(())
}

/// Returns a vector that ends with the lowest three bytes of `before`.
#[inline(always)]
fn vector_before<V: Vector>(token: V::Token, before: u32) -> V {
    // Wider vectors are not used for chunks.
    const { assert!(V::LANES <= 32) }
    let mut words = [0; 4];
    words[V::LANES / 8 - 1] = u64::from(before) << 40;
    V::from_words(token, words)
}

/// Returns the result of a check of a whole chunk that ends with the three bytes `last`. `errors`
/// are the errors from byte offset `tested` on.
#[inline(always)]
fn verdict<V: Vector>(last: u32, errors: V, tested: usize) -> Result<(), usize> {
    // The tables report an invalid byte only at the byte after it, so the last byte is tested here.
    if errors.any() || matches!(last >> 16, 0xC0 | 0xC1 | 0xF5..) {
        return Err(tested);
    }
    Ok(())
}

/// Returns the last three bytes of `src` for the check of the next chunk. `src` has at least four
/// bytes.
#[inline(always)]
pub(crate) fn last_three(src: &[u8]) -> u32 {
    src.last_chunk().map_or(0, |last| u32::from_le_bytes(*last) >> 8)
}
