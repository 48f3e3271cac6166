//! Converts UTF-16LE to Latin-1 or windows-1252, and reports the kinds of characters found. The
//! repair of double encoding uses this conversion.

use core::ops::BitOr;

use crate::tables::windows1252;

/// The kinds of characters in a text. Characters that are the same in Latin-1 and windows-1252 have
/// no kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// True if the text has a character that only windows-1252 has.
    pub extras: bool,
    /// True if the text has a character that only Latin-1 has.
    pub controls: bool,
    /// True if the text has a character that neither encoding has.
    pub others: bool,
}

impl Kinds {
    /// Returns the kind of one unit.
    fn for_unit(unit: u16) -> Self {
        let (_, is_known) = windows1252::byte(u32::from(unit));
        let is_latin1 = unit < 0x100;
        Self {
            extras: is_known && !is_latin1,
            controls: !is_known && is_latin1,
            others: !is_known && !is_latin1,
        }
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            extras: self.extras | other.extras,
            controls: self.controls | other.controls,
            others: self.others | other.others,
        }
    }
}

/// Writes one byte for each unit of `text`. The byte of a unit that neither encoding has is
/// unspecified.
pub(crate) fn narrow(text: &[u8], dst: &mut [u8]) -> Kinds {
    let mut kinds = Kinds::default();
    for (byte, unit) in dst.iter_mut().zip(text.as_chunks().0) {
        let unit = u16::from_le_bytes(*unit);
        *byte = windows1252::byte(u32::from(unit)).0;
        kinds = kinds | Kinds::for_unit(unit);
    }
    kinds
}
