//! CESU-8, Modified UTF-8, WTF-8 and WTF-16 under every subcommand that takes an encoding.

mod common;

use std::fs;
use std::path::Path;

use common::{encode, encode_units, feed, run, utflane};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Bytes of a long file that the command converts at once.
const BLOCK: usize = 512 * 1024;

/// The encodings that can encode every text, and the encodings that have unpaired surrogates.
const UNICODE: [&str; 6] = ["utf-8", "utf-16le", "cesu-8", "mutf-8", "wtf-8", "wtf-16le"];
const WTF: [&str; 3] = ["wtf-8", "wtf-16le", "wtf-16be"];

/// Converts a file and a pipe, and returns the common result.
#[track_caller]
fn convert(directory: &Path, from: &str, to: &str, bytes: &[u8], more: &[&str]) -> common::Run {
    let arguments: Vec<&str> =
        ["convert", "-f", from, "-t", to].into_iter().chain(more.iter().copied()).collect();
    fs::write(directory.join("in"), bytes).unwrap();
    let read = run(directory, arguments.iter().copied().chain(["in"]));
    let piped = feed(&mut utflane(&arguments), bytes);
    assert!(read.out == piped.out, "{from} to {to}: a pipe and a file differ");
    assert_eq!((read.status, &read.err), (piped.status, &piped.err.replace("-:", "in:")));
    read
}

/// Random text, mostly of characters that these encodings write differently from UTF-8.
fn text(len: usize, random: &mut StdRng) -> String {
    let words =
        ["plain text of some length, ", "\n", "\0", "é", "漢字", "😀", "😀😀😀😀", "\u{10FFFF}"];
    let mut text = String::new();
    while text.len() < len {
        text.push_str(words[random.random_range(0..words.len())]);
    }
    text
}

#[test]
fn texts_survive_round_trips() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(1);
    for len in [0, 1, 100, 200_000, 5 << 20] {
        let text = text(len, &mut random);
        for from in UNICODE {
            let bytes = encode(from, &text);
            for to in UNICODE {
                if len > 1 << 20 && random.random_range(0..4) > 0 {
                    continue;
                }
                let run = convert(directory.path(), from, to, &bytes, &[]);
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
                assert!(run.out == encode(to, &text), "{from} to {to}, {len}");
            }
        }
    }
}

/// Only code units that may form pairs: chunks and blocks are cut in every way.
#[test]
fn unpaired_surrogates_are_kept_between_those_that_have_them() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(2);
    for round in 0..4 {
        let common: [u16; 4] = [0xD83D, 0xDE00, 0x61, 0x6F22];
        let units: Vec<u16> = (0..5 * BLOCK / 4)
            .map(|_| match round {
                0 => random.random_range(0..=0xFFFF),
                1 => random.random_range(0xD800..=0xDFFF),
                _ => common[random.random_range(0..round)],
            })
            .collect();
        for from in WTF {
            let bytes = encode_units(from, &units);
            for to in WTF {
                let run = convert(directory.path(), from, to, &bytes, &[]);
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
                assert!(run.out == encode_units(to, &units), "{from} to {to}, {round}");
            }
            let repaired = String::from_utf16_lossy(&units);
            for to in ["utf-8", "utf-16le", "cesu-8", "mutf-8"] {
                let run =
                    convert(directory.path(), from, to, &bytes, &["-q", "--on-invalid", "replace"]);
                assert!(run.out == encode(to, &repaired), "{from} to {to}, {round}, repaired");
            }
            let lines = units.iter().filter(|&&unit| unit == 0x0A).count();
            let points = char::decode_utf16(units.iter().copied()).count();
            let want = [bytes.len(), points, units.len(), lines];
            assert_eq!(counts(from, &bytes), want, "{from}, {round}");
        }
    }
}

/// The numbers that `count` prints.
fn counts(encoding: &str, bytes: &[u8]) -> [usize; 4] {
    let run = feed(&mut utflane(["count", "-e", encoding, "-"]), bytes);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
    let mut words = run.text().lines().nth(1).unwrap().split_whitespace();
    [(); 4].map(|()| words.next().unwrap().parse().unwrap())
}

