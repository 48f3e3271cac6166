//! Formats the line around a finding, with carets under the offending bytes, for people at a
//! terminal. A finding is an ill-formed sequence or an unmappable character; the offending bytes
//! are its bytes.
//!
//! The shown text can't control the terminal: control characters, bidirectional controls and bytes
//! that are ill-formed are shown as escapes.
//!
//! A long line may need an excerpt for every second byte, so the cost of one must not depend on the
//! line's length. Therefore only the shown characters are decoded, in short segments before and
//! after the finding: the cost grows with the terminal's width.

use std::iter;

use unicode_width::UnicodeWidthChar;
use utflane::{Scheme, Stop};

use crate::name::is_unsafe;
use crate::units::{self, MAX_SEQUENCE_BYTES};

/// The largest number of bytes before the finding that an excerpt uses.
pub(crate) const MAX_BYTES_BEFORE: usize = 800;

/// The largest number of bytes after the finding that an excerpt uses.
pub(crate) const MAX_BYTES_AFTER: usize = 800;

/// The width in columns if the terminal's width is unknown.
const DEFAULT_COLUMNS: usize = 80;

/// The largest width in columns. Longer lines are hard to read.
pub(crate) const MAX_COLUMNS: usize = 120;

/// The smallest width in columns. An excerpt does not fit in fewer.
pub(crate) const MIN_COLUMNS: usize = 20;

/// The number of spaces before each line.
const INDENT: usize = 2;

/// Shown instead of the omitted part of a long line.
const ELLIPSIS: &str = "…";

/// The width of [`ELLIPSIS`], in columns.
const ELLIPSIS_WIDTH: usize = 1;

/// The width of a carriage return, which is shown as `\r`, in columns.
const RETURN_WIDTH: usize = 2;

/// An excerpt shows at most about this many zero-width characters. A text may consist of such
/// characters.
const MAX_COMBINING: usize = 40;

/// The usual length of a segment that is decoded at once, in bytes. It is rounded to whole
/// sequences.
const SEGMENT_BYTES: usize = 32;

/// The largest length of a segment, in bytes. It is used if the characters so far took few columns.
const MAX_SEGMENT_BYTES: usize = 128;

/// Returns the width of the terminal, in columns.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_COLUMNS, |(width, _)| usize::from(width.0))
}

/// Returns the excerpt for `offending`, the bytes between `preceding` and `rest` of a text in
/// `scheme`. It has two lines: the text and the carets. Each is indented and ends with a line feed.
pub(crate) fn excerpt(
    scheme: Scheme,
    preceding: &[u8],
    offending: &[u8],
    rest: &[u8],
    columns: usize,
) -> String {
    // `offending` may be well-formed but unmappable. It is then decoded like other text.
    let mut shown_offending = ShownText::new();
    shown_offending.decode(scheme, offending);
    render(scheme, preceding, shown_offending, rest, columns)
}

/// Like [`excerpt`], for an ill-formed sequence in a text that was decoded to UTF-8. `offending`
/// holds the bytes of the sequence before decoding.
pub(crate) fn decoded_excerpt(
    preceding: &str,
    offending: &[u8],
    rest: &str,
    columns: usize,
) -> String {
    let mut shown_offending = ShownText::new();
    offending.iter().for_each(|&byte| shown_offending.push_byte(byte));
    render(Scheme::Utf8, preceding.as_bytes(), shown_offending, rest.as_bytes(), columns)
}

