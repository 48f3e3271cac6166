//! Writes `docs/BENCHMARKS.md`, its charts and the README's table from `benches/results/*.json`:
//! `cargo run -p utflane-bench --bin report`.
//!
//! `report --check` writes nothing, and fails if a file differs from the text that `report` would
//! write. `report --compare BEFORE AFTER` prints how two files of results differ. It fails if the
//! mean of an operation in a size decreased by more than 5 %, or by more than 10 % for short
//! excerpts.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use utflane_bench::{changes, document, results};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("report: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the request of the arguments. Returns false if `--check` finds a file that is out of date,
/// or if `--compare` finds a loss.
fn run() -> Result<bool, String> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let check = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--check"] => true,
        ["--compare", before, after] => {
            let read = |file| results::read(Path::new(file));
            let (table, losses) = changes::table(&read(before)?, &read(after)?);
            print!("{table}");
            println!("losses: {losses}");
            return Ok(losses == 0);
        }
        _ => return Err("usage: report [--check | --compare BEFORE AFTER]".to_owned()),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut is_up_to_date = true;
    for (path, text) in document::files(&root, &results::folder())? {
        let file = root.join(&path);
        if fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            println!(
                "{} is not up to date: run `cargo run -p utflane-bench --bin report`",
                path.display()
            );
            is_up_to_date = false;
            continue;
        }
        let folder = file.parent().unwrap_or(&root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| format!("can't write {}: {error}", path.display()))?;
        println!("written: {}", path.display());
    }
    Ok(is_up_to_date)
}
