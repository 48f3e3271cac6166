//! Tests of the output of `utflane convert -o`, and of how each command ends if nobody reads its
//! output.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{Run, print_notice, run, start, utflane};

const TO_UTF8: [&str; 5] = ["convert", "-f", "latin1", "-t", "utf-8"];
const TO_LATIN1: [&str; 5] = ["convert", "-f", "utf-8", "-t", "latin1"];
const TO_LATIN1_ERROR: &str = "in:1:6: byte 6: character not in the target encoding (E2 82 AC)\n";

fn convert<const N: usize>(directory: &Path, options: [&str; 5], files: [&str; N]) -> Run {
    run(directory, options.iter().chain(&files).map(OsStr::new))
}

fn read_mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

/// Returns the names in a directory, in order. The tests compare all names, because no temporary
/// file may be among them.
fn read_names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_file_has_the_usual_mode() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), b"na\xEFve").unwrap();
    File::create(directory.join("usual")).unwrap();
    convert(directory, TO_UTF8, ["in", "-o", "out"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "naïve");
    assert_eq!(read_mode(&directory.join("out")), read_mode(&directory.join("usual")));
    assert_eq!(read_names(directory), ["in", "out", "usual"]);
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), "new").unwrap();
    for bits in [0o600, 0o640, 0o777, 0o666] {
        fs::write(directory.join("out"), "old").unwrap();
        fs::set_permissions(directory.join("out"), Permissions::from_mode(bits)).unwrap();
        convert(directory, TO_UTF8, ["in", "-o", "out"]).assert(0, "", "");
        assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "new");
        assert_eq!(read_mode(&directory.join("out")), bits);
    }
}

/// The usual id of the user and the group that own nothing.
const NOBODY: u32 = 65534;

/// Returns the owner, the group and the mode of a file.
fn read_access(path: &Path) -> (u32, u32, u32) {
    let found = fs::metadata(path).unwrap();
    (found.uid(), found.gid(), found.mode() & 0o7777)
}

/// Returns true if this process may give files to other owners. Otherwise the caller skips its
/// test.
fn is_privileged(directory: &Path) -> bool {
    let file = directory.join("given");
    File::create(&file).unwrap();
    let given = chown(&file, Some(NOBODY), Some(NOBODY)).is_ok();
    fs::remove_file(&file).unwrap();
    if !given {
        print_notice("NOT TESTED: files of other owners, which only root can make");
    }
    given
}

#[test]
fn a_privileged_process_keeps_owner_group_and_mode() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    if !is_privileged(directory) {
        return;
    }
    fs::write(directory.join("in"), "new").unwrap();
    for (owner, group, bits) in
        [(NOBODY, NOBODY, 0o6755), (NOBODY, 0, 0o4711), (0, NOBODY, 0o2770), (1000, 2000, 0o660)]
    {
        fs::write(directory.join("out"), "old").unwrap();
        chown(directory.join("out"), Some(owner), Some(group)).unwrap();
        fs::set_permissions(directory.join("out"), Permissions::from_mode(bits)).unwrap();
        convert(directory, TO_UTF8, ["in", "-o", "out"]).assert(0, "", "");
        assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "new");
        assert_eq!(read_access(&directory.join("out")), (owner, group, bits));
    }
}

/// A user may write to a file of another owner or group, but can't create a file with that owner or
/// group.
#[test]
fn an_unprivileged_process_gives_no_access_away() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    if !is_privileged(directory) {
        return;
    }
    let (user, own_group) = (NOBODY, NOBODY);
    fs::set_permissions(directory, Permissions::from_mode(0o777)).unwrap();
    fs::write(directory.join("in"), "new").unwrap();
    for (owner, group, bits, want) in [
        // The user's own file, in a group of which the user is not a member.
        (user, 2000, 0o660, (user, own_group, 0o600)),
        (user, 2000, 0o6755, (user, own_group, 0o755)),
        (user, 2000, 0o2640, (user, own_group, 0o600)),
        // Another owner's file, which everybody or the user's group may write.
        (1000, 2000, 0o6777, (user, own_group, 0o777)),
        (1000, own_group, 0o6775, (user, own_group, 0o775)),
        (user, own_group, 0o6755, (user, own_group, 0o6755)),
    ] {
        fs::write(directory.join("out"), "old").unwrap();
        chown(directory.join("out"), Some(owner), Some(group)).unwrap();
        fs::set_permissions(directory.join("out"), Permissions::from_mode(bits)).unwrap();
        let mut command = utflane(TO_UTF8.iter().chain(&["in", "-o", "out"]));
        command.current_dir(directory).uid(user).gid(own_group);
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => {
                let line = format!("NOT TESTED: another user can't start the command: {error}");
                print_notice(&line);
                return;
            }
        };
        Run::from(output).assert(0, "", "");
        assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "new");
        assert_eq!(read_access(&directory.join("out")), want, "{owner}:{group} {bits:o}");
        fs::remove_file(directory.join("out")).unwrap();
    }
}

