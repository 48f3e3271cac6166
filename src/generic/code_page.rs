//! Code pages to UTF-16 and UTF-8, and back. The caller has converted the ASCII prefix.
//!
//! A step of two vectors that are ASCII, in text and in the page, is copied. To decode another
//! vector of bytes:
//!
//! 1. In many rows of 16 bytes, the characters are the bytes plus a number. Look up that number and
//!    the high byte by the row. If that is so in all rows of the vector, the characters are known.
//! 2. Else look up the low byte of each character in a table of 128 bytes; pages that are not ASCII
//!    need one for each half. If a row of the vector has several high bytes, look up the high byte
//!    of each character like the low byte.
//! 3. If a character is 0xFFFF, stop: its byte is unassigned.
//!
//! To encode two vectors of UTF-16, take their low and their high bytes apart. Then:
//!
//! 1. Lanes of ASCII are done, if the page is ASCII below 0x80.
//! 2. A *window* is 128 characters and their bytes. Look up the bytes of all lanes in the last
//!    window, then in the windows of lanes that have no byte yet. Text has characters of one or two
//!    windows in most vectors.
//! 3. If the page lacks a character, stop.
//!
//! To UTF-8, the low and the high bytes of characters below U+0800 are few operations away from
//! their bytes in UTF-8; other vectors are written like UTF-16. From UTF-8, the bytes before each
//! byte give the character that ends there, if it has up to three bytes.
//!
//! All directions stop before the vector with the error. The last vector overlaps the characters
//! before it.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::from_latin1::to_utf8::VectorOutput;
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::tables::code_pages::{Page, Window};
use crate::tables::{Order, UnitOrder};
use crate::types::progress::Reach;

/// For each row, the bit of the row in [`Page::exceptions`].
static BIT_OF_ROW: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];

/// The vectors of a page's tables.
struct PageDecoder<V: Vector> {
    token: V::Token,
    page: &'static Page,
    high_of_row: V,
    shift_of_row: V,
    exceptions: V,
    bit_of_row: V,
}

impl<V: Lanes16> PageDecoder<V> {
    #[inline(always)]
    fn new(token: V::Token, page: &'static Page) -> Self {
        Self {
            token,
            page,
            high_of_row: V::table(token, &page.high_of_row),
            shift_of_row: V::table(token, &page.shift_of_row),
            exceptions: V::table(token, &page.exceptions),
            bit_of_row: V::table(token, &BIT_OF_ROW),
        }
    }

    /// Returns true if the tables of rows have the characters of `bytes`, which are in these rows.
    #[inline(always)]
    fn are_in_rows(&self, bytes: V, rows: V) -> bool {
        let low_half = bytes.and(V::splat(self.token, 0x0F));
        let exceptions = low_half.lookup16(self.exceptions).and(rows.lookup16(self.bit_of_row));
        self.page.is_ascii && !exceptions.any()
    }

    /// Returns the low and the high bytes of the characters of `bytes`, or `None` if one may be
    /// unassigned.
    #[inline(always)]
    fn characters(&self, bytes: V) -> Option<[V; 2]> {
        let rows = bytes.high_nibble();
        if self.are_in_rows(bytes, rows) {
            let shift = rows.lookup16(self.shift_of_row).and(V::splat(self.token, 0xF0));
            return Some([bytes.add(shift), rows.lookup16(self.high_of_row)]);
        }
        let high = self.high_bytes(bytes, rows);
        let low = self.look_up::<0>(bytes);
        (!high.any_from(self.token, 0xFF)).then_some([low, high])
    }

    /// Returns the high bytes of the characters of `bytes`, which are in these rows.
    #[inline(always)]
    fn high_bytes(&self, bytes: V, rows: V) -> V {
        let is_mixed = rows.lookup16(self.shift_of_row).and(V::splat(self.token, 1)).any();
        if is_mixed { self.look_up::<1>(bytes) } else { rows.lookup16(self.high_of_row) }
    }

    /// Returns the low bytes (`BYTE` 0) or the high bytes (`BYTE` 1) of the characters of `bytes`.
    #[inline(always)]
    fn look_up<const BYTE: usize>(&self, bytes: V) -> V {
        let [lower, upper] = [self.page.halves[0][BYTE], self.page.halves[1][BYTE]];
        let above = bytes.xor(V::splat(self.token, 0x80)).lookup128(self.token, &upper.0);
        if !self.page.is_ascii {
            return above.or(bytes.lookup128(self.token, &lower.0));
        }
        match BYTE {
            0 => V::from_mask(bytes.high_bit_mask()).select(above, bytes),
            _ => above,
        }
    }
}

