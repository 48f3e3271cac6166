//! Detects the encoding of a file. Reads the whole file, and gives the same answer as the command
//! `utflane detect`.

use utflane_charset::{Detector, Found, labels};

use crate::candidates::Candidates;
use crate::json::{self, Object};

/// The detection of the encoding of a file that arrives in chunks, and its validation in the
/// candidate encodings.
pub(crate) struct Detection {
    detector: Detector,
    candidates: Candidates,
}

impl Detection {
    /// Creates a detection at the start of a file.
    pub(crate) fn new() -> Self {
        Self { detector: Detector::default(), candidates: Candidates::new() }
    }

    /// Reads the next chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.detector.push(chunk);
        self.candidates.push(chunk);
    }

    /// Ends the file. Returns the detected encoding and the candidate encodings as JSON.
    pub(crate) fn finish(self) -> String {
        Object::new()
            .with("detection", detected_json(&self.detector.found(true)))
            .with("candidates", self.candidates.finish())
            .end()
    }
}

/// Returns the detected encoding as JSON, in the words of the command.
fn detected_json(found: &Found) -> String {
    let possible = found.candidates().map(|charset| json::string(charset.name()));
    Object::new()
        .with_text("name", found.name())
        .with_text("confidence", &found.confidence.to_string())
        .with_text("reason", &found.reason)
        .with("possible", json::array(possible))
        .with("mixed", found.mixture.is_some())
        .end()
}

/// Returns the names of all encodings as JSON.
pub(crate) fn encoding_names() -> String {
    json::array(labels::all().map(|encoding| json::string(encoding.name)))
}

#[cfg(test)]
mod tests;
