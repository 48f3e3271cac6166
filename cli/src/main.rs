//! The command `utflane`: checks, converts, counts and repairs text files of any size, in constant memory but for repairs.
//!
//! A file is read in chunks of one size ([`input`]); the library carries what a chunk's end cuts; [`place`] keeps line
//! and column, so that the one message of an error is the same however the chunks were cut. Commands for several files
//! read some at once and answer in order ([`files`]). What other encodings there are, `encoding_rs` knows ([`pivot`]).

#![forbid(unsafe_code)]

mod args;
mod auto;
mod blocks;
mod charset;
mod check;
mod convert;
mod count;
mod detect;
mod excerpt;
mod files;
mod finding;
mod help;
mod input;
mod interrupt;
mod kernels;
mod output;
mod pivot;
mod place;
mod policy;
mod progress;
mod repair;
mod report;
mod units;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::report::Status;

fn main() -> ExitCode {
    let Arguments { command, quiet } = Arguments::parse();
    let status = run(&command, quiet);
    progress::end();
    status.into()
}

/// Runs one subcommand. A rejected `UTFLANE_KERNEL` ends all of them, for what they did would not be what was asked.
fn run(command: &Command, quiet: bool) -> Status {
    match (command, kernels::refusal()) {
        (Command::Kernels, refusal) => kernels::run(refusal.as_deref()),
        (_, Some(refusal)) => report::trouble("UTFLANE_KERNEL", &refusal),
        (Command::Check(arguments), None) => check::run(arguments, quiet),
        (Command::Convert(arguments), None) => convert::run(arguments, quiet),
        (Command::Count(arguments), None) => count::run(arguments, quiet),
        (Command::Detect(arguments), None) => detect::run(arguments),
        (Command::Repair(arguments), None) => repair::run(arguments, quiet),
    }
}
