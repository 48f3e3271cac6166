//! The line around a place, with carets under the offence, for people at a terminal.
//!
//! Whatever the text is, what is shown does nothing to the terminal: control characters, signs that turn the direction
//! of writing, and bytes that are no text are shown as escapes.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;
use utflane::Scheme;

use crate::units;

/// Bytes in front of the offence, and from it on, that are looked at.
const BEFORE: usize = 800;
pub(crate) const BEHIND: usize = 800;

/// Columns where the width of the terminal isn't known; and the most, for long lines are hard to read.
const USUAL: usize = 80;
const MOST: usize = 160;

/// Columns in front of a line.
const INDENT: usize = 2;

/// What stands for the rest of a line.
const MORE: &str = "…";

/// The text around an offence, ready to be shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    before: Vec<Cell>,
    offence: Vec<Cell>,
    behind: Vec<Cell>,
    /// Whether the line began earlier, and went on.
    cut: [bool; 2],
}

/// A character as it is shown, and how many columns that takes.
#[derive(Debug, PartialEq, Eq)]
struct Cell {
    shown: String,
    width: usize,
}

/// The width of the terminal.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size().map_or(USUAL, |(width, _)| usize::from(width.0))
}

impl Excerpt {
    /// The excerpt at `offence`, which stands between `history` and `rest` in a text in `scheme`.
    pub(crate) fn new(scheme: Scheme, history: &[u8], offence: &[u8], rest: &[u8]) -> Self {
        // From the start of the line; where that is too far, from between two characters, or nearly.
        let near = BEFORE.min(history.len() - history.len() % scheme.unit_size());
        let near = &history[history.len() - near..];
        let line = units::behind_last_line_feed(scheme, near);
        let from_start = line.is_some() || near.len() == history.len();
        let mut before = &near[line.unwrap_or(0)..];
        let utf8_like =
            matches!(scheme, Scheme::Utf8 | Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8);
        if !from_start && utf8_like {
            let boundary = before.iter().position(|byte| byte & 0xC0 != 0x80);
            before = &before[boundary.unwrap_or(0)..];
        }
        let rest = &rest[..rest.len().min(BEHIND)];
        let end = units::first_line_feed(scheme, rest);
        let behind = &rest[..end.unwrap_or(rest.len())];
        let cut = [!from_start, end.is_none() && rest.len() == BEHIND];
        let mut behind = cells(scheme, behind);
        if end.is_some() && behind.last().is_some_and(|cell| cell.shown == "\\r") {
            behind.pop();
        }
        // An unmappable character is shown as what it is.
        Self { before: cells(scheme, before), offence: cells(scheme, offence), behind, cut }
    }

    /// The line and the carets, each behind a little blank and with a line feed.
    pub(crate) fn render(&self, columns: usize) -> String {
        let room = columns.min(MOST).saturating_sub(INDENT + 1 + 2 * MORE.chars().count()).max(20);
        let width = |cells: &[Cell]| cells.iter().map(|cell| cell.width).sum::<usize>();
        let offence = width(&self.offence).max(1);
        // Two thirds in front of the offence, more where nothing much follows.
        let room = room.saturating_sub(offence);
        let behind = width(&self.behind).min(room / 3);
        let mut first = self.before.len();
        let mut before = 0;
        while first > 0 && before + self.before[first - 1].width <= room - behind {
            first -= 1;
            before += self.before[first].width;
        }
        let mut last = 0;
        let mut behind = 0;
        while last < self.behind.len() && before + behind + self.behind[last].width <= room {
            behind += self.behind[last].width;
            last += 1;
        }
        let more = |cut| if cut { MORE } else { "" };
        let (front, end) =
            (more(first > 0 || self.cut[0]), more(last < self.behind.len() || self.cut[1]));
        let mut text = String::new();
        let _ = write!(text, "{:INDENT$}{front}", "");
        for cell in self.before[first..].iter().chain(&self.offence).chain(&self.behind[..last]) {
            text.push_str(&cell.shown);
        }
        let indent = INDENT + front.chars().count() + before;
        let _ = writeln!(text, "{end}\n{:indent$}{:^^offence$}", "", "");
        text
    }
}

/// `bytes` as characters; what is ill-formed as escapes.
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
            // Those that turn the direction, separate lines, or can't be seen.
            '\u{AD}'
            | '\u{61C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}' => escape(c),
            c => match c.width() {
                None => escape(c),
                Some(width) => return Self { shown: c.into(), width },
            },
        };
        let width = shown.chars().count();
        Self { shown, width }
    }
}

/// A character by its number.
fn escape(c: char) -> String {
    c.escape_unicode().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(
        scheme: Scheme,
        history: &[u8],
        offence: &[u8],
        rest: &[u8],
        columns: usize,
    ) -> String {
        Excerpt::new(scheme, history, offence, rest).render(columns)
    }

    #[test]
    fn carets_stand_under_the_offence() {
        let plain = shown(Scheme::Utf8, b"one\nca", b"\xC3", b"f\r\nnext", 80);
        assert_eq!(plain, "  ca\\xC3f\n    ^^^^\n");
        // Tabs take four columns, Chinese two, what combines none.
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
            for (before, behind) in [(0, 5000), (5000, 0), (5000, 5000), (30, 1), (1, 100)] {
                let history = "é漢".repeat(before);
                let rest = "漢é".repeat(behind);
                let text =
                    shown(Scheme::Utf8, history.as_bytes(), b"\xFF", rest.as_bytes(), columns);
                let lines: Vec<&str> = text.lines().collect();
                let width = unicode_width::UnicodeWidthStr::width(lines[0]);
                assert!(width < columns.clamp(30, MOST), "{width} of {columns}: {text}");
                let front = lines[0].split_once("\\xFF").unwrap().0;
                let caret = lines[1].find('^').unwrap();
                assert_eq!(unicode_width::UnicodeWidthStr::width(front), caret, "{text}");
                let cut = before > 100 || before == 30 && columns <= 80;
                assert_eq!(lines[0].trim_start().starts_with(MORE), cut, "{columns}: {text}");
            }
        }
    }
}
