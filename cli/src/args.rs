//! The command-line arguments. The comments here and [`help`] are the help texts.

mod files;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::files::{Decompression, Destination, Expected, Recursion, Several};
use crate::help;
use crate::values::{OnInvalid, OnInvalidParser, number, sources, targets};
use utflane_charset::{Source, Target};

/// Validates, converts, counts and repairs text with the vector instructions of the processor.
///
/// Files may have any size: memory does not grow with them, except for `repair` and `check
/// --mojibake`. `-` as FILE, or no FILE, is standard input.
#[derive(Debug, Parser)]
#[command(name = "utflane", version, max_term_width = 100, after_help = help::ALL)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print no progress bar and no notes on standard error; errors and warnings are still printed
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Validate files
    ///
    /// Prints nothing for valid files, and one line on standard output for each invalid one:
    ///
    /// FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex)
    ///
    /// LINE and COLUMN count from 1, the column in code points. A line ends at a line feed. OFFSET
    /// counts bytes from 0. Standard input is `-`. After a file that is invalid or can't be read,
    /// the next one is checked. If an invalid file looks like text in another encoding, a note on
    /// standard error names this encoding.
    #[command(after_help = help::CHECK)]
    Check(Check),
    /// Convert files from one encoding to another
    ///
    /// The conversion stops at the first sequence that is ill-formed, and at the first character
    /// that the target encoding does not have. It prints one line on standard error:
    /// FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex). The text before it is written
    /// to standard output; a file named by -o stays unchanged.
    ///
    /// With -r and -i, all files in directories are converted. A file whose bytes would stay the
    /// same is not touched, such as a UTF-8 file with -f auto -t utf-8. But -f auto removes a byte
    /// order mark; --bom keep keeps it.
    ///
    /// With -r, binary files are skipped. With -f auto, these are the files that `detect` calls
    /// binary. With another -f, they are those that begin like a known binary format, such as PNG,
    /// ZIP and ELF; and in encodings that extend ASCII, those that `detect` calls binary and, but
    /// in UTF-8, those with NUL bytes. No rule finds all: select the text files with -g.
    ///
    /// With --on-invalid and --on-unmappable, or -c for both, the conversion continues. With
    /// --translit it continues after a character that has an approximation. At the end it prints
    /// the number of repairs on standard error.
    ///
    /// The order of the steps: decompress (-z), decode (--on-invalid), encode (--variants,
    /// --translit, --on-unmappable), --bom, --eol. So --eol sees the text that the other options
    /// leave: if skip removes what is between a CR and an LF, the two are one line end.
    #[command(after_help = help::CONVERT)]
    Convert(Convert),
    /// Count bytes, code points, UTF-16 units and lines
    ///
    /// Prints one row for each file, and a total for several. The number of lines is the number of
    /// line feeds. Nothing is validated: ill-formed text is counted in the same way (UTF-8 code
    /// points are the bytes that are not continuation bytes, and so on). In encodings from before
    /// Unicode, such as shift_jis, an ill-formed sequence is one code point. A byte order mark is
    /// counted.
    #[command(after_help = help::COUNT)]
    Count(Count),
    /// Detect the encoding of each file
    ///
    /// Prints one line for each file: FILE: ENC (certain, likely or a guess): reason. Reads the
    /// whole file. If its parts are in different encodings, the answer is mixed, with the offset at
    /// which the second part begins.
    #[command(after_help = help::DETECT)]
    Detect(Detect),
    /// Undo double encoding in UTF-8 files: `fÃ¶rste` becomes `förste`
    ///
    /// Double encoding is UTF-8 that was decoded as Latin-1 or windows-1252 and encoded again. This
    /// may have happened to a text several times, in several rounds. A file without double encoding
    /// is written unchanged, and with --in-place not at all. The whole file is read into memory,
    /// because all of it is examined before anything is changed.
    #[command(after_help = help::REPAIR)]
    Repair(Repair),
    /// List the encodings: the name of each, and its other labels
    ///
    /// Prints one line for each encoding, with blanks between its labels, in groups; a group begins
    /// with `#` and its name. Case, punctuation and a leading `x-` make no difference.
    #[command(after_help = help::ENCODINGS)]
    Encodings(Encodings),
    /// List the kernels: which are available here, and which is active
    #[command(after_help = help::KERNELS)]
    Kernels,
}

