//! The files that packages ship with the program: completions for shells in `completions/`, and
//! manual pages in `man/`. They are generated from the definitions of the arguments. A test
//! compares the existing files with generated ones:
//!
//! ```sh
//! cargo test -p utflane-cli --bins shipped
//! UTFLANE_WRITE_SHIPPED=1 cargo test -p utflane-cli --bins shipped # writes them
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{Command, CommandFactory, Parser};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Arguments;

/// Returns all generated files by their paths in the package.
fn generate() -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "utflane", &mut text);
        files.insert(Path::new("completions").join(shell.file_name("utflane")), text);
    }
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    add_page(&command, "utflane", &mut files)?;
    for subcommand in &subcommands {
        add_page(subcommand, &format!("utflane-{}", subcommand.get_name()), &mut files)?;
    }
    Ok(files)
}

/// Adds the manual page of a command. The end of its help becomes separate sections.
fn add_page(
    command: &Command,
    name: &str,
    files: &mut BTreeMap<PathBuf, Vec<u8>>,
) -> io::Result<()> {
    let help_end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut text = Vec::new();
    Man::new(command.clone().after_help(None))
        .title(name.to_uppercase())
        .source(format!("utflane {}", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
        .render(&mut text)?;
    let mut sections = Roff::new();
    for part in help_end.split("\n\n") {
        add_section(part, &mut sections);
    }
    sections.to_writer(&mut text)?;
    files.insert(Path::new("man").join(format!("{name}.1")), text);
    Ok(())
}

/// Adds a section with a part of a help text: indented lines, such as examples, line by line, and
/// other text as a paragraph.
fn add_section(part: &str, roff: &mut Roff) {
    let (head, rest) = part.split_once(':').unwrap_or(("", part));
    let (title, text) = match head {
        "Examples" => ("EXAMPLES", rest),
        "Exit status" => ("EXIT STATUS", rest),
        "Encodings (ENC)" => ("ENCODINGS", part),
        _ => ("NOTES", part),
    };
    roff.control("SH", [title]);
    if text.contains("\n  ") {
        roff.control("nf", []);
        for line in text.trim_start_matches('\n').lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    } else {
        roff.text([roman(text.trim())]);
    }
}

/// Returns the existing files of both folders by their paths in the package.
fn read_existing() -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for directory in ["completions", "man"] {
        let Ok(entries) = fs::read_dir(package_path().join(directory)) else { continue };
        for entry in entries {
            let entry = entry?;
            files.insert(Path::new(directory).join(entry.file_name()), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

fn package_path() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn completions_and_manual_pages_are_current() {
    let files = generate().unwrap();
    if env::var_os("UTFLANE_WRITE_SHIPPED").is_some() {
        for path in read_existing().unwrap().keys() {
            fs::remove_file(package_path().join(path)).unwrap();
        }
        for (path, text) in &files {
            let path = package_path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let existing = read_existing().unwrap();
    assert_eq!(existing.keys().collect::<Vec<_>>(), files.keys().collect::<Vec<_>>());
    for (path, text) in &files {
        // A checkout on Windows may have other line ends.
        let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
        assert!(
            lines(&existing[path]) == lines(text),
            "{} is not current: UTFLANE_WRITE_SHIPPED=1 cargo test -p utflane-cli --bins shipped",
            path.display()
        );
    }
}

/// Tests that the hooks for pre-commit run commands that exist, on files.
#[test]
fn the_hooks_are_valid() {
    let Ok(text) = fs::read_to_string(package_path().join("../.pre-commit-hooks.yaml")) else {
        return; // the package alone does not have this file
    };
    let mut ids = Vec::new();
    for hook in text.split("\n- ").skip(1) {
        let fields: BTreeMap<_, _> =
            hook.lines().map(|line| line.trim().split_once(": ").unwrap()).collect();
        let names: Vec<_> = fields.keys().copied().collect();
        assert_eq!(names, ["entry", "id", "language", "name", "types"]);
        assert_eq!((fields["language"], fields["types"]), ("system", "[text]"));
        let command = fields["entry"].split(' ').chain(["one", "two"]);
        assert!(Arguments::try_parse_from(command).is_ok(), "{hook}");
        ids.push(fields["id"]);
    }
    assert_eq!(ids, ["utflane-check", "utflane-mojibake"]);
}

/// For an option that takes an encoding, the completion offers encodings, not files.
#[test]
fn encodings_are_completed() {
    let files = generate().unwrap();
    let bash = String::from_utf8(files[Path::new("completions/utflane.bash")].clone()).unwrap();
    for option in ["--from)", "--to)", "--encoding)", "-f)", "-t)", "-e)"] {
        let mut parts_after = bash.split(option).skip(1).peekable();
        assert!(parts_after.peek().is_some(), "{option}");
        for part in parts_after {
            let offered = part.lines().nth(1).unwrap();
            assert!(offered.contains("compgen -W") && offered.contains(" shift_jis "), "{offered}");
        }
    }
    // For other options, the completion still offers their values.
    assert!(bash.contains("replace-as-java replace-runs"), "{bash}");
}
