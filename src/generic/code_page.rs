//! Code pages to UTF-16 and back.
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
//! 3. If the page lacks one of them, or has no such window, stop. Else repeat step 2 until all lanes
//!    are done. Text has characters of one or two windows in most vectors.
//!
//! Both directions stop before the vector with the error. The last vector overlaps.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::tables::code_pages::{Page, Window};
use crate::tables::{Order, UnitOrder};

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
        if page.is_ascii && !bytes.any_high() {
            bytes.store_widened::<O>(out, 0);
        } else {
            let low = look_up::<V, 0>(token, page, bytes, bytes);
            let mut high = bytes.high_nibble().lookup16(high_of_row);
            if high.any_from(token, 0xFF) {
                high = look_up::<V, 1>(token, page, bytes, V::splat(token, 0));
                if high.any_from(token, 0xFF) {
                    return at;
                }
            }
            let wide = if O::BIG { high.paired(low) } else { low.paired(high) };
            let mut group = 0;
            while group < V::LANES / 8 {
                V::store(V::group(wide, group), out, 8 * group);
                group += 1;
            }
        }
        at = start + V::LANES;
    }
    len
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
    V::from_mask(bytes.high()).select(bytes.lookup128(token, &upper.0), below)
}

/// Returns true if every byte of whole vectors of `src`, at least one, is assigned. The last vector
/// overlaps.
#[inline(always)]
pub(crate) fn are_assigned<V: Lanes16>(token: V::Token, page: &'static Page, src: &[u8]) -> bool {
    let high_of_row = V::table(token, &page.high_of_row);
    let last = src.len() - V::LANES;
    let mut at = 0;
    while at < src.len() {
        let start = at.min(last);
        let bytes = V::load(token, src, start);
        if bytes.high_nibble().lookup16(high_of_row).any_from(token, 0xFF) {
            let high = look_up::<V, 1>(token, page, bytes, V::splat(token, 0));
            if high.any_from(token, 0xFF) {
                return false;
            }
        }
        at = start + V::LANES;
    }
    true
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

/// Encodes vectors, and remembers the last window.
struct PageEncoder<V: Vector> {
    token: V::Token,
    page: &'static Page,
    recent: &'static Window,
}

impl<V: Lanes16> PageEncoder<V> {
    /// Returns the bytes of the characters with these low and high bytes, or `None` if the page
    /// lacks one. `unit_at` returns the unit of a lane.
    #[inline(always)]
    fn vector(&mut self, low: V, high: V, unit_at: impl Fn(usize) -> u16) -> Option<V> {
        let (zero, top) = (V::splat(self.token, 0), V::splat(self.token, 0x80));
        let (mut bytes, mut done) = (zero, 0);
        if self.page.is_ascii {
            let ascii = high.or(low.and(top)).equal(zero);
            (bytes, done) = (low.only(ascii), V::bits(&[ascii]));
        }
        let mut todo = !done & V::first_bits(V::LANES);
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
