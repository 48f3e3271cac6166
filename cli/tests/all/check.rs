//! Tests of `utflane check` and `utflane count`, and of properties that all subcommands share.

use std::fs;

use crate::common::{ENCODINGS, Run, common_text, encode, feed, run, utflane};

#[test]
fn valid_files_are_silent() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("empty"), "").unwrap();
    fs::write(directory.path().join("text"), "Ångström\n😀".repeat(50_000)).unwrap();
    run(directory.path(), ["check", "empty", "text"]).assert(0, "", "");
    for (encoding, _) in ENCODINGS {
        let bytes = encode(encoding, common_text(encoding, encoding));
        fs::write(directory.path().join(encoding), bytes).unwrap();
        run(directory.path(), ["check", "-e", encoding, encoding]).assert(0, "", "");
    }
}

#[test]
fn an_invalid_file_gets_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let line = |position: &str| format!("bad{position}\n");
    for (encoding, bytes, position) in [
        ("utf-8", &b"caf\xC3"[..], ":1:4: byte 3: sequence too short (C3)"),
        ("utf-8", b"\xE2\x82 ", ":1:1: byte 0: sequence too short (E2 82)"),
        ("utf-8", b"a\n\xC3\xA9\xED\xA0\x80\xFF", ":2:2: byte 4: unpaired surrogate (ED)"),
        ("utf-8", b"\n\n\xC0\x80", ":3:1: byte 2: overlong sequence (C0)"),
        ("utf-8", b"\xF4\x90\x80\x80", ":1:1: byte 0: value too large (F4)"),
        ("utf-8", b"ab\x80", ":1:3: byte 2: stray continuation byte (80)"),
        ("utf-8", b"\xFE", ":1:1: byte 0: invalid lead byte (FE)"),
        ("ascii", b"na\xEFve", ":1:3: byte 2: value too large (EF)"),
        ("utf-16le", b"\n\0\n\n\0\xDC", ":2:2: byte 4: unpaired surrogate (00 DC)"),
        ("utf-16be", b"\0\n\xD8\0\0a", ":2:1: byte 2: unpaired surrogate (D8 00)"),
        ("utf-16le", b"a\0\n", ":1:2: byte 2: sequence too short (0A)"),
        ("utf-16le", b"\x3D\xD8\x00", ":1:1: byte 0: unpaired surrogate (3D D8 00)"),
        ("utf-32le", b"\n\0\0\0\0\xD8\0\0", ":2:1: byte 4: unpaired surrogate (00 D8 00 00)"),
        ("utf-32be", b"\0\x11\0\0", ":1:1: byte 0: value too large (00 11 00 00)"),
    ] {
        fs::write(directory.path().join("bad"), bytes).unwrap();
        run(directory.path(), ["check", "-q", "-e", encoding, "bad"]).assert(
            1,
            &line(position),
            "",
        );
    }
}

/// The ill-formed sequence crosses the end of the first 64 KiB, in turn at each of its bytes.
#[test]
fn positions_across_chunks_are_exact() {
    let directory = tempfile::tempdir().unwrap();
    for offset in 65_530..65_540 {
        let mut bytes = vec![b'\n'; 20];
        bytes.resize(offset, b'x');
        bytes.extend_from_slice(b"\xF0\x80\x80\x80");
        let column = offset - 19;
        let want = format!("far:21:{column}: byte {offset}: overlong sequence (F0)\n");
        fs::write(directory.path().join("far"), &bytes).unwrap();
        run(directory.path(), ["check", "far"]).assert(1, &want, "");
    }
}

#[test]
fn every_file_is_checked() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("good"), "good").unwrap();
    fs::write(directory.path().join("bad"), b"\xFF").unwrap();
    let bad = "bad:1:1: byte 0: invalid lead byte (FF)\n";
    let none = "utflane: none: No such file or directory\n";
    run(directory.path(), ["check", "bad", "good", "bad"]).assert(1, &bad.repeat(2), "");
    run(directory.path(), ["check", "none", "bad", "good"]).assert(2, bad, none);
    run(directory.path(), ["check", "bad", "none"]).assert(2, bad, none);
    let directory_message = "utflane: .: Is a directory: -r reads the files in it\n";
    run(directory.path(), ["check", "."]).assert(2, "", directory_message);
}

#[test]
fn standard_input_is_a_dash() {
    feed(&mut utflane(["check", "-"]), "größer".as_bytes()).assert(0, "", "");
    let run = feed(&mut utflane(["check", "-q", "-e", "us-ascii", "-"]), "größer".as_bytes());
    run.assert(1, "-:1:3: byte 2: value too large (C3)\n", "");
}

#[test]
fn count_is_a_table() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("one"), "añ😀\nb").unwrap();
    fs::write(directory.path().join("two"), "\n".repeat(1_000_000)).unwrap();
    let one = "\
bytes  code-points  utf16-units  lines  file
    9            5            6      1  one