fn render(
    scheme: Scheme,
    preceding: &[u8],
    mut shown_offending: ShownText,
    rest: &[u8],
    columns: usize,
) -> String {
    let available = columns.clamp(MIN_COLUMNS, MAX_COLUMNS) - (INDENT + 1 + 2 * ELLIPSIS_WIDTH);
    let shortened = shown_offending.width > available;
    shown_offending.truncate(available);
    let rest = if shortened { &[] } else { &rest[..rest.len().min(MAX_BYTES_AFTER)] };
    let caret_count = shown_offending.width.max(1);
    // The text before the offending bytes gets two thirds of the columns. It gets more if less text
    // follows.
    let available = available.saturating_sub(caret_count);
    let max_characters = available + MAX_COMBINING;
    let mut after = TextAfter::new(scheme, rest, rest.len() >= MAX_BYTES_AFTER);
    after.decode(available / 3, max_characters / 3);
    let max_columns = available - after.shown.width.min(available / 3);
    let before =
        TextBefore::new(scheme, preceding, max_columns, max_characters - max_characters / 3);
    after.decode(available - before.width, max_characters.saturating_sub(before.count()));
    let more_after = after.truncate(available - before.width);

    let ellipsis_if = |is_cut| if is_cut { ELLIPSIS } else { "" };
    let first_ellipsis = ellipsis_if(before.is_cut);
    let mut text = String::with_capacity(8 * MAX_COLUMNS);
    text.extend(iter::repeat_n(' ', INDENT));
    text.push_str(first_ellipsis);
    for segment in before.segments.iter().rev() {
        text.push_str(&segment.text);
    }
    text.push_str(&shown_offending.text);
    text.push_str(&after.shown.text);
    let indent = INDENT + first_ellipsis.chars().count() + before.width;
    text.push_str(ellipsis_if(more_after || shortened));
    text.push('\n');
    text.extend(iter::repeat_n(' ', indent));
    text.extend(iter::repeat_n('^', caret_count));
    text.push('\n');
    text
}

/// Returns the number of bytes to decode next. The `read` bytes that were decoded so far took
/// `width` of the `max_columns` columns.
fn segment_len(read: usize, width: usize, max_columns: usize) -> usize {
    let needed = read * max_columns.saturating_sub(width) / width.max(1);
    // The result is a multiple of four, so no code unit is split.
    needed.clamp(SEGMENT_BYTES, MAX_SEGMENT_BYTES) & !3
}

/// The characters before the finding that are shown.
struct TextBefore {
    /// In reverse order: the last segment of the text comes first.
    segments: Vec<ShownText>,
    /// The width of all segments, in columns.
    width: usize,
    /// True if the line begins before these characters.
    is_cut: bool,
}

impl TextBefore {
    /// Decodes the end of the last line of `preceding`: at most `max_columns` columns, and about
    /// `max_characters` characters.
    fn new(scheme: Scheme, preceding: &[u8], max_columns: usize, max_characters: usize) -> Self {
        let recent_len =
            MAX_BYTES_BEFORE.min(preceding.len() - preceding.len() % scheme.unit_size());
        let has_whole_text = recent_len == preceding.len();
        let recent = &preceding[preceding.len() - recent_len..];
        let mut before = Self { segments: Vec::new(), width: 0, is_cut: false };
        let (mut at, mut count) = (recent.len(), 0);
        while at > 0 {
            if before.width > max_columns || count > max_characters {
                before.is_cut = true;
                break;
            }
            let len = segment_len(recent.len() - at, before.width, max_columns);
            let start = units::floor_boundary(scheme, recent, at.saturating_sub(len));
            let mut bytes = &recent[start..at];
            at = start;
            if let Some(line_start) = units::after_last_line_feed(scheme, bytes) {
                bytes = &bytes[line_start..];
                at = 0;
            } else if start == 0 && !has_whole_text {
                before.is_cut = true;
                // The text may begin inside a character.
                bytes = skip_continuation(scheme, bytes);
            }
            let mut segment = ShownText::new();
            segment.decode(scheme, bytes);
            before.width += segment.width;
            count += segment.characters.len();
            before.segments.push(segment);
        }
        before.trim(max_columns);
        before
    }

    /// Returns the number of characters.
    fn count(&self) -> usize {
        self.segments.iter().map(|segment| segment.characters.len()).sum()
    }

