//! Tests of substitutes that depend on the bytes or on the character: code pages, variants,
//! escapes.

use std::fs;
use std::process::{Command, Stdio};

use crate::common::{Run, feed, print_notice, run, utflane};

fn convert(from: &str, to: &str, options: &[&str], bytes: &[u8]) -> Run {
    let arguments = ["convert", "-q", "-f", from, "-t", to];
    feed(&mut utflane(arguments.iter().chain(options)), bytes)
}

#[test]
fn ill_formed_bytes_are_read_in_a_code_page() {
    let with_page =
        |page: &str, to: &str, bytes: &[u8]| convert("utf-8", to, &["--on-invalid", page], bytes);
    with_page("windows-1252", "utf-8", b"\xC3\xA9 \x93caf\xE9\x94 \x80").assert(
        0,
        "é “café” €",
        "",
    );
    with_page("windows-1251", "utf-8", b"\xD0\x94\xD0\xB0 \xC4\xE0\n").assert(0, "Да Да\n", "");
    with_page("cp1250", "utf-8", b"Plze\xF2").assert(0, "Plzeň", "");
    assert_eq!(with_page("koi8-r", "windows-1251", b"\xE4\xC1").out, b"\xC4\xE0");
    // A truncated sequence is at the end, or before another character.
    with_page("windows-1252", "utf-8", b"a\xE2\x82").assert(0, "aâ‚", "");
    let wide = with_page("windows-1252", "utf-16be", b"\xF0\x9F\x98a").out;
    assert_eq!(wide, b"\0\xF0\x01\x78\x02\xDC\0a");
    // latin1 has control characters at 0x80..=0x9F.
    with_page("latin1", "utf-8", b"\x93").assert(0, "\u{93}", "");
    with_page("iso-8859-1", "utf-8", b"\x93").assert(0, "\u{93}", "");
    // windows-1253 has no character for this byte.
    with_page("windows-1253", "utf-8", b"\xD2").assert(0, "\u{FFFD}", "");
    for label in ["gbk", "utf-8", "shift_jis", "nonsense", "ascii", "auto"] {
        let refused = with_page(label, "utf-8", b"a");
        assert_eq!(refused.status, Some(2), "{label}");
        assert!(refused.err.contains("a code page such as windows-1252"), "{refused:?}");
    }
    let wide = convert("utf-16le", "utf-8", &["--on-invalid", "windows-1252"], b"\0\xD8a\0");
    wide.assert(0, "\u{FFFD}a", "");
}

/// A character of the code page that the target lacks is treated like any other unmappable
/// character.
#[test]
fn a_code_page_has_characters_that_the_target_lacks() {
    for (to, options, out) in [
        ("latin1", &["--on-unmappable", "escape"][..], "\\u20ac \\u20ac"),
        ("ascii", &["--on-unmappable", "ncr"], "&#8364; &#8364;"),
        ("ascii", &["--translit"], "EUR EUR"),
        ("koi8-r", &["--translit"], "EUR EUR"),
        ("iso-8859-2", &["--on-unmappable", "skip"], " "),
        ("latin1", &["--on-unmappable", "replace"], "? ?"),
    ] {
        let options = [&["--on-invalid", "windows-1252"], options].concat();
        convert("utf-8", to, &options, b"\xE2\x82\xAC \x80").assert(0, out, "");
    }
    for to in ["latin1", "iso-8859-2"] {
        let stopped = convert("utf-8", to, &["--on-invalid", "windows-1252"], b"caf\xE9 \x80");
        assert_eq!((stopped.status, stopped.out), (Some(1), b"caf\xE9 ".into()), "{}", stopped.err);
        assert!(stopped.err.starts_with("-:1:6: byte 5: stray"), "{}", stopped.err);
    }
}

