//! The encoding of a file, by all of it: the answer of the command's `detect`.

use utflane_charset::{Detector, Found, labels};

use crate::candidates::Candidates;
use crate::json::{self, Object};

/// A search for the encoding of a file that comes in chunks, with the evidence.
pub(crate) struct Survey {
    detector: Detector,
    candidates: Candidates,
}

impl Survey {
    /// Returns a search at the start of a file.
    pub(crate) fn new() -> Self {
        Self { detector: Detector::default(), candidates: Candidates::new() }
    }

    /// Reads the next chunk.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.detector.push(chunk);
        self.candidates.push(chunk);
    }

    /// Ends the file. Returns the answer as JSON, and the first error in each encoding.
    pub(crate) fn finish(self) -> String {
        Object::new()
            .with("detection", report(&self.detector.found(true)))
            .with("candidates", self.candidates.finish())
            .end()
    }
}

/// Returns the answer as JSON, in the words of the command.
fn report(found: &Found) -> String {
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
pub(crate) fn encodings() -> String {
    json::array(labels::all().map(|(name, _)| json::string(name)))
}

#[cfg(test)]
mod tests;
