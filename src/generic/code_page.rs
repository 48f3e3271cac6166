//! Code pages to UTF-16 and UTF-8, and back.
//!
//! To decode a vector of bytes:
//!
//! 1. If the page is ASCII below 0x80 and the vector has only such bytes, widen them.
//! 2. Look up the low byte of each character in a table of 128 bytes; pages that are not ASCII need
//!    one for each half.
//! 3. Most rows of 16 bytes share a high byte: look it up by the row. If a row of the vector has
//!    several, look up the high byte of each character like the low byte.
//! 4. If a character is 0xFFFF, stop: its byte is unassigned.
//!
//! To encode two vectors of UTF-16, take their low and their high bytes apart. Then:
//!
//! 1. Lanes of ASCII are done, if the page is ASCII below 0x80.
//! 2. A *window* is 128 characters and their bytes. Take the last window, or if no lane is in it,
//!    the window of the first lane that is not done. Look up the bytes of all lanes in the window.
//! 3. If the page lacks one of them, or has no such window, stop. Else repeat step 2 until all
//!    lanes are done. Text has characters of one or two windows in most vectors.
//!
//! To UTF-8, the low and the high bytes of characters below U+0800 are few operations away from
//! their bytes in UTF-8; other vectors are written like UTF-16. From UTF-8, vectors are converted
//! directly while their characters have one or two bytes. For other text, the caller takes UTF-16
//! as a step between.
//!
//! All directions stop before the vector with the error. The last vector overlaps.

#![cfg_attr(not(feature = "code-pages"), allow(dead_code, reason = "`mojibake` uses a part"))]

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::generic::from_latin1::to_utf8::VectorOutput;
use crate::generic::from_utf16::utf8_encoder::{ENCODER_OUTPUT_BYTES, UnitEncoder};
use crate::tables::code_pages::{Page, Window};
use crate::tables::{Order, UnitOrder};
use crate::types::progress::Reach;

/// Decodes as many bytes of `src` as fit into `dst` as UTF-16 in byte order `O`, while all are
/// assigned. Returns their number; it may be less by up to a vector, and is 0 for less than a
/// vector.
#[inline(always)]
pub(crate) fn decode<V: Lanes16, O: Order>(
    token: V::Token,
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len() / 2);
    let Some(last) = len.checked_sub(V::LANES) else { return 0 };
    let high_of_row = V::table(token, &page.high_of_row);
    let mut at = 0;
    while at < len {
        let start = at.min(last);
        let bytes = V::load(token, src, start);
        let out = &mut dst[2 * start..2 * start + 2 * V::LANES];
        if page.is_ascii && !bytes.any_high_bit() {
            bytes.store_widened::<O>(out, 0);
        } else {
            let low = look_up::<V, 0>(token, page, bytes, bytes);
            let high = high_bytes(token, page, high_of_row, bytes);
            if high.any_from(token, 0xFF) {
                return at;
            }
            let units = if O::BIG { high.interleaved(low) } else { low.interleaved(high) };
            units[0].store_bytes(out, 0);
            units[1].store_bytes(out, V::LANES);
        }
        at = start + V::LANES;
    }
    len
}

/// Returns the high bytes of the characters of `bytes`; 0xFF if a byte is unassigned.
#[inline(always)]
fn high_bytes<V: Lanes16>(token: V::Token, page: &'static Page, high_of_row: V, bytes: V) -> V {
    let high = bytes.high_nibble().lookup16(high_of_row);
    if high.any_from(token, 0xFF) {
        return look_up::<V, 1>(token, page, bytes, V::splat(token, 0));
    }
    high
}

/// Decodes to UTF-8, by vectors of at most 32 bytes, while all bytes are assigned and `dst` has
/// capacity for the longest output of a vector. May leave a part of a vector at the end.
#[inline(always)]
pub(crate) fn decode_to_utf8<V: Lanes16>(
    token: V::Token,
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (mut read, mut written) = (0, 0);
    let Some(last) = src.len().checked_sub(V::LANES) else { return Reach { read, written } };
    let high_of_row = V::table(token, &page.high_of_row);
    let encoder = UnitEncoder::<V>::new(token);
    while read < src.len() {
        // The last vector begins with characters that have been written. They are written again.
        let start = read.min(last);
        let again = read - start;
        let bytes = V::load(token, src, start);
        if page.is_ascii && !bytes.any_high_bit() {
            let base = written - again;
            let Some(out) = dst.get_mut(base..base + V::LANES) else { break };
            bytes.store_bytes(out, 0);
            (read, written) = (start + V::LANES, base + V::LANES);
            continue;
        }
        let low = look_up::<V, 0>(token, page, bytes, bytes);
        let high = high_bytes(token, page, high_of_row, bytes);
        if !high.saturating_sub(V::splat(token, 7)).any() {
            let output = encode_below_0x800(token, low, high);
            let base = written - output.output_len(again);
            let Some(out) = dst.get_mut(base..base + ENCODER_OUTPUT_BYTES) else { break };
            output.write(out);
            (read, written) = (start + V::LANES, base + output.output_len(V::LANES));
            continue;
        }
        let Some(out) = dst.get_mut(written..written + ENCODER_OUTPUT_BYTES) else { break };
        if again > 0 || high.any_from(token, 0xFF) {
            break;
        }
        let units = low.interleaved(high);
        let (below, _) = encoder.tops(units);
        let first_len = encoder.wide_or_ascii(units[0], below[0], out);
        let second_len = encoder.wide_or_ascii(units[1], below[1], &mut out[first_len..]);
        read += V::LANES;
        written += first_len + second_len;
    }
    Reach { read, written }
}

