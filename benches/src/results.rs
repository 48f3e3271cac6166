//! Results as files, one for each processor: `compare --json` writes them, `report` reads them.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use utflane::Kernel;

use crate::environment;
use crate::measure;
use crate::pace::Pace;

/// All results of a processor.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Results {
    /// Its model.
    pub processor: String,
    /// Speeds on texts of some sizes.
    pub speed: Option<Run<Cell>>,
    /// Speeds on pieces of all texts that no round repeats.
    #[serde(default)]
    pub fresh: Option<Run<Cell>>,
    /// Times of calls on short pieces.
    pub short: Option<Run<Short>>,
}

/// A run of `compare`.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Run<T> {
    /// The day, as 2026-11-22.
    pub date: String,
    /// The commit; `-dirty` if tracked files differed from it.
    pub commit: Option<String>,
    /// Our version.
    pub utflane: String,
    /// Our kernel.
    pub kernel: String,
    /// The Rust compiler, its flags and target.
    pub compiler: String,
    /// Names and versions of the peers.
    pub peers: Vec<(String, String)>,
    /// The arguments of `compare`.
    pub arguments: String,
    /// Rounds, of which a figure is the median.
    pub rounds: usize,
    /// Whether the figures are meaningless: a run of `--quick`, or a debug build.
    pub no_measurement: bool,
    /// The number of figures measured on a shared core.
    pub disturbed: usize,
    /// The geometric mean of the ratios, and the lowest ratio.
    pub sums: Vec<Sum>,
    /// The measured cells.
    pub cells: Vec<T>,
}

/// The ratios of an operation at a size (or of an operation's short pieces) in two numbers.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sum {
    /// The operation.
    pub op: String,
    /// The size, or `short`.
    pub size: String,
    /// The geometric mean of the ratios to the best peer, without ASCII texts if there are others.
    pub mean: f64,
    /// The lowest ratio, ASCII included.
    pub worst: f64,
    /// The text with the lowest ratio.
    pub worst_text: String,
}

/// An operation on a text.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Cell {
    /// The operation.
    pub op: String,
    /// The text.
    pub text: String,
    /// The requested size, in UTF-8: `64K`.
    pub size: String,
    /// Bytes of input.
    pub bytes: usize,
    /// Whether the text is all ASCII.
    pub ascii: bool,
    /// Our median, in GB/s of input.
    pub ours: f64,
    /// memcpy's median.
    pub memcpy: Option<f64>,
    /// The peers' medians, and our speed as a multiple of theirs.
    pub peers: Vec<Peer>,
    /// Ours by our own UTF-8, where the operation is about one of its relatives.
    pub utf8_ratio: Option<f64>,
    /// Whether the core was shared.
    pub disturbed: bool,
}

/// A peer on a text.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// Its median, in the unit of ours.
    pub value: f64,
    /// Our speed as a multiple of the peer's, the median of the rounds' own ratios.
    pub ratio: f64,
}

/// An operation on short pieces of a text, of every size. The lists have an item for each size.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Short {
    /// The operation.
    pub op: String,
    /// The text.
    pub text: String,
    /// Bytes of input.
    pub bytes: Vec<usize>,
    /// Our medians, in nanoseconds of a call.
    pub ours: Vec<f64>,
    /// The best peers.
    pub best: Vec<String>,
    /// Our speed as a multiple of theirs.
    pub ratios: Vec<f64>,
}

impl Cell {
    /// The fastest peer: the one against which our ratio is the lowest.
    #[must_use]
    pub fn best(&self) -> Option<&Peer> {
        self.peers.iter().min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }
}

/// The description of a run.
pub struct Head {
    /// Our kernel.
    pub kernel: Kernel,
    /// The arguments of `compare`.
    pub arguments: String,
    /// Rounds of a figure.
    pub rounds: usize,
    /// Whether the figures are meaningless.
    pub no_measurement: bool,
}

