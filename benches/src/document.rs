//! Makes `docs/BENCHMARKS.md`, its charts and the README's table from the results of all
//! processors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::plot::{self, Group};
use crate::results::{self, CHARTS, LARGEST, Results, Row, Run, SHORT, groups};

/// The operations in the README's table, with their labels.
const README_OPERATIONS: &[(&str, &str)] = &[
    ("utf8>utf16", "UTF-8 to UTF-16"),
    ("utf16>utf8", "UTF-16 to UTF-8"),
    ("validate utf16", "validate UTF-16"),
    ("validate utf8", "validate UTF-8"),
];

/// The operations in the table of each processor.
const TABLE_OPERATIONS: &[&str] = &[
    "validate utf8",
    "validate utf16",
    "validate mutf8",
    "utf8>utf16",
    "utf8>utf32",
    "utf8>latin1",
    "utf8>utf8",
    "str>utf16",
    "utf16>utf8",
    "utf16>utf32",
    "utf16>latin1",
    "utf32>utf8",
    "latin1>utf8",
    "latin1>utf16",
    "mutf8>utf16",
    "lossy many-errors utf8>utf16",
    "owned utf8>utf16",
    "count utf8",
    "len utf8>utf16",
    "stream utf8>utf16 by 4K",
];

/// The sizes in the table of each processor.
const TABLE_SIZES: &[&str] = &["256", "4K", "64K"];

/// Names of processors for which the system only reports numbers.
const PROCESSOR_NAMES: &[(&str, &str)] = &[
    ("AMD EPYC (family 25, model 1)", "AMD EPYC (Zen 3)"),
    ("AMD EPYC (family 25, model 17)", "AMD EPYC (Zen 4)"),
    ("AMD EPYC (family 26, model 2)", "AMD EPYC (Zen 5)"),
    ("Intel(R) Xeon(R) Processor (family 6, model 207)", "Intel Xeon (Emerald Rapids)"),
];

/// The path of the document, relative to the root of the project.
const DOCUMENT: &str = "docs/BENCHMARKS.md";

/// The folder of the charts, relative to the document's folder.
const CHART_FOLDER: &str = "charts";

/// The path of the README, relative to the root of the project.
const README: &str = "README.md";

/// The beginning of the README's table.
const README_TABLE: &str = "| against the fastest of ";

/// Returns all files that are made from the results in a folder: the path of each file, relative to
/// the root of the project, and its text.
///
/// # Errors
///
/// The error names a file of results that can't be read, or the table that the README lacks.
pub fn files(root: &Path, results: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let all = read_results(results)?;
    let mut files = make(&all)?;
    let readme = fs::read_to_string(root.join(README)).map_err(|e| format!("{README}: {e}"))?;
    files.insert(README.into(), replace_table(&readme, &all)?);
    Ok(files)
}

/// Reads the results in a folder. Leaves out runs whose figures are meaningless.
fn read_results(folder: &Path) -> Result<Vec<Results>, String> {
    let mut all = Vec::new();
    for file in json_files(folder)? {
        let mut results = results::read(&file)?;
        let runs = [&mut results.speed, &mut results.fresh, &mut results.short];
        for run in runs {
            run.take_if(|run| run.is_unreliable);
        }
        if runs_of(&results).next().is_some() {
            all.push(results);
        }
    }
    Ok(all)
}

/// Returns the runs of a processor.
fn runs_of(results: &Results) -> impl Iterator<Item = &Run> {
    [&results.speed, &results.fresh, &results.short].into_iter().flatten()
}

/// Returns the files of results in a folder, sorted by name, or no files if the folder is missing.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let message = |error| format!("can't read {}: {error}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(message)? {
        let path = entry.map_err(message)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the document and its charts.
