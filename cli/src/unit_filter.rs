//! Replaces sequences of code units in a stream of bytes: line ends, and byte order marks at the
//! start and inside, where files were joined.

use memchr::memmem::Finder;
use utflane::Scheme;

use crate::args::LineEnd;
use utflane_charset::{Charset, Legacy};

/// Replaces one sequence of code units by another.
pub(crate) struct UnitFilter {
    finder: Finder<'static>,
    replacement: Vec<u8>,
    /// The size of a code unit in bytes. A sequence begins where a code unit begins.
    unit_size: usize,
    /// The number of bytes of the stream before `held`.
    passed_len: u64,
    /// The last bytes of the stream so far, which may be the beginning of a sequence. They have not
    /// been passed on.
    held: Vec<u8>,
}

impl UnitFilter {
    /// Replaces `sequence`, which is not empty, in text in code units of `unit_size` bytes.
    fn new(sequence: &[u8], replacement: &[u8], unit_size: usize) -> Self {
        let (finder, replacement) = (Finder::new(sequence).into_owned(), replacement.into());
        Self { finder, replacement, unit_size, passed_len: 0, held: Vec::new() }
    }

    /// Returns the filter that removes all byte order marks, or `None` if the encoding has none.
    pub(crate) fn without_marks(to: Scheme) -> Option<Self> {
        let mark = to.byte_order_mark();
        (!mark.is_empty()).then(|| Self::new(mark, b"", to.unit_size()))
    }

    /// Returns the filters that write all line ends as `end`, or `None` if the encoding lacks CR or
    /// LF.
    pub(crate) fn line_ends(to: Charset, end: LineEnd) -> Option<Vec<Self>> {
        let (cr, lf) = (encode('\r', to)?, encode('\n', to)?);
        let (unit_size, both) = (lf.len(), [&*cr, &lf].concat());
        let to_lf = Self::new(&both, &lf, unit_size);
        Some(match end {
            LineEnd::Lf => vec![to_lf],
            // Afterwards no LF has the CR that is written before it.
            LineEnd::Crlf => vec![to_lf, Self::new(&lf, &both, unit_size)],
        })
    }

    /// Appends to `out` the text without the bytes that the next call may still replace.
    pub(crate) fn filter(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let joined;
        let mut rest = match self.held.is_empty() {
            true => bytes,
            false => {
                joined = [&self.held, bytes].concat();
                &joined
            }
        };
        let sequence = self.finder.needle();
        let unit_size = self.unit_size as u64;
        // No match that begins inside a unit overlaps with one that begins at a unit's start: in
        // every encoding, the units have bytes that differ.
        while let Some(at) = self
            .finder
            .find_iter(rest)
            .find(|&at| (self.passed_len + at as u64).is_multiple_of(unit_size))
        {
            out.extend_from_slice(&rest[..at]);
            out.extend_from_slice(&self.replacement);
            let end = at + sequence.len();
            self.passed_len += end as u64;
            rest = &rest[end..];
        }
        let could_begin = |&len: &usize| rest.ends_with(&sequence[..len]);
        let held_len = (1..sequence.len().min(rest.len() + 1)).rev().find(could_begin).unwrap_or(0);
        let (complete, held) = rest.split_at(rest.len() - held_len);
        out.extend_from_slice(complete);
        self.passed_len += complete.len() as u64;
        self.held = held.to_vec();
    }

    /// Takes the bytes that are still held at the end of the text.
    pub(crate) fn take_held(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

/// Returns `c`, which is ASCII, as one code unit of an encoding, if the encoding has it.
fn encode(c: char, to: Charset) -> Option<Vec<u8>> {
    match to {
        Charset::Scheme(to) => {
            let mut unit = vec![0; to.unit_size()];
            let progress = Scheme::Utf8.transcode_into(&[c as u8], to, &mut unit);
            (progress.written == unit.len()).then_some(unit)
        }
        Charset::Legacy(Legacy::Page(page)) => page.byte(c).map(|byte| vec![byte]),
        // A byte of ASCII is never a part of a longer sequence, except for digits and letters.
        Charset::Legacy(Legacy::MultiByte(_)) => Some(vec![c as u8]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utflane_charset::Target;

    /// Passes `text` through `filters` in chunks of `chunk` bytes.
    fn filter(filters: &mut [UnitFilter], text: &[u8], chunk: usize) -> Vec<u8> {
        let [first, rest @ ..] = filters else { return text.to_vec() };
        let mut out = Vec::new();
        for bytes in text.chunks(chunk) {
            first.filter(bytes, &mut out);
        }
        out.extend(first.take_held());
        filter(rest, &out, chunk)
    }

    #[test]
    fn marks_are_removed_from_chunks_of_any_length() {
        for (to, text, kept) in [
            (Scheme::Utf8, &b"\xEF\xBB\xBFa\xEF\xBB\xBFb\xEF\xBB"[..], &b"ab\xEF\xBB"[..]),
            (Scheme::Utf8, b"\xEF\xEF\xBB\xBF\xEF\xBB\xBF", b"\xEF"),
            (Scheme::Utf16Le, b"\xFF\xFEa\0\xFF\xFEb\0", b"a\0b\0"),
            // U+FF61 and U+00FE together contain the bytes of a mark, which is not one code unit.
            (Scheme::Utf16Le, b"a\xFF\xFE\0\xFF\xFE", b"a\xFF\xFE\0"),
            (Scheme::Utf32Le, b"a\0\0\0\xFF\xFE\0\0\xFF\xFE\0", b"a\0\0\0\xFF\xFE\0"),
        ] {
            for chunk in 1..=text.len() {
                let mut marks = [UnitFilter::without_marks(to).unwrap()];
                assert_eq!(filter(&mut marks, text, chunk), kept, "{text:X?} {chunk}");
            }
        }
    }

    #[test]
    fn line_ends_are_replaced_in_chunks_of_any_length() {
        let text = "\r\n\n\r\r\na\u{D0A}\u{A0D}\u{A00}\u{D00}\r\n\n\rb\n\r";
        let lf = "\n\n\r\na\u{D0A}\u{A0D}\u{A00}\u{D00}\n\n\rb\n\r";
        let crlf = "\r\n\r\n\r\r\na\u{D0A}\u{A0D}\u{A00}\u{D00}\r\n\r\n\rb\r\n\r";
        for name in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030", "cp1047"] {
            let to = Target::from_label(name).unwrap().charset;
            let encode = |text: &str| match to {
                Charset::Scheme(to) => {
                    let mut bytes = vec![0; 4 * text.len()];
                    let written =
                        Scheme::Utf8.transcode_into(text.as_bytes(), to, &mut bytes).written;
                    bytes.truncate(written);
                    bytes
                }
                Charset::Legacy(to) => {
                    let text: String = text.chars().filter(|&c| c < '\u{A00}').collect();
                    to.encode(&text).unwrap().to_vec()
                }
            };
            for (end, want) in [(LineEnd::Lf, lf), (LineEnd::Crlf, crlf)] {
                for chunk in 1..=encode(text).len() {
                    let mut filters = UnitFilter::line_ends(to, end).unwrap();
                    let found = filter(&mut filters, &encode(text), chunk);
                    assert_eq!(found, encode(want), "{name} {end:?} {chunk}");
                }
            }
        }
    }
}
