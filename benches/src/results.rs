//! Files of results, one for each processor: `compare --json` writes them, `report` reads them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize, Serializer};
use utflane::Kernel;

use crate::measure::{Cell, Result as Peer, Unit};
use crate::rounds::disturbance::DisturbanceDetector;
use crate::texts::Size;
use crate::{environment, fresh};

/// The operations that have charts.
pub const CHARTS: &[&str] = &["validate utf8", "utf8>utf16", "utf16>utf8", "latin1>utf8"];

/// The size of the charts, and of the speeds in tables.
pub const LARGEST: Size = Size::Bytes(64 << 10);

/// All results of a processor.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Results {
    /// The processor's model.
    pub processor: String,
    /// Speeds on texts of some sizes.
    pub speed: Option<Run>,
    /// Speeds on excerpts of all texts, with other excerpts in each round.
    pub fresh: Option<Run>,
    /// Times of calls on short excerpts.
    pub short: Option<Run>,
}

/// A run of `compare`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Run {
    /// The date, like 2026-11-22.
    pub date: String,
    /// The commit, with the suffix `-dirty` if tracked files differed from it.
    pub commit: Option<String>,
    /// The version of utflane.
    pub utflane: String,
    /// The name of our kernel.
    pub kernel: String,
    /// The Rust compiler, its flags and target.
    pub compiler: String,
    /// The names and versions of the peers.
    pub peers: Vec<(String, String)>,
    /// The arguments of `compare`.
    pub arguments: String,
    /// The number of rounds. A figure is the median of the rounds.
    pub rounds: usize,
    /// True if the figures are meaningless: a run of `--quick`, or a debug build.
    #[serde(rename = "no_measurement")]
    pub is_unreliable: bool,
    /// The number of figures that were measured on a shared core.
    pub disturbed: usize,
    /// A row for each operation and size.
    pub rows: Vec<Row>,
    /// The bars of each text of a chart.
    pub bars: Vec<Bars>,
}

/// The figures of an operation in a size, on all texts. Means are geometric, and leave out texts of
/// ASCII if there are other texts. In a file, a row is an array: the names of the fields would
/// double the length of the file.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Row {
    /// The name of the operation.
    pub op: String,
    /// The requested size in bytes of UTF-8, like `64K`. Short excerpts have one row for all sizes,
    /// with the size [`SHORT`].
    pub size: String,
    /// The mean of our medians, in GB/s of input; for short excerpts, in nanoseconds for each call.
    pub ours: f64,
    /// The peer that is the fastest on most texts.
    pub peer: String,
    /// The mean of the medians of each text's fastest peer, in the unit of `ours`.
    pub theirs: f64,
    /// The mean of our speed divided by the speed of each text's fastest peer.
    pub ratio: f64,
    /// The number of cells: of texts that have a peer; for short excerpts, of texts and sizes.
    pub cells: usize,
    /// The number of cells in which a peer is faster: their ratio is below 1.
    pub below: usize,
    /// The lowest ratio of all cells, including texts of ASCII, with its text and peer.
    pub worst: (f64, String, String),
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { op, size, ours, peer, theirs, ratio, cells, below, worst } = self;
        (op, size, ours, peer, theirs, ratio, cells, below, worst).serialize(serializer)
    }
}

/// The speeds of a text in a chart. Our speed is the first.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Bars {
    /// The name of the operation.
    pub op: String,
    /// The name of the text.
    pub text: String,
    /// True if the text is all ASCII.
    pub ascii: bool,
    /// The name of each contender, and the median of its speeds in GB/s of input.
    pub bars: Vec<(String, f64)>,
}

/// The value of [`Row::size`] in rows of short excerpts.
pub const SHORT: &str = "short";

/// The description of a run.
pub struct Head {
    /// Our kernel.
    pub kernel: Kernel,
    /// The arguments of `compare`.
    pub arguments: String,
    /// The number of rounds of a figure.
    pub rounds: usize,
    /// True if the figures are meaningless: a run of `--quick`, or a debug build.
    pub is_unreliable: bool,
}

impl Head {
    /// Returns the results of these cells, which all come from the same kind of measurement.
    #[must_use]
    pub fn run(&self, cells: &[Cell], detector: &DisturbanceDetector) -> Run {
        let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        Run {
            date: date.chars().take_while(|c| *c != 'T').collect(),
            commit: environment::commit(),
            utflane: env!("UTFLANE_BENCH_VERSION_utflane").to_owned(),
            kernel: self.kernel.name().to_owned(),
            compiler: environment::compiler(),
            peers: environment::peers().into_iter().map(|(a, b)| (a.to_owned(), b)).collect(),
            arguments: self.arguments.clone(),
            rounds: self.rounds,
            is_unreliable: self.is_unreliable,
            disturbed: cells.iter().filter(|cell| !detector.is_undisturbed(cell.loop_time)).count(),
            rows: rows(cells),
            bars: bars(cells),
        }
    }
}

