//! Repair of UTF-16: U+FFFD replaces each unpaired surrogate, in place or in a copy. The byte order
//! is a value, so a repair in place is compiled once for both; a copy is in the byte order of the
//! machine.
//!
//! 1. Copy the blocks without surrogates, which one test shows for 64 units or more.
//! 2. In a block with surrogates, find the high and the low surrogates as
//!    [bits](crate::generic::from_utf16::surrogates). If all are paired, continue with the next
//!    block.
//! 3. Else compute the unpaired surrogates from the bits, and overwrite them: a few one by one,
//!    more by blending each vector with U+FFFD.
//! 4. If the last unit of a block is an unpaired high surrogate, the next block replaces it.
//! 5. After two blocks without surrogates, continue with 1. The last block ends with the text and
//!    overlaps.
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
use crate::scalar::code::write_bytes;
use crate::swar::words;
use crate::tables::{LITTLE_UNITS, UnitOrder};

/// At most this many units of a block are replaced one by one.
const SCALAR_MAX_UNITS: u32 = 3;

/// Repairs `text`, whole units in this order. Returns the number of replaced units. Callers
/// guarantee: `V` has 16 bytes if `text.len() < 32`.
#[inline(always)]
pub(crate) fn in_place<V: Lanes16>(
    order: &'static UnitOrder,
    token: V::Token,
    text: &mut [u8],
) -> usize {
    Repairer::<V>::new(order, token).repair(&mut InPlace(text))
}

/// Copies `src`, repaired, to `dst`, of the same length.
#[inline(always)]
pub(crate) fn copy<V: Lanes16>(token: V::Token, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    // The slices tell LLVM that the length is even and that both lengths are equal.
    let (src, dst) = (whole_units(src), &mut dst[..src.len()]);
    Repairer::<V>::new(&LITTLE_UNITS, token).repair(&mut Copied { src, dst });
}

/// A text, and the output of its repair.
trait Destination {
    /// Returns the text.
    fn src(&self) -> &[u8];

    /// Copies `len` bytes from `at` on, at least a vector, unless the repair is in place.
    fn copy<V: Lanes16>(&mut self, token: V::Token, at: usize, len: usize);

    /// Copies a text of less than eight units, unless the repair is in place.
    fn copy_tiny(&mut self);

    /// Writes a vector at `at`.
    fn store<V: Lanes16>(&mut self, at: usize, vector: V);

    /// Writes a unit at `at`.
    fn write_unit(&mut self, at: usize, unit: [u8; 2]);
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
    fn copy_tiny(&mut self) {}

    #[inline(always)]
    fn store<V: Lanes16>(&mut self, at: usize, vector: V) {
        vector.store_over(self.0, at);
    }

    #[inline(always)]
    fn write_unit(&mut self, at: usize, unit: [u8; 2]) {
        self.0[at..at + 2].copy_from_slice(&unit);
    }
}

