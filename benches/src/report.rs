//! The tables on the terminal, and the sums under them.

use crate::measure::{Cell, Unit};
use crate::operations::Operation;
use crate::rounds::pace::Pace;

/// The layout of an operation's table.
pub struct Table {
    unit: Unit,
    text: usize,
    columns: Vec<usize>,
}

impl Table {
    /// A table with a column for text names of the given width.
    #[must_use]
    pub fn new(operation: &Operation, unit: Unit, text: usize) -> Self {
        let columns = operation.peers.iter().map(|peer| peer.name.len().max(6)).collect();
        Self { unit, text: text.max(4), columns }
    }

    /// The title and the names of the columns.
    #[must_use]
    pub fn head(&self, operation: &Operation) -> String {
        let mut line = format!("{:<text$} {:>8} {:>7}", "text", "bytes", "ours", text = self.text);
        for (peer, width) in operation.peers.iter().zip(&self.columns) {
            line += &format!(" {:>width$}", peer.name);
        }
        let (unit, memcpy) = match self.unit {
            Unit::Speed => ("GB/s of input", " (memcpy)"),
            Unit::Time => ("nanoseconds of a call", ""),
        };
        line += &format!("{memcpy}  {:<15} {:>6}", "best", "ratio");
        format!("\n{} ({unit})\n{line}", operation.name)
    }

    /// A row.
    #[must_use]
    pub fn row(&self, cell: &Cell, pace: &Pace) -> String {
        let (text, bytes, ours) = (&cell.text, cell.bytes, cell.ours);
        let mut line = format!("{text:<width$} {bytes:>8} {ours:>7.2}", width = self.text);
        for (peer, width) in cell.peers.iter().zip(&self.columns) {
            line += &format!(" {:>width$.2}", peer.value);
        }
        if let Some(memcpy) = cell.memcpy {
            line += &format!(" {memcpy:>8.2}");
        }
        line += "  ";
        line += &match cell.best() {
            Some(best) => format!("{:<15} {:>6.3}", best.name, best.ratio),
            None => "no peer".to_owned(),
        };
        if let Some(utf8) = &cell.reference {
            line += &format!("  utf8 {:>6.3}", utf8.ratio);
        }
        if pace.is_quiet(cell.pace) { line } else { line + " *" }
    }
}

/// The sum of an operation's cells: the mean of the ratios where it is meaningful, and the worst.
#[must_use]
pub fn sum(cells: &[Cell]) -> String {
    let ratios: Vec<_> = cells.iter().filter_map(|cell| Some((cell, cell.best()?.ratio))).collect();
    let Some((worst, low)) = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return "no peer".to_owned();
    };
    let spoken: Vec<_> = ratios.iter().filter(|(cell, _)| !cell.ascii).collect();
    let mean = if spoken.is_empty() {
        "no text beyond ASCII".to_owned()
    } else {
        let logs: f64 = spoken.iter().map(|(_, ratio)| ratio.ln()).sum();
        let mean = (logs / spoken.len() as f64).exp();
        format!("geometric mean {mean:.3} over {} cells beyond ASCII", spoken.len())
    };
    let lost = ratios.iter().filter(|(_, ratio)| *ratio < 1.0).count();
    format!(
        "{mean}; worst {low:.3} on {} ({} bytes); {lost} of {} below 1",
        worst.text,
        worst.bytes,
        ratios.len()
    )
}

/// The sum of an operation's sizes: how many of them are at or above the best peer, and the worst.
#[must_use]
pub fn sum_of_sizes(name: &str, cells: &[&Cell]) -> String {
    let ratios: Vec<_> = cells.iter().filter_map(|cell| Some((cell, cell.best()?.ratio))).collect();
    let Some((worst, low)) = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return format!("{name}: no peer");
    };
    let (all, won) = (ratios.len(), ratios.iter().filter(|(_, ratio)| *ratio >= 1.0).count());
    let logs: f64 = ratios.iter().map(|(_, ratio)| ratio.ln()).sum();
    format!(
        "{name}: {won} of {all} sizes at or above the best peer ({:.0} %); geometric mean {:.3}; \
         worst {low:.3} at {} bytes of {}, by {}",
        100.0 * won as f64 / all as f64,
        (logs / all as f64).exp(),
        worst.bytes,
        worst.text,
        worst.best().map_or("", |best| best.name),
    )
}

/// The number of cells that were measured on a shared core, by the best time known at the end.
#[must_use]
pub fn disturbed(cells: &[Cell], pace: &Pace) -> String {
    let disturbed = cells.iter().filter(|cell| !pace.is_quiet(cell.pace)).count();
    match disturbed {
        0 => format!("all {} cells were measured on an undisturbed core", cells.len()),
        _ => format!("{disturbed} of {} cells were measured on a disturbed core", cells.len()),
    }
}
