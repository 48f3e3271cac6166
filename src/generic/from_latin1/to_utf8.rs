//! Latin-1 to UTF-8.
//!
//! 1. If a block is ASCII, copy it, and the run of ASCII after it.
//! 2. Else compute both bytes of UTF-8 of each character in a 16-bit lane.
//! 3. Write one or both bytes of each of eight lanes by a shuffle row.
//! 4. After the whole blocks, convert one vector at a time. The last vector ends at the end of the
//!    text and overlaps the vector before it; the bytes that overlap are written again. If the
//!    output is too short for a whole store, a vector is copied from a bounce buffer.
//! 5. The reference writes the last characters that fit.
//!
//! ```text
//!   0xxxxxxx    low byte: the same
//!   1yxxxxxx    low byte: 10xxxxxx   high byte: 1100001y
//! ```
//!
//! Instruction sets with masked stores use `to_utf8_masked` instead.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::arch::window::copy_short;
use crate::encoding::types::{Latin1, Utf8};
use crate::generic::copy::short_ascii;
use crate::generic::{ascii, copy};
use crate::scalar;
use crate::swar::{units, words};
use crate::tables::utf8_narrow;
use crate::types::progress::Reach;

/// The size of a block, in bytes.
pub(crate) const LATIN1_BLOCK_BYTES: usize = 64;

/// The number of output bytes that a vector of 32 bytes may overwrite, plus some bytes that let
/// LLVM prove that all stores are in bounds.
const LATIN1_OUTPUT_BYTES: usize = 80;

/// Converts less than eight bytes, or short ASCII, without vectors. Returns `None` for other texts,
/// and if the output may not fit.
#[inline(always)]
pub(crate) fn convert_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() < 8
        && let Some(written) = units::latin1_to_utf8(src, dst)
    {
        return Some(Reach { read: src.len(), written });
    }
    short_ascii(src, dst)
}

/// Converts `src` into `dst`. Callers guarantee: `V` has 16 bytes if `src.len() < 32`.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if V::LANES == 16 && src.len() < 16 {
        let encoder = Latin1Encoder::<V>::new(token);
        let output = encoder.encode_vector(V::from_words(token, words::padded16(src)));
        return match output.write_within(src.len(), dst) {
            Some(written) => Reach { read: src.len(), written },
            None => scalar::resume::<Latin1, Utf8>(src, dst, Reach { read: 0, written: 0 }),
        };
    }
    if let (Some(first), Some(last)) = (src.first_chunk::<32>(), src.last_chunk::<32>())
        && src.len() <= LATIN1_BLOCK_BYTES
        && let Some(out) = dst.get_mut(..src.len())
    {
        // A text of at most one block is copied before it is tested for ASCII.
        let mut all = V::splat(token, 0);
        for (at, half) in [(0, first), (src.len() - 32, last)] {
            if let Some(out) = out[at..].first_chunk_mut() {
                all = all.or(copy::block::<V, 32>(token, half, out));
            }
        }
        if !all.any_high_bit() {
            return Reach { read: src.len(), written: src.len() };
        }
    }
    // This is a separate function, because the rest of the conversion needs more registers.
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        |token, src, dst| convert_any::<V>(token, src, dst),
    )
}

/// Converts `src`, which has at least a vector, in blocks and then in vectors. The last vector ends
/// at the end of the text and overlaps the vector before it.
#[inline(always)]
fn convert_any<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let encoder = Latin1Encoder::<V>::new(token);
    let mut reach = convert_blocks(&encoder, src, dst);
    while reach.read < src.len() {
        let start = reach.read.min(src.len() - V::LANES);
        let bytes = V::load(token, src, start);
        // The bytes before `reach.written` that come from this vector are written again.
        let base = reach.written - (reach.read - start);
        if !bytes.any_high_bit()
            && let Some(out) = dst.get_mut(base..base + V::LANES)
        {
            bytes.store_bytes(out, 0);
            reach = Reach { read: start + V::LANES, written: base + V::LANES };
            continue;
        }
        let output = encoder.encode_vector(bytes);
        let base = reach.written - output.output_len(reach.read - start);
        let Some(len) = output.write_within(V::LANES, &mut dst[base..]) else {
            return scalar::resume::<Latin1, Utf8>(src, dst, reach);
        };
        reach = Reach { read: start + V::LANES, written: base + len };
    }
    reach
}