fn make(all: &[Results]) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut text = HEAD.to_owned();
    if all.is_empty() {
        text += "\nNo processor has been measured yet.\n";
    }
    let charts = charts(all)?;
    if !charts.is_empty() {
        let link = |file: &PathBuf| {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().replace('-', " ");
            format!("[{name}]({})", file.display())
        };
        let links: Vec<_> = charts.keys().map(link).collect();
        text += &format!("\nCharts: {}.\n", links.join(", "));
    }
    for results in all {
        text += &section(results);
    }
    text += &losses(all);
    let folder = Path::new(DOCUMENT).parent().unwrap_or(Path::new(""));
    let mut files: BTreeMap<_, _> =
        charts.into_iter().map(|(file, svg)| (folder.join(file), svg)).collect();
    files.insert(DOCUMENT.into(), text);
    Ok(files)
}

/// The text before the sections.
const HEAD: &str = "\
# Benchmarks

<!-- Written by `cargo run -p utflane-bench --bin report` from benches/results/. Do not edit. -->

utflane and its peers convert the same texts, in turns whose order is random in each round.
Conversions that validate are compared with conversions that validate, conversions of `&str` with
functions that trust their input. Before the measurement, the output of every peer is compared with
ours.

* A ratio is our speed divided by the fastest peer's: above 1, ours is faster. It is the median of
  the rounds' own ratios. Means over texts are geometric, without texts of ASCII; the worst text is
  the worst one of all texts and sizes.
* Speeds are GB (10^9 bytes) of input per second at 64K, means over texts. The named peer is the
  fastest one on most texts.
* Sizes are bytes of the text in UTF-8, which is converted repeatedly. Fresh text is a stream of
  16 MiB of excerpts of all texts, in another order each round, so that no branch is predictable.
* \"0-64 B\" is the mean over calls on texts of 0 to 64 bytes; in brackets, the share of the cells
  (one text at one size) that are at or above the best peer.
* `many-errors`: an ill-formed sequence every 100 or 200 bytes or units. `by 4K`: in chunks of
  4 KiB. `position`: one conversion of an offset; `positions`: many in one call. `simdutf-errors`:
  simdutf's functions that report errors. `a+std`: crate a, then std.

[benches/results](../benches/results) has a line for every operation and size: our speed, the
fastest peer and its speed, the ratio, the number of texts, the number of texts whose ratio is below
1, and the worst text. To add a processor, run on an idle machine (about ten minutes):

```sh
cargo bench -p utflane-bench --bench compare -- --json --ops all --texts handful --sizes 256,4K,64K
cargo bench -p utflane-bench --bench compare -- --json --fresh --sizes 256,4K,64K
cargo bench -p utflane-bench --bench compare -- --json --latency \\
    --texts english,russian,chinese,chat \\
    --ops 'validate utf8,utf8>utf16,utf8>utf32,str>utf16,utf16>utf8,utf32>utf8,latin1>utf8,\
    len utf8>utf16'
cargo run -p utflane-bench --bin report
```

With `SIMDUTF_SOURCE=DIR`, a folder with `simdutf.cpp` and `simdutf.h` of another release, `compare`
measures that simdutf instead of the one in the crate, and prints its version.

Columns of short rows have other peers: [crates/utflane-arrow](../crates/utflane-arrow/README.md),
[crates/utflane-datafusion](../crates/utflane-datafusion/README.md).
";

/// Returns the name of a processor in the document.
fn processor_name(results: &Results) -> &str {
    let processor = &*results.processor;
    PROCESSOR_NAMES
        .iter()
        .find(|(numbers, _)| *numbers == processor)
        .map_or(processor, |(_, name)| name)
}

/// Returns the row of an operation and size, if the run has one.
fn find_row<'a>(run: &'a Option<Run>, op: &str, size: &str) -> Option<&'a Row> {
    run.as_ref()?.rows.iter().find(|row| row.op == op && row.size == size)
}

/// Returns the section of a processor: how it was measured, and its table.
fn section(results: &Results) -> String {
    let mut text = format!("\n## {}\n\n", processor_name(results));
    for run in runs_of(results) {
        text += &describe(run);
    }
    if let Some(run) = runs_of(results).next() {
        let peers: Vec<_> =
            run.peers.iter().map(|(name, version)| format!("{name} ({version})")).collect();
        text += &format!("* {}; {}; {}\n", results.processor, run.compiler, peers.join(", "));
    }
    text += "\n| operation | GB/s | fastest peer | 0-64 B |";
    for head in TABLE_SIZES.iter().map(|size| (*size).to_owned()) {
        text += &format!(" {head} |");
    }
    for head in TABLE_SIZES.iter().map(|size| format!("fresh {size}")) {
        text += &format!(" {head} |");
    }
    text +=
        &format!(" worst text |\n|---|---|---|---|{}---|\n", "---|".repeat(2 * TABLE_SIZES.len()));
    for op in TABLE_OPERATIONS {
        text += &table_row(results, op);
    }
    text + &mean_row(results)
}