/// Returns the UTF-8 of characters below U+0800, given their low and high bytes.
#[inline(always)]
fn encode_below_0x800<V: Lanes16>(token: V::Token, low: V, high: V) -> VectorOutput<V> {
    // `high` is at most 7, so its sum has bit 7 if it is not zero.
    let two_byte = low.or(high.add(V::splat(token, 0x7F))).high_bit_mask();
    let continuation = low.and(V::splat(token, 0x3F)).or(V::splat(token, 0x80));
    let last = V::from_mask(two_byte).select(continuation, low);
    let lead =
        high.shl16::<2>().or(low.shr16::<6>().and(V::splat(token, 3))).or(V::splat(token, 0xC0));
    VectorOutput::new(last, lead, two_byte)
}

/// Returns the low bytes (`BYTE` 0) or the high bytes (`BYTE` 1) of the characters of `bytes`.
/// `ascii` are those of the lanes below 0x80 if the page is ASCII there.
#[inline(always)]
fn look_up<V: Lanes16, const BYTE: usize>(
    token: V::Token,
    page: &'static Page,
    bytes: V,
    ascii: V,
) -> V {
    let [lower, upper] = [page.halves[0][BYTE], page.halves[1][BYTE]];
    let below = if page.is_ascii { ascii } else { bytes.lookup128(token, &lower.0) };
    V::from_mask(bytes.high_bit_mask()).select(bytes.lookup128(token, &upper.0), below)
}

/// Returns a number of bytes at the start of `src` that are assigned: all, or less by up to a
/// vector than there are. It is 0 for less than a vector.
#[inline(always)]
pub(crate) fn assigned_len<V: Lanes16>(token: V::Token, page: &'static Page, src: &[u8]) -> usize {
    let Some(last) = src.len().checked_sub(V::LANES) else { return 0 };
    let high_of_row = V::table(token, &page.high_of_row);
    let mut at = 0;
    while at < src.len() {
        let start = at.min(last);
        let bytes = V::load(token, src, start);
        if high_bytes(token, page, high_of_row, bytes).any_from(token, 0xFF) {
            return at;
        }
        at = start + V::LANES;
    }
    at
}

/// Encodes as many units of UTF-16 in the byte order `order` as fit into `dst`, while the page has
/// their characters. Returns their number; it may be less by up to a vector of bytes, and is 0 for
/// less than a vector.
#[inline(always)]
pub(crate) fn encode<V: Lanes16>(
    token: V::Token,
    (page, order): (&'static Page, &'static UnitOrder),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = (src.len() / 2).min(dst.len());
    let Some(last) = len.checked_sub(V::LANES) else { return 0 };
    let (lower, upper) = (V::row8(token, &order.lower), V::row8(token, &order.upper));
    let above_ascii = V::load(token, &order.above_ascii, 0);
    let mut encoder = PageEncoder { token, page, recent: &page.windows[0] };
    let mut at = 0;
    while at < len {
        let start = at.min(last);
        let units = &src[2 * start..2 * start + 2 * V::LANES];
        let (first, second) = (V::load(token, units, 0), V::load(token, units, V::LANES));
        let low = V::packed8(first, second, lower);
        if page.is_ascii && !first.or(second).and(above_ascii).any() {
            low.store_bytes(dst, start);
            at = start + V::LANES;
            continue;
        }
        let high = V::packed8(first, second, upper);
        let bytes = encoder.vector(
            low,
            high,
            0,
            #[inline(always)]
            |lane| {
                let unit = units[2 * lane..].first_chunk();
                order.unit(unit.map_or(0, |&unit| u16::from_le_bytes(unit)))
            },
        );
        let Some(bytes) = bytes else { return at };
        bytes.store_bytes(dst, start);
        at = start + V::LANES;
    }
    len
}

