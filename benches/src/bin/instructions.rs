//! Runs every kernel, operation and text once under `measured` and says in which order: `ci/instructions.sh` starts it
//! in callgrind, which counts the instructions of each of those calls.
//!
//! Each line stands for two calls of `measured`: one that runs the operation once, one that does so twice. The
//! difference is the operation alone.

use std::hint::black_box;
use std::process::ExitCode;

use utflane::Kernel;
use utflane_bench::operations::{self, Case, Run};
use utflane_bench::texts::{self, Size};

/// What is counted: names or beginnings of names, as `compare --list` has them. A new operation is a new word here.
const OPERATIONS: &[&str] =
    &["validate utf8", "validate ascii", "utf8>utf16", "utf8>utf16be", "str>utf16"];

/// Bytes of each text, counted in UTF-8.
const BYTES: usize = 64 << 10;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::from(2)
        }
    }
}

/// Goes through the cells and prints `kernel, operation, text, bytes of input`, between tabs.
fn run() -> Result<(), String> {
    let names: Vec<_> = OPERATIONS.iter().map(|&name| name.to_owned()).collect();
    let texts = texts::handful(BYTES);
    for kernel in Kernel::available() {
        for operation in operations::select(Some(&names))? {
            for text in operation.texts(&texts) {
                let mut case = operation.case(kernel, &text.sized(Size::Bytes(BYTES)));
                measured(operation.ours, &mut case, 0);
                measured(operation.ours, &mut case, 1);
                println!("{kernel}\t{}\t{}\t{}", operation.name, text.name, case.bytes());
            }
        }
    }
    Ok(())
}

/// The name that callgrind is told: it counts in here, and writes the counts down at the end. The operation runs once
/// more than said, to warm up.
#[inline(never)]
fn measured(run: Run, case: &mut Case, times: usize) {
    black_box(black_box(run)(case, times).result);
}
