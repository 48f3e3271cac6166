//! The arguments about files that several commands share: which are read, and what is written.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use utflane_charset::Detector;

use crate::values::{at_least_one, glob, language, suffix};

/// The files of commands that read several at once.
#[derive(Debug, Args)]
pub(crate) struct Several {
    /// Number of files to read at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZero<usize>>,
    /// Print file names as they are, with a NUL after each
    ///
    /// The NUL replaces the colon after the name or, in the table of `count`, the line feed.
    /// Without this option, control characters, bidirectional controls and bytes that are not
    /// Unicode are printed as escapes.
    #[arg(short = '0', long, conflicts_with = "json")]
    pub(crate) null: bool,
    #[command(flatten)]
    pub(crate) expected: Expected,
    #[command(flatten)]
    pub(crate) decompression: Decompression,
    #[command(flatten)]
    pub(crate) recursion: Recursion,
    /// Files; `-`, or none, is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// What the user knows about files whose encoding is detected.
#[derive(Debug, Args)]
pub(crate) struct Expected {
    /// Languages in which the files probably are: codes of ISO 639, such as cs,pl
    ///
    /// The detector answers with text in another language only if that is far more likely.
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
}

impl Expected {
    /// Returns the detector for these files.
    pub(crate) fn detector(&self) -> Detector {
        let codes: Vec<&str> = self.languages.iter().map(String::as_str).collect();
        // The parser has checked the codes.
        Detector::with_languages(&codes).unwrap_or_default()
    }
}

/// Decompression of the files that are read.
#[derive(Debug, Args)]
pub(crate) struct Decompression {
    /// Decompress files in gzip, xz and zstd; read other files unchanged
    ///
    /// Zero bytes between and after the compressed parts are skipped. Other bytes at the end are
    /// ignored, with a warning. All files that are read at once may take 512 MiB of memory, and one
    /// file 256 MiB of it; a file that needs more is an error.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,
}

/// Directories, and the files in them that are read.
#[derive(Debug, Args)]
pub(crate) struct Recursion {
    /// Read all files in directories, in the order of their names
    ///
    /// Hidden files are left out, and those that .ignore files name and, in a Git repository,
    /// .gitignore files. Links, pipes and devices in directories are not read. Without FILE, the
    /// current directory is read.
    #[arg(short, long)]
    pub(crate) recursive: bool,
    /// With -r, read hidden files and directories as well
    #[arg(long)]
    pub(crate) hidden: bool,
    /// With -r, also read the files that .gitignore and .ignore files name
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// With -r, read only the files that match GLOB; with `!GLOB`, leave them out
    ///
    /// May be given several times; the last GLOB that matches a file decides. `*.txt` matches in
    /// every directory, `docs/*.txt` only in `docs`, and `docs/**` everything below it. A GLOB
    /// takes precedence over --hidden and over the .gitignore and .ignore files.
    #[arg(short, long, value_name = "GLOB", value_parser = glob)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) glob: Vec<String>,
}

/// The destination of the result.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("destination").args(["output", "output_dir", "in_place"]))]
pub(crate) struct Destination {
    /// Write to OUT instead of standard output
    ///
    /// OUT is replaced only when everything has been written, by renaming a temporary file in the
    /// same directory. It may be the input. Symbolic links are followed. Owner, group, mode and, on
    /// Linux, the access control list and user attributes are kept. If the owner or the group can't
    /// be kept, the set-user-ID and set-group-ID bits are dropped. If the group or the access
    /// control list can't be kept, the mode is restricted: nobody gains access. Other attributes
    /// and other hard links are lost: these links keep the old text. Pipes, devices and descriptors
    /// (/dev/fd/3) are written directly, and must not be the input. `-` is standard output.
    ///
    /// A signal removes the temporary file, except SIGKILL. After SIGKILL or a crash of the
    /// machine, files named .utflane-* may be left; they can be deleted.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each FILE by the result
    ///
    /// Like -o with the name of the file itself, for several files. A file whose text would stay
    /// the same is not written. A file that can't be converted stays unchanged, and the next file
    /// follows. A file that is named twice is converted once. Only regular files are replaced.
    #[arg(short, long, conflicts_with = "decompress")]
    pub(crate) in_place: bool,
    /// Write each FILE to a file of the same name in the directory DIR, which must exist
    ///
    /// Like -o DIR/NAME: other files there are replaced. Nothing is written if two files have the
    /// same name, or if a file of DIR is one of the inputs.
    #[arg(short = 'O', long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    /// With -i, keep the old file, under its name and SUFFIX, such as .bak
    ///
    /// The old file keeps its inode and its times. On a file system without hard links it is
    /// copied, with its rights and times. If there is a file of that name already, this is an
    /// error, and both files stay as they are. A file whose text would stay the same gets no
    /// backup. With -r, files whose names end with SUFFIX are left out.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) backup: Option<String>,
    /// Number of files to convert at once [default: the number of processors]
    #[arg(short, long, value_name = "N", value_parser = at_least_one)]
    pub(crate) jobs: Option<NonZero<usize>>,
}

impl Destination {
    /// Returns true if several files may be written.
    pub(crate) fn is_for_many(&self) -> bool {
        self.in_place || self.output_dir.is_some()
    }
}