#[test]
fn the_output_may_be_the_input() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"\xE9".repeat(500_000)).unwrap();
    convert(directory.path(), TO_UTF8, ["file", "-o", "file"]).assert(0, "", "");
    assert!(fs::read_to_string(&file).unwrap() == "é".repeat(500_000));
}

/// A file that is named through a descriptor is written directly. That would destroy the file while
/// it is read.
#[cfg(target_os = "linux")]
#[test]
fn the_input_is_not_written_directly() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let refusal = |name: &str| {
        format!("utflane: {name}: it is the file that is read: use -o FILE to replace it\n")
    };
    let file = directory.join("file");
    for (arguments, name) in
        [("file -o /dev/fd/3 3<>file", "/dev/fd/3"), ("file >>file", "standard output")]
    {
        for (command, text) in
            [(&*TO_UTF8.join(" "), &b"\xE9"[..]), ("repair", b"\xC3\x83\xC2\xB6")]
        {
            fs::write(&file, text).unwrap();
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("\"$0\" {command} {arguments}")]);
            let run = Run::from(
                shell.arg(env!("CARGO_BIN_EXE_utflane")).current_dir(directory).output().unwrap(),
            );
            run.assert(2, "", &refusal(name));
            assert_eq!(fs::read(&file).unwrap(), text, "{command} {arguments}");
        }
    }
}

/// The name of the output is unused when the conversion begins, but not when it ends.
#[test]
fn a_file_created_during_the_conversion_stays() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let mut command = utflane(TO_UTF8.iter().chain(&["-o", "out"]));
    command.current_dir(directory).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"text").unwrap();
    while read_names(directory).is_empty() {
        thread::sleep(Duration::from_millis(1));
    }
    fs::write(directory.join("out"), "another program's").unwrap();
    drop(pipe);
    let message = "utflane: out: it was created by another program in the meantime: run utflane \
                   again to replace it\n";
    Run::from(child.wait_with_output().unwrap()).assert(2, "", message);
    assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "another program's");
    assert_eq!(read_names(directory), ["out"]);
}

/// After a crash, the name must not lead to a file without its text.
#[cfg(target_os = "linux")]
#[test]
fn the_text_is_synced_before_the_rename() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), "text").unwrap();
    for _ in ["new", "replaced"] {
        let mut command = Command::new("strace");
        command.args(["-f", "-o", "trace", "-e", "trace=fsync,rename,renameat,renameat2,linkat"]);
        command.arg(env!("CARGO_BIN_EXE_utflane")).args(TO_UTF8).args(["in", "-o", "out"]);
        let ran = command.current_dir(directory).stderr(Stdio::null()).status();
        let trace = fs::read_to_string(directory.join("trace")).unwrap_or_default();
        if !ran.is_ok_and(|status| status.success()) || !trace.contains("out") {
            print_notice("NOT TESTED: strace is not installed here, or may not trace");
            return;
        }
        let calls: Vec<&str> = trace.lines().filter(|line| line.contains('(')).collect();
        assert!(calls[0].contains("fsync(") && calls[1].contains("rename"), "{trace}");
    }
    // In a group, all files are synced before the first file is renamed.
    let names: Vec<String> = (0..20).map(|i| format!("f{i}")).collect();
    for name in &names {
        fs::write(directory.join(name), b"\xE9").unwrap();
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "trace", "-e", "trace=fsync,rename,renameat,renameat2,linkat"]);
    command.arg(env!("CARGO_BIN_EXE_utflane")).args(TO_UTF8).args(["-q", "-i"]).args(&names);
    assert!(command.current_dir(directory).status().unwrap().success());
    let trace = fs::read_to_string(directory.join("trace")).unwrap();
    let is_start_of_call = |line: &&str| line.contains('(') && !line.contains("resumed");
    let calls: Vec<&str> = trace.lines().filter(is_start_of_call).collect();
    let synced_count = calls.iter().take_while(|line| line.contains("fsync(")).count();
    assert_eq!((synced_count, calls.len()), (20, 40), "{trace}");
}

