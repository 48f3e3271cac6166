//! Repair of UTF-16: U+FFFD replaces each unpaired surrogate, in place. The byte order is an
//! argument, so the repair is compiled once for both byte orders.
//!
//! 1. Skip text that has no surrogates. One test covers 64 units or more.
//! 2. In a block with surrogates, compute the [masks](crate::generic::from_utf16::surrogates) of
//!    the high and of the low surrogates. If all surrogates are paired, continue with the next
//!    block.
//! 3. Else compute a mask of the unpaired surrogates, and overwrite them one by one.
//! 4. If the last unit of a block is an unpaired high surrogate, it is replaced together with the
//!    next block.
//! 5. After two blocks without surrogates, continue with 1. The last block ends at the end of the
//!    text, and overlaps the block before it.
//!
//! Blocks may overlap: a surrogate is unpaired only because of the units next to it, and replacing
//! an unpaired surrogate does not affect a pair.

use crate::arch::lanes16::Lanes16;
use crate::generic::from_utf16::check::Utf16Checker;
use crate::generic::from_utf16::surrogates::{
    CLEAN_RUN, Finder, SURROGATE_BLOCK_BYTES, Surrogates,
};
use crate::swar::words;
use crate::tables::UnitOrder;

/// Repairs `text`, which consists of whole units in the byte order `order`. Returns the number of
/// replaced units. Callers guarantee: `V` has 16 bytes if `text.len() < 32`.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &mut [u8],
) -> usize {
    Repairer::<V>::new(order, token).repair(text)
}

/// The constants of a repair, in registers.
struct Repairer<V: Lanes16> {
    order: &'static UnitOrder,
    token: V::Token,
    /// The bytes of U+FFFD.
    replacement: [u8; 2],
    checker: Utf16Checker<V>,
    finder: Finder<V>,
}

impl<V: Lanes16> Repairer<V> {
    #[inline(always)]
    fn new(order: &'static UnitOrder, token: V::Token) -> Self {
        Self {
            order,
            token,
            replacement: order.unit(0xFFFD).to_le_bytes(),
            checker: Utf16Checker::new(order, token),
            finder: Finder::new(order, token),
        }
    }

    /// Repairs a text. Returns the number of replaced units.
    #[inline(always)]
    fn repair(&self, text: &mut [u8]) -> usize {
        let len = text.len();
        if V::LANES == 16 && len < 16 {
            // The zeros after the end are not surrogates.
            let units = V::from_words(self.token, words::padded16(text));
            let unpaired = self.finder.of_vector(units).unpaired(0, 0);
            return self.replace(text, 0, unpaired);
        }
        if V::takes_short_path(len, SURROGATE_BLOCK_BYTES - 1) {
            let unpaired = self.find_unpaired_in_short(text);
            return self.replace(text, 0, unpaired);
        }
        self.repair_blocks(text)
    }

    /// Repairs a text of at least one block: see [`repair`](Self::repair).
    #[inline(always)]
    fn repair_blocks(&self, text: &mut [u8]) -> usize {
        let len = text.len();
        let (mut repairs, mut offset, mut high_before) = (0, 0, 0);
        loop {
            let run = Utf16Checker::<V>::RUN;
            for part in text[offset..].chunks_exact(run) {
                if self.checker.search.has_surrogates_in(part) {
                    break;
                }
                offset += run;
            }
            if run > SURROGATE_BLOCK_BYTES && self.checker.is_end_of_run(text, offset) {
                return repairs;
            }
            let mut clean_run = 0;
            while offset + SURROGATE_BLOCK_BYTES <= len && clean_run < CLEAN_RUN {
                let end = offset + SURROGATE_BLOCK_BYTES;
                let surrogates = self.finder.of_block(&text[offset..end]);
                if !surrogates.are_paired(high_before) {
                    // The last unit of the block before is unpaired. The last unit of this block is
                    // checked with the next block.
                    if surrogates.leaves_high_unpaired(high_before) {
                        repairs += self.replace(text, offset - 2, 1);
                    }
                    repairs += self.replace(text, offset, surrogates.unpaired(high_before, 1));
                }
                high_before = surrogates.ends_with_high();
                clean_run = if surrogates.are_none() { clean_run + 1 } else { 0 };
                offset = end;
            }
            if offset + SURROGATE_BLOCK_BYTES > len {
                break;
            }
        }
        if offset == len && high_before > 0 {
            return repairs + self.replace(text, offset - 2, 1);
        }
        if offset < len {
            // The last block ends at the end of the text, and overlaps the block before it.
            let start = len - SURROGATE_BLOCK_BYTES;
            let unpaired =
                self.finder.of_block(&text[start..]).unpaired(self.follows_high(text, start), 0);
            repairs += self.replace(text, start, unpaired);
        }
        repairs
    }

    /// Returns 1 if the unit before `offset` is a high surrogate, else 0.
    #[inline(always)]
    fn follows_high(&self, text: &[u8], offset: usize) -> u64 {
        let unit = text[..offset].last_chunk().map_or(0, |&unit| u16::from_le_bytes(unit));
        u64::from(self.order.unit(unit) & 0xFC00 == 0xD800)
    }

    /// Returns a mask of the unpaired surrogates in a text of at least a vector and less than a
    /// block.
    #[inline(always)]
    fn find_unpaired_in_short(&self, text: &[u8]) -> u64 {
        let last_offset = text.len() - V::LANES;
        let tail = V::load(self.token, text, last_offset);
        // Most texts of this length have at most two vectors.
        let head = self.checker.surrogates(V::load(self.token, text, 0));
        let mut surrogates = self.checker.surrogates(tail).or(head);
        let mut offset = V::LANES;
        while offset < last_offset {
            surrogates = surrogates.or(self.checker.surrogates(V::load(self.token, text, offset)));
            offset += V::LANES;
        }
        if !surrogates.any() {
            return 0;
        }
        // Units that are loaded twice give the same bits.
        let Surrogates { mut high, mut low } = self.finder.of_vector(tail);
        (high, low) = (high << (last_offset / 2), low << (last_offset / 2));
        let mut offset = 0;
        while offset < last_offset {
            let surrogates = self.finder.of_vector(V::load(self.token, text, offset));
            (high, low) =
                (high | surrogates.high << (offset / 2), low | surrogates.low << (offset / 2));
            offset += V::LANES;
        }
        Surrogates { high, low }.unpaired(0, 0)
    }

    /// Replaces the units whose bits are set in `unpaired`; bit 0 is the unit at byte offset
    /// `start`. Returns the number of replaced units.
    #[inline(always)]
    fn replace(&self, text: &mut [u8], start: usize, mut unpaired: u64) -> usize {
        let count = unpaired.count_ones();
        while unpaired != 0 {
            let offset = start + 2 * unpaired.trailing_zeros() as usize;
            text[offset..offset + 2].copy_from_slice(&self.replacement);
            unpaired &= unpaired - 1;
        }
        count as usize
    }
}
