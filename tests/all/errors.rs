//! Errors: their kinds, their messages compared with the standard library's, their offsets and
//! lengths; and smaller parts of the API, such as labels.

use utflane::ErrorKind::{
    InvalidLeadByte, Overlong, Surrogate, TooLarge, TooLong, TooShort, Unmappable,
};
use utflane::{
    Ascii, ErrorKind, Kernel, Latin1, Scheme, Stop, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be,
    Utf32Le, Validator, transcode, utf8, validate,
};

/// Ill-formed UTF-8, with the kind of the error as in simdutf, and the offset and the length as in
/// std.
const EXAMPLES: [(&[u8], ErrorKind, usize, Option<usize>); 28] = [
    (b"\x80", TooLong, 0, Some(1)),
    (b"\x41\x80", TooLong, 1, Some(1)),
    (b"\xC3", TooShort, 0, None),
    (b"\xC3\x41", TooShort, 0, Some(1)),
    (b"\xC0", TooShort, 0, Some(1)),
    (b"\xC0\x80", Overlong, 0, Some(1)),
    (b"\xE0\xA0", TooShort, 0, None),
    (b"\xE0\x9F", TooShort, 0, Some(1)),
    (b"\xE0\x80\x80", Overlong, 0, Some(1)),
    (b"\xE0\xA0\x41", TooShort, 0, Some(2)),
    (b"\xE2\x82\x41", TooShort, 0, Some(2)),
    (b"\xED", TooShort, 0, None),
    (b"\xC3\xA9\x80", TooLong, 2, Some(1)),
    (b"\xED\xA0", TooShort, 0, Some(1)),
    (b"\xED\xA0\x41", TooShort, 0, Some(1)),
    (b"\xED\xA0\x80", Surrogate, 0, Some(1)),
    (b"\xF0\x90", TooShort, 0, None),
    (b"\xF0\x90\x80", TooShort, 0, None),
    (b"\xF0\x90\x41\x80", TooShort, 0, Some(2)),
    (b"\xF0\x90\x80\x41", TooShort, 0, Some(3)),
    (b"\xF0\x80\x80\x80", Overlong, 0, Some(1)),
    (b"\xF4\x90\x80\x80", TooLarge, 0, Some(1)),
    (b"\xF4\x90", TooShort, 0, Some(1)),
    (b"\xF5", TooShort, 0, Some(1)),
    (b"\xF7\x80", TooShort, 0, Some(1)),
    (b"\xF5\x80\x80\x80", TooLarge, 0, Some(1)),
    (b"\xF8", InvalidLeadByte, 0, Some(1)),
    (b"\xFF", InvalidLeadByte, 0, Some(1)),
];

/// Checks each example by itself, and after ASCII of every length up to 130.
#[test]
fn kinds_of_ill_formed_utf8() {
    for (bytes, kind, valid_up_to, error_len) in EXAMPLES {
        let std_error = core::str::from_utf8(bytes).expect_err("ill-formed");
        assert_eq!(
            (std_error.valid_up_to(), std_error.error_len()),
            (valid_up_to, error_len),
            "{bytes:02X?}"
        );
        for front_len in 0..=130 {
            let src = [&[b'x'].repeat(front_len)[..], bytes].concat();
            for kernel in Kernel::available() {
                let error = kernel.validate::<Utf8>(&src).expect_err("ill-formed");
                let got = (error.kind(), error.valid_up_to(), error.error_len());
                assert_eq!(
                    got,
                    (kind, front_len + valid_up_to, error_len),
                    "{kernel}: {bytes:02X?}"
                );
                assert_eq!(
                    kernel.transcode::<Utf8, Utf16>(&src),
                    Err(error),
                    "{kernel}: {bytes:02X?}"
                );
            }
        }
    }
}

#[test]
fn messages_equal_those_of_std() {
    for (bytes, ..) in EXAMPLES {
        let std_error = core::str::from_utf8(bytes).expect_err("ill-formed");
        let error = validate::<Utf8>(bytes).expect_err("ill-formed");
        assert_eq!(error.to_string(), std_error.to_string());
        assert_eq!(error.to_std(bytes), Some(std_error));
        assert_eq!(utf8::from_utf8(bytes), Err(error));
        assert_eq!(utf8::from_utf8_mut(&mut bytes.to_vec()), Err(error));
        let mut validator = Validator::<Utf8>::new();
        let error =
            validator.push(bytes).and_then(|()| validator.finish()).expect_err("ill-formed");
        assert_eq!(error.to_string(), std_error.to_string());
    }
}

