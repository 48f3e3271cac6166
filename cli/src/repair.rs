//! `utflane repair`: undoes double encoding in a file in UTF-8, and changes nothing else.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::iter;
use std::path::Path;

use utflane::mojibake::{self, Misread, Options};
use utflane::{Scheme, Utf8, bom, utf8};

use crate::args::{Mode, Repair};
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::output::{Failure, Output};
use crate::place::Place;
use crate::progress;
use crate::report::{self, Status};

/// The result for a file.
enum Outcome {
    /// The number of rounds that were undone.
    Undone(usize),
    /// The file doesn't have the damage that the mode undoes.
    Other,
    /// It is not UTF-8.
    IllFormed(Finding),
}

/// Repairs one file.
pub(crate) fn run(arguments: &Repair, quiet: bool) -> Status {
    let file = &arguments.file;
    if arguments.no_break_spaces && matches!(arguments.mode, Mode::Latin1 | Mode::Windows1252) {
        return report::trouble("--no-break-spaces", &"not with --mode latin1 or windows-1252");
    }
    progress::begin(iter::once(file.as_path()), quiet, arguments.output.output.is_none());
    let note = |words: &str| {
        if !quiet {
            report::note(file, words);
        }
    };
    match repair(arguments) {
        Ok(Outcome::Undone(rounds)) => {
            match rounds {
                0 => note("no double encoding found, nothing is changed"),
                1 => note("double encoding undone"),
                _ => note(&format!("double encoding undone, {rounds} times")),
            }
            Status::Fine
        }
        Ok(Outcome::Other) => {
            report::note(file, "not what this mode undoes, nothing is written: try --mode all");
            Status::Invalid
        }
        Ok(Outcome::IllFormed(finding)) => {
            report::print(&finding.message(file, false));
            note(
                "only text in UTF-8 is repaired: see `utflane detect`, \
                 and --on-invalid of `utflane convert`",
            );
            Status::Invalid
        }
        Err(Failure::Reading(error)) => report::trouble(file, &error),
        Err(Failure::Writing(error)) => {
            let name = Output::name(arguments.output.output.as_deref());
            report::unwritable(name, &error, Status::Fine)
        }
    }
}

fn repair(arguments: &Repair) -> Result<Outcome, Failure> {
    let bytes = match read(arguments).map_err(Failure::Reading)? {
        Ok(bytes) => bytes,
        Err(finding) => return Ok(Outcome::IllFormed(finding)),
    };
    // A byte order mark stays, and is no part of the text to repair.
    let (mark, text) = bytes.split_at(bytes.len() - bom::strip::<Utf8>(&bytes).len());
    let text = utf8::from_bytes(text).map_err(io::Error::other).map_err(Failure::Reading)?;
    let Some((text, rounds)) = undo(text, arguments.mode, arguments.no_break_spaces) else {
        return Ok(Outcome::Other);
    };
    let path = arguments.output.output.as_deref();
    if rounds > 0 || !path.is_some_and(|path| is_same(path, &arguments.file)) {
        // The file has been read as a whole, so its own descriptor may be written.
        let mut output = Output::create(path, None).map_err(Failure::Writing)?;
        let written = output.write_all(mark).and_then(|()| output.write_all(text.as_bytes()));
        written.and_then(|()| output.commit()).map_err(Failure::Writing)?;
    }
    Ok(Outcome::Undone(rounds))
}

/// Reads the whole file, or finds where it is not UTF-8.
fn read(arguments: &Repair) -> io::Result<Result<Vec<u8>, Finding>> {
    let mut input = Input::open(&arguments.file, arguments.decompress)?;
    let mut bytes = Vec::new();
    loop {
        let len = input.fill()?.len();
        if len == 0 {
            break;
        }
        bytes.extend_from_slice(input.kept());
        input.release(len);
    }
    let Err(error) = Scheme::Utf8.validate(&bytes) else { return Ok(Ok(bytes)) };
    let (before, rest) = bytes.split_at(error.valid_up_to());
    let mut place = Place::default();
    place.advance(Scheme::Utf8, before);
    let offending = rest[..error.error_len().unwrap_or(rest.len())].to_vec();
    let kind = FindingKind::of(error.kind());
    Ok(Err(Finding { place, offset: before.len() as u64, kind, offending, excerpt: None }))
}

/// The repaired text and the number of rounds; `None` if the text is not what `mode` undoes.
fn undo(text: &str, mode: Mode, no_break_spaces: bool) -> Option<(Cow<'_, str>, usize)> {
    let options = match mode {
        Mode::All => Options::new(),
        Mode::Once => Options::new().once(),
        Mode::Runs => Options::new().runs().once(),
        Mode::RunsAll => Options::new().runs(),
        Mode::Latin1 => return revert(text, Misread::Latin1),
        Mode::Windows1252 => return revert(text, Misread::Windows1252),
    };
    let options = if no_break_spaces { options.no_break_spaces() } else { options };
    let undone = options.undo(text);
    Some((undone.text, undone.rounds))
}

fn revert(text: &str, misread: Misread) -> Option<(Cow<'_, str>, usize)> {
    let reverted = mojibake::revert(text, misread)?;
    let rounds = usize::from(reverted != text);
    Some((reverted.into(), rounds))
}

/// Whether two names lead to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}
