//! `utflane detect`, detection by `convert`, and byte order marks.

mod common;

use std::fs;

use common::{encode, feed, run, utflane};
use serde_json::{Value, json};

const MARKED: [&str; 5] = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];

/// Texts, with the encoding and the reason that detection finds.
fn texts() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let german = "Größe und Maß, übrigens schön.\n".repeat(20);
    vec![
        ("ascii", b"plain text, and some more of it\n".to_vec(), "all bytes are ASCII"),
        ("utf-8", german.clone().into_bytes(), "well-formed UTF-8"),
        ("latin1", encode("latin1", &german), "not UTF-8, and printable in Latin-1"),
        (
            "windows-1252",
            b"\x93Gr\xF6\xDFe\x94".to_vec(),
            "not UTF-8, and printable in windows-1252",
        ),
        ("utf-16le", encode("utf-16le", &german), "reads as text in UTF-16"),
        ("utf-32be", encode("utf-32be", &german), "reads as text in UTF-32"),
        ("utf-16be", b"\xFE\xFF\0a".to_vec(), "begins with its byte order mark"),
    ]
}

#[test]
fn each_file_gets_a_line_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    for (encoding, bytes, reason) in texts() {
        fs::write(directory.path().join("text"), bytes).unwrap();
        let run = run(directory.path(), ["detect", "text"]);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
        assert!(run.text().starts_with(&format!("text: {encoding} (")), "{}", run.text());
        assert!(run.text().ends_with(&format!("): {reason}\n")), "{}", run.text());
        let run = common::run(directory.path(), ["detect", "--json", "text"]);
        let object: Value = serde_json::from_slice(&run.out).unwrap();
        let seen = ["file", "encoding", "reason", "mark"].map(|member| object[member].clone());
        let marked = reason.contains("mark");
        assert_eq!(seen, [json!("text"), json!(encoding), json!(reason), json!(marked)]);
        assert!(["certain", "likely", "guess"].iter().any(|word| object["confidence"] == *word));
    }
    let run = run(directory.path(), ["detect", "none"]);
    run.assert(2, "", "utflane: none: No such file or directory\n");
}

/// Only the beginning is examined. A character that its end cuts is no error.
#[test]
fn long_files_are_detected_by_their_beginning() {
    for odd in 0..4 {
        let text = format!("{}{}", "x".repeat(odd), "日本語".repeat(100_000));
        let run = feed(&mut utflane(["detect", "-"]), text.as_bytes());
        run.assert(0, "-: utf-8 (certain): well-formed UTF-8\n", "");
        let run = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-16le"]), text.as_bytes());
        assert!(run.out == encode("utf-16le", &text), "{odd}");
        assert_eq!(run.err, "utflane: -: taken for utf-8 (certain): well-formed UTF-8\n");
    }
}

#[test]
fn auto_converts_the_detected_encoding() {
    for (encoding, bytes, _) in texts() {
        let auto = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), &bytes);
        let named = feed(&mut utflane(["convert", "-f", encoding, "-t", "utf-8"]), &bytes);
        assert_eq!(auto, named, "{encoding}");
        assert_eq!((auto.status, auto.err.as_str()), (Some(0), ""));
    }
    // A file that is hardly text is not converted, unless its encoding is named.
    let binary: Vec<u8> = (0..=255).collect();
    let run = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-8"]), &binary);
    assert_eq!((run.status, run.text()), (Some(2), ""));
    assert!(run.err.ends_with("if it is text, name its encoding with -f\n"), "{}", run.err);
    feed(&mut utflane(["convert", "-qf", "auto", "-t", "utf-8"]), b"").assert(0, "", "");
}

/// Texts of every length, so that marks and chunks are cut everywhere.
#[test]
fn marks_are_kept_stripped_or_added() {
    for from in MARKED {
        for to in MARKED {
            for text in ["", "a", "né\n€", &"Ω😀".repeat(30_000)] {
                for marked in [false, true] {
                    let mark = if marked { "\u{FEFF}" } else { "" };
                    let src = encode(from, &format!("{mark}{text}"));
                    let wants = [("keep", mark), ("strip", ""), ("add", "\u{FEFF}")];
                    for (bom, begin) in wants {
                        let arguments = ["convert", "-f", from, "-t", to, "--bom", bom];
                        let run = feed(&mut utflane(arguments), &src);
                        let want = encode(to, &format!("{begin}{text}"));
                        assert!(run.out == want, "{from} to {to}, {bom}, {marked}");
                        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
                    }
                }
            }
        }
    }
    // Only the first one is a byte order mark.
    let run = feed(
        &mut utflane(["convert", "-f", "utf-8", "-t", "utf-8", "--bom=strip"]),
        "\u{FEFF}\u{FEFF}a".as_bytes(),
    );
    run.assert(0, "\u{FEFF}a", "");
}

#[test]
fn places_count_the_mark() {
    let convert = |bom, bytes: &[u8]| {
        feed(&mut utflane(["convert", "-f", "utf-8", "-t", "latin1", "--bom", bom]), bytes)
    };
    let marked = b"\xEF\xBB\xBFab\xFF";
    convert("strip", marked).assert(1, "ab", "-:1:4: byte 5: invalid lead byte (FF)\n");
    for (bytes, want) in [
        (&b"\xEF\xBB\xBFab\xFF"[..], "-:1:4: byte 5: invalid lead byte (FF)\n"),
        (
            b"\xEF\xBB\xBFa\xE2\x82\xAC",
            "-:1:3: byte 4: character not in the target encoding (E2 82 AC)\n",
        ),
    ] {
        for to in ["latin1", "koi8-r"] {
            let arguments = ["convert", "-f", "utf-8", "-t", to, "--bom", "strip"];
            let run = feed(&mut utflane(arguments), bytes);
            assert_eq!((run.status, run.err.as_str()), (Some(1), want), "{to}");
        }
    }
    let message = "-:1:1: byte 0: character not in the target encoding (EF BB BF)\n";
    let advice = "utflane: -: it begins with a byte order mark: --bom strip removes it\n";
    convert("keep", marked).assert(1, "", &format!("{message}{advice}"));
    let quiet = ["convert", "-q", "-f", "utf-8", "-t", "ascii"];
    feed(&mut utflane(quiet), marked).assert(1, "", message);
    let none = "utflane: --bom add: latin1 has no byte order mark: use --bom keep or --bom strip\n";
    convert("add", marked).assert(2, "", none);
}
