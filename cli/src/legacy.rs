//! Reads and decodes text in an encoding from before Unicode, segment by segment. Tracks the line
//! and the column of each ill-formed sequence.
//!
//! The decoder returns the offset of an ill-formed sequence. To find the offset of a character, its
//! segment is decoded again byte by byte.

use std::io;
use std::ops::Range;
use std::time::Instant;

use encoding_rs::ISO_2022_JP;
use utflane::{Scheme, utf8};
use utflane_charset::{Legacy, LegacyDecoder, LegacyStop, Sequence};

use crate::conversion::OUTPUT_BYTES;
use crate::excerpt::{
    self, MAX_BYTES_AFTER, MAX_BYTES_BEFORE, MAX_COLUMNS, MIN_COLUMNS, decoded_excerpt, excerpt,
};
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::position::Position;
use crate::text::LINE_TIMEOUT;

/// The largest number of bytes of a sequence in any encoding, together with the bytes that a
/// decoder may read ahead.
const MAX_LEGACY_SEQUENCE_BYTES: usize = 16;

/// The number of bytes to decode at once. In every encoding their output fits in the buffer.
const LEGACY_SEGMENT_BYTES: usize = OUTPUT_BYTES / 4 - MAX_LEGACY_SEQUENCE_BYTES;

/// The end of a segment of text.
pub(crate) enum End<E> {
    /// More text may follow.
    More,
    /// No more text follows.
    Last,
    /// An ill-formed sequence follows.
    IllFormed(E),
}

/// Text in an encoding from before Unicode.
pub(crate) struct LegacyText {
    input: Input,
    encoding: Legacy,
    decoder: LegacyDecoder,
    /// The state of the decoder before the segment, if a character of the segment may have to be
    /// located.
    decoder_before: Option<LegacyDecoder>,
    /// The number of bytes of the last chunk that are not yet decoded.
    undecoded_len: usize,
    /// The number of kept bytes before the segment.
    start: usize,
    /// The position after all segments that have been passed.
    position: Position,
    /// The text for excerpts, if findings have excerpts.
    shown: Option<ExcerptText>,
}

/// The text before a finding, for its excerpt.
struct ExcerptText {
    /// The width of the terminal, in columns.
    columns: usize,
    /// The end of the text that has been passed, with U+FFFD for each ill-formed sequence.
    history: String,
}

impl ExcerptText {
    fn push(&mut self, text: &str) {
        let start =
            utf8::floor_boundary(text.as_bytes(), text.len().saturating_sub(MAX_BYTES_BEFORE));
        self.history.push_str(&text[start..]);
        if self.history.len() > 4 * MAX_BYTES_BEFORE {
            let end = self.history.len() - 2 * MAX_BYTES_BEFORE;
            let end = utf8::floor_boundary(self.history.as_bytes(), end);
            self.history.drain(..end);
        }
    }
}

impl LegacyText {
    /// Returns the text of `input`, from its start.
    pub(crate) fn new(input: Input, encoding: Legacy) -> Self {
        let decoder = LegacyDecoder::new(encoding);
        let position = Position::default();
        let (undecoded_len, start) = (0, 0);
        Self {
            input,
            encoding,
            decoder,
            decoder_before: None,
            undecoded_len,
            start,
            position,
            shown: None,
        }
    }

    /// Returns the input.
    pub(crate) fn input(&self) -> &Input {
        &self.input
    }

    /// Returns the same text. If `excerpts`, its findings have excerpts.
    pub(crate) fn with_excerpts(self, excerpts: bool) -> Self {
        let shown = || ExcerptText { columns: excerpt::columns(), history: String::new() };
        Self { shown: excerpts.then(shown), ..self }
    }

    /// Returns the same text, for callers of [`locate_unmappable`](Self::locate_unmappable).
    pub(crate) fn locating_characters(self) -> Self {
        let decoder_before = Some(LegacyDecoder::new(self.encoding));
        Self { decoder_before, ..self }
    }

