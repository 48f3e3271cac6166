//! UTF-16 and UTF-8 to code pages.

use core::mem::MaybeUninit;

use super::{are_latin1, two_of_ascii};
use crate::arch::lanes16::Lanes16;
use crate::arch::vector::Vector;
use crate::tables::UnitOrder;
use crate::tables::code_pages::{Page, Window};
use crate::types::progress::Reach;

/// Encodes as many units of UTF-16 in the byte order `order` as fit into `dst`, while the page has
/// their characters. The first `read` units have been encoded. Returns the number of units; it may
/// be less than possible by up to a vector of bytes, and is `read` for less than a vector.
#[inline(always)]
pub(crate) fn encode<V: Lanes16>(
    token: V::Token,
    (page, order, read): (&'static Page, &'static UnitOrder, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = (src.len() / 2).min(dst.len());
    let Some(last) = len.checked_sub(V::LANES) else { return read };
    let (lower, upper) = (V::row8(token, &order.lower), V::row8(token, &order.upper));
    let latin1_max = V::splat(token, page.latin1_max);
    let above = match page.latin1_max {
        0x7F => &order.above_ascii,
        _ => &order.above_latin1,
    };
    let above = V::load(token, above, 0);
    let mut encoder = PageEncoder::<V>::new(token, page);
    let mut at = read;
    while at < len {
        let start = at.min(last);
        if page.is_ascii
            && let Some([first, second]) = two_of_ascii(token, src, 2 * start, above)
            && let bytes = V::packed8(first, second, lower)
            && are_latin1(token, [bytes], latin1_max)
        {
            bytes.store_bytes(dst, start);
            at = start + V::LANES;
            continue;
        }
        let units = &src[2 * start..2 * start + 2 * V::LANES];
        let (first, second) = (V::load(token, units, 0), V::load(token, units, V::LANES));
        let (low, high) = (V::packed8(first, second, lower), V::packed8(first, second, upper));
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

/// Encodes UTF-8 while characters have up to three bytes, the page has them, and `dst` has capacity
/// for a vector. The first `read` bytes are ASCII and have been encoded.
#[inline(always)]
pub(crate) fn encode_utf8<V: Lanes16>(
    token: V::Token,
    (page, mut read): (&'static Page, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut written = read;
    let Some(last) = src.len().checked_sub(V::LANES) else { return Reach { read, written } };
    let mut encoder = PageEncoder::<V>::new(token, page);
    let top = V::splat(token, 0x80);
    // The number of bytes read of a character that is not complete.
    let mut begun = 0;
    while read < src.len() {
        if page.is_ascii
            && begun == 0
            && let Some(two) = two_of_ascii(token, src, read, top)
            && let Some(out) = dst.get_mut(written..written + 2 * V::LANES)
        {
            two[0].store_bytes(out, 0);
            two[1].store_bytes(out, V::LANES);
            (read, written) = (read + 2 * V::LANES, written + 2 * V::LANES);
            continue;
        }
        // The last vector begins with bytes that have been read. They are left out.
        let start = read.min(last);
        let unread = V::first_bits(V::LANES) & !V::first_bits(read - start);
        let Some(out) = dst.get_mut(written..written + V::LANES) else { break };
        let ends = CharacterEnds::<V>::new(token, src, start, begun == 0);
        if ends.wrong & unread != 0 {
            break;
        }
        let keep = ends.keep & unread;
        let encoded = encoder.vector(
            ends.low,
            ends.high,
            !keep,
            #[inline(always)]
            |lane| match src[..start + lane + 1] {
                [.., a, b, c] if a >= 0xE0 => {
                    u16::from(a) << 12 | u16::from(b & 0x3F) << 6 | u16::from(c & 0x3F)
                }
                [.., lead, last] if last >= 0x80 => {
                    u16::from(lead & 0x1F) << 6 | u16::from(last & 0x3F)
                }
                [.., last] => last.into(),
                [] => 0,
            },
        );
        let Some(encoded) = encoded else { break };
        if keep == V::first_bits(V::LANES) {
            encoded.store_bytes(out, 0);
        } else {
            encoded.store_kept_bytes(keep, 0, out);
        }
        (read, begun) = (start + V::LANES, ends.begun);
        written += V::kept(keep);
    }
    Reach { read: read - begun, written }
}

/// The characters that end in a vector of UTF-8.
struct CharacterEnds<V> {
    /// The low and the high byte of the character that ends at each lane of `keep`.
    low: V,
    high: V,
    keep: u64,
    /// The lanes that are ill-formed or in a character of four bytes.
    wrong: u64,
    /// The number of bytes of the character that begins in the vector and ends after it.
    begun: usize,
}

impl<V: Lanes16> CharacterEnds<V> {
    /// Returns the characters that end in the vector at byte `start`. If there are less than two
    /// bytes before it, these are ASCII or their characters are left out. `is_complete` is true if
    /// the bytes before it are whole characters.
    #[inline(always)]
    fn new(token: V::Token, src: &[u8], start: usize, is_complete: bool) -> Self {
        let bytes = V::load(token, src, start);
        if is_complete && !bytes.any_high_bit() {
            let high = V::splat(token, 0);
            return Self { low: bytes, high, keep: V::first_bits(V::LANES), wrong: 0, begun: 0 };
        }
        let [before, second] = match start {
            0 | 1 => [bytes.shift_in_zeros::<1>(), bytes.shift_in_zeros::<2>()],
            _ => [V::load(token, src, start - 1), V::load(token, src, start - 2)],
        };
        let is_continuation = bytes.continuation();
        let longer = V::bits(&[bytes.at_least(token, 0xC2)]);
        let mut expected = V::bits(&[before.at_least(token, 0xC2)]);
        let is_last = V::from_mask(is_continuation);
        let joined = before.shl16::<6>().and(V::splat(token, 0xC0));
        let low = is_last.select(joined.or(bytes.and(V::splat(token, 0x3F))), bytes);
        let mut high = before.shr16::<2>().and(V::splat(token, 0x0F)).and(is_last);
        let (mut keep, mut wrong, mut three_byte) = (!longer, 0, 0);
        if bytes.max(second).any_at_least(token, 0xE0) {
            let has_three = second.at_least(token, 0xE0);
            high = high.or(second.shl16::<4>().and(V::splat(token, 0xF0)).only(has_three));
            // An overlong form is below U+0800.
            let is_short = high.saturating_sub(V::splat(token, 7)).equal(V::splat(token, 0));
            let has_three = V::bits(&[has_three]);
            wrong = V::bits(&[is_short]) & has_three | V::bits(&[bytes.at_least(token, 0xF0)]);
            expected |= has_three;
            keep &= !V::bits(&[before.at_least(token, 0xE0)]);
            three_byte = V::bits(&[bytes.at_least(token, 0xE0)]);
        }
        // Each lead byte has its continuation bytes, and no byte is 0xC0 or 0xC1.
        let continuations = V::bits(&[is_continuation]);
        let non_ascii = V::bits(&[bytes.high_bit_mask()]);
        wrong |= non_ascii ^ (continuations | longer) | (continuations ^ expected);
        let (one, two) = (longer >> (V::LANES - 1) & 1, three_byte >> (V::LANES - 2) & 1);
        Self { low, high, keep, wrong, begun: (one | two << 1) as usize }
    }
}

/// Encodes vectors, and remembers the last window.
struct PageEncoder<V: Vector> {
    token: V::Token,
    page: &'static Page,
    recent: &'static Window,
    /// The high byte and bit 7 of the low byte that its characters share.
    shared: [V; 2],
}

impl<V: Lanes16> PageEncoder<V> {
    #[inline(always)]
    fn new(token: V::Token, page: &'static Page) -> Self {
        let recent = &page.windows[0];
        Self { token, page, recent, shared: Self::shared(token, recent) }
    }

    #[inline(always)]
    fn shared(token: V::Token, window: &Window) -> [V; 2] {
        let [low, high] = (window.block << 7).to_le_bytes();
        [V::splat(token, high), V::splat(token, low)]
    }

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
        let zero = V::splat(self.token, 0);
        let mut bytes = zero;
        if self.page.is_ascii {
            bytes = low.only(high.or(low.and(V::splat(self.token, 0x80))).equal(zero));
        }
        loop {
            let (inside, at) = (high.equal(self.shared[0]), low.xor(self.shared[1]));
            bytes = bytes.or(at.lookup128(self.token, &self.recent.bytes.0).only(inside));
            // U+0000 is byte 0 in every page.
            let mut todo = V::bits(&[bytes.equal(zero)]) & !ignored & V::first_bits(V::LANES);
            if todo == 0 {
                return Some(bytes);
            }
            todo &= !V::bits(&[low.or(high).equal(zero)]);
            if todo == 0 {
                return Some(bytes);
            }
            let unit = unit_at(todo.trailing_zeros() as usize);
            self.recent = self.page.window(unit)?;
            self.shared = Self::shared(self.token, self.recent);
            if self.recent.bytes.0[usize::from(unit & 0x7F)] == 0 {
                return None;
            }
        }
    }
}
