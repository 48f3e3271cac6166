//! Where `utflane convert -o` writes, and how the commands end when nobody reads on.
#![cfg(unix)]

mod common;

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use common::{Run, run, start, utflane};

const CONVERT: [&str; 5] = ["convert", "-f", "latin1", "-t", "utf-8"];
const NARROW: [&str; 5] = ["convert", "-f", "utf-8", "-t", "latin1"];
const NARROW_ERROR: &str = "in:1:6: byte 6: character not in the target encoding (E2 82 AC)\n";

fn convert<const N: usize>(home: &Path, verb: [&str; 5], rest: [&str; N]) -> Run {
    run(home, verb.iter().chain(&rest).map(OsStr::new))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// The names in a directory, in order: no temporary file may be among them.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_file_has_the_usual_mode() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("in"), b"na\xEFve").unwrap();
    File::create(home.join("usual")).unwrap();
    convert(home, CONVERT, ["in", "-o", "out"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(home.join("out")).unwrap(), "naïve");
    assert_eq!(mode(&home.join("out")), mode(&home.join("usual")));
    assert_eq!(names(home), ["in", "out", "usual"]);
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("in"), "new").unwrap();
    for bits in [0o600, 0o640, 0o777, 0o666] {
        fs::write(home.join("out"), "old").unwrap();
        fs::set_permissions(home.join("out"), Permissions::from_mode(bits)).unwrap();
        convert(home, CONVERT, ["in", "-o", "out"]).assert(0, "", "");
        assert_eq!(fs::read_to_string(home.join("out")).unwrap(), "new");
        assert_eq!(mode(&home.join("out")), bits);
    }
}

#[test]
fn the_output_may_be_the_input() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, b"\xE9".repeat(500_000)).unwrap();
    convert(home.path(), CONVERT, ["file", "-o", "file"]).assert(0, "", "");
    assert!(fs::read_to_string(&file).unwrap() == "é".repeat(500_000));
}

#[test]
fn links_are_followed_and_stay() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::create_dir(home.join("elsewhere")).unwrap();
    fs::write(home.join("in"), "text").unwrap();
    // A link to a link to a file, a dangling link, and a relative one inside another directory.
    fs::write(home.join("elsewhere/target"), "old").unwrap();
    symlink("elsewhere/second", home.join("link")).unwrap();
    symlink("target", home.join("elsewhere/second")).unwrap();
    symlink("elsewhere/absent", home.join("dangling")).unwrap();
    for (link, target) in [("link", "elsewhere/target"), ("dangling", "elsewhere/absent")] {
        convert(home, CONVERT, ["in", "-o", link]).assert(0, "", "");
        assert!(fs::symlink_metadata(home.join(link)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(home.join(target)).unwrap(), "text");
    }
    assert_eq!(names(&home.join("elsewhere")), ["absent", "second", "target"]);
    symlink("circle", home.join("circle")).unwrap();
    assert_eq!(convert(home, CONVERT, ["in", "-o", "circle"]).status, Some(2));
}

#[test]
fn a_failed_conversion_leaves_the_output() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("in"), "café €").unwrap();
    convert(home, NARROW, ["in", "-o", "out"]).assert(1, "", NARROW_ERROR);
    assert_eq!(names(home), ["in"]);
    fs::write(home.join("out"), "old").unwrap();
    convert(home, NARROW, ["in", "-o", "out"]).assert(1, "", NARROW_ERROR);
    assert_eq!(fs::read_to_string(home.join("out")).unwrap(), "old");
    assert_eq!(names(home), ["in", "out"]);
}

#[test]
fn the_prefix_is_kept_on_request() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("in"), "café €").unwrap();
    for _ in ["absent", "there"] {
        let run = convert(home, NARROW, ["in", "-o", "out", "--keep-partial"]);
        run.assert(1, "", NARROW_ERROR);
        assert_eq!(fs::read(home.join("out")).unwrap(), b"caf\xE9 ");
        assert_eq!(names(home), ["in", "out"]);
        fs::write(home.join("out"), "old and longer").unwrap();
    }
}

