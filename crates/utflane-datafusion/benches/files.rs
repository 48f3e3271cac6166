//! Measures how fast files in other encodings are read: `cargo bench --bench files`.
//!
//! A text is written to one file for each encoding. A ratio is the time of a query that reads all
//! rows of a file, divided by the time of a peer. There are two peers:
//!
//! * DataFusion's own CSV reader, which reads the same text in UTF-8;
//! * a program that first decodes the file into memory with `encoding_rs_io`, and then passes the
//!   text
//!   to that reader, or splits it into lines with `BufRead`.
//!
//! All are timed alternately, with one partition. A ratio is the median of the ratios of
//! neighbouring times. MB/s are the bytes of the text in UTF-8, divided by the least time of all
//! turns.

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

/// The number of turns of each measurement. Each turn times every query and program once.
const TURNS: usize = 15;
/// The minimum length of a text in UTF-8, in bytes.
const TEXT_BYTES: usize = 16 << 20;

/// The words of the western text, which windows-1252 can encode.
const WESTERN: &[&str] =
    &["größer", "und", "été", "la", "forêt", "window", "of", "light", "Straße", "théâtre", "a"];
/// The words of the Chinese text.
const CHINESE: &[&str] = &["漢字", "中文", "數據列", "一二三", "河流", "光", "SQL", "桥"];

/// The name, the words and the encodings of each text.
const ENCODINGS: [(&str, &[&str], &[&str]); 2] = [
    ("western", WESTERN, &["utf-8", "utf-16le", "latin1", "windows-1252"]),
    ("Chinese", CHINESE, &["utf-8", "utf-16le", "gb18030"]),
];

/// Returns a text whose rows consist of a number, a word and several words, separated by commas.
fn make_text(words: &[&str]) -> String {
    let mut state = 1_u32;
    let mut random_below = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % limit
    };
    let mut text = String::new();
    while text.len() < TEXT_BYTES {
        text.push_str(&format!(
            "{},{},",
            random_below(1_000_000),
            words[random_below(words.len())]
        ));
        for _ in 0..4 + random_below(8) {
            text.push_str(words[random_below(words.len())]);
            text.push(' ');
        }
        text.push('\n');
    }
    text
}

/// Encodes a text.
fn encode(text: &str, label: &str) -> Vec<u8> {
    match label {
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "latin1" => {
            text.chars().map(|c| u8::try_from(c).expect("the character is in Latin-1")).collect()
        }
        label => encoding_of(label).encode(text).0.into(),
    }
}

/// Returns the encoding of a label.
fn encoding_of(label: &str) -> &'static Encoding {
    Encoding::for_label(label.as_bytes()).expect("the label is known")
}

/// Creates a session with one partition.
fn create_context() -> Result<SessionContext> {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    register_files(&context)?;
    Ok(context)
}

/// Reads the result of a query to its end. Returns the number of rows.
async fn count_rows(context: &SessionContext, query: &str) -> Result<usize> {
    let stream = context.sql(query).await?.execute_stream().await?;
    stream.try_fold(0, |rows, batch| async move { Ok(rows + batch.num_rows()) }).await
}

/// Creates a table of a CSV file: with one column if the table is called `lines`, otherwise with
/// three columns.
async fn create_table(
    context: &SessionContext,
    table: &str,
    location: &str,
    more_options: &str,
) -> Result<()> {
    let columns = if table == "lines" { "text VARCHAR" } else { "a BIGINT, b VARCHAR, c VARCHAR" };
    // The text does not contain this delimiter, nor the quote below.
    let delimiter = if table == "lines" { ", 'format.delimiter' '\u{1}'" } else { "" };
    let create = format!(
        "CREATE EXTERNAL TABLE {table} ({columns}) STORED AS CSV LOCATION '{location}'
         OPTIONS ('format.has_header' 'false', 'format.quote' '\u{2}'{delimiter}{more_options})"
    );
    context.sql(&create).await?;
    Ok(())
}

/// Opens a file that `encoding_rs_io` decodes.
fn open_decoded(path: &Path, label: &str) -> impl Read {
    let file = File::open(path).expect("the file can be opened");
    // The files have no byte order mark. UTF-8 needs no decoding.
    let encoding = (label != "utf-8").then_some(encoding_of(label));
    DecodeReaderBytesBuilder::new().encoding(encoding).build(file)
}