/// A repair in a copy, of the same length.
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
    fn copy<V: Lanes16>(&mut self, token: V::Token, at: usize, len: usize) {
        let (src, dst) = (&self.src[at..at + len], &mut self.dst[at..at + len]);
        let mut at = 0;
        while at + V::LANES < len {
            V::load(token, src, at).store_bytes(dst, at);
            at += V::LANES;
        }
        // The last vector may overlap.
        let last = len - V::LANES;
        V::load(token, src, last).store_bytes(dst, last);
    }

    #[inline(always)]
    fn copy_tiny(&mut self) {
        copy_short(self.dst, view::as_uninit(self.src));
    }

    #[inline(always)]
    fn store<V: Lanes16>(&mut self, at: usize, vector: V) {
        vector.store_bytes(self.dst, at);
    }

    #[inline(always)]
    fn write_unit(&mut self, at: usize, unit: [u8; 2]) {
        write_bytes(unit, &mut self.dst[at..]);
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

    /// Repairs a text. Returns the number of replaced units. In a copy, units of the last block may
    /// be counted twice.
    #[inline(always)]
    fn repair(&self, text: &mut impl Destination) -> usize {
        let len = text.src().len();
        if V::LANES == 16 && len < 16 {
            text.copy_tiny();
            // The zeros after the end are no surrogates.
            let units = V::of_words(self.token, words::padded16(text.src()));
            let unpaired = self.finder.of_vector(units).unpaired(0, 0);
            self.replace_each(text, 0, unpaired);
            return unpaired.count_ones() as usize;
        }
        if V::is_within(len, SURROGATE_BLOCK_BYTES - 1) {
            text.copy::<V>(self.token, 0, len);
            let unpaired = self.unpaired_of_short(text.src());
            return self.replace(text, 0, unpaired);
        }
        self.repair_blocks(text)
    }

    /// [`repair`](Self::repair) for at least a block.
    #[inline(always)]
    fn repair_blocks(&self, text: &mut impl Destination) -> usize {
        let len = text.src().len();
        let (mut repairs, mut at, mut high_before) = (0, 0, 0);
        loop {
            at = self.copy_run(text, at);
            if Utf16Checker::<V>::RUN > SURROGATE_BLOCK_BYTES
                && self.checker.is_end_of_run(text.src(), at)
            {
                let rest = at.min(len - V::LANES);
                text.copy::<V>(self.token, rest, len - rest);
                return repairs;
            }
            let mut clean_run = 0;
            while at + SURROGATE_BLOCK_BYTES <= len && clean_run < CLEAN_RUN {
                let end = at + SURROGATE_BLOCK_BYTES;
                text.copy::<V>(self.token, at, SURROGATE_BLOCK_BYTES);
                let surrogates = self.finder.of_block(&text.src()[at..end]);
                if !surrogates.are_paired(high_before) {
                    // The last unit of the block before is unpaired. The last unit of this block is
                    // left to the next one.
                    if surrogates.leaves_high_unpaired(high_before) {
                        text.write_unit(at - 2, self.replacement);
                        repairs += 1;
                    }
                    repairs += self.replace(text, at, surrogates.unpaired(high_before, 1));
                }
                high_before = surrogates.ends_with_high();
                clean_run = if surrogates.are_none() { clean_run + 1 } else { 0 };
                at = end;
            }
            if at + SURROGATE_BLOCK_BYTES > len {
                break;
            }
        }
        if at == len && high_before > 0 {
            text.write_unit(at - 2, self.replacement);
            return repairs + 1;
        }
        if at < len {
            // The last block ends with the text and overlaps.
            let start = len - SURROGATE_BLOCK_BYTES;
            text.copy::<V>(self.token, start, SURROGATE_BLOCK_BYTES);
            let src = text.src();
            let unpaired =
                self.finder.of_block(&src[start..]).unpaired(self.after_high(src, start), 0);
            repairs += self.replace(text, start, unpaired);
        }
        repairs
    }

    /// Copies the text from `at` on while it has no surrogates, one or more blocks at a time, and
    /// perhaps the blocks after that. Returns the end of the blocks without surrogates.
    #[inline(always)]
    fn copy_run(&self, text: &mut impl Destination, mut at: usize) -> usize {
        let run = Utf16Checker::<V>::RUN;
        while at + run <= text.src().len() {
            text.copy::<V>(self.token, at, run);
            if self.checker.has_surrogates(&text.src()[at..at + run]) {
                break;
            }
            at += run;
        }
        at
    }

    /// Returns 1 if the unit before `at` is a high surrogate, else 0.
    #[inline(always)]
    fn after_high(&self, text: &[u8], at: usize) -> u64 {
        let unit = text[..at].last_chunk().map_or(0, |&unit| u16::from_le_bytes(unit));
        u64::from(self.order.unit(unit) & 0xFC00 == 0xD800)
    }

    /// Returns the unpaired surrogates in a text of at least a vector and less than a block.
    #[inline(always)]
    fn unpaired_of_short(&self, text: &[u8]) -> u64 {
        let last = text.len() - V::LANES;
        let tail = V::load(self.token, text, last);
        // Most such texts have at most two vectors.
        let head = self.checker.surrogates(V::load(self.token, text, 0));
        let mut surrogates = self.checker.surrogates(tail).or(head);
        let mut at = V::LANES;
        while at < last {
            surrogates = surrogates.or(self.checker.surrogates(V::load(self.token, text, at)));
            at += V::LANES;
        }
        if !surrogates.any() {
            return 0;
        }
        // Units that are loaded twice give the same bits.
        let Surrogates { mut high, mut low } = self.finder.of_vector(tail);
        (high, low) = (high << (last / 2), low << (last / 2));
        let mut at = 0;
        while at < last {
            let surrogates = self.finder.of_vector(V::load(self.token, text, at));
            (high, low) = (high | surrogates.high << (at / 2), low | surrogates.low << (at / 2));
            at += V::LANES;
        }
        Surrogates { high, low }.unpaired(0, 0)
    }

    /// Replaces the units whose bits are set in `unpaired`; bit 0 is the unit at `start`. At most a
    /// block and at least a vector follows `start`. Returns the number of replaced units.
    #[inline(always)]
    fn replace(&self, text: &mut impl Destination, start: usize, unpaired: u64) -> usize {
        if unpaired == 0 {
            return 0;
        }
        let count = unpaired.count_ones();
        if V::LANES < 64 && count <= SCALAR_MAX_UNITS {
            self.replace_each(text, start, unpaired);
        } else {
            let replacement = V::splat16(self.token, self.order.unit(0xFFFD));
            let last = (start + SURROGATE_BLOCK_BYTES).min(text.src().len()) - V::LANES;
            let mut at = start;
            loop {
                at = at.min(last);
                let units = V::load(self.token, text.src(), at);
                let unpaired = unpaired >> ((at - start) / 2);
                text.store(at, units.blend16(self.token, unpaired, replacement));
                if at == last {
                    break;
                }
                at += V::LANES;
            }
        }
        count as usize
    }

    /// Replaces the units whose bits are set in `unpaired`, one by one.
    #[inline(always)]
    fn replace_each(&self, text: &mut impl Destination, start: usize, mut unpaired: u64) {
        while unpaired != 0 {
            text.write_unit(start + 2 * unpaired.trailing_zeros() as usize, self.replacement);
            unpaired &= unpaired - 1;
        }
    }
}
