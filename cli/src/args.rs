//! The arguments; their help is made of the comments here, and of [`help`].

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use utflane::Scheme;

use crate::charset::{self, Charset, Source};
use crate::help;

/// Checks, converts, counts and repairs text, at the speed of the processor's vector units.
///
/// Files may have any size; memory does not grow with them, but for `repair`. `-` as FILE means standard input.
#[derive(Debug, Parser)]
#[command(name = "utflane", version, max_term_width = 100, after_help = help::ALL)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// No progress bar and no notes on standard error; what goes wrong is still said
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say of each file where it is ill-formed
    ///
    /// Silent for valid files. For each invalid one, one line on standard output:
    ///
    /// FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex)
    ///
    /// LINE and COLUMN count from 1, the column in code points; a line ends at a line feed. OFFSET counts bytes from 0.
    /// FILE is printed as given, standard input as `-`. After a file that is invalid or can't be read, the next one
    /// follows.
    #[command(after_help = help::CHECK)]
    Check(Check),
    /// Convert a file from one encoding to another
    ///
    /// At the first place that is ill-formed, or that the target encoding does not have, it stops with one line on
    /// standard error: FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex). What comes before that place is
    /// written to standard output; a file named by -o stays as it was.
    ///
    /// --on-invalid and --on-unmappable, or -c for both, make it go on; then standard error says how many places were
    /// repaired.
    #[command(after_help = help::CONVERT)]
    Convert(Convert),
    /// Count bytes, code points, UTF-16 units and lines
    ///
    /// One row for each file, and a total if there are several. Lines are line feeds. Nothing is validated: ill-formed
    /// text is counted by the same arithmetic (UTF-8 code points are the bytes that don't continue one, and so on).
    #[command(after_help = help::COUNT)]
    Count(Count),
    /// Say which encoding each file is in
    ///
    /// One line for each file: FILE: ENC (certain, likely or a guess): why. It looks at the byte order mark, or at the
    /// first 64 KiB; what comes later may be anything, as `check` tells.
    #[command(after_help = help::DETECT)]
    Detect(Detect),
    /// Undo double encoding in a file in UTF-8: `fÃ¶rste` becomes `förste`
    ///
    /// That is text in UTF-8 that was taken for Latin-1 or windows-1252 and encoded again. A file without such damage is
    /// written as it is. The file is read into memory as a whole, for all of it has to be looked at before anything may
    /// be changed.
    #[command(after_help = help::REPAIR)]
    Repair(Repair),
    /// List the kernels: which exist, which can run here, which is active
    #[command(after_help = help::KERNELS)]
    Kernels,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Encoding of the files
    #[arg(short, long, value_name = "ENC", default_value = "utf-8", value_parser = charset::scheme)]
    pub(crate) encoding: Scheme,
    /// Say every ill-formed place, not only the first of each file
    ///
    /// Each covers as many bytes as a decoder would put one U+FFFD for, and is one column wide.
    #[arg(short, long)]
    pub(crate) all: bool,
    /// One JSON object a line
    ///
    /// Its members are file, line, column, offset, kind (a name that stays), message and bytes; for a file that can't be
    /// read, file and error. Names of files that are no Unicode have U+FFFD there.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) excerpt: ExcerptArguments,
    #[command(flatten)]
    pub(crate) several: Several,
}

