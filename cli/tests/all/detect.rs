//! Tests of `utflane detect`, of detection by `convert`, and of byte order marks.

use std::fs;

use crate::common::{encode, feed, run, utflane};
use serde_json::{Value, json};

/// The encodings that may have a byte order mark.
const ENCODINGS_WITH_MARK: [&str; 5] = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];

/// Returns encodings and texts, with the reason that detection gives for each encoding.
fn texts() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let german = "Größe und Maß, übrigens schön.\n".repeat(20);
    vec![
        ("ascii", b"plain text, and some more of it\n".to_vec(), "all bytes are ASCII"),
        ("utf-8", german.clone().into_bytes(), "well-formed UTF-8"),
        ("latin1", encode("latin1", &german), "reads as text in German"),
        ("windows-1252", b"\x93Gr\xF6\xDFe\x94 f\xFCr".to_vec(), "reads as text in German"),
        ("utf-16le", encode("utf-16le", &german), "reads as text in UTF-16"),
        ("utf-32be", encode("utf-32be", &german), "reads as text in UTF-32"),
        ("utf-16be", b"\xFE\xFF\0a".to_vec(), "begins with its byte order mark"),
    ]
}

#[test]
fn each_file_gets_a_line_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    for (encoding, bytes, reason) in texts() {
        fs::write(directory.path().join("text"), bytes).unwrap();
        let run = run(directory.path(), ["detect", "text"]);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
        assert!(run.text().starts_with(&format!("text: {encoding} (")), "{}", run.text());
        assert!(run.text().ends_with(&format!("): {reason}\n")), "{}", run.text());
        let run = crate::common::run(directory.path(), ["detect", "--json", "text"]);
        let object: Value = serde_json::from_slice(&run.out).unwrap();
        let seen = ["file", "encoding", "reason", "mark"].map(|member| object[member].clone());
        let marked = reason.contains("mark");
        assert_eq!(seen, [json!("text"), json!(encoding), json!(reason), json!(marked)]);
        assert!(["certain", "likely", "guess"].iter().any(|word| object["confidence"] == *word));
    }
    let run = run(directory.path(), ["detect", "none"]);
    run.assert(2, "", "utflane: none: No such file or directory\n");
}

/// `convert` reads a pipe only once, so it detects the encoding from the beginning of the text.
/// `detect` reads the whole pipe.
#[test]
fn convert_detects_the_encoding_of_a_long_pipe_from_its_beginning() {
    for prefix_len in 0..4 {
        let text = format!("{}{}", "x".repeat(prefix_len), "日本語".repeat(100_000));
        let run = feed(&mut utflane(["detect", "-"]), text.as_bytes());
        run.assert(0, "-: utf-8 (certain): well-formed UTF-8\n", "");
        let run = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-16le"]), text.as_bytes());
        assert!(run.out == encode("utf-16le", &text), "{prefix_len}");
        assert_eq!(run.err, "utflane: -: detected as utf-8 (likely): well-formed UTF-8\n");
    }
}

/// In files and in pipes, the text after the first byte that is not ASCII decides the encoding,
/// however far this byte is from the start.
#[test]
fn the_first_text_beyond_ascii_decides_the_encoding() {
    let directory = tempfile::tempdir().unwrap();
    let ascii = "plain ascii line\n".repeat(8_000);
    let german = "größer und schöner, für München\n".repeat(20);
    let russian = "Сегодня с самого утра идёт дождь.\n".repeat(20);
    for (name, text) in [("utf-8", &german), ("latin1", &german), ("koi8-r", &russian)] {
        let encoded = match encoding_rs::Encoding::for_label(name.as_bytes()) {
            Some(encoding) => encoding.encode(text).0.into_owned(),
            None => encode(name, text),
        };
        let src = [ascii.as_bytes(), &encoded].concat();
        let want = format!("{ascii}{text}");
        fs::write(directory.path().join("text"), &src).unwrap();
        let arguments = ["convert", "-q", "-f", "auto", "-t", "utf-8"];
        let file = run(directory.path(), [&arguments[..], &["text"]].concat());
        assert!(file.text() == want && file.status == Some(0), "{name}: {}", file.err);
        let pipe = feed(&mut utflane(arguments), &src);
        assert!(pipe.text() == want && pipe.status == Some(0), "{name}: {}", pipe.err);
        feed(&mut utflane(["check", "-q", "-e", "auto", "-"]), &src).assert(0, "", "");
    }
}

