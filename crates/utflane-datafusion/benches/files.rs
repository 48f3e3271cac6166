//! Compares the reading of files in other encodings: `cargo bench --bench files`.
//!
//! Each file has the same text. A figure is the time of a whole query that reads all its rows,
//! divided by the time of a peer:
//!
//! * DataFusion's own CSV reader, of the same text in UTF-8;
//! * a program that first decodes the file by `encoding_rs_io` into memory, and then gives it to
//!   that reader, or for lines cuts it by `BufRead`.
//!
//! All are measured in turns with one partition; a figure is the median of the ratios of
//! neighbours, and MB/s are of UTF-8, at the least time of all turns.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::StringBuilder;
use datafusion::error::Result;
use datafusion::object_store::memory::InMemory;
use datafusion::object_store::{ObjectStore, ObjectStoreExt};
use datafusion::prelude::{SessionConfig, SessionContext};
use encoding_rs::Encoding;
use encoding_rs_io::DecodeReaderBytesBuilder;
use futures::TryStreamExt;
use utflane_datafusion::register_files;

/// Turns of each measurement.
const TURNS: usize = 15;
/// Bytes of the text in UTF-8, about.
const BYTES: usize = 16 << 20;

/// Words of the texts: western words, which windows-1252 can encode, and Chinese words.
const WESTERN: &[&str] =
    &["größer", "und", "été", "la", "forêt", "window", "of", "light", "Straße", "théâtre", "a"];
const CHINESE: &[&str] = &["漢字", "中文", "數據列", "一二三", "河流", "光", "SQL", "桥"];

/// The encodings of each text.
const ENCODINGS: [(&str, &[&str], &[&str]); 2] = [
    ("western", WESTERN, &["utf-8", "utf-16le", "latin1", "windows-1252"]),
    ("Chinese", CHINESE, &["utf-8", "utf-16le", "gb18030"]),
];

