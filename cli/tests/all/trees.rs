//! Tests of the conversion of whole directories: `convert -r -i`, `--glob`, `--backup`,
//! `--dry-run`, and the order of messages.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::common::{Run, print_notice, run};
use tempfile::TempDir;

const TO_UTF8: [&str; 5] = ["convert", "-f", "auto", "-t", "utf-8"];

/// A German text that Latin-1 can encode, long enough for the detector.
const GERMAN: &str =
    "Die Größe der Bäume überraschte die Gäste; süße Früchte hängen über Straßen.\n";

/// Bytes that are text in many encodings, so that the detector is not sure.
const UNSURE: &[u8] = b"abc\x82\xA0\x81\n\xFDz";

fn to_latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

/// Returns a directory of files in several encodings, last changed long ago.
fn make_tree() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    for directory in ["docs", "docs/deep", ".git"] {
        fs::create_dir(root.join(directory)).unwrap();
    }
    for (name, bytes) in [
        ("docs/deep/old.txt", to_latin1(GERMAN)),
        ("docs/old.csv", to_latin1(&GERMAN.repeat(3))),
        ("docs/new.txt", GERMAN.as_bytes().to_vec()),
        ("ascii.txt", b"plain\n".to_vec()),
        ("empty.txt", Vec::new()),
        ("marked.txt", b"\xEF\xBB\xBFmarked\n".to_vec()),
        (
            "picture.png",
            b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0".repeat(20),
        ),
        ("unsure.txt", UNSURE.to_vec()),
        ("wide.txt", b"\xFF\xFEw\0i\0d\0e\0".to_vec()),
        (".git/config", to_latin1(GERMAN)),
    ] {
        let path = root.join(name);
        fs::write(&path, bytes).unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(1000);
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    directory
}

/// Returns the bytes, the inode number and the modification time of each file below `directory`.
fn read_tree(directory: &Path) -> BTreeMap<String, (Vec<u8>, u64, SystemTime)> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let inner = read_tree(&entry.path());
            files.extend(inner.into_iter().map(|(path, state)| (format!("{name}/{path}"), state)));
        } else {
            let found = entry.metadata().unwrap();
            let bytes = fs::read(entry.path()).unwrap();
            files.insert(name, (bytes, found.ino(), found.modified().unwrap()));
        }
    }
    files
}

fn convert(directory: &Path, arguments: &[&str]) -> Run {
    run(directory, TO_UTF8.iter().chain(arguments))
}

/// The summary of a conversion of the files of [`make_tree`].
const SUMMARY: &str = "4 of 9 files converted, 3 unchanged, 1 refused, 1 skipped as binary\n";

#[test]
fn a_tree_is_converted_and_the_rest_is_untouched() {
    let directory = make_tree();
    let path = directory.path();
    let before = read_tree(path);
    let seen = convert(path, &["-r", "-i"]);
    assert_eq!((seen.status, seen.text()), (Some(1), ""));
    let lines: Vec<&str> = seen.err.lines().collect();
    for (line, start) in lines.iter().zip([
        "utflane: docs/deep/old.txt: detected as ",
        "utflane: docs/old.csv: detected as ",
        "utflane: marked.txt: detected as utf-8 (certain)",
        "utflane: picture.png: skipped as binary: ",
        "utflane: unsure.txt: the encoding is uncertain; it may be ",
        "utflane: wide.txt: detected as utf-16le (certain)",
        "utflane: 4 of 9 files converted, 3 unchanged, 1 refused, 1 skipped as binary",
    ]) {
        assert!(line.starts_with(start), "{line} {start}");
    }
    assert_eq!(lines.len(), 7, "{seen:?}");
    let after = read_tree(path);
    let names: Vec<_> = after.keys().collect();
    assert_eq!(names, before.keys().collect::<Vec<_>>(), "no temporary file is left");
    for name in
        ["docs/new.txt", "ascii.txt", "empty.txt", "picture.png", "unsure.txt", ".git/config"]
    {
        assert_eq!(after[name], before[name], "{name}");
    }
    assert_eq!(after["docs/deep/old.txt"].0, GERMAN.as_bytes());
    assert_eq!(after["docs/old.csv"].0, GERMAN.repeat(3).as_bytes());
    assert_eq!((&*after["marked.txt"].0, &*after["wide.txt"].0), (&b"marked\n"[..], &b"wide"[..]));
    // A second run changes nothing.
    let again = convert(path, &["-qri"]);
    assert_eq!((again.status, again.err.lines().count()), (Some(1), 1), "{again:?}");
    assert_eq!(read_tree(path), after);
}