/// Returns the line that describes a run.
fn describe(run: &Run) -> String {
    let commit = run.commit.as_deref().map_or(String::new(), |commit| format!(", commit {commit}"));
    let disturbed = match run.disturbed {
        0 => "all on an undisturbed core".to_owned(),
        some => format!("{some} of them on a core that was shared"),
    };
    format!(
        "* `compare {}`: {} figures, each the median of {} rounds, {disturbed}; kernel `{}`, \
         utflane {}{commit}, {}\n",
        run.arguments,
        run.rows.iter().map(|row| row.cells).sum::<usize>(),
        run.rounds,
        run.kernel,
        run.utflane,
        run.date,
    )
}

/// Returns the line of an operation in the table, or an empty text if the operation was not
/// measured.
fn table_row(results: &Results, op: &str) -> String {
    let rows_of = |run| TABLE_SIZES.iter().map(move |size| find_row(run, op, size));
    let ratio = |row: Option<&Row>| row.map_or(String::new(), |row| format!("{:.2}", row.ratio));
    let short = find_row(&results.short, op, SHORT);
    let speeds: Vec<_> = rows_of(&results.speed).flatten().collect();
    if short.is_none() && speeds.is_empty() && rows_of(&results.fresh).flatten().next().is_none() {
        return String::new();
    }
    let largest = find_row(&results.speed, op, &LARGEST.to_string());
    let mut text = format!("| `{op}` | ");
    text += &largest
        .map_or(" |".to_owned(), |row| format!("{:.1} | {} {:.1}", row.ours, row.peer, row.theirs));
    text += &short.map_or(" | ".to_owned(), |row| {
        let won = 100.0 * (1.0 - row.below as f64 / row.cells as f64);
        format!(" | {:.2} ({won:.0} %)", row.ratio)
    });
    for row in rows_of(&results.speed).chain(rows_of(&results.fresh)) {
        text += &format!(" | {}", ratio(row));
    }
    text + &format!(" | {} |\n", worst(&speeds).unwrap_or_default())
}

/// Returns the lowest ratio of the rows, with its text, size and peer.
fn worst(rows: &[&Row]) -> Option<String> {
    let row = rows.iter().min_by(|a, b| a.worst.0.total_cmp(&b.worst.0))?;
    let (ratio, text, peer) = &row.worst;
    Some(format!("{ratio:.2} ({text}, {}, {peer})", row.size))
}

/// Returns the last line of a table: the mean ratios of all operations.
fn mean_row(results: &Results) -> String {
    let mut text = String::new();
    let mut operations = 0;
    for run in [&results.speed, &results.fresh] {
        for size in TABLE_SIZES {
            let rows = run.iter().flat_map(|run| &run.rows).filter(|row| row.size == *size);
            let ratios: Vec<_> = rows.map(|row| row.ratio).collect();
            operations = operations.max(ratios.len());
            text += &match ratios.len() {
                0 => " |".to_owned(),
                _ => format!(" {:.2} |", results::mean(ratios.into_iter())),
            };
        }
    }
    format!("| mean of all {operations} |  |  |  |{text}  |\n")
}

