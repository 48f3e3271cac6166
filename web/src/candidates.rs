//! The encodings in which the bytes are well-formed: evidence in addition to the answer of
//! detection.

use utflane::{
    Ascii, Cesu8, Encoding, StreamError, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Validator,
};

use crate::json::{self, Object};

/// A validation that stops at the first error.
trait Accepts {
    fn push(&mut self, chunk: &[u8]) -> bool;
    fn finish(&mut self) -> Result<(), StreamError>;
}

impl<E: Encoding<Unit = u8>> Accepts for Validator<E> {
    fn push(&mut self, chunk: &[u8]) -> bool {
        self.accepts(chunk)
    }

    fn finish(&mut self) -> Result<(), StreamError> {
        Self::finish(self)
    }
}

/// The validations of a file in every encoding in which not all bytes are well-formed.
pub(crate) struct Candidates([(&'static str, Box<dyn Accepts>); 7]);

impl Candidates {
    /// Returns the validations at the start of a file.
    pub(crate) fn new() -> Self {
        fn of<E: Encoding<Unit = u8>>() -> (&'static str, Box<dyn Accepts>) {
            (E::SCHEME.name(), Box::new(Validator::<E>::new()))
        }
        Self([
            of::<Ascii>(),
            of::<Utf8>(),
            of::<Cesu8>(),
            of::<Utf16Le>(),
            of::<Utf16Be>(),
            of::<Utf32Le>(),
            of::<Utf32Be>(),
        ])
    }

    /// Validates the next chunk. Each encoding costs nothing after its first error.
    pub(crate) fn push(&mut self, chunk: &[u8]) {
        for (_, validator) in &mut self.0 {
            validator.push(chunk);
        }
    }

    /// Ends the file. Returns the first error in each encoding as JSON.
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
    fn errors_have_the_offset_in_the_file() {
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
