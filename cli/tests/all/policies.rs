//! Tests of `utflane convert` with repairs. The results are compared with a model and, for whole
//! texts, with other programs.

use std::fmt::Write as _;
use std::fs;
use std::ops::RangeFrom;
use std::process::Command;

use crate::common::model::{Input, Options, check_conversion, encoding};
use crate::common::{ENCODINGS, encode, feed, print_notice, run, utflane};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The number of bytes of a pipe that the command converts at once.
const CHUNK_BYTES: usize = 64 * 1024;
/// The number of bytes of a long file that the command converts at once.
const BLOCK_BYTES: usize = 512 * 1024;

/// Returns byte strings that are ill-formed in an encoding. The model decides how many of the bytes
/// belong to one sequence.
fn ill_formed_bytes(from: &str) -> Vec<Vec<u8>> {
    let sequences: &[&[u8]] = match from {
        "utf-8" => &[
            b"\xFF",
            b"\x80",
            b"\xC3",
            b"\xE2\x82",
            b"\xF0\x9F\x98",
            b"\xC0\xAF",
            b"\xED\xA0\x80",
            b"\xF0\x80\x80\x80",
            b"\xF4\x90\x80\x80",
            b"\xE2\x82\xE2",
        ],
        "ascii" => &[b"\x80", b"\xFF\xE9"],
        "utf-16le" => &[b"\x3D\xD8", b"\x00\xDE", b"\x00\xDE\x3D\xD8"],
        "utf-32be" => &[b"\0\0\xD8\0", b"\0\x11\0\0", b"\xFF\xFF\xFF\xFF"],
        "cesu-8" | "mutf-8" => &[
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xED\xA0\xBD\xED",
            b"\xED\xA0\xBD\xED\xB8",
            b"\xED\xA0",
            b"\xED",
            b"\xF0\x9F\x98\x80",
            b"\xC0\x80",
            b"\0",
            b"\xE2\x82",
            b"\x80",
        ],
        "wtf-8" => &[
            b"\xED\xA0\xBD",
            b"\xED\xB8\x80",
            b"\xED\xA0\xBD\xED\xB8",
            b"\xED\xA0",
            b"\xED",
            b"\xC0\x80",
            b"\xF0\x9F\x98",
        ],
        "wtf-16le" => &[b"\x3D\xD8", b"\x00\xDE", b"\x00\xDE\x3D\xD8"],
        "shift_jis" => &[b"\xFF", b"\x81", b"\x81\xFD", b"\xA0", b"\xEF\xFC"],
        "gb18030" => &[b"\xFF", b"\x81", b"\x81\x30\x81", b"\x81\x30\x81A", b"\xFE\x39\xFE\x39"],
        "euc-jp" => &[b"\x80", b"\xA1", b"\x8F\xA1", b"\x8E\xFF", b"\x8F\xA2\xA1"],
        "iso-2022-jp" => &[b"\x80", b"\x1B$B\xFF\x1B(B", b"\x1B", b"\x1B$", b"\x0E"],
        "windows-1253" => &[b"\xD2", b"\xFF\xAA"],
        _ => unreachable!(),
    };
    sequences.iter().map(|bytes| bytes.to_vec()).collect()
}

fn encode_text(label: &str, text: &str) -> Vec<u8> {
    match ENCODINGS.iter().any(|(name, _)| *name == label) {
        true => encode(label, text),
        false => encoding(label).encode(text).0.into_owned(),
    }
}