/// The disk begins to write each file when it is complete. All are synced before the first rename.
#[cfg(target_os = "linux")]
#[test]
fn many_files_are_synced_before_the_first_rename() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let names: Vec<String> = (0..200).map(|i| format!("f{i}")).collect();
    for name in &names {
        fs::write(directory.join(name), b"\xE9").unwrap();
    }
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "trace", "-e", "trace=fadvise64,fsync,rename,renameat,renameat2"]);
    command.arg(env!("CARGO_BIN_EXE_utflane")).args(TO_UTF8).args(["-q", "-i"]).args(&names);
    let ran = command.current_dir(directory).stderr(Stdio::null()).status();
    let trace = fs::read_to_string(directory.join("trace")).unwrap_or_default();
    if !ran.is_ok_and(|status| status.success()) || !trace.contains("fsync") {
        print_notice("NOT TESTED: strace is not installed here, or may not trace");
        return;
    }
    let is_start_of_call = |line: &&str| line.contains('(') && !line.contains("resumed");
    let calls: Vec<&str> = trace.lines().filter(is_start_of_call).collect();
    for (call, range) in [("fadvise64(", 0..200), ("fsync(", 200..400), ("rename", 400..600)] {
        assert!(calls[range].iter().all(|line| line.contains(call)), "{trace}");
    }
    assert_eq!(calls.len(), 600);
}

/// Everybody may create links in `/tmp`. Such a link must not decide where other users write.
#[test]
fn links_of_other_users_in_shared_directories_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    if !is_privileged(directory) {
        return;
    }
    fs::set_permissions(directory, Permissions::from_mode(0o1777)).unwrap();
    fs::write(directory.join("in"), "new").unwrap();
    for target in ["there", "absent"] {
        fs::write(directory.join("there"), "old").unwrap();
        symlink(target, directory.join("link")).unwrap();
        std::os::unix::fs::lchown(directory.join("link"), Some(NOBODY), Some(NOBODY)).unwrap();
        let run = convert(directory, TO_UTF8, ["in", "-o", "link"]);
        let reason =
            "a link that another user made in a shared directory is not followed: name its target";
        run.assert(2, "", &format!("utflane: link: {reason}\n"));
        assert_eq!(fs::read_to_string(directory.join("there")).unwrap(), "old");
        fs::remove_file(directory.join("link")).unwrap();
        // The user's own link is followed.
        symlink(target, directory.join("link")).unwrap();
        convert(directory, TO_UTF8, ["in", "-o", "link"]).assert(0, "", "");
        assert_eq!(fs::read_to_string(directory.join(target)).unwrap(), "new");
        fs::remove_file(directory.join(target)).unwrap();
        fs::remove_file(directory.join("link")).unwrap();
    }
}

#[test]
fn links_are_followed_and_stay() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::create_dir(directory.join("elsewhere")).unwrap();
    fs::write(directory.join("in"), "text").unwrap();
    // A link to a link to a file, a dangling link, and a relative link inside another directory.
    fs::write(directory.join("elsewhere/target"), "old").unwrap();
    symlink("elsewhere/second", directory.join("link")).unwrap();
    symlink("target", directory.join("elsewhere/second")).unwrap();
    symlink("elsewhere/absent", directory.join("dangling")).unwrap();
    for (link, target) in [("link", "elsewhere/target"), ("dangling", "elsewhere/absent")] {
        convert(directory, TO_UTF8, ["in", "-o", link]).assert(0, "", "");
        assert!(fs::symlink_metadata(directory.join(link)).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(directory.join(target)).unwrap(), "text");
    }
    assert_eq!(read_names(&directory.join("elsewhere")), ["absent", "second", "target"]);
    symlink("circle", directory.join("circle")).unwrap();
    assert_eq!(convert(directory, TO_UTF8, ["in", "-o", "circle"]).status, Some(2));
}

