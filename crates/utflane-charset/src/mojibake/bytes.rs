//! Recovers the bytes that were misread as a text.

use utflane::{Latin1, Utf16Le, from_str_into};

use crate::mojibake::misread::Misread;
use crate::mojibake::windows1252::{self, Kinds, narrow};

/// The number of units that are decoded at once.
const SEGMENT_UNITS: usize = 512;

/// A text of at least this many bytes is first decoded as Latin-1, by vectors, which is several
/// times as fast as windows-1252. A failed attempt takes as long as decoding a short line.
const LATIN1_TRIAL_MIN_BYTES: usize = 1024;

/// The number of units of UTF-16 that are tested at once.
const BLOCK_UNITS: usize = 32;

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
            let kinds = narrow(&units[..progress.written], out);
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

/// Returns the index of the first unit of UTF-16LE that is not ASCII.
pub(super) fn find_non_ascii(units: &[[u8; 2]]) -> Option<usize> {
    let is_non_ascii = |&[lower, upper]: &[u8; 2]| (lower >= 0x80) | (upper > 0);
    let mut start = 0;
    for block in units.chunks(BLOCK_UNITS) {
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

#[cfg(test)]
mod tests {
    use utflane::code_page::WINDOWS_1252;

    use super::*;

    #[test]
    fn have_controls_finds_characters_of_latin1_only() {
        for byte in 0..=u8::MAX {
            let is_control = WINDOWS_1252.byte(char::from(byte)).is_none();
            let text = [vec![b'a'; 700], vec![byte], vec![b'b'; 700]].concat();
            assert_eq!(have_controls(&text), is_control, "{byte:#04x}");
        }
    }
}
