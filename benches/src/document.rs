//! `docs/BENCHMARKS.md` and its charts, from the results of all processors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::plot::{self, Group};
use crate::results::{self, Cell, Results, Run, Short, Sum, groups};

/// The operations that the beginning of a section names.
const HEADLINES: &[&str] = &["utf8>utf16", "utf16>utf8", "validate utf16", "validate utf8"];

/// The operations that have charts.
const CHARTS: &[&str] = &[
    "validate utf8",
    "utf8>utf16",
    "utf8>utf32",
    "str>utf16",
    "utf16>utf8",
    "utf32>utf8",
    "latin1>utf8",
    "validate utf16",
];

/// Sizes that are no longer in the caches closest to the processor have charts of their own.
const LARGEST_CHART: usize = 64 << 10;

/// The document, seen from the root of the project.
const DOCUMENT: &str = "docs/BENCHMARKS.md";

/// The folder of the charts, seen from the document's.
const FOLDER: &str = "charts";

/// All files made from the results in a folder: path from the root of the project, and text.
///
/// # Errors
///
/// Names the results that can't be read.
pub fn files(folder: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut all = Vec::new();
    for file in json_files(folder)? {
        let slug = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.push((slug, results::read(&file)?));
    }
    all.retain(|(_, results)| {
        let measured =
            |run: &Option<Run<Cell>>| run.as_ref().is_some_and(|run| !run.no_measurement);
        measured(&results.speed)
            || measured(&results.fresh)
            || results.short.as_ref().is_some_and(|run| !run.no_measurement)
    });
    make(&all)
}

/// The files of results, by name. A missing folder has no results.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let words = |error| format!("can't read {}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(words)? {
        let path = entry.map_err(words)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The files made from named results.
fn make(all: &[(String, Results)]) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut files = BTreeMap::new();
    let mut text = HEAD.to_owned();
    if all.is_empty() {
        text += "\nNo processor has been measured yet.\n";
    }
    for (slug, results) in all {
        text += &format!("\n## {}\n", results.processor);
        if let Some(run) = results.speed.as_ref().filter(|run| !run.no_measurement) {
            let charts = charts(slug, run)?;
            text += &speeds(run, charts.keys());
            let folder = Path::new(DOCUMENT).parent().unwrap_or(Path::new(""));
            files.extend(charts.into_iter().map(|(file, svg)| (folder.join(file), svg)));
        }
        if let Some(run) = results.fresh.as_ref().filter(|run| !run.no_measurement) {
            text += &fresh(run);
        }
        if let Some(run) = results.short.as_ref().filter(|run| !run.no_measurement) {
            text += &short(run);
        }
    }
    files.insert(DOCUMENT.into(), text);
    Ok(files)
}

/// The text before all sections.
const HEAD: &str = "\
# Benchmarks

<!-- Written by `cargo run -p utflane-bench --bin report` from benches/results/. Do not edit. -->

utflane beside its peers, on the same texts, in turns whose order is random in each round. Checked
conversions stand against checked ones, those from `&str` against functions that trust their input.
Before anything is timed, the output of every peer is compared with ours.

* Speeds are GB (10^9 bytes) of input per second, medians of the rounds.
* A ratio is ours by the fastest peer's: above 1, ours is faster. It is the median of the rounds'
  own ratios. Means are geometric, and leave out texts of ASCII; the worst cell is that of all
  texts.
* Sizes are bytes of the text in UTF-8.
* Speeds on single texts are those of a text that is converted again and again, which the processor
  learns by heart. Fresh text is a stream of 16 MiB of pieces of all texts, other ones each round.

To add a processor, on a machine that does nothing else (about ten minutes):

```sh
cargo bench -p utflane-bench --bench compare -- --json --ops all --texts handful --sizes 256,4K,64K
cargo bench -p utflane-bench --bench compare -- --json --fresh --sizes 256,4K,64K
cargo bench -p utflane-bench --bench compare -- --json --latency \\
    --texts english,russian,chinese,chat \\
    --ops 'validate utf8,utf8>utf16,utf8>utf32,str>utf16,utf16>utf8,utf32>utf8,latin1>utf8,\
    len utf8>utf16'
cargo run -p utflane-bench --bin report
```

