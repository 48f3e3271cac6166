//! Compares `from_utf8` and `from_utf8_mut` of both modules with the standard library.

mod common;

use simdutf8::{basic, compat};

/// The position, the length and the message of an error.
type ErrorParts = (usize, Option<usize>, String);

/// Returns the result of the standard library.
fn expected(text: &[u8]) -> Result<&str, ErrorParts> {
    std::str::from_utf8(text)
        .map_err(|error| (error.valid_up_to(), error.error_len(), error.to_string()))
}

fn error_parts(error: compat::Utf8Error) -> ErrorParts {
    (error.valid_up_to(), error.error_len(), error.to_string())
}

#[test]
fn compat_returns_the_same_text_or_error_as_std() {
    common::for_each_text(|text| {
        assert_eq!(compat::from_utf8(text).map_err(error_parts), expected(text), "{text:X?}");
        let mut copy = text.to_vec();
        let result = compat::from_utf8_mut(&mut copy).map(|text| &*text);
        assert_eq!(result.map_err(error_parts), expected(text), "{text:X?}");
    });
}

#[test]
fn basic_accepts_what_std_accepts() {
    common::for_each_text(|text| {
        let expected = std::str::from_utf8(text).map_err(|_| basic::Utf8Error);
        assert_eq!(basic::from_utf8(text), expected, "{text:X?}");
        let mut copy = text.to_vec();
        let result = basic::from_utf8_mut(&mut copy).map(|text| &*text);
        assert_eq!(result, expected, "{text:X?}");
    });
}

#[test]
fn text_is_returned_without_a_copy() {
    let text = "smørrebrød".as_bytes();
    for text in [text, &text[..4], b""] {
        assert_eq!(basic::from_utf8(text).unwrap().as_ptr(), text.as_ptr());
        assert_eq!(compat::from_utf8(text).unwrap().as_ptr(), text.as_ptr());
    }
    let mut bytes = *b"shout";
    compat::from_utf8_mut(&mut bytes).unwrap().make_ascii_uppercase();
    assert_eq!(&bytes, b"SHOUT");
}