#[test]
fn a_failed_conversion_leaves_the_output_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), "café €").unwrap();
    convert(directory, TO_LATIN1, ["in", "-o", "out"]).assert(1, "", TO_LATIN1_ERROR);
    assert_eq!(read_names(directory), ["in"]);
    fs::write(directory.join("out"), "old").unwrap();
    convert(directory, TO_LATIN1, ["in", "-o", "out"]).assert(1, "", TO_LATIN1_ERROR);
    assert_eq!(fs::read_to_string(directory.join("out")).unwrap(), "old");
    assert_eq!(read_names(directory), ["in", "out"]);
}

#[test]
fn the_converted_prefix_is_kept_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), "café €").unwrap();
    for _ in ["absent", "there"] {
        let run = convert(directory, TO_LATIN1, ["in", "-o", "out", "--keep-partial"]);
        run.assert(1, "", TO_LATIN1_ERROR);
        assert_eq!(fs::read(directory.join("out")).unwrap(), b"caf\xE9 ");
        assert_eq!(read_names(directory), ["in", "out"]);
        fs::write(directory.join("out"), "old and longer").unwrap();
    }
}

#[test]
fn a_fifo_is_written_directly() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    for (bytes, status) in [("café", 0), ("café €", 1)] {
        // Each round makes a new FIFO. A process that another test has forked may still hold the
        // reading end of an old FIFO, so that the command would not wait for its reader.
        let fifo = directory.join("fifo");
        let made = Command::new("mkfifo").arg(&fifo).status();
        if !made.is_ok_and(|status| status.success()) {
            print_notice("NOT TESTED: mkfifo is not installed here");
            return;
        }
        fs::write(directory.join("in"), bytes).unwrap();
        let from = fifo.clone();
        let reader = thread::spawn(move || fs::read(from).unwrap());
        let run = convert(directory, TO_LATIN1, ["in", "-o", "fifo"]);
        assert_eq!(run.status, Some(status));
        assert!(reader.join().unwrap().starts_with(b"caf\xE9"));
        assert_eq!(read_names(directory), ["fifo", "in"]);
        fs::remove_file(fifo).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_directly() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("in"), "text").unwrap();
    convert(directory, TO_UTF8, ["in", "-o", "/dev/null"]).assert(0, "", "");
    convert(directory, TO_UTF8, ["in", "-o", "/dev/stdout"]).assert(0, "text", "");
    let full = "utflane: /dev/full: No space left on device\n";
    convert(directory, TO_UTF8, ["in", "-o", "/dev/full"]).assert(2, "", full);
    // A file that is named through a descriptor is written, not replaced.
    let kept = File::create(directory.join("kept")).unwrap();
    let mut command = utflane(TO_UTF8.iter().chain(&["in", "-o", "/proc/self/fd/2"]));
    let status = command.current_dir(directory).stderr(kept.try_clone().unwrap()).status().unwrap();
    assert_eq!(status.code(), Some(0));
    let mut text = String::new();
    File::open(directory.join("kept")).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), kept.metadata().unwrap().len()), ("text", 4));
}

#[test]
fn a_full_standard_output_is_an_error() {
    if !Path::new("/dev/full").exists() {
        print_notice("NOT TESTED: there is no /dev/full here");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("in"), "text").unwrap();
    fs::write(directory.path().join("damaged"), "fÃ¶rste").unwrap();
    for arguments in [
        &[&TO_UTF8[..], &["in"]].concat()[..],
        &[&TO_UTF8[..], &["--dry-run", "-qi", "in"]].concat(),
        &["repair", "--dry-run", "damaged", "in"],
        &["count", "in"],
        &["kernels"],
        &["--help"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = utflane(arguments);
        command.current_dir(directory.path()).stdout(full).stderr(Stdio::piped());
        let run = Run::from(command.output().unwrap());
        run.assert(2, "", "utflane: standard output: No space left on device\n");
    }
}

/// Messages contain the system's text, in the same form for every file and command.
#[test]
fn messages_contain_the_text_of_the_system() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("good"), "text\n").unwrap();
    fs::create_dir(directory.path().join("folder")).unwrap();
    let missing = "No such file or directory";
    for (arguments, name, reason) in [
        ("check none", "none", missing),
        ("count none/none", "none/none", missing),
        ("detect none", "none", missing),
        ("repair none", "none", missing),
        ("repair good -o none/out --mode latin1", "none/out", missing),
        ("convert -f utf-8 -t utf-8 none", "none", missing),
        ("convert -f utf-8 -t utf-8 good -o none/out", "none/out", missing),
        ("convert -f utf-8 -t utf-8 good -o /dev/fd/99", "/dev/fd/99", missing),
        ("convert -f utf-8 -t utf-8 good -o good/out", "good/out", "Not a directory"),
        ("convert -f utf-8 -t utf-8 good -o folder", "folder", "Is a directory"),
        ("count good/none", "good/none", "Not a directory"),
    ] {
        let seen = run(directory.path(), arguments.split(' '));
        seen.assert(2, "", &format!("utflane: {name}: {reason}\n"));
    }
    symlink("circle", directory.path().join("circle")).unwrap();
    let long = "x".repeat(300);
    for (name, reason) in [("circle", "links"), (&long, "File name too long")] {
        let seen = run(directory.path(), ["check", name]);
        assert_eq!(seen.status, Some(2));
        assert!(seen.err.starts_with(&format!("utflane: {name}: ")), "{}", seen.err);
        assert!(seen.err.contains(reason) && !seen.err.contains("os error"), "{}", seen.err);
    }
}