/// A high surrogate at every position around the end of a block, with its low surrogate after it.
#[test]
fn pairs_at_the_ends_of_blocks() {
    let directory = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("cesu-8", "utf-8"),
        ("mutf-8", "utf-16le"),
        ("wtf-16le", "wtf-8"),
        ("wtf-16be", "utf-8"),
        ("utf-8", "mutf-8"),
    ] {
        for before in 0..7 {
            let text = format!("{}{}", "x".repeat(before), "😀".repeat(3 * BLOCK / 4));
            let run = convert(directory.path(), from, to, &encode(from, &text), &[]);
            assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
            assert!(run.out == encode(to, &text), "{from} to {to}, {before}");
        }
    }
    // Only high surrogates: each may begin a pair, and none does.
    for before in 0..7 {
        let mut units = vec![0x78; before];
        units.resize(3 * BLOCK / 2, 0xD83D);
        let run =
            convert(directory.path(), "wtf-8", "wtf-16le", &encode_units("wtf-8", &units), &[]);
        assert!(run.status == Some(0) && run.out == encode_units("wtf-16le", &units), "{before}");
    }
    // A pair in WTF-8 is ill-formed wherever it is cut.
    for before in 0..7 {
        let mut bytes = vec![b'x'; 2 * BLOCK - before];
        bytes.extend_from_slice(b"\xED\xA0\xBD\xED\xB8\x80");
        bytes.extend_from_slice(&[b'y'; BLOCK]);
        let at = 2 * BLOCK - before;
        let run = convert(directory.path(), "wtf-8", "utf-8", &bytes, &["-q"]);
        let message = "surrogate pair (ED A0 BD ED B8 80)\n";
        run.assert(1, &"x".repeat(at), &format!("in:1:{}: byte {at}: {message}", at + 1));
    }
}

#[test]
fn an_invalid_file_gets_one_line() {
    for (encoding, bytes, position) in [
        (
            "cesu-8",
            &b"a\xED\xA0\xBD\xED\xB8\x80\n\xED\xA0\xBDb"[..],
            "2:1: byte 8: unpaired surrogate (ED A0 BD)",
        ),
        (
            "cesu-8",
            b"\xED\xA0\xBD\xED\xB8\x80\xF0\x9F\x98\x80",
            "1:2: byte 6: invalid lead byte (F0)",
        ),
        ("cesu-8", b"\xC0\x80", "1:1: byte 0: overlong sequence (C0)"),
        ("cesu-8", b"ab\xED\xA0\xBD\xED\xB8", "1:3: byte 2: unpaired surrogate (ED A0 BD ED B8)"),
        ("mutf-8", b"\xC0\x80a\0", "1:3: byte 3: invalid lead byte (00)"),
        ("mutf-8", b"\xED\xB8\x80", "1:1: byte 0: unpaired surrogate (ED)"),
        (
            "wtf-8",
            b"\xED\xB8\x80\xED\xA0\xBD\n\xED\xA0\xBD\xED\xB8\x80!",
            "2:1: byte 7: surrogate pair (ED A0 BD ED B8 80)",
        ),
        ("wtf-8", b"\xED\xA0", "1:1: byte 0: sequence too short (ED A0)"),
        ("wtf-16be", b"\xD8\x3D\xDE\0\xDE\0\0", "1:3: byte 6: sequence too short (00)"),
    ] {
        let run = feed(&mut utflane(["check", "-q", "-e", encoding, "-"]), bytes);
        run.assert(1, &format!("-:{position}\n"), "");
        let run = feed(&mut utflane(["convert", "-q", "-f", encoding, "-t", encoding]), bytes);
        assert_eq!((run.status, run.err), (Some(1), format!("-:{position}\n")));
    }
    // Well-formed in the source encoding, and not in the target.
    for (from, bytes, out, position) in [
        (
            "wtf-8",
            &b"\xF0\x9F\x98\x80\na\xED\xA0\xBDb"[..],
            "😀\na",
            "2:2: byte 6: unpaired surrogate (ED A0 BD)",
        ),
        ("wtf-8", b"a\xED\xB8\x80", "a", "1:2: byte 1: unpaired surrogate (ED B8 80)"),
        ("wtf-8", b"a\xED\xA0\xBD", "a", "1:2: byte 1: unpaired surrogate (ED A0 BD)"),
        (
            "wtf-16le",
            b"\n\0\x3D\xD8\x3D\xD8\0\xDE",
            "\n",
            "2:1: byte 2: unpaired surrogate (3D D8)",
        ),
    ] {
        let run = feed(&mut utflane(["check", "-e", from, "-"]), bytes);
        run.assert(0, "", "");
        let run = feed(&mut utflane(["convert", "-f", from, "-t", "utf-8"]), bytes);
        run.assert(1, out, &format!("-:{position}\n"));
        let arguments = ["convert", "-f", from, "-t", "utf-8", "--on-invalid", "replace"];
        let repaired = feed(&mut utflane(arguments), bytes);
        assert_eq!((repaired.status, repaired.err.as_str()), (Some(0), "utflane: -: 1 repair\n"));
        assert_eq!(repaired.text().matches('\u{FFFD}').count(), 1);
    }
}

#[test]
fn counts_are_those_of_the_text() {
    let text = "añ\0😀\n漢😀\n".repeat(30_000);
    for encoding in UNICODE {
        let bytes = encode(encoding, &text);
        let want = [bytes.len(), text.chars().count(), text.encode_utf16().count(), 2 * 30_000];
        assert_eq!(counts(encoding, &bytes), want, "{encoding}");
    }
}

