//! Converts UTF-16LE to windows-1252 or Latin-1, and reports which of the two has the characters.
//!
//! The crate `utflane-charset` undoes double encoding with it. It is not a part of the public API.
//! `CodePage::encode` takes three to seven times as long, and stops at the first character that its
//! page lacks.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::dispatch;
use crate::generic::from_utf16::to_windows1252 as vectors;
use crate::scalar::windows1252 as scalar;
pub use crate::scalar::windows1252::Kinds;
pub use crate::tables::windows1252::byte;

/// The number of units in the largest vector of any instruction set.
const VECTOR_MAX_UNITS: usize = 32;

/// Writes the byte of each unit of a text in UTF-16LE, on the active kernel. `dst` has one byte for
/// each unit. Returns the kinds of the characters. The byte of a unit that neither windows-1252 nor
/// Latin-1 has is unspecified.
pub fn narrow(text: &[u8], dst: &mut [u8]) -> Kinds {
    narrow_on(text, dst, Kernel::active())
}

/// Implements [`narrow`] on a kernel.
fn narrow_on(text: &[u8], dst: &mut [u8], kernel: Kernel) -> Kinds {
    assert!(text.len() == 2 * dst.len(), "one byte for each unit");
    if dst.len() >= VECTOR_MAX_UNITS {
        return narrow_vectors(text, dst, kernel);
    }
    // The units are padded with zeros, which are ASCII.
    let (mut padded, mut bytes) = ([0; 2 * VECTOR_MAX_UNITS], [0; VECTOR_MAX_UNITS]);
    padded[..text.len()].copy_from_slice(text);
    let kinds = narrow_vectors(&padded, &mut bytes, kernel);
    dst.copy_from_slice(&bytes[..dst.len()]);
    kinds
}

/// Like [`narrow_on`], for at least [`VECTOR_MAX_UNITS`] units.
#[inline(never)]
fn narrow_vectors(text: &[u8], dst: &mut [u8], kernel: Kernel) -> Kinds {
    dispatch!(kernel,
        scalar => scalar::narrow(text, dst),
        |V, token, text, dst| vectors::narrow::<V>(token, text, dst))
}

#[cfg(test)]
mod tests {
    use alloc::{vec, vec::Vec};

    use super::*;
    use crate::tables::windows1252::CHARACTERS;

    /// Writes the byte of each unit. Returns the kinds of the characters.
    fn narrow_units(units: &[u16], dst: &mut [u8], kernel: Kernel) -> Kinds {
        let text: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        narrow_on(&text, dst, kernel)
    }

    /// Returns the byte and the kinds of a unit, computed from the list of characters.
    fn expected(unit: u16) -> (Option<u8>, Kinds) {
        let is_latin1 = unit < 0x100;
        let byte = match CHARACTERS.iter().position(|&c| u32::from(c) == u32::from(unit)) {
            Some(i) => Some(0x80 + i as u8),
            None if (0x80..0xA0).contains(&unit) => None,
            None => u8::try_from(unit).ok(),
        };
        let kinds = Kinds {
            extras: byte.is_some() && !is_latin1,
            controls: byte.is_none() && is_latin1,
            others: byte.is_none() && !is_latin1,
        };
        (byte.or(u8::try_from(unit).ok()), kinds)
    }

    #[test]
    fn every_kernel_narrows_every_unit() {
        for kernel in Kernel::available() {
            for len in [1, 16, 31, 32, 40, 64, 100] {
                for unit in 0..=u16::MAX {
                    let (byte, kinds) = expected(unit);
                    let (mut units, mut bytes) = ([0x61; 100], [0; 100]);
                    let index = usize::from(unit) % len;
                    units[index] = unit;
                    let found = narrow_units(&units[..len], &mut bytes[..len], kernel);
                    assert_eq!(found, kinds, "{kernel:?}, U+{unit:04X} of {len}");
                    for (i, &written) in bytes[..len].iter().enumerate() {
                        let byte = if i == index { byte } else { Some(0x61) };
                        assert!(
                            byte.is_none_or(|byte| byte == written),
                            "{kernel:?}, U+{unit:04X}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn mixtures_have_the_kinds_of_all_their_units() {
        let signs = CHARACTERS.map(|c| c as u16);
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        for round in 0..3000 {
            let units: Vec<u16> = (0..round % 150)
                .map(|_| match random() % 4 {
                    0 => signs[random() as usize % 32],
                    1 => random() as u16 & 0xFF,
                    2 if round % 3 == 0 => random() as u16,
                    _ => random() as u16 & 0x7F,
                })
                .collect();
            let mut kinds = Kinds::default();
            for &unit in &units {
                kinds = kinds | expected(unit).1;
            }
            for kernel in Kernel::available() {
                let mut bytes = vec![0; units.len()];
                assert_eq!(narrow_units(&units, &mut bytes, kernel), kinds, "{kernel:?}");
                for (&unit, byte) in units.iter().zip(bytes) {
                    assert!(expected(unit).0.is_none_or(|expected| expected == byte));
                }
            }
        }
    }
}
