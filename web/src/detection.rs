//! The answer of the library's detection, for the page.

use utflane::detect::{Confidence, Reason, detect, detect_prefix};

use crate::json::Object;

/// Detects the encoding of a text, which is whole or continues, as JSON.
pub(crate) fn report(text: &[u8], whole: bool) -> String {
    let found = if whole { detect(text) } else { detect_prefix(text) };
    let confidence = match found.confidence() {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Guess => "guess",
    };
    // The page decides by these words; all others it only shows.
    let kind = match found.reason() {
        Reason::Ascii => "ascii",
        Reason::Binary => "binary",
        Reason::Empty => "empty",
        Reason::Legacy => "legacy",
        Reason::Windows1252 => "windows-1252",
        _ => "scheme",
    };
    Object::new()
        .with_text("name", found.name())
        .with_text("kind", kind)
        .with_text("confidence", confidence)
        .with_text("reason", found.reason().description())
        .with("mark", found.mark_len())
        .end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_the_name_and_the_reason() {
        assert_eq!(
            report(b"\xEF\xBB\xBFHi", true),
            concat!(
                r#"{"name":"utf-8","kind":"scheme","confidence":"certain","#,
                r#""reason":"begins with its byte order mark","mark":3}"#
            )
        );
        for (text, kind) in [
            (&b""[..], "empty"),
            (b"a", "ascii"),
            (&[0; 300], "binary"),
            (b"10 \x80", "windows-1252"),
            (b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!", "legacy"),
            ("größer".as_bytes(), "scheme"),
        ] {
            assert!(report(text, true).contains(&format!(r#""kind":"{kind}""#)), "{text:?}");
        }
    }

    #[test]
    fn the_end_of_a_part_may_cut_a_character() {
        let cut = &"größer".as_bytes()[..3];
        assert!(report(cut, false).starts_with(r#"{"name":"utf-8""#));
    }
}
