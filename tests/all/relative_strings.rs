//! Strings in UTF-8's relatives: the oracle of the encodings, and that nothing is copied without need.

use std::borrow::Cow;

use utflane::{Error, ErrorKind, Scheme, Wtf8, Wtf16, cesu8, mutf8, transcode, wtf8};

use crate::common::oracle::{decode, encode_all};
use crate::common::relatives::encode_surrogate;
use crate::common::text::collection;

/// The functions of a relative.
struct Strings {
    scheme: Scheme,
    from_str: fn(&str) -> Cow<'_, [u8]>,
    to_str: fn(&[u8]) -> Result<Cow<'_, str>, Error>,
    to_str_lossy: fn(&[u8]) -> Cow<'_, str>,
    /// Whether a character is written as in UTF-8.
    is_same: fn(char) -> bool,
}

const RELATIVES: [Strings; 2] = [
    Strings {
        scheme: Scheme::Cesu8,
        from_str: cesu8::from_str,
        to_str: cesu8::to_str,
        to_str_lossy: cesu8::to_str_lossy,
        is_same: |c| c <= '\u{FFFF}',
    },
    Strings {
        scheme: Scheme::Mutf8,
        from_str: mutf8::from_str,
        to_str: mutf8::to_str,
        to_str_lossy: mutf8::to_str_lossy,
        is_same: |c| c != '\0' && c <= '\u{FFFF}',
    },
];

/// Texts that are the same in both, and texts that are not, at every place of a few vectors.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = collection(3000).into_iter().map(|(_, text)| text).collect();
    texts.extend(["".into(), "\0".into(), "😀".into(), "é\0".into(), "\0".repeat(300)]);
    for special in ['\0', '😀', '\u{10FFFF}', '\u{FFFF}', '\u{1}'] {
        for fill in ["a", "é", "水"] {
            for at in (0..140).chain([500, 4090, 8190, 8200]) {
                let (front, back) = (fill.repeat(at), fill.repeat(at % 67));
                texts.push(format!("{front}{special}{back}"));
            }
        }
    }
    texts
}

#[test]
fn strings_are_borrowed_where_nothing_changes() {
    for text in texts() {
        for relative in &RELATIVES {
            let want = encode_all(relative.scheme, text.chars());
            let same = text.chars().all(relative.is_same);
            let got = (relative.from_str)(&text);
            assert!(*got == want && same == matches!(got, Cow::Borrowed(_)), "{text:?}");
            let back = (relative.to_str)(&want).expect("well-formed");
            assert!(*back == text && same == matches!(back, Cow::Borrowed(_)), "{text:?}");
            assert_eq!((relative.to_str_lossy)(&want), text);
        }
    }
}

#[test]
fn errors_of_strings_are_those_of_the_encoding() {
    for text in texts() {
        for wrong in
            [&b"\xED\xA0\x80"[..], b"\xED\xB0\x80", b"\xF0\x9F\x98\x80", b"\xC0\x81", b"\xE2\x82"]
        {
            for relative in &RELATIVES {
                let front = encode_all(relative.scheme, text.chars());
                let src = [&front, wrong, b"!"].concat();
                let fault = decode(relative.scheme, &src).fault.expect("wrong");
                let error = (relative.to_str)(&src).expect_err("wrong");
                assert_eq!((error.valid_up_to(), error.error_len()), (fault.at, fault.len));
                assert_eq!(error.kind(), fault.kind, "{src:02X?}");
                let lossy = (relative.to_str_lossy)(&src);
                let repaired = lossy.strip_prefix(&*text).and_then(|rest| rest.strip_suffix('!'));
                let repaired = repaired.expect("nothing else changes");
                assert!(!repaired.is_empty() && repaired.chars().all(|c| c == '\u{FFFD}'));
            }
        }
    }
}

/// Any units, as WTF-8.
fn wobbly(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    for item in char::decode_utf16(units.iter().copied()) {
        match item {
            Ok(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(lone) => {
                assert!(encode_surrogate(Scheme::Wtf8, lone.unpaired_surrogate().into(), &mut out));
            }
        }
    }
    out
}

#[test]
fn joined_texts_are_those_of_joined_units() {
    let units =
        [0x41, 0xE9, 0x6C34, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD83D, 0xDE00, 0xD7FF, 0xE000];
    let mut texts: Vec<Vec<u16>> = vec![vec![]];
    texts.extend(units.iter().map(|&unit| vec![unit]));
    texts.extend(units.iter().flat_map(|&a| units.iter().map(move |&b| vec![a, b])));
    for first in &texts {
        for second in &texts {
            let want = wobbly(&[&first[..], second].concat());
            let parts = [wobbly(first), wobbly(second)];
            assert_eq!(
                wtf8::concat(parts.iter().map(Vec::as_slice)),
                want,
                "{first:X?} {second:X?}"
            );
            let mut text = parts[0].clone();
            wtf8::append(&mut text, &parts[1]);
            assert_eq!(text, want);
            assert_eq!(transcode::<Wtf16, Wtf8>(&[&first[..], second].concat()), Ok(want));
        }
    }
    // What is not WTF-8 is copied.
    for odd in [&b"\xED\xB0"[..], b"\xB0\x80", b"\xED\xB0A", b"\xED"] {
        let mut text = b"a\xED\xA0\x80".to_vec();
        wtf8::append(&mut text, odd);
        assert_eq!(text, [b"a\xED\xA0\x80", odd].concat());
    }
}

#[cfg(windows)]
#[test]
fn strings_of_windows() {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;

    for units in [&[][..], &[0x41], &[0xD800], &[0xDC00, 0xD800], &[0xD83D, 0xDE00, 0xD83D, 0xE9]] {
        let text = OsString::from_wide(units);
        let bytes = wtf8::from_os_str(&text);
        assert_eq!(bytes, wobbly(units));
        assert_eq!(wtf8::to_os_string(&bytes), Ok(text));
    }
    assert!(wtf8::to_os_string(b"\xED\xA0\x80\xED\xB0\x80").is_err());
}

#[test]
fn wtf8_is_a_string_without_surrogates() {
    for text in texts() {
        assert_eq!(wtf8::to_str(text.as_bytes()), Ok(&*text));
        assert!(matches!(wtf8::to_str_lossy(text.as_bytes()), Cow::Borrowed(same) if same == text));
        for (wrong, len) in [
            (&b"\xED\xA0\x80"[..], Some(3)),
            (b"\xED\xBF\xBF", Some(3)),
            (b"\xED\xA0\x80\xED\xB0\x80", Some(6)),
            (b"\xE2\x82", Some(2)),
        ] {
            let src = [text.as_bytes(), wrong, b"!"].concat();
            let error = wtf8::to_str(&src).expect_err("wrong");
            assert_eq!((error.valid_up_to(), error.error_len()), (text.len(), len));
            let surrogate = wrong[0] == 0xED;
            assert_eq!(error.kind() == ErrorKind::Surrogate, surrogate);
            assert_eq!(wtf8::to_str_lossy(&src), format!("{text}\u{FFFD}!"));
        }
    }
}