/// Returns a row for each operation and size that has peers.
fn rows(cells: &[Cell]) -> Vec<Row> {
    let size = |cell: &Cell| match cell.unit {
        Unit::Speed => cell.size.to_string(),
        Unit::Time => SHORT.to_owned(),
    };
    groups(cells, |cell| (cell.operation, size(cell)))
        .into_iter()
        .filter_map(|((op, size), cells)| row(op, size, &cells))
        .collect()
}

/// Returns the row of these cells, or `None` if no peer has the operation.
fn row(op: &str, size: String, cells: &[&Cell]) -> Option<Row> {
    let cells: Vec<_> = cells.iter().filter_map(|cell| Some((*cell, cell.best()?))).collect();
    let (worst, worst_peer) = *cells.iter().min_by(|a, b| a.1.ratio.total_cmp(&b.1.ratio))?;
    let text = match worst.unit {
        Unit::Speed => worst.text.clone(),
        Unit::Time => format!("{}, {} B", worst.text, worst.bytes),
    };
    // Short excerpts of ASCII are not faster than other short excerpts, so they count.
    let count_ascii = cells.iter().all(|(cell, _)| cell.ascii || cell.unit == Unit::Time);
    let counted: Vec<_> = cells.iter().filter(|(cell, _)| count_ascii || !cell.ascii).collect();
    let mean_of = |value: fn(&Cell, &Peer) -> f64| {
        rounded(mean(counted.iter().map(|(cell, best)| value(cell, best))))
    };
    let peers = groups(&counted, |(_, best)| best.name);
    let peer = peers.into_iter().rev().max_by_key(|(_, texts)| texts.len())?.0;
    Some(Row {
        op: op.to_owned(),
        size,
        ours: mean_of(|cell, _| cell.ours),
        peer: peer.to_owned(),
        theirs: mean_of(|_, best| best.value),
        ratio: mean_of(|_, best| best.ratio),
        cells: cells.len(),
        below: cells.iter().filter(|(_, best)| best.ratio < 1.0).count(),
        worst: (rounded(worst_peer.ratio), text, worst_peer.name.to_owned()),
    })
}

/// Returns the speeds for the charts: the speeds on single texts, without excerpts of all texts.
fn bars(cells: &[Cell]) -> Vec<Bars> {
    let is_in_chart = |cell: &&Cell| {
        let is_single = cell.unit == Unit::Speed && cell.text != fresh::NAME;
        is_single && cell.size == LARGEST && CHARTS.contains(&cell.operation)
    };
    let bars_of = |cell: &Cell| Bars {
        op: cell.operation.to_owned(),
        text: cell.text.clone(),
        ascii: cell.ascii,
        bars: std::iter::once(("ours", cell.ours))
            .chain(cell.peers.iter().map(|peer| (peer.name, peer.value)))
            .map(|(name, value)| (name.to_owned(), rounded(value)))
            .collect(),
    };
    cells.iter().filter(is_in_chart).map(bars_of).collect()
}