impl Head {
    /// A run without figures.
    fn run<T>(&self, cells: &[measure::Cell], pace: &Pace) -> Run<T> {
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
            no_measurement: self.no_measurement,
            disturbed: cells.iter().filter(|cell| !pace.is_quiet(cell.pace)).count(),
            sums: Vec::new(),
            cells: Vec::new(),
        }
    }

    /// The results of texts of some sizes.
    #[must_use]
    pub fn speeds(&self, cells: &[measure::Cell], pace: &Pace) -> Run<Cell> {
        let new: Vec<_> = cells.iter().map(|cell| cell_of(cell, pace)).collect();
        let sums = groups(&new, |cell| (cell.op.clone(), cell.size.clone()))
            .into_iter()
            .filter_map(|((op, size), cells)| {
                let ratios = cells.iter().filter_map(|cell| Some((*cell, cell.best()?.ratio)));
                sum(op, size, ratios.map(|(cell, ratio)| (&*cell.text, cell.ascii, ratio)))
            })
            .collect();
        Run { sums, cells: new, ..self.run(cells, pace) }
    }

    /// The results of short pieces.
    #[must_use]
    pub fn short(&self, cells: &[measure::Cell], pace: &Pace) -> Run<Short> {
        let new: Vec<_> = groups(cells, |cell| (cell.operation.to_owned(), cell.text.clone()))
            .into_iter()
            .map(|((op, text), cells)| {
                let mut short = Short { op, text, ..Short::default() };
                for (cell, best) in cells.iter().filter_map(|cell| Some((*cell, cell.best()?))) {
                    short.bytes.push(cell.bytes);
                    short.ours.push(rounded(cell.ours));
                    short.best.push(best.name.to_owned());
                    short.ratios.push(rounded(best.ratio));
                }
                short
            })
            .collect();
        let sums = groups(&new, |short| short.op.clone())
            .into_iter()
            .filter_map(|(op, texts)| {
                let ratios =
                    texts.iter().flat_map(|short| short.ratios.iter().map(|r| (&*short.text, *r)));
                sum(op, "short".to_owned(), ratios.map(|(text, ratio)| (text, false, ratio)))
            })
            .collect();
        Run { sums, cells: new, ..self.run(cells, pace) }
    }
}

/// The items with equal keys together, in the order of the first of each.
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

/// The geometric mean of some ratios.
#[must_use]
pub fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// The sum of ratios, each with its text and whether that is ASCII. `None` if there are none.
fn sum<'a>(
    op: String,
    size: String,
    ratios: impl Iterator<Item = (&'a str, bool, f64)>,
) -> Option<Sum> {
    let ratios: Vec<_> = ratios.collect();
    let (worst_text, _, worst) = *ratios.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
    let all_ascii = ratios.iter().all(|(_, ascii, _)| *ascii);
    let counted: Vec<_> =
        ratios.iter().filter(|(_, ascii, _)| all_ascii || !ascii).map(|(_, _, r)| *r).collect();
    let mean = rounded(mean(&counted));
    Some(Sum { op, size, mean, worst: rounded(worst), worst_text: worst_text.to_owned() })
}

/// A figure as it is stored.
fn cell_of(cell: &measure::Cell, pace: &Pace) -> Cell {
    let peer = |peer: &measure::Result| Peer {
        name: peer.name.to_owned(),
        value: rounded(peer.value),
        ratio: rounded(peer.ratio),
    };
    Cell {
        op: cell.operation.to_owned(),
        text: cell.text.clone(),
        size: cell.size.to_string(),
        bytes: cell.bytes,
        ascii: cell.ascii,
        ours: rounded(cell.ours),
        memcpy: cell.memcpy.map(rounded),
        peers: cell.peers.iter().map(peer).collect(),
        utf8_ratio: cell.reference.as_ref().map(|utf8| rounded(utf8.ratio)),
        disturbed: !pace.is_quiet(cell.pace),
    }
}

/// A number rounded to three decimal places.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The file of this processor's results. Kernels other than the best one have files of their own.
#[must_use]
pub fn default_file(kernel: Kernel) -> PathBuf {
    let processor = environment::processor().unwrap_or_else(|| "unknown".to_owned());
    let mut name = environment::slug(&processor);
    if Kernel::available().next() != Some(kernel) {
        name += &format!("-{kernel}");
    }
    folder().join(name + ".json")
}

/// The folder of all results.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("results")
}

/// The results in a file.
///
/// # Errors
///
/// Names the file that can't be read.
pub fn read(file: &Path) -> Result<Results, String> {
    let words = |error: &dyn std::fmt::Display| format!("can't read {}: {error}", file.display());
    let text = fs::read_to_string(file).map_err(|error| words(&error))?;
    serde_json::from_str(&text).map_err(|error| words(&error))
}

/// Changes the results in a file, or begins a new one.
///
/// # Errors
///
/// Names the file that can't be read or written.
pub fn update(file: &Path, change: impl FnOnce(&mut Results)) -> Result<(), String> {
    let processor = environment::processor().unwrap_or_else(|| "unknown".to_owned());
    let mut results = if file.exists() { read(file)? } else { Results::default() };
    if results.processor != processor {
        results = Results { processor, ..Results::default() };
    }
    change(&mut results);
    let write = || {
        fs::create_dir_all(file.parent().unwrap_or(Path::new("")))?;
        fs::write(file, text(&results))
    };
    write().map_err(|error| format!("can't write {}: {error}", file.display()))
}