    /// Returns the finding for the kept bytes `at..at + len`.
    fn finding(&self, kind: FindingKind, at: usize, len: usize) -> Finding {
        let offset = self.input.offset() + at as u64;
        let offending = self.input.kept()[at..at + len].to_vec();
        Finding { position: self.position, offset, kind, offending, excerpt: None }
    }

    /// Returns the range of the ill-formed sequence in the kept bytes.
    fn ill_formed_range(&self, sequence: Sequence) -> Range<usize> {
        sequence.range_in(self.input.kept().len() - self.undecoded_len)
    }

    /// Returns the range of the character `c` in the kept bytes. In the UTF-8 text of the segment,
    /// `c` begins at offset `at`.
    fn char_range(&mut self, c: char, at: usize) -> Range<usize> {
        let segment = &self.input.kept()[self.start..self.input.kept().len() - self.undecoded_len];
        let (mut start, mut written) = (None, 0);
        for (read, byte) in segment.iter().enumerate() {
            let Some(decoder) = &mut self.decoder_before else { break };
            let byte = std::slice::from_ref(byte);
            let step = decoder.push(byte, &mut [0; 32], false).written;
            written += step;
            let end = self.start + read + 1;
            if written > at {
                // The first character may begin in the previous segment, so its usual length gives
                // its start.
                let start = start.unwrap_or_else(|| end.saturating_sub(self.usual_len(c)));
                return self.skip_escapes(start)..end;
            }
            if step > 0 {
                start = Some(end);
            }
        }
        debug_assert!(false, "the segment has this character");
        self.start..self.start
    }

    fn is_iso_2022_jp(&self) -> bool {
        self.encoding == Legacy::MultiByte(ISO_2022_JP)
    }

    /// Returns the offset after the escape sequences at `start`, which have three bytes each.
    fn skip_escapes(&self, mut start: usize) -> usize {
        while self.is_iso_2022_jp() && self.input.kept()[start] == b'\x1B' {
            start += 3;
        }
        start
    }

    /// Returns the length of `c` in this encoding, in bytes, without escape sequences.
    fn usual_len(&self, c: char) -> usize {
        if self.is_iso_2022_jp() {
            return if c.is_ascii() { 1 } else { 2 };
        }
        self.encoding.encode(c.encode_utf8(&mut [0; 4])).map_or(1, |bytes| bytes.len())
    }

