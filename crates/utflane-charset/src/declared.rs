//! Finds the encodings that a text declares: in XML, HTML, CSS or LaTeX, in the header of a message
//! or of a file of translations, and in a comment for Python, Emacs or Vim.
//!
//! Each declaration has a form of its own, and must stand where its program reads it. So the name
//! of an encoding in prose is no declaration. Texts whose ASCII characters are not ASCII bytes,
//! such as UTF-16 and EBCDIC, have none.

use crate::charset::{Charset, Source};

/// The number of bytes at the start or the end of a text in which declarations are looked for. In
/// web pages, browsers read 1,024 bytes.
pub(crate) const HEAD_BYTES: usize = 2048;

/// The number of lines at the start in which Python and Emacs look for a comment.
const COMMENT_LINES: usize = 2;
/// The number of lines at the start and at the end in which Vim looks for a comment.
const VIM_LINES: usize = 5;

/// Names of encodings in Emacs and LaTeX that are no labels elsewhere.
const SYNONYMS: [(&str, &str); 14] = [
    ("ansinew", "windows-1252"),
    ("applemac", "macintosh"),
    ("chinese-big5", "big5"),
    ("chinese-gbk", "gbk"),
    ("chinese-iso-8bit", "gb2312"),
    ("cn-big5", "big5"),
    ("cn-gb-2312", "gb2312"),
    ("cyrillic-koi8", "koi8-r"),
    ("euc-japan", "euc-jp"),
    ("euc-korea", "euc-kr"),
    ("japanese-iso-8bit", "euc-jp"),
    ("japanese-shift-jis", "shift_jis"),
    ("korean-iso-8bit", "euc-kr"),
    ("utf8x", "utf-8"),
];

/// An encoding that a text declares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Declaration<'a> {
    /// The label of the encoding, as in the text; of names in Emacs and LaTeX, a label that other
    /// programs know.
    pub(crate) label: &'a str,
    /// The offset in bytes of the label.
    pub(crate) offset: usize,
}

/// Returns the declarations at the start of a text, in the order of their offsets. Only the first
/// [`HEAD_BYTES`] bytes of `text` are read. The caller must compare the encoding with the bytes of
/// the text.
pub(crate) fn find(text: &[u8]) -> impl Iterator<Item = Declaration<'_>> {
    let head = Part { text: &text[..text.len().min(HEAD_BYTES)], is_start: true };
    let css = head.css().into_iter();
    css.chain(marks(head.text).filter_map(move |mark| head.declaration(mark)))
}

/// Returns the declarations of Vim at the end of a text. `text` is the text, or an end of it, of
/// which the last [`HEAD_BYTES`] bytes are read.
#[cfg_attr(not(test), allow(dead_code, reason = "the detection has no end of the text yet"))]
pub(crate) fn find_at_end(text: &[u8]) -> impl Iterator<Item = Declaration<'_>> {
    let start = text.len().saturating_sub(HEAD_BYTES);
    let end = Part { text: &text[start..], is_start: false };
    marks(end.text).filter_map(move |mark| {
        let declaration = end.declaration(mark)?;
        Some(Declaration { offset: start + declaration.offset, ..declaration })
    })
}

/// Returns the encoding that a text declares at its start: the first one that is known.
pub(crate) fn find_charset(text: &[u8]) -> Option<Charset> {
    find(text).find_map(|declaration| match Source::from_label(declaration.label) {
        // No text is written in `x-user-defined`: each non-ASCII byte is a private-use character.
        Ok(Source::Known(charset)) if charset.name() == "x-user-defined" => None,
        Ok(Source::Known(charset)) => Some(charset),
        _ => None,
    })
}

/// Returns the offsets of the characters that stand before or after each label.
fn marks(text: &[u8]) -> impl Iterator<Item = usize> {
    let is_mark = |byte: &u8| matches!(byte, b'=' | b':' | b'{');
    // Most chunks have no mark. The test has no early exit, so that LLVM vectorises it.
    let chunks = text.chunks(32).enumerate();
    let with_marks = chunks.filter(move |(_, chunk)| {
        chunk.iter().fold(false, |has_mark, byte| has_mark | is_mark(byte))
    });
    with_marks.flat_map(move |(i, chunk)| {
        let in_chunk = chunk.iter().enumerate().filter(move |(_, byte)| is_mark(byte));
        in_chunk.map(move |(j, _)| 32 * i + j)
    })
}

/// The start or the end of a text.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a [u8],
    is_start: bool,
}

