//! Formats the tables on the terminal, and the summaries under the tables.

use crate::measure::{Cell, Unit};
use crate::operations::Operation;
use crate::rounds::disturbance::DisturbanceDetector;

/// The layout of an operation's table.
pub struct Table {
    unit: Unit,
    /// The width of the column for the names of texts, in characters.
    text_width: usize,
    /// The width of the column of each peer, in characters.
    peer_widths: Vec<usize>,
}

impl Table {
    /// Makes a table whose column for the names of texts is at least `text_width` characters wide.
    #[must_use]
    pub fn new(operation: &Operation, unit: Unit, text_width: usize) -> Self {
        let peer_widths = operation.peers.iter().map(|peer| peer.name.len().max(6)).collect();
        Self { unit, text_width: text_width.max(4), peer_widths }
    }

    /// Returns the title and the names of the columns.
    #[must_use]
    pub fn head(&self, operation: &Operation) -> String {
        let mut line =
            format!("{:<width$} {:>8} {:>7}", "text", "bytes", "ours", width = self.text_width);
        for (peer, width) in operation.peers.iter().zip(&self.peer_widths) {
            line += &format!(" {:>width$}", peer.name);
        }
        let (unit, memcpy) = match self.unit {
            Unit::Speed => ("GB/s of input", " (memcpy)"),
            Unit::Time => ("nanoseconds of a call", ""),
        };
        line += &format!("{memcpy}  {:<15} {:>6}", "best", "ratio");
        format!("\n{} ({unit})\n{line}", operation.name)
    }

    /// Returns a row.
    #[must_use]
    pub fn row(&self, cell: &Cell, detector: &DisturbanceDetector) -> String {
        let (text, bytes, ours) = (&cell.text, cell.bytes, cell.ours);
        let mut line = format!("{text:<width$} {bytes:>8} {ours:>7.2}", width = self.text_width);
        for (peer, width) in cell.peers.iter().zip(&self.peer_widths) {
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
        if let Some(utf8) = &cell.goal {
            line += &format!("  utf8 {:>6.3}", utf8.ratio);
        }
        if detector.is_undisturbed(cell.loop_time) { line } else { line + " *" }
    }
}

/// Returns the summary of an operation's cells: the mean of the ratios of texts that are not ASCII,
/// the worst ratio, and the number of ratios below 1.
#[must_use]
pub fn summary(cells: &[Cell]) -> String {
    let ratios: Vec<_> = cells.iter().filter_map(|cell| Some((cell, cell.best()?.ratio))).collect();
    let Some((worst, lowest)) = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return "no peer".to_owned();
    };
    let counted: Vec<_> = ratios.iter().filter(|(cell, _)| !cell.ascii).collect();
    let mean = if counted.is_empty() {
        "no text beyond ASCII".to_owned()
    } else {
        let logs: f64 = counted.iter().map(|(_, ratio)| ratio.ln()).sum();
        let mean = (logs / counted.len() as f64).exp();
        format!("geometric mean {mean:.3} over {} cells beyond ASCII", counted.len())
    };
    let lost = ratios.iter().filter(|(_, ratio)| *ratio < 1.0).count();
    format!(
        "{mean}; worst {lowest:.3} on {} ({} bytes); {lost} of {} below 1",
        worst.text,
        worst.bytes,
        ratios.len()
    )
}

/// Returns the summary of an operation's sizes: the number of sizes with a ratio of at least 1, the
/// mean ratio, and the worst ratio.
#[must_use]
pub fn summary_of_sizes(name: &str, cells: &[&Cell]) -> String {
    let ratios: Vec<_> = cells.iter().filter_map(|cell| Some((cell, cell.best()?.ratio))).collect();
    let Some((worst, lowest)) = ratios.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return format!("{name}: no peer");
    };
    let (all, won) = (ratios.len(), ratios.iter().filter(|(_, ratio)| *ratio >= 1.0).count());
    let logs: f64 = ratios.iter().map(|(_, ratio)| ratio.ln()).sum();
    format!(
        "{name}: {won} of {all} sizes at or above the best peer ({:.0} %); geometric mean {:.3}; \
         worst {lowest:.3} at {} bytes of {}, by {}",
        100.0 * won as f64 / all as f64,
        (logs / all as f64).exp(),
        worst.bytes,
        worst.text,
        worst.best().map_or("", |best| best.name),
    )
}

/// Returns a line with the number of cells that were measured on a shared core, judged by the best
/// time of the loop of `detector` at the end.
#[must_use]
pub fn disturbance(cells: &[Cell], detector: &DisturbanceDetector) -> String {
    let disturbed = cells.iter().filter(|cell| !detector.is_undisturbed(cell.loop_time)).count();
    match disturbed {
        0 => format!("all {} cells were measured on an undisturbed core", cells.len()),
        _ => format!("{disturbed} of {} cells were measured on a disturbed core", cells.len()),
    }
}
