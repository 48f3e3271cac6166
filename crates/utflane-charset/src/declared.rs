//! Finds the encoding that a text declares at its start: in XML, HTML or CSS, or in a comment for
//! Python, Emacs or Vim.

use crate::charset::{Charset, Source};

/// The number of bytes at the start of a text in which a declaration is looked for, as in browsers.
pub(crate) const HEAD_BYTES: usize = 1024;

/// The number of lines in which editors look for a comment that names the encoding.
const COMMENT_LINES: usize = 5;

/// Returns the encoding that a text declares. Only the first [`HEAD_BYTES`] bytes of `text` are
/// read.
pub(crate) fn find_charset(text: &[u8]) -> Option<Charset> {
    let head = &text[..text.len().min(HEAD_BYTES)];
    // Non-ASCII bytes are not part of a declaration, so their characters don't matter.
    let head: String = head.iter().map(|&byte| char::from(byte).to_ascii_lowercase()).collect();
    let label = if let Some(xml) = head.trim_start().strip_prefix("<?xml") {
        let declaration = xml.split("?>").next().unwrap_or_default();
        assigned_text(declaration, "encoding").and_then(read_label).or_else(|| meta_label(&head))
    } else if let Some(css) = head.strip_prefix("@charset \"") {
        css.split_once('"').map(|(label, _)| label)
    } else {
        meta_label(&head).or_else(|| comment_label(&head))
    };
    let label = label?.trim();
    // Emacs adds the kind of line ends to the name.
    let suffixes = ["-unix", "-dos", "-mac"];
    let label = suffixes.iter().find_map(|suffix| label.strip_suffix(suffix)).unwrap_or(label);
    match Source::from_label(label) {
        // No text is written in `x-user-defined`: each non-ASCII byte is a private-use character.
        Ok(Source::Known(charset)) if charset.name() == "x-user-defined" => None,
        Ok(Source::Known(charset)) => Some(charset),
        _ => None,
    }
}

/// Returns the label in the first `meta` tag of HTML that has a label.
fn meta_label(head: &str) -> Option<&str> {
    head.match_indices("<meta").find_map(|(start, _)| tag_label(&head[start..]))
}

/// Returns the label in a `meta` tag: in the attribute `charset`, or in a content type.
fn tag_label(tag: &str) -> Option<&str> {
    let tag = tag.split('>').next()?;
    assigned_text(tag, "charset").and_then(read_label)
}

/// Returns the label in a comment of the first lines: `-*- coding: LABEL -*-`, or
/// `vim: set fileencoding=LABEL:`.
fn comment_label(head: &str) -> Option<&str> {
    head.lines().take(COMMENT_LINES).find_map(|line| {
        let line = ["#", "//", "/*", "--", ";", "%", "\"", "<!--", "..", "-*-", ".\\\""]
            .iter()
            .find_map(|opener| line.trim_start().strip_prefix(opener))?;
        // Emacs and Python write `coding`. Vim's option is `fileencoding`, which ends with
        // `coding`, or `fenc`.
        ["coding", "fenc"].iter().find_map(|name| {
            let rest = &line[line.find(name)? + name.len()..];
            let rest = rest.strip_prefix([':', '='])?.trim_start_matches(' ');
            // In Vim, a colon ends the option.
            let end = rest.find(|c: char| !is_label_char(c) || c == ':').unwrap_or(rest.len());
            Some(&rest[..end])
        })
    })
}

/// Returns the text after `name` and an equals sign.
fn assigned_text<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = &text[text.find(name)? + name.len()..];
    Some(rest.trim_start().strip_prefix('=')?.trim_start())
}

/// Returns the label at the start of `text`, without a quotation mark before it. It ends before the
/// first character that no label contains.
fn read_label(text: &str) -> Option<&str> {
    let unquoted = text.strip_prefix(['"', '\'']).unwrap_or(text);
    let end = unquoted.find(|c: char| !is_label_char(c)).unwrap_or(unquoted.len());
    Some(&unquoted[..end])
}

/// Returns true for a character that labels contain.
fn is_label_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.:".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_encoding_is_found() {
        for (head, name) in [
            ("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><a/>", Some("iso-8859-2")),
            ("\n<?xml version='1.0' encoding = 'koi8-r'?>", Some("koi8-r")),
            ("<?xml version=\"1.0\"?><a encoding=\"koi8-r\"/>", None),
            ("<?xml version=\"1.0\"?>\n<html><meta charset=koi8-r>", Some("koi8-r")),
            ("<meta charset=\"x-user-defined\">", None),
            (";; -*- coding: iso-8859-2-unix -*-", Some("iso-8859-2")),
            ("<!doctype html>\n<META CHARSET=Windows-1251>", Some("windows-1251")),
            (
                "<meta http-equiv=\"Content-Type\" content=\"text/html; charset=EUC-JP\">",
                Some("euc-jp"),
            ),
            ("<meta name=\"a\"><meta charset=\"big5\" />", Some("big5")),
            ("<meta name=\"charset\"> charset=big5", None),
            ("@charset \"shift_jis\";\na{}", Some("shift_jis")),
            (" @charset \"shift_jis\";", None),
            ("#!/usr/bin/python\n# -*- coding: koi8-r -*-\n", Some("koi8-r")),
            ("# vim: set fileencoding=cp1251 :", Some("windows-1251")),
            ("\" vim: fenc=latin2:ts=4", Some("iso-8859-2")),
            ("/* -*- mode: c; coding: euc-kr; -*- */", Some("euc-kr")),
            (";; -*- coding: windows-1253 -*-", Some("windows-1253")),
            ("coding: koi8-r", None),
            ("1\n2\n3\n4\n5\n# coding: koi8-r", None),
            ("# coding: no such label", None),
            ("# coding:", None),
            ("<meta charset=", None),
            ("", None),
        ] {
            assert_eq!(find_charset(head.as_bytes()).map(Charset::name), name, "{head}");
        }
        let beyond_head = [&b" ".repeat(HEAD_BYTES)[..], b"<meta charset=big5>"].concat();
        assert_eq!(find_charset(&beyond_head), None);
    }
}
