//! Validation of UTF-8 in groups of eight blocks.
//!
//! On pages, blocks of ASCII and others alternate, and a branch on the kind of each is a coin toss
//! that the processor loses every few blocks. So the kinds of eight blocks become bits, a group
//! ahead, and a loop visits the blocks that are not ASCII: that is one mispredicted branch for a
//! group, at most, whose condition has long been known.
//!
//! After two groups of ASCII, a plain loop looks for the next block that is not ASCII.
//!
//! The bits come from one vector, in which the largest bytes of the eight blocks take turns. It
//! also chooses among three checks. That of two-byte characters needs no tables.

use crate::arch::vector::Vector;
use crate::arch::window::{LOOKBEHIND_BYTES, STEP};
use crate::generic::ascii;
use crate::generic::from_utf8::ascii_runs::{
    Block, ascii_blocks, incomplete_at_end_unless, largest,
};
use crate::generic::from_utf8::check::{Utf8Checker, find_error_from};
use crate::generic::from_utf8::pairs::Pairs;

/// Blocks of a group.
const GROUP_BLOCKS: usize = 8;

/// Bytes of a group.
const GROUP_BYTES: usize = GROUP_BLOCKS * STEP;

/// Bytes of a text from which on it is checked in groups. That is a function of its own: what it
/// keeps in registers would cost shorter texts a tenth.
pub(crate) const GROUPED_MIN_BYTES: usize = 3 * GROUP_BYTES;

/// A group, and the bytes that its check looks back to.
type Window = [u8; LOOKBEHIND_BYTES + GROUP_BYTES];

/// The bits of all blocks of a group.
const ALL_BLOCKS: u32 = (1 << GROUP_BLOCKS) - 1;

/// From so many blocks on that are not ASCII, all up to the last one are checked.
const DENSE_MIN_BLOCKS: u32 = GROUP_BLOCKS as u32 - 1;

/// What is known of a group before it is checked.
#[derive(Clone, Copy)]
struct Outline<V: Vector> {
    /// Bit `k`: block `k` is to be checked.
    others: u32,
    /// No byte of the group, or of the [`LOOKBEHIND_BYTES`] bytes before it, is larger than all
    /// lanes.
    largest: V,
}

/// Validates `src`, which has at least [`GROUPED_MIN_BYTES`] bytes. The error is that of
/// [`check`](crate::generic::from_utf8::check::check).
#[inline(always)]
pub(crate) fn check<V: Vector>(token: V::Token, src: &[u8]) -> Result<(), usize> {
    let checker = Utf8Checker::<V>::new(token);
    let mut ahead = &src[STEP - LOOKBEHIND_BYTES..];
    let mut ascii = !ascii::any_high::<V>(token, src, 0..STEP);
    if !ascii && checker.errors_of_first_block(token, src, &mut ()).any() {
        return Err(find_error_from::<V>(token, src, 0));
    }
    loop {
        if ascii {
            ahead = match ascii_blocks::<V>(token, src, ahead) {
                Some(rest) => rest,
                None => return Ok(()),
            };
        }
        if ahead.len() < LOOKBEHIND_BYTES + GROUP_BYTES {
            ahead = &src[src.len() - (LOOKBEHIND_BYTES + GROUP_BYTES)..];
        }
        match check_groups(token, &checker, src, ahead) {
            Ok(rest) if rest.len() > LOOKBEHIND_BYTES => ahead = rest,
            Ok(_) => return Ok(()),
            Err(before) => return Err(find_error_from::<V>(token, src, before + LOOKBEHIND_BYTES)),
        }
        ascii = true;
    }
}

/// Checks groups of `ahead`, which is the end of `src` and begins with [`LOOKBEHIND_BYTES`] bytes
/// that have been checked, perhaps inside a sequence. It has a group at least. Returns the rest
/// after two groups of ASCII, from [`LOOKBEHIND_BYTES`] bytes before its start on. The error is the
/// place of these [`LOOKBEHIND_BYTES`] bytes before a group with an error.
#[inline(always)]
fn check_groups<'a, V: Vector>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    src: &'a [u8],
    mut ahead: &'a [u8],
) -> Result<&'a [u8], usize> {
    let mut first = match ahead.first_chunk() {
        Some(window) => Outline::new(token, window),
        // Not reached, and no text is well-formed without a check.
        None => return Err(0),
    };
    // It may continue a sequence.
    first.others |= 1;
    while let Some(window) = ahead.first_chunk() {
        let rest = &ahead[GROUP_BYTES..];
        // The lowest bit of `more` says whether a sequence may continue after this group.
        let (next, second, more) = match rest.first_chunk() {
            Some(next) => {
                let second = Outline::new(token, next);
                (rest, second, second.others)
            }
            None if rest.len() > LOOKBEHIND_BYTES => {
                let Some(last) = src.last_chunk() else { return Err(0) };
                (&last[..], Outline::of_last(token, last, rest.len() - LOOKBEHIND_BYTES), 1)
            }
            None => (rest, Outline { others: 0, largest: V::splat(token, 0) }, 0),
        };
        if first.others != 0 {
            if check_group(token, checker, window, first, more) {
                return Err(src.len() - ahead.len());
            }
        } else if second.others == 0 {
            return Ok(next.get(GROUP_BYTES..).unwrap_or(&[]));
        }
        (ahead, first) = (next, second);
    }
    Ok(&[])
}

