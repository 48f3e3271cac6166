//! UTF-16LE to Latin-1 or windows-1252, and the kinds of characters found. This undoes double
//! encoding.

use core::ops::BitOr;

use crate::tables::windows1252;

/// The kinds of characters that a text has, except the characters that are the same in Latin-1 and
/// windows-1252.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// Characters that only windows-1252 has.
    pub(crate) signs: bool,
    /// Characters that only Latin-1 has.
    pub(crate) controls: bool,
    /// Characters that neither has.
    pub(crate) others: bool,
}

impl Kinds {
    /// Returns the kinds of one unit.
    fn for_unit(unit: u16) -> Self {
        let (_, is_known) = windows1252::byte(u32::from(unit));
        let is_latin1 = unit < 0x100;
        Self {
            signs: is_known && !is_latin1,
            controls: !is_known && is_latin1,
            others: !is_known && !is_latin1,
        }
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            signs: self.signs | other.signs,
            controls: self.controls | other.controls,
            others: self.others | other.others,
        }
    }
}

/// Writes the byte of each unit. The bytes of units that neither encoding has are unspecified.
pub(crate) fn narrow(text: &[u8], dst: &mut [u8]) -> Kinds {
    let mut kinds = Kinds::default();
    for (byte, unit) in dst.iter_mut().zip(text.as_chunks().0) {
        let unit = u16::from_le_bytes(*unit);
        *byte = windows1252::byte(u32::from(unit)).0;
        kinds = kinds | Kinds::for_unit(unit);
    }
    kinds
}
