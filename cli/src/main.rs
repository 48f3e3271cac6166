//! The command `utflane`: checks, converts and counts text files of any size in constant memory.
//!
//! A file is read in chunks of one size ([`input`]); the library carries what a chunk's end cuts; [`place`] keeps line
//! and column, so that the one message of an error is the same however the chunks were cut.

#![forbid(unsafe_code)]

mod args;
mod check;
mod convert;
mod count;
mod input;
mod kernels;
mod output;
mod place;
mod report;
mod units;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::report::Status;

fn main() -> ExitCode {
    run(Arguments::parse().command).into()
}

/// Runs one subcommand. A rejected `UTFLANE_KERNEL` ends all of them, for what they did would not be what was asked.
fn run(command: Command) -> Status {
    match (command, kernels::refusal()) {
        (Command::Kernels, refusal) => kernels::run(refusal.as_deref()),
        (_, Some(refusal)) => report::trouble("UTFLANE_KERNEL", &refusal),
        (Command::Check(arguments), None) => check::run(&arguments),
        (Command::Convert(arguments), None) => convert::run(&arguments),
        (Command::Count(arguments), None) => count::run(&arguments),
    }
}
