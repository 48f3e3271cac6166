//! Tests of `auto` on a pipe whose bytes beyond ASCII come late, after the text before them has
//! been passed on.

use std::fs;

use crate::common::{Run, encode, feed, utflane};

/// ASCII lines, longer than the beginning of a pipe that is examined before the text is passed on.
fn ascii() -> String {
    "plain ascii\n".repeat(16_667)
}

/// Bytes that follow [`ascii`], and for which no encoding is likely.
const UNSURE: &[u8] = b"\x8D\xFF\x81\xFE caf\xE9";

const NOTE: &str = "utflane: -: ASCII so far, read as utf-8: the first bytes beyond ASCII decide \
                    the encoding\n";

fn pipe(arguments: &str, late: &[u8]) -> Run {
    feed(&mut utflane(arguments.split(' ')), &[ascii().as_bytes(), late].concat())
}

/// The text is at fault, not the pipe, so the status is 1. The message has the offset, what is
/// written, and the option of the command.
#[test]
fn late_bytes_without_a_likely_encoding_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let detected = feed(&mut utflane(["convert", "-f", "auto", "-t", "utf-8"]), UNSURE);
    let (_, candidates) = detected.err.split_once("it may be ").unwrap();
    let (candidates, _) = candidates.split_once(": ").unwrap();
    let refusal = |option| {
        format!(
            "{NOTE}utflane: -: stopped at byte 200004: the encoding is uncertain; it may be \
             {candidates}: name it with {option}"
        )
    };
    let convert = "convert -f auto -t utf-8";
    let refusal_of_convert = refusal("-f, or take the first with --guess");
    let written = format!("{refusal_of_convert}; the text before it is written\n");
    pipe(convert, UNSURE).assert_long(1, &ascii(), &written);
    pipe("convert -f auto -t koi8-r", UNSURE).assert_long(1, &ascii(), &written);
    let out = directory.path().join("out");
    let to_out = format!("{convert} -o {}", out.display());
    pipe(&to_out, UNSURE).assert(1, "", &format!("{refusal_of_convert}; nothing is written\n"));
    assert!(!out.exists());
    pipe(&format!("{to_out} --keep-partial"), UNSURE).assert(1, "", &written);
    assert_eq!(fs::read_to_string(&out).unwrap(), ascii());
    let refusal_of_check = format!("{}\n", refusal("-e"));
    pipe("check -e auto", UNSURE).assert(1, "", &refusal_of_check);
    pipe("check -e auto --list", UNSURE).assert(1, "-\n", &refusal_of_check);
    pipe("count -e auto", UNSURE).assert(1, "", &refusal_of_check);
    let json = pipe("check -q -e auto --json", UNSURE);
    assert!(json.status == Some(1) && json.text().contains("stopped at byte 200004: "), "{json:?}");
}

/// The reasons other than an uncertain encoding.
#[test]
fn other_late_bytes_are_refused() {
    let korean = b"\x1B$)C\x0EGQ19GQ19GQ19\x0F\n";
    let binary = (0..=0xFF).collect::<Vec<u8>>().repeat(300);
    for (late, words) in [
        (&korean[..], "it is iso-2022-kr, which can't be converted: try iconv"),
        (&binary, "probably binary (many control characters: hardly text): if it is text, name"),
    ] {
        let seen = pipe("convert -f auto -t utf-8", late);
        assert!(seen.status == Some(1) && seen.text() == ascii(), "{words}: {}", seen.err);
        assert!(seen.err.contains(&format!("stopped at byte 200004: {words}")), "{}", seen.err);
    }
    // The encoding is decided, and an ill-formed sequence follows.
    let japanese = "いろはにほへと散りぬるを、わが世たれぞ常ならむ。\n".repeat(3000);
    let (late, ..) = encoding_rs::SHIFT_JIS.encode(&japanese);
    let seen = pipe("convert -q -f auto -t utf-8", &[&late, &b"\xFD\xFD"[..]].concat());
    let offset = 200_004 + late.len();
    let words = format!(
        "utflane: -: stopped at byte {offset}: detected as shift_jis, but ill-formed in it: name \
         the encoding with -f; the text before it is written\n"
    );
    assert!(seen.text() == ascii() + &japanese);
    assert_eq!((seen.status, seen.err), (Some(1), words));
}

/// The encoding that the late bytes decide is reported.
#[test]
fn a_late_encoding_is_reported() {
    let german = "Die Größe der Bäume überrascht viele Gäste in Österreich.\n".repeat(20);
    // The offset is the first byte beyond ASCII.
    let latin1 = format!(
        "{NOTE}utflane: -: from byte 200010 on, detected as latin1 (likely): reads as text in \
         German\n"
    );
    let text = ascii() + &german;
    let late = encode("latin1", &german);
    pipe("convert -f auto -t utf-8", &late).assert_long(0, &text, &latin1);
    pipe("check -e auto", &late).assert(0, "", &latin1);
    pipe("convert -q -f auto -t utf-8", &late).assert_long(0, &text, "");
    let stopped = pipe("convert -f auto -t ascii", &late);
    let finding = "-:16668:7: byte 200010: character not in the target encoding (C3 B6)\n\
                   utflane: -: the offset and the bytes refer to the text in UTF-8\n";
    let text_before = ascii() + "Die Gr";
    stopped.assert_long(1, &text_before, &format!("{latin1}{finding}"));
    pipe("convert -f auto -t utf-8", german.as_bytes()).assert_long(0, &text, NOTE);
    let seen = pipe("convert -f auto --guess -t utf-8", b"\xE9\xFF\xFE caf\xE9");
    let start = format!("{NOTE}utflane: -: from byte 200004 on, detected as ");
    assert!(seen.status == Some(0) && seen.err.starts_with(&start), "{}", seen.err);
}
