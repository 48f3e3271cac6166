//! Tests of declarations, most of them literal.

use super::*;

/// Returns the labels of a text's start.
fn labels(text: &str) -> Vec<&str> {
    find(text.as_bytes()).map(|declaration| declaration.label).collect()
}

#[test]
fn xml_html_and_css_declare_their_encoding() {
    for (text, label) in [
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?><a/>", "ISO-8859-2"),
        ("\n<?xml version='1.0' encoding = 'koi8-r'?>", "koi8-r"),
        ("<?xml version=\"1.0\"?>\n<html><meta charset=koi8-r>", "koi8-r"),
        ("<!doctype html>\n<META CHARSET=Windows-1251>", "Windows-1251"),
        ("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=EUC-JP\">", "EUC-JP"),
        ("<meta\ncontent='text/html;charset=big5'\nhttp-equiv='Content-Type'>", "big5"),
        ("<meta name=\"a\"><meta charset=\"big5\" />", "big5"),
        ("<!-- <b> --><meta charset = 'gbk'>", "gbk"),
        ("@charset \"shift_jis\";\na{}", "shift_jis"),
    ] {
        assert_eq!(labels(text), [label], "{text}");
    }
    for text in [
        "<?xml version=\"1.0\"?><a encoding=\"koi8-r\"/>",
        "text <?xml encoding=\"koi8-r\"?>",
        "<?xml data-encoding=\"koi8-r\"?>",
        "<meta name=\"charset\"> charset=big5",
        "<meta name=\"description\" content=\"write charset=big5\">",
        "<meta data-charset=\"big5\">",
        "<metal charset=big5>",
        "<!-- <meta charset=big5> -->",
        "<script charset=big5>",
        "<meta charset=",
        "<meta charset=\"\">",
        " @charset \"shift_jis\";",
        "@charset 'shift_jis';",
        "",
        "=:{",
    ] {
        assert_eq!(labels(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn comments_for_editors_declare_the_encoding() {
    for (text, label) in [
        ("#!/usr/bin/python\n# -*- coding: koi8-r -*-\n", "koi8-r"),
        ("#coding=cp1251\nprint", "cp1251"),
        ("  # This file's encoding: latin-1", "latin-1"),
        ("# coding:\tutf8", "utf8"),
        (";; -*- coding: iso-8859-2-unix -*-", "iso-8859-2"),
        ("/* -*- mode: c; coding: euc-kr; -*- */", "euc-kr"),
        ("'\\\" -*- coding: UTF-8 -*-\n.TH A", "UTF-8"),
        ("% -*- Coding: euc-japan-DOS; mode: latex -*-", "euc-jp"),
        ("# vim: set fileencoding=cp1251 :", "cp1251"),
        ("1\n2\n3\n4\n\" vim: fenc=latin2:ts=4", "latin2"),
        ("// vi:ts=4:fileencoding=sjis", "sjis"),
    ] {
        assert_eq!(labels(text), [label], "{text}");
    }
    for text in [
        "coding: koi8-r",
        "The coding: koi8-r -*-",
        "1\n2\n# coding: koi8-r",
        "1\n2\n3\n4\n5\n# vim: fenc=koi8-r",
        "# coding:",
        "# coding : koi8-r",
        "# vim: set encoding = utf-8",
        "/* novim: fenc=koi8-r */",
        "fileencoding=koi8-r",
    ] {
        assert_eq!(labels(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn vim_reads_the_last_lines() {
    let at_end = |text: &'static str| find_at_end(text.as_bytes()).collect::<Vec<_>>();
    let lines = "line\n".repeat(1000);
    let text = format!("{lines}# vim: fenc=koi8-r\n\n\n\n\n");
    let found: Vec<_> = find_at_end(text.as_bytes()).collect();
    assert_eq!(found, [Declaration { label: "koi8-r", offset: lines.len() + 12 }]);
    assert_eq!(at_end("# vim: fenc=koi8-r\n1\n2\n3\n4\n5\n"), []);
    assert_eq!(at_end("# coding: koi8-r\n<meta charset=big5>\n@charset \"big5\""), []);
    assert_eq!(at_end(""), []);
}

#[test]
fn headers_declare_the_encoding() {
    for (text, label) in [
        ("Content-Type: text/plain; charset=koi8-r\n\nText", "koi8-r"),
        ("From a\nTo: b\nX-A: 1\n 2\ncontent-type: text/plain;\n\tcharset=\"big5\"\n", "big5"),
        (
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n",
            "ISO-8859-2",
        ),
        ("\\usepackage[latin2]{inputenc}", "latin2"),
        ("\\documentclass{a}\n\\usepackage[utf8, ansinew]{inputenc} % x", "windows-1252"),
        ("\\RequirePackage[koi8-r]{inputenc}\n", "koi8-r"),
        ("\\inputencoding{latin5}", "latin5"),
    ] {
        assert_eq!(labels(text), [label], "{text}");
    }
    for text in [
        "To: b\n\nContent-Type: text/plain; charset=koi8-r\n",
        "Hello.\nContent-Type: text/plain; charset=koi8-r\n",
        "X-Content-Type: text/plain; charset=koi8-r\n",
        "Subject: charset=koi8-r",
        "\tcharset=koi8-r",
        "% \\usepackage[latin2]{inputenc}",
        "\\usepackage{inputenc}",
        "\\usepackage[T1]{fontenc}",
        "[latin2]{inputenc}",
    ] {
        assert_eq!(labels(text), [] as [&str; 0], "{text}");
    }
}

#[test]
fn all_declarations_have_their_offsets() {
    let text = "<?xml encoding='cp1250'?>\n<meta charset=no-label><meta charset='koi8-r'>";
    let found: Vec<_> = find(text.as_bytes()).map(|found| (found.label, found.offset)).collect();
    assert_eq!(found, [("cp1250", 16), ("no-label", 40), ("koi8-r", 64)]);
    let beyond_head = [&b" ".repeat(HEAD_BYTES)[..], b"<meta charset=big5>"].concat();
    assert_eq!(find(&beyond_head).next(), None);
    // At each offset in the chunks that are searched.
    for spaces in 0..70 {
        let text = format!("{:spaces$}<meta charset=big5>", "");
        let found: Vec<_> = find(text.as_bytes()).collect();
        assert_eq!(found, [Declaration { label: "big5", offset: spaces + 14 }]);
    }
}

#[test]
fn the_first_known_encoding_is_the_declared_one() {
    for (head, name) in [
        ("<meta charset=no-label><meta charset='koi8-r'>", Some("koi8-r")),
        ("<meta charset=\"x-user-defined\">", None),
        (";; -*- coding: windows-1253 -*-", Some("windows-1253")),
        ("# coding: no such label", None),
        ("% -*- coding: japanese-shift-jis-unix -*-", Some("shift_jis")),
        ("", None),
    ] {
        assert_eq!(find_charset(head.as_bytes()).map(Charset::name), name, "{head}");
    }
}

/// No bytes make the parser panic: all texts of up to three pieces of declarations.
#[test]
fn any_pieces_are_read() {
    let pieces = [
        "<?xml",
        "?>",
        "<meta",
        ">",
        "<!--",
        "encoding=",
        "charset=",
        "coding:",
        "fenc=",
        "vim:",
        "-*-",
        "#",
        "\n",
        " ",
        "{inputenc}",
        "\\usepackage[",
        "]",
        "{",
        "\"",
        "Content-Type:",
        "@charset \"",
        "koi8-r",
        "\u{E9}",
    ];
    let mut count = 0;
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = [first, second, third].concat();
                count += find(text.as_bytes()).chain(find_at_end(text.as_bytes())).count();
            }
        }
    }
    assert!(count > 0);
}
