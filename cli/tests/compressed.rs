//! `-z`: compressed files are read as the text in them.

mod common;

use std::fs;
use std::io::Write;

use common::{feed, run, utflane};
use flate2::Compression;
use flate2::write::GzEncoder;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn places_and_counts_are_those_of_the_text() {
    let directory = tempfile::tempdir().unwrap();
    let text = [&b"grade\n"[..], &b"line\n".repeat(100_000), b"caf\xC3 x\n"].concat();
    fs::write(directory.path().join("a.gz"), gzip(&text)).unwrap();
    fs::write(directory.path().join("b"), "plain\n").unwrap();
    let checked = run(directory.path(), ["check", "-z", "a.gz", "b"]);
    checked.assert(1, "a.gz:100002:4: byte 500009: sequence too short (C3)\n", "");
    let counted = run(directory.path(), ["count", "-z", "--json", "a.gz", "b"]);
    let row = |file, bytes, lines| {
        format!(
            "{{\"bytes\":{bytes},\"code_points\":{bytes},\"file\":\"{file}\",\"lines\":{lines},\
             \"utf16_units\":{bytes}}}\n"
        )
    };
    counted.assert(0, &(row("a.gz", 500_013, 100_002) + &row("b", 6, 1)), "");
    // Without the option it is a file like any other.
    assert_eq!(run(directory.path(), ["check", "a.gz"]).status, Some(1));
}

#[test]
fn compressed_input_is_detected_converted_and_repaired() {
    let text: Vec<u8> = "Grüße\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = gzip(&text);
    let detected = feed(&mut utflane(["detect", "-z", "-"]), &file);
    assert!(String::from_utf8(detected.out).unwrap().starts_with("-: utf-16le ("));
    let arguments = ["convert", "-z", "-f", "utf-16le", "-t", "utf-8"];
    feed(&mut utflane(arguments), &file).assert(0, "Grüße\n", "");
    feed(&mut utflane(arguments), &text).assert(0, "Grüße\n", "");
    let damaged = gzip("GrÃ¼ÃŸe\n".as_bytes());
    feed(&mut utflane(["repair", "-qz"]), &damaged).assert(0, "Grüße\n", "");
}

#[test]
fn a_file_that_is_cut_can_not_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let file = gzip(&b"a line of text\n".repeat(10_000));
    fs::write(directory.path().join("a.gz"), &file[..file.len() - 9]).unwrap();
    let trouble = "utflane: a.gz: the gzip data is damaged or cut\n";
    run(directory.path(), ["check", "-z", "a.gz"]).assert(2, "", trouble);
    let arguments = ["convert", "-z", "-f", "utf-8", "-t", "utf-16le", "a.gz", "-o", "out"];
    run(directory.path(), arguments).assert(2, "", trouble);
    assert!(!directory.path().join("out").exists());
}

#[test]
fn compressed_files_are_not_replaced_in_place() {
    let run = feed(&mut utflane(["convert", "-zi", "-f", "utf-8", "-t", "utf-8", "a.gz"]), b"");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("cannot be used with"));
}
