//! Code pages to UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use super::{are_latin1, two_of_ascii};
use crate::arch::lanes16::Lanes16;
use crate::arch::optional::{MaskedOps, Presence};
use crate::arch::vector::Vector;
use crate::generic::from_latin1::to_utf8::VectorOutput;
use crate::generic::from_utf16::utf8_encoder::UnitEncoder;
use crate::generic::vectors;
use crate::tables::code_pages::Page;
use crate::tables::{Big, Little};
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
        (!high.any_at_least(self.token, 0xFF)).then_some([low, high])
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

/// Decodes as many bytes of `src` as fit into `dst` as UTF-16, high byte first if `big`, while all
/// are assigned. The first `read` bytes have been decoded. Returns the number of bytes; it may be
/// less than possible by up to a vector, and is `read` for less than a vector.
#[inline(always)]
pub(crate) fn decode<V: Lanes16>(
    token: V::Token,
    (page, read, big): (&'static Page, usize, bool),
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len() / 2);
    let Some(last) = len.checked_sub(V::LANES) else { return read };
    let decoder = PageDecoder::<V>::new(token, page);
    let latin1_max = V::splat(token, page.latin1_max);
    let mut at = read;
    while at < len {
        if page.is_ascii
            && let Some(bytes) = src[..len].get(at..at + 2 * V::LANES)
            && let two = vectors::load::<V, 2>(token, bytes, 0)
            && are_latin1(token, two, latin1_max)
        {
            let out = &mut dst[2 * at..2 * at + 4 * V::LANES];
            if big {
                two[0].store_widened::<Big>(out, 0);
                two[1].store_widened::<Big>(out, V::LANES);
            } else {
                two[0].store_widened::<Little>(out, 0);
                two[1].store_widened::<Little>(out, V::LANES);
            }
            at += 2 * V::LANES;
            continue;
        }
        let start = at.min(last);
        let out = &mut dst[2 * start..2 * start + 2 * V::LANES];
        let Some([low, high]) = decoder.characters(V::load(token, src, start)) else { return at };
        let units = if big { high.interleaved(low) } else { low.interleaved(high) };
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
        if self.decoder.are_in_rows(bytes, rows) && !lead.any_at_least(token, 0xE0) {
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
            let (below_0x800, _) = encoder.below_and_surrogate_masks(units);
            let first_len = encoder.wide_or_ascii(units[0], below_0x800[0], out);
            encoder.wide_or_ascii(units[1], below_0x800[1], &mut out[first_len..]);
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
        if decoder.high_bytes(bytes, bytes.high_nibble()).any_at_least(token, 0xFF) {
            return at;
        }
        at = start + V::LANES;
    }
    at
}