Columns of short rows have other peers. `cargo bench --bench compare` in
[crates/utflane-arrow](../crates/utflane-arrow/README.md) compares them with arrow's arrays and with
loops over std ([figures](decisions/columns.md)), `cargo bench -p utflane-datafusion-bench` in
[crates/utflane-datafusion](../crates/utflane-datafusion/README.md) with the functions of
datafusion-spark.
";

/// The lines that describe a run.
fn about<T>(run: &Run<T>, figures: usize) -> String {
    let peers: Vec<_> =
        run.peers.iter().map(|(name, version)| format!("{name} ({version})")).collect();
    let commit = run.commit.as_deref().map_or(String::new(), |commit| format!(", commit {commit}"));
    let disturbed = match run.disturbed {
        0 => "all on an undisturbed core".to_owned(),
        some => format!("{some} of them on a core that was shared"),
    };
    format!(
        "* utflane {}{commit}, kernel `{}`, measured on {}\n* {}\n* peers: {}\n* `compare {}`: \
         {figures} figures, each the median of {} rounds; {disturbed}\n",
        run.utflane,
        run.kernel,
        run.date,
        run.compiler,
        peers.join("; "),
        run.arguments,
        run.rounds,
    )
}

/// The sizes of a run, as requested.
fn sizes(run: &Run<Cell>) -> Vec<String> {
    groups(&run.cells, |cell| cell.size.clone()).into_iter().map(|(size, _)| size).collect()
}

/// The number of bytes of a size, for comparison; a whole text is larger than all.
fn bytes(size: &str) -> usize {
    match size.parse() {
        Ok(crate::texts::Size::Bytes(bytes)) => bytes,
        _ => usize::MAX,
    }
}

/// The part of a section about texts of some sizes.
fn speeds<'a>(run: &Run<Cell>, charts: impl Iterator<Item = &'a PathBuf>) -> String {
    let sizes = sizes(run);
    let mut text = format!("\n{}", about(run, run.cells.len()));
    let Some(largest) =
        sizes.iter().filter(|size| bytes(size) <= LARGEST_CHART).max_by_key(|size| bytes(size))
    else {
        return text;
    };

    let sum_of =
        |op: &str, size: &str| run.sums.iter().find(|sum| sum.op == op && sum.size == size);
    let headlines: Vec<_> = HEADLINES
        .iter()
        .filter_map(|op| Some(format!("{} {:.2}", title(op), sum_of(op, largest)?.mean)))
        .collect();
    if !headlines.is_empty() {
        text += &format!("\nAt {largest}: {}.\n", headlines.join(", "));
    }

    text += &format!("\n| operation | GB/s, {largest} |");
    for size in &sizes {
        text += &format!(" {size} |");
    }
    text += &format!(" worst cell |\n|---|---|{}---|\n", "---|".repeat(sizes.len()));
    for (op, cells) in groups(&run.cells, |cell| cell.op.clone()) {
        let Some(worst) = worst(run.sums.iter().filter(|sum| sum.op == op)) else { continue };
        text += &format!("| {} | {} |", title(&op), range(&cells, largest));
        for size in &sizes {
            let mean = sum_of(&op, size).map_or(String::new(), |sum| format!("{:.2}", sum.mean));
            text += &format!(" {mean} |");
        }
        text += &format!(" {:.2} ({}, {}) |\n", worst.worst, worst.worst_text, worst.size);
    }
    text += &relatives(run, largest);

    let links: Vec<_> = charts
        .map(|file| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().replace('-', " ");
            format!("[{name}]({})", file.display())
        })
        .collect();
    if !links.is_empty() {
        text += &format!("\nCharts: {}.\n", links.join(", "));
    }
    text + &shortfalls(run)
}

/// The lowest of some sums.
fn worst<'a>(sums: impl Iterator<Item = &'a Sum>) -> Option<&'a Sum> {
    sums.min_by(|a, b| a.worst.total_cmp(&b.worst))
}

