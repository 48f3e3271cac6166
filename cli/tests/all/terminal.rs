//! Tests of the output on a terminal, which `script` (util-linux) provides, and of signals.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::{print_notice, utflane};

const UTFLANE: &str = env!("CARGO_BIN_EXE_utflane");

/// Returns the output of a shell command on a terminal, without carriage returns and colours, or
/// `None` if `script` isn't installed.
fn run_on_terminal(directory: &Path, line: &str) -> Option<String> {
    let mut command = Command::new("script");
    command.args(["-qec", line, "/dev/null"]).current_dir(directory).stdin(Stdio::null());
    command.env("NO_COLOR", "1").env("TERM", "xterm");
    match command.output() {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")),
        Err(_) => {
            print_notice("NOT TESTED: script is not installed here");
            None
        }
    }
}

#[test]
fn findings_come_with_an_excerpt() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad"), b"caf\xC3").unwrap();
    let check = |options: &str| {
        run_on_terminal(directory.path(), &format!("{UTFLANE} check bad {options}"))
    };
    let Some(seen) = check("") else { return };
    let line = "bad:1:4: byte 3: sequence too short (C3)\n";
    assert_eq!(seen, format!("{line}  caf\\xC3\n     ^^^^\n"));
    assert_eq!(check("--excerpt=never").unwrap(), line);
    assert_eq!(check("--excerpt=never | cat").unwrap(), line);
}

/// Messages have colours on terminals that support colours, unless the environment disables them.
#[test]
fn messages_are_coloured_on_a_terminal() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad"), b"^\xC3^").unwrap();
    let plain = "bad:1:2: byte 1: sequence too short (C3)\n  ^\\xC3^\n   ^^^^\n";
    let coloured = "\u{1B}[1mbad:\u{1B}[0m1:2: byte 1: \u{1B}[1m\u{1B}[31msequence too \
                    short\u{1B}[0m (C3)\n  ^\\xC3^\n   \u{1B}[1m\u{1B}[31m^^^^\u{1B}[0m\n";
    let seen = |environment: &str, arguments: &str| {
        run_on_terminal(directory.path(), &format!("{environment} {UTFLANE} {arguments}"))
    };
    // If CI is set, messages have colours on any terminal.
    let colours = "env -u NO_COLOR -u CLICOLOR -u CLICOLOR_FORCE -u CI TERM=xterm";
    let Some(check) = seen(colours, "check bad") else { return };
    assert_eq!(check, coloured);
    let convert = "convert -f utf-8 -t utf-16le bad -o out";
    assert_eq!(seen(colours, convert).unwrap(), coloured);
    let missing = "utflane: none: No such file or directory\n";
    let coloured_missing = "\u{1B}[1m\u{1B}[31mutflane:\u{1B}[0m none: No such file or directory\n";
    assert_eq!(seen(colours, "count none").unwrap(), coloured_missing);
    for variable in ["NO_COLOR=1", "TERM=dumb", "CLICOLOR=0"] {
        let environment = format!("{colours} {variable}");
        assert_eq!(seen(&environment, "check bad").unwrap(), plain, "{variable}");
        assert_eq!(seen(&environment, "count none").unwrap(), missing, "{variable}");
    }
    // Standard output may be a pipe while standard error is a terminal.
    let piped = seen(colours, "check --excerpt=always bad none | cat").unwrap();
    // `cat` may print its text before or after the message.
    assert!(
        [format!("{plain}{coloured_missing}"), format!("{coloured_missing}{plain}")]
            .contains(&piped),
        "{piped}"
    );
    // The output of `-0` and of `--json` has no colours.
    let names = seen(colours, "check -0 --excerpt=never bad").unwrap();
    assert_eq!(names, "bad\u{0}1:2: byte 1: sequence too short (C3)\n");
    assert!(!seen(colours, "check --json bad").unwrap().contains('\u{1B}'));
    let forced = seen("env -u NO_COLOR CLICOLOR_FORCE=1", "check --excerpt=always bad | cat");
    assert_eq!(forced.unwrap(), coloured);
}

