//! Tests of the options that remove all byte order marks and that report them.

use std::fs;

use crate::common::{encode, feed, run, utflane};

/// A text with U+FEFF twice at the start, once inside, and as the last character.
const TEXT: &str = "\u{FEFF}\u{FEFF}one\n\u{FEFF}zwei é\n\u{FEFF}";

#[test]
fn all_marks_are_removed_on_request() {
    let unicode = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "cesu-8", "wtf-8"];
    let without_marks = TEXT.replace('\u{FEFF}', "");
    for from in unicode {
        for to in unicode.into_iter().chain(["latin1"]) {
            let arguments = ["convert", "-q", "-f", from, "-t", to, "--bom", "strip-all"];
            let seen = feed(&mut utflane(arguments), &encode(from, TEXT));
            assert_eq!((seen.status, seen.err.as_str()), (Some(0), ""), "{from} {to}");
            assert_eq!(seen.out, encode(to, &without_marks), "{from} {to}");
        }
    }
    for to in ["shift_jis", "windows-1252", "gb18030", "iso-8859-15"] {
        let text = TEXT.replace('é', "e");
        let arguments = ["convert", "-q", "-f", "utf-8", "-t", to, "--bom", "strip-all"];
        feed(&mut utflane(arguments), text.as_bytes()).assert(0, &text.replace('\u{FEFF}', ""), "");
    }
    // The source encoding gb18030 has U+FEFF, too.
    let (gb18030, ..) = encoding_rs::GB18030.encode(TEXT);
    let arguments = ["convert", "-q", "-f", "gb18030", "-t", "utf-8", "--bom", "strip-all"];
    feed(&mut utflane(arguments), &gb18030).assert(0, &without_marks, "");
    // The position of an error counts the marks that are removed.
    let arguments = ["convert", "-q", "-f", "utf-8", "-t", "latin1", "--bom", "strip-all"];
    let stopped = feed(&mut utflane(arguments), "\u{FEFF}a\u{FEFF}b€".as_bytes());
    stopped.assert(1, "ab", "-:1:5: byte 8: character not in the target encoding (E2 82 AC)\n");
    let arguments = ["convert", "-f", "utf-8", "-t", "shift_jis", "--bom", "strip-all"];
    let stopped = feed(&mut utflane(arguments), "a\u{FEFF}b💥".as_bytes());
    assert!(stopped.err.starts_with("-:1:4: byte 5: character not in"), "{stopped:?}");
    // Without this option, utf-16 output begins with a mark.
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-16", "--bom", "strip-all"];
    feed(&mut utflane(arguments), "\u{FEFF}a".as_bytes()).assert(0, "a\0", "");
}

/// Marks are removed everywhere in large files.
#[test]
fn long_files_lose_all_marks() {
    let directory = tempfile::tempdir().unwrap();
    let text: String = (0..60_000).map(|i| format!("\u{FEFF}{}é", "x".repeat(i % 41))).collect();
    for (from, to) in
        [("utf-8", "utf-8"), ("utf-8", "utf-16le"), ("utf-16be", "utf-8"), ("utf-8", "latin1")]
    {
        fs::write(directory.path().join("in"), encode(from, &text)).unwrap();
        let arguments =
            ["convert", "-q", "-f", from, "-t", to, "--bom", "strip-all", "in", "-o", "out"];
        run(directory.path(), arguments).assert(0, "", "");
        let out = fs::read(directory.path().join("out")).unwrap();
        assert!(out == encode(to, &text.replace('\u{FEFF}', "")), "{from} {to}");
    }
}

#[test]
fn marks_are_findings_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    for (encoding, mark, offsets) in [
        ("utf-8", "EF BB BF", [0, 3, 10, 21]),
        ("utf-16le", "FF FE", [0, 2, 12, 28]),
        ("utf-16be", "FE FF", [0, 2, 12, 28]),
        ("utf-32le", "FF FE 00 00", [0, 4, 24, 56]),
    ] {
        fs::write(path.join("f"), encode(encoding, TEXT)).unwrap();
        let check =
            |options: &[&str]| run(path, ["check", "-e", encoding, "f"].iter().chain(options));
        check(&[]).assert(0, "", "");
        let positions = ["1:1", "1:2", "2:1", "3:1"];
        let lines: String = positions
            .iter()
            .zip(offsets)
            .map(|(position, offset)| {
                format!("f:{position}: byte {offset}: byte order mark ({mark})\n")
            })
            .collect();
        check(&["--no-bom", "--all"]).assert(1, &lines, "");
        check(&["--no-bom"]).assert(1, &lines[..=lines.find('\n').unwrap()], "");
        let json = check(&["--no-bom", "--json"]);
        assert!(json.text().contains(r#""kind":"byte-order-mark""#), "{json:?}");
    }
    // The bytes 0xFF 0xFE across two code units are not a mark. Other findings keep their
    // positions.
    fs::write(path.join("f"), b"a\xFF\xFE\0").unwrap();
    run(path, ["check", "--no-bom", "-e", "utf-16le", "f"]).assert(0, "", "");
    fs::write(path.join("f"), b"\xEF\xBB\xBFa\xFFb\xEF\xBB\xBF\xEF\xBB").unwrap();
    let lines = "f:1:1: byte 0: byte order mark (EF BB BF)\n\
                 f:1:3: byte 4: invalid lead byte (FF)\n\
                 f:1:5: byte 6: byte order mark (EF BB BF)\n\
                 f:1:6: byte 9: sequence too short (EF BB)\n";
    run(path, ["check", "--no-bom", "-a", "f"]).assert(1, lines, "");
    // Marks are found anywhere in a large file.
    let text: String = (0..9_000).map(|i| format!("{}\u{FEFF}", "é".repeat(i % 29))).collect();
    fs::write(path.join("f"), &text).unwrap();
    let found = run(path, ["check", "-q", "--no-bom", "--all=0", "f"]);
    assert_eq!(found.text().lines().count(), 9_000);
    let last = text.rfind('\u{FEFF}').unwrap();
    assert!(found.text().trim_end().ends_with(&format!("byte {last}: byte order mark (EF BB BF)")));
}