/// A few bytes at the end of a pipe's first chunk don't decide the encoding, and neither do escape
/// sequences for colours.
#[test]
fn a_few_bytes_at_the_end_of_the_first_chunk_do_not_decide() {
    let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。\n".repeat(50);
    let (shift_jis, ..) = encoding_rs::SHIFT_JIS.encode(&japanese);
    let plain = "plain ascii line\n".repeat(4_000);
    for len in [65_000, 65_533, 65_534, 65_535, 65_536, 65_537] {
        let src = [&plain.as_bytes()[..len], &shift_jis].concat();
        let pipe = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), &src);
        let want = format!("{}{japanese}", &plain[..len]);
        assert!(pipe.status == Some(0) && pipe.text() == want, "{len}: {}", pipe.err);
    }
    let coloured = format!("{}{}", "\x1B[32mok\x1B[0m done\n".repeat(5_000), japanese);
    let pipe =
        feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), coloured.as_bytes());
    assert!(pipe.status == Some(0) && pipe.text() == coloured, "{}", pipe.err);
}

/// The answer takes the whole text into account.
#[test]
fn detect_reads_the_whole_text() {
    let src = [&"é\n".repeat(200_000).into_bytes()[..], b"\xFF\xFE\x80"].concat();
    let run = feed(&mut utflane(["detect", "-"]), &src);
    run.assert(0, "-: utf-8 (likely): UTF-8 with few errors\n", "");
}

/// A file whose parts are in different encodings is refused. The message contains the offset where
/// the encoding changes.
#[test]
fn mixed_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let german = "Protokoll für heute\nzeile zwei\n";
    let appended = "angehängt\r\n";
    let utf8 = german.as_bytes().to_vec();
    let long = german.repeat(10_000).into_bytes();
    for (first, second, parts) in [
        (&utf8, encode("utf-16le", appended), "utf-8 up to byte 32, then utf-16le"),
        (&utf8, encode("utf-16be", appended), "utf-8 up to byte 32, then utf-16be"),
        (
            &utf8,
            encode("utf-16le", &format!("\u{FEFF}{appended}")),
            "utf-8 up to byte 32, then utf-16le",
        ),
        (&long, encode("utf-16le", appended), "utf-8 up to byte 320000, then utf-16le"),
        (
            &encode("utf-16le", german),
            appended.as_bytes().to_vec(),
            "utf-16le up to byte 62, then utf-8",
        ),
        (
            &encode("utf-16be", &format!("\u{FEFF}{german}")),
            appended.as_bytes().to_vec(),
            "utf-16be up to byte 64, then utf-8",
        ),
    ] {
        let src = [&first[..], &second].concat();
        fs::write(directory.path().join("text"), &src).unwrap();
        let detected = run(directory.path(), ["detect", "text"]);
        detected.assert(0, &format!("text: mixed: {parts}\n"), "");
        let converted =
            run(directory.path(), ["convert", "-f", "auto", "-t", "utf-8", "-i", "text"]);
        assert_eq!(converted.status, Some(1), "{parts}: {}", converted.err);
        assert!(converted.err.contains(&format!("mixed: {parts}: split it")), "{}", converted.err);
        assert_eq!(fs::read(directory.path().join("text")).unwrap(), src);
        let pipe = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-8"]), &src);
        assert_ne!(pipe.status, Some(0), "{parts}");
        let json = run(directory.path(), ["detect", "--json", "text"]);
        let object: Value = serde_json::from_slice(&json.out).unwrap();
        assert_eq!(
            (&object["encoding"], &object["parts"][0]["offset"]),
            (&json!("mixed"), &json!(0))
        );
    }
    // Latin-1 after UTF-8 is not detected: the conversion stops at its first non-ASCII byte.
    let src = [german.repeat(10).as_bytes(), &encode("latin1", appended)].concat();
    let run = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), &src);
    assert_eq!(run.status, Some(1));
    assert!(run.err.contains("byte 325"), "{}", run.err);
}

