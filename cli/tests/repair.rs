//! `utflane repair` undoes damage and changes nothing else.

mod common;

use std::fs;
use std::time::{Duration, SystemTime};

use common::{Run, feed, run, utflane};

fn repair(mode: &str, bytes: &[u8]) -> Run {
    feed(&mut utflane(["repair", "-q", "--mode", mode]), bytes)
}

/// `text` as if its UTF-8 were windows-1252, by `encoding_rs`.
fn damaged(text: &str) -> String {
    encoding_rs::WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned()
}

#[test]
fn damage_is_undone() {
    let text = "„Größe“, naïve café – 100 €, 😀\n".repeat(1000);
    let once = damaged(&text);
    let twice = damaged(&once);
    repair("all", once.as_bytes()).assert(0, &text, "");
    repair("all", twice.as_bytes()).assert(0, &text, "");
    repair("once", twice.as_bytes()).assert(0, &once, "");
    repair("windows-1252", once.as_bytes()).assert(0, &text, "");
    repair("latin1", "fÃ¶rste".as_bytes()).assert(0, "förste", "");
    repair("runs", "först, fÃ¶rst".as_bytes()).assert(0, "först, först", "");
    repair("runs-all", "först, fÃ¶rst, fÃƒÂ¶rst".as_bytes()).assert(0, "först, först, först", "");
    // A byte order mark is no part of the damage.
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
    let refusal = "utflane: -: not what this mode undoes, nothing is written: try --mode all\n";
    repair("latin1", "först".as_bytes()).assert(1, "", refusal);
    let refused = "-:2:2: byte 3: sequence too short (C3)\n";
    repair("all", b"a\nb\xC3c").assert(1, "", refused);
    let advice = "utflane: -: only text in UTF-8 is repaired: see `utflane detect`, \
                  and --on-invalid of `utflane convert`\n";
    feed(&mut utflane(["repair"]), b"a\nb\xC3c").assert(1, "", &format!("{refused}{advice}"));
}

#[test]
fn blanks_are_no_break_spaces_only_where_asked() {
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
    let refusal = "utflane: --no-break-spaces: not with --mode latin1 or windows-1252\n";
    repair("latin1", text).assert(2, "", refusal);
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
    // A file without damage is not even written; another output is.
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