/// Whether the text around a place is shown.
#[derive(Debug, Args)]
pub(crate) struct ExcerptArguments {
    /// Show the line below each message, with carets under the place
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) excerpt: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If the messages go to a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl When {
    /// Whether it is to be done, for messages that go to a terminal or not.
    pub(crate) fn is_now(self, terminal: bool) -> bool {
        match self {
            Self::Auto => terminal,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// The files of commands that take many.
#[derive(Debug, Args)]
pub(crate) struct Several {
    /// Files that are read at once [default: as many as there are processors]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Encoding to convert from; `auto` finds it out
    ///
    /// With `auto`, standard error says what the file was taken for, and why.
    #[arg(short, long, value_name = "ENC", value_parser = Source::from_label)]
    pub(crate) from: Source,
    /// Encoding to convert to
    #[arg(short, long, value_name = "ENC", value_parser = Charset::from_label)]
    pub(crate) to: Charset,
    /// What happens to a byte order mark
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    pub(crate) bom: Bom,
    /// What becomes of a sequence that is ill-formed in the encoding it is read as
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    pub(crate) on_invalid: OnInvalid,
    /// What becomes of a character that the target encoding doesn't have
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    pub(crate) on_unmappable: OnUnmappable,
    /// What `replace` puts there: any text, or none at all ('') [default: U+FFFD]
    ///
    /// Each character of it that the target encoding doesn't have is a question mark.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) replacement: Option<String>,
    /// As iconv: leave out what is ill-formed, and what the target encoding doesn't have
    ///
    /// The same as --on-invalid skip --on-unmappable skip, and as dangerous: see there. Where iconv then fails, this
    /// ends with status 0.
    #[arg(short = 'c', conflicts_with_all = ["on_invalid", "on_unmappable", "replacement"])]
    pub(crate) omit: bool,
    #[command(flatten)]
    pub(crate) excerpt: ExcerptArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Where it stops at an ill-formed or unmappable place, keep in OUT what comes before that
    #[arg(long, requires = "output")]
    pub(crate) keep_partial: bool,
    /// File to convert; `-`, or none, is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// A mark at the start is left out
    Strip,
    /// A mark is a character like any other
    Keep,
    /// The output begins with one mark, whether the file does or not
    Add,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnInvalid {
    /// The conversion stops
    Stop,
    /// U+FFFD, or the text of --replacement; `?` where the target encoding doesn't have it
    Replace,
    /// It is left out, which joins what stands on both sides: `<scr\xFFipt>` becomes a tag that no check in front of the
    /// conversion has seen. Between WTF-8 and WTF-16, where halves of a surrogate pair would meet, U+FFFD
    Skip,
    /// Each byte is the character of that number in Latin-1; U+FFFD in UTF-16 and UTF-32
    Latin1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnUnmappable {
    /// The conversion stops
    Stop,
    /// U+FFFD, or the text of --replacement; `?` where the target encoding doesn't have it
    Replace,
    /// It is left out, which joins what stands on both sides, as above
    Skip,
    /// A numeric character reference as in HTML: `&#8364;` for the euro sign; what looks like one in the file stays
    #[value(name = "ncr")]
    NumericReference,
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    /// Write to OUT instead of standard output
    ///
    /// OUT is replaced only when everything has been written, by renaming a temporary file beside it; links are followed
    /// and the mode is kept. It may be the file that is read. Pipes and devices are written straight. `-` is standard
    /// output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Count {
    /// Encoding of the files
    #[arg(short, long, value_name = "ENC", default_value = "utf-8", value_parser = charset::scheme)]
    pub(crate) encoding: Scheme,
    /// One JSON object a line, without a total
    ///
    /// Its members are file, bytes, code_points, utf16_units and lines; for a file that can't be read, file and error.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) several: Several,
}

#[derive(Debug, Args)]
pub(crate) struct Detect {
    /// One JSON object a line
    ///
    /// Its members are file, encoding, confidence (certain, likely or guess), reason and mark (whether the file begins
    /// with a byte order mark); for a file that can't be read, file and error.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) several: Several,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// What is undone
    #[arg(short, long, value_name = "MODE", default_value = "all")]
    pub(crate) mode: Mode,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// File to repair; `-`, or none, is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// All rounds, where every character beyond ASCII is part of the damage, and not by coincidence
    All,
    /// The same, one round only
    Once,
    /// One round, in each damaged place of a text that has others too, such as a log of several programs
    Runs,
    /// One round by way of Latin-1, however unlikely; or nothing, if it is not that
    Latin1,
    /// One round by way of windows-1252, however unlikely; or nothing, if it is not that
    #[value(name = "windows-1252")]
    Windows1252,
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
            assert!(help::ALL.contains(scheme.name()), "{scheme}");
        }
    }
}
