//! Compares the library's column functions with arrow's functions, and with loops that call std:
//! `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- chinese` measures one text, `-- validation` or `-- conversions`
//! one table.
//!
//! For each text and row length it prints the speed of the library's column functions divided by
//! the speed of the peer. Both are timed alternately, and the printed figure is the median of the
//! ratios of neighbouring times. The figures are ratios, not absolute speeds, and hold for one
//! machine at one time.

mod conversions;
mod texts;
mod validation;

use std::time::Instant;

use crate::texts::{ROW_LENGTHS, TEXTS, rows};

/// The number of turns of each measurement. Each turn times both sides once.
const TURNS: usize = 15;

/// A column of a table: its name, and the function that measures the rows and returns the ratio.
type Measurement = (&'static str, fn(&[String]) -> f64);

/// Returns the median over all turns of the time of `peer` divided by the time of `ours`.
fn ratio(mut ours: impl FnMut(), mut peer: impl FnMut()) -> f64 {
    // The number of calls is chosen such that `ours` takes about 2 ms in each turn.
    let began = Instant::now();
    ours();
    let calls = (2_000_000 / began.elapsed().as_nanos().max(1)).clamp(1, 1000);
    let mut ratios: Vec<_> = (0..TURNS)
        .map(|_| {
            let began = Instant::now();
            (0..calls).for_each(|_| ours());
            let our_time = began.elapsed();
            let began = Instant::now();
            (0..calls).for_each(|_| peer());
            began.elapsed().as_secs_f64() / our_time.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TURNS / 2]
}

/// Prints a table with a line for each text and row length. `filters` are the names of the tables
/// and of the texts that the command line selects.
fn print_table(title: &str, columns: &[Measurement], filters: &[String]) {
    let is_text = |name: &String| TEXTS.iter().any(|(text, _)| text == name);
    let (texts, tables): (Vec<_>, Vec<_>) = filters.iter().partition(|&name| is_text(name));
    let is_chosen =
        |names: &[&String], name| names.is_empty() || names.iter().any(|&chosen| chosen == name);
    if !is_chosen(&tables, title) {
        return;
    }
    print!("{:10} {:>6}", "text", "bytes");
    columns.iter().for_each(|(name, _)| print!(" {name:>9}"));
    println!();
    for (name, words) in TEXTS {
        if !is_chosen(&texts, name) {
            continue;
        }
        for len in ROW_LENGTHS {
            let rows = rows(words, len);
            print!("{name:10} {len:6}");
            columns.iter().for_each(|(_, measure)| print!(" {:9.1}", measure(&rows)));
            println!();
        }
    }
}

fn main() {
    let filters: Vec<_> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    print_table("validation", &validation::COLUMNS, &filters);
    print_table("conversions", &conversions::COLUMNS, &filters);
}