impl Command {
    /// Returns true if one of the files is standard input.
    pub(crate) fn reads_standard_input(&self) -> bool {
        let (files, recursive) = match self {
            Self::Check(Check { several, .. })
            | Self::Count(Count { several, .. })
            | Self::Detect(Detect { several, .. }) => (&several.files, several.recursion.recursive),
            Self::Convert(convert) => (&convert.files, convert.recursion.recursive),
            Self::Repair(repair) => (&repair.files, repair.recursion.recursive),
            Self::Encodings(_) | Self::Kernels => return false,
        };
        files.is_empty() && !recursive || files.iter().any(|file| file.as_os_str() == "-")
    }
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Encoding of the files; `auto` detects it for each
    ///
    /// With `auto`, the detected encoding and the reason are printed on standard error, and objects
    /// of --json have the member encoding. A file for which no encoding is likely is invalid.
    #[arg(short, long, value_name = "ENC", default_value = "utf-8")]
    #[arg(value_parser = sources(), hide_possible_values = true)]
    pub(crate) encoding: Source,
    /// Report every ill-formed sequence, not only the first of each file
    ///
    /// A sequence is the bytes that a decoder replaces with one U+FFFD, and counts as one column.
    /// After N sequences of a file, the others are only counted: `FILE: and COUNT more`. N is 1000
    /// unless given (--all=N); 0 is no limit. With --json, there is no limit unless N is given, and
    /// the count is the member `more` of a separate object.
    #[arg(short, long, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = number)]
    pub(crate) all: Option<Option<u64>>,
    /// Print only the names of the invalid files, one a line; with -0 a NUL after each
    #[arg(short, long, conflicts_with_all = ["all", "json", "excerpt"])]
    pub(crate) list: bool,
    /// Print one JSON object a line
    ///
    /// Its members are file, line, column, offset, kind (a name that never changes), message and
    /// bytes; for a file that can't be read, file and error. File names that are not Unicode have
    /// U+FFFD there, and their bytes are the member file_bytes.
    #[arg(long, conflicts_with = "excerpt")]
    pub(crate) json: bool,
    /// Report byte order marks as well, at the start and inside, where files were joined
    ///
    /// They are findings of the kind byte-order-mark. It needs an encoding of Unicode, or -e auto.
    #[arg(long)]
    pub(crate) no_bom: bool,
    /// Report double encoding as well, such as `fÃ¶rste` for `förste`
    ///
    /// The first double encoding in each UTF-8 file is a finding of the kind double-encoding.
    /// `repair` with the same MODE undoes it. By default, that is only a file whose whole text is
    /// damaged; =runs also finds damaged words in other text. Whole files are read into memory. It
    /// needs -e utf-8 or -e auto; a file that is ill-formed has no such finding.
    #[arg(long, value_name = "MODE", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "all")]
    pub(crate) mojibake: Option<Mode>,
    #[command(flatten)]
    pub(crate) excerpt: ExcerptArguments,
    #[command(flatten)]
    pub(crate) several: Several,
}

