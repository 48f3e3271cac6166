use utflane::Scheme;
use utflane_charset::Charset;

use super::*;
use crate::encoding::{converter_to_utf8, source_from_label};

/// Encodes a text with `encoding_rs`.
fn encode_legacy(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into()
}

/// Encodes a text in UTF-16LE.
fn encode_utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Returns the answer of the page for a file that arrives in chunks of `size` bytes.
fn detect_in_chunks(file: &[u8], size: usize) -> String {
    let mut detection = Detection::new();
    file.chunks(size).for_each(|chunk| detection.push(chunk));
    detection.finish()
}

/// Returns files, each with the start of the name that detection finds.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let russian = "Съешь ещё этих мягких французских булок, да выпей чаю.\n".repeat(20);
    let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。\n".repeat(20);
    let ascii = "plain\n".repeat(20_000);
    vec![
        ("ascii", Vec::new()),
        ("ascii", ascii.clone().into()),
        ("utf-8", "größer\n".into()),
        ("utf-8", format!("{ascii}größer\n").into()),
        ("utf-8", [&b"\xEF\xBB\xBF"[..], russian.as_bytes()].concat()),
        ("utf-16le", encode_utf16le(&format!("\u{FEFF}{russian}"))),
        ("latin1", encode_legacy("windows-1252", &format!("{ascii}smörgåsbord på lördag\n"))),
        ("", encode_legacy("windows-1252", "Priset är 100 €\n")),
        ("", encode_legacy("windows-1250", "Příliš žluťoučký kůň\n")),
        ("windows-1251", encode_legacy("windows-1251", &russian)),
        ("koi8-", encode_legacy("koi8-r", &russian)),
        ("shift_jis", encode_legacy("shift_jis", &japanese)),
        ("euc-jp", encode_legacy("euc-jp", &japanese)),
        ("iso-2022-jp", encode_legacy("iso-2022-jp", &japanese)),
        ("mixed", [japanese.as_bytes(), &encode_utf16le(&japanese)].concat()),
        (
            "mixed",
            [&encode_utf16le(&format!("\u{FEFF}{russian}"))[..], russian.as_bytes()].concat(),
        ),
        ("utf-8", [russian.repeat(100).as_bytes(), b"\xFF\xFE\x80"].concat()),
        ("binary", vec![0; 5000]),
    ]
}

/// The page and the command give the same answer for a file, because both pass the whole file to
/// the same detector. Here the lengths of the chunks differ.
#[test]
fn the_answer_does_not_depend_on_the_chunks() {
    for (name, file) in files() {
        let mut detector = Detector::default();
        file.chunks(128 * 1024).for_each(|chunk| detector.push(chunk));
        let found = detector.found(true);
        assert!(found.name().starts_with(name), "{name}: {found}");
        let sizes = if file.len() < 10_000 { [1, 100] } else { [4_099, 1 << 20] };
        for size in sizes {
            let answer = detect_in_chunks(&file, size);
            let possible: Vec<String> =
                found.candidates().map(|charset| format!("\"{charset}\"")).collect();
            let expected = format!(
                r#"{{"detection":{{"name":"{}","confidence":"{}","reason":"{}","possible":[{}],"#,
                found.name(),
                found.confidence,
                found.reason,
                possible.join(",")
            );
            assert!(answer.starts_with(&expected), "{answer}\n{expected}");
        }
    }
}

/// The answer for a file with parts in different encodings has the offset where the encoding
/// changes, and no possible encoding.
#[test]
fn a_mixture_is_reported_with_its_offset() {
    let first = "Protokoll für heute\nzeile zwei\n";
    let file = [first.as_bytes(), &encode_utf16le("angehängt\r\n")].concat();
    let answer = detect_in_chunks(&file, 10);
    let expected = concat!(
        r#"{"detection":{"name":"mixed","confidence":"likely","#,
        r#""reason":"utf-8 up to byte 32, then utf-16le","possible":[],"mixed":true},"#
    );
    assert!(answer.starts_with(expected), "{answer}");
}

/// Bytes after the first MiB change the answer: the whole file is read.
#[test]
fn the_end_of_a_large_file_is_read() {
    let mut file = "größer\n".repeat(300_000).into_bytes();
    assert!(detect_in_chunks(&file, 1 << 20).contains(r#""name":"utf-8","confidence":"certain""#));
    file.extend_from_slice(b"\xFF\xFE\x80");
    let answer = detect_in_chunks(&file, 1 << 20);
    assert!(answer.contains(r#""name":"utf-8","confidence":"likely""#), "{answer}");
    file.extend(encode_utf16le("appended later\r\n"));
    assert!(detect_in_chunks(&file, 1 << 20).contains(r#""mixed":true"#));
}

/// Every listed encoding can be decoded.
#[test]
fn listed_encodings_can_be_decoded() {
    let list = encoding_names();
    for name in list.trim_matches(['[', ']']).split(',') {
        let name = name.trim_matches('"');
        let charset = source_from_label(name, b"").unwrap_or_else(|| panic!("{name}"));
        let (mut converter, mut out) = (converter_to_utf8(charset), Vec::new());
        let text = if charset.scheme().map_or(1, Scheme::unit_size) == 1 { "a" } else { "" };
        let bytes = match charset {
            Charset::Legacy(encoding) => encoding.encode(text).expect("a small letter"),
            Charset::Scheme(_) => text.into(),
        };
        converter.push(Some(&bytes), &mut out, |_, _| {});
        converter.push(None, &mut out, |_, _| {});
        assert_eq!((&out[..], converter.repairs()), (text.as_bytes(), 0), "{name}");
    }
}
