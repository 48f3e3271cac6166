//! Draws the chart of the C library, from the tables that `capi/measure.sh` prints.
//!
//! `capi/measure.sh TEXT... | cargo run --release -p utflane-bench --bin c_chart -- FILE.svg`

use std::io::{Read, stdin};
use std::process::ExitCode;
use std::{env, fs};

use utflane_bench::c_tables::groups;
use utflane_bench::plot::render;

fn main() -> ExitCode {
    match chart() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("c_chart: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Draws the chart of the tables in standard input.
fn chart() -> Result<(), String> {
    let file = env::args().nth(1).ok_or("the file of the chart is missing")?;
    let mut tables = String::new();
    stdin().read_to_string(&mut tables).map_err(|error| format!("standard input: {error}"))?;
    let groups = groups(&tables)?;
    let kernel = tables.lines().find_map(|line| line.strip_prefix("On the kernel "));
    let kernel = kernel.map_or("?", |name| name.trim_end_matches('.'));
    let svg = render(&format!("through C, 64 KiB of UTF-8, kernel {kernel}"), &groups)?;
    fs::write(&file, svg).map_err(|error| format!("{file}: {error}"))
}
