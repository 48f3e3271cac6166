//! Validates UTF-8 in groups of eight blocks.
//!
//! In web pages, ASCII blocks and other blocks alternate, and the processor mispredicts a branch on
//! the kind of each block every few blocks. Here a group has at most one such branch, and its
//! condition is computed one group ahead.
//!
//! 1. Compute the outline of a group: reduce each block to a vector of its largest bytes, and
//!    interleave the vectors of the eight blocks. The high bits of the result say which blocks are
//!    not ASCII. The result also holds the largest byte of the group.
//! 2. Compute the outline of the next group.
//! 3. Check the blocks of this group that are not ASCII, with the check that the largest byte
//!    permits: for [characters of at most two bytes](TwoByteChecker), without tables; for at most
//!    three bytes; or for any characters. A block that ends inside a sequence is an error if the
//!    next block is ASCII.
//! 4. Test the errors of the group once. Continue with the next group.
//! 5. After two groups of ASCII, search block by block for the next block that is not ASCII.
//! 6. The last group ends with the input and overlaps the group before it.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::{
    Block, incomplete_at_end_of_block, largest, skip_ascii_blocks,
};
use crate::generic::from_utf8::check::{Utf8Checker, find_error_from};
use crate::generic::from_utf8::two_byte::TwoByteChecker;

/// The number of blocks of a group.
const GROUP_BLOCKS: usize = 8;

/// The number of bytes of a group.
const GROUP_BYTES: usize = GROUP_BLOCKS * STEP;

/// The minimum length, in bytes, of texts that are checked in groups. The check in groups is a
/// separate function: the registers that it needs would cost shorter texts a tenth of their speed.
pub(crate) const GROUPED_MIN_BYTES: usize = 3 * GROUP_BYTES;

/// A group, preceded by the [`LOOKBEHIND_BYTES`] bytes before it.
type Window = [u8; LOOKBEHIND_BYTES + GROUP_BYTES];

/// The mask with a bit for each block of a group.
const ALL_BLOCKS: u32 = (1 << GROUP_BLOCKS) - 1;

/// If at least this many blocks are not ASCII, all blocks up to the last such block are checked.
const DENSE_MIN_BLOCKS: u32 = GROUP_BLOCKS as u32 - 1;

/// The properties of a group that are computed before it is checked.
#[derive(Clone, Copy)]
struct Outline<V: Vector> {
    /// Bit `k` is set if block `k` must be checked, because it is not ASCII or may continue a
    /// sequence.
    to_check: u32,
    /// The largest lane is the largest byte of the group and of the [`LOOKBEHIND_BYTES`] bytes
    /// before it.
    largest: V,
}

/// Validates `src`, which has at least [`GROUPED_MIN_BYTES`] bytes. Returns the same result as
/// [`check`](crate::generic::from_utf8::check::check).
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    let checker = Utf8Checker::<V>::new(token);
    let mut suffix = &src[STEP - LOOKBEHIND_BYTES..];
    let mut ascii = !ascii::any_high_bit::<V>(token, src, 0..STEP);
    if !ascii && checker.errors_of_first_block(token, src, &mut ()).any() {
        return Err(find_error_from::<V>(token, src, 0));
    }
    loop {
        if ascii {
            suffix = match skip_ascii_blocks::<V>(token, src, suffix) {
                Some(rest) => rest,
                None => return Ok(()),
            };
        }
        if suffix.len() < LOOKBEHIND_BYTES + GROUP_BYTES {
            suffix = &src[src.len() - (LOOKBEHIND_BYTES + GROUP_BYTES)..];
        }
        match check_groups(token, &checker, src, suffix) {
            Ok(rest) if rest.len() > LOOKBEHIND_BYTES => suffix = rest,
            Ok(_) => return Ok(()),
            Err(before) => return Err(find_error_from::<V>(token, src, before + LOOKBEHIND_BYTES)),
        }
        ascii = true;
    }
}

/// Checks the groups of `suffix`, up to the end or to two groups of ASCII. `suffix` is a suffix of
/// `src` with at least a group, after [`LOOKBEHIND_BYTES`] bytes that have been checked and may end
/// inside a sequence. Returns the rest after the two groups, with the [`LOOKBEHIND_BYTES`] bytes
/// before it. `Err` holds the byte offset of a group with an error, minus [`LOOKBEHIND_BYTES`].
#[inline(always)]
fn check_groups<'a, V: Vector>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    src: &'a [u8],
    mut suffix: &'a [u8],
) -> Result<&'a [u8], usize> {
    let mut first = match suffix.first_chunk() {
        Some(window) => Outline::new(token, window),
        // This is not reached. It would be an error, because nothing has been checked.
        None => return Err(0),
    };
    // The first block may continue a sequence.
    first.to_check |= 1;
    while let Some(window) = suffix.first_chunk() {
        let rest = &suffix[GROUP_BYTES..];
        // The blocks of the next group that must be checked. Only the lowest bit is used: it is set
        // if a sequence may continue after this group.
        let (next, second, next_to_check) = match rest.first_chunk() {
            Some(next) => {
                let second = Outline::new(token, next);
                (rest, second, second.to_check)
            }
            None if rest.len() > LOOKBEHIND_BYTES => {
                let Some(last) = src.last_chunk() else { return Err(0) };
                (&last[..], Outline::for_last_group(token, last, rest.len() - LOOKBEHIND_BYTES), 1)
            }
            None => (rest, Outline { to_check: 0, largest: V::splat(token, 0) }, 0),
        };
        if first.to_check != 0 {
            if check_group(token, checker, window, first, next_to_check) {
                return Err(src.len() - suffix.len());
            }
        } else if second.to_check == 0 {
            return Ok(next.get(GROUP_BYTES..).unwrap_or(&[]));
        }
        (suffix, first) = (next, second);
    }
    Ok(&[])
}

