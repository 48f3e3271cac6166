use utflane_charset::mojibake::{Misread, apply};

use super::*;
use crate::encoding::source_from_label;

/// Converts a text in chunks of `size` bytes. Returns the result and the numbers of repairs.
/// `words` are the label of the source, the label of the target, and the rounds of double encoding
/// to undo.
fn convert(words: [&str; 3], mark: bool, text: &[u8], size: usize) -> (Vec<u8>, String) {
    let [label, target, rounds] = words;
    let (source, rounds) =
        (source_from_label(label, b"").unwrap(), UndoRound::from_letters(rounds).unwrap());
    let mut conversion = Conversion::new(source, target, mark, rounds).unwrap();
    let mut out = Vec::new();
    text.chunks(size).for_each(|chunk| conversion.push(chunk, &mut out));
    conversion.finish(&mut out);
    (out, conversion.report())
}

/// Encodes a text with the standard library.
fn encode_with_std(text: &str, target: &str) -> Vec<u8> {
    match target {
        "utf-8" => text.into(),
        "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "utf-32be" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        _ => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
    }
}

#[test]
fn repairs_agree_with_the_standard_library() {
    let text = b"gr\xC3\xB6\xC3\x9Fer \xF0\x9F\x98\x80 \xFF \xE2\x82 \xED\xA0\x80 caf\xC3\xA9 \xC3";
    let repaired = String::from_utf8_lossy(text);
    let not_in_latin1 = repaired.chars().filter(|&c| c > '\u{FF}').count();
    for target in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1"] {
        for size in 1..text.len() + 1 {
            let (out, report) = convert(["utf-8", target, ""], false, text, size);
            assert_eq!(out, encode_with_std(&repaired, target), "{target} {size}");
            let unmappable = if target == "latin1" { not_in_latin1 } else { 0 };
            assert_eq!(report, format!(r#"{{"illFormed":6,"unmappable":{unmappable}}}"#));
        }
    }
}

#[test]
fn every_source_encoding_is_converted() {
    let text = "größer";
    for label in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "latin1"] {
        let (out, _) = convert([label, "utf-8", ""], false, &encode_with_std(text, label), 1);
        assert_eq!(out, text.as_bytes(), "{label}");
    }
    let (out, _) = convert(["cesu-8", "utf-8", ""], false, b"\xED\xA0\xBD\xED\xB8\x80", 1);
    assert_eq!(out, "😀".as_bytes());
    let (out, _) = convert(["ascii", "utf-16be", ""], false, b"a\xFF", 1);
    assert_eq!(out, b"\0a\xFF\xFD");
}

#[test]
fn the_byte_order_mark_is_written_once_even_without_text() {
    for (target, mark) in
        [("utf-8", &b"\xEF\xBB\xBF"[..]), ("utf-16be", b"\xFE\xFF"), ("latin1", b"")]
    {
        let (out, _) = convert(["utf-8", target, ""], true, b"", 1);
        assert_eq!(out, mark);
        let (out, _) = convert(["utf-8", target, ""], true, b"ab", 1);
        assert_eq!(out, [mark, &encode_with_std("ab", target)].concat());
    }
}

#[test]
fn a_conversion_undoes_double_encoding() {
    let text = "“förste” rad, 100 €\n".repeat(20);
    let once = apply(&text, Misread::Windows1252);
    let twice = apply(&once, Misread::Windows1252);
    for size in [1, 7, 64, 100_000] {
        for target in ["utf-8", "utf-16le", "latin1"] {
            let (out, _) = convert(["utf-8", target, "WW"], false, twice.as_bytes(), size);
            assert_eq!(out, encode_with_std(&text, target));
        }
        let (out, _) = convert(["utf-8", "utf-8", "R"], false, once.as_bytes(), size);
        assert_eq!(out, text.as_bytes());
    }
}

#[test]
fn unknown_labels_are_refused() {
    let utf8 = source_from_label("utf-8", b"").unwrap();
    assert!(Conversion::new(utf8, "koi8-r", false, Vec::new()).is_none());
    assert!(source_from_label("uft-8", b"").is_none());
}
