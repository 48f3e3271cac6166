//! What a file is by its beginning, where nobody says.

use std::io;

use utflane::detect::{Detection, detect, detect_prefix};

use crate::input::{CHUNK, Input};

/// What a file is by its beginning, which stays to be read.
pub(crate) fn of(input: &mut Input) -> io::Result<Detection> {
    let beginning = input.peek(CHUNK)?;
    let whole = beginning.len() < CHUNK;
    Ok(if whole { detect(beginning) } else { detect_prefix(&beginning[..CHUNK]) })
}
