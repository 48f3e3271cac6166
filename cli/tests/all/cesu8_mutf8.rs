//! Tests of CESU-8, Modified UTF-8, WTF-8 and WTF-16 with every subcommand that takes an encoding.

use std::fs;
use std::path::Path;

use crate::common::{Run, encode, encode_units, feed, run, utflane};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The number of bytes of a long file that the command converts at once.
const BLOCK_BYTES: usize = 512 * 1024;

/// Encodings that can encode every text.
const UNICODE: [&str; 6] = ["utf-8", "utf-16le", "cesu-8", "mutf-8", "wtf-8", "wtf-16le"];
/// The encodings that allow unpaired surrogates.
const WTF: [&str; 3] = ["wtf-8", "wtf-16le", "wtf-16be"];

/// Converts `bytes` from a file and from a pipe. Returns the result, which must be the same for
/// both.
#[track_caller]
fn convert(directory: &Path, from: &str, to: &str, bytes: &[u8], options: &[&str]) -> Run {
    let arguments: Vec<&str> =
        ["convert", "-f", from, "-t", to].into_iter().chain(options.iter().copied()).collect();
    fs::write(directory.join("in"), bytes).unwrap();
    let from_file = run(directory, arguments.iter().copied().chain(["in"]));
    let piped = feed(&mut utflane(&arguments), bytes);
    assert!(from_file.out == piped.out, "{from} to {to}: a pipe and a file differ");
    assert_eq!((from_file.status, &from_file.err), (piped.status, &piped.err.replace("-:", "in:")));
    from_file
}

/// Returns random text of at least `len` bytes, mostly of characters that these encodings encode
/// differently from UTF-8.
fn random_text(len: usize, random: &mut StdRng) -> String {
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
    for len in [0, 1, 100, 200_000, 5 * BLOCK_BYTES / 2] {
        let text = random_text(len, &mut random);
        let all_encoded = UNICODE.map(|encoding| encode(encoding, &text));
        for (from, bytes) in UNICODE.iter().zip(&all_encoded) {
            for (to, want) in UNICODE.iter().zip(&all_encoded) {
                if len > 1 << 20 && random.random_range(0..4) > 0 {
                    continue;
                }
                let run = convert(directory.path(), from, to, bytes, &[]);
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
                assert!(run.out == *want, "{from} to {to}, {len}");
            }
        }
    }
}

/// Many of the code units are surrogates, so chunks and blocks end at every position in a pair.
#[test]
fn unpaired_surrogates_are_kept_between_encodings_that_allow_them() {
    let directory = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(2);
    for round in 0..4 {
        let common: [u16; 4] = [0xD83D, 0xDE00, 0x61, 0x6F22];
        let units: Vec<u16> = (0..5 * BLOCK_BYTES / 4)
            .map(|_| match round {
                0 => random.random_range(0..=0xFFFF),
                1 => random.random_range(0xD800..=0xDFFF),
                _ => common[random.random_range(0..round)],
            })
            .collect();
        let repaired = String::from_utf16_lossy(&units);
        let all_repaired =
            ["utf-8", "utf-16le", "cesu-8", "mutf-8"].map(|to| (to, encode(to, &repaired)));
        let lines = units.iter().filter(|&&unit| unit == 0x0A).count();
        let code_points = char::decode_utf16(units.iter().copied()).count();
        let all_encoded = WTF.map(|encoding| (encoding, encode_units(encoding, &units)));
        for (row, (from, bytes)) in all_encoded.iter().enumerate() {
            for (to, want) in &all_encoded {
                let run = convert(directory.path(), from, to, bytes, &[]);
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
                assert!(run.out == *want, "{from} to {to}, {round}");
            }
            // Each source and each target has every other round in half of its pairs.
            for (to, want) in all_repaired.iter().skip((row + round) % 2).step_by(2) {
                let run =
                    convert(directory.path(), from, to, bytes, &["-q", "--on-invalid", "replace"]);
                assert!(run.out == *want, "{from} to {to}, {round}, repaired");
            }
            let want = [bytes.len(), code_points, units.len(), lines];
            assert_eq!(run_count(from, bytes), want, "{from}, {round}");
        }
    }
}

/// Returns the numbers that `count` prints.
fn run_count(encoding: &str, bytes: &[u8]) -> [usize; 4] {
    let run = feed(&mut utflane(["count", "-e", encoding, "-"]), bytes);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
    let mut words = run.text().lines().nth(1).unwrap().split_whitespace();
    [(); 4].map(|()| words.next().unwrap().parse().unwrap())
}

