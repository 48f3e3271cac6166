//! The command line of `compare`.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;

use crate::measure::Settings;
use crate::texts::Size;

/// The number of rounds of `--quick`: enough to check that everything runs, too few for a
/// measurement.
const QUICK_ROUNDS: usize = 5;

/// The limit of tried rounds in the search for undisturbed rounds, as a multiple of the requested
/// number.
const MAX_TRIES_FACTOR: usize = 15;

/// The least number of rounds of a measurement.
const MIN_ROUNDS: usize = 21;

/// Compares the speed of utflane with std, encoding_rs, simdutf8, simdutf and the crates for CESU-8
/// and Modified UTF-8, in turns, on the same texts.
///
/// Speeds are GB (10^9 bytes) of input per second, medians of the rounds. `ratio` is our speed
/// divided by the best peer's speed, the median of the ratios of all rounds. Conversions that
/// validate are compared with conversions that validate, conversions from `str` with functions that
/// trust their input. Before anything is timed, every peer's result is compared with ours. memcpy
/// copies the input, and is not a peer. `utf8` after the ratio is our speed divided by the speed of
/// our own conversion of UTF-8 instead of CESU-8 or Modified UTF-8, if the text is valid UTF-8. A
/// round in which something else ran on the same core (including its hyperthread) is repeated. A
/// row marked * had too few undisturbed rounds, so its ratio is from a shared core.
#[derive(Parser, Debug)]
#[command(name = "compare", bin_name = "cargo bench -p utflane-bench --bench compare --")]
#[command(after_help = NOTES)]
pub struct Args {
    /// Measure on the files *.utf8.txt of this folder instead of generated texts
    #[arg(long, value_name = "DIR", value_parser = parse_path)]
    pub corpus: Option<PathBuf>,

    /// Measure only these texts: names, beginnings of names, or `handful` for the eight generated
    /// texts that differ most
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub texts: Option<Vec<String>>,

    /// Operations: names, beginnings of names, or `all` [default: five that most programs need]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ops: Option<Vec<String>>,

    /// Lengths in bytes of UTF-8, like 256,4k,1M,whole: texts are repeated or shortened to each
    /// length
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "whole")]
    pub sizes: Vec<Size>,

    /// Our kernel [default: the active kernel]
    ///
    /// The active kernel is measured by the free functions, as programs call them. Other kernels
    /// are measured by the methods of `Kernel`.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,

    /// Also write the results as JSON [default: benches/results/PROCESSOR.json]
    ///
    /// The file keeps three sets of results: speeds; with --fresh, speeds on fresh text; and with
    /// --latency, times for short texts. A run replaces one set and keeps the others. Results of
    /// --quick are marked, and `report` ignores them.
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_parser = parse_path)]
    pub json: Option<Option<PathBuf>>,

    /// Also draw a bar chart of every operation into this folder, as SVG, like `utf8-to-utf16.svg`
    #[arg(long, value_name = "DIR", value_parser = parse_path)]
    pub plot: Option<PathBuf>,

    /// Instead measure the time of a call on short excerpts of every size up to MAX bytes [default:
    /// 64]
    ///
    /// A size's batch is 1,000 calls on excerpts from random offsets of a text. An excerpt is as
    /// long as the size or up to 3 bytes shorter, so that it ends between characters. The order of
    /// the excerpts changes from round to round. Sizes are bytes of the operation's input, in steps
    /// of its code unit. If a text has no excerpt of a size, the size is left out. The output has
    /// capacity for the size's worst case. Our function is the free function on the active kernel
    /// (see UTFLANE_KERNEL). Without --corpus and --texts, a few of the generated texts are used.
    #[arg(long, value_name = "MAX", num_args = 0..=1, default_missing_value = "64")]
    #[arg(value_parser = parse_longest)]
    #[arg(conflicts_with_all = ["sizes", "plot"])]
    pub latency: Option<usize>,

    /// Instead measure excerpts of all texts, with other excerpts each round, so that no branch
    /// predictor has learnt them
    ///
    /// A round is one pass over at least 16 MiB of excerpts of the size, each from a random offset
    /// of a text. The result is the speed on text that is read for the first time.
    #[arg(long)]
    #[arg(conflicts_with_all = ["latency", "plot"])]
    pub fresh: bool,

    /// The number of rounds, which is odd
    #[arg(long, value_name = "N", default_value_t = 31, value_parser = parse_rounds)]
    pub rounds: usize,

    /// Count disturbed rounds too, instead of repeating them
    #[arg(long)]
    pub all_rounds: bool,

    /// Only check that everything runs, with few and short rounds: this is not a measurement
    #[arg(long)]
    pub quick: bool,

    /// List all operations, or the operations of --ops, and exit
    #[arg(long)]
    pub list: bool,

    /// Ignored: cargo passes this argument to every benchmark
    #[arg(long, hide = true)]
    pub bench: bool,
}

