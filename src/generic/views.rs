//! Validates short texts inside Arrow views. A view has 16 bytes: the length of a text, and then
//! the text itself if it has up to 12 bytes, else its prefix, buffer index and offset.
//!
//! 1. Compare the length, which is the first 32-bit lane of each view, with 12: the text is short
//!    or long.
//! 2. Copy the length to all lanes of its view by a shuffle. Clear all bytes that are not in a
//!    short text. A zero byte is a complete character, so the cleared length of the next view does
//!    not continue a sequence.
//! 3. If a text is not ASCII, shift the bytes of each view by one, two and three lanes by shuffles,
//!    and check them as [UTF-8](crate::generic::from_utf8::check). A sequence at the end of a view
//!    is incomplete.
//! 4. Record the views of long texts, and the groups of views with an ill-formed short text.

use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::types::views::{INLINE_MAX_BYTES, Views};

/// The size of a view, in bytes.
const VIEW_BYTES: usize = 16;

/// The number of vectors in a group of views. A group is tested at once.
const GROUP_VECTORS: usize = 4;

/// The maximum of each 32-bit lane of a view with a short text: 12 for the length, and any value
/// for the other lanes.
const INLINE_LANES_MAX: [u8; VIEW_BYTES] = {
    let mut max = [0xFF; VIEW_BYTES];
    [max[0], max[1], max[2], max[3]] = [12, 0, 0, 0];
    max
};

/// For each byte of a view, the length of the short text that ends with this byte. The first four
/// bytes are the length, so no text ends there.
const END_LENGTHS: [u8; VIEW_BYTES] =
    [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// Shuffle tables that shift the bytes of a view by one, two and three bytes. The first four bytes
/// of the view have been cleared, so index 0 gives a zero.
const SHIFT_BY_1: [u8; VIEW_BYTES] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
const SHIFT_BY_2: [u8; VIEW_BYTES] = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
const SHIFT_BY_3: [u8; VIEW_BYTES] = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The maximum of each byte of a view that ends with a complete sequence.
const COMPLETE_BYTES_MAX: [u8; VIEW_BYTES] = {
    let mut max = [0xFF; VIEW_BYTES];
    [max[13], max[14], max[15]] = [0xEF, 0xDF, 0xBF];
    max
};

/// Returns every fourth of the lowest `len` bits, beginning with the lowest bit, without gaps.
/// `len` is 16, 32 or 64.
#[inline(always)]
fn every_fourth(bits: u64, len: usize) -> u64 {
    let bits = bits & 0x1111_1111_1111_1111;
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000F_000F_000F_000F;
    if len == 16 {
        return bits & 0xF;
    }
    let bits = (bits | bits >> 12) & 0x0000_00FF_0000_00FF;
    if len == 32 {
        return bits & 0xFF;
    }
    (bits | bits >> 24) & 0xFFFF
}

/// The tables and constants of the check, in registers.
struct Checker<V: Vector> {
    utf8: Utf8Checker<V>,
    inline_max: V,
    end_lengths: V,
    shifts: [V; 3],
    complete_max: V,
    token: V::Token,
}

impl<V: Lanes32> Checker<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            utf8: Utf8Checker::new(token),
            inline_max: V::table(token, &INLINE_LANES_MAX),
            end_lengths: V::table(token, &END_LENGTHS),
            shifts: [
                V::table(token, &SHIFT_BY_1),
                V::table(token, &SHIFT_BY_2),
                V::table(token, &SHIFT_BY_3),
            ],
            complete_max: V::table(token, &COMPLETE_BYTES_MAX),
            token,
        }
    }

    /// Returns a mask in which the first lane of a view is set if its text is short. The other
    /// lanes are unspecified.
    #[inline(always)]
    fn mask_short(&self, views: V) -> V {
        views.max_u32(self.inline_max).equal32(self.inline_max)
    }

    /// Returns the bytes of short texts in their lanes, and zeros in all other lanes.
    #[inline(always)]
    fn keep_short_texts(&self, views: V) -> V {
        let zero = V::splat(self.token, 0);
        let len = views.and(self.mask_short(views)).picked(zero);
        let is_text = self.end_lengths.saturating_sub(len).equal(zero);
        views.and(V::from_mask(is_text))
    }

    /// Returns a vector that is not zero if one of the texts is ill-formed UTF-8.
    #[inline(always)]
    fn find_errors(&self, texts: V) -> V {
        let [shifted1, shifted2, shifted3] = [
            texts.picked(self.shifts[0]),
            texts.picked(self.shifts[1]),
            texts.picked(self.shifts[2]),
        ];
        self.utf8
            .errors(texts, shifted1, shifted2, shifted3)
            .or(texts.saturating_sub(self.complete_max))
    }

    /// Adds a group of views to `batch`. The group begins at byte `offset` of the batch. Returns
    /// the bitwise OR of the short texts.
    #[inline(always)]
    fn summarize(&self, views: &[u8], offset: usize, batch: &mut Views) -> V {
        let zero = V::splat(self.token, 0);
        let mut texts = [zero; GROUP_VECTORS];
        let (mut all_texts, mut short) = (zero, 0);
        let mut k = 0;
        while k < GROUP_VECTORS {
            let lanes = self.mask_short(V::load(self.token, views, k * V::LANES)).bits32();
            short |= u64::from(lanes) << (k * V::LANES / 4);
            k += 1;
        }
        let first_view = offset / VIEW_BYTES;
        let long = every_fourth(!short, GROUP_VECTORS * V::LANES / 4);
        batch.bits[first_view / 64].long |= long << (first_view % 64);
        if long == V::first_bits(GROUP_VECTORS * V::LANES / VIEW_BYTES) {
            return zero;
        }
        k = 0;
        while k < GROUP_VECTORS {
            texts[k] = self.keep_short_texts(V::load(self.token, views, k * V::LANES));
            all_texts = all_texts.or(texts[k]);
            k += 1;
        }
        if all_texts.any_high_bit() {
            let mut errors = self.find_errors(texts[0]);
            let mut k = 1;
            while k < GROUP_VECTORS {
                errors = errors.or(self.find_errors(texts[k]));
                k += 1;
            }
            if errors.any() {
                let group_bits = V::first_bits(GROUP_VECTORS * V::LANES / VIEW_BYTES);
                batch.bits[first_view / 64].suspects |= group_bits << (first_view % 64);
            }
        }
        all_texts
    }
}