impl<'a> Part<'a> {
    /// Returns the declaration whose mark is at `mark`.
    fn declaration(self, mark: usize) -> Option<Declaration<'a>> {
        let before = self.text[..mark].trim_ascii_end();
        if self.text[mark] == b'{' {
            return if self.is_start { self.latex(mark) } else { None };
        }
        let name = letters_at_end(before);
        // No name is shorter than `fenc`, and most others have another last letter.
        if name.len() < 4 || !matches!(name.last(), Some(b'g' | b'G' | b't' | b'T' | b'c' | b'C')) {
            return None;
        }
        let is_at_start = before.len() == name.len();
        let has_boundary = is_at_start
            || !matches!(before[before.len() - name.len() - 1], b'-' | b'_' | b'.' | b'0'..=b'9');
        let is_adjacent = before.len() == mark;
        let is_equation = self.text[mark] == b'=';
        let name = name.to_ascii_lowercase();
        let is_declared = match &name[..] {
            b"encoding" if is_equation && self.is_in_xml(mark) => has_boundary,
            b"charset" if is_equation => {
                has_boundary && (self.is_in_meta(mark) || self.is_in_header(mark))
            }
            b"fileencoding" | b"fenc" if is_adjacent && self.is_in_vim(mark) => true,
            name => name.ends_with(b"coding") && is_adjacent && self.is_in_comment(mark),
        };
        if is_declared { self.label(mark + 1) } else { None }
    }

    /// Returns the label at `start`, after blanks and a quotation mark. It ends before the first
    /// byte that no label contains.
    fn label(self, start: usize) -> Option<Declaration<'a>> {
        let after = self.text[start..].trim_ascii_start();
        let after = after.strip_prefix(b"\"").or(after.strip_prefix(b"'")).unwrap_or(after);
        let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        let len = after.iter().position(|byte| !is_label(byte)).unwrap_or(after.len());
        let label = str::from_utf8(&after[..len]).ok()?;
        // Emacs adds the kind of line ends to the name.
        let without_line_ends = label.rsplit_once('-').filter(|(_, end)| {
            ["unix", "dos", "mac"].iter().any(|kind| end.eq_ignore_ascii_case(kind))
        });
        let label = without_line_ends.map_or(label, |(label, _)| label);
        let synonym = SYNONYMS.iter().find(|(synonym, _)| label.eq_ignore_ascii_case(synonym));
        let offset = self.text.len() - after.len();
        let label = synonym.map_or(label, |&(_, label)| label);
        (len > 0).then_some(Declaration { label, offset })
    }

    /// Returns the declaration of CSS, which is at the start of the text and has only this form.
    fn css(self) -> Option<Declaration<'a>> {
        self.text.starts_with(b"@charset \"").then(|| self.label(9)).flatten()
    }

    /// Returns the declaration of LaTeX whose brace is at `brace`:
    /// `\usepackage[LABEL]{inputenc}`, or `\inputencoding{LABEL}`.
    fn latex(self, brace: usize) -> Option<Declaration<'a>> {
        let before = self.line_before(brace);
        if before.contains(&b'%') {
            return None;
        }
        if before.ends_with(b"\\inputencoding") {
            return self.label(brace + 1);
        }
        if !self.text[brace..].starts_with(b"{inputenc}") {
            return None;
        }
        let options = before.strip_suffix(b"]")?;
        let start = options.iter().rposition(|&byte| byte == b'[')?;
        let command = &options[..start];
        if !command.ends_with(b"\\usepackage") && !command.ends_with(b"\\RequirePackage") {
            return None;
        }
        // The last option is in force.
        let last = options.iter().rposition(|&byte| matches!(byte, b'[' | b','))?;
        self.label(brace - before.len() + last + 1)
    }

    /// True if `mark` is in the declaration of XML, at the start of the text.
    fn is_in_xml(self, mark: usize) -> bool {
        let before = self.text[..mark].trim_ascii_start();
        self.is_start && before.starts_with(b"<?xml") && !contains(before, b"?>")
    }

    /// True if `mark` is in a tag `meta` of HTML, in an attribute of its own or in a content type.
    fn is_in_meta(self, mark: usize) -> bool {
        let before = &self.text[..mark];
        let Some(start) = before.iter().rposition(|&byte| byte == b'<') else { return false };
        let tag = &before[start..];
        let is_meta = tag.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"<meta"))
            && tag.get(5).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'/')
            && !tag.contains(&b'>');
        let comment = before.windows(4).rposition(|bytes| bytes == b"<!--");
        let is_in_comment = comment.is_some_and(|start| !contains(&before[start..], b"-->"));
        let end = self.text[mark..].iter().position(|&byte| byte == b'>');
        let whole_tag = &self.text[start..end.map_or(self.text.len(), |end| mark + end)];
        let is_content_type = || contains_word(whole_tag, b"http-equiv");
        self.is_start
            && is_meta
            && !is_in_comment
            && (!contains_word(tag, b"content") || is_content_type())
    }

    /// True if `mark` is in the line `Content-Type:` of the header at the start of a message, or of
    /// a file of translations, where each line is in quotation marks.
    fn is_in_header(self, mark: usize) -> bool {
        let mut start = mark - self.line_before(mark).len();
        // A line that begins with a blank continues the line before it.
        while start > 0 && matches!(self.text[start], b' ' | b'\t') {
            start -= 1 + self.line_before(start - 1).len();
        }
        let line = &self.text[start..mark];
        let is_type = |line: &[u8]| {
            line.get(..13).is_some_and(|name| name.eq_ignore_ascii_case(b"content-type:"))
        };
        let is_translation = line.strip_prefix(b"\"").is_some_and(is_type);
        self.is_start && (is_translation || is_type(line) && is_header(&self.text[..start]))
    }

    /// True if `mark` is in a comment of Python in one of the first two lines, or between the marks
    /// of Emacs there.
    fn is_in_comment(self, mark: usize) -> bool {
        let line = self.line_before(mark);
        let after = &self.text[mark..];
        let end = after.iter().position(|&byte| byte == b'\n').unwrap_or(after.len());
        let is_emacs = contains(line, b"-*-") && contains(&after[..end], b"-*-");
        self.is_start
            && self.lines_before(mark) < COMMENT_LINES
            && (is_emacs || line.trim_ascii_start().starts_with(b"#"))
    }

    /// True if `mark` is in a line for Vim, after `vim:`, `vi:` or `ex:`, at the start or the end
    /// of the text.
    fn is_in_vim(self, mark: usize) -> bool {
        let line = self.line_before(mark);
        let openers = [&b"vim:"[..], b"vi:", b"ex:"].into_iter();
        let is_opened = openers.flat_map(|opener| find_all(line, opener));
        let mut starts =
            is_opened.filter(|&start| start == 0 || line[start - 1].is_ascii_whitespace());
        let lines = if self.is_start {
            self.lines_before(mark)
        } else {
            let after = self.text[mark..].strip_suffix(b"\n").unwrap_or(&self.text[mark..]);
            after.iter().filter(|&&byte| byte == b'\n').count()
        };
        lines < VIM_LINES && starts.next().is_some()
    }

    /// Returns the part of the line of `offset` before it.
    fn line_before(self, offset: usize) -> &'a [u8] {
        let before = &self.text[..offset];
        &before[before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)..]
    }

    /// Returns the number of lines before the line of `offset`.
    fn lines_before(self, offset: usize) -> usize {
        self.text[..offset].iter().filter(|&&byte| byte == b'\n').count()
    }
}

/// True if `text` has only lines of the header of a message: names of fields and colons, or lines
/// that continue those before them. It is a number of whole lines.
fn is_header(text: &[u8]) -> bool {
    let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
    text.is_empty()
        || lines.enumerate().all(|(i, line)| {
            let is_field = |line: &[u8]| {
                let name =
                    line.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
                name.is_some_and(|len| len > 0 && line[len] == b':')
            };
            let is_continued = i > 0 && matches!(line.first(), Some(b' ' | b'\t'));
            is_field(line) || is_continued || i == 0 && line.starts_with(b"From ")
        })
}

/// Returns the letters at the end of `text`.
fn letters_at_end(text: &[u8]) -> &[u8] {
    let start = text.iter().rposition(|byte| !byte.is_ascii_alphabetic());
    &text[start.map_or(0, |before| before + 1)..]
}

/// Returns the offsets of `word` in `text`.
fn find_all<'a>(text: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let windows = text.windows(word.len()).enumerate();
    windows.filter(move |(_, window)| *window == word).map(|(offset, _)| offset)
}

/// True if `text` contains `word`.
fn contains(text: &[u8], word: &[u8]) -> bool {
    find_all(text, word).next().is_some()
}

/// True if `text` contains `word` in any case.
fn contains_word(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
