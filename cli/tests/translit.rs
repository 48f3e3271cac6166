//! `utflane convert --translit`, compared with the table of deunicode character by character. The
//! standard library and encoding_rs decide which characters a target has, and encode the result.

mod common;

use std::fs;
use std::process::Command;

use common::{ENCODINGS, encode, feed, run, utflane};
use encoding_rs::Encoding;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Bytes that the command converts at once, of a pipe and of a long file.
const CHUNK: usize = 64 * 1024;
const BLOCK: usize = 512 * 1024;

const TO: [&str; 9] = [
    "ascii",
    "latin1",
    "windows-1252",
    "koi8-r",
    "iso-8859-7",
    "shift_jis",
    "iso-2022-jp",
    "gbk",
    "utf-16le",
];

/// Texts that no target, some targets, or all targets have.
const WORDS: [&str; 16] = [
    "word ",
    "\n",
    "plain text of some length, ",
    "größer ",
    "жук",
    "Αθήνα ",
    "“x” – ‘y’… ",
    "5 €",
    "ﬁne ",
    "東京",
    "かな ",
    "서울 ",
    "😀",
    "e\u{301}",
    "½ ",
    "ő",
];

fn legacy(label: &str) -> Option<&'static Encoding> {
    match ENCODINGS.iter().any(|(name, _)| *name == label) {
        true => None,
        false => Some(Encoding::for_label(label.as_bytes()).unwrap()),
    }
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    match legacy(label) {
        None => encode(label, text),
        Some(encoding) => encoding.encode(text).0.into_owned(),
    }
}

/// Returns true if `out` is `text` in an encoding. ISO-2022-JP may have escape sequences without
/// effect.
fn is_encoded(out: &[u8], label: &str, text: &str) -> bool {
    match legacy(label) {
        Some(encoding) if label == "iso-2022-jp" => {
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(out);
            let want = encoded(label, text);
            decoded == encoding.decode_without_bom_handling_and_without_replacement(&want)
        }
        _ => out == encoded(label, text),
    }
}

fn has(label: &str, c: char) -> bool {
    match (label, legacy(label)) {
        ("ascii", _) => c.is_ascii(),
        ("latin1", _) => c <= '\u{FF}',
        (_, Some(encoding)) => !encoding.encode(c.encode_utf8(&mut [0; 4])).2,
        _ => true,
    }
}

/// Characters that tables take for each other: the target's comes before an approximation.
const VARIANTS: [(char, char); 13] = [
    ('〜', '～'),
    ('—', '―'),
    ('‖', '∥'),
    ('−', '－'),
    ('¢', '￠'),
    ('£', '￡'),
    ('¬', '￢'),
    ('¯', '￣'),
    ('‾', '￣'),
    ('¦', '￤'),
    ('¥', '￥'),
    ('₩', '￦'),
    ('∼', '〜'),
];

/// The text as the target has it, with `other` for characters without an approximation, and the
/// number of changed characters.
fn approximated(to: &str, text: &str, other: &str) -> (String, usize) {
    let (mut result, mut changes) = (String::new(), 0);
    for c in text.chars() {
        if has(to, c) {
            result.push(c);
            continue;
        }
        changes += 1;
        let variants = VARIANTS.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
        if let Some((_, variant)) =
            variants.into_iter().find(|&(one, other)| one == c && has(to, other))
        {
            result.push(variant);
            continue;
        }
        match deunicode::deunicode_char(c) {
            Some(text) if !c.is_control() && !text.contains('\n') => result.push_str(text),
            _ => result.push_str(other),
        }
    }
    (result, changes)
}

fn note(name: &str, repairs: usize) -> String {
    match repairs {
        0 => String::new(),
        1 => format!("utflane: {name}: 1 repair\n"),
        _ => format!("utflane: {name}: {repairs} repairs\n"),
    }
}

fn random_text(words: &[&str], len: usize, random: &mut StdRng) -> String {
    let mut text = String::new();
    while text.len() < len {
        text.push_str(words[random.random_range(0..words.len())]);
    }
    text
}