impl<V: Vector> Outline<V> {
    #[inline(always)]
    fn new(token: V::Token, window: &Window) -> Self {
        let first: V = largest_of_four(token, window, 0);
        let eight = first.max_interleaved::<4>(largest_of_four(token, window, 4));
        // The mask repeats the same eight bits. Or-ing the rotations combines them.
        let bits = V::bits(&[eight.high_bit_mask()]);
        let mut to_check = if V::LANES > 32 { (bits | bits >> 32) as u32 } else { bits as u32 };
        if V::LANES > 16 {
            to_check |= to_check.rotate_right(16);
        }
        to_check |= to_check.rotate_right(8);
        Self { to_check: to_check & ALL_BLOCKS, largest: eight.max(V::load(token, window, 0)) }
    }

    /// Returns the outline of the last group of the input. Only its last `new` bytes have not been
    /// checked. These may continue a sequence.
    #[inline(always)]
    fn for_last_group(token: V::Token, window: &Window, new: usize) -> Self {
        let Self { to_check, largest } = Self::new(token, window);
        let checked = (GROUP_BYTES - new) / STEP;
        Self { to_check: ((to_check >> checked | 1) << checked) & ALL_BLOCKS, largest }
    }
}

/// Returns the largest bytes of block `k` and of the three blocks after it, interleaved.
#[inline(always)]
fn largest_of_four<V: Vector>(token: V::Token, window: &Window, k: usize) -> V {
    let first: V = largest_of_two(token, window, k);
    first.max_interleaved::<2>(largest_of_two(token, window, k + 2))
}

/// Returns the largest bytes of block `k` and of the block after it, interleaved.
#[inline(always)]
fn largest_of_two<V: Vector>(token: V::Token, window: &Window, k: usize) -> V {
    let first: V = largest(token, V::suffix(block_at(window, k), LOOKBEHIND_BYTES));
    first.max_interleaved::<1>(largest(token, V::suffix(block_at(window, k + 1), LOOKBEHIND_BYTES)))
}

/// Returns true if a group has an error. Checks the blocks of [`Outline::to_check`]. The lowest bit
/// of `next_to_check` is set if the next group may continue a sequence.
#[inline(always)]
fn check_group<V: Vector>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    window: &Window,
    outline: Outline<V>,
    next_to_check: u32,
) -> bool {
    let Outline { to_check, largest } = outline;
    let mut errors = V::splat(token, 0);
    if !largest.any_at_least(token, 0xE0) {
        let mut two_byte = TwoByteChecker::<V>::new(token);
        let incomplete: V = visit_blocks(
            token,
            window,
            [to_check, next_to_check],
            #[inline(always)]
            |block| two_byte.check(token, block),
        );
        return two_byte.errors(token).or(incomplete).any();
    }
    if !largest.any_at_least(token, 0xF0) {
        let incomplete: V = visit_blocks(
            token,
            window,
            [to_check, next_to_check],
            #[inline(always)]
            |block| errors = errors.or(checker.errors_of_three_in(token, block)),
        );
        return errors.or(incomplete).any();
    }
    let incomplete = visit_blocks(
        token,
        window,
        [to_check, next_to_check],
        #[inline(always)]
        |block| errors = errors.or(checker.errors_in(token, block, 0, &mut ())),
    );
    errors.or(incomplete).any()
}

/// Calls `check` for each block of `to_check`, or for all blocks up to the last such block.
/// Returns a vector with a lane that is not zero if a block ends inside a sequence and the next
/// block is ASCII.
#[inline(always)]
fn visit_blocks<V: Vector>(
    token: V::Token,
    window: &Window,
    [to_check, next_to_check]: [u32; 2],
    mut check: impl FnMut(&Block),
) -> V {
    let mut left = to_check;
    let all_to_check = to_check | next_to_check << GROUP_BLOCKS;
    if left.count_ones() >= DENSE_MIN_BLOCKS {
        // If the number of blocks were constant, LLVM would unroll the loop, with more live vectors
        // than there are registers.
        let end = (u32::BITS - left.leading_zeros()) as usize % (GROUP_BLOCKS + 1);
        for k in 0..end {
            check(block_at(window, k));
        }
        return incomplete_at_end_of_block(
            token,
            block_at(window, end - 1),
            all_to_check << 6 >> end,
        );
    }
    let mut incomplete = V::splat(token, 0);
    while left != 0 {
        let k = left.trailing_zeros() as usize % GROUP_BLOCKS;
        left &= left - 1;
        let block = block_at(window, k);
        check(block);
        incomplete =
            incomplete.or(incomplete_at_end_of_block(token, block, all_to_check << 5 >> k));
    }
    incomplete
}

/// Returns block `k` of a group, preceded by the [`LOOKBEHIND_BYTES`] bytes before it.
#[inline(always)]
fn block_at(window: &Window, k: usize) -> &Block {
    window[k * STEP..].first_chunk().expect("the group has eight blocks")
}