/// Runs the command in a shell, with `redirection`.
fn run_redirected(directory: &Path, arguments: &str, redirection: &str) -> Run {
    let line = format!("exec {} {arguments} {redirection}", env!("CARGO_BIN_EXE_utflane"));
    let mut command = Command::new("sh");
    Run::from(command.args(["-c", &line]).current_dir(directory).output().unwrap())
}

/// In a shell, `>&-` closes standard output, so nothing can be written. A caller that wants no
/// output redirects it to `/dev/null`, which Python and Node open for reading, too.
#[test]
fn a_closed_standard_output_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("good"), "text\n").unwrap();
    fs::write(directory.join("bad"), b"text\n\xFF").unwrap();
    let closed = "utflane: standard output: it is closed\n";
    for (arguments, status) in [
        ("convert -f utf-8 -t utf-16le good", 0),
        ("convert -f utf-8 -t utf-16le -o - good", 0),
        ("check bad", 1),
        ("check --json bad", 1),
        ("count good", 0),
        ("count --json good", 0),
        ("detect good bad", 0),
        ("repair -q good", 0),
        ("kernels", 0),
        ("--help", 0),
        ("check --help", 0),
        ("--version", 0),
    ] {
        let run = |redirection| run_redirected(directory, arguments, redirection);
        run(">&-").assert(2, "", closed);
        for null in [">/dev/null", "1<>/dev/null"] {
            let seen = run(null);
            assert_eq!((seen.status, seen.err.as_str()), (Some(status), ""), "{arguments} {null}");
        }
    }
    // These commands write nothing to standard output.
    run_redirected(directory, "check good", ">&-").assert(0, "", "");
    let convert = "convert -f utf-8 -t utf-16le good -o out";
    run_redirected(directory, convert, ">&-").assert(0, "", "");
    run_redirected(directory, "kernels", ">&- 2>&-").assert(2, "", "");
    let input = run_redirected(directory, "check -", "<&-");
    input.assert(2, "", "utflane: -: it is closed\n");
    run_redirected(directory, "check -", "</dev/null").assert(0, "", "");
}

/// The pipe is closed from the start, so the first write fails.
#[test]
fn a_closed_pipe_ends_quietly() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("good"), "text\n").unwrap();
    fs::write(directory.path().join("bad"), b"text\n\xFF").unwrap();
    for (arguments, status, err) in [
        (&[&TO_UTF8[..], &["good"]].concat()[..], 0, ""),
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
        command.current_dir(directory.path()).stdout(writer).stderr(Stdio::piped());
        let run = Run::from(command.output().unwrap());
        assert_eq!((run.status, run.err.as_str()), (Some(status), err), "{arguments:?}");
    }
}

/// As in `utflane convert ... | head`: the pipe closes before the end.
#[test]
fn a_pipe_closed_early_ends_quietly() {
    let (mut child, feeder) = start(&mut utflane(TO_UTF8), b"\xE9".repeat(4 << 20));
    let mut beginning = [0; 1000];
    child.stdout.take().unwrap().read_exact(&mut beginning).unwrap();
    assert_eq!(std::str::from_utf8(&beginning).unwrap(), "é".repeat(500));
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    // The command didn't read its input to the end.
    assert_eq!(feeder.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}
