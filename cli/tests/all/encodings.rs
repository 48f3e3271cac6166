//! Tests of the names of encodings, of the byte order mark, and of `check` and `count` in encodings
//! from before Unicode and with `-e auto`. The references are encoding_rs and, where it is
//! installed, iconv.

use std::fs;
use std::process::Command;

use crate::common::{encode, feed, print_notice, run, utflane};
use encoding_rs::{DecoderResult, Encoding};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

const LEGACY: [&str; 9] = [
    "shift_jis",
    "gbk",
    "gb18030",
    "big5",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "windows-1253",
    "koi8-r",
];

fn encoding(label: &str) -> &'static Encoding {
    Encoding::for_label(label.as_bytes()).unwrap()
}

/// Returns a text that has many ill-formed sequences and is longer than a chunk.
fn text_with_errors(label: &str, random: &mut StdRng) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < 150_000 {
        let words = encoding(label).encode("aб漢字Ωé, x\n").0;
        bytes.extend_from_slice(&words.repeat(random.random_range(0..200)));
        bytes.extend((0..6).map(|_| random.random::<u8>()));
        bytes.push(b'\n');
    }
    bytes
}

/// An ill-formed sequence: its line, column, byte offset and bytes.
type IllFormed = (u64, u64, u64, Vec<u8>);

/// Decodes `bytes` with encoding_rs. Returns the text with U+FFFD for each ill-formed sequence, and
/// the ill-formed sequences.
fn decode(label: &str, bytes: &[u8]) -> (String, Vec<IllFormed>) {
    let mut decoder = encoding(label).new_decoder_without_bom_handling();
    let (mut text, mut sequences, mut read_len) =
        (String::with_capacity(8 * bytes.len()), vec![], 0);
    loop {
        let rest = &bytes[read_len..];
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut text, true);
        read_len += read;
        let DecoderResult::Malformed(len, after) = result else { return (text, sequences) };
        let line = text.matches('\n').count() + 1;
        let column = text.chars().rev().take_while(|&c| c != '\n').count() + 1;
        let end = read_len - usize::from(after);
        let start = end - usize::from(len);
        sequences.push((line as u64, column as u64, start as u64, bytes[start..end].to_vec()));
        text.push('\u{FFFD}');
    }
}

#[test]
fn every_position_agrees_with_encoding_rs() {
    let mut random = StdRng::seed_from_u64(7);
    for label in LEGACY {
        let bytes = text_with_errors(label, &mut random);
        let found = feed(&mut utflane(["check", "--all", "--json", "-e", label, "-"]), &bytes);
        let (_, want) = decode(label, &bytes);
        let positions = found.text().lines().map(|line| {
            let object: Value = serde_json::from_str(line).unwrap();
            let number = |member: &str| object[member].as_u64().unwrap();
            let bytes = object["bytes"].as_array().unwrap().iter();
            let bytes = bytes.map(|byte| byte.as_u64().unwrap() as u8).collect();
            (number("line"), number("column"), number("offset"), bytes)
        });
        let positions: Vec<IllFormed> = positions.collect();
        assert!(positions == want, "{label}: {} positions, {} wanted", positions.len(), want.len());
        assert_eq!(found.status, Some(i32::from(!want.is_empty())), "{label}");
        // Without `--all`, only the first sequence is reported. `--all=2` sets a limit.
        let first = feed(&mut utflane(["check", "-e", label, "-"]), &bytes);
        assert_eq!(first.text().lines().count(), usize::from(!want.is_empty()));
        if want.len() > 2 {
            let limited = feed(&mut utflane(["check", "--all=2", "-e", label, "-"]), &bytes);
            let last = format!("-: and {} more", want.len() - 2);
            assert_eq!(limited.text().lines().nth(2), Some(last.as_str()), "{label}");
        }
    }
}