/// Returns the section about all cells with a ratio below 1, with a line for each family of
/// operations.
fn losses(all: &[Results]) -> String {
    let mut text = LOSSES.to_owned();
    for results in all {
        text += &format!(" {} |", processor_name(results));
    }
    text += &format!("\n|---|{}\n", "---|".repeat(all.len()));
    let speed_rows = |results: &Results| results.speed.clone().map_or(Vec::new(), |run| run.rows);
    let rows: Vec<_> = all.iter().flat_map(speed_rows).filter(is_lost).collect();
    for (family, _) in groups(&rows, |row| family(&row.op)) {
        text += &format!("| `{family}` |");
        for results in all {
            let rows = speed_rows(results);
            let family_rows: Vec<_> =
                rows.iter().filter(|row| self::family(&row.op) == family).collect();
            let lost: Vec<_> = family_rows.iter().copied().filter(|row| is_lost(row)).collect();
            let below: usize = lost.iter().map(|row| row.below).sum();
            let cells: usize = family_rows.iter().map(|row| row.cells).sum();
            text += &match worst(&lost) {
                Some(worst) => format!(" {below} of {cells}, {worst} |"),
                None => " |".to_owned(),
            };
        }
        text += "\n";
    }
    text
}

/// The beginning of the section about cells with a ratio below 1.
const LOSSES: &str = "
## Where we lose

The number of cells below 1, and the worst cell. A cell is one text at one size; an operation
includes its variants (byte orders, owned results, sizes of chunks, numbers of errors). Comparisons
with our own functions are omitted, and calls up to 64 bytes, whose losses are in the tables above.

| operation |";

/// Returns true if a peer is faster on a text.
fn is_lost(row: &Row) -> bool {
    row.below > 0 && !row.worst.2.starts_with("our-")
}

/// Returns the name of an operation without the names of its variants.
fn family(op: &str) -> String {
    let op = op.split(" by ").next().unwrap_or(op);
    let op = op.strip_prefix("owned ").unwrap_or(op);
    let op = ["few-errors ", "many-errors ", "random "]
        .iter()
        .fold(op.to_owned(), |op, word| op.replace(word, ""));
    ["16", "32"].iter().fold(op, |op, width| {
        op.replace(&format!("{width}le"), width).replace(&format!("{width}be"), width)
    })
}

/// Returns the charts: the path of each chart, relative to the document's folder, and its SVG. The
/// charts show the first processor that has results for all charts.
fn charts(all: &[Results]) -> Result<BTreeMap<PathBuf, String>, String> {
    let has_bars = |run: &&Run, op: &&str| run.bars.iter().any(|bars| bars.op == **op);
    let complete = all.iter().find_map(|results| {
        let run = results.speed.as_ref()?;
        CHARTS.iter().all(|op| has_bars(&run, op)).then_some((results, run))
    });
    let Some((results, run)) = complete else { return Ok(BTreeMap::new()) };
    let chart = |op: &&str| {
        let groups: Vec<_> =
            run.bars.iter().filter(|bars| bars.op == **op).map(Group::from).collect();
        let title = format!("{op}, {LARGEST}, {}, kernel {}", processor_name(results), run.kernel);
        Ok((Path::new(CHART_FOLDER).join(plot::file_name(op)), plot::render(&title, &groups)?))
    };
    CHARTS.iter().map(chart).collect()
}