/// A pipe is converted in chunks, which may end within a character; a long file in blocks, by
/// several threads.
#[test]
fn every_character_becomes_its_approximation() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(1);
    for from in ["utf-8", "utf-16le", "utf-32be", "cesu-8", "wtf-8", "gb18030"] {
        for to in TO {
            for len in [0, 300, 2 * CHUNK + 1] {
                let text = random_text(&WORDS, len, &mut random);
                let (want, changes) = approximated(to, &text, "");
                let bytes = encoded(from, &text);
                let arguments = ["convert", "-f", from, "-t", to, "--translit"];
                let piped = feed(&mut utflane(arguments), &bytes);
                assert_eq!((piped.status, piped.err), (Some(0), note("-", changes)));
                assert!(is_encoded(&piped.out, to, &want), "{from} to {to}, {len} bytes");
            }
        }
    }
    for (from, to) in [
        ("utf-8", "ascii"),
        ("utf-8", "latin1"),
        ("utf-8", "shift_jis"),
        ("utf-16le", "latin1"),
        ("cesu-8", "ascii"),
        ("gb18030", "ascii"),
    ] {
        let text = random_text(&WORDS, 7 * BLOCK / 2, &mut random);
        let (want, changes) = approximated(to, &text, "");
        fs::write(directory.path().join("in"), encoded(from, &text)).unwrap();
        let arguments = ["convert", "-f", from, "-t", to, "--translit", "in"];
        let read = run(directory.path(), arguments);
        assert_eq!((read.status, read.err), (Some(0), note("in", changes)));
        assert!(is_encoded(&read.out, to, &want), "{from} to {to}");
    }
}

/// Random characters of all planes, with a substitute if there is no approximation.
#[test]
fn the_result_is_well_formed_in_the_target() {
    let mut random = StdRng::seed_from_u64(2);
    for to in TO {
        let text: String = (0..20_000)
            .map(|_| match random.random_range(0..3) {
                0 => random.random_range('\u{A0}'..='\u{2FFF}'),
                1 => random.random_range('\u{3000}'..='\u{FFFF}'),
                _ => random.random_range('\u{10000}'..=char::MAX),
            })
            .collect();
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit"];
        let (want, changes) = approximated(to, &text, "<none>");
        let options = ["--on-unmappable", "replace", "--replacement", "<none>"];
        let replaced = feed(utflane(arguments).args(options), text.as_bytes());
        assert_eq!((replaced.status, replaced.err), (Some(0), note("-", changes)));
        assert!(is_encoded(&replaced.out, to, &want), "{to}");
        let checked = feed(&mut utflane(["check", "-e", to, "-"]), &replaced.out);
        checked.assert(0, "", "");
        let omitted = feed(utflane(arguments).arg("-c"), text.as_bytes());
        assert!(is_encoded(&omitted.out, to, &approximated(to, &text, "").0), "{to}");
    }
}

#[test]
fn text_that_the_target_has_is_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(3);
    for to in TO {
        let words: Vec<_> =
            WORDS.into_iter().filter(|word| word.chars().all(|c| has(to, c))).collect();
        for len in [100, 3 * CHUNK, 3 * BLOCK] {
            let text = random_text(&words, len, &mut random);
            fs::write(directory.path().join("in"), &text).unwrap();
            let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "in"];
            let read = run(directory.path(), arguments);
            assert_eq!((read.status, read.err.as_str()), (Some(0), ""), "{to}");
            assert!(read.out == encoded(to, &text), "{to}");
        }
    }
}

/// U+E000 is for private use, so no table has it.
#[test]
fn without_an_approximation_the_other_options_decide() {
    let text = "€\u{E000}\n“b”\u{85}";
    for to in ["ascii", "windows-1252"] {
        let euro = approximated(to, "€", "").0;
        let quoted = approximated(to, "“b”", "").0;
        let changes = approximated(to, text, "").1;
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit"];
        let stopped = feed(&mut utflane(arguments), text.as_bytes());
        let message = "-:1:2: byte 3: character not in the target encoding (EE 80 80)\n";
        assert!(stopped.out == encoded(to, &euro));
        let first = usize::from(to == "ascii");
        assert_eq!(
            (stopped.status, stopped.err),
            (Some(1), message.to_owned() + &note("-", first))
        );
        for (options, other, control) in [
            (&["--on-unmappable", "skip"][..], "", ""),
            (&["-c"], "", ""),
            (&["--on-unmappable", "replace"], "?", "?"),
            (&["--on-unmappable", "replace", "--replacement", "[é]"], "[é]", "[é]"),
            (&["--on-unmappable", "ncr"], "&#57344;", "&#133;"),
        ] {
            // windows-1252 has the control character U+0085 neither.
            let want = format!("{euro}{other}\n{quoted}{control}");
            let want = if to == "ascii" { want.replace('é', "?") } else { want };
            let repaired = feed(utflane(arguments).args(options), text.as_bytes());
            assert!(repaired.out == encoded(to, &want), "{to} {options:?}");
            assert_eq!((repaired.status, repaired.err), (Some(0), note("-", changes)));
        }
    }
    // A control character that would begin an escape sequence.
    let arguments = ["convert", "-f", "utf-8", "-t", "iso-2022-jp", "--translit"];
    let message = "-:1:2: byte 2: character not in the target encoding (1B)\n";
    feed(&mut utflane(arguments), "é\x1B".as_bytes()).assert(
        1,
        "e",
        &format!("{message}utflane: -: 1 repair\n"),
    );
}

