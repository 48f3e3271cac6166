//! Validation of short texts inside Arrow views. A view has 16 bytes: the length, and a text of up
//! to 12 bytes, or the prefix, buffer and offset of a longer one.
//!
//! 1. Compare the first lane of each view with 12: short or long.
//! 2. Copy the length to all lanes of its view by a shuffle. Clear all bytes that are not in a
//!    short text. Zero is a character, so no text continues into the next view.
//! 3. If a text is not ASCII, shift the bytes of each view by one, two and three lanes by shuffles,
//!    and check them as [UTF-8](crate::generic::from_utf8::check). A sequence at the end of a view
//!    is incomplete.
//! 4. Record the long views, and the groups of views with an error.

use crate::arch::lanes32::Lanes32;
use crate::arch::vector::Vector;
use crate::generic::from_utf8::check::Utf8Checker;
use crate::types::views::{INLINE_MAX_BYTES, Views};

/// Bytes of a view.
const VIEW_BYTES: usize = 16;

/// Vectors that are tested together.
const TESTED_VECTORS: usize = 4;

/// The greatest 32-bit lanes of a view with a short text.
const INLINE_LANES_MAX: [u8; VIEW_BYTES] = {
    let mut most = [0xFF; VIEW_BYTES];
    [most[0], most[1], most[2], most[3]] = [12, 0, 0, 0];
    most
};