/// An excerpt shows the line in UTF-8, and the bytes of the ill-formed sequence as escapes.
#[test]
fn excerpts_show_decoded_text() {
    let check = |label: &str, bytes: &[u8]| {
        let arguments = ["check", "-a", "--excerpt=always", "-e", label, "-"];
        feed(&mut utflane(arguments), bytes)
    };
    let text = b"one\nab\x82\xA0\xFDc\x81\nnext";
    let kind = "not a character of shift_jis";
    let want = format!(
        "-:2:4: byte 8: {kind} (FD)\n  abあ\\xFDc\u{FFFD}\n      ^^^^\n\
         -:2:6: byte 10: {kind} (81)\n  abあ\u{FFFD}c\\x81\n        ^^^^\n"
    );
    check("cp932", text).assert(1, &want, "");
    // The ill-formed sequence is near the end of a chunk.
    for prefix_len in 65_530..65_545 {
        let mut text = b"0123456789abcde\n".repeat(prefix_len / 16);
        text.extend_from_slice(&b"\x82\xA0".repeat(prefix_len % 16));
        text.extend_from_slice(b"\xFDafter\nnext");
        let column = prefix_len % 16;
        let position = format!(
            "-:{}:{}: byte {}: {kind} (FD)\n",
            prefix_len / 16 + 1,
            column + 1,
            text.len() - 11
        );
        let want = format!("  {}\\xFDafter\n  {}^^^^\n", "あ".repeat(column), "  ".repeat(column));
        check("shift_jis", &text).assert(1, &(position + &want), "");
    }
    let arguments = ["convert", "-f", "gbk", "-t", "ascii", "--excerpt", "always"];
    let stopped = feed(&mut utflane(arguments), b"x\nab\xBA\xBAc\n");
    let want = "-:2:3: byte 4: character not in the target encoding (BA BA)\n  ab汉c\n    ^^\n";
    stopped.assert(1, "x\nab", want);
}

#[test]
fn counts_equal_the_counts_of_the_decoded_text() {
    let mut random = StdRng::seed_from_u64(8);
    for label in LEGACY {
        let bytes = text_with_errors(label, &mut random);
        let (text, _) = decode(label, &bytes);
        let counted = feed(&mut utflane(["count", "--json", "-e", label, "-"]), &bytes);
        let object: Value = serde_json::from_str(counted.text()).unwrap();
        let want = json!({
            "file": "-",
            "bytes": bytes.len(),
            "code_points": text.chars().count(),
            "utf16_units": text.encode_utf16().count(),
            "lines": text.matches('\n').count(),
        });
        assert_eq!(object, want, "{label}");
    }
}

#[test]
fn the_encoding_of_each_file_is_detected() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(directory.path().join(name), bytes).unwrap();
    write("utf8", "größer\n".as_bytes());
    write("utf16", &encode("utf-16be", "\u{FEFF}a😀\u{FEFF}"));
    let mut truncated = encode("utf-16le", "\u{FEFF}a\n");
    truncated.push(b'b');
    write("cut", &truncated);
    write("unsure", b"abc\x82\xA0\x81\n\xFDz");
    write("binary", &[0, 1, 2, 3, 200, 5, 6, 7]);
    let check = run(directory.path(), ["check", "-e", "auto", "utf8", "utf16", "cut"]);
    // Detection is certain if well-formed text follows the mark.
    let mark = "begins with its byte order mark";
    let notes = format!(
        "utflane: utf8: detected as utf-8 (likely): well-formed UTF-8\n\
         utflane: utf16: detected as utf-16be (certain): {mark}\n\
         utflane: cut: detected as utf-16le (likely): {mark}\n"
    );
    check.assert(1, "cut:2:1: byte 6: sequence too short (62)\n", &notes);
    let quiet = run(directory.path(), ["check", "-q", "--json", "-e", "AUTO", "cut", "utf8"]);
    let object: Value = serde_json::from_str(quiet.text()).unwrap();
    assert_eq!((quiet.err.as_str(), &object["encoding"]), ("", &json!("utf-16le")));

    let count = run(directory.path(), ["count", "-q", "-e", "auto", "utf8", "unsure", "utf16"]);
    let table = "\
bytes  code-points  utf16-units  lines  file
    9            7            7      1  utf8
   10            4            5      0  utf16
   19           11           12      1  total
