//! Finds all sequences in 64 bytes of UTF-8 at once, well-formed and ill-formed ones, as bit masks.
//!
//! Ill-formed sequences are maximal subparts.
//!
//! 1. Compute five masks of a block of 64 bytes: bytes of 0x80 or above, continuation bytes, bytes
//!    of 0xE0 or above, bytes of 0xF0 or above, and bytes that the previous byte permits as a
//!    second byte. The last mask comes from the tables of the
//!    [check](crate::generic::from_utf8::check).
//! 2. `second`: continuation bytes after a lead byte that permits them. `third`: continuation bytes
//!    after `second` if the lead byte is 0xE0 or above. `fourth`: continuation bytes after `third`
//!    if the lead byte is 0xF0 or above.
//! 3. All other bytes start a sequence.
//! 4. A sequence is well-formed if it has as many bytes as its lead byte requires; else it is
//!    ill-formed.
//!
//! A sequence that starts in the last three of the 64 bytes belongs to the next block. In the
//! repair loop, blocks are 61 bytes apart, so the next block depends on the result of this block
//! only through three bits: which of the first three bytes of the next block continue a sequence of
//! this block. [`find_ill_formed`] instead begins each block at the end of a sequence.

use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::types::Utf8;
use crate::generic::from_utf8::check::{Utf8Checker, find_error_from};
use crate::generic::from_utf8::error_tables::WRONG_SECOND;
use crate::scalar::code::Decode;
use crate::scalar::utf8::character_start;

/// The size of a block, in bytes.
pub(crate) const SEQUENCE_BLOCK_BYTES: usize = 64;

/// The distance from one block to the next, in bytes. A sequence that starts in the first 61 bytes
/// of a block ends in the block.
pub(crate) const SEQUENCE_STRIDE_BYTES: usize = SEQUENCE_BLOCK_BYTES - 3;

/// The sequences of a block, as masks with a bit for each byte.
#[derive(Clone, Copy)]
pub(crate) struct Sequences {
    /// The first bytes of sequences. After the stride, these also include sequences that belong to
    /// the next block.
    pub(crate) starts: u64,
    /// The first bytes of ill-formed sequences.
    pub(crate) ill_formed: u64,
    /// The bytes that continue a sequence.
    pub(crate) continuing: u64,
}

impl Sequences {
    /// Returns the sequences that start in the first `len` bytes of `block`. The bits of `carry`
    /// mark bytes that continue a sequence of the previous block.
    #[inline(always)]
    pub(crate) fn find<V: Vector>(
        checker: &Utf8Checker<V>,
        token: V::Token,
        block: &[u8],
        len: usize,
        carry: u64,
    ) -> Self {
        let own_bytes = lowest_bits(len);
        let vectors = SEQUENCE_BLOCK_BYTES / V::LANES;
        let zeros = V::splat(token, 0);
        let mut masks = [zeros.high_bit_mask(); 4];
        let mut k = 0;
        while k < vectors {
            masks[k] = V::load(token, block, k * V::LANES).high_bit_mask();
            k += 1;
        }
        let high = V::bits(&masks[..vectors]);
        // If no two adjacent bytes are 0x80 or above, each such byte is isolated, so it is
        // ill-formed. The bytes after the first `len` belong to the next block.
        if (high & (high << 1)) | carry == 0 {
            return Self { starts: u64::MAX, ill_formed: high & own_bytes, continuing: 0 };
        }
        let (mut continuation, mut at_least_e0, mut at_least_f0, mut permitted) =
            (masks, masks, masks, masks);
        k = 0;
        while k < vectors {
            let bytes = V::load(token, block, k * V::LANES);
            continuation[k] = bytes.continuation();
            at_least_e0[k] = bytes.at_least(token, 0xE0);
            at_least_f0[k] = bytes.at_least(token, 0xF0);
            let previous = match k {
                0 => bytes.shift_in_zeros::<1>(),
                _ => V::load(token, block, k * V::LANES - 1),
            };
            let special = checker.special(bytes, previous);
            permitted[k] = special.and(V::splat(token, WRONG_SECOND)).equal(zeros);
            k += 1;
        }
        let [continuation, at_least_e0, at_least_f0, permitted] = [
            V::bits(&continuation[..vectors]),
            V::bits(&at_least_e0[..vectors]),
            V::bits(&at_least_f0[..vectors]),
            V::bits(&permitted[..vectors]),
        ];
        let lead = high & !continuation & own_bytes;
        let second = continuation & (lead << 1) & permitted;
        let third = continuation & (second << 1) & (at_least_e0 << 2);
        let fourth = continuation & (third << 1) & (at_least_f0 << 3);
        let continuing = second | third | fourth;
        let starts = !(continuing | carry);
        let well_formed = !high
            | lead & !at_least_e0 & (second >> 1)
            | at_least_e0 & !at_least_f0 & (third >> 2)
            | at_least_f0 & (fourth >> 3);
        Self { starts, ill_formed: starts & !well_formed & own_bytes, continuing }
    }
}

/// Returns a mask with the lowest `count` bits set. `count` is at most 64.
#[inline(always)]
fn lowest_bits(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// Returns the length of `src` without an incomplete sequence at its end.
pub(crate) fn complete_len(src: &[u8]) -> usize {
    let start = character_start(src, src.len().saturating_sub(1));
    match src.get(start..).filter(|last| !last.is_empty()).map(Utf8::decode) {
        Some(Err(error)) if error.len == 0 => start,
        _ => src.len(),
    }
}

/// Returns the length of the well-formed prefix of `src`, and the length of the ill-formed sequence
/// after it. The second length is 0 if all of `src` is well-formed.
#[inline(always)]
pub(crate) fn find_ill_formed<V: Vector>(token: V::Token, src: &[u8]) -> (usize, usize) {
    let checker = Utf8Checker::<V>::new(token);
    // The bytes before the offset that `find_error_from` returns are well-formed, except that a
    // sequence may continue at the offset.
    let mut offset = character_start(src, find_error_from::<V>(token, src, 0).saturating_sub(1));
    while offset < src.len() {
        let mut block = [0; SEQUENCE_BLOCK_BYTES];
        let rest = &src[offset..];
        let len = rest.len().min(SEQUENCE_BLOCK_BYTES);
        copy_short(&mut block[..len], &rest[..len]);
        // The zeros after the end do not continue a sequence.
        let own_len = if rest.len() > SEQUENCE_BLOCK_BYTES { SEQUENCE_STRIDE_BYTES } else { len };
        let Sequences { starts, ill_formed, continuing, .. } =
            Sequences::find::<V>(&checker, token, &block, own_len, 0);
        if ill_formed != 0 {
            let begin = ill_formed.trailing_zeros();
            let end = (starts & (u64::MAX << begin << 1)).trailing_zeros();
            return (offset + begin as usize, (end as usize).min(len) - begin as usize);
        }
        // The next block starts at the end of a sequence.
        offset += own_len
            + (continuing >> own_len.min(SEQUENCE_BLOCK_BYTES - 1)).trailing_ones() as usize;
    }
    (src.len(), 0)
}
