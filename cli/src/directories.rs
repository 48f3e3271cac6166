//! The files that the arguments name and, with `--recursive`, the files in named directories.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use crate::args::Recursion;
use crate::report::{self, Status};

/// The files to read.
pub(crate) struct Files {
    /// In the order of the arguments; the files of a directory by their names.
    pub(crate) paths: Vec<PathBuf>,
    /// Trouble if a directory can't be read. It has been reported.
    pub(crate) status: Status,
}

impl Files {
    /// The files that the arguments name; without any, standard input.
    pub(crate) fn of(named: &[PathBuf], recursion: &Recursion) -> Self {
        let mut files = Self { paths: Vec::new(), status: Status::Fine };
        if !recursion.recursive {
            files.paths.extend_from_slice(named);
            if named.is_empty() {
                files.paths.push("-".into());
            }
            return files;
        }
        if named.is_empty() {
            files.walk(Path::new("."), recursion, true);
        }
        for path in named {
            // Everything else is a file, or an error when it is opened.
            match path.as_os_str() != "-" && fs::metadata(path).is_ok_and(|found| found.is_dir()) {
                true => files.walk(path, recursion, false),
                false => files.paths.push(path.clone()),
            }
        }
        files
    }

    /// Adds the files in a directory. If `here`, their names don't begin with its name.
    fn walk(&mut self, directory: &Path, recursion: &Recursion, here: bool) {
        let mut builder = WalkBuilder::new(directory);
        builder.hidden(!recursion.hidden).sort_by_file_name(Ord::cmp);
        if recursion.no_ignore {
            builder.standard_filters(false).hidden(!recursion.hidden);
        }
        for entry in builder.build() {
            match entry {
                // Links, pipes and devices are read only if they are named.
                Ok(entry) if entry.file_type().is_some_and(|found| found.is_file()) => {
                    self.paths.push(name(entry, here));
                }
                Ok(_) => {}
                Err(error) => self.report(directory, &error),
            }
        }
    }

    fn report(&mut self, directory: &Path, error: &ignore::Error) {
        let (path, error) = innermost(error, directory);
        let mut reason: &dyn Error = match error {
            ignore::Error::Io(error) => error,
            _ => error,
        };
        // The first cause has the system's message.
        while let Some(cause) = reason.source() {
            reason = cause;
        }
        self.status = report::trouble(path, &reason);
    }
}

/// The name of a file; if `here`, without the dot at its start.
fn name(entry: DirEntry, here: bool) -> PathBuf {
    let path = entry.into_path();
    match path.strip_prefix(".") {
        // `-` alone would be standard input.
        Ok(short) if here && short.as_os_str() != "-" => short.to_path_buf(),
        _ => path,
    }
}

/// The path that an error is about, and the error without it.
fn innermost<'a>(error: &'a ignore::Error, path: &'a Path) -> (&'a Path, &'a ignore::Error) {
    match error {
        ignore::Error::WithPath { path, err } => innermost(err, path),
        ignore::Error::WithDepth { err, .. } => innermost(err, path),
        _ => (path, error),
    }
}
