//! Which code points below U+10000 are assigned, in the standard library's version of Unicode:
//! `build.rs` asks it for each of them.

include!(concat!(env!("OUT_DIR"), "/assigned.rs"));

/// Returns false for a noncharacter, and for a code point that is unassigned or for private use.
/// Returns true for surrogates.
#[inline]
pub(crate) fn is_assigned(unit: u16) -> bool {
    let block = ASSIGNED_BLOCKS[usize::from(unit >> 6)];
    ASSIGNED_BITS[usize::from(block)] >> (unit & 63) & 1 == 1
}

#[cfg(test)]
mod generate;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_cases() {
        for assigned in [0x00, 0x41, 0xAD, 0x301, 0x600, 0x200B, 0x4E00, 0xD800, 0xDFFF, 0xFEFF] {
            assert!(is_assigned(assigned), "{assigned:04X}");
        }
        for other in [0x378, 0x0EFF, 0x209F, 0xE000, 0xF8FF, 0xFDD0, 0xFFFE, 0xFFFF] {
            assert!(!is_assigned(other), "{other:04X}");
        }
    }

    #[test]
    fn every_code_point() {
        for unit in 0..=u16::MAX {
            assert_eq!(is_assigned(unit), generate::is_assigned(unit), "{unit:04X}");
        }
    }
}
