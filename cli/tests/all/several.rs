//! Tests of `utflane convert` with several files: `--in-place` and `--output-dir`.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{Run, run, utflane};
use tempfile::TempDir;

/// The names of files, and their texts.
const TEXTS: [(&str, &str); 3] = [("a", "größer\n"), ("b", "x"), ("c", "")];

/// Returns a directory with [`TEXTS`] in Latin-1 and an empty directory `out`.
fn make_directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in TEXTS {
        let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
        fs::write(directory.path().join(name), bytes).unwrap();
    }
    fs::create_dir(directory.path().join("out")).unwrap();
    directory
}

fn convert(directory: &Path, arguments: &str) -> Run {
    let arguments = format!("convert -f latin1 -t utf-8 {arguments}");
    run(directory, arguments.split(' '))
}

fn read_text(directory: &Path, name: &str) -> String {
    String::from_utf8_lossy(&fs::read(directory.join(name)).unwrap()).into()
}

#[test]
fn files_are_replaced_in_place() {
    let directory = make_directory();
    let path = directory.path();
    fs::set_permissions(path.join("a"), fs::Permissions::from_mode(0o640)).unwrap();
    let summary = "utflane: 1 of 3 files converted, 2 unchanged\n";
    convert(path, "--in-place a b c").assert(0, "", summary);
    for (name, want) in TEXTS {
        assert_eq!(read_text(path, name), want);
    }
    assert_eq!(fs::metadata(path.join("a")).unwrap().mode() & 0o777, 0o640);
    let again = run(path, ["convert", "-f", "utf-8", "-t", "latin1", "-qi", "a"]);
    again.assert(0, "", "");
    assert_eq!(fs::read(path.join("a")).unwrap(), b"gr\xF6\xDFer\n");
}

#[test]
fn files_are_written_to_a_directory() {
    let directory = make_directory();
    let path = directory.path();
    fs::write(path.join("out/b"), "older and longer").unwrap();
    let before = fs::read(path.join("a")).unwrap();
    let converted = convert(path, "a ./b -O out --output-dir=out");
    assert_eq!(converted.status, Some(2), "an option that is given twice is refused");
    convert(path, "a ./b c -O out").assert(0, "", "utflane: 3 of 3 files converted\n");
    for (name, want) in TEXTS {
        assert_eq!(read_text(&path.join("out"), name), want);
    }
    assert_eq!(fs::read(path.join("a")).unwrap(), before);
    convert(path, "a -O out").assert(0, "", "utflane: 1 of 1 file converted\n");
}

/// The other files are converted, the exit status is the worst status of all files, and a summary
/// is printed.
#[test]
fn a_failure_does_not_stop_the_conversion_of_other_files() {
    let directory = make_directory();
    let path = directory.path();
    fs::write(path.join("bad"), "ok €").unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "latin1", "-i", "bad", "none", "out", "b"];
    let result = run(path, arguments);
    let finding = "bad:1:4: byte 3: character not in the target encoding (E2 82 AC)\n";
    let err = format!(
        "{finding}utflane: bad: left as it was\n\
         utflane: none: No such file or directory\n\
         utflane: out: Is a directory: -r reads the files in it\n\
         utflane: 0 of 4 files converted, 1 unchanged, 1 refused, 2 failed\n"
    );
    result.assert(2, "", &err);
    assert_eq!(read_text(path, "bad"), "ok €");

    let arguments = ["convert", "-f", "utf-8", "-t", "latin1", "-O", "out", "bad", "b"];
    let result = run(path, arguments);
    result.assert(1, "", &format!("{finding}utflane: 1 of 2 files converted, 1 refused\n"));
    assert!(!path.join("out/bad").exists());
    assert_eq!(read_text(path, "out/b"), "x");
    let partial = arguments.iter().copied().chain(["--keep-partial", "-q"]);
    run(path, partial).assert(1, "", finding);
    assert_eq!(read_text(path, "out/bad"), "ok ");
}

#[test]
fn encodings_are_detected_for_each_file() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("utf8"), "größer\n").unwrap();
    fs::write(directory.path().join("utf16"), b"\xFE\xFF\0a\0\xE9").unwrap();
    let arguments = ["convert", "-q", "-f", "auto", "-t", "utf-8", "--bom", "strip", "-i"];
    run(directory.path(), arguments.iter().chain(&["utf8", "utf16"])).assert(0, "", "");
    assert_eq!(read_text(directory.path(), "utf8"), "größer\n");
    assert_eq!(read_text(directory.path(), "utf16"), "aé");
}

