//! Converts ASCII with isolated bytes of 0x80 or above, which are ill-formed, to wider units.
//!
//! 1. If two adjacent bytes of a block are not ASCII, stop.
//! 2. Widen the block as if all bytes were ASCII.
//! 3. Overwrite the unit of each byte of 0x80 or above with the replacement, one by one.

use core::mem::MaybeUninit;

use crate::arch::vector::Vector;
use crate::generic::repair::RepairReach;
use crate::generic::repair::sequences::{SEQUENCE_BLOCK_BYTES, isolated_bytes};
use crate::tables::Order;

/// Converts whole blocks to units of `SIZE` bytes while `dst` has capacity. `replacement` is the
/// unit for each ill-formed byte.
#[inline(always)]
pub(crate) fn convert<V: Vector, O: Order, const SIZE: usize>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replacement: [MaybeUninit<u8>; SIZE],
) -> RepairReach {
    let (mut read, mut repairs) = (0, 0);
    while let (Some(block), Some(out)) = (
        src[read..].first_chunk::<{ SEQUENCE_BLOCK_BYTES + 1 }>(),
        dst[SIZE * read..].get_mut(..SIZE * (SEQUENCE_BLOCK_BYTES + 1)),
    ) {
        let Some(mut ill_formed) = isolated_bytes::<V, _>(token, block) else { break };
        let mut offset = 0;
        while offset < SEQUENCE_BLOCK_BYTES {
            match SIZE {
                2 => V::load(token, block, offset).store_widened::<O>(out, offset),
                _ => V::load(token, block, offset).store_widened_to_32_bits::<O>(out, offset),
            }
            offset += V::LANES;
        }
        repairs += ill_formed.count_ones() as usize;
        // The loop always runs at least once, because a branch for blocks without ill-formed bytes
        // would be unpredictable. In such a block, the replacement is written after the block,
        // where the next block overwrites it.
        loop {
            let offset = SIZE * ill_formed.trailing_zeros() as usize;
            out[offset..offset + SIZE].copy_from_slice(&replacement);
            ill_formed &= ill_formed.wrapping_sub(1);
            if ill_formed == 0 {
                break;
            }
        }
        read += SEQUENCE_BLOCK_BYTES;
    }
    RepairReach { read, written: SIZE * read, repairs }
}
