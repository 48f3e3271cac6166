//! Latin-1 to UTF-8.
//!
//! 1. If a block is ASCII, copy it, and the run of ASCII after it.
//! 2. Else compute both bytes of UTF-8 of each character in a 16-bit lane.
//! 3. Write one or both bytes of each of eight lanes by a shuffle row.
//! 4. After the whole blocks, convert one vector at a time. The last vector ends at the end of the
//!    text and overlaps the vector before it; the bytes that overlap are written again. A vector
//!    writes no byte after its characters, so an output of the exact length is enough.
//! 5. If the output is too short, write the characters that fit through a bounce buffer.
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
use crate::scalar;
use crate::tables::utf8_narrow;
use crate::types::progress::Reach;

/// The size of a block, in bytes.
pub(crate) const LATIN1_BLOCK_BYTES: usize = 64;

/// The number of output bytes that a vector of 32 bytes may overwrite, plus some bytes that let
/// LLVM prove that all stores are in bounds.
const LATIN1_OUTPUT_BYTES: usize = 80;

/// Converts `src`, of at least 32 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if let (Some(first), Some(last)) = (src.first_chunk::<32>(), src.last_chunk::<32>())
        && src.len() <= LATIN1_BLOCK_BYTES
        && let Some(out) = dst.get_mut(..src.len())
    {
        // A text of at most one block is copied before it is tested for ASCII.
        copy::<V>(token, first, out);
        copy::<V>(token, last, &mut out[src.len() - 32..]);
        if !any_high_bit::<V>(token, first) && !any_high_bit::<V>(token, last) {
            return Reach { read: src.len(), written: src.len() };
        }
    }
    // This is a separate function, because the rest of the conversion needs more registers.
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        |token, src, dst| {
            let encoder = Latin1Encoder::<V>::new(token);
            let reach = fast_loop(&encoder, src, dst);
            if reach.read == src.len() {
                return reach;
            }
            match copy_last_ascii_block::<V>(token, src, dst, reach) {
                Some(reach) => reach,
                None => convert_tail(&encoder, src, dst, reach),
            }
        },
    )
}

/// Converts `src`, of 8 to 31 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let encoder = Latin1Encoder::<V>::new(token);
    if src.len() < V::LANES {
        return two_groups(&encoder, src, dst)
            .unwrap_or_else(|| scalar::transcode::<Latin1, Utf8>(src, dst));
    }
    convert_tail(&encoder, src, dst, Reach { read: 0, written: 0 })
}

/// Converts blocks while `dst` has capacity for the output of a vector.
#[inline(always)]
fn fast_loop<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (mut read, mut written) = (0, 0);
    'blocks: while let Some(block) = src.get(read..read + LATIN1_BLOCK_BYTES) {
        if !any_high_bit::<V>(encoder.token, block) {
            let Some(out) = dst.get_mut(written..written + LATIN1_BLOCK_BYTES) else { break };
            copy::<V>(encoder.token, block, out);
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
    let blocks = src.chunks_exact(2 * LATIN1_BLOCK_BYTES);
    for (block, out) in blocks.zip(dst.chunks_exact_mut(2 * LATIN1_BLOCK_BYTES)) {
        if any_high_bit::<V>(token, block) {
            break;
        }
        copy::<V>(token, block, out);
        run += 2 * LATIN1_BLOCK_BYTES;
    }
    run
}

/// Copies the last block of the text if it is ASCII and overlaps the bytes that have been
/// converted. Otherwise returns `None`.
#[inline(always)]
fn copy_last_ascii_block<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let block = src.last_chunk::<LATIN1_BLOCK_BYTES>()?;
    let overlap = reach.read.checked_sub(src.len() - LATIN1_BLOCK_BYTES)?;
    if any_high_bit::<V>(token, block) {
        return None;
    }
    // The bytes that overlap are ASCII, so each of them became one byte.
    let base = reach.written - overlap;
    copy::<V>(token, block, dst.get_mut(base..base + LATIN1_BLOCK_BYTES)?);
    Some(Reach { read: src.len(), written: base + LATIN1_BLOCK_BYTES })
}

