//! File names with line feeds, control characters and bytes that are not Unicode: escaped in
//! messages, unescaped with `-0`, and with their bytes in JSON.
#![cfg(target_os = "linux")]

mod common;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use common::run;
use serde_json::{Value, json};

/// A name that forges a finding, clears the screen and is not Unicode; and as people read it.
const NAME: &[u8] = b"a\nb.txt:9:9: byte 9: fine \x1B[2J\xE2\x80\xAEgpj.\xFF\\";
const SHOWN: &str = "a\\nb.txt:9:9: byte 9: fine \\u{1b}[2J\\u{202e}gpj.\\xFF\\\\";

/// The arguments, with [`NAME`] after them.
fn with_name<'a>(arguments: &'a [&'a str]) -> Vec<&'a OsStr> {
    let mut all: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    all.push(OsStr::from_bytes(NAME));
    all
}

#[test]
fn names_are_escaped_for_people() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(OsStr::from_bytes(NAME));
    let missing = format!("utflane: {SHOWN}: No such file or directory\n");
    for command in [
        &["check"][..],
        &["count"],
        &["detect"],
        &["convert", "-f", "utf-8", "-t", "utf-8"],
        &["repair"],
    ] {
        run(directory.path(), with_name(command)).assert(2, "", &missing);
    }
    fs::write(&file, b"caf\xC3\n").unwrap();
    let finding = format!("{SHOWN}:1:4: byte 3: sequence too short (C3)\n");
    run(directory.path(), with_name(&["check"])).assert(1, &finding, "");
    let header = "bytes  code-points  utf16-units  lines  file\n";
    let table = format!("{header}    5            5            5      1  {SHOWN}\n");
    run(directory.path(), with_name(&["count"])).assert(0, &table, "");
    let found = run(directory.path(), with_name(&["detect"]));
    assert!(found.text().starts_with(&format!("{SHOWN}: latin1 (")), "{}", found.text());
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-16le"];
    let stopped = run(directory.path(), with_name(&arguments));
    assert_eq!((stopped.status, stopped.err), (Some(1), finding));
    let repaired = run(directory.path(), with_name(&["repair"]));
    assert!(repaired.err.starts_with(&format!("{SHOWN}:1:4: ")), "{}", repaired.err);
    let output = run(
        directory.path(),
        with_name(&["convert", "-f", "latin1", "-t", "utf-8", "/dev/null", "-o", "no/"]),
    );
    assert!(!output.err.contains('\x1B'), "{}", output.err);
}

/// Usage errors repeat the arguments.
#[test]
fn usage_errors_are_escaped() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [&["kernels"][..], &["convert", "-f", "utf-8", "-t"], &["check", "-e"], &[]] {
        let refused = run(directory.path(), with_name(arguments));
        assert_eq!((refused.status, refused.text()), (Some(2), ""));
        assert!(refused.err.contains("fine \\u{1b}[2J\\u{202e}gpj."), "{}", refused.err);
        assert!(
            !refused.err.contains('\x1B') && !refused.err.contains("b.txt:9:9: byte 9: fine \n")
        );
        assert!(refused.err.lines().all(|line| !line.starts_with("b.txt")), "{}", refused.err);
    }
}

/// For scripts: the name as it is, and a NUL.
#[test]
fn names_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(OsStr::from_bytes(NAME)), b"caf\xC3\n").unwrap();
    let named = |rest: &[u8]| [NAME, b"\0", rest].concat();
    let out = |arguments: &[&str]| run(directory.path(), with_name(arguments)).out;
    assert_eq!(out(&["check", "-0"]), named(b"1:4: byte 3: sequence too short (C3)\n"));
    assert!(out(&["detect", "--null"]).starts_with(&named(b" latin1 (")));
    let table = out(&["count", "-0"]);
    assert!(table.ends_with(&named(b"")), "{table:02X?}");
    let bytes: Vec<u8> = NAME.to_vec();
    for command in ["check", "count", "detect"] {
        let object: Value = serde_json::from_slice(&out(&[command, "--json"])).unwrap();
        assert_eq!(object["file"], json!(String::from_utf8_lossy(NAME)));
        assert_eq!(object["file_bytes"], json!(bytes), "{command}");
    }
    // A name in Unicode has no bytes beside it.
    fs::write(directory.path().join("b"), b"\xFF").unwrap();
    let object: Value =
        serde_json::from_slice(&run(directory.path(), ["check", "--json", "b"]).out).unwrap();
    assert_eq!((&object["file"], &object["file_bytes"]), (&json!("b"), &Value::Null));
}
