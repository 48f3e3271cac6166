//! The encoding that a text declares at its start: XML, HTML, CSS, and the comments by which
//! Python, Emacs and Vim know it.

use encoding_rs::X_USER_DEFINED;

use crate::charset::{Charset, Source};

/// Bytes of a text in which declarations are looked for, as in browsers.
pub(crate) const HEAD_BYTES: usize = 1024;

/// Lines in which editors look for a comment that names the encoding.
const LINES: usize = 5;

/// Returns the encoding that a text declares, of which `text` are the first [`HEAD_BYTES`] bytes.
pub(crate) fn charset(text: &[u8]) -> Option<Charset> {
    let head = &text[..text.len().min(HEAD_BYTES)];
    // Other bytes are not part of a declaration.
    let head: String = head.iter().map(|&byte| char::from(byte).to_ascii_lowercase()).collect();
    let label = if let Some(xml) = head.trim_start().strip_prefix("<?xml") {
        let declaration = xml.split("?>").next().unwrap_or_default();
        after(declaration, "encoding").and_then(value).or_else(|| meta_in(&head))
    } else if let Some(css) = head.strip_prefix("@charset \"") {
        css.split_once('"').map(|(label, _)| label)
    } else {
        meta_in(&head).or_else(|| comment(&head))
    };
    let label = label?.trim();
    // Emacs names the line ends too.
    let line_ends = ["-unix", "-dos", "-mac"];
    let label = line_ends.iter().find_map(|ends| label.strip_suffix(ends)).unwrap_or(label);
    match Source::from_label(label) {
        // No text is written in it: it gives each byte beyond ASCII a private-use character.
        Ok(Source::Known(Charset::Legacy(encoding))) if encoding == X_USER_DEFINED => None,
        Ok(Source::Known(charset)) => Some(charset),
        _ => None,
    }
}

/// Returns the label in the first tag of HTML that has one.
fn meta_in(head: &str) -> Option<&str> {
    head.match_indices("<meta").find_map(|(at, _)| meta(&head[at..]))
}

/// Returns the label in a tag of HTML, as an attribute or in the type of the content.
fn meta(tag: &str) -> Option<&str> {
    let tag = tag.split('>').next()?;
    after(tag, "charset").and_then(value)
}

/// Returns the label in a comment of the first lines: `-*- coding: LABEL -*-`, or
/// `vim: set fileencoding=LABEL:`.
fn comment(head: &str) -> Option<&str> {
    head.lines().take(LINES).find_map(|line| {
        let line = ["#", "//", "/*", "--", ";", "%", "\"", "<!--", "..", "-*-", ".\\\""]
            .iter()
            .find_map(|mark| line.trim_start().strip_prefix(mark))?;
        // Emacs and Python write `coding`; Vim has two names for the option.
        ["coding", "fenc"].iter().find_map(|name| {
            let rest = &line[line.find(name)? + name.len()..];
            let rest = rest.strip_prefix([':', '='])?.trim_start_matches(' ');
            // A colon ends an option of Vim.
            let end = rest.find(|c: char| !is_label(c) || c == ':').unwrap_or(rest.len());
            Some(&rest[..end])
        })
    })
}

/// Returns the text after `name` and an equals sign.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = &text[text.find(name)? + name.len()..];
    Some(rest.trim_start().strip_prefix('=')?.trim_start())
}

/// Returns a value that is in quotation marks, or ends before a character that no label has.
fn value(text: &str) -> Option<&str> {
    let quoted = text.strip_prefix(['"', '\'']).unwrap_or(text);
    let end = quoted.find(|c: char| !is_label(c)).unwrap_or(quoted.len());
    Some(&quoted[..end])
}

/// Returns true for characters of which labels are made.
fn is_label(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.:".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_the_encoding() {
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
            assert_eq!(charset(head.as_bytes()).map(Charset::name), name, "{head}");
        }
        let late = [&b" ".repeat(HEAD_BYTES)[..], b"<meta charset=big5>"].concat();
        assert_eq!(charset(&late), None);
    }
}