impl<V: Vector> Outline<V> {
    #[inline(always)]
    fn new(token: V::Token, window: &Window) -> Self {
        let first: V = largest_of_four(token, window, 0);
        let eight = first.largest_in_turn::<4>(largest_of_four(token, window, 4));
        // The same eight bits again and again.
        let bits = V::bits(&[eight.high()]);
        let mut others = if V::LANES > 32 { (bits | bits >> 32) as u32 } else { bits as u32 };
        if V::LANES > 16 {
            others |= others.rotate_right(16);
        }
        others |= others.rotate_right(8);
        Self { others: others & ALL_BLOCKS, largest: eight.max(V::load(token, window, 0)) }
    }

    /// The outline of the last group of the input, where only the last `new` bytes have not been
    /// checked. These may continue a sequence.
    #[inline(always)]
    fn of_last(token: V::Token, window: &Window, new: usize) -> Self {
        let Self { others, largest } = Self::new(token, window);
        let checked = (GROUP_BYTES - new) / STEP;
        Self { others: ((others >> checked | 1) << checked) & ALL_BLOCKS, largest }
    }
}

/// The largest bytes of block `k` and of three more, in turn.
#[inline(always)]
fn largest_of_four<V: Vector>(token: V::Token, window: &Window, k: usize) -> V {
    let first: V = largest_of_two(token, window, k);
    first.largest_in_turn::<2>(largest_of_two(token, window, k + 2))
}

/// The largest bytes of block `k` and of the next one, in turn.
#[inline(always)]
fn largest_of_two<V: Vector>(token: V::Token, window: &Window, k: usize) -> V {
    let first: V = largest(token, V::suffix(block_at(window, k), LOOKBEHIND_BYTES));
    first.largest_in_turn::<1>(largest(token, V::suffix(block_at(window, k + 1), LOOKBEHIND_BYTES)))
}

/// Returns true if there is an error in the blocks of a group that are not ASCII. The lowest bit of
/// `more` says whether the group may end inside a sequence.
#[inline(always)]
fn check_group<V: Vector>(
    token: V::Token,
    checker: &Utf8Checker<V>,
    window: &Window,
    outline: Outline<V>,
    more: u32,
) -> bool {
    let Outline { others, largest } = outline;
    let mut errors = V::splat(token, 0);
    if !largest.any_from(token, 0xE0) {
        let mut pairs = Pairs::<V>::new(token);
        let cut: V = visit(
            token,
            window,
            [others, more],
            #[inline(always)]
            |block| pairs.check(token, block),
        );
        return pairs.errors(token).or(cut).any();
    }
    if !largest.any_from(token, 0xF0) {
        let cut: V = visit(
            token,
            window,
            [others, more],
            #[inline(always)]
            |block| errors = errors.or(checker.errors_of_three_in(token, block)),
        );
        return errors.or(cut).any();
    }
    let cut = visit(
        token,
        window,
        [others, more],
        #[inline(always)]
        |block| errors = errors.or(checker.errors_in(token, block, 0, &mut ())),
    );
    errors.or(cut).any()
}

/// Calls `check` with the blocks that are not ASCII, or with all up to the last of them. Returns
/// lanes that are not zero where a block ends inside a sequence, and ASCII is next.
#[inline(always)]
fn visit<V: Vector>(
    token: V::Token,
    window: &Window,
    [others, more]: [u32; 2],
    mut check: impl FnMut(&Block),
) -> V {
    let mut left = others;
    let others = others | more << GROUP_BLOCKS;
    if left.count_ones() >= DENSE_MIN_BLOCKS {
        // A constant number of blocks would be unrolled, with more vectors at once than there are
        // registers.
        let end = (u32::BITS - left.leading_zeros()) as usize % (GROUP_BLOCKS + 1);
        for k in 0..end {
            check(block_at(window, k));
        }
        return incomplete_at_end_unless(token, block_at(window, end - 1), others << 6 >> end);
    }
    let mut cut = V::splat(token, 0);
    while left != 0 {
        let k = left.trailing_zeros() as usize % GROUP_BLOCKS;
        left &= left - 1;
        let block = block_at(window, k);
        check(block);
        cut = cut.or(incomplete_at_end_unless(token, block, others << 5 >> k));
    }
    cut
}

/// Block `k` of a group.
#[inline(always)]
fn block_at(window: &Window, k: usize) -> &Block {
    window[k * STEP..].first_chunk().expect("the group has eight blocks")
}
