//! Finds the encodings in which the bytes of a file are well-formed. The page shows them in
//! addition to the detected encoding.

use utflane::{
    Ascii, Cesu8, Encoding, StreamError, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Validator,
};

use crate::json::{self, Object};

/// A validator that keeps the first error.
trait CandidateValidator {
    /// Validates the next chunk. Returns false after an error.
    fn push(&mut self, chunk: &[u8]) -> bool;
    /// Ends the file. Returns the first error.
    fn finish(&mut self) -> Result<(), StreamError>;
}

impl<E: Encoding<Unit = u8>> CandidateValidator for Validator<E> {
    fn push(&mut self, chunk: &[u8]) -> bool {
        self.accepts(chunk)
    }

    fn finish(&mut self) -> Result<(), StreamError> {
        Self::finish(self)
    }
}

/// Validators of a file for the encodings in which some byte sequences are ill-formed.
pub(crate) struct Candidates([(&'static str, Box<dyn CandidateValidator>); 7]);

impl Candidates {
    /// Creates the validators at the start of a file.
    pub(crate) fn new() -> Self {
        fn candidate<E: Encoding<Unit = u8>>() -> (&'static str, Box<dyn CandidateValidator>) {
            (E::SCHEME.name(), Box::new(Validator::<E>::new()))
        }
        Self([
            candidate::<Ascii>(),
            candidate::<Utf8>(),
            candidate::<Cesu8>(),
            candidate::<Utf16Le>(),
            candidate::<Utf16Be>(),
            candidate::<Utf32Le>(),
            candidate::<Utf32Be>(),
        ])
    }

    /// Validates the next chunk. A validator does nothing after its first error.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        for (_, validator) in &mut self.0 {
            validator.push(chunk);
        }
    }

    /// Ends the file. Returns each encoding with its first error, if any, as JSON.
    pub(crate) fn finish(mut self) -> String {
        json::array(self.0.iter_mut().map(|(name, validator)| {
            let row = Object::new().with_text("name", name);
            match validator.finish() {
                Ok(()) => row.end(),
                Err(error) => {
                    let kind = if error.is_incomplete() { "incomplete" } else { "ill-formed" };
                    row.with("offset", error.offset()).with_text("kind", kind).end()
                }
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_offsets_in_the_file() {
        let mut candidates = Candidates::new();
        for byte in b"ab\xC3\xA9c" {
            candidates.push(&[*byte]);
        }
        let report = candidates.finish();
        for row in [
            r#"{"name":"ascii","offset":2,"kind":"ill-formed"}"#,
            r#"{"name":"utf-8"}"#,
            r#"{"name":"cesu-8"}"#,
            r#"{"name":"utf-16le","offset":4,"kind":"incomplete"}"#,
            r#"{"name":"utf-32be","offset":0,"kind":"ill-formed"}"#,
        ] {
            assert!(report.contains(row), "{report}");
        }
    }
}
