//! Tests of `utflane convert`: its output, compared with the standard library and with `iconv`, and
//! its messages.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{
    ENCODINGS, assert_same_bytes, common_text, encode, feed, print_notice, run, utflane,
};

/// Returns the text of `file` as converted by `iconv`, or `None` if `iconv` isn't installed.
fn iconv(from: &str, to: &str, file: &Path) -> Option<Vec<u8>> {
    let mut command = Command::new("iconv");
    command.args(["-f", from, "-t", to]).arg(file).stderr(Stdio::inherit());
    let output = command.output().ok()?;
    assert!(output.status.success(), "iconv from {from} to {to}");
    Some(output.stdout)
}

#[test]
fn all_pairs_agree_with_std_and_iconv() {
    let directory = tempfile::tempdir().unwrap();
    let mut compared = 0;
    // There are only three texts, and encoding them takes long.
    let mut all_encoded = BTreeMap::new();
    for (from, their_from) in ENCODINGS {
        for (to, their_to) in ENCODINGS {
            let text = common_text(from, to);
            for encoding in [from, to] {
                let key = (encoding, text.len());
                all_encoded.entry(key).or_insert_with(|| encode(encoding, text));
            }
            let (src, want) = (&all_encoded[&(from, text.len())], &all_encoded[&(to, text.len())]);
            let file = directory.path().join("text");
            fs::write(&file, src).unwrap();
            let ours = run(directory.path(), ["convert", "-f", from, "-t", to, "text"]);
            assert_eq!((ours.status, ours.err.as_str()), (Some(0), ""), "{from} to {to}");
            assert_same_bytes(&ours.out, want, &format!("{from} to {to}, std"));
            // Other pairs are only compared with the standard library, as above.
            let is_utf8 = from == "utf-8" || to == "utf-8";
            if their_from.is_empty() || their_to.is_empty() || !is_utf8 {
                continue;
            }
            if let Some(theirs) = iconv(their_from, their_to, &file) {
                assert_same_bytes(&ours.out, &theirs, &format!("{from} to {to}, iconv"));
                compared += 1;
            }
        }
    }
    match compared {
        0 => print_notice("NOT COMPARED with iconv: it is not installed here"),
        _ => print_notice(&format!("{compared} pairs compared with iconv")),
    }
    assert!(compared == 0 || compared == 13);
}

#[test]
fn a_stopped_conversion_writes_the_text_before_the_error() {
    let run = |from, to, bytes: &[u8]| feed(&mut utflane(["convert", "-f", from, "-t", to]), bytes);
    let unmappable = run("utf-8", "latin1", "né\n5 €!".as_bytes());
    assert_eq!((unmappable.status, &unmappable.out[..]), (Some(1), &b"n\xE9\n5 "[..]));
    let message = "-:2:3: byte 6: character not in the target encoding (E2 82 AC)\n";
    assert_eq!(unmappable.err, message);
    for (from, to, bytes, out, err) in [
        ("utf-8", "utf-8", &b"ab\xFFc"[..], "ab", "-:1:3: byte 2: invalid lead byte (FF)\n"),
        ("utf-8", "ascii", b"a\xE9", "a", "-:1:2: byte 1: sequence too short (E9)\n"),
        ("utf-16le", "utf-8", b"a\0\0\xD8b\0", "a", "-:1:2: byte 2: unpaired surrogate (00 D8)\n"),
        ("utf-16be", "utf-8", b"\0\n\0a\0", "\na", "-:2:2: byte 4: sequence too short (00)\n"),
        (
            "latin1",
            "ascii",
            b"\n\xE9",
            "\n",
            "-:2:1: byte 1: character not in the target encoding (E9)\n",
        ),
    ] {
        run(from, to, bytes).assert(1, out, err);
    }
}

/// The offending sequence crosses the end of the first 64 KiB, in turn at each of its bytes. The
/// text before the sequence is written completely.
#[test]
fn positions_across_chunks_are_exact() {
    let directory = tempfile::tempdir().unwrap();
    for offset in 65_530..65_540 {
        let mut bytes = vec![b'x'; offset];
        bytes.extend_from_slice("😀\n".as_bytes());
        fs::write(directory.path().join("far"), &bytes).unwrap();
        let run = run(directory.path(), ["convert", "-f", "utf-8", "-t", "latin1", "far"]);
        let column = offset + 1;
        let kind = "character not in the target encoding (F0 9F 98 80)";
        let message = format!("far:1:{column}: byte {offset}: {kind}\n");
        assert_eq!((run.status, run.err), (Some(1), message));
        assert_eq!(run.out, bytes[..offset]);
    }
}

#[test]
fn standard_input_and_output() {
    for arguments in [&[][..], &["-"], &["-", "-o", "-"]] {
        let arguments = ["convert", "-f", "latin1", "-t", "utf-8"].iter().chain(arguments);
        feed(&mut utflane(arguments), b"na\xEFve").assert(0, "naïve", "");
    }
    feed(&mut utflane(["convert", "-f", "utf-8", "-t", "utf-16le"]), b"").assert(0, "", "");
}

