//! The line around a finding, with carets under the offending bytes, for people at a terminal.
//!
//! The text shown can't control the terminal: control characters, bidirectional controls and bytes
//! that are ill-formed are shown as escapes.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;
use utflane::Scheme;

use crate::name::is_unsafe;
use crate::units;

/// Bytes before the finding, and after it, that an excerpt uses.
const BEFORE: usize = 800;
pub(crate) const AFTER: usize = 800;

/// The width where that of the terminal is not known, and the largest: long lines are hard to read.
const DEFAULT_COLUMNS: usize = 80;
const MAX_COLUMNS: usize = 160;

/// Columns before each line.
const INDENT: usize = 2;

/// Shown for the rest of a long line.
const ELLIPSIS: &str = "…";

/// The text around the offending bytes, ready to be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    before: Vec<Cell>,
    offending: Vec<Cell>,
    after: Vec<Cell>,
    /// Whether the line begins earlier and continues later.
    cut: [bool; 2],
}

/// A character as it is shown, with its width in columns.
#[derive(Debug, PartialEq, Eq)]
struct Cell {
    shown: String,
    width: usize,
}

/// The width of the terminal.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_COLUMNS, |(width, _)| usize::from(width.0))
}

impl Excerpt {
    /// The excerpt for `offending`, which stands between `history` and `rest` of a text in
    /// `scheme`.
    pub(crate) fn new(scheme: Scheme, history: &[u8], offending: &[u8], rest: &[u8]) -> Self {
        // From the start of the line. A line that begins too far away is cut at a character, as far
        // as that can be seen.
        let near = BEFORE.min(history.len() - history.len() % scheme.unit_size());
        let near = &history[history.len() - near..];
        let line = units::after_last_line_feed(scheme, near);
        let from_start = line.is_some() || near.len() == history.len();
        let mut before = &near[line.unwrap_or(0)..];
        let utf8_like =
            matches!(scheme, Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8);
        if !from_start && utf8_like {
            let boundary = before.iter().position(|byte| byte & 0xC0 != 0x80);
            before = &before[boundary.unwrap_or(0)..];
        }
        let rest = &rest[..rest.len().min(AFTER)];
        let end = units::first_line_feed(scheme, rest);
        let after = &rest[..end.unwrap_or(rest.len())];
        let cut = [!from_start, end.is_none() && rest.len() == AFTER];
        let mut after = cells(scheme, after);
        if end.is_some() && after.last().is_some_and(|cell| cell.shown == "\\r") {
            after.pop();
        }
        // An unmappable character is shown as itself.
        Self { before: cells(scheme, before), offending: cells(scheme, offending), after, cut }
    }

    /// The line and the carets, each indented and with a line feed.
    pub(crate) fn render(&self, columns: usize) -> String {
        let room = columns
            .min(MAX_COLUMNS)
            .saturating_sub(INDENT + 1 + 2 * ELLIPSIS.chars().count())
            .max(20);
        let width = |cells: &[Cell]| cells.iter().map(|cell| cell.width).sum::<usize>();
        let offending = width(&self.offending).max(1);
        // Two thirds before the offending bytes, more where less follows.
        let room = room.saturating_sub(offending);
        let after = width(&self.after).min(room / 3);
        let mut first = self.before.len();
        let mut before = 0;
        while first > 0 && before + self.before[first - 1].width <= room - after {
            first -= 1;
            before += self.before[first].width;
        }
        let mut last = 0;
        let mut after = 0;
        while last < self.after.len() && before + after + self.after[last].width <= room {
            after += self.after[last].width;
            last += 1;
        }
        let more = |cut| if cut { ELLIPSIS } else { "" };
        let (front, end) =
            (more(first > 0 || self.cut[0]), more(last < self.after.len() || self.cut[1]));
        let mut text = String::new();
        let _ = write!(text, "{:INDENT$}{front}", "");
        for cell in self.before[first..].iter().chain(&self.offending).chain(&self.after[..last]) {
            text.push_str(&cell.shown);
        }
        let indent = INDENT + front.chars().count() + before;
        let _ = writeln!(text, "{end}\n{:indent$}{:^^offending$}", "", "");
        text
    }
}