/// Surrogate pairs begin at every position around the end of a block.
#[test]
fn surrogate_pairs_around_the_ends_of_blocks() {
    let directory = tempfile::tempdir().unwrap();
    for (from, to) in [
        ("cesu-8", "utf-8"),
        ("mutf-8", "utf-16le"),
        ("wtf-16le", "wtf-8"),
        ("wtf-16be", "utf-8"),
        ("utf-8", "mutf-8"),
    ] {
        let pairs = "😀".repeat(3 * BLOCK_BYTES / 4);
        let all_pairs = [from, to].map(|encoding| encode(encoding, &pairs));
        for prefix_len in 0..7 {
            let prefixed = |index: usize, encoding| {
                [&encode(encoding, &"x".repeat(prefix_len)), &all_pairs[index][..]].concat()
            };
            let run = convert(directory.path(), from, to, &prefixed(0, from), &[]);
            assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
            assert!(run.out == prefixed(1, to), "{from} to {to}, {prefix_len}");
        }
    }
    // All units are high surrogates: each might begin a pair, but none does.
    for prefix_len in 0..7 {
        let mut units = vec![0x78; prefix_len];
        units.resize(3 * BLOCK_BYTES / 2, 0xD83D);
        let run =
            convert(directory.path(), "wtf-8", "wtf-16le", &encode_units("wtf-8", &units), &[]);
        assert!(
            run.status == Some(0) && run.out == encode_units("wtf-16le", &units),
            "{prefix_len}"
        );
    }
    // In WTF-8, a surrogate pair is ill-formed, wherever a block ends in the pair.
    for distance_to_end in 0..7 {
        let mut bytes = vec![b'x'; 2 * BLOCK_BYTES - distance_to_end];
        bytes.extend_from_slice(b"\xED\xA0\xBD\xED\xB8\x80");
        bytes.extend_from_slice(&[b'y'; BLOCK_BYTES]);
        let offset = 2 * BLOCK_BYTES - distance_to_end;
        let run = convert(directory.path(), "wtf-8", "utf-8", &bytes, &["-q"]);
        let message = "surrogate pair (ED A0 BD ED B8 80)\n";
        run.assert(
            1,
            &"x".repeat(offset),
            &format!("in:1:{}: byte {offset}: {message}", offset + 1),
        );
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
    // These texts are well-formed in the source encoding, but UTF-8 can't encode their surrogates.
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
fn counts_equal_the_counts_of_the_text() {
    let text = "añ\0😀\n漢😀\n".repeat(30_000);
    for encoding in UNICODE {
        let bytes = encode(encoding, &text);
        let want = [bytes.len(), text.chars().count(), text.encode_utf16().count(), 2 * 30_000];
        assert_eq!(run_count(encoding, &bytes), want, "{encoding}");
    }
}

#[test]
fn labels_are_known_and_byte_order_marks_are_converted() {
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

/// A conversion from or to an encoding from before Unicode goes through UTF-8.
#[test]
fn conversions_from_and_to_legacy_encodings() {
    let directory = tempfile::tempdir().unwrap();
    let text = "漢字 und かな\n".repeat(100_000);
    let shift_jis = encoding_rs::SHIFT_JIS.encode("漢字 かな\n").0;
    for encoding in ["cesu-8", "mutf-8", "wtf-8", "wtf-16le"] {
        let run = feed(&mut utflane(["convert", "-f", "shift_jis", "-t", encoding]), &shift_jis);
        assert_eq!((run.status, run.out), (Some(0), encode(encoding, "漢字 かな\n")));
        let run = convert(directory.path(), encoding, "shift_jis", &encode(encoding, &text), &[]);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{encoding}");
        assert!(*run.out == *encoding_rs::SHIFT_JIS.encode(&text).0, "{encoding}");
        // The reported offset counts bytes of this encoding, not bytes of UTF-8.
        let unmappable = encode(encoding, "a\n漢b😀");
        let run = feed(&mut utflane(["convert", "-f", encoding, "-t", "koi8-r"]), &unmappable);
        let offset = encode(encoding, "a\n").len();
        let bytes: Vec<String> =
            encode(encoding, "漢").iter().map(|byte| format!("{byte:02X}")).collect();
        let kind = "character not in the target encoding";
        run.assert(1, "a\n", &format!("-:2:1: byte {offset}: {kind} ({})\n", bytes.join(" ")));
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

/// The replacements for the bytes that are carried over from one chunk, together with the
/// replacements for the next chunk, are longer than the buffer.
#[test]
fn replacements_longer_than_the_buffer_are_complete() {
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
fn excerpts_show_pairs_and_ill_formed_bytes() {
    let assert_excerpt = |encoding: &str, bytes: &[u8], want: &str| {
        let run = feed(&mut utflane(["check", "--excerpt", "always", "-e", encoding, "-"]), bytes);
        assert_eq!(run.text().split_once('\n').unwrap().1, want);
    };
    let pair = b"\xED\xA0\xBD\xED\xB8\x80";
    assert_excerpt("cesu-8", &[pair, &b"\xFF"[..], pair].concat(), "  😀\\xFF😀\n    ^^^^\n");
    assert_excerpt(
        "wtf-8",
        b"a\xED\xA0\xBDb\xFF",
        "  a\\xED\\xA0\\xBDb\\xFF\n                ^^^^\n",
    );
}
