//! Approximates characters in ASCII, with the table of the crate deunicode, and finds the
//! characters of a stream that need an approximation.
//!
//! The library stops at an unmappable character and returns its position, not the character itself.
//! The bytes of the character may be in an earlier chunk, so [`RecentBytes`] keeps the last bytes.

use utflane::{Scheme, StreamError};

use crate::units::MAX_SEQUENCE_BYTES;

/// Returns the approximation of `c` in printable ASCII, if there is one. It is empty for a
/// character that the table omits, such as a combining accent.
///
/// Control characters have no approximation, and no approximation contains a control character. The
/// table alone would omit U+0080 to U+009F, which are often letters of a text in another encoding,
/// and would write a line feed for U+2028.
pub(crate) fn approximate(c: char) -> Option<&'static str> {
    let text = deunicode::deunicode_char(c)?;
    let has_controls = c.is_control() || text.contains(char::is_control);
    (!has_controls).then_some(text)
}

/// The last bytes of a stream, for characters that are split between two chunks.
pub(crate) struct RecentBytes {
    from: Scheme,
    /// The number of bytes of the stream before the current chunk.
    passed_len: u64,
    /// The last bytes before the current chunk, at most [`MAX_SEQUENCE_BYTES`].
    bytes: Vec<u8>,
}

impl RecentBytes {
    /// Returns the state at the start of a stream in the encoding `from`.
    pub(crate) fn new(from: Scheme) -> Self {
        Self { from, passed_len: 0, bytes: Vec::new() }
    }

    /// Returns the bytes that `error` covers. They begin in `chunk` or just before it. An
    /// incomplete sequence extends to the end of `chunk`.
    pub(crate) fn bytes_of(&self, error: StreamError, chunk: &[u8]) -> Vec<u8> {
        let kept_start = self.passed_len - self.bytes.len() as u64;
        let start = error.offset().saturating_sub(kept_start) as usize;
        let bytes = self.bytes.iter().chain(&chunk[..chunk.len().min(start + MAX_SEQUENCE_BYTES)]);
        bytes.copied().skip(start).take(error.error_len().unwrap_or(MAX_SEQUENCE_BYTES)).collect()
    }

    /// Returns the character that `error` covers. It begins in `chunk` or just before it.
    pub(crate) fn char_of(&self, error: StreamError, chunk: &[u8]) -> Option<char> {
        let sequence = self.bytes_of(error, chunk);
        if self.from == Scheme::Utf8 {
            return str::from_utf8(&sequence).ok()?.chars().next();
        }
        let mut buffer = [0; 4];
        let written = self.from.transcode_into(&sequence, Scheme::Utf8, &mut buffer).written;
        str::from_utf8(&buffer[..written]).ok()?.chars().next()
    }

    /// Moves past `bytes`, the read part of the current chunk.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        self.passed_len += bytes.len() as u64;
        self.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(MAX_SEQUENCE_BYTES)..]);
        self.bytes.drain(..self.bytes.len().saturating_sub(MAX_SEQUENCE_BYTES));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utflane_charset::{Charset, Target, labels};

    #[test]
    fn approximations_are_printable_ascii() {
        let mut count = 0;
        for c in (char::from(0x80)..=char::MAX).filter(|&c| approximate(c).is_some()) {
            let text = approximate(c).unwrap_or_default();
            assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{c:?}: {text:?}");
            count += 1;
        }
        assert!(count > 70_000, "{count}");
    }

    /// Every target encoding has printable ASCII, so it has all characters of an approximation.
    #[test]
    fn every_target_has_printable_ascii() {
        let text: String = (' '..='~').collect();
        for labels::Labels { name, .. } in labels::all() {
            // cp864 has the Arabic percent sign instead.
            let lacks = |c: &char| name == "cp864" && *c == '%';
            let text: String = text.chars().filter(|c| !lacks(c)).collect();
            if let Ok(Target { charset: Charset::Legacy(encoding), .. }) = Target::from_label(name)
            {
                assert!(encoding.encode(&text).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn omitted_characters_become_empty_and_unknown_characters_none() {
        for (c, text) in [
            ('“', Some("\"")),
            ('’', Some("'")),
            ('–', Some("-")),
            ('—', Some("--")),
            ('…', Some("...")),
            ('€', Some("EUR")),
            ('ﬁ', Some("fi")),
            ('ä', Some("a")),
            ('ß', Some("ss")),
            ('ж', Some("zh")),
            ('Θ', Some("Th")),
            ('京', Some("Jing ")),
            ('😀', Some("grinning ")),
            ('\u{301}', Some("")),
            ('\u{FEFF}', Some("")),
            ('\u{627}', Some("")),
            ('\u{E000}', None),
            ('\u{10FFFF}', None),
            ('\u{85}', None),
            ('\u{93}', None),
            ('\u{2028}', None),
            ('\u{1B}', None),
        ] {
            assert_eq!(approximate(c), text, "{c:?}");
        }
    }
}