    /// Writes the next segment to `text` in UTF-8, and returns its length. `text` has
    /// [`OUTPUT_BYTES`] bytes.
    pub(crate) fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Sequence>)> {
        let mut last = false;
        if self.undecoded_len == 0 {
            self.input.release(self.input.returned_len().saturating_sub(MAX_LEGACY_SEQUENCE_BYTES));
            self.undecoded_len = self.input.fill()?.len();
            last = self.undecoded_len == 0;
        }
        let kept = self.input.kept();
        self.start = kept.len() - self.undecoded_len;
        let segment = &kept[self.start..][..self.undecoded_len.min(LEGACY_SEGMENT_BYTES)];
        let progress = self.decoder.push(segment, text, last);
        self.undecoded_len -= progress.read;
        let end = match progress.stop {
            LegacyStop::IllFormed(sequence) => End::IllFormed(sequence),
            LegacyStop::Done if last => End::Last,
            LegacyStop::Done | LegacyStop::OutputFull => End::More,
        };
        Ok((progress.written, end))
    }

    /// Moves past a segment.
    pub(crate) fn pass(&mut self, segment: &str) {
        if let Some(shown) = &mut self.shown {
            shown.push(segment);
        }
        self.position.advance(Scheme::Utf8, segment.as_bytes());
        let kept = self.input.kept();
        if let Some(decoder) = &mut self.decoder_before {
            let segment = &kept[self.start..kept.len() - self.undecoded_len];
            // The output is not used: this decoder only follows the state of the main decoder.
            let mut scratch = vec![0; 4 * (segment.len() + MAX_LEGACY_SEQUENCE_BYTES)];
            let _ = decoder.push(segment, &mut scratch, false);
        }
    }

    /// Returns the bytes of an ill-formed sequence.
    pub(crate) fn offending(&self, sequence: Sequence) -> &[u8] {
        &self.input.kept()[self.ill_formed_range(sequence)]
    }

    /// Moves past an ill-formed sequence, as one column.
    pub(crate) fn pass_ill_formed(&mut self) {
        self.position.column += 1;
        if let Some(shown) = &mut self.shown {
            shown.push("\u{FFFD}");
        }
    }

    /// Returns the finding for `sequence`. The segment before it has been passed.
    pub(crate) fn locate_ill_formed(&mut self, sequence: Sequence) -> io::Result<Finding> {
        let kind = FindingKind::Malformed(self.encoding);
        if self.shown.is_none() {
            let range = self.ill_formed_range(sequence);
            return Ok(self.finding(kind, range.start, range.len()));
        }
        // This frees a part of the buffer for the rest of the line.
        self.input.release(self.ill_formed_range(sequence).start);
        self.read_line()?;
        let range = self.ill_formed_range(sequence);
        let rest = &self.input.kept()[range.end..];
        let excerpt = self.shown.as_ref().map(|ExcerptText { columns, history }| {
            // Most characters have at most two bytes for each column.
            let shown = 2 * columns.clamp(&MIN_COLUMNS, &MAX_COLUMNS);
            // No decoder can begin in the middle of ISO-2022-JP.
            let rest = &rest[..if self.is_iso_2022_jp() { 0 } else { rest.len().min(shown) }];
            let rest = self.encoding.decode(rest);
            decoded_excerpt(history, self.offending(sequence), &rest, *columns)
        });
        Ok(Finding { excerpt, ..self.finding(kind, range.start, range.len()) })
    }

    /// Reads the part of the line that an excerpt shows, if it is available or arrives soon.
    fn read_line(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + LINE_TIMEOUT;
        loop {
            let kept = self.input.kept();
            let rest = &kept[kept.len() - self.undecoded_len..];
            let has_line = rest.len() >= MAX_BYTES_AFTER || rest.contains(&b'\n');
            let timeout = deadline.saturating_duration_since(Instant::now());
            if has_line || !self.input.is_ready(timeout) {
                return Ok(());
            }
            let read = self.input.fill()?.len();
            if read == 0 {
                return Ok(());
            }
            self.undecoded_len += read;
        }
    }

    /// Returns the finding for the unmappable character at offset `at` of `segment`. The segment
    /// has not been passed yet.
    pub(crate) fn locate_unmappable(&mut self, segment: &str, at: usize) -> Finding {
        self.position.advance(Scheme::Utf8, &segment.as_bytes()[..at]);
        let c = segment[at..].chars().next().unwrap_or_default();
        let range = self.char_range(c, at);
        let excerpt = self.shown.as_mut().map(|shown| {
            shown.push(&segment[..at]);
            let (offending, rest) = segment[at..].split_at(c.len_utf8());
            let history = shown.history.as_bytes();
            let (offending, rest) = (offending.as_bytes(), rest.as_bytes());
            excerpt(Scheme::Utf8, history, offending, rest, shown.columns)
        });
        Finding { excerpt, ..self.finding(FindingKind::Unmappable, range.start, range.len()) }
    }

    /// Returns the next ill-formed sequence, if there is one. The text continues after the
    /// sequence. `buffer` has [`OUTPUT_BYTES`] bytes.
    pub(crate) fn next_finding(&mut self, buffer: &mut [u8]) -> io::Result<Option<Finding>> {
        loop {
            let (len, end) = self.next(buffer)?;
            self.pass(utf8::from_utf8(&buffer[..len]).map_err(io::Error::other)?);
            match end {
                End::More => {}
                End::Last => return Ok(None),
                End::IllFormed(sequence) => {
                    let finding = self.locate_ill_formed(sequence)?;
                    self.pass_ill_formed();
                    return Ok(Some(finding));
                }
            }
        }
    }

    /// Returns the number of bytes of the file that have been decoded.
    pub(crate) fn decoded_len(&self) -> u64 {
        self.input.offset() + (self.input.kept().len() - self.undecoded_len) as u64
    }
}