/// The slowest and the fastest non-ASCII text of a size, or all texts if there is none.
fn range(cells: &[&Cell], size: &str) -> String {
    let of_size: Vec<_> = cells.iter().filter(|cell| cell.size == size).collect();
    let beyond = of_size.iter().any(|cell| !cell.ascii);
    let speeds: Vec<_> =
        of_size.iter().filter(|cell| !(beyond && cell.ascii)).map(|cell| cell.ours).collect();
    let (low, high) = speeds.iter().fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
    match speeds.len() {
        0 => String::new(),
        1 => format!("{high:.1}"),
        _ => format!("{low:.1} to {high:.1}"),
    }
}

/// The relatives of UTF-8 compared with our own UTF-8.
fn relatives(run: &Run<Cell>, size: &str) -> String {
    let mut lines = String::new();
    let of_size: Vec<_> = run.cells.iter().filter(|cell| cell.size == size).collect();
    for (op, cells) in groups(&of_size, |cell| cell.op.clone()) {
        let ratios: Vec<_> = cells.iter().filter_map(|cell| cell.utf8_ratio).collect();
        if !ratios.is_empty() {
            lines += &format!("| {} | {:.2} |\n", title(&op), results::mean(&ratios));
        }
    }
    if lines.is_empty() {
        return lines;
    }
    format!(
        "\nRelatives of UTF-8 against our own UTF-8 in their place, {size}, texts that are the \
         same in both:\n\n| operation | ratio |\n|---|---|\n{lines}"
    )
}

/// Every cell below 1, an item for each operation and size.
fn shortfalls(run: &Run<Cell>) -> String {
    let mut lines = String::new();
    let mut count = 0;
    for ((op, size), cells) in groups(&run.cells, |cell| (cell.op.clone(), cell.size.clone())) {
        let low = cells.iter().filter_map(|cell| Some((*cell, cell.best()?)));
        let low: Vec<_> = low
            .filter(|(_, best)| best.ratio < 1.0)
            .map(|(cell, best)| {
                let mark = if cell.disturbed { "*" } else { "" };
                format!("{} {:.2}{mark} ({})", cell.text, best.ratio, best.name)
            })
            .collect();
        count += low.len();
        if !low.is_empty() {
            lines += &format!("* {}, {size}: {}\n", title(&op), low.join(", "));
        }
    }
    let with_peers = run.cells.iter().filter(|cell| !cell.peers.is_empty()).count();
    if count == 0 {
        return format!("\n### Shortfalls\n\nNone of {with_peers} cells is below 1.\n");
    }
    format!(
        "\n### Shortfalls\n\n{count} of {with_peers} cells are below 1 (`*`: on a core that \
         was shared; the faster peer in brackets).\n\n{lines}"
    )
}

/// The part of a section about text that no round repeats.
fn fresh(run: &Run<Cell>) -> String {
    let sizes = sizes(run);
    let mut text = format!(
        "\n### Fresh text\n\n{}\nGB/s, and in brackets the ratio to the fastest peer, on pieces \
         of so many bytes.\n\n| operation |",
        about(run, run.cells.len())
    );
    for size in &sizes {
        text += &format!(" {size} |");
    }
    text += &format!("\n|---|{}\n", "---|".repeat(sizes.len()));
    for (op, cells) in groups(&run.cells, |cell| cell.op.clone()) {
        text += &format!("| {} |", title(&op));
        for size in &sizes {
            let cell = cells.iter().find(|cell| cell.size == *size);
            text += &match cell.map(|cell| (cell.ours, cell.best())) {
                Some((ours, Some(best))) => {
                    format!(" {ours:.1} ({:.2}, {}) |", best.ratio, best.name)
                }
                Some((ours, None)) => format!(" {ours:.1} |"),
                None => " |".to_owned(),
            };
        }
        text += "\n";
    }
    text
}

