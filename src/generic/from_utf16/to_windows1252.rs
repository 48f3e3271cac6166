//! Converts UTF-16LE to bytes of windows-1252, one byte for each unit, and finds the kinds of
//! characters in the text. A unit up to 0xFF becomes the byte of the same value, as in Latin-1.
//! This undoes double encoding.
//!
//! An *extra character* is one of the 27 characters of windows-1252 that Latin-1 lacks.
//!
//! 1. Split the units of two vectors into lower and upper bytes.
//! 2. Compute a slot number, 0 to 31, from the bits of each unit. Every extra character has its
//!    own slot.
//! 3. Look up both bytes of the extra character in the slot. If they equal the bytes of the unit,
//!    the output byte comes from a third table; else the output byte is the lower byte of the unit.
//! 4. Collect the kinds: extra characters, control characters, and characters that neither encoding
//!    has.
//!
//! No branch depends on a character.

use crate::arch::lanes16::Lanes16;
use crate::scalar::windows1252::Kinds;
use crate::tables::windows1252::{EXTRAS, Extras};

/// Writes one byte for each unit of `text` to `dst`. The length of `dst` is the number of units, at
/// least `V::LANES`. Returns the kinds of the characters. For a unit that neither encoding has, the
/// byte is unspecified.
#[inline(always)]
pub(crate) fn narrow<V: Lanes16>(token: V::Token, text: &[u8], dst: &mut [u8]) -> Kinds {
    let mut narrower = Narrower::<V>::new(token, &EXTRAS);
    let mut at = 0;
    while at < dst.len() {
        // The last two input vectors end with the text and overlap the vectors before them.
        let start = at.min(dst.len() - V::LANES);
        narrower.narrow(text, dst, start);
        at = start + V::LANES;
    }
    narrower.kinds()
}

/// The tables of [`Extras`] in registers, and the kinds of the characters so far. A kind has been
/// found if any lane of its vector is not zero.
struct Narrower<V: Lanes16> {
    token: V::Token,
    /// The part of the slot number that depends on the upper four bits of the lower byte.
    slot_parts: V,
    /// The bytes of the extra characters in windows-1252, by slot.
    bytes: [V; 2],
    /// The lower bytes of the extra characters' units, by slot.
    lower: [V; 2],
    /// The upper bytes of the extra characters' units, by slot.
    upper: [V; 2],
    /// The five bytes that windows-1252 leaves undefined, by their lower four bits.
    undefined: [V; 2],
    /// Not zero if the text so far has an extra character.
    extras: V,
    /// Not zero if the text so far has a control character.
    controls: V,
    /// Not zero if the text so far has a character that neither encoding has.
    others: V,
}

impl<V: Lanes16> Narrower<V> {
    #[inline(always)]
    fn new(token: V::Token, extras: &Extras) -> Self {
        let pair =
            |tables: &[[u8; 16]; 2]| [V::table(token, &tables[0]), V::table(token, &tables[1])];
        let zero = V::splat(token, 0);
        Self {
            token,
            slot_parts: V::table(token, &extras.slot_parts),
            bytes: pair(&extras.bytes),
            lower: pair(&extras.lower),
            upper: pair(&extras.upper),
            undefined: pair(&extras.undefined),
            extras: zero,
            controls: zero,
            others: zero,
        }
    }

    /// Converts `V::LANES` units, beginning with unit `at`: writes their bytes, and records their
    /// kinds.
    #[inline(always)]
    fn narrow(&mut self, text: &[u8], dst: &mut [u8], at: usize) {
        let splat = |byte| V::splat(self.token, byte);
        let zero = splat(0);
        let first = V::load(self.token, text, 2 * at);
        let second = V::load(self.token, text, 2 * at + V::LANES);
        let lower_byte_mask = V::splat16(self.token, 0xFF);
        let lower = V::narrow(first.and(lower_byte_mask), second.and(lower_byte_mask));
        let upper = V::narrow(first.shr16::<8>(), second.shr16::<8>());

        let low_nibble = lower.and(splat(0x0F));
        let slot =
            lower.high_nibble().lookup16(self.slot_parts).xor(low_nibble).xor(upper.and(splat(1)));
        let uses_second_table = V::from_mask(slot.high_bit_mask());
        let index = slot.and(splat(0x0F));
        let look_up_slot = |tables: [V; 2]| {
            uses_second_table.select(index.lookup16(tables[1]), index.lookup16(tables[0]))
        };
        let is_extra = V::from_mask(look_up_slot(self.lower).equal(lower))
            .and(V::from_mask(look_up_slot(self.upper).equal(upper)));
        is_extra.select(look_up_slot(self.bytes), lower).store_over(dst, at);

        let is_listed = |table: V| V::from_mask(low_nibble.lookup16(table).equal(lower));
        let is_undefined = is_listed(self.undefined[0]).or(is_listed(self.undefined[1]));
        let is_control = V::from_mask(lower.and(splat(0xE0)).equal(splat(0x80)))
            .and(V::from_mask(upper.or(is_undefined).equal(zero)));
        self.extras = self.extras.or(is_extra);
        self.controls = self.controls.or(is_control);
        self.others = self.others.or(is_extra.select(zero, upper));
    }

    /// Returns the kinds of the characters so far.
    #[inline(always)]
    fn kinds(&self) -> Kinds {
        Kinds {
            extras: self.extras.any(),
            controls: self.controls.any(),
            others: self.others.any(),
        }
    }
}
