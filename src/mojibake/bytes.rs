//! Recovers the bytes that were misread as a text.

use crate::dispatch::code_page::PageConversion;
use crate::dispatch::kernel::Kernel;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::Latin1;
#[cfg(feature = "alloc")]
use crate::encoding::types::Utf16Le;
use crate::encoding::view;
use crate::mojibake::misread::Misread;
use crate::operations::free::from_str_into;
#[cfg(feature = "alloc")]
use crate::operations::free::transcode_into;
use crate::tables::code_pages::WINDOWS_1252;
use crate::types::progress::Reach;

/// The number of bytes that are tested at once.
const SEGMENT_BYTES: usize = 512;

/// The number of units that are tested at once.
#[cfg(feature = "alloc")]
const BLOCK_UNITS: usize = 32;

/// The encodings that have all characters of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encodings {
    latin1: bool,
    windows1252: bool,
}

impl Encodings {
    /// The encodings of an empty text.
    const BOTH: Self = Self { latin1: true, windows1252: true };

    /// Returns the encoding that has all characters. If both encodings have them, the result is
    /// Latin-1.
    pub(super) fn first(self) -> Option<Misread> {
        match self {
            Self { latin1: true, .. } => Some(Misread::Latin1),
            Self { windows1252: true, .. } => Some(Misread::Windows1252),
            _ => None,
        }
    }

    /// Returns true if an encoding has all characters.
    #[cfg(feature = "alloc")]
    pub(super) fn contain(self, misread: Misread) -> bool {
        match misread {
            Misread::Latin1 => self.latin1,
            Misread::Windows1252 => self.windows1252,
        }
    }

    /// Removes windows-1252 if it lacks one of the characters whose bytes in Latin-1 are `bytes`.
    fn add_latin1(&mut self, bytes: &[u8]) {
        self.windows1252 = self.windows1252 && !have_controls(bytes);
    }

    /// Removes Latin-1, and writes the bytes of a text in windows-1252, as far as they fit. Returns
    /// `None` if windows-1252 lacks a character of the text before it.
    fn narrow(&mut self, from: Scheme, text: &[u8], dst: &mut [u8]) -> Option<Reach> {
        self.latin1 = false;
        if !self.windows1252 {
            return None;
        }
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        Some(PageConversion::encoding(from).reach(&WINDOWS_1252, Kernel::active(), text, dst))
    }
}

/// Decodes a text to the bytes that were misread.
pub(super) struct ByteDecoder<'a> {
    /// The text that has not been decoded.
    rest: &'a str,
    /// The encodings of the characters that have been decoded.
    encodings: Encodings,
}

impl<'a> ByteDecoder<'a> {
    /// Creates a decoder of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, encodings: Encodings::BOTH }
    }

    /// Returns true if the whole text has been decoded.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Writes the next bytes, as many as fit, and returns their number. Returns `None` if neither
    /// encoding has all the characters.
    pub(super) fn fill(&mut self, dst: &mut [u8]) -> Option<usize> {
        let mut written = 0;
        if self.encodings.latin1 {
            let progress = from_str_into::<Latin1>(self.rest, dst);
            self.rest = &self.rest[progress.read..];
            written = progress.written;
            self.encodings.add_latin1(&dst[..written]);
        }
        if !self.rest.is_empty() && written < dst.len() {
            let out = &mut dst[written..];
            let reach = self.encodings.narrow(Scheme::Utf8, self.rest.as_bytes(), out)?;
            self.rest = &self.rest[reach.read..];
            written += reach.written;
            if !self.rest.is_empty() && written < dst.len() {
                return None;
            }
        }
        Some(written)
    }

    /// Returns the encodings of the characters so far.
    pub(super) fn encodings(&self) -> Encodings {
        self.encodings
    }
}

/// Writes the byte of each unit of a text in UTF-16LE. `dst` has one byte for each unit. Returns
/// `None` if neither encoding has all the characters.
#[cfg(feature = "alloc")]
pub(super) fn decode_utf16le(text: &[u8], dst: &mut [u8]) -> Option<()> {
    let mut encodings = Encodings::BOTH;
    let progress = transcode_into::<Utf16Le, Latin1>(text, dst);
    encodings.add_latin1(&dst[..progress.written]);
    if progress.read == text.len() {
        return Some(());
    }
    let (rest, out) = (&text[progress.read..], &mut dst[progress.written..]);
    let reach = encodings.narrow(Scheme::Utf16Le, rest, out)?;
    (reach.read == rest.len()).then_some(())
}

/// Returns the index of the first unit of UTF-16LE that is not ASCII.
#[cfg(feature = "alloc")]
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
#[cfg(feature = "alloc")]
pub(super) fn may_begin_sequence(units: &[[u8; 2]]) -> bool {
    let [letter, sign, ..] = *units else { return false };
    let [letter, sign] = [letter, sign].map(|unit| u32::from(u16::from_le_bytes(unit)));
    let byte = WINDOWS_1252.encode(sign).or(u8::try_from(sign).ok());
    matches!(letter, 0xC2..=0xF4) && matches!(byte, Some(0x80..=0xBF))
}

/// Returns true if one of `bytes` is a character that only Latin-1 has.
fn have_controls(bytes: &[u8]) -> bool {
    // Tests whole segments without an early exit, so that LLVM vectorises the loop. Most segments
    // have none of the bytes 0x80..=0x9F.
    let may_have_control =
        |segment: &[u8]| segment.iter().fold(false, |found, &b| found | (b & 0xE0 == 0x80));
    let is_control = |&byte: &u8| WINDOWS_1252.encode(byte.into()).is_none();
    bytes
        .chunks(SEGMENT_BYTES)
        .any(|segment| may_have_control(segment) && segment.iter().any(is_control))
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn have_controls_finds_characters_of_latin1_only() {
        for byte in 0..=u8::MAX {
            let text = [vec![b'a'; 700], vec![byte], vec![b'b'; 700]].concat();
            let is_undefined = matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D);
            let expected = matches!(byte, 0x80..=0x9F) && !is_undefined;
            assert_eq!(have_controls(&text), expected, "{byte:#04x}");
        }
    }
}
