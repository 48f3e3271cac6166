//! Tests of code pages in the command: `-f cp037`, `-t koi8-r`, `--on-invalid cp437`. The library's
//! own tests compare the tables with other programs.

use std::fs;

use crate::common::{feed, run, utflane};
use utflane::Utf8;
use utflane::code_page::CodePage;

#[test]
fn pages_of_dos_mac_and_ebcdic_are_converted() {
    for (from, to, bytes, expected) in [
        ("cp037", "utf-8", &b"\xC8\x85\x93\x93\x96\x5A"[..], "Hello!".as_bytes()),
        ("IBM-1047", "utf-8", b"\xAD\x81\xBD\x15", "[a]\u{85}".as_bytes()),
        ("cp1047-lf", "utf-8", b"\xAD\x81\xBD\x15", b"[a]\n"),
        ("cp437", "utf-16le", b"\xC9\xCD", b"\x54\x25\x50\x25"),
        ("utf-8", "cp850", "Ø─".as_bytes(), b"\x9D\xC4"),
        ("utf-16be", "macintosh", b"\0\xC4", b"\x80"),
        ("cp437", "cp037", b"a\x81", b"\x81\xDC"),
        ("shift_jis", "koi8-r", b"\x84\x40", b"\xE1"),
    ] {
        let got = feed(&mut utflane(["convert", "-f", from, "-t", to]), bytes);
        assert_eq!((got.status, got.err.as_str()), (Some(0), ""), "{from} to {to}");
        assert_eq!(got.out, expected, "{from} to {to}");
    }
}

/// All pages, in both directions, with texts that are longer than a chunk.
#[test]
fn the_results_are_those_of_the_library() {
    let directory = tempfile::tempdir().unwrap();
    for page in CodePage::all() {
        let assigned = (0..=255).filter(|&byte| page.character(byte).is_some());
        let bytes = assigned.collect::<Vec<u8>>().repeat(600);
        let text = page.decode::<Utf8>(&bytes).unwrap();
        fs::write(directory.path().join("bytes"), &bytes).unwrap();
        fs::write(directory.path().join("text"), &text).unwrap();
        let decoded = run(directory.path(), ["convert", "-f", page.name(), "-t", "utf-8", "bytes"]);
        assert!(decoded.out == text.as_bytes() && decoded.status == Some(0), "{page}");
        let encoded = run(directory.path(), ["convert", "-f", "utf-8", "-t", page.name(), "text"]);
        assert!(encoded.out == bytes && encoded.status == Some(0), "{page}");
    }
}

#[test]
fn errors_have_a_position() {
    for (arguments, bytes, message) in [
        // The line feed of cp037 is byte 0x25. Byte 0xDC of cp875 is unassigned.
        (
            &["check", "-e", "cp875"][..],
            &b"\x81\x25\x82\xDC"[..],
            ":2:2: byte 3: not a character of cp875",
        ),
        (
            &["convert", "-f", "cp875", "-t", "utf-8"],
            b"\x81\xDC",
            ":1:2: byte 1: not a character of cp875",
        ),
        (&["convert", "-f", "utf-8", "-t", "cp037"], "a\n€".as_bytes(), ":2:1: byte 2: "),
        (&["convert", "-f", "cp1140", "-t", "cp037"], b"\x81\x25\x82\x9F", ":2:2: byte 3: "),
        (&["convert", "-f", "utf-8", "-t", "cp864"], b"10 %", ":1:4: byte 3: "),
    ] {
        let got = feed(&mut utflane(arguments), bytes);
        assert_eq!(got.status, Some(1), "{arguments:?}");
        let all = format!("{}{}", got.err, String::from_utf8_lossy(&got.out));
        assert!(all.contains(message), "{arguments:?}: {all}");
    }
}

#[test]
fn substitutes_are_encoded_in_the_page() {
    for (arguments, text, expected) in [
        (&["--on-unmappable", "replace"][..], "a€b", &b"\x81\x6F\x82"[..]),
        (&["--on-unmappable", "ncr"], "€", b"\x50\x7B\xF8\xF3\xF6\xF4\x5E"),
        (&["--translit"], "“", b"\x7F"),
        (&["-c"], "a€b", b"\x81\x82"),
    ] {
        let arguments = [&["convert", "-f", "utf-8", "-t", "cp037"], arguments].concat();
        let got = feed(&mut utflane(&arguments), text.as_bytes());
        assert_eq!((got.status, got.out.as_slice()), (Some(0), expected), "{arguments:?}");
    }
}

#[test]
fn on_invalid_accepts_code_pages_only() {
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "--on-invalid", "cp437"];
    let got = feed(&mut utflane(arguments), b"a\xC9\xCD b");
    assert_eq!((got.status, got.text()), (Some(0), "a╔═ b"));
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "--on-invalid", "shift_jis"];
    let got = feed(&mut utflane(arguments), b"a");
    assert_eq!(got.status, Some(2));
    assert!(got.err.contains("or a code page such as windows-1252"), "{}", got.err);
}

/// The messages about the variants of code pages advise what to do.
#[test]
fn messages_about_variants_have_advice() {
    let strict = feed(&mut utflane(["check", "-e", "windows-1252-strict"]), b"a\x81 b");
    let advice = "utflane: -: windows-1252 reads it as a control character: try -e windows-1252\n";
    let finding = "-:1:2: byte 1: not a character of windows-1252-strict (81)\n";
    strict.assert(1, finding, advice);
    for (label, words) in [
        ("cp437-strict", "cp437 has no variant -strict: only code pages of Windows with"),
        ("windows-1252-lf", "windows-1252 has no variant -lf: only code pages of EBCDIC have"),
        ("nonsense-lf", "not a known encoding"),
    ] {
        let refused = feed(&mut utflane(["check", "-e", label]), b"");
        assert!(refused.status == Some(2) && refused.err.contains(words), "{}", refused.err);
    }
}

/// Each byte of an ill-formed sequence is read by the page. A byte that the page lacks is U+FFFD,
/// and well-formed sequences stay.
#[test]
fn ill_formed_bytes_are_read_by_a_page() {
    let options = ["convert", "-q", "-f", "utf-8", "-t", "utf-8", "--on-invalid"];
    let repair =
        |page: &str, bytes: &[u8]| feed(&mut utflane(options.iter().chain(&[page])), bytes);
    repair("windows-1252", b"\xE2\x82 \x81 \xC3\xA9").assert(0, "â‚ \u{81} é", "");
    repair("windows-1252-strict", b"\xE2\x82 \x81 \xC3\xA9").assert(0, "â‚ \u{FFFD} é", "");
}

/// Line ends are converted last, because an omitted byte or mark may join a CR and an LF.
#[test]
fn line_ends_are_written_after_repairs() {
    let convert = |options: &[&str], bytes: &[u8]| {
        let arguments = ["convert", "-q", "-f", "utf-8", "-t", "utf-8"];
        feed(&mut utflane(arguments.iter().chain(options)), bytes)
    };
    convert(&["-c", "--eol", "lf"], b"a\r\xFF\nb").assert(0, "a\nb", "");
    let strips = ["--bom", "strip-all", "--eol", "lf"];
    convert(&strips, "a\r\u{FEFF}\nb".as_bytes()).assert(0, "a\nb", "");
}