/// Groups items with equal keys. The groups have the order of their first items.
pub fn groups<T, K: PartialEq>(items: &[T], key: impl Fn(&T) -> K) -> Vec<(K, Vec<&T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for item in items {
        let key = key(item);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// Returns the geometric mean.
pub fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}

/// Returns the number with three decimal places.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// Returns the file of this processor's results. Kernels other than the best kernel have separate
/// files.
#[must_use]
pub fn default_file(kernel: Kernel) -> PathBuf {
    let processor = environment::processor().unwrap_or_else(|| "unknown".to_owned());
    let mut name = environment::slug(&processor);
    if Kernel::available().next() != Some(kernel) {
        name += &format!("-{kernel}");
    }
    folder().join(name + ".json")
}

/// Returns the folder of all results.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

/// Reads the results in a file.
///
/// # Errors
///
/// The error names the file that can't be read.
pub fn read(file: &Path) -> Result<Results, String> {
    let message = |error: &dyn std::fmt::Display| format!("can't read {}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| message(&error))?;
    serde_json::from_str(&text).map_err(|error| message(&error))
}

/// Changes the results in a file, or makes a new file.
///
/// # Errors
///
/// The error names the file that can't be read or written.
pub fn update(file: &Path, change: impl FnOnce(&mut Results)) -> Result<(), String> {
    let processor = environment::processor().unwrap_or_else(|| "unknown".to_owned());
    let mut results = if file.exists() { read(file)? } else { Results::default() };
    if results.processor != processor {
        results = Results { processor, ..Results::default() };
    }
    change(&mut results);
    let write = || {
        fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
        fs::write(file, to_json(&results))
    };
    write().map_err(|error| format!("can't write {}: {error}", file.display()))
}

/// Returns the text of a file: a line for each run, each row, and each text of a chart.
fn to_json(results: &Results) -> String {
    let mut text =
        serde_json::to_string(results).expect("numbers and strings can be written as JSON");
    // No string contains these patterns, because quotation marks inside of a string are escaped.
    for (before, after) in
        [("", "{\"date\":"), ("\"rows\":[", "[\""), ("\"]],", "[\""), ("", "{\"op\":")]
    {
        text = text.replace(&format!("{before}{after}"), &format!("{before}\n{after}"));
    }
    text + "\n"
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a cell of `utf8>utf16` in which std is the slower peer, and `other` is the faster
    /// peer.
    fn cell(text: &str, ascii: bool, ratio: f64, other: &'static str) -> Cell {
        Cell {
            operation: "utf8>utf16",
            text: text.to_owned(),
            ascii,
            size: LARGEST,
            bytes: 16,
            kernel: Kernel::active(),
            unit: Unit::Speed,
            ours: 8.0,
            memcpy: None,
            goal: None,
            loop_time: 0.0,
            peers: vec![
                Peer { name: "std", value: 0.5, ratio: 16.0 },
                Peer { name: other, value: 8.0 / ratio, ratio },
            ],
        }
    }

    /// Returns results with one operation on two texts.
    pub(crate) fn example() -> Results {
        let cells =
            [cell("english", true, 0.5, "simdutf"), cell("chinese", false, 2.0, "encoding_rs")];
        let run = Run {
            date: "2026-01-02".to_owned(),
            kernel: "scalar".to_owned(),
            compiler: "rustc 1.95.0".to_owned(),
            peers: vec![("std".to_owned(), "rustc 1.95.0".to_owned())],
            arguments: "--json".to_owned(),
            rounds: 31,
            disturbed: 1,
            rows: rows(&cells),
            bars: bars(&cells),
            ..Run::default()
        };
        let short = cells.map(|cell| Cell { unit: Unit::Time, ..cell });
        Results {
            processor: "A Processor".to_owned(),
            short: Some(Run { rows: rows(&short), bars: bars(&short), ..run.clone() }),
            fresh: Some(run.clone()),
            speed: Some(run),
        }
    }

    #[test]
    fn files_are_read_as_written() {
        let results = example();
        let text = to_json(&results);
        assert_eq!(
            serde_json::from_str::<Results>(&text).expect("the text is valid JSON"),
            results
        );
        // The text has a line for each row and for each text of a chart.
        let is_figure =
            |line: &&str| ["{\"op\":\"", "[\"utf8>"].iter().any(|start| line.starts_with(start));
        assert_eq!(text.lines().filter(is_figure).count(), 7, "{text}");
    }

    #[test]
    fn a_row_summarises_its_texts() {
        let cells = [
            cell("a", true, 0.5, "simdutf"),
            cell("b", false, 2.0, "simdutf"),
            cell("c", false, 8.0, "encoding_rs"),
            cell("d", false, 0.5, "encoding_rs"),
        ];
        let row = &rows(&cells)[0];
        // Texts of ASCII count in the numbers of cells, but not in the means.
        assert_eq!((row.ratio, row.ours, row.theirs), (2.0, 8.0, 4.0));
        assert_eq!((row.cells, row.below, &*row.peer, &*row.size), (4, 2, "encoding_rs", "64K"));
        assert_eq!(row.worst, (0.5, "a".to_owned(), "simdutf".to_owned()));
        assert_eq!(rows(&cells[..1])[0].ratio, 0.5);

        let row = &rows(&cells.map(|cell| Cell { unit: Unit::Time, ..cell }))[0];
        assert_eq!((row.ratio, &*row.size, &*row.worst.1), (1.414, SHORT, "a, 16 B"));
        assert_eq!(bars(&[cell(fresh::NAME, false, 2.0, "simdutf")]), []);
        assert!(rows(&[Cell { peers: Vec::new(), ..cell("a", false, 1.0, "") }]).is_empty());
    }
}
