//! Latin-1 to UTF-8. Of each byte both bytes of UTF-8 are made, whether they are needed or not, and stand beside each other
//! in a 16-bit lane; rows of a table write one or both of eight lanes at a time. So accents cost nothing but the bytes that
//! they take, and only blocks of ASCII have a path of their own.
//!
//! ```text
//!   0xxxxxxx    byte 0: itself
//!   1yxxxxxx    byte 0: 10xxxxxx   byte 1: 1100001y
//! ```
//!
//! What is left behind whole blocks are single vectors, of which the last one ends with the text and writes again what it
//! sees again. They write exactly what they have to, so that an output of the right size is enough. Only where it is too
//! small, the characters that still fit come through a bounce buffer. Where there are masks, all this is theirs.

#[cfg(avx512)]
pub(crate) mod masked;

use core::mem::MaybeUninit;

use crate::arch::Vector;
use crate::arch::lanes16::Lanes16;
use crate::arch::window::copy_short;
use crate::progress::Reach;
use crate::scalar;
use crate::tables::utf8_narrow;
use crate::{Latin1, Utf8};

/// Bytes of a block.
const BLOCK: usize = 64;

/// Bytes of output that a vector of 32 bytes may touch, and as many more as let the compiler see that none lies outside.
const ROOM: usize = 80;

/// Converts `src`, of at least 32 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    if let (Some(first), Some(last)) = (src.first_chunk::<32>(), src.last_chunk::<32>())
        && src.len() <= BLOCK
        && let Some(room) = dst.get_mut(..src.len())
    {
        // The shortest ones are copied before it is known whether they are ASCII.
        copy::<V>(token, first, room);
        copy::<V>(token, last, &mut room[src.len() - 32..]);
        if !any_high::<V>(token, first) && !any_high::<V>(token, last) {
            return Reach { read: src.len(), written: src.len() };
        }
    }
    let encoder = Encoder::<V>::new(token);
    let reach = fast_lane(&encoder, src, dst);
    ends(&encoder, src, dst, reach)
}

/// Converts `src`, of 8 to 31 bytes, into `dst`.
#[inline(always)]
pub(crate) fn convert_short<V: Lanes16>(
    token: V::Token,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let encoder = Encoder::<V>::new(token);
    if src.len() < V::LANES {
        return two_groups(&encoder, src, dst)
            .unwrap_or_else(|| scalar::transcode::<Latin1, Utf8>(src, dst));
    }
    ends(&encoder, src, dst, Reach { read: 0, written: 0 })
}

/// Converts blocks, as long as there are any and `dst` has room for whatever may come of them.
#[inline(always)]
fn fast_lane<V: Lanes16>(encoder: &Encoder<V>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
    let (mut read, mut written) = (0, 0);
    'blocks: while let Some(block) = src.get(read..read + BLOCK) {
        if !any_high::<V>(encoder.token, block) {
            let Some(room) = dst.get_mut(written..written + BLOCK) else { break };
            copy::<V>(encoder.token, block, room);
            read += BLOCK;
            written += BLOCK;
            let run = ascii_run::<V>(encoder.token, &src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        let mut k = 0;
        while k < BLOCK {
            let Some(room) = dst.get_mut(written..written + ROOM) else { break 'blocks };
            let single = encoder.single(V::load(encoder.token, block, k));
            single.put(room);
            written += single.bytes_of(V::LANES);
            read += V::LANES;
            k += V::LANES;
        }
    }
    Reach { read, written }
}

/// Copies a run of ASCII behind a block of it; says how many bytes.
#[inline(always)]
fn ascii_run<V: Vector>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut run = 0;
    while let (Some(block), Some(room)) =
        (src.get(run..run + 2 * BLOCK), dst.get_mut(run..run + 2 * BLOCK))
    {
        if any_high::<V>(token, block) {
            break;
        }
        copy::<V>(token, block, room);
        run += 2 * BLOCK;
    }
    run
}

/// Whether any byte of a block is 80 or more.
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
fn copy<V: Vector>(token: V::Token, block: &[u8], room: &mut [MaybeUninit<u8>]) {
    let mut at = 0;
    while at < block.len() {
        V::load(token, block, at).store_bytes(room, at);
        at += V::LANES;
    }
}

/// Converts single vectors, of which the last one ends with the text. There is at least one.
#[inline(always)]
fn ends<V: Lanes16>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut reach: Reach,
) -> Reach {
    while reach.read < src.len() {
        let start = reach.read.min(src.len() - V::LANES);
        let single = encoder.single(V::load(encoder.token, src, start));
        // What has been written before is written again.
        let base = reach.written - single.bytes_of(reach.read - start);
        let end = base + single.bytes_of(V::LANES);
        if end > dst.len() {
            return single.put_what_fits(reach, start, base, dst);
        }
        single.put_exactly(&mut dst[base..], end - base);
        reach = Reach { read: start + V::LANES, written: end };
    }
    reach
}

