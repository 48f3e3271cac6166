//! Latin-1 to UTF-8 with vectors of 64 lanes and masked loads and stores.
//!
//! 1. Load a vector. If it is ASCII, store it.
//! 2. Else compute the lead byte and the last byte of each character, interleave them without the
//!    lead bytes of ASCII, and store both halves.
//! 3. Load and store the tail with masks, so no length of the text is a special case.
//! 4. If the output is too short, truncate the text to the characters that fit, and convert them in
//!    the same way.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::{MaskedOps, Present};
use crate::generic::from_latin1::to_utf8::LATIN1_BLOCK_BYTES;
use crate::types::progress::Reach;

/// Converts `src` into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach
where
    Present: MaskedOps<V>,
{
    let mut reach = convert_whole_vectors::<V>(token, src, dst);
    while reach.read < src.len() {
        let rest = &src[reach.read..];
        let step = convert_short::<V>(token, rest, &mut dst[reach.written..]);
        reach = step.after(reach.read, reach.written);
        if step.read < rest.len().min(LATIN1_BLOCK_BYTES) {
            break;
        }
    }
    reach
}

/// Converts as many of the first 64 characters of `src` as fit. Writes no bytes after their output.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    let mut len = src.len().min(LATIN1_BLOCK_BYTES);
    loop {
        let characters = Characters::<V>::new(Present.load_first(token, &src[..len]));
        let written = len + characters.two_byte_count();
        if let Some(out) = dst.get_mut(..written) {
            characters.write_first(token, len, out);
            return Reach { read: len, written };
        }
        len = count_fitting(characters.high, dst.len());
        if len == 0 {
            return Reach { read: 0, written: 0 };
        }
    }
}

/// Converts whole vectors while `dst` has capacity for the longest output of a vector.
#[inline(always)]
fn convert_whole_vectors<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach
where
    Present: MaskedOps<V>,
{
    // Slicing the rest of `dst` needs one comparison for each block. An offset into `dst` would
    // need two comparisons.
    let (mut read, capacity) = (0, dst.len());
    let mut rest = dst;
    for block in src.as_chunks::<LATIN1_BLOCK_BYTES>().0 {
        let Some(out) = rest.first_chunk_mut::<{ 2 * LATIN1_BLOCK_BYTES }>() else { break };
        let characters = Characters::<V>::new(V::load(token, block, 0));
        read += LATIN1_BLOCK_BYTES;
        // Runs of ASCII have no separate loop: in web pages they are short, and entering and
        // leaving a loop costs more than it saves.
        if characters.high == 0 {
            characters.bytes.store_bytes(out, 0);
            rest = &mut rest[LATIN1_BLOCK_BYTES..];
            continue;
        }
        let [first, second] = characters.encode_utf8(token);
        first.store_bytes(out, 0);
        second.store_bytes(out, characters.first_half_output_len());
        rest = &mut rest[LATIN1_BLOCK_BYTES + characters.two_byte_count()..];
    }
    Reach { read, written: capacity - rest.len() }
}

/// Returns the number of characters of a vector that fit into `capacity` bytes. `high` is a mask of
/// the characters that have two bytes. Callers guarantee: the whole vector does not fit.
#[cold]
fn count_fitting(mut high: u64, capacity: usize) -> usize {
    let (mut fit, mut left) = (0, capacity);
    while left > (high & 1) as usize {
        left -= 1 + (high & 1) as usize;
        high >>= 1;
        fit += 1;
    }
    fit
}

/// A vector of characters.
struct Characters<V> {
    /// The characters.
    bytes: V,
    /// A bit for each character, set if it has two bytes.
    high: u64,
}

impl<V: Lanes16> Characters<V>
where
    Present: MaskedOps<V>,
{
    #[inline(always)]
    fn new(bytes: V) -> Self {
        Self { bytes, high: V::bits(&[bytes.high_bit_mask()]) }
    }

    /// Returns the number of two-byte characters.
    #[inline(always)]
    fn two_byte_count(&self) -> usize {
        self.high.count_ones() as usize
    }

    /// Returns the number of output bytes of the first half of the vector.
    #[inline(always)]
    fn first_half_output_len(&self) -> usize {
        LATIN1_BLOCK_BYTES / 2 + (self.high as u32).count_ones() as usize
    }

    /// Writes the output of the first `len` characters, which has the length of `out`.
    #[inline(always)]
    fn write_first(&self, token: V::Token, len: usize, out: &mut [MaybeUninit<u8>]) {
        if self.high == 0 {
            Present.store_first(self.bytes, len, out);
            return;
        }
        let [first, second] = self.encode_utf8(token);
        if len <= LATIN1_BLOCK_BYTES / 2 {
            Present.store_first(first, out.len(), out);
            return;
        }
        if let Some((first_half, second_half)) =
            out.split_at_mut_checked(self.first_half_output_len())
        {
            Present.store_first(first, first_half.len(), first_half);
            Present.store_first(second, second_half.len(), second_half);
        }
    }

    /// Returns the output of each half of the vector, followed by unspecified bytes.
    #[inline(always)]
    fn encode_utf8(&self, token: V::Token) -> [V; 2] {
        // Bit 6 is removed from bytes of 0xC0 and above.
        let surplus = self.bytes.shr16::<1>().and(V::splat(token, 0x40));
        let last = self.bytes.and(surplus.xor(V::splat(token, 0xFF)));
        // The lead byte is 0xC2 or 0xC3. For ASCII, it is 0xC0 or 0xC1 and is dropped.
        let top = self.bytes.shr16::<6>().and(V::splat(token, 0x03));
        Present.joined_after_lead(top.or(V::splat(token, 0xC0)), last, 0xC2)
    }
}
