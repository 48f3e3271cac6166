//! Converts UTF-8 to Latin-1 in vectors of 64 lanes, on instruction sets that can drop lanes with
//! one instruction.
//!
//! 1. Copy the ASCII prefix.
//! 2. Load a group of two blocks. If both are ASCII, copy them.
//! 3. Else set bit 6 of each byte after 0xC3, drop the lead bytes, and store the other bytes.
//! 4. Check the group: the continuation bytes must be exactly the bytes after the lead bytes 0xC2
//!    and 0xC3, as in [`to_latin1`](super::to_latin1).
//! 5. Load and store the last bytes with masks.
//! 6. After an error, before a lead byte at the end, or if the output is full, the reference
//!    continues.
//!
//! There is no separate code for other classes of text: in text with few accents, mispredicted
//! branches would cost more than the steps. The check stays in vectors, because moving a mask into
//! a general register takes longer. Only for the lead bytes is there a mask, to count them.

use core::mem::{self, MaybeUninit};

use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::arch::window::STEP;
use crate::encoding::types::Latin1;
use crate::generic::ascii;
use crate::generic::from_utf8::decode::ascii_prefix::ascii_run;
use crate::generic::from_utf8::decode::single::resume;
use crate::types::progress::Reach;

/// The number of bytes of a group: two blocks, which share the test for ASCII and the test for
/// errors.
const TWO_BLOCKS_BYTES: usize = 2 * STEP;

/// Converts `src`, which is longer than a block, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Vector>(
    ops: V::Masked,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    const { assert!(!V::Masked::PRESENT || V::LANES == STEP, "a vector is a whole step") };
    let prefix_len = ascii_prefix::<V>(token, src, dst);
    let mut reach = Reach { read: prefix_len, written: prefix_len };
    if prefix_len == src.len() {
        return reach;
    }
    // `convert_group_at` converts the groups that `convert_groups` can't convert: the first group,
    // which has no byte before it, and groups whose output fits although `dst` is shorter than a
    // group.
    while let Some(progress) = convert_group_at::<V>(token, src, dst, reach) {
        reach = progress.after(reach.read, reach.written);
        reach = convert_groups::<V>(token, src, dst, reach);
    }
    while reach.read < src.len() {
        let Some(progress) = convert_block::<V>(ops, token, src, dst, reach) else { break };
        reach = progress.after(reach.read, reach.written);
    }
    // A lead byte at the end has not been detected yet.
    if reach.read == src.len() && src.last().is_some_and(|&byte| byte < 0xC0) {
        return reach;
    }
    resume(Latin1, src, dst, reach.read, reach.written)
}

/// Copies the ASCII prefix of `src`, which is longer than a block, as far as `dst` has capacity:
/// all of `src`, or pairs of blocks. Returns the number of bytes copied.
#[inline(always)]
fn ascii_prefix<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let run = ascii_run::<V, Latin1>(Latin1, token, src, dst);
    let rest = src.len() - run;
    // Two blocks cover the rest. The second block ends with the text and may overlap the first.
    let (Some(last), Some(out)) = (src.last_chunk::<STEP>(), dst.get_mut(..src.len())) else {
        return run;
    };
    let first = if rest > STEP { src[run..].first_chunk().unwrap_or(last) } else { last };
    if rest > 2 * STEP
        || ascii::any_high_bit::<V>(token, first, 0..STEP)
        || ascii::any_high_bit::<V>(token, last, 0..STEP)
    {
        return run;
    }
    V::load(token, last, 0).store_bytes(out, src.len() - STEP);
    if rest > STEP {
        V::load(token, first, 0).store_bytes(out, run);
    }
    src.len()
}

/// Converts groups after `reach` while `dst` has capacity for all bytes of a group and there is no
/// error. `reach` is not the start of the text. A lead byte at the end is not checked.
#[inline(always)]
fn convert_groups<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Reach {
    let (mut suffix, capacity) = (&src[reach.read - 1..], dst.len());
    let mut rest = &mut dst[reach.written..];
    while let (Some(window), Some(out)) = (
        suffix.first_chunk::<{ 1 + TWO_BLOCKS_BYTES }>(),
        rest.first_chunk_mut::<TWO_BLOCKS_BYTES>(),
    ) {
        let (first, second) = (V::load(token, window, 1), V::load(token, window, 1 + STEP));
        let written = if first.or(second).any_high_bit() {
            let group =
                window[1..].first_chunk().expect("the window is a group and the byte before it");
            convert_group::<V>(token, V::load(token, window, 0), group, out)
        } else {
            first.store_bytes(out, 0);
            second.store_bytes(out, STEP);
            // A lead byte before ASCII is an error.
            (window[0] < 0xC0).then_some(TWO_BLOCKS_BYTES)
        };
        let Some(written) = written else { break };
        suffix = &suffix[TWO_BLOCKS_BYTES..];
        rest = &mut mem::take(&mut rest)[written..];
    }
    Reach { read: src.len() + 1 - suffix.len(), written: capacity - rest.len() }
}

