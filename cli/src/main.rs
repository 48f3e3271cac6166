//! The command `utflane`: checks, converts, counts and repairs text files of any size. Only
//! `repair` and `check --mojibake` need memory that grows with the file.
//!
//! [`input`] reads a file in chunks of a fixed size. The library carries a sequence that is split
//! at the end of a chunk. [`text`] tracks line and column, so the message of an error does not
//! depend on the chunks. [`files`] reads several files at once and reports the results in order.
//! [`pivot`] converts the encodings from before Unicode.

// This is not `forbid`, because the constructor that the crate ctor generates in `streams` allows
// unsafe code for itself.
#![deny(unsafe_code)]

mod access;
mod approximation;
mod args;
mod auto;
mod backup;
mod batch;
mod binary;
mod blocks;
mod check;
mod conversion;
mod convert;
mod count;
mod decompress;
mod destinations;
mod detect;
mod directories;
mod double_encoding;
mod encodings;
mod excerpt;
mod files;
mod finding;
mod help;
mod hint;
mod identity;
mod input;
mod interrupt;
mod json;
mod kernels;
mod late;
mod legacy;
mod memory;
mod name;
mod needs;
mod notes;
mod opened;
mod output;
mod pivot;
mod policy;
mod position;
mod progress;
mod refusal;
mod repair;
mod replacement;
mod report;
#[cfg(test)]
mod shipped;
mod streams;
mod styles;
mod text;
mod unit_filter;
mod units;
mod values;
mod variants;
mod watch;

use std::env;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::report::Status;

fn main() -> ExitCode {
    match Arguments::try_parse() {
        Ok(Arguments { command, quiet }) => {
            if let Some(status) = needs::refuse(&command) {
                return status.into();
            }
            if !quiet && command.reads_standard_input() && io::stdin().is_terminal() {
                let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
                report::note("standard input", &format!("reading from the terminal until {end}"));
            }
            let status = run(&command, quiet);
            progress::end();
            status.into()
        }
        Err(error) => explain(error),
    }
}

/// Prints the requested help, or a usage error. A usage error repeats arguments, so it is created
/// again from escaped arguments.
fn explain(error: clap::Error) -> ExitCode {
    if error.use_stderr() {
        let shown = env::args_os().map(name::escape);
        // Escaping the arguments cannot make an invalid command valid, so parsing fails again, now
        // with printable names.
        Arguments::try_parse_from(shown).err().unwrap_or(error).exit()
    }
    let text = error.render().to_string();
    report::finish(streams::write(text.as_bytes()), Status::Success).into()
}

/// Runs one subcommand. If `UTFLANE_KERNEL` is not usable, every subcommand except `kernels` fails
/// rather than run on a kernel that the user did not request.
fn run(command: &Command, quiet: bool) -> Status {
    match (command, kernels::refusal()) {
        (Command::Encodings(arguments), None) => encodings::run(arguments),
        (Command::Kernels, refusal) => kernels::run(refusal.as_deref()),
        (_, Some(refusal)) => report::failure("UTFLANE_KERNEL", &refusal),
        (Command::Check(arguments), None) => check::run(arguments, quiet),
        (Command::Convert(arguments), None) => convert::run(arguments, quiet),
        (Command::Count(arguments), None) => count::run(arguments, quiet),
        (Command::Detect(arguments), None) => detect::run(arguments),
        (Command::Repair(arguments), None) => repair::run(arguments, quiet),
    }
}