    /// Removes characters from the start until at most `max_columns` columns are left.
    fn trim(&mut self, max_columns: usize) {
        while self.width > max_columns {
            let Some(first) = self.segments.last_mut() else { return };
            let width = first.width;
            first.remove_front(self.width - max_columns);
            self.width -= width - first.width;
            self.is_cut = true;
            if first.characters.is_empty() {
                self.segments.pop();
            }
        }
    }
}

/// Returns `bytes` without the continuation bytes at their start, in UTF-8, CESU-8, Modified UTF-8
/// and WTF-8.
fn skip_continuation(scheme: Scheme, bytes: &[u8]) -> &[u8] {
    let is_utf8_like =
        matches!(scheme, Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8);
    let continuation = bytes.iter().take_while(|&&byte| is_utf8_like && byte & 0xC0 == 0x80);
    let count = continuation.count();
    // If all bytes are continuation bytes, they are shown as stray bytes, and not taken for the end
    // of a character.
    if count == bytes.len() { bytes } else { &bytes[count..] }
}

/// The characters after the finding, decoded as far as they are shown.
struct TextAfter<'a> {
    scheme: Scheme,
    /// The bytes that have not been decoded yet.
    rest: &'a [u8],
    /// The number of bytes that have been decoded.
    decoded_len: usize,
    shown: ShownText,
    /// True if the line continues after `rest`.
    continues: bool,
}

impl<'a> TextAfter<'a> {
    fn new(scheme: Scheme, rest: &'a [u8], continues: bool) -> Self {
        Self { scheme, rest, decoded_len: 0, shown: ShownText::new(), continues }
    }

    /// Decodes up to the end of the line, or until there are more than `max_columns` columns or
    /// about `max_characters` characters.
    fn decode(&mut self, max_columns: usize, max_characters: usize) {
        while !self.rest.is_empty()
            && self.shown.width <= max_columns + RETURN_WIDTH
            && self.shown.characters.len() <= max_characters
        {
            let len = segment_len(self.decoded_len, self.shown.width, max_columns);
            let end = match self.rest.len() <= len {
                true => self.rest.len(),
                false => units::floor_boundary(self.scheme, self.rest, len),
            };
            self.decoded_len += end;
            let (segment, rest) = self.rest.split_at(end);
            let line_end = units::first_line_feed(self.scheme, segment);
            self.shown.decode(self.scheme, &segment[..line_end.unwrap_or(end)]);
            self.rest = rest;
            if line_end.is_some() {
                (self.rest, self.continues) = (&[], false);
                self.shown.remove_return();
            }
        }
    }

    /// Removes characters from the end until at most `max_columns` columns are left. Returns true
    /// if the line has more characters.
    fn truncate(&mut self, max_columns: usize) -> bool {
        let count = self.shown.characters.len();
        self.shown.truncate(max_columns);
        self.shown.characters.len() < count || !self.rest.is_empty() || self.continues
    }
}

/// Characters as they are shown.
struct ShownText {
    text: String,
    /// For each character, the byte offset in `text` at which it ends, and its width in columns.
    characters: Vec<(usize, usize)>,
    /// The width of all characters, in columns.
    width: usize,
}

impl ShownText {
    fn new() -> Self {
        // The capacities are enough for a usual segment, so that each of the two allocates only
        // once.
        let (text, characters) =
            (String::with_capacity(4 * SEGMENT_BYTES), Vec::with_capacity(2 * SEGMENT_BYTES));
        Self { text, characters, width: 0 }
    }

    /// Appends `bytes` as characters, with ill-formed sequences as escapes.
    fn decode(&mut self, scheme: Scheme, mut bytes: &[u8]) {
        if scheme == Scheme::Utf8 {
            // This finds the same sequences as the loop below, and is faster if every second byte
            // is ill-formed.
            for chunk in bytes.utf8_chunks() {
                chunk.valid().chars().for_each(|c| self.push(c));
                chunk.invalid().iter().for_each(|&byte| self.push_byte(byte));
            }
            return;
        }
        // No encoding needs more than two bytes of UTF-8 for each of its bytes.
        let mut buffer = [0; 2 * (MAX_SEGMENT_BYTES + MAX_SEQUENCE_BYTES)];
        while !bytes.is_empty() {
            let progress = scheme.transcode_into(bytes, Scheme::Utf8, &mut buffer);
            for c in str::from_utf8(&buffer[..progress.written]).unwrap_or_default().chars() {
                self.push(c);
            }
            bytes = &bytes[progress.read..];
            if let Stop::Error(error) = progress.stop {
                let len = error.error_len().unwrap_or(bytes.len());
                let (ill_formed, rest) = bytes.split_at(len);
                for &byte in ill_formed {
                    self.push_byte(byte);
                }
                bytes = rest;
            }
        }
    }