/// Each line of an excerpt is narrower than the terminal, because a terminal may wrap a line of its
/// full width.
#[test]
fn excerpts_fit_the_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let text = [&b"0123456789".repeat(9)[..], b"\xF0\x9F\x98", &b"0123456789".repeat(9)].concat();
    fs::write(directory.path().join("bad"), text).unwrap();
    for columns in [20, 21, 30, 79, 80, 120] {
        let line = format!("stty rows 24 cols {columns}; {UTFLANE} check bad");
        let Some(seen) = run_on_terminal(directory.path(), &line) else { return };
        let lines: Vec<&str> = seen.lines().collect();
        assert_eq!(lines.len(), 3, "{seen}");
        let width = |line: &str| line.chars().count();
        assert!(width(lines[1]) < columns && width(lines[1]) + 3 > columns, "{columns}: {seen}");
        assert!(lines[1].contains("\\xF0\\x9F\\x98"), "{seen}");
        let (position, caret) = (lines[1].find('\\'), lines[2].find('^'));
        let position = position.map(|offset| width(&lines[1][..offset]));
        assert_eq!((position, lines[2].trim_start()), (caret, "^^^^^^^^^^^^"), "{seen}");
    }
}

/// For a slow pipe, the command shows the progress bar. It shows no bar for a fast pipe, with
/// `--quiet`, or for a conversion to the terminal.
#[test]
fn work_that_takes_over_a_second_has_a_progress_bar() {
    let directory = tempfile::tempdir().unwrap();
    let slow = "(echo a; sleep 1.1; echo b; sleep 0.3; echo c)";
    let seen = |feeder: &str, arguments: &str| {
        run_on_terminal(directory.path(), &format!("{feeder} | {UTFLANE} {arguments}"))
    };
    let Some(bar) = seen(slow, "check -") else { return };
    assert!(bar.contains(" B/s"), "{bar}");
    assert_eq!(seen(slow, "check --quiet -").unwrap(), "");
    assert_eq!(seen("(echo a; echo b)", "check -").unwrap(), "");
    let shown = seen(slow, "convert -f utf-8 -t utf-8").unwrap();
    assert_eq!(shown, "a\nb\nc\n");
    let to_file = seen(slow, "convert -f utf-8 -t utf-8 -o out").unwrap();
    assert!(to_file.contains(" B/s"), "{to_file}");
}

/// If the terminal wrapped the progress bar, a part of the bar would stay visible. So the bar is
/// narrower than the terminal.
#[test]
fn the_progress_bar_fits_the_terminal() {
    let directory = tempfile::tempdir().unwrap();
    fs::File::create(directory.path().join("zeros")).unwrap().set_len(3 << 28).unwrap();
    // The command is stopped while it reads the file, so that the work takes over a second.
    let pause =
        " & sleep 0.1; kill -STOP $! 2>/dev/null; sleep 1.1; kill -CONT $! 2>/dev/null; wait";
    let slow = "(echo a; sleep 1.1; echo b; sleep 0.3; echo c) | ";
    for (columns, bar_part) in [(10, "%"), (40, "%"), (69, "%"), (100, "/s")] {
        let seen = |feeder: &str, arguments: &str| {
            let line = format!("stty rows 24 cols {columns}; {feeder}{UTFLANE} {arguments}");
            run_on_terminal(directory.path(), &line)
        };
        let Some(file) = seen("", &format!("check -e shift_jis zeros{pause}")) else { return };
        let pipe = seen(slow, "check").unwrap();
        assert!(pipe.contains('B'), "{columns}: {pipe:?}");
        for bar in [&file, &pipe] {
            assert!(!bar.contains('\n'), "{columns}: {bar:?}");
            for line in bar.split(['\r', '\u{1B}']) {
                let text = line.trim_start_matches(['[', '?', '0', '2', '5', 'K', 'l', 'h', 'A']);
                assert!(text.chars().count() <= columns, "{columns}: {line:?} of {bar:?}");
            }
        }
        // On a fast machine, the command ends before it would show a bar.
        assert!(file.is_empty() || file.contains(bar_part), "{columns}: {file:?}");
    }
}