/// With `auto`, a byte order mark is not part of the text.
#[test]
fn auto_drops_the_byte_order_mark() {
    for scheme in ENCODINGS_WITH_MARK {
        let src = encode(scheme, "\u{FEFF}a é\n");
        let run = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), &src);
        run.assert(0, "a é\n", "");
    }
}

#[test]
fn auto_converts_the_detected_encoding() {
    for (encoding, bytes, _) in texts() {
        let auto = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), &bytes);
        let strip = ["convert", "-f", encoding, "-t", "utf-8", "--bom", "strip"];
        let named = feed(&mut utflane(strip), &bytes);
        assert_eq!(auto, named, "{encoding}");
        assert_eq!((auto.status, auto.err.as_str()), (Some(0), ""));
    }
    // Data that is probably not text is not converted, not even with `--guess`.
    let binary: Vec<u8> = (0..=255).collect();
    let refusal = "utflane: -: probably binary (many control characters: hardly text): if it is \
        text, name its encoding with -f\n";
    for guess in [&[][..], &["--guess"]] {
        let arguments = [&["convert", "-f", "auto", "-t", "utf-8"], guess].concat();
        feed(&mut utflane(arguments), &binary).assert(1, "", refusal);
    }
    feed(&mut utflane(["convert", "-qf", "auto", "-t", "utf-8"]), b"").assert(0, "", "");
}

/// Labels of encodings from before Unicode, each with a text.
const LEGACY: [(&str, &str); 8] = [
    ("koi8-r", "Сегодня с самого утра идёт дождь. Я забыл зонт и полчаса ждал автобус.\n"),
    ("windows-1251", "Сегодня с самого утра идёт дождь. Я забыл зонт и полчаса ждал автобус.\n"),
    ("shift_jis", "今日は朝から雨が降っています。駅へ行く道で、傘を忘れたことに気がつきました。\n"),
    ("euc-jp", "今日は朝から雨が降っています。駅へ行く道で、傘を忘れたことに気がつきました。\n"),
    ("gbk", "今天早上下雨了，我忘了带伞，在车站等了半个小时，可是车没有来。\n"),
    ("euc-kr", "오늘은 아침부터 비가 내립니다. 역으로 가는 길에 우산을 두고 온 것을 알았습니다.\n"),
    ("windows-1253", "Βρέχει από το πρωί. Ξέχασα την ομπρέλα και περίμενα το λεωφορείο.\n"),
    (
        "windows-1250",
        "Od rána prší. Zapomněl jsem deštník a půl hodiny čekal na autobus, který nepřijel. \
        Příště si vezmu dva deštníky, řekl jsem si, než mě napadlo, že půjdu pěšky.\n",
    ),
];