/// Adds the views of a batch to `batch`, from the first view on. `views` has 16 bytes for each of
/// at most [`BATCH_VIEWS`](crate::types::views::BATCH_VIEWS) views.
#[inline(always)]
pub(crate) fn summarize<V: Lanes32>(token: V::Token, views: &[u8], batch: &mut Views) {
    let checker = Checker::<V>::new(token);
    let group_bytes = GROUP_VECTORS * V::LANES;
    let mut all_texts = V::splat(token, 0);
    let mut offset = 0;
    while offset + group_bytes <= views.len() {
        all_texts =
            all_texts.or(checker.summarize(&views[offset..offset + group_bytes], offset, batch));
        offset += group_bytes;
    }
    if offset < views.len() {
        // Zeros are views of empty texts.
        let mut padded = [0; GROUP_VECTORS * 64];
        padded[..views.len() - offset].copy_from_slice(&views[offset..]);
        all_texts = all_texts.or(checker.summarize(&padded[..group_bytes], offset, batch));
    }
    batch.is_ascii = !all_texts.any_high_bit();
}

/// The state of [`are_within`], in registers.
struct Bounds<V: Lanes32> {
    length_shuffle: V,
    min_long_len: V,
    buffer: V,
    /// The bitwise OR of the views of long texts, in which the buffer index is XORed with `buffer`.
    long_bits: V,
    /// In the last lane of each view, the greatest end offset of a long text.
    max_end: V,
}

impl<V: Lanes32> Bounds<V> {
    #[inline(always)]
    fn add(&mut self, views: V) {
        // The length of each view in all its lanes, and a mask of the views of long texts.
        let len = views.picked(self.length_shuffle);
        let is_long = len.max_u32(self.min_long_len).equal32(len);
        let views = views.xor(self.buffer);
        self.long_bits = self.long_bits.or(views.and(is_long));
        self.max_end = self.max_end.max_u32(views.add32(len).and(is_long));
    }
}

/// Returns the bytes of four 32-bit lanes, in little-endian order.
fn lanes_to_bytes(lanes: [u32; 4]) -> [u8; VIEW_BYTES] {
    let mut bytes = [0; VIEW_BYTES];
    for (chunk, lane) in bytes.as_chunks_mut().0.iter_mut().zip(lanes) {
        *chunk = lane.to_le_bytes();
    }
    bytes
}

/// Returns the size, in bytes, of the views before the first group that has a long text. A group is
/// [`GROUP_VECTORS`] vectors.
#[inline(always)]
fn short_prefix_len<V: Lanes32>(token: V::Token, views: &[u8]) -> usize {
    let inline_max = V::table(token, &INLINE_LANES_MAX);
    let mut offset = 0;
    while offset + GROUP_VECTORS * V::LANES <= views.len() {
        let mut longest = inline_max;
        let mut k = 0;
        while k < GROUP_VECTORS {
            longest = longest.max_u32(V::load(token, views, offset + k * V::LANES));
            k += 1;
        }
        if longest.xor(inline_max).any() {
            break;
        }
        offset += GROUP_VECTORS * V::LANES;
    }
    offset
}

/// Returns true only if every view that is not inline points into buffer `buffer`, and its text
/// ends at or before byte `limit` of the buffer. Returns false if a length or an offset is 2^31 or
/// more. `views` has 16 bytes for each view.
#[inline(always)]
pub(crate) fn are_within<V: Lanes32>(
    token: V::Token,
    views: &[u8],
    (buffer, limit): (u32, u32),
) -> bool {
    let zeros = V::splat(token, 0);
    let mut bounds = Bounds {
        length_shuffle: V::table(token, &[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
        min_long_len: V::splat32(token, INLINE_MAX_BYTES as u32 + 1),
        buffer: V::table(token, &lanes_to_bytes([0, 0, buffer, 0])),
        long_bits: zeros,
        max_end: zeros,
    };
    let mut offset = short_prefix_len::<V>(token, views);
    while offset + V::LANES <= views.len() {
        bounds.add(V::load(token, views, offset));
        offset += V::LANES;
    }
    if offset < views.len() {
        // Zeros are views of empty texts.
        let mut padded = [0; 64];
        padded[..views.len() - offset].copy_from_slice(&views[offset..]);
        bounds.add(V::load(token, &padded, 0));
    }
    let forbidden_bits = V::table(token, &lanes_to_bytes([1 << 31, 0, u32::MAX, 1 << 31]));
    let limits = V::table(token, &lanes_to_bytes([u32::MAX, u32::MAX, u32::MAX, limit]));
    !bounds.long_bits.and(forbidden_bits).or(bounds.max_end.max_u32(limits).xor(limits)).any()
}