/// A message begins on a new line, even if the text before it does not end with a line feed.
#[test]
fn a_message_begins_on_a_new_line() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bad"), b"caf\xC3 more").unwrap();
    fs::write(directory.path().join("lines"), b"caf\n\xC3\xC3 more\n").unwrap();
    let seen =
        |arguments: &str| run_on_terminal(directory.path(), &format!("{UTFLANE} {arguments}"));
    let stop = "-q -f utf-8 -t utf-8 --excerpt=never";
    let Some(stopped) = seen(&format!("convert {stop} bad")) else { return };
    assert_eq!(stopped, "caf\nbad:1:4: byte 3: sequence too short (C3)\n");
    let stopped = seen(&format!("convert {stop} lines")).unwrap();
    assert_eq!(stopped, "caf\nlines:2:1: byte 4: sequence too short (C3)\n");
    let repaired = seen("convert -f utf-8 -t utf-8 --on-invalid skip bad").unwrap();
    assert_eq!(repaired, "caf more\nutflane: bad: 1 repair\n");
    let refused = seen(&format!("convert {stop} -t koi8-r bad")).unwrap_or_default();
    assert!(refused.contains("cannot be used multiple times"), "{refused}");
    let legacy = seen("convert -q -f utf-8 -t koi8-r --excerpt=never bad").unwrap();
    assert_eq!(legacy, "caf\nbad:1:4: byte 3: sequence too short (C3)\n");
    let undone = seen("repair bad none").unwrap();
    assert!(!undone.starts_with('\n'), "{undone}");
    fs::write(directory.path().join("twice"), "fÃ¶rste").unwrap();
    assert_eq!(seen("repair twice").unwrap(), "förste\nutflane: twice: double encoding undone\n");
    // If messages don't go to the terminal, no line feed is added.
    let separate = seen(&format!("convert {stop} bad 2>err; cat err")).unwrap();
    assert_eq!(separate, "cafbad:1:4: byte 3: sequence too short (C3)\n");
}

/// Without this note, a user who forgets to name a file might wait forever.
#[test]
fn a_note_says_that_the_command_reads_from_the_terminal() {
    let directory = tempfile::tempdir().unwrap();
    let seen =
        |arguments: &str| run_on_terminal(directory.path(), &format!("{UTFLANE} {arguments}"));
    let note = "utflane: standard input: reading from the terminal until Ctrl-D\n";
    for arguments in ["check", "count -", "detect", "convert -f utf-8 -t utf-16le", "repair"] {
        let Some(seen) = seen(arguments) else { return };
        assert!(seen.contains(note), "{arguments}: {seen:?}");
    }
    for arguments in ["check -q", "check -r", "kernels", "check - < /dev/null"] {
        assert!(!seen(arguments).unwrap().contains("reading"), "{arguments}");
    }
}