/// Long files are converted in blocks, and pipes in chunks.
#[test]
fn ill_formed_bytes_are_read_in_a_code_page_anywhere() {
    let directory = tempfile::tempdir().unwrap();
    let (mut bytes, mut want, mut repairs) = (Vec::new(), String::new(), 0);
    for i in 0..90_000 {
        bytes.extend(
            "x".repeat(i % 23).bytes().chain("é€".bytes()).chain([0x93, 0xE2, 0x82, b'\n']),
        );
        want.push_str(&("x".repeat(i % 23) + "é€“â‚\n"));
        repairs += 2;
    }
    fs::write(directory.path().join("in"), &bytes).unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "--on-invalid", "windows-1252"];
    let note = |name: &str| format!("utflane: {name}: {repairs} repairs\n");
    run(directory.path(), arguments.iter().chain(&["in", "-o", "out"])).assert(0, "", &note("in"));
    assert!(fs::read_to_string(directory.path().join("out")).unwrap() == want);
    feed(&mut utflane(arguments), &bytes).assert(0, &want, &note("-"));
}

#[test]
fn escapes_contain_the_code_point() {
    let escape = ["--on-unmappable", "escape"];
    for (from, to) in [("utf-8", "latin1"), ("utf-8", "windows-1251"), ("utf-8", "ascii")] {
        let seen = convert(from, to, &escape, "5 €, 😀, \\u".as_bytes());
        let euro = if to == "windows-1251" { "\u{88}" } else { "\\u20ac" };
        let want = format!("5 {euro}, \\U0001f600, \\u");
        let out: String = seen.out.iter().copied().map(char::from).collect();
        assert_eq!((seen.status, out, seen.err.as_str()), (Some(0), want, ""), "{to}");
    }
    convert("latin1", "ascii", &escape, b"\xE9").assert(0, "\\u00e9", "");
    convert("shift_jis", "ascii", &escape, b"\x82\xA0").assert(0, "\\u3042", "");
    convert("utf-8", "ascii", &["--translit", "--on-unmappable", "escape"], "é\u{E000}".as_bytes())
        .assert(0, "e\\ue000", "");
}

/// The characters about which tables disagree.
const DISPUTED: &str = "〜 — ‖ − ¢ £ ¬";

#[test]
fn variants_come_before_approximations() {
    for to in ["shift_jis", "cp932", "euc-jp"] {
        for option in ["--variants", "--translit"] {
            let seen = convert("utf-8", to, &[option], DISPUTED.as_bytes());
            assert_eq!((seen.status, seen.err.as_str()), (Some(0), ""), "{to}");
            let back = convert(to, "utf-8", &[], &seen.out);
            back.assert(0, "～ ― ∥ － ￠ ￡ ￢", "");
        }
        assert_eq!(convert("utf-8", to, &[], DISPUTED.as_bytes()).status, Some(1));
    }
    assert_eq!(convert("utf-8", "latin1", &["--variants"], "￡￠".as_bytes()).out, b"\xA3\xA2");
    let seen = convert("utf-8", "big5", &["--variants"], "嘢".as_bytes());
    assert_eq!((seen.status, &seen.out[..]), (Some(0), &b"\x9D\xCF"[..]), "{seen:?}");
    convert("big5", "utf-8", &[], b"\x9D\xCF").assert(0, "嘢", "");
    // `--variants` has no effect on a character without a variant.
    assert_eq!(convert("utf-8", "cp932", &["--variants"], "ä".as_bytes()).status, Some(1));
    let seen = convert("utf-8", "cp932", &["--translit"], "ä“”".as_bytes());
    assert_eq!(seen.out, b"a\x81\x67\x81\x68");
}

#[test]
fn variants_agree_with_iconv() {
    for (name, to, text) in [
        ("CP932", "cp932", DISPUTED),
        ("BIG5-HKSCS", "big5", "嘢冇嚟"),
        ("EUC-JP", "euc-jp", "丂亜"),
    ] {
        let mut iconv = Command::new("iconv");
        iconv.args(["-f", "UTF-8", "-t", name]).stdin(Stdio::piped());
        let theirs = match iconv.spawn() {
            Ok(mut child) => {
                child.kill().unwrap();
                child.wait().unwrap();
                feed(&mut iconv, text.as_bytes())
            }
            Err(_) => return print_notice("NOT TESTED: iconv is not installed here"),
        };
        if theirs.status != Some(0) {
            print_notice(&format!("NOT TESTED: this iconv can't write {name}: {}", theirs.err));
            continue;
        }
        assert_eq!(
            convert("utf-8", to, &["--variants"], text.as_bytes()).out,
            theirs.out,
            "{name}"
        );
    }
}