";
    run(directory.path(), ["count", "one"]).assert(0, one, "");
    let both = "  \
  bytes  code-points  utf16-units    lines  file
      9            5            6        1  one
1000000      1000000      1000000  1000000  two
1000009      1000005      1000006  1000001  total
";
    run(directory.path(), ["count", "one", "two"]).assert(0, both, "");
    let run = run(directory.path(), ["count", "none", "one"]);
    assert_eq!((run.status, run.text().lines().count()), (Some(2), 3));
    assert_eq!(run.err, "utflane: none: No such file or directory\n");
}

/// Counts equal the counts of the whole file in every encoding, also for ill-formed text.
#[test]
fn counts_are_exact_over_chunks() {
    let counts = |encoding: &str, bytes: &[u8]| -> Vec<usize> {
        let run = feed(&mut utflane(["count", "-e", encoding, "-"]), bytes);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
        let row = run.text().lines().nth(1).unwrap();
        row.split_whitespace().take(4).map(|number| number.parse().unwrap()).collect()
    };
    for (encoding, _) in ENCODINGS {
        let text = common_text(encoding, encoding);
        let bytes = encode(encoding, text);
        let lines = text.matches('\n').count();
        let want = [bytes.len(), text.chars().count(), text.encode_utf16().count(), lines];
        assert_eq!(counts(encoding, &bytes), want, "{encoding}");
    }
    let ill_formed = b"\x80\xF0\xFFa\n\xC3".repeat(40_000);
    assert_eq!(counts("utf-8", &ill_formed), [240_000, 200_000, 280_000, 40_000]);
    let mut ill_formed = b"\0\xDC\n\0\0\xD8".repeat(40_001);
    ill_formed.push(b'\n');
    assert_eq!(counts("utf-16le", &ill_formed), [240_007, 80_002, 120_003, 40_001]);
}

#[test]
fn wrong_usage_has_status_two() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["check", "-e", "utf-7", "x"],
        &["convert", "-f", "utf-8", "x"],
        &["convert", "-f", "utf-8", "-t", "auto", "x"],
        &["check", "-j", "0", "x"],
    ] {
        let run = run(directory.path(), arguments);
        assert_eq!((run.status, run.text()), (Some(2), ""), "{arguments:?}");
        assert!(run.err.contains("Usage:") || run.err.contains("--help"), "{arguments:?}");
    }
}

#[test]
fn help_has_examples() {
    let directory = tempfile::tempdir().unwrap();
    for command in ["", "check", "convert", "count", "detect", "repair", "encodings", "kernels"] {
        let arguments = [command, "--help"].into_iter().filter(|argument| !argument.is_empty());
        let run = run(directory.path(), arguments);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
        assert!(run.text().contains("Examples:\n  utflane"), "{command}");
        assert!(run.text().contains("Exit status:"), "{command}");
        assert!(run.text().lines().all(|line| line.chars().count() <= 100), "{command}");
    }
    let version = format!("utflane {}\n", env!("CARGO_PKG_VERSION"));
    run(directory.path(), ["--version"]).assert(0, &version, "");
}

#[test]
fn kernels_are_listed() {
    let list_kernels = |name: &str| {
        utflane(["kernels"]).env("UTFLANE_KERNEL", name).output().map(Run::from).unwrap()
    };
    let run = list_kernels("");
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
    print!("{}", run.text());
    let mut lines = run.text().lines();
    // The first column is as wide as the longest name: `avx512x2`, if this kernel is compiled.
    let width = if run.text().contains("avx512x2") { 8 } else { 6 };
    assert_eq!(lines.next(), Some(&*format!("{:width$}  available  active", "kernel")));
    let active_count = lines.filter(|line| line.ends_with("yes")).count();
    assert_eq!(active_count, 1);
    let scalar = format!("{:width$}  yes        yes\n", "scalar");
    assert!(list_kernels("SCALAR").text().ends_with(&scalar));
}

#[test]
fn a_rejected_kernel_ends_every_command() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("file"), "text").unwrap();
    for arguments in [
        &["check", "file"][..],
        &["count", "file"],
        &["convert", "-f", "utf-8", "-t", "utf-8", "-o", "out", "file"],
        &["kernels"],
    ] {
        let mut command = utflane(arguments);
        command.current_dir(directory.path()).env("UTFLANE_KERNEL", "abacus");
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.status, Some(2), "{arguments:?}");
        let start =
            "utflane: UTFLANE_KERNEL: 'abacus' is not a kernel of this program: use one of ";
        assert!(run.err.starts_with(start) && run.err.ends_with("scalar\n"), "{}", run.err);
        assert_eq!(run.out.is_empty(), arguments != ["kernels"]);
    }
    assert!(!directory.path().join("out").exists());
}
