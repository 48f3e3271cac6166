//! Checks of the functions that convert whole strings: UTF-8, CESU-8, Modified UTF-8, WTF-8 and
//! UTF-32 as characters. The results equal the oracle's, and are borrowed if the bytes do not
//! change.

use std::borrow::Cow;

use utflane::{Error, Scheme, cesu8, mutf8, utf8, utf32, wtf8};

use super::api::Api;
use super::cesu8_wtf8::encode_surrogate;
use super::oracle::{Fault, decode, decode_for, encode_all};

/// The string functions of CESU-8 or Modified UTF-8.
pub struct StringFunctions {
    pub scheme: Scheme,
    pub from_str: fn(&str) -> Cow<'_, [u8]>,
    pub to_str: fn(&[u8]) -> Result<Cow<'_, str>, Error>,
    pub to_str_lossy: fn(&[u8]) -> Cow<'_, str>,
    /// Returns true if a character has the same bytes as in UTF-8.
    pub is_same: fn(char) -> bool,
}

/// The string functions of CESU-8 and of Modified UTF-8.
pub const STRING_FUNCTIONS: [StringFunctions; 2] = [
    StringFunctions {
        scheme: Scheme::Cesu8,
        from_str: cesu8::from_str,
        to_str: cesu8::to_str,
        to_str_lossy: cesu8::to_str_lossy,
        is_same: |c| c <= '\u{FFFF}',
    },
    StringFunctions {
        scheme: Scheme::Mutf8,
        from_str: mutf8::from_str,
        to_str: mutf8::to_str,
        to_str_lossy: mutf8::to_str_lossy,
        is_same: |c| c != '\0' && c <= '\u{FFFF}',
    },
];

/// Decodes a text, with U+FFFD for each error.
fn repaired(scheme: Scheme, src: &[u8]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    loop {
        let decoded = decode_for(scheme, Scheme::Utf8, &src[at..]);
        out.extend(decoded.chars());
        let Some(fault) = decoded.fault else { return out };
        out.push(char::REPLACEMENT_CHARACTER);
        let Some(len) = fault.len else { return out };
        at += fault.at + len;
    }
}

/// Asserts that a string that was decoded from `src` equals `want`, and is borrowed only if its
/// bytes equal `src`.
fn assert_decoded(got: Cow<'_, str>, want: &str, src: &[u8]) {
    assert_eq!(got, want, "{src:02X?}");
    assert!(matches!(got, Cow::Borrowed(_)) == (want.as_bytes() == src), "{src:02X?}");
}

/// Decodes any bytes as CESU-8, Modified UTF-8, WTF-8 and UTF-8, strictly and with repairs. If the
/// bytes are UTF-8, the text is also encoded in CESU-8 and Modified UTF-8.
pub fn check_strings(src: &[u8]) {
    for functions in &STRING_FUNCTIONS {
        let decoded = decode(functions.scheme, src);
        match (functions.to_str)(src) {
            Ok(text) => assert_decoded(text, &decoded.chars().collect::<String>(), src),
            Err(error) => {
                assert_eq!(Some(Fault::from_error(error, 1)), decoded.fault, "{src:02X?}");
            }
        }
        assert_eq!((functions.to_str)(src).is_ok(), decoded.fault.is_none(), "{src:02X?}");
        let lossy = (functions.to_str_lossy)(src);
        assert_eq!(lossy, repaired(functions.scheme, src), "{} {src:02X?}", functions.scheme);
        if let Ok(text) = str::from_utf8(src) {
            let want = encode_all(functions.scheme, text.chars());
            let got = (functions.from_str)(text);
            let unchanged = text.chars().all(functions.is_same);
            assert!(*got == want, "{} of {text:?}: {got:02X?}", functions.scheme);
            assert_eq!(matches!(got, Cow::Borrowed(_)), unchanged, "{text:?}");
            assert_eq!(matches!(lossy, Cow::Borrowed(_)), unchanged, "{text:?}");
        }
    }
    let strict = decode_for(Scheme::Wtf8, Scheme::Utf8, src);
    let got = wtf8::to_str(src).map_err(|error| Fault::from_error(error, 1));
    assert_eq!(got.err(), strict.fault, "{src:02X?}");
    assert!(got.is_err() || got.ok() == str::from_utf8(src).ok(), "{src:02X?}");
    let lossy = wtf8::to_str_lossy(src);
    assert_eq!(lossy, repaired(Scheme::Wtf8, src), "WTF-8 {src:02X?}");
    check_code_points(src, &lossy);
    check_utf8_strings(src);
}

