use utflane::Scheme;

use super::*;
use crate::encoding::{as_text, converter_to_utf8, source_from_label};

/// Returns the errors of a text that arrives in chunks of `size` bytes, as JSON.
fn find_errors(label: &str, text: &[u8], size: usize) -> String {
    find_errors_after_mark(0, label, text, size)
}

/// Returns the errors of a text that follows a byte order mark of `mark_len` bytes, as JSON.
fn find_errors_after_mark(mark_len: u64, label: &str, text: &[u8], size: usize) -> String {
    let source = source_from_label(label, b"").unwrap();
    let (mut errors, mut to_utf8) = (Errors::new(source, mark_len), converter_to_utf8(source));
    for chunk in text.chunks(size).map(Some).chain([None]) {
        let (mut text, mut replaced) = (Vec::new(), Vec::new());
        to_utf8.push(chunk, &mut text, |sequence, offset| replaced.push((sequence, offset)));
        errors.push(chunk.unwrap_or_default(), as_text(&text), &replaced, chunk.is_none());
    }
    errors.finish()
}

/// Returns the offset, line, column and bytes of each ill-formed sequence that the standard library
/// finds.
fn find_errors_with_std(text: &[u8]) -> Vec<String> {
    let (mut offset, mut line, mut column) = (0, 1, 1);
    let mut expected = Vec::new();
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        offset += chunk.valid().len();
        let ill_formed = chunk.invalid();
        if !ill_formed.is_empty() {
            let bytes: Vec<String> = ill_formed.iter().map(|byte| format!("{byte:02X}")).collect();
            let position = format!("\"offset\":{offset},\"line\":{line},\"column\":{column},");
            expected.push(format!("{position}|\"{}\"", bytes.join(" ")));
            column += 1;
        }
        offset += ill_formed.len();
    }
    expected
}

#[test]
fn errors_match_the_standard_library_for_every_chunk_size() {
    let mut text = Vec::new();
    for i in 0..40 {
        text.extend_from_slice("größer €😀\n".repeat(i % 4).as_bytes());
        let ill_formed: [&[u8]; 8] = [
            b"\xFF",
            b"\xC3",
            b"\xE2\x82",
            b"\xF0\x9F\x98",
            b"\xED\xA0\x80",
            b"\xC0\x80",
            b"\x80",
            b"\xF4\x90\x80\x80",
        ];
        text.extend_from_slice(ill_formed[i % 8]);
    }
    text.extend_from_slice(b"end \xF0\x9F");
    let whole = find_errors("utf-8", &text, text.len());
    let expected = find_errors_with_std(&text);
    let rows: Vec<&str> = whole.split("},{").collect();
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(&expected) {
        let (position, bytes) = expected.split_once('|').unwrap();
        assert!(row.contains(position) && row.contains(bytes), "{row} {expected}");
    }
    assert!(rows.last().unwrap().contains("incomplete at the end of the file"));
    for size in 1..130 {
        assert_eq!(find_errors("utf-8", &text, size), whole, "chunks of {size} bytes");
    }
}

