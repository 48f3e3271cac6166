//! Tests of the command under limits of the system: few threads, few file descriptors, little disk
//! space, and a pipe that stays open without more bytes.
#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::common::{Run, print_notice, utflane};

const UTFLANE: &str = env!("CARGO_BIN_EXE_utflane");

/// Runs the command under a limit that prevents it from starting threads. Returns `None` if the
/// limit can't be set.
fn run_without_threads(directory: &Path, arguments: &[&str]) -> Option<Run> {
    let limited = "ulimit -u 1 2>/dev/null || ulimit -p 1 || exit 99; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, UTFLANE]).args(arguments).current_dir(directory);
    if rustix::process::geteuid().is_root() {
        // The limit doesn't apply to root.
        command.uid(65534).gid(65534);
    }
    match command.output().map(Run::from) {
        Ok(run) if ![Some(99), Some(126)].contains(&run.status) => Some(run),
        failed => {
            print_notice(&format!("NOT TESTED: a limit of one thread: {failed:?}"));
            None
        }
    }
}

#[test]
fn no_further_thread_is_needed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::set_permissions(directory, Permissions::from_mode(0o777)).unwrap();
    fs::write(directory.join("long"), b"\xE9".repeat(3 << 20)).unwrap();
    fs::write(directory.join("short"), b"text").unwrap();
    let check = ["check", "-e", "latin1", "-j", "3", "long", "short", "long"];
    let Some(run) = run_without_threads(directory, &check) else { return };
    run.assert(0, "", "");
    let convert = ["convert", "-f", "latin1", "-t", "utf-8", "long", "-o", "out"];
    run_without_threads(directory, &convert).unwrap().assert(0, "", "");
    assert!(fs::read_to_string(directory.join("out")).unwrap() == "é".repeat(3 << 20));
}

/// Temporary files that have not been renamed yet occupy file descriptors and disk space.
#[test]
fn many_files_need_few_descriptors() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for number in 0..100 {
        fs::write(directory.join(number.to_string()), b"\xE9").unwrap();
    }
    let line = "ulimit -n 24; exec \"$0\" convert -f latin1 -t utf-8 -i *";
    let output = Command::new("sh").args(["-c", line, UTFLANE]).current_dir(directory).output();
    let summary = "utflane: 100 of 100 files converted\n";
    output.map(Run::from).unwrap().assert(0, "", summary);
}

/// The disk has space for 11 of the 20 new files.
#[test]
fn many_files_need_little_disk_space() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let line = "mount -t tmpfs -o size=1m tmpfs . || exit 99; cd \"$PWD\"; for i in $(seq 20); do \
                head -c 40000 /dev/zero >$i; done; \
                exec \"$0\" convert -f utf-16le -t ascii -i *";
    let mut command = Command::new("unshare");
    let output = command.args(["-m", "sh", "-c", line, UTFLANE]).current_dir(directory).output();
    match output.map(Run::from) {
        Ok(run) if ![Some(99), Some(1)].contains(&run.status) => {
            run.assert(0, "", "utflane: 20 of 20 files converted\n");
        }
        other => print_notice(&format!("NOT TESTED: no mounts here: {other:?}")),
    }
}

/// The rest of the line may never arrive, for example if the input is the output of `tail -f`.
#[test]
fn an_excerpt_does_not_wait_for_the_rest_of_the_line() {
    let mut command = utflane(["check", "--excerpt", "always", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"one\nca\xFFe and more").unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in output.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    for want in ["-:2:3: byte 6: invalid lead byte (FF)", "  ca\\xFFe and more", "    ^^^^"] {
        let line = receiver.recv_timeout(Duration::from_secs(20));
        assert_eq!(line.as_deref(), Ok(want));
    }
    drop(pipe);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