/// `bytes` as characters, with ill-formed sequences as escapes.
fn cells(scheme: Scheme, mut bytes: &[u8]) -> Vec<Cell> {
    let mut cells = Vec::new();
    while !bytes.is_empty() {
        let mut text = Vec::new();
        let error = scheme.transcode_append(bytes, Scheme::Utf8, &mut text).err();
        cells.extend(String::from_utf8_lossy(&text).chars().map(Cell::of));
        let Some(error) = error else { break };
        let rest = &bytes[error.valid_up_to()..];
        let (wrong, rest) = rest.split_at(error.error_len().unwrap_or(rest.len()));
        cells.extend(escaped(wrong));
        bytes = rest;
    }
    cells
}

/// Bytes as escapes.
fn escaped(bytes: &[u8]) -> Vec<Cell> {
    bytes.iter().map(|byte| Cell { shown: format!("\\x{byte:02X}"), width: 4 }).collect()
}

impl Cell {
    fn of(c: char) -> Self {
        let shown = match c {
            '\t' => " ".repeat(4),
            '\r' => "\\r".into(),
            c if is_unsafe(c) => escape(c),
            c => match c.width() {
                None => escape(c),
                Some(width) => return Self { shown: c.into(), width },
            },
        };
        let width = shown.chars().count();
        Self { shown, width }
    }
}

/// A character as an escape.
fn escape(c: char) -> String {
    c.escape_unicode().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(
        scheme: Scheme,
        history: &[u8],
        offending: &[u8],
        rest: &[u8],
        columns: usize,
    ) -> String {
        Excerpt::new(scheme, history, offending, rest).render(columns)
    }

    #[test]
    fn carets_stand_under_the_offence() {
        let plain = shown(Scheme::Utf8, b"one\nca", b"\xC3", b"f\r\nnext", 80);
        assert_eq!(plain, "  ca\\xC3f\n    ^^^^\n");
        // Tabs take four columns, Chinese characters two, combining marks none.
        let wide = shown(Scheme::Utf8, "\t漢e\u{301}".as_bytes(), b"\xE2\x82", b"", 80);
        assert_eq!(wide, "      漢e\u{301}\\xE2\\x82\n         ^^^^^^^^\n");
        let other = shown(Scheme::Utf16Be, b"\0\n\0a", b"\xDC\0", b"\0b\0\n\0c", 80);
        assert_eq!(other, "  a\\xDC\\x00b\n   ^^^^^^^^\n");
    }

    #[test]
    fn nothing_is_done_to_the_terminal() {
        let bad = "\u{1B}[2J\u{7}\u{202E}x\u{9B}\u{2028}";
        let shown = shown(Scheme::Utf8, bad.as_bytes(), b"\xFF", b"\x80\0", 80);
        assert!(shown.chars().all(|c| c == '\n' || c == ' ' || c.is_ascii_graphic()), "{shown}");
        assert!(
            shown.starts_with("  \\u{1b}[2J\\u{7}\\u{202e}x\\u{9b}\\u{2028}\\xFF\\x80\\u{0}\n")
        );
    }

    #[test]
    fn long_lines_are_cut() {
        for columns in [0, 30, 80, 1000] {
            for (before, after) in [(0, 5000), (5000, 0), (5000, 5000), (30, 1), (1, 100)] {
                let history = "é漢".repeat(before);
                let rest = "漢é".repeat(after);
                let text =
                    shown(Scheme::Utf8, history.as_bytes(), b"\xFF", rest.as_bytes(), columns);
                let lines: Vec<&str> = text.lines().collect();
                let width = unicode_width::UnicodeWidthStr::width(lines[0]);
                assert!(width < columns.clamp(30, MAX_COLUMNS), "{width} of {columns}: {text}");
                let front = lines[0].split_once("\\xFF").unwrap().0;
                let caret = lines[1].find('^').unwrap();
                assert_eq!(unicode_width::UnicodeWidthStr::width(front), caret, "{text}");
                let cut = before > 100 || before == 30 && columns <= 80;
                assert_eq!(lines[0].trim_start().starts_with(ELLIPSIS), cut, "{columns}: {text}");
            }
        }
    }
}
