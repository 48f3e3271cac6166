//! Runs every kernel, operation and text once under `measured` and prints the order:
//! `ci/instructions.py` starts it in callgrind or in an emulator, which count the instructions of
//! each of these calls.
//!
//! Each line stands for two calls of `measured`: one that runs the operation once, one that runs it
//! twice. The difference is the operation alone.
//!
//! `instructions [BYTES KERNEL [OPERATION...]]`: only that kernel, on texts of BYTES bytes, and no
//! excerpts.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use utflane::Kernel;
use utflane_bench::latency;
use utflane_bench::operations::{self, Case, Operation, Run};
use utflane_bench::texts::{self, Size, Text};

/// The counted operations: names or beginnings of names, as `compare --list --ops all` prints them.
/// A new operation is a new entry here.
const OPERATIONS: &[&str] = &[
    "validate utf8",
    "validate ascii",
    "utf8>utf16",
    "utf8>utf16be",
    "utf8>utf32",
    "utf8>latin1",
    "utf8>utf8",
    "utf8>ascii",
    "str>utf16",
    "str>utf32",
    "summary utf8",
    "latin1? utf8",
    "count utf8",
    "len utf8>utf16",
    "validate utf16",
    "utf16>utf8",
    "utf16>utf32",
    "utf16>latin1",
    "utf16be>utf8",
    "utf16le>utf16be",
    "repair utf16",
    "repair-copy spoilt utf16",
    "lossy spoilt utf8",
    "latin1? utf16",
    "count utf16",
    "len utf16>utf8",
    "validate utf32",
    "utf32>utf8",
    "utf32>utf16",
    "utf32>latin1",
    "len utf32>utf8",
    "len utf32>utf16",
    "latin1>utf8",
    "latin1>utf16",
    "latin1>utf32",
    "ascii>utf16",
    "len latin1>utf8",
    "validate mutf8",
    "utf8>mutf8",
    "mutf8>utf8",
    "mutf8>utf16",
    "utf16>mutf8",
];

/// Bytes of each text, counted in UTF-8.
const BYTES: usize = 64 << 10;

/// Bytes of short excerpts of texts: three words, between the vectors of 16 and of 32.
const SHORT: usize = 24;

/// Bytes of excerpts that end with less than a step, whatever the step is. What follows the last
/// one can take most of the time of a text of a line, and is not seen in a longer text.
const LINE: usize = 120;

/// The texts from which short excerpts come.
const SHORT_TEXTS: &[&str] = &["english", "russian", "chinese", "chat"];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs all cells: for each kernel the operations on whole texts and on excerpts, and the short
/// ones once more by the free functions, which check for short inputs before they choose a
/// kernel.
fn run() -> Result<(), String> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let names: Vec<_> = match &arguments[..] {
        [_, _, names @ ..] if !names.is_empty() => names.to_vec(),
        _ => OPERATIONS.iter().map(|&name| name.to_owned()).collect(),
    };
    let operations = operations::select(Some(&names))?;
    if let [bytes, name, ..] = &arguments[..] {
        let bytes = bytes.parse().map_err(|error| format!("'{bytes}' bytes: {error}"))?;
        let kernel = Kernel::by_name(name).ok_or_else(|| format!("no kernel '{name}' here"))?;
        let texts = texts::handful(bytes);
        for operation in &operations {
            whole(operation, kernel, &texts, bytes);
        }
        return Ok(());
    }
    if !arguments.is_empty() {
        return Err("usage: instructions [BYTES KERNEL [OPERATION...]]".to_owned());
    }
    let texts = texts::handful(BYTES);
    for kernel in Kernel::available() {
        for operation in &operations {
            whole(operation, kernel, &texts, BYTES);
            for bytes in [SHORT, LINE] {
                short(kernel.name(), operation, kernel, operation.ours, &texts, bytes);
            }
        }
    }
    let active = Kernel::active();
    for operation in &operations {
        short(&format!("free {active}"), operation, active, operation.free, &texts, SHORT);
    }
    Ok(())
}

/// The cells of whole texts.
fn whole(operation: &Operation, kernel: Kernel, texts: &[Text], bytes: usize) {
    for text in operation.texts(texts) {
        let mut case = operation.case(kernel, &text.sized(Size::Bytes(bytes)));
        cell(kernel.name(), operation.name, &text.name, operation.ours, &mut case);
    }
}

/// The cells of excerpts of so many bytes.
fn short(who: &str, operation: &Operation, kernel: Kernel, run: Run, texts: &[Text], bytes: usize) {
    let short: Vec<_> =
        texts.iter().filter(|text| SHORT_TEXTS.contains(&&*text.name)).cloned().collect();
    for text in operation.texts(&short) {
        if let Some(mut case) = latency::case(operation, kernel, &text, bytes) {
            let name = format!("{} by {bytes} B", text.name);
            cell(who, operation.name, &name, run, &mut case);
        }
    }
}

/// Runs a cell and prints `kernel, operation, text, bytes of input`, between tabs.
fn cell(who: &str, operation: &str, text: &str, run: Run, case: &mut Case) {
    measured(run, case, 0);
    measured(run, case, 1);
    finished();
    let bytes: usize = case.parts().iter().map(ExactSizeIterator::len).sum();
    println!("{who}\t{operation}\t{text}\t{bytes}");
}

/// The function whose name callgrind gets: it counts inside it, and writes the counts at the end.
/// To warm up, the operation runs more often than requested.
#[inline(never)]
fn measured(run: Run, case: &mut Case, times: usize) {
    black_box(black_box(run)(case, times).result);
}

/// Marks the end of the second of the two calls, for an emulator that reports the program's
/// position.
#[inline(never)]
fn finished() {
    black_box(());
}
