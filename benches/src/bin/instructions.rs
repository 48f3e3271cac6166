//! Runs the operations of [`OPERATIONS`] on every kernel in the function `measured`, and prints the
//! order of the calls. `ci/instructions.py` starts this program in callgrind or in an emulator,
//! which count the instructions of each call of `measured`.
//!
//! Each line stands for two calls of `measured`: one that only runs the operation to warm up, and
//! one that warms up and then runs the operation on all parts of the text. The difference between
//! their counts is the operation alone.
//!
//! With arguments, `instructions BYTES KERNEL [OPERATION...]` runs only that kernel, on texts of
//! BYTES bytes, without excerpts.

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use utflane::Kernel;
use utflane_bench::latency;
use utflane_bench::operations::{self, Case, Operation, Run};
use utflane_bench::texts::{self, Size, Text};

/// The counted operations: names or beginnings of names, as `compare --list --ops all` prints them.
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
    "repair-copy many-errors utf16",
    "lossy many-errors utf8",
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
    "page koi8-r>utf16",
    "page koi8-r>utf8",
    "page utf16>koi8-r",
    "page utf8>koi8-r",
];

/// The length of each text, in bytes of UTF-8.
const TEXT_BYTES: usize = 16 << 10;

/// The length of short excerpts in bytes: three words of eight bytes, between the lengths of
/// 16-byte and 32-byte vectors.
const SHORT_BYTES: usize = 24;

/// The length of longer excerpts in bytes. It is not a multiple of 16 bytes, the shortest vector.
/// So each kernel has a tail, which can take most of the time for a text of one line.
const LINE_BYTES: usize = 120;

/// The texts from which excerpts come.
const EXCERPT_TEXTS: &[&str] = &["english", "russian", "chinese", "chat"];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the cells: each operation on each kernel, on whole texts and on excerpts. Then runs the
/// free functions, which check for short inputs before they choose a kernel, on the short excerpts.
fn run() -> Result<(), String> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let names: Vec<_> = match &arguments[..] {
        [_, _, names @ ..] if !names.is_empty() => names.to_vec(),
        _ => OPERATIONS.iter().map(|&name| name.to_owned()).collect(),
    };
    let operations = operations::select(Some(&names))?;
    if let [bytes, name, ..] = &arguments[..] {
        let bytes = bytes.parse().map_err(|error| format!("number of bytes '{bytes}': {error}"))?;
        let kernel = Kernel::by_name(name).ok_or_else(|| format!("no kernel '{name}' here"))?;
        let texts = texts::handful(bytes);
        for operation in &operations {
            run_whole_texts(operation, kernel, &texts, bytes);
        }
        return Ok(());
    }
    if !arguments.is_empty() {
        return Err("usage: instructions [BYTES KERNEL [OPERATION...]]".to_owned());
    }
    let texts = texts::handful(TEXT_BYTES);
    for kernel in Kernel::available() {
        for operation in &operations {
            run_whole_texts(operation, kernel, &texts, TEXT_BYTES);
            for bytes in [SHORT_BYTES, LINE_BYTES] {
                run_excerpts(kernel.name(), operation, kernel, operation.ours, &texts, bytes);
            }
        }
    }
    let active = Kernel::active();
    for operation in &operations {
        run_excerpts(
            &format!("free {active}"),
            operation,
            active,
            operation.free,
            &texts,
            SHORT_BYTES,
        );
    }
    Ok(())
}

/// Runs the cells of whole texts.
fn run_whole_texts(operation: &Operation, kernel: Kernel, texts: &[Text], bytes: usize) {
    for text in operation.texts(texts) {
        let mut case = operation.case(kernel, &text.sized(Size::Bytes(bytes)));
        run_cell(kernel.name(), operation.name, &text.name, operation.ours, &mut case);
    }
}

/// Runs the cells of excerpts of `bytes` bytes. `api` is printed, as [`run_cell`] documents.
fn run_excerpts(
    api: &str,
    operation: &Operation,
    kernel: Kernel,
    run: Run,
    texts: &[Text],
    bytes: usize,
) {
    let texts: Vec<_> =
        texts.iter().filter(|text| EXCERPT_TEXTS.contains(&&*text.name)).cloned().collect();
    for text in operation.texts(&texts) {
        if let Some(mut case) = latency::case(operation, kernel, &text, bytes) {
            let name = format!("{} by {bytes} B", text.name);
            run_cell(api, operation.name, &name, run, &mut case);
        }
    }
}

/// Runs a cell and prints `api, operation, text, bytes of input`, separated by tabs. `api` is the
/// name of a kernel, or `free` and the name of the active kernel.
fn run_cell(api: &str, operation: &str, text: &str, run: Run, case: &mut Case) {
    measured(run, case, 0);
    measured(run, case, 1);
    finished();
    let bytes: usize = case.parts().iter().map(ExactSizeIterator::len).sum();
    println!("{api}\t{operation}\t{text}\t{bytes}");
}

/// Runs the operation `times` times, after some more runs that warm up. `ci/instructions.py` passes
/// the name of this function to callgrind, which counts the instructions of each call.
#[inline(never)]
fn measured(run: Run, case: &mut Case, times: usize) {
    black_box(black_box(run)(case, times).result);
}

/// Does nothing. Its call marks the end of the second call of `measured`, for an emulator that logs
/// the functions that run.
#[inline(never)]
fn finished() {
    black_box(());
}