    /// Appends a character, or its escape.
    fn push(&mut self, c: char) {
        match c {
            ' '..='~' => {
                self.text.push(c);
                self.end_character(1);
            }
            '\t' => self.push_shown("    ", 4),
            '\r' => self.push_shown("\\r", RETURN_WIDTH),
            c => match c.width() {
                Some(width) if !is_unsafe(c) => {
                    self.text.push(c);
                    self.end_character(width);
                }
                _ => {
                    self.text.extend(c.escape_unicode());
                    self.end_character(c.escape_unicode().len());
                }
            },
        }
    }

    /// Appends the escape of a byte.
    fn push_byte(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        self.text.push_str("\\x");
        self.text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        self.text.push(char::from(DIGITS[usize::from(byte & 0xF)]));
        self.end_character(4);
    }

    fn push_shown(&mut self, shown: &str, width: usize) {
        self.text.push_str(shown);
        self.end_character(width);
    }

    /// Ends a character of `width` columns, whose text has been written.
    fn end_character(&mut self, width: usize) {
        self.characters.push((self.text.len(), width));
        self.width += width;
    }

    /// Removes characters from the end until at most `max_columns` columns are left.
    fn truncate(&mut self, max_columns: usize) {
        while self.width > max_columns {
            let Some((_, width)) = self.characters.pop() else { break };
            self.width -= width;
        }
        self.text.truncate(self.characters.last().map_or(0, |&(end, _)| end));
    }

    /// Removes characters of at least `width` columns from the start, and the combining characters
    /// after them.
    fn remove_front(&mut self, width: usize) {
        let (mut count, mut removed) = (0, 0);
        for &(_, columns) in &self.characters {
            if removed >= width && columns > 0 {
                break;
            }
            removed += columns;
            count += 1;
        }
        let end = self.characters[..count].last().map_or(0, |&(end, _)| end);
        self.text.drain(..end);
        self.characters.drain(..count);
        for (character_end, _) in &mut self.characters {
            *character_end -= end;
        }
        self.width -= removed;
    }