/// Rows of a number, a word and some words, separated by commas.
fn text(words: &[&str]) -> String {
    let mut state = 1_u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    let mut text = String::new();
    while text.len() < BYTES {
        text.push_str(&format!("{},{},", next(1_000_000), words[next(words.len())]));
        for _ in 0..4 + next(8) {
            text.push_str(words[next(words.len())]);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

fn encoded(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "latin1" => {
            text.chars().map(|c| u8::try_from(c).expect("a character of Latin-1")).collect()
        }
        label => Encoding::for_label(label.as_bytes()).expect("a label").encode(text).0.into(),
    }
}

fn context() -> Result<SessionContext> {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    register_files(&context)?;
    Ok(context)
}

/// The rows of a query, read to the end.
async fn rows(context: &SessionContext, query: &str) -> Result<usize> {
    let stream = context.sql(query).await?.execute_stream().await?;
    stream.try_fold(0, |rows, batch| async move { Ok(rows + batch.num_rows()) }).await
}

/// Names a file `table`: with three columns, or for lines with one.
async fn name(context: &SessionContext, table: &str, location: &str, more: &str) -> Result<()> {
    let columns = if table == "lines" { "text VARCHAR" } else { "a BIGINT, b VARCHAR, c VARCHAR" };
    // A delimiter and a quote that do not occur.
    let delimiter = if table == "lines" { ", 'format.delimiter' '\u{1}'" } else { "" };
    let create = format!(
        "CREATE EXTERNAL TABLE {table} ({columns}) STORED AS CSV LOCATION '{location}'
         OPTIONS ('format.has_header' 'false', 'format.quote' '\u{2}'{delimiter}{more})"
    );
    context.sql(&create).await?;
    Ok(())
}

/// Opens a file that is decoded by the peer.
fn by_peer(path: &Path, label: &str) -> impl Read {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
    let file = File::open(path).expect("a file");
    // Without a mark; for UTF-8 nothing is to be decoded.
    let encoding = (label != "utf-8").then_some(encoding);
    DecodeReaderBytesBuilder::new().encoding(encoding).build(file)
}

/// The peer and then DataFusion's own reader.
async fn csv_by_peer(path: &Path, label: &str) -> Result<usize> {
    let mut text = Vec::new();
    by_peer(path, label).read_to_end(&mut text)?;
    let store = Arc::new(InMemory::new());
    store.put(&"text.csv".into(), text.into()).await?;
    let context = context()?;
    let url = url_of("memory://texts");
    context.register_object_store(&url, store as Arc<dyn ObjectStore>);
    name(&context, "texts", "memory://texts/text.csv", "").await?;
    rows(&context, "SELECT * FROM texts").await
}

fn url_of(url: &str) -> url::Url {
    url::Url::parse(url).expect("a URL")
}

/// The lines by the peer, in batches as DataFusion has them.
fn lines_by_peer(path: &Path, label: &str) -> usize {
    let (mut rows, mut builder) = (0, StringBuilder::new());
    for line in BufReader::new(by_peer(path, label)).lines() {
        builder.append_value(line.expect("text"));
        rows += 1;
        if rows % 8192 == 0 {
            std::hint::black_box(builder.finish());
        }
    }
    rows
}

/// Times of one thing in all turns.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn least(&self) -> f64 {
        self.0.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
    }

    /// The median of the ratios of these times and a peer's.
    fn over(&self, peer: &Self) -> f64 {
        let ratio =
            |(ours, theirs): (&Duration, &Duration)| ours.as_secs_f64() / theirs.as_secs_f64();
        let mut ratios: Vec<_> = self.0.iter().zip(&peer.0).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Measures a future, which must return the expected number of rows.
async fn timed(times: &mut Times, expected: usize, work: impl Future<Output = Result<usize>>) {
    let start = Instant::now();
    assert_eq!(work.await.expect("an answer"), expected);
    times.0.push(start.elapsed());
}

async fn compare(folder: &Path, name_of_text: &str, words: &[&str], labels: &[&str]) -> Result<()> {
    let text = text(words);
    let expected = text.lines().count();
    let megabytes = text.len() as f64 / 1e6;
    let utf8 = folder.join("utf8.csv");
    std::fs::write(&utf8, &text)?;
    for label in labels {
        let path = folder.join(format!("{label}.csv"));
        std::fs::write(&path, encoded(&text, label))?;
        let (plain, ours) = (context()?, context()?);
        for table in ["texts", "lines"] {
            name(&plain, table, &utf8.display().to_string(), "").await?;
            let encoding = format!(", 'format.encoding' '{label}'");
            name(&ours, table, &path.display().to_string(), &encoding).await?;
        }
        let read_text = format!("SELECT text FROM read_text('{}', '{label}')", path.display());
        let mut times: [Times; 6] = Default::default();
        for _ in 0..TURNS {
            let [csv, csv_plain, csv_peer, lines, lines_plain, lines_peer] = &mut times;
            timed(csv_plain, expected, rows(&plain, "SELECT * FROM texts")).await;
            timed(csv, expected, rows(&ours, "SELECT * FROM texts")).await;
            timed(csv_peer, expected, csv_by_peer(&path, label)).await;
            timed(lines_plain, expected, rows(&plain, "SELECT * FROM lines")).await;
            timed(lines, expected, rows(&ours, &read_text)).await;
            timed(lines_peer, expected, async { Ok(lines_by_peer(&path, label)) }).await;
        }
        let [csv, csv_plain, csv_peer, lines, lines_plain, lines_peer] = &times;
        println!(
            "| {name_of_text} | {label} | {:.0} | {:.2} | {:.2} | {:.0} | {:.2} | {:.2} |",
            megabytes / csv.least(),
            csv.over(csv_plain),
            csv.over(csv_peer),
            megabytes / lines.least(),
            lines.over(lines_plain),
            lines.over(lines_peer),
        );
    }
    Ok(())
}

fn main() -> Result<()> {
    let folder = tempfile::tempdir()?;
    println!(
        "| text | encoding | CSV: MB/s | over its own UTF-8 | over the program | `read_text`: MB/s \
         | over CSV in UTF-8 | over the program |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        for (name, words, labels) in ENCODINGS {
            compare(folder.path(), name, words, labels).await?;
        }
        Ok(())
    })
}
