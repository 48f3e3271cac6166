//! `utflane detect`: which encoding each file is in, and why; and the same for a conversion from `auto`.

use std::io;

use serde_json::json;
use utflane::detect::{Confidence, Detection, Reason};

use crate::args::Detect;
use crate::auto;
use crate::charset::Charset;
use crate::files::{self, Pen};
use crate::finding::{json_line, name};
use crate::input::Input;
use crate::report::Status;

/// Says of each file what it is.
pub(crate) fn run(arguments: &Detect) -> Status {
    files::each(&arguments.several, arguments.json, |_, pen| say(arguments, pen))
}

/// Says what one file is.
fn say(arguments: &Detect, pen: &mut Pen) -> io::Result<()> {
    let found = auto::of(&mut Input::open(pen.file)?)?;
    let line = if arguments.json {
        json_line(json!({
            "file": name(pen.file),
            "encoding": Charset::detected(&found).to_string(),
            "confidence": match found.confidence() {
                Confidence::Certain => "certain",
                Confidence::Likely => "likely",
                Confidence::Guess => "guess",
            },
            "reason": found.reason().description(),
            "mark": found.reason() == Reason::Mark,
        }))
    } else {
        let mut line = pen.file.as_os_str().as_encoded_bytes().to_vec();
        line.extend_from_slice(format!(": {}\n", words(&found)).as_bytes());
        line
    };
    pen.write(&line)
}

/// The encoding, how sure that is, and why.
pub(crate) fn words(found: &Detection) -> String {
    format!("{} ({}): {}", Charset::detected(found), found.confidence(), found.reason())
}
