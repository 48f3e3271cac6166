//! The arguments, and the help that is made of them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use utflane::Scheme;

const EXAMPLES: &str = "\
Encodings (ENC): utf-8, utf-16le, utf-16be, utf-32le, utf-32be, latin1, ascii, and their usual
aliases. A byte order is always named; a byte order mark is a character like any other.

Examples:
  utflane check *.txt
  utflane convert -f utf-8 -t utf-16le notes.txt -o notes.utf16
  curl -s https://example.org/ | utflane count -

Exit status: 0 all valid, 1 some text is invalid, 2 wrong usage or a file can't be read or written.
Set UTFLANE_KERNEL to a name from `utflane kernels` to choose the kernel.";

const CHECK_EXAMPLES: &str = "\
Examples:
  utflane check README.md
  utflane check -e utf-16le *.utf16
  find . -name '*.csv' -print0 | xargs -0 utflane check

Output of `printf 'caf\\303' | utflane check -`:
  -:1:4: byte 3: sequence too short (C3)

Exit status: 0 all valid, 1 some invalid, 2 wrong usage or a file can't be read.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  utflane convert -f utf-8 -t utf-16le notes.txt -o notes.utf16
  utflane convert -f latin1 -t utf-8 < old.txt > new.txt
  utflane convert -f utf-16be -t utf-8 same.txt -o same.txt

Exit status: 0 converted, 1 ill-formed or not in the target encoding, 2 wrong usage or a file can't
be read or written.";

const COUNT_EXAMPLES: &str = "\
Examples:
  utflane count README.md
  utflane count -e utf-16le a.utf16 b.utf16

Exit status: 0 counted, 2 wrong usage or a file can't be read.";

const KERNELS_EXAMPLES: &str = "\
Examples:
  utflane kernels
  UTFLANE_KERNEL=scalar utflane kernels

Exit status: 0, or 2 where UTFLANE_KERNEL names a kernel that can't be used.";

/// Checks, converts and counts Unicode text, at the speed of the processor's vector units.
///
/// Files may have any size; memory does not grow with them. `-` as FILE means standard input.
#[derive(Debug, Parser)]
#[command(name = "utflane", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say of each file where it is first ill-formed
    ///
    /// Silent for valid files. For each invalid one, one line on standard output:
    ///
    /// FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex)
    ///
    /// LINE and COLUMN count from 1, the column in code points; a line ends at a line feed. OFFSET counts bytes from 0.
    /// FILE is printed as given, standard input as `-`. After a file that is invalid or can't be read, the next one
    /// follows.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Convert a file from one encoding to another, strictly
    ///
    /// At the first place that is ill-formed, or that the target encoding does not have, it stops with one line on
    /// standard error: FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex). What comes before that place is
    /// written to standard output; a file named by -o stays as it was.
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(Convert),
    /// Count bytes, code points, UTF-16 units and lines
    ///
    /// One row for each file, and a total if there are several. Lines are line feeds. Nothing is validated: ill-formed
    /// text is counted by the same arithmetic (UTF-8 code points are the bytes that don't continue one, and so on).
    #[command(after_help = COUNT_EXAMPLES)]
    Count(Count),
    /// List the kernels: which exist, which can run here, which is active
    #[command(after_help = KERNELS_EXAMPLES)]
    Kernels,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Encoding of the files
    #[arg(short, long, value_name = "ENC", default_value = "utf-8", value_parser = Scheme::from_label)]
    pub(crate) encoding: Scheme,
    /// Files to check; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Encoding to convert from
    #[arg(short, long, value_name = "ENC", value_parser = Scheme::from_label)]
    pub(crate) from: Scheme,
    /// Encoding to convert to
    #[arg(short, long, value_name = "ENC", value_parser = Scheme::from_label)]
    pub(crate) to: Scheme,
    /// Write to OUT instead of standard output
    ///
    /// OUT is replaced only when everything has been converted, by renaming a temporary file beside it; links are
    /// followed and the mode is kept. It may be the file that is read. Pipes and devices are written straight. `-` is
    /// standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// At an ill-formed or unmappable place, keep in OUT what comes before it
    #[arg(long, requires = "output")]
    pub(crate) keep_partial: bool,
    /// File to convert; `-`, or none, is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Count {
    /// Encoding of the files
    #[arg(short, long, value_name = "ENC", default_value = "utf-8", value_parser = Scheme::from_label)]
    pub(crate) encoding: Scheme,
    /// Files to count; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_names_every_encoding() {
        for scheme in Scheme::ALL {
            assert!(EXAMPLES.contains(scheme.name()), "{scheme}");
        }
    }
}