/// Returns random text of at least `len` bytes, in which ill-formed bytes follow about one in
/// `words_per_error` words.
fn text_with_errors(
    from: &str,
    len: usize,
    words_per_error: usize,
    random: &mut StdRng,
) -> Vec<u8> {
    let words: &[&str] = match from {
        "ascii" => &["word ", "\n", "x", "longer than a vector of 32 bytes, "],
        "windows-1253" => &["word ", "\n", "αβγ", "€"],
        "shift_jis" | "gb18030" | "euc-jp" | "iso-2022-jp" => {
            &["word ", "\n", "漢字", "plain text of some length ", "бв"]
        }
        _ => &["word ", "\n", "é", "漢", "€", "plain text of some length ", "größer", "😀", "ж"],
    };
    let (words, errors): (Vec<_>, _) =
        (words.iter().map(|word| encode_text(from, word)).collect(), ill_formed_bytes(from));
    let mut bytes = Vec::new();
    while bytes.len() < len {
        bytes.extend_from_slice(&words[random.random_range(0..words.len())]);
        if random.random_range(0..words_per_error) == 0 {
            bytes.extend_from_slice(&errors[random.random_range(0..errors.len())]);
        }
    }
    bytes
}

const SOURCES: [&str; 13] = [
    "utf-8",
    "cesu-8",
    "mutf-8",
    "wtf-8",
    "wtf-16le",
    "ascii",
    "utf-16le",
    "utf-32be",
    "shift_jis",
    "gb18030",
    "euc-jp",
    "iso-2022-jp",
    "windows-1253",
];
const TARGETS: [&str; 9] = [
    "utf-8",
    "utf-16be",
    "latin1",
    "ascii",
    "mutf-8",
    "wtf-8",
    "windows-1252",
    "iso-2022-jp",
    "shift_jis",
];
const INPUTS: [Input; 2] = [Input::Pipe, Input::File];

/// All pairs of encodings are tested with short texts, of which some end with an incomplete
/// sequence.
#[test]
fn all_options_agree_with_the_model() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(1);
    let mut case_numbers = 0..;
    for from in SOURCES {
        for to in TARGETS {
            // Each pair is tested with a few of the options, half of them with a pipe and half with
            // a file. Each option is tested with several pairs.
            for options in Options::all() {
                let Some(case) = case_to_run(&mut case_numbers, 13) else { continue };
                let inputs = if all_cases_run() { &INPUTS[..] } else { &INPUTS[case % 2..][..1] };
                let len = random.random_range(0..300);
                let mut bytes = text_with_errors(from, len, 5, &mut random);
                bytes.truncate(bytes.len() - random.random_range(0..3).min(bytes.len()));
                check_conversion(directory.path(), (from, to), &bytes, options, inputs);
            }
        }
    }
}

/// Returns true if the long tests in this file run all their cases, which takes minutes. They do so
/// only if `UTFLANE_TEST_SECONDS` is at least 100. Otherwise, one case in several runs.
fn all_cases_run() -> bool {
    std::env::var("UTFLANE_TEST_SECONDS")
        .is_ok_and(|seconds| seconds.parse().is_ok_and(|seconds: f64| seconds >= 100.0))
}

/// Returns the number of the next case if it is to be run. One case in `interval` is run.
fn case_to_run(case_numbers: &mut RangeFrom<usize>, interval: usize) -> Option<usize> {
    case_numbers.next().filter(|case| all_cases_run() || case.is_multiple_of(interval))
}

/// Some texts have several chunks. Others have several blocks, which several threads convert.
#[test]
fn long_texts_agree_with_the_model() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(2);
    let mut case_numbers = 0..;
    for from in SOURCES {
        for to in ["utf-8", "utf-16be", "latin1", "wtf-8", "windows-1252"] {
            let all = Options::all();
            for (len, words_per_error) in
                [(5 * CHUNK_BYTES, 50), (3 * BLOCK_BYTES, 20), (4 * BLOCK_BYTES, 100_000)]
            {
                if case_to_run(&mut case_numbers, 11).is_none() {
                    continue;
                }
                let mut options = all[random.random_range(0..all.len())];
                while options.invalid == "stop" && words_per_error < 1000 {
                    options = all[random.random_range(0..all.len())];
                }
                let bytes = text_with_errors(from, len, words_per_error, &mut random);
                check_conversion(directory.path(), (from, to), &bytes, options, &INPUTS);
            }
        }
    }
}

