//! docs/migrating.md, the standard library: each function beside the one that replaces it, and each
//! difference that the page tells.

use std::borrow::Cow;
use std::string::FromUtf8Error;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    Metric, Repair, Utf8, Utf16, Utf32, count, from_str, from_str_len, measure_lossy, transcode,
    transcode_lossy, utf8, utf32,
};

use crate::common::shared;

/// Random bytes, mostly UTF-8.
fn bytes(rng: &mut StdRng) -> Vec<u8> {
    let segments: [&[u8]; 8] = [
        b"a",
        "é".as_bytes(),
        "語".as_bytes(),
        "😀".as_bytes(),
        b"text ",
        b"\xF0\x9F\x98",
        b"\xFF",
        b"\xED\xA0\x80",
    ];
    let (kinds, count) = (rng.random_range(1..=8), rng.random_range(0..60));
    (0..count).flat_map(|_| segments[rng.random_range(0..kinds)]).copied().collect()
}

#[test]
fn bytes_to_strings() {
    let mut rng = StdRng::seed_from_u64(0x57D);
    for _ in shared("texts", 0..20_000) {
        let src = &bytes(&mut rng)[..];
        match (utf8::from_utf8(src), str::from_utf8(src)) {
            (Ok(here), Ok(there)) => assert_eq!(here, there),
            (Err(here), Err(there)) => {
                let position = (here.valid_up_to(), here.error_len());
                assert_eq!(position, (there.valid_up_to(), there.error_len()));
                assert_eq!(here.to_std(src), Some(there));
                // The message has the kind after that of the standard library.
                assert!(here.to_string().contains(&there.to_string()), "{here}, {there}");
            }
            (here, there) => panic!("{here:?}, {there:?}"),
        }
        let there = String::from_utf8(src.to_vec());
        match utf8::into_string(src.to_vec()) {
            Ok(text) => assert_eq!(Ok(text), there),
            Err(error) => {
                assert_eq!(Some(error.into_bytes()), there.err().map(FromUtf8Error::into_bytes));
            }
        }
        let (here, there) = (utf8::from_utf8_lossy(src), String::from_utf8_lossy(src));
        assert_eq!(here, there);
        assert_eq!(matches!(here, Cow::Borrowed(_)), matches!(there, Cow::Borrowed(_)));
        assert_eq!(utf8::into_string_lossy(src.to_vec()), there);
        let here = utf8::chunks(src).map(|chunk| (chunk.valid(), chunk.invalid()));
        assert!(here.eq(src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid()))));
    }
}

#[test]
fn utf16_to_strings_and_characters() {
    let mut rng = StdRng::seed_from_u64(0x16);
    for _ in shared("texts", 0..20_000) {
        let pool = [0x61, 0xE9, 0x8A9E, 0xD83D, 0xDE00];
        let (kinds, count) = (rng.random_range(1..=5), rng.random_range(0..60));
        let src: Vec<u16> = (0..count).map(|_| pool[rng.random_range(0..kinds)]).collect();
        let (here, there) = (transcode::<Utf16, Utf8>(&src), String::from_utf16(&src));
        assert_eq!(here.as_ref().ok(), there.as_ref().ok());
        let decoded = || char::decode_utf16(src.iter().copied());
        // Here, the error says where it is.
        if let Err(error) = here {
            let whole = decoded().map_while(Result::ok).map(char::len_utf16).sum();
            assert_eq!(error.valid_up_to(), whole);
        }
        let repaired = transcode_lossy::<Utf16, Utf8>(&src, Repair::REPLACE);
        assert_eq!(repaired.text, String::from_utf16_lossy(&src));
        assert_eq!(repaired.repairs, decoded().filter(Result::is_err).count());
        let measured = measure_lossy::<Utf16, Utf8>(&src, Repair::REPLACE);
        assert_eq!((measured.len, measured.repairs), (repaired.text.len(), repaired.repairs));
        let chars: Result<Vec<char>, _> = decoded().collect();
        let here = transcode::<Utf16, Utf32>(&src).ok().and_then(|u| utf32::into_chars(u).ok());
        assert_eq!(here, chars.ok());
    }
}

#[test]
fn strings_to_units_and_positions() {
    let mut rng = StdRng::seed_from_u64(0x5712);
    for _ in shared("texts", 0..20_000) {
        let text = String::from_utf8_lossy(&bytes(&mut rng)).into_owned();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(from_str::<Utf16>(&text), units);
        assert_eq!(from_str_len::<Utf16>(&text), units.len());
        assert_eq!(count::<Utf8>(text.as_bytes()), text.chars().count());
        assert!(utf8::str_to_chars(&text).into_iter().eq(text.chars()));
        let n = rng.random_range(0..=text.chars().count());
        let there = text.char_indices().nth(n).map_or(text.len(), |(offset, _)| offset);
        assert_eq!(utf8::offset_of(text.as_bytes(), n, Metric::CodePoints), Some(there));
        let offset = rng.random_range(0..=text.len());
        let is = text.is_char_boundary(offset);
        assert_eq!(utf8::is_boundary(text.as_bytes(), offset), is);
        if is {
            let n = text[..offset].chars().count();
            assert_eq!(utf8::index_of(text.as_bytes(), offset, Metric::CodePoints), Some(n));
        }
    }
}
