//! Tests of `convert --eol`.

use std::fs;

use crate::common::{encode, feed, run, utflane};

const MIXED: &str = "one\r\ntwo\nthree\r\r\nfour\n\rfive\u{D0A}\u{A0D}\r";
const LF: &str = "one\ntwo\nthree\r\nfour\n\rfive\u{D0A}\u{A0D}\r";
const CRLF: &str = "one\r\ntwo\r\nthree\r\r\nfour\r\n\rfive\u{D0A}\u{A0D}\r";

#[test]
fn line_ends_are_converted_in_every_encoding() {
    let unicode = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "cesu-8", "wtf-8"];
    for from in unicode {
        for to in unicode {
            for (end, want) in [("lf", LF), ("crlf", CRLF)] {
                let arguments = ["convert", "-q", "-f", from, "-t", to, "--eol", end];
                let seen = feed(&mut utflane(arguments), &encode(from, MIXED));
                assert_eq!((seen.status, seen.err.as_str()), (Some(0), ""), "{from} {to}");
                assert_eq!(seen.out, encode(to, want), "{from} {to} {end}");
            }
        }
    }
    let ascii = |text: &str| text.replace(['\u{D0A}', '\u{A0D}'], "");
    for to in ["latin1", "shift_jis", "iso-2022-jp", "gb18030", "cp437"] {
        let arguments = ["convert", "-q", "-f", "utf-8", "-t", to, "--eol", "crlf"];
        feed(&mut utflane(arguments), ascii(MIXED).as_bytes()).assert(0, &ascii(CRLF), "");
    }
    // In EBCDIC, LF is 0x25, and 0x0A is no line end.
    let arguments = ["convert", "-q", "-f", "utf-8", "-t", "cp037", "--eol"];
    let lf = feed(utflane(arguments).arg("lf"), b"a\r\nb\n");
    assert_eq!(lf.out, b"\x81\x25\x82\x25");
    let crlf = feed(utflane(arguments).arg("crlf"), "a\r\nb\n\u{8E}".as_bytes());
    assert_eq!(crlf.out, b"\x81\x0D\x25\x82\x0D\x25\x0A");
    // A byte order mark and line ends change together.
    let arguments = ["convert", "-qf", "utf-8", "-t", "utf-16", "--eol", "crlf"];
    let marked = feed(&mut utflane(arguments), b"\n");
    assert_eq!(marked.out, b"\xFF\xFE\r\0\n\0");
    let arguments = ["convert", "-qf", "utf-8", "-t", "utf-8", "--eol", "lf", "--bom", "strip-all"];
    feed(&mut utflane(arguments), "\u{FEFF}a\r\u{FEFF}\nb".as_bytes()).assert(0, "a\nb", "");
}

#[test]
fn line_ends_are_converted_in_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let text: String = (0..40_000).map(|i| format!("{}é\r\n", "x".repeat(i % 41))).collect();
    fs::write(path.join("crlf"), &text).unwrap();
    fs::write(path.join("lf"), text.replace('\r', "")).unwrap();
    let modified = fs::metadata(path.join("lf")).unwrap().modified().unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "-i", "crlf", "lf", "--eol"];
    run(path, arguments.iter().chain(&["lf"])).assert(
        0,
        "",
        "utflane: 1 of 2 files converted, 1 unchanged\n",
    );
    assert!(fs::read_to_string(path.join("crlf")).unwrap() == text.replace('\r', ""));
    assert_eq!(fs::metadata(path.join("lf")).unwrap().modified().unwrap(), modified);
    run(path, arguments.iter().chain(&["crlf", "-q"])).assert(0, "", "");
    assert!(fs::read_to_string(path.join("lf")).unwrap() == text);
}
