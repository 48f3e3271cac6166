//! Tests that crates that validate with simdutf8 reject the texts that the standard library
//! rejects. The tests of encoding_rs and simd-json also pass with a simdutf8 that accepts
//! everything.

use std::io::Write;

/// Sequences that are ill-formed or incomplete, alone and before ASCII.
const SEQUENCES: &[&[u8]] = &[
    b"\x80",
    b"\xC0\x80",
    b"\xC3",
    b"\xE0\x80\x80",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x9F\x98",
    b"\xF4\x90\x80\x80",
    b"\xFF",
];

/// Calls `check` with well-formed texts, and with each ill-formed sequence before each of their
/// characters.
fn for_each_text(mut check: impl FnMut(&[u8])) {
    for sentence in ["plain text, ", "smørrebrød, ", "维基百科", "😀 and "] {
        let text = sentence.repeat(400 / sentence.len());
        check(text.as_bytes());
        for (offset, _) in text.char_indices() {
            for sequence in SEQUENCES {
                let (before, after) = text.as_bytes().split_at(offset);
                check(&[before, sequence, after].concat());
            }
        }
    }
}

#[test]
fn encoding_rs_returns_the_offset_of_the_error() {
    for_each_text(|text| {
        let expected = std::str::from_utf8(text).map_or_else(|e| e.valid_up_to(), str::len);
        assert_eq!(encoding_rs::Encoding::utf8_valid_up_to(text), expected, "{text:X?}");
    });
}

#[test]
fn simd_json_rejects_ill_formed_strings() {
    for_each_text(|text| {
        let mut json = b"{\"text\": \"".to_vec();
        json.write_all(text).unwrap();
        json.write_all(b"\", \"number\": 5}").unwrap();
        let is_valid = std::str::from_utf8(&json).is_ok();
        assert_eq!(simd_json::to_tape(&mut json).is_ok(), is_valid, "{text:X?}");
    });
}

#[test]
fn sonic_rs_rejects_ill_formed_strings() {
    for_each_text(|text| {
        let json = [b"[\"", text, b"\"]"].concat();
        let is_valid = std::str::from_utf8(&json).is_ok();
        let result = sonic_rs::from_slice::<Vec<String>>(&json);
        assert_eq!(result.is_ok(), is_valid, "{text:X?}");
    });
}