/// At the end of a block, bytes that look like an incomplete pair are two or three sequences.
#[test]
fn incomplete_pairs_at_the_ends_of_blocks() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { invalid: "replace", unmappable: "stop", replacement: None };
    for from in ["cesu-8", "mutf-8", "wtf-8"] {
        for incomplete_pair in [&b"\xED\xA0\xBD\xED"[..], b"\xED\xA0\xBD\xED\xB8"] {
            check_conversion(
                directory.path(),
                (from, "utf-16be"),
                &incomplete_pair.repeat(5 * BLOCK_BYTES / 2 / incomplete_pair.len()),
                options,
                &INPUTS,
            );
        }
    }
}

/// Ill-formed bytes are at the end of a chunk or block. After these bytes, the position where the
/// conversion stops is exact.
#[test]
fn positions_after_repairs_are_exact() {
    let directory = tempfile::tempdir().unwrap();
    let mut case_numbers = 0..;
    for (from, to) in [
        ("utf-8", "latin1"),
        ("utf-8", "windows-1252"),
        ("utf-16le", "latin1"),
        ("utf-16le", "koi8-r"),
        ("cesu-8", "latin1"),
        ("mutf-8", "koi8-r"),
        ("wtf-8", "latin1"),
        ("wtf-8", "koi8-r"),
        ("wtf-16le", "latin1"),
        ("gb18030", "latin1"),
        ("euc-jp", "windows-1252"),
    ] {
        let unit_size = encode_text(from, "a").len();
        for boundary in [CHUNK_BYTES, 2 * BLOCK_BYTES] {
            for (index, ill_formed) in ill_formed_bytes(from).iter().enumerate() {
                let Some(case) = case_to_run(&mut case_numbers, 7) else { continue };
                let prefix_units = boundary / unit_size - index % 5;
                let mut bytes = encode_text(from, &format!("{}\n", "a".repeat(9)));
                bytes.extend(encode_text(from, "a").repeat(prefix_units - 10));
                bytes.extend(ill_formed.repeat(3));
                bytes.extend(encode_text(from, "ab"));
                bytes.extend(encode_text(from, "b").repeat(2 * (index % 2) * CHUNK_BYTES));
                bytes.extend(encode_text(from, "漢\n"));
                let all = [
                    ("replace", "stop", None),
                    ("replace", "stop", Some("xyz")),
                    ("stop", "ncr", None),
                ];
                for (number, (invalid, unmappable, replacement)) in all.into_iter().enumerate() {
                    if all_cases_run() || case % 3 == number {
                        let options = Options { invalid, unmappable, replacement };
                        check_conversion(directory.path(), (from, to), &bytes, options, &INPUTS);
                    }
                }
            }
        }
    }
}

/// Messages contain the offset and the bytes where the conversion stops, also after repairs.
#[test]
fn messages_after_repairs_contain_offsets_in_the_input() {
    for to in ["latin1", "windows-1252"] {
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--on-invalid", "replace"];
        let run = feed(&mut utflane(arguments), b"a\xFF\xE2\x82\n\x80\xFF\xE6\xBC\xA2 b");
        let message = "-:2:3: byte 7: character not in the target encoding (E6 BC A2)\n";
        run.assert(1, "a??\n??", &format!("{message}utflane: -: 4 repairs\n"));
        let arguments = ["convert", "-f", "utf-8", "-t", to, "--on-unmappable", "skip"];
        let run = feed(&mut utflane(arguments), "漢a\n字b\u{0}".as_bytes());
        run.assert(0, "a\nb\0", "utflane: -: 2 repairs\n");
        let run = feed(&mut utflane(arguments), b"\xE6\xBC\xA2a\xFFb");
        let message = "-:1:3: byte 4: invalid lead byte (FF)\n";
        run.assert(1, "a", &format!("{message}utflane: -: 1 repair\n"));
        let quiet = feed(utflane(arguments).arg("-q"), "漢".as_bytes());
        quiet.assert(0, "", "");
    }
    let arguments =
        ["convert", "-f", "gb18030", "-t", "latin1", "--on-invalid", "skip", "--excerpt", "never"];
    let run = feed(&mut utflane(arguments), b"a\xFF\x81\n\xFFb\xBA\xBA");
    let message = "-:2:3: byte 6: character not in the target encoding (BA BA)\n";
    run.assert(1, "a\nb", &format!("{message}utflane: -: 3 repairs\n"));
}

