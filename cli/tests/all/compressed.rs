//! Tests of `-z`, with which the commands read the text in compressed files.

use std::fs;
use std::io::Write;

use crate::common::{Run, feed, print_notice, run, utflane};
use flate2::Compression;
use flate2::write::GzEncoder;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn positions_and_counts_refer_to_the_decompressed_text() {
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
    // Without the option, the compressed bytes themselves are checked.
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
    let double_encoded = gzip("GrÃ¼ÃŸe\n".as_bytes());
    feed(&mut utflane(["repair", "-qz"]), &double_encoded).assert(0, "Grüße\n", "");
}

#[test]
fn a_truncated_file_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let file = gzip(&b"a line of text\n".repeat(10_000));
    fs::write(directory.path().join("a.gz"), &file[..file.len() - 9]).unwrap();
    let trouble = "utflane: a.gz: the gzip data is damaged or incomplete\n";
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

/// A text in xz with a dictionary of 256 MiB.
const XZ_256_MIB: &[u8] = b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4\x46\x02\0!\x01\x20\0\0\0\x09\x88\xA5\x76\
    \x01\0\x04text\n\0\0\0\0\x1D\x2B\xD2\x8A\xAF\x19\x4C\xCD\0\x01\x1D\x05\xB8\x2D\x80\xAF\x1F\xB6\
    \xF3\x7D\x01\0\0\0\0\x04YZ";
/// A text in xz with a dictionary of 192 MiB.
const XZ_192_MIB: &[u8] = b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4\x46\x02\0!\x01\x1F\0\0\0\xFE\x60\xED\xDE\
    \x01\0\x04text\n\0\0\0\0\x1D\x2B\xD2\x8A\xAF\x19\x4C\xCD\0\x01\x1D\x05\xB8\x2D\x80\xAF\x1F\xB6\
    \xF3\x7D\x01\0\0\0\0\x04YZ";
/// A text in zstd with a window of 1 GiB.
const ZSTD_1_GIB: &[u8] = b"(\xB5/\xFD\x04\xA0)\0\0text\n\x2C\x51\xA1\xBF";

/// The compressed data is valid, so the message names the memory limit as the reason.
#[test]
fn the_message_names_the_memory_limit() {
    let directory = tempfile::tempdir().unwrap();
    let limit = "but one file may take 256 MiB of the 512 MiB for all files: decompress it first, \
                 and leave out -z";
    for (file, words) in [
        (XZ_256_MIB, format!("the xz data needs 257 MiB of memory, {limit}")),
        (ZSTD_1_GIB, format!("the zstd data needs 1536 MiB of memory, {limit}")),
    ] {
        fs::write(directory.path().join("f"), file).unwrap();
        let trouble = format!("utflane: f: {words}\n");
        for command in [
            &["check", "-z", "f"][..],
            &["count", "-z", "f"],
            &["detect", "-z", "f"],
            &["repair", "-z", "f", "-o", "out"],
            &["convert", "-z", "-f", "utf-8", "-t", "utf-16le", "f", "-o", "out"],
        ] {
            run(directory.path(), command).assert(2, "", &trouble);
        }
        assert!(!directory.path().join("out").exists());
    }
}

/// Files that are read at the same time share the memory limit, and each file is read. Twelve times
/// 193 MiB at once would be too much memory.
#[cfg(target_os = "linux")]
#[test]
fn files_wait_until_memory_is_free() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..12).map(|i| format!("f{i}")).collect();
    for name in &names {
        fs::write(directory.path().join(name), XZ_192_MIB).unwrap();
    }
    let line = "ulimit -v 1500000 || exit 99; exec \"$0\" count -z --json -j 12 \"$@\"";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_utflane")]).args(&names);
    let counted = Run::from(command.current_dir(directory.path()).output().unwrap());
    if counted.status == Some(99) {
        return print_notice("NOT TESTED: a limit of memory");
    }
    assert_eq!((counted.status, counted.text().lines().count()), (Some(0), 12), "{counted:?}");
    assert!(counted.text().lines().all(|line| line.starts_with("{\"bytes\":5,")));
}

#[test]
fn padding_is_skipped_and_other_bytes_cause_a_warning() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let zeros = [0; 512];
    let twice = [&gzip("Grüße\n".as_bytes())[..], &zeros, &gzip(b"caf\xC3 x\n"), &zeros].concat();
    fs::write(path.join("padded.gz"), &twice).unwrap();
    let finding = "padded.gz:2:4: byte 11: sequence too short (C3)\n";
    run(path, ["check", "-qz", "padded.gz"]).assert(1, finding, "");
    let garbage = [&gzip("Grüße\n".as_bytes())[..], &zeros, b"and more"].concat();
    fs::write(path.join("more.gz"), &garbage).unwrap();
    let warning = "utflane: more.gz: warning: the bytes after its compressed text are left out\n";
    run(path, ["check", "-z", "more.gz"]).assert(0, "", warning);
    run(path, ["repair", "-qz", "more.gz"]).assert(0, "Grüße\n", warning);
    let arguments = ["convert", "-z", "-f", "utf-8", "-t", "utf-8", "more.gz"];
    run(path, arguments).assert(0, "Grüße\n", warning);
    // A truncated second member is an error.
    fs::write(path.join("cut.gz"), &twice[..twice.len() - 520]).unwrap();
    assert_eq!(run(path, ["check", "-qz", "cut.gz"]).status, Some(2));
}

/// A small file must not use all memory when a command needs the whole text.
#[test]
fn the_memory_for_a_decompressed_text_is_limited() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("bomb.gz"), gzip(&vec![b'a'; 70 << 20]).repeat(2)).unwrap();
    let trouble = "utflane: bomb.gz: the decompressed text needs at least 272 MiB of memory, \
                   but one file may take 256 MiB of the 512 MiB for all files: decompress it \
                   first, and leave out -z\n";
    for command in
        [&["repair", "-z", "bomb.gz", "-o", "out"][..], &["check", "-z", "--mojibake", "bomb.gz"]]
    {
        run(directory.path(), command).assert(2, "", trouble);
    }
    assert!(!directory.path().join("out").exists());
    run(directory.path(), ["check", "-z", "bomb.gz"]).assert(0, "", "");
}
