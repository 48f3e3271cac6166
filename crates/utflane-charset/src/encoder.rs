//! Encodes UTF-8 in an encoding from before Unicode, chunk by chunk, up to each unmappable
//! character.

use std::fmt;

use encoding_rs::{Encoder, EncoderResult};
use utflane::code_page::CodePage;
use utflane::{Stop, Utf8};

use crate::double_byte::EncodeTable;
use crate::legacy::Legacy;

/// The reason why [`LegacyEncoder::push`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStop {
    /// The whole text was read.
    Done,
    /// The output has no capacity for the next character. It has if it has 16 bytes.
    OutputFull,
    /// The encoding lacks this character, which was read.
    Unmappable(char),
}

/// The result of [`LegacyEncoder::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeProgress {
    /// The number of bytes of UTF-8 that were read, with the unmappable character.
    pub read: usize,
    /// The number of bytes that were written.
    pub written: usize,
    /// The reason why encoding stopped.
    pub stop: EncodeStop,
}

/// Returns the numeric character reference of HTML for a character that an encoding lacks. As in
/// the Encoding Standard, it names U+FFFD for the control characters that ISO-2022-JP uses itself.
///
/// ```
/// assert_eq!(utflane_charset::numeric_reference('€'), "&#8364;");
/// assert_eq!(utflane_charset::numeric_reference('\x1B'), "&#65533;");
/// ```
pub fn numeric_reference(c: char) -> String {
    let referred = match c {
        '\x0E' | '\x0F' | '\x1B' => char::REPLACEMENT_CHARACTER,
        _ => c,
    };
    format!("&#{};", u32::from(referred))
}

/// Encodes a text that arrives in chunks.
///
/// ```
/// use utflane_charset::{EncodeStop, Legacy, LegacyEncoder};
///
/// let mut encoder = LegacyEncoder::new(Legacy::from_encoding(encoding_rs::KOI8_R));
/// let mut dst = [0; 16];
/// let progress = encoder.push("да, €", &mut dst, true);
/// assert_eq!((progress.stop, progress.read), (EncodeStop::Unmappable('€'), 9));
/// assert_eq!(dst[..progress.written], *b"\xC4\xC1, ");
/// ```
pub struct LegacyEncoder(PageOrEncoder);

/// The encoder of each kind of encoding. A code page has no state.
enum PageOrEncoder {
    Page(&'static CodePage),
    MultiByte(Encoder),
}

impl fmt::Debug for LegacyEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LegacyEncoder").field(&self.encoding()).finish()
    }
}

impl LegacyEncoder {
    /// Creates an encoder for a new text.
    pub fn new(encoding: Legacy) -> Self {
        Self(match encoding {
            Legacy::Page(page) => PageOrEncoder::Page(page),
            Legacy::MultiByte(encoding) => PageOrEncoder::MultiByte(encoding.new_encoder()),
        })
    }

    /// Returns the encoding.
    pub fn encoding(&self) -> Legacy {
        match &self.0 {
            PageOrEncoder::Page(page) => Legacy::Page(page),
            PageOrEncoder::MultiByte(encoder) => Legacy::MultiByte(encoder.encoding()),
        }
    }

    /// Encodes up to the end of `text`, an unmappable character, or the end of the output. `last`
    /// is true for the last chunk, which may be empty: some encodings end with an escape sequence.
    pub fn push(&mut self, text: &str, dst: &mut [u8], last: bool) -> EncodeProgress {
        match &mut self.0 {
            PageOrEncoder::Page(page) => {
                let progress = page.encode_into::<Utf8>(text.as_bytes(), dst);
                let (mut read, written) = (progress.read, progress.written);
                let stop = match progress.stop {
                    Stop::Done => EncodeStop::Done,
                    Stop::OutputFull => EncodeStop::OutputFull,
                    Stop::Error(_) => {
                        let c = text[read..].chars().next().unwrap_or_default();
                        read += c.len_utf8();
                        EncodeStop::Unmappable(c)
                    }
                };
                EncodeProgress { read, written, stop }
            }
            PageOrEncoder::MultiByte(encoder) => {
                let encoding = encoder.encoding();
                let (result, read, written) = match EncodeTable::of(encoding) {
                    Some(table) => table.push(encoding, text, dst),
                    None => encoder.encode_from_utf8_without_replacement(text, dst, last),
                };
                let stop = match result {
                    EncoderResult::InputEmpty => EncodeStop::Done,
                    EncoderResult::OutputFull => EncodeStop::OutputFull,
                    // `encoding_rs` reports U+FFFD for a control character that ISO-2022-JP uses
                    // itself, so the character is taken from the text.
                    EncoderResult::Unmappable(c) => {
                        EncodeStop::Unmappable(text[..read].chars().next_back().unwrap_or(c))
                    }
                };
                EncodeProgress { read, written, stop }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a text into an output that is always short, with `?` for each unmappable character.
    fn encode(encoding: Legacy, text: &str, capacity: usize) -> (Vec<u8>, Vec<char>) {
        let mut encoder = LegacyEncoder::new(encoding);
        assert_eq!(encoder.encoding(), encoding);
        let (mut rest, mut out, mut unmappable) = (text, Vec::new(), Vec::new());
        loop {
            let mut dst = vec![0; capacity];
            let progress = encoder.push(rest, &mut dst, true);
            rest = &rest[progress.read..];
            out.extend_from_slice(&dst[..progress.written]);
            match progress.stop {
                EncodeStop::Done => return (out, unmappable),
                EncodeStop::OutputFull => {}
                EncodeStop::Unmappable(c) => {
                    unmappable.push(c);
                    out.push(b'?');
                }
            }
        }
    }

    #[test]
    fn unmappable_control_characters_of_iso_2022_jp() {
        let encoding = Legacy::from_encoding(encoding_rs::ISO_2022_JP);
        let (bytes, unmappable) = encode(encoding, "\x0E語\x1Bé\x0Fa", 16);
        assert_eq!(bytes, b"?\x1B$B8l\x1B(B???a");
        assert_eq!(unmappable, ['\x0E', '\x1B', 'é', '\x0F']);
    }

    #[test]
    fn the_bytes_are_those_of_encoding_rs() {
        let text = "naïve — Съешь ещё, 漢字 かな, Żółć, é€\n".repeat(3);
        for standard in [
            encoding_rs::WINDOWS_1251,
            encoding_rs::ISO_8859_2,
            encoding_rs::MACINTOSH,
            encoding_rs::SHIFT_JIS,
            encoding_rs::GB18030,
        ] {
            let mappable: String =
                text.chars().filter(|c| !standard.encode(&c.to_string()).2).collect();
            for capacity in [16, 17, 1000] {
                let encoding = Legacy::from_encoding(standard);
                let (bytes, _) = encode(encoding, &mappable, capacity);
                assert_eq!(bytes, *standard.encode(&mappable).0, "{standard:?}");
                let (_, unmappable) = encode(encoding, &text, capacity);
                let expected: Vec<_> = text.chars().filter(|c| !mappable.contains(*c)).collect();
                assert_eq!(unmappable, expected, "{standard:?}");
            }
        }
    }
}