/// Checks the iterator over the code points of any bytes as WTF-8, from both ends, and the
/// boundaries between code points. `lossy` is the text with U+FFFD for each surrogate and each
/// ill-formed sequence.
fn check_code_points(src: &[u8], lossy: &str) {
    assert_eq!(wtf8::into_string_lossy(src.to_vec()), lossy, "{src:02X?}");
    let (mut want, mut boundaries, mut at) = (Vec::new(), vec![0], 0);
    while at < src.len() {
        let decoded = decode(Scheme::Wtf8, &src[at..]);
        for &point in &decoded.points {
            want.push(point);
            at += [0x80, 0x800, 0x1_0000].iter().filter(|&&first| point >= first).count() + 1;
            boundaries.push(at);
        }
        if let Some(fault) = decoded.fault {
            want.push(0xFFFD);
            at = fault.len.map_or(src.len(), |len| at + len);
            boundaries.push(at);
        }
    }
    let points = wtf8::code_points(src);
    let (lower, upper) = points.size_hint();
    assert!(lower <= want.len() && upper.is_some_and(|upper| want.len() <= upper), "{src:02X?}");
    assert!(points.clone().eq(want.iter().copied()), "{src:02X?}");
    assert!(points.clone().rev().eq(want.iter().rev().copied()), "reversed, {src:02X?}");
    let (mut points, mut from_front, mut from_back) = (points, Vec::new(), Vec::new());
    while let Some(point) = points.next() {
        from_front.push(point);
        from_back.extend(points.next_back());
    }
    assert_eq!((points.next(), points.next_back()), (None, None), "{src:02X?}");
    from_back.reverse();
    assert_eq!([from_front, from_back].concat(), want, "from both ends, {src:02X?}");
    let as_char = |&point: &u32| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER);
    assert!(lossy.chars().eq(want.iter().map(as_char)), "{src:02X?}");
    let (mut floor, mut next) = (0, 0);
    for offset in 0..src.len() + 3 {
        while boundaries.get(next).is_some_and(|&boundary| boundary <= offset) {
            floor = boundaries[next];
            next += 1;
        }
        let ceil = if floor == offset { floor } else { *boundaries.get(next).unwrap_or(&floor) };
        let got = (wtf8::floor_boundary(src, offset), wtf8::ceil_boundary(src, offset));
        assert_eq!(got, (floor, ceil), "{offset} of {src:02X?}");
        assert_eq!(wtf8::is_boundary(src, offset), floor == offset, "{offset} of {src:02X?}");
    }
}

/// Checks the functions that convert bytes to a `&str` or a `String`, strictly and with repairs.
fn check_utf8_strings(src: &[u8]) {
    let fault = decode(Scheme::Utf8, src).fault;
    let to_fault = |error| Fault::from_error(error, 1);
    let std = str::from_utf8(src).ok();
    let got = utf8::from_utf8(src);
    assert_eq!((got.ok(), got.err().map(to_fault)), (std, fault), "{src:02X?}");
    let mut copy = src.to_vec();
    let got = utf8::from_utf8_mut(&mut copy);
    assert_eq!(got.as_ref().map(|text| &**text).map_err(|&error| to_fault(error)).err(), fault);
    assert!(got.is_err() || got.ok().as_deref() == std, "{src:02X?}");
    match utf8::into_string(src.to_vec()) {
        Ok(text) => assert_eq!(Some(&*text), std, "{src:02X?}"),
        Err(error) => {
            assert_eq!((Some(to_fault(error.error)), &error.units[..]), (fault, src));
        }
    }
    let want = String::from_utf8_lossy(src);
    for &api in Api::all() {
        let got = match api {
            Api::Free => utf8::from_utf8_lossy(src),
            Api::On(kernel) => kernel.from_utf8_lossy(src),
        };
        assert_eq!(got, want, "{api:?} of {src:02X?}");
        assert_eq!(matches!(got, Cow::Borrowed(_)), fault.is_none(), "{api:?} of {src:02X?}");
    }
    assert_eq!(utf8::into_string_lossy(src.to_vec()), want, "{src:02X?}");
}

/// Encodes any UTF-16 units as WTF-8.
pub fn to_wtf8(units: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    for item in char::decode_utf16(units.iter().copied()) {
        match item {
            Ok(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(unpaired) => {
                assert!(encode_surrogate(
                    Scheme::Wtf8,
                    unpaired.unpaired_surrogate().into(),
                    &mut out
                ));
            }
        }
    }
    out
}

/// Checks that joining texts in WTF-8 gives the same text as joining their UTF-16 units.
pub fn check_joined(texts: &[&[u16]]) {
    let parts: Vec<_> = texts.iter().map(|units| to_wtf8(units)).collect();
    let want = to_wtf8(&texts.concat());
    let mut text = Vec::new();
    for part in &parts {
        wtf8::append(&mut text, part);
    }
    assert_eq!(text, want, "{texts:04X?}");
}

/// Checks that WTF-8 append joins two surrogates that meet to one character, and copies all other
/// bytes. `first` and `second` may be any bytes.
pub fn check_appended(first: &[u8], second: &[u8]) {
    let joined_pair = |a: &[u8], b: &[u8]| match (a, b) {
        (
            &[.., 0xED, high @ 0xA0..=0xAF, last @ 0x80..=0xBF],
            &[0xED, low @ 0xB0..=0xBF, next @ 0x80..=0xBF, ..],
        ) => {
            let unit = |second: u8, third: u8| {
                0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
            };
            String::from_utf16(&[unit(high, last), unit(low, next)]).ok()
        }
        _ => None,
    };
    let want = match joined_pair(first, second) {
        Some(c) => [&first[..first.len() - 3], c.as_bytes(), &second[3..]].concat(),
        None => [first, second].concat(),
    };
    let mut text = first.to_vec();
    wtf8::append(&mut text, second);
    assert_eq!(text, want, "{first:02X?} and {second:02X?}");
}

/// Checks the functions that view any UTF-32 units as characters.
pub fn check_utf32(src: &[u32]) {
    let bytes: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let decoded = decode(Scheme::Utf32Le, &bytes);
    let chars: Vec<char> = decoded.chars().collect();
    let fault = decoded.fault;
    let check = |got: Result<&[char], Error>| match got {
        Ok(got) => assert!(fault.is_none() && got == chars, "{src:08X?}"),
        Err(error) => assert_eq!(Some(Fault::from_error(error, 4)), fault, "{src:08X?}"),
    };
    check(utf32::as_chars(src));
    check(utf32::as_chars_mut(&mut src.to_vec()).map(|chars| &*chars));
    match utf32::into_chars(src.to_vec()) {
        Ok(got) => check(Ok(&got)),
        Err(error) => {
            check(Err(error.error));
            assert_eq!(error.units, src);
        }
    }
    if fault.is_none() {
        assert_eq!(utf32::from_chars(&chars), src);
    }
}
