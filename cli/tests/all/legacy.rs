//! Tests of `utflane convert` from and to encodings from before Unicode. The results are compared
//! with conversions of whole texts by the crate `encoding_rs`, and with `iconv`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{ENCODINGS, Run, assert_same_bytes, encode, feed, print_notice, run, utflane};
use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Labels of all encodings of `encoding_rs` from before Unicode.
const LABELS: &[&str] = &[
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-8-i",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "shift_jis",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "windows-874",
    "x-mac-cyrillic",
    "x-user-defined",
];

/// Encodings that `iconv` has under the same name, and to which `iconv` converts the text of
/// [`some_encodings_agree_with_iconv`] in the same way.
const SAME_IN_ICONV: &[&str] = &[
    "iso-8859-2",
    "iso-8859-5",
    "iso-8859-15",
    "koi8-r",
    "windows-1251",
    "gbk",
    "euc-jp",
    "gb18030",
];

fn encoding(label: &str) -> &'static Encoding {
    Encoding::for_label(label.as_bytes()).unwrap()
}

/// Returns the characters that survive a round trip through the encoding, repeated until the text
/// is so long that chunks end at every position in a character.
fn round_trip_text(encoding: &'static Encoding) -> String {
    let survives = |c: &char| {
        let mut buffer = [0; 4];
        let text = &*c.encode_utf8(&mut buffer);
        let (bytes, _, has_unmappable) = encoding.encode(text);
        !has_unmappable && encoding.decode_without_bom_handling(&bytes) == (text.into(), false)
    };
    let all: String = ('\0'..='\u{FFFF}').filter(survives).collect();
    assert!(all.chars().count() >= 128, "{}", encoding.name());
    let rounds = (300_000 / all.len()).max(1);
    (0..rounds).map(|round| format!("{all}{}", "x".repeat(round % 5))).collect()
}

fn convert(directory: &Path, from: &str, to: &str, bytes: &[u8]) -> Run {
    fs::write(directory.join("text"), bytes).unwrap();
    run(directory, ["convert", "-f", from, "-t", to, "text"])
}

#[track_caller]
fn assert_same(got: &Run, want: &[u8], what: &str) {
    assert_eq!((got.status, got.err.as_str()), (Some(0), ""), "{what}");
    assert_same_bytes(&got.out, want, what);
}

#[test]
fn whole_texts_agree_with_encoding_rs() {
    let directory = tempfile::tempdir().unwrap();
    for (index, &label) in LABELS.iter().enumerate() {
        let text = round_trip_text(encoding(label));
        let bytes = encoding(label).encode(&text).0;
        for other in ["utf-8", ["utf-16be", "utf-32le"][index % 2]] {
            let unicode = encode(other, &text);
            assert_same(
                &convert(directory.path(), other, label, &unicode),
                &bytes,
                &format!("{other} to {label}"),
            );
            assert_same(
                &convert(directory.path(), label, other, &bytes),
                &unicode,
                &format!("{label} to {other}"),
            );
        }
        assert_same(&convert(directory.path(), label, label, &bytes), &bytes, label);
    }
}

#[test]
fn some_encodings_agree_with_iconv() {
    let directory = tempfile::tempdir().unwrap();
    let text = "Plain text, and a sign: §\n".repeat(10_000);
    let mut compared = 0;
    for &label in SAME_IN_ICONV {
        let text = if label == "koi8-r" { text.replace('§', "Ы") } else { text.clone() };
        fs::write(directory.path().join("in"), &text).unwrap();
        let mut command = Command::new("iconv");
        command.args(["-f", "utf-8", "-t", label, "in"]).current_dir(directory.path());
        let Ok(output) = command.output() else { continue };
        if output.status.success() {
            assert_same(
                &convert(directory.path(), "utf-8", label, text.as_bytes()),
                &output.stdout,
                label,
            );
            compared += 1;
        }
    }
    match compared {
        0 => print_notice("NOT COMPARED with iconv: it is not installed here"),
        _ => print_notice(&format!("{compared} encodings compared with iconv")),
    }
}

/// Returns the line and the column after `text`, counted from 1.
fn position_after(text: &str) -> (usize, usize) {
    let line = text.matches('\n').count() + 1;
    (line, text.chars().rev().take_while(|&c| c != '\n').count() + 1)
}