#[test]
fn a_dry_run_writes_nothing_and_reports_the_same() {
    let directory = make_tree();
    let path = directory.path();
    let before = read_tree(path);
    let seen = convert(path, &["-r", "-i", "--dry-run", "--backup", ".bak"]);
    assert_eq!(read_tree(path), before);
    let lines: Vec<&str> = seen.text().lines().collect();
    for (line, start) in lines.iter().zip([
        "ascii.txt: unchanged",
        "docs/deep/old.txt: would be converted from ",
        "docs/new.txt: unchanged",
        "docs/old.csv: would be converted from ",
        "empty.txt: unchanged",
        "marked.txt: would be converted from utf-8",
        "picture.png: skipped as binary: ",
        "wide.txt: would be converted from utf-16le",
    ]) {
        assert!(line.starts_with(start), "{line} {start}");
    }
    assert_eq!(lines.len(), 8);
    assert!(seen.err.contains("utflane: unsure.txt: the encoding is uncertain"), "{seen:?}");
    let real = convert(path, &["-r", "-i", "--backup", ".bak"]);
    assert_eq!(seen.status, real.status);
    assert!(real.err.ends_with(&format!("utflane: {SUMMARY}")), "{real:?}");
    let would = SUMMARY.replace("converted", "would be converted");
    assert!(seen.err.ends_with(&format!("utflane: {would}")), "{seen:?}");
    // Without -i, standard output has the report instead of the text, and -o writes no file.
    fs::write(path.join("one"), to_latin1(GERMAN)).unwrap();
    let arguments = ["convert", "-qnf", "latin1", "-t", "utf-8", "one"];
    run(path, arguments).assert(0, "one: would be converted from latin1\n", "");
    run(path, arguments.iter().chain(&["-o", "two"])).assert(
        0,
        "one: would be converted from latin1\n",
        "",
    );
    assert!(!path.join("two").exists());
    let stopped = run(path, ["convert", "-n", "-f", "latin1", "-t", "ascii", "-i", "one"]);
    let finding = "one:1:7: byte 6: character not in the target encoding (F6)\n";
    let summary = "utflane: 0 of 1 file would be converted, 1 refused\n";
    stopped.assert(1, "", &format!("{finding}utflane: one: would stay as it is\n{summary}"));
    // A backup that exists already is an error, and other hard links are reported.
    fs::write(path.join("one.bak"), "").unwrap();
    let refused = run(path, [&arguments[..5], &["-i", "--backup", ".bak", "one"]].concat());
    let reason = "would not be converted: its backup one.bak exists already: remove it, or name \
                  another SUFFIX";
    refused.assert(2, "", &format!("utflane: one: {reason}\n"));
    fs::hard_link(path.join("one"), path.join("other")).unwrap();
    let linked = run(path, ["convert", "-nf", "latin1", "-t", "utf-8", "-i", "one"]);
    linked.assert(
        0,
        "one: would be converted from latin1\n",
        "utflane: one: its other hard links would keep the old text\n\
         utflane: 1 of 1 file would be converted\n",
    );
}

