//! The only process of an emulated PC: runs the test program `/tests` for each line of `/runs`,
//! which is a number, the share of the large sets of inputs, and a part of the names of the tests;
//! and turns the PC off. The last line that it prints is `exit status of all: ` and 0, or that of
//! the last run that failed.

use std::ffi::CStr;
use std::fs;
use std::io::{Write, stdout};
use std::process::Command;

fn main() {
    mount(c"proc", c"/proc");
    mount(c"sysfs", c"/sys");
    mount(c"devtmpfs", c"/dev");
    let runs = fs::read_to_string("/runs").expect("a list of runs");
    let mut status = 0;
    for line in runs.lines() {
        let (share, filter) = line.split_once(' ').expect("a share and a filter");
        println!("=== {filter}, one in {share} of the large sets");
        let code = run(filter, share);
        if code != 0 {
            println!("=== {filter} failed with {code}");
            status = code;
        }
    }
    println!("exit status of all: {status}");
    let _ = stdout().flush();
    turn_off();
}

/// Runs the tests with `filter` in their names; gives the exit status.
fn run(filter: &str, share: &str) -> i32 {
    let mut command = Command::new("/tests");
    command.arg(filter).current_dir("/tmp").env_clear();
    for line in fs::read_to_string("/environment").unwrap_or_default().lines() {
        if let Some((name, value)) = line.split_once('=') {
            command.env(name, value);
        }
    }
    command.env("UTFLANE_TEST_SHARE", share);
    match command.status() {
        // A process that a signal killed has no code.
        Ok(status) => status.code().unwrap_or(128),
        Err(error) => {
            println!("/tests: {error}");
            127
        }
    }
}

/// Mounts a file system of the kernel's own.
fn mount(kind: &CStr, at: &CStr) {
    // SAFETY: the strings end with a zero, and there is no data.
    unsafe { libc::mount(kind.as_ptr(), at.as_ptr(), kind.as_ptr(), 0, std::ptr::null()) };
}

fn turn_off() -> ! {
    // SAFETY: of this process's own output, which is open.
    unsafe { libc::tcdrain(1) };
    // SAFETY: nothing is left that this could harm.
    unsafe { libc::reboot(libc::RB_POWER_OFF) };
    loop {
        // SAFETY: has no conditions.
        unsafe { libc::pause() };
    }
}
