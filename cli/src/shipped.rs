//! The files that packages ship with the program: completions for shells in `completions/`, and
//! pages of the manual in `man/`. They are generated from the arguments. A test compares them:
//!
//! ```sh
//! cargo test -p utflane-cli --bins shipped
//! UTFLANE_WRITE_SHIPPED=1 cargo test -p utflane-cli --bins shipped # writes them
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use clap::{Command, CommandFactory};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Arguments;

/// All files, by their paths in the package.
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
    page(&command, "utflane", &mut files)?;
    for subcommand in &subcommands {
        page(subcommand, &format!("utflane-{}", subcommand.get_name()), &mut files)?;
    }
    Ok(files)
}

/// Adds the manual page of a command. The end of its help becomes separate sections.
fn page(command: &Command, name: &str, files: &mut BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
    let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let mut text = Vec::new();
    Man::new(command.clone().after_help(None))
        .title(name.to_uppercase())
        .source(format!("utflane {}", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
        .render(&mut text)?;
    let mut sections = Roff::new();
    for part in end.split("\n\n") {
        section(part, &mut sections);
    }
    sections.to_writer(&mut text)?;
    files.insert(Path::new("man").join(format!("{name}.1")), text);
    Ok(())
}

/// Adds a part of a help text: examples line by line, everything else as a paragraph.
fn section(part: &str, roff: &mut Roff) {
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

/// The files in the folders, by their paths.
fn existing() -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for folder in ["completions", "man"] {
        let Ok(entries) = fs::read_dir(package().join(folder)) else { continue };
        for entry in entries {
            let entry = entry?;
            files.insert(Path::new(folder).join(entry.file_name()), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn completions_and_manual_pages_are_current() {
    let files = generate().unwrap();
    if env::var_os("UTFLANE_WRITE_SHIPPED").is_some() {
        for path in existing().unwrap().keys() {
            fs::remove_file(package().join(path)).unwrap();
        }
        for (path, text) in &files {
            let path = package().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    let existing = existing().unwrap();
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

/// An option for an encoding offers encodings, not files.
#[test]
fn encodings_are_completed() {
    let files = generate().unwrap();
    let bash = String::from_utf8(files[Path::new("completions/utflane.bash")].clone()).unwrap();
    for option in ["--from)", "--to)", "--encoding)", "-f)", "-t)", "-e)"] {
        let mut found = bash.split(option).skip(1).peekable();
        assert!(found.peek().is_some(), "{option}");
        for rest in found {
            let offered = rest.lines().nth(1).unwrap();
            assert!(offered.contains("compgen -W") && offered.contains(" shift_jis "), "{offered}");
        }
    }
    // The words of other options are still offered.
    assert!(bash.contains("replace-as-java replace-runs"), "{bash}");
}