/// Encodes whole vectors of UTF-8 in a page that is ASCII below 0x80, while their characters have
/// one or two bytes, the page has them, and `dst` has capacity for a vector. The first character of
/// `src` is complete.
#[inline(always)]
pub(crate) fn encode_utf8<V: Lanes16>(
    token: V::Token,
    page: &'static Page,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (mut read, mut written) = (0, 0);
    let Some(last) = src.len().checked_sub(V::LANES) else { return Reach { read, written } };
    let mut encoder = PageEncoder { token, page, recent: &page.windows[0] };
    let all = V::first_bits(V::LANES);
    while read < src.len() {
        // The last vector begins with bytes that have been read. They are left out.
        let start = read.min(last);
        let text = &src[start..start + V::LANES];
        let Some(out) = dst.get_mut(written..written + V::LANES) else { break };
        let bytes = V::load(token, text, 0);
        if start == read && !bytes.any_high_bit() {
            bytes.store_bytes(out, 0);
            read += V::LANES;
            written += V::LANES;
            continue;
        }
        let unread = all & !V::first_bits(read - start);
        let continuation = bytes.continuation();
        let continuations = V::bits(&[continuation]);
        // The lead bytes 0xC2..=0xDF.
        let leads =
            V::bits(&[bytes.at_least(token, 0xC2)]) & !V::bits(&[bytes.at_least(token, 0xE0)]);
        let others = V::bits(&[bytes.high_bit_mask()]) & !(leads | continuations);
        if (others | continuations ^ leads << 1) & unread != 0 {
            break;
        }
        let (is_last, lead) = (V::from_mask(continuation), bytes.shift_in_zeros::<1>());
        let joined =
            lead.shl16::<6>().and(V::splat(token, 0xC0)).or(bytes.and(V::splat(token, 0x3F)));
        let low = is_last.select(joined, bytes);
        let high = lead.shr16::<2>().and(V::splat(token, 7)).and(is_last);
        let keep = unread & !leads;
        let encoded = encoder.vector(
            low,
            high,
            !keep,
            #[inline(always)]
            |lane| match text[..lane + 1] {
                [.., lead, last] => u16::from(lead & 0x1F) << 6 | u16::from(last & 0x3F),
                _ => 0,
            },
        );
        let Some(encoded) = encoded else { break };
        if keep == 0 {
            break;
        }
        encoded.store_kept_bytes(keep, 0, out);
        // A lead byte at the end is read again with the next vector.
        read = start + V::LANES - (leads >> (V::LANES - 1)) as usize;
        written += V::kept(keep);
    }
    Reach { read, written }
}

/// Encodes vectors, and remembers the last window.
struct PageEncoder<V: Vector> {
    token: V::Token,
    page: &'static Page,
    recent: &'static Window,
}

impl<V: Lanes16> PageEncoder<V> {
    /// Returns the bytes of the characters with these low and high bytes, or `None` if the page
    /// lacks one. The lanes of `ignored` hold no characters. `unit_at` returns the unit of a lane.
    #[inline(always)]
    fn vector(
        &mut self,
        low: V,
        high: V,
        ignored: u64,
        unit_at: impl Fn(usize) -> u16,
    ) -> Option<V> {
        let (zero, top) = (V::splat(self.token, 0), V::splat(self.token, 0x80));
        let (mut bytes, mut done) = (zero, 0);
        if self.page.is_ascii {
            let ascii = high.or(low.and(top)).equal(zero);
            (bytes, done) = (low.only(ascii), V::bits(&[ascii]));
        }
        let mut todo = !(done | ignored) & V::first_bits(V::LANES);
        let mut window = self.recent;
        while todo != 0 {
            let block = window.block.to_le_bytes();
            // Zero in the lanes of the window.
            let outside = high
                .xor(V::splat(self.token, block[1] << 7 | block[0] >> 1))
                .or(low.xor(V::splat(self.token, block[0] << 7)).and(top));
            let inside = outside.equal(zero);
            let found = V::bits(&[inside]) & todo;
            if found != 0 {
                self.recent = window;
                let looked_up = low.lookup128(self.token, &window.bytes.0).only(inside);
                let mut lacking = V::bits(&[looked_up.equal(zero)]) & found;
                if window.block == 0 {
                    lacking &= !V::bits(&[low.equal(zero)]);
                }
                if lacking != 0 {
                    return None;
                }
                bytes = bytes.or(looked_up);
                todo &= !found;
            }
            if todo != 0 {
                window = self.page.window(unit_at(todo.trailing_zeros() as usize))?;
            }
        }
        Some(bytes)
    }
}
