//! Opens one input file of a command that reads several files, and finds its encoding.

use std::io;

use crate::args::Several;
use crate::auto::{self, Resolved};
use crate::files::FileReport;
use crate::input::Input;
use crate::refusal::{Advice, Auto};
use utflane_charset::{Charset, Source};

/// An open file and its encoding.
pub(crate) struct Opened {
    pub(crate) input: Input,
    /// The encoding: one of the library, or one from before Unicode.
    pub(crate) charset: Charset,
    /// True if the encoding was detected.
    pub(crate) detected: bool,
}

/// Opens the file of `report`. If no encoding is likely, reports that and returns `None`.
pub(crate) fn open(
    report: &mut FileReport,
    source: Source,
    several: &Several,
    quiet: bool,
) -> io::Result<Option<Opened>> {
    let mut input = report.open(several.decompression.decompress)?;
    let advice = Advice { option: "-e", more: "" };
    let auto = Auto { detector: several.expected.detector(), guess: false, quiet, advice };
    match auto::resolve(source, auto, &mut input)? {
        Resolved::Known(charset) => Ok(Some(Opened { input, charset, detected: false })),
        Resolved::Detected(charset, note) => {
            if !quiet {
                report.note(note);
            }
            Ok(Some(Opened { input, charset, detected: true }))
        }
        Resolved::Refused(refusal) => {
            report.refuse(refusal.message(advice));
            Ok(None)
        }
    }
}
