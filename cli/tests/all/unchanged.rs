//! Tests that files whose text would not change are not written. Also tests the warning if UTF-8 is
//! decoded as another encoding, and the option that prevents this.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{feed, run, utflane};

/// Writes a file and sets its modification time to a time long ago. Returns its [`read_state`].
fn write_old_file(path: &Path, text: &[u8]) -> (u64, SystemTime) {
    fs::write(path, text).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(1000);
    fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    read_state(path)
}

/// Returns the inode number and the modification time of a file.
#[cfg(unix)]
fn read_state(path: &Path) -> (u64, SystemTime) {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).unwrap();
    (found.ino(), found.modified().unwrap())
}

/// Returns zero and the modification time of a file.
#[cfg(not(unix))]
fn read_state(path: &Path) -> (u64, SystemTime) {
    (0, fs::metadata(path).unwrap().modified().unwrap())
}

#[cfg(unix)]
#[test]
fn a_file_that_would_not_change_is_not_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let long = "plain ascii\n".repeat(200_000);
    for (text, from, to) in [
        ("", "latin1", "utf-8"),
        ("ascii\n", "windows-1252", "utf-8"),
        ("größe\n", "utf-8", "utf-8"),
        (long.as_str(), "latin1", "utf-8"),
    ] {
        let before = write_old_file(&path.join("file"), text.as_bytes());
        let arguments = ["convert", "-f", from, "-t", to, "-i", "file"];
        run(path, arguments).assert(0, "", "utflane: 0 of 1 file converted, 1 unchanged\n");
        run(path, ["convert", "-f", from, "-t", to, "file", "-o", "./file"]).assert(0, "", "");
        run(path, ["repair", "-q", "-i", "file"]).assert(0, "", "");
        assert_eq!(read_state(&path.join("file")), before);
        assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    }
    // Another output is always written, so its modification time changes.
    write_old_file(&path.join("out"), b"ascii");
    let before = read_state(&path.join("out"));
    fs::write(path.join("file"), "ascii").unwrap();
    run(path, ["convert", "-f", "latin1", "-t", "utf-8", "file", "-o", "out"]).assert(0, "", "");
    assert_ne!(read_state(&path.join("out")).1, before.1);
    // A text that changes is written, even if its length stays the same.
    fs::write(path.join("file"), "a\u{e9}").unwrap();
    run(path, ["convert", "-q", "-f", "utf-8", "-t", "utf-16le", "-i", "file"]).assert(0, "", "");
    run(path, ["convert", "-q", "-f", "utf-16le", "-t", "utf-16be", "-i", "file"])
        .assert(0, "", "");
    assert_eq!(fs::read(path.join("file")).unwrap(), b"\0a\0\xE9");
}

#[test]
fn decoding_utf8_as_another_encoding_causes_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let warns = |from: &str, bytes: &[u8]| {
        fs::write(path.join("z"), bytes).unwrap();
        let run = run(path, ["convert", "-q", "-f", from, "-t", "utf-8", "z", "-o", "out"]);
        let warning = format!(
            "utflane: z: warning: it is valid UTF-8, so reading it as {from} has probably \
             garbled it: --skip-valid leaves such files as they are\n"
        );
        let piped = feed(&mut utflane(["convert", "-q", "-f", from, "-t", "utf-8"]), bytes);
        assert_eq!(piped.err, run.err.replace(": z: ", ": -: "));
        assert!(run.err.is_empty() || run.err == warning, "{}", run.err);
        assert_eq!(run.status, Some(0));
        !run.err.is_empty()
    };
    let long = ["x".repeat(3 << 20), "é".into()].concat();
    for (from, bytes) in [
        ("gbk", "中文\n".as_bytes()),
        ("latin1", "größe".as_bytes()),
        ("windows-1252", "naïve café".as_bytes()),
        ("utf-16le", "größer, höher".as_bytes()),
        ("latin1", long.as_bytes()),
        ("koi8-r", "\u{FEFF}Привет".as_bytes()),
    ] {
        assert!(warns(from, bytes), "{from}");
    }
    for (from, bytes) in [
        ("gbk", &b"\xD6\xD0\xCE\xC4"[..]),
        ("latin1", b"gr\xF6\xDFe"),
        ("latin1", b"ascii"),
        ("utf-16le", b"a\0b\0"),
        ("utf-16be", b"\0a\x20\xAC"),
        ("cesu-8", "größe".as_bytes()),
        ("utf-8", "größe".as_bytes()),
        // With a truncated sequence at the end, the text is not UTF-8.
        ("latin1", b"caf\xC3\xA9, caf\xC3"),
    ] {
        assert!(!warns(from, bytes), "{from}");
    }
}

#[test]
fn valid_files_are_skipped_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let arguments = ["convert", "-q", "--skip-valid", "-t", "utf-8", "-f"];
    let convert =
        |from: &str, rest: &[&str]| run(path, arguments.iter().chain(&[from]).chain(rest));
    let new_state = write_old_file(&path.join("new"), "中文\n".as_bytes());
    fs::write(path.join("old"), b"\xD6\xD0\xCE\xC4\n").unwrap();
    convert("gbk", &["-i", "new", "old"]).assert(0, "", "");
    assert_eq!(read_state(&path.join("new")), new_state);
    assert_eq!(fs::read_to_string(path.join("old")).unwrap(), "中文\n");
    // A second conversion changes nothing.
    let old_state = write_old_file(&path.join("old"), "中文\n".as_bytes());
    convert("gbk", &["-i", "new", "old"]).assert(0, "", "");
    assert_eq!(read_state(&path.join("old")), old_state);
    // Valid UTF-8 is copied to another output, also from a pipe, and options for UTF-8 work.
    convert("gbk", &["new"]).assert(0, "中文\n", "");
    let piped = |from: &str, bytes: &[u8]| {
        feed(&mut utflane(arguments.iter().chain(&[from, "--bom", "strip"])), bytes)
    };
    piped("gbk", "\u{FEFF}中文".as_bytes()).assert(0, "中文", "");
    piped("gbk", b"\xD6\xD0\xCE\xC4").assert(0, "中文", "");
    piped("auto", "größe".as_bytes()).assert(0, "größe", "");
    // ASCII bytes may be text in another encoding.
    piped("iso-2022-jp", b"\x1B$B$\"\x1B(B").assert(0, "あ", "");
    piped("utf-16le", b"a\0b\0").assert(0, "ab", "");
}
