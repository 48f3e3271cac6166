//! Measures utflane and its peers side by side. The arguments are listed by
//! `cargo bench -p utflane-bench --bench compare -- --help`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use utflane::Kernel;
use utflane_bench::args::Args;
use utflane_bench::measure::{Cell, Unit};
use utflane_bench::operations::{self, Operation};
use utflane_bench::results::{self, Head};
use utflane_bench::rounds::disturbance::DisturbanceDetector;
use utflane_bench::texts::{self, Text};
use utflane_bench::{environment, fresh, latency, measure, plot, report};

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("compare: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the measurements that the arguments request.
fn run(args: &Args) -> Result<(), String> {
    let kernel = select_kernel(args.kernel.as_deref())?;
    let operations = operations::select(args.ops.as_deref())?;
    if args.list {
        // Without --ops, lists every operation that --ops accepts.
        let operations = if args.ops.is_some() { operations } else { operations::all() };
        for operation in operations {
            println!("{}", operation.name);
        }
        return Ok(());
    }
    if args.latency.is_some() && kernel != Kernel::active() {
        // This measures the free functions, which choose a kernel once for the whole program.
        return Err(format!("with --latency, set UTFLANE_KERNEL={kernel} instead of --kernel"));
    }
    let texts = select_texts(args)?;
    if let Some(folder) = &args.plot {
        // An error now is better than an error after the measurement.
        fs::create_dir_all(folder)
            .map_err(|error| format!("can't make {}: {error}", folder.display()))?;
    }
    for line in environment::lines(kernel) {
        println!("{line}");
    }
    let rounds = args.settings().rounds;
    println!("each ratio is the median of the ratios of {rounds} rounds{}", warning(args));

    let detector = DisturbanceDetector::new();
    let mut cells = Vec::new();
    for operation in &operations {
        let new = match args.latency {
            Some(longest) => measure_latency(operation, &texts, longest, args, &detector)?,
            None if args.fresh => measure_fresh(operation, &texts, kernel, args, &detector)?,
            None => measure_texts(operation, &texts, kernel, args, &detector)?,
        };
        if let Some(folder) = &args.plot {
            let file = plot::draw(folder, operation.name, warning(args), &new)?;
            println!("chart written to {}", file.display());
        }
        cells.extend(new);
    }
    println!("\n{}", report::disturbance(&cells, &detector));
    if let Some(file) = &args.json {
        let file = file.clone().unwrap_or_else(|| results::default_file(kernel));
        write_results(&file, args, kernel, &cells, &detector)?;
        println!("results written to {}", file.display());
    }
    Ok(())
}

/// Replaces the results of this kind of measurement in a file.
fn write_results(
    file: &Path,
    args: &Args,
    kernel: Kernel,
    cells: &[Cell],
    detector: &DisturbanceDetector,
) -> Result<(), String> {
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let head = Head {
        kernel,
        arguments: arguments.collect::<Vec<_>>().join(" "),
        rounds: args.settings().rounds,
        is_unreliable: !warning(args).is_empty(),
    };
    let run = Some(head.run(cells, detector));
    results::update(file, |results| match args.latency {
        Some(_) => results.short = run,
        None if args.fresh => results.fresh = run,
        None => results.speed = run,
    })
}

/// Returns the texts that the arguments request.
fn select_texts(args: &Args) -> Result<Vec<Text>, String> {
    let all = match &args.corpus {
        Some(folder) => texts::read(folder)?,
        None => texts::generate(),
    };
    match (&args.texts, &args.corpus, args.latency) {
        (Some(list), _, _) => texts::select(all, list),
        (None, None, Some(_)) => {
            Ok(all.into_iter().filter(|text| texts::HANDFUL.contains(&&*text.name)).collect())
        }
        _ => Ok(all),
    }
}

/// Returns the warning for results that are not a measurement, or an empty text.
fn warning(args: &Args) -> &'static str {
    match (args.quick, cfg!(debug_assertions)) {
        (true, _) => "; QUICK: NOT A MEASUREMENT",
        (_, true) => "; DEBUG BUILD: NOT A MEASUREMENT",
        _ => "",
    }
}

/// Returns the kernel of that name, or the active kernel without a name. Returns an error if the
/// argument or `UTFLANE_KERNEL` names a kernel that is not available.
fn select_kernel(name: Option<&str>) -> Result<Kernel, String> {
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    let available = available.join(", ");
    if Kernel::override_rejected() {
        return Err(format!("UTFLANE_KERNEL names no available kernel; available: {available}"));
    }
    let Some(name) = name else { return Ok(Kernel::active()) };
    Kernel::by_name(name)
        .ok_or_else(|| format!("no kernel {name:?} on this machine; available: {available}"))
}

/// Measures an operation on all texts in all sizes, and prints each result.
fn measure_texts(
    operation: &Operation,
    texts: &[Text],
    kernel: Kernel,
    args: &Args,
    detector: &DisturbanceDetector,
) -> Result<Vec<Cell>, String> {
    let texts = operation.texts(texts);
    let table = report::Table::new(operation, Unit::Speed, longest_name_len(&texts));
    println!("{}", table.head(operation));
    let mut cells = Vec::new();
    for &size in &args.sizes {
        for text in &texts {
            let cell = measure::measure(operation, text, size, kernel, args.settings(), detector)?;
            println!("{}", table.row(&cell, detector));
            cells.push(cell);
        }
    }
    println!("{}", report::summary(&cells));
    Ok(cells)
}

/// Measures an operation on excerpts of all texts, and prints each result. Each round has other
/// excerpts.
fn measure_fresh(
    operation: &Operation,
    texts: &[Text],
    kernel: Kernel,
    args: &Args,
    detector: &DisturbanceDetector,
) -> Result<Vec<Cell>, String> {
    let table = report::Table::new(operation, Unit::Speed, fresh::NAME.len());
    println!("{}", table.head(operation));
    let mut cells = Vec::new();
    for &size in &args.sizes {
        let cell = fresh::measure(operation, texts, size, kernel, args.settings(), detector)?;
        println!("{}  excerpts of {size}", table.row(&cell, detector));
        cells.push(cell);
    }
    Ok(cells)
}

/// Measures the time of a call on short excerpts of all texts, and prints each result.
fn measure_latency(
    operation: &Operation,
    texts: &[Text],
    longest: usize,
    args: &Args,
    detector: &DisturbanceDetector,
) -> Result<Vec<Cell>, String> {
    let texts = operation.texts(texts);
    let table = report::Table::new(operation, Unit::Time, longest_name_len(&texts));
    println!("{}", table.head(operation));
    let mut cells = Vec::new();
    for text in &texts {
        for size in latency::sizes(operation, longest) {
            let cell = latency::measure(operation, text, size, args.settings(), detector)?;
            if let Some(cell) = &cell {
                println!("{}", table.row(cell, detector));
            }
            cells.extend(cell);
        }
    }
    for text in &texts {
        let of_text: Vec<_> = cells.iter().filter(|cell: &&Cell| cell.text == text.name).collect();
        println!("{}", report::summary_of_sizes(&text.name, &of_text));
    }
    println!("{}", report::summary_of_sizes(operation.name, &cells.iter().collect::<Vec<_>>()));
    Ok(cells)
}

/// Returns the number of characters of the longest name.
fn longest_name_len(texts: &[Text]) -> usize {
    texts.iter().map(|text| text.name.chars().count()).max().unwrap_or(0)
}