#[test]
fn utf8_is_repaired_as_by_the_standard_library() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(3);
    let lens = [0, 1000, 3 * CHUNK_BYTES].into_iter().chain([5 * BLOCK_BYTES / 2; 6]);
    for len in lens {
        // Most of the random bytes are not ASCII.
        let bytes: Vec<u8> = (0..len).map(|_| random.random_range(0x60..=0xFF)).collect();
        fs::write(directory.path().join("in"), &bytes).unwrap();
        let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "--on-invalid", "replace", "-q"];
        let want = String::from_utf8_lossy(&bytes);
        assert!(feed(&mut utflane(arguments), &bytes).out == want.as_bytes(), "{len}, a pipe");
        let read = run(directory.path(), arguments.iter().chain(&["in"]));
        assert!(read.out == want.as_bytes(), "{len}, a file");
    }
}

/// Half of the units are surrogates, so blocks end with every combination of surrogates.
#[test]
fn utf16_is_repaired_as_by_the_standard_library() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(6);
    for _ in 0..5 {
        let units: Vec<u16> =
            (0..5 * BLOCK_BYTES / 4).map(|_| random.random_range(0xD000..=0xDFFF)).collect();
        let bytes: Vec<u8> = units.iter().copied().flat_map(u16::to_le_bytes).collect();
        fs::write(directory.path().join("in"), &bytes).unwrap();
        let arguments = ["convert", "-f", "utf-16le", "-t", "utf-8", "--on-invalid", "replace"];
        let want = String::from_utf16_lossy(&units);
        assert!(feed(&mut utflane(arguments), &bytes).out == want.as_bytes(), "a pipe");
        let read = run(directory.path(), arguments.iter().chain(&["in"]));
        assert!(read.out == want.as_bytes(), "a file");
    }
}

/// With numeric character references, the output equals the bytes that an HTML form sends in the
/// target encoding, as `encoding_rs` writes them.
#[test]
fn character_references_agree_with_encoding_rs() {
    let text = "Ein Satz, größer als nötig: жук, 漢字 und 😀.\n".repeat(15_000);
    for to in ["windows-1252", "koi8-r", "shift_jis", "iso-2022-jp", "gbk", "iso-8859-2"] {
        let arguments = ["convert", "-q", "-f", "utf-8", "-t", to, "--on-unmappable", "ncr"];
        let run = feed(&mut utflane(arguments), text.as_bytes());
        assert!(run.status == Some(0) && *run.out == *encoding(to).encode(&text).0, "{to}");
    }
    // U+001B would be read as the start of an escape sequence. The Encoding Standard replaces it by
    // U+FFFD.
    let arguments = ["convert", "-q", "-f", "utf-8", "-t", "iso-2022-jp"];
    let run = feed(utflane(arguments).args(["--on-unmappable", "ncr"]), "é\x1B$B".as_bytes());
    assert_eq!(*run.out, *encoding("iso-2022-jp").encode("é\x1B$B").0);
    feed(&mut utflane(arguments), b"\x1B").assert(
        1,
        "",
        "-:1:1: byte 0: character not in the target encoding (1B)\n",
    );
}

