//! Tests that the command needs at most 32 MiB of resident memory, whatever the size of the file.
//!
//! The test itself writes to the pipe. So it can read the highest resident size of the command
//! after the command has read everything and before the command ends.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::common::utflane;

/// The maximum resident size of the command, in bytes.
const MAX_RESIDENT_BYTES: u64 = 32 << 20;

/// Returns the highest resident size of a child so far, in bytes, or `None` if the child has ended.
fn read_peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Sends `size` bytes of text through a command, and checks its highest resident size.
fn pipe_through(arguments: &[&str], size: u64) {
    pipe_lines_through(arguments, "Zwölf Boxkämpfer 😀 €\n", size);
}

/// Like [`pipe_through`], with this line as the text.
fn pipe_lines_through(arguments: &[&str], line: &str, size: u64) {
    let block = line.repeat(1 << 15);
    let mut command = utflane(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let drain = thread::spawn(move || io::copy(&mut output, &mut io::sink()).unwrap());
    let mut input = child.stdin.take().unwrap();
    for _ in 0..size.div_ceil(block.len() as u64) {
        input.write_all(block.as_bytes()).unwrap();
    }
    let peak = read_peak(&child).expect("the command waits for more input");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let written = drain.join().unwrap();
    println!("{arguments:?}: {size} bytes read, {written} written, {} KiB at most", peak >> 10);
    assert!((1..=MAX_RESIDENT_BYTES).contains(&peak), "{arguments:?} took {peak} bytes");
}

/// Runs a command on a file of `size` zeros, which takes no space on the disk, and checks the
/// highest resident size of the command.
fn read_file(arguments: &[&str], size: u64) {
    let directory = tempfile::tempdir().unwrap();
    File::create(directory.path().join("zeros")).unwrap().set_len(size).unwrap();
    let mut command = utflane(arguments);
    let mut child =
        command.arg("zeros").current_dir(directory.path()).stdout(Stdio::null()).spawn().unwrap();
    let mut highest = 0;
    let status = loop {
        highest = highest.max(read_peak(&child).unwrap_or(0));
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => thread::sleep(Duration::from_millis(1)),
        }
    };
    assert_eq!(status.code(), Some(0));
    println!("{arguments:?}: {size} bytes read, {} KiB at most", highest >> 10);
    assert!((1..=MAX_RESIDENT_BYTES).contains(&highest), "{arguments:?} took {highest} bytes");
}

const CHECK: &[&str] = &["check"];
const COUNT: &[&str] = &["count"];
const CONVERT: &[&str] = &["convert", "-f", "utf-8", "-t", "utf-32le"];
/// A conversion whose output is much longer than its input.
const REPAIR: &[&str] =
    &["convert", "-q", "-f", "ascii", "-t", "koi8-r", "--on-invalid", "replace"];

#[test]
fn pipes_of_256_mib() {
    pipe_through(&["check", "-"], 256 << 20);
    pipe_through(&["count", "-"], 256 << 20);
    pipe_through(CONVERT, 256 << 20);
    pipe_through(&["check", "-e", "koi8-r", "-"], 64 << 20);
    pipe_through(&["count", "-e", "gb18030", "-"], 64 << 20);
    // An ill-formed sequence takes much longer than a character.
    let (line, replacement) = (format!("{}é\n", "x".repeat(60)), "<not ascii>".repeat(20));
    pipe_lines_through(&[REPAIR, &["--replacement", &replacement]].concat(), &line, 40 << 20);
}

#[test]
fn files_of_256_mib() {
    for arguments in [CHECK, COUNT, CONVERT] {
        read_file(arguments, 256 << 20);
    }
}

#[test]
#[ignore = "reads 12 GiB: run it by name"]
fn pipes_of_4_gib() {
    pipe_through(&["check", "-"], 4 << 30);
    pipe_through(&["count", "-"], 4 << 30);
    pipe_through(CONVERT, 4 << 30);
}

#[test]
#[ignore = "reads 12 GiB: run it by name"]
fn files_of_4_gib() {
    for arguments in [CHECK, COUNT, CONVERT] {
        read_file(arguments, 4 << 30);
    }
}