#[test]
fn a_fifo_is_written_straight() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    if !Command::new("mkfifo").arg(home.join("fifo")).status().is_ok_and(|status| status.success())
    {
        common::say("NOT TESTED: mkfifo is not installed here");
        return;
    }
    for (bytes, status) in [("café", 0), ("café €", 1)] {
        fs::write(home.join("in"), bytes).unwrap();
        let fifo = home.join("fifo");
        let reader = thread::spawn(move || fs::read(fifo).unwrap());
        let run = convert(home, NARROW, ["in", "-o", "fifo"]);
        assert_eq!(run.status, Some(status));
        assert!(reader.join().unwrap().starts_with(b"caf\xE9"));
        assert_eq!(names(home), ["fifo", "in"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_straight() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("in"), "text").unwrap();
    convert(home, CONVERT, ["in", "-o", "/dev/null"]).assert(0, "", "");
    convert(home, CONVERT, ["in", "-o", "/dev/stdout"]).assert(0, "text", "");
    let full = "utflane: /dev/full: No space left on device\n";
    convert(home, CONVERT, ["in", "-o", "/dev/full"]).assert(2, "", full);
    // Behind a descriptor's name, the open file is written and not replaced.
    let kept = File::create(home.join("kept")).unwrap();
    let mut command = utflane(CONVERT.iter().chain(&["in", "-o", "/proc/self/fd/2"]));
    let status = command.current_dir(home).stderr(kept.try_clone().unwrap()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut text = String::new();
    File::open(home.join("kept")).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), kept.metadata().unwrap().len()), ("text", 4));
}

#[test]
fn a_full_standard_output_is_trouble() {
    if !Path::new("/dev/full").exists() {
        common::say("NOT TESTED: there is no /dev/full here");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("in"), "text").unwrap();
    for arguments in [&[&CONVERT[..], &["in"]].concat()[..], &["count", "in"], &["kernels"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = utflane(arguments);
        command.current_dir(home.path()).stdout(full).stderr(Stdio::piped());
        let run = Run::from(command.output().unwrap());
        run.assert(2, "", "utflane: standard output: No space left on device\n");
    }
}

/// The pipe is closed from the start, so that the first write fails.
#[test]
fn a_closed_pipe_ends_quietly() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("good"), "text\n").unwrap();
    fs::write(home.path().join("bad"), b"text\n\xFF").unwrap();
    for (arguments, status, err) in [
        (&[&CONVERT[..], &["good"]].concat()[..], 0, ""),
        (&["count", "good"], 0, ""),
        (&["kernels"], 0, ""),
        (&["--help"], 0, ""),
        (&["check", "good"], 0, ""),
        (&["check", "bad", "bad"], 1, ""),
        (
            &["convert", "-f", "utf-8", "-t", "utf-8", "bad"],
            1,
            "bad:2:1: byte 5: invalid lead byte (FF)\n",
        ),
    ] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = utflane(arguments);
        command.current_dir(home.path()).stdout(writer).stderr(Stdio::piped());
        let run = Run::from(command.output().unwrap());
        assert_eq!((run.status, run.err.as_str()), (Some(status), err), "{arguments:?}");
    }
}

/// As in `utflane convert ... | head`: the pipe is closed while there is much to write.
#[test]
fn a_pipe_closed_on_the_way_ends_quietly() {
    let (mut child, feeder) = start(&mut utflane(CONVERT), b"\xE9".repeat(4 << 20));
    let mut beginning = [0; 1000];
    child.stdout.take().unwrap().read_exact(&mut beginning).unwrap();
    assert_eq!(std::str::from_utf8(&beginning).unwrap(), "é".repeat(500));
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    // It didn't read on to the end.
    assert_eq!(feeder.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
