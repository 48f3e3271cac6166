//! Checks the section of docs/migrating.md about the crates for CESU-8 and Modified UTF-8: each
//! function is compared with its replacement in utflane, and each difference that the page
//! describes is tested.

use std::borrow::Cow;

use utflane::{Cesu8, ErrorKind, Mutf8, Utf8, from_str_append, len};

/// Texts with and without characters whose bytes differ from UTF-8.
const TEXTS: [&str; 8] =
    ["", "plain", "é語", "😀", "a😀b\u{10FFFF}", "\0", "a\0b😀", "\u{FFFF}\u{1}"];

#[test]
fn conversions_of_strings_agree_with_the_crates() {
    for text in TEXTS {
        let (cesu8, mutf8) = (utflane::cesu8::from_str(text), utflane::mutf8::from_str(text));
        assert_eq!(cesu8, ::cesu8::to_cesu8(text));
        assert_eq!(cesu8, residua_cesu8::encode(text));
        assert_eq!(cesu8, simd_cesu8::encode(text));
        assert_eq!(mutf8, ::cesu8::to_java_cesu8(text));
        assert_eq!(mutf8, ::mutf8::encode(text));
        assert_eq!(mutf8, simd_cesu8::mutf8::encode(text));

        assert_eq!(len::<Utf8, Cesu8>(text.as_bytes()), residua_cesu8::len(text));
        assert_eq!(len::<Utf8, Mutf8>(text.as_bytes()), ::mutf8::len(text));
        let (mut ours, mut theirs) = (b"> ".to_vec(), b"> ".to_vec());
        from_str_append::<Cesu8>(text, &mut ours).expect("CESU-8 has every character");
        simd_cesu8::encode_into(text, &mut theirs);
        assert_eq!(ours, theirs);

        // The text has the same bytes in CESU-8 and in UTF-8.
        let is_same = matches!(cesu8, Cow::Borrowed(_));
        assert_eq!(is_same, ::cesu8::is_valid_cesu8(text));
        assert_eq!(is_same, residua_cesu8::is_valid(text));
        assert_eq!(is_same, !simd_cesu8::needs_encoded(text));
        assert_eq!(is_same, len::<Utf8, Cesu8>(text.as_bytes()) == text.len());

        assert_eq!(utflane::cesu8::to_str(&cesu8).as_deref(), Ok(text));
        assert_eq!(::cesu8::from_cesu8(&cesu8).ok().as_deref(), Some(text));
        assert_eq!(residua_cesu8::decode(&cesu8).ok().as_deref(), Some(text));
        assert_eq!(simd_cesu8::decode_strict(&cesu8).ok().as_deref(), Some(text));
        assert_eq!(utflane::mutf8::to_str(&mutf8).as_deref(), Ok(text));
        assert_eq!(::cesu8::from_java_cesu8(&mutf8).ok().as_deref(), Some(text));
        assert_eq!(::mutf8::decode(&mutf8).ok().as_deref(), Some(text));
        assert_eq!(simd_cesu8::mutf8::decode_strict(&mutf8).ok().as_deref(), Some(text));
    }
}

/// All decoders of the crates, except those named strict, first try to decode a text as UTF-8. In
/// utflane, UTF-8 with different bytes than CESU-8 is an error.
#[test]
fn plain_utf8_is_not_cesu8() {
    let emoji = "😀".as_bytes();
    assert!(::cesu8::from_cesu8(emoji).is_ok_and(|text| text == "😀"));
    assert!(residua_cesu8::decode(emoji).is_ok_and(|text| text == "😀"));
    assert!(simd_cesu8::decode(emoji).is_ok_and(|text| text == "😀"));
    assert_eq!(simd_cesu8::decode_lossy(emoji), "😀");
    assert!(simd_cesu8::decode_strict(emoji).is_err());
    let error = utflane::cesu8::to_str(emoji).unwrap_err();
    assert_eq!((error.kind(), error.valid_up_to()), (ErrorKind::InvalidLeadByte, 0));
    // A text that mixes both encodings is an error for all of them.
    let both = [emoji, b"\xED\xA0\xBD\xED\xB8\x80"].concat();
    assert!(::cesu8::from_cesu8(&both).is_err());
    assert!(residua_cesu8::decode(&both).is_err());
    assert!(simd_cesu8::decode(&both).is_err());
    assert_eq!(utflane::cesu8::to_str(&both).unwrap_err().valid_up_to(), 0);

    // NUL as the byte 0x00 is UTF-8, but not Modified UTF-8.
    assert!(::cesu8::from_java_cesu8(b"a\0").is_ok_and(|text| text == "a\0"));
    assert!(::mutf8::decode(b"a\0").is_ok_and(|text| text == "a\0"));
    assert!(simd_cesu8::mutf8::decode(b"a\0").is_ok_and(|text| text == "a\0"));
    assert!(simd_cesu8::mutf8::decode_strict(b"a\0").is_err());
    assert_eq!(utflane::mutf8::to_str(b"a\0").unwrap_err().valid_up_to(), 1);
    // In a text that also has 0xC0 0x80, residua-mutf8 (imported as `mutf8`) accepts the byte 0x00,
    // and the other crates reject it.
    assert!(::cesu8::from_java_cesu8(b"\xC0\x80\0").is_err());
    assert!(::mutf8::decode(b"\xC0\x80\0").is_ok_and(|text| text == "\0\0"));
}

/// An unpaired high surrogate becomes one U+FFFD in utflane and three in simd_cesu8. In both, an
/// unpaired low surrogate and a four-byte character become one U+FFFD for each byte.
#[test]
fn numbers_of_replacements() {
    let cases: [(&[u8], usize, usize); 4] = [
        (b"\xED\xA0\xBD", 1, 3),
        (b"\xED\xB8\x80", 3, 3),
        (b"\xF0\x9F\x98\x80", 4, 4),
        (b"\xED\xA0\xBD\xED\xA0\xBD", 2, 6),
    ];
    for (src, ours, theirs) in cases {
        assert_eq!(utflane::cesu8::to_str_lossy(src), "\u{FFFD}".repeat(ours), "{src:02X?}");
        assert_eq!(simd_cesu8::decode_lossy_strict(src), "\u{FFFD}".repeat(theirs), "{src:02X?}");
    }
}

/// Errors have a position in utflane, and none in the crates.
#[test]
fn errors_have_a_position() {
    let error = utflane::cesu8::to_str(b"ab\xED\xA0\xBDc").unwrap_err();
    let got = (error.kind(), error.valid_up_to(), error.error_len());
    assert_eq!(got, (ErrorKind::Surrogate, 2, Some(3)));
    let theirs = residua_cesu8::decode(b"ab\xED\xA0\xBDc").unwrap_err();
    assert_eq!(size_of_val(&theirs), 0);
    assert_eq!(size_of_val(&::cesu8::from_cesu8(b"ab\xED\xA0\xBDc").unwrap_err()), 0);
    assert_eq!(size_of_val(&simd_cesu8::decode(b"ab\xED\xA0\xBDc").unwrap_err()), 0);
}
