//! `utflane detect` prints the encoding of each file, and the reason.

use std::io;

use serde_json::json;
use utflane_charset::Confidence;

use crate::args::Detect;
use crate::auto;
use crate::directories::Files;
use crate::files::{self, FileReport};
use crate::json::line_about;
use crate::name;
use crate::report::Status;

/// Detects the encodings of the files.
pub(crate) fn run(arguments: &Detect) -> Status {
    let files = Files::find(&arguments.several.files, &arguments.several.recursion);
    files::for_each(&files, arguments.several.jobs, arguments.json, |_, report| {
        detect_file(arguments, report)
    })
}

/// Detects the encoding of one file.
fn detect_file(arguments: &Detect, report: &mut FileReport) -> io::Result<()> {
    let mut input = report.open(arguments.several.decompression.decompress)?;
    let found = auto::detect_input(arguments.several.expected.detector(), &mut input)?;
    let line = if arguments.json {
        let candidates: Vec<String> =
            found.candidates().map(|charset| charset.to_string()).collect();
        line_about(
            report.file,
            json!({
                "encoding": found.name(),
                "confidence": match found.confidence {
                    Confidence::Certain => "certain",
                    Confidence::Likely => "likely",
                    Confidence::Guess => "guess",
                },
                "probability": (f64::from(found.probability) * 1e4).round() / 1e4,
                "language": found.language,
                "reason": found.reason,
                "mark": found.marked,
                "candidates": candidates,
                "parts": found.mixture.map(|mixture| {
                    let name = |part: Option<utflane::Scheme>| part.map(utflane::Scheme::name);
                    json!([
                        { "offset": 0, "encoding": name(mixture.first) },
                        { "offset": mixture.boundary, "encoding": name(mixture.second) },
                    ])
                }),
            }),
        )
    } else {
        let mut line = name::label(report.file, arguments.several.null);
        line.extend_from_slice(format!(" {found}\n").as_bytes());
        line
    };
    report.write_stdout(&line)
}
