//! The only process of an emulated PC: runs the programs that `/programs` names, one a line behind a number, the share of the
//! large sets of inputs that it is to run, and turns the PC off. The last line that it prints is `exit status of all: ` and 0,
//! or that of the last program that failed.

use std::ffi::CStr;
use std::fs;
use std::io::{Write, stdout};
use std::process::Command;

fn main() {
    mount(c"proc", c"/proc");
    mount(c"sysfs", c"/sys");
    mount(c"devtmpfs", c"/dev");
    let programs = fs::read_to_string("/programs").expect("a list of programs");
    let mut status = 0;
    for line in programs.lines() {
        let (share, program) = line.split_once(' ').expect("a share and a program");
        println!("=== {program}, one in {share} of the large sets");
        let code = run(program, share);
        if code != 0 {
            println!("=== {program} failed with {code}");
            status = code;
        }
    }
    println!("exit status of all: {status}");
    let _ = stdout().flush();
    turn_off();
}

/// Runs a program; gives its exit status.
fn run(program: &str, share: &str) -> i32 {
    let mut command = Command::new(program);
    command.current_dir("/tmp").env_clear();
    for line in fs::read_to_string("/environment").unwrap_or_default().lines() {
        if let Some((name, value)) = line.split_once('=') {
            command.env(name, value);
        }
    }
    command.env("UTFLANE_TEST_SHARE", share);
    match command.status() {
        // What was killed by a signal has no code.
        Ok(status) => status.code().unwrap_or(128),
        Err(error) => {
            println!("{program}: {error}");
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
