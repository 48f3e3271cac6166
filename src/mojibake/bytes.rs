//! Recovers the bytes that were misread as a text.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::dispatch;
use crate::encoding::types::{Latin1, Utf16Le};
use crate::generic::from_utf16::to_windows1252 as vectors;
use crate::mojibake::misread::Misread;
use crate::operations::free::from_str_into;
use crate::scalar::windows1252::{self as scalar, Kinds};
#[cfg(feature = "alloc")]
use crate::tables::windows1252;

/// The number of units that are decoded at once.
const SEGMENT_UNITS: usize = 512;

/// A text of at least this many bytes is first decoded as Latin-1, which is four times as fast as
/// windows-1252. A failed attempt takes as long as decoding a line as windows-1252.
const LATIN1_TRIAL_MIN_BYTES: usize = 1024;

/// The number of units in the largest vector of any instruction set.
const VECTOR_MAX_UNITS: usize = 32;

/// Decodes a text to the bytes that were misread.
pub(super) struct ByteDecoder<'a> {
    /// The text that has not been decoded.
    rest: &'a str,
    /// The kinds of the characters that have been decoded.
    kinds: Kinds,
    /// True if the text is Latin-1 so far.
    is_latin1: bool,
}

impl<'a> ByteDecoder<'a> {
    /// Creates a decoder of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            kinds: Kinds::default(),
            is_latin1: text.len() >= LATIN1_TRIAL_MIN_BYTES,
        }
    }

    /// Returns true if the whole text has been decoded.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Writes the next bytes, as many as fit, and returns their number. Returns `None` if neither
    /// encoding has all the characters.
    pub(super) fn fill(&mut self, dst: &mut [u8]) -> Option<usize> {
        let mut written = 0;
        if self.is_latin1 {
            let progress = from_str_into::<Latin1>(self.rest, dst);
            self.rest = &self.rest[progress.read..];
            written = progress.written;
            self.kinds.controls = self.kinds.controls || have_controls(&dst[..written]);
            self.is_latin1 = self.rest.is_empty() || written == dst.len();
        }
        let mut units = [0; 2 * SEGMENT_UNITS];
        while !self.rest.is_empty() && written < dst.len() {
            let capacity = SEGMENT_UNITS.min(dst.len() - written);
            let progress = from_str_into::<Utf16Le>(self.rest, &mut units[..2 * capacity]);
            // Only a supplementary character does not fit, and neither encoding has it.
            if progress.written == 0 {
                return None;
            }
            let out = &mut dst[written..][..progress.written / 2];
            let kinds = narrow(&units[..progress.written], out, Kernel::active());
            self.kinds = self.kinds | kinds;
            misread_of(self.kinds)?;
            self.rest = &self.rest[progress.read..];
            written += out.len();
        }
        Some(written)
    }

    /// Returns the kinds of the characters so far.
    pub(super) fn kinds(&self) -> Kinds {
        self.kinds
    }
}

/// Writes the byte of each unit of a text in UTF-16LE. `dst` has one byte for each unit. Returns
/// the kinds of the characters.
#[cfg(feature = "alloc")]
pub(super) fn decode_utf16le(text: &[u8], dst: &mut [u8]) -> Kinds {
    narrow(text, dst, Kernel::active())
}

/// Returns the index of the first unit of UTF-16LE that is not ASCII.
#[cfg(feature = "alloc")]
pub(super) fn find_non_ascii(units: &[[u8; 2]]) -> Option<usize> {
    let is_non_ascii = |&[lower, upper]: &[u8; 2]| (lower >= 0x80) | (upper > 0);
    let mut start = 0;
    for block in units.chunks(VECTOR_MAX_UNITS) {
        // Tests the whole block without an early exit, so that LLVM vectorises the loop.
        if block.iter().fold(false, |found, unit| found | is_non_ascii(unit)) {
            return block.iter().position(is_non_ascii).map(|index| start + index);
        }
        start += block.len();
    }
    None
}

/// Returns true if the first two units of UTF-16LE may begin a sequence: a letter for the first
/// byte of a character, and a sign for its second byte.
#[cfg(feature = "alloc")]
pub(super) fn may_begin_sequence(units: &[[u8; 2]]) -> bool {
    let [letter, sign, ..] = *units else { return false };
    let [letter, sign] = [letter, sign].map(|unit| u32::from(u16::from_le_bytes(unit)));
    let (byte, is_known) = windows1252::byte(sign);
    matches!(letter, 0xC2..=0xF4) && (is_known || sign < 0x100) && matches!(byte, 0x80..=0xBF)
}

/// Returns the encoding that has characters of these kinds. If both encodings have them, the result
/// is Latin-1.
pub(super) fn misread_of(kinds: Kinds) -> Option<Misread> {
    match kinds {
        Kinds { extras: false, others: false, .. } => Some(Misread::Latin1),
        Kinds { controls: false, others: false, .. } => Some(Misread::Windows1252),
        _ => None,
    }
}

/// Returns true if an encoding has characters of these kinds.
#[cfg(feature = "alloc")]
pub(super) fn has_kinds(misread: Misread, kinds: Kinds) -> bool {
    !kinds.others
        && match misread {
            Misread::Latin1 => !kinds.extras,
            Misread::Windows1252 => !kinds.controls,
        }
}

/// Returns true if one of `bytes` is a character that only Latin-1 has.
fn have_controls(bytes: &[u8]) -> bool {
    let is_control = |byte: u8| {
        let is_unused = (byte == 0x81) | (byte == 0x8D) | (byte == 0x8F);
        (byte & 0xE0 == 0x80) & !(is_unused | (byte == 0x90) | (byte == 0x9D))
    };
    // Tests whole segments without an early exit, so that LLVM vectorises the loops. Most segments
    // have none of the bytes 0x80..=0x9F.
    let may_have_control =
        |segment: &[u8]| segment.iter().fold(false, |found, &b| found | (b & 0xE0 == 0x80));
    let has_control =
        |segment: &[u8]| segment.iter().fold(false, |found, &b| found | is_control(b));
    bytes.chunks(SEGMENT_UNITS).any(|segment| may_have_control(segment) && has_control(segment))
}

/// Runs [`scalar::narrow`] on a kernel.
fn narrow(text: &[u8], dst: &mut [u8], kernel: Kernel) -> Kinds {
    debug_assert!(text.len() == 2 * dst.len(), "one byte for each unit");
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

/// Like [`narrow`], for at least [`VECTOR_MAX_UNITS`] units.
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
        narrow(&text, dst, kernel)
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

    #[test]
    fn have_controls_finds_characters_of_latin1_only() {
        for byte in 0..=u8::MAX {
            let text = [vec![b'a'; 700], vec![byte], vec![b'b'; 700]].concat();
            assert_eq!(have_controls(&text), expected(byte.into()).1.controls, "{byte:#04x}");
        }
    }
}