/// Converts blocks while `dst` has capacity for the output of a vector.
#[inline(always)]
fn convert_blocks<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (mut read, mut written) = (0, 0);
    'blocks: while let Some(block) = src[read..].first_chunk::<LATIN1_BLOCK_BYTES>() {
        if !ascii::any_high_bit::<V>(encoder.token, block, 0..LATIN1_BLOCK_BYTES) {
            let Some(out) = dst[written..].first_chunk_mut() else { break };
            copy::block::<V, LATIN1_BLOCK_BYTES>(encoder.token, block, out);
            read += LATIN1_BLOCK_BYTES;
            written += LATIN1_BLOCK_BYTES;
            let run = ascii_run::<V>(encoder.token, &src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        let mut k = 0;
        while k < LATIN1_BLOCK_BYTES {
            let Some(out) = dst.get_mut(written..written + LATIN1_OUTPUT_BYTES) else {
                break 'blocks;
            };
            let output = encoder.encode_vector(V::load(encoder.token, block, k));
            output.write(out);
            written += output.output_len(V::LANES);
            read += V::LANES;
            k += V::LANES;
        }
    }
    Reach { read, written }
}

/// Copies pairs of blocks after a block of ASCII, while they are ASCII. Returns the number of
/// bytes.
#[inline(always)]
fn ascii_run<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut run = 0;
    for (block, out) in src.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
        if ascii::any_high_bit::<V>(token, block, 0..2 * LATIN1_BLOCK_BYTES) {
            break;
        }
        copy::block::<V, { 2 * LATIN1_BLOCK_BYTES }>(token, block, out);
        run += 2 * LATIN1_BLOCK_BYTES;
    }
    run
}

/// The constants of a conversion, in registers.
struct Latin1Encoder<V: Vector> {
    token: V::Token,
    /// The larger of the two lead bytes.
    lead: V,
    /// Bit 6, which is set in the characters with the larger lead byte.
    bit6: V,
    /// 0xFF in each lane.
    ones: V,
}

impl<V: Lanes16> Latin1Encoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            token,
            lead: V::splat(token, 0xC3),
            bit6: V::splat(token, 0x40),
            ones: V::splat(token, 0xFF),
        }
    }

    /// Encodes the characters of a vector.
    #[inline(always)]
    fn encode_vector(&self, bytes: V) -> VectorOutput<V> {
        // Bit 6 is removed from bytes of 0xC0 and above.
        let surplus = bytes.shr16::<1>().and(self.bit6);
        let continuation = bytes.and(surplus.xor(self.ones));
        // The lead byte is 0xC2 for 0x80..=0xBF, and 0xC3 for 0xC0..=0xFF. The lead byte of ASCII
        // is not written.
        let lead = self.lead.add(V::from_mask(bytes.continuation()));
        VectorOutput::new(continuation, lead, V::bits(&[bytes.high_bit_mask()]) as u32)
    }
}

/// The UTF-8 of the characters of a vector, before the bytes that are not needed are dropped.
pub(crate) struct VectorOutput<V: Vector> {
    /// Both bytes of each character in a 16-bit lane, with the last byte in the low half of the
    /// lane.
    wide: V::Wide,
    /// A mask of the characters that need both bytes.
    two_byte_mask: u32,
}

impl<V: Lanes16> VectorOutput<V> {
    /// Creates the output of a vector of at most 32 characters: `last` has the last byte of each
    /// character, and `lead` the byte before it, in the lanes of `two_byte_mask`.
    #[inline(always)]
    pub(crate) fn new(last: V, lead: V, two_byte_mask: u32) -> Self {
        Self { wide: last.paired(lead), two_byte_mask }
    }

    /// Returns the number of output bytes of the first `characters` characters.
    #[inline(always)]
    pub(crate) fn output_len(&self, characters: usize) -> usize {
        let first_bits = ((1u64 << characters) - 1) as u32;
        characters + (self.two_byte_mask & first_bits).count_ones() as usize
    }

    /// Returns the output bytes of characters `8 * group..8 * group + 8`.
    #[inline(always)]
    fn compressed_group(&self, group: usize) -> V::Units {
        let row = &utf8_narrow()[(self.two_byte_mask >> (8 * group) & 0xFF) as usize];
        V::compress(V::group(self.wide, group), row)
    }

    /// Writes the output, and at most eight more bytes.
    #[inline(always)]
    pub(crate) fn write(&self, out: &mut [MaybeUninit<u8>]) {
        let mut group = 0;
        while group < V::LANES / 8 {
            V::write_vector(self.compressed_group(group), out, self.output_len(8 * group));
            group += 1;
        }
    }

    /// Writes the output of the first `characters` characters, and nothing after the end of `dst`.
    /// Returns the length of the output in bytes, or `None` if it does not fit.
    #[inline(always)]
    fn write_within(&self, characters: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let len = self.output_len(characters);
        if let Some(out) = dst.get_mut(..LATIN1_OUTPUT_BYTES) {
            self.write(out);
        } else {
            let out = dst.get_mut(..len)?;
            let mut bounce = [MaybeUninit::uninit(); LATIN1_OUTPUT_BYTES];
            self.write(&mut bounce);
            copy_short(out, &bounce[..len]);
        }
        Some(len)
    }
}