/// Converts 8 to 15 bytes as two groups of eight that overlap. `None` if the result doesn't fit.
#[inline(always)]
fn two_groups<V: Lanes16>(
    encoder: &Encoder<V>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let words = [word(src.first_chunk()), word(src.last_chunk()), 0, 0];
    let single = encoder.single(V::of_words(encoder.token, words));
    let (first, all) = (single.bytes_of(8), single.bytes_of(16));
    // The second group begins in front of the end of the first.
    let second = single.bytes_of(src.len() - 8);
    let written = second + (all - first);
    let dst = dst.get_mut(..)?;
    if written > dst.len() {
        return None;
    }
    put_group::<V>(single.group(0), dst, 0, first);
    put_group::<V>(single.group(1), dst, second, all - first);
    Some(Reach { read: src.len(), written })
}

/// Writes `len` bytes at the front of `units`, 8 to 16, from byte `at` on; more where that is inside `dst`.
#[inline(always)]
fn put_group<V: Lanes16>(units: V::Units, dst: &mut [MaybeUninit<u8>], at: usize, len: usize) {
    match dst.get_mut(at..at + 16) {
        Some(room) => V::put(units, room, 0),
        None => V::put_first(units, dst, at, len),
    }
}

/// The constants of a conversion.
struct Encoder<V: Vector> {
    token: V::Token,
    /// The greatest lead byte.
    lead: V,
    /// The bit that tells which lead byte it is.
    bit: V,
    ones: V,
}

impl<V: Lanes16> Encoder<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            token,
            lead: V::splat(token, 0xC3),
            bit: V::splat(token, 0x40),
            ones: V::splat(token, 0xFF),
        }
    }

    /// What becomes of a vector.
    #[inline(always)]
    fn single(&self, bytes: V) -> Single<V> {
        // From C0 on bit 6 is taken away.
        let surplus = bytes.shr16::<1>().and(self.bit);
        let trail = bytes.and(surplus.xor(self.ones));
        // One less in front of 80..=BF; what is in front of ASCII is not written.
        let lead = self.lead.add(V::of_mask(bytes.continuation()));
        Single { wide: trail.paired(lead), twos: V::bits(&[bytes.high()]) as u32 }
    }
}

/// What becomes of a vector.
struct Single<V: Vector> {
    /// Both bytes of each character, the last one first.
    wide: V::Wide,
    /// The characters that take both.
    twos: u32,
}

impl<V: Lanes16> Single<V> {
    /// Bytes that the first characters become.
    #[inline(always)]
    fn bytes_of(&self, characters: usize) -> usize {
        let of_these = ((1u64 << characters) - 1) as u32;
        characters + (self.twos & of_these).count_ones() as usize
    }

    /// What becomes of characters `8 * group..8 * group + 8`.
    #[inline(always)]
    fn group(&self, group: usize) -> V::Units {
        let row = &utf8_narrow()[(self.twos >> (8 * group) & 0xFF) as usize];
        V::compress(V::group(self.wide, group), row)
    }

    /// Writes everything, and up to eight bytes more.
    #[inline(always)]
    fn put(&self, room: &mut [MaybeUninit<u8>]) {
        let mut group = 0;
        while group < V::LANES / 8 {
            V::put(self.group(group), room, self.bytes_of(8 * group));
            group += 1;
        }
    }

    /// Writes everything, `len` bytes, and nothing behind the end of `dst`.
    #[inline(always)]
    fn put_exactly(&self, dst: &mut [MaybeUninit<u8>], len: usize) {
        // Behind each group but the last follows another one, of at least the eight bytes that it may write too many.
        let last = V::LANES / 8 - 1;
        let mut group = 0;
        while group < last {
            V::put(self.group(group), dst, self.bytes_of(8 * group));
            group += 1;
        }
        let at = self.bytes_of(8 * last);
        put_group::<V>(self.group(last), dst, at, len - at);
    }

    /// Writes the characters of a vector, from `start` in the input and `base` in the output on, that still fit when
    /// everything up to `reach` has been written.
    #[inline(always)]
    fn put_what_fits(
        &self,
        reach: Reach,
        start: usize,
        base: usize,
        dst: &mut [MaybeUninit<u8>],
    ) -> Reach {
        let room = dst.len() - base;
        let mut characters = 0;
        let mut step = V::LANES / 2;
        while step > 0 {
            if self.bytes_of(characters + step) <= room {
                characters += step;
            }
            step /= 2;
        }
        let mut bounce = [MaybeUninit::uninit(); ROOM];
        self.put(&mut bounce);
        let written = base + self.bytes_of(characters);
        copy_short(&mut dst[reach.written..written], &bounce[reach.written - base..written - base]);
        Reach { read: start + characters, written }
    }
}
