//! Tests of `utflane convert --translit`. Its output is compared with the table of deunicode,
//! character by character. The standard library and encoding_rs decide which characters a target
//! has, and encode the expected output.

use std::collections::HashMap;
use std::fs;
use std::process::Command;

use crate::common::{ENCODINGS, encode, feed, print_notice, run, utflane};
use encoding_rs::Encoding;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The number of bytes of a pipe that the command converts at once.
const CHUNK_BYTES: usize = 64 * 1024;
/// The number of bytes of a long file that the command converts at once.
const BLOCK_BYTES: usize = 512 * 1024;

const TARGETS: [&str; 9] = [
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

/// Words that all targets, some targets or only utf-16le can encode.
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

/// Returns encoding_rs's encoding for `label`. Returns `None` if `label` is in [`ENCODINGS`], which
/// [`encode`] supports with the standard library.
fn legacy_encoding(label: &str) -> Option<&'static Encoding> {
    match ENCODINGS.iter().any(|(name, _)| *name == label) {
        true => None,
        false => Some(Encoding::for_label(label.as_bytes()).unwrap()),
    }
}

fn encode_text(label: &str, text: &str) -> Vec<u8> {
    match legacy_encoding(label) {
        None => encode(label, text),
        Some(encoding) => encoding.encode(text).0.into_owned(),
    }
}

/// Returns true if `out` is `text` in an encoding. In ISO-2022-JP, `out` may contain escape
/// sequences without effect.
fn is_encoded(out: &[u8], label: &str, text: &str) -> bool {
    match legacy_encoding(label) {
        Some(encoding) if label == "iso-2022-jp" => {
            let decoded = encoding.decode_without_bom_handling_and_without_replacement(out);
            let want = encode_text(label, text);
            decoded == encoding.decode_without_bom_handling_and_without_replacement(&want)
        }
        _ => out == encode_text(label, text),
    }
}

fn has_character(label: &str, c: char) -> bool {
    match (label, legacy_encoding(label)) {
        ("ascii", _) => c.is_ascii(),
        ("latin1", _) => c <= '\u{FF}',
        (_, Some(encoding)) => !encoding.encode(c.encode_utf8(&mut [0; 4])).2,
        _ => true,
    }
}

/// Pairs of characters that different tables use for the same byte sequence. If the target has one
/// character of a pair, this character is preferred to an approximation of the other.
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

/// Returns a character as the target can encode it, with `substitute` if it has no approximation.
fn approximate_character(to: &str, c: char, substitute: &str) -> String {
    if has_character(to, c) {
        return c.into();
    }
    let mut variants = VARIANTS.iter().flat_map(|&(one, other)| [(one, other), (other, one)]);
    if let Some((_, variant)) = variants.find(|&(one, other)| one == c && has_character(to, other))
    {
        return variant.into();
    }
    match deunicode::deunicode_char(c) {
        Some(approximation) if !c.is_control() && !approximation.contains('\n') => {
            approximation.into()
        }
        _ => substitute.into(),
    }
}

/// Returns the text as the target can encode it, with `substitute` for characters without an
/// approximation, and the number of changed characters.
fn approximate(to: &str, text: &str, substitute: &str) -> (String, usize) {
    let (mut result, mut changes) = (String::new(), 0);
    // The same characters occur often.
    let mut known = HashMap::new();
    for c in text.chars() {
        let (approximation, changed) = known
            .entry(c)
            .or_insert_with(|| (approximate_character(to, c, substitute), !has_character(to, c)));
        result.push_str(approximation);
        changes += usize::from(*changed);
    }
    (result, changes)
}