";
    assert_eq!((count.status, count.text()), (Some(1), table));
    let refused = run(directory.path(), ["check", "-q", "-e", "auto", "unsure", "binary"]);
    assert_eq!((refused.status, refused.text()), (Some(1), ""));
    let lines: Vec<&str> = refused.err.lines().collect();
    assert!(
        lines[0].starts_with("utflane: unsure: the encoding is uncertain; it may be "),
        "{lines:?}"
    );
    assert!(lines[0].ends_with(": name it with -e"), "{lines:?}");
    assert!(lines[1].starts_with("utflane: binary: probably binary ("), "{lines:?}");
    let objects = run(directory.path(), ["check", "--json", "-e", "auto", "unsure"]);
    let object: Value = serde_json::from_str(objects.text()).unwrap();
    assert!(object["error"].as_str().unwrap().starts_with("the encoding is uncertain"), "{object}");
}

/// The byte order mark decides the byte order. `convert` omits it by default; `count` counts it as
/// a code point. Without a mark, the text is read as little-endian.
#[test]
fn the_mark_decides_the_byte_order() {
    let text = "aé漢😀\n".repeat(30_000);
    for (family, little, big) in
        [("utf-16", "utf-16le", "utf-16be"), ("UTF32", "utf-32le", "utf-32be")]
    {
        let arguments = ["convert", "-f", family, "-t", "utf-8"];
        let marked = format!("\u{FEFF}{text}");
        for order in [little, big] {
            let bytes = encode(order, &marked);
            feed(&mut utflane(arguments), &bytes).assert(0, &text, "");
            let keep = feed(&mut utflane(arguments.iter().chain(&["--bom", "keep"])), &bytes);
            keep.assert(0, &marked, "");
            feed(&mut utflane(["check", "-e", family, "-"]), &bytes).assert(0, "", "");
            let count = feed(&mut utflane(["count", "--json", "-e", family, "-"]), &bytes);
            let object: Value = serde_json::from_str(count.text()).unwrap();
            assert_eq!(object["code_points"], json!(marked.chars().count()), "{order}");
            // The output has one mark, and is little-endian.
            let to_family = ["convert", "-f", family, "-t", family];
            let written = feed(&mut utflane(to_family), &bytes).out;
            assert!(written == encode(little, &marked), "{order}");
            let bare = feed(&mut utflane(to_family.iter().chain(&["--bom", "strip"])), &bytes).out;
            assert!(bare == encode(little, &text), "{order}");
        }
        feed(&mut utflane(arguments), &encode(little, &text)).assert(0, &text, "");
        feed(&mut utflane(arguments), b"").assert(0, "", "");
        let from_utf8 = ["convert", "-f", "utf-8", "-t", family];
        for text in [&text, &marked, "\u{FEFF}"] {
            let bare = text.trim_start_matches('\u{FEFF}');
            let written = feed(&mut utflane(from_utf8), text.as_bytes()).out;
            assert!(written == encode(little, &format!("\u{FEFF}{bare}")));
        }
        let to_keep = from_utf8.iter().chain(&["--bom", "keep"]);
        assert!(feed(&mut utflane(to_keep), text.as_bytes()).out == encode(little, &text));
    }
    // The position of an error counts the byte order mark.
    let truncated = [&encode("utf-16be", "\u{FEFF}a\nb")[..], &[0xD8]].concat();
    let found = feed(&mut utflane(["check", "-e", "utf-16", "-"]), &truncated);
    found.assert(1, "-:2:2: byte 8: sequence too short (D8)\n", "");
}