/// Converts the group after `reach`. Returns the progress in this group, or `None` if less than a
/// group is left, the group has an error, or `dst` is too short.
#[inline(always)]
fn convert_group_at<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let group = src.get(reach.read..)?.first_chunk()?;
    let before = match reach.read.checked_sub(1) {
        Some(at) => V::load(token, src, at),
        None => V::load(token, group, 0).shift_in_zeros::<1>(),
    };
    let written = convert_group::<V>(token, before, group, dst.get_mut(reach.written..)?)?;
    Some(Reach { read: TWO_BLOCKS_BYTES, written })
}

/// Converts a group. `before` is the vector that begins one byte before the first block. Returns
/// the number of bytes written, or `None` if there is an error or `out` is too short.
#[inline(always)]
fn convert_group<V: Vector>(
    token: V::Token,
    before: V,
    group: &[u8; TWO_BLOCKS_BYTES],
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let mut check = Latin1Check::<V>::new(token);
    let (bytes, keep) = check.check_block(V::load(token, group, 0), before);
    bytes.store_kept_bytes(keep, 0, out.first_chunk_mut::<STEP>()?);
    let written = V::kept(keep);
    let (bytes, keep) =
        check.check_block(V::load(token, group, STEP), V::load(token, group, STEP - 1));
    let end = written + V::kept(keep);
    if check.has_error() || out.len() < end {
        return None;
    }
    bytes.store_kept_bytes(keep, 0, &mut out[written..]);
    Some(end)
}

/// Converts the block after `reach`, or the rest of the text if it is shorter. Returns the progress
/// in this block, or `None` if there is an error or `dst` is too short.
#[inline(always)]
fn convert_block<V: Vector>(
    ops: V::Masked,
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let rest = src.get(reach.read..)?;
    let bytes = ops.load_first(token, rest);
    let before = match reach.read.checked_sub(1) {
        Some(at) => ops.load_first(token, src.get(at..)?),
        None => bytes.shift_in_zeros::<1>(),
    };
    let mut check = Latin1Check::<V>::new(token);
    let (bytes, keep) = check.check_block(bytes, before);
    let read = rest.len().min(STEP);
    let keep = keep & V::first_bits(read);
    let (out, written) = (dst.get_mut(reach.written..)?, V::kept(keep));
    if check.has_error() || out.len() < written {
        return None;
    }
    bytes.store_kept_bytes(keep, 0, out);
    Some(Reach { read, written })
}

/// The errors that have been found in the blocks so far.
struct Latin1Check<V: Vector> {
    token: V::Token,
    /// Has a lane below [`LEADS_MIN`] if there was a lead byte other than 0xC2 and 0xC3.
    leads: V,
    /// Has a lane with bit 7 set if there was a continuation byte without a lead byte, or a lead
    /// byte without a continuation byte.
    unpaired: V,
}

/// The least value of a lane of [`Latin1Check::leads`] without an error.
const LEADS_MIN: u8 = 0x3E;

impl<V: Vector> Latin1Check<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self { token, leads: V::splat(token, 0xFF), unpaired: V::splat(token, 0) }
    }

    /// Checks a block. Returns the Latin-1 characters, each at the position of its last byte, and a
    /// mask of all positions except the lead bytes. `before` is the vector that begins one byte
    /// before the block.
    #[inline(always)]
    fn check_block(&mut self, bytes: V, before: V) -> (V, u64) {
        let splat = |byte| V::splat(self.token, byte);
        // 0xC2 and 0xC3 become the largest lanes, other lead bytes the smallest.
        self.leads = self.leads.min(bytes.xor(splat(0xC2)).wrapping_sub(splat(2)));
        let required = before.saturating_sub(splat(0x40));
        self.unpaired = self.unpaired.or(bytes.continuation_marks(self.token).xor(required));
        let after_c3 = V::from_mask(before.equal(splat(0xC3)));
        let leads = V::bits(&[bytes.at_least(self.token, 0xC0)]);
        (bytes.add(after_c3.and(splat(0x40))), !leads)
    }

    /// Returns true if there was an error.
    #[inline(always)]
    fn has_error(&self) -> bool {
        let leads = V::splat(self.token, LEADS_MIN).saturating_sub(self.leads);
        leads.or(self.unpaired.and(V::splat(self.token, 0x80))).any()
    }
}