/// For each byte of a view, the length of a text that ends with it.
const END_LENGTHS: [u8; VIEW_BYTES] =
    [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The shuffles that shift the bytes of a view by one, two and three. The first four bytes are
/// zero.
const BACK1: [u8; VIEW_BYTES] = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
const BACK2: [u8; VIEW_BYTES] = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
const BACK3: [u8; VIEW_BYTES] = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// The largest bytes of a view that ends with a complete sequence.
const COMPLETE_BYTES_MAX: [u8; VIEW_BYTES] = {
    let mut most = [0xFF; VIEW_BYTES];
    [most[13], most[14], most[15]] = [0xEF, 0xDF, 0xBF];
    most
};

/// Returns every fourth of the lowest `len` bits, from the lowest on. `len` is 16, 32 or 64.
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

/// The tables and constants, in registers.
struct Checker<V: Vector> {
    utf8: Utf8Checker<V>,
    short: V,
    ends: V,
    backs: [V; 3],
    complete: V,
    token: V::Token,
}

impl<V: Lanes32> Checker<V> {
    #[inline(always)]
    fn new(token: V::Token) -> Self {
        Self {
            utf8: Utf8Checker::new(token),
            short: V::table(token, &INLINE_LANES_MAX),
            ends: V::table(token, &END_LENGTHS),
            backs: [V::table(token, &BACK1), V::table(token, &BACK2), V::table(token, &BACK3)],
            complete: V::table(token, &COMPLETE_BYTES_MAX),
            token,
        }
    }

    /// Returns a mask of the first lanes of views with short texts. The other lanes are
    /// unspecified.
    #[inline(always)]
    fn are_short(&self, views: V) -> V {
        views.max32(self.short).equal32(self.short)
    }

    /// Returns the bytes of short texts, and zeros in all other lanes.
    #[inline(always)]
    fn texts(&self, views: V) -> V {
        let zero = V::splat(self.token, 0);
        let len = views.and(self.are_short(views)).picked(zero);
        let is_text = self.ends.saturating_sub(len).equal(zero);
        views.and(V::from_mask(is_text))
    }

    /// Returns a lane that is not zero if one of the texts is ill-formed UTF-8.
    #[inline(always)]
    fn errors(&self, texts: V) -> V {
        let [back1, back2, back3] =
            [texts.picked(self.backs[0]), texts.picked(self.backs[1]), texts.picked(self.backs[2])];
        self.utf8.errors(texts, back1, back2, back3).or(texts.saturating_sub(self.complete))
    }

    /// Adds the views of a few vectors, which begin at byte `at`, to `seen`. Returns their texts,
    /// or-ed together.
    #[inline(always)]
    fn summarize(&self, views: &[u8], at: usize, seen: &mut Views) -> V {
        let zero = V::splat(self.token, 0);
        let mut texts = [zero; TESTED_VECTORS];
        let (mut all, mut short) = (zero, 0);
        let mut k = 0;
        while k < TESTED_VECTORS {
            let lanes = self.are_short(V::load(self.token, views, k * V::LANES)).bits32();
            short |= u64::from(lanes) << (k * V::LANES / 4);
            k += 1;
        }
        let view = at / VIEW_BYTES;
        let long = every_fourth(!short, TESTED_VECTORS * V::LANES / 4);
        seen.bits[view / 64].long |= long << (view % 64);
        if long == V::first_bits(TESTED_VECTORS * V::LANES / VIEW_BYTES) {
            return zero;
        }
        k = 0;
        while k < TESTED_VECTORS {
            texts[k] = self.texts(V::load(self.token, views, k * V::LANES));
            all = all.or(texts[k]);
            k += 1;
        }
        if all.any_high() {
            let mut errors = self.errors(texts[0]);
            let mut k = 1;
            while k < TESTED_VECTORS {
                errors = errors.or(self.errors(texts[k]));
                k += 1;
            }
            if errors.any() {
                let views = V::first_bits(TESTED_VECTORS * V::LANES / VIEW_BYTES);
                seen.bits[view / 64].suspects |= views << (view % 64);
            }
        }
        all
    }
}

/// Adds the first views of a batch to `seen`. `views` has 16 bytes for
/// each of at most [`BATCH_VIEWS`](crate::types::views::BATCH_VIEWS) views.
#[inline(always)]
pub(crate) fn summarize<V: Lanes32>(token: V::Token, views: &[u8], seen: &mut Views) {
    let checker = Checker::<V>::new(token);
    let together = TESTED_VECTORS * V::LANES;
    let mut all = V::splat(token, 0);
    let mut at = 0;
    while at + together <= views.len() {
        all = all.or(checker.summarize(&views[at..at + together], at, seen));
        at += together;
    }
    if at < views.len() {
        // Zeros are views of empty texts.
        let mut last = [0; TESTED_VECTORS * 64];
        last[..views.len() - at].copy_from_slice(&views[at..]);
        all = all.or(checker.summarize(&last[..together], at, seen));
    }
    seen.is_ascii = !all.any_high();
}

/// The test of [`are_within`], in registers.
struct Bounds<V: Lanes32> {
    len: V,
    least_long: V,
    buffer: V,
    /// The lengths, other buffers and offsets of long texts, or-ed together.
    seen: V,
    /// In the last lane of a view, the greatest end of a long text.
    most: V,
}

impl<V: Lanes32> Bounds<V> {
    #[inline(always)]
    fn add(&mut self, views: V) {
        // The length in each lane, and the mask of long ones.
        let len = views.picked(self.len);
        let is_long = len.max32(self.least_long).equal32(len);
        let views = views.xor(self.buffer);
        self.seen = self.seen.or(views.and(is_long));
        self.most = self.most.max32(views.add32(len).and(is_long));
    }
}

/// Returns the bytes of four 32-bit lanes.
fn bytes_of_lanes(lanes: [u32; 4]) -> [u8; VIEW_BYTES] {
    let mut bytes = [0; VIEW_BYTES];
    for (to, lane) in bytes.as_chunks_mut().0.iter_mut().zip(lanes) {
        *to = lane.to_le_bytes();
    }
    bytes
}

/// Returns the number of bytes of the views before the first group with a long text. A group is a
/// few vectors.
#[inline(always)]
fn short_at_start<V: Lanes32>(token: V::Token, views: &[u8]) -> usize {
    let short = V::table(token, &INLINE_LANES_MAX);
    let mut at = 0;
    while at + TESTED_VECTORS * V::LANES <= views.len() {
        let mut longest = short;
        let mut k = 0;
        while k < TESTED_VECTORS {
            longest = longest.max32(V::load(token, views, at + k * V::LANES));
            k += 1;
        }
        if longest.xor(short).any() {
            break;
        }
        at += TESTED_VECTORS * V::LANES;
    }
    at
}

/// Returns true only if every view that is not inline points into buffer `buffer` and ends by its
/// byte `limit`. Returns false if a length or an offset is 2^31 or more. `views` has 16 bytes for
/// each view.
#[inline(always)]
pub(crate) fn are_within<V: Lanes32>(
    token: V::Token,
    views: &[u8],
    (buffer, limit): (u32, u32),
) -> bool {
    let none = V::splat(token, 0);
    let mut bounds = Bounds {
        len: V::table(token, &[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]),
        least_long: V::splat32(token, INLINE_MAX_BYTES as u32 + 1),
        buffer: V::table(token, &bytes_of_lanes([0, 0, buffer, 0])),
        seen: none,
        most: none,
    };
    let mut at = short_at_start::<V>(token, views);
    while at + V::LANES <= views.len() {
        bounds.add(V::load(token, views, at));
        at += V::LANES;
    }
    if at < views.len() {
        // Zeros are views of empty texts.
        let mut last = [0; 64];
        last[..views.len() - at].copy_from_slice(&views[at..]);
        bounds.add(V::load(token, &last, 0));
    }
    let wrong = V::table(token, &bytes_of_lanes([1 << 31, 0, u32::MAX, 1 << 31]));
    let limit = V::table(token, &bytes_of_lanes([u32::MAX, u32::MAX, u32::MAX, limit]));
    !bounds.seen.and(wrong).or(bounds.most.max32(limit).xor(limit)).any()
}
