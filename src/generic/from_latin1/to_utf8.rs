//! Latin-1 to UTF-8.
//!
//! 1. If a block is ASCII, copy it, and the run of ASCII after it.
//! 2. Else compute both bytes of UTF-8 of each character in a 16-bit lane.
//! 3. A shuffle row writes one or both bytes of eight lanes.
//! 4. After whole blocks, convert single vectors. The last one ends with the text and overlaps; its
//!    first bytes are written again. Vectors write no byte beyond their characters, so an output of
//!    the right size is enough.
//! 5. If the output is too short, the characters that fit go through a bounce buffer.
//!
//! ```text
//!   0xxxxxxx    byte 0: the same
//!   1yxxxxxx    byte 0: 10xxxxxx   byte 1: 1100001y
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

/// Bytes of a block.
pub(crate) const LATIN1_BLOCK_BYTES: usize = 64;

/// Bytes of output that a vector of 32 bytes may overwrite, and some more that let LLVM prove all
/// stores in bounds.
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
        // The shortest texts are copied before they are tested for ASCII.
        copy::<V>(token, first, out);
        copy::<V>(token, last, &mut out[src.len() - 32..]);
        if !any_high::<V>(token, first) && !any_high::<V>(token, last) {
            return Reach { read: src.len(), written: src.len() };
        }
    }
    // A separate function, because the rest needs more registers.
    V::run_outlined(
        token,
        src,
        dst,
        #[inline(always)]
        |token, src, dst| {
            let encoder = Latin1Encoder::<V>::new(token);
            let reach = fast_lane(&encoder, src, dst);
            if reach.read == src.len() {
                return reach;
            }
            match last_ascii::<V>(token, src, dst, reach) {
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
fn fast_lane<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (mut read, mut written) = (0, 0);
    'blocks: while let Some(block) = src.get(read..read + LATIN1_BLOCK_BYTES) {
        if !any_high::<V>(encoder.token, block) {
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
            let output = encoder.vector(V::load(encoder.token, block, k));
            output.write(out);
            written += output.bytes_of(V::LANES);
            read += V::LANES;
            k += V::LANES;
        }
    }
    Reach { read, written }
}

/// Copies the ASCII after a block of ASCII, in pairs of blocks. Returns the number of bytes.
#[inline(always)]
fn ascii_run<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut run = 0;
    let blocks = src.chunks_exact(2 * LATIN1_BLOCK_BYTES);
    for (block, out) in blocks.zip(dst.chunks_exact_mut(2 * LATIN1_BLOCK_BYTES)) {
        if any_high::<V>(token, block) {
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
fn last_ascii<V: Vector>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    reach: Reach,
) -> Option<Reach> {
    let block = src.last_chunk::<LATIN1_BLOCK_BYTES>()?;
    let again = reach.read.checked_sub(src.len() - LATIN1_BLOCK_BYTES)?;
    if any_high::<V>(token, block) {
        return None;
    }
    // The bytes that overlap are ASCII, so each gave one byte.
    let base = reach.written - again;
    copy::<V>(token, block, dst.get_mut(base..base + LATIN1_BLOCK_BYTES)?);
    Some(Reach { read: src.len(), written: base + LATIN1_BLOCK_BYTES })
}

/// Returns true if any byte of a block is 0x80 or above.
#[inline(always)]
fn any_high<V: Vector>(token: V::Token, block: &[u8]) -> bool {
    let mut all = V::load(token, block, 0);
    let mut at = V::LANES;
    while at < block.len() {
        all = all.or(V::load(token, block, at));
        at += V::LANES;
    }
    all.any_high()
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

/// Converts single vectors, at least one. The last one ends with the text and overlaps.
#[inline(always)]
fn convert_tail<V: Lanes16>(
    encoder: &Latin1Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    while reach.read < src.len() {
        let start = reach.read.min(src.len() - V::LANES);
        let output = encoder.vector(V::load(encoder.token, src, start));
        // The bytes before `reach.written` that come from this vector are written again.
        let base = reach.written - output.bytes_of(reach.read - start);
        let end = base + output.bytes_of(V::LANES);
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
    let output = encoder.vector(V::of_words(encoder.token, words));
    let (first, all) = (output.bytes_of(8), output.bytes_of(16));
    // The second group begins before the end of the first.
    let second = output.bytes_of(src.len() - 8);
    let written = second + (all - first);
    let dst = dst.get_mut(..)?;
    if written > dst.len() {
        return None;
    }
    write_group::<V>(output.group(0), dst, 0, first);
    write_group::<V>(output.group(1), dst, second, all - first);
    Some(Reach { read: src.len(), written })
}

/// Writes the first `len` bytes of `units`, 8 to 16, from byte `at` on, and more bytes if `dst` has
/// capacity.
#[inline(always)]
fn write_group<V: Lanes16>(units: V::Units, dst: &mut [MaybeUninit<u8>], at: usize, len: usize) {
    match dst.get_mut(at..at + 16) {
        Some(out) => V::write_vector(units, out, 0),
        None => V::write_first(units, dst, at, len),
    }
}

/// The constants of a conversion, in registers.
struct Latin1Encoder<V: Vector> {
    token: V::Token,
    /// The larger lead byte.
    lead: V,
    /// The bit that distinguishes the lead bytes.
    bit: V,
    /// All bits.
    ones: V,
}

impl<V: Lanes16> Latin1Encoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            token,
            lead: V::splat(token, 0xC3),
            bit: V::splat(token, 0x40),
            ones: V::splat(token, 0xFF),
        }
    }

    /// Returns the output of a vector.
    #[inline(always)]
    fn vector(&self, bytes: V) -> VectorOutput<V> {
        // Bit 6 is removed from bytes of 0xC0 and above.
        let surplus = bytes.shr16::<1>().and(self.bit);
        let trail = bytes.and(surplus.xor(self.ones));
        // 0xC2 for 0x80..=0xBF. The lead byte of ASCII is not written.
        let lead = self.lead.add(V::from_mask(bytes.continuation()));
        VectorOutput { wide: trail.paired(lead), twos: V::bits(&[bytes.high()]) as u32 }
    }
}

/// The output of a vector.
struct VectorOutput<V: Vector> {
    /// Both bytes of each character, the last one first.
    wide: V::Wide,
    /// The characters that need both bytes.
    twos: u32,
}

impl<V: Lanes16> VectorOutput<V> {
    /// Returns the number of bytes of the first `characters`.
    #[inline(always)]
    fn bytes_of(&self, characters: usize) -> usize {
        let of_these = ((1u64 << characters) - 1) as u32;
        characters + (self.twos & of_these).count_ones() as usize
    }

    /// Returns the bytes of characters `8 * group..8 * group + 8`.
    #[inline(always)]
    fn group(&self, group: usize) -> V::Units {
        let row = &utf8_narrow()[(self.twos >> (8 * group) & 0xFF) as usize];
        V::compress(V::group(self.wide, group), row)
    }

    /// Writes the output, and at most eight more bytes.
    #[inline(always)]
    fn write(&self, out: &mut [MaybeUninit<u8>]) {
        let mut group = 0;
        while group < V::LANES / 8 {
            V::write_vector(self.group(group), out, self.bytes_of(8 * group));
            group += 1;
        }
    }

    /// Writes the output, `len` bytes, and no byte after the end of `dst`.
    #[inline(always)]
    fn write_exactly(&self, dst: &mut [MaybeUninit<u8>], len: usize) {
        // Each group except the last may write eight bytes too many; the next one has at least as
        // many.
        let last = V::LANES / 8 - 1;
        let mut group = 0;
        while group < last {
            V::write_vector(self.group(group), dst, self.bytes_of(8 * group));
            group += 1;
        }
        let at = self.bytes_of(8 * last);
        write_group::<V>(self.group(last), dst, at, len - at);
    }

    /// Writes the characters of a vector that fit. The vector begins at `start` in the input, and
    /// its output at `base`. Everything before `reach` has been written.
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
            if self.bytes_of(characters + step) <= capacity {
                characters += step;
            }
            step /= 2;
        }
        let mut bounce = [MaybeUninit::uninit(); LATIN1_OUTPUT_BYTES];
        self.write(&mut bounce);
        let written = base + self.bytes_of(characters);
        copy_short(&mut dst[reach.written..written], &bounce[reach.written - base..written - base]);
        Reach { read: start + characters, written }
    }
}