#[test]
fn missing_files_and_directories_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("in"), "text").unwrap();
    let convert = |files: &[&str]| {
        let arguments = ["convert", "-f", "utf-8", "-t", "utf-8"].iter().chain(files);
        run(directory.path(), arguments)
    };
    convert(&["none", "-o", "out"]).assert(2, "", "utflane: none: No such file or directory\n");
    assert!(!directory.path().join("out").exists());
    let advice = "utflane: .: Is a directory: -r reads the files in it\n";
    convert(&["."]).assert(2, "", advice);
    convert(&["in", "-o", "."]).assert(2, "", "utflane: .: Is a directory\n");
    let missing = "utflane: no/out: No such file or directory\n";
    convert(&["in", "-o", "no/out"]).assert(2, "", missing);
}

/// A directory as input causes an error only when it is read, after the output has been opened.
#[test]
fn an_unreadable_input_leaves_the_output_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("in")).unwrap();
    File::create(directory.path().join("out")).unwrap();
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-8", "-o", "out", "--keep-partial", "in"];
    let advice = "utflane: in: Is a directory: -r reads the files in it\n";
    run(directory.path(), arguments).assert(2, "", advice);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

/// Several threads convert a long file, up to the first invalid position. The exit status, the
/// output and the message equal the results for a pipe, which a single thread converts.
#[test]
fn long_files_are_converted_like_pipes() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("long");
    for (from, to) in
        [("utf-8", "utf-16le"), ("utf-16be", "utf-8"), ("utf-32le", "utf-8"), ("utf-8", "latin1")]
    {
        let line =
            if to == "latin1" { "x, größer,\n und é" } else { "x, größer,\n € und 😀漢" };
        let text = line.repeat(3_000_000 / encode(from, line).len());
        let valid = encode(from, &text);
        let unit_size = if from == "utf-8" { 1 } else { encode(from, "a").len() };
        let ill_formed: &[u8] = match from {
            "utf-8" => b"\xF0\x80\x80\x80",
            "utf-16be" => b"\xDC\0",
            _ => b"\0\xD8\0\0",
        };
        // `usize::MAX` means no error. The other errors are near the ends of blocks, at both ends
        // of the file, and in between.
        let block = 512 * 1024;
        let end = valid.len() / unit_size * unit_size;
        for error_offset in [
            usize::MAX,
            0,
            block - 8,
            block - 4,
            block,
            block + 4,
            2 * block - 4,
            5 * block - 4,
            2_000_000,
            end,
        ] {
            let mut bytes = valid.clone();
            if error_offset < usize::MAX {
                let boundary = if unit_size == 1 {
                    (0..=error_offset).rev().find(|&offset| text.is_char_boundary(offset)).unwrap()
                } else {
                    error_offset
                };
                bytes.splice(boundary..boundary, ill_formed.iter().copied());
            }
            fs::write(&file, &bytes).unwrap();
            let arguments = ["convert", "-f", from, "-t", to, "--excerpt", "always"];
            let piped = feed(&mut utflane(arguments), &bytes);
            let read = run(directory.path(), arguments.iter().copied().chain(["long"]));
            assert_same_bytes(&read.out, &piped.out, &format!("{from} to {to} at {error_offset}"));
            assert_eq!(read.status, piped.status);
            assert_eq!(
                read.err,
                piped.err.replacen("-:", "long:", 1),
                "{from} to {to} at {error_offset}"
            );
            let redirected = utflane(arguments).stdin(File::open(&file).unwrap()).output().unwrap();
            assert!(redirected.stdout == piped.out && redirected.stderr == piped.err.as_bytes());
            if error_offset == usize::MAX {
                assert_same_bytes(&read.out, &encode(to, &text), "std");
            }
        }
        // The last bytes of the file are missing.
        for missing_len in 1..4 {
            fs::write(&file, &valid[..valid.len() - missing_len]).unwrap();
            let piped = feed(
                &mut utflane(["convert", "-f", from, "-t", to]),
                &valid[..valid.len() - missing_len],
            );
            let read = run(directory.path(), ["convert", "-f", from, "-t", to, "long"]);
            assert_same_bytes(&read.out, &piped.out, "truncated");
            assert_eq!(read.err, piped.err.replacen("-:", "long:", 1));
        }
    }
}

/// The command peeks at the first bytes before it converts blocks.
#[test]
fn long_files_may_have_marks_and_be_detected() {
    let directory = tempfile::tempdir().unwrap();
    let text = "\u{FEFF}Ein Satz, größer als nötig.\n".repeat(25_000);
    fs::write(directory.path().join("long"), encode("utf-16le", &text)).unwrap();
    for from in ["auto", "utf-16le"] {
        for (bom, want) in [("keep", text.as_str()), ("strip", &text[3..]), ("add", &text)] {
            let arguments = ["convert", "-q", "-f", from, "-t", "utf-8", "--bom", bom, "long"];
            assert_same_bytes(&run(directory.path(), arguments).out, want.as_bytes(), bom);
        }
    }
}