/// The text of a file: a line for each figure.
fn text(results: &Results) -> String {
    let mut bytes = Vec::new();
    let lines = Lines { depth: 0, pretty: PrettyFormatter::with_indent(b" ") };
    results
        .serialize(&mut Serializer::with_formatter(&mut bytes, lines))
        .expect("numbers and strings can be serialised into memory");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// The depth down to which nested objects and arrays have a line for each of their items.
const LINES_TO: usize = 3;

/// Pretty down to a depth, compact below it.
struct Lines<'a> {
    depth: usize,
    pretty: PrettyFormatter<'a>,
}

/// Passes each of these to the formatter of the present depth.
macro_rules! by_depth {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $name<W: ?Sized + io::Write>(
            &mut self,
            writer: &mut W
            $(, $argument: $type)*
        ) -> io::Result<()> {
            if self.depth <= LINES_TO {
                self.pretty.$name(writer $(, $argument)*)
            } else {
                CompactFormatter.$name(writer $(, $argument)*)
            }
        }
    )*};
}

impl Formatter for Lines<'_> {
    by_depth! {
        begin_array_value(first: bool);
        end_array_value();
        begin_object_key(first: bool);
        begin_object_value();
        end_object_value();
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.depth <= LINES_TO {
            self.pretty.begin_array(writer)
        } else {
            CompactFormatter.begin_array(writer)
        }
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < LINES_TO {
            self.pretty.end_array(writer)
        } else {
            CompactFormatter.end_array(writer)
        }
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        if self.depth <= LINES_TO {
            self.pretty.begin_object(writer)
        } else {
            CompactFormatter.begin_object(writer)
        }
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.depth < LINES_TO {
            self.pretty.end_object(writer)
        } else {
            CompactFormatter.end_object(writer)
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Results with one operation on two texts.
    pub(crate) fn example() -> Results {
        let cell = |text: &str, ascii, ours, std| Cell {
            op: "utf8>utf16".to_owned(),
            text: text.to_owned(),
            size: "64K".to_owned(),
            bytes: 65_536,
            ascii,
            ours,
            memcpy: None,
            peers: vec![Peer { name: "std".to_owned(), value: std, ratio: ours / std }],
            utf8_ratio: None,
            disturbed: false,
        };
        let sums = vec![Sum {
            op: "utf8>utf16".to_owned(),
            size: "64K".to_owned(),
            mean: 2.0,
            worst: 0.5,
            worst_text: "english".to_owned(),
        }];
        let short = Short {
            op: "utf8>utf16".to_owned(),
            text: "chinese".to_owned(),
            bytes: vec![3, 6],
            ours: vec![2.5, 4.0],
            best: vec!["std".to_owned(), "std".to_owned()],
            ratios: vec![0.5, 2.0],
        };
        let run = Run {
            date: "2026-01-02".to_owned(),
            commit: None,
            utflane: "0.1.0".to_owned(),
            kernel: "scalar".to_owned(),
            compiler: "rustc 1.95.0".to_owned(),
            peers: vec![("std".to_owned(), "rustc 1.95.0".to_owned())],
            arguments: "--json".to_owned(),
            rounds: 31,
            no_measurement: false,
            disturbed: 1,
            sums: sums.clone(),
            cells: vec![cell("english", true, 10.0, 20.0), cell("chinese", false, 8.0, 4.0)],
        };
        let sums = vec![Sum { mean: 1.0, size: "short".to_owned(), ..sums[0].clone() }];
        let short = Run { sums, cells: vec![short], ..Run::default() };
        let mut fresh = run.clone();
        for cell in &mut fresh.cells {
            cell.text = "all, fresh".to_owned();
        }
        fresh.cells.truncate(1);
        Results {
            processor: "A Processor".to_owned(),
            speed: Some(run),
            fresh: Some(fresh),
            short: Some(short),
        }
    }

    #[test]
    fn files_are_read_as_written() {
        let results = example();
        let text = text(&results);
        assert_eq!(
            serde_json::from_str::<Results>(&text).expect("it has just been written"),
            results
        );
        // A figure is a line.
        assert_eq!(text.lines().filter(|line| line.contains(r#""text":"#)).count(), 4, "{text}");
        assert!(text.ends_with("\n}\n") && !text.contains("} }"), "{text}");
    }

    #[test]
    fn means_leave_out_ascii() {
        let ratios = [("a", true, 0.5), ("b", false, 2.0), ("c", false, 8.0)];
        let sum = |ratios: &[(&'static str, bool, f64)]| {
            sum("o".to_owned(), "1K".to_owned(), ratios.iter().copied())
        };
        let all = sum(&ratios).expect("there are some");
        assert_eq!((all.mean, all.worst, &*all.worst_text), (4.0, 0.5, "a"));
        assert_eq!(sum(&ratios[..1]).expect("there is one").mean, 0.5);
        assert_eq!(sum(&[]), None);
    }
}