    /// Removes a carriage return from the end.
    fn remove_return(&mut self) {
        let start = self.characters.iter().rev().nth(1).map_or(0, |&(end, _)| end);
        if &self.text[start..] == "\\r"
            && self.characters.last().is_some_and(|&(_, width)| width == RETURN_WIDTH)
        {
            self.truncate(self.width - RETURN_WIDTH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_are_under_the_offending_bytes() {
        let plain = excerpt(Scheme::Utf8, b"one\nca", b"\xC3", b"f\r\nnext", 80);
        assert_eq!(plain, "  ca\\xC3f\n    ^^^^\n");
        // Tabs take four columns, Chinese characters take two, and combining marks take no column.
        let wide = excerpt(Scheme::Utf8, "\t漢e\u{301}".as_bytes(), b"\xE2\x82", b"", 80);
        assert_eq!(wide, "      漢e\u{301}\\xE2\\x82\n         ^^^^^^^^\n");
        let other = excerpt(Scheme::Utf16Be, b"\0\n\0a", b"\xDC\0", b"\0b\0\n\0c", 80);
        assert_eq!(other, "  a\\xDC\\x00b\n   ^^^^^^^^\n");
    }

    #[test]
    fn characters_that_control_the_terminal_are_escaped() {
        let controls = "\u{1B}[2J\u{7}\u{202E}x\u{9B}\u{2028}";
        let shown = excerpt(Scheme::Utf8, controls.as_bytes(), b"\xFF", b"\x80\0", 80);
        assert!(shown.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()), "{shown}");
        assert!(
            shown.starts_with("  \\u{1b}[2J\\u{7}\\u{202e}x\\u{9b}\\u{2028}\\xFF\\x80\\u{0}\n")
        );
    }

    #[test]
    fn long_lines_are_shortened() {
        for columns in [20, 21, 30, 80, 1000] {
            for (before, after) in [(0, 5000), (5000, 0), (5000, 5000), (30, 1), (1, 100)] {
                let history = "é漢".repeat(before);
                let rest = "漢é".repeat(after);
                let text =
                    excerpt(Scheme::Utf8, history.as_bytes(), b"\xFF", rest.as_bytes(), columns);
                let lines: Vec<&str> = text.lines().collect();
                let width = unicode_width::UnicodeWidthStr::width(lines[0]);
                assert!(width < columns.min(MAX_COLUMNS), "{width} of {columns}: {text}");
                let before_finding = lines[0].split_once("\\xFF").unwrap().0;
                let caret = lines[1].find('^').unwrap();
                assert_eq!(unicode_width::UnicodeWidthStr::width(before_finding), caret, "{text}");
                let is_cut = before > 100 || before == 30 && columns <= 80;
                assert_eq!(
                    lines[0].trim_start().starts_with(ELLIPSIS),
                    is_cut,
                    "{columns}: {text}"
                );
            }
        }
    }

    /// The whole line, decoded at once, has the same characters as the segments.
    #[test]
    fn segments_end_between_sequences() {
        let text = "aé漢😀e\u{301}\t".repeat(40);
        let ill_formed: [&[u8]; 4] = [b"", b"\xE2\x82", b"\x80", b"\xF0\x9F\x98"];
        for (len, ill_formed) in
            (0..text.len()).filter(|&at| text.is_char_boundary(at)).zip(ill_formed.iter().cycle())
        {
            let history =
                [&text.as_bytes()[..len / 2], ill_formed, &text.as_bytes()[..len]].concat();
            let mut whole = String::new();
            for chunk in history.utf8_chunks() {
                whole.push_str(&chunk.valid().replace('\t', "    "));
                whole.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
            }
            for (scheme, history) in [(Scheme::Utf8, &history), (Scheme::Wtf8, &history)] {
                let seen = excerpt(scheme, history, b"\xFF", b"", MAX_COLUMNS);
                let seen = seen.split_once("\\xFF\n").unwrap().0;
                match seen.strip_prefix("  …") {
                    Some(end) => assert!(whole.ends_with(end), "{whole}: {seen}"),
                    None => assert_eq!(seen, format!("  {whole}")),
                }
            }
        }
    }

    #[test]
    fn a_long_sequence_fits_a_narrow_terminal() {
        let shown = excerpt(Scheme::Utf32Be, b"\0\0\0a", b"\xFF\x11\0\0", b"\0\0\0g", 20);
        assert_eq!(shown, "  a\\xFF\\x11\\x00…\n   ^^^^^^^^^^^^\n");
        let shown = excerpt(Scheme::Utf8, b"abcdef", b"\xF0\x9F\x98", b"ghi", 20);
        assert_eq!(shown, "  …ef\\xF0\\x9F\\x98g…\n     ^^^^^^^^^^^^\n");
    }

    /// A carriage return before the line feed is not shown, and takes no columns.
    #[test]
    fn the_end_of_the_line_is_not_shown() {
        for len in 0..80 {
            let rest = format!("{}\r\nmore", "x".repeat(len));
            let shown = excerpt(Scheme::Utf8, b"", b"\xFF", rest.as_bytes(), 80);
            let whole = format!("  \\xFF{}\n  ^^^^\n", "x".repeat(len));
            assert_eq!(shown == whole, len <= 71, "{len}: {shown}");
            assert!(!shown.contains("\\r"));
        }
    }
}