const NOTES: &str = "\
Environment:
  SIMDUTF_FORCE_IMPLEMENTATION  simdutf's kernel: icelake, haswell, westmere (SSE4.2), fallback,
                                arm64; `--kernel sse42` is comparable with westmere, and then
                                simdutf8 also runs its code for SSE4.2
  UTFLANE_KERNEL                our active kernel, like `--kernel`
  CXX, CXXFLAGS                 the C++ compiler and the flags that compile simdutf
  SIMDUTF_SOURCE                when building: a folder with simdutf.cpp and simdutf.h of the single
                                header release, which is measured instead of the crate's simdutf";

impl Args {
    /// Returns the duration and the number of measurements.
    #[must_use]
    pub fn settings(&self) -> Settings {
        if self.quick {
            Settings { rounds: QUICK_ROUNDS, sample: Duration::from_micros(50), patience: 1 }
        } else {
            let patience = if self.all_rounds { 1 } else { MAX_TRIES_FACTOR };
            Settings { rounds: self.rounds, sample: Duration::from_micros(400), patience }
        }
    }
}

/// Reads a number of rounds.
fn parse_rounds(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(rounds) if rounds >= MIN_ROUNDS && rounds % 2 == 1 => Ok(rounds),
        _ => Err(format!("the number must be odd and at least {MIN_ROUNDS}")),
    }
}

/// Reads the longest size of `--latency`.
fn parse_longest(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(longest) if (1..=4096).contains(&longest) => Ok(longest),
        _ => Err("the number of bytes must be from 1 to 4096".to_owned()),
    }
}

/// Reads a path relative to the user's folder.
fn parse_path(text: &str) -> Result<PathBuf, Infallible> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let current = std::env::current_dir().unwrap_or_default();
    let pwd = std::env::var_os("PWD").map(PathBuf::from);
    Ok(resolve(Path::new(text), package, &current, pwd.as_deref()))
}

/// Resolves a path against the user's folder. Cargo starts benchmarks in the folder of their
/// package. Only `PWD` holds the folder in which cargo was started. But if a program changed its
/// folder before it started cargo, `PWD` may be out of date. So `PWD` is used only if it is the
/// root of the workspace or if the path exists in it. Otherwise the root of the workspace is used.
fn resolve(path: &Path, package: &Path, current: &Path, pwd: Option<&Path>) -> PathBuf {
    let is_same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    // The program was not started by cargo, so the current folder is the user's folder.
    if !is_same(current, package) {
        return current.join(path);
    }
    let root = package.parent().unwrap_or(package);
    match pwd {
        Some(pwd) if is_same(pwd, root) || pwd.join(path).exists() => pwd.join(path),
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
    fn latency_has_an_optional_value() {
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
    fn paths_are_relative_to_the_users_folder() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = package.parent().expect("the package is in the workspace");
        let elsewhere = std::env::temp_dir();
        let resolve = |path: &str, current: &Path, pwd: Option<&Path>| {
            resolve(Path::new(path), package, current, pwd)
        };
        // Cargo was started in the root of the workspace, with `PWD` or without.
        assert_eq!(resolve("new.json", package, Some(root)), root.join("new.json"));
        assert_eq!(resolve("new.json", package, None), root.join("new.json"));
        assert_eq!(resolve("new.json", package, Some(&elsewhere)), root.join("new.json"));
        // Cargo was started in a folder that has the file.
        assert_eq!(
            resolve("args.rs", package, Some(&package.join("src"))),
            package.join("src/args.rs")
        );
        // The program was started without cargo, or the path is absolute.
        assert_eq!(resolve("new.json", &elsewhere, Some(root)), elsewhere.join("new.json"));
        assert_eq!(resolve("/new.json", package, Some(root)), Path::new("/new.json"));
    }
}