/// The part of a section about short pieces.
fn short(run: &Run<Short>) -> String {
    let figures = run.cells.iter().map(|short| short.bytes.len()).sum();
    let mut text = format!(
        "\n### Short texts\n\n{}\nCalls of the free functions, each on another piece of the \
         text.\n\n| operation | sizes at or above the best peer | mean | worst | 16 bytes | \
         64 bytes |\n|---|---|---|---|---|---|\n",
        about(run, figures)
    );
    for (op, shorts) in groups(&run.cells, |short| short.op.clone()) {
        let Some(sum) = run.sums.iter().find(|sum| sum.op == op) else { continue };
        let ratios: Vec<_> = shorts.iter().flat_map(|short| short.ratios.iter().copied()).collect();
        let won = ratios.iter().filter(|ratio| **ratio >= 1.0).count();
        text += &format!(
            "| {} | {:.0} % of {} | {:.2} | {:.2} ({}) | {} | {} |\n",
            title(&op),
            100.0 * won as f64 / ratios.len() as f64,
            ratios.len(),
            sum.mean,
            sum.worst,
            sum.worst_text,
            times(&shorts, 16),
            times(&shorts, 64),
        );
    }
    text
}

/// The shortest and the longest time of a call on `bytes` bytes.
fn times(shorts: &[&Short], bytes: usize) -> String {
    let of_size = shorts.iter().filter_map(|short| {
        let at = short.bytes.iter().position(|other| *other == bytes)?;
        short.ours.get(at).copied()
    });
    let (low, high) = of_size.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    if high == 0.0 { String::new() } else { format!("{low:.1} to {high:.1} ns") }
}

/// The charts of a run: file seen from the document's folder, and drawing.
fn charts(slug: &str, run: &Run<Cell>) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut charts = BTreeMap::new();
    let sizes = sizes(run);
    let Some(size) =
        sizes.iter().filter(|size| bytes(size) <= LARGEST_CHART).max_by_key(|size| bytes(size))
    else {
        return Ok(charts);
    };
    for &op in CHARTS {
        let cells = run.cells.iter().filter(|cell| cell.op == op && cell.size == *size);
        let groups: Vec<_> = cells.map(Group::from).collect();
        if !groups.is_empty() {
            let title = format!("{op}, {size}, kernel {}", run.kernel);
            let file = Path::new(FOLDER).join(slug).join(plot::file_name(op));
            charts.insert(file, plot::render(&title, &groups)?);
        }
    }
    Ok(charts)
}

/// The name of an operation in a table.
fn title(op: &str) -> String {
    format!("`{op}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::example;

    #[test]
    fn a_section_for_each_processor() {
        let all = [("a-processor".to_owned(), example()), ("b".to_owned(), example())];
        let files = make(&all).expect("nothing can fail");
        let text = &files[Path::new(DOCUMENT)];
        assert_eq!(text.matches("\n## A Processor\n").count(), 2);
        for line in [
            "| `utf8>utf16` | 8.0 | 2.00 | 0.50 (english, 64K) |",
            "* `utf8>utf16`, 64K: english 0.50 (std)",
            "1 of 2 cells are below 1 ",
            "| `utf8>utf16` | 50 % of 2 | 1.00 | 0.50 (english) |  |  |",
            "At 64K: `utf8>utf16` 2.00.",
            "| `utf8>utf16` | 10.0 (0.50, std) |",
            "Charts: [utf8 to utf16](charts/a-processor/utf8-to-utf16.svg).",
        ] {
            assert!(text.contains(&format!("\n{line}")), "{line}\n{text}");
        }
        assert!(files[Path::new("docs/charts/b/utf8-to-utf16.svg")].contains("kernel scalar"));
    }

    #[test]
    fn what_is_no_measurement_is_left_out() {
        let mut results = example();
        (results.fresh, results.short) = (None, None);
        results.speed.as_mut().expect("the example has speeds").no_measurement = true;
        let folder = std::env::temp_dir().join(format!("utflane-bench-{}", std::process::id()));
        results::update(&folder.join("quick.json"), |file| *file = results)
            .expect("a folder of ours");
        let files = files(&folder);
        fs::remove_dir_all(&folder).expect("it was made above");
        let files = files.expect("nothing else is in it");
        assert!(files[Path::new(DOCUMENT)].contains("No processor has been measured yet."));
    }

    #[test]
    fn the_operations_exist() {
        for name in HEADLINES.iter().chain(CHARTS) {
            assert!(crate::operations::all().iter().any(|row| row.name == *name), "{name}");
        }
    }
}
