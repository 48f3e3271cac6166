//! The command line.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;

use crate::measure::Settings;
use crate::texts::Size;

/// Rounds of `--quick`: enough to see that everything runs, too few for a measurement.
const QUICK_ROUNDS: usize = 5;

/// The limit of tried rounds, as a multiple of the requested ones, in the search for undisturbed
/// ones.
const PATIENCE: usize = 15;

/// The fewest rounds of a measurement.
const LEAST_ROUNDS: usize = 21;

/// Compares the speed of utflane with std, encoding_rs, simdutf8, simdutf and the crates for CESU-8
/// and Modified UTF-8, in turns, on the same texts.
///
/// Speeds are GB (10^9 bytes) of input per second, medians of the rounds. `ratio` is ours by the
/// best peer's, the median of the rounds' own ratios. Checked conversions are compared with checked
/// ones, those from `str` with functions that trust their input; before anything is timed, every
/// peer's result is compared with ours. memcpy copies the input and is no peer. `utf8` after the
/// ratio is ours by our own conversion of UTF-8 instead of CESU-8 or Modified UTF-8, if it takes
/// the text. A round in which something else ran on the same core (its hyperthread included) is
/// repeated; a row marked * had too few undisturbed ones, so its ratio is from a shared core.
#[derive(Parser, Debug)]
#[command(name = "compare", bin_name = "cargo bench -p utflane-bench --bench compare --")]
#[command(after_help = NOTES)]
pub struct Args {
    /// Measure on the *.utf8.txt of this folder instead of generated texts
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub corpus: Option<PathBuf>,

    /// Only these texts: names, beginnings of names, or `handful` for the eight generated ones that
    /// differ most
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub texts: Option<Vec<String>>,

    /// Operations: names, beginnings of names, or `all` [default: the five that most programs need]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ops: Option<Vec<String>>,

    /// Lengths in UTF-8, like 256,4k,1M,whole: texts are repeated or cut
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "whole")]
    pub sizes: Vec<Size>,

    /// Our kernel [default: the active one, by the free functions as programs call them; others by
    /// the methods of `Kernel`]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Also write the results as JSON [default: benches/results/PROCESSOR.json]
    ///
    /// The file keeps three sets of results: speeds; with --fresh, speeds on fresh text; and with
    /// --latency, times for short texts. A run replaces its own set and keeps the others. Results
    /// of --quick are marked, and no figures for `report`.
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_parser = path)]
    pub json: Option<Option<PathBuf>>,

    /// Also draw a bar chart of every operation into this folder, as SVG: `utf8-to-utf16.svg`
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub plot: Option<PathBuf>,

    /// Instead measure the time of a call on short excerpts of every size up to MAX bytes [default:
    /// 64]
    ///
    /// A size's batch is 1,000 calls on excerpts from random offsets of a text, as long as the size
    /// or up to 3 bytes shorter, so that they end between characters, in an order that changes from
    /// round to round. Sizes are bytes of the operation's input, in steps of its code unit; a size
    /// at which a text has no excerpt is left out. The output has capacity for the size's worst
    /// case. Ours is the free function on the active kernel (see UTFLANE_KERNEL). Without --corpus
    /// and --texts, a few of the generated texts are used.
    #[arg(long, value_name = "MAX", num_args = 0..=1, default_missing_value = "64")]
    #[arg(value_parser = longest)]
    #[arg(conflicts_with_all = ["sizes", "plot"])]
    pub latency: Option<usize>,

    /// Instead measure excerpts of all texts in a new order each round, which no branch predictor
    /// knows
    ///
    /// A round is one pass over at least 16 MiB of excerpts of the size, each from a random offset
    /// of a text. It shows the speed on text that is read for the first time.
    #[arg(long)]
    #[arg(conflicts_with_all = ["latency", "plot"])]
    pub fresh: bool,

    /// Rounds, an odd number
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = rounds)]
    pub rounds: usize,

    /// Count disturbed rounds too, instead of repeating them
    #[arg(long)]
    pub all_rounds: bool,

    /// Only see that everything runs: few and short rounds, no measurement
    #[arg(long)]
    pub quick: bool,

    /// List all operations, or the operations of --ops, and stop
    #[arg(long)]
    pub list: bool,

    /// Cargo passes this to every benchmark
    #[arg(long, hide = true)]
    pub bench: bool,
}

