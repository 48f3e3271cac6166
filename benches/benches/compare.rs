//! The side-by-side measurement: `cargo bench -p utflane-bench --bench compare -- --help`.

use std::fs;
use std::process::ExitCode;

use clap::Parser;
use utflane::Kernel;
use utflane_bench::args::Args;
use utflane_bench::operations::{self, Operation};
use utflane_bench::pace::Pace;
use utflane_bench::texts::{self, Text};
use utflane_bench::{environment, measure, report};

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::from(2)
        }
    }
}

/// Measures what the arguments ask for.
fn run(args: &Args) -> Result<(), String> {
    let kernel = kernel(args.kernel.as_deref())?;
    let operations = operations::select(args.ops.as_deref())?;
    if args.list {
        for operation in &operations {
            println!("{}", operation.name);
        }
        return Ok(());
    }
    let texts = match &args.corpus {
        Some(folder) => texts::read(folder)?,
        None => texts::generate(),
    };
    for line in environment::lines(kernel) {
        println!("{line}");
    }
    let rounds = args.settings().rounds;
    println!("a cell is the median of {rounds} paired ratios{}", remark(args));

    let pace = Pace::new();
    let mut cells = Vec::new();
    for operation in &operations {
        cells.extend(table(operation, &texts, kernel, args, &pace)?);
    }
    println!("\n{}", report::disturbed(&cells, &pace));
    if let Some(file) = &args.json {
        fs::write(file, report::json(&cells, &pace))
            .map_err(|error| format!("can't write {}: {error}", file.display()))?;
    }
    Ok(())
}

/// What a reader must know before believing anything.
fn remark(args: &Args) -> &'static str {
    match (args.quick, cfg!(debug_assertions)) {
        (true, _) => "; QUICK: NOT A MEASUREMENT",
        (_, true) => "; DEBUG BUILD: NOT A MEASUREMENT",
        _ => "",
    }
}

/// The kernel of that name, or the active one. A wish that can't be met is an error, wherever it was made.
fn kernel(name: Option<&str>) -> Result<Kernel, String> {
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    let available = available.join(", ");
    if Kernel::override_rejected() {
        return Err(format!("UTFLANE_KERNEL can't be followed; available are {available}"));
    }
    let Some(name) = name else { return Ok(Kernel::active()) };
    Kernel::by_name(name)
        .ok_or_else(|| format!("no kernel {name:?} on this machine; available are {available}"))
}

/// Measures an operation on all texts in all sizes, and prints as it goes.
fn table(
    operation: &Operation,
    texts: &[Text],
    kernel: Kernel,
    args: &Args,
    pace: &Pace,
) -> Result<Vec<measure::Cell>, String> {
    let texts = operation.texts(texts);
    let width = texts.iter().map(|text| text.name.chars().count()).max().unwrap_or(0);
    let table = report::Table::new(operation, width);
    println!("{}", table.head(operation));
    let mut cells = Vec::new();
    for &size in &args.sizes {
        for text in &texts {
            let cell =
                measure::measure(operation, &text.sized(size), kernel, args.settings(), pace)?;
            println!("{}", table.row(&cell, pace));
            cells.push(cell);
        }
    }
    println!("{}", report::sum(&cells));
    Ok(cells)
}