/// A signal ends a conversion that waits for input. No temporary file is left.
#[test]
fn signals_leave_no_temporary_file() {
    use std::os::unix::process::ExitStatusExt;
    for signal in [1, 2, 3, 10, 12, 14, 15, 24, 26, 27] {
        if is_ignored(signal) {
            print_notice(&format!(
                "NOT TESTED: signal {signal}, which was ignored when this was started"
            ));
            continue;
        }
        let directory = tempfile::tempdir().unwrap();
        let count_files = || fs::read_dir(directory.path()).unwrap().count();
        fs::write(directory.path().join("out"), "old").unwrap();
        let mut command = utflane(["convert", "-f", "latin1", "-t", "utf-8", "-o", "out"]);
        let mut child =
            command.current_dir(directory.path()).stdin(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&b"\xE9".repeat(1 << 20)).unwrap();
        for _ in 0..1000 {
            if count_files() == 2 {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(count_files(), 2, "there is a temporary file");
        let sent =
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(signal));
        assert_eq!(count_files(), 1, "signal {signal}");
        assert_eq!(fs::read_to_string(directory.path().join("out")).unwrap(), "old");
    }
}

/// Several temporary files wait until they are renamed together. A signal removes all of them.
#[test]
fn a_signal_removes_all_temporary_files() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    if is_ignored(15) {
        return print_notice("NOT TESTED: SIGTERM was ignored when this was started");
    }
    let names: Vec<String> = (0..20).map(|i| format!("f{i}")).collect();
    for name in &names {
        fs::write(path.join(name), b"\xE9").unwrap();
    }
    // The other files wait for the last file, whose conversion takes long.
    fs::write(path.join("long"), b"\xE9".repeat(60 << 20)).unwrap();
    let mut command = utflane(["convert", "-f", "koi8-r", "-t", "utf-8", "-i"]);
    let mut child = command.args(&names).arg("long").current_dir(path).spawn().unwrap();
    let count_files = || fs::read_dir(path).unwrap().count();
    for _ in 0..20_000 {
        if count_files() >= 42 {
            break;
        }
        thread::sleep(Duration::from_micros(200));
    }
    let count_before_signal = count_files();
    let sent = Command::new("kill").arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
    child.wait().unwrap();
    assert!(count_before_signal >= 40, "{count_before_signal}");
    assert_eq!(count_files(), 21);
    for name in &names {
        assert_eq!(fs::read(path.join(name)).unwrap(), b"\xE9");
    }
}

/// SIGQUIT causes a core dump if it also causes a core dump of other programs.
#[test]
fn sigquit_dumps_core() {
    use std::os::unix::process::ExitStatusExt;
    if is_ignored(3) {
        print_notice("NOT TESTED: SIGQUIT was ignored when this was started");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    // The shell sends the signal to itself, and so to the program that replaces it.
    let run_until_signal = |line: &str| {
        let line = format!("ulimit -c unlimited 2>/dev/null; {line}");
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(directory.path()).stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _open = child.stdin.take();
        child.wait().unwrap()
    };
    let shell = run_until_signal("kill -QUIT $$; sleep 10");
    let convert = "convert -f utf-8 -t utf-16le -o out";
    let wait = "until ls .utflane-*; do sleep 0.01; done >/dev/null 2>&1";
    let ours =
        run_until_signal(&format!("(pid=$$; {wait}; kill -QUIT $pid) & exec {UTFLANE} {convert}"));
    assert_eq!((shell.signal(), ours.signal()), (Some(3), Some(3)));
    assert_eq!(shell.core_dumped(), ours.core_dumped());
    if !shell.core_dumped() {
        print_notice("NOT TESTED: no program dumps core here");
    }
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let remaining: Vec<_> =
        names.filter(|name| !name.to_string_lossy().starts_with("core")).collect();
    assert!(remaining.is_empty(), "{remaining:?}");
}

/// SIGXFSZ makes the write fail, so the command reports the error.
#[test]
fn a_file_that_grows_too_large_leaves_no_temporary_file() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("in"), b"\xE9".repeat(1 << 20)).unwrap();
    let line = format!("ulimit -f 8; exec {UTFLANE} convert -f latin1 -t utf-8 in -o out");
    let output =
        Command::new("sh").args(["-c", &line]).current_dir(directory.path()).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), err.as_str()), (Some(2), "utflane: out: File too large\n"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// Returns true if this process, and therefore its children, ignore a signal. Shells make
/// background processes ignore some signals.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// The command keeps ignoring a signal that it ignored when it started.
#[test]
fn ignored_signals_stay_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let line = format!(
        "trap '' HUP; (echo text; sleep 0.4; echo more) | {UTFLANE} convert -f utf-8 -t utf-8 \
         -o out & sleep 0.2; kill -HUP $!; wait $!; echo $?"
    );
    let output =
        Command::new("sh").args(["-c", &line]).current_dir(directory.path()).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "0\n");
    assert_eq!(fs::read_to_string(directory.path().join("out")).unwrap(), "text\nmore\n");
}