const NOTES: &str = "\
Environment:
  SIMDUTF_FORCE_IMPLEMENTATION  simdutf's kernel: icelake, haswell, westmere (SSE4.2), fallback,
                                arm64; `--kernel sse42` is comparable with westmere, and
                                simdutf8 runs its own code for SSE4.2 then
  UTFLANE_KERNEL                our active kernel, as `--kernel`
  CXX, CXXFLAGS                 what simdutf is compiled with
  SIMDUTF_SOURCE                when building: a folder with simdutf.cpp and simdutf.h, the single
                                header release, which is then compared with instead of the crate's";

impl Args {
    /// The duration and the number of measurements.
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

/// Reads the longest size of `--latency`.
fn longest(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(longest) if (1..=4096).contains(&longest) => Ok(longest),
        _ => Err("a number of bytes from 1 to 4096 is needed".to_owned()),
    }
}

/// Reads a path relative to the user's folder.
fn path(text: &str) -> Result<PathBuf, Infallible> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let here = std::env::current_dir().unwrap_or_default();
    let said = std::env::var_os("PWD").map(PathBuf::from);
    Ok(resolve(Path::new(text), package, &here, said.as_deref()))
}

/// Resolves a path against the user's folder. Cargo starts benchmarks in their package; only `PWD`
/// holds the folder that cargo was started in. It is used if it is the root of the workspace or if
/// the path exists there: a program that changed its folder before it started cargo may have left
/// `PWD` as it was. Otherwise the root is used.
fn resolve(path: &Path, package: &Path, here: &Path, said: Option<&Path>) -> PathBuf {
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    // Not started by cargo, so the folder is the user's.
    if !same(here, package) {
        return here.join(path);
    }
    let root = package.parent().unwrap_or(package);
    match said {
        Some(said) if same(said, root) || said.join(path).exists() => said.join(path),
        _ => root.join(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn latency_may_say_how_far() {
        let latency = |args: &[&str]| {
            let args = ["compare"].iter().chain(args);
            Args::try_parse_from(args).map(|args| args.latency).map_err(|error| error.kind())
        };
        assert_eq!(latency(&[]), Ok(None));
        assert_eq!(latency(&["--latency", "--bench"]), Ok(Some(64)));
        assert_eq!(latency(&["--latency", "100", "--bench"]), Ok(Some(100)));
        assert_eq!(latency(&["--sizes", "4k", "--plot", "x"]), Ok(None));
        assert!(latency(&["--latency", "0"]).is_err());
        assert!(latency(&["--latency", "--sizes", "4k"]).is_err());
    }

    #[test]
    fn paths_are_the_users() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = package.parent().expect("the package is in the workspace");
        let elsewhere = std::env::temp_dir();
        let resolve = |path: &str, here: &Path, said: Option<&Path>| {
            resolve(Path::new(path), package, here, said)
        };
        // From the root, with `PWD` or without.
        assert_eq!(resolve("new.json", package, Some(root)), root.join("new.json"));
        assert_eq!(resolve("new.json", package, None), root.join("new.json"));
        assert_eq!(resolve("new.json", package, Some(&elsewhere)), root.join("new.json"));
        // From a folder that has it.
        assert_eq!(
            resolve("args.rs", package, Some(&package.join("src"))),
            package.join("src/args.rs")
        );
        // By hand, and absolute.
        assert_eq!(resolve("new.json", &elsewhere, Some(root)), elsewhere.join("new.json"));
        assert_eq!(resolve("/new.json", package, Some(root)), Path::new("/new.json"));
    }
}
