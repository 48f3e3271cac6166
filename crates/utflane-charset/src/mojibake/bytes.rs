//! Recovers the bytes that were misread as a text.
//!
//! The text is decoded as Latin-1 up to the first character that only windows-1252 has, and from
//! there on as windows-1252.

use utflane::code_page::WINDOWS_1252;
use utflane::{Latin1, Progress, Stop, Utf8, Utf16Le, from_str_into, transcode_into};

use crate::mojibake::misread::Misread;
use crate::mojibake::windows1252;

/// The number of bytes that are tested at once.
const SEGMENT_BYTES: usize = 512;
/// The number of units of UTF-16 that are tested at once.
const BLOCK_UNITS: usize = 32;

/// Decodes a text to the bytes that were misread.
pub(super) struct ByteDecoder<'a> {
    /// The text that has not been decoded.
    rest: &'a str,
    /// The encoding that has all characters so far; Latin-1 if both have them.
    misread: Misread,
    /// True if the text so far has a character that only Latin-1 has.
    has_controls: bool,
}

impl<'a> ByteDecoder<'a> {
    /// Creates a decoder of `text`.
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, misread: Misread::Latin1, has_controls: false }
    }

    /// Returns true if the whole text has been decoded.
    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the encoding that has all characters so far; Latin-1 if both have them.
    pub(super) fn misread(&self) -> Misread {
        self.misread
    }

    /// Writes the next bytes, as many as fit, and returns their number. Returns `None` if neither
    /// encoding has all the characters.
    pub(super) fn fill(&mut self, dst: &mut [u8]) -> Option<usize> {
        let mut written = 0;
        if self.misread == Misread::Latin1 {
            let progress = from_str_into::<Latin1>(self.rest, dst);
            self.rest = &self.rest[progress.read..];
            written = progress.written;
            self.has_controls = self.has_controls || have_controls(&dst[..written]);
            if !matches!(progress.stop, Stop::Error(_)) {
                return Some(written);
            }
            self.misread = Misread::Windows1252;
        }
        if self.has_controls {
            return None;
        }
        let dst = &mut dst[written..];
        let progress = WINDOWS_1252.encode_into::<Utf8>(self.rest.as_bytes(), dst);
        self.rest = &self.rest[progress.read..];
        written += progress.written;
        (!matches!(progress.stop, Stop::Error(_))).then_some(written)
    }
}

/// Returns the bytes that were misread as a text in UTF-16LE. Returns `None` if neither encoding
/// has all the characters, or if the text is ill-formed.
pub(super) fn decode_utf16le(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = vec![0; text.len() / 2];
    let Progress { read, written, stop } = transcode_into::<Utf16Le, Latin1>(text, &mut bytes);
    if stop == Stop::Done {
        return Some(bytes);
    }
    if have_controls(&bytes[..written]) {
        return None;
    }
    let progress = WINDOWS_1252.encode_into::<Utf16Le>(&text[read..], &mut bytes[written..]);
    (progress.stop == Stop::Done).then_some(bytes)
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
    bytes.chunks(SEGMENT_BYTES).any(|segment| may_have_control(segment) && has_control(segment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mojibake::windows1252::CHARACTERS;

    /// Returns true if windows-1252 and Latin-1 have a character, computed from the list of
    /// characters.
    fn expected(c: char) -> [bool; 2] {
        let is_listed = CHARACTERS.contains(&c);
        [is_listed || c < '\u{80}' || ('\u{A0}'..='\u{FF}').contains(&c), c <= '\u{FF}']
    }

    #[test]
    fn characters_of_each_encoding_are_decoded() {
        for c in '\0'..='\u{FFFF}' {
            let text = format!("{}{c}", "a".repeat(c as usize % 100));
            let [in_windows1252, in_latin1] = expected(c);
            let mut bytes = [0; 100];
            let mut decoder = ByteDecoder::new(&text);
            let written = decoder.fill(&mut bytes);
            assert_eq!(written.is_some(), in_windows1252 || in_latin1, "{c:?}");
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let decoded = decode_utf16le(&utf16);
            let Some(written) = written else {
                assert_eq!(decoded, None, "{c:?}");
                continue;
            };
            let misread = if in_latin1 { Misread::Latin1 } else { Misread::Windows1252 };
            assert_eq!((decoder.misread(), decoder.is_empty()), (misread, true), "{c:?}");
            assert_eq!(misread.byte(c), bytes[..written].last().copied(), "{c:?}");
            assert_eq!(decoded.as_deref(), Some(&bytes[..written]), "{c:?}");
        }
    }

    /// A text with a character that only Latin-1 has and one that only windows-1252 has, in either
    /// order, is in neither of them.
    #[test]
    fn no_encoding_has_all_characters() {
        for text in ["\u{80}€", "€\u{80}", "\u{9F}a™", "ÿ™\u{9F}", "€π"] {
            assert_eq!(ByteDecoder::new(text).fill(&mut [0; 9]), None, "{text:?}");
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(decode_utf16le(&utf16), None, "{text:?}");
        }
    }

    #[test]
    fn have_controls_finds_characters_of_latin1_only() {
        for byte in 0..=u8::MAX {
            let text = [vec![b'a'; 700], vec![byte], vec![b'b'; 700]].concat();
            let [in_windows1252, _] = expected(char::from(byte));
            assert_eq!(have_controls(&text), !in_windows1252, "{byte:#04x}");
        }
    }
}