#[test]
fn marks_are_read_and_written_as_by_iconv() {
    let directory = tempfile::tempdir().unwrap();
    let text = "größer 漢😀\n";
    let mut compared = 0;
    let mut compare = |from: &str, to: &str, bytes: &[u8]| {
        fs::write(directory.path().join("in"), bytes).unwrap();
        let mut command = Command::new("iconv");
        command.args(["-f", from, "-t", to, "in"]).current_dir(directory.path());
        let Ok(theirs) = command.output() else { return };
        let ours = run(directory.path(), ["convert", "-f", from, "-t", to, "in"]);
        if theirs.status.success() && cfg!(target_endian = "little") {
            assert_eq!(ours.out, theirs.stdout, "{from} to {to}");
            compared += 1;
        }
    };
    for (family, orders) in
        [("UTF-16", ["utf-16le", "utf-16be"]), ("UTF-32", ["utf-32le", "utf-32be"])]
    {
        compare("UTF-8", family, text.as_bytes());
        for order in orders {
            compare(family, "UTF-8", &encode(order, &format!("\u{FEFF}{text}")));
        }
        compare(family, "UTF-8", &encode(orders[0], text));
    }
    for (label, order) in [("UCS-2LE", "utf-16le"), ("UCS-4", "utf-32be"), ("UCS-4LE", "utf-32le")]
    {
        compare(label, "UTF-8", &encode(order, "größer 漢\n"));
    }
    print_notice(&format!("{compared} conversions compared with iconv"));
}

/// Converts the bytes 0x20..=0xFF from each label that iconv has, too. The output contains every
/// character of iconv's output, except in multi-byte encodings.
#[test]
fn labels_mean_the_same_as_in_iconv() {
    /// Encodings that differ from iconv's encodings with the same labels, as documented.
    const DIFFERENT: &[&str] = &[
        "koi8-u",
        "macintosh",
        "x-mac-cyrillic",
        "x-mac-icelandic",
        "x-user-defined",
        "cp424",
        "cp875",
        "cp1026",
    ];
    // For this encoding, iconv composes letters and combining marks.
    const COMPOSED: &str = "windows-1258";
    if Command::new("iconv").arg("--version").output().is_err() {
        print_notice("NOT TESTED: iconv is not installed here");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let listed = run(directory.path(), ["encodings"]);
    let mut compared = 0;
    let (converted, _) = listed.text().split_once(&format!("# {ONLY_DETECTED}\n")).unwrap();
    for line in converted.lines().filter(|line| !line.starts_with('#')) {
        let mut labels = line.split(' ');
        let name = labels.next().unwrap();
        if DIFFERENT.contains(&name)
            || name == COMPOSED
            || name.starts_with("utf")
            || name.starts_with("wtf")
        {
            continue;
        }
        for label in labels.chain([name]) {
            let bytes: Vec<u8> = (0x20..=0xFF).collect();
            // With -c, iconv omits the bytes that it can't decode.
            let mut command = Command::new("iconv");
            let command = command.args(["-c", "-f", label, "-t", "utf-8"]);
            let theirs = feed(command, &bytes);
            if theirs.out.is_empty() {
                continue; // iconv doesn't know the label
            }
            let arguments = ["convert", "-c", "-f", label, "-t", "utf-8"];
            let ours = feed(&mut utflane(arguments), &bytes);
            let ours: Vec<char> = ours.text().chars().collect();
            let missing: Vec<char> = theirs.text().chars().filter(|c| !ours.contains(c)).collect();
            let is_multibyte = LEGACY.contains(&name) && !name.starts_with(['w', 'k']);
            assert!(missing.is_empty() || is_multibyte, "{label}: {missing:?}");
            compared += 1;
        }
    }
    print_notice(&format!("{compared} labels compared with iconv"));
}

#[test]
fn encodings_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let listed = run(directory.path(), ["encodings"]);
    assert_eq!((listed.status, listed.err.as_str()), (Some(0), ""));
    let has = |line: &str, label: &str| line.split(' ').any(|known| known == label);
    for (name, label) in [
        ("utf-8", "cp65001"),
        ("shift_jis", "cp932"),
        ("latin1", "iso-8859-1"),
        ("utf-16", "utf-16"),
        ("cp037", "ebcdiccpus"),
        ("x-mac-greek", "macgreek"),
    ] {
        let line = listed.text().lines().find(|line| has(line, label)).unwrap();
        assert!(has(line, name), "{line}");
    }
    let objects = run(directory.path(), ["encodings", "--json"]);
    let mut lines = listed.text().lines();
    let mut group = String::new();
    for object in objects.text().lines() {
        let object: Value = serde_json::from_str(object).unwrap();
        let mut line = lines.next().unwrap();
        if let Some(next_group) = line.strip_prefix("# ") {
            next_group.clone_into(&mut group);
            line = lines.next().unwrap();
        }
        assert_eq!(object["group"], *group);
        let labels =
            object["labels"].as_array().unwrap().iter().map(|label| label.as_str().unwrap());
        let all: Vec<&str> = object["name"].as_str().into_iter().chain(labels).collect();
        assert_eq!(all.join(" "), line);
        // `check` accepts every name, except those that only `detect` prints.
        let check = run(directory.path(), ["check", "-e", all[0], "-"]);
        let is_converted = group != ONLY_DETECTED;
        assert_eq!(check.status, Some(if is_converted { 0 } else { 2 }), "{line}: {}", check.err);
        let advice = "`utflane detect` names it, but it can't be converted: try iconv";
        assert_eq!(check.err.contains(advice), !is_converted, "{line}: {}", check.err);
    }
}