/// Encodings from before Unicode are detected, and a text is converted if its encoding is likely.
#[test]
fn legacy_encodings_are_detected() {
    for (encoding, text) in LEGACY {
        let text = text.repeat(5);
        let src = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap().encode(&text).0;
        let run = feed(&mut utflane(["detect", "-"]), &src);
        let language = match encoding {
            "koi8-r" | "windows-1251" => "Russian",
            "shift_jis" | "euc-jp" => "Japanese",
            "gbk" => "Chinese",
            "euc-kr" => "Korean",
            "windows-1253" => "Greek",
            _ => "Czech",
        };
        let reason = format!("reads as text in {language}");
        run.assert(0, &format!("-: {encoding} (likely): {reason}\n"), "");
        let run = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-8"]), &src);
        run.assert(0, &text, &format!("utflane: -: detected as {encoding} (likely): {reason}\n"));
    }
    // ISO-2022-KR is detected but can't be converted.
    let run = feed(&mut utflane(["detect", "-"]), b"\x1B$)C\x0EGQ19\x0F\n");
    run.assert(
        0,
        "-: iso-2022-kr (likely): reads as text in iso-2022-kr, which can't be converted\n",
        "",
    );
    let jis = b"\x1B$B%F%9%H\x1B(B\n";
    let run = feed(&mut utflane(["convert", "-q", "-f", "auto", "-t", "utf-8"]), jis);
    run.assert(0, "テスト\n", "");
}

/// A guess is converted only with `--guess`.
#[test]
fn guesses_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let polish = encoding_rs::WINDOWS_1250.encode("Łódź\n").0;
    fs::write(directory.path().join("text"), &polish).unwrap();
    let refusal = "utflane: text: the encoding is uncertain; it may be windows-1250 or \
        windows-1251 or iso-8859-2 or iso-8859-16: name it with -f, or take the first with \
        --guess\n";
    let arguments = ["convert", "-f", "auto", "-t", "utf-8", "text", "-o", "out"];
    run(directory.path(), arguments).assert(1, "", refusal);
    assert!(!directory.path().join("out").exists());
    let guess = [&arguments[..], &["--guess", "-q"]].concat();
    run(directory.path(), guess).assert(0, "", "");
    assert_eq!(fs::read_to_string(directory.path().join("out")).unwrap(), "Łódź\n");
    let found = run(directory.path(), ["detect", "--json", "text"]);
    let object: Value = serde_json::from_slice(&found.out).unwrap();
    assert_eq!(object["confidence"], "guess");
    let candidates = ["windows-1250", "windows-1251", "iso-8859-2", "iso-8859-16"];
    assert_eq!(object["candidates"], json!(candidates));
    // Binary data has no candidates.
    let png = detect_json(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x02\0\0\0\x01\0\x08\x06\0\0\0");
    assert_eq!((png["encoding"].as_str(), png["candidates"].clone()), (Some("binary"), json!([])));
}

/// Returns the object that `detect --json` prints for some bytes.
fn detect_json(bytes: &[u8]) -> Value {
    serde_json::from_slice(&feed(&mut utflane(["detect", "--json", "-"]), bytes).out).unwrap()
}

/// CESU-8 is detected, and so is UTF-8 that is truncated or contains a surrogate.
#[test]
fn cesu8_and_ill_formed_utf8_are_detected() {
    for (bytes, want) in [
        (
            &b"a \xED\xA0\xBD\xED\xB8\x80 b"[..],
            "cesu-8 (likely): well-formed UTF-8 but for surrogate pairs",
        ),
        (b"Gr\xC3\xB6\xC3\x9Fe \xED\xA0\x80", "utf-8 (likely): UTF-8 with few errors"),
        (b"Gr\xC3\xB6\xC3\x9Fe \xE2\x82", "utf-8 (likely): UTF-8 with few errors"),
    ] {
        feed(&mut utflane(["detect", "-"]), bytes).assert(0, &format!("-: {want}\n"), "");
    }
}