/// Positions after approximations, at the ends of chunks and blocks.
#[test]
fn the_place_is_exact_where_the_conversion_stops() {
    let directory = tempfile::tempdir().unwrap();
    for to in ["latin1", "ascii", "koi8-r"] {
        for boundary in [CHUNK, BLOCK, 3 * BLOCK] {
            for shift in 0..5 {
                let before = "a".repeat(boundary - 12 - shift);
                let text = format!("{before}“\n”–…\u{E000}{}", "漢".repeat(CHUNK));
                fs::write(directory.path().join("in"), &text).unwrap();
                let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "in"];
                let stopped = run(directory.path(), arguments);
                let at = text.find('\u{E000}').unwrap();
                let message = "character not in the target encoding (EE 80 80)";
                let err = format!("in:2:4: byte {at}: {message}\n{}", note("in", 4));
                assert_eq!(
                    (stopped.status, stopped.err),
                    (Some(1), err),
                    "{to} {boundary} {shift}"
                );
                assert!(stopped.out == format!("{before}\"\n\"-...").as_bytes());
            }
        }
    }
}

#[test]
fn ill_formed_text_is_no_matter_of_approximations() {
    for to in ["latin1", "windows-1252"] {
        let arguments = ["convert", "-f", "wtf-8", "-t", to, "--translit"];
        let surrogate = b"\xC5\x91\xED\xA0\x80b";
        let message = "-:1:2: byte 2: unpaired surrogate (ED A0 80)\n";
        let stopped = feed(&mut utflane(arguments), surrogate);
        stopped.assert(1, "o", &format!("{message}{}", note("-", 1)));
        let skipped = feed(utflane(arguments).args(["--on-invalid", "skip"]), surrogate);
        skipped.assert(0, "ob", &note("-", 2));
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "--on-invalid"];
        let replaced = feed(utflane(arguments).arg("replace"), "ő\u{FFFD}".as_bytes());
        replaced.assert(0, "o?", &note("-", 2));
        let replaced = feed(utflane(arguments).arg("replace"), b"\xFF\xC5\x91\xFF");
        replaced.assert(0, "?o?", &note("-", 3));
    }
}

#[test]
fn in_place_only_whole_conversions_replace_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let (good, bad) = (directory.path().join("good"), directory.path().join("bad"));
    fs::write(&good, "„ä“\n").unwrap();
    fs::write(&bad, "€ \u{E000}").unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "ascii", "--translit", "-i", "good", "bad"];
    let message = "bad:1:3: byte 4: character not in the target encoding (EE 80 80)\n";
    let rest = "utflane: bad: left as it was\nutflane: 1 of 2 files converted\n";
    let err = format!("{}{message}{}{rest}", note("good", 3), note("bad", 1));
    run(directory.path(), arguments).assert(1, "", &err);
    assert_eq!(fs::read(&good).unwrap(), approximated("ascii", "„ä“\n", "").0.as_bytes());
    assert_eq!(fs::read(&bad).unwrap(), "€ \u{E000}".as_bytes());
    let quiet = feed(&mut utflane(["convert", "-qf", "utf-8", "-t", "ascii", "--translit"]), &[]);
    quiet.assert(0, "", "");
}

/// Only characters for which both tables have the same text. glibc has -, (C) and " 1/2 " for
/// U+2014, U+00A9 and U+00BD, and nothing for other scripts.
#[test]
fn typography_and_accents_are_approximated_as_by_iconv() {
    let text = "“x” ‘y’ – 5 € … ﬁne ﬂat Æsop æon Œuvre œuvre Straße äöü ÄÖÜ éèêñç e\u{301}\n";
    let want = "\"x\" 'y' - 5 EUR ... fine flat AEsop aeon OEuvre oeuvre Strasse aou AOU eeenc e\n";
    let arguments = ["convert", "-q", "-f", "utf-8", "-t", "ascii", "--translit"];
    feed(&mut utflane(arguments), text.as_bytes()).assert(0, want, "");
    let version = Command::new("iconv").arg("--version").output();
    let is_glibc = version.is_ok_and(|run| {
        let words = String::from_utf8_lossy(&run.stdout).into_owned();
        words.contains("GLIBC") || words.contains("GNU libc")
    });
    let mut iconv = Command::new("iconv");
    iconv.env("LC_ALL", "C.UTF-8").args(["-f", "UTF-8", "-t", "ASCII//TRANSLIT"]);
    // Without the locale, it has ? for accented letters.
    match is_glibc && feed(&mut iconv, "é".as_bytes()).out == b"e" {
        true => assert_eq!(feed(&mut iconv, text.as_bytes()).text(), want),
        false => common::print_notice("NOT COMPARED with iconv //TRANSLIT: glibc's is not here"),
    }
}