const ONLY_DETECTED: &str = "Named by detect, not converted";

/// The group [`ONLY_DETECTED`] has exactly the names that only `detect` prints.
#[test]
fn names_of_detected_encodings_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let listed = run(directory.path(), ["encodings"]);
    let (_, names) = listed.text().split_once(&format!("# {ONLY_DETECTED}\n")).unwrap();
    let mut names: Vec<&str> = names.lines().collect();
    for (bytes, name) in [
        (&b"\x1B$)C\x0E>H3gGO<<?d\x0F, \x0E<<0h\x0F"[..], "iso-2022-kr"),
        (b"\x1B$)A\x0EDc:C#,J@=g\x0F", "iso-2022-cn"),
        (b"\x1B$(D0-\x1B(B \x1B$B$H\x1B(B", "iso-2022-jp-1"),
        (b"\x1B$B8l\x1B$ADc\x1B(B", "iso-2022-jp-2"),
        (b"\x1B$(O$3$s\x1B(B", "iso-2022-jp-3"),
        (b"\x1B$(Q$3$s\x1B(B", "iso-2022-jp-2004"),
        (b"~{Dc:C#,J@=g~}, ~{Dc:C#,J@=g~}\n", "hz"),
        (b"Gr+APwA3w-e, Stra+AN8-e, +ZeVnLIqe-", "utf-7"),
        (&b"\xB4\x65\x91\x77\xD0\x61\xAD\x41\xB6\x61, \xAD\x41\x89\x81 ".repeat(9), "johab"),
        (&b"\xC9\xA3\xC7\xEF\xA1\xA2\xC5\xE0\xD2\xCC".repeat(9), "euc-tw"),
    ] {
        let detected = feed(&mut utflane(["detect"]), bytes);
        assert!(detected.text().starts_with(&format!("-: {name} (")), "{}", detected.text());
        let listed = names.iter().position(|&listed| listed == name);
        names.remove(listed.unwrap_or_else(|| panic!("{name} is not listed")));
    }
    assert_eq!(names, [""; 0]);
}

#[test]
fn the_message_about_an_iconv_suffix_names_the_options() {
    let refused = feed(&mut utflane(["convert", "-f", "utf-8", "-t", "ascii//TRANSLIT"]), b"");
    assert_eq!(refused.status, Some(2));
    let message = "name ascii, with --translit for //TRANSLIT, and -c for //IGNORE";
    assert!(refused.err.contains(message), "{}", refused.err);
}

#[test]
fn the_message_about_an_unknown_label_names_a_similar_label() {
    let directory = tempfile::tempdir().unwrap();
    for arguments in [
        &["check", "-e", "kio8-r", "x"][..],
        &["count", "-e", "kio8-r", "x"],
        &["convert", "-f", "kio8-r", "-t", "utf-8"],
        &["convert", "-f", "utf-8", "-t", "kio8-r"],
    ] {
        let refused = run(directory.path(), arguments);
        assert_eq!((refused.status, refused.text()), (Some(2), ""));
        let message = "not a known encoding; koi8-r is close; `utflane encodings` lists all";
        assert!(refused.err.contains(message), "{}", refused.err);
    }
}
