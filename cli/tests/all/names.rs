//! Tests of file names with line feeds, control characters and bytes that are not Unicode. Messages
//! escape these names, output with `-0` does not escape them, and JSON contains their bytes.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::common::run;
use serde_json::{Value, json};

/// A file name that imitates a finding, clears the screen and is not Unicode.
const NAME: &[u8] = b"a\nb.txt:9:9: byte 9: fine \x1B[2J\xE2\x80\xAEgpj.\xFF\\";
/// The name as messages show it.
const ESCAPED_NAME: &str = "a\\nb.txt:9:9: byte 9: fine \\u{1b}[2J\\u{202e}gpj.\\xFF\\\\";

/// Returns the arguments, followed by [`NAME`].
fn with_name<'a>(arguments: &'a [&'a str]) -> Vec<&'a OsStr> {
    let mut all: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    all.push(OsStr::from_bytes(NAME));
    all
}

#[test]
fn names_are_escaped_in_messages() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(OsStr::from_bytes(NAME));
    let missing = format!("utflane: {ESCAPED_NAME}: No such file or directory\n");
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
    let finding = format!("{ESCAPED_NAME}:1:4: byte 3: sequence too short (C3)\n");
    run(directory.path(), with_name(&["check"])).assert(1, &finding, "");
    let header = "bytes  code-points  utf16-units  lines  file\n";
    let table = format!("{header}    5            5            5      1  {ESCAPED_NAME}\n");
    run(directory.path(), with_name(&["count"])).assert(0, &table, "");
    let found = run(directory.path(), with_name(&["detect"]));
    assert!(
        found.text().starts_with(&format!("{ESCAPED_NAME}: windows-1250 (")),
        "{}",
        found.text()
    );
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-16le"];
    let stopped = run(directory.path(), with_name(&arguments));
    assert_eq!((stopped.status, stopped.err), (Some(1), finding));
    let repaired = run(directory.path(), with_name(&["repair"]));
    assert!(repaired.err.starts_with(&format!("{ESCAPED_NAME}:1:4: ")), "{}", repaired.err);
    let output = run(
        directory.path(),
        with_name(&["convert", "-f", "latin1", "-t", "utf-8", "/dev/null", "-o", "no/"]),
    );
    assert!(!output.err.contains('\x1B'), "{}", output.err);
}

/// Usage errors repeat the arguments, so they escape names, too.
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

/// With `-0`, output for scripts contains the unescaped name, followed by a NUL.
#[test]
fn names_are_not_escaped_for_scripts() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(OsStr::from_bytes(NAME)), b"caf\xC3\n").unwrap();
    let after_name = |rest: &[u8]| [NAME, b"\0", rest].concat();
    let out = |arguments: &[&str]| run(directory.path(), with_name(arguments)).out;
    assert_eq!(out(&["check", "-0"]), after_name(b"1:4: byte 3: sequence too short (C3)\n"));
    assert!(out(&["detect", "--null"]).starts_with(&after_name(b" windows-1250 (")));
    let table = out(&["count", "-0"]);
    assert!(table.ends_with(&after_name(b"")), "{table:02X?}");
    let bytes: Vec<u8> = NAME.to_vec();
    for command in ["check", "count", "detect"] {
        let object: Value = serde_json::from_slice(&out(&[command, "--json"])).unwrap();
        assert_eq!(object["file"], json!(String::from_utf8_lossy(NAME)));
        assert_eq!(object["file_bytes"], json!(bytes), "{command}");
    }
    // For a name in Unicode, JSON does not contain the bytes.
    fs::write(directory.path().join("b"), b"\xFF").unwrap();
    let object: Value =
        serde_json::from_slice(&run(directory.path(), ["check", "--json", "b"]).out).unwrap();
    assert_eq!((&object["file"], &object["file_bytes"]), (&json!("b"), &Value::Null));
}
