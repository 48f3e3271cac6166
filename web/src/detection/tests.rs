use utflane::Scheme;

use super::*;

/// A text in an encoding of `encoding_rs`.
fn encoded(label: &str, text: &str) -> Vec<u8> {
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into()
}

/// A text in UTF-16LE.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The answer of the page for a file that comes in chunks of `size` bytes.
fn answer(file: &[u8], size: usize) -> String {
    let mut survey = Survey::new();
    file.chunks(size).for_each(|chunk| survey.push(chunk));
    survey.finish()
}

/// Files, each with the start of the name of its encoding.
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
        ("utf-16le", utf16(&format!("\u{FEFF}{russian}"))),
        ("latin1", encoded("windows-1252", &format!("{ascii}smörgåsbord på lördag\n"))),
        ("", encoded("windows-1252", "Priset är 100 €\n")),
        ("", encoded("windows-1250", "Příliš žluťoučký kůň\n")),
        ("windows-1251", encoded("windows-1251", &russian)),
        ("koi8-", encoded("koi8-r", &russian)),
        ("shift_jis", encoded("shift_jis", &japanese)),
        ("euc-jp", encoded("euc-jp", &japanese)),
        ("iso-2022-jp", encoded("iso-2022-jp", &japanese)),
        ("mixed", [japanese.as_bytes(), &utf16(&japanese)].concat()),
        ("mixed", [&utf16(&format!("\u{FEFF}{russian}"))[..], russian.as_bytes()].concat()),
        ("utf-8", [russian.repeat(100).as_bytes(), b"\xFF\xFE\x80"].concat()),
        ("binary", vec![0; 5000]),
    ]
}

/// The page and the command say the same of a file: they read all of it by one detector, here in
/// chunks of other lengths.
#[test]
fn the_answer_is_that_of_the_command() {
    for (name, file) in files() {
        let mut detector = Detector::default();
        file.chunks(128 * 1024).for_each(|chunk| detector.push(chunk));
        let found = detector.found(true);
        assert!(found.name().starts_with(name), "{name}: {found}");
        let sizes = if file.len() < 10_000 { [1, 100] } else { [4_099, 1 << 20] };
        for size in sizes {
            let answer = answer(&file, size);
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

/// A file in several encodings is not decoded, and the answer has the offset where they change.
#[test]
fn a_mixture_is_told_with_its_place() {
    let first = "Protokoll für heute\nzeile zwei\n";
    let file = [first.as_bytes(), &utf16("angehängt\r\n")].concat();
    let answer = answer(&file, 10);
    let expected = concat!(
        r#"{"detection":{"name":"mixed","confidence":"likely","#,
        r#""reason":"utf-8 up to byte 32, then utf-16le","possible":[],"mixed":true},"#
    );
    assert!(answer.starts_with(expected), "{answer}");
}

/// The text after the first MiB counts: no answer is certain after a part of a file.
#[test]
fn the_end_of_a_large_file_is_read() {
    let mut file = "größer\n".repeat(300_000).into_bytes();
    assert!(answer(&file, 1 << 20).contains(r#""name":"utf-8","confidence":"certain""#));
    file.extend_from_slice(b"\xFF\xFE\x80");
    let damaged = answer(&file, 1 << 20);
    assert!(damaged.contains(r#""name":"utf-8","confidence":"likely""#), "{damaged}");
    file.extend(utf16("appended later\r\n"));
    assert!(answer(&file, 1 << 20).contains(r#""mixed":true"#));
}

/// Every encoding that is listed can be read.
#[test]
fn listed_encodings_are_read() {
    let list = encodings();
    for name in list.trim_matches(['[', ']']).split(',') {
        let name = name.trim_matches('"');
        let charset = crate::encoding::source(name, b"").unwrap_or_else(|| panic!("{name}"));
        let (mut to_utf8, mut text) = (crate::encoding::to_utf8(charset), Vec::new());
        let a = if charset.scheme().map_or(1, Scheme::unit_size) == 1 { &b"a"[..] } else { b"" };
        to_utf8.push(Some(a), &mut text, |_, _| {});
        to_utf8.push(None, &mut text, |_, _| {});
        assert_eq!((&text[..], to_utf8.repairs()), (a, 0), "{name}");
    }
}
