//! Detection of a file's encoding by its beginning.

use std::io;

use utflane::detect::{Detection, detect, detect_prefix};

use crate::charset::Charset;
use crate::input::{CHUNK, Input};

/// Detects the encoding by the beginning of the input, which stays to be read.
pub(crate) fn detect_input(input: &mut Input) -> io::Result<Detection> {
    let beginning = input.peek(CHUNK)?;
    let whole = beginning.len() < CHUNK;
    Ok(if whole { detect(beginning) } else { detect_prefix(&beginning[..CHUNK]) })
}

/// The encoding, the confidence and the reason.
pub(crate) fn description(found: &Detection) -> String {
    format!("{} ({}): {}", Charset::detected(found), found.confidence(), found.reason())
}
