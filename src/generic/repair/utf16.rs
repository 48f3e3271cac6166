//! Repair of UTF-16: U+FFFD replaces each unpaired surrogate, in place or in a copy. The byte order
//! is an argument, so the repair in place is compiled once for both byte orders. A repaired copy is
//! always in the byte order of the machine.
//!
//! 1. Copy text while it has no surrogates. One test covers 64 units or more.
//! 2. In a block with surrogates, compute the [masks](crate::generic::from_utf16::surrogates) of
//!    the high and of the low surrogates. If all surrogates are paired, continue with the next
//!    block.
//! 3. Else compute a mask of the unpaired surrogates, and overwrite them one by one.
//! 4. If the last unit of a block is an unpaired high surrogate, it is replaced together with the
//!    next block.
//! 5. After two blocks without surrogates, continue with 1. The last block ends at the end of the
//!    text, and overlaps the block before it.
//!
//! Blocks may overlap even in place: a surrogate is unpaired only because of the units next to it,
//! and replacing an unpaired surrogate does not affect a pair.

use core::mem::MaybeUninit;

use crate::arch::lanes16::Lanes16;
use crate::arch::window::copy_short;
use crate::encoding::view;
use crate::generic::from_utf16::check::{Utf16Checker, whole_units};
use crate::generic::from_utf16::surrogates::{
    CLEAN_RUN, Finder, SURROGATE_BLOCK_BYTES, Surrogates,
};
use crate::swar::units::write_bytes;
use crate::swar::words;
use crate::tables::{LITTLE_UNITS, UnitOrder};

/// Repairs `text`, which consists of whole units in the byte order `order`. Returns the number of
/// replaced units. Callers guarantee: `V` has 16 bytes if `text.len() < 32`.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &mut [u8],
) -> usize {
    Repairer::<V>::new(order, token).repair(&mut InPlace(text))
}

/// Writes a repaired copy of `src` to `dst`, which has the same length.
#[inline(always)]
pub(crate) fn copy<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    // The slices tell LLVM that the length is even and that both lengths are equal.
    let (src, dst) = (whole_units(src), &mut dst[..src.len()]);
    Repairer::<V>::new(&LITTLE_UNITS, token).repair(&mut Copied { src, dst });
}

/// A text and the output of its repair.
trait Destination {
    /// Returns the text.
    fn src(&self) -> &[u8];

    /// Copies `len` bytes, at least a vector, that begin at `offset`. Does nothing if the repair is
    /// in place.
    fn copy<V: Lanes16>(&mut self, token: V::Token, offset: usize, len: usize);

    /// Copies a text of less than eight units. Does nothing if the repair is in place.
    fn copy_below_eight_units(&mut self);

    /// Writes a unit at a byte offset.
    fn write_unit(&mut self, offset: usize, unit: [u8; 2]);
}

/// A repair in place.
struct InPlace<'a>(&'a mut [u8]);

impl Destination for InPlace<'_> {
    #[inline(always)]
    fn src(&self) -> &[u8] {
        self.0
    }

    #[inline(always)]
    fn copy<V: Lanes16>(&mut self, _: V::Token, _: usize, _: usize) {}

    #[inline(always)]
    fn copy_below_eight_units(&mut self) {}

    #[inline(always)]
    fn write_unit(&mut self, offset: usize, unit: [u8; 2]) {
        self.0[offset..offset + 2].copy_from_slice(&unit);
    }
}

/// A repair that writes a copy of the same length.
struct Copied<'a> {
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
}

