//! Tests of messages with advice: about another encoding, about directories, about standard input.

use std::fs;

use crate::common::{Run, encode, feed, run, utflane};

fn first_message(run: &Run) -> &str {
    run.err.lines().next().unwrap_or_default()
}

#[test]
fn the_message_suggests_another_encoding() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let marked =
        |encoding: &str| [encode(encoding, "\u{FEFF}"), encode(encoding, "größer\n")].concat();
    let german = "Die Größe der Bäume überrascht viele Gäste in Österreich.\n".repeat(20);
    let late_latin1 =
        ["plain ascii line\n".repeat(8000).into_bytes(), encode("latin1", &german)].concat();
    for (bytes, option, hint) in [
        (marked("utf-16le"), "utf-8", "begins with the byte order mark of utf-16le: try -e utf-16"),
        (marked("utf-16be"), "utf-8", "begins with the byte order mark of utf-16be: try -e utf-16"),
        (german.clone().into_bytes(), "ascii", "looks like utf-8: try -e utf-8"),
        (german.clone().into_bytes(), "euc-jp", "looks like utf-8: try -e utf-8"),
        (marked("utf-32be"), "utf-8", "begins with the byte order mark of utf-32be: try -e utf-32"),
        // The number of bytes is odd, so only the last byte is ill-formed UTF-16.
        ("größer als groß\n".into(), "utf-16le", "looks like utf-8: try -e utf-8"),
        ("twelve ASCII".into(), "utf-32le", "looks like ascii: try -e ascii"),
        (encode("latin1", &german), "utf-8", "looks like latin1: try -e latin1"),
        (late_latin1, "utf-8", "looks like latin1: try -e latin1"),
    ] {
        fs::write(path.join("f"), &bytes).unwrap();
        let check = run(path, ["check", "-e", option, "f"]);
        let line = format!("utflane: f: {hint}");
        assert_eq!((check.status, first_message(&check)), (Some(1), line.as_str()), "{check:?}");
        assert!(check.text().starts_with("f:"));
        // A conversion stops at the same position and gives the same advice.
        let arguments = ["convert", "-f", option, "-t", "utf-32le", "f", "-o", "out"];
        let convert = run(path, arguments);
        let end = line.replace("-e ", "-f ");
        assert_eq!((convert.status, convert.err.lines().last()), (Some(1), Some(end.as_str())));
        // With `--list` or `-q`, there is no advice.
        run(path, ["check", "-l", "-e", option, "f"]).assert(1, "f\n", "");
        assert_eq!(run(path, ["check", "-q", "-e", option, "f"]).err, "");
    }
    // For a pipe, the advice is based on the part that has been read.
    let piped = feed(&mut utflane(["check"]), &marked("utf-16le"));
    assert_eq!(
        first_message(&piped),
        "utflane: -: begins with the byte order mark of utf-16le: try -e utf-16"
    );
}

/// Without a more likely encoding, there is no advice.
#[test]
fn no_encoding_is_suggested_for_text_with_errors() {
    let directory = tempfile::tempdir().unwrap();
    for text in [&b"gr\xC3\xB6\xC3\x9Fer \xFF h\xC3\xB6her"[..], b"caf\xC3", b"\xFF\xFF\0\x01"] {
        fs::write(directory.path().join("f"), text).unwrap();
        let check = run(directory.path(), ["check", "f"]);
        assert_eq!((check.status, check.err.as_str()), (Some(1), ""), "{check:?}");
    }
    // UTF-16 that ends inside a code unit or a surrogate pair.
    for text in ["größer als groß\n", "это русский текст", "中文和日文", "😀"]
    {
        let bytes = encode("utf-16le", text);
        for missing_len in 1..3 {
            fs::write(directory.path().join("f"), &bytes[..bytes.len() - missing_len]).unwrap();
            let check = run(directory.path(), ["check", "-e", "utf-16le", "f"]);
            assert_eq!(check.err, "", "{text} {missing_len}");
        }
    }
}

#[test]
fn without_a_file_standard_input_is_read() {
    feed(&mut utflane(["check"]), b"caf\xC3").assert(
        1,
        "-:1:4: byte 3: sequence too short (C3)\n",
        "",
    );
    feed(&mut utflane(["check"]), b"text").assert(0, "", "");
    let counted = feed(&mut utflane(["count"]), "größe\n".as_bytes());
    assert!(counted.text().ends_with("1  -\n"), "{counted:?}");
    let detected = feed(&mut utflane(["detect"]), "größe\n".as_bytes());
    assert!(detected.text().starts_with("-: utf-8 ("), "{detected:?}");
    feed(&mut utflane(["repair", "-q"]), "fÃ¶rste".as_bytes()).assert(0, "förste", "");
    for command in ["check", "count", "detect", "convert", "repair"] {
        let help = run(std::path::Path::new("."), [command, "--help"]);
        assert!(help.text().contains("[FILE]..."), "{command}");
    }
    // Standard input can't be replaced.
    run(std::path::Path::new("."), ["convert", "-i", "-f", "utf-8", "-t", "utf-8"]).assert(
        2,
        "",
        "utflane: -: standard input has no file name, which -i and -O need: use -o\n",
    );
}

#[test]
fn directories_get_advice_from_commands_that_can_read_them() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad"), b"\xFF").unwrap();
    for command in ["check", "count", "detect"] {
        let refused = "utflane: .: Is a directory: -r reads the files in it\n";
        let seen = run(directory.path(), [command, "."]);
        assert_eq!((seen.status, seen.err.as_str()), (Some(2), refused));
    }
    let repair = run(directory.path(), ["repair", "-n", "."]);
    repair.assert(2, "", "utflane: .: Is a directory: -r reads the files in it\n");
    let json = run(directory.path(), ["check", "--json", "."]);
    assert!(json.text().contains("-r reads the files in it"), "{json:?}");
    assert_eq!(run(directory.path(), ["check", "-r", "."]).status, Some(1));
}

#[test]
fn zero_jobs_are_refused() {
    let refused = run(std::path::Path::new("."), ["check", "--jobs", "0"]);
    let words = "invalid value '0' for '--jobs <N>': a number from 1 to ";
    assert!(refused.status == Some(2) && refused.err.contains(words), "{refused:?}");
}
