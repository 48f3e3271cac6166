//! The command line.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use crate::measure::Settings;
use crate::texts::Size;

/// Rounds of `--quick`: enough to see that everything runs, too few to believe.
const QUICK_ROUNDS: usize = 5;

/// How many times as many rounds may be tried to find undisturbed ones.
const PATIENCE: usize = 15;

/// The fewest rounds of a measurement.
const LEAST_ROUNDS: usize = 21;

/// Measures utflane beside std, encoding_rs, simdutf8 and simdutf, in turns, on the same texts.
///
/// Speeds are GB (10^9 bytes) of input per second, medians of the rounds. `ratio` is ours by the best peer's, the
/// median of the rounds' own ratios. Checked conversions stand against checked ones, those from `str` against functions
/// that trust their input; before anything is timed, every peer's result is compared with ours. memcpy copies the input
/// and is no peer. A round in which something else ran on the same core (its hyperthread included) is repeated; a row
/// marked * had too few undisturbed ones, so its ratio is that of a shared core.
#[derive(Parser, Debug)]
#[command(name = "compare", bin_name = "cargo bench -p utflane-bench --bench compare --", after_help = NOTES)]
pub struct Args {
    /// Measure on the *.utf8.txt of this folder instead of generated texts
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub corpus: Option<PathBuf>,

    /// Operations: names, beginnings of names, or `all` [default: those with vector code]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ops: Option<Vec<String>>,

    /// Lengths in UTF-8, like 256,4k,1M,whole: texts are repeated or cut
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "whole")]
    pub sizes: Vec<Size>,

    /// Our kernel [default: the active one]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Also write the results into this file, as JSON
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub json: Option<PathBuf>,

    /// Rounds, an odd number
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = rounds)]
    pub rounds: usize,

    /// Count disturbed rounds too, instead of repeating them
    #[arg(long)]
    pub all_rounds: bool,

    /// Only see that everything runs: few and short rounds, no measurement
    #[arg(long)]
    pub quick: bool,

    /// List the operations and stop
    #[arg(long)]
    pub list: bool,

    /// Cargo says so to every benchmark
    #[arg(long, hide = true)]
    pub bench: bool,
}

const NOTES: &str = "\
Environment:
  SIMDUTF_FORCE_IMPLEMENTATION  simdutf's kernel: icelake, haswell, westmere (SSE4.2), fallback, arm64;
                                `--kernel sse42` is comparable with westmere
  UTFLANE_KERNEL                our active kernel, as `--kernel`
  CXX, CXXFLAGS                 what simdutf is compiled with";

impl Args {
    /// How long and how often to measure.
    #[must_use]
    pub fn settings(&self) -> Settings {
        if self.quick {
            Settings { rounds: QUICK_ROUNDS, sample: Duration::from_micros(50), patience: 1 }
        } else {
            let patience = if self.all_rounds { 1 } else { PATIENCE };
            Settings { rounds: self.rounds, sample: Duration::from_micros(400), patience }
        }
    }
}

/// Reads a number of rounds.
fn rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(rounds) if rounds >= LEAST_ROUNDS && rounds % 2 == 1 => Ok(rounds),
        _ => Err(format!("an odd number from {LEAST_ROUNDS} on is needed")),
    }
}

/// Reads a path as the user means it: cargo starts benchmarks in their package, but leaves `PWD` alone.
fn path(text: &str) -> Result<PathBuf, Infallible> {
    let here = std::env::var_os("PWD").map(PathBuf::from).unwrap_or_default();
    Ok(here.join(text))
}