fn repairs_note(name: &str, repairs: usize) -> String {
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

/// A pipe is converted in chunks, which may end inside a character. A long file is converted in
/// blocks, by several threads.
#[test]
fn every_character_becomes_its_approximation() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(1);
    let sources = ["utf-8", "utf-16le", "utf-32be", "cesu-8", "wtf-8", "gb18030"];
    for (row, from) in sources.into_iter().enumerate() {
        for (column, to) in TARGETS.into_iter().enumerate() {
            for len in [0, 300, 2 * CHUNK_BYTES + 1] {
                // Each source and each target has a long text in a third of its pairs.
                if len > CHUNK_BYTES && (row + column) % 3 > 0 {
                    continue;
                }
                let text = random_text(&WORDS, len, &mut random);
                let (want, changes) = approximate(to, &text, "");
                let bytes = encode_text(from, &text);
                let arguments = ["convert", "-f", from, "-t", to, "--translit"];
                let piped = feed(&mut utflane(arguments), &bytes);
                assert_eq!((piped.status, piped.err), (Some(0), repairs_note("-", changes)));
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
        let text = random_text(&WORDS, 5 * BLOCK_BYTES / 2, &mut random);
        let (want, changes) = approximate(to, &text, "");
        fs::write(directory.path().join("in"), encode_text(from, &text)).unwrap();
        let arguments = ["convert", "-f", from, "-t", to, "--translit", "in"];
        let read = run(directory.path(), arguments);
        assert_eq!((read.status, read.err), (Some(0), repairs_note("in", changes)));
        assert!(is_encoded(&read.out, to, &want), "{from} to {to}");
    }
}

/// The texts contain random characters of all planes. A replacement is written for characters
/// without an approximation.
#[test]
fn the_result_is_well_formed_in_the_target() {
    let mut random = StdRng::seed_from_u64(2);
    for to in TARGETS {
        let text: String = (0..20_000)
            .map(|_| match random.random_range(0..3) {
                0 => random.random_range('\u{A0}'..='\u{2FFF}'),
                1 => random.random_range('\u{3000}'..='\u{FFFF}'),
                _ => random.random_range('\u{10000}'..=char::MAX),
            })
            .collect();
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit"];
        let (want, changes) = approximate(to, &text, "<none>");
        let options = ["--on-unmappable", "replace", "--replacement", "<none>"];
        let replaced = feed(utflane(arguments).args(options), text.as_bytes());
        assert_eq!((replaced.status, replaced.err), (Some(0), repairs_note("-", changes)));
        assert!(is_encoded(&replaced.out, to, &want), "{to}");
        let checked = feed(&mut utflane(["check", "-e", to, "-"]), &replaced.out);
        checked.assert(0, "", "");
        let omitted = feed(utflane(arguments).arg("-c"), text.as_bytes());
        assert!(is_encoded(&omitted.out, to, &approximate(to, &text, "").0), "{to}");
    }
}

#[test]
fn text_that_the_target_has_is_not_changed() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(3);
    for to in TARGETS {
        let words: Vec<_> =
            WORDS.into_iter().filter(|word| word.chars().all(|c| has_character(to, c))).collect();
        for len in [100, 3 * CHUNK_BYTES, 3 * BLOCK_BYTES] {
            let text = random_text(&words, len, &mut random);
            fs::write(directory.path().join("in"), &text).unwrap();
            let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "in"];
            let read = run(directory.path(), arguments);
            assert_eq!((read.status, read.err.as_str()), (Some(0), ""), "{to}");
            assert!(read.out == encode_text(to, &text), "{to}");
        }
    }
}

/// U+E000 is for private use, so no table has it.
#[test]
fn without_an_approximation_the_other_options_decide() {
    let text = "€\u{E000}\n“b”\u{85}";
    for to in ["ascii", "windows-1252"] {
        let euro = approximate(to, "€", "").0;
        let quoted = approximate(to, "“b”", "").0;
        let changes = approximate(to, text, "").1;
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit"];
        let stopped = feed(&mut utflane(arguments), text.as_bytes());
        let message = "-:1:2: byte 3: character not in the target encoding (EE 80 80)\n";
        assert!(stopped.out == encode_text(to, &euro));
        let repairs_before_stop = usize::from(to == "ascii");
        assert_eq!(
            (stopped.status, stopped.err),
            (Some(1), message.to_owned() + &repairs_note("-", repairs_before_stop))
        );
        for (options, substitute, control) in [
            (&["--on-unmappable", "skip"][..], "", ""),
            (&["-c"], "", ""),
            (&["--on-unmappable", "replace"], "?", "?"),
            (&["--on-unmappable", "replace", "--replacement", "[é]"], "[é]", "[é]"),
            (&["--on-unmappable", "ncr"], "&#57344;", "&#133;"),
        ] {
            // `control` is written for U+0085, which both targets lack and the table does not
            // approximate.
            let want = format!("{euro}{substitute}\n{quoted}{control}");
            let want = if to == "ascii" { want.replace('é', "?") } else { want };
            let repaired = feed(utflane(arguments).args(options), text.as_bytes());
            assert!(repaired.out == encode_text(to, &want), "{to} {options:?}");
            assert_eq!((repaired.status, repaired.err), (Some(0), repairs_note("-", changes)));
        }
    }
    // U+001B would begin an escape sequence, so it is unmappable.
    let arguments = ["convert", "-f", "utf-8", "-t", "iso-2022-jp", "--translit"];
    let message = "-:1:2: byte 2: character not in the target encoding (1B)\n";
    feed(&mut utflane(arguments), "é\x1B".as_bytes()).assert(
        1,
        "e",
        &format!("{message}utflane: -: 1 repair\n"),
    );
}