/// Decodes a file into memory with `encoding_rs_io`, and reads the text with DataFusion's own CSV
/// reader. Returns the number of rows.
async fn read_csv_with_program(path: &Path, label: &str) -> Result<usize> {
    let mut text = Vec::new();
    open_decoded(path, label).read_to_end(&mut text)?;
    let store = Arc::new(InMemory::new());
    store.put(&"text.csv".into(), text.into()).await?;
    let context = create_context()?;
    let url = url::Url::parse("memory://texts").expect("the URL is valid");
    context.register_object_store(&url, store as Arc<dyn ObjectStore>);
    create_table(&context, "texts", "memory://texts/text.csv", "").await?;
    count_rows(&context, "SELECT * FROM texts").await
}

/// Splits a file into lines with `BufRead` while `encoding_rs_io` decodes it. The lines are
/// collected in batches of the size of DataFusion's batches. Returns the number of lines.
fn read_lines_with_program(path: &Path, label: &str) -> usize {
    let (mut rows, mut builder) = (0, StringBuilder::new());
    for line in BufReader::new(open_decoded(path, label)).lines() {
        builder.append_value(line.expect("the line is UTF-8"));
        rows += 1;
        if rows % 8192 == 0 {
            std::hint::black_box(builder.finish());
        }
    }
    rows
}

/// The times of one query or program in all turns.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    /// Returns the least time in seconds.
    fn least(&self) -> f64 {
        self.0.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
    }

    /// Returns the median over all turns of this time divided by the peer's time.
    fn ratio_to(&self, peer: &Self) -> f64 {
        let ratio = |(ours, peer): (&Duration, &Duration)| ours.as_secs_f64() / peer.as_secs_f64();
        let mut ratios: Vec<_> = self.0.iter().zip(&peer.0).map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }
}

/// Measures the time of a future, which must return the expected number of rows.
async fn measure(times: &mut Times, expected: usize, work: impl Future<Output = Result<usize>>) {
    let start = Instant::now();
    assert_eq!(work.await.expect("the query succeeds"), expected);
    times.0.push(start.elapsed());
}

/// Measures one text in several encodings, and prints a row of the table for each encoding.
async fn compare(folder: &Path, text_name: &str, words: &[&str], labels: &[&str]) -> Result<()> {
    let text = make_text(words);
    let expected = text.lines().count();
    let megabytes = text.len() as f64 / 1e6;
    let utf8 = folder.join("utf8.csv");
    std::fs::write(&utf8, &text)?;
    for label in labels {
        let path = folder.join(format!("{label}.csv"));
        std::fs::write(&path, encode(&text, label))?;
        // One session reads the text in UTF-8, the other session reads it in the encoding.
        let (utf8_context, context) = (create_context()?, create_context()?);
        for table in ["texts", "lines"] {
            create_table(&utf8_context, table, &utf8.display().to_string(), "").await?;
            let encoding = format!(", 'format.encoding' '{label}'");
            create_table(&context, table, &path.display().to_string(), &encoding).await?;
        }
        let read_text = format!("SELECT text FROM read_text('{}', '{label}')", path.display());
        let mut times: [Times; 6] = Default::default();
        for _ in 0..TURNS {
            let [csv, csv_utf8, csv_program, lines, lines_utf8, lines_program] = &mut times;
            let query = "SELECT * FROM texts";
            measure(csv_utf8, expected, count_rows(&utf8_context, query)).await;
            measure(csv, expected, count_rows(&context, query)).await;
            measure(csv_program, expected, read_csv_with_program(&path, label)).await;
            let query = "SELECT * FROM lines";
            measure(lines_utf8, expected, count_rows(&utf8_context, query)).await;
            measure(lines, expected, count_rows(&context, &read_text)).await;
            let program = async { Ok(read_lines_with_program(&path, label)) };
            measure(lines_program, expected, program).await;
        }
        let [csv, csv_utf8, csv_program, lines, lines_utf8, lines_program] = &times;
        println!(
            "| {text_name} | {label} | {:.0} | {:.2} | {:.2} | {:.0} | {:.2} | {:.2} |",
            megabytes / csv.least(),
            csv.ratio_to(csv_utf8),
            csv.ratio_to(csv_program),
            megabytes / lines.least(),
            lines.ratio_to(lines_utf8),
            lines.ratio_to(lines_program),
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