#[test]
fn the_byte_order_mark_changes_only_the_offset() {
    for size in 1..4 {
        let report = find_errors_after_mark(3, "utf-8", b"a\xFFb", size);
        assert!(report.contains(r#""offset":4,"line":1,"column":2"#), "{report}");
        assert!(report.contains(r#""hex":["61","FF","62"],"text":["a","b"]"#), "{report}");
    }
}

#[test]
fn only_the_first_errors_are_located() {
    let text = [0xFF; 3 * MAX_LOCATED_ERRORS];
    for size in [1, 100, 1000] {
        assert_eq!(find_errors("utf-8", &text, size).matches("offset").count(), MAX_LOCATED_ERRORS);
    }
}

#[test]
fn the_report_has_the_text_around_an_error_on_the_same_line() {
    let report = find_errors("utf-8", "one\ngrö\u{1}".as_bytes(), 3);
    assert_eq!(report, "[]");
    let report = find_errors("utf-8", b"one\ngr\xC3\xB6\xFFab\ntwo", 4);
    assert!(report.contains(r#""text":["grö","ab"]"#), "{report}");
    assert!(
        report.contains(r#""hex":["6F 6E 65 0A 67 72 C3 B6","FF","61 62 0A 74 77 6F"]"#),
        "{report}"
    );
}

#[test]
fn the_text_around_an_error_has_only_complete_characters() {
    for ascii in 0..4 {
        let mut text = "a".repeat(ascii).into_bytes();
        text.extend_from_slice("€".repeat(40).as_bytes());
        text.push(0xFF);
        text.extend_from_slice("€".repeat(40).as_bytes());
        let report = find_errors("utf-8", &text, 7);
        assert!(!report.contains(char::REPLACEMENT_CHARACTER), "{report}");
    }
    let text: Vec<u8> =
        "a😀".repeat(40).encode_utf16().chain([0xDC00]).flat_map(u16::to_le_bytes).collect();
    assert!(!find_errors("utf-16le", &text, 7).contains(char::REPLACEMENT_CHARACTER));
}

#[test]
fn utf16_and_utf32_errors_have_lines_and_columns() {
    for (label, scheme) in [("utf-16le", Scheme::Utf16Le), ("utf-16be", Scheme::Utf16Be)] {
        let units = "aé\n\u{10A0A}😀b".encode_utf16().chain([0xD800, 0x0A, 0xDC00]);
        let text: Vec<u8> = units
            .flat_map(|unit| match scheme {
                Scheme::Utf16Le => unit.to_le_bytes(),
                _ => unit.to_be_bytes(),
            })
            .chain([0x41])
            .collect();
        for size in 1..30 {
            let report = find_errors(label, &text, size);
            for position in [
                r#""offset":16,"line":2,"column":4,"kind":"unpaired surrogate""#,
                r#""offset":20,"line":3,"column":1,"kind":"unpaired surrogate""#,
                r#""offset":22,"line":3,"column":2,"kind":"incomplete at the end of the file""#,
            ] {
                assert!(report.contains(position), "{size}: {report}");
            }
        }
    }
    let report = find_errors("utf-32be", b"\0\0\0\n\0\x11\0\0\0\0\0a", 5);
    assert!(
        report.contains(r#""offset":4,"line":2,"column":1,"kind":"value too large""#),
        "{report}"
    );
}

#[test]
fn the_first_error_is_the_error_that_validation_finds() {
    for label in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "ascii", "cesu-8"] {
        let text = b"\xED\xA0\xBD\xED\xB8\x80\x00\xD8\xD8\x00\xFF\xFF\xFF\xFF\xFFa";
        let scheme = Scheme::from_label(label).unwrap();
        let error = scheme.validate(text).unwrap_err();
        let report = find_errors(label, text, 3);
        assert!(
            report.starts_with(&format!("[{{\"offset\":{},", error.valid_up_to())),
            "{label}: {report}"
        );
    }
    assert_eq!(find_errors("latin1", b"\xFF\x80\0", 1), "[]");
}

#[test]
fn legacy_encoding_errors_have_positions() {
    let text = b"\x83e\x83X\x83g\n\x82\xA0\xFF\x82\xA0\r\n\x82";
    for size in 1..20 {
        assert_eq!(
            find_errors("shift_jis", text, size),
            concat!(
                r#"[{"offset":9,"line":2,"column":2,"kind":"not a character of shift_jis","#,
                r#""hex":["65 83 58 83 67 0A 82 A0","FF","82 A0 0D 0A 82"],"#,
                r#""text":["あ","あ\u000d"]},"#,
                r#"{"offset":14,"line":3,"column":1,"kind":"not a character of shift_jis","#,
                r#""hex":["0A 82 A0 FF 82 A0 0D 0A","82",""],"text":["",""]}]"#
            )
        );
    }
    // ISO-2022-JP has states. An error does not change the state.
    let report = find_errors("iso-2022-jp", b"a\x1B$B$\x22\xFF$\x22\x1B(B b\xFF", 1);
    assert!(report.contains("\"text\":[\"aあ\",\"あ b\u{FFFD}\"]"), "{report}");
    assert!(report.contains(r#""offset":14,"line":1,"column":7"#), "{report}");
    assert_eq!(find_errors("windows-1251", &[0xCF; 100], 7), "[]");
    assert_eq!(find_errors("wtf-8", b"\xED\xA0\x80", 1).matches("unpaired surrogate").count(), 1);
}
