//! Tests of `-r`, which reads directories, and of `check --list`.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::Path;

use crate::common::{Run, print_notice, run, utflane};
use tempfile::TempDir;

/// Returns a directory tree in which every file except `good` and the ignore files is ill-formed.
fn make_tree() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for directory in [".git", "b", "b/deep", "a", ".hidden"] {
        fs::create_dir(root.join(directory)).unwrap();
    }
    for file in [
        "z",
        "b/2",
        "b/10",
        "b/deep/x",
        "a/made.log",
        "a/notes",
        "b.txt",
        ".secret",
        ".hidden/in",
        "a/skipped",
    ] {
        fs::write(root.join(file), b"\xFF").unwrap();
    }
    fs::write(root.join("good"), "text").unwrap();
    fs::write(root.join(".gitignore"), "*.log\n").unwrap();
    fs::write(root.join("a/.ignore"), "skipped\n").unwrap();
    symlink("z", root.join("link")).unwrap();
    symlink("b", root.join("linked")).unwrap();
    directory
}

/// Returns the names that `check --list` prints.
fn list_ill_formed_files(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let found = run(directory, [&["check", "--list"], arguments].concat());
    assert_eq!((found.status, found.err.as_str()), (Some(1), ""), "{arguments:?}");
    found.text().lines().map(String::from).collect()
}

#[test]
fn directories_are_read_in_the_order_of_the_names() {
    let directory = make_tree();
    let visible = ["a/notes", "b/10", "b/2", "b/deep/x", "b.txt", "z"];
    for jobs in ["1", "7"] {
        assert_eq!(list_ill_formed_files(directory.path(), &["-r", "-j", jobs]), visible);
    }
    let with_dot: Vec<String> = visible.iter().map(|name| format!("./{name}")).collect();
    assert_eq!(list_ill_formed_files(directory.path(), &["-r", "."]), with_dot);
    // Files and folders are read in the order of the arguments. Files and folders that are named as
    // arguments are always read.
    let named = list_ill_formed_files(
        directory.path(),
        &["-r", "z", "b", ".secret", "a", ".hidden", "linked"],
    );
    let want = ["z", "b/10", "b/2", "b/deep/x", ".secret", "a/notes", ".hidden/in"];
    assert_eq!(named[..7], want);
    assert_eq!(named[7..], ["linked/10", "linked/2", "linked/deep/x"]);
    let hidden = list_ill_formed_files(directory.path(), &["-r", "--hidden"]);
    assert_eq!(hidden[..2], [".hidden/in", ".secret"]);
    let all = list_ill_formed_files(directory.path(), &["-r", "--no-ignore"]);
    assert_eq!(all[..3], ["a/made.log", "a/notes", "a/skipped"]);
    assert!(!all.iter().any(|name| name.starts_with('.')), "{all:?}");
}

#[test]
fn every_command_that_takes_several_files_reads_directories() {
    let directory = make_tree();
    let count = run(directory.path(), ["count", "-r", "b"]);
    let names: Vec<&str> =
        count.text().lines().map(|line| line.split_whitespace().last().unwrap()).collect();
    assert_eq!(names, ["file", "b/10", "b/2", "b/deep/x", "total"]);
    let detect = run(directory.path(), ["detect", "--recursive", "b", "good"]);
    assert_eq!((detect.status, detect.text().lines().count()), (Some(0), 4));
    let check = run(directory.path(), ["check", "-r", "b/deep"]);
    check.assert(1, "b/deep/x:1:1: byte 0: invalid lead byte (FF)\n", "");
}

#[test]
fn a_directory_without_the_option_is_an_error() {
    let directory = make_tree();
    for command in ["check", "count", "detect"] {
        let refused = run(directory.path(), [command, "b"]);
        refused.assert(2, "", "utflane: b: Is a directory: -r reads the files in it\n");
    }
}

/// A file named `-` that is found in a directory is not standard input.
#[test]
fn a_dash_in_a_directory_is_a_file() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("-"), b"\xFF").unwrap();
    assert_eq!(list_ill_formed_files(directory.path(), &["-r"]), ["./-"]);
}

/// Reading a pipe might wait forever, and reading a socket would fail.
#[test]
fn only_regular_files_in_directories_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let _socket = UnixListener::bind(directory.path().join("socket")).unwrap();
    fs::write(directory.path().join("good"), "text").unwrap();
    run(directory.path(), ["check", "-r"]).assert(0, "", "");
    fs::create_dir(directory.path().join("empty")).unwrap();
    run(directory.path(), ["check", "-r", "empty"]).assert(0, "", "");
    let missing = run(directory.path(), ["check", "-r", "none"]);
    missing.assert(2, "", "utflane: none: No such file or directory\n");
}

#[test]
fn an_unreadable_directory_is_an_error() {
    let directory = make_tree();
    let locked = directory.path().join("b/deep");
    fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(directory.path(), Permissions::from_mode(0o755)).unwrap();
    let mut command = utflane(["check", "-r", "--list", "b"]);
    if rustix::process::geteuid().is_root() {
        // Root may read every directory.
        command.uid(65534).gid(65534);
    }
    match command.current_dir(directory.path()).output().map(Run::from) {
        Ok(found) => found.assert(2, "b/10\nb/2\n", "utflane: b/deep: Permission denied\n"),
        Err(error) => print_notice(&format!("NOT TESTED: another user: {error}")),
    }
    fs::set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn only_the_names_of_invalid_files_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
    write("good", b"text");
    write("bad\n\x1B", &b"\xFF\n".repeat(5000));
    write("worse", b"\xFF");
    let list = ["check", "-l", "good", "bad\n\x1B", "worse", "none"];
    let missing = "utflane: none: No such file or directory\n";
    run(directory.path(), list).assert(2, "bad\\n\\u{1b}\nworse\n", missing);
    let null = list.iter().copied().chain(["-0"]);
    run(directory.path(), null).assert(2, "bad\n\x1B\0worse\0", missing);
    run(directory.path(), ["check", "--list", "good"]).assert(0, "", "");
    // A file for which no encoding is likely is invalid.
    write("unsure", b"abc\x82\xA0\x81\n\xFDz");
    let unsure = run(directory.path(), ["check", "-q", "-l", "-e", "auto", "unsure", "good"]);
    assert_eq!((unsure.status, unsure.text()), (Some(1), "unsure\n"));
    for option in ["--all", "--json", "--excerpt=always"] {
        let mut command = utflane(["check", "--list", option, "good"]);
        assert_eq!(command.current_dir(directory.path()).output().unwrap().status.code(), Some(2));
    }
}
