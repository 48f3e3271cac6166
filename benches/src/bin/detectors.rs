//! Detects the encodings of many texts by `chardetng`, for `benches/detection/compare.py`.
//!
//!     detectors FILE
//!
//! FILE has the texts one after another. Four bytes before each text are its length, a
//! little-endian number. The output has a line for each text: chardetng's name of its encoding. The
//! last line has the time for all texts in nanoseconds: the sum of the shortest of seven calls for
//! each text.

use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// The number of rounds of the measurement.
const ROUNDS: usize = 7;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("detectors: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let path = env::args().nth(1).ok_or("usage: detectors FILE")?;
    let file = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    let texts = split_texts(&file).ok_or_else(|| format!("{path}: the last text is incomplete"))?;
    print_results(&texts).map_err(|error| error.to_string())
}

/// Returns the texts of the file, or `None` if the last text is longer than the rest of the file.
fn split_texts(mut file: &[u8]) -> Option<Vec<&[u8]>> {
    let mut texts = Vec::new();
    while let Some((length, rest)) = file.split_first_chunk() {
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        texts.push(text);
        file = rest;
    }
    file.is_empty().then_some(texts)
}

/// Detects the encoding; UTF-8 only because it is asked to.
fn detect(text: &[u8]) -> &'static str {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(text, true);
    detector.guess(None, Utf8Detection::Allow).name()
}

/// Prints the answers and the times.
fn print_results(texts: &[&[u8]]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for text in texts {
        writeln!(out, "{}", detect(text))?;
    }
    let time = min_nanoseconds(texts, |text| _ = black_box(detect(black_box(text))));
    writeln!(out, "{time}")?;
    out.flush()
}

/// Returns the sum of the times of all texts in nanoseconds, each the shortest of [`ROUNDS`] calls.
fn min_nanoseconds(texts: &[&[u8]], call: impl Fn(&[u8])) -> u64 {
    let time = |text: &[u8]| {
        let start = Instant::now();
        call(text);
        u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    };
    let shortest = |&text: &&[u8]| (0..ROUNDS).map(|_| time(text)).min().unwrap_or(0);
    texts.iter().map(shortest).sum()
}