/// Returns two vectors of a text at byte `at` if the text has so many bytes, and none of them has a
/// bit of `above_ascii`.
#[inline(always)]
fn two_of_ascii<V: Vector>(
    token: V::Token,
    text: &[u8],
    at: usize,
    above_ascii: V,
) -> Option<[V; 2]> {
    let text = text.get(at..at + 2 * V::LANES)?;
    let two = [V::load(token, text, 0), V::load(token, text, V::LANES)];
    (!two[0].or(two[1]).and(above_ascii).any()).then_some(two)
}

/// Decodes as many bytes of `src` as fit into `dst` as UTF-16 in byte order `O`, while all are
/// assigned. The first `read` bytes have been decoded. Returns the number of bytes; it may be less
/// than possible by up to a vector, and is `read` for less than a vector.
#[inline(always)]
pub(crate) fn decode<V: Lanes16, O: Order>(
    token: V::Token,
    (page, read): (&'static Page, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len() / 2);
    let Some(last) = len.checked_sub(V::LANES) else { return read };
    let (decoder, top) = (PageDecoder::<V>::new(token, page), V::splat(token, 0x80));
    let mut at = read;
    while at < len {
        if page.is_ascii
            && let Some(two) = two_of_ascii(token, &src[..len], at, top)
        {
            let out = &mut dst[2 * at..2 * at + 4 * V::LANES];
            two[0].store_widened::<O>(out, 0);
            two[1].store_widened::<O>(out, V::LANES);
            at += 2 * V::LANES;
            continue;
        }
        let start = at.min(last);
        let out = &mut dst[2 * start..2 * start + 2 * V::LANES];
        let Some([low, high]) = decoder.characters(V::load(token, src, start)) else { return at };
        let units = if O::BIG { high.interleaved(low) } else { low.interleaved(high) };
        units[0].store_bytes(out, 0);
        units[1].store_bytes(out, V::LANES);
        at = start + V::LANES;
    }
    len
}

/// Decodes to UTF-8 like [`decode`], while `dst` has capacity for the longest output of a vector.
/// The first `read` bytes are ASCII.
#[inline(always)]
pub(crate) fn decode_to_utf8<V: Lanes16>(
    token: V::Token,
    (page, mut read): (&'static Page, usize),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let mut written = read;
    let Some(last) = src.len().checked_sub(V::LANES) else { return Reach { read, written } };
    let (decoder, top) = (Utf8Decoder::<V>::new(token, page), V::splat(token, 0x80));
    let encoder = UnitEncoder::<V>::new(token);
    while read < src.len() {
        if page.is_ascii
            && let Some(two) = two_of_ascii(token, src, read, top)
            && let Some(out) = dst.get_mut(written..written + 2 * V::LANES)
        {
            two[0].store_bytes(out, 0);
            two[1].store_bytes(out, V::LANES);
            (read, written) = (read + 2 * V::LANES, written + 2 * V::LANES);
            continue;
        }
        // The last vector begins with characters that have been written. They are written again.
        let start = read.min(last);
        let Some(characters) = decoder.characters(V::load(token, src, start)) else { break };
        let base = written - characters.output_len(read - start);
        // A character has up to three bytes, and the last store may write more.
        let Some(out) = dst.get_mut(base..base + 4 * V::LANES) else { break };
        characters.write(&encoder, out);
        (read, written) = (start + V::LANES, base + characters.output_len(V::LANES));
    }
    Reach { read, written }
}

/// For each row, its first byte.
static FIRST_OF_ROW: [u8; 16] =
    [0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240];

/// The vectors of a page's tables, for UTF-8.
struct Utf8Decoder<V: Vector> {
    decoder: PageDecoder<V>,
    /// For each row, the lead byte of its characters: 0xC0 or 0xC1 if they have one byte, and 0xFF
    /// if they have three.
    lead_of_row: V,
    /// For each row, the difference between the last byte of a character and its byte in the page.
    last_of_row: V,
}

impl<V: Lanes16> Utf8Decoder<V> {
    #[inline(always)]
    fn new(token: V::Token, page: &'static Page) -> Self {
        let decoder = PageDecoder::<V>::new(token, page);
        let first = V::table(token, &FIRST_OF_ROW);
        let shift = decoder.shift_of_row.and(V::splat(token, 0xF0));
        // At most 7, so that the shift of a lane does not change the next one.
        let high = decoder.high_of_row.and(V::splat(token, 7));
        let rows = Characters::new(token, first.add(shift), high);
        let below_0x800 = decoder.high_of_row.saturating_sub(V::splat(token, 7));
        let below_0x800 = V::from_mask(below_0x800.equal(V::splat(token, 0)));
        let lead_of_row = rows.lead.or(below_0x800.xor(V::splat(token, 0xFF)));
        Self { decoder, lead_of_row, last_of_row: rows.last.wrapping_sub(first) }
    }

    /// Returns the characters of `bytes`, or `None` if one may be unassigned.
    #[inline(always)]
    fn characters(&self, bytes: V) -> Option<Characters<V>> {
        let (token, rows) = (self.decoder.token, bytes.high_nibble());
        let lead = rows.lookup16(self.lead_of_row);
        if self.decoder.are_in_rows(bytes, rows) && !lead.any_from(token, 0xE0) {
            let last = bytes.add(rows.lookup16(self.last_of_row));
            let longer = [V::bits(&[bytes.high_bit_mask()]), 0];
            return Some(Characters { low: last, high: last, last, lead, longer });
        }
        let [low, high] = self.decoder.characters(bytes)?;
        if !self.decoder.page.is_ascii && !high.or(low.and(V::splat(token, 0x80))).any() {
            return Some(Characters { low, high, last: low, lead: low, longer: [0; 2] });
        }
        Some(Characters::new(token, low, high))
    }
}

/// The characters of a vector.
struct Characters<V> {
    /// The low and the high bytes, if a character has three bytes in UTF-8.
    low: V,
    high: V,
    /// The last bytes in UTF-8, and the bytes before them if no character has three bytes.
    last: V,
    lead: V,
    /// A bit for each character that has more than one byte in UTF-8, and for each that has three.
    longer: [u64; 2],
}

impl<V: Lanes16> Characters<V> {
    #[inline(always)]
    fn new(token: V::Token, low: V, high: V) -> Self {
        let (zero, top) = (V::splat(token, 0), V::splat(token, 0x80));
        let is_ascii = high.or(low.and(top)).equal(zero);
        let below_0x800 = high.saturating_sub(V::splat(token, 7)).equal(zero);
        let last = V::from_mask(is_ascii).select(low, low.and(V::splat(token, 0x3F)).or(top));
        // Of ASCII it is 0xC0 or 0xC1, and not written.
        let lead = high.shl16::<2>().or(low.shr16::<6>().and(V::splat(token, 3)));
        let lead = lead.or(V::splat(token, 0xC0));
        let all = V::first_bits(V::LANES);
        let longer = [all & !V::bits(&[is_ascii]), all & !V::bits(&[below_0x800])];
        Self { low, high, last, lead, longer }
    }

    /// Returns the number of output bytes of the first `characters` characters.
    #[inline(always)]
    fn output_len(&self, characters: usize) -> usize {
        let first = V::first_bits(characters);
        characters + V::kept(self.longer[0] & first) + V::kept(self.longer[1] & first)
    }

    /// Writes the output, and up to a vector more.
    #[inline(always)]
    fn write(&self, encoder: &UnitEncoder<V>, out: &mut [MaybeUninit<u8>]) {
        if self.longer[0] == 0 {
            return self.last.store_bytes(out, 0);
        }
        if self.longer[1] > 0 {
            let units = self.low.interleaved(self.high);
            let (below, _) = encoder.tops(units);
            let first_len = encoder.wide_or_ascii(units[0], below[0], out);
            encoder.wide_or_ascii(units[1], below[1], &mut out[first_len..]);
        } else if let Some(ops) = V::Masked::OPS {
            let [first, second] = ops.joined_after_lead(self.lead, self.last, 0xC2);
            first.store_bytes(out, 0);
            second.store_bytes(out, self.output_len(V::LANES / 2));
        } else {
            VectorOutput::new(self.last, self.lead, self.longer[0] as u32).write(out);
        }
    }
}

/// Returns a number of bytes at the start of `src` that are assigned: all, or less by up to a
/// vector than there are. It is 0 for less than a vector.
#[inline(always)]
pub(crate) fn assigned_len<V: Lanes16>(token: V::Token, page: &'static Page, src: &[u8]) -> usize {
    let Some(last) = src.len().checked_sub(V::LANES) else { return 0 };
    let decoder = PageDecoder::<V>::new(token, page);
    let mut at = 0;
    while at < src.len() {
        let start = at.min(last);
        let bytes = V::load(token, src, start);
        if decoder.high_bytes(bytes, bytes.high_nibble()).any_from(token, 0xFF) {
            return at;
        }
        at = start + V::LANES;
    }
    at
}

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
    let above_ascii = V::load(token, &order.above_ascii, 0);
    let mut encoder = PageEncoder::<V>::new(token, page);
    let mut at = read;
    while at < len {
        let start = at.min(last);
        if page.is_ascii
            && let Some([first, second]) = two_of_ascii(token, src, 2 * start, above_ascii)
        {
            V::packed8(first, second, lower).store_bytes(dst, start);
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
        if bytes.max(second).any_from(token, 0xE0) {
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
