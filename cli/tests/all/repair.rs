//! Tests that `utflane repair` undoes double encoding and changes nothing else.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::common::{Run, feed, run, utflane};

fn repair(mode: &str, bytes: &[u8]) -> Run {
    feed(&mut utflane(["repair", "-q", "--mode", mode]), bytes)
}

/// Returns `text` in double encoding: `encoding_rs` decodes its UTF-8 bytes as windows-1252.
fn double_encode(text: &str) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
}

#[test]
fn double_encoding_is_undone() {
    let text = "„Größe“, naïve café – 100 €, 😀\n".repeat(1000);
    let once = double_encode(&text);
    let twice = double_encode(&once);
    repair("all", once.as_bytes()).assert(0, &text, "");
    repair("all", twice.as_bytes()).assert(0, &text, "");
    repair("once", twice.as_bytes()).assert(0, &once, "");
    repair("windows-1252", once.as_bytes()).assert(0, &text, "");
    repair("latin1", "fÃ¶rste".as_bytes()).assert(0, "förste", "");
    repair("runs", "först, fÃ¶rst".as_bytes()).assert(0, "först, först", "");
    repair("runs-all", "först, fÃ¶rst, fÃƒÂ¶rst".as_bytes()).assert(0, "först, först, först", "");
    // A byte order mark is not part of the double-encoded text.
    repair("all", "\u{FEFF}fÃ¶rste".as_bytes()).assert(0, "\u{FEFF}förste", "");
}

#[test]
fn nothing_else_is_changed() {
    let texts = [
        "",
        "ascii\n",
        "\u{FEFF}smörgåsbord",
        "« déjà vu »",
        "CAFÉ™",
        "först, fÃ¶rst",
        "日本語",
        "POSPÍŠIL",
    ];
    for text in texts {
        for mode in ["all", "once"] {
            repair(mode, text.as_bytes()).assert(0, text, "");
        }
    }
    let refusal = "utflane: -: the text has no double encoding that this mode undoes: nothing is \
                   written, try --mode all\n";
    repair("latin1", "först".as_bytes()).assert(1, "", refusal);
    let refused = "-:2:2: byte 3: sequence too short (C3)\n";
    repair("all", b"a\nb\xC3c").assert(1, "", refused);
    let advice = "utflane: -: only text in UTF-8 is repaired: see `utflane detect`, \
                  and --on-invalid of `utflane convert`\n";
    feed(&mut utflane(["repair"]), b"a\nb\xC3c").assert(1, "", &format!("{refused}{advice}"));
}

#[test]
fn spaces_are_read_as_no_break_spaces_only_on_request() {
    let repair = |mode: &str, text: &str| {
        feed(&mut utflane(["repair", "-q", "--no-break-spaces", "--mode", mode]), text.as_bytes())
    };
    repair("all", "dÃ©jÃ vu, Ã la carte\n").assert(0, "déjà vu, à la carte\n", "");
    repair("once", "5Â km").assert(0, "5\u{A0}km", "");
    for mode in ["runs", "runs-all"] {
        repair(mode, "ö, Ã la carte, È vero").assert(0, "ö, à la carte, È vero", "");
    }
    let text = "Ã la carte";
    feed(&mut utflane(["repair", "-q"]), text.as_bytes()).assert(0, text, "");
}

#[test]
fn a_note_says_what_was_done() {
    let note = |text: &str| feed(&mut utflane(["repair"]), text.as_bytes()).err;
    assert_eq!(note("först"), "utflane: -: no double encoding found, nothing is changed\n");
    assert_eq!(note("fÃ¶rst"), "utflane: -: double encoding undone\n");
    assert_eq!(note("fÃƒÂ¶rst"), "utflane: -: double encoding undone, 2 times\n");
}