/// A dry run fails if a file can't be replaced because of its rights or of its directory's. A file
/// that stays as it is may be read-only.
#[test]
fn a_dry_run_tests_the_rights() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let directory = make_tree();
    let path = directory.path();
    let locked = fs::Permissions::from_mode(0o555);
    for name in ["docs/deep/old.txt", "docs", "docs/deep", "docs/old.csv"] {
        let mode = if name.ends_with(".csv") { 0o644 } else { 0o777 };
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(path.join("docs/deep"), locked).unwrap();
    let mut command = crate::common::utflane(TO_UTF8.iter().chain(&["-qri", "docs"]));
    if rustix::process::geteuid().is_root() {
        command.uid(65534).gid(65534);
    } else {
        fs::set_permissions(path.join("docs/old.csv"), fs::Permissions::from_mode(0o444)).unwrap();
    }
    let Ok(real) = command.current_dir(path).output().map(Run::from) else {
        print_notice("NOT TESTED: another user");
        return;
    };
    let dry = Run::from(command.arg("-n").output().unwrap());
    let want = "utflane: docs/deep/old.txt: can't create a temporary file in docs/deep: Permission \
                denied\nutflane: docs/old.csv: Permission denied\n";
    assert_eq!((real.status, &*real.err), (Some(2), want));
    let names = ["docs/deep/old.txt: ", "docs/old.csv: "];
    let want = names.iter().fold(want.to_string(), |want, name| {
        want.replacen(name, &format!("{name}would not be converted: "), 1)
    });
    assert_eq!((dry.status, dry.err), (Some(2), want));
    fs::set_permissions(path.join("docs/deep"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn globs_select_files() {
    let directory = make_tree();
    let path = directory.path();
    let list = |command: &str, globs: &[&str]| {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.extend(globs.iter().flat_map(|glob| ["-g", glob]));
        let out = run(path, arguments);
        assert_ne!(out.status, Some(2), "{out:?}");
        out.text()
            .lines()
            .map(|line| line.split(':').next().unwrap().into())
            .collect::<Vec<String>>()
    };
    let detect = |globs: &[&str]| list("detect -r", globs);
    assert_eq!(detect(&["*.csv", "w*"]), ["docs/old.csv", "wide.txt"]);
    assert_eq!(detect(&["docs/*.txt"]), ["docs/new.txt"]);
    assert_eq!(detect(&["docs/**", "!*.csv"]), ["docs/deep/old.txt", "docs/new.txt"]);
    assert_eq!(detect(&["!docs", "!*e*"]), ["ascii.txt"]);
    assert_eq!(list("check -rl", &["docs/**"]), ["docs/deep/old.txt", "docs/old.csv"]);
    assert_eq!(list("check -rl docs", &["*.csv"]), ["docs/old.csv"]);
    assert_eq!(list("count -r --json -e auto", &["*.csv"]).len(), 1);
    assert_eq!(
        list("convert -rnif auto -t utf-8", &["!*.png", "!unsure.*", "!docs"]),
        ["ascii.txt", "empty.txt", "marked.txt", "wide.txt"]
    );
    fs::write(path.join("docs/new.txt"), "fÃ¶rste").unwrap();
    assert_eq!(list("repair -rnq", &["new*"]), ["docs/new.txt"]);
    // A glob takes precedence over ignore files.
    fs::write(path.join(".ignore"), "*.csv\n").unwrap();
    assert_eq!(list("check -rl docs", &[]), ["docs/deep/old.txt"]);
    assert_eq!(list("check -rl docs", &["*.csv"]), ["docs/old.csv"]);
    // Files that are named as arguments are always read.
    assert_eq!(list("detect -r wide.txt docs", &["*.csv"]), ["wide.txt", "docs/old.csv"]);
    for (glob, reason) in
        [(["-rg", "{a"], "unclosed alternate"), (["-g", "*"], "it needs --recursive (-r)")]
    {
        let usage = run(path, ["check"].iter().chain(&glob));
        assert!(usage.status == Some(2) && usage.err.contains(reason), "{usage:?}");
    }
}

#[test]
fn a_backup_is_the_old_file() {
    let directory = make_tree();
    let path = directory.path();
    let before = read_tree(path);
    fs::write(path.join("docs/deep/old.txt.bak"), "another").unwrap();
    symlink("docs/old.csv", path.join("link.txt")).unwrap();
    let arguments =
        ["-i", "--backup", ".bak", "link.txt", "docs/deep/old.txt", "docs/new.txt", "wide.txt"];
    let seen = convert(path, &[&["-q"], &arguments[..]].concat());
    let reason =
        "its backup docs/deep/old.txt.bak exists already: remove it, or name another SUFFIX";
    seen.assert(2, "", &format!("utflane: docs/deep/old.txt: {reason}\n"));
    let after = read_tree(path);
    for name in ["docs/old.csv", "wide.txt"] {
        assert_eq!(after[&format!("{name}.bak")], before[name]);
        assert_ne!(after[name], before[name]);
    }
    assert_eq!(after["docs/deep/old.txt"], before["docs/deep/old.txt"]);
    assert_eq!(after["docs/deep/old.txt.bak"].0, b"another");
    assert!(fs::symlink_metadata(path.join("link.txt")).unwrap().is_symlink());
    assert_eq!(after.len(), before.len() + 4);
    // Backups in directories are not converted, unless they are named.
    let listed =
        |files: &[&str]| convert(path, &[&arguments[..3], &["-rnq", "-g*.bak"], files].concat());
    listed(&[]).assert(0, "", "");
    assert!(listed(&["wide.txt.bak"]).text().starts_with("wide.txt.bak: would be converted"));
    // `repair` keeps backups as well.
    fs::write(path.join("damaged"), "fÃ¶rste").unwrap();
    run(path, ["repair", "-qi", "--backup", "~", "damaged", "ascii.txt"]).assert(0, "", "");
    assert_eq!(fs::read_to_string(path.join("damaged")).unwrap(), "förste");
    assert_eq!(fs::read_to_string(path.join("damaged~")).unwrap(), "fÃ¶rste");
    assert!(!path.join("ascii.txt~").exists());
    for arguments in [&["--backup", ".bak", "damaged"][..], &["-i", "--backup", "a/b", "damaged"]] {
        assert_eq!(convert(path, arguments).status, Some(2));
    }
}

/// Files that can't be text are skipped even if the encoding is named.
#[test]
fn binary_files_are_skipped_in_named_encodings() {
    let directory = make_tree();
    let path = directory.path();
    let before = read_tree(path);
    let arguments = ["convert", "-f", "windows-1252", "-t", "utf-8", "--skip-valid", "-ri"];
    let seen = run(path, arguments.iter().chain(&["-g", "{docs/**,*.png}"]));
    let reason = "utflane: picture.png: skipped as binary: ";
    assert!(seen.err.starts_with(reason), "{seen:?}");
    let summary = "utflane: 2 of 4 files converted, 1 unchanged, 1 skipped as binary\n";
    assert!(seen.status == Some(0) && seen.err.ends_with(summary), "{seen:?}");
    assert_eq!(read_tree(path)["picture.png"], before["picture.png"]);
    let repaired = run(path, ["repair", "-ri", "-g", "*.png"]);
    assert!(repaired.status == Some(0) && repaired.err.starts_with(reason), "{repaired:?}");
}

/// In a named encoding, files that have NUL bytes or begin like a known format are skipped even if
/// the detector is not sure about them. In UTF-8, NUL is a character like others.
#[test]
fn data_that_may_be_text_is_skipped_in_named_encodings() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let table: Vec<u8> = (0..600).flat_map(|i: u32| (40 + i * 7 % 50).to_le_bytes()).collect();
    let catalogue = [&b"\xDE\x12\x04\x95"[..], &b"ein Wort\n".repeat(50)].concat();
    for (name, bytes) in [
        ("catalogue.mo", &catalogue[..]),
        ("library.a", b"!<arch>\nname/  \xE9\n"),
        ("names", b"na\xEFve\0caf\xE9\0"),
        ("table", &table),
        ("text", b"caf\xE9\n"),
    ] {
        fs::write(path.join(name), bytes).unwrap();
    }
    let before = read_tree(path);
    let want = "utflane: catalogue.mo: skipped as binary: begins like a catalogue of translations\n\
                utflane: library.a: skipped as binary: begins like an archive of ar\n\
                utflane: names: skipped as binary: many control characters: hardly text\n\
                utflane: table: skipped as binary: has NUL bytes\n\
                utflane: 1 of 5 files converted, 4 skipped as binary\n";
    run(path, ["convert", "-f", "latin1", "-t", "utf-8", "-ri"]).assert(0, "", want);
    let after = read_tree(path);
    assert!(before.iter().all(|(name, file)| name == "text" || after[name] == *file));
    fs::write(path.join("names"), "größe\0naïve\0").unwrap();
    let seen = run(path, ["convert", "-f", "utf-8", "-t", "utf-16le", "-ri", "-g", "names"]);
    assert_eq!(seen.status, Some(0), "{seen:?}");
}

/// In encodings whose text has the bytes of control characters, files of known binary formats are
/// skipped, and other files are read.
#[test]
fn known_formats_are_skipped_in_utf16_and_ebcdic() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let picture = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\x01\0".repeat(20);
    fs::write(path.join("picture"), &picture).unwrap();
    fs::write(path.join("zipped"), b"PK\x03\x04\x14\0\0\0").unwrap();
    let hello = b"\xC8\x85\x93\x93\x96\x25";
    for (from, bytes) in [("utf-16le", &b"a\0\n\0"[..]), ("utf-16", b"a\0\n\0"), ("cp037", hello)] {
        fs::write(path.join("text"), bytes).unwrap();
        let seen = run(path, ["convert", "-f", from, "-t", "utf-8", "-ri"]);
        let want = "utflane: picture: skipped as binary: begins like a PNG image\n\
                    utflane: zipped: skipped as binary: begins like a ZIP archive\n\
                    utflane: 1 of 3 files converted, 2 skipped as binary\n";
        seen.assert(0, "", want);
        assert_eq!(fs::read(path.join("picture")).unwrap(), picture);
    }
    // A UTF-8 file is still recognised.
    fs::write(path.join("text"), "größe!\n").unwrap();
    let seen = run(path, ["convert", "-qf", "cp037", "-t", "utf-8", "-rin", "-g", "text"]);
    assert!(seen.err.contains("warning: it is valid UTF-8"), "{seen:?}");
}

/// A file that several arguments lead to is converted once: a second conversion would damage it.
#[test]
fn a_file_that_is_named_twice_is_converted_once() {
    let directory = make_tree();
    let path = directory.path();
    symlink("docs", path.join("linked")).unwrap();
    symlink("docs/old.csv", path.join("link.csv")).unwrap();
    fs::create_dir(path.join("out")).unwrap();
    let files = ["docs", "docs/deep", "docs/old.csv", "link.csv", "linked", "./docs/../docs"];
    let latin1 = ["convert", "-f", "latin1", "-t", "utf-8", "-q", "-r"];
    let into = [&latin1[..], &["-O", "out"], &files[1..4]].concat();
    run(path, &into).assert(0, "", "");
    assert_eq!(fs::read_dir(path.join("out")).unwrap().count(), 2);
    fs::remove_file(path.join("docs/new.txt")).unwrap();
    run(path, [&latin1[..], &["-i"], &files].concat()).assert(0, "", "");
    assert_eq!(fs::read_to_string(path.join("docs/deep/old.txt")).unwrap(), GERMAN);
    assert_eq!(fs::read_to_string(path.join("docs/old.csv")).unwrap(), GERMAN.repeat(3));
}

/// The messages and the results don't depend on the number of threads.
#[test]
fn messages_are_in_the_order_of_the_files() {
    let results = ["1", "2", "8"].map(|jobs| {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        for i in 0..200 {
            let text = if i % 7 == 3 { "é €".repeat(i * 200) } else { "é".repeat(i * 300) };
            fs::write(path.join(format!("f{i:03}")), text).unwrap();
        }
        fs::write(path.join("f000"), "ascii").unwrap();
        let seen = run(path, ["convert", "-f", "utf-8", "-t", "latin1", "-j", jobs, "-ri"]);
        let texts: BTreeMap<_, _> =
            read_tree(path).into_iter().map(|(name, (bytes, ..))| (name, bytes)).collect();
        assert_eq!((seen.status, texts.len()), (Some(1), 200));
        (seen, texts)
    });
    assert!(results[0] == results[1] && results[0] == results[2]);
    let lines: Vec<&str> = results[0].0.err.lines().collect();
    assert!(lines[0].starts_with("f003:1:3: byte 3: character not in"), "{}", lines[0]);
    assert_eq!(lines[1], "utflane: f003: left as it was");
    assert_eq!(lines.last(), Some(&"utflane: 170 of 200 files converted, 1 unchanged, 29 refused"));
    assert_eq!(lines.len(), 2 * 29 + 1);
}

#[test]
fn long_files_in_which_one_character_changes_are_converted() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let ascii = "x".repeat(300_000);
    for (name, old, new) in [
        (
            "middle",
            [ascii.as_bytes(), b"\xE9", ascii.as_bytes()].concat(),
            format!("{ascii}é{ascii}"),
        ),
        ("end", [ascii.as_bytes(), b"\xE9"].concat(), format!("{ascii}é")),
        ("start", [b"\xE9", ascii.as_bytes()].concat(), format!("é{ascii}")),
    ] {
        fs::write(path.join(name), old).unwrap();
        run(path, ["convert", "-qf", "latin1", "-t", "utf-8", "-i", name]).assert(0, "", "");
        assert!(fs::read_to_string(path.join(name)).unwrap() == new, "{name}");
    }
    // The new text is shorter.
    fs::write(path.join("shorter"), format!("{ascii}\r\n")).unwrap();
    let shorten = ["convert", "-qf", "ascii", "-t", "ascii", "--eol", "lf", "-i", "shorter"];
    run(path, shorten).assert(0, "", "");
    assert!(fs::read_to_string(path.join("shorter")).unwrap() == format!("{ascii}\n"));
    // The new text is the beginning of the old text.
    fs::write(path.join("cut"), format!("{ascii}€")).unwrap();
    let omit = ["convert", "-qf", "utf-8", "-t", "ascii", "-c", "-i", "cut"];
    run(path, omit).assert(0, "", "");
    assert!(fs::read_to_string(path.join("cut")).unwrap() == ascii);
}