/// If there is a conflict, nothing is written.
#[test]
fn conflicts_are_found_before_anything_is_written() {
    let directory = make_directory();
    let path = directory.path();
    fs::create_dir(path.join("more")).unwrap();
    fs::write(path.join("more/a"), b"\xE9").unwrap();
    symlink("../a", path.join("out/c")).unwrap();
    for (arguments, name, reason) in [
        ("b - -i", "-", "standard input has no file name, which -i and -O need: use -o"),
        ("-i", "-", "standard input has no file name, which -i and -O need: use -o"),
        ("-O out", "-", "standard input has no file name, which -i and -O need: use -o"),
        (
            "b a more/a -O out",
            "out/a",
            "two inputs would have this output file: use two directories",
        ),
        ("c a -O .", "./c", "it is an input: use --in-place to replace it"),
        ("a c -O out", "out/c", "it is an input: use --in-place to replace it"),
        ("a - -O out", "-", "standard input has no file name, which -i and -O need: use -o"),
        ("a .. -O out", "..", "it has no file name for --output-dir"),
        ("a -O none", "none", "No such file or directory"),
        ("a -O b", "b", "Not a directory"),
        ("a b", "b", "several files need --in-place or --output-dir (see --help)"),
        ("a b -o new", "b", "several files need --in-place or --output-dir (see --help)"),
    ] {
        convert(path, arguments).assert(2, "", &format!("utflane: {name}: {reason}\n"));
        assert_eq!(fs::read(path.join("a")).unwrap(), b"gr\xF6\xDFer\n", "{arguments}");
        assert!(!path.join("out/a").exists() && !path.join("new").exists(), "{arguments}");
    }
    for arguments in ["a -i -O out", "a -i -o new", "a -i --keep-partial"] {
        let usage = convert(path, arguments);
        assert_eq!((usage.status, usage.text()), (Some(2), ""), "{arguments}");
        assert!(usage.err.contains("--help"), "{}", usage.err);
    }
}

/// Two links in the output directory lead to the same name, which does not exist yet.
#[test]
fn links_to_one_new_file_do_not_overwrite_each_other() {
    let directory = make_directory();
    let path = directory.path();
    symlink("new", path.join("out/a")).unwrap();
    symlink("new", path.join("out/b")).unwrap();
    let refused = convert(path, "a b -O out");
    refused.assert(
        2,
        "",
        "utflane: out/b: two inputs would have this output file: use two directories\n",
    );
}

#[test]
fn only_regular_files_are_replaced() {
    let directory = make_directory();
    let path = directory.path();
    let Ok(made) = Command::new("mkfifo").arg(path.join("pipe")).status() else { return };
    assert!(made.success());
    // The command does not open the pipe: that would wait for a writer.
    let refusal =
        "utflane: pipe: only a regular file can be replaced: use -o to write to another file\n";
    convert(path, "-i pipe").assert(
        2,
        "",
        &format!("{refusal}utflane: 0 of 1 file converted, 1 failed\n"),
    );
    run(path, ["repair", "-qi", "pipe"]).assert(2, "", refusal);
}

/// The signal comes during the second conversion. The temporary file of this conversion is removed,
/// and the result of the first conversion stays.
#[test]
fn a_signal_leaves_no_temporary_file_of_any_input() {
    use std::os::unix::process::ExitStatusExt;
    let directory = make_directory();
    let path = directory.path();
    let mut command = utflane(["convert", "-qf", "latin1", "-t", "utf-8", "-O", "out", "-j1", "a"]);
    command.arg("/dev/stdin").current_dir(path).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _open = child.stdin.take().unwrap();
    let count_files = || fs::read_dir(path.join("out")).unwrap().count();
    for _ in 0..1000 {
        if count_files() == 2 {
            break;
        }
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(count_files(), 2, "there are the first file and a temporary file");
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(count_files(), 1);
    assert_eq!(read_text(path, "out/a"), "größer\n");
}

/// Files are synced and renamed in groups of up to 512. There are more files, and some conversions
/// fail.
#[test]
fn groups_of_files_are_all_converted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let names: Vec<String> = (0..600).map(|i| format!("f{i:03}")).collect();
    for (i, name) in names.iter().enumerate() {
        let text = if i % 50 == 49 { "€".to_string() } else { format!("é{i}") };
        fs::write(path.join(name), text).unwrap();
    }
    let arguments = ["convert", "-f", "utf-8", "-t", "latin1", "-i"].map(String::from);
    let result = run(path, arguments.iter().chain(&names));
    assert!(
        result.status == Some(1)
            && result.err.ends_with("588 of 600 files converted, 12 refused\n"),
        "{result:?}"
    );
    for (i, name) in names.iter().enumerate() {
        let bytes = fs::read(path.join(name)).unwrap();
        let want = [&b"\xE9"[..], i.to_string().as_bytes()].concat();
        assert_eq!(bytes, if i % 50 == 49 { "€".as_bytes() } else { &want }, "{name}");
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 600);
}