#[test]
fn labels_and_marks() {
    for (label, name) in [
        ("CESU-8", "cesu-8"),
        ("csCESU-8", "cesu-8"),
        ("MUTF8", "mutf-8"),
        ("Modified-UTF-8", "mutf-8"),
        ("WTF-8", "wtf-8"),
        ("wtf-16-LE", "wtf-16le"),
        ("WTF16BE", "wtf-16be"),
    ] {
        let run = feed(&mut utflane(["convert", "-f", "utf-8", "-t", label]), "\0😀".as_bytes());
        assert_eq!((run.status, run.out), (Some(0), encode(name, "\0😀")), "{label}");
    }
    let run = feed(&mut utflane(["convert", "-f", "wtf-16", "-t", "utf-8"]), b"");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("does not say its byte order: name wtf-16le or wtf-16be"));
    for to in ["cesu-8", "mutf-8", "wtf-8"] {
        for (bom, want) in [("keep", "\u{FEFF}x"), ("strip", "x"), ("add", "\u{FEFF}x")] {
            let arguments = ["convert", "-f", "wtf-16le", "-t", to, "--bom", bom];
            feed(&mut utflane(arguments), b"\xFF\xFEx\0").assert(0, want, "");
        }
    }
}

/// Conversions with encodings that the library doesn't have, through UTF-8.
#[test]
fn legacy_encodings() {
    let directory = tempfile::tempdir().unwrap();
    let text = "漢字 und かな\n".repeat(100_000);
    let theirs = encoding_rs::SHIFT_JIS.encode("漢字 かな\n").0;
    for encoding in ["cesu-8", "mutf-8", "wtf-8", "wtf-16le"] {
        let run = feed(&mut utflane(["convert", "-f", "shift_jis", "-t", encoding]), &theirs);
        assert_eq!((run.status, run.out), (Some(0), encode(encoding, "漢字 かな\n")));
        let run = convert(directory.path(), encoding, "shift_jis", &encode(encoding, &text), &[]);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{encoding}");
        assert!(*run.out == *encoding_rs::SHIFT_JIS.encode(&text).0, "{encoding}");
        // After characters that are longer there than in UTF-8.
        let unmappable = encode(encoding, "a\n漢b😀");
        let run = feed(&mut utflane(["convert", "-f", encoding, "-t", "koi8-r"]), &unmappable);
        let first = encode(encoding, "a\n").len();
        let bytes: Vec<String> =
            encode(encoding, "漢").iter().map(|byte| format!("{byte:02X}")).collect();
        let kind = "character not in the target encoding";
        run.assert(1, "a\n", &format!("-:2:1: byte {first}: {kind} ({})\n", bytes.join(" ")));
    }
    let run = feed(&mut utflane(["convert", "-f", "wtf-8", "-t", "koi8-r"]), "ж\n\0a".as_bytes());
    assert_eq!(run.out, b"\xD6\n\0a");
    let run = feed(&mut utflane(["convert", "-f", "wtf-8", "-t", "koi8-r"]), b"a\xED\xA0\xBD");
    run.assert(1, "a", "-:1:2: byte 1: unpaired surrogate (ED A0 BD)\n");
    let run = feed(
        &mut utflane(["convert", "-q", "-f", "wtf-8", "-t", "koi8-r", "-c"]),
        b"a\xED\xA0\xBDb",
    );
    run.assert(0, "ab", "");
}

/// The replacements for the bytes carried from a chunk and for a whole chunk together exceed the
/// buffer.
#[test]
fn replacements_longer_than_the_buffer_are_whole() {
    let mut bytes = vec![b'a'; 65_531];
    bytes.extend_from_slice(b"\xED\xA0\xBD\xED\xB8");
    bytes.extend_from_slice(&[0xFF; 65_636]);
    let repair = ["--on-invalid", "replace", "--on-unmappable", "replace", "--replacement", "😀"];
    let directory = tempfile::tempdir().unwrap();
    let run = convert(directory.path(), "cesu-8", "gb18030", &bytes, &repair);
    assert_eq!((run.status, run.err.as_str()), (Some(0), "utflane: in: 65639 repairs\n"));
    let want = "a".repeat(65_531) + &"😀".repeat(65_639);
    assert!(*run.out == *encoding_rs::GB18030.encode(&want).0);
}

/// Excerpts show pairs as characters, and ill-formed bytes as escapes.
#[test]
fn excerpts() {
    let at = |encoding: &str, bytes: &[u8], want: &str| {
        let run = feed(&mut utflane(["check", "--excerpt", "always", "-e", encoding, "-"]), bytes);
        assert_eq!(run.text().split_once('\n').unwrap().1, want);
    };
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    at("cesu-8", &[pair, &b"\xFF"[..], pair].concat(), "  😀\\xFF😀\n    ^^^^\n");
    at("wtf-8", b"a\xED\xA0\xBDb\xFF", "  a\\xED\\xA0\\xBDb\\xFF\n                ^^^^\n");
}