/// Errors in legacy texts are replaced as by `encoding_rs`.
#[test]
fn legacy_texts_are_repaired_as_by_encoding_rs() {
    let mut random = StdRng::seed_from_u64(4);
    for from in ["shift_jis", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "iso-2022-jp"] {
        let bytes: Vec<u8> = (0..5 * CHUNK_BYTES)
            .map(|_| match random.random_range(0..3) {
                0 => b"\x1B$B(JI\n09aA"[random.random_range(0..11)],
                _ => random.random_range(0x80..=0xFF),
            })
            .collect();
        let arguments = ["convert", "-q", "-f", from, "-t", "utf-8", "--on-invalid", "replace"];
        let want = encoding(from).decode_without_bom_handling(&bytes).0;
        assert!(feed(&mut utflane(arguments), &bytes).out == want.as_bytes(), "{from}");
    }
}

#[test]
fn omissions_agree_with_iconv() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(5);
    let mut compared = 0;
    for (to, their_to) in [
        ("utf-8", "UTF-8"),
        ("utf-16le", "UTF-16LE"),
        ("latin1", "ISO-8859-1"),
        ("ascii", "US-ASCII"),
        ("koi8-r", "KOI8-R"),
    ] {
        for len in [1000, 3 * CHUNK_BYTES, 3 * BLOCK_BYTES] {
            // Each error is a single byte, because decoders differ in the lengths of longer
            // sequences.
            let mut bytes = Vec::new();
            while bytes.len() < len {
                let words = ["word ", "é\n", "größer 漢字 ", "жук ", "😀"];
                bytes.extend_from_slice(words[random.random_range(0..words.len())].as_bytes());
                let errors: [&[u8]; 5] = [b"", b"", b"\xFF", b"\x80", b"\xFE"];
                bytes.extend_from_slice(errors[random.random_range(0..errors.len())]);
            }
            fs::write(directory.path().join("in"), &bytes).unwrap();
            let ours =
                run(directory.path(), ["convert", "-q", "-c", "-f", "utf-8", "-t", to, "in"]);
            assert_eq!((ours.status, ours.err.as_str()), (Some(0), ""));
            let mut command = Command::new("iconv");
            command.args(["-c", "-f", "UTF-8", "-t", their_to, "in"]);
            let Ok(theirs) = command.current_dir(directory.path()).output() else { continue };
            assert!(ours.out == theirs.stdout, "{to} {len}");
            compared += 1;
        }
    }
    match compared {
        0 => print_notice("NOT COMPARED with iconv -c: it is not installed here"),
        _ => print_notice(&format!("{compared} conversions compared with iconv -c")),
    }
}