/// Returns true if any byte of a block is 0x80 or above.
#[inline(always)]
fn any_high_bit<V: Vector>(token: V::Token, block: &[u8]) -> bool {
    let mut all = V::load(token, block, 0);
    let mut at = V::LANES;
    while at < block.len() {
        all = all.or(V::load(token, block, at));
        at += V::LANES;
    }
    all.any_high_bit()
}

/// Copies a block.
#[inline(always)]
fn copy<V: Vector>(token: V::Token, block: &[u8], out: &mut [MaybeUninit<u8>]) {
    let mut at = 0;
    while at < block.len() {
        V::load(token, block, at).store_bytes(out, at);
        at += V::LANES;
    }
}

/// Converts the rest one vector at a time. `src` has at least `V::LANES` bytes. The last vector
/// ends at the end of the text and overlaps the vector before it.
#[inline(always)]
fn convert_tail<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    while reach.read < src.len() {
        let start = reach.read.min(src.len() - V::LANES);
        let output = encoder.encode_vector(V::load(encoder.token, src, start));
        // The bytes before `reach.written` that come from this vector are written again.
        let base = reach.written - output.output_len(reach.read - start);
        let end = base + output.output_len(V::LANES);
        if end > dst.len() {
            return output.write_what_fits(reach, start, base, dst);
        }
        output.write_exactly(&mut dst[base..], end - base);
        reach = Reach { read: start + V::LANES, written: end };
    }
    reach
}

/// Converts 8 to 15 bytes as two overlapping groups of eight. Returns `None` if the result does not
/// fit.
#[inline(always)]
fn two_groups<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let words = [word(src.first_chunk()), word(src.last_chunk()), 0, 0];
    let output = encoder.encode_vector(V::from_words(encoder.token, words));
    let (first_len, both_len) = (output.output_len(8), output.output_len(16));
    // The second group begins before the end of the first.
    let second_start = output.output_len(src.len() - 8);
    let written = second_start + (both_len - first_len);
    let dst = dst.get_mut(..)?;
    if written > dst.len() {
        return None;
    }
    write_group::<V>(output.compressed_group(0), dst, 0, first_len);
    write_group::<V>(output.compressed_group(1), dst, second_start, both_len - first_len);
    Some(Reach { read: src.len(), written })
}

/// Writes the first `len` bytes of `bytes` to `dst[at..]`, and more bytes if `dst` has capacity.
/// `len` is 8 to 16.
#[inline(always)]
fn write_group<V: Lanes16>(bytes: V::Units, dst: &mut [MaybeUninit<u8>], at: usize, len: usize) {
    match dst.get_mut(at..at + 16) {
        Some(out) => V::write_vector(bytes, out, 0),
        None => V::write_first(bytes, dst, at, len),
    }
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

    /// Writes the output, which is `len` bytes long. Does not write past the end of `dst`.
    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>], len: usize) {
        // Each group except the last may write eight bytes too many. The next group has at least
        // eight bytes, and overwrites them.
        let last = V::LANES / 8 - 1;
        let mut group = 0;
        while group < last {
            V::write_vector(self.compressed_group(group), dst, self.output_len(8 * group));
            group += 1;
        }
        let at = self.output_len(8 * last);
        write_group::<V>(self.compressed_group(last), dst, at, len - at);
    }

    /// Writes the characters of a vector that fit. The vector begins at byte `start` of the input,
    /// and its output begins at byte `base` of `dst`. The text before `reach` has already been
    /// converted.
    #[inline(always)]
    fn write_what_fits(
        &self,
        reach: Reach,
        start: usize,
        base: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        let capacity = dst.len() - base;
        let mut characters = 0;
        let mut step = V::LANES / 2;
        while step > 0 {
            if self.output_len(characters + step) <= capacity {
                characters += step;
            }
            step /= 2;
        }
        let mut bounce = [MaybeUninit::uninit(); LATIN1_OUTPUT_BYTES];
        self.write(&mut bounce);
        let written = base + self.output_len(characters);
        copy_short(&mut dst[reach.written..written], &bounce[reach.written - base..written - base]);
        Reach { read: start + characters, written }
    }
}
