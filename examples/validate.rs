//! Validates a buffer, and shows where it is ill-formed: `cargo run --example validate`.

use utflane::{ErrorKind, Utf8, Utf16Le, utf8, validate};

fn main() {
    // Well-formed bytes become a `&str` without a copy, as with `core::str::from_utf8`.
    let text = utf8::from_utf8("smørrebrød".as_bytes()).expect("a string literal is well-formed");
    assert_eq!(text.chars().count(), 10);

    // An error has an offset, a length and a kind.
    let buffer = b"good \xC0\xAF bad";
    let error = validate::<Utf8>(buffer).unwrap_err();
    println!("byte {}: {}", error.valid_up_to(), error.kind());
    assert_eq!((error.valid_up_to(), error.error_len()), (5, Some(1)));
    assert_eq!(error.kind(), ErrorKind::Overlong);

    // The bytes before the error are well-formed.
    assert_eq!(utf8::from_utf8(&buffer[..error.valid_up_to()]), Ok("good "));

    // The error for an incomplete sequence at the end has no length, because more input may
    // complete the sequence.
    assert_eq!(validate::<Utf8>(b"caf\xC3").unwrap_err().error_len(), None);

    // The same function validates every encoding. The offset counts code units, which are bytes for
    // UTF-16LE.
    let error = validate::<Utf16Le>(b"a\0\x00\xD8b\0").unwrap_err();
    println!("byte {}: {}", error.valid_up_to(), error.kind());
    assert_eq!((error.valid_up_to(), error.kind()), (2, ErrorKind::Surrogate));
}