/// Returns the README with a new table.
fn replace_table(readme: &str, all: &[Results]) -> Result<String, String> {
    let start = readme.find(README_TABLE).ok_or(format!("{README} lacks: {README_TABLE}"))?;
    let length = readme[start..].find("\n\n").ok_or(format!("{README}: the table has no end"))? + 1;
    let mut table = README_TABLE.to_owned() + "simdutf, simdutf8, encoding_rs and std |";
    let speeds: Vec<_> = all.iter().filter(|results| results.speed.is_some()).collect();
    for results in &speeds {
        let kernel = match results.speed.as_ref().map_or("", |run| &*run.kernel) {
            "avx512" | "avx512x2" => "AVX-512",
            "avx2" => "AVX2",
            other => other,
        };
        table += &format!(" {}, {kernel} |", processor_name(results));
    }
    table += &format!("\n|---|{}\n", "---|".repeat(speeds.len()));
    for (op, label) in README_OPERATIONS {
        table += &format!("| {label} |");
        for results in &speeds {
            let row = find_row(&results.speed, op, &LARGEST.to_string());
            table +=
                &row.map_or(" not measured |".to_owned(), |row| format!(" {:.2} |", row.ratio));
        }
        table += "\n";
    }
    Ok(readme[..start].to_owned() + &table + &readme[start + length..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::example;

    #[test]
    fn each_processor_has_a_section() {
        let files = make(&[example(), example()]).expect("the charts can be drawn");
        let text = &files[Path::new(DOCUMENT)];
        assert_eq!(text.matches("\n## A Processor\n").count(), 2);
        for line in [
            "| `utf8>utf16` | 8.0 | encoding_rs 4.0 | 1.00 (50 %) |  |  | 2.00 |  |  | 2.00 | \
             0.50 (english, 64K, simdutf) |",
            "| mean of all 1 |  |  |  | | | 2.00 | | | 2.00 |  |",
            "| `utf8>utf16` | 1 of 2, 0.50 (english, 64K, simdutf) | 1 of 2, 0.50 (english, 64K, \
             simdutf) |",
            "* `compare --json`: 2 figures, each the median of 31 rounds, 1 of them on a core that \
             was shared; kernel `scalar`, utflane , 2026-01-02",
        ] {
            assert!(text.contains(&format!("\n{line}\n")), "{line}\n{text}");
        }
        assert!(!text.contains("Charts:"), "the example has no bars for three of the charts");
    }

    #[test]
    fn charts_show_a_processor_that_has_all_of_them() {
        let mut complete = example();
        complete.processor = "Another".to_owned();
        let run = complete.speed.as_mut().expect("the example has speeds");
        let bars = run.bars.clone();
        run.bars.clear();
        for op in CHARTS {
            run.bars.extend(bars.iter().cloned().map(|b| results::Bars { op: (*op).into(), ..b }));
        }
        let files = make(&[example(), complete]).expect("the charts can be drawn");
        assert_eq!(files.len(), CHARTS.len() + 1);
        let chart = &files[Path::new("docs/charts/utf8-to-utf16.svg")];
        assert!(chart.contains("utf8&gt;utf16, 64K, Another, kernel scalar"), "{chart}");
        assert!(files[Path::new(DOCUMENT)].contains("](charts/validate-utf8.svg)"));
    }

    #[test]
    fn unreliable_runs_are_left_out() {
        let mut results = example();
        (results.fresh, results.short) = (None, None);
        results.speed.as_mut().expect("the example has speeds").is_unreliable = true;
        let folder = std::env::temp_dir().join(format!("utflane-bench-{}", std::process::id()));
        results::update(&folder.join("quick.json"), |file| *file = results)
            .expect("the temporary folder can be written");
        let all = read_results(&folder);
        fs::remove_dir_all(&folder).expect("the folder was made above");
        assert_eq!(all, Ok(Vec::new()));
        let files = make(&[]).expect("the charts can be drawn");
        assert!(files[Path::new(DOCUMENT)].contains("No processor has been measured yet."));
    }

    #[test]
    fn only_the_table_of_the_readme_is_replaced() {
        let before = format!("Head\n\n{README_TABLE}them | old |\n|---|---|\n\nTail | 1 |\n");
        let after = replace_table(&before, &[example()]).expect("the text has the table");
        assert!(after.starts_with(&format!("Head\n\n{README_TABLE}simdutf")), "{after}");
        assert!(after.contains(" | A Processor, scalar |\n|---|---|\n"), "{after}");
        assert!(after.contains("\n| UTF-8 to UTF-16 | 2.00 |\n"), "{after}");
        assert!(after.ends_with("\n| validate UTF-8 | not measured |\n\nTail | 1 |\n"), "{after}");
        assert!(replace_table("no table", &[]).is_err());
    }

    #[test]
    fn variants_have_one_family() {
        for (op, expected) in [
            ("owned utf16be>utf8", "utf16>utf8"),
            ("lossy many-errors utf8>utf16", "lossy utf8>utf16"),
            ("stream utf16>utf8 by 64K", "stream utf16>utf8"),
            ("validate utf32be", "validate utf32"),
        ] {
            assert_eq!(family(op), expected);
        }
    }

    #[test]
    fn the_operations_exist() {
        let readme_operations = README_OPERATIONS.iter().map(|(op, _)| op);
        for name in readme_operations.chain(CHARTS).chain(TABLE_OPERATIONS) {
            assert!(crate::operations::all().iter().any(|row| row.name == *name), "{name}");
        }
    }
}