#[test]
fn messages_of_other_encodings() {
    let message = |error: utflane::Error| error.to_string();
    let error = validate::<Utf16>(&[0x41, 0xDC00]).unwrap_err();
    assert_eq!(message(error), "invalid utf-16 sequence from index 1: unpaired surrogate");
    let error = validate::<Utf16Be>(b"\0A\xD8").unwrap_err();
    assert_eq!(message(error), "incomplete utf-16 sequence from index 2");
    let error = validate::<Utf32>(&[0x11_0000]).unwrap_err();
    assert_eq!(message(error), "invalid utf-32 sequence from index 0: value too large");
    let error = validate::<Ascii>(b"abc\x80").unwrap_err();
    assert_eq!(message(error), "invalid ascii sequence from index 3: value too large");
    let error = Scheme::Wtf8.validate(b"ab\xED\xA0\x80\xED\xB0\x80").expect_err("a surrogate pair");
    assert_eq!(message(error), "invalid wtf-8 sequence from index 2: surrogate pair");
    let error = Scheme::Cesu8.validate(b"ab\xED\xA0\x80").expect_err("an unpaired surrogate");
    assert_eq!(message(error), "incomplete cesu-8 sequence from index 2");
    let error = Scheme::Cesu8.validate(b"\xED\xA0\x80!").expect_err("an unpaired surrogate");
    assert_eq!(message(error), "invalid cesu-8 sequence from index 0: unpaired surrogate");
    let error = transcode::<Utf8, Latin1>("1 €".as_bytes()).unwrap_err();
    let want = "utf-8 character that the target encoding does not have at index 2";
    assert_eq!(message(error), want);
    // The text is well-formed, so std has no error for it.
    assert_eq!(error.to_std("1 €".as_bytes()), None);
}

/// Offsets and lengths of errors count code units in encodings without a byte order in their name,
/// and bytes in the others.
#[test]
fn offsets_are_in_units_of_the_text() {
    let error_fields =
        |error: utflane::Error| (error.kind(), error.valid_up_to(), error.error_len());
    for kernel in Kernel::available() {
        let utf16 = |src: &[u16]| error_fields(kernel.validate::<Utf16>(src).unwrap_err());
        assert_eq!(utf16(&[0x41, 0xDC00, 0x41]), (Surrogate, 1, Some(1)));
        assert_eq!(utf16(&[0x41, 0xD800, 0x41]), (Surrogate, 1, Some(1)));
        assert_eq!(utf16(&[0x41, 0xD800, 0xD800]), (Surrogate, 1, Some(1)));
        assert_eq!(utf16(&[0x41, 0xD800]), (Surrogate, 1, None));
        let utf16le = |src: &[u8]| error_fields(kernel.validate::<Utf16Le>(src).unwrap_err());
        assert_eq!(utf16le(b"A\0\x00\xDCA\0"), (Surrogate, 2, Some(2)));
        assert_eq!(utf16le(b"A\0\x00\xD8A\0"), (Surrogate, 2, Some(2)));
        assert_eq!(utf16le(b"A\0\x00\xD8"), (Surrogate, 2, None));
        // A high surrogate before an incomplete unit, and an incomplete unit by itself.
        assert_eq!(utf16le(b"A\0\x00\xD8A"), (Surrogate, 2, None));
        assert_eq!(utf16le(b"A\0A"), (TooShort, 2, None));
        let utf32 = |src: &[u32]| error_fields(kernel.validate::<Utf32>(src).unwrap_err());
        assert_eq!(utf32(&[0x41, 0xD800]), (Surrogate, 1, Some(1)));
        assert_eq!(utf32(&[0x41, 0x11_0000]), (TooLarge, 1, Some(1)));
        let utf32be = |src: &[u8]| error_fields(kernel.validate::<Utf32Be>(src).unwrap_err());
        assert_eq!(utf32be(b"\0\0\0A\0\0\xDF\xFF"), (Surrogate, 4, Some(4)));
        assert_eq!(utf32be(b"\0\0\0A\0\x11"), (TooShort, 4, None));
        let unmappable = kernel.transcode::<Utf32Le, Latin1>(b"A\0\0\0\0\x01\0\0").unwrap_err();
        assert_eq!(error_fields(unmappable), (Unmappable, 4, Some(4)));
        let unmappable = kernel.transcode::<Utf16, Ascii>(&[0x41, 0xD83D, 0xDE00]).unwrap_err();
        assert_eq!(error_fields(unmappable), (Unmappable, 1, Some(2)));
        // An ill-formed sequence is reported as ill-formed, and not as an unmappable character.
        let ill_formed = kernel.transcode::<Utf8, Latin1>(b"\xE2\x82A").unwrap_err();
        assert_eq!(error_fields(ill_formed), (TooShort, 0, Some(2)));
        let ill_formed = kernel.transcode::<Utf16, Latin1>(&[0xDC00]).unwrap_err();
        assert_eq!(error_fields(ill_formed), (Surrogate, 0, Some(1)));
    }
}

