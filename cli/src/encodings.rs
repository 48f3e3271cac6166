//! `utflane encodings` lists the names of all encodings, and their other labels.

use serde_json::json;

use crate::args::Encodings;
use crate::report::{self, Status};
use crate::streams;
use utflane_charset::labels;

/// Lists the encodings. The library's encodings come first.
pub(crate) fn run(arguments: &Encodings) -> Status {
    let mut lines = String::new();
    for (name, labels) in labels::all() {
        if arguments.json {
            lines.push_str(&json!({ "name": name, "labels": labels }).to_string());
        } else {
            lines.push_str(&[&[name], &labels[..]].concat().join(" "));
        }
        lines.push('\n');
    }
    report::finish(streams::write(lines.as_bytes()), Status::Success)
}
