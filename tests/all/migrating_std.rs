//! Checks the section of docs/migrating.md about the standard library: each function is compared
//! with its replacement in utflane, and each difference that the page describes is tested.

use std::borrow::Cow;
use std::string::FromUtf8Error;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    Metric, Repair, Utf8, Utf16, Utf32, count, from_str, len, measure_lossy, transcode,
    transcode_lossy, utf8, utf32,
};

use crate::common::sampled;

/// Returns random bytes, mostly UTF-8.
fn random_bytes(rng: &mut StdRng) -> Vec<u8> {
    let fragments: [&[u8]; 8] = [
        b"a",
        "é".as_bytes(),
        "語".as_bytes(),
        "😀".as_bytes(),
        b"text ",
        b"\xF0\x9F\x98",
        b"\xFF",
        b"\xED\xA0\x80",
    ];
    let (fragment_kinds, count) = (rng.random_range(1..=8), rng.random_range(0..60));
    (0..count).flat_map(|_| fragments[rng.random_range(0..fragment_kinds)]).copied().collect()
}

#[test]
fn bytes_to_strings() {
    let mut rng = StdRng::seed_from_u64(0x57D);
    for _ in sampled("texts", 0..20_000) {
        let src = &random_bytes(&mut rng)[..];
        match (utf8::from_utf8(src), str::from_utf8(src)) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
            (Err(ours), Err(theirs)) => {
                let position = (ours.valid_up_to(), ours.error_len());
                assert_eq!(position, (theirs.valid_up_to(), theirs.error_len()));
                assert_eq!(ours.to_std(src), Some(theirs));
                // The message contains the standard library's message.
                assert!(ours.to_string().contains(&theirs.to_string()), "{ours}, {theirs}");
            }
            (ours, theirs) => panic!("{ours:?}, {theirs:?}"),
        }
        let theirs = String::from_utf8(src.to_vec());
        match utf8::into_string(src.to_vec()) {
            Ok(text) => assert_eq!(Ok(text), theirs),
            Err(error) => {
                assert_eq!(Some(error.units), theirs.err().map(FromUtf8Error::into_bytes));
            }
        }
        let (ours, theirs) = (utf8::from_utf8_lossy(src), String::from_utf8_lossy(src));
        assert_eq!(ours, theirs);
        assert_eq!(matches!(ours, Cow::Borrowed(_)), matches!(theirs, Cow::Borrowed(_)));
        assert_eq!(utf8::into_string_lossy(src.to_vec()), theirs);
        let ours = utf8::chunks(src).map(|chunk| (chunk.valid, chunk.invalid));
        assert!(ours.eq(src.utf8_chunks().map(|chunk| (chunk.valid(), chunk.invalid()))));
    }
}

#[test]
fn utf16_to_strings_and_characters() {
    let mut rng = StdRng::seed_from_u64(0x16);
    for _ in sampled("texts", 0..20_000) {
        let pool = [0x61, 0xE9, 0x8A9E, 0xD83D, 0xDE00];
        let (pool_len, count) = (rng.random_range(1..=5), rng.random_range(0..60));
        let src: Vec<u16> = (0..count).map(|_| pool[rng.random_range(0..pool_len)]).collect();
        let (ours, theirs) = (transcode::<Utf16, Utf8>(&src), String::from_utf16(&src));
        assert_eq!(ours.as_ref().ok(), theirs.as_ref().ok());
        let decoded = || char::decode_utf16(src.iter().copied());
        // utflane's error also has an offset.
        if let Err(error) = ours {
            let want = decoded().map_while(Result::ok).map(char::len_utf16).sum();
            assert_eq!(error.valid_up_to(), want);
        }
        let repaired = transcode_lossy::<Utf16, Utf8>(&src, Repair::REPLACE);
        assert_eq!(repaired.text, String::from_utf16_lossy(&src));
        assert_eq!(repaired.repairs, decoded().filter(Result::is_err).count());
        let measured = measure_lossy::<Utf16, Utf8>(&src, Repair::REPLACE);
        assert_eq!((measured.len, measured.repairs), (repaired.text.len(), repaired.repairs));
        let chars: Result<Vec<char>, _> = decoded().collect();
        let ours = transcode::<Utf16, Utf32>(&src).ok().and_then(|u| utf32::into_chars(u).ok());
        assert_eq!(ours, chars.ok());
    }
}

#[test]
fn strings_to_units_and_positions() {
    let mut rng = StdRng::seed_from_u64(0x5712);
    for _ in sampled("texts", 0..20_000) {
        let text = String::from_utf8_lossy(&random_bytes(&mut rng)).into_owned();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(from_str::<Utf16>(&text), units);
        assert_eq!(len::<Utf8, Utf16>(text.as_bytes()), units.len());
        assert_eq!(count::<Utf8>(text.as_bytes()), text.chars().count());
        assert!(utf8::str_to_chars(&text).into_iter().eq(text.chars()));
        let n = rng.random_range(0..=text.chars().count());
        let theirs = text.char_indices().nth(n).map_or(text.len(), |(offset, _)| offset);
        assert_eq!(utf8::offset_of(text.as_bytes(), n, Metric::CodePoints), Some(theirs));
        let offset = rng.random_range(0..=text.len());
        let is_boundary = text.is_char_boundary(offset);
        assert_eq!(utf8::is_boundary(text.as_bytes(), offset), is_boundary);
        if is_boundary {
            let n = text[..offset].chars().count();
            assert_eq!(utf8::index_of(text.as_bytes(), offset, Metric::CodePoints), Some(n));
        }
    }
}