#[test]
fn into_string_returns_a_string_or_the_bytes() {
    let bytes = "naïve".as_bytes().to_vec();
    let address = bytes.as_ptr();
    let text = utf8::into_string(bytes).expect("well-formed");
    assert_eq!((text.as_str(), text.as_ptr()), ("naïve", address), "no copy");
    let bytes = b"na\xEFve".to_vec();
    let address = bytes.as_ptr();
    let error = utf8::into_string(bytes).expect_err("ill-formed");
    assert_eq!(error.error, validate::<Utf8>(b"na\xEFve").unwrap_err());
    assert_eq!(error.to_string(), "invalid utf-8 sequence of 1 bytes from index 2");
    let bytes = error.units;
    assert_eq!((&bytes[..], bytes.as_ptr()), (&b"na\xEFve"[..], address), "no copy");
    let mut bytes = "é!".as_bytes().to_vec();
    let text = utf8::from_utf8_mut(&mut bytes).expect("well-formed");
    text.make_ascii_uppercase();
    assert_eq!(utf8::from_utf8(&bytes), Ok("é!"));
}

#[test]
fn complete_returns_the_number_of_units() {
    let mut dst = [0; 4];
    let convert = |src: &[u8], dst: &mut [u16]| utflane::transcode_into::<Utf8, Utf16>(src, dst);
    assert_eq!(convert(b"ab", &mut dst).complete(), Ok(Some(2)));
    assert_eq!(convert(b"abcde", &mut dst).complete(), Ok(None));
    assert!(convert(b"abcd\xFF", &mut dst).complete().is_err());
    assert_eq!(convert(b"", &mut dst[..0]).stop, Stop::Done);
}

#[test]
fn labels_are_known_in_any_case() {
    for &scheme in Scheme::ALL {
        assert_eq!(scheme.labels().next(), Some(scheme.name()));
        assert_eq!(scheme.to_string(), scheme.name());
        assert_eq!(format!("{scheme:>10}"), format!("{:>10}", scheme.name()));
        for label in scheme.labels() {
            assert_eq!(label, label.to_lowercase(), "in lower case");
            let spellings = [label.to_owned(), label.to_uppercase(), format!(" \t{label}\n")];
            for spelling in spellings {
                assert_eq!(Scheme::from_label(&spelling), Ok(scheme), "{spelling:?}");
                assert_eq!(spelling.parse::<Scheme>(), Ok(scheme), "{spelling:?}");
            }
        }
    }
    for (label, scheme) in [
        ("ISO-8859-1", Scheme::Latin1),
        ("utf8", Scheme::Utf8),
        ("US-ASCII", Scheme::Ascii),
        ("UTF-32BE", Scheme::Utf32Be),
        ("UCS-2", Scheme::Utf16Le),
        ("ucs-4", Scheme::Utf32Be),
    ] {
        assert_eq!(label.parse(), Ok(scheme));
    }
}

#[test]
fn labels_that_are_rejected() {
    let message = |label: &str| Scheme::from_label(label).expect_err(label).to_string();
    let needs_byte_order = "does not say its byte order: name utf-16le or utf-16be";
    assert_eq!(message("UTF-16"), format!("'UTF-16' {needs_byte_order}"));
    assert_eq!(message("utf16"), format!("'utf16' {needs_byte_order}"));
    assert!(message("utf-32").contains("name utf-32le or utf-32be"));
    // These labels do not name Latin-1, although browsers treat windows-1252 and Latin-1 as one
    // encoding.
    for label in ["windows-1252", "cp1252", "", "utf-7", "utf-8\0", "utf 8", "ütf-8"] {
        let message = message(label);
        assert!(message.starts_with(&format!("'{label}' is not a known encoding")), "{message}");
        for scheme in Scheme::ALL {
            assert!(message.contains(scheme.name()), "{message}");
        }
    }
    // The message cuts a long label, at a character boundary.
    let long_label = "é".repeat(40);
    assert!(message(&long_label).starts_with(&format!("'{}...'", "é".repeat(16))));
    assert!(message(&format!("x{long_label}")).starts_with(&format!("'x{}...'", "é".repeat(15))));
}

#[test]
fn error_types_implement_error_and_are_small() {
    fn assert_error<E: core::error::Error + Copy + Send + Sync + 'static>() {}
    assert_error::<utflane::Error>();
    assert_error::<utflane::StreamError>();
    assert_error::<utflane::UnknownLabel>();
    assert!(size_of::<utflane::Error>() <= 2 * size_of::<usize>());
    let kinds = [InvalidLeadByte, TooShort, TooLong, Overlong, Surrogate, TooLarge, Unmappable];
    for kind in kinds {
        assert_eq!(kind.to_string(), kind.description());
    }
}