/// The positions are near the end of a chunk or block, after approximations.
#[test]
fn the_position_where_the_conversion_stops_is_exact() {
    let directory = tempfile::tempdir().unwrap();
    for to in ["latin1", "ascii", "koi8-r"] {
        for boundary in [CHUNK_BYTES, BLOCK_BYTES, 3 * BLOCK_BYTES] {
            for shift in 0..5 {
                let prefix = "a".repeat(boundary - 12 - shift);
                let text = format!("{prefix}“\n”–…\u{E000}{}", "漢".repeat(CHUNK_BYTES));
                fs::write(directory.path().join("in"), &text).unwrap();
                let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "in"];
                let stopped = run(directory.path(), arguments);
                let offset = text.find('\u{E000}').unwrap();
                let message = "character not in the target encoding (EE 80 80)";
                let err = format!("in:2:4: byte {offset}: {message}\n{}", repairs_note("in", 4));
                assert_eq!(
                    (stopped.status, stopped.err),
                    (Some(1), err),
                    "{to} {boundary} {shift}"
                );
                assert!(stopped.out == format!("{prefix}\"\n\"-...").as_bytes());
            }
        }
    }
}

#[test]
fn ill_formed_sequences_are_not_approximated() {
    for to in ["latin1", "windows-1252"] {
        let arguments = ["convert", "-f", "wtf-8", "-t", to, "--translit"];
        let surrogate = b"\xC5\x91\xED\xA0\x80b";
        let message = "-:1:2: byte 2: unpaired surrogate (ED A0 80)\n";
        let stopped = feed(&mut utflane(arguments), surrogate);
        stopped.assert(1, "o", &format!("{message}{}", repairs_note("-", 1)));
        let skipped = feed(utflane(arguments).args(["--on-invalid", "skip"]), surrogate);
        skipped.assert(0, "ob", &repairs_note("-", 2));
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--translit", "--on-invalid"];
        // U+FFFD in the text is well-formed. Its approximation is `?`, like the substitute below.
        let replaced = feed(utflane(arguments).arg("replace"), "ő\u{FFFD}".as_bytes());
        replaced.assert(0, "o?", &repairs_note("-", 2));
        let replaced = feed(utflane(arguments).arg("replace"), b"\xFF\xC5\x91\xFF");
        replaced.assert(0, "?o?", &repairs_note("-", 3));
    }
}

#[test]
fn in_place_only_complete_conversions_replace_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let (good, bad) = (directory.path().join("good"), directory.path().join("bad"));
    fs::write(&good, "„ä“\n").unwrap();
    fs::write(&bad, "€ \u{E000}").unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "ascii", "--translit", "-i", "good", "bad"];
    let message = "bad:1:3: byte 4: character not in the target encoding (EE 80 80)\n";
    let rest = "utflane: bad: left as it was\nutflane: 1 of 2 files converted, 1 refused\n";
    let err = format!("{}{message}{}{rest}", repairs_note("good", 3), repairs_note("bad", 1));
    run(directory.path(), arguments).assert(1, "", &err);
    assert_eq!(fs::read(&good).unwrap(), approximate("ascii", "„ä“\n", "").0.as_bytes());
    assert_eq!(fs::read(&bad).unwrap(), "€ \u{E000}".as_bytes());
}

#[test]
fn an_empty_text_stays_empty() {
    let arguments = ["convert", "-qf", "utf-8", "-t", "ascii", "--translit"];
    feed(&mut utflane(arguments), &[]).assert(0, "", "");
}

/// The text contains only characters that deunicode and glibc approximate alike. This excludes
/// U+2014 (`-` in glibc), U+00A9 (`(C)`), U+00BD (` 1/2 `), and all scripts but Latin, which glibc
/// does not approximate.
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
    // Without the locale, iconv writes ? for accented letters.
    match is_glibc && feed(&mut iconv, "é".as_bytes()).out == b"e" {
        true => assert_eq!(feed(&mut iconv, text.as_bytes()).text(), want),
        false => print_notice(
            "NOT COMPARED with iconv //TRANSLIT: no iconv of glibc that approximates é here",
        ),
    }
}