/// The first error in random bytes, and the text before this error, are the same as when
/// `encoding_rs` decodes the whole text at once.
#[test]
fn ill_formed_positions_agree_with_encoding_rs() {
    let mut random = StdRng::seed_from_u64(1);
    for label in
        ["shift_jis", "gbk", "gb18030", "big5", "euc-jp", "euc-kr", "iso-2022-jp", "windows-1253"]
    {
        for round in 0..16 {
            // The random bytes are near the start of the text, or around the end of the first
            // chunk, after characters of one or two bytes.
            let prefix_len =
                if round % 2 == 0 { random.random_range(0..50) } else { 65_520 + 2 * round };
            let unit = encoding(label).encode("aб\n").0;
            let mut bytes = unit.repeat(prefix_len / unit.len());
            bytes.extend((0..20).map(|_| match random.random_range(0..4) {
                0 => random.random_range(0x20..0x7F),
                1 => b'\n',
                _ => random.random_range(0x80..=0xFF_u8),
            }));
            let mut decoder = encoding(label).new_decoder_without_bom_handling();
            let mut out = vec![0; 4 * bytes.len() + 20];
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(&bytes, &mut out, true);
            let text = std::str::from_utf8(&out[..written]).unwrap();
            let run = feed(&mut utflane(["convert", "-f", label, "-t", "utf-8"]), &bytes);
            assert!(run.out == text.as_bytes(), "{label} {round}");
            let DecoderResult::Malformed(len, after) = result else {
                assert_eq!((run.status, run.err.as_str()), (Some(0), ""));
                continue;
            };
            let start = read - usize::from(len) - usize::from(after);
            let sequence = &bytes[start..start + usize::from(len)];
            let hex: Vec<String> = sequence.iter().map(|byte| format!("{byte:02X}")).collect();
            let (line, column) = position_after(text);
            let hex = hex.join(" ");
            let want =
                format!("-:{line}:{column}: byte {start}: not a character of {label} ({hex})\n");
            assert_eq!((run.status, run.err), (Some(1), want), "{label} {round}");
        }
    }
}

/// The reported position of the first unmappable character is exact, with several source encodings,
/// near the start of the text and around the end of a chunk.
#[test]
fn unmappable_positions_are_exact() {
    let sources =
        ["utf-8", "utf-16le", "utf-32be", "shift_jis", "gbk", "euc-jp", "iso-2022-jp", "gb18030"];
    let mut case = 0;
    for from in sources {
        for to in ["latin1", "windows-1252", "ascii", "koi8-r", "big5"] {
            for prefix_len in
                [0, 1, 2, 9, 16_380, 32_765, 65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 65_536]
            {
                // Each length is tested with a third of the pairs.
                case += 1;
                if case % 3 > 0 {
                    continue;
                }
                let character = if to == "big5" { '働' } else { '漢' };
                let text = format!("{}\nb{character}c漢\n", "a".repeat(prefix_len));
                let encoded = |text: &str| match ENCODINGS.iter().any(|(name, _)| *name == from) {
                    true => encode(from, text),
                    false => encoding(from).encode(text).0.into_owned(),
                };
                let bytes = encoded(&text);
                let run = feed(&mut utflane(["convert", "-f", from, "-t", to]), &bytes);
                let is_unmappable = match to {
                    "ascii" => !character.is_ascii(),
                    _ => matches!(
                        encoding(to)
                            .new_encoder()
                            .encode_from_utf8_without_replacement(
                                character.encode_utf8(&mut [0; 4]),
                                &mut [0; 32],
                                true
                            )
                            .0,
                        EncoderResult::Unmappable(_)
                    ),
                };
                if !is_unmappable {
                    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{from} to {to}");
                    continue;
                }
                // In ISO-2022-JP, an escape sequence precedes the character.
                let escape_len = if from == "iso-2022-jp" { 3 } else { 0 };
                let offset = encoded(&format!("{}\nb", "a".repeat(prefix_len))).len() + escape_len;
                let want = format!("-:2:2: byte {offset}: character not in the target");
                assert_eq!(run.status, Some(1), "{from} to {to} {prefix_len}: {}", run.err);
                assert!(
                    run.err.starts_with(&want),
                    "{from} to {to} {prefix_len}: {} {want}",
                    run.err
                );
                assert!(run.out.starts_with(b"a") || prefix_len == 0);
                assert!(run.out.ends_with(b"\nb"), "{from} to {to}");
            }
        }
    }
}

#[test]
fn labels_of_latin1_are_not_windows_1252() {
    for (label, want) in
        [("latin1", "\u{80}"), ("iso-8859-1", "\u{80}"), ("windows-1252", "€"), ("cp1252", "€")]
    {
        feed(&mut utflane(["convert", "-f", label, "-t", "utf-8"]), b"\x80").assert(0, want, "");
    }
}
