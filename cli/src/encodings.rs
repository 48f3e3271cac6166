//! `utflane encodings` lists the names of all encodings in groups, and their other labels.

use serde_json::json;

use crate::args::Encodings;
use crate::report::{self, Status};
use crate::{streams, values};
use utflane_charset::labels::{self, Labels};

/// Lists the encodings. A group begins with a line of its name.
pub(crate) fn run(arguments: &Encodings) -> Status {
    let (mut lines, mut last_group) = (String::new(), "");
    let group = "Named by detect, not converted";
    let detected = values::DETECTED.iter().map(|name| Labels { group, name, labels: Vec::new() });
    for Labels { group, name, labels } in labels::all().chain(detected) {
        if arguments.json {
            let line = json!({ "group": group, "name": name, "labels": labels });
            lines.push_str(&line.to_string());
        } else {
            if group != last_group {
                lines.push_str(&format!("# {group}\n"));
                last_group = group;
            }
            lines.push_str(&[&[name], &labels[..]].concat().join(" "));
        }
        lines.push('\n');
    }
    report::finish(streams::write(lines.as_bytes()), Status::Success)
}