/// The texts are empty, short, and longer than a chunk.
#[test]
fn marks_are_kept_stripped_or_added() {
    let texts = ["", "a", "né\n€", &"Ω😀".repeat(30_000)];
    let mut case = 0;
    for from in ENCODINGS_WITH_MARK {
        for to in ENCODINGS_WITH_MARK {
            for source_mark in ["", "\u{FEFF}"] {
                let wants = [("keep", source_mark), ("strip", ""), ("add", "\u{FEFF}")];
                for (bom, target_mark) in wants {
                    // The pairs differ in the texts that they are tested with.
                    let text = texts[(case + case / 6) % texts.len()];
                    case += 1;
                    let arguments = ["convert", "-f", from, "-t", to, "--bom", bom];
                    let src = encode(from, &format!("{source_mark}{text}"));
                    let run = feed(&mut utflane(arguments), &src);
                    let want = encode(to, &format!("{target_mark}{text}"));
                    assert!(run.out == want, "{from} to {to}, {bom}, {source_mark:?}, {text:.9}");
                    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
                }
            }
        }
    }
    // Only the first U+FEFF is a byte order mark.
    let run = feed(
        &mut utflane(["convert", "-f", "utf-8", "-t", "utf-8", "--bom=strip"]),
        "\u{FEFF}\u{FEFF}a".as_bytes(),
    );
    run.assert(0, "\u{FEFF}a", "");
}

#[test]
fn positions_count_the_byte_order_mark() {
    let convert = |bom, bytes: &[u8]| {
        feed(&mut utflane(["convert", "-f", "utf-8", "-t", "latin1", "--bom", bom]), bytes)
    };
    let marked = b"\xEF\xBB\xBFab\xFF";
    convert("strip", marked).assert(1, "ab", "-:1:4: byte 5: invalid lead byte (FF)\n");
    for (bytes, want) in [
        (&b"\xEF\xBB\xBFab\xFF"[..], "-:1:4: byte 5: invalid lead byte (FF)\n"),
        (
            b"\xEF\xBB\xBFa\xE2\x82\xAC",
            "-:1:3: byte 4: character not in the target encoding (E2 82 AC)\n",
        ),
    ] {
        for to in ["latin1", "koi8-r"] {
            let arguments = ["convert", "-f", "utf-8", "-t", to, "--bom", "strip"];
            let run = feed(&mut utflane(arguments), bytes);
            assert_eq!((run.status, run.err.as_str()), (Some(1), want), "{to}");
        }
    }
    let message = "-:1:1: byte 0: character not in the target encoding (EF BB BF)\n";
    let advice = "utflane: -: it begins with a byte order mark: --bom strip removes it\n";
    convert("keep", marked).assert(1, "", &format!("{message}{advice}"));
    let quiet = ["convert", "-q", "-f", "utf-8", "-t", "ascii"];
    feed(&mut utflane(quiet), marked).assert(1, "", message);
    let none = "utflane: --bom add: latin1 has no byte order mark: use --bom keep or --bom strip\n";
    convert("add", marked).assert(2, "", none);
}

#[test]
fn expected_languages_decide() {
    let polish_or_ukrainian = b"Ja\xBC\xF1\n";
    let got = feed(&mut utflane(["detect", "--languages", "pl,cs"]), polish_or_ukrainian);
    assert!(got.text().starts_with("-: iso-8859-2 "), "{}", got.text());
    let refused = feed(&mut utflane(["detect", "--languages", "pl,xx"]), b"");
    assert_eq!(refused.status, Some(2));
    assert!(refused.err.contains("the languages are af, ar, "), "{}", refused.err);
}

#[test]
fn json_has_the_language_and_the_probability() {
    let czech = encoding_rs::WINDOWS_1250.encode("Přišel jsem až večer, a žluťoučký kůň pěl.\n").0;
    let got = feed(&mut utflane(["detect", "--json"]), &czech);
    let object: Value = serde_json::from_str(got.text()).unwrap();
    assert_eq!((&object["encoding"], &object["language"]), (&"windows-1250".into(), &"cs".into()));
    assert!(object["probability"].as_f64().is_some_and(|probability| probability > 0.97));
}

#[test]
fn an_encoding_that_cannot_be_converted_is_named() {
    let korean = b"\x1B$)C\x0E0!\x0F and more\n";
    let got = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-8"]), korean);
    assert_eq!(got.status, Some(1));
    assert!(
        got.err.contains("it is iso-2022-kr, which can't be converted: try iconv"),
        "{}",
        got.err
    );
}