#[test]
fn the_file_itself_can_be_repaired() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    let long_ago = SystemTime::now() - Duration::from_secs(1000);
    let write = |text: &str| {
        fs::write(&file, text).unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    };
    let modified = || fs::metadata(&file).unwrap().modified().unwrap();
    write("fÃ¶rste");
    run(directory.path(), ["repair", "-q", "file", "-o", "./file"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "förste");
    assert!(modified() != long_ago);
    // A file without double encoding is not written. Another output is written anyway.
    write("förste");
    run(directory.path(), ["repair", "-q", "file", "-o", "./file"]).assert(0, "", "");
    assert_eq!(modified(), long_ago);
    run(directory.path(), ["repair", "-q", "file", "-o", "other"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(directory.path().join("other")).unwrap(), "förste");
    // A file that is refused leaves the output as it was.
    fs::write(&file, b"\xFF").unwrap();
    assert_eq!(run(directory.path(), ["repair", "file", "-o", "other"]).status, Some(1));
    assert_eq!(fs::read_to_string(directory.path().join("other")).unwrap(), "förste");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

/// Returns a directory with four files: two are double-encoded, one is correct, and one is not
/// UTF-8.
fn make_directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(directory.path().join(name), text).unwrap();
    fs::create_dir(directory.path().join("sub")).unwrap();
    write("bad", "ok\nfÃ¶rste".as_bytes());
    write("good", "först".as_bytes());
    write("sub/worse", "\u{FEFF}schÃƒÂ¶n".as_bytes());
    write("sub/wrong", b"gr\xFC\xDFe");
    directory
}

const BAD_FINDING: &str = "bad:2:2: byte 4: double encoding (C3 83 C2 B6)\n";
const WORSE_FINDING: &str = "sub/worse:1:5: byte 6: double encoding (C3 83 C6 92 C3 82 C2 B6)\n";

#[test]
fn double_encoding_is_reported_without_writing() {
    let directory = make_directory();
    let path = directory.path();
    run(path, ["repair", "-n", "bad", "good"]).assert(1, BAD_FINDING, "");
    run(path, ["repair", "-n", "good"]).assert(0, "", "");
    run(path, ["repair", "--dry-run", "-r", "-q"]).assert(
        1,
        &format!("{BAD_FINDING}{WORSE_FINDING}"),
        "sub/wrong:1:3: byte 2: invalid lead byte (FC)\n",
    );
    run(path, ["repair", "-l", "good", "bad", "sub/worse"]).assert(1, "bad\nsub/worse\n", "");
    run(path, ["repair", "-l0", "bad", "sub/worse"]).assert(1, "bad\0sub/worse\0", "");
    run(path, ["repair", "-l", "good"]).assert(0, "", "");
    feed(&mut utflane(["repair", "-n"]), "fÃ¶rste".as_bytes()).assert(
        1,
        "-:1:2: byte 1: double encoding (C3 83 C2 B6)\n",
        "",
    );
    // A text in which only a part is double-encoded is reported only in the mode that repairs it.
    fs::write(path.join("mixed"), "först, fÃ¶rst").unwrap();
    run(path, ["repair", "-n", "mixed"]).assert(0, "", "");
    let mixed = "mixed:1:9: byte 9: double encoding (C3 83 C2 B6)\n";
    run(path, ["repair", "-n", "--mode", "runs", "mixed"]).assert(1, mixed, "");
    assert_eq!(run(path, ["repair", "-n", "none"]).status, Some(2));
    assert_eq!(fs::read_to_string(path.join("bad")).unwrap(), "ok\nfÃ¶rste");
}

#[test]
fn many_files_are_repaired_in_place() {
    let directory = make_directory();
    let path = directory.path();
    let good = fs::metadata(path.join("good")).unwrap().modified().unwrap();
    let seen = run(path, ["repair", "-i", "-r"]);
    let err = "utflane: bad: double encoding undone\n\
               utflane: sub/worse: double encoding undone, 2 times\n\
               sub/wrong:1:3: byte 2: invalid lead byte (FC)\n";
    assert!(seen.err.starts_with(err), "{seen:?}");
    let summary = "utflane: 2 of 4 files repaired, 1 unchanged, 1 refused\n";
    assert!(seen.status == Some(1) && seen.err.ends_with(summary), "{seen:?}");
    assert_eq!(fs::read_to_string(path.join("bad")).unwrap(), "ok\nförste");
    assert_eq!(fs::read_to_string(path.join("sub/worse")).unwrap(), "\u{FEFF}schön");
    assert_eq!(fs::read(path.join("sub/wrong")).unwrap(), b"gr\xFC\xDFe");
    assert_eq!(fs::metadata(path.join("good")).unwrap().modified().unwrap(), good);
    // All files in UTF-8 are written to the output directory.
    let directory = make_directory();
    let path = directory.path();
    fs::create_dir(path.join("out")).unwrap();
    run(path, ["repair", "-q", "-O", "out", "bad", "good"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(path.join("out/good")).unwrap(), "först");
    assert_eq!(fs::read_to_string(path.join("out/bad")).unwrap(), "ok\nförste");
    let refused = "utflane: good: several files need --in-place or --output-dir (see --help)\n";
    run(path, ["repair", "bad", "good"]).assert(2, "", refused);
    // A file that is named twice is repaired once.
    let summary = "utflane: 0 of 1 file repaired, 1 unchanged\n";
    run(path, ["repair", "-i", "out/bad", "out/../out/bad"]).assert(0, "", summary);
}

#[test]
fn a_check_finds_double_encoding() {
    let directory = make_directory();
    let path = directory.path();
    run(path, ["check", "-q", "-r"]).assert(
        1,
        "sub/wrong:1:3: byte 2: invalid lead byte (FC)\n",
        "",
    );
    let all =
        format!("{BAD_FINDING}{WORSE_FINDING}sub/wrong:1:3: byte 2: invalid lead byte (FC)\n");
    run(path, ["check", "-q", "-r", "--mojibake"]).assert(1, &all, "");
    run(path, ["check", "--mojibake", "good"]).assert(0, "", "");
    run(path, ["check", "-l", "--mojibake", "good", "bad"]).assert(1, "bad\n", "");
    fs::write(path.join("mixed"), "först, fÃ¶rst").unwrap();
    run(path, ["check", "--mojibake", "mixed"]).assert(0, "", "");
    let mixed = "mixed:1:9: byte 9: double encoding (C3 83 C2 B6)\n";
    run(path, ["check", "--mojibake=runs", "mixed"]).assert(1, mixed, "");
    let json = run(path, ["check", "--json", "--mojibake", "bad"]);
    assert!(json.text().contains(r#""kind":"double-encoding","line":2"#), "{json:?}");
    let excerpt = run(path, ["check", "--excerpt=always", "--mojibake", "bad"]);
    assert!(excerpt.text().ends_with("  fÃ¶rste\n   ^^\n"), "{excerpt:?}");
}