/// When findings are printed with excerpts.
#[derive(Debug, Args)]
pub(crate) struct ExcerptArguments {
    /// Show the line below each message, with carets under the sequence
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
    /// Returns true if excerpts are printed. `is_terminal` is true if the messages go to a
    /// terminal.
    pub(crate) fn shows_excerpts(self, is_terminal: bool) -> bool {
        match self {
            Self::Auto => is_terminal,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// Encoding to convert from; `auto` detects it
    ///
    /// With `auto`, the detected encoding and the reason are printed on standard error. If no
    /// encoding is likely, the candidates are printed, and the exit status is 1. A file is examined
    /// before anything is written. A pipe is written as long as it is ASCII; the bytes after this
    /// decide, and if no encoding is likely, the conversion stops there.
    #[arg(short, long, value_name = "ENC", value_parser = sources(), hide_possible_values = true)]
    pub(crate) from: Source,
    /// With `-f auto`, take the best candidate even if it is not likely
    #[arg(long)]
    pub(crate) guess: bool,
    #[command(flatten)]
    pub(crate) expected: Expected,
    /// Encoding to convert to
    #[arg(short, long, value_name = "ENC", value_parser = targets(), hide_possible_values = true)]
    pub(crate) to: Target,
    /// Read a file that is valid UTF-8 as UTF-8, not as the encoding of -f; needs -t utf-8
    ///
    /// This concerns only files with characters beyond ASCII. Such a file has been converted
    /// already: decoded from another encoding, it would be garbled. Its text stays unchanged,
    /// except for --bom and --eol. Each file is read twice. Without this option, such a file is
    /// converted, with a warning.
    #[arg(long)]
    pub(crate) skip_valid: bool,
    /// Treatment of a byte order mark
    ///
    /// The default is add with `-t utf-16` or `-t utf-32`, else strip with `-f utf-16`, `-f
    /// utf-32` or `-f auto`, else keep.
    #[arg(long, value_name = "WHAT")]
    pub(crate) bom: Option<Bom>,
    /// Write all line ends as LF or as CR LF [default: keep them]
    #[arg(long, value_name = "END")]
    pub(crate) eol: Option<LineEnd>,
    /// Treatment of a sequence that is ill-formed in the source encoding
    ///
    /// WHAT is one of the words below, or the name of a code page, such as windows-1252 or cp437,
    /// for a UTF-8 file with lines in an old encoding. Then each byte of the sequence is decoded
    /// from this code page. A byte that the page does not assign becomes U+FFFD. Bytes that are
    /// well-formed UTF-8 stay UTF-8. --on-unmappable decides about characters that -t lacks. In
    /// UTF-16 and UTF-32, U+FFFD is written.
    #[arg(long, value_name = "WHAT", default_value = "stop", value_parser = OnInvalidParser)]
    pub(crate) on_invalid: OnInvalid,
    /// Treatment of a character that the target encoding does not have
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    pub(crate) on_unmappable: OnUnmappable,
    /// Approximate characters that the target encoding does not have, as iconv's //TRANSLIT does
    ///
    /// Variants (see --variants) come first. Other characters are written in ASCII, by the table of
    /// the crate deunicode: straight quotes for curly ones, `EUR` for the euro sign, `a` for `ä`,
    /// `Jing ` for `京`. The result is only an approximation: meaning can be lost, and the text
    /// can't be converted back. For some characters nothing is written: combining accents,
    /// invisible characters, a few letters such as the Arabic alef. --on-unmappable or -c decides
    /// about control characters and characters that are not in the table; by default the conversion
    /// stops. Like skip, this can form a tag or a path that an earlier check did not find: a
    /// full-width `<` becomes an ASCII one.
    #[arg(long)]
    pub(crate) translit: bool,
    /// Replace a character that the target encoding lacks by its variant, as iconv's cp932 does
    ///
    /// Standards disagree about some characters of East Asian encodings: `〜` and `～`, `—` and `―`,
    /// `‖` and `∥`, `−` and `－`, `¢` and `￠`, `£` and `￡`, `¬` and `￢`. The variant that the target
    /// encoding has is written. In big5 and euc-jp, characters of HKSCS and JIS X 0212 are written,
    /// which the Encoding Standard decodes but does not encode.
    #[arg(long)]
    pub(crate) variants: bool,
    /// Text that `replace` writes; it may be empty ('') [default: U+FFFD]
    ///
    /// If the target encoding lacks a character of TEXT, `?` is written for it.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) replacement: Option<String>,
    /// Omit ill-formed sequences and unmappable characters, as iconv does
    ///
    /// The same as --on-invalid skip --on-unmappable skip, with the same risk. The exit status is
    /// 0, where iconv fails.
    #[arg(short = 'c', conflicts_with_all = ["on_invalid", "on_unmappable", "replacement"])]
    pub(crate) omit: bool,
    #[command(flatten)]
    pub(crate) excerpt: ExcerptArguments,
    #[command(flatten)]
    pub(crate) destination: Destination,
    /// Write nothing: print what would happen to each file, and exit with the same status
    ///
    /// A file that could not be written, such as one in a read-only directory, is reported as an
    /// error.
    #[arg(short = 'n', long, conflicts_with = "keep_partial")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) decompression: Decompression,
    #[command(flatten)]
    pub(crate) recursion: Recursion,
    /// If the conversion stops, keep in OUT the text before the error
    #[arg(long, conflicts_with = "in_place")]
    pub(crate) keep_partial: bool,
    /// Files to convert; `-`, or none, is standard input. Several need -i or -O
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bom {
    /// Remove a byte order mark at the start
    Strip,
    /// Remove all byte order marks, also inside the text, where files were joined: every U+FEFF,
    /// even a zero-width no-break space
    StripAll,
    /// Treat a byte order mark as any other character
    Keep,
    /// Begin the output with one byte order mark, even if the file has none
    Add,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LineEnd {
    /// Write LF for each CR LF. A CR without LF stays
    Lf,
    /// Write CR LF for each LF that has no CR before it
    Crlf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnUnmappable {
    /// Stop the conversion
    Stop,
    /// Write U+FFFD, or the text of --replacement; `?` if the target encoding does not have it
    Replace,
    /// Omit the character. This joins the text on both sides, as above
    Skip,
    /// Write a numeric character reference as in HTML: `&#8364;` for the euro sign. References in
    /// the file stay as they are
    #[value(name = "ncr")]
    NumericReference,
    /// Write an escape as in C and Python: `\u20ac` for the euro sign, `\U0001f600` for `😀`.
    /// Backslashes in the file stay as they are
    Escape,
}

#[derive(Debug, Args)]
pub(crate) struct Count {
    /// Encoding of the files; `auto` detects it for each
    ///
    /// With `auto`, the detected encoding and the reason are printed on standard error. A file for
    /// which no encoding is likely is not counted.
    #[arg(short, long, value_name = "ENC", default_value = "utf-8")]
    #[arg(value_parser = sources(), hide_possible_values = true)]
    pub(crate) encoding: Source,
    /// Print one JSON object a line, without a total
    ///
    /// Its members are file, bytes, code_points, utf16_units and lines; for a file that can't be
    /// read, file and error.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) several: Several,
}

#[derive(Debug, Args)]
pub(crate) struct Encodings {
    /// Print one JSON object a line, with the members group, name and labels
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Detect {
    /// Print one JSON object a line
    ///
    /// Its members are file, encoding, confidence (certain, likely or guess), probability (the
    /// estimated share of such answers that are right), language (a code of ISO 639, or null),
    /// reason, mark (true if the file begins with a byte order mark), candidates (all possible
    /// encodings, the best one first) and parts (offset and encoding of the two parts of a mixed
    /// file, or null); for a file that can't be read, file and error.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) several: Several,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// Damage to undo
    #[arg(short, long, value_name = "MODE", default_value = "all")]
    pub(crate) mode: Mode,
    /// Restore no-break spaces that became blanks: `Ã la` becomes `à la`
    ///
    /// Double encoding turns `à` into `Ã` and a no-break space. Editors and web pages turn the
    /// no-break space into a blank, and often merge it with the next blank. Not for the modes
    /// latin1 and windows-1252.
    #[arg(long)]
    pub(crate) no_break_spaces: bool,
    /// Write nothing: print the first double encoding of each file, and exit with 1 if there is one
    ///
    /// FILE:LINE:COLUMN: byte OFFSET: double encoding (the damaged bytes in hex)
    #[arg(short = 'n', long, conflicts_with = "destination")]
    pub(crate) dry_run: bool,
    /// Like --dry-run, but print only the names of the damaged files, one a line; with -0 a NUL
    /// after each
    #[arg(short, long, conflicts_with = "destination")]
    pub(crate) list: bool,
    /// With --list, print file names as they are, with a NUL after each
    #[arg(short = '0', long)]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) destination: Destination,
    #[command(flatten)]
    pub(crate) decompression: Decompression,
    #[command(flatten)]
    pub(crate) recursion: Recursion,
    /// Files to repair; `-`, or none, is standard input. Several need -i, -O, -n or -l
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Undo every round, if all characters beyond ASCII are double-encoded, and too many for a
    /// coincidence
    All,
    /// Undo one round, if all characters beyond ASCII are double-encoded, and too many for a
    /// coincidence
    Once,
    /// Undo one round in each damaged run of a mixed text, such as a log of several programs
    Runs,
    /// Undo every round, at most 16, in each damaged run of a mixed text
    RunsAll,
    /// Undo one round of Latin-1, even if it is unlikely; refuse a text that can't be its result
    Latin1,
    /// Undo one round of windows-1252, even if it is unlikely; refuse a text that can't be its
    /// result
    #[value(name = "windows-1252")]
    Windows1252,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use utflane::Scheme;

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
