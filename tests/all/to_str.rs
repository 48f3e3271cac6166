//! Tests of the functions that convert whole strings from and to CESU-8, Modified UTF-8 and WTF-8.
//! The results equal the oracle's, and a string is copied only if its bytes change.

use std::borrow::Cow;

use utflane::{ErrorKind, Wtf8, Wtf16, transcode, wtf8};

use crate::common::oracle::{decode, encode_all};
use crate::common::sampled;
use crate::common::strings::{
    STRING_FUNCTIONS, check_appended, check_joined, check_strings, to_wtf8,
};
use crate::common::text::collection;

/// Returns generated texts, a few literal texts, and texts with one special character after 0 to
/// 139, 500 or thousands of equal characters. Some of the special characters have other bytes in
/// CESU-8 or Modified UTF-8 than in UTF-8.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = collection(3000).into_iter().map(|(_, text)| text).collect();
    texts.extend(["".into(), "\0".into(), "😀".into(), "é\0".into(), "\0".repeat(300)]);
    for special in ['\0', '😀', '\u{10FFFF}', '\u{FFFF}', '\u{1}'] {
        for fill in ["a", "é", "水"] {
            for at in (0..140).chain([500, 4090, 8190, 8200]) {
                let (before, after) = (fill.repeat(at), fill.repeat(at % 67));
                texts.push(format!("{before}{special}{after}"));
            }
        }
    }
    texts
}

#[test]
fn strings_are_borrowed_if_no_byte_changes() {
    for text in sampled("texts", texts().into_iter()) {
        check_strings(text.as_bytes());
        for functions in &STRING_FUNCTIONS {
            check_strings(&encode_all(functions.scheme, text.chars()));
        }
    }
}

#[test]
fn string_errors_match_the_oracle() {
    for text in sampled("texts", texts().into_iter()) {
        for ill_formed in
            [&b"\xED\xA0\x80"[..], b"\xED\xB0\x80", b"\xF0\x9F\x98\x80", b"\xC0\x81", b"\xE2\x82"]
        {
            for functions in &STRING_FUNCTIONS {
                let encoded = encode_all(functions.scheme, text.chars());
                let src = [&encoded, ill_formed, b"!"].concat();
                check_strings(&src);
                let fault = decode(functions.scheme, &src).fault.expect("ill-formed");
                let error = (functions.to_str)(&src).expect_err("ill-formed");
                assert_eq!((error.valid_up_to(), error.error_len()), (fault.at, fault.len));
                assert_eq!(error.kind(), fault.kind, "{src:02X?}");
                let lossy = (functions.to_str_lossy)(&src);
                let repaired = lossy.strip_prefix(&*text).and_then(|rest| rest.strip_suffix('!'));
                let repaired = repaired.expect("the text before and after the error is unchanged");
                assert!(!repaired.is_empty() && repaired.chars().all(|c| c == '\u{FFFD}'));
            }
        }
    }
}

#[test]
fn joined_wtf8_texts_match_joined_units() {
    let units =
        [0x41, 0xE9, 0x6C34, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD83D, 0xDE00, 0xD7FF, 0xE000];
    let mut texts: Vec<Vec<u16>> = vec![vec![]];
    texts.extend(units.iter().map(|&unit| vec![unit]));
    texts.extend(units.iter().flat_map(|&a| units.iter().map(move |&b| vec![a, b])));
    for first in &texts {
        for second in &texts {
            check_joined(&[first, second]);
            let want = to_wtf8(&[&first[..], second].concat());
            check_appended(&to_wtf8(first), &to_wtf8(second));
            assert_eq!(transcode::<Wtf16, Wtf8>(&[&first[..], second].concat()), Ok(want));
        }
    }
    // An incomplete or ill-formed low surrogate is not joined with the high surrogate: the bytes
    // are copied.
    for not_wtf8 in [&b"\xED\xB0"[..], b"\xB0\x80", b"\xED\xB0A", b"\xED"] {
        check_appended(b"a\xED\xA0\x80", not_wtf8);
    }
}

#[cfg(windows)]
#[test]
fn os_strings_of_windows() {
    use std::ffi::OsString;
    use std::os::windows::ffi::OsStringExt;

    for units in [&[][..], &[0x41], &[0xD800], &[0xDC00, 0xD800], &[0xD83D, 0xDE00, 0xD83D, 0xE9]] {
        let text = OsString::from_wide(units);
        let bytes = wtf8::from_os_str(&text);
        assert_eq!(bytes, to_wtf8(units));
        assert_eq!(wtf8::to_os_string(&bytes), Ok(text));
    }
    assert!(wtf8::to_os_string(b"\xED\xA0\x80\xED\xB0\x80").is_err());
}

#[test]
fn wtf8_without_surrogates_is_a_str() {
    for text in texts() {
        assert_eq!(wtf8::to_str(text.as_bytes()), Ok(&*text));
        assert!(matches!(wtf8::to_str_lossy(text.as_bytes()), Cow::Borrowed(same) if same == text));
        for (ill_formed, len) in [
            (&b"\xED\xA0\x80"[..], Some(3)),
            (b"\xED\xBF\xBF", Some(3)),
            (b"\xED\xA0\x80\xED\xB0\x80", Some(6)),
            (b"\xE2\x82", Some(2)),
        ] {
            let src = [text.as_bytes(), ill_formed, b"!"].concat();
            let error = wtf8::to_str(&src).expect_err("ill-formed");
            assert_eq!((error.valid_up_to(), error.error_len()), (text.len(), len));
            let is_surrogate = ill_formed[0] == 0xED;
            assert_eq!(error.kind() == ErrorKind::Surrogate, is_surrogate);
            assert_eq!(wtf8::to_str_lossy(&src), format!("{text}\u{FFFD}!"));
        }
    }
}
