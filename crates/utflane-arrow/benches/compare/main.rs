//! Compares columns with arrow's functions and with loops over std: `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- chinese` measures one text, `-- validation` or `-- conversions`
//! one table.
//!
//! For each text and length of rows it prints how many times as fast columns are as the peer. The
//! two are measured in turns, and the figure is the median of the ratios of neighbours. The figures
//! of one machine at one time are ratios, nothing else.

mod conversions;
mod texts;
mod validation;

use std::time::Instant;

use crate::texts::{LENGTHS, TEXTS, rows};

/// Turns of each measurement.
const TURNS: usize = 15;

/// A column of a table: its name, and the measurement of rows.
type Measured = (&'static str, fn(&[String]) -> f64);

/// The median of how many times as long `peer` takes as `ours`.
fn ratio(mut ours: impl FnMut(), mut peer: impl FnMut()) -> f64 {
    // As many calls that a turn takes milliseconds.
    let began = Instant::now();
    ours();
    let calls = (2_000_000 / began.elapsed().as_nanos().max(1)).clamp(1, 1000);
    let mut ratios: Vec<_> = (0..TURNS)
        .map(|_| {
            let began = Instant::now();
            (0..calls).for_each(|_| ours());
            let first = began.elapsed();
            let began = Instant::now();
            (0..calls).for_each(|_| peer());
            began.elapsed().as_secs_f64() / first.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TURNS / 2]
}

/// Prints a table: a line for each text and length.
fn print(title: &str, columns: &[Measured], only: &[String]) {
    let is_text = |name: &String| TEXTS.iter().any(|(text, _)| text == name);
    let (texts, tables): (Vec<_>, Vec<_>) = only.iter().partition(|&name| is_text(name));
    let is_chosen = |list: &[&String], name| list.is_empty() || list.iter().any(|&one| one == name);
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
        for len in LENGTHS {
            let rows = rows(words, len);
            print!("{name:10} {len:6}");
            columns.iter().for_each(|(_, measured)| print!(" {:9.1}", measured(&rows)));
            println!();
        }
    }
}

fn main() {
    let only: Vec<_> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    print("validation", &validation::COLUMNS, &only);
    print("conversions", &conversions::COLUMNS, &only);
}