impl Destination for Copied<'_> {
    #[inline(always)]
    fn src(&self) -> &[u8] {
        self.src
    }

    #[inline(always)]
    fn copy<V: Lanes16>(&mut self, token: V::Token, offset: usize, len: usize) {
        let (src, dst) = (&self.src[offset..offset + len], &mut self.dst[offset..offset + len]);
        let mut offset = 0;
        while offset + V::LANES < len {
            V::load(token, src, offset).store_bytes(dst, offset);
            offset += V::LANES;
        }
        // The last vector may overlap the vector before it.
        let last_offset = len - V::LANES;
        V::load(token, src, last_offset).store_bytes(dst, last_offset);
    }

    #[inline(always)]
    fn copy_below_eight_units(&mut self) {
        copy_short(self.dst, view::as_uninit(self.src));
    }

    #[inline(always)]
    fn write_unit(&mut self, offset: usize, unit: [u8; 2]) {
        write_bytes(unit, &mut self.dst[offset..]);
    }
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

    /// Repairs a text. Returns the number of replaced units. If the repair writes a copy, units of
    /// the last block may be counted twice.
    #[inline(always)]
    fn repair(&self, text: &mut impl Destination) -> usize {
        let len = text.src().len();
        if V::LANES == 16 && len < 16 {
            text.copy_below_eight_units();
            // The zeros after the end are not surrogates.
            let units = V::from_words(self.token, words::padded16(text.src()));
            let unpaired = self.finder.of_vector(units).unpaired(0, 0);
            return self.replace(text, 0, unpaired);
        }
        if V::takes_short_path(len, SURROGATE_BLOCK_BYTES - 1) {
            text.copy::<V>(self.token, 0, len);
            let unpaired = self.find_unpaired_in_short(text.src());
            return self.replace(text, 0, unpaired);
        }
        self.repair_blocks(text)
    }

    /// Repairs a text of at least one block: see [`repair`](Self::repair).
    #[inline(always)]
    fn repair_blocks(&self, text: &mut impl Destination) -> usize {
        let len = text.src().len();
        let (mut repairs, mut offset, mut high_before) = (0, 0, 0);
        loop {
            offset = self.copy_run(text, offset);
            if Utf16Checker::<V>::RUN > SURROGATE_BLOCK_BYTES
                && self.checker.is_end_of_run(text.src(), offset)
            {
                let tail_start = offset.min(len - V::LANES);
                text.copy::<V>(self.token, tail_start, len - tail_start);
                return repairs;
            }
            let mut clean_run = 0;
            while offset + SURROGATE_BLOCK_BYTES <= len && clean_run < CLEAN_RUN {
                let end = offset + SURROGATE_BLOCK_BYTES;
                text.copy::<V>(self.token, offset, SURROGATE_BLOCK_BYTES);
                let surrogates = self.finder.of_block(&text.src()[offset..end]);
                if !surrogates.are_paired(high_before) {
                    // The last unit of the block before is unpaired. The last unit of this block is
                    // checked with the next block.
                    if surrogates.leaves_high_unpaired(high_before) {
                        text.write_unit(offset - 2, self.replacement);
                        repairs += 1;
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
            text.write_unit(offset - 2, self.replacement);
            return repairs + 1;
        }
        if offset < len {
            // The last block ends at the end of the text, and overlaps the block before it.
            let start = len - SURROGATE_BLOCK_BYTES;
            text.copy::<V>(self.token, start, SURROGATE_BLOCK_BYTES);
            let src = text.src();
            let unpaired =
                self.finder.of_block(&src[start..]).unpaired(self.follows_high(src, start), 0);
            repairs += self.replace(text, start, unpaired);
        }
        repairs
    }

    /// Copies the text from `offset` on while it has no surrogates, one or more blocks at a time.
    /// The first blocks with surrogates are copied too. Returns the offset of the end of the text
    /// without surrogates.
    #[inline(always)]
    fn copy_run(&self, text: &mut impl Destination, mut offset: usize) -> usize {
        let run = Utf16Checker::<V>::RUN;
        while offset + run <= text.src().len() {
            text.copy::<V>(self.token, offset, run);
            if self.checker.search.has_surrogates_in(&text.src()[offset..offset + run]) {
                break;
            }
            offset += run;
        }
        offset
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
    fn replace(&self, text: &mut impl Destination, start: usize, mut unpaired: u64) -> usize {
        let count = unpaired.count_ones();
        while unpaired != 0 {
            text.write_unit(start + 2 * unpaired.trailing_zeros() as usize, self.replacement);
            unpaired &= unpaired - 1;
        }
        count as usize
    }
}