/// Repairs are combined with byte order marks, detection, an output file, `--keep-partial`, and
/// options that exclude each other.
#[test]
fn repairs_work_with_the_other_options() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let file = |name: &str| fs::read(directory.join(name)).unwrap();
    // The file is so long that it is converted in blocks.
    let line = b"Stra\xC3\x9Fe \xFF\n";
    let mut bytes = b"\xEF\xBB\xBF".to_vec();
    bytes.extend(line.repeat(200_000));
    fs::write(directory.join("in"), &bytes).unwrap();
    let text = "Straße \u{FFFD}\n".repeat(200_000);
    for from in ["utf-8", "auto"] {
        for (bom, mark) in [("keep", "\u{FEFF}"), ("strip", ""), ("add", "\u{FEFF}")] {
            let arguments = ["convert", "-f", from, "-t", "utf-16le", "--on-invalid", "replace"];
            let more = ["--bom", bom, "-o", "out", "in"];
            let run = run(directory, arguments.iter().chain(&more));
            assert_eq!(run.status, Some(0));
            let mut note = String::new();
            if from == "auto" {
                note +=
                    "utflane: in: detected as utf-8 (likely): begins with its byte order mark\n";
            }
            writeln!(note, "utflane: in: 200000 repairs").unwrap();
            assert_eq!(run.err, note);
            assert!(file("out") == encode("utf-16le", &format!("{mark}{text}")), "{from} {bom}");
        }
    }
    // A mark that the target doesn't have is a character like any other.
    let arguments = ["convert", "-f", "utf-8", "-t", "latin1", "--on-invalid", "skip", "in"];
    let stopped = run(directory, arguments.iter().chain(&["-o", "out"]));
    assert_eq!(stopped.status, Some(1));
    assert!(stopped.err.ends_with("--bom strip removes it\n"), "{}", stopped.err);
    let run_on =
        run(directory, arguments.iter().chain(&["--on-unmappable", "replace", "-o", "in"]));
    run_on.assert(0, "", "utflane: in: 200001 repairs\n");
    assert!(file("in").starts_with(b"?Stra\xDFe \nStra"));

    fs::write(directory.join("cut"), b"a\xFF\xE2\x82\xACb").unwrap();
    fs::write(directory.join("out"), "old").unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "latin1", "--on-invalid", "skip", "cut"];
    assert_eq!(run(directory, arguments.iter().chain(&["-o", "out"])).status, Some(1));
    assert_eq!(file("out"), b"old");
    let kept = run(directory, arguments.iter().chain(&["-o", "out", "--keep-partial"]));
    let message = "cut:1:3: byte 2: character not in the target encoding (E2 82 AC)\n";
    kept.assert(1, "", &format!("{message}utflane: cut: 1 repair\n"));
    assert_eq!(file("out"), b"a");

    let refused = |rest: &[&str]| {
        let arguments = ["convert", "-f", "utf-8", "-t", "ascii", "cut"];
        let run = run(directory, arguments.iter().chain(rest));
        assert_eq!((run.status, run.text()), (Some(2), ""));
        run.err
    };
    let needs =
        "utflane: --replacement: it needs --on-invalid replace, --on-unmappable replace, or both\n";
    assert_eq!(refused(&["--replacement", "?"]), needs);
    assert_eq!(refused(&["--replacement", "?", "--on-invalid", "skip"]), needs);
    assert!(refused(&["-c", "--on-invalid", "replace"]).contains("cannot be used with"));
    assert!(refused(&["-c", "--on-unmappable", "ncr"]).contains("cannot be used with"));
    assert!(refused(&["-c", "--replacement", "?"]).contains("cannot be used with"));
}

/// With replacements, the output may be far longer than the output buffer.
#[test]
fn long_replacements_are_written_completely() {
    let directory = tempfile::tempdir().unwrap();
    let text = "long ".repeat(2000);
    fs::write(directory.path().join("in"), b"x\xFFy".repeat(500_000)).unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "--on-invalid", "replace"];
    let short_replacement = ["--replacement", "<bad byte here>", "in"];
    let with_short_replacement = run(directory.path(), arguments.iter().chain(&short_replacement));
    assert!(with_short_replacement.out == b"x<bad byte here>y".repeat(500_000));
    fs::write(directory.path().join("in"), b"\xFF".repeat(1000)).unwrap();
    let long_replacement = ["--replacement", text.as_str(), "in"];
    let with_long_replacement =
        run(directory.path(), arguments.iter().copied().chain(long_replacement));
    assert!(
        with_long_replacement.status == Some(0)
            && with_long_replacement.out == text.repeat(1000).as_bytes()
    );
}

/// Decoders report two escape sequences without text between them as an error.
#[test]
fn omitted_characters_leave_iso_2022_jp_well_formed() {
    let text = "漢é字\u{1B}かé¥é\u{203E}éa漢é";
    let arguments = ["convert", "-q", "-c", "-f", "utf-8", "-t", "iso-2022-jp"];
    let omitted = feed(&mut utflane(arguments), text.as_bytes()).out;
    let decoded =
        encoding("iso-2022-jp").decode_without_bom_handling_and_without_replacement(&omitted);
    assert_eq!(decoded.as_deref(), Some("漢字か¥\u{203E}a漢"));
    assert!(omitted.ends_with(b"\x1B(B"));
}
